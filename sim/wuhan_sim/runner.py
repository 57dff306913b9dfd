"""Playing a task on threads.

Hands are cut into shards at multiples of a fixed number, whatever the number of workers; each shard gives
exact totals, and these add in any order. So the answer is the same, bit for bit, for any number of workers
and any shard size.
"""

from __future__ import annotations

import operator
import os
import re
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from wuhan_core.actions import BotError
from wuhan_core.errors import FaultError, show
from wuhan_core.records import HAND_DTYPE
from wuhan_core.rules import RuleSet

from . import engine
from .guests import names_guest, seated
from .progress import Progress
from .quantities import quantities
from .result import Result
from .stats import NOTHING, Totals, measure
from .store import RunFolder, flat, folder_faults
from .task import BotFailure, Task, TaskError

SHARD_HANDS = 2**15  # hands of a shard: divisible by every number of hands per wall
_PIECE_HANDS, _SLOW_PIECE_HANDS = 2**11, 2**5  # hands between two looks at the stop flag; with bots in Python

Records = NDArray[np.void]


class RunError(FaultError):
    """A run that cannot be; `faults` has every fault."""


class Interrupted(KeyboardInterrupt):
    """The run was stopped from the keyboard.

    Attributes
    ----------
    done, hands : int
        Hands of finished shards, and of the task; or other `things`.
    """

    def __init__(self, done: int, hands: int, things: str = "hands") -> None:
        super().__init__(f"stopped after {done:,} of {hands:,} {things}")
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
        return _play(task, task.first, task.hands)
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
    shard_hands: int = SHARD_HANDS,
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
    shard_hands : int
        Hands that are played, counted and stored together; a multiple of the hands of a wall. It changes
        nothing in the result.

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
    count = processors() if workers is None else positive("workers", workers, faults)
    size = positive("shard_hands", shard_hands, faults)
    if size % task.hands_per_wall:
        faults.append(
            f"shard_hands = {size}, must be a multiple of {task.hands_per_wall}, the hands of a wall"
        )
    if faults:
        raise RunError(faults + ([] if out is None else folder_faults(out, keep_records)))
    try:
        _play(task, task.first, 0)  # the engine looks at rules and bots before anything is written
    except FaultError:
        raise
    except ValueError as error:
        raise RunError([str(error)]) from error
    if out is None:
        return _run(task, count, size, None, keep_records, progress)
    with RunFolder(out, task, size, keep_records) as folder:
        return _run(task, count, size, folder, keep_records, progress)


def _run(
    task: Task, count: int, size: int, folder: RunFolder | None, keep_records: bool, progress: bool | None
) -> Result:
    """Play a task on `count` threads, in shards of `size` hands, and write what belongs into the folder."""
    shards = Shards(task, folder if keep_records else None, keep_records and folder is None)
    totals, done, kept = NOTHING, 0, {}
    with Progress(task.hands, progress) as bar, ThreadPoolExecutor(count, "wuhan") as pool:
        try:
            for shard in _in_flight(pool, shards.play, _ranges(task, size), 2 * count):
                totals += shard.totals
                done += shard.hands
                bar.update(shard.hands)
                if shard.records is not None:
                    kept[shard.first] = shard.records
        except BaseException as error:
            shards.stop.set()
            pool.shutdown(cancel_futures=True)
            if isinstance(error, KeyboardInterrupt):
                raise Interrupted(done, task.hands) from None
            raise

    load = folder.records if folder and keep_records else None
    if kept:
        memory = np.concatenate([kept[first] for first in sorted(kept)])
        load = lambda: pd.DataFrame(flat(memory))  # noqa: E731
    result = Result(task, totals, ((task.first, task.last),), load)
    if folder:
        folder.write_summary(result.to_dict())
    return result


def processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Shard(NamedTuple):
    """What a worker hands back of hands `first` and following; the records only where they stay in memory."""

    first: int
    hands: int
    totals: Totals
    records: Records | None


class Shards:
    """Plays shards of a task, on any thread.

    Parameters
    ----------
    task : Task
    folder : RunFolder or None
        Where the records go.
    in_memory : bool
        Hand the records back.

    Attributes
    ----------
    stop : threading.Event
        When set, shards that are being played are given up soon.
    """

    def __init__(self, task: Task, folder: RunFolder | None, in_memory: bool) -> None:
        self.task, self.folder, self.in_memory = task, folder, in_memory
        self.stop = threading.Event()
        self.ratios = [(row.over, row.under) for row in quantities(task.rules, task.bots)]

    def play(self, hands: range) -> Shard:
        """Play the hands of one shard, count them, and store them where they are kept."""
        pieces = []
        size = _SLOW_PIECE_HANDS if any(map(names_guest, self.task.bots)) else _PIECE_HANDS
        for first in range(hands.start, hands.stop, size):
            if self.stop.is_set():
                raise InterruptedError
            pieces.append(_play(self.task, first, min(size, hands.stop - first)))
        records = np.concatenate(pieces)
        totals = measure(records, self.task.bots, self.task.hands_per_wall, self.ratios)
        if self.folder:
            self.folder.write_part(records)
        return Shard(hands.start, len(hands), totals, records if self.in_memory else None)


def _play(task: Task, first: int, count: int) -> Records:
    try:
        records: Records = engine.play_hands(
            task.rules, seated(task.bots), task.seed, first, count, task.deal, task.draws
        )
    except BotError as error:
        raise BotFailure(task, error) from error.error
    return records


def _ranges(task: Task, size: int) -> Iterator[range]:
    """Cut the task's hands at multiples of `size`."""
    first = task.first
    while first < task.last:
        last = min(first - first % size + size, task.last)
        yield range(first, last)
        first = last


def _in_flight(
    pool: Executor, play: Callable[[range], Shard], shards: Iterable[range], window: int
) -> Iterator[Shard]:
    """Give shards to a pool, at most `window` at a time, and yield them as they are finished."""
    waiting: set[Future[Shard]] = set()
    for hands in shards:
        if len(waiting) == window:
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            yield from (future.result() for future in done)
        waiting.add(pool.submit(play, hands))
    while waiting:
        done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
        yield from (future.result() for future in done)


def positive(name: str, value: object, faults: list[str]) -> int:
    """Return a whole number of 1 or more; add a fault and return 0 where it is none."""
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        number = 0
    if isinstance(value, bool) or number < 1:
        faults.append(f"{name} = {show(value)}, must be a whole number, 1 or more")
        return 0
    return number
