"""Hands a second with trivial bots in Python at one seat and at all four.

Goal: 2,000 hands a second on one core with one at one seat.
"""

from __future__ import annotations

import statistics
from typing import Any

import numpy as np
import pytest

from wuhan_core._play import play_hands
from wuhan_core.rules import load_rules

RULES = load_rules("yuanhang")
GOAL = 2_000


class First:
    """Takes the first legal action."""

    def act(self, observation: Any, legal: list[Any]) -> Any:
        return legal[0]


@pytest.mark.parametrize("seats", [1, 4])
def test_hands_per_second(benchmark: Any, seats: int) -> None:
    bots, count = [First] * seats + ["greedy"] * (4 - seats), 1500
    expected = play_hands(RULES, bots, 1, 0, count)
    records = benchmark.pedantic(play_hands, (RULES, bots, 1, 0, count), rounds=5, warmup_rounds=1)
    assert np.array_equal(records, expected)
    assert (records["points"].sum(axis=1) == 0).all()
    rate = count / statistics.median(benchmark.stats.stats.data)
    benchmark.extra_info.update(goal=GOAL, rate=round(rate))
    print(f"\n{seats} of 4 in Python: {rate:,.0f} hands a second (goal {GOAL:,} with one)")
