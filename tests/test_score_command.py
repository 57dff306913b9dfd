"""``wuhan score``: one case explained, JSON Lines in and out, faults with their lines."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from case_maker import Case, small
from wuhan_core.explain import explain_case
from wuhan_core.scoring import score_case
from wuhan_sim import cli
from wuhan_sim.score_command import add_score_command

Capture = pytest.CaptureFixture[str]
CASE = small(options={"win.minimum": "none"})
REFUSED = small()
GOLDEN = (Path(__file__).parent / "golden" / "wuhan.jsonl").read_text(encoding="utf-8")


@pytest.fixture(autouse=True)
def command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The command line with this command alone, in an empty folder."""
    monkeypatch.setattr(cli, "COMMANDS", (add_score_command,))
    monkeypatch.chdir(tmp_path)


def given(text: str | bytes, name: str = "case.json") -> str:
    Path(name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return name


def score(capsys: Capture, *arguments: str) -> str:
    """What the command prints."""
    assert cli.main(["score", *arguments]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def faults(capsys: Capture, *arguments: str) -> list[str]:
    """The lines on stderr of a command that must be refused and print nothing."""
    assert cli.main(["score", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "Traceback" not in err
    lines = err.splitlines()
    assert all(line.startswith(f"{arguments[0]}: ") for line in lines)
    return [line.removeprefix(f"{arguments[0]}: ") for line in lines]


def type_in(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


# ---- one case ------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", [CASE, REFUSED])
@pytest.mark.parametrize("indent", [None, 2])
def test_one_case_is_explained(capsys: Capture, case: Case, indent: int | None) -> None:
    file = given(json.dumps(case, indent=indent))
    assert score(capsys, file) == f"{explain_case(case)}\n"
    assert score(capsys, file, "--lang", "zh") == f"{explain_case(case).to_text('zh')}\n"
    assert json.loads(score(capsys, file, "--json")) == explain_case(case).to_dict()


def test_one_case_from_stdin(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    type_in(monkeypatch, json.dumps(CASE))
    assert score(capsys, "-") == f"{explain_case(CASE)}\n"


def test_json_of_one_case_has_the_answer_on_top(capsys: Capture) -> None:
    found = json.loads(score(capsys, given(json.dumps(CASE)), "--json"))
    assert found.items() >= score_case(CASE).items()


def test_byte_order_mark_and_chinese_tiles(capsys: Capture) -> None:
    case = json.loads(json.dumps(CASE).replace('"8s"', '"八条"'))
    assert score(capsys, given(b"\xef\xbb\xbf" + json.dumps(case, ensure_ascii=False).encode())).startswith(
        "yuan"
    )


# ---- JSON Lines ----------------------------------------------------------------------------------


def test_lines_give_answers_in_order(capsys: Capture) -> None:
    cases = [json.loads(line) for line in GOLDEN.splitlines()]
    lines = score(capsys, given(GOLDEN, "cases.jsonl")).splitlines()
    assert [json.loads(line) for line in lines] == [case["expect"] for case in cases]


def test_lines_are_known_without_their_ending(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    text = f"\n{json.dumps(CASE)}\r\n\n{json.dumps(REFUSED)}"
    expected = [score_case(CASE), score_case(REFUSED)]
    assert list(map(json.loads, score(capsys, given(text)).splitlines())) == expected
    type_in(monkeypatch, text)
    assert list(map(json.loads, score(capsys, "-").splitlines())) == expected


def test_one_line_is_a_case_unless_asked_for_lines(capsys: Capture) -> None:
    text = json.dumps(CASE) + "\n"
    assert score(capsys, given(text)).startswith("yuanhang")
    for arguments in ([given(text), "--lines"], [given(text, "one.jsonl")]):
        assert json.loads(score(capsys, *arguments)) == score_case(CASE)


def test_lines_with_json_are_explanations(capsys: Capture) -> None:
    text = f"{json.dumps(CASE)}\n{json.dumps(REFUSED)}\n"
    found = list(map(json.loads, score(capsys, given(text), "--json").splitlines()))
    assert found == [explain_case(CASE).to_dict(), explain_case(REFUSED).to_dict()]


def test_every_fault_of_every_line_is_named_and_nothing_printed(capsys: Capture) -> None:
    wrong: Any = CASE | {"dealer": 9, "win": CASE["win"] | {"tile": "1z"}}
    lines = [
        json.dumps(CASE),
        "{",
        json.dumps(wrong),
        "[]",
        "",
        json.dumps(CASE | {"rules": "yuanhan"}),
        "NaN",
    ]
    found = faults(capsys, given("\n".join(lines)))
    assert [line.split(":")[0] for line in found] == [
        "line 2",
        "line 3",
        "line 3",
        "line 4",
        "line 6",
        "line 7",
    ]
    for line, words in zip(
        found, ("no JSON", "dealer = 9", "1z", "[]", "nearest is yuanhang", "NaN"), strict=True
    ):
        assert words in line


# ---- what is no case -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty, must have a case"),
        (" \n\t\n", "is empty, must have a case"),
        ("{", "no JSON: "),
        ('{"rules": "yuanhang",\n "dealer": }', "line 2, column 12"),
        ("[]", "[] is no JSON object, must be a case"),
        ("7", "7 is no JSON object"),
        ("null", "None is no JSON object"),
        ('{"dealer": NaN}', "NaN is no number of JSON"),
        ('{"dealer": -Infinity}', "-Infinity is no number of JSON"),
        ('{"dealer": 1, "dealer": 2}', "key 'dealer' is there 2 times"),
        ("[" * 100_000, "nested too deeply"),
        ('{"dealer": ' + "9" * 5000 + "}", "no JSON that can be read: a number has too many digits"),
        (b'{"rules": "\xff"}', "it is no text in UTF-8 at byte 11"),
        ("{}", "players is missing"),
        ('{"dealer": 1e999}', "dealer = inf, must be a whole number"),
    ],
)
def test_what_is_no_case_is_refused(capsys: Capture, text: str | bytes, words: str) -> None:
    assert words in "\n".join(faults(capsys, given(text)))


def test_files_that_cannot_be_read(capsys: Capture, tmp_path: Path) -> None:
    assert faults(capsys, "nowhere.json") == ["cannot be read: No such file or directory"]
    (tmp_path / "folder").mkdir()
    assert faults(capsys, "folder") == ["cannot be read: Is a directory"]


def test_faults_of_one_case_have_no_line(capsys: Capture) -> None:
    assert faults(capsys, given(json.dumps(CASE | {"dealer": 9}, indent=1))) == [
        "dealer = 9, must be a whole number from 0 to 3"
    ]


def test_lines_of_which_the_first_is_an_empty_object_are_lines(capsys: Capture) -> None:
    found = faults(capsys, given("{}\n{,\n"))
    assert any(line.startswith("line 1: players is missing") for line in found)
    assert found[-1].startswith("line 2: no JSON: ")


def test_unknown_language(capsys: Capture) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(["score", given(json.dumps(CASE)), "--lang", "fr"])
    assert ended.value.code == 2
    assert "--lang" in capsys.readouterr().err
