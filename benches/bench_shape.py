"""The shape kernels on one core: nanoseconds a hand, beside their goals and a peer in the same run.

Goals, in nanoseconds: win check and shanten from kept keys 5, with any number of wildcards; useful tiles with
shanten 50; best discard 250; a row of an array from 34 counts 25; one hand from Python 150, and at least 1.8
times faster than PyPI's riichienv; checking an array costs at most 20 %. Times are medians of passes over
20,000 random hands, in processor time, so that a neighbour takes less away. Instruction counts, which do not
stray, are callgrind.py's.
"""

from __future__ import annotations

import statistics
import time
import timeit
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from build_loops import load_loops

import oracle
from random_hands import deal, wild_hands
from wuhan_core._shape import Shape, complete_array, discard_array, shanten_array, shanten_of, ukeire_array
from wuhan_core.hand import Hand, shanten

LOOPS = load_loops()
N = 20_000
pytestmark = pytest.mark.benchmark(timer=time.thread_time)
THIRTEEN, FOURTEEN = (wild_hands(np.random.default_rng(tiles), N, tiles) for tiles in (13, 14))
KEPT = {13: LOOPS.Hands(*THIRTEEN), 14: LOOPS.Hands(*FOURTEEN)}


def timed(benchmark: Any, call: Callable[[], object], goal: float, per: int = N) -> Any:
    """Time `call`, print nanoseconds per hand beside the goal, and return what it returned."""
    answer = benchmark.pedantic(call, rounds=51, warmup_rounds=2)
    took = statistics.median(benchmark.stats.stats.data) / per * 1e9
    benchmark.extra_info.update(goal_ns=goal, ns=round(took, 2))
    print(f"\n{benchmark.name}: {took:.1f} ns (goal {goal:g})")
    return answer


def test_oracle_agrees() -> None:
    """What the benches assert comes from the array functions; here a part of it against the oracle."""
    for counts, wildcards, melds, laizi in (THIRTEEN, FOURTEEN):
        few, wild, none = (np.ascontiguousarray(array[:2000]) for array in (counts, wildcards, melds))
        expected = oracle.shantens(few, wild.astype(int), none, True)
        assert np.array_equal(shanten_array(few, wild, none), expected)
        if counts is THIRTEEN[0]:
            useful = oracle.usefuls(few, wild.astype(int), none, laizi[:2000])
            assert np.array_equal(ukeire_array(few, wild, none, None, laizi[:2000]) > 0, useful)


# ---- from kept keys


@pytest.mark.parametrize("wildcards", [None, 0, 1, 2, 3, 4])
def test_win_check(benchmark: Any, wildcards: int | None) -> None:
    """wildcards: None as dealt, else so many in every hand, for natural tiles taken out."""
    arrays = FOURTEEN
    if wildcards is not None:
        counts = deal(np.random.default_rng(wildcards), N, 14 - wildcards)
        arrays = arrays._replace(counts=counts, wildcards=np.full(N, wildcards, np.uint8))
    kept = LOOPS.Hands(*arrays)
    assert timed(benchmark, lambda: kept.run("complete"), 5) == complete_array(*arrays[:3]).sum()


def shape(row: np.ndarray, wildcards: int, head_258: bool) -> Shape:
    return Shape(row.tobytes(), int(wildcards), 4, True, head_258)


@pytest.mark.parametrize("head_258", [False, True])
def test_shanten(benchmark: Any, head_258: bool) -> None:
    total = timed(benchmark, lambda: KEPT[14].run("shanten", head_258), 5)
    assert total == sum(shape(*hand, head_258).shanten() for hand in zip(*FOURTEEN[:2], strict=True))


@pytest.mark.parametrize("head_258", [False, True])
def test_useful_tiles_with_shanten(benchmark: Any, head_258: bool) -> None:
    total = timed(benchmark, lambda: KEPT[13].run("useful", head_258), 50)
    expected = 0
    for row, wildcards, _, laizi in zip(*THIRTEEN, strict=True):
        asked = shape(row, wildcards, head_258)
        expected += asked.shanten() + len({*asked.useful()} - {laizi})
    assert total == expected


def discard_by_trying(row: np.ndarray, wildcards: int, laizi: int, head_258: bool) -> int:
    """The kind that leaves the lowest shanten, then most live useful tiles, then the highest kind."""
    found = []
    for kind in np.flatnonzero(row):
        rest = row.copy()
        rest[kind] -= 1
        asked = shape(rest, wildcards, head_258)
        live = sum(4 - int(row[k]) for k in asked.useful() if k != laizi)
        found.append((-asked.shanten(), live, kind))
    return int(max(found)[2])


@pytest.mark.parametrize("head_258", [False, True])
def test_best_discard(benchmark: Any, head_258: bool) -> None:
    timed(benchmark, lambda: KEPT[14].run("discard", head_258), 250)
    few = LOOPS.Hands(*(array[:1000] for array in FOURTEEN))
    hands = zip(*(FOURTEEN[i][:1000] for i in (0, 1, 3)), strict=True)
    tried = (discard_by_trying(row, wildcards, laizi, head_258) for row, wildcards, laizi in hands)
    assert few.run("discard", head_258) == sum(tried)


# ---- from 34 counts


def test_row_shanten(benchmark: Any) -> None:
    found = timed(benchmark, lambda: shanten_array(*FOURTEEN[:3]), 25)
    assert np.sum(found, dtype=int) == KEPT[14].run("shanten")


def test_row_win_check(benchmark: Any) -> None:
    found = timed(benchmark, lambda: complete_array(*FOURTEEN[:3]), 25)
    assert np.sum(found) == KEPT[14].run("complete")


def test_row_useful_tiles(benchmark: Any) -> None:
    found = timed(benchmark, lambda: ukeire_array(*THIRTEEN[:3], None, THIRTEEN[3]), 50 + 25)
    assert np.shape(found) == (N, 34)


def test_row_best_discard(benchmark: Any) -> None:
    found = timed(benchmark, lambda: discard_array(*FOURTEEN[:3], None, FOURTEEN[3]), 250 + 25)
    assert np.sum(found, dtype=int) == KEPT[14].run("discard")


@pytest.mark.parametrize("call", [shanten_array, complete_array])
def test_checking_costs_little(benchmark: Any, call: Callable[..., np.ndarray]) -> None:
    """Goal: at most 20 % more than without checks. Pairs of passes in turn; the median of their ratios."""
    arrays = FOURTEEN[:3]

    def seconds(check: bool) -> float:
        return min(timeit.repeat(lambda: call(*arrays, check=check), number=5, repeat=3))

    ratio = statistics.median(seconds(True) / seconds(False) for _ in range(15))
    benchmark.pedantic(call, arrays, rounds=3)
    benchmark.extra_info.update(goal=1.2, ratio=round(ratio, 3))
    print(f"\nchecking: {ratio:.2f} times unchecked (goal 1.2)")
    assert np.array_equal(call(*arrays), call(*arrays, check=False))


def test_two_threads_give_twice_one(benchmark: Any) -> None:
    """Goal: 1.8 times one thread, where two cores are free: the GIL is released."""
    counts, wildcards, melds, _ = FOURTEEN
    arrays = np.tile(counts, (20, 1)), np.tile(wildcards, 20), np.tile(melds, 20)

    def spread(workers: int) -> float:
        began = time.perf_counter()
        with ThreadPoolExecutor(workers) as pool:
            answers = list(pool.map(lambda _: shanten_array(*arrays), range(8)))
        took = time.perf_counter() - began
        assert all(np.array_equal(answer, answers[0]) for answer in answers)
        return took

    spread(2)
    ratio = statistics.median(spread(1) / spread(2) for _ in range(5))
    benchmark.pedantic(spread, (2,), rounds=1)
    benchmark.extra_info.update(goal=1.8, speed_up=round(ratio, 2))
    print(f"\ntwo threads: {ratio:.2f} times one (goal 1.8)")


# ---- one hand from Python, beside a peer


def test_one_hand_from_python(benchmark: Any) -> None:
    """Goals: 150 ns, and 1.8 times faster than riichienv's calculate_shanten, a Rust kernel under Python.

    The peer gets a list of tile numbers and looks at the riichi forms too. Two of ours: a Hand that was read
    before, and 34 counts as bytes.
    """
    text = "245568m245568p7s"
    counts = bytes(oracle.counts_of(oracle.parse(text)))
    names: dict[str, Any] = {
        "shanten": shanten,
        "hand": Hand.parse(text, laizi="9s"),
        "of": shanten_of,
        "counts": counts,
    }
    answer = timed(benchmark, lambda: [shanten(names["hand"]) for _ in range(100)], 150, 100)
    assert answer == [3] * 100
    assert shanten_of(counts, 0, 0) == 3
    peer = pytest.importorskip("riichienv", reason="PyPI's riichienv is not installed: no ratio to a peer")
    tiles = [4 * kind + copy for kind in range(34) for copy in range(counts[kind])]
    assert peer.calculate_shanten(tiles) == 3
    names |= {"peer": peer.calculate_shanten, "tiles": tiles}

    def nanoseconds(statement: str) -> float:
        return min(timeit.repeat(statement, globals=names, number=20_000, repeat=7)) / 20_000 * 1e9

    kept, fresh, other = map(nanoseconds, ("shanten(hand)", "of(counts, 0, 0)", "peer(tiles)"))
    benchmark.extra_info.update(goal_ratio=1.8, kept=round(kept), fresh=round(fresh), peer=round(other))
    print(f"\none hand: {kept:.0f} ns, from counts {fresh:.0f} ns; riichienv {other:.0f} ns;", end=" ")
    print(f"ratios {other / kept:.1f} and {other / fresh:.1f} (goal 1.8)")
