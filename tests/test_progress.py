"""How far a run is, on stderr: only where asked or a terminal, and never in its way."""

from __future__ import annotations

import io
import re
import sys

import pytest

from runs import equal
from wuhan_sim import Task, duel, simulate
from wuhan_sim.progress import Progress

MIXED = "greedy,random,random,greedy"


def test_progress_goes_to_stderr_only_where_asked(fake: None, capsys: pytest.CaptureFixture[str]) -> None:
    task = Task("yuanhang", MIXED, 400)
    simulate(task, 1)
    assert capsys.readouterr() == ("", "")
    simulate(task, 1, progress=True)
    out, err = capsys.readouterr()
    assert out == ""
    assert re.fullmatch(r"400 of 400 hands, \d+ s, [\d,]+ hands/s; greedy -?[\d.]+ ± [\d.]+ points\n", err)
    simulate(Task("yuanhang", "greedy", 400), 1, progress=True)
    assert re.search(r"; swing [\d.]+ ± [\d.]+ points\n", capsys.readouterr().err)


def test_progress_says_nothing_of_an_interval_that_few_hands_leave_unknown(
    fake: None, capsys: pytest.CaptureFixture[str]
) -> None:
    for hands in (4, 8):
        simulate(Task("yuanhang", MIXED, hands), 1, progress=True)
    duel("yuanhang", "greedy", "random", 6, workers=1, progress=True)
    one, two, duelled = capsys.readouterr().err.splitlines()
    assert re.search(r"; greedy -?[\d.]+ ± \? points", one)
    assert re.search(r"; greedy -?[\d.]+ ± \d+ points", two)
    assert re.search(r"; difference -?[\d.]+ ± \? points", duelled)


class Screen(io.StringIO):
    """Stands in for stderr."""

    def __init__(self, terminal: bool, full: bool = False) -> None:
        super().__init__()
        self.terminal, self.full = terminal, full

    def isatty(self) -> bool:
        return self.terminal

    def write(self, text: str) -> int:
        if self.full:
            raise OSError(28, "No space left on device")
        return super().write(text)


def test_a_terminal_has_a_bar_and_anything_else_a_line_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(0, 1000, 4))
    monkeypatch.setattr(sys, "stderr", lines := Screen(terminal=False))
    with Progress(1000, True, lambda: float(next(clock))) as bar:
        for _ in range(7):
            bar.update(100)
    assert len(lines.getvalue().splitlines()) == 3
    assert re.match(r"300 of 1,000 hands, 12 s, 25 hands/s, 28 s left$", lines.getvalue().splitlines()[0])
    assert "\r" not in lines.getvalue()
    monkeypatch.setattr(sys, "stderr", screen := Screen(terminal=True))
    with Progress(1000, None) as bar:
        bar.update(1000)
    assert "\r" in screen.getvalue()
    assert "1.00k/1.00k" in screen.getvalue()


@pytest.mark.parametrize("terminal", [True, False])
def test_progress_that_cannot_be_shown_stops_nothing(
    fake: None, terminal: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = Task("yuanhang", MIXED, 4000)
    wanted = simulate(task, 1, progress=False)
    monkeypatch.setattr(sys, "stderr", Screen(terminal, full=True))
    equal(simulate(task, 1, progress=True, shard_hands=64), wanted)
    monkeypatch.setattr(sys, "stderr", None)
    equal(simulate(task, 1, progress=True), wanted)
    closed = Screen(terminal)
    closed.close()
    monkeypatch.setattr(sys, "stderr", closed)
    equal(simulate(task, 1), wanted)
