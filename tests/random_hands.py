"""Random hands as arrays, for tests and benches."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Hands(NamedTuple):
    """Many hands: natural counts (n, 34), wildcards (n,), melds (n,), the wildcard kind (n,)."""

    counts: NDArray[np.uint8]
    wildcards: NDArray[np.uint8]
    melds: NDArray[np.uint8]
    laizi: NDArray[np.integer]


def deal(rng: np.random.Generator, n: int, tiles: int, kinds: int = 34) -> NDArray[np.uint8]:
    """`tiles` tiles of the first `kinds` kinds, dealt fairly: counts (n, 34)."""
    counts = np.zeros((n, 34), np.uint8)
    if tiles:
        counts[:, :kinds] = rng.multivariate_hypergeometric([4] * kinds, tiles, size=n, method="count")
    return counts


def wild_hands(rng: np.random.Generator, n: int, tiles: int) -> Hands:
    """Hands of `tiles` tiles dealt fairly, no melds; a wildcard kind each, of which they may hold some."""
    counts = deal(rng, n, tiles)
    rows, laizi = np.arange(n), rng.integers(0, 34, n, dtype=np.uint8)
    wildcards = counts[rows, laizi].copy()
    counts[rows, laizi] = 0
    return Hands(counts, wildcards, np.zeros(n, np.uint8), laizi)


def random_hands(rng: np.random.Generator, n: int, tiles: int) -> Hands:
    """Hands of `tiles` tiles, a meld counting 3: 0-4 wildcards and 0-4 melds alike often.

    A third is dealt from one suit or two, so that sets, fifth copies and few missing tiles are frequent.
    """
    wildcards = rng.integers(0, 5, n)
    melds = rng.integers(0, 5, n)
    wildcards = np.minimum(wildcards, tiles - 3 * melds)
    natural = tiles - 3 * melds - wildcards
    near = rng.integers(0, 6, n)
    counts = np.zeros((n, 34), np.uint8)
    for size in np.unique(natural):
        for kinds, chosen in ((9, near == 0), (18, near == 1), (34, near > 1)):
            rows = np.flatnonzero((natural == size) & chosen)
            counts[rows] = deal(rng, len(rows), int(size), kinds)
    # the suits in any order, and a wildcard kind among those of which nothing is held
    blocks = rng.permuted(np.tile(np.arange(3), (n, 1)), axis=1)
    columns = (9 * blocks[:, :, None] + np.arange(9)).reshape(n, 27)
    counts[:, :27] = np.take_along_axis(counts[:, :27], columns, axis=1)
    laizi = np.argmax(np.where(counts == 0, rng.random((n, 34)), -1), axis=1)
    return Hands(counts, wildcards.astype(np.uint8), melds.astype(np.uint8), laizi)
