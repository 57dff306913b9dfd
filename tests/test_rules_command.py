"""``wuhan rules``: list, show, diff, check."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from wuhan_core.options import OPTIONS
from wuhan_core.rules import load_rules, preset_names
from wuhan_core.words import option_doc, written
from wuhan_sim import cli
from wuhan_sim.rules_command import add_rules_command

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The command line with this command alone, in an empty folder."""
    monkeypatch.setattr(cli, "COMMANDS", (add_rules_command,))
    monkeypatch.chdir(tmp_path)


def rules(capsys: Capture, *arguments: str) -> str:
    """What the command prints."""
    assert cli.main(["rules", *arguments]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def faults(capsys: Capture, *arguments: str) -> list[str]:
    """The lines on stderr of a command that must be refused and print nothing."""
    assert cli.main(["rules", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    return err.splitlines()


def rows(text: str) -> dict[str, str]:
    """Lines by their first word."""
    return {line.split()[0]: line for line in text.splitlines() if line.strip()}


# ---- list ----------------------------------------------------------------------------------------


def test_list_names_every_preset_with_its_titles_aliases_and_source(capsys: Capture) -> None:
    found = rows(rules(capsys, "list"))
    assert list(found)[1:] == list(preset_names())
    for name in preset_names():
        preset = load_rules(name).preset
        for part in (preset.title_zh, preset.title_en, preset.source, *preset.aliases):
            assert part in found[name]


def test_list_in_chinese_and_as_json(capsys: Capture) -> None:
    assert rules(capsys, "list", "--lang", "zh").startswith("名称")
    found = json.loads(rules(capsys, "list", "--json"))
    assert [preset["name"] for preset in found] == list(preset_names())
    assert found[0] == {
        "name": "yuanhang",
        "title": {"zh": "武汉麻将（远航）", "en": "Wuhan mahjong, Yuanhang rules"},
        "source": "the Yuanhang rules (yh)",
        "aliases": ["yh", "远航"],
    }


# ---- show ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", preset_names())
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_show_has_every_option_with_value_meaning_and_what_is_allowed(
    capsys: Capture, name: str, lang: str
) -> None:
    found = rows(rules(capsys, "show", name, "--lang", lang))
    wanted = load_rules(name)
    for option, value in wanted.values.items():
        line = found[option]
        assert line.split()[1] == written(value)
        assert OPTIONS[option].source in line
        assert option_doc(option, lang) in line  # type: ignore[arg-type]
        assert len(line) > line.index(option_doc(option, lang)) + len(option_doc(option, lang)) + 1  # type: ignore[arg-type]
    assert len(found) == len(wanted.values) + 2


def test_show_toml_is_a_rule_file(capsys: Capture) -> None:
    Path("mine.toml").write_text(rules(capsys, "show", "七皮四赖", "--toml"), encoding="utf-8")
    assert load_rules("mine.toml") == load_rules("qipi")
    assert tomllib.loads(Path("mine.toml").read_text(encoding="utf-8"))["name"] == "qipi"


def test_show_json(capsys: Capture) -> None:
    found = json.loads(rules(capsys, "show", "bf", "--json"))
    wanted = load_rules("bianfeng")
    assert (found["name"], found["id"]) == ("bianfeng", wanted.id)
    assert {name: each["value"] for name, each in found["options"].items()} == wanted.to_dict()
    assert found["options"]["cap.golden"] == {
        "value": 400,
        "allowed": "a whole number from 0 to 1000000",
        "source": "yh bf ours",
        "meaning": OPTIONS["cap.golden"].doc,
    }
    chinese = json.loads(rules(capsys, "show", "bf", "--json", "--lang", "zh"))
    assert chinese["options"]["cap.golden"]["allowed"] == "0到1000000的整数"


def test_show_refuses_what_it_does_not_know(capsys: Capture) -> None:
    assert "the nearest is qipi" in faults(capsys, "show", "qipii")[0]
    assert faults(capsys, "show", "qipi", "--toml", "--json") == ["--toml and --json cannot go together"]


# ---- diff ----------------------------------------------------------------------------------------


def test_diff_shows_only_what_differs(capsys: Capture) -> None:
    found = rows(rules(capsys, "diff", "laizigang", "laizigang-koukou"))
    assert list(found) == ["option", "score.open"]
    assert found["score.open"].split()[1:3] == ["once", "per_meld"]
    whole = rows(rules(capsys, "diff", "yuanhang", "qipi", "--lang", "zh"))
    assert list(whole)[1:] == list(load_rules("yuanhang").diff(load_rules("qipi")))


def test_diff_of_different_models_marks_what_is_not_there(capsys: Capture) -> None:
    other = next(name for name in preset_names() if load_rules(name).get("score.model") == "codes")
    found = rows(rules(capsys, "diff", "yuanhang", other))
    assert found["cap.golden"].split()[1:3] == ["400", "-"]
    assert found["codes.count"].split()[1:3] == ["-", "4"]


def test_diff_of_equals(capsys: Capture) -> None:
    assert rules(capsys, "diff", "yh", "yuanhang") == "no differences\n"
    assert rules(capsys, "diff", "yh", "yuanhang", "--lang", "zh") == "没有差别\n"


def test_diff_json(capsys: Capture) -> None:
    found = json.loads(rules(capsys, "diff", "yuanhang", "bianfeng", "--json"))
    assert (found["a"], found["b"]) == ("yuanhang", "bianfeng")
    assert found["options"]["score.open"] == ["per_meld", "once"]
    assert found["options"]["win.shapes"] == [["standard", "all_258", "all_winds"], ["standard", "all_258"]]


def test_diff_names_the_faults_of_both(capsys: Capture) -> None:
    found = faults(capsys, "diff", "yuanhan", "bianfen")
    assert ["nearest is yuanhang" in found[0], "nearest is bianfeng" in found[1]] == [True, True]


# ---- check ---------------------------------------------------------------------------------------


def test_check_of_a_good_file(capsys: Capture) -> None:
    Path("house.toml").write_text('extends = "qipi"\n[cap]\nper_payer = 200\n', encoding="utf-8")
    wanted = load_rules("house.toml")
    assert rules(capsys, "check", "house.toml") == (
        f"house.toml: OK (house, score.model = factors, id {wanted.id[:12]})\n"
    )


def test_check_names_every_fault_with_its_line(capsys: Capture) -> None:
    Path("bad.toml").write_text(
        'extends = "qipi"\n[cap]\nper_payer = -1\ngoldn = 3\n[codes]\ncount = 4\n', encoding="utf-8"
    )
    found = faults(capsys, "check", "bad.toml")
    assert [line.split(" ")[0] for line in found] == ["bad.toml:3:", "bad.toml:4:", "bad.toml:6:"]
    assert "the nearest is cap.golden" in found[1]


def test_check_reads_files_not_names(capsys: Capture) -> None:
    assert faults(capsys, "check", "yuanhang") == ["yuanhang: cannot be read: No such file or directory"]
