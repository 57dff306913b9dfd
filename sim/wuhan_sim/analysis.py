"""`analyze`: the tables behind a run, answers to what wins are made of and when hands end."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import pandas as pd

from . import intervals, sequences, show
from .breakdown import Breakdown
from .estimates import Estimate, estimate
from .frames import frame, section, sections
from .intervals import Interval, Sums
from .quantities import most_paid
from .result import COLUMNS
from .runner import RunError, gather
from .sequences import Looks
from .spread import LOOKED_QUANTILE, QUANTILE
from .stats import Totals
from .task import Task, task_faults

if TYPE_CHECKING:
    from .runner import Scheduler

QUANTILES = (1, 5, 25, 50, 75, 90, 95, 99)  # per cent, and one in a thousand
SECTIONS = {
    "types": "by win type; types overlap, a hand may hold several",
    "combinations": "by all types of a win together",
    "source": "by where the last tile came from",
    "hard": "hard and soft wins",
    "laizi": "by laizi among the winner's 13 tiles at the deal",
    "opens": "by the winner's open melds",
    "kongs": "by the winner's kongs of all sorts",
    "length": "hands that end, won or exhausted, by times round the table (draws / players)",
    "tail": "wins in which the losers owe so many points or more before caps",
    "points": "what the losers of a win owe before caps and pay after, in points",
    "dealt": "by laizi dealt to a seat",
    "rounds": "first ready, won, dealt in: by times round the table",
    "dealing": "when the bot deals",
    "dealer": "whether the dealer keeps the deal, and how many hands one dealer deals in a row",
}


@dataclass(frozen=True)
class Analysis:
    """Every table of a task's hands.

    Attributes
    ----------
    task : Task
    gauge : Breakdown
    totals : Totals
    looks : Looks, optional
        Of hands of a run that may have been stopped because of what was seen: all intervals are then those of
        a confidence sequence.
    """

    task: Task
    gauge: Breakdown
    totals: Totals
    looks: Looks | None = None

    def table(self) -> pd.DataFrame:
        """Every estimate.

        Returns
        -------
        DataFrame
            ``section`` (`SECTIONS` says what each is about), ``of``, ``name``, ``value``, ``low``, ``high``
            (95 %, NaN where nothing was counted), ``n`` (things counted), ``unit``, ``method``. In the
            sections about wins: ``wins`` (share of all wins), ``points`` (share of all points paid), of the
            wins the shares ``hard``, ``self_draws``, ``capped`` and ``golden``, and per win ``points_paid``,
            ``points_cut``, ``turns``.
        """
        rows = [
            (row.section, row.of, row.name, *estimate(row, self.totals, self.looks))
            for row in self.gauge.rows
        ]
        rows += [("points", of, name, *found) for of, name, found in self._quantiles()]
        order = {section: i for i, section in enumerate(SECTIONS)}
        table = frame(rows, COLUMNS)
        table = table.sort_values("section", key=lambda names: names.map(order), kind="stable")
        return table.reset_index(drop=True)

    def section(self, name: str) -> pd.DataFrame:
        """One section of `table`, without the column ``section``."""
        return section(self.table(), name)

    def wide(self, name: str) -> pd.DataFrame:
        """The values of a section, a row for each ``of`` and a column for each ``name``."""
        part = self.section(name)
        return part.pivot(index="of", columns="name", values="value").reindex(
            index=part["of"].unique(), columns=part["name"].unique()
        )

    def _quantiles(self) -> list[tuple[str, str, Estimate]]:
        most, found = most_paid(self.task.rules), []
        method = QUANTILE
        how: Callable[[Sums], Interval] = intervals.proportion
        if self.looks is not None:
            walls = self.totals.settled.walls["hands"]
            method, how = LOOKED_QUANTILE, partial(sequences.proportion, walls=walls, looks=self.looks)
        for of, high in (("owed", math.inf), ("capped", most)):
            spread = self.totals.spreads.get(of)
            for share in (*(Fraction(q, 100) for q in QUANTILES), Fraction(999, 1000)):
                if spread is None or not spread.n:
                    continue
                value = spread.quantile(share, 0, high, how)
                name = f"q{float(100 * share):g}"
                found.append((of, name, Estimate(*value, spread.n, "points", method)))
        return found

    def to_dict(self) -> dict[str, Any]:
        """The task and all tables as values of the types that JSON has; NaN becomes None."""
        return {
            "task": self.task.to_dict(),
            "id": self.task.id,
            **sections(self.table()),
        }

    def __str__(self) -> str:
        return show.text_of(self._title(), self._grids(), explanation=show.explained(self.looks))

    def _repr_html_(self) -> str:
        return show.html_of(self._title(), self._grids(), explanation=show.explained(self.looks))

    def _title(self) -> str:
        walls = self.totals.settled.walls.get("hands", 0)
        return show.title_of(self.task, ((self.task.first, self.task.last),), walls)

    def _grids(self) -> Sequence[show.Grid]:
        table = self.table()
        empty = (table["section"] == "combinations") & (table["name"] == "wins") & (table["value"] == 0)
        never = set(table["of"][empty])
        seen = table[~((table["section"] == "combinations") & table["of"].isin(never))]
        return [
            show.grid_of(section, seen[seen["section"] == section].to_dict("records"), "of", "name")
            for section in SECTIONS
            if (seen["section"] == section).any() and section != "rounds"
        ]


def analyze(
    task: Task,
    workers: int | None = None,
    *,
    scheduler: Scheduler = None,
    progress: bool | None = None,
) -> Analysis:
    """Play a task and lay out everything that its wins are made of.

    Parameters
    ----------
    task : Task
    workers, scheduler, progress
        As for `simulate`.

    Returns
    -------
    Analysis

    Raises
    ------
    RunError, SchedulerError, OrderError, BotFailure, ShardError, Interrupted
        As for `simulate`.

    Examples
    --------
    >>> from wuhan_sim import Task
    >>> found = analyze(Task("yuanhang", "greedy", hands=1_000, seed=1))
    >>> float(found.wide("hard")["wins"].sum())
    1.0
    """
    if faults := task_faults(task):
        raise RunError(faults)
    gauge = Breakdown(task.rules, tuple(map(str, task.bots)))
    return Analysis(task, gauge, gather([task], gauge, workers, scheduler=scheduler, progress=progress))
