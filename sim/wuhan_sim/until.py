"""When a run may stop: ``points<0.02``, at looks that are declared before the first hand.

Whether to stop is asked at hand numbers that follow from the task alone, of the hands up to there and no
others: so the answer is the same for any number of workers and any shard size. The half-widths are those of
`sequences`, which hold at all looks together, so that stopping because of them spoils nothing.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from wuhan_core.errors import FaultError, show

from .estimates import Estimate, estimate
from .metrics import Metric, MetricError, find_metrics
from .quantities import SHARE
from .sequences import Looks
from .stats import Totals
from .task import Task

FIRST_WALLS = 1024  # no look before: what is rare must have been seen, and sums be nearly normal
LOOKS_PER_DOUBLING = 4

_LONGEST = 10_000  # characters of all goals
_GOAL = re.compile(r"([^<>]+)<([^<>=]*?)(%?)")
_NUMBER = re.compile(r"(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?", re.ASCII)


class UntilError(FaultError):
    """What a run shall wait for cannot be; `faults` has every fault."""


class Goal(NamedTuple):
    """A half-width wanted: strictly below `half`, in the metric's unit (0 to 1 for shares)."""

    metric: str
    half: float
    percent: bool

    def __str__(self) -> str:
        return f"{self.metric}<{100 * self.half:g}%" if self.percent else f"{self.metric}<{self.half:g}"


class Standing(NamedTuple):
    """How far a goal is: `met` where the half-width of the estimate is below what is wanted."""

    goal: Goal
    metric: str
    estimate: Estimate

    @property
    def met(self) -> bool:
        return self.estimate.half < self.goal.half

    def __str__(self) -> str:
        scale, sign = (100, " %") if self.estimate.unit == SHARE else (1, "")
        half = self.estimate.half
        now = "not known yet" if math.isnan(half) else f"{scale * half:.3g}{sign}"
        return f"{self.metric}: {now}, wanted < {scale * self.goal.half:.3g}{sign}"


@dataclass(frozen=True)
class Until:
    """What a run waits for: all of its goals.

    Attributes
    ----------
    goals : tuple of Goal

    Examples
    --------
    >>> until = Until.parse("points<0.5,capped_share<1%")
    >>> str(until), len(until.goals)
    ('points<0.5,capped_share<1%', 2)
    """

    goals: tuple[Goal, ...]

    def __post_init__(self) -> None:
        goals: object = self.goals
        if not isinstance(goals, tuple) or not goals or not all(isinstance(goal, Goal) for goal in goals):
            raise UntilError([f"goals = {show(goals)}, must be a tuple of Goal; Until.parse reads text"])

    @classmethod
    def parse(cls, text: str | Until) -> Until:
        """Read ``METRIC<HALF-WIDTH``, several joined by commas; shares may be given in per cent.

        What has been read already is returned as it is.

        Raises
        ------
        UntilError
            Naming every fault that can be seen without a task.
        """
        if isinstance(text, Until):
            return text
        if isinstance(text, str) and len(text) > _LONGEST:
            raise UntilError([f"until = {show(text)} has {len(text)} characters, at most {_LONGEST}"])
        goals, faults = [], []
        for piece in _pieces(text) if isinstance(text, str) else [text]:
            try:
                goals.append(_goal(piece))
            except UntilError as error:
                faults += error.faults
        names = [goal.metric for goal in goals]
        faults += [
            f"until: {show(name)} is given twice" for name in dict.fromkeys(names) if names.count(name) > 1
        ]
        if faults:
            raise UntilError(faults)
        return cls(tuple(goals))

    def __str__(self) -> str:
        return ",".join(map(str, self.goals))

    def faults(self, task: Task) -> list[str]:
        """Every reason why a run of this task cannot wait for it."""
        return [fault for goal in self.goals for fault in _fulfil(goal, task)[1]]

    def plan(self, task: Task) -> Plan:
        """Declare the looks of a run; `task.hands` is the most that it plays.

        Raises
        ------
        UntilError
            Naming every fault: metrics that the task does not have, and half-widths that make no sense for
            them.
        """
        if faults := self.faults(task):
            raise UntilError(faults)
        return Plan(self, task)


@dataclass(frozen=True)
class Plan:
    """The looks of a run that may stop early, declared before its first hand.

    Attributes
    ----------
    until : Until
    task : Task
        With the most hands that are played.
    """

    until: Until
    task: Task

    @cached_property
    def looks(self) -> tuple[int, ...]:
        """Hand numbers, rising, at which it is asked whether to stop: hands ``[task.first, look)`` are seen.

        Each but the last is at the end of a wall; the last is that of the task.
        """
        task = self.task
        return declared(task.first, task.last, task.hands_per_wall)

    @cached_property
    def spread(self) -> Looks:
        """The same looks for the sequences, in walls."""
        size = self.task.hands_per_wall
        walls = [-(-look // size) - self.task.first // size for look in self.looks]
        return Looks(walls[0], walls[-1])

    @cached_property
    def _wanted(self) -> list[tuple[Goal, Metric]]:
        return [(goal, metric) for goal in self.until.goals for metric in _fulfil(goal, self.task)[0]]

    def standing(self, totals: Totals) -> list[Standing]:
        """How far each goal is after the hands of `totals`; one for each bot where a goal names none."""
        return [
            Standing(goal, metric.name, estimate(metric.row, totals, self.spread))
            for goal, metric in self._wanted
        ]

    def to_dict(self, totals: Totals) -> dict[str, Any]:
        """Goals, whether these hands meet them, the most hands, the looks; values that JSON has."""
        return {
            "goals": str(self.until),
            "met": self.met(totals),
            "most": self.task.hands,
            "looks": list(self.looks),
        }

    def met(self, totals: Totals) -> bool:
        """Are all goals met? To be asked at the looks only, of the hands up to there."""
        return all(standing.met for standing in self.standing(totals))


def declared(first: int, last: int, hands_per_wall: int) -> tuple[int, ...]:
    """Looks: after `FIRST_WALLS` walls, then each 2**(1/4) times later, and at the end."""
    looks: list[int] = []
    start = first // hands_per_wall  # a wall of which the first hands are not played counts
    for step in range(LOOKS_PER_DOUBLING * 64):
        walls = math.ceil(FIRST_WALLS * 2 ** (step / LOOKS_PER_DOUBLING))
        look = (start + walls) * hands_per_wall
        if look >= last:
            break
        looks.append(look)
    return (*looks, last)


def _pieces(text: str) -> Iterable[str]:
    """Cut at commas outside brackets: texts of bots have commas, too."""
    return re.split(r",(?![^\[]*\])", text)


def _goal(text: object) -> Goal:
    found = _GOAL.fullmatch(text.strip()) if isinstance(text, str) else None
    if not found:
        raise UntilError(
            [f"until = {show(text)}, must be METRIC<HALF-WIDTH such as points<0.02 or capped_share<1%"]
        )
    metric, number, percent = (part.strip() for part in found.groups())
    half = float(number) / (100 if percent else 1) if _NUMBER.fullmatch(number) else math.nan
    if not 0 < half < math.inf:
        raise UntilError([f"until: half-width of {metric} = {show(number)}, must be a number above 0"])
    return Goal(re.sub(r"\s*([\[\]])\s*", r"\1", metric), half, bool(percent))


def _fulfil(goal: Goal, task: Task) -> tuple[tuple[Metric, ...], list[str]]:
    """The estimates that a goal is about, and its faults."""
    try:
        metrics = find_metrics(goal.metric, task.rules, task.bots)
    except MetricError as error:
        return (), [f"until: {fault}" for fault in error.faults]
    share = metrics[0].row.unit == SHARE
    if goal.percent and not share:
        return (), [
            f"until: {goal}, but per cent are for shares, and {goal.metric} is in {metrics[0].row.unit}"
        ]
    if share and goal.half >= 1:
        return (), [f"until: {goal}, must be below 1: {goal.metric} is a share, from 0 to 1 (0.01 is 1%)"]
    return metrics, []
