"""Duels: two bots on the same walls, in every order over the seats."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from wuhan_core.errors import FaultError, either, show
from wuhan_core.rules import RuleError, RuleSet, load_rules
from wuhan_core.words import Lang

from .contest import Contest, Pairing
from .duel_show import duel_grids, duel_head
from .estimates import Estimate, estimate
from .frames import finite, frame, records
from .metrics import Metric
from .quantities import Quantity
from .reduction import Reduction, reduction
from .runner import gather, worker_faults
from .show import html_under, so_far, under
from .stats import Totals
from .task import Task, TaskError, check
from .until import Goal, Plan, Until, UntilError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .runner import Scheduler

COLUMNS = ("by", "name", "value", "low", "high", "n", "unit", "method")
RATE_COLUMNS = ("name", "of", "value", "low", "high", "n", "unit", "method")
SEATS = {4: ("2-2", "1-3", "3-1"), 2: ("1-1",)}  # of a and of b, by the seats of the table
METRICS = ("points", "difference", "skill_edge")  # all name the difference


class DuelError(FaultError):
    """A duel that cannot be; `faults` has every fault."""


@dataclass(frozen=True)
class DuelPlan(Plan):
    """The looks of a duel that may stop early."""

    contest: Contest

    @cached_property
    def _wanted(self) -> list[tuple[Goal, Metric]]:
        return [(goal, Metric("points", self.contest.rows[0])) for goal in self.until.goals]


@dataclass(frozen=True)
class Duel:
    """Two bots compared.

    Attributes
    ----------
    task : Task
        What was played; its bots in the order of their texts, whichever is `a`.
    a, b : str
        The bots; every difference is a less b.
    asked : int
        Hands asked for; `task.hands` are whole walls.
    totals : Totals
    plan : DuelPlan, optional
        The looks at which the duel could have stopped; all intervals are those of a confidence sequence then.
    """

    task: Task
    a: str
    b: str
    asked: int
    totals: Totals
    plan: DuelPlan | None = None

    @property
    def contest(self) -> Contest:
        """What was counted."""
        return contest_of(self.task, self.a, self.b)

    @property
    def hands(self) -> int:
        """Hands played."""
        return self.totals.settled.sums["hands"]

    @property
    def walls(self) -> int:
        """Walls played: so many independent draws."""
        return self.totals.settled.walls["hands"]

    @cached_property
    def difference(self) -> Estimate:
        """Points per hand that a seat with `a` gets, less those that one with `b` gets; `n` is hands."""
        return self._estimate(self.contest.rows[0])

    @property
    def split(self) -> pd.DataFrame:
        """Where the difference comes from.

        Returns
        -------
        DataFrame
            ``by``: source, kongs or dealer, three ways to split the difference, each of which adds up to it;
            ``name``: the part (`wuhan_sim.contest` says what each is); ``value``, ``low``, ``high``: points
            per hand with the 95 % interval; ``n``: hands; ``unit``, ``method``.
        """
        rows = [row for row in self.contest.rows if row.section in ("source", "kongs", "dealer")]
        return frame([(row.section, row.name, *self._estimate(row)) for row in rows], COLUMNS)

    @property
    def rates(self) -> pd.DataFrame:
        """How often it happens, of the hands of a seat.

        Returns
        -------
        DataFrame
            ``name``: wins, self_draws, big_wins, deal_ins, liable, and exhausted (of all hands); ``of``: a
            bot, "difference" (paired over walls) or "hands"; the rest as for `split`.
        """
        rows = [row for row in self.contest.rows if row.section == "rates"]
        return frame([(row.name, row.of, *self._estimate(row)) for row in rows], RATE_COLUMNS)

    @cached_property
    def variance(self) -> Reduction:
        """How many times less the variance is than that of independent hands; see `Reduction`."""
        return reduction(self.totals.settled, self.task.hands_per_wall)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as values of the types that JSON has; NaN becomes None."""
        return {
            "a": str(self.a),
            "b": str(self.b),
            "seats": list(self.contest.sides.seats),
            "task": self.task.to_dict(),
            "id": self.task.id,
            "hands": self.hands,
            "asked": self.asked,
            "walls": self.walls,
            "until": self.plan and self.plan.to_dict(self.totals),
            "difference": finite(self.difference._asdict()),
            "variance": {name: finite(value._asdict()) for name, value in self.variance._asdict().items()},
            "split": records(self.split),
            "rates": records(self.rates),
        }

    def plot(self, ax: Axes | None = None, lang: Lang = "en") -> Axes:
        """Draw the parts of the difference with their intervals; needs the extra [plots]."""
        from .plots import forest

        return forest(self, ax, lang)

    def __str__(self) -> str:
        return under(duel_head(self), duel_grids(self))

    def _repr_html_(self) -> str:
        return html_under(duel_head(self), duel_grids(self))

    def _estimate(self, row: Quantity) -> Estimate:
        return estimate(row, self.totals, self.plan.spread if self.plan else None)


def duel(
    rules: RuleSet | str | Path,
    a: object,
    b: object,
    hands: int,
    seed: int = 0,
    draws: str = "seat",
    workers: int | None = None,
    scheduler: Scheduler = None,
    progress: bool | None = None,
    until: Until | str | None = None,
    seats: str | None = None,
) -> Duel:
    """Compare two bots on the same walls.

    Each wall is played once with every order of the bots over the seats (``deal="balanced"``), so that
    neither the tiles nor the seats favour one of them; hands of one wall count as one draw. ``duel(b, a)``
    is ``duel(a, b)`` with all signs turned.

    Parameters
    ----------
    rules : RuleSet or str
        As for `Task`.
    a, b : str or object
        Two bots, as `Task` takes them.
    hands : int
        Hands to play, rounded up to whole walls (of 6 hands with two seats each at a table of four); with
        `until` the most.
    seed, draws
        As for `Task`. With ``draws="seat"`` a claim does not change what other seats draw, so that hands of
        one wall stay alike.
    workers, scheduler, progress
        As for `simulate`.
    until : Until or str, optional
        Stop earlier, once the half-width of the difference is below a number of points: ``"points<0.5"``.
    seats : {"2-2", "1-3", "3-1", "1-1"}, optional
        Seats of a and of b. At a table of four two each when not given; "1-3" is one a among three b. At a
        table of two, one each.

    Returns
    -------
    Duel

    Raises
    ------
    DuelError
        Naming every fault.
    BotFailure, Interrupted
        As for `simulate`.

    Examples
    --------
    >>> found = duel("yuanhang", "greedy", "random", hands=600, seed=1)
    >>> found.walls, round(found.difference.value), found.difference.low > 0
    (100, 238, True)
    """
    ready, faults = challenge(rules, a, b, hands, seed, draws, seats)
    goals, wrong = read_until(until)
    faults += wrong + worker_faults(workers, scheduler)
    if faults or ready is None:
        raise DuelError(faults)
    return ready.play(workers, scheduler, progress, goals)


@dataclass(frozen=True)
class Challenge:
    """A duel that can be played."""

    task: Task
    a: str
    b: str
    asked: int

    def play(
        self,
        workers: int | None = None,
        scheduler: Scheduler = None,
        progress: bool | None = None,
        until: Until | None = None,
    ) -> Duel:
        """Play it."""
        contest = contest_of(self.task, self.a, self.b)
        plan = None if until is None else DuelPlan(until, self.task, contest)
        said = partial(_so_far, contest)
        totals = gather(
            [self.task],
            contest,
            workers,
            scheduler=scheduler,
            progress=progress,
            until=plan,
            estimate=said,
        )
        task = self.task.with_hands(self.task.first, totals.settled.sums["hands"])
        return Duel(task, self.a, self.b, self.asked, totals, plan)


def challenge(
    rules: RuleSet | str | Path | None,
    a: object,
    b: object,
    hands: object,
    seed: object = 0,
    draws: object = "seat",
    seats: object = None,
) -> tuple[Challenge | None, list[str]]:
    """Check what a duel needs, and find every fault; rules that are not known (None) are none."""
    faults: list[str] = []
    known: RuleSet | None = None
    try:
        known = rules if isinstance(rules, RuleSet) or rules is None else load_rules(rules)
    except RuleError as error:
        faults += error.faults
    players = known.get("deal.players") if known else 4
    allowed = SEATS[players if isinstance(players, int) else 4]
    if seats is not None and seats not in allowed and (known or seats not in sum(SEATS.values(), ())):
        faults.append(f"seats = {show(seats)}, must be {either(allowed)}: those of a and those of b")
    shares = str(seats if seats in allowed else allowed[0])
    many_a, many_b = map(int, shares.split("-"))
    values, wrong = check(known, [a] * many_a + [b] * many_b, hands, seed, "balanced", draws, 0)
    faults += wrong
    names: Any = values["bots"]
    if not wrong and names[0] == names[-1]:
        faults.append(
            f"b = {show(str(names[0]))}, must be another bot than a: against itself a bot has no difference "
            "(two objects of one class in Python count as one bot)"
        )
    if faults or known is None:
        return None, faults
    bots = sorted(names, key=str)
    asked: Any = values["hands"]
    try:
        task = Task(known, bots, asked, values["seed"], "balanced", str(draws))  # type: ignore[arg-type]
        size = task.hands_per_wall
        task = replace(task, hands=-(-asked // size) * size)
    except TaskError as error:
        return None, error.faults
    return Challenge(task, names[0], names[-1], asked), []


def _so_far(contest: Contest, totals: Totals) -> str:
    """The difference, to be shown with the progress."""
    return f"difference {so_far(estimate(contest.rows[0], totals))} points"


def contest_of(task: Task, a: str, b: str) -> Contest:
    """What is counted of a duel."""
    return Contest(Pairing(tuple(map(str, task.bots)), str(a), str(b)), task.rules)


def read_until(until: Until | str | None) -> tuple[Until | None, list[str]]:
    """Read what a duel shall wait for, and find every fault."""
    if until is None:
        return None, []
    try:
        goals = Until.parse(until)
    except UntilError as error:
        return None, error.faults
    faults = []
    for goal in goals.goals:
        if goal.metric not in METRICS:
            faults.append(
                f"until: unknown metric {show(goal.metric)}, a duel has points (also called "
                f"{' and '.join(METRICS[1:])}), the difference in points per hand"
            )
        elif goal.percent:
            faults.append(
                f"until: {goal}, but per cent are for shares, and {goal.metric} are points per hand"
            )
    if len(goals.goals) > 1 and not faults:
        faults.append(f"until = {show(str(goals))}, must name the difference once")
    return goals, faults
