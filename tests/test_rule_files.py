"""RULES.md section 9: rule files, and overrides as text."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from option_ranges import ALL_PRESETS, HONGXIN, HONGZHONG, SHAPES
from rule_faults import faults, loaded_or_faults
from wuhan_core.options import OPTIONS
from wuhan_core.rules import Preset, RuleError, RuleSet, load_rules, parse_override

WriteFile = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> WriteFile:
    """Write a rule file and return its path."""

    def write_file(text: str | bytes, name: str = "mine.toml") -> Path:
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write_file


# ---- overrides as text ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("cap.per_payer=200", 200),
        ("cap.per_payer=1_000", 1000),
        ("score.small_dealer=0_1.5", 1.5),
        (" cap.per_payer = 200 ", 200),
        ("score.small_dealer=1.5", 1.5),
        ("score.small_dealer=2", 2.0),
        ("claims.chow=false", False),
        ("claims.chow=True", True),
        ("deal.last_draws=0", 0),
        ("win.quanqiuren_head=258", "258"),
        ("win.shapes=standard,all_258", ["standard", "all_258"]),
        ('win.shapes=["standard", "all_258"]', ["standard", "all_258"]),
        ("win.head_258_free=", []),
        ("win.head_258_free=[]", []),
        ("win.head_258_free=all", "all"),
        ("win.head_258_free=qingyise", ["qingyise"]),
    ],
)
def test_an_override_as_text(text: str, value: object) -> None:
    name, found = parse_override(text)
    assert (found, type(found)) == (value, type(value))
    assert load_rules("yuanhang", {name: found}).get(name) == OPTIONS[name].kind.check(value)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "cap.per_payer=",
            "cap.per_payer=abc",
            "cap.per_payer=1.0",
            "cap.per_payer=1__000",
            "cap.per_payer=_1",
            "cap.per_payer=1e2",
        ),
        *("cap.per_payer=-1", "cap.per_payer=٣", "cap.per_payer=true", "score.small_dealer=nan"),
        *("score.small_dealer=inf", "score.small_dealer=1.25", "claims.chow=1", "claims.chow=yes"),
        *(
            "win.shapes=",
            "win.shapes=standard,standard",
            "win.shapes=standard,",
            "win.shapes=standard all_258",
        ),
        *("win.minimum=NONE", "liability.third_meld=all", "nothing=1", "cap=5", "cap.per_payer==200"),
    ],
)
def test_a_bad_override_as_text_is_named_when_loaded(text: str) -> None:
    name, value = parse_override(text)
    (fault,) = faults(load_rules, "yuanhang", {name: value})
    assert name in fault


def test_a_number_of_any_length_as_text_is_one_short_fault() -> None:
    name, value = parse_override("cap.per_payer=" + "9" * 10**6)
    assert len(faults(load_rules, "yuanhang", {name: value})[0]) < 200


@pytest.mark.parametrize("text", ["cap.per_payer", "", "=200", " =1"])
def test_an_override_needs_an_equals_sign(text: str) -> None:
    (fault,) = faults(parse_override, text)
    assert fault == f"{text!r} is no option=value, such as cap.per_payer=200"


# ---- rule files ----------------------------------------------------------------------------------


def test_a_rule_file_extends_a_preset(write: WriteFile) -> None:
    path = write(
        'name = "house"\naliases = ["h"]\ntitle = { zh = "本店", en = "House rules" }\nsource = "our table"\n'
        'extends = "bf"\n[cap]\nper_payer = 200\n[score]\nsmall_dealer = 1.5\n'
    )
    for source in (path, str(path)):
        rules = load_rules(source, {"cap.golden": 250})
        assert rules.preset == Preset("house", ("h",), "本店", "House rules", "our table", "bianfeng")
        assert rules == load_rules(
            "bianfeng", {"cap.per_payer": 200, "score.small_dealer": 1.5, "cap.golden": 250}
        )
    assert load_rules("yuanhang", load_rules(path).overrides) == load_rules(path)


def test_a_rule_file_may_name_little(write: WriteFile) -> None:
    assert load_rules(write("")) == load_rules("yuanhang")
    assert load_rules(write("", "plain.toml")).preset == Preset("plain", (), "plain", "plain", "")
    assert load_rules(write("\ufeffcap.golden = 500\r\n[table]\r\nfee = 2\r\n")).diff(load_rules("yh")) == {
        "cap.golden": (500, 400),
        "table.fee": (2, 0),
    }


@pytest.mark.parametrize("base", [*ALL_PRESETS, HONGZHONG, HONGXIN], ids=[*ALL_PRESETS, "codes", "patterns"])
def test_to_toml_reads_back(base: Any, write: WriteFile) -> None:
    rules = load_rules(base, {"score.stake": 3}) if isinstance(base, str) else RuleSet(base)
    again = load_rules(write(rules.to_toml()))
    assert again == rules
    assert again.name == rules.name
    assert again.to_toml() == load_rules(write(again.to_toml())).to_toml()
    assert again.to_toml().count(" = ") >= len(rules.values)


def test_to_toml_reads_back_any_title(write: WriteFile) -> None:
    head = Preset("a \"b\" \\ 'c' # [d] = é", ("引号“”", "x"), "\u3000好".strip(), "{}", "$")
    rules = RuleSet({}, head)
    assert load_rules(write(rules.to_toml())).preset == head


def test_files_extend_files_beside_them(write: WriteFile) -> None:
    write('extends = "qipi"\n[cap]\nper_payer = 200\ngolden = 250\n', "base.toml")
    top = write('extends = "base.toml"\n[cap]\ngolden = 260\n', "top.toml")
    assert load_rules(top) == load_rules("qipi", {"cap.per_payer": 200, "cap.golden": 260})


def test_what_a_file_goes_back_to_is_known(write: WriteFile) -> None:
    write('extends = "lg"\n', "base.toml")
    top = load_rules(write('extends = "base.toml"\nscore.stake = 2\n', "top.toml"))
    assert (top.name, top.preset.extends) == ("top", "laizigang")
    assert load_rules(write("score.stake = 2\n")).preset.extends == ""


def test_a_fault_down_a_chain_of_files_says_once_what_extends_it(write: WriteFile) -> None:
    deep = write("cap.golden = -1\n", "c.toml")
    middle = write('extends = "c.toml"\nscore.stake = 0\n', "b.toml")
    top = write('extends = "b.toml"\n', "a.toml")
    assert faults(load_rules, top) == [
        f"{top}:1: extends: {middle}:2: score.stake = 0, must be a whole number from 1 to 1000000",
        f"{top}:1: extends: {deep}:1: cap.golden = -1, must be a whole number from 0 to 1000000",
    ]
    deep.unlink()
    assert f"{middle}:1: extends: {deep}: cannot be read" in faults(load_rules, top)[0]


def test_files_that_extend_each_other_in_a_circle_are_refused(write: WriteFile) -> None:
    path = write('extends = "mine.toml"\n')
    (fault,) = faults(load_rules, path)
    assert "mine.toml:1: extends: " in fault
    assert "goes round in a circle: mine.toml -> mine.toml" in fault
    first = write('extends = "b.toml"\n', "a.toml")
    write('extends = "./a.toml"\n', "b.toml")
    (fault,) = faults(load_rules, first)
    assert "goes round in a circle: a.toml -> b.toml -> a.toml" in fault


def test_a_chain_of_files_has_an_end(write: WriteFile) -> None:
    for number in range(40):
        path = write(f'extends = "{number - 1}.toml"\n' if number else "", f"{number}.toml")
    with pytest.raises(RuleError, match="more than 16 files"):
        load_rules(path)


def test_faults_of_a_file_name_file_line_option_value_and_allowed(write: WriteFile) -> None:
    path = write(
        "# a comment\n"
        'nmae = "house"\n'
        'title = "House"\n'
        'source = "two\\nlines"\n'
        "aliases = [1]\n"
        "cap.golden = -5\n"
        "table = 3\n"
        "[capp]\n"
        "golden = 1\n"
        "[ score ]\n"
        "stake = 0\n"
        "  hard=17\n"
        "open = 'twice' # why not\n"
        "[codes]\n"
        "count = 4\n"
        "[deal]\n"
        "players = 2\n"
        "[win]\n"
        "shapes = [\n  'standard', 'standard',\n]\n"
    )
    shown = [fault.removeprefix(f"{path}:") for fault in faults(load_rules, path)]
    assert shown == [
        "2: key 'nmae' = \"house\" is unknown, the nearest is name",
        '3: title = "House", must be a table with zh and en',
        '4: source = "two\\nlines", must be printable text on one line',
        "5: aliases[0] = 1, must be printable text on one line",
        "6: cap.golden = -5, must be a whole number from 0 to 1000000",
        "7: table = 3, must be a table [table]",
        "9: option 'capp.golden' = 1 is unknown, the nearest is cap.golden",
        "11: score.stake = 0, must be a whole number from 1 to 1000000",
        "12: score.hard = 17, must be a whole number from 1 to 16",
        '13: score.open = "twice", must be "per_meld" or "once"',
        "15: codes.count = 4 is an option of score.model = codes, not of factors",
        "17: deal.players = 2, must be 4 under score.model = factors",
        '19: win.shapes = ["standard", "standard"], must be a list, none twice, of ' + ", ".join(SHAPES),
    ]


def test_faults_of_the_file_the_base_and_the_overrides_come_together(write: WriteFile) -> None:
    write("[cap]\nliable = 1.0\n", "base.toml")
    path = write('extends = "base.toml"\n[table]\nfee = "1"\n')
    found = faults(load_rules, path, {"cap.goldn": 1})
    assert len(found) == 3
    assert found[0].startswith(f"{path}:1: extends: ")
    assert "base.toml:2: cap.liable = 1.0, must be a whole number" in found[0]
    assert found[1].startswith(f'{path}:3: table.fee = "1", must be ')
    assert "cap.golden" in found[2]
    # whether codes.count belongs here depends on the unknown base: not reported
    (fault,) = faults(load_rules, write('\nextends = "yuanhng"\ncodes.count = 6\n'))
    assert f"{path}:2: extends: unknown preset 'yuanhng', the nearest is yuanhang" in fault


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (b"[cap\n", "line 1, column 5"),
        (b"[cap]\ngolden = 1\ngolden = 2\n", "line 3"),
        (b"\xff\xfe", "it is no text in UTF-8 at byte 0"),
        (b"x = " + b"[" * 5000, "nested too deeply"),
        (b"cap.golden = " + b"9" * 5000, "a number has too many digits"),
        (b"#" * 70_000, "is longer than 65536 bytes"),
        (
            b"[cap]\n" + b"".join(b"a%d=1\n" % number for number in range(6000)),
            "6000 options, there are only ",
        ),
        (b"[capp]\n", "key 'capp' = {} is unknown, the nearest is cap"),
        (b"extends = 5\n", ":1: extends: unknown preset 5"),
        (b"name = ''\n", ':1: name = "", must not be empty'),
        (b"title = { zh = 'a', fr = 'b' }\n", ":1: title = "),
        (b"aliases = ['x', '']\n", ':1: aliases[1] = "", must not be empty'),
        (b"aliases = 'x'\n", ':1: aliases = "x", must be a list of names'),
        (b"[cap.per_payer]\nx = 1\n", ":1: cap.per_payer = {'x': 1}, must be a whole number"),
        (b"[cap]\ngolden = nan\n", ":2: cap.golden = nan, must be"),
        (b"[cap]\ngolden = 2024-01-01\n", ":2: cap.golden = 2024-01-01, must be"),
        (b"[[cap]]\n", "cap = [{}], must be a table [cap]"),
    ],
)
def test_a_bad_file_is_one_clear_fault(text: bytes, why: str, write: WriteFile) -> None:
    path = write(text)
    (fault,) = faults(load_rules, path)
    assert fault.startswith(f"{path}:")
    assert why in fault


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    (fault,) = faults(load_rules, tmp_path / "missing.toml")
    assert fault == f"{tmp_path / 'missing.toml'}: cannot be read: No such file or directory"
    assert "cannot be read: Is a directory" in faults(load_rules, tmp_path)[0]
    assert faults(load_rules, "a\0.toml") == [r"a\x00.toml: its name has a null byte"]


@pytest.mark.skipif(os.name != "posix", reason="pipes")
def test_a_pipe_is_no_rule_file(tmp_path: Path, write: WriteFile) -> None:
    pipe = tmp_path / "pipe.toml"
    os.mkfifo(pipe)
    assert faults(load_rules, pipe) == [f"{pipe}: is no regular file"]
    assert "pipe.toml: is no regular file" in faults(load_rules, write('extends = "pipe.toml"\n'))[0]


def test_a_name_with_a_line_break_does_not_break_a_fault(tmp_path: Path) -> None:
    (fault,) = faults(load_rules, tmp_path / "two\nlines.toml")
    assert "two\\nlines.toml: cannot be read" in fault


def test_a_name_far_from_all_known_ones_has_no_hint(write: WriteFile) -> None:
    (fault,) = faults(load_rules, "zzz")
    assert "nearest" not in fault
    (fault,) = faults(load_rules, "yuanhang", {"xyzzy": 1})
    assert fault == "option 'xyzzy' = 1 is unknown, RULES.md section 9 lists the options"
    assert "unknown, must be one of name, " in faults(load_rules, write("zzz = 1\n"))[0]
    (fault,) = faults(load_rules, "yuanhang", {"CAP.PER_PAYER": 1})
    assert "the nearest is cap.per_payer" in fault


def test_at_most_100_faults_are_written_out() -> None:
    with pytest.raises(RuleError) as caught:
        load_rules("yuanhang", {f"no{number}": 1 for number in range(250)})
    assert len(caught.value.faults) == 250
    assert str(caught.value).splitlines()[99:] == [caught.value.faults[99], "and 150 more"]


@settings(max_examples=200)
@given(
    text=st.text() | st.text(alphabet="[]=\"'{}, \n#.capgoldenxtends3truefals").map(lambda t: f"[cap]\n{t}")
)
def test_any_text_is_a_rule_file_or_a_rule_error(text: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("rules") / "any.toml"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    found = loaded_or_faults(path)
    if isinstance(found, list):
        assert all(fault.startswith(f"{path}:") for fault in found)
    else:
        assert RuleSet(found.to_dict()) == found
