"""The answer of a run: exact totals, and tables of estimates with intervals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import pandas as pd

from wuhan_core.errors import FaultError

from . import show
from .estimates import estimate
from .frames import frame, section, sections
from .quantities import quantities
from .sequences import Looks
from .stats import Totals
from .task import Task
from .until import Plan

Range = tuple[int, int]

COLUMNS = ("section", "of", "name", "value", "low", "high", "n", "unit", "method")
_PEAKS = (("owed", "largest_share_owed"), ("points", "largest_gain"))


class MergeError(FaultError):
    """Results that cannot be added."""


@dataclass(frozen=True)
class Result:
    """Totals of hands of one task; `+` and `sum` add results of other hands of the same task.

    However the hands of a task are cut into ranges, inside walls too, their results add to the same result.

    What was stopped, or might have been, because of what was seen keeps its `looked`, and so does a sum with
    it: all intervals are then those of a confidence sequence. Such a sequence holds for whatever number of
    walls, so long as which hands come next was not chosen by what they hold; so further hands may be added,
    stopped by looking or not.

    Attributes
    ----------
    task : Task
    totals : Totals
    ranges : tuple of (int, int)
        Hands counted, as half-open ranges in rising order. With a gap between them `task` has the first hand
        and how many there are.
    looked : Plan, optional
        The looks at which the run could have stopped. Of a sum, those of its first hands that have any.

    Examples
    --------
    >>> from wuhan_sim import simulate
    >>> a = simulate(Task("yuanhang", "greedy", hands=1_000, seed=1))
    >>> b = simulate(Task("yuanhang", "greedy", hands=1_000, seed=1, first=1_000))
    >>> both = a + b
    >>> both.hands, both.walls
    (2000, 500)
    >>> both.frequencies()[["name", "value", "low", "high"]].head(2).round(3)
            name  value    low   high
    0  exhausted  0.000  0.000  0.007
    1  self_draw  0.274  0.235  0.316
    """

    task: Task
    totals: Totals
    ranges: tuple[Range, ...]
    _records: Callable[[], pd.DataFrame] | None = field(default=None, repr=False, compare=False)
    looked: Plan | None = None

    @property
    def hands(self) -> int:
        """Hands counted."""
        return sum(last - first for first, last in self.ranges)

    @property
    def walls(self) -> int:
        """Walls counted, those too of which some hands are not; hands dealt the same wall are one draw."""
        return self.totals.settled.walls["hands"]

    @property
    def looks(self) -> Looks | None:
        """The looks, in walls, that its intervals allow for; None where the hands were settled before."""
        return self.looked.spread if self.looked else None

    @property
    def records(self) -> pd.DataFrame:
        """One row per hand, the columns of `wuhan_core.records` with one column per seat (``points_0``...).

        Raises
        ------
        ValueError
            When the run did not keep records.
        """
        if self._records is None:
            raise ValueError("the records were not kept; run simulate(..., keep_records=True)")
        return self._records()

    def frequencies(self) -> pd.DataFrame:
        """How hands end, and how they are won.

        Returns
        -------
        DataFrame
            Columns of `table` without `section`. `of` is "hands" (shares of all hands, exhausted ones
            included) or "wins". Types overlap: a hand may hold several. Turns are draws, replacements and the
            last round included.
        """
        return self._section("frequencies")

    def caps(self) -> pd.DataFrame:
        """What the caps cut away, of all wins and by type.

        Returns
        -------
        DataFrame
            Columns of `table` without `section`. A win is capped when a share was above its cap, or golden.
            `points_cut` is what was owed before caps less what was to be paid after, per win; golden wins may
            add. `swing` is what changes hands, in points per hand. Owed and paid are sums of three shares,
            before liability moves them.
        """
        return self._section("caps")

    def strategies(self) -> pd.DataFrame:
        """What each bot did, per hand that it sat in; seats with the same bot are counted together.

        Returns
        -------
        DataFrame
            Columns of `table` without `section`; `of` is the bot. `deal_ins` are discards that another won
            on, `liable` hands in which it paid all shares, `losses` hands that cost it points. Sizes are in
            points, losses negative. `opens` are open melds as the rules count them.
        """
        return self._section("strategies")

    def table(self) -> pd.DataFrame:
        """Every estimate.

        Returns
        -------
        DataFrame
            ``section``: frequencies, caps, strategies, seats (by place in turn order from the dealer);
            ``of``: of what; ``name``; ``value``, ``low``, ``high``: estimate and 95 % interval, NaN where
            nothing was counted; ``n``: things counted; ``unit``: "share" is 0 to 1; ``method``: how the
            interval was made. What the rules rule out is 0 without error, and so are the points of a bot
            that sits on every seat.
        """
        rows = [
            (row.section, row.of, row.name, *estimate(row, self.totals, self.looks))
            for row in quantities(self.task.rules, self.task.bots)
        ]
        peaks = [
            ("caps", "hands", name, self.totals.peaks[key], None, None, self.hands, "points", "largest seen")
            for key, name in _PEAKS
        ]
        return frame([*rows, *peaks], COLUMNS)

    def to_dict(self) -> dict[str, Any]:
        """Return the task and all tables as values of the types that JSON has; NaN becomes None."""
        return {
            "task": self.task.to_dict(),
            "id": self.task.id,
            "hands": self.hands,
            "ranges": [list(hands) for hands in self.ranges],
            "walls": self.walls,
            "until": self.looked and self.looked.to_dict(self.totals),
            **sections(self.table()),
        }

    def _section(self, name: str) -> pd.DataFrame:
        return section(self.table(), name)

    def __add__(self, other: Result) -> Result:
        """Add hands of the same task that are not counted yet.

        Raises
        ------
        MergeError
            For results of different tasks, and for hands that both have counted.
        """
        if not isinstance(other, Result):
            return NotImplemented
        if self.task.id != other.task.id:
            raise MergeError([different(self.task, other.task)])
        ranges = sorted(self.ranges + other.ranges)
        if clash := [max(a[0], b[0]) for a, b in pairwise(ranges) if b[0] < a[1]]:
            raise MergeError(
                [f"both results have counted hand {clash[0]}: added up, its hands would count twice"]
            )
        joined: list[Range] = []
        for first, last in ranges:
            if joined and joined[-1][1] == first:
                first = joined.pop()[0]
            joined.append((first, last))
        task = self.task.with_hands(joined[0][0], sum(last - first for first, last in joined))
        kept = [records for records in (self._records, other._records) if records is not None]
        records = (lambda: _in_order([load() for load in kept])) if len(kept) == 2 else None
        plans = [result.looked for result in (self, other) if result.looked is not None]
        looked = min(plans, key=lambda plan: plan.task.first, default=None)
        return Result(task, self.totals + other.totals, tuple(joined), records, looked)

    def __radd__(self, other: object) -> Result:
        """Let ``sum(results)`` begin with its 0."""
        return self if other == 0 else NotImplemented

    def __hash__(self) -> int:
        return hash((self.task, self.ranges))

    def __str__(self) -> str:
        return show.text(self)

    def _repr_html_(self) -> str:
        return show.html(self)


def _in_order(frames: list[pd.DataFrame]) -> pd.DataFrame:
    return pd.concat(frames).sort_values("hand", ignore_index=True)


def different(a: Task, b: Task) -> str:
    """Say in what two tasks that are not the same differ."""
    fields = ("bots", "seed", "deal", "draws")
    parts = [f"{name} {x} and {y}" for name in fields if (x := getattr(a, name)) != (y := getattr(b, name))]
    parts += [f"{name} {x} and {y}" for name, (x, y) in a.rules.diff(b.rules).items()]
    return (
        f"results of tasks {a.id[:12]} and {b.id[:12]} cannot be added: they differ in {'; '.join(parts)}. "
        "Only hands of one and the same game are a sample of it; compare them instead"
    )
