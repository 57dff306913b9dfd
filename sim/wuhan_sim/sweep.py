"""What options of the rules do to a game: a grid of rule sets, played by the same bots on the same walls."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from wuhan_core.errors import FaultError, show, whole
from wuhan_core.rules import RuleError, RuleSet
from wuhan_core.words import written

from .estimates import Estimate
from .frames import figures
from .intervals import FIXED, NONE_SEEN
from .metrics import MetricError, find_metrics
from .quantities import Quantity, quantities
from .ruin import RUIN_SHARE, ruin_difference, ruin_shares
from .runner import gather, worker_faults
from .shards import SHARD_HANDS
from .show import EXPLANATION, Grid, counted, estimate_cell, html_of, rules_of, text_of
from .sides import Sides
from .skill import SKILL_METRICS, Skill
from .task import Task, TaskError, task_faults

if TYPE_CHECKING:
    from .runner import Scheduler

MOST_POINTS = 256  # grid points of one sweep
DEFAULT = (
    "exhausted_share",
    "big_share",
    "capped_share",
    "golden_share",
    "points_cut",
    "swing",
    "dealer_edge",
    "turns",
    *SKILL_METRICS,
    RUIN_SHARE,
)
BANKROLL = 2000  # points of a seat at the start, where ruin is asked for


class SweepError(FaultError):
    """A sweep that cannot be; `faults` has every fault."""


@dataclass(frozen=True)
class Point:
    """One rule set of a sweep.

    Attributes
    ----------
    set : dict
        Option -> value, where the point differs from the task's rules or was told to have a value.
    rules : RuleSet
    metrics, difference : dict of str to Estimate
        Each metric, and by how much it differs from that of the task's own rules.
    """

    set: dict[str, Any]
    rules: RuleSet
    metrics: dict[str, Estimate]
    difference: dict[str, Estimate]

    @property
    def label(self) -> str:
        return ", ".join(f"{name}={written(value)}" for name, value in self.set.items()) or "as it is"


@dataclass(frozen=True)
class Sweep:
    """Metrics over a grid of rule sets.

    Attributes
    ----------
    task : Task
        The base: its rules are what the others are compared to.
    vary : dict of str to tuple
        Option -> values.
    base : Point or None
    points : tuple of Point
        In the order of the grid, the last option changing fastest.
    """

    task: Task
    vary: dict[str, tuple[Any, ...]]
    base: Point | None
    points: tuple[Point, ...]

    def table(self) -> pd.DataFrame:
        """Every estimate, one a row.

        Returns
        -------
        DataFrame
            A column for each option that varies (the base first), ``metric``, ``value``, ``low``, ``high``
            (95 %), ``n`` (things counted), ``unit``, ``method``, and ``difference``, ``difference_low``,
            ``difference_high``: to the base, from walls that both share.
        """
        rows = []
        for point in self._all():
            for name, found in point.metrics.items():
                less = point.difference.get(name)
                rows.append(
                    {option: point.rules.get(option) for option in self.vary}
                    | {"base": point is self.base, "metric": name}
                    | found._asdict()
                    | {
                        "difference": less.value if less else math.nan,
                        "difference_low": less.low if less else math.nan,
                        "difference_high": less.high if less else math.nan,
                    }
                )
        return pd.DataFrame(rows)

    def _all(self) -> tuple[Point, ...]:
        return (*([self.base] if self.base else []), *self.points)

    def to_dict(self) -> list[dict[str, Any]]:
        """A list of ``{"set", "metrics": {name: {"value", "low", "high", "n"}}, "difference": {...}}``."""
        return [
            {
                "set": dict(point.set),
                "metrics": {name: figures(each) for name, each in point.metrics.items()},
                "difference": {name: figures(each) for name, each in point.difference.items()},
            }
            for point in self._all()
        ]

    def __str__(self) -> str:
        return text_of(self._title(), self._grids(), self._notes(), self._explanation())

    def _repr_html_(self) -> str:
        return html_of(self._title(), self._grids(), self._notes(), self._explanation())

    def _title(self) -> str:
        task = self.task
        return (
            f"{rules_of(task.rules)}: {', '.join(task.bots)}; {counted(task.hands, 'hand')} on the same "
            f"walls at each of {len(self.points)} points, seed {task.seed}"
        )

    def _explanation(self) -> str:
        return EXPLANATION

    def _notes(self) -> Sequence[str]:
        less = [each for point in self.points for each in point.difference.values()]
        return [f"None seen: {NONE_SEEN}."] if any(each.method == NONE_SEEN for each in less) else []

    def _grids(self) -> list[Grid]:
        names = list(self._all()[0].metrics)
        header = ("rules", *names)
        rows = [
            (point.label, *(estimate_cell(point.metrics[name]) for name in names)) for point in self._all()
        ]
        less = [
            (point.label, *(estimate_cell(point.difference[name]) for name in names))
            for point in self.points
            if point.difference
        ]
        grids = [Grid(header, rows)]
        return [*grids, Grid(("difference to the base", *names), less)] if self.base else grids


def sweep(
    task: Task,
    vary: Mapping[str, Sequence[object]],
    metrics: Sequence[str] | None = None,
    *,
    skill: tuple[str, str] = ("planner", "greedy"),
    bankroll: int = BANKROLL,
    workers: int | None = None,
    scheduler: Scheduler = None,
    progress: bool | None = None,
    base: bool = True,
) -> Sweep:
    """Play a task under every combination of option values, on the same walls.

    Parameters
    ----------
    task : Task
        Its rules are the base, its hands are played at each point.
    vary : mapping of str to sequence
        Option -> values.
    metrics : sequence of str, optional
        Names of `metrics.METRICS`, any estimate of a run as ``name[of]``, ``skill_edge``,
        ``luck_ratio``, ``hands_to_tell`` of `skill`, and ``ruin_share`` in 100 hands. All that the rules have
        when not given.
    skill : (str, str)
        The stronger and the weaker bot of the skill metrics.
    bankroll : int
        Points of each seat at the start of the sessions of ``ruin_share``.
    workers, scheduler, progress
        As for `simulate`.
    base : bool
        Play the task's own rules, too, and compare the points to them.

    Returns
    -------
    Sweep

    Raises
    ------
    SweepError
        Naming every fault: unknown options and values, rule sets that cannot be, unknown metrics.

    Examples
    --------
    >>> from wuhan_sim import Task
    >>> task = Task("yuanhang", "greedy", hands=1_000, seed=1)
    >>> found = sweep(task, {"cap.per_payer": [100, 200]}, ["capped_share"])
    >>> found.table()[["cap.per_payer", "base", "metric", "value", "difference"]].round(3)
       cap.per_payer   base        metric  value  difference
    0            300   True  capped_share  0.264         NaN
    1            100  False  capped_share  0.700       0.436
    2            200  False  capped_share  0.436       0.172
    """
    if faults := task_faults(task):
        raise SweepError(faults)
    grid, faults = rule_grid(task.rules, vary)
    faults += worker_faults(workers, scheduler)
    names = metric_names(metrics, DEFAULT, faults)
    sets = [*([{}] if base else []), *(changes for changes, _ in grid)]
    sides = [*([task.rules] if base else []), *(rules for _, rules in grid)]
    asked = [name for name in names if name in SKILL_METRICS]
    if isinstance(skill, str) or not isinstance(skill, Sequence) or len(skill) != 2:
        faults.append(f"skill = {show(skill)}, must be two bots such as ('planner', 'greedy')")
        asked = []
    elsewhere = (*SKILL_METRICS, RUIN_SHARE)
    rows, bad = figure_rows([name for name in names if name not in elsewhere], sides, task, metrics is None)
    faults += bad
    duels: list[Task] = []
    try:
        duels = [Skill.task(replace(task, rules=rules), skill) for rules in sides] if asked else []
    except TaskError as error:
        faults += error.faults
    if RUIN_SHARE in names:
        bankroll = whole("bankroll", bankroll, faults, 1)
    if faults:
        raise SweepError(faults)
    how: dict[str, Any] = {"workers": workers, "scheduler": scheduler, "progress": progress}
    size = max(2**9, SHARD_HANDS // len(sides))
    found: list[dict[str, Estimate]] = [{} for _ in sides]
    less: list[dict[str, Estimate]] = [{} for _ in sides]
    if rows:
        tasks = [replace(task, rules=rules) for rules in sides]
        gauge = Sides(
            tuple(tuple(map(str, each.bots)) for each in tasks),
            tuple(tuple(each) for each in zip(*rows.values(), strict=True)),
        )
        totals = gather(tasks, gauge, shard_hands=size, **how)
        for i in range(len(sides)):
            for k, name in enumerate(rows):
                found[i][name] = gauge.figure(totals, i, k)
                less[i][name] = gauge.difference(totals, i, k)
    if duels:
        judge = Skill.gauge(duels)
        totals = gather(duels, judge, shard_hands=size, **how)
        for i in range(len(sides)):
            for name in asked:
                found[i][name] = judge.figure_of(totals, i, name)
                less[i][name] = judge.difference_of(totals, i, name)
    if RUIN_SHARE in names:
        shares = ruin_shares([replace(task, rules=rules) for rules in sides], bankroll, **how)
        for i, share in enumerate(shares):
            found[i][RUIN_SHARE] = share
            less[i][RUIN_SHARE] = ruin_difference(share, shares[0])
    points = [
        Point(changes, rules, found[i], compared(rules, sides[0], less[i]) if base and i else {})
        for i, (changes, rules) in enumerate(zip(sets, sides, strict=True))
    ]
    varied = values_of(vary, grid)
    return Sweep(task, varied, points[0] if base else None, tuple(points[1:] if base else points))


def compared(rules: RuleSet, base: RuleSet, less: Mapping[str, Estimate]) -> dict[str, Estimate]:
    """Differences to the base; the base itself, where it is one of the points, cannot differ."""
    if rules.id != base.id:
        return dict(less)
    return {name: each._replace(value=0.0, low=0.0, high=0.0, method=FIXED) for name, each in less.items()}


def rule_grid(
    base: RuleSet, vary: Mapping[str, Sequence[object]]
) -> tuple[list[tuple[dict[str, Any], RuleSet]], list[str]]:
    """The rule sets of all combinations, and every fault."""
    if not vary:
        return [], ["vary is empty, must have an option and its values"]
    if not isinstance(vary, Mapping):
        return [], [f"vary = {show(vary)}, must be a mapping of options to lists of values"]
    faults = [
        f"vary: {name} = {show(values)}, must be a list of values"
        for name, values in vary.items()
        if isinstance(values, str) or not isinstance(values, Sequence | np.ndarray)
    ]
    if faults:
        return [], faults
    faults = [f"vary: {name} has no values" for name, values in vary.items() if not len(values)]
    faults += [
        f"vary: {name} has {show(value)} twice"
        for name, values in vary.items()
        for value, times in Counter(map(str, values)).items()
        if times > 1
    ]
    if "deal.players" in vary:
        faults.append("vary: deal.players changes who sits at the table; play two tasks instead")
    size = math.prod(len(values) for values in vary.values())
    if size > MOST_POINTS:
        faults.append(f"vary has {size} combinations, allowed are up to {MOST_POINTS}")
    if faults:
        return [], faults
    grid = []
    for values in itertools.product(*vary.values()):
        changes = dict(zip(vary, values, strict=True))
        try:
            rules = base.replace(changes)
            grid.append(({name: rules.get(name) for name in changes}, rules))
        except RuleError as error:
            faults += [f"vary: {fault}" for fault in error.faults]
    return grid, list(dict.fromkeys(faults))


def values_of(
    vary: Iterable[str], grid: Sequence[tuple[Mapping[str, Any], RuleSet]]
) -> dict[str, tuple[Any, ...]]:
    """The values of each option as the rules have them, in their order."""
    return {name: tuple(dict.fromkeys(changes[name] for changes, _ in grid)) for name in vary}


def metric_names(metrics: Sequence[str] | None, usual: Sequence[str], faults: list[str]) -> list[str]:
    """The metrics asked for, each once; those that are usual where none are given."""
    names = usual if metrics is None else metrics
    listed = isinstance(names, Sequence) and not isinstance(names, str)
    if not listed or not all(isinstance(name, str) for name in names):
        faults.append(f"metrics = {show(metrics)}, must be a list of names such as capped_share")
        return []
    return list(dict.fromkeys(names))


def figure_rows(
    names: Sequence[str], sides: Sequence[RuleSet], task: Task, drop: bool
) -> tuple[dict[str, list[Quantity]], list[str]]:
    """For each metric the row of each side; drop: leave out what the rules of the base do not have."""
    rows: dict[str, list[Quantity]] = {}
    tables = [quantities(rules, task.bots) for rules in sides]
    faults: list[str] = []
    for name in names:
        chosen: dict[str, Quantity] = {}
        errors: list[str] = []
        for rules in sides:
            try:
                chosen |= {metric.name: metric.row for metric in find_metrics(name, rules, task.bots)}
            except MetricError as error:
                errors += error.faults
        if not chosen:
            faults += [] if drop else list(dict.fromkeys(errors))
        for full, row in chosen.items():
            key = row.section, row.of, row.name
            rows[full] = [
                next(
                    (each for each in table if (each.section, each.of, each.name) == key),
                    row,
                )
                for table in tables
            ]
    return rows, faults
