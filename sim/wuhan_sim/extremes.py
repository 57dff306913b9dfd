"""Which hands of a task are the most extreme: found while they are counted, whoever plays them.

A gauge keeps the largest of a number from each block of hands. A number made of a hand's value and, below it,
the hand's own number is such a number: the largest one names the hand, the first of those with that value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from wuhan_core.records import TYPE_NAMES

from .breakdown import Breakdown
from .stats import Array, fit
from .task import HAND_BITS

_MOST = 2**HAND_BITS - 1
_DRAWS = 255  # `turns` is a uint8
KINDS = ("gain", "loss", "owed", "golden", "types", "longest", "quickest", "liable")


class Extreme(NamedTuple):
    """A hand and what it is the most of.

    Attributes
    ----------
    kind : str
        One of `KINDS`: the largest gain and the largest loss of a seat; the most owed before caps, of all
        wins and of golden ones; the most win types together; the most and the fewest draws of a won hand; the
        most that a liable seat pays.
    hand : int
        Its number.
    value : int
        In points, types or draws.
    """

    kind: str
    hand: int
    value: int


@dataclass(frozen=True)
class Telling(Breakdown):
    """The gauge of the tables, which names the most extreme hands, too; see `extremes`."""

    def peaks(self, blocks: Sequence[Array]) -> dict[str, int]:
        peaks, block = super().peaks(blocks), blocks[0]
        for kind, values, there in _values(block):
            best = int(np.argmax(np.where(there, values, -1)))
            if there.flat[best]:
                number = int(block["hand"].flat[best])
                peaks[f"hand {kind}"] = int(values.flat[best]) << HAND_BITS | _MOST - number
        return peaks


def extremes(peaks: Mapping[str, int]) -> list[Extreme]:
    """The hands that the peaks of a `Telling` name, in the order of `KINDS`; none of a kind not seen."""
    found = []
    for kind in KINDS:
        if (code := peaks.get(f"hand {kind}")) is not None:
            value = code >> HAND_BITS
            found.append(
                Extreme(kind, _MOST - (code & _MOST), _DRAWS - value if kind == "quickest" else value)
            )
    return found


def _values(block: Array) -> Iterator[tuple[str, Array, Array]]:
    """For each kind the values of the hands, none below 0, and which hands count; all (walls, hands)."""
    points, owed = fit([np.moveaxis(block[name], -1, 0) for name in ("points", "owed")])
    owing = owed.sum(axis=0, dtype=owed.dtype)
    won, turns = block["outcome"] > 0, block["turns"].astype(np.int64)
    types = np.zeros(block.shape, np.int64)
    for i in range(len(TYPE_NAMES)):
        types += (block["types"] >> np.uint32(i)) & np.uint32(1)
    gain, loss = points.max(axis=0), -points.min(axis=0)
    yield "gain", gain, gain > 0
    yield "loss", loss, loss > 0
    yield "owed", owing, won
    yield "golden", owing, block["golden"] > 0
    yield "types", types, types > 0
    yield "longest", turns, won
    yield "quickest", _DRAWS - turns, won
    yield "liable", loss, block["liable"] >= 0
