"""Tournaments: all against all on the same walls, with errors that hold for all comparisons together."""

from __future__ import annotations

import html as markup
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtr, stdtrit

from wuhan_core.errors import FaultError, one_line, show
from wuhan_core.policies import split_bots
from wuhan_core.rules import RuleSet
from wuhan_core.words import Lang

from . import intervals
from .bots import read_bots
from .contest import Pairing
from .duel import challenge
from .estimates import estimate, sums_of
from .frames import frame, records
from .intervals import CUT, STUDENT_SKEW, TAIL
from .league import League
from .quantities import Quantity
from .runner import gather, worker_faults
from .show import Grid, cell, counted, grid_html, grid_lines, rounded
from .stats import Totals
from .task import Task

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .runner import Scheduler

COLUMNS = ("a", "b", "value", "low", "high", "n", "unit", "method", "p")
RANKS = ("rank", "bot", "value", "low", "high", "n", "unit", "method")
ALPHA = 2 * TAIL
_MOST_PLAYED = 2**15  # hands of all pairs that a shard plays: their records are held together
EXPLANATION = (
    "In brackets: 95 % intervals made so that in 95 of 100 tournaments all of them hold the true difference "
    "(Bonferroni); p is corrected for the number of pairs (Holm, which refutes more), * below 0.05."
)
RANKED = "By the mean difference from all other bots, in brackets the 95 % interval of each for itself."


class TournamentError(FaultError):
    """A tournament that cannot be; `faults` has every fault."""


@dataclass(frozen=True)
class Tournament:
    """Every bot compared with every other one.

    Attributes
    ----------
    tasks : tuple of Task
        One for each pair, on the same walls.
    bots : tuple of str
    asked : int
        Hands asked for of each pair.
    totals : Totals
    """

    tasks: tuple[Task, ...]
    bots: tuple[str, ...]
    asked: int
    totals: Totals

    @property
    def rules(self) -> RuleSet:
        """Under which was played."""
        return self.tasks[0].rules

    @property
    def hands(self) -> int:
        """Hands that each pair played."""
        return self.totals.settled.sums["hands"]

    @property
    def walls(self) -> int:
        """Walls that each pair played."""
        return self.totals.settled.walls["hands"]

    @cached_property
    def league(self) -> League:
        """What was counted."""
        return league_of(self.tasks, self.bots)

    @cached_property
    def table(self) -> pd.DataFrame:
        """The differences of all pairs.

        Returns
        -------
        DataFrame
            ``a``, ``b``: two bots; ``value``: points per hand that a seat with a gets, less those with b, in
            their duel; ``low``, ``high``: intervals that hold all true differences at once in 95 of 100
            tournaments, each made for a share 0.05 / pairs (Bonferroni); ``n``: hands of the duel;
            ``unit``, ``method``; ``p``: two-sided p-value of "there is no difference" by Student's t over
            walls, corrected by `holm`: below 0.05 it is refuted, and in 95 of 100 tournaments no true "no
            difference" is. Holm's correction refutes more than the intervals, all of which are as wide.
        """
        pairs = self.league.pair_rows
        found = [self._pair(row, len(pairs)) for row in pairs]
        adjusted = holm([p for *_, p in found])
        rows = [
            (sides.a, sides.b, *row[:-1], p)
            for sides, row, p in zip(self.league.pairs, found, adjusted, strict=True)
        ]
        return frame(rows, COLUMNS)

    @cached_property
    def ranking(self) -> pd.DataFrame:
        """The bots from best to worst.

        Returns
        -------
        DataFrame
            ``rank``, ``bot``; ``value``: mean over the other bots of the difference from each, in points per
            hand, with the 95 % interval ``low``, ``high`` of this bot alone; ``n``: hands of each duel;
            ``unit``, ``method``.
        """
        rows = [
            (bot, *estimate(row, self.totals))
            for bot, row in zip(self.bots, self.league.bot_rows, strict=True)
        ]
        rows.sort(key=lambda row: (-row[1], row[0]))
        return frame([(rank, *row) for rank, row in enumerate(rows, 1)], RANKS)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as values of the types that JSON has; NaN becomes None."""
        return {
            "bots": [str(bot) for bot in self.bots],
            "rules": {"name": self.rules.name, "values": self.rules.to_dict()},
            "seed": self.tasks[0].seed,
            "draws": self.tasks[0].draws,
            "hands": self.hands,
            "asked": self.asked,
            "walls": self.walls,
            "tasks": [task.id for task in self.tasks],
            "differences": records(self.table),
            "ranking": records(self.ranking),
        }

    def plot(self, ax: Axes | None = None, lang: Lang = "en") -> Axes:
        """Draw all differences with their errors; needs the extra [plots]."""
        from .plots import matrix

        return matrix(self, ax, lang)

    def __str__(self) -> str:
        lines = [self._title()]
        for text, grid in self._grids():
            lines += ["", text, *grid_lines(grid)]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        parts = [f"<p><b>{markup.escape(self._title())}</b></p>"]
        for text, grid in self._grids():
            parts += [f"<p>{markup.escape(text)}</p>", grid_html(grid)]
        return "\n".join(parts)

    def _title(self) -> str:
        task = self.tasks[0]
        whole = f" ({rounded(self.asked)})" if self.hands != self.asked else ""
        return one_line(
            f"{self.rules.name}: {counted(len(self.bots), 'bot')}, {counted(len(self.tasks), 'pair')}, "
            f"each {counted(self.hands, 'hand')}{whole} on the same {counted(self.walls, 'wall')}, "
            f"seed {task.seed}"
        )

    def _grids(self) -> list[tuple[str, Grid]]:
        """The ranking and the differences, each with what its brackets mean."""
        ranking, table = self.ranking.to_dict("records"), self.table.to_dict("records")
        ranks: list[tuple[str, ...]] = [(f"{row['rank']}. {row['bot']}", cell(row)) for row in ranking]
        pairs: list[tuple[str, ...]] = [
            (f"{row['a']} less {row['b']}", cell(row), _p(row["p"])) for row in table
        ]
        return [
            (RANKED, Grid(("rank", "points per hand"), ranks)),
            (EXPLANATION, Grid(("pair", "points per hand", "p"), pairs)),
        ]

    def _pair(self, row: Quantity, pairs: int) -> tuple[Any, ...]:
        """Value, low, high, n, unit, method and the p-value before it is corrected."""
        totals = self.totals.settled
        sums = sums_of(row, totals)
        freedom = sums.walls - 1
        method = f"{STUDENT_SKEW}{CUT if row.bounded else ''}, Bonferroni over {counted(pairs, 'pair')}"
        if freedom < 1:
            return sums.y / sums.x, math.nan, math.nan, self.hands, row.unit, method, math.nan
        reach = float(stdtrit(freedom, 1 - TAIL / pairs))
        found = intervals.span(sums, reach, row.low, row.high)
        error = math.sqrt(sums.variance)
        score = math.inf if not error and sums.y else abs(found.value) / error if error else 0.0
        return *found, self.hands, row.unit, method, 2 * float(stdtr(freedom, -score))


def holm(p: ArrayLike) -> NDArray[np.float64]:
    """Correct p-values for their number by Holm's step-down.

    Holm, 1979, Scandinavian Journal of Statistics 6, 65-70.

    Parameters
    ----------
    p : array_like of float
        Of k comparisons, however they hang together.

    Returns
    -------
    ndarray of float
        Refuting every hypothesis whose value is at most alpha refutes a true one with a chance of at most
        alpha. The i-th smallest is multiplied by k - i + 1, is at least the one before, and at most 1. NaN
        (a comparison that says nothing) stays and counts.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    values = np.asarray(p, np.float64)
    order = np.argsort(values)  # NaN last
    stepped = values[order] * np.arange(len(values), 0, -1)
    adjusted = np.empty_like(values)
    adjusted[order] = np.minimum(np.maximum.accumulate(stepped), 1)
    return adjusted


def tournament(
    rules: RuleSet | str | Path,
    bots: str | Sequence[object],
    hands: int,
    seed: int = 0,
    draws: str = "seat",
    workers: int | None = None,
    scheduler: Scheduler = None,
    progress: bool | None = None,
) -> Tournament:
    """Compare several bots, each with each, on the same walls.

    Every pair plays a `duel`: two seats each at a table of four, each wall once with every order of the bots
    over the seats. Walls are the same for all pairs.

    Parameters
    ----------
    rules : RuleSet or str
        As for `Task`.
    bots : sequence of str or object, or str
        Two or more, as `Task` takes them; text may name several with commas between.
    hands : int
        Hands of each pair, rounded up to whole walls.
    seed, draws, workers, scheduler, progress
        As for `duel`.

    Returns
    -------
    Tournament

    Raises
    ------
    TournamentError
        Naming every fault.
    BotFailure, Interrupted
        As for `simulate`.

    Examples
    --------
    >>> found = tournament("yuanhang", ["greedy", "planner", "random"], hands=600, seed=1)
    >>> found.ranking[["bot", "rank"]]
           bot  rank
    0  planner     1
    1   greedy     2
    2   random     3
    """
    ready, faults = entrants(rules, bots, hands, seed, draws)
    faults += worker_faults(workers, scheduler)
    if faults or ready is None:
        raise TournamentError(faults)
    return ready.play(workers, scheduler, progress)


@dataclass(frozen=True)
class Entrants:
    """A tournament that can be played."""

    tasks: tuple[Task, ...]
    bots: tuple[str, ...]
    asked: int

    def play(
        self, workers: int | None = None, scheduler: Scheduler = None, progress: bool | None = None
    ) -> Tournament:
        """Play it."""
        per_wall = self.tasks[0].hands_per_wall
        size = max(1, _MOST_PLAYED // len(self.tasks) // per_wall) * per_wall
        totals = gather(
            self.tasks,
            league_of(self.tasks, self.bots),
            workers,
            scheduler=scheduler,
            progress=progress,
            shard_hands=size,
        )
        return Tournament(self.tasks, self.bots, self.asked, totals)


def entrants(
    rules: RuleSet | str | Path | None, bots: object, hands: object, seed: object = 0, draws: object = "seat"
) -> tuple[Entrants | None, list[str]]:
    """Check what a tournament needs, and find every fault; rules that are not known (None) are none."""
    many = isinstance(bots, Sequence) and not isinstance(bots, str)
    given: Any = split_bots(bots) if isinstance(bots, str) else bots if many else [bots]
    names: list[str] = []
    faults: list[str] = []
    for bot in given:
        name, wrong = read_bots([bot], None)
        names += name
        faults += wrong
    if len(given) < 2:
        faults.append(f"bots = {show(bots)}, must be two or more")
    twice = [name for name, count in Counter(names).items() if count > 1 and name]
    faults += [
        f"bots: {show(str(name))} is given twice (two objects of one class in Python count as one bot)"
        for name in twice
    ]
    faults += challenge(rules, "greedy", "random", hands, seed, draws)[1]
    if faults or rules is None:
        return None, faults
    found = [challenge(rules, a, b, hands, seed, draws) for a, b in combinations(names, 2)]
    if wrong := [fault for _, wrong in found for fault in wrong]:
        return None, list(dict.fromkeys(wrong))
    ready = [each for each, _ in found if each is not None]
    return Entrants(tuple(each.task for each in ready), tuple(names), ready[0].asked), []


def league_of(tasks: Sequence[Task], bots: Sequence[str]) -> League:
    """What is counted of a tournament."""
    texts = tuple(map(str, bots))
    pairs = tuple(
        Pairing(tuple(map(str, task.bots)), a, b)
        for task, (a, b) in zip(tasks, combinations(texts, 2), strict=True)
    )
    return League(texts, pairs, pairs[0].most(tasks[0].rules))


def _p(value: float) -> str:
    if math.isnan(value):
        return "-"
    return f"{'< 0.0001' if value < 1e-4 else f'{value:.4f}'}{'*' if value < ALPHA else ''}"
