"""The command line: faults in one line each, exit statuses, text and JSON."""

from __future__ import annotations

import json
import math
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from processes import environment
from wuhan_sim import engine
from wuhan_sim.cli import main

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder, to see that nothing is written."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refused(capsys: Capture, *arguments: str) -> list[str]:
    """Run a command that must be refused; return the lines on stderr."""
    assert main(["run", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "Traceback" not in err
    return err.splitlines()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--rules", "yuanghang"], "yuanhang"),
        (["--rules", "nowhere/rules.toml"], "nowhere/rules.toml"),
        (["--set", "cap.per_payr=200"], "cap.per_payer"),
        (["--set", "cap.per_payer=-1"], "cap.per_payer = -1"),
        (["--set", "cap.per_payer=many"], 'cap.per_payer = "many"'),
        (["--set", "cap.per_payer"], "--set 'cap.per_payer'"),
        (["--set", "="], "--set '='"),
        (["--set", "cap.per_payer=1", "--set", "cap.per_payer=2"], "cap.per_payer is given twice"),
        (["--bots", "greedi"], "the nearest is greedy"),
        (["--bots", "greedy,random"], "has 2 names, must be 4"),
        (["--set", "claims.chow=maybe"], "must be true or false"),
        (["--set", "deal.players=2"], "deal.players = 2, must be 4 under score.model"),
        (["--hands", "0"], "hands = 0"),
        (["--hands", "-3"], "hands = -3"),
        (["--hands=-3"], "hands = -3"),
        (["--hands", "1.5"], "hands = '1.5'"),
        (["--hands", "1e6"], "hands = '1e6'"),
        (["--hands", "abc"], "hands = 'abc'"),
        (["--hands", ""], "hands = ''"),
        (["--hands", "1__0"], "hands = '1__0'"),
        (["--hands", "9" * 60], "999, must be a whole number from 1 to 2**62 - 1"),
        (["--hands", "9" * 5000], "hands = '999"),
        (["--seed", "1", "--seed", "2"], "--seed is given twice"),
        (["--hands", "1", "--hands=1"], "--hands is given twice"),
        (["--rules", "yuanhang", "--rules", "qipi"], "--rules is given twice"),
        (["--hnads", "1"], "unknown argument --hnads, the nearest is --hands (see wuhan run --help)"),
        (["--xyzzy"], "unknown argument --xyzzy (see wuhan run --help)"),
        (["100"], "unknown argument 100"),
        (["--rules", "no\nsuch.toml"], "no\\nsuch.toml: cannot be read"),
        (["--hands", "٣"], "hands = '٣'"),
        (["--seed", "-1"], "seed = -1"),
        (["--seed", "x"], "seed = 'x'"),
        (["--first", "-1"], "first = -1"),
        (["--workers", "0"], "workers = 0"),
        (["--workers", "two"], "workers = 'two'"),
        (["--deal", "new"], "rotated, fresh or balanced"),
        (["--draws", "new"], "seat or wall"),
        (["--keep-records"], "--keep-records needs --out"),
    ],
)
def test_one_fault_is_one_line(capsys: Capture, here: Path, arguments: list[str], words: str) -> None:
    (line,) = refused(capsys, *arguments, *([] if "--keep-records" in arguments else ["--out", "run"]))
    assert words in line
    assert list(here.iterdir()) == []


def test_all_faults_are_named_together(capsys: Capture, here: Path) -> None:
    lines = refused(
        capsys,
        *("--rules", "yuanghang", "--set", "cap.per_payr=1", "--set", "nothing", "--bots", "greedi,randm"),
        *("--hands", "1.5", "--seed", "-1", "--workers", "0", "--deal", "new", "--out", "run"),
    )
    wanted = ("yuanghang", "per_payr", "nothing", "greedi", "randm", "1.5", "seed", "workers", "deal")
    assert len(lines) == len(wanted)
    for word in wanted:
        assert sum(word in line for line in lines) == 1, word
    assert list(here.iterdir()) == []


def test_faults_of_parser_rules_task_and_folder_come_together(capsys: Capture, here: Path) -> None:
    (here / "full").mkdir()
    (here / "full" / "thesis.tex").write_text("years of work")
    lines = refused(
        capsys,
        *("--seed", "1", "--seed", "2", "--what", "--set", "nothing=1", "--bots", "greedy,random,greedy"),
        *("--first", str(2**62 - 1), "--workers", "0", "--out", "full"),
    )
    wanted = ("--seed", "--what", "nothing", "workers", "has 3 names, must be 4", "first + hands", "thesis")
    assert len(lines) == len(wanted)
    for word in wanted[:-1]:
        assert sum(word in line for line in lines) == 1, word
    assert "full has files but no run.json" in lines[-1]
    lines = refused(capsys, "--rules", "nowhere", "--bots", "greedy,random,greedy", "--out", "")
    assert ["must be 2 or 4" in lines[1], "out = ''" in lines[2], len(lines)] == [True, True, 3]


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (["tune", "planner", "--budget", "many"], ["budget"]),
        (["tune", "planner", "--budget", "many", "--seed", "1.5"], ["budget", "seed"]),
        (["session", "--bankroll", "much", "--leave-below", "100"], ["bankroll"]),
        (["session", "--leave-above", "high", "--sessions", "x"], ["sessions", "leave_above"]),
        (["duel", "greedy", "random", "--hands", "few"], ["hands"]),
        (["sweep", "--vary", "cap.per_payer=1", "--bankroll", "0"], ["bankroll"]),
        (["verify", "nowhere", "--sample", "-1", "--workers", "none"], ["sample", "workers"]),
    ],
)
def test_a_number_that_is_none_is_no_further_fault(
    words: list[str], names: list[str], capsys: Capture
) -> None:
    assert main(words) == 2
    lines = capsys.readouterr().err.splitlines()
    assert [line.partition(" = ")[0] for line in lines] == names
    assert all("must be a whole number" in line for line in lines)


def test_numbers_of_set_may_have_underscores(capsys: Capture, fake: None) -> None:
    assert main(["run", "--hands", "4_0", "--set", "cap.per_payer=1_000", "--json", "--quiet"]) == 0
    values = json.loads(capsys.readouterr().out)["task"]["rules"]["values"]
    assert values["cap.per_payer"] == 1000


@pytest.mark.parametrize(
    ("arguments", "deal"),
    [
        ([], "fresh"),
        (["--bots", "greedy"], "fresh"),
        (["--bots", "random, random,random,random"], "fresh"),
        (["--bots", "greedy,random,random,random"], "rotated"),
        (["--bots", "greedy", "--deal", "rotated"], "rotated"),
        (["--bots", "greedy,random,random,random", "--deal", "fresh"], "fresh"),
    ],
)
def test_bots_that_are_all_the_same_are_not_turned_round(
    capsys: Capture, fake: None, arguments: list[str], deal: str
) -> None:
    assert main(["run", "--hands", "40", "--json", "--quiet", *arguments]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["task"]["deal"] == deal
    assert answer["walls"] == (40 if deal == "fresh" else 10)


def test_version(capsys: Capture) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["--version"])
    assert caught.value.code == 0
    assert re.match(rf"wuhan-core .*, random streams {engine.STREAM_VERSION}, ", capsys.readouterr().out)


@pytest.mark.parametrize("arguments", [[], ["rum"], ["ru\nm"], ["run", "--hands"]])
def test_an_unknown_command_or_option_is_one_line(capsys: Capture, arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.splitlines()) == 1
    assert "--help" in err


def test_text_goes_to_stdout_and_progress_to_stderr(capsys: Capture, fake: None, here: Path) -> None:
    arguments = ["run", "--hands", "1_000", "--bots", "greedy,random,random,greedy", "--seed", "3"]
    assert main(arguments) == 0
    out, err = capsys.readouterr()
    assert out.startswith("yuanhang: greedy x2, random x2; 1,000 hands on 250 walls, seed 3, task ")
    assert err.startswith("1,000 of 1,000 hands, ")
    assert main([*arguments, "--quiet", "--workers", "3"]) == 0
    assert capsys.readouterr() == (out, "")
    assert list(here.iterdir()) == []


def finite(value: Any) -> bool:
    if isinstance(value, dict):
        return all(map(finite, value.values()))
    if isinstance(value, list):
        return all(map(finite, value))
    return not isinstance(value, float) or math.isfinite(value)


def test_json_is_the_only_thing_on_stdout(capsys: Capture, fake: None) -> None:
    assert (
        main(["run", "--hands", "400", "--json", "--set", "cap.per_payer=200", "--set", "cap.golden=0"]) == 0
    )
    out, _ = capsys.readouterr()
    answer = json.loads(out)
    assert finite(answer)
    assert {"task", "id", "hands", "frequencies", "caps", "strategies"} <= set(answer)
    assert answer["hands"] == 400
    assert answer["task"]["rules"]["values"]["cap.per_payer"] == 200
    assert answer["task"]["rules"]["values"]["cap.golden"] == 0
    assert answer["task"]["bots"] == ["greedy"] * 4
    for section in ("frequencies", "caps", "strategies"):
        for row in answer[section]:
            assert set(row) == {"of", "name", "value", "low", "high", "n", "unit", "method"}


def test_out_writes_a_run_folder(capsys: Capture, fake: None, here: Path) -> None:
    arguments = ["run", "--hands", "400", "--quiet", "--out", "runs/a", "--keep-records", "--json"]
    assert main(arguments) == 0
    assert json.loads((here / "runs/a/summary.json").read_text()) == json.loads(capsys.readouterr().out)
    assert [p.name for p in (here / "runs/a/parts").iterdir()] == ["part-000000000000.parquet"]
    lines = refused(capsys, "--hands", "400", "--seed", "1", "--out", "runs/a")
    assert ["holds task" in lines[0], "with records, not without" in lines[1], len(lines)] == [True, True, 2]


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_is_refused(capsys: Capture, fake: None, here: Path) -> None:
    here.chmod(0o500)
    try:
        (line,) = refused(capsys, "--hands", "400", "--out", "run")
    finally:
        here.chmod(0o700)
    assert "cannot take a run" in line


def test_a_failure_while_running_is_one_line(
    capsys: Capture, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(engine, "play_hands", full)
    assert main(["run", "--hands", "400", "--quiet"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err == "the run failed: [Errno 28] No space left on device\n"


# ---- as a process, with the compiled loop ------------------------------------------------------


def start(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "wuhan_command", "run", *arguments],
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_module_runs_as_the_command() -> None:
    with start("--hands", "200", "--bots", "random", "--json") as process:
        out, err = process.communicate(timeout=120)
    assert (process.returncode, json.loads(out)["hands"]) == (0, 200)
    assert err.startswith("200 of 200 hands, ")


def shell(script: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a script in which $W is the command."""
    command = shlex.join([sys.executable, "-m", "wuhan_command"])
    return subprocess.run(
        ["sh", "-c", script],
        env=environment(W=command, **variables),
        capture_output=True,
        text=True,
        timeout=120,
        encoding="utf-8",
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
@pytest.mark.parametrize(
    ("redirection", "status", "out", "err"),
    [
        (">&-", 0, "", "200 of 200 hands"),
        ("2>&-", 0, "yuanhang: random x4; ", ""),
        (">&- 2>&-", 0, "", ""),
        ("2>/dev/full", 0, "yuanhang: random x4; ", ""),
        (">/dev/full", 1, "", "the run failed: [Errno 28] No space left on device"),
        (">/dev/full 2>/dev/full", 1, "", ""),
        ("--seed x 2>/dev/full", 2, "", ""),
        ("--seed x 2>&-", 2, "", ""),
        ("--first 2>/dev/full", 2, "", ""),
    ],
)
def test_streams_that_take_nothing_are_no_traceback(
    redirection: str, status: int, out: str, err: str
) -> None:
    done = shell(f"$W run --hands 200 --bots random {redirection}")
    assert done.returncode == status
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr
    for shown, wanted in ((done.stdout, out), (done.stderr, err)):
        assert wanted in shown
        assert bool(shown) == bool(wanted)


@pytest.mark.skipif(os.name != "posix", reason="a POSIX shell")
def test_letters_that_a_stream_does_not_know_are_escaped(tmp_path: Path) -> None:
    rules = tmp_path / "mine.toml"
    rules.write_text('name = "本店\U0001f004"\n', encoding="utf-8")
    done = shell(f"$W run --hands 4 --quiet --rules {shlex.quote(str(rules))}", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(r"\u672c\u5e97\ud83c\udc04: greedy x4; ")


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_while_starting_is_a_clean_stop(tmp_path: Path) -> None:
    (tmp_path / "numpy.py").write_text("import time; print('reading', flush=True); time.sleep(100)")
    with subprocess.Popen(
        [sys.executable, "-m", "wuhan_command", "run", "--hands", "1"],
        env=environment(tmp_path),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "reading\n"
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=60)
        finally:
            process.kill()
    assert (process.returncode, out, err) == (130, "", "stopped\n")


@pytest.mark.skipif(os.name != "posix", reason="locks of POSIX")
def test_two_runs_in_one_folder(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    arguments = ("--hands", "1_000_000_000", "--bots", "random", "--quiet", "--out", str(folder))
    with start(*arguments) as first:
        try:
            deadline = time.monotonic() + 120
            while not (folder / "run.json").exists():
                assert time.monotonic() < deadline
                assert first.poll() is None
                time.sleep(0.05)
            with start(*arguments) as second:
                out, err = second.communicate(timeout=120)
            first.send_signal(signal.SIGINT)
            first.communicate(timeout=60)
        finally:
            first.kill()
    assert (second.returncode, out, len(err.splitlines())) == (2, "", 1)
    assert "is in use by another run" in err
    assert first.returncode == 130


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_is_a_clean_stop(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    arguments = ("--hands", "1_000_000_000", "--bots", "random", "--out", str(folder), "--keep-records")
    with start(*arguments) as process:
        try:
            deadline = time.monotonic() + 120
            while not list(folder.glob("parts/part-*")):
                assert time.monotonic() < deadline
                assert process.poll() is None
                time.sleep(0.05)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 130
    assert out == ""
    assert "Traceback" not in err
    message = err.replace("\r", "\n").splitlines()[-1]
    assert message.startswith("stopped after ")
    assert "of 1,000,000,000 hands" in message
    assert not (folder / "summary.json").exists()
    assert all(p.name.startswith("part-") for p in (folder / "parts").iterdir())


@pytest.mark.skipif(os.name != "posix", reason="pipes")
def test_a_closed_pipe_is_no_traceback() -> None:
    with start("--hands", "200", "--bots", "random", "--quiet") as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        err = process.stderr.read()
    assert (process.returncode, err) == (141, "")


def test_options_are_written_out(capsys: pytest.CaptureFixture[str]) -> None:
    """An abbreviation that works today would be ambiguous with an option of tomorrow."""
    assert main(["run", "--han", "10"]) == 2
    assert "unknown argument --han, the nearest is --hands" in capsys.readouterr().err
