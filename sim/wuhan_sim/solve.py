"""Which value of an option gives the figure that is wanted."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pandas as pd

from wuhan_core.errors import FaultError, real, show
from wuhan_core.options import OPTIONS, Half, Whole

from .estimates import Estimate
from .frames import figures
from .metrics import MetricError, find_metrics
from .quantities import SHARE
from .ruin import RUIN_SHARE
from .show import Grid, counted, estimate_cell, html_of, scaled, text_of
from .sweep import BANKROLL, SweepError, sweep
from .task import Task, task_faults

if TYPE_CHECKING:
    from .runner import Scheduler

METHOD = (
    "bisection on common walls; the interval is of all values whose 95 % interval of the metric holds the "
    "target"
)


class SolveError(FaultError):
    """A question that cannot be asked or has no answer; `faults` has every fault."""


@dataclass(frozen=True)
class Solution:
    """The value of an option at which a metric has its target.

    Attributes
    ----------
    task : Task
    option, metric : str
    target : float
    value : float
        Where the metric crosses the target, on the option's grid (whole numbers or halves): of the two
        neighbours the one that comes nearer.
    low, high : float
        95 %: the values between which the metric's interval holds the target; the value itself where it
        `jumps`.
    between : (float, float)
        Neighbours on the grid between which the metric crosses the target; `value` is one of them.
    tried : dict of float to Estimate
        The metric at every value that was played, in rising order.
    edges : tuple of bool
        Whether `low` and `high` are ends of the range that was searched: then the true ones may lie outside.
    """

    task: Task
    option: str
    metric: str
    target: float
    value: float
    low: float
    high: float
    between: tuple[float, float]
    tried: dict[float, Estimate]
    edges: tuple[bool, bool]

    @property
    def jumps(self) -> bool:
        """Whether the metric passes over the target: at neither neighbour does its interval hold that."""
        return not any(self.tried[at].low <= self.target <= self.tried[at].high for at in self.between)

    def table(self) -> pd.DataFrame:
        """One row for each value tried: the option and an estimate's columns."""
        return pd.DataFrame([{self.option: at} | found._asdict() for at, found in self.tried.items()])

    def to_dict(self) -> dict[str, Any]:
        """As values of the types that JSON has."""
        return {
            "value": self.value,
            "low": self.low,
            "high": self.high,
            "metric": self.metric,
            "option": self.option,
            "target": self.target,
            "jumps": self.jumps,
            "between": list(self.between),
            "method": METHOD,
            "edges": list(self.edges),
            "tried": [{"at": at, **figures(found)} for at, found in self.tried.items()],
        }

    def _title(self) -> str:
        hands = f"{counted(self.task.hands, 'hand')} at each value"
        wanted = f"{self.metric} = {_shown(self.target, self.tried[self.value])}"
        if self.jumps:
            below, above = (f"{estimate_cell(self.tried[at])} at {at:g}" for at in self.between)
            where = f"from {below} to {above}; the nearer is {self.value:g}"
            return f"{wanted} at no {self.option}: it jumps {where}; {hands}"
        low, high = (
            f"{'beyond ' if edge else ''}{end:g}"
            for edge, end in zip(self.edges, (self.low, self.high), strict=True)
        )
        where = f"{self.option} = {self.value:g} ({low}..{high}, 95 %)"
        return f"{wanted} at {where}; {hands}"

    def _grids(self) -> list[Grid]:
        rows = [(f"{at:g}", estimate_cell(found)) for at, found in self.tried.items()]
        return [Grid((self.option, self.metric), rows)]

    def __str__(self) -> str:
        return text_of(self._title(), self._grids())

    def _repr_html_(self) -> str:
        return html_of(self._title(), self._grids())


def solve(
    task: Task,
    option: str,
    low: float,
    high: float,
    metric: str,
    target: float,
    *,
    skill: tuple[str, str] = ("planner", "greedy"),
    bankroll: int = BANKROLL,
    workers: int | None = None,
    scheduler: Scheduler = None,
    progress: bool | None = None,
) -> Solution:
    """Find the value of a number option at which a metric has a wanted value.

    The metric is taken to rise or to fall throughout; every value is played on the same walls, so that the
    curve is a fixed one for a given number of hands. Three bisections find where the estimate crosses the
    target and where the two ends of its interval do: between these the noise of so many hands leaves the
    answer open. Play more hands for a narrower interval.

    Parameters
    ----------
    task : Task
        Hands to play at each value, bots, seed and the other rules.
    option : str
        An option with whole or half numbers.
    low, high : float
        Between which to search.
    metric : str
        As for `sweep`; it must name one estimate.
    target : float
    skill, bankroll, workers, scheduler, progress
        As for `sweep`.

    Returns
    -------
    Solution

    Raises
    ------
    SolveError
        Naming every fault; also where the metric at `low` and at `high` lies on the same side of the target,
        and where so few hands give it no interval.

    Examples
    --------
    >>> from wuhan_sim import Task
    >>> task = Task("yuanhang", "greedy", hands=1_000, seed=1)
    >>> found = solve(task, "cap.per_payer", 50, 1_000, "capped_share", 0.3)
    >>> found.low <= found.value <= found.high
    True
    """
    if faults := task_faults(task):
        raise SolveError(faults)
    steps, faults = _steps(option, low, high)
    unit, wrong = metric_unit(metric, task)
    faults += wrong
    if real(target) is None:
        faults.append(f"target = {show(target)}, must be a number")
    elif unit == SHARE and not 0 <= target <= 1:
        faults.append(f"target = {target * 100:g}%, must be from 0% to 100%: {metric} is a share")
    if faults:
        raise SolveError(faults)
    target = float(target)
    tried: dict[Fraction, Estimate] = {}

    def at(value: Fraction) -> Estimate:
        if value not in tried:
            number: Any = int(value) if value.denominator == 1 else float(value)
            try:
                found = sweep(
                    *(task, {option: [number]}, [metric]),
                    skill=skill,
                    bankroll=bankroll,
                    workers=workers,
                    scheduler=scheduler,
                    progress=progress,
                    base=False,
                )
            except SweepError as error:
                raise SolveError(fault.replace("vary: ", "") for fault in error.faults) from None
            (estimate,) = found.points[0].metrics.values()
            if math.isnan(estimate.low):
                few = f"{task.hands} hands are too few"
                raise SolveError([f"{metric} has no interval at {option} = {number:g}: {few}, play more"])
            tried[value] = estimate
        return tried[value]

    first, last = (Fraction(real(end) or 0) for end in (low, high))
    ends = at(first), at(last)
    if not (ends[0].value - target) * (ends[1].value - target) <= 0:
        told = [
            f"{option} = {float(end):g}: {estimate_cell(found)}"
            for end, found in ((first, ends[0]), (last, ends[1]))
        ]
        raise SolveError([f"{metric} does not reach {_shown(target, ends[0])} between: {'; '.join(told)}"])
    rising = ends[1].value >= ends[0].value

    def crossing(reading: Callable[[Estimate], float]) -> tuple[Fraction, Fraction]:
        """Neighbours on the grid between which a reading of the metric crosses the target."""
        below, above = first, last
        while above - below > steps:
            middle = below + steps * ((above - below) / steps // 2)
            if (reading(at(middle)) < target) == rising:
                below = middle
            else:
                above = middle
        return below, above

    between = crossing(lambda found: found.value)
    value = min(between, key=lambda each: abs(at(each).value - target))
    # the far end of the interval crosses first
    begin = crossing(lambda found: found.high if rising else found.low)
    end = crossing(lambda found: found.low if rising else found.high)

    def holds(each: Fraction) -> bool:
        return at(each).low <= target <= at(each).high

    left = begin[0] if holds(begin[0]) else min(begin[1], value)
    right = end[1] if holds(end[1]) else max(end[0], value)
    return Solution(
        *(task, option, metric, target, float(value), float(left), float(right)),
        between=(float(between[0]), float(between[1])),
        tried={float(each): tried[each] for each in sorted(tried)},
        edges=(left == first and holds(first), right == last and holds(last)),
    )


def _shown(target: float, found: Estimate) -> str:
    """The target as estimates of the metric are shown."""
    scale, sign = scaled(found.unit)
    return f"{scale * target:g}{sign}"


def metric_unit(metric: object, task: Task) -> tuple[str, list[str]]:
    """The unit of a metric, empty where it is not known, and what is wrong that `sweep` does not tell."""
    if not isinstance(metric, str):
        return "", [f"metric = {show(metric)}, must be a name such as capped_share"]
    if metric == RUIN_SHARE:
        return SHARE, []
    try:
        found = find_metrics(metric, task.rules, task.bots)
    except MetricError:
        return "", []
    names = ", ".join(each.name for each in found)
    several = [f"metric {metric} names {names}, must name one estimate"] if len(found) > 1 else []
    return found[0].row.unit, several


def _steps(option: object, low: object, high: object) -> tuple[Fraction, list[str]]:
    """The step of an option's grid, and what is wrong with the range."""
    if not isinstance(option, str) or option not in OPTIONS:
        return Fraction(1), [f"option = {show(option)}, must be an option of the rules with numbers"]
    kind = OPTIONS[option].kind
    if not isinstance(kind, Whole | Half):
        return Fraction(1), [f"option {option} has no numbers, must be one that has"]
    step = Fraction(1) if isinstance(kind, Whole) else Fraction(1, 2)
    faults = [
        f"{name} = {show(end)}, must be a multiple of {float(step):g}"
        for name, end in (("low", low), ("high", high))
        if (number := real(end)) is None or Fraction(number) % step
    ]
    if not faults and not low < high:  # type: ignore[operator]
        faults.append(f"low = {show(low)}, high = {show(high)}: low must be below high")
    return step, faults
