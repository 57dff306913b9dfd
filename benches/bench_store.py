"""What it costs to keep records.

Goals: a run of greedy bots that keeps its records in a folder takes at most 10 % longer than the same run
without; parts are encoded, written (with both syncs) and read back at least five times as fast as played.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from wuhan_sim import Task, parts, simulate
from wuhan_sim.shards import Order, overview, play
from wuhan_sim.store import RunFolder

WORKERS, ROUNDS, HANDS = 2, 5, 2**17
SHARD = 2**15


@pytest.mark.parametrize("bot", ["greedy", "random"])
def test_overhead_of_keeping_records(benchmark: Any, bot: str, tmp_path: Path) -> None:
    """Both kinds of run in turn, each in a new folder: the median of the ratios of neighbours."""
    task = Task("yuanhang", bot, HANDS, seed=1, deal="fresh")

    def cost(name: str, keep: bool) -> tuple[float, float]:
        """Seconds on the clock, and of the processors."""
        began = time.perf_counter(), time.process_time()
        result = simulate(task, WORKERS, out=tmp_path / name, keep_records=keep, progress=False)
        assert result.hands == task.hands
        return time.perf_counter() - began[0], time.process_time() - began[1]

    cost("warm", True)
    rounds = [(cost(f"a{i}", False), cost(f"b{i}", True), cost(f"c{i}", False)) for i in range(ROUNDS)]

    def usual(over: Callable[[float, float, float], float]) -> list[float]:
        """The median over the rounds, for either clock."""
        return [statistics.median(over(*(run[kind] for run in each)) for each in rounds) for kind in (0, 1)]

    clock, used = usual(lambda a, b, c: 2 * b / (a + c) - 1)
    clock_noise, used_noise = usual(lambda a, b, c: abs(a / c - 1))
    size = sum(path.stat().st_size for path in (tmp_path / "b0" / "parts").iterdir()) / task.hands
    benchmark.pedantic(cost, ("last", True), rounds=1)
    benchmark.extra_info.update(goal=0.1, clock=clock, processors=used, bytes_per_hand=size)
    print(
        f"\n{bot}: records cost {clock:.1%} on the clock (A against A strays {clock_noise:.1%}), "
        f"{used:.1%} of the processors ({used_noise:.1%}); {size:.1f} bytes a hand"
    )


@pytest.mark.parametrize("bot", ["greedy", "random"])
def test_parts_per_second(benchmark: Any, bot: str, tmp_path: Path) -> None:
    task = Task("yuanhang", bot, 10**6, seed=1, deal="fresh")
    began = time.perf_counter()
    records = play(task, 0, SHARD)
    played = time.perf_counter() - began
    order = Order((task,), overview(task), part=True)
    shard = order.count([records], 0)

    def timed(work: Callable[[], object]) -> float:
        began = time.perf_counter()
        for _ in range(5):
            work()
        return 5 / (time.perf_counter() - began)

    with RunFolder(tmp_path, task, SHARD, True) as folder:
        encoded = timed(lambda: parts.encode(task, records))
        written = timed(lambda: folder.add(shard))
        path = tmp_path / "parts" / parts.name(0)
        read = timed(lambda: parts.decode(path, task, range(SHARD)))
        benchmark.pedantic(folder.add, (shard,), rounds=3)
        assert np.array_equal(parts.decode(path, task), records)
    benchmark.extra_info.update(encoded=encoded, written=written, read=read, played=1 / played)
    print(
        f"\n{bot}: parts of {SHARD:,} hands a second on one thread: {1 / played:.1f} played, "
        f"{encoded:.0f} encoded, {written:.0f} written, {read:.0f} read"
    )
