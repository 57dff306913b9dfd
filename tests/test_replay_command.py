"""The command `wuhan replay`: a hand by its number, of a run's folder, of a log."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from wuhan_core.rules import load_rules
from wuhan_sim import HandLog, Task, replay, simulate
from wuhan_sim.cli import main

Capture = pytest.CaptureFixture[str]


def run(capsys: Capture, *arguments: str) -> str:
    assert main(["replay", *arguments]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def refused(capsys: Capture, *arguments: str) -> list[str]:
    assert main(["replay", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "Traceback" not in err
    return err.splitlines()


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


NUMBERS = ("--rules", "laizigang", "--set", "cap.per_payer=200", "--bots", "greedy,random,random,greedy")
SAME = (*NUMBERS, "--seed", "4", "--deal", "fresh", "--draws", "wall")


def same() -> HandLog:
    rules = load_rules("laizigang", {"cap.per_payer": 200})
    return replay(rules, ["greedy", "random", "random", "greedy"], 4, 77, "wall", "fresh")


def test_command_with_numbers(capsys: Capture, here: Path) -> None:
    assert run(capsys, *SAME, "--hand", "77") == f"{same()}\n"
    assert json.loads(run(capsys, *SAME, "--hand", "77", "--json")) == same().to_dict()
    assert run(capsys, *SAME, "--hand", "7_7", "--lang", "zh") == same().to_text("zh") + "\n"
    fresh = replay(
        "yuanhang", "greedy", 0, 5, deal="fresh"
    )  # as `wuhan run` deals to bots that are all the same
    assert run(capsys, "--hand", "5") == f"{fresh}\n"
    assert list(here.iterdir()) == []


def test_command_with_a_log(capsys: Capture, here: Path) -> None:
    hands = [replay("yuanhang", "greedy", 4, number) for number in (5, 6, 7)]
    lines = "".join(f"{json.dumps(hand.to_dict())}\n" for hand in hands)
    Path("hands.jsonl").write_text(f"\n{lines}\n")
    assert run(capsys, "hands.jsonl", "--json").splitlines() == [
        json.dumps(hand.to_dict(), ensure_ascii=False) for hand in hands
    ]
    text = run(capsys, "hands.jsonl", "--hand", "6")
    assert text.split() == str(hands[1]).replace(" (greedy)", "").split()
    assert run(capsys, "hands.jsonl").count("hand 6, seed 4") == 1
    (line,) = refused(capsys, "hands.jsonl", "--hand", "8")
    assert line == "hands.jsonl has no hand 8, must be one of 5, 6, 7"
    (line,) = refused(capsys, "hands.jsonl", "--html", "hand.html")
    assert line == "--html FILE shows one hand, hands.jsonl has 3, add --hand N"
    assert not Path("hand.html").exists()


def test_command_with_a_log_that_is_wrong(capsys: Capture, here: Path) -> None:
    log = same().to_dict()
    bad = log | {"dealer": 2}
    deep = "[" * 100_000
    Path("bad.jsonl").write_text(f"{json.dumps(log)}\n{json.dumps(bad)}\n{{\n7\n{deep}\n{'9' * 5000}\n")
    lines = refused(capsys, "bad.jsonl")
    starts = ("2: events[0]", "3: is no JSON", "4: the log is 7", "5: is no JSON", "6: is no JSON")
    assert len(lines) == len(starts)
    for line, start in zip(lines, starts, strict=True):
        assert line.startswith(f"bad.jsonl:{start}")
    Path("empty.jsonl").write_text("\n")
    assert refused(capsys, "empty.jsonl") == ["empty.jsonl has no hand, the file is empty"]
    Path("raw.jsonl").write_bytes(b"\xff\xfe\n")
    assert refused(capsys, "raw.jsonl")[0].startswith("raw.jsonl:1: is no JSON")


def test_command_with_a_run(capsys: Capture, here: Path) -> None:
    task = Task("qipi", ["greedy", "random", "random", "greedy"], 40, 9, first=100)
    simulate(task, out="run", progress=False)
    hand = replay("qipi", task.bots, 9, 117)
    assert json.loads(run(capsys, "run", "--hand", "117", "--json")) == hand.to_dict()
    assert refused(capsys, "run", "--hand", "99") == [
        "hand = 99, must be from 100 to 139, the hands of the run"
    ]
    assert refused(capsys, "run") == ["--hand N is missing, the number of the hand"]
    Path("run/run.json").write_text("{}")
    names = ("id", "task", "shard_hands", "keep_records", "until")
    assert refused(capsys, "run", "--hand", "117") == [f"run: run.json: {name} is missing" for name in names]
    Path("run/run.json").unlink()
    (line,) = refused(capsys, "run", "--hand", "117")
    assert line == "run has no run.json, must be a run's folder"


def test_command_writes_a_page(capsys: Capture, here: Path) -> None:
    assert main(["replay", *SAME, "--hand", "77", "--html", "hand.html", "--lang", "zh"]) == 0
    assert capsys.readouterr() == ("", "wrote hand.html\n")
    assert Path("hand.html").read_text("utf-8") == same().to_html("zh")
    for path in ("no/such/folder.html", "."):
        (line,) = refused(capsys, *SAME, "--hand", "77", "--html", path)
        assert line == f"--html = {path!r}, must be the path of a file in a folder that is there"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], ["--hand N is missing"]),
        (["--hand", "x"], ["hand = 'x'"]),
        (["--hand", "-1"], ["hand = -1, must be a whole number from 0"]),
        (["--hand", "0", "--seed", "-1", "--bots", "greedi"], ["seed = -1", "greedi"][::-1]),
        (
            ["--hand", "0", "--rules", "x", "--set", "y", "--deal", "z"],
            ["--set 'y'", "preset 'x'", "deal = 'z'"],
        ),
        (["--hand", "0", "--nonsense", "--seed", "x"], ["--nonsense", "seed = 'x'"]),
        (["gone.jsonl"], ["gone.jsonl cannot be read: No such file or directory"]),
        (["gone", "--hand", "q"], ["hand = 'q'", "gone cannot be read"]),
        (
            ["gone", *SAME],
            [
                f"--{name} cannot stand beside 'gone'"
                for name in ("rules", "set", "bots", "seed", "deal", "draws")
            ]
            + ["gone cannot be read"],
        ),
    ],
)
def test_command_names_every_fault(
    capsys: Capture, here: Path, arguments: list[str], words: list[str]
) -> None:
    lines = refused(capsys, *arguments)
    assert len(lines) == len(words), lines
    for line, word in zip(lines, words, strict=True):
        assert word in line
    assert list(here.iterdir()) == []


def test_command_knows_two_languages(capsys: Capture) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["replay", "--hand", "0", "--lang", "fr"])
    assert caught.value.code == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
