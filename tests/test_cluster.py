"""A real Dask cluster on this machine: the same bits, workers that die, deadly hands, other builds."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import poison
from loopback import Loopback
from poison import DEADLY, tiles_of
from processes import environment
from runs import same
from wuhan_sim import OrderError, SchedulerError, ShardError, Task, simulate
from wuhan_sim import cluster as cluster_module
from wuhan_sim.cluster import Cluster

distributed = pytest.importorskip("distributed")

MIXED = "greedy,random,random,greedy"
HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Loopback]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(DEADLY, tiles_of(70))
        patch.setattr(cluster_module, "CONNECT", 60.0)  # a busy machine may be slow to answer
        with Loopback(tmp_path_factory.mktemp("cluster"), modules=[HERE]) as cluster:
            yield cluster


def test_a_cluster_gives_the_same_records(cluster: Loopback, tmp_path: Path) -> None:
    task = Task("yuanhang", MIXED, 20_001, seed=5, first=2)
    base = simulate(task, 1, keep_records=True)
    same(simulate(task, scheduler=cluster.address, keep_records=True, shard_hands=3000), base)
    same(simulate(task, scheduler=cluster.file, keep_records=True, out=tmp_path, shard_hands=700), base)
    until = "points[greedy]<6"
    early = simulate(task, 1, until=until)
    assert early.hands < task.hands
    with distributed.Client(cluster.address, set_as_default=False) as client:
        assert simulate(task, scheduler=client, until=until, shard_hands=500) == early
        assert simulate(task, scheduler=client.get_executor(pure=False), shard_hands=9000) == base
        assert client.ncores()  # the caller's client stays open


def test_the_command_takes_a_scheduler_file(cluster: Loopback, tmp_path: Path) -> None:
    words = ["run", "--hands", "4000", "--bots", MIXED, "--seed", "5", "--quiet"]
    words += ["--log", str(tmp_path / "log")]

    def out(*more: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "wuhan_command", *words, *more],
            env=environment(),
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    assert out("--scheduler-file", str(cluster.file)) == out("--workers", "2")
    log = (tmp_path / "log").read_text()
    assert log.count("INFO wuhan_sim.runner: hands 0 to 3999: 4000 are done, ") == 2


def test_bots_of_modules_and_of_scripts(cluster: Loopback, monkeypatch: pytest.MonkeyPatch) -> None:
    task = Task(poison.RULES, ["poison:First", "random"], 60, seed=3)
    assert simulate(task, scheduler=cluster.address, shard_hands=16) == simulate(task)
    module = type(sys)("nowhere_else")
    exec("class Bot:\n    def act(self, observation, legal):\n        return legal[-1]", module.__dict__)
    monkeypatch.setitem(sys.modules, "nowhere_else", module)
    with pytest.raises(OrderError, match=r"a worker cannot read what it is to play: .*nowhere_else"):
        simulate(Task(poison.RULES, ["nowhere_else:Bot", "random"], 60), scheduler=cluster.address)


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_a_killed_worker_costs_nothing_but_time(
    cluster: Loopback, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = Task("yuanhang", MIXED, 60_000, seed=8)
    victim, finished = cluster.add_worker(), Cluster.finished

    def kill(crew: Cluster) -> list[Any]:
        found = finished(crew)
        if found and victim.poll() is None:  # the next shards are on their way
            victim.send_signal(signal.SIGKILL)
            victim.wait()
        return found

    monkeypatch.setattr(Cluster, "finished", kill)
    with distributed.Client(cluster.address, set_as_default=False) as client:
        client.wait_for_workers(3, timeout=60)
        result = simulate(task, scheduler=client, out=tmp_path, keep_records=True, shard_hands=4096)
    assert victim.returncode == -signal.SIGKILL
    same(result, simulate(task, keep_records=True))


def test_workers_of_another_build_are_refused(cluster: Loopback, tmp_path: Path) -> None:
    fake = tmp_path / "other"
    fake.mkdir()
    (fake / "sitecustomize.py").write_text(
        "import wuhan_sim.versions as v; v.kernel = lambda: 'f' * 64  # a worker built elsewhere\n"
    )
    cluster.modules = [fake, HERE]
    worker = cluster.add_worker()
    try:
        with distributed.Client(cluster.address, set_as_default=False) as client:
            client.wait_for_workers(3, timeout=60)
        with pytest.raises(SchedulerError) as caught:
            simulate(Task("yuanhang", MIXED, 40), scheduler=cluster.address, out=tmp_path / "run")
        (fault,) = caught.value.faults
        assert re.fullmatch(r"worker tcp://127\.0\.0\.1:\d+ has kernel f{12}, here [0-9a-f]{12}", fault)
        assert not (tmp_path / "run").exists()
    finally:
        worker.kill()
        worker.wait()
        cluster.modules = [HERE]


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_hands_that_kill_workers_are_named_and_the_rest_is_played(
    cluster: Loopback, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last test of the cluster: it costs four workers."""
    for _ in range(3):
        cluster.add_worker()
    with distributed.Client(cluster.address, set_as_default=False) as client:
        client.wait_for_workers(5, timeout=60)
        task = Task(poison.RULES, ["poison:Deadly", "random"], 120)
        run: dict[str, Any] = {"out": tmp_path / "run", "shard_hands": 20}
        with pytest.raises(ShardError, match=r"^hands 60 to 79 could not be played: workers died") as lost:
            simulate(task, scheduler=client, **run)
        assert lost.value.lost == (range(60, 80),)
    monkeypatch.delenv(DEADLY)  # no tiles are deadly here
    again = simulate(task, 1, **run)
    assert again == simulate(task)


def test_a_scheduler_that_is_not_there_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_module, "CONNECT", 0.5)
    with pytest.raises(SchedulerError, match=r"^scheduler = 'tcp://127\.0\.0\.1:1' cannot be reached: "):
        simulate(Task("yuanhang", MIXED, 40), scheduler="tcp://127.0.0.1:1", out=tmp_path / "run")
    for name, data in (("none", None), ("empty", ""), ("list", "[]"), ("object", "{}")):
        file = tmp_path / name
        if data is not None:
            file.write_text(data)
        with pytest.raises(SchedulerError, match=f"scheduler file .*{name}: "):
            simulate(Task("yuanhang", MIXED, 40), scheduler=file)
    with pytest.raises(SchedulerError, match="cannot be reached"):
        simulate(Task("yuanhang", MIXED, 40), scheduler="nonsense://x")
    assert not (tmp_path / "run").exists()
