"""Slow, plain answers about the shape of a hand, straight from definitions; none of it from the engine.

A hand is 34 counts of natural tiles, a number of wildcards and a number of melds; the wildcard kind's own
tiles are taken out of the counts. `head` says what pair the hand needs: None (no pair), "any", or "258" (a
suited 2, 5 or 8). `fifth` is true in a game with wildcards: one may stand for a fifth copy of a kind, so a
target may hold five or more of it.

Tiles missing = tiles of the best target (so many sets and the head) that are not in hand.

`suit_distance` compares with every target there is; `suit_distances`, the same for many hands at once,
carries open chows from rank to rank: two ways to the same numbers, compared in test_oracle.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations_with_replacement, product
from typing import Literal

import numpy as np

Head = Literal["any", "258"] | None
Counts = Sequence[int]

KINDS = range(34)
SUITS = (range(0, 9), range(9, 18), range(18, 27), range(27, 34))  # the last are the honours: no chows
NAMES = tuple(f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)) + tuple("ESWNCFP")
KINDS_258 = frozenset(kind for kind, name in enumerate(NAMES) if name[0] in "258")
RED = NAMES.index("C")
WINDS = frozenset(SUITS[3]) - {RED}  # the honours that count as winds: E S W N F P
FAR = 99  # tiles missing for what cannot be


def parse(text: str) -> list[int]:
    """Kinds of a well-formed text such as `123m55pE`."""
    kinds: list[int] = []
    ranks = ""
    for letter in text:
        if letter.isdigit():
            ranks += letter
        elif letter in "mps":
            kinds += [NAMES.index(rank + letter) for rank in ranks]
            ranks = ""
        else:
            kinds.append(NAMES.index(letter))
    assert not ranks, text
    return kinds


def counts_of(kinds: Sequence[int]) -> tuple[int, ...]:
    """34 counts."""
    return tuple(kinds.count(kind) for kind in KINDS)


# One suit


@cache
def targets(ranks: int, sets: int, head: Head, fifth: bool) -> np.ndarray:
    """Every way in which sets and the head lie in a suit (9 ranks) or the honours (7), as rows of counts."""
    one = np.eye(ranks, dtype=np.int8)
    groups = [3 * one[rank] for rank in range(ranks)]
    if ranks == 9:
        groups += [one[rank] + one[rank + 1] + one[rank + 2] for rank in range(7)]
    nothing = np.zeros(ranks, dtype=np.int8)
    heads = {
        None: [nothing],
        "any": list(2 * one),
        "258": [2 * one[rank] for rank in (1, 4, 7)] if ranks == 9 else [],
    }[head]
    rows = {
        tuple(sum(chosen, start=pair))
        for chosen in combinations_with_replacement(groups, sets)
        for pair in heads
    }
    return np.array([row for row in rows if fifth or max(row) <= 4], dtype=np.int8).reshape(-1, ranks)


@cache
def suit_distance(counts: tuple[int, ...], sets: int, head: Head, fifth: bool) -> int:
    """Tiles missing for `sets` sets and the head within one suit (9 counts) or the honours (7)."""
    missing = np.maximum(targets(len(counts), sets, head, fifth) - np.array(counts, dtype=np.int8), 0)
    return int(missing.sum(axis=1).min(initial=FAR))


def suit_distances(rows: np.ndarray, head: Head, fifth: bool) -> np.ndarray:
    """`suit_distance` of many suits at once: (n, 5, 2), by sets 0..4 and without or with the head."""
    n, ranks = rows.shape
    rows = rows.astype(np.int8)
    # state: chows begun one rank ago, two ranks ago, sets so far, head so far -> tiles missing so far
    states = {(0, 0, 0, 0): np.zeros(n, dtype=np.int8)}
    for rank in range(ranks):
        chows_may_begin = ranks == 9 and rank < 7
        head_may_be = head == "any" or (head == "258" and ranks == 9 and rank in (1, 4, 7))
        after: dict[tuple[int, int, int, int], np.ndarray] = {}
        for (one_ago, two_ago, sets, pairs), missing in states.items():
            room = 4 - sets
            for chows in range(room + 1 if chows_may_begin else 1):
                for triplets in range(room - chows + 1):
                    for pair in range(2 if head_may_be and not pairs else 1):
                        wanted = chows + one_ago + two_ago + 3 * triplets + 2 * pair
                        if wanted > 4 and not fifth:
                            continue
                        total = missing + np.maximum(np.int8(wanted) - rows[:, rank], 0)
                        state = (chows, one_ago, sets + chows + triplets, pairs + pair)
                        after[state] = np.minimum(after[state], total) if state in after else total
        states = after
    out = np.full((n, 5, 2), FAR, dtype=np.int8)
    for (_, _, sets, pairs), missing in states.items():  # no chow begins on the last two ranks: all are whole
        out[:, sets, pairs] = np.minimum(out[:, sets, pairs], missing)
    return out


# The whole hand


def splits(sets: int) -> Iterator[tuple[int, ...]]:
    """Every way to spread `sets` sets over the four suits."""
    return (split for split in product(range(sets + 1), repeat=4) if sum(split) == sets)


def distance(counts: Counts, sets: int, head: Head, fifth: bool) -> int:
    """Tiles missing for `sets` sets and the head."""
    suits = [tuple(counts[kind] for kind in suit) for suit in SUITS]
    return min(
        sum(suit_distance(suit, split[i], head if i == home else None, fifth) for i, suit in enumerate(suits))
        for split in splits(sets)
        for home in (range(4) if head else [-1])
    )


def shanten(counts: Counts, wildcards: int, melds: int, fifth: bool, head: Head = "any") -> int:
    """-1 complete, 0 ready."""
    return distance(counts, 4 - melds, head, fifth) - wildcards - 1


def is_complete(counts: Counts, wildcards: int, melds: int, fifth: bool, head: Head = "any") -> bool:
    """Whether the tiles are four sets, melds among them, and the head."""
    return sum(counts) + wildcards == 14 - 3 * melds and shanten(counts, wildcards, melds, fifth, head) == -1


def drawn(counts: Counts, wildcards: int, kind: int, laizi: int | None) -> tuple[tuple[int, ...], int] | None:
    """The hand with one tile more, or None if it has all four already."""
    if kind == laizi:
        return (tuple(counts), wildcards + 1) if wildcards < 4 else None
    if counts[kind] >= 4:
        return None
    return tuple(counts[k] + (k == kind) for k in KINDS), wildcards


def useful(counts: Counts, wildcards: int, melds: int, laizi: int | None, head: Head = "any") -> list[int]:
    """Kinds that lower the shanten of a 13-tile hand; never one that the hand has all four of."""
    fifth = laizi is not None
    now = shanten(counts, wildcards, melds, fifth, head)
    return [
        kind
        for kind in KINDS
        if (more := drawn(counts, wildcards, kind, laizi)) and shanten(*more, melds, fifth, head) < now
    ]


def waits(counts: Counts, wildcards: int, melds: int, laizi: int | None, head: Head = "any") -> list[int]:
    """Kinds that complete a 13-tile hand, the wildcard kind among them where it does."""
    fifth = laizi is not None
    return [
        kind
        for kind in KINDS
        if (more := drawn(counts, wildcards, kind, laizi)) and is_complete(*more, melds, fifth, head)
    ]


def ukeire(
    counts: Counts,
    wildcards: int,
    melds: int,
    laizi: int | None,
    seen: Counts | None = None,
    head: Head = "any",
) -> dict[int, int]:
    """Useful kinds with the tiles of each that are neither in hand nor seen elsewhere."""
    return {
        kind: 4 - (wildcards if kind == laizi else counts[kind]) - (seen[kind] if seen else 0)
        for kind in useful(counts, wildcards, melds, laizi, head)
    }


# What the rules need besides


def pungs_distance(counts: Counts, sets: int, head: Head, fifth: bool) -> int:
    """Tiles missing for `sets` triplets and the head."""
    best = {(0, 0): 0}  # triplets so far, head so far -> tiles missing so far
    for kind in KINDS:
        after: dict[tuple[int, int], int] = {}
        for (triplets, pairs), missing in best.items():
            for more in range(sets - triplets + 1):
                for pair in range(2 if head and not pairs and (head == "any" or kind in KINDS_258) else 1):
                    wanted = 3 * more + 2 * pair
                    if fifth or wanted <= 4:
                        state = (triplets + more, pairs + pair)
                        after[state] = min(after.get(state, FAR), missing + max(0, wanted - counts[kind]))
        best = after
    return best[sets, 1 if head else 0]


def one_suit_distance(counts: Counts, suit: int, sets: int, head: Head, fifth: bool) -> int:
    """Tiles missing for `sets` sets and the head all within suit 0, 1, 2 (m, p, s) or 3 (honours)."""
    return suit_distance(tuple(counts[kind] for kind in SUITS[suit]), sets, head, fifth)


def missing_of(counts: Counts, wildcards: int, melds: int, kinds: frozenset[int]) -> int:
    """Tiles missing until a hand is wildcards and tiles of `kinds` only (KINDS_258, WINDS)."""
    return 14 - 3 * melds - wildcards - sum(counts[kind] for kind in kinds)


# Many hands at once


def distances(counts: np.ndarray, head: Head, fifth: bool) -> list[np.ndarray]:
    """`suit_distances` of the four suits of many hands (n, 34)."""
    out = []
    for suit in SUITS:
        rows, where = np.unique(counts[:, suit.start : suit.stop], axis=0, return_inverse=True)
        out.append(suit_distances(rows, head, fifth)[where.ravel()])
    return out


def merged(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Tiles missing in two parts of a hand together, (n, 5, 2)."""
    out = np.full_like(left, FAR)
    for i, j in product(range(5), repeat=2):
        for p, q in ((0, 0), (0, 1), (1, 0)):
            if i + j < 5:
                out[:, i + j, p + q] = np.minimum(out[:, i + j, p + q], left[:, i, p] + right[:, j, q])
    return out


def shantens(
    counts: np.ndarray, wildcards: np.ndarray, melds: np.ndarray, fifth: bool, head: Head = "any"
) -> np.ndarray:
    """`shanten` of many hands: counts (n, 34), wildcards (n,), melds (n,)."""
    a, b, c, d = distances(counts, head, fifth)
    whole = merged(merged(a, b), merged(c, d))
    return np.asarray(whole[np.arange(len(counts)), 4 - melds, 1].astype(int) - wildcards - 1)


def usefuls(
    counts: np.ndarray, wildcards: np.ndarray, melds: np.ndarray, laizi: np.ndarray, head: Head = "any"
) -> np.ndarray:
    """`useful` of many 13-tile hands with a wildcard kind each: bool (n, 34)."""
    n = len(counts)
    parts = distances(counts, head, fifth=True)
    now = shantens(counts, wildcards, melds, fifth=True, head=head)
    out = np.zeros((n, 34), dtype=bool)
    for s, suit in enumerate(SUITS):
        a, b, c = (part for i, part in enumerate(parts) if i != s)
        others = merged(merged(a, b), c)
        for kind in suit:
            more = counts[:, suit.start : suit.stop].copy()
            more[:, kind - suit.start] += 1
            rows, where = np.unique(more, axis=0, return_inverse=True)
            whole = merged(others, suit_distances(rows, head, fifth=True)[where.ravel()])
            then = whole[np.arange(n), 4 - melds, 1].astype(int) - wildcards - 1
            out[:, kind] = (then < now) & (counts[:, kind] < 4)
    out[np.arange(n), laizi] = (now >= 0) & (wildcards < 4)
    return out
