"""The shape kernels by their array face: against the oracle, themselves and PyPI's mahjong."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import oracle
from random_hands import Hands, deal, random_hands
from wuhan_core._shape import HandError, Shape, complete_array, discard_array, shanten_array, ukeire_array

U8 = NDArray[np.uint8]
BY_SIZE = [pytest.param(4_000, id="some"), pytest.param(1_000_000, id="a million", marks=pytest.mark.slow)]
CHUNK = 50_000


def u8(*values: object) -> U8:
    return np.array(values, dtype=np.uint8)


def counts_of(text: str) -> U8:
    return u8(oracle.counts_of(oracle.parse(text)))


def chunks(n: int) -> list[int]:
    return [min(CHUNK, n - start) for start in range(0, n, CHUNK)]


# ---- against the oracle


def every_suit() -> NDArray[np.int64]:
    """All 405,350 count vectors of one suit of up to 14 tiles."""
    digits = np.arange(5**9)[:, None] // 5 ** np.arange(9) % 5
    found: NDArray[np.int64] = digits[digits.sum(axis=1) <= 14]
    return found


@pytest.mark.parametrize("wild_game", [True, False])
def test_one_suit_with_wildcards(wild_game: bool) -> None:
    suit = every_suit()
    assert len(suit) == 405_350
    rng = np.random.default_rng(3)
    counts = np.zeros((len(suit), 34), np.uint8)
    place = 9 * rng.integers(0, 3, len(suit))
    counts[np.arange(len(suit))[:, None], place[:, None] + np.arange(9)] = suit
    empty = np.zeros((1, 9), np.int64)
    other = oracle.suit_distances(empty, "any", wild_game)
    honours = oracle.suit_distances(empty[:, :7], "any", wild_game)
    others = oracle.merged(oracle.merged(other, other), honours)
    expected = oracle.merged(oracle.suit_distances(suit, "any", wild_game), others)[:, :, 1]
    for melds in range(5):
        for wildcards in range(5):
            wild, laid = np.full(len(suit), wildcards, np.uint8), np.full(len(suit), melds, np.uint8)
            # sizes that are no hands are asked too: hence no check
            found = shanten_array(counts, wild, laid, wild_game, check=False)
            assert (found == expected[:, 4 - melds] - wildcards - 1).all()


@pytest.mark.parametrize("n", BY_SIZE)
@pytest.mark.parametrize("tiles", [13, 14])
def test_random_hands_with_wildcards(n: int, tiles: int) -> None:
    rng = np.random.default_rng(tiles)
    for size in chunks(n):
        hands = random_hands(rng, size, tiles)
        found = shanten_array(*hands[:3])
        wildcards = hands.wildcards.astype(int)
        assert (found == oracle.shantens(hands.counts, wildcards, hands.melds, True)).all()
        assert (complete_array(*hands[:3]) == (found == -1)).all()
        assert (found == -1).any() == (tiles == 14)


@pytest.mark.parametrize("n", BY_SIZE)
def test_random_hands_without_wildcards(n: int) -> None:
    rng = np.random.default_rng(5)
    for size in chunks(n):
        hands = random_hands(rng, size, 14)
        rows = np.flatnonzero(hands.wildcards == 0)
        counts, wildcards, melds = (np.ascontiguousarray(part[rows]) for part in hands[:3])
        found = shanten_array(counts, wildcards, melds, wild_game=False)
        assert (found == oracle.shantens(counts, wildcards.astype(int), melds, False)).all()
        assert (found >= shanten_array(counts, wildcards, melds)).all()


def seen_beside(rng: np.random.Generator, hands: Hands) -> U8:
    """Some of the tiles that the hands leave."""
    rows = np.arange(len(hands.counts))
    left = 4 - hands.counts
    left[rows, hands.laizi] = 4 - hands.wildcards
    return rng.integers(0, left + 1).astype(np.uint8)


@pytest.mark.parametrize("n", BY_SIZE)
def test_useful_tiles_and_waits_of_random_hands(n: int) -> None:
    rng = np.random.default_rng(7)
    for size in chunks(n):
        hands = random_hands(rng, size, 13)
        seen = seen_beside(rng, hands)
        rows = np.arange(size)
        left = 4 - hands.counts - seen
        left[rows, hands.laizi] = 4 - hands.wildcards - seen[rows, hands.laizi]
        useful = oracle.usefuls(hands.counts, hands.wildcards.astype(int), hands.melds, hands.laizi)
        assert (ukeire_array(*hands[:3], seen, hands.laizi) == useful * left).all()
        # a useful tile lowers the shanten by exactly one, another leaves it
        before = shanten_array(*hands[:3])
        for kind in range(34):
            drawn = np.flatnonzero((hands.laizi != kind) & (hands.counts[:, kind] < 4))
            more = hands.counts[drawn]
            more[:, kind] += 1
            after = shanten_array(more, hands.wildcards[drawn], hands.melds[drawn])
            assert (before[drawn] - after == useful[drawn, kind]).all()


def test_useful_tiles_without_wildcards() -> None:
    rng = np.random.default_rng(11)
    hands = random_hands(rng, 600, 13)
    for i in np.flatnonzero(hands.wildcards == 0):
        counts, melds = hands.counts[i], int(hands.melds[i])
        found = ukeire_array(counts[None], u8(0), u8(melds))[0]
        assert {k: n for k, n in enumerate(found.tolist()) if n} == oracle.ukeire(
            counts.tolist(), 0, melds, None
        )


def test_best_discard_is_the_best_of_all() -> None:
    rng = np.random.default_rng(13)
    hands = random_hands(rng, 4_000, 14)
    seen = seen_beside(rng, hands)
    found = discard_array(*hands[:3], seen, hands.laizi)
    for i, (counts, wildcards, melds, laizi) in enumerate(zip(*hands, strict=True)):
        held = np.flatnonzero(counts)
        if not len(held):
            assert found[i] == laizi
            continue
        rest = np.repeat(counts[None], len(held), axis=0)
        rest[np.arange(len(held)), held] -= 1
        same = (np.full(len(held), wildcards), np.full(len(held), melds))
        gone = np.repeat(seen[i][None], len(held), axis=0)
        gone[np.arange(len(held)), held] += 1  # what is discarded does not come back
        live = ukeire_array(rest, *same, gone, int(laizi)).sum(axis=1)
        order = sorted(zip(-shanten_array(rest, *same).astype(int), live, held, strict=True))
        assert found[i] == order[-1][2]


# ---- what the rules need besides


@pytest.mark.parametrize("head", ["any", "258"])
@pytest.mark.parametrize("fifth", [True, False])
def test_what_the_rules_need_besides(head: oracle.Head, fifth: bool) -> None:
    hands = random_hands(np.random.default_rng(17), 400, 13)
    masks = {kinds: sum(1 << kind for kind in kinds) for kinds in (oracle.KINDS_258, oracle.WINDS)}
    for row, held, laid in zip(hands.counts, hands.wildcards.tolist(), hands.melds.tolist(), strict=True):
        counts, wildcards, sets = row.tolist(), held if fifth else 0, 4 - laid
        shape = Shape(row.tobytes(), wildcards, sets, fifth, head == "258")
        now = oracle.shanten(counts, wildcards, laid, fifth, head)
        assert shape.shanten() == now
        assert shape.is_ready() == (now <= 0)
        assert shape.pungs_missing() == oracle.pungs_distance(counts, sets, head, fifth)
        for group in range(4 if head == "any" else 3):
            assert shape.suit_missing(group) == oracle.one_suit_distance(counts, group, sets, head, fifth)
        if head == "258":  # all honours: the head is two wildcards
            assert shape.suit_missing(3) == 2 + oracle.one_suit_distance(counts, 3, sets, None, fifth)
        for kinds, mask in masks.items():
            assert shape.kinds_missing(mask) == oracle.missing_of(counts, 0, laid, kinds)


@pytest.mark.parametrize("head", ["any", "258"])
@pytest.mark.parametrize("fifth", [True, False])
def test_triplets_of_few_kinds(head: oracle.Head, fifth: bool) -> None:
    """Where fours and threes abound, the pair and a second triplet lie in kinds that have one already."""
    rng = np.random.default_rng(18)
    for _ in range(600):
        counts = np.zeros(34, np.uint8)
        counts[rng.choice(34, 4, replace=False)] = rng.choice([0, 1, 2, 3, 4, 4], 4)
        for sets in range(5):
            shape = Shape(counts.tobytes(), 0, sets, fifth, head == "258")
            assert shape.pungs_missing() == oracle.pungs_distance(counts.tolist(), sets, head, fifth)


@pytest.mark.parametrize("head", ["any", "258"])
def test_useful_and_spare_by_trying(head: str) -> None:
    hands = random_hands(np.random.default_rng(19), 500, 13)
    for row, wildcards, laid in zip(
        hands.counts, hands.wildcards.tolist(), hands.melds.tolist(), strict=True
    ):

        def shape(counts: U8, wildcards: int = wildcards, laid: int = laid) -> Shape:
            return Shape(counts.tobytes(), wildcards, 4 - laid, True, head == "258")

        one = np.eye(34, dtype=np.uint8)
        now = shape(row).shanten()
        free = [k for k in range(34) if row[k] < 4]
        assert shape(row).useful() == [k for k in free if shape(row + one[k]).shanten() < now]
        assert shape(row).spare() == [k for k in np.flatnonzero(row) if shape(row - one[k]).shanten() == now]


# ---- public traps: text, wildcards, melds, in a game with wildcards, shanten

TRAPS = [
    ("1111m", 1, 3, True, -1),  # 111 and 1 + wildcard
    ("1111m", 0, 3, True, 0),
    ("123456789m1111p", 0, 0, False, 1),
    ("123456789mEEEE", 0, 0, False, 1),  # no fifth E
    ("123456789mEEEE", 0, 0, True, 0),
    ("245568m245568p77s", 0, 0, False, 2),
    ("222234m444p555s55p", 0, 0, False, -1),
    ("345m22344p123s88s", 1, 0, True, -1),
    ("4m4p4sN", 4, 2, True, 0),
    ("11123m", 0, 3, False, -1),  # the pair out of a triplet
    ("111123m", 2, 2, True, -1),  # the pair out of a quad
    ("1112m", 0, 3, False, 0),
    ("EEEE", 1, 3, True, -1),
    ("", 2, 4, True, -1),
]


@pytest.mark.parametrize(("text", "wildcards", "melds", "wild_game", "answer"), TRAPS)
def test_public_traps(text: str, wildcards: int, melds: int, wild_game: bool, answer: int) -> None:
    hand = (counts_of(text), u8(wildcards), u8(melds))
    assert shanten_array(*hand, wild_game)[0] == answer
    assert complete_array(*hand, wild_game)[0] == (answer == -1)
    assert oracle.shanten(hand[0][0].tolist(), wildcards, melds, wild_game) == answer


# ---- against itself


def shuffled_suits(counts: U8) -> U8:
    return np.ascontiguousarray(counts[:, [*range(18, 27), *range(9), *range(9, 18), *range(33, 26, -1)]])


def mirrored(counts: U8) -> U8:
    ranks = [9 * suit + rank for suit in range(3) for rank in range(8, -1, -1)]
    return np.ascontiguousarray(counts[:, [*ranks, *range(27, 34)]])


@pytest.mark.parametrize("change", [shuffled_suits, mirrored])
def test_other_names_for_the_tiles_change_nothing(change: Callable[[U8], U8]) -> None:
    hands = random_hands(np.random.default_rng(23), 20_000, 13)
    counts = change(hands.counts)
    kinds = change(np.arange(34, dtype=np.uint8)[None])[0]
    laizi = np.argsort(kinds)[hands.laizi]
    assert (shanten_array(counts, *hands[1:3]) == shanten_array(*hands[:3])).all()
    live = ukeire_array(*hands[:3], None, hands.laizi)
    assert (ukeire_array(counts, *hands[1:3], None, laizi) == change(live)).all()


def test_a_wildcard_more_never_raises_the_shanten() -> None:
    hands = random_hands(np.random.default_rng(29), 20_000, 13)
    rows = np.flatnonzero(hands.wildcards < 4)
    counts, wildcards, melds = (part[rows] for part in hands[:3])
    before, after = (shanten_array(counts, wildcards + np.uint8(more), melds) for more in (0, 1))
    assert (after == before - 1).all()  # by exactly one: a hand of 13 is never complete
    # in a tile's place
    rng = np.random.default_rng(31)
    held = np.argmax(np.where(counts > 0, rng.random(counts.shape), -1), axis=1)
    some = np.flatnonzero(counts.any(axis=1))
    counts[some, held[some]] -= 1
    swapped = shanten_array(counts[some], wildcards[some] + np.uint8(1), melds[some])
    assert (swapped <= before[some]).all()
    assert (swapped >= before[some] - 1).all()


@pytest.mark.parametrize(("tiles", "mean"), [(13, 3.7836), (14, 3.3156)])
@pytest.mark.parametrize(
    ("n", "error"), [pytest.param(100_000, 0.012), pytest.param(1_000_000, 0.004, marks=pytest.mark.slow)]
)
def test_mean_shanten_of_random_hands(tiles: int, mean: float, n: int, error: float) -> None:
    nothing = np.zeros(n, np.uint8)
    counts = deal(np.random.default_rng(37), n, tiles)
    assert abs(shanten_array(counts, nothing, nothing, wild_game=False).mean() - mean) < error


def test_against_pypi_mahjong() -> None:
    mahjong = pytest.importorskip(
        "mahjong.shanten", reason="PyPI's mahjong is not installed: `pip install wuhan-core[bench]` has it"
    )
    ask = mahjong.Shanten.calculate_shanten_for_regular_hand
    for tiles in (13, 14):
        hands = random_hands(np.random.default_rng(41), 6_000, tiles)
        nothing = np.zeros(1, np.uint8)
        for i in np.flatnonzero((hands.wildcards == 0) & (hands.melds < 4)):
            counts = hands.counts[i]
            found = shanten_array(counts[None], nothing, hands.melds[i : i + 1], wild_game=False)[0]
            assert found == ask(counts.tolist()), text_of(counts)


def text_of(counts: U8) -> str:
    return " ".join(name for name, n in zip(oracle.NAMES, counts.tolist(), strict=True) for _ in range(n))


# ---- bad input


def good(n: int = 3) -> tuple[U8, U8, U8]:
    return np.repeat(counts_of("123456789m1122p"), n, axis=0), np.zeros(n, np.uint8), np.zeros(n, np.uint8)


def faults(call: Callable[[], object]) -> list[str]:
    with pytest.raises(HandError) as caught:
        call()
    assert isinstance(caught.value, ValueError)
    return list(caught.value.faults)


def test_wrong_arrays_are_named_all_at_once() -> None:
    counts, wildcards, melds = good()
    listed: Any = [0, 0, 0]
    assert faults(lambda: shanten_array(counts.astype(np.int64), wildcards[:2], listed)) == [
        "counts has dtype int64, must be uint8",
        "melds is a list, must be a numpy array of dtype uint8 and shape (n,)",
    ]
    assert faults(lambda: shanten_array(counts, wildcards[:2], melds.astype(np.int8))) == [
        "wildcards has shape (2,), must be (3,)",
        "melds has dtype int8, must be uint8",
    ]
    assert faults(lambda: complete_array(counts[:, :33], wildcards, melds)) == [
        "counts has shape (3, 33), must be (n, 34)"
    ]
    assert faults(lambda: complete_array(counts[::2], wildcards[:2], melds[:2])) == [
        "counts is not C-contiguous; make it so with numpy.ascontiguousarray"
    ]
    assert faults(lambda: ukeire_array(counts, wildcards, melds, counts[0], 34)) == [
        "seen has shape (34,), must be (3, 34)",
        "laizi = 34, must be a kind from 0 to 33, an array of kinds or None",
    ]
    assert faults(lambda: ukeire_array(counts, wildcards, melds, None, u8(0, 34, 35))) == [
        "row 1: laizi = 34, must be 0 to 33"
    ]
    assert faults(lambda: ukeire_array(counts, wildcards, melds, None, np.zeros(3))) == [  # type: ignore[arg-type]
        "laizi has dtype float64 and shape (3,), must be whole numbers of shape (3,)"
    ]


def test_wrong_rows_are_named_with_all_their_faults() -> None:
    counts, wildcards, melds = good()
    counts[1, 4] = 200
    counts[2, 33] = 5
    wildcards[2] = 5
    melds[2] = 9
    assert faults(lambda: shanten_array(counts, wildcards, melds)) == [
        "row 1: counts[5m] = 200, at most 4",
        "row 1: 212 tiles (wildcards 0 among them) with 0 melds, must be 13 or 14",
        "row 2: counts[P] = 5, at most 4",
        "row 2: wildcards = 5, at most 4",
        "row 2: melds = 9, at most 4",
    ]
    counts, wildcards, melds = good(500)
    wildcards[100:] = 1
    found = faults(lambda: complete_array(counts, wildcards, melds, wild_game=False))
    assert found[0] == "row 100: wildcards = 1, must be 0 in a game without wildcards"
    assert len(found) == 9
    assert found[-1] == "(rows from 108 on not looked at)"


def test_wrong_rows_of_live_tiles() -> None:
    counts, wildcards, melds = good(2)
    seen = np.zeros((2, 34), np.uint8)
    seen[1, 9], seen[1, 20] = 3, 7
    assert faults(lambda: ukeire_array(counts, wildcards, melds, seen)) == [
        "row 1: seen[1p] = 3 with 2 in hand, together at most 4",
        "row 1: seen[3s] = 7 with 0 in hand, together at most 4",
    ]
    assert faults(lambda: discard_array(counts, wildcards, melds)) == [
        "row 0: 13 tiles (wildcards 0 among them) with 0 melds, must be 14",
        "row 1: 13 tiles (wildcards 0 among them) with 0 melds, must be 14",
    ]
    assert faults(lambda: ukeire_array(counts, wildcards, melds, None, u8(30, 0))) == [
        "row 1: counts[1m] = 1, must be 0: the wildcard kind's tiles go into wildcards"
    ]
    counts[0, 0], wildcards[0] = 0, 1
    assert faults(lambda: ukeire_array(counts, wildcards, melds)) == [
        "row 0: wildcards = 1, must be 0 in a game without wildcards"
    ]
    seen[:] = 0
    seen[0, 30] = 4
    assert faults(lambda: ukeire_array(counts, wildcards, melds, seen, 30)) == [
        "row 0: seen[N] = 4 with 1 in hand, together at most 4"
    ]


def test_every_bad_row_is_found() -> None:
    """One thing changed in one row of many: what is refused is exactly what cannot be."""
    rng = np.random.default_rng(43)
    for _ in range(400):
        hands = random_hands(rng, 5, 13)
        row, kind, value = (
            rng.integers(0, 5),
            rng.integers(0, 34),
            rng.choice([0, 1, 4, 5, 127, 128, 132, 133, 255]),
        )
        target = hands[rng.integers(0, 3)]
        target[(row, kind) if target.ndim == 2 else row] = value
        total = int(hands.counts[row].sum(dtype=int)) + int(hands.wildcards[row]) + 3 * int(hands.melds[row])
        fits = hands.counts[row].max() <= 4 and hands.wildcards[row] <= 4 and total in (13, 14)
        if fits:
            shanten_array(*hands[:3])
        else:
            assert faults(partial(shanten_array, *hands[:3]))[0].startswith(f"row {row}: ")


@pytest.mark.parametrize("kind", range(34))
def test_one_tile_too_many_of_any_kind(kind: int) -> None:
    counts, wildcards, melds = np.zeros((1, 34), np.uint8), u8(0), u8(0)
    other = [(kind + 7) % 34, (kind + 11) % 34]
    counts[0, [kind, *other]] = [5, 4, 4]  # 13 tiles all the same
    name = oracle.NAMES[kind]
    for call in (shanten_array, ukeire_array):
        assert faults(partial(call, counts, wildcards, melds)) == [f"row 0: counts[{name}] = 5, at most 4"]
    counts[0, [kind, other[0], (kind + 13) % 34]] = [2, 4, 3]
    seen = np.zeros((1, 34), np.uint8)
    seen[0, kind] = 2
    assert ukeire_array(counts, wildcards, melds, seen).shape == (1, 34)
    seen[0, kind] = 3
    text = f"row 0: seen[{name}] = 3 with 2 in hand, together at most 4"
    assert faults(lambda: ukeire_array(counts, wildcards, melds, seen)) == [text]
    counts[0, (kind + 13) % 34] = 4
    assert faults(lambda: discard_array(counts, wildcards, melds, seen)) == [text]


def test_no_rows() -> None:
    nothing = (np.zeros((0, 34), np.uint8), np.zeros(0, np.uint8), np.zeros(0, np.uint8))
    assert shanten_array(*nothing).shape == (0,)
    assert complete_array(*nothing).dtype == bool
    assert ukeire_array(*nothing, None, 3).shape == (0, 34)
    assert discard_array(*nothing, None, 3).shape == (0,)


def test_read_only_arrays_will_do() -> None:
    hand = good()
    for array in hand:
        array.flags.writeable = False
    assert shanten_array(*hand).tolist() == [0, 0, 0]
    assert ukeire_array(*hand, hand[0] * 0).sum(axis=1).tolist() == [4, 4, 4]


@pytest.mark.parametrize("counts", [bytes(33), bytes([5] + [0] * 33)])
def test_a_shape_that_cannot_be(counts: bytes) -> None:
    with pytest.raises(HandError, match="must be 34 counts of at most 4"):
        Shape(counts, 0, 4)
