"""One estimate: which interval a quantity gets from the totals of a run."""

from __future__ import annotations

from typing import NamedTuple

from . import intervals, sequences
from .intervals import CLOPPER_PEARSON, CUT, FIXED, STUDENT, STUDENT_SKEW, UNKNOWN, Interval, Sums
from .quantities import SHARE, Quantity
from .sequences import BETA_BINOMIAL, NORMAL_MIXTURE, NORMAL_MIXTURE_SKEW, Looks
from .stats import Totals


class Estimate(NamedTuple):
    """A value with its 95 % interval (NaN where the data say nothing), things counted, unit and method."""

    value: float
    low: float
    high: float
    n: int
    unit: str
    method: str

    @property
    def half(self) -> float:
        """The half-width: the value's distance to the farther end of its interval; NaN without one."""
        return max(self.value - self.low, self.high - self.value)

    @property
    def sign(self) -> int:
        """1 or -1 where the interval lies above or below zero; 0 where it holds zero, or says nothing."""
        return (self.low > 0) - (self.high < 0)


def estimate(row: Quantity, totals: Totals, looks: Looks | None = None) -> Estimate:
    """Estimate a quantity.

    Parameters
    ----------
    row : Quantity
    totals : Totals
        Walls that are still open count as walls.
    looks : Looks, optional
        Of a run that may have been stopped because of what was seen: the interval is one of a confidence
        sequence.
    """
    totals, y, x = totals.settled, row.over, row.under
    n = totals.sums[row.n]
    if row.fixed and not totals.sums[y]:  # what was counted all the same is not hidden
        known = Interval(0, 0, 0) if totals.sums[x] else UNKNOWN
        return Estimate(*known, n, row.unit, FIXED)
    sums, walls = sums_of(row, totals), totals.walls["hands"]
    if row.unit == SHARE:
        if looks is None:
            return Estimate(*intervals.proportion(sums), n, row.unit, CLOPPER_PEARSON)
        return Estimate(*sequences.proportion(sums, walls, looks), n, row.unit, BETA_BINOMIAL)
    ends = row.low, row.high
    if looks is None:
        found, (plain, skew) = intervals.ratio(sums, *ends), (STUDENT, STUDENT_SKEW)
    else:
        found = sequences.ratio(sums, walls, looks, *ends)
        plain, skew = NORMAL_MIXTURE, NORMAL_MIXTURE_SKEW
    method = plain if sums.cubes is None else skew
    return Estimate(*found, n, row.unit, method + (CUT if row.bounded else ""))


def sums_of(row: Quantity, totals: Totals) -> Sums:
    """The sums over settled walls from which a quantity and its error come."""
    y, x, products = row.over, row.under, totals.products
    cubes = None
    if (y, y, x) in products:  # kept for means alone
        cubes = products[y, y, y], products[y, y, x], products[y, x, x], products[x, x, x]
    return Sums(
        totals.sums[y],
        totals.sums[x],
        products[y, y],
        products[y, x],
        products[x, x],
        totals.walls[x],
        cubes,
    )
