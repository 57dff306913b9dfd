"""Playing tasks: shards are given to workers, and what comes back is added up and stored."""

from __future__ import annotations

import operator
import os
import re
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path

import numpy as np
import pandas as pd

from wuhan_core.errors import FaultError, show
from wuhan_core.records import HAND_DTYPE
from wuhan_core.rules import RuleSet

from . import parts, shards
from .progress import Progress
from .result import Result
from .shards import SHARD_HANDS, Order, Records, Shard, overview
from .stats import NOTHING, Gauge, Totals
from .store import RunFolder, folder_faults
from .task import Task, TaskError

CHECKPOINT_EVERY = 5.0  # seconds between two checkpoints of a run that keeps no records


class RunError(FaultError):
    """A run that cannot be; `faults` has every fault."""


class Interrupted(KeyboardInterrupt):
    """The run was stopped from the keyboard.

    Attributes
    ----------
    done, hands : int
        Hands of finished shards, and of the task.
    """

    def __init__(self, done: int, hands: int) -> None:
        super().__init__(f"stopped after {done:,} of {hands:,} hands")
        self.done, self.hands = done, hands


def play_records(
    task_or_rules: Task | RuleSet | str,
    bots: object = (),
    seed: int = 0,
    first: int = 0,
    count: int | None = None,
    deal: str = "rotated",
    draws: str = "seat",
) -> Records:
    """Play hands in the calling thread; the GIL is released.

    Parameters
    ----------
    task_or_rules : Task, RuleSet or str
        A task, which is played whole; or rules, with all the rest as for `Task`.
    bots, seed, first, deal, draws
        As for `Task`; not with a task.
    count : int
        Hands to play; not with a task.

    Returns
    -------
    structured ndarray, HAND_DTYPE, (count,)

    Raises
    ------
    TaskError
        Naming every fault.
    BotFailure
        A bot in Python failed.
    """
    if isinstance(task_or_rules, Task):
        given, usual = (bots, seed, first, count, deal, draws), ((), 0, 0, None, "rotated", "seat")
        # by type first: values may be of any type, and arrays have no truth
        if any(type(a) is not type(b) or a != b for a, b in zip(given, usual, strict=True)):
            raise RunError(
                ["a task says itself what to play: no bots, seed, first, count, deal or draws beside it"]
            )
        task = task_or_rules
    else:
        try:
            task = Task(task_or_rules, bots, count, seed, deal, draws, first)  # type: ignore[arg-type]
        except TaskError as error:
            raise TaskError(re.sub("^hands = ", "count = ", fault) for fault in error.faults) from None
    size = HAND_DTYPE.itemsize
    try:
        if task.hands > sys.maxsize // size:
            raise MemoryError
        return shards.play(task, task.first, task.hands)
    except MemoryError:
        room = f"their records of {size} bytes each find no room in memory, simulate keeps sums alone"
        raise RunError([f"count = {task.hands}, must be fewer hands: {room}"]) from None


def simulate(
    task: Task,
    workers: int | None = None,
    *,
    out: str | Path | None = None,
    keep_records: bool = False,
    progress: bool | None = None,
    shard_hands: int | None = None,
) -> Result:
    """Play a task and sum it up.

    Parameters
    ----------
    task : Task
    workers : int, optional
        Threads; as many as there are processors when not given. They change nothing in the result.
    out : str or Path, optional
        Folder to write the run to.
    keep_records : bool
        Keep one record per hand: in ``parts/`` of `out`, in memory (155 bytes a hand) without `out`.
    progress : bool, optional
        Show hands done, rate and time left on stderr; when not given, only where that is a terminal.
    shard_hands : int, optional
        Hands that are played, counted and stored together. It changes nothing in the result.

    Returns
    -------
    Result

    Raises
    ------
    RunError, StoreError
        Naming every fault; nothing has been played or written then.
    BotFailure
        A bot in Python failed; all threads have stopped.
    Interrupted
        On Ctrl-C, once the threads have stopped; parts that were written are whole.
    """
    faults: list[str] = []
    if not isinstance(task, Task):
        raise RunError([f"task = {show(task)}, must be a Task"])
    count = processors() if workers is None else _positive("workers", workers, faults)
    size = SHARD_HANDS if shard_hands is None else _positive("shard_hands", shard_hands, faults)
    if faults:
        raise RunError(faults + ([] if out is None else folder_faults(out, keep_records)))
    try:
        shards.play(task, task.first, 0)  # the engine looks at rules and bots before anything is written
    except FaultError:
        raise
    except ValueError as error:
        raise RunError([str(error)]) from error
    order = Order((task,), overview(task), records=keep_records and out is None, part=keep_records)
    if out is None:
        return _run(order, count, size, None, progress)
    with RunFolder(out, task, size, keep_records) as folder:
        return _run(order, count, folder.shard_hands, folder, progress)


def gather(
    tasks: Sequence[Task],
    gauge: Gauge,
    workers: int | None = None,
    *,
    progress: bool | None = None,
    shard_hands: int = SHARD_HANDS,
) -> Totals:
    """Play several tasks on the same hand numbers, and sum up what a gauge counts.

    Parameters
    ----------
    tasks : sequence of Task
        All with the same first hand, number of hands and hands per wall.
    gauge : Gauge
    workers, progress, shard_hands
        As for `simulate`.

    Returns
    -------
    Totals
    """
    return gather_order(Order(tuple(tasks), gauge), workers, progress=progress, shard_hands=shard_hands)


def gather_order(
    order: Order, workers: int | None = None, *, progress: bool | None = None, shard_hands: int = SHARD_HANDS
) -> Totals:
    """Carry out an order of any kind, and sum up what its gauge counts; see `gather`."""
    totals, task = NOTHING, order.tasks[0]
    todo = shards.cut(task.first, task.last, shard_hands)
    for shard in _played(order, workers or processors(), todo, progress):
        totals += shard.totals
    return totals


def _run(order: Order, count: int, size: int, folder: RunFolder | None, progress: bool | None) -> Result:
    """Play a task on `count` threads, in shards of `size` hands, and write what belongs into the folder."""
    task = order.tasks[0]
    ledger = _Ledger(task, folder)
    kept: dict[int, Records] = {}
    todo = shards.cut(ledger.last, task.last, size)
    try:
        for shard in _played(order, count, todo, progress, folder):
            ledger.add(shard)
            if shard.records is not None:
                kept[shard.first] = shard.records[0]
    except KeyboardInterrupt:
        raise Interrupted(ledger.done, task.hands) from None
    finally:
        ledger.save()
    load = folder.records if folder and folder.keep_records else None
    if kept:
        memory = np.concatenate([kept[first] for first in sorted(kept)])
        load = lambda: pd.DataFrame(parts.flat(memory))  # noqa: E731
    result = Result(task, ledger.totals, ((task.first, task.last),), load)
    if folder:
        folder.write_summary(result.to_dict())
    return result


class _Ledger:
    """Totals of the hands from the task's first on without a gap, and of the shards that came early."""

    def __init__(self, task: Task, folder: RunFolder | None) -> None:
        self.folder, self.last, self.totals = folder, task.first, NOTHING
        self.done = 0
        self._early: dict[int, Shard] = {}
        self._saved = time.monotonic()
        if folder and not folder.keep_records and (reached := folder.reached()):
            self.last, self.totals = reached
            self.done = self.last - task.first

    def add(self, shard: Shard) -> None:
        if self.folder:
            self.folder.add(shard)
        self.done += shard.hands
        self._early[shard.first] = shard
        while self.last in self._early:
            shard = self._early.pop(self.last)
            self.totals += shard.totals
            self.last = shard.last
        if time.monotonic() - self._saved > CHECKPOINT_EVERY:
            self.save()

    def save(self) -> None:
        """Write what a later run of the same task can begin with."""
        self._saved = time.monotonic()
        if self.folder and self.totals is not NOTHING:
            self.folder.checkpoint(self.last, self.totals)


def _played(
    order: Order,
    count: int,
    todo: Iterator[range],
    progress: bool | None,
    folder: RunFolder | None = None,
) -> Iterator[Shard]:
    """Yield the shards of an order as they are finished, read from the folder or played on threads."""
    stop = threading.Event()
    task = order.tasks[0]
    with Progress(task.hands, progress) as bar, ThreadPoolExecutor(count, "wuhan") as pool:
        waiting: set[Future[Shard]] = set()
        try:
            for hands in todo:
                if folder and (shard := folder.whole(order, hands)):
                    bar.update(shard.hands)
                    yield shard
                    continue
                if len(waiting) == 2 * count:
                    done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                    for future in done:
                        shard = future.result()
                        bar.update(shard.hands)
                        yield shard
                waiting.add(pool.submit(order.play, hands, stop.is_set))
            while waiting:
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                for future in done:
                    shard = future.result()
                    bar.update(shard.hands)
                    yield shard
        except BaseException:
            stop.set()
            pool.shutdown(cancel_futures=True)
            raise


def processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _positive(name: str, value: object, faults: list[str]) -> int:
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        number = 0
    if isinstance(value, bool) or number < 1:
        faults.append(f"{name} = {show(value)}, must be a whole number, 1 or more")
        return 0
    return number
