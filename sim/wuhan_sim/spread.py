"""Distributions from exact counts that add, and their quantiles with 95 % intervals.

Values are counted in whole blocks, as those of one block are no independent draws. Beside the count of each
value two more weights are kept, from which follow, for any x, the sums over blocks of c(x)**2 and c(x) m,
where c(x) of a block's m values are at most x: when the j-th smallest value is passed, c**2 grows by 2 j - 1.
So the share of values that are at most x has an interval as any share has, and a quantile has those x whose
share cannot be told from the wanted one (Woodruff, 1952, Journal of the American Statistical Association 47;
Korn and Graubard, 1998, Survey Methodology 24).
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .intervals import UNKNOWN, Interval, Sums, proportion

MOST_VALUES = 2**13  # different values that are told apart; with more of them neighbours are counted as one
QUANTILE = "Clopper-Pearson on the effective sample size over blocks, inverted (Woodruff)"
LOOKED_QUANTILE = "beta-binomial mixture sequence on the effective sample size over blocks, inverted"

_LAST = np.iinfo(np.int64).max


@dataclass(frozen=True, eq=False)
class Spread:
    """How often each value was seen; `+` adds the values of other blocks.

    Attributes
    ----------
    width : int
        A power of 2: values b * width to b * width + width - 1 are counted as one. It is the smallest with
        which at most `MOST_VALUES` remain, so that it does not depend on the order of adding.
    bins : ndarray, int64 (values,)
        The b that were seen, rising.
    weights : ndarray, int64 (values, 3)
        How many values; their parts of the sums over blocks of c**2 and of c m.
    n, squares : int
        Sums over blocks of m and m**2.
    blocks : int
        Blocks with a value.
    """

    width: int
    bins: NDArray[np.int64]
    weights: NDArray[np.int64]
    n: int
    squares: int
    blocks: int

    @classmethod
    def of(cls, values: NDArray[np.int64], counted: NDArray[np.bool_]) -> Spread:
        """Count values.

        Parameters
        ----------
        values : ndarray, int64 (blocks, values)
            Below 2**63 - 1.
        counted : ndarray, bool (blocks, values)
            Those that count.
        """
        held = counted.sum(axis=1, dtype=np.int64)
        rows = np.sort(np.where(counted, values, _LAST), axis=1)
        rank = np.arange(rows.shape[1], dtype=np.int64)
        there = rank < held[:, None]
        weights = np.stack(
            [
                np.ones(rows.shape, np.int64),
                np.broadcast_to(2 * rank + 1, rows.shape),
                np.broadcast_to(held[:, None], rows.shape),
            ],
            axis=-1,
        )[there]
        bins, weights = _joined(rows[there], weights)
        squares = int((held * held).sum())
        return cls(1, bins, weights, int(held.sum()), squares, int(np.count_nonzero(held)))._fitted()

    def __add__(self, other: Spread) -> Spread:
        width = max(self.width, other.width)
        bins, weights = _joined(
            np.concatenate([part.bins // (width // part.width) for part in (self, other)]),
            np.concatenate([self.weights, other.weights]),
        )
        return Spread(
            width,
            bins,
            weights,
            self.n + other.n,
            self.squares + other.squares,
            self.blocks + other.blocks,
        )._fitted()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Spread) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[Any, ...]:
        return (
            self.width,
            self.bins.tobytes(),
            self.weights.tobytes(),
            self.n,
            self.squares,
            self.blocks,
        )

    def _fitted(self) -> Spread:
        width, bins, weights = self.width, self.bins, self.weights
        while len(bins) > MOST_VALUES:
            width *= 2
            bins, weights = _joined(bins // 2, weights)
        return Spread(width, bins, weights, self.n, self.squares, self.blocks)

    def share(self, i: int, interval: Callable[[Sums], Interval] = proportion) -> Interval:
        """The share of values that are at most those of bin number `i`; -1: below all that were seen."""
        y, yy, xy = (int(x) for x in self._reached[i]) if i >= 0 else (0, 0, 0)
        return interval(Sums(y, self.n, yy, xy, self.squares, self.blocks))

    def share_at_most(self, value: int) -> Interval:
        """The share of values that are at most `value`; to the resolution of `width`."""
        return self.share(int(np.searchsorted(self.bins, value // self.width, "right")) - 1)

    def quantile(
        self,
        share: Fraction,
        low: float = -math.inf,
        high: float = math.inf,
        interval: Callable[[Sums], Interval] = proportion,
    ) -> Interval:
        """The smallest value that at least this share of all values does not exceed, with its interval.

        The interval holds all whose share cannot be told from `share` at 95 %. Where the data do not bound
        it, it ends at `low` and `high`, between which all values lie; NaN where these are infinite.
        `interval` is that of a share: of a fixed sample, or of a sequence.
        """
        if not self.n:
            return UNKNOWN
        counts, wanted = self._reached[:, 0], float(share)
        value = int(np.searchsorted(counts, math.ceil(share * self.n)))
        shares = range(-1, len(self.bins))
        first = bisect_left(shares, wanted, key=lambda i: self.share(i, interval).high)
        last = bisect_left(shares, wanted, key=lambda i: self.share(i, interval).low)
        # shares[0] lies below all values: where it will do, nothing seen bounds the quantile
        under = float(self.bins[first - 1]) * self.width if first else low
        over = float(self.bins[last - 1] + 1) * self.width - 1 if last <= len(self.bins) else high
        middle = float(self.bins[value]) * self.width + (self.width - 1) / 2
        under, over = min(under, middle), max(over, middle)
        return Interval(middle, *(end if math.isfinite(end) else math.nan for end in (under, over)))

    @cached_property
    def _reached(self) -> NDArray[np.int64]:
        """Sums over blocks of c, c**2 and c m, for each bin."""
        sums: NDArray[np.int64] = np.cumsum(self.weights, axis=0)
        return sums


def _joined(
    bins: NDArray[np.int64], weights: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Add up the weights of equal bins."""
    if not len(bins):
        return bins, weights
    order = np.argsort(bins, kind="stable")
    rising = bins[order]
    firsts = np.flatnonzero(np.concatenate([[True], rising[1:] != rising[:-1]]))
    sums: NDArray[np.int64] = np.add.reduceat(weights[order], firsts, axis=0)
    return rising[firsts], sums
