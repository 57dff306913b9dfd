"""The compiled scorer against the oracle on random finished hands: every Wuhan preset, and random options."""

from __future__ import annotations

import json
from random import Random

import pytest

from generate import finished_hand, random_options
from option_table import PRESETS
from oracle_points import Case, judge
from wuhan_core.rules import load_rules
from wuhan_core.scoring import score_cases

QUICK, LONG = 20_000, 1_000_000  # hands: of all presets together, of each preset
BATCH = 1_000


def random_cases(rules: str, seed: int, count: int) -> list[Case]:
    """Cases of a preset, every second one with random options."""
    rng = Random(f"{rules} {seed}")
    cases = []
    for number in range(count):
        overrides = random_options(rng) if number % 2 else {}
        chosen = {"set": overrides} if overrides else {}
        cases.append({"rules": rules} | chosen | finished_hand(rng, PRESETS[rules] | overrides))
    return cases


def compare(rules: str, hands: int) -> None:
    for seed in range(-(-hands // BATCH)):
        cases = random_cases(rules, seed, BATCH)
        for case, scored in zip(cases, score_cases(cases), strict=True):
            judged = judge(case, PRESETS[rules] | case.get("set", {}))
            differ = {name: (scored.get(name), judged.get(name)) for name in scored | judged}
            differ = {name: pair for name, pair in differ.items() if pair[0] != pair[1]}
            assert not differ, f"scored, judged: {differ}\n{json.dumps(case)}"


@pytest.mark.parametrize("rules", PRESETS)
def test_presets_are_the_option_table(rules: str) -> None:
    loaded = load_rules(rules)
    found = {name: loaded.get(name) for name in PRESETS[rules]}
    # lists have no order
    assert {k: set(v) if isinstance(v, tuple) else v for k, v in found.items()} == {
        k: set(v) if isinstance(v, tuple) else v for k, v in PRESETS[rules].items()
    }


@pytest.mark.parametrize("rules", PRESETS)
def test_scorer_agrees_with_the_oracle(rules: str) -> None:
    compare(rules, QUICK // len(PRESETS))


@pytest.mark.slow
@pytest.mark.parametrize("rules", PRESETS)
def test_scorer_agrees_with_the_oracle_on_a_million_hands(rules: str) -> None:
    compare(rules, LONG)
