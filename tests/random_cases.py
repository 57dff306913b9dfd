"""Random option values and random cases (RULES.md section 10) of any preset."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import generate
import generate_others
from option_table import OTHER_PRESETS, PRESETS
from wuhan_core.rules import RuleSet, load_rules

VALUES = PRESETS | OTHER_PRESETS
TABLES = {"factors": generate.Table, **generate_others.TABLES}


def model_of(rules: str) -> str:
    return str(VALUES[rules]["score.model"])


def random_overrides(rng: Random, rules: str) -> dict[str, Any]:
    """Overrides of a preset, all of them legal; often none or few, at times many."""
    model = model_of(rules)
    return generate.random_options(rng) if model == "factors" else generate_others.random_options(rng, model)


def random_rules(rng: Random, number: int) -> RuleSet:
    """A preset with random overrides, of each model in turn; of the Wuhan family twice as often."""
    wuhan = ("yuanhang", "bianfeng-new", "laizigang", "qipi")
    preset = (rng.choice(wuhan), rng.choice(wuhan), "hongzhong", "hongxin")[number % 4]
    return load_rules(preset, random_overrides(rng, preset))


def random_case(rng: Random, rules: str, overrides: Mapping[str, object]) -> dict[str, Any]:
    """A finished hand under a preset with overrides."""
    hand = generate.finished_hand(rng, {**VALUES[rules], **overrides}, TABLES[model_of(rules)])
    return {"rules": rules, "set": overrides} | hand


def random_cases(rng: Random, rules: str, count: int) -> Iterator[dict[str, Any]]:
    """Cases of a preset, every second one with random overrides."""
    for number in range(count):
        overrides = random_overrides(rng, rules) if number % 2 else {}
        case = random_case(rng, rules, overrides)
        yield case if overrides else {name: value for name, value in case.items() if name != "set"}
