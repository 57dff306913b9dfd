"""Playouts a second of the bot `search`, beside whole hands of the bot that plays them out.

Goal: 1.2 playouts in the time of a hand (a playout is what is left of a hand, from a world dealt anew). The
floor in the same run is the hand loop with the planner at every seat.
"""

from __future__ import annotations

import time
from typing import Any

from wuhan_core._machine import Machine
from wuhan_core._play import play_hands
from wuhan_core._wall import wall_of
from wuhan_core.rules import load_rules

RULES = load_rules("yuanhang")
HANDS, GOAL = 12, 1.2


def playouts() -> tuple[int, float]:
    """Playouts at every question of some hands, and the seconds that they took."""
    count, seconds = 0, 0.0
    for number in range(HANDS):
        machine = Machine(RULES, wall_of(5, number), 0, True, 5, number)
        while not machine.done:
            began = time.perf_counter()
            weighed = machine.weigh("search")
            seconds += time.perf_counter() - began
            count += sum(tried for _, tried, _ in weighed)
            machine.step(machine.choose("planner"))
    return count, seconds


def test_playouts_per_second(benchmark: Any) -> None:
    again, _ = playouts()
    count, seconds = benchmark.pedantic(playouts, rounds=1, warmup_rounds=0)
    assert count == again > 1000
    began = time.perf_counter()
    records = play_hands(RULES, ["planner"] * 4, 5, 0, 4000)
    hands = len(records) / (time.perf_counter() - began)
    rate = count / seconds
    benchmark.extra_info.update(goal=GOAL, playouts=round(rate), ratio=round(rate / hands, 2))
    print(f"\nsearch: {rate:,.0f} playouts/s; planner {hands:,.0f} hands/s; {rate / hands:.2f} (goal {GOAL})")
