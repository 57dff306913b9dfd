"""The distance tables: every suit against the oracle, and the known totals counted through the classes."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from math import comb
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

import oracle
from processes import environment
from wuhan_core._tables import table_bytes, table_sizes

Array = NDArray[np.int64]
SYSTEMS = [(head, fifth) for head in ("any", "258") for fifth in (True, False)]


class Tables(NamedTuple):
    suit: NDArray[np.uint8]
    honour: NDArray[np.uint16]
    merge: NDArray[np.uint16]
    missing: NDArray[np.uint8]


@cache
def tables(head: str, fifth: bool) -> Tables:
    raw = table_bytes(head == "258", fifth)
    n = table_sizes(head == "258", fifth)["classes"]
    return Tables(
        np.frombuffer(raw["suit"], np.uint8),
        np.frombuffer(raw["honour"], np.uint16),
        np.frombuffer(raw["merge"], np.uint16).reshape(n, n),
        np.frombuffer(raw["missing"], np.uint8).reshape(n, 5),
    )


@cache
def rows(ranks: int) -> Array:
    """Every count vector of up to 14 tiles."""
    digits = np.arange(5**ranks)[:, None] // 5 ** np.arange(ranks) % 5
    found: Array = digits[digits.sum(axis=1) <= 14]
    return found


def keys(counts: Array) -> Array:
    return counts @ 5 ** np.arange(counts.shape[-1])


# ---- every suit


def compare(counts: Array, head: oracle.Head, fifth: bool) -> None:
    """Tiles missing in one suit: alone, and beside a pair of another suit, which shows those for no head."""
    t = tables(str(head), fifth)
    classes = (t.suit if counts.shape[1] == 9 else t.honour)[keys(counts)].astype(int)
    pair = [0, 0, 0, 0, 2, 0, 0, 0, 0]
    beside = t.suit[keys(np.array(pair))]
    expected = oracle.suit_distances(counts, head, fifth)
    if counts.shape[1] == 7 and head == "258":  # two wildcards are such a pair, wherever they are counted
        expected[:, :, 1] = expected[:, :, 0] + 2
    wrong = np.flatnonzero((t.missing[classes] != expected[:, :, 1]).any(axis=1))
    assert not len(wrong), (counts[wrong[0]], t.missing[classes[wrong[0]]], expected[wrong[0]])
    other = oracle.suit_distances(np.array([pair]), head, fifth)
    expected = oracle.merged(expected, other)[:, :, 1]
    both = t.missing[t.merge[classes, beside]]
    wrong = np.flatnonzero((both != expected).any(axis=1))
    assert not len(wrong), (counts[wrong[0]], both[wrong[0]], expected[wrong[0]])


@pytest.mark.parametrize(("head", "fifth"), SYSTEMS)
def test_every_suit(head: oracle.Head, fifth: bool) -> None:
    assert len(rows(9)) == 405_350
    for part in np.array_split(rows(9), 8):
        compare(part, head, fifth)


@pytest.mark.parametrize(("head", "fifth"), SYSTEMS)
def test_every_honour_vector(head: oracle.Head, fifth: bool) -> None:
    assert len(rows(7)) == 43_130
    compare(rows(7), head, fifth)


# ---- known totals


def census(
    ranks: int, head: str, copies: tuple[int, ...] = (1, 4, 6, 4, 1), without: int | None = None
) -> Array:
    """Ways to hold a suit (9 ranks) or the honours (7), by class and tiles: (classes, 15).

    copies: ways to hold 0 to 4 of a kind. without: a rank that is the wildcard's.
    """
    t = tables(head, True)
    counts = rows(ranks)
    if without is not None:
        counts = counts[counts[:, without] == 0]
    out = np.zeros((len(t.merge), 15), np.int64)
    classes = (t.suit if ranks == 9 else t.honour)[keys(counts)].astype(int)
    np.add.at(out, (classes, counts.sum(axis=1)), np.array(copies)[counts].prod(axis=1))
    return out


def together(left: Array, right: Array, head: str) -> Array:
    """The census of two groups together."""
    merge = tables(head, True).merge
    out = np.zeros_like(left)
    some = np.flatnonzero(right.any(axis=1))
    for i in np.flatnonzero(left.any(axis=1)):
        spread = np.array([[left[i, t - u] if t >= u else 0 for t in range(15)] for u in range(15)])
        np.add.at(out, merge[i, some], right[some] @ spread)
    return out


def whole(suits: list[Array], head: str) -> Array:
    m, p, s, z = suits
    return together(together(m, p, head), together(s, z, head), head)


def complete(found: Array, head: str, wildcards: int = 0) -> int:
    """Ways to hold 14 tiles that are complete with so many wildcards among them."""
    return int(found[tables(head, True).missing[:, 4] == wildcards, 14 - wildcards].sum())


def test_one_suit_winners_by_size() -> None:
    t = tables("any", True)
    pair = {9: t.honour[2], 7: t.suit[2]}
    found = {}
    for ranks in (9, 7):
        classes = (t.suit if ranks == 9 else t.honour)[keys(rows(ranks))].astype(int)
        size = rows(ranks).sum(axis=1)
        with_pair = [((t.missing[classes, n] == 0) & (size == 3 * n + 2)).sum() for n in range(5)]
        # a pair of another suit takes the pair's place: sets alone are left to this one
        beside = t.merge[classes, pair[ranks]]
        sets_alone = [((t.missing[beside, n] == 0) & (size == 3 * n)).sum() for n in range(1, 5)]
        found[ranks] = with_pair, sets_alone
    assert found[9] == ([9, 135, 996, 4475, 13259], [16, 127, 627, 2098])
    assert found[7] == ([7, 42, 105, 140, 105], [7, 21, 35, 35])


@pytest.mark.parametrize(
    ("head", "hands", "deals"),
    [("any", 11_498_658, 11_353_128_141_498), ("258", 3_040_605, 2_734_758_329_160)],
)
def test_winners_over_34_kinds(head: str, hands: int, deals: int) -> None:
    suit, honours = census(9, head, (1,) * 5), census(7, head, (1,) * 5)
    assert complete(whole([suit, suit, suit, honours], head), head) == hands
    suit, honours = census(9, head), census(7, head)
    found = whole([suit, suit, suit, honours], head)
    assert found[:, 14].sum() == comb(136, 14)
    assert complete(found, head) == deals


def winning_deals(suits: list[Array]) -> list[int]:
    """Winning deals by wildcards held, of four."""
    found = whole(suits, "any")
    return [comb(4, wildcards) * complete(found, "any", wildcards) for wildcards in range(5)]


def test_winning_deals_of_hongzhong() -> None:
    suit, nothing = census(9, "any"), census(7, "any", (1, 0, 0, 0, 0))
    deals = winning_deals([suit, suit, suit, nothing])
    assert deals == [
        7_140_498_565_560,
        79_516_124_105_472,
        136_239_814_767_312,
        55_992_333_118_320,
        5_190_409_839_834,
    ]
    assert sum(deals) == 284_079_180_396_498


@pytest.mark.parametrize(
    ("suit", "rank", "total"),
    [("m", 4, 290_256_943_362_750), ("m", 0, 373_496_772_940_346), ("z", 0, 452_415_293_438_856)],
    ids=["rank 5", "rank 1", "honour"],
)
def test_winning_deals_with_wildcards(suit: str, rank: int, total: int) -> None:
    plain, honours = census(9, "any"), census(7, "any")
    if suit == "m":
        suits = [census(9, "any", without=rank), plain, plain, honours]
    else:
        suits = [plain, plain, plain, census(7, "any", without=rank)]
    assert sum(winning_deals(suits)) == total


# ---- size and building


@pytest.mark.parametrize(
    ("head", "fifth", "groups", "classes"),
    [("any", True, 114, 164), ("any", False, 130, 180), ("258", True, 248, 284), ("258", False, 257, 291)],
)
def test_sizes_are_those_of_the_architecture(head: str, fifth: bool, groups: int, classes: int) -> None:
    sizes = table_sizes(head == "258", fifth)
    assert (sizes["groups"], sizes["classes"]) == (groups, classes)
    assert sizes["suit"] == 5**9
    assert {name: len(table) for name, table in table_bytes(head == "258", fifth).items()} == {
        name: size for name, size in sizes.items() if name not in ("groups", "classes")
    }
    # what one question reads: one plane of `split`, and of the suits only keys that occur
    hot = sizes["honour"] + sizes["merge"] + sizes["missing"] + sizes["split"] // 5 + sizes["lowered"]
    assert hot < 750_000


def run(code: str) -> str:
    """What code prints in a process of its own, where no tables are yet."""
    command = [sys.executable, "-c", code]
    result = subprocess.run(command, env=environment(), capture_output=True, text=True, check=True)
    return result.stdout.strip()


def test_tables_are_built_at_first_use() -> None:
    seconds = run(
        "import time\n"
        "from wuhan_core._tables import table_sizes\n"
        "start = time.process_time(); table_sizes(); first = time.process_time() - start\n"
        "start = time.process_time(); table_sizes(); print(first, time.process_time() - start)"
    )
    first, again = map(float, seconds.split())
    assert again < first / 20  # some 0.05 s of a processor, and nothing


def test_threads_share_one_set_of_tables() -> None:
    answers = run(
        "import threading\n"
        "from concurrent.futures import ThreadPoolExecutor\n"
        "from wuhan_core._shape import Shape\n"
        "gate = threading.Barrier(8)\n"
        "def ask(i):\n"
        "    gate.wait()\n"
        "    return Shape(bytes([3, 1, 1, 1, 1, 1, 1, 1, 3] + [0] * 25), 0, 4, i % 2 == 0).useful()\n"
        "with ThreadPoolExecutor(8) as pool: print(*pool.map(ask, range(8)), sep=';')"
    )
    assert answers.split(";") == ["[0, 1, 2, 3, 4, 5, 6, 7, 8]"] * 8
