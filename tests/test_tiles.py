"""RULES.md section 1: the kinds, and tiles as text."""

import pickle
import unicodedata
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wuhan_core.tiles import KIND_NAMES, TileError, format_tile, format_tiles, parse_tile, parse_tiles

STYLES = ("ascii", "chinese", "unicode")
NUMBERS = ("ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE")
HONOURS = ("EAST WIND", "SOUTH WIND", "WEST WIND", "NORTH WIND", "RED DRAGON", "GREEN DRAGON", "WHITE DRAGON")


def faults(text: Any) -> list[str]:
    with pytest.raises(TileError) as caught:
        parse_tiles(text)
    assert str(caught.value) == "\n".join(caught.value.faults)
    return caught.value.faults


def test_s1_kind_numbers() -> None:
    expected = [f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)] + list("ESWNCFP")
    assert list(KIND_NAMES) == expected
    assert [parse_tile(name) for name in expected] == list(range(34))
    assert [parse_tile(name) for name in ("1m", "9m", "1p", "9p", "1s", "9s", "E", "C", "P")] == [
        *(0, 8, 9, 17, 18, 26, 27, 31, 33)
    ]


def test_s1_the_text_form() -> None:
    assert parse_tiles("123m55p789sEEC") == [0, 1, 2, 13, 13, 24, 25, 26, 27, 27, 31]
    assert format_tiles([0, 1, 2, 13, 13, 24, 25, 26, 27, 27, 31]) == "123m55p789sEEC"
    assert parse_tiles("") == parse_tiles(" \n\t") == []
    assert parse_tiles(" 1 2\n3 m  E\t5p ") == [0, 1, 2, 27, 13]
    assert parse_tiles("S1sP1p") == [28, 18, 33, 9]


@pytest.mark.parametrize(
    ("text", "ascii_text"),
    [
        ("1万", "1m"),
        ("五筒", "5p"),
        ("九条", "9s"),
        ("东", "E"),
        ("中", "C"),
        ("白", "P"),
        ("东南西北中发白", "ESWNCFP"),
        ("東南西北中發白", "ESWNCFP"),
        ("一二三四五六七八九万", "123456789m"),
        ("1万2萬3筒4饼5餅6条7條8索", "12m345p678s"),
        ("三3索 1m一筒E", "33s1m1pE"),
        ("\U0001f004\ufe0f1m\U0001f004\ufe0e", "C1mC"),
    ],
)
def test_s1_chinese_names_and_synonyms(text: str, ascii_text: str) -> None:
    assert parse_tiles(text) == parse_tiles(ascii_text)
    assert format_tiles(parse_tiles(text)) == ascii_text


def test_s1_unicode_tiles_by_their_names() -> None:
    suits = ("CHARACTERS", "CIRCLES", "BAMBOOS")
    names = [f"{number} OF {suit}" for suit in suits for number in NUMBERS] + list(HONOURS)
    text = "".join(unicodedata.lookup(f"MAHJONG TILE {name}") for name in names)
    assert sorted(text) == [chr(code) for code in range(0x1F000, 0x1F022)]
    assert parse_tiles(text) == list(range(34))
    assert format_tiles(range(34), "unicode") == text


@pytest.mark.parametrize("kinds", [None, 5, "123m"])
def test_what_is_no_list_is_named(kinds: Any) -> None:
    with pytest.raises(TileError) as caught:
        format_tiles(kinds, "runes")  # type: ignore[arg-type]
    assert caught.value.faults == [
        f"kinds = {kinds!r}, must be a list of whole numbers from 0 to 33",
        "style = 'runes', must be 'ascii', 'chinese' or 'unicode'",
    ]


@pytest.mark.parametrize("rank", range(1, 8))
def test_s1_z_is_refused_with_the_reason(rank: int) -> None:
    (fault,) = faults(f"1m{rank}z")
    assert fault.startswith(f"position 3: '{rank}z'")
    assert "riichi software numbers the dragons in another order" in fault
    assert "E S W N C F P" in fault


def test_s1_every_fault_at_once_with_position_and_value() -> None:
    found = faults("12 E0m xx1z z 萬9m?\U0001f0224 5C7")
    starts = [fault.split(" ", 3)[:3] for fault in found]
    assert starts == [
        ["position", "1:", "'12'"],
        ["position", "5:", "'0m'"],
        ["position", "8:", "'xx'"],
        ["position", "10:", "'1z'"],
        ["position", "13:", "'z'"],
        ["position", "15:", "'萬'"],
        ["position", "18:", "'?\U0001f022'"],
        ["position", "20:", "'4"],
        ["position", "24:", "'7'"],
    ]


@pytest.mark.parametrize(
    ("text", "value", "why"),
    [
        ("12", "12", "has no suit"),
        ("12E", "12", "has no suit"),
        ("0m", "0m", "red fives do not exist here, write 5"),
        ("10m", "10m", "red fives do not exist here, write 5"),
        ("m", "m", "suit without ranks"),
        ("s", "s", "suit without ranks"),
        ("e", "e", "is no tile"),
        ("1M", "1", "has no suit"),
        ("1m,2m", ",", "is no tile"),
        ("春", "春", "is no tile"),
        ("\U0001f02b", "\U0001f02b", "is no tile"),
        ("\ufe0f", "\ufe0f", "is no tile"),
        ("１m", "１", "is no tile"),
    ],
)
def test_s1_what_is_no_tile(text: str, value: str, why: str) -> None:
    first = faults(text)[0]
    assert f"'{value}' " in first
    assert why in first


@pytest.mark.parametrize("text", [None, 5, b"1m", ["1m"], pytest.param(10**5000, id="too long to print")])
def test_what_is_no_text(text: object) -> None:
    (fault,) = faults(text)
    assert "must be text such as 123m55p789sEEC" in fault


@pytest.mark.parametrize(("text", "count"), [("", 0), ("12m", 2), ("EE", 2)])
def test_one_tile_is_exactly_one(text: str, count: int) -> None:
    with pytest.raises(TileError, match=f"has {count} tiles, must be exactly one"):
        parse_tile(text)


def test_faults_survive_pickling() -> None:
    """Errors cross process borders."""
    with pytest.raises(TileError) as caught:
        parse_tiles("1 x")
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (type(copy), copy.faults, str(copy)) == (TileError, caught.value.faults, str(caught.value))


def test_junk_of_any_length_is_refused_quickly() -> None:
    """One fault for a run; a megabyte takes no quadratic time."""
    assert [len(faults(junk * 10**6)) for junk in ("x", "1", "1 ", "\ufe0f")] == [1, 1, 1, 1]
    assert len(faults("x" * 10**6)[0]) < 300


def test_format_keeps_the_order_and_groups_runs() -> None:
    kinds = [2, 0, 9, 27, 1, 31, 18, 18]
    assert format_tiles(kinds) == "31m1pE2mC11s"
    assert format_tiles(kinds, "chinese") == "31万1筒东2万中11条"
    assert format_tiles([]) == ""
    assert format_tiles(np.array(kinds, dtype=np.uint8)) == format_tiles(iter(kinds)) == format_tiles(kinds)
    assert [format_tile(kind) for kind in range(34)] == list(KIND_NAMES)
    assert [format_tile(kind, "chinese") for kind in (0, 13, 26, 32)] == ["1万", "5筒", "9条", "发"]


def test_format_names_every_number_that_is_no_kind() -> None:
    bad: Any = [0, 34, -1, 1.0, True, "1m", None, 10**5000]
    style: Any = "latin"
    with pytest.raises(TileError) as caught:
        format_tiles(bad, style)
    starts = [fault.split(", must be ")[0] for fault in caught.value.faults]
    assert starts[:-2] == [
        "kinds[1] = 34",
        "kinds[2] = -1",
        "kinds[3] = 1.0",
        "kinds[4] = True",
        "kinds[5] = '1m'",
        "kinds[6] = None",
    ]
    assert caught.value.faults[-1] == "style = 'latin', must be 'ascii', 'chinese' or 'unicode'"


@given(st.lists(st.integers(0, 33)), st.sampled_from(STYLES))
def test_what_is_formatted_parses_back(kinds: list[int], style: Any) -> None:
    assert parse_tiles(format_tiles(kinds, style)) == kinds


@given(st.lists(st.tuples(st.integers(0, 33), st.sampled_from(STYLES), st.sampled_from(("", " ", "\n")))))
def test_styles_mix_freely(parts: list[tuple[int, Any, str]]) -> None:
    text = "".join(format_tile(kind, style) + space for kind, style, space in parts)
    assert parse_tiles(text) == [kind for kind, _, _ in parts]


LIKELY = st.text(
    alphabet="0123456789mpszESWNCFP万萬筒饼条索一九东東发發 x\n\U0001f000\U0001f021\U0001f022\ufe0f"
)


@settings(max_examples=300)
@given(LIKELY | st.text())
def test_any_text_is_tiles_or_a_tile_error(text: str) -> None:
    try:
        kinds = parse_tiles(text)
    except TileError as error:
        positions = [int(fault.split(":")[0].removeprefix("position ")) for fault in error.faults]
        assert positions
        assert positions == sorted(set(positions))
        assert all(1 <= position <= len(text) and not text[position - 1].isspace() for position in positions)
    else:
        assert all(0 <= kind < 34 for kind in kinds)
        assert parse_tiles(format_tiles(kinds)) == kinds
        marks = sum(map(text.count, "mps万萬筒饼餅条條索\ufe0e\ufe0f"))
        assert len(kinds) == sum(not char.isspace() for char in text) - marks


@given(st.lists(st.integers(0, 33)), st.lists(st.integers(0, 33)), st.sampled_from("x?,zB0"))
def test_a_fault_anywhere_is_found_where_it_is(before: list[int], after: list[int], fault: str) -> None:
    text = format_tiles(before)
    (found,) = faults(f"{text} {fault} E{format_tiles(after)}")
    assert found.startswith(f"position {len(text) + 2}: '{fault}'")
