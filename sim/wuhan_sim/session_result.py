"""The answer of sessions: tables of estimates with intervals, distributions, fans."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import pandas as pd

from wuhan_core.errors import whole

from . import session_show
from .estimates import Estimate, estimate
from .frames import frame, records, sections
from .intervals import CLOPPER_PEARSON, Interval, Sums, deviation, proportion
from .quantities import Quantity
from .result import COLUMNS
from .session_plan import SessionError, SessionPlan
from .session_stats import bots_of, session_quantities, snapshots
from .spread import QUANTILE, Spread
from .stats import Totals

SHARES = CLOPPER_PEARSON.replace("walls", "blocks")
DEVIATION = "Student's t over blocks, delta method on the logarithm of the variance"
WHOLE_BLOCKS = "Clopper-Pearson, a block counted as one draw"
PERCENTS = (1, 5, 25, 50, 75, 95, 99)
_BARS = 50  # of a histogram, at most

Row = tuple[str | int | float, ...]


@dataclass(frozen=True)
class Sessions:
    """What sessions brought.

    Attributes
    ----------
    plan : SessionPlan
    totals : Totals
        Exact sums and distributions (`session_stats`), from which all tables are made.
    """

    plan: SessionPlan
    totals: Totals
    _records: Callable[[], pd.DataFrame] | None = field(default=None, repr=False, compare=False)

    @property
    def count(self) -> int:
        """Sessions counted."""
        return self.totals.sums["sessions"]

    @property
    def blocks(self) -> int:
        """Blocks counted; sessions of a block are dealt the same walls and are one draw."""
        return self.totals.walls["sessions"]

    @property
    def hands(self) -> int:
        """Hands played."""
        return self.totals.sums["hands"]

    @property
    def records(self) -> pd.DataFrame:
        """One row per session: `wuhan_core.session_records` with one column per seat (``end_0``...).

        Raises
        ------
        ValueError
            When the records were not kept.
        """
        if self._records is None:
            raise ValueError("the records were not kept; run sessions(..., keep_records=True)")
        return self._records()

    def table(self) -> pd.DataFrame:
        """Every estimate.

        Returns
        -------
        DataFrame
            ``section``:

            - sessions: how they ended ("played": all hands; "ruin": a seat had nothing left; "left": one
              stood up; "fled": one ran away), how many saw a ruin, how many hands they had.
            - bankroll: of each bot's seats at the end, in points: mean, standard deviation (sd), quantiles
              (``q05`` is the 5 % quantile), shares that ended ahead of and behind the start. Without
              bankrolls: what was won less fees.
            - ruin: share of the bot's seats that had nothing left; of those, hands to ruin (mean, ``q50``).
              A session that another's ruin ends comes too early for its own.
            - drawdown: the largest fall of a seat's bankroll, in points.
            - money: points won, fees paid, points lost and not had (unpaid), won and not paid (missed), each
              per session.
            - play: per hand that the bot sat in.

            ``of``: "sessions", "hands" or a bot; ``name``; ``value``, ``low``, ``high``: estimate and 95 %
            interval, NaN where nothing was counted or the data bound nothing; ``n``: things counted;
            ``unit``; ``method``: how the interval was made.
        """
        return frame(self._rows(), COLUMNS)

    def section(self, name: str) -> pd.DataFrame:
        """One section of `table`, without the column ``section``.

        Parameters
        ----------
        name : {"sessions", "bankroll", "ruin", "drawdown", "money", "play"}
        """
        table = self.table()
        return table[table["section"] == name].drop(columns="section").reset_index(drop=True)

    def histogram(self, bars: int = _BARS) -> pd.DataFrame:
        """Bankrolls at the end, by bot.

        Parameters
        ----------
        bars : int
            At most so many, of equal width, for each bot.

        Returns
        -------
        DataFrame
            ``of``: the bot; ``least``, ``most``: points of a bar, both within; ``n``: seats in it; ``share``,
            ``low``, ``high``: of all its seats, with 95 % interval; ``method``.

        Raises
        ------
        SessionError
            For a number of bars that is none.
        """
        faults: list[str] = []
        whole("bars", bars, faults, 1)
        if faults:
            raise SessionError(faults)
        rows = []
        for bot in bots_of(self.plan):
            spread = self.totals.spreads[f"end of {bot}"]
            span = int(spread.bins[-1]) - int(spread.bins[0]) + 1
            width = -(-span // bars)
            bar = (spread.bins - spread.bins[0]) // width
            seats = spread.n // spread.blocks
            for i in range(int(bar[-1]) + 1):
                n = int(spread.weights[bar == i, 0].sum())
                least = (int(spread.bins[0]) + i * width) * spread.width
                share = proportion(Sums(n, spread.n, n * seats, n * seats, spread.squares, spread.blocks))
                rows.append((bot, least, least + width * spread.width - 1, n, *share, WHOLE_BLOCKS))
        columns = ("of", "least", "most", "n", "share", "low", "high", "method")
        return pd.DataFrame.from_records(rows, columns=list(columns))

    def fan(self) -> pd.DataFrame:
        """Quantiles of the bankrolls as the session goes on; after its end, what it ended with.

        Returns
        -------
        DataFrame
            ``of``: the bot; ``hands``: played so far; ``quantile``: 0.01 to 0.99; ``value``, ``low``,
            ``high``: points, with 95 % interval; ``n``: seats; ``method``.
        """
        rows = [
            (
                bot,
                hands,
                percent / 100,
                *spread.quantile(Fraction(percent, 100), *self._bounds),
                spread.n,
                QUANTILE,
            )
            for bot, hands, spread in self._after()
            for percent in PERCENTS
        ]
        columns = ("of", "hands", "quantile", "value", "low", "high", "n", "method")
        return pd.DataFrame.from_records(rows, columns=list(columns))

    def ruin_curve(self) -> pd.DataFrame:
        """The share of seats that have been ruined after so many hands.

        Returns
        -------
        DataFrame
            ``of``: the bot; ``hands``; ``value``, ``low``, ``high``: share with 95 % interval; ``n``: seats;
            ``method``.
        """
        rows = []
        for bot, hands, _ in self._after():
            spread = self.totals.spreads[f"ruin of {bot}"]
            rows.append((bot, hands, *spread.share_at_most(hands), spread.n, SHARES))
        columns = ("of", "hands", "value", "low", "high", "n", "method")
        return pd.DataFrame.from_records(rows, columns=list(columns))

    def to_dict(self) -> dict[str, Any]:
        """Return the plan and all tables as values of the types that JSON has; NaN becomes None."""
        return {
            "plan": self.plan.to_dict(),
            "id": self.plan.id,
            "count": self.count,
            "blocks": self.blocks,
            "hands": self.hands,
            **sections(self.table()),
            "histogram": records(self.histogram()),
            "fan": records(self.fan()),
            "ruin_curve": records(self.ruin_curve()),
        }

    @property
    def _bounds(self) -> tuple[float, float]:
        """Between them every bankroll lies."""
        plan = self.plan
        return (0.0, float(plan.start * plan.players)) if plan.bankroll else (-math.inf, math.inf)

    def _after(self) -> Iterator[tuple[str, int, Spread]]:
        for bot in bots_of(self.plan):
            for hands in snapshots(self.plan):
                yield bot, hands, self.totals.spreads[f"after {hands} of {bot}"]

    def _rows(self) -> Iterator[Row]:
        """The rows of `table`, the quantiles of a distribution behind its mean."""
        for row in session_quantities(self.plan):
            shown = row.section, row.of
            yield *shown, row.name, *self.estimate(row)
            if row.name != "mean":
                continue
            if row.section == "bankroll":
                n = self.totals.sums[row.n]
                yield *shown, "sd", *self._deviation(row.of), n, "points", DEVIATION
                yield from self._quantiles(shown, "end", "points", PERCENTS, self._bounds)
            elif row.section == "ruin":
                yield from self._quantiles(shown, "ruined", "hands to ruin", (50,), (1, self.plan.hands))
            elif row.section == "drawdown":
                yield from self._quantiles(shown, "drawdown", "points", (50, 95, 99), (0.0, self._bounds[1]))

    def _quantiles(
        self,
        shown: tuple[str, str],
        name: str,
        unit: str,
        percents: tuple[int, ...],
        bounds: tuple[float, float],
    ) -> Iterator[Row]:
        spread = self.totals.spreads[f"{name} of {shown[1]}"]
        for percent in percents:
            found = spread.quantile(Fraction(percent, 100), *bounds)
            yield *shown, f"q{percent:02}", *found, spread.n, unit, QUANTILE

    def _deviation(self, bot: str) -> Interval:
        totals = self.totals
        names = f"seats of {bot}", f"end of {bot}", f"end squared of {bot}"
        sums = [totals.sums[name] for name in names]
        products = [
            [totals.products.get((a, b), totals.products.get((b, a), 0)) for b in names] for a in names
        ]
        return deviation(sums, products, totals.walls[names[0]])

    def estimate(self, row: Quantity) -> Estimate:
        """One of `session_quantities`; errors are over blocks."""
        found = estimate(row, self.totals)
        return found._replace(method=found.method.replace("walls", "blocks"))

    def __str__(self) -> str:
        return session_show.text(self)

    def _repr_html_(self) -> str:
        return session_show.html(self)
