"""A stand-in for the compiled loop: plausible records, each a pure function of (seed, hand). Not mahjong."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from wuhan_core.records import HAND_DTYPE


def noise(seed: int, numbers: NDArray[np.int64], salt: int) -> NDArray[np.uint64]:
    """splitmix64 of (seed, number, salt)."""
    with np.errstate(over="ignore"):
        x = numbers.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        x += np.uint64((seed * 0xBF58476D1CE4E5B9 + salt * 0x94D049BB133111EB) % 2**64)
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
            x = (x ^ (x >> np.uint64(shift))) * np.uint64(factor)
        return x ^ (x >> np.uint64(31))


def play_hands(
    rules: object,
    bots: Sequence[str],
    seed: int,
    first: int,
    count: int,
    deal: str = "rotated",
    draws: str = "seat",
    alike: Sequence[int] | None = None,
    others: Sequence[object] = (),
    scale: int = 1,
) -> NDArray[np.void]:
    """Records in the form of ``wuhan_core._play.play_hands``; `scale` multiplies all points."""
    n = len(bots)
    hand = np.arange(first, first + count, dtype=np.int64)
    alike = list(range(n)) if alike is None else alike
    orders = list(dict.fromkeys(itertools.permutations(alike)))
    wall = hand // {"rotated": n, "fresh": 1, "balanced": len(orders)}[deal]
    turn = hand % n if deal == "rotated" else (noise(seed, hand, 90) % np.uint64(n)).astype(np.int64)

    def of_hand(salt: int, below: int) -> NDArray[np.int64]:
        return (noise(seed, hand, salt) % np.uint64(below)).astype(np.int64)

    def of_wall(salt: int, below: int) -> NDArray[np.int64]:
        return (noise(seed, wall, salt) % np.uint64(below)).astype(np.int64)

    r = np.zeros(count, HAND_DTYPE)
    r["hand"], r["wall"] = hand, wall
    seats = np.arange(4)
    r["bot"] = np.where(seats < n, (seats + turn[:, None]) % n, 0)
    if deal == "balanced":
        r["bot"][:, :n] = np.array(orders)[hand % len(orders)]
    # half of the outcome belongs to the wall, so that hands which share it hang together
    luck = np.where(of_hand(1, 2) == 0, of_wall(2, 100), of_hand(3, 100))
    outcome = np.select([luck < 40, luck < 60, luck < 98], [0, 1, 2], 3)
    win = outcome > 0
    winner = np.where(win, of_hand(4, n), -1)
    other = (winner + 1 + of_hand(5, n - 1)) % n
    loser = np.where(outcome >= 2, other, -1)
    liable = np.where((outcome == 3) | ((outcome == 2) & (of_hand(6, 20) == 0)), loser, -1)
    types = np.where(of_hand(7, 3) == 0, 1 << of_hand(8, 7), 0)
    types |= np.where((types > 0) & (of_hand(9, 10) == 0), 1 << of_hand(10, 7), 0)
    losing = win[:, None] & (seats != winner[:, None]) & (seats < n)
    owed = np.stack([2 ** of_hand(20 + s, 10) for s in range(4)], axis=1) * losing
    owed *= np.where(types > 0, 10, 1)[:, None]
    golden = win & (liable < 0) & ((owed >= 300) | ~losing).all(axis=1)
    capped = np.minimum(owed, np.where(liable >= 0, 400, 300)[:, None])
    capped = np.where(golden[:, None] & losing, 400, capped)
    paid = np.where(liable[:, None] >= 0, 0, capped)
    rows = np.flatnonzero(liable >= 0)
    paid[rows, liable[rows]] = capped[rows].sum(axis=1)
    points = -paid
    rows = np.flatnonzero(win)
    points[rows, winner[rows]] = paid[rows].sum(axis=1)
    r["outcome"], r["winner"], r["loser"], r["liable"] = outcome, winner, loser, liable
    r["types"] = np.where(win, types, 0)
    r["owed"], r["capped"], r["points"] = owed * scale, capped * scale, points * scale
    r["golden"], r["hard"] = golden, win & (of_hand(11, 3) == 0)
    r["indicator"], r["laizi"] = of_wall(12, 34), of_wall(13, 34)
    r["win_tile"] = np.where(win, of_hand(14, 34), -1)
    r["turns"] = 20 + of_hand(15, 60)
    for name, salt, below in (
        ("opens", 30, 5),
        ("kongs", 40, 3),
        ("start_shanten", 50, 6),
        ("start_wild", 60, 3),
    ):
        r[name] = np.stack([of_hand(salt + s, below) for s in range(4)], axis=1) * (seats < n)
    r["ready_turn"] = np.stack([of_hand(70 + s, 60) - 10 for s in range(4)], axis=1)
    r["ready_turn"] = np.where((r["ready_turn"] < 0) | (seats >= n), -1, r["ready_turn"])
    return r
