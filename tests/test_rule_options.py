"""RULES.md section 9: every option, its values, and what goes together."""

import json
import math
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from option_ranges import (
    BASES,
    CODES_DEFAULTS,
    FLAGS,
    HALVES,
    HONGXIN,
    HONGZHONG,
    LISTS,
    PATTERNS_DEFAULTS,
    RANGES,
    SHAPES,
    SHARED,
    TYPES,
    WORDS,
)
from rule_faults import faults
from wuhan_core.options import OPTIONS, Half, Whole
from wuhan_core.rules import RuleSet, load_rules


def set_with(name: str, value: Any) -> RuleSet:
    """A valid set of a model that has the option, with that value."""
    return RuleSet({**BASES[OPTIONS[name].models[0]], name: value})


def listed(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


# ---- the table -----------------------------------------------------------------------------------


def test_s9_every_option_and_no_other() -> None:
    stated = {*RANGES, *HALVES, *FLAGS, *WORDS, *LISTS}
    assert len(stated) == sum(map(len, (RANGES, HALVES, FLAGS, WORDS, LISTS)))
    assert set(OPTIONS) == stated
    for name, option in OPTIONS.items():
        assert option.name == name
        assert option.doc
        assert set(option.source.split()) <= {"yh", "bf", "nw", "lg", "hz", "hx", "pub", "ours"}
        assert option.source


def test_s9_options_belong_to_models() -> None:
    factors = {
        name for name in OPTIONS if name.split(".")[0] in ("win", "score", "cap", "liability")
    } - SHARED
    for name, option in OPTIONS.items():
        if name in SHARED:
            assert set(option.models) == {"factors", "codes", "patterns"}, name
        elif name == "deal.dead_wall":  # section 7: no option of codes
            assert set(option.models) == {"factors", "patterns"}
        elif name in factors:
            assert option.models == ("factors",), name
        else:
            assert option.models == (("codes",) if name in CODES_DEFAULTS else ("patterns",)), name


def test_s9_an_option_of_another_model_is_refused() -> None:
    checked = 0
    for model, base in BASES.items():
        for name, option in OPTIONS.items():
            if model not in option.models:
                (fault,) = faults(RuleSet, {**base, name: option.default})
                assert fault.startswith(f"{name} = ")
                assert f"is an option of score.model = {' or '.join(option.models)}, not of {model}" in fault
                assert faults(RuleSet(base).get, name)
                checked += 1
    assert checked > 100


@pytest.mark.parametrize("name", RANGES)
def test_s9_range(name: str) -> None:
    low, high = RANGES[name]
    kind = OPTIONS[name].kind
    assert isinstance(kind, Whole)
    assert (kind.low, kind.high) == (low, high)
    if name != "wild.skin_kinds":
        assert [set_with(name, value).get(name) for value in (low, high)] == [low, high]
    for value in (
        low - 1,
        high + 1,
        1.0,
        low + 0.5,
        True,
        str(high),
        None,
        [low],
        math.nan,
        math.inf,
        10**5000,
    ):
        (fault,) = faults(set_with, name, value)
        assert fault.startswith(f"{name} = ")
        assert fault.endswith(f", must be a whole number from {low} to {high}")


@pytest.mark.parametrize("name", sorted(HALVES))
def test_s9_halves(name: str) -> None:
    assert isinstance(OPTIONS[name].kind, Half)
    for value in (1, 1.5, 2, 2.0, 15.5, 16, Fraction(3, 2), np.float64(2.5), np.int64(3)):
        found = set_with(name, value).get(name)
        assert type(found) is float
        assert found == value
    for bad in (0.5, 16.5, 1.25, 1.51, 0, -2, 17, True, "1.5", None, math.nan, math.inf, -math.inf, 10**5000):
        (fault,) = faults(set_with, name, bad)
        assert fault.endswith(", must be a number from 1 to 16 in halves")


@pytest.mark.parametrize("name", sorted(FLAGS))
def test_s9_flag(name: str) -> None:
    values = (
        [False] if name == "claims.discard_win" and "factors" not in OPTIONS[name].models else [False, True]
    )
    assert [set_with(name, value).get(name) for value in values] == values
    bad: Any
    for bad in (0, 1, "true", None, [], 1.0):
        (fault,) = faults(set_with, name, bad)
        assert fault.endswith(", must be true or false")


@pytest.mark.parametrize("name", WORDS)
def test_s9_choice(name: str) -> None:
    kind = OPTIONS[name].kind
    assert [kind.check(word) for word in WORDS[name]] == list(WORDS[name])
    free = not name.startswith(
        ("deal.players", "deal.tiles", "deal.last", "wild.kind", "wild.ring", "score.model")
    )
    for word in WORDS[name] if free else ():
        assert set_with(name, word).get(name) == word
    bad: Any
    for bad in ("", "nothing", 3, 4.0, False, True, None, ["dealer"], 258, 10**5000):
        (fault,) = faults(set_with, name, bad)
        assert all(json.dumps(word) in fault for word in WORDS[name])


@pytest.mark.parametrize("name", LISTS)
def test_s9_list(name: str) -> None:
    words, kind = LISTS[name], OPTIONS[name].kind
    assert kind.check(words) == kind.check(list(words)) == kind.check(words[::-1]) == words
    assert kind.check([]) == ()
    bad: Any
    for bad in (words[0], [words[0], words[0]], ["nothing"], [1], [None], [[]], None, {words[0]: 1}, 5):
        (fault,) = faults(set_with, name, bad)
        assert ", must be a list, none twice, of " in fault
        assert all(word in fault for word in words)
    assert ('or "all"' in str(kind)) == (name == "win.head_258_free")


def test_s9_all_types_is_the_list_of_all_types() -> None:
    every = load_rules("yuanhang", {"win.head_258_free": "all"})
    assert every.get("win.head_258_free") == TYPES
    assert every == load_rules("yuanhang", {"win.head_258_free": list(TYPES)})
    assert faults(load_rules, "yuanhang", {"liability.third_meld": "all"})
    assert faults(load_rules, "yuanhang", {"win.head_258_free": ["all"]})


def test_numpy_integers_are_whole_numbers_and_numpy_bools_are_not() -> None:
    found = load_rules("yuanhang", {"cap.per_payer": np.int64(200), "deal.players": np.uint8(4)})
    assert type(found.get("cap.per_payer")) is type(found.get("deal.players")) is int
    assert found.id == load_rules("yuanhang", {"cap.per_payer": 200}).id
    assert faults(load_rules, "yuanhang", {"cap.per_payer": np.float64(200)})
    assert faults(load_rules, "yuanhang", {"cap.per_payer": np.bool_(True)})


# ---- what goes together --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "name", "value", "needed"),
    [
        ("factors", "deal.players", 2, "4"),
        ("factors", "deal.tiles", "suits_red", '"full"'),
        ("factors", "wild.kind", "red", '"after_indicator"'),
        ("factors", "wild.ring", "split", '"wuhan"'),
        ("codes", "deal.tiles", "full", '"suits_red"'),
        ("codes", "wild.kind", "after_indicator", '"red"'),
        ("codes", "claims.discard_win", True, "false"),
        ("codes", "deal.last_draws", 4, "0"),
        ("patterns", "deal.players", 2, "4"),
        ("patterns", "deal.tiles", "suits_red", '"full"'),
        ("patterns", "wild.kind", "red", '"after_indicator"'),
        ("patterns", "wild.ring", "wuhan", '"split"'),
        ("patterns", "wild.skin_kinds", 1, "0"),
    ],
)
def test_s9_combinations(model: str, name: str, value: object, needed: str) -> None:
    (fault,) = faults(RuleSet, {**BASES[model], name: value})
    assert fault == f"{name} = {json.dumps(value)}, must be {needed} under score.model = {model}"


def test_s9_last_draws_is_zero_or_the_players() -> None:
    assert load_rules("yuanhang", {"deal.last_draws": 0}).get("deal.last_draws") == 0
    assert RuleSet({**HONGXIN, "deal.last_draws": 4}).get("deal.last_draws") == 4
    (fault,) = faults(load_rules, "yuanhang", {"deal.last_draws": 2})
    assert fault == "deal.last_draws = 2, must be 0 or 4 (deal.players)"


@pytest.mark.parametrize(
    ("model", "allowed"),
    [
        ("factors", ("standard", "all_258", "all_winds")),
        ("codes", ("standard", "seven_pairs")),
        ("patterns", ("standard", "seven_pairs", "thirteen_lan", "nine_yao")),
    ],
)
def test_s9_shapes_by_model_and_never_empty(model: str, allowed: tuple[str, ...]) -> None:
    base = BASES[model]
    for size in range(len(SHAPES) + 1):
        for shapes in combinations(SHAPES, size):
            if shapes and set(shapes) <= set(allowed):
                assert RuleSet({**base, "win.shapes": shapes}).get("win.shapes") == shapes
            else:
                (fault,) = faults(RuleSet, {**base, "win.shapes": list(shapes)})
                assert fault.startswith(
                    f"win.shapes = {json.dumps(shapes)}, must be one or more of {', '.join(allowed)} "
                )


def test_s7_s8_the_other_models_fit_the_schema() -> None:
    for base, own, count in ((HONGZHONG, CODES_DEFAULTS, 18), (HONGXIN, PATTERNS_DEFAULTS, 19)):
        rules = RuleSet(base)
        assert len(rules.values) == count + len(own)
        assert {name: rules.get(name) for name in own} == own
        assert {name: listed(rules.get(name)) for name in base} == base
    extra: Any
    for extra in ({"deal.players": 2}, {"win.shapes": ["standard", "seven_pairs"]}, {"codes.all_in": True}):
        assert RuleSet({**HONGZHONG, **extra}).diff(RuleSet(HONGZHONG)).keys() == extra.keys()


def test_s7_codes_have_no_last_round_unless_one_is_named() -> None:
    assert "deal.last_draws" not in HONGZHONG
    assert RuleSet(HONGZHONG).get("deal.last_draws") == 0


def test_a_change_of_model_drops_the_options_of_the_old_one() -> None:
    changes = {**HONGZHONG, "deal.last_draws": 0}
    assert load_rules("yuanhang", changes) == RuleSet(HONGZHONG)
    assert load_rules("bianfeng", changes).get("table.fee") == 1  # belongs to every model: stays
    assert RuleSet(HONGZHONG).replace(
        {
            **HONGXIN,
            "deal.tiles": "full",
            "wild.kind": "after_indicator",
            "deal.next_dealer": "keep_on_win_or_exhausted",
        }
    ) == RuleSet(HONGXIN)
    found = faults(load_rules, "yuanhang", {"score.model": "codes", "cap.golden": 0})
    assert [fault.split(" = ")[0] for fault in found] == [
        *("cap.golden", "deal.tiles", "deal.last_draws", "wild.kind", "claims.discard_win", "win.shapes")
    ]
