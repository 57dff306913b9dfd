"""What a holding or a choice is worth: the same hands played with it and without it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from wuhan_core.actions import BotError
from wuhan_core.errors import FaultError, integer, show
from wuhan_core.records import OUTCOMES

from . import engine
from .estimates import Estimate, estimate
from .features import AS_DEALT, OTHERS, Contrast, Feature, FeatureError, parse_feature
from .frames import finite, frame, sections
from .guests import seated
from .quantities import SHARE, Quantity, impossible
from .result import COLUMNS
from .runner import gather_order, worker_faults
from .shards import NEVER, Flag, Order, Shard, pieces
from .show import Grid, cell, html_of, text_of, title_of
from .stats import Array, Names, Pair, Totals, cubes
from .task import BotFailure, Task, task_faults

if TYPE_CHECKING:
    from .runner import Scheduler

DIFFERENCE = "share difference"
_SMALL = 2**40  # points below this can be added over the hands of a wall in int64


class ValueFault(FaultError):
    """A question that cannot be asked of a task; `faults` has every fault."""


class ForcedFailure(BotFailure):
    """A bot in Python failed in a hand, as it is or with something forced.

    Attributes
    ----------
    feature : str
    focal : int
        What was forced, and on which bot.
    task, seat, hand, bot, error, command
        As of `BotFailure`; `command` plays the hand again in all ways.
    """

    def __init__(self, task: Task, error: BotError, feature: str, focal: int) -> None:
        super().__init__(task, error)
        self.feature, self.focal = feature, focal

    @property
    def command(self) -> str:
        how = f"first={self.hand}, hands=1)"
        call = f"wuhan_sim.value_of(dataclasses.replace(task, {how}, {self.feature!r}, bot={self.focal})"
        words = ("--bot", str(self.focal), "--first", str(self.hand), "--hands", "1", self.feature)
        return self.task.command(call, "value", *words)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (*super().__reduce__()[1], self.feature, self.focal)


@dataclass(frozen=True)
class Forced(Order):
    """Hands of one task, each as it is and once for each branch of a feature."""

    feature: Feature = field(kw_only=True)
    focal: int = field(kw_only=True)

    def play(self, numbers: range, stop: Flag = NEVER) -> Shard:
        """Play and count the hands of one shard; see `Order.play`."""
        task, feature = self.tasks[0], self.feature
        played = []
        try:
            for first, count in pieces(task, numbers, stop):
                records, moments = engine.play_forced(
                    *(task.rules, seated(task.bots), task.seed, first, count, task.deal, task.draws),
                    *(feature.kind, feature.number, feature.branches, self.focal),
                )
                played.append((*records, moments))
        except BotError as error:
            raise ForcedFailure(task, error, feature.text, self.focal) from error.error
        return self.count([np.concatenate(part) for part in zip(*played, strict=True)], numbers.start)


@dataclass(frozen=True)
class Branches:
    """The gauge: what the focal bot made of each branch, and the differences hand by hand.

    Attributes
    ----------
    feature : Feature
    focal : int
        Index of the bot.
    rows : tuple of Quantity
        The estimates.
    """

    feature: Feature
    focal: int
    rows: tuple[Quantity, ...]

    @property
    def ratios(self) -> Sequence[Pair]:
        return (("hands", "hands"), *((row.over, row.under) for row in self.rows))

    @property
    def moments(self) -> Sequence[Names]:
        return tuple(cubes((row.over, row.under) for row in self.rows if row.unit != SHARE))

    def columns(self, blocks: Sequence[Array]) -> dict[str, Array]:
        *records, moments = blocks
        there = moments["turn"] >= 0
        counts = [self._counts(block) for block in records]
        columns = {
            "hands": np.full(len(there), there.shape[1], np.int64),
            "moments": there.sum(axis=1, dtype=np.int64),
            "turns": (moments["turn"] * there).sum(axis=1, dtype=np.int64),
        }
        for branch, label in zip(self.feature.branches, self.feature.labels, strict=True):
            columns[f"own {label}"] = (there & (moments["own"] == branch)).sum(axis=1, dtype=np.int64)
        for name in ("points", "wins", "deal_ins"):
            values = [each[name] for each in counts]
            for label, value in zip((*self.feature.labels, "as it is"), values, strict=True):
                columns[f"{name} of {label}"] = (value * there).sum(axis=1)
            for contrast in self.feature.contrasts:
                where = there if contrast.own is None else there & (moments["own"] == contrast.own)
                columns[f"{name} of {contrast.name}"] = (_difference(values, contrast) * where).sum(axis=1)
            if self.feature.is_choice:
                own = np.where(moments["own"] == 1, 1, -1) * there
                columns[f"{name} of own - other"] = (own * (values[1] - values[0])).sum(axis=1)
        if not self.feature.is_choice:
            columns["others"] = columns["hands"] * (len(self.feature.branches) - 1)
        return columns

    def peaks(self, blocks: Sequence[Array]) -> dict[str, int]:
        return {}

    def _counts(self, block: Array) -> dict[str, Array]:
        """Points, wins and deal-ins of the focal bot, (walls, hands)."""
        place = (block["bot"] == self.focal).argmax(axis=-1)
        points = np.take_along_axis(block["points"], place[..., None], axis=-1)[..., 0]
        large = bool(len(points)) and max(-int(points.min()), int(points.max())) >= _SMALL
        return {
            "points": points.astype(object) if large else points,
            "wins": (block["winner"] == place).astype(np.int64),
            "deal_ins": ((block["loser"] == place) & (block["outcome"] == OUTCOMES.index("discard"))).astype(
                np.int64
            ),
        }


def _difference(values: Sequence[Array], contrast: Contrast) -> Array:
    """What a branch has more than another; against the mean of others, as many times that as there are."""
    if contrast.against == OTHERS:
        others = [value for i, value in enumerate(values[:-1]) if i != contrast.branch]
        return len(others) * values[contrast.branch] - sum(others)
    difference: Array = values[contrast.branch] - values[contrast.against]  # AS_DEALT is the last one
    return difference


assert AS_DEALT == -1


def _rows(feature: Feature, fed: bool) -> tuple[Quantity, ...]:
    """Every estimate; fed: a discard may be won on."""
    metrics = ("points", "wins", "deal_ins") if fed else ("points", "wins")
    per = "points per moment" if feature.is_choice else "points per hand"
    rows: list[Quantity] = []

    def add(
        section: str, of: str, name: str, over: str, under: str, unit: str = SHARE, **bounds: float
    ) -> None:
        rows.append(Quantity(section, of, name, over, under, unit, **bounds))  # type: ignore[arg-type]

    if feature.is_choice:
        add("frequencies", "hands", "moments", "moments", "hands")
        add("frequencies", "moments", "turns", "turns", "moments", "draws made before", low=0)
    if feature.kind != "dealer":
        of, does = ("moments", "bot") if feature.is_choice else ("hands", "dealt")
        for label in feature.labels:
            add("frequencies", of, f"{does}: {label}", f"own {label}", "moments")

    compared = [
        (each.name, "others" if each.against == OTHERS else _moments(feature, each.own))
        for each in feature.contrasts
    ]
    compared += [("own - other", "moments")] if feature.is_choice else []
    for of, under in compared:
        add("differences", of, "points", f"points of {of}", under, per)
        for name in metrics[1:]:
            add("differences", of, name, f"{name} of {of}", under, DIFFERENCE, low=-1, high=1)
    if feature.is_choice:
        main = feature.contrasts[0].name
        add("differences", main, "points_per_hand", f"points of {main}", "hands", "points per hand")

    for label in (*feature.labels, "as it is"):
        add("branches", label, "points", f"points of {label}", "moments", per)
        for name in metrics[1:]:
            add("branches", label, name, f"{name} of {label}", "moments")
    return tuple(rows)


def _moments(feature: Feature, own: int | None) -> str:
    """The column that counts the moments of a contrast."""
    return "moments" if own is None else f"own {feature.labels[own]}"


@dataclass(frozen=True)
class Value:
    """What a holding or a choice is worth to one bot.

    Attributes
    ----------
    task : Task
    feature : Feature
    focal : int
        Index of the bot.
    totals : Totals
    rows : tuple of Quantity
    """

    task: Task
    feature: Feature
    focal: int
    totals: Totals
    rows: tuple[Quantity, ...]

    @property
    def difference(self) -> Estimate:
        """Points that the feature is worth, per hand or per moment: the first contrast, with its interval."""
        name = self.feature.contrasts[0].name
        return estimate(next(row for row in self.rows if (row.of, row.name) == (name, "points")), self.totals)

    @cached_property
    def _table(self) -> pd.DataFrame:
        rows = [(row.section, row.of, row.name, *estimate(row, self.totals)) for row in self.rows]
        return frame(rows, COLUMNS)

    def table(self) -> pd.DataFrame:
        """Every estimate, for the focal bot.

        Returns
        -------
        DataFrame
            ``section``: "frequencies" (how often it comes up, or is dealt), "differences" (a branch less
            another, of the same hands; ``own - other``: what the bot itself does less the other way),
            "branches" (each by itself; ``as it is``: nothing forced); ``of``: of what; ``name``: ``points``,
            ``wins``, ``deal_ins``...; ``value``, ``low``, ``high``: estimate and 95 % interval; ``n``: hands,
            or moments; ``unit``; ``method``.
        """
        return self._table.copy()

    def to_dict(self) -> dict[str, Any]:
        """Return task, feature and all tables as values of the types that JSON has; NaN becomes None."""
        return {
            "task": self.task.to_dict(),
            "id": self.task.id,
            "feature": self.feature.text,
            "bot": self.focal,
            "hands": self.totals.settled.sums["hands"],
            "walls": self.totals.settled.walls["hands"],
            "difference": finite(self.difference._asdict()),
            **sections(self._table),
        }

    def _heading(self) -> str:
        per = "moment at which it comes up" if self.feature.is_choice else "hand"
        what = f"{self.feature.text} for {self.task.bots[self.focal]}, per {per}"
        played = title_of(self.task, [(self.task.first, self.task.last)], self.totals.settled.walls["hands"])
        return f"{what}: {played}"

    def _grids(self) -> list[Grid]:
        rows = self._table.to_dict("records")
        grids = []
        for section in dict.fromkeys(row["section"] for row in rows):
            mine = [row for row in rows if row["section"] == section]
            if section == "frequencies":
                cells: list[tuple[str, ...]] = [(f"{row['name']} of {row['of']}", cell(row)) for row in mine]
                grids.append(Grid(("how often", ""), cells))
                continue
            names = list(dict.fromkeys(row["name"] for row in mine))
            found = {(row["of"], row["name"]): cell(row) for row in mine}
            words = tuple(name.replace("deal_ins", "deal-ins").replace("_", " ") for name in names)
            body = [
                (of, *(found.get((of, name), "") for name in names))
                for of in dict.fromkeys(row["of"] for row in mine)
            ]
            grids.append(Grid((section, *words), body))
        return grids

    def __str__(self) -> str:
        return text_of(self._heading(), self._grids())

    def _repr_html_(self) -> str:
        return html_of(self._heading(), self._grids())


def value_of(
    task: Task,
    feature: str,
    workers: int | None = None,
    *,
    bot: int | str = 0,
    scheduler: Scheduler = None,
    progress: bool | None = None,
) -> Value:
    """Tell what a holding or a choice is worth to a bot, in points.

    Each hand of the task is played as it is, and again for each branch of the feature with the same wall, the
    same seats and the same random numbers of the bots; the differences are taken hand by hand (common random
    numbers: Law, Simulation Modeling and Analysis, fifth edition, 2015, section 11.2), and their errors over
    walls.

    Choices are forced on the bot at the first moment of a hand at which they come up; after that it plays on
    as itself. So a difference is what the choice is worth *for this bot against these opponents*:

    - ``kong_laizi``: konging a laizi against keeping it for now (what it would do if it might not).
    - ``open=n``: claiming the n-th open meld against passing, where it may claim a chow or pung and would do
      that or pass. Where it would pass, the claim is the one after which the fewest tiles are missing.
    - ``open_before=t``: opening before draw t of the hand against from then on. For the whole hand, first
      claims on the wrong side are passed; the moment is when the bot first wants to open.

    Holdings are compared by exchanging tiles of the wall:

    - ``laizi=k``, ``red=k``: so many laizi or red dragons among the 13 tiles dealt, against none and against
      hands as they are dealt; without a number a table of all. Tiles too few or too many change places with
      others of the wall, drawn uniformly, and the indicator stays. In a shuffled wall all orders are equally
      likely; which positions hold the laizi is independent of the order of the other tiles, so that drawing
      those positions anew, uniformly among those with k in the hand, gives every wall with k laizi in it the
      same probability. Hence the mean of branch k is the conditional mean of points given k laizi dealt. (For
      red dragons that holds given the indicator, which may be one of them; indicators are averaged as dealt.)
    - ``dealer``: dealing against the other places. The bots keep their 13 tiles and, with ``draws="seat"``,
      their draws; only who deals changes.

    Parameters
    ----------
    task : Task
        Dealt "rotated" or "fresh". With "rotated" the bot sits at every seat once for each wall.
    feature : str
        See above.
    workers, scheduler, progress
        As for `simulate`; they change nothing in the result.
    bot : int or str
        Whose value: index into the task's bots, or its text (the first one of that text).

    Returns
    -------
    Value

    Raises
    ------
    ValueFault
        Naming every fault.
    BotFailure, Interrupted
        As for `simulate`.

    Examples
    --------
    >>> from wuhan_sim import Task
    >>> found = value_of(Task("yuanhang", "greedy", hands=400, seed=1), "laizi=2")
    >>> found.difference.unit, found.difference.low > 0
    ('points per hand', True)
    """
    if wrong := task_faults(task):
        raise ValueFault(wrong)
    found, focal, faults = check_value(task, feature, bot)
    faults += worker_faults(workers, scheduler)
    if faults or found is None:
        raise ValueFault(faults)
    rows = _rows(found, "discard" not in impossible(task.rules))
    order = Forced((task,), Branches(found, focal, rows), feature=found, focal=focal)
    totals = gather_order(order, workers, scheduler=scheduler, progress=progress)
    return Value(task, found, focal, totals, rows)


def check_value(task: Task, feature: object, bot: object = 0) -> tuple[Feature | None, int, list[str]]:
    """Read a feature and a bot of a task; return every fault beside them."""
    faults: list[str] = []
    found = None
    try:
        found = parse_feature(feature, task.rules)
    except FeatureError as error:
        faults += error.faults
    focal = 0
    if isinstance(bot, str) and bot in task.bots:
        focal = task.bots.index(bot)
    else:
        number = integer(bot)
        focal = -1 if number is None else number
        if focal not in range(len(task.bots)):
            names = ", ".join(dict.fromkeys(task.bots))
            faults.append(f"bot = {show(bot)}, must be 0 to {len(task.bots) - 1} or one of {names}")
    if task.deal not in ("rotated", "fresh"):
        faults.append(f"deal = {show(task.deal)}, must be rotated or fresh")
    return found, focal, faults
