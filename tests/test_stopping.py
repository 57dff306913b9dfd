"""Ctrl-C and SIGTERM: the first one lets shards end, a second one does not; what is done is gone on from."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import fake_play
from wuhan_sim import Interrupted, Task, engine, executors, simulate, tune
from wuhan_sim.cli import main
from wuhan_sim.executors import Crew
from wuhan_sim.stopping import Stopping

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")

MIXED = "greedy,random,random,greedy"


def send(number: int) -> None:
    signal.pthread_kill(threading.main_thread().ident or 0, number)


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Send a signal to the main thread from a worker's, which goes on when that has withdrawn shards."""
    withdrawn, withdraw = threading.Semaphore(0), Crew.withdraw

    def noted(crew: Crew) -> None:
        withdraw(crew)
        withdrawn.release()

    def send_and_wait(number: int, times: int = 1) -> None:
        while withdrawn.acquire(blocking=False):
            pass
        send(number)
        for _ in range(times):
            assert withdrawn.acquire(timeout=60)

    monkeypatch.setattr(executors, "PATIENCE", 0.05)
    monkeypatch.setattr(Crew, "withdraw", noted)
    return send_and_wait


def loop(before: Callable[[int], object]) -> Callable[..., Any]:
    """The stand-in for the hand loop; `before` is told the first hand of each piece."""

    def play(rules: Any, bots: Any, seed: int, first: int, count: int, *rest: Any) -> Any:
        if count:
            before(first)
        return fake_play.play_hands(rules, bots, seed, first, count, *rest)

    return play


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("records", [False, True])
def test_a_stopped_run_is_gone_on_with(
    number: int,
    records: bool,
    heard: Callable[..., None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    task, first_hands = Task("yuanhang", MIXED, 60_000, seed=3), list[int]()
    run: dict[str, Any] = {"out": tmp_path, "keep_records": records, "shard_hands": 1000}

    def before(first: int) -> None:
        first_hands.append(first)
        if first == 20_000:
            heard(number)

    monkeypatch.setattr(engine, "play_hands", loop(before))
    with pytest.raises(Interrupted) as caught:
        simulate(task, 2, **run)
    stopped = caught.value
    assert (stopped.signum, stopped.folder, stopped.hands) == (number, tmp_path, 60_000)
    assert 20_000 <= stopped.done < 60_000
    assert stopped.done == 1000 * len(first_hands)  # what was begun was finished
    assert not (tmp_path / "summary.json").exists()
    done, again = set(first_hands), list[int]()
    monkeypatch.setattr(engine, "play_hands", loop(again.append))
    result = simulate(task, 2, **run)
    assert sorted([*done, *again]) == list(range(0, 60_000, 1000))
    assert result == simulate(task, 1)


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize("stored", [False, True])
def test_the_command_says_how_to_go_on(
    number: int,
    status: int,
    stored: bool,
    heard: Callable[..., None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(engine, "play_hands", loop(lambda first: heard(number) if first == 65_536 else None))
    out = ["--out", str(tmp_path / "run")] if stored else []
    words = ["run", "--bots", MIXED, "--hands", "5_000_000", "--workers", "1", "--quiet", *out]
    assert main(words) == status
    shown = capsys.readouterr()
    kept = "the same command goes on from there" if stored else "no result, as no --out was given"
    assert shown.out == ""
    assert shown.err == f"stopped after 98,304 of 5,000,000 hands: {kept}\n"


@pytest.mark.parametrize(
    "words", [["run"], ["sweep", "--vary", "cap.per_payer=100", "--metrics", "turns"], ["duel"]]
)
def test_a_command_that_is_stopping_says_so_once_while_it_plays(
    words: list[str],
    heard: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    told: list[str] = []

    def before(first: int) -> None:
        if first >= 65_536 and not told:
            heard(signal.SIGINT, 2)  # by the second time all is said
            told.append(capsys.readouterr().err)

    monkeypatch.setattr(engine, "play_hands", loop(before))
    who = ["greedy", "random"] if words == ["duel"] else ["--bots", MIXED]
    assert main([*words, *who, "--hands", "600_000", "--workers", "1"]) == 130
    assert "stopping after the shards that are being played" in told[0]
    err = capsys.readouterr().err
    assert "stopping" not in err
    kept = ": no result, as no --out was given\n" if words == ["run"] else " hands: no result\n"
    assert err.endswith(kept)


def test_a_second_signal_ends_the_shard_that_is_played(
    heard: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pieces: list[int] = []

    def before(first: int) -> None:
        pieces.append(first)
        if len(pieces) in (18, 20):
            heard(signal.SIGINT)

    monkeypatch.setattr(engine, "play_hands", loop(before))
    with pytest.raises(Interrupted) as caught:
        simulate(Task("yuanhang", MIXED, 2**20), 1, out=tmp_path)
    assert caught.value.done == 2**15  # the shard before, of 16 pieces
    assert len(pieces) == 20


def test_slow_bots_are_asked_often(monkeypatch: pytest.MonkeyPatch) -> None:
    counts: list[int] = []

    def play(rules: Any, bots: Any, seed: int, first: int, count: int, *rest: Any) -> Any:
        counts.append(count)
        return fake_play.play_hands(rules, bots, seed, first, count, *rest)

    monkeypatch.setattr(engine, "play_hands", play)
    simulate(Task("yuanhang", ["poison:First", "random", "random", "random"], 100), 1)
    assert max(counts) <= 8


def test_handlers_of_the_callers_own_stay() -> None:
    def own(*_: object) -> None:
        pass

    before = signal.signal(signal.SIGTERM, own)
    try:
        with Stopping() as stop:
            assert signal.getsignal(signal.SIGTERM) is own
            assert signal.getsignal(signal.SIGINT) == stop._note
            assert not stop.asked
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGTERM, before)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_in_the_last_shard_of_a_part_ends_the_whole(
    number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    pieces: list[int] = []

    def before(first: int) -> None:
        pieces.append(first)
        if len(pieces) == 1:
            send(number)

    def search() -> None:
        tune(
            "planner", "yuanhang", ["fear"], 3000, opponents="greedy", candidates=4, workers=1, progress=False
        )

    monkeypatch.setattr(engine, "play_hands", loop(before))
    with pytest.raises(Interrupted) as caught:
        search()
    assert caught.value.signum == number
    assert caught.value.done == caught.value.hands  # all of the first round, and no more
    stopped = len(pieces)
    monkeypatch.setattr(engine, "play_hands", loop(pieces.append))
    search()
    assert len(pieces) > 2 * stopped
