"""docs/learning.md: its tables are those of the code, its learner learns; test_docs.py has its sessions."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from wuhan_core import ACTION_NAMES, FEATURES

PAGE = (Path(__file__).parent.parent / "docs" / "learning.md").read_text(encoding="utf-8")
LINE = re.compile(r"^ *(\d+): +(-?[\d.]+) \+- ([\d.]+) points a hand$", re.MULTILINE)


def span(first: int, last: int) -> str:
    return str(first) if first == last else f"{first} to {last}"


def test_observations_listed_are_those_written() -> None:
    rows = []
    for each in FEATURES.values():
        columns, shape = span(each.start, each.stop - 1), " x ".join(map(str, each.shape))
        rows.append(f"| {columns} | `{each.name}` | {shape} | {each.doc} |")
    assert PAGE.partition("| columns |")[2].splitlines()[2:] == rows


def test_actions_listed_are_those_there() -> None:
    shown = re.findall(r"^\| (\d+)(?: to (\d+))? \| `([^`]+)`(?: to `([^`]+)`)? \|", PAGE, re.MULTILINE)
    shown = [row for row in shown if row[2] not in FEATURES]
    at = 0
    for first, last, name, final in shown:
        assert (int(first), name) == (at, ACTION_NAMES[at])
        at = int(last or first)
        assert ACTION_NAMES[at] == (final or name)
        at += 1
    assert at == len(ACTION_NAMES)


def learner(updates: int, hands: int) -> str:
    """The page's learner, of a size of our own."""
    (code,) = re.findall(r"^<!-- learner -->\n```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    sized: str = code.replace("range(41)", f"range({updates})").replace("2048", str(hands))
    assert sized.count(f"range({updates})") == sized.count(f", {hands},") == 1
    return sized


def test_the_learner_runs(capsys: pytest.CaptureFixture[str]) -> None:
    exec(learner(2, 512), {})
    ((number, points, half),) = LINE.findall(capsys.readouterr().out)
    assert number == "0"
    assert abs(float(points)) < 2 * float(half)  # random players are all alike


@pytest.mark.slow
def test_the_learner_learns(capsys: pytest.CaptureFixture[str]) -> None:
    exec(learner(41, 2048), {})
    found, shown = LINE.findall(capsys.readouterr().out), LINE.findall(PAGE)
    assert [number for number, _, _ in found] == [number for number, _, _ in shown]
    assert found[0] == shown[0]  # nothing is learnt yet: the same hands
    # afterwards roundings of another machine may lead to other hands
    assert float(found[-1][1]) - float(found[-1][2]) > 100
