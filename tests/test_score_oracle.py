"""The compiled scorer against the oracles on random finished hands: every preset, and random options."""

from __future__ import annotations

import copy
import json
from random import Random
from typing import Any

import pytest

from case_maker import Case, golden
from oracle_others import judge
from random_cases import VALUES, random_cases
from wuhan_core.scoring import score_case, score_cases

OTHERS = golden("others")
BATCH = 1_000
BATCHES = {"factors": 4, "codes": 7, "patterns": 7}  # of each preset of a model
LONG = 1_000  # the same


def differences(answer: Case, other: Case) -> dict[str, tuple[object, object]]:
    pairs = {name: (answer.get(name, "absent"), other.get(name, "absent")) for name in answer | other}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


def test_golden_cases_of_the_other_models_agree_on_every_field() -> None:
    wrong = {
        f"line {number}": differences(answer, case["expect"])
        for number, (case, answer) in enumerate(zip(OTHERS, score_cases(OTHERS), strict=True), 1)
        if answer != case["expect"]
    }
    assert not wrong
    assert len(OTHERS) == 320


@pytest.mark.parametrize("turn", [1, 2, 3])
def test_turning_the_seats_of_the_other_models_turns_the_answer(turn: int) -> None:
    for case in OTHERS:
        n = len(case["players"])

        def turned(row: list[Any], n: int = n) -> list[Any]:
            return [row[(seat - turn) % n] for seat in range(n)]

        after = copy.deepcopy(case)
        after["dealer"] = (after["dealer"] + turn) % n
        for where in [after["win"], *(each for player in after["players"] for each in player["melds"])]:
            for key in ("from", "winner"):
                if where.get(key) is not None:
                    where[key] = (where[key] + turn) % n
        after["players"] = turned(after["players"])
        expected = dict(case["expect"])
        expected |= {key: turned(expected[key]) for key in ("owed", "deltas", "kongs") if key in expected}
        if expected.get("liable") is not None:
            expected["liable"] = (expected["liable"] + turn) % n
        assert score_case(after) == expected


def compare(rules: str, batches: int) -> None:
    for seed in range(batches):
        cases = list(random_cases(Random(f"{rules} {seed}"), rules, BATCH))
        for case, scored in zip(cases, score_cases(cases), strict=True):
            differ = differences(scored, judge(case, VALUES[rules] | case.get("set", {})))
            assert not differ, f"scored, judged: {differ}\n{json.dumps(case)}"


@pytest.mark.parametrize("rules", VALUES)
def test_scorer_agrees_with_the_oracle(rules: str) -> None:
    compare(rules, BATCHES[str(VALUES[rules]["score.model"])])


@pytest.mark.slow
@pytest.mark.parametrize("rules", VALUES)
def test_scorer_agrees_with_the_oracle_on_a_million_hands(rules: str) -> None:
    compare(rules, LONG)
