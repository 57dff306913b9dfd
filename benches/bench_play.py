"""Whole hands a second on one core, beside a peer in the same run.

Goals: random bots 200,000 hands a second (aim 300,000), greedy bots 60,000 (aim 100,000), planner 30,000,
careful 20,000, on one core.
Machines differ and are noisy: the ratio to the peer is what to quote. The peer is PyPI's riichienv (a Rust
riichi engine driven from Python, random agents), the fastest mahjong environment that pip installs; one hand
of riichi is a comparable amount of play.
"""

from __future__ import annotations

import statistics
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
import riichi

from wuhan_core._play import play_hands
from wuhan_core.rules import load_rules

RULES = load_rules("yuanhang")
GOALS = {"random": 200_000, "greedy": 60_000, "planner": 30_000, "careful": 20_000}
HANDS = {"random": 40_000, "greedy": 15_000, "planner": 6_000, "careful": 4_000}


def peer_hands(count: int) -> float:
    """Seconds that riichienv needs for `count` hands of random play."""
    began = time.perf_counter()
    riichi.play(count)
    return time.perf_counter() - began


@pytest.mark.parametrize("bot", list(GOALS))
def test_hands_per_second(benchmark: Any, bot: str) -> None:
    count = HANDS[bot]
    expected = play_hands(RULES, [bot] * 4, 1, 0, count)
    records = benchmark.pedantic(play_hands, (RULES, [bot] * 4, 1, 0, count), rounds=5, warmup_rounds=1)
    assert np.array_equal(records, expected)
    assert (records["points"].sum(axis=1) == 0).all()
    rate = count / statistics.median(benchmark.stats.stats.data)
    peer = 30 / peer_hands(30)
    ratio = rate / peer
    benchmark.extra_info.update(goal=GOALS[bot], rate=round(rate), peer=round(peer), ratio=round(ratio))
    print(f"\n{bot}: {rate:,.0f} hands/s (goal {GOALS[bot]:,}); riichienv {peer:,.0f}; ratio {ratio:,.0f}")


def test_two_threads_give_twice_one(benchmark: Any) -> None:
    """Goal: 1.8 times one thread or more, where two cores are free."""
    whole = play_hands(RULES, ["greedy"] * 4, 1, 0, 20_000)

    def spread(workers: int) -> float:
        began = time.perf_counter()
        with ThreadPoolExecutor(workers) as pool:
            parts = list(pool.map(lambda at: play_hands(RULES, ["greedy"] * 4, 1, at * 2500, 2500), range(8)))
        took = time.perf_counter() - began
        assert np.array_equal(np.concatenate(parts), whole)
        return took

    spread(2)
    ratios = [spread(1) / spread(2) for _ in range(5)]
    benchmark.pedantic(spread, (2,), rounds=1)
    benchmark.extra_info.update(goal=1.8, speed_up=round(statistics.median(ratios), 2))
    print(f"\ntwo threads: {statistics.median(ratios):.2f} times one (goal 1.8)")
