"""Dask workers beside threads: hands a second through `simulate` with as many workers, in the same run.

Goal: 0.9 of threads for shards of a few seconds. The cluster is a real one on this machine: a scheduler and
one worker process for each processor; its start is not counted.
"""

from __future__ import annotations

import statistics
import time
from pathlib import Path
from typing import Any

import pytest

from loopback import Loopback
from wuhan_sim import Task, simulate
from wuhan_sim.executors import processors

GOAL = 0.9
TASK = Task("yuanhang", "planner,greedy,greedy,planner", 400_000, seed=3)
SHARD = 50_000


def test_dask_against_threads(benchmark: Any, tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    count = processors()
    with (
        Loopback(tmp_path, count) as cluster,
        distributed.Client(cluster.address, set_as_default=False) as client,
    ):
        client.wait_for_workers(count, timeout=60)

        def seconds(**who: Any) -> float:
            began = time.perf_counter()
            results.append(simulate(TASK, shard_hands=SHARD, progress=False, **who).totals)
            return time.perf_counter() - began

        results: list[object] = []
        seconds(scheduler=client)
        ratios = [seconds(workers=count) / seconds(scheduler=client) for _ in range(3)]
        benchmark.pedantic(seconds, kwargs={"scheduler": client}, rounds=1)
        assert all(totals == results[0] for totals in results)
        ratio = statistics.median(ratios)
        benchmark.extra_info.update(goal=GOAL, ratio=round(ratio, 2))
        print(f"\nDask workers: {ratio:.2f} of threads (goal {GOAL}); {[round(r, 2) for r in ratios]}")
