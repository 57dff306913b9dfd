"""What is counted when every bot of several plays every other one on the same walls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from .contest import POINTS, Pairing
from .quantities import Quantity
from .stats import Array, Names, Pair, cubes


@dataclass(frozen=True)
class League:
    """The gauge of a tournament: the difference of each pair, and the sum of each bot's differences.

    Attributes
    ----------
    bots : tuple of str
    pairs : tuple of Pairing
        Of each task; all in which i < j of `bots`, in that order.
    most : float
        The most that a difference can be, points per hand.
    """

    bots: tuple[str, ...]
    pairs: tuple[Pairing, ...]
    most: float

    @property
    def pair_rows(self) -> tuple[Quantity, ...]:
        """The difference of each pair."""
        names = (f"{sides.a} less {sides.b}" for sides in self.pairs)
        return tuple(self._row(name, f"pair {i}", "weight") for i, name in enumerate(names))

    @property
    def bot_rows(self) -> tuple[Quantity, ...]:
        """The mean of each bot's differences from all others."""
        return tuple(self._row(bot, f"bot {i}", "weight of all") for i, bot in enumerate(self.bots))

    def _row(self, of: str, over: str, under: str) -> Quantity:
        columns = over, under, POINTS, "hands"
        return Quantity("tournament", of, "points", *columns, low=-self.most, high=self.most)

    @property
    def ratios(self) -> tuple[Pair, ...]:
        return (*((row.over, row.under) for row in (*self.pair_rows, *self.bot_rows)), ("hands", "hands"))

    @property
    def moments(self) -> tuple[Names, ...]:
        return tuple(cubes(self.ratios[:-1]))

    def columns(self, blocks: Sequence[Array]) -> dict[str, Array]:
        walls, hands = blocks[0].shape
        weight = np.full(walls, hands * self.pairs[0].scale, np.int64)
        columns: dict[str, Array] = {
            "hands": np.full(walls, hands, np.int64),
            "weight": weight,
            "weight of all": weight * (len(self.bots) - 1),
        }
        columns |= {f"bot {i}": np.zeros(walls, np.int64) for i in range(len(self.bots))}
        order = combinations(range(len(self.bots)), 2)
        for pair, (sides, block, (i, j)) in enumerate(zip(self.pairs, blocks, order, strict=True)):
            apart = sides.apart(block).sum(axis=0)
            columns[f"pair {pair}"] = apart
            columns[f"bot {i}"] = columns[f"bot {i}"] + apart
            columns[f"bot {j}"] = columns[f"bot {j}"] - apart
        return columns

    def peaks(self, blocks: Sequence[Array]) -> dict[str, int]:
        return {}
