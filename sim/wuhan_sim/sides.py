"""The same figures on several sides of the same walls: what comparisons of rules and of bots are made from.

A side is a task, or the hands of a task under other points. Side 0 is the one that the others are compared
to. The difference of two ratios over walls has its error from both at once (linearised, as `intervals` has it
for one): what the shared walls give to both sides alike drops out.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from .estimates import Estimate, estimate
from .intervals import NONE_SEEN, quantile, unvaried
from .quantities import SHARE, Quantity
from .sequences import NORMAL_MIXTURE, Looks
from .stats import Array, Names, Pair, Totals, wall_columns

PAIRED = "Student's t over walls, difference of two linearised ratios on the same walls"
PAIRED_LOOKED = f"{NORMAL_MIXTURE}, difference of two on the same walls"


@dataclass(frozen=True)
class Sides:
    """The gauge of comparisons.

    Attributes
    ----------
    bots : tuple of tuple of str
        The bots of each side.
    rows : tuple of tuple of Quantity
        The figures of each side, the same ones in the same order.
    """

    bots: tuple[tuple[str, ...], ...]
    rows: tuple[tuple[Quantity, ...], ...]
    moments: ClassVar[tuple[Names, ...]] = ()

    @cached_property
    def ratios(self) -> tuple[Pair, ...]:
        pairs: list[Pair] = [("hands", "hands")]
        pairs += [(_at(i, row.over), _at(i, row.under)) for i, rows in enumerate(self.rows) for row in rows]
        for i, rows in enumerate(self.rows[1:], 1):
            for base, row in zip(self.rows[0], rows, strict=True):
                pairs += [
                    (_at(i, a), _at(0, b)) for a in (row.over, row.under) for b in (base.over, base.under)
                ]
        return tuple(dict.fromkeys(pairs))

    def columns(self, blocks: Sequence[Array]) -> dict[str, Array]:
        found: dict[str, Array] = {"hands": np.full(len(blocks[0]), blocks[0].shape[1], np.int64)}
        for i, (block, bots, rows) in enumerate(zip(blocks, self.bots, self.rows, strict=True)):
            columns = wall_columns(block, bots)
            wanted = {name for row in rows for name in (row.over, row.under, row.n)}
            found |= {_at(i, name): columns[name] for name in wanted}
        return found

    def peaks(self, blocks: Sequence[Array]) -> dict[str, int]:
        return {}

    def figure(self, totals: Totals, side: int, row: int, looks: Looks | None = None) -> Estimate:
        """The estimate of one figure on one side; looks: as for `estimates.estimate`."""
        return estimate(self.rows[side][row], side_of(totals, side), looks)

    def difference(self, totals: Totals, side: int, row: int, looks: Looks | None = None) -> Estimate:
        """A figure on a side less the same on side 0, from the walls that both share.

        Where no wall differs the interval is that of `intervals.unvaried`. looks: as for `figure`.
        """
        ours, base = self.rows[side][row], self.rows[0][row]
        totals = totals.settled
        y, x, v, u = (
            _at(side, ours.over),
            _at(side, ours.under),
            _at(0, base.over),
            _at(0, base.under),
        )
        n, unit = totals.sums[_at(side, ours.n)], ours.unit
        method = PAIRED if looks is None else PAIRED_LOOKED
        if not (totals.sums[x] and totals.sums[u]):
            return Estimate(math.nan, math.nan, math.nan, n, unit, method)
        ratios = Fraction(totals.sums[y], totals.sums[x]), Fraction(totals.sums[v], totals.sums[u])
        value = float(ratios[0] - ratios[1])
        walls = max(totals.walls[x], totals.walls[u])
        if walls < 2:
            return Estimate(value, math.nan, math.nan, n, unit, method)
        spread = _spread(totals.products, (y, x), (v, u), ratios, totals.sums[x], totals.sums[u])
        if not spread:
            (low, high), (least, most) = _ends(ours), _ends(base)
            return Estimate(*unvaried(value, walls, low - most, high - least), n, unit, NONE_SEEN)
        reach = quantile(walls - 1) if looks is None else looks.quantile(totals.walls["hands"], walls - 1)
        half = reach * math.sqrt(spread * walls / (walls - 1)) if math.isfinite(reach) else math.nan
        return Estimate(value, value - half, value + half, n, unit, method)


def _ends(row: Quantity) -> tuple[float, float]:
    """Between them lies the figure."""
    return (0.0, 1.0) if row.unit == SHARE else (row.low, row.high)


def _spread(
    products: Mapping[Any, int], ours: Pair, base: Pair, ratios: tuple[Fraction, Fraction], x: int, u: int
) -> float:
    """Sum over walls of ((y - R x) / X - (v - Q u) / U)**2, exact up to the last step."""
    (a, b), (r, q) = (ours, base), ratios

    def of(one: str, other: str) -> int:
        return products[one, other] if (one, other) in products else products[other, one]

    squares = (of(a[0], a[0]) - 2 * r * of(a[0], a[1]) + r * r * of(a[1], a[1])) / x**2
    squares += (of(b[0], b[0]) - 2 * q * of(b[0], b[1]) + q * q * of(b[1], b[1])) / u**2
    mixed = of(a[0], b[0]) - q * of(a[0], b[1]) - r * of(a[1], b[0]) + r * q * of(a[1], b[1])
    return float(squares - 2 * mixed / (x * u))


def side_of(totals: Totals, side: int) -> Totals:
    """The totals of one side alone, its columns under their own names."""
    totals, prefix = totals.settled, _at(side, "")

    def ours(names: Sequence[str]) -> bool:
        return all(name.startswith(prefix) for name in names)

    cut = len(prefix)
    sums = {name[cut:]: value for name, value in totals.sums.items() if ours((name,))}
    return Totals(
        sums | {"hands": totals.sums["hands"]},
        {
            tuple(name[cut:] for name in names): value
            for names, value in totals.products.items()
            if ours(names)
        },
        {name[cut:]: value for name, value in totals.walls.items() if ours((name,))}
        | {"hands": totals.walls["hands"]},
        {},
    )


def _at(side: int, name: str) -> str:
    return f"{side}: {name}"
