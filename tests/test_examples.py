"""The commands that examples/README.md shows run, at a small size, and name every script there is."""

import re
import runpy
import shlex
import sys
from itertools import pairwise
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent.parent / "examples"
PAGE = (FOLDER / "README.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^python examples/(\S+\.py.*)$", PAGE, re.MULTILINE)
SMALL = {"--hands": "400", "--sessions": "8"}
SMALLER = {"python_bot.py": {"--hands": "12"}}  # bots in Python take their time
SAYS = {
    "first_hand.py": "from ready|waits for",
    "score_hand.py": r"laizigang-koukou \[-80, 280, -80, -120\]",
    "house_rules.py": "cap.per_payer: 200, yuanhang has 300",
    "python_bot.py": r"Opener less greedy: \S+ \(\S+\) points per hand",
    "laizi_value.py": r"laizi=4 - as dealt +\d+\.\d points a hand",
    "long_run.py": r"self_draw +\d+ hands of \d+\.\d draws",
    "bankroll.py": r"4,000 points, planner +\d+\.\d%",
    "biggest_hand.py": "points owed before caps",
}


@pytest.mark.parametrize("command", COMMANDS)
def test_example_runs(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    script, *words = shlex.split(command)
    for i, option in enumerate(words):
        small = SMALL | SMALLER.get(script, {})
        if option in small:
            words[i + 1] = small[option]
    monkeypatch.setattr(sys, "argv", [script, *words])
    runpy.run_path(str(FOLDER / script), run_name="__main__")
    assert re.search(SAYS[script], capsys.readouterr().out)
    for option, value in pairwise(words):
        assert option != "--out" or (tmp_path / value).exists()


def test_every_script_is_shown() -> None:
    scripts = {path.name for path in FOLDER.glob("*.py")}
    assert scripts == {command.split()[0] for command in COMMANDS} == set(SAYS)
    assert scripts == set(re.findall(r"^\| \[(\w+\.py)\]", PAGE, re.MULTILINE))
