"""How much skill matters under given rules: a stronger bot against a weaker one, in all seatings."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .estimates import Estimate
from .intervals import STUDENT
from .quantities import Quantity
from .sides import PAIRED, Sides, side_of
from .stats import Pair, Totals
from .task import Task

Array = NDArray[Any]

SKILL_EDGE, LUCK_RATIO, HANDS_TO_TELL = "skill_edge", "luck_ratio", "hands_to_tell"
SKILL_METRICS = (SKILL_EDGE, LUCK_RATIO, HANDS_TO_TELL)
_SCORE = 1.96  # standard errors of a 95 % interval


@dataclass(frozen=True)
class Skill(Sides):
    """The gauge of three metrics.

    ``skill_edge``: points per hand of a seat with the stronger bot less those of one with the weaker.
    ``luck_ratio``: standard deviation of the stronger bot's points in one hand over its mean;
    ``hands_to_tell``: hands after which that mean is 1.96 standard errors away from zero, hands taken as
    independent. Both have the interval that follows from that of the edge (the standard deviation is known
    far better), and are infinite where the edge may be zero.
    """

    bot: str = ""

    @staticmethod
    def task(task: Task, bots: tuple[str, str]) -> Task:
        """The game that is measured: as many hands, rounded up to whole walls."""
        players = len(task.bots)
        strong, weak = bots
        found = replace(
            task,
            bots=(strong,) * (players // 2) + (weak,) * (players - players // 2),
            deal="balanced",
            first=0,
        )
        size = found.hands_per_wall
        return replace(found, hands=-(-task.hands // size) * size)

    @classmethod
    def gauge(cls, tasks: Sequence[Task]) -> Skill:
        """The gauge for one task a side."""
        bot = str(tasks[0].bots[0])
        row = Quantity("strategies", bot, "points", f"points of {bot}", f"hands of {bot}", "points per hand")
        return cls(tuple(tuple(map(str, task.bots)) for task in tasks), ((row,),) * len(tasks), bot=bot)

    @property
    def ratios(self) -> tuple[Pair, ...]:
        squares = [(f"{i}: squares", f"{i}: hands of {self.bot}") for i in range(len(self.bots))]
        return (*super().ratios, *squares)

    def columns(self, blocks: Sequence[Array]) -> dict[str, Array]:
        found = super().columns(blocks)
        for i, (block, bots) in enumerate(zip(blocks, self.bots, strict=True)):
            strong = np.array([str(bot) == self.bot for bot in bots])
            points = block["points"][..., : len(bots)] * strong[block["bot"][..., : len(bots)]]
            large = int(np.abs(points).max()) >= 2**27
            points = points.astype(object) if large else points
            found[f"{i}: squares"] = (points * points).sum(axis=(1, 2))
        return found

    def figure_of(self, totals: Totals, side: int, name: str) -> Estimate:
        """One of `SKILL_METRICS` on one side."""
        mean = self.figure(totals, side, 0)
        edge = mean._replace(value=2 * mean.value, low=2 * mean.low, high=2 * mean.high)
        if name == SKILL_EDGE:
            return edge
        sums = side_of(totals, side).sums
        square = sums["squares"] / sums[f"hands of {self.bot}"]
        deviation = math.sqrt(max(0.0, square - mean.value**2))
        power, unit = (1, "standard deviations per point") if name == LUCK_RATIO else (2, "hands")
        scale = 1.0 if name == LUCK_RATIO else _SCORE

        def of(value: float) -> float:
            return (scale * deviation / value) ** power if value > 0 else math.inf

        return Estimate(of(mean.value), of(mean.high), of(mean.low), edge.n, unit, f"{STUDENT}, inverted")

    def difference_of(self, totals: Totals, side: int, name: str) -> Estimate:
        """By how much one of `SKILL_METRICS` differs from that of side 0; the edge alone has an interval."""
        if name == SKILL_EDGE:
            less = self.difference(totals, side, 0)
            return less._replace(value=2 * less.value, low=2 * less.low, high=2 * less.high)
        here, there = self.figure_of(totals, side, name), self.figure_of(totals, 0, name)
        value = (
            here.value - there.value if math.isfinite(here.value) and math.isfinite(there.value) else math.nan
        )
        return Estimate(value, math.nan, math.nan, here.n, here.unit, PAIRED)
