"""How many independent hands a duel is worth.

What a duel is measured against: hands that have a wall each, with the bots in any of the orders over the
seats by chance. The difference of one such hand has the variance of a hand drawn at random from the duel's
own, which the duel's hands therefore tell without bias; over N of them the mean has 1/N of it. How many times
that is the variance over walls of the duel's N hands is the reduction.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import NamedTuple

from scipy.special import stdtrit

from .estimates import Estimate
from .intervals import TAIL, UNKNOWN, Interval
from .stats import Totals

METHOD = "ratio of two variances, linearised over walls, Student's t"


class Reduction(NamedTuple):
    """What equal walls and all orders over the seats save.

    Attributes
    ----------
    reduction : Estimate
        Variance of the difference over as many independent hands, relative to that of the duel.
    independent_hands : Estimate
        Hands with a wall each that would give an interval as narrow.
    hands_saved : Estimate
        Those less the hands played.
    """

    reduction: Estimate
    independent_hands: Estimate
    hands_saved: Estimate


def reduction(totals: Totals, hands_per_wall: int) -> Reduction:
    """Make it from whole walls.

    With the difference d of a hand, its sum y over the m hands of a wall and the mean D, the reduction is in
    essence sum (d - D)**2 / sum (y - m D)**2, a ratio of totals over walls: its error follows by
    linearisation (Cochran, Sampling Techniques, third edition, 1977, section 6.4). To vary D in it changes
    neither sum to first order.

    Parameters
    ----------
    totals : Totals
        Of a `Contest`; no wall open.
    hands_per_wall : int
        m.
    """
    walls, hands = totals.walls["hands"], totals.sums["hands"]
    times = _times(totals, walls, hands_per_wall)
    needed = Interval(*(hands * bound for bound in times))
    saved = Interval(*(bound - hands for bound in needed))
    return Reduction(
        Estimate(*times, walls, "times", METHOD),
        Estimate(*needed, walls, "hands", METHOD),
        Estimate(*saved, walls, "hands", METHOD),
    )


def _times(totals: Totals, walls: int, m: int) -> Interval:
    if walls < 2:
        return UNKNOWN

    def of(*names: str) -> int:  # sum over walls of a product of columns
        return totals.products[names] if len(names) > 1 else totals.sums[names[0]]

    y, v = "difference", "squares"
    d = Fraction(of(y), walls * m)
    hand = of(v) - walls * m * d**2  # sum over walls of p = v - 2 d y + m d**2
    wall = of(y, y) - walls * (m * d) ** 2  # sum over walls of q = (y - m d)**2
    if not wall:
        return UNKNOWN
    plain = hand / wall
    # p - plain q = v + a y + b y**2 + c in each wall
    a, b, c = 2 * d * (m * plain - 1), -plain, m * d**2 * (1 - m * plain)
    squares = (
        of(v, v)
        + a**2 * of(y, y)
        + b**2 * of(y, y, y, y)
        + c**2 * walls
        + 2 * (a * of(y, v) + b * of(y, y, v) + c * of(v))
        + 2 * (a * b * of(y, y, y) + a * c * of(y) + b * c * of(y, y))
    )
    value = float(plain * Fraction(walls - 1, walls) + Fraction(1, walls * m))
    error = math.sqrt(squares * walls / (walls - 1)) / float(wall)
    half = float(stdtrit(walls - 1, 1 - TAIL)) * error
    return Interval(value, max(0.0, value - half), value + half)
