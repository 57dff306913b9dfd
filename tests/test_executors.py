"""Who plays: processes, executors of one's own, in any order; workers that die, and hands that kill them."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import pytest

import poison
from poison import DEADLY, Deadly, tiles_of
from runs import same
from wuhan_sim import (
    BotFailure,
    OrderError,
    RunError,
    SchedulerError,
    ShardError,
    Task,
    Until,
    simulate,
)
from wuhan_sim.executors import Processes
from wuhan_sim.ledger import Ledger
from wuhan_sim.runner import gather
from wuhan_sim.shards import Order, cut, overview, play_shard, sealed, shard_hands
from wuhan_sim.stats import NOTHING, Totals

MIXED = "greedy,random,random,greedy"
POSIX = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")


class Inline(Executor):
    """Plays in the calling thread when the newest of three shards is due: they come back in any order."""

    def __init__(self, seed: int = 0) -> None:
        self._random, self._waiting = random.Random(seed), list[tuple[Future[Any], Callable[[], Any]]]()
        self._lock = threading.Lock()
        self.played: list[range] = []

    def submit(self, fn: Any, /, *args: Any, **fields: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.played.append(args[1])
        with self._lock:
            self._waiting.append((future, lambda: fn(*args, **fields)))
            due = len(self._waiting) >= 3
        if due:
            self.finish()
        threading.Timer(0.05, self.finish).start()  # nothing waits for ever
        return future

    def finish(self) -> None:
        with self._lock:  # a timer's thread may come in the middle of another
            waiting, self._waiting = self._waiting, []
            self._random.shuffle(waiting)
        for future, play in waiting:
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(play())
                except BaseException as error:
                    future.set_exception(error)


def test_processes_executors_and_threads_give_the_same_records(tmp_path: Path) -> None:
    task = Task("yuanhang", MIXED, 3001, seed=5, first=2)
    base = simulate(task, 1, keep_records=True, progress=False)
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, context) as pool, ThreadPoolExecutor(3) as threads:
        crews: list[tuple[Any, int | None]] = [("processes", 2), (pool, None), (threads, None)]
        crews += [(Inline(), 2), ("threads", 4)]
        for i, (scheduler, workers) in enumerate(crews):
            folder = tmp_path / str(i)
            same(simulate(task, workers, scheduler=scheduler, keep_records=True, shard_hands=700), base)
            if i in (1, 2):  # the caller's executors stay open
                stored = simulate(
                    task, workers, scheduler=scheduler, keep_records=True, shard_hands=512, out=folder
                )
                same(stored, base)


def test_tasks_gathered_in_any_order_add_to_the_same_bits() -> None:
    tasks = [Task("yuanhang", bots, 4000, seed=5) for bots in (MIXED, "random,random,random,greedy")]
    gauge = overview(tasks[0])
    base = gather(tasks, gauge, 1)
    assert base == gather(tasks, gauge, 2, scheduler=Inline(), shard_hands=300)
    assert base == simulate(tasks[0]).totals
    with pytest.raises(RunError, match="same first hand"):
        gather([tasks[0], Task("yuanhang", MIXED, 40)], gauge)


# ---- looks -------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_a_run_stops_at_the_same_look_whoever_plays(seed: int, tmp_path: Path) -> None:
    task = Task("yuanhang", MIXED, 20_000, seed=1)
    until = Until.parse("points[greedy]<5")
    base = simulate(task, 1, until=until, keep_records=True)
    looks = until.plan(task).looks
    assert base.hands in looks[:-1]  # it did stop, and not at the first look
    assert base.hands > looks[0]
    same(simulate(task, 3, until="points[greedy]<5", shard_hands=111, keep_records=True), base)
    inline = Inline(seed)
    folder = tmp_path / "run"
    run: dict[str, Any] = {"until": until, "shard_hands": 500, "keep_records": True, "out": folder}
    same(simulate(task, 20, scheduler=inline, **run), base)  # all is sent before anything is counted
    assert max(hands.stop for hands in inline.played) > base.hands  # it had gone on, in vain
    firsts = [int(path.name[5:-8]) for path in (folder / "parts").glob("part-*.parquet")]
    assert max(firsts) < base.hands
    same(simulate(task, 2, **run), base)  # the same command again
    alone = simulate(Task("yuanhang", MIXED, base.hands, seed=1), keep_records=True)
    assert alone.totals == base.totals


def test_a_goal_that_is_never_met_plays_all(tmp_path: Path) -> None:
    task = Task("yuanhang", "greedy", 3000)
    result = simulate(task, until="turns<0.001", out=tmp_path)
    assert result.hands == 3000
    assert result.totals == simulate(task).totals
    with pytest.raises(RunError) as caught:
        simulate(task, until="tunrs<1,wins<x", workers=0)
    assert len(caught.value.faults) >= 2


class Marks:
    """Looks at given hands; enough at one of them."""

    def __init__(self, looks: list[int], enough: int) -> None:
        self.looks, self.enough, self.seen = looks, enough, list[int]()

    def met(self, totals: Totals) -> bool:
        self.seen.append(totals.settled.sums["hands"])
        return self.seen[-1] == self.enough


def test_a_ledger_looks_only_at_hands_without_a_gap() -> None:
    task = Task("yuanhang", MIXED, 600, first=1)
    order = Order((task,), overview(task))
    for seed in range(4):
        marks = Marks([130, 260, 390, 520], enough=389)
        ledger = Ledger(order, marks)
        shards = [order.play(hands) for hands in ledger.missing(50)]
        assert {130, 260, 390, 520} < {shard.last for shard in shards}
        random.Random(seed).shuffle(shards)
        for shard in shards:
            if not ledger.over:
                ledger.add(shard)
        assert marks.seen == [129, 259, 389]
        assert (ledger.met, ledger.last) == (True, 390)
        assert ledger.totals == order.play(range(1, 390)).totals


def test_a_ledger_keeps_few_totals() -> None:
    task = Task("yuanhang", MIXED, 3000)
    order = Order((task,), overview(task))
    ledger = Ledger(order)
    first, *others = ledger.missing(30)
    random.Random(1).shuffle(others)
    for hands in others:
        ledger.add(order.play(hands))
    assert ledger.totals == NOTHING
    assert len(ledger._beyond) == 1
    assert list(ledger.missing(30)) == [first]
    ledger.add(order.play(first))
    assert ledger.totals == simulate(task).totals


def test_cuts_lie_at_multiples_and_at_looks() -> None:
    assert list(cut(150, 420, 100, [130, 170, 300, 350])) == [
        *(range(150, 170), range(170, 200), range(200, 300), range(300, 350), range(350, 400)),
        range(400, 420),
    ]
    assert shard_hands([Task("yuanhang", "greedy", 1)]) % 4 == 0


# ---- what cannot be ----------------------------------------------------------------------------


@pytest.mark.parametrize("scheduler", ["tcp", 5, b"tcp://x:1", "dask", ["threads"]])
def test_what_is_no_scheduler_is_refused(scheduler: Any, tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"scheduler = .*, must be threads, processes, an address"):
        simulate(Task("yuanhang", MIXED, 40), scheduler=scheduler, out=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_workers_beside_a_cluster_are_refused() -> None:
    with pytest.raises(RunError, match="workers = 2, must not be given beside a cluster"):
        simulate(Task("yuanhang", MIXED, 40), 2, scheduler="tcp://127.0.0.1:1")


def test_a_cluster_without_its_package_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(SchedulerError, match=r'pip install "wuhan-core\[cluster\]"'):
        simulate(Task("yuanhang", MIXED, 40), scheduler="tcp://127.0.0.1:1", out=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_an_executor_that_was_shut_down_is_told(tmp_path: Path) -> None:
    for pool in (ThreadPoolExecutor(1), ProcessPoolExecutor(1)):
        pool.shutdown()
        with pytest.raises(SchedulerError, match="the executor takes no work: cannot schedule"):
            simulate(Task("yuanhang", MIXED, 40), scheduler=pool)


class Locked:
    """A bot that cannot be pickled."""

    def __init__(self) -> None:
        self.lock = threading.Lock()

    def act(self, observation: Any, legal: Any) -> Any:
        return legal[0]


class Odd(Exception):
    """An error that cannot be pickled."""

    def __init__(self, a: int, b: int) -> None:
        super().__init__("odd")


class Raising:
    def act(self, observation: Any, legal: Any) -> Any:
        raise Odd(1, 2)


def test_a_bot_that_cannot_be_sent_is_named(tmp_path: Path) -> None:
    task = Task("hongzhong-2p", [Locked(), "random"], 4)
    with pytest.raises(OrderError, match=r"bots: .*Locked cannot be sent to other processes: .*lock"):
        simulate(task, scheduler=Inline(), out=tmp_path / "run")
    assert not (tmp_path / "run").exists()
    assert simulate(task).hands == 4


def test_failures_of_bots_come_back_from_workers() -> None:
    task = Task("hongzhong-2p", [Raising(), "random"], 4)
    with pytest.raises(BotFailure) as caught:
        play_shard(sealed(Order((task,), overview(task))), range(4))
    assert "Odd: odd" in str(caught.value)
    assert isinstance(caught.value.error, RuntimeError)


def test_an_order_of_another_build_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    task = Task("yuanhang", MIXED, 4)
    with monkeypatch.context() as other:
        other.setattr("wuhan_sim.shards.build", lambda: {"wuhan-core": "9.9", "stream": 1, "kernel": "ab"})
        order = sealed(Order((task,), overview(task)))
    with pytest.raises(OrderError) as caught:
        play_shard(order, range(4))
    assert caught.value.faults[0].startswith("the run was made with wuhan-core 9.9, here ")
    assert any(fault.startswith("the run was made with kernel ab, here ") for fault in caught.value.faults)


# ---- workers that die --------------------------------------------------------------------------


@POSIX
def test_a_pool_that_has_just_broken_is_renewed() -> None:
    task = Task("yuanhang", MIXED, 80)
    order = Order((task,), overview(task))
    with Processes(order, 1) as crew:
        for pid in list(crew._pool._processes):
            os.kill(pid, signal.SIGKILL)
        until = time.monotonic() + 30
        while not crew._pool._broken and time.monotonic() < until:
            time.sleep(0.01)
        crew.submit(range(40))  # before it was seen that the worker is gone
        crew.submit(range(40, 80))
        found: list[Any] = []
        while len(crew):
            found += crew.finished()
    assert sum((shard.totals for shard in found), NOTHING) == simulate(task).totals
    assert not any(crew._deaths.values())


@POSIX
def test_hands_that_kill_are_named_and_the_rest_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = Task(poison.RULES, [Deadly, "random"], 120)
    base = simulate(task)
    monkeypatch.setenv(DEADLY, tiles_of(70))
    run: dict[str, Any] = {"scheduler": "processes", "out": tmp_path / "run", "shard_hands": 20}
    with pytest.raises(ShardError, match=r"^hands 60 to 79 could not be played: worker p") as lost:
        simulate(task, 1, **run)
    assert lost.value.lost == (range(60, 80),)
    monkeypatch.delenv(DEADLY)
    inline = Inline()
    assert simulate(task, 1, **(run | {"scheduler": inline})) == base
    assert inline.played == [range(60, 80)]


@POSIX
def test_a_killed_process_costs_nothing_but_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    task, killed = Task("yuanhang", MIXED, 40_000, seed=8), list[int]()
    finished = Processes.finished

    def kill_one(crew: Processes) -> list[Any]:
        found = finished(crew)
        if found and not killed:  # the next shards are on their way
            killed.append(next(iter(crew._pool._processes)))
            os.kill(killed[0], signal.SIGKILL)
        return found

    monkeypatch.setattr(Processes, "finished", kill_one)
    result = simulate(task, 2, scheduler="processes", shard_hands=4096, out=tmp_path, keep_records=True)
    assert "a worker process died while hands " in caplog.text
    same(result, simulate(task, keep_records=True))


def test_an_executor_that_breaks_ends_the_run_with_what_is_missing(tmp_path: Path) -> None:
    class Half(Executor):
        count = 0

        def submit(self, fn: Any, /, *args: Any, **fields: Any) -> Future[Any]:
            future: Future[Any] = Future()
            self.count += 1
            if self.count == 3:
                future.set_exception(BrokenProcessPool("a worker died"))
            else:
                future.set_result(fn(*args, **fields))
            return future

    task = Task("yuanhang", MIXED, 300)
    with pytest.raises(ShardError, match="hands 200 to 299 could not be played: the executor broke"):
        simulate(task, 2, scheduler=Half(), out=tmp_path, shard_hands=100)
    assert simulate(task, out=tmp_path) == simulate(task)
