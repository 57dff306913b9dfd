"""Scoring. Goals: a win 300 ns; `score_cases` 50,000 a second; records under other caps 1,000,000 a second.

The floor in the same run is json.loads of the same cases: whoever has cases as text pays it anyhow.
"""

from __future__ import annotations

import json
import statistics
import time
from typing import Any

import numpy as np
import pytest
from build_loops import load_loops

from case_maker import golden
from machines import dealt
from wuhan_core import load_rules, rescore, score_cases
from wuhan_core._machine import Machine
from wuhan_core._play import play_hands


def finished(preset: str, count: int) -> list[Machine]:
    """Machines that have just been won."""
    rules = load_rules(preset)
    won: list[Machine] = []
    number = 0
    while len(won) < count:
        machine = Machine(rules, dealt(rules, 1, number))
        while not machine.done:
            machine.step(machine.choose("greedy"))
        result = machine.result()
        if result is not None and len(result["winners"]) == 1:
            won.append(machine)
        number += 1
    return won


@pytest.mark.parametrize("preset", ["yuanhang", "laizigang", "hongzhong", "hongxin"])
def test_a_win(benchmark: Any, preset: str) -> None:
    machines = finished(preset, 200)
    results = [machine.result() for machine in machines]
    expected = sum(result["deltas"][result["winner"]] for result in results if result)
    score_again = load_loops("score_loops").score_again
    assert benchmark.pedantic(score_again, (machines, 100), rounds=9, warmup_rounds=1) == 100 * expected
    nanoseconds = statistics.median(benchmark.stats.stats.data) / (200 * 100) * 1e9
    benchmark.extra_info.update(goal=300, nanoseconds=round(nanoseconds))
    print(f"\n{preset}: a win scored in {nanoseconds:.0f} ns (goal 300)")


@pytest.mark.parametrize("name", ["wuhan", "others"])
def test_cases(benchmark: Any, name: str) -> None:
    cases = golden(name)
    lines = [json.dumps(case) for case in cases]
    answers = benchmark.pedantic(score_cases, (cases,), rounds=9, warmup_rounds=1)
    assert all(answer == case["expect"] for answer, case in zip(answers, cases, strict=True))
    rate = len(cases) / statistics.median(benchmark.stats.stats.data)
    began = time.perf_counter()
    for line in lines:
        json.loads(line)
    floor = len(cases) / (time.perf_counter() - began)
    benchmark.extra_info.update(goal=50_000, rate=round(rate), floor=round(floor))
    print(f"\n{name}: {rate:,.0f} cases a second (goal 50,000), {rate / floor:.1f} times json.loads of them")


def test_records(benchmark: Any) -> None:
    played = load_rules("yuanhang")
    rules = played.replace({"cap.per_payer": 400})
    records = play_hands(played, ["greedy"] * 4, 1, 0, 50_000, "fresh")
    again = benchmark.pedantic(rescore, (records, rules), {"played": played}, rounds=5, warmup_rounds=1)
    assert (again["points"].sum(axis=1) == 0).all()
    assert again["capped"].max() == 400
    assert np.array_equal(again["owed"], records["owed"])
    rate = len(records) / statistics.median(benchmark.stats.stats.data)
    benchmark.extra_info.update(goal=1_000_000, rate=round(rate))
    print(f"\nrecords: {rate:,.0f} a second (goal 1,000,000)")
