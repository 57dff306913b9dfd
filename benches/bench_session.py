"""Hands a second of sessions beside plain play of the same bots, in the same run.

Goal: 0.8 of the plain speed. "Counted" is `sessions` with one worker: statistics and snapshots included.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

import pytest

from wuhan_core._play import play_hands
from wuhan_core._session import play_sessions
from wuhan_core.rules import load_rules
from wuhan_sim import Task, sessions

RULES = load_rules("yuanhang")
BOTS = {"greedy": ("greedy",) * 4, "mixed": ("greedy", "random", "greedy", "random")}
GOAL = 0.8
COUNT, HANDS = 400, 100


def rate(play: Callable[[], int]) -> float:
    """Hands a second."""
    began = time.perf_counter()
    hands = play()
    return hands / (time.perf_counter() - began)


@pytest.mark.parametrize("deal", ["rotated", "fresh"])
@pytest.mark.parametrize("bots", BOTS)
@pytest.mark.parametrize("bankroll", [None, 20_000])
def test_sessions_beside_plain_play(benchmark: Any, bots: str, deal: str, bankroll: int | None) -> None:
    expected = play_sessions(RULES, BOTS[bots], 1, 0, COUNT, HANDS, bankroll, deal)[0]
    held = int(expected["hands"].sum())

    def plain() -> int:
        return len(play_hands(RULES, BOTS[bots], 1, 0, held, deal))

    def alone() -> int:
        found = play_sessions(RULES, BOTS[bots], 1, 0, COUNT, HANDS, bankroll, deal)[0]
        assert (found == expected).all()
        return held

    def counted() -> int:
        task = Task(RULES, BOTS[bots], 1, 1, deal)
        assert sessions(task, HANDS, bankroll, COUNT, workers=1, shard_sessions=COUNT).hands == held
        return held

    pairs = [(rate(plain), rate(alone), rate(counted)) for _ in range(7)]
    loop = statistics.median(b / a for a, b, _ in pairs)
    whole = statistics.median(c / a for a, _, c in pairs)
    benchmark.pedantic(alone, rounds=1)
    benchmark.extra_info.update(goal=GOAL, loop=round(loop, 2), counted=round(whole, 2))
    print(
        f"\n{bots}, {deal}, bankroll {bankroll}: {loop:.2f} of plain play, counted {whole:.2f} (goal {GOAL})"
    )
