"""What `_encoding` writes, written again in plain Python from an `Observation` and a list of actions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from wuhan_core import Action, Observation

PHASES = ("turn", "claim", "rob", "last")
MELDS = ("chow", "pung", "direct_kong", "added_kong", "concealed_kong")


def one_hot(n: int, *places: int) -> list[int]:
    """n zeros, ones at the places that are none below 0."""
    return [int(place in places) for place in range(n)]


def tally(tiles: Sequence[int]) -> list[int]:
    return [tiles.count(kind) for kind in range(34)]


def plain_row(seen: Observation) -> NDArray[np.uint8]:
    """An observation as one row."""
    order = [(seen.seat + i) % seen.players for i in range(seen.players)]
    blank = 4 - seen.players
    relative = {seat: place for place, seat in enumerate(order)} | {-1: -1}
    parts: list[list[int]] = [[], [], [], [], [], []]
    melded, melds, rivers, singles, concealed, discarded = parts
    for seat in order:
        tiles: list[int] = []
        slots: list[int] = []
        for sort, tile, feeder in seen.melds[seat]:
            tiles += [tile, tile + 1, tile + 2] if sort == "chow" else [tile] * (3 if sort == "pung" else 4)
            slots += [MELDS.index(sort) + 1, tile + 1, relative[feeder] + 1]
        melded += tally(tiles)
        melds += slots + [0] * (12 - len(slots))
        river = seen.rivers[seat]
        discarded += tally(river)
        rivers += [kind + 1 for kind in river] + [0] * (60 - len(river))
        singles += seen.single_kongs[seat]
        concealed.append(seen.concealed[seat])
    row = [
        *seen.counts,
        *seen.seen,
        *melded,
        *[0] * (34 * blank),
        *discarded,
        *[0] * (34 * blank),
        *one_hot(34, seen.indicator),
        *one_hot(34, seen.laizi),
        *one_hot(34, *seen.skins),
        *one_hot(34, seen.drawn),
        *one_hot(34, seen.open_tile),
        *[int(seen.phase == phase) for phase in PHASES],
        *one_hot(4, relative[seen.dealer]),
        *one_hot(4, relative[seen.open_seat]),
        seen.players,
        seen.left,
        seen.turns,
        *concealed,
        *[0] * blank,
        *singles,
        *[0] * (3 * blank),
        *melds,
        *[0] * (12 * blank),
        *rivers,
        *[0] * (60 * blank),
    ]
    return np.array(row, np.uint8)


CHOWS = [suit * 9 + rank for suit in range(3) for rank in range(7)]
BLOCKS = [
    *(("pass", -1), ("win", -1), ("pung", None), ("kong", None)),
    *(("chow", kind) for kind in CHOWS),
    *(("discard", kind) for kind in range(34)),
    *(("own", kind) for kind in range(34)),
    *(("single_kong", kind) for kind in range(34)),
]


def plain_number(action: Action) -> int:
    """The number of an action, by search."""
    verb = "own" if action.verb in ("added_kong", "concealed_kong") else action.verb
    (found,) = [i for i, (name, kind) in enumerate(BLOCKS) if name == verb and kind in (None, action.kind)]
    return found
