"""The oracle's shapes against published figures and against themselves by another way."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from itertools import product
from math import comb

import numpy as np
import pytest

import oracle
from oracle import KINDS, KINDS_258, NAMES, WINDS, counts_of, parse
from oracle_points import decompositions

HEADS: tuple[oracle.Head, ...] = (None, "any", "258")


def counts(text: str) -> tuple[int, ...]:
    return counts_of(parse(text))


def named(kinds: list[int]) -> str:
    return " ".join(NAMES[kind] for kind in kinds)


# Shapes


def test_trap_four_alike_and_a_wildcard_complete() -> None:
    assert oracle.is_complete(counts("1111m"), 1, 3, fifth=True)


def test_trap_fifth_copy_exists_only_with_wildcards_in_the_game() -> None:
    hand = counts("123456789mEEEE")
    assert oracle.shanten(hand, 0, 0, fifth=False) == 1
    assert oracle.shanten(hand, 0, 0, fifth=True) == 0
    assert named(oracle.waits(hand, 0, 0, NAMES.index("9s"))) == "9s"  # for a wildcard, not for a fifth E
    assert oracle.waits(hand, 0, 0, None) == []


def test_trap_waits_around_a_quad() -> None:
    assert named(oracle.waits(counts("1113456666788s"), 0, 0, None)) == "2s 5s 7s 8s"


@pytest.mark.parametrize(
    ("text", "wild", "melds", "complete"),
    [
        ("222234m444p555s55p", 0, 0, True),
        ("345m22344p123s88s", 1, 0, True),
        ("4m4p4sN", 4, 2, False),
        ("11122m", 0, 3, True),  # the pair beside its triplet
        ("1112m", 0, 3, False),
        ("11123m", 0, 3, True),  # the pair out of a triplet
        ("11112m3m456p", 0, 2, False),
        ("111123m", 2, 2, True),  # the pair out of a quad
        ("1111m", 0, 3, False),
    ],
)
def test_trap_complete(text: str, wild: int, melds: int, complete: bool) -> None:
    assert oracle.is_complete(counts(text), wild, melds, fifth=True) == complete


def test_trap_shanten_two() -> None:
    assert oracle.shanten(counts("245568m245568p77s"), 0, 0, fifth=False) == 2


def test_trap_ready_hand_completes_on_a_drawn_wildcard() -> None:
    hand = counts("123456789m1122p")
    laizi = NAMES.index("E")
    assert named(oracle.waits(hand, 0, 0, laizi)) == "1p 2p E"
    assert oracle.ukeire(hand, 0, 0, laizi) == {9: 2, 10: 2, 27: 4}
    seen = [0] * 34
    seen[9] = seen[27] = 1
    assert oracle.ukeire(hand, 0, 0, laizi, seen) == {9: 1, 10: 2, 27: 3}


def test_head_258() -> None:
    assert oracle.shanten(counts("123456789m12311p"), 0, 0, fifth=True, head="258") == 0
    assert oracle.shanten(counts("123456789m12355p"), 0, 0, fifth=True, head="258") == -1
    assert named(oracle.waits(counts("123456789m123pE"), 0, 0, NAMES.index("P"), head="258")) == ""
    assert named(oracle.waits(counts("123456789m123p5s"), 0, 0, NAMES.index("P"), head="258")) == "5s P"


def test_one_suit_winners_by_size() -> None:
    sizes = (2, 3, 5, 6, 8, 9, 11, 12, 14)
    heads = {0: None, 2: "any"}
    found = [[len(oracle.targets(ranks, n // 3, heads[n % 3], False)) for n in sizes] for ranks in (9, 7)]
    assert found == [[9, 16, 135, 127, 996, 627, 4475, 2098, 13259], [7, 7, 42, 21, 105, 35, 140, 35, 105]]


@pytest.mark.parametrize(
    ("head", "hands", "deals"),
    [("any", 11_498_658, 11_353_128_141_498), ("258", 3_040_605, 2_734_758_329_160)],
)
def test_winners_over_34_kinds(head: oracle.Head, hands: int, deals: int) -> None:
    # polynomials in sets (0..4) and head (0, 1): every winner lies in the suits in one way only
    def polynomial(ranks: int, weigh: bool) -> np.ndarray:
        out = np.zeros((5, 2), dtype=np.int64)
        for sets, pair in product(range(5), range(2)):
            rows = oracle.targets(ranks, sets, head if pair else None, False)
            out[sets, pair] = np.prod(np.array([1, 4, 6, 4, 1])[rows], axis=1).sum() if weigh else len(rows)
        return out

    def times(left: np.ndarray, right: np.ndarray) -> np.ndarray:
        out = np.zeros((5, 2), dtype=np.int64)
        for i, j, p, q in product(range(5), range(5), range(2), range(2)):
            if i + j < 5 and p + q < 2:
                out[i + j, p + q] += left[i, p] * right[j, q]
        return out

    for weigh, total in ((False, hands), (True, deals)):
        assert reduce(times, [polynomial(ranks, weigh) for ranks in (9, 9, 9, 7)])[4, 1] == total


Weights = tuple[np.ndarray, np.ndarray]  # distance vectors (classes, 5, 2), deals by class and tiles


def weights_of(blocked: int | None, ranks: int) -> Weights:
    """All ways to hold up to 14 tiles of a suit, by distance vector; a blocked rank is the wildcard's."""
    rows = np.indices((5,) * ranks, dtype=np.int8).reshape(ranks, -1).T
    rows = rows[rows.sum(axis=1) <= 14]
    if blocked is not None:
        rows = rows[rows[:, blocked] == 0]
    ways = np.prod(np.array([1, 4, 6, 4, 1])[rows], axis=1)
    vectors = oracle.suit_distances(rows, "any", fifth=True)
    classes, where = np.unique(vectors.reshape(-1, 10), axis=0, return_inverse=True)
    deals = np.zeros((len(classes), 15), dtype=np.int64)
    np.add.at(deals, (where.ravel(), rows.sum(axis=1)), ways)
    return classes.reshape(-1, 5, 2), deals


def weights_together(left: Weights, right: Weights) -> Weights:
    i, j = (index.ravel() for index in np.indices((len(left[0]), len(right[0]))))
    vectors = oracle.merged(left[0][i], right[0][j])
    classes, where = np.unique(vectors.reshape(-1, 10), axis=0, return_inverse=True)
    deals = np.zeros((len(classes), 15), dtype=np.int64)
    for a, b in product(range(15), repeat=2):
        if a + b < 15:
            np.add.at(deals[:, a + b], where.ravel(), left[1][i, a] * right[1][j, b])
    return classes.reshape(-1, 5, 2), deals


def test_winning_deals_with_wildcards() -> None:
    suit, honours = weights_of(None, 9), weights_of(None, 7)
    two_suits = weights_together(suit, suit)

    def by_wildcards(whole: Weights) -> list[int]:
        missing = whole[0][:, 4, 1]
        return [comb(4, w) * int(whole[1][missing == w, 14 - w].sum()) for w in range(5)]

    hongzhong = by_wildcards(weights_together(two_suits, suit))
    assert hongzhong == [
        7_140_498_565_560,
        79_516_124_105_472,
        136_239_814_767_312,
        55_992_333_118_320,
        5_190_409_839_834,
    ]
    rest = weights_together(two_suits, honours)
    assert sum(by_wildcards(weights_together(rest, weights_of(4, 9)))) == 290_256_943_362_750
    assert sum(by_wildcards(weights_together(rest, weights_of(0, 9)))) == 373_496_772_940_346
    suits = weights_together(two_suits, suit)
    assert sum(by_wildcards(weights_together(suits, weights_of(0, 7)))) == 452_415_293_438_856


def random_hands(rng: np.random.Generator, n: int, tiles: int) -> tuple[np.ndarray, ...]:
    """Counts, wildcards, melds, wildcard kinds of hands dealt from 136 tiles, 3 tiles fewer for a meld."""
    laizi, melds = rng.integers(0, 34, n), rng.integers(0, 5, n)
    rows = np.zeros((n, 34), dtype=np.int8)
    for row in range(n):
        dealt = rng.permutation(136)[: tiles - 3 * melds[row]] // 4
        np.add.at(rows[row], dealt, 1)
    wild = rows[np.arange(n), laizi].astype(int)
    rows[np.arange(n), laizi] = 0
    return rows, wild, melds, laizi


def crowded_hands(rng: np.random.Generator, n: int, tiles: int) -> tuple[np.ndarray, ...]:
    """As `random_hands`, but of five neighbouring kinds, with up to four wildcards: near wins, and quads."""
    laizi, melds = np.full(n, 33), rng.integers(0, 5, n)
    wild = np.minimum(rng.integers(0, 5, n), tiles - 3 * melds)
    rows = np.zeros((n, 34), dtype=np.int8)
    for row in range(n):
        low = rng.integers(0, 29)
        for _ in range(tiles - 3 * melds[row] - wild[row]):
            near = [kind for kind in range(low, low + 5) if rows[row, kind] < 4 and kind != 33]
            rows[row, rng.choice(near)] += 1
    return rows, wild, melds, laizi


Maker = Callable[[np.random.Generator, int, int], tuple[np.ndarray, ...]]


@pytest.mark.parametrize("fifth", [False, True])
@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("ranks", [9, 7])
def test_two_ways_to_the_distance_of_a_suit(head: oracle.Head, fifth: bool, ranks: int) -> None:
    rng = np.random.default_rng(1)
    rows = np.minimum(rng.poisson(rng.uniform(0.1, 3, (400, 1)), (400, ranks)), 4)
    many = oracle.suit_distances(rows, head, fifth)
    for row, sets, pair in product(range(len(rows)), range(5), range(2 if head else 1)):
        one = oracle.suit_distance(tuple(map(int, rows[row])), sets, head if pair else None, fifth)
        assert one == many[row, sets, pair], (rows[row], sets, pair)


@pytest.mark.parametrize("make", [random_hands, crowded_hands])
@pytest.mark.parametrize("head", ["any", "258"])
def test_many_hands_at_once_are_the_same_hands(make: Maker, head: oracle.Head) -> None:
    rows, wild, melds, laizi = make(np.random.default_rng(2), 60, 13)
    many = oracle.shantens(rows, wild, melds, True, head)
    masks = oracle.usefuls(rows, wild, melds, laizi, head)
    for row in range(len(rows)):
        hand = tuple(map(int, rows[row])), int(wild[row]), int(melds[row])
        assert oracle.shanten(*hand, fifth=True, head=head) == many[row]
        useful = oracle.useful(*hand, int(laizi[row]), head)
        assert useful == list(np.flatnonzero(masks[row]))
        waits = oracle.waits(*hand, int(laizi[row]), head)
        assert waits == (useful if many[row] == 0 else [])


@pytest.mark.parametrize("make", [random_hands, crowded_hands])
def test_complete_is_what_decomposes(make: Maker) -> None:
    rows, wild, melds, _ = make(np.random.default_rng(3), 600, 14)
    wins = 0
    for row, wildcards, n_melds in zip(rows.tolist(), wild.tolist(), melds.tolist(), strict=True):
        tiles = tuple(kind for kind in KINDS for _ in range(row[kind]))
        ways = decompositions(tiles, wildcards, 4 - n_melds, 1)
        assert bool(ways) == oracle.is_complete(row, wildcards, n_melds, fifth=True)
        right_head = any(head == "258" for _, head in ways)
        assert right_head == oracle.is_complete(row, wildcards, n_melds, fifth=True, head="258")
        pungs = any(triplets for triplets, _ in ways)
        assert pungs == (oracle.pungs_distance(row, 4 - n_melds, "any", True) == wildcards)
        wins += bool(ways)
    assert make is random_hands or wins > 100


def test_mean_shanten_of_random_hands() -> None:
    rng = np.random.default_rng(4)
    n = 100_000
    tiles = rng.permuted(np.tile(np.arange(136, dtype=np.uint8) // 4, (n, 1)), axis=1)[:, :14]
    rows = np.zeros((n, 34), dtype=np.int8)
    none = np.zeros(n, dtype=int)
    for draw in range(14):
        np.add.at(rows, (np.arange(n), tiles[:, draw]), 1)
        if draw >= 12:
            mean = oracle.shantens(rows, none, none, fifth=False).mean()
            assert abs(mean - (3.7836 if draw == 12 else 3.3156)) < 0.01  # standard error 0.003


def test_one_suit_pungs_258_and_winds() -> None:
    hand = counts("1112223m55p7sE")
    assert oracle.one_suit_distance(hand, 0, 4, "any", True) == 14 - 7
    assert oracle.one_suit_distance(hand, 3, 1, None, True) == 2
    assert oracle.pungs_distance(hand, 4, "any", True) == 14 - 3 - 3 - 2 - 2
    assert oracle.pungs_distance(counts("1111m"), 1, "any", True) == 1
    assert oracle.pungs_distance(counts("1111m"), 1, "any", False) == 2
    assert oracle.pungs_distance(counts("1111m2s"), 1, "258", False) == 1
    assert oracle.missing_of(counts("225588m2258p"), 1, 1, KINDS_258) == 0
    assert oracle.missing_of(counts("225588m225p9p"), 1, 1, KINDS_258) == 1
    assert oracle.missing_of(counts("ESWNFPC"), 1, 2, WINDS) == 1
