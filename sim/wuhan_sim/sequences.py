"""Confidence sequences: 95 % intervals that hold at all looks together.

A fixed-sample interval is made for one look at data whose amount was settled before. Who looks again and
again, and stops when the interval pleases, is wrong far more often than in 5 of 100 runs. The intervals of a
confidence sequence hold the true value at every number of walls at once in 95 of 100 runs, so that stopping
may depend on them in any way (Robbins, 1970, Annals of Mathematical Statistics 41, 1397-1409; Howard, Ramdas,
McAuliffe and Sekhon, 2021, Annals of Statistics 49, 1055-1080). Both kinds here invert a mixture of
likelihood ratios M: a martingale that starts at 1, so that it ever reaches 20 in at most 5 of 100 runs
(Ville's inequality). As walls are independent and alike, they may be counted in any order that is not chosen
by what they hold.

Means and ratios
    The normal mixture of the asymptotic confidence sequences of Waudby-Smith, Arbour, Sinha, Kennedy and
    Ramdas (2024, Annals of Statistics 52, 2613-2640): after t walls the half-width is s sqrt(2 (t r + 1) /
    (t**2 r) log(sqrt(t r + 1) / 0.05)) with the standard deviation s, and r = rho**2. For few walls it is
    taken in the form with an estimated variance, which is exact for normal wall sums (Lai, 1976, Annals of
    Statistics 4, 265-280; Wang and Ramdas, arXiv 2310.03722, theorem 4.9) and tends to the one above. All
    else is asymptotic: it holds where sums are as good as normal from the first look on. So that one waits
    for `until.FIRST_WALLS` walls, and `intervals.span` widens the sides for skewness, and up to what may not
    have been seen yet where the value has an end. On known pay-offs, with skewness of a wall up to 21, at
    most 3 of 100 runs were wrong (tests/test_coverage.py). With a tail of which there is always more to come
    and no end to the value (points owed before caps, skewness above 50) 7 of 100 were, and 37 of those that
    looked with the interval of the fixed sample. A value without an end that hangs on something rarer than
    once in 300 walls stays out of reach.
Shares
    The beta-binomial mixture of Howard and others (2021, proposition 7), centred on each value that is tried:
    exact for independent things, with counts of zero too. It is put on the effective sample size over walls,
    as `intervals.proportion` does for the fixed sample; the design effect is estimated, and asymptotic in
    that.

`Looks.rho2` spreads the width over the looks that are declared: it makes the largest ratio to the
fixed-sample interval, at the first or at the last look, as small as can be (1.7 times where the last
look has 100 times as many walls as the first; at best 1.55, in the middle).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

from scipy.optimize import brentq
from scipy.special import betaln, lambertw

from . import intervals
from .intervals import TAIL, UNKNOWN, Interval, Sums, effective, span

ALPHA = 2 * TAIL  # of so many runs a sequence may be wrong, at any look

BETA_BINOMIAL = (
    "beta-binomial confidence sequence on the effective sample size over walls, valid at every look"
)
NORMAL_MIXTURE = "normal-mixture confidence sequence over walls, linearised ratio, valid at every look"
NORMAL_MIXTURE_SKEW = f"{NORMAL_MIXTURE}, widened for skewness (Hall)"

# where the half-width of the normal mixture is least: at this t * rho**2 (from W, the function of Lambert)
_BEST = -float(lambertw(-(ALPHA**2) / math.e, -1).real) - 1


@dataclass(frozen=True)
class Looks:
    """Between how many walls looks are taken, as declared before the run.

    Attributes
    ----------
    first, last : int
        Walls at the first and at the last look; 1 <= first <= last.
    """

    first: int
    last: int

    @cached_property
    def rho2(self) -> float:
        """The mixture's variance per wall, in units of a wall's own; see the module."""
        if self.first == self.last:
            return _BEST / self.last
        span = self.last / self.first
        least = brentq(lambda u: _squared(u) - _squared(span * u), _BEST / span, _BEST)
        return float(least) / self.first

    def quantile(self, walls: int, freedom: float = math.inf) -> float:
        """How many standard errors the half-width is after `walls` walls; infinite for too few.

        Parameters
        ----------
        walls : int
        freedom : float
            Degrees of freedom of the estimated error.
        """
        u = walls * self.rho2
        if math.isinf(freedom):
            return math.sqrt(_squared(u))
        power = (math.log1p(u) - 2 * math.log(ALPHA)) / (freedom + 1)
        if freedom < 1 or power >= math.log1p(u):
            return math.inf
        return math.sqrt(freedom * math.expm1(power) / (1 - math.exp(power) / (1 + u)))


def _squared(u: float) -> float:
    """The square of the half-width of the normal mixture, in standard errors, at u = t * rho**2."""
    return (1 + 1 / u) * (math.log1p(u) - 2 * math.log(ALPHA))


def ratio(sums: Sums, walls: int, looks: Looks, low: float = -math.inf, high: float = math.inf) -> Interval:
    """A mean, or any ratio of totals, at one of many looks.

    Parameters
    ----------
    sums : Sums
    walls : int
        All walls so far: those too in which there is nothing of x, as looks are counted in walls.
    looks : Looks
    low, high : float
        Between them lies the true value, and to them the interval is cut.

    Returns
    -------
    Interval
        Without low and high (NaN) where there are too few walls.
    """
    if not sums.x:
        return UNKNOWN
    reach = looks.quantile(walls, sums.walls - 1)
    return span(sums, reach, low, high, unseen=True)


def proportion(sums: Sums, walls: int, looks: Looks) -> Interval:
    """A share y of x things counted, at one of many looks; arguments as for `ratio`.

    Never narrower than for the fixed sample, as the mixture alone would be where hardly any were counted: it
    leaves out as much on one side as Clopper and Pearson on both.
    """
    y, x = sums.y, sums.x
    if not x:
        return UNKNOWN
    p, size = y / x, effective(sums)
    if 0 < y < x and sums.walls > 1:
        size *= (looks.quantile(walls) / looks.quantile(walls, sums.walls - 1)) ** 2
    if not size:
        return Interval(p, 0.0, 1.0)
    before = size / (walls * looks.rho2)  # the mixture is worth so many things counted beforehand
    fixed = intervals.proportion(sums)
    low, high = _bound(p, size, before), 1 - _bound(1 - p, size, before)
    return Interval(p, min(low, fixed.low), max(high, fixed.high))


def _bound(p: float, size: float, before: float) -> float:
    """The least share for which the mixture does not reach 1 / ALPHA, p of `size` being counted."""
    hits, misses = p * size, (1 - p) * size
    if hits <= 1:  # of a single hit the mixture makes no evidence against any smaller share
        return 0.0

    def excess(tried: float) -> float:
        """log M for this share, less its limit."""
        a, b = before * tried, before * (1 - tried)
        rest = misses * math.log1p(-tried) if misses else 0.0
        mixed = float(betaln(a + hits, b + misses) - betaln(a, b))
        return mixed - hits * math.log(tried) - rest + math.log(ALPHA)

    inside = min(p, 1 - 2**-53)  # the share counted is never left out
    outside = inside / 2
    while excess(outside) < 0:
        inside, outside = outside, outside / 2
        if outside < 1e-300:
            return 0.0
    return float(brentq(excess, outside, inside, xtol=1e-300, rtol=1e-12))
