"""RULES.md section 9: presets and rule sets."""

import copy
import hashlib
import json
import pickle
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import FrozenInstanceError
from importlib.resources import files
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from option_ranges import ALL_PRESETS, FLAGS, HALVES, HONGZHONG, LISTS, RANGES, SHAPES, TYPES, WORDS
from option_table import PRESETS
from rule_faults import faults, loaded_or_faults
from wuhan_core.options import OPTIONS
from wuhan_core.rules import Preset, RuleSet, load_rules, parse_override, preset_names

# ---- presets -------------------------------------------------------------------------------------


def test_s9_the_presets_the_default_first() -> None:
    assert preset_names() == ("yuanhang", *sorted(ALL_PRESETS.keys() - {"yuanhang"}))


@pytest.mark.parametrize("preset", ALL_PRESETS)
def test_s9_table(preset: str) -> None:
    rules = load_rules(preset)
    assert dict(rules.values) == ALL_PRESETS[preset]
    assert [type(value) for value in rules.values.values()] == [
        float if name in HALVES else type(ALL_PRESETS[preset][name]) for name in rules.values
    ]


@pytest.mark.parametrize("preset", ["yuanhang", "hongzhong", "hongxin"])
def test_s9_the_file_that_a_model_goes_by_names_every_option(preset: str) -> None:
    text = files("wuhan_core").joinpath(f"presets/{preset}.toml").read_text(encoding="utf-8")
    named = re.findall(r"^(\w+) =", text.split("[deal]")[1], re.MULTILINE)
    assert len(named) == len(load_rules(preset).values)


def test_s9_what_is_not_named_is_as_in_yuanhang() -> None:
    assert RuleSet({}) == load_rules("yuanhang")


@pytest.mark.parametrize("preset", ALL_PRESETS)
def test_presets_have_name_aliases_titles_and_source(preset: str) -> None:
    head = load_rules(preset).preset
    assert head.name == preset
    assert head.title_zh
    assert not head.title_zh.isascii()
    assert head.title_en
    assert head.source
    for alias in head.aliases:
        assert load_rules(alias).preset is head


def test_no_name_or_alias_twice() -> None:
    words = [word for name in preset_names() for word in (name, *load_rules(name).preset.aliases)]
    assert len(words) == len(set(words)) > 6


@pytest.mark.parametrize("name", ["yuanhng", "", "YUANHANG", "x" * 10**6])
def test_unknown_preset_names_the_nearest_and_all(name: str) -> None:
    (fault,) = faults(load_rules, name)
    assert fault.startswith("unknown preset ")
    assert ", ".join(preset_names()) in fault
    if name.lower() in ("yuanhng", "yuanhang"):
        assert "the nearest is yuanhang;" in fault


@pytest.mark.parametrize("name", [None, 5, ["yuanhang"], b"yuanhang"])
def test_a_preset_is_named_by_text(name: object) -> None:
    (fault,) = faults(load_rules, name)
    assert fault.startswith(f"unknown preset {name!r}; there are ")


# ---- the rule set --------------------------------------------------------------------------------


def test_all_faults_at_once_each_with_option_value_and_allowed() -> None:
    bad = {
        "cap.per_payr": 3,
        "score.stake": True,
        "win.shapes": [],
        "codes.count": 3,
        "win.minimum": "both",
        "deal.players": 2,
        7: 1,
    }
    assert faults(load_rules, "yuanhang", bad) == [
        "option 'cap.per_payr' = 3 is unknown, the nearest is cap.per_payer",
        "score.stake = true, must be a whole number from 1 to 1000000",
        'win.minimum = "both", must be "none", "any_payer" or "each_payer"',
        "option 7 = 1 is unknown, must be text such as cap.per_payer",
        "codes.count = 3 is an option of score.model = codes, not of factors",
        "deal.players = 2, must be 4 under score.model = factors",
        "win.shapes = [], must be one or more of standard, all_258, all_winds under score.model = factors",
    ]
    assert len(faults(load_rules, "nowhere", bad)) == 5  # the preset, and what is wrong under any preset


def test_a_value_is_not_reported_twice() -> None:
    found = faults(load_rules, "yuanhang", {"score.model": "codes", "deal.tiles": "some"})
    assert [fault.split(" = ")[0] for fault in found].count("deal.tiles") == 1
    assert len(found) == 5


@pytest.mark.parametrize("overrides", [5, "cap.per_payer=200", ["cap.per_payer"], 0, []])
def test_overrides_are_a_mapping(overrides: object) -> None:
    (fault,) = faults(load_rules, "yuanhang", overrides)
    assert fault == f"options = {overrides!r}, must be a mapping of option to value"


def test_id_is_the_hash_of_the_canonical_json_of_the_values() -> None:
    rules = load_rules("laizigang")
    text = json.dumps(rules.to_dict(), sort_keys=True, separators=(",", ":"))
    assert '"score.model":"factors"' in text
    assert "laizigang" not in text
    assert rules.id == hashlib.sha256(text.encode()).hexdigest()
    assert len({load_rules(name).id for name in ALL_PRESETS}) == len(ALL_PRESETS)
    # the id stands in stored runs: a change here orphans them
    assert load_rules("yuanhang").id.startswith("e532d826")


def test_sets_are_frozen_and_equal_by_their_values() -> None:
    rules = load_rules("yuanhang")
    with pytest.raises(FrozenInstanceError):
        rules.preset = Preset("other")  # type: ignore[misc]
    with pytest.raises(TypeError):
        rules.values["cap.per_payer"] = 1  # type: ignore[index]
    other = RuleSet(dict(sorted(rules.values.items(), reverse=True)), Preset("other"))
    assert (other, hash(other), other.id) == (rules, hash(rules), rules.id)
    assert other.name == "other"
    assert rules != load_rules("bianfeng")
    assert rules != "yuanhang"
    assert len({load_rules(name) for name in (*ALL_PRESETS, "yh", "bf", "hz", "hx")}) == len(ALL_PRESETS)


def test_sets_survive_pickling_and_copying() -> None:
    rules = load_rules("qipi", {"score.stake": 5})
    for twin in (pickle.loads(pickle.dumps(rules)), copy.copy(rules), copy.deepcopy(rules)):
        assert (twin, twin.preset, twin.id) == (rules, rules.preset, rules.id)


def test_get_refuses_what_is_no_option() -> None:
    get: Any = load_rules("yuanhang").get
    assert faults(get, "cap.per_player") == [
        "option 'cap.per_player' is unknown, the nearest is cap.per_payer"
    ]
    assert faults(get, None) == ["option None is unknown, must be text such as cap.per_payer"]
    assert faults(get, "codes.count") == ["codes.count is an option of score.model = codes, not of factors"]


def test_replace_keeps_the_name_and_diff_shows_the_changes() -> None:
    base = load_rules("bianfeng")
    rules = base.replace({"cap.per_payer": 200, "score.small_dealer": 1.5}).replace({"cap.per_payer": 250})
    assert rules.name == "bianfeng"
    assert rules.diff(base) == {"score.small_dealer": (1.5, 2.0), "cap.per_payer": (250, 300)}
    assert rules.overrides == {"score.small_dealer": 1.5, "cap.per_payer": 250}
    assert rules.replace({"cap.per_payer": 300, "score.small_dealer": 2}) == base
    assert (base.overrides, base.diff(base), base.replace({})) == ({}, {}, base)
    assert faults(base.replace, {"cap.per_payer": -1}) == [
        "cap.per_payer = -1, must be a whole number from 0 to 1000000"
    ]
    assert "cap.per_payer" in repr(rules)
    assert faults(rules.diff, "qipi") == ["other = 'qipi', must be a RuleSet, such as load_rules makes"]


def test_diff_of_two_models_has_none_where_an_option_does_not_exist() -> None:
    diff = RuleSet(HONGZHONG).diff(load_rules("yuanhang"))
    assert diff["codes.count"] == (4, None)
    assert diff["cap.golden"] == (None, 400)
    assert diff["score.model"] == ("codes", "factors")
    assert "score.stake" not in diff


def test_to_dict_is_json() -> None:
    for rules in map(load_rules, ALL_PRESETS):
        assert json.loads(json.dumps(rules.to_dict())) == rules.to_dict()
        assert RuleSet(rules.to_dict()) == rules


def test_loading_is_thread_safe() -> None:
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(load_rules, [*ALL_PRESETS, "yh", "hz"] * 50))
    assert len(set(found)) == len(ALL_PRESETS)


# ---- random option values ------------------------------------------------------------------------


def values_of(name: str) -> st.SearchStrategy[object]:
    if name in RANGES:
        return st.integers(*RANGES[name])
    if name in HALVES:
        return st.integers(2, 32).map(lambda doubled: doubled / 2)
    if name in LISTS:
        return st.lists(st.sampled_from(LISTS[name]), unique=True)
    return st.sampled_from((False, True) if name in FLAGS else WORDS[name])


FREE = [
    name
    for name in PRESETS["yuanhang"]
    if not name.startswith(("deal.", "wild.", "score.model", "win.shapes"))
]
OVERRIDES = st.fixed_dictionaries({}, optional={name: values_of(name) for name in FREE})


@given(st.sampled_from(list(PRESETS)), OVERRIDES)
def test_any_values_in_range_round_trip(preset: str, overrides: dict[str, Any]) -> None:
    rules = load_rules(preset, overrides)
    assert {name: rules.get(name) for name in overrides} == {
        name: OPTIONS[name].kind.check(value) for name, value in overrides.items()
    }
    assert load_rules(preset, rules.overrides) == rules
    again = load_rules(preset, json.loads(json.dumps(rules.overrides)))
    assert (again, again.id, hash(again)) == (rules, rules.id, hash(rules))
    words = [f"{name}={','.join(v) if isinstance(v, tuple) else v}" for name, v in rules.overrides.items()]
    assert load_rules(preset, dict(map(parse_override, words))) == rules


ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from((*SHAPES, *TYPES)),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=5,
)


@settings(max_examples=300)
@given(st.dictionaries(st.sampled_from(list(OPTIONS)) | st.text() | st.integers(), ANYTHING, max_size=6))
def test_any_values_at_all_load_or_name_their_faults(overrides: dict[Any, object]) -> None:
    found = loaded_or_faults("yuanhang", overrides)
    if isinstance(found, list):
        wrong = [
            name
            for name, value in overrides.items()
            if name not in OPTIONS or OPTIONS[name].kind.check(value) is None
        ]
        assert len(found) >= max(1, len(wrong))
    else:
        assert RuleSet(found.to_dict()) == found
