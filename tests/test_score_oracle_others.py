"""The compiled scorer of Hongzhong and Hongxin: the golden cases, and the oracle on random finished hands."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from generate import finished_hand
from generate_others import TABLES, random_options
from option_table import OTHER_PRESETS
from oracle_others import judge
from wuhan_core.scoring import score_case, score_cases

GOLDEN: list[dict[str, Any]] = [
    json.loads(line)
    for line in (Path(__file__).parent / "golden" / "others.jsonl").read_text(encoding="utf-8").splitlines()
]
QUICK, LONG = 20_000, 1_000_000  # hands: of all presets together, of each preset
BATCH = 1_000


def differences(answer: dict[str, Any], other: dict[str, Any]) -> dict[str, tuple[object, object]]:
    pairs = {name: (answer.get(name, "absent"), other.get(name, "absent")) for name in answer | other}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


def test_golden_cases_agree_on_every_field() -> None:
    wrong = {
        f"line {number}": differences(answer, case["expect"])
        for number, (case, answer) in enumerate(zip(GOLDEN, score_cases(GOLDEN), strict=True), 1)
        if answer != case["expect"]
    }
    assert not wrong
    assert len(GOLDEN) == 320


@pytest.mark.parametrize("rules", OTHER_PRESETS)
@pytest.mark.parametrize("turn", [1, 2, 3])
def test_turning_the_seats_turns_the_answer(rules: str, turn: int) -> None:
    for case in (case for case in GOLDEN if case["rules"] == rules):
        n = len(case["players"])
        turned = copy.deepcopy(case)
        turned["dealer"] = (case["dealer"] + turn) % n
        for where in [turned["win"], *(each for player in turned["players"] for each in player["melds"])]:
            for key in ("from", "winner"):
                if where.get(key) is not None:
                    where[key] = (where[key] + turn) % n
        turned["players"] = [turned["players"][(seat - turn) % n] for seat in range(n)]
        expected = copy.deepcopy(case["expect"])
        for key in {"owed", "deltas", "kongs"} & expected.keys():
            expected[key] = [expected[key][(seat - turn) % n] for seat in range(n)]
        if expected.get("liable") is not None:
            expected["liable"] = (expected["liable"] + turn) % n
        assert score_case(turned) == expected


def random_cases(rules: str, seed: int, count: int) -> list[dict[str, Any]]:
    """Cases of a preset, every second one with random options."""
    rng = Random(f"{rules} {seed}")
    table = TABLES[str(OTHER_PRESETS[rules]["score.model"])]
    cases = []
    for number in range(count):
        overrides = random_options(rng, str(OTHER_PRESETS[rules]["score.model"])) if number % 2 else {}
        chosen = {"set": overrides} if overrides else {}
        cases.append({"rules": rules} | chosen | finished_hand(rng, OTHER_PRESETS[rules] | overrides, table))
    return cases


def compare(rules: str, hands: int) -> None:
    for seed in range(-(-hands // BATCH)):
        cases = random_cases(rules, seed, BATCH)
        for case, scored in zip(cases, score_cases(cases), strict=True):
            differ = differences(scored, judge(case, OTHER_PRESETS[rules] | case.get("set", {})))
            assert not differ, f"scored, judged: {differ}\n{json.dumps(case)}"


@pytest.mark.parametrize("rules", OTHER_PRESETS)
def test_scorer_agrees_with_the_oracle(rules: str) -> None:
    compare(rules, QUICK // len(OTHER_PRESETS))


@pytest.mark.slow
@pytest.mark.parametrize("rules", OTHER_PRESETS)
def test_scorer_agrees_with_the_oracle_on_a_million_hands(rules: str) -> None:
    compare(rules, LONG)
