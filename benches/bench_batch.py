"""Decisions a second on one core of hands stepped together, beside the compiled loop, `Table` and a peer.

Goal: 1,000,000 decisions a second and core with random legal actions. A decision includes drawing the action,
checking it, the step with all that follows (walls shuffled, hands dealt and scored), and the observation, the
legal actions, the rewards and records written for whoever is asked next. Not included: what a learner does.

Beside it, in the same run: the bot `random` in the compiled loop, which writes no observations; `Table` hand
by hand, with the same rows and masks; and PyPI's riichienv (a Rust riichi engine driven from Python) with its
observation objects. Processor time is what counts, so that neighbours matter less; ratios are what to quote.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
import riichi

from wuhan_core import Table, TableBatch, load_rules
from wuhan_core._machine import Machine
from wuhan_core._play import play_hands
from wuhan_core._wall import wall_of

RULES = load_rules("yuanhang")
GOAL = 1_000_000
DECISIONS = 2**18  # of one round


def per_second(play: Callable[[], int], clock: Callable[[], float] = time.process_time) -> float:
    """Decisions a second."""
    began = clock()
    decisions = play()
    return decisions / (clock() - began)


def step(batch: TableBatch, steps: int) -> int:
    for _ in range(steps):
        batch.step(batch.random_actions(1))
    return steps * len(batch)


def decisions_of_a_hand(hands: int = 200) -> float:
    """How often the compiled loop asks its bots, on average."""
    asked = 0
    for hand in range(hands):
        machine = Machine(RULES, wall_of(1, hand), seat_queues=True, seed=1, hand=hand)
        while not machine.done:
            machine.step(machine.choose("random"))
            asked += 1
    return asked / hands


def loop(hands: int = 4_000) -> int:
    """Hands, not decisions."""
    return len(play_hands(RULES, ["random"] * 4, 1, 0, hands, "fresh"))


def tables(hands: int = 40) -> int:
    rng, asked = random.Random(1), 0
    for hand in range(hands):
        table = Table(RULES, 1, hand, draws="wall", deal="fresh")
        while not table.done:
            table.row(table.seat)
            table.mask()
            table.step(rng.choice(table.legal()))
            asked += 1
    return asked


def check_answers(n: int) -> None:
    """Hands of a batch and of tables with the same actions end alike."""
    batch = TableBatch(RULES, n, seed=1, autoreset=False)
    hands = [Table(RULES, 1, hand, draws="wall", deal="fresh") for hand in range(n)]
    while not batch.done.all():
        actions = batch.random_actions(1)
        for slot in np.flatnonzero(~batch.done).tolist():
            assert np.array_equal(batch.observations[slot], hands[slot].row(hands[slot].seat))
            hands[slot].step(batch.decode(slot, int(actions[slot])))
        batch.step(actions)
    assert batch.records["points"].tolist() == [table.deltas for table in hands]


@pytest.mark.benchmark(timer=time.process_time)
@pytest.mark.parametrize("n", [64, 1024, 16384])
def test_decisions_per_second(benchmark: Any, n: int) -> None:
    check_answers(24)
    batch = TableBatch(RULES, n, seed=1)
    step(batch, 100)  # hands of all ages
    steps = DECISIONS // n
    benchmark.pedantic(step, (batch, steps), rounds=9, warmup_rounds=1)
    rate = steps * n / statistics.median(benchmark.stats.stats.data)
    best = steps * n / min(benchmark.stats.stats.data)
    others = {
        "compiled loop": decisions_of_a_hand() * per_second(loop),
        "Table": per_second(tables),
        "riichienv": per_second(lambda: riichi.play(30)),
    }
    benchmark.extra_info.update(goal=GOAL, rate=round(rate), best=round(best))
    benchmark.extra_info.update({name: round(other) for name, other in others.items()})
    beside = "; ".join(f"{name} {other:,.0f} (ratio {rate / other:.3g})" for name, other in others.items())
    print(f"\nn = {n}: {rate:,.0f} decisions/s, best {best:,.0f} (goal {GOAL:,}); {beside}")


def test_two_threads(benchmark: Any) -> None:
    """Goal: 1.6 times one thread or more with thousands of slots, where two cores are free."""
    batches = [TableBatch(RULES, 16384, seed=1, threads=threads) for threads in (1, 2)]
    ratios = []
    for _ in range(7):
        one, two = (per_second(partial(step, batch, 8), time.perf_counter) for batch in batches)
        ratios.append(two / one)
    benchmark.pedantic(step, (batches[1], 8), rounds=1)
    step(batches[0], 8)
    assert np.array_equal(batches[0].observations, batches[1].observations)
    benchmark.extra_info.update(goal=1.6, speed_up=round(statistics.median(ratios), 2))
    print(f"\ntwo threads: {statistics.median(ratios):.2f} times one (goal 1.6)")
