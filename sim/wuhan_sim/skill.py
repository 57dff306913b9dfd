"""How much skill matters under given rules: a stronger bot against a weaker one, in all seatings."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from .contest import POINTS, Pairing
from .estimates import Estimate
from .intervals import STUDENT
from .quantities import Quantity
from .sides import PAIRED, Sides, side_of
from .stats import Array, Pair, Totals, by_seat
from .task import Task

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
        row = Quantity("strategies", str(tasks[0].bots[0]), "points", "difference", "weight", POINTS, "seats")
        return cls(tuple(tuple(map(str, task.bots)) for task in tasks), ((row,),) * len(tasks))

    @property
    def ratios(self) -> tuple[Pair, ...]:
        squares = [(f"{i}: squares", f"{i}: seats") for i in range(len(self.bots))]
        return (*super().ratios, *squares)

    def columns(self, blocks: Sequence[Array]) -> dict[str, Array]:
        walls, hands = blocks[0].shape
        found: dict[str, Array] = {"hands": np.full(walls, hands, np.int64)}
        for i, (block, bots) in enumerate(zip(blocks, self.bots, strict=True)):
            pair = Pairing(bots, bots[0], bots[-1])
            points = by_seat(block, "points", len(bots)) * (pair.seated(block) > 0)
            points = points.astype(object) if int(np.abs(points).max()) >= 2**27 else points
            found |= {
                f"{i}: difference": pair.apart(block).sum(axis=0),
                f"{i}: weight": found["hands"] * pair.scale,
                f"{i}: seats": found["hands"] * pair.seats[0],
                f"{i}: squares": (points * points).sum(axis=(0, 1)),
            }
        return found

    def figure_of(self, totals: Totals, side: int, name: str) -> Estimate:
        """One of `SKILL_METRICS` on one side."""
        edge = self.figure(totals, side, 0)
        if name == SKILL_EDGE:
            return edge
        sums = side_of(totals, side).sums
        deviation = math.sqrt(max(0.0, sums["squares"] / sums["seats"] - (edge.value / 2) ** 2))
        power, unit = (1, "standard deviations per point") if name == LUCK_RATIO else (2, "hands")
        scale = 1.0 if name == LUCK_RATIO else _SCORE

        def of(edge: float) -> float:  # half of it is the mean of the stronger bot's points
            return (2 * scale * deviation / edge) ** power if edge > 0 else math.inf

        return Estimate(of(edge.value), of(edge.high), of(edge.low), edge.n, unit, f"{STUDENT}, inverted")

    def difference_of(self, totals: Totals, side: int, name: str) -> Estimate:
        """By how much one of `SKILL_METRICS` differs from that of side 0; the edge alone has an interval."""
        if name == SKILL_EDGE:
            return self.difference(totals, side, 0)
        here, there = self.figure_of(totals, side, name), self.figure_of(totals, 0, name)
        value = (
            here.value - there.value if math.isfinite(here.value) and math.isfinite(there.value) else math.nan
        )
        return Estimate(value, math.nan, math.nan, here.n, here.unit, PAIRED)
