"""What settings of a bot gain against opponents, all on the same walls, under one or several rule sets."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from wuhan_core.rules import RuleSet

from .contest import POINTS
from .estimates import Estimate, estimate, sums_of
from .intervals import STUDENT, quantile
from .quantities import Quantity
from .runner import gather, play_records
from .stats import NOTHING, Array, Names, Pair, Totals, cubes
from .task import Task

if TYPE_CHECKING:
    from .runner import Scheduler

DEVIATIONS = "standard deviations of a hand's points"
_SCALE_HANDS = 6000  # hands by which the standard deviation of points is measured
SEVERAL = f"{STUDENT}, mean over rule sets of independent walls, normal"


@dataclass(frozen=True)
class Gains:
    """The gauge: points per seat of every setting against the opponents, less those of the bot itself.

    Attributes
    ----------
    names : tuple of str
        Settings.
    pairs : tuple of int
        For each setting and opponent the number of the task they were played in; -1 where they are the same.
        In the order of the settings, the bot itself first.
    opponents : int
    half : int
        Seats of the setting: the first so many of a task's bots.
    """

    names: tuple[str, ...]
    pairs: tuple[int, ...]
    opponents: int
    half: int

    @property
    def ratios(self) -> Sequence[Pair]:
        return (("hands", "hands"), *((gain_row(name).over, "seats") for name in self.names))

    @property
    def moments(self) -> Sequence[Names]:
        return tuple(cubes(self.ratios[1:]))

    def columns(self, blocks: Sequence[Array]) -> dict[str, Array]:
        walls, hands = blocks[0].shape
        points = [(block["points"] * (block["bot"] < self.half)).sum(axis=(1, 2)) for block in blocks]
        points.append(np.zeros(walls, np.int64))  # against itself nobody gains
        totals = [
            sum(points[self.pairs[i * self.opponents + o]] for o in range(self.opponents))
            for i in range(len(self.names) + 1)
        ]
        columns = {
            "hands": np.full(walls, hands, np.int64),
            "seats": np.full(walls, hands * self.half * self.opponents, np.int64),
        }
        for name, total in zip(self.names, totals[1:], strict=True):
            columns[f"gain of {name}"] = np.asarray(total - totals[0], np.int64)
        return columns

    def peaks(self, blocks: Sequence[Array]) -> dict[str, int]:
        return {}


@dataclass(frozen=True)
class Field:
    """Whom settings play, under which rules, with which walls.

    Attributes
    ----------
    bot : str
        The bot as it is; gains are above what it would get itself.
    opponents : tuple of str
    rules : tuple of RuleSet
        Several are played on walls of their own; a gain is then the mean of the gains in each, counted in
        standard deviations of a hand's points there.
    seeds : tuple of int
        Of the walls, for each rule set.
    """

    bot: str
    opponents: tuple[str, ...]
    rules: tuple[RuleSet, ...]
    seeds: tuple[int, ...]

    def cost(self, names: Sequence[str]) -> int:
        """Hands that it takes to play settings, and the bot itself, on one wall of every rule set."""
        pairs = [(name, other) for name in (self.bot, *names) for other in self.opponents if name != other]
        return len(pairs) * sum(map(_per_wall, self.rules))

    def play(
        self,
        names: Sequence[str],
        walls: range,
        workers: int | None = None,
        scheduler: Scheduler = None,
        progress: bool | None = None,
    ) -> list[Totals]:
        """Play settings on walls of each rule set; the totals of each, which add."""
        found = []
        for rules, seed in zip(self.rules, self.seeds, strict=True):
            tasks: list[Task] = []
            pairs: list[int] = []
            half = _players(rules) // 2
            for name in (self.bot, *names):
                for other in self.opponents:
                    if name == other:
                        pairs.append(-1)
                        continue
                    pairs.append(len(tasks))
                    bots = [name] * half + [other] * half
                    hands, first = (_per_wall(rules) * count for count in (len(walls), walls.start))
                    tasks.append(Task(rules, bots, hands, seed, "balanced", first=first))
            gauge = Gains(tuple(names), tuple(pairs), len(self.opponents), half)
            found.append(gather(tasks, gauge, workers, scheduler=scheduler, progress=progress))
        return found

    def deviations(self) -> tuple[float, ...]:
        """Under each rule set the standard deviation of a seat's points in a hand; 1 where there is one."""
        if len(self.rules) == 1:
            return (1.0,)
        found = []
        for rules, seed in zip(self.rules, self.seeds, strict=True):
            half = _players(rules) // 2
            other = next((name for name in self.opponents if name != self.bot), self.bot)
            bots = [self.bot] * half + [other] * half
            points = play_records(rules, bots, seed, count=_SCALE_HANDS)["points"][:, : 2 * half]
            found.append(max(float(points.std()), 1.0))
        return tuple(found)


def gain_row(name: str) -> Quantity:
    """The gain of a setting under one rule set."""
    return Quantity("gains", name, "points", f"gain of {name}", "seats", POINTS, count="hands")


def gain_of(name: str, totals: Sequence[Totals], scales: Sequence[float]) -> Estimate:
    """The gain of a setting over all rule sets, from the totals of each and their standard deviations."""
    row = gain_row(name)
    if len(totals) == 1:
        return estimate(row, totals[0])
    value, variance, hands = 0.0, 0.0, 0
    for each, scale in zip(totals, scales, strict=True):
        sums = sums_of(row, each.settled)
        value += sums.y / sums.x / scale / len(totals)
        variance += sums.variance / (scale * len(totals)) ** 2 if sums.walls > 1 else math.nan
        hands += each.settled.sums[row.n]
    half = quantile(math.inf) * math.sqrt(variance)
    return Estimate(value, value - half, value + half, hands, DEVIATIONS, SEVERAL)


def added(a: Sequence[Totals], b: Sequence[Totals], name: str) -> list[Totals]:
    """Totals of one setting on more walls."""
    return [only(x, name) + only(y, name) for x, y in zip(a, b, strict=True)]


def only(totals: Totals, name: str) -> Totals:
    """What the totals say of one setting."""
    if totals is NOTHING:
        return totals
    kept = {f"gain of {name}", "seats", "hands"}
    return Totals(
        {column: value for column, value in totals.sums.items() if column in kept},
        {names: value for names, value in totals.products.items() if set(names) <= kept},
        {column: value for column, value in totals.walls.items() if column in kept},
        {},
        hands_per_wall=totals.hands_per_wall,
    )


def _per_wall(rules: RuleSet) -> int:
    """Orders of two bots with the same number of seats each."""
    players = _players(rules)
    return math.comb(players, players // 2)


def _players(rules: RuleSet) -> int:
    players = rules.get("deal.players")
    assert isinstance(players, int)
    return players
