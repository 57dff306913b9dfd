"""Playing tasks: shards are given to workers, and what comes back is added up and stored."""

from __future__ import annotations

import contextlib
import logging
import math
import re
import signal
import sys
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from wuhan_core.errors import FaultError, show, whole
from wuhan_core.records import HAND_DTYPE
from wuhan_core.rules import RuleSet

from . import estimates, parts, shards
from .cluster import Cluster, connect, is_client
from .executors import (
    MOST_PROCESSES,
    Crew,
    Given,
    Lost,
    Processes,
    ShardError,
    Threads,
    executor_workers,
    processors,
    written,
)
from .ledger import Ledger, Looks
from .parts import StoreError
from .progress import Progress
from .quantities import quantities
from .result import Result
from .shards import Order, Records, Shard, Work, overview
from .show import so_far
from .stats import Gauge, Totals
from .stopping import Stopping
from .store import RunFolder, folder_faults
from .task import Task, TaskError, task_faults
from .until import Plan, Standing, Until, UntilError

if TYPE_CHECKING:
    from distributed import Client

    Scheduler = str | Path | Executor | Client | None

_log = logging.getLogger(__name__)


class RunError(FaultError):
    """A run that cannot be; `faults` has every fault."""


class Interrupted(KeyboardInterrupt):
    """The run was stopped by Ctrl-C or SIGTERM.

    Attributes
    ----------
    done, hands : int
        Hands of finished shards, and of the task; or other `things`.
    signum : int
        The signal.
    folder : Path or None
        Where what is done is kept: the same run with the same folder goes on from there.
    """

    def __init__(
        self,
        done: int,
        hands: int,
        signum: int = signal.SIGINT,
        folder: Path | None = None,
        things: str = "hands",
    ) -> None:
        super().__init__(f"stopped after {done:,} of {hands:,} {things}")
        self.done, self.hands, self.signum, self.folder = done, hands, signum, folder


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

    Examples
    --------
    >>> records = play_records("yuanhang", "greedy,greedy,random,random", seed=1, count=10_000)
    >>> len(records), int(records["points"].sum())
    (10000, 0)
    >>> again = play_records("yuanhang", "greedy,greedy,random,random", seed=1, first=9_999, count=1)
    >>> bool(again[0] == records[9_999])
    True
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
    scheduler: Scheduler = None,
    out: str | Path | None = None,
    keep_records: bool = False,
    progress: bool | None = None,
    until: str | Until | None = None,
    shard_hands: int | None = None,
) -> Result:
    """Play a task and sum it up.

    What is done is told to the logger ``wuhan_sim`` (`logging`). Ctrl-C and SIGTERM stop at the ends of the
    shards that are being played, a second one at once.

    Parameters
    ----------
    task : Task
    workers : int, optional
        Threads, or processes; as many as there are processors when not given. Of an executor of your own: how
        many workers it has. They change nothing in the result. On Windows there are 61 processes at most.
    scheduler : str, Path, Executor or distributed.Client, optional
        Who plays: "threads" of this process (the default), "processes" of its own, any
        `concurrent.futures.Executor`, or the workers of a Dask scheduler, given by a client, by the
        scheduler's address (``tcp://host:8786``) or by the Path of its scheduler file.
    out : str or Path, optional
        Folder to write the run to. A run that was stopped goes on from there.
    keep_records : bool
        Keep one record per hand: in ``parts/`` of `out`, in memory (155 bytes a hand) without `out`.
    progress : bool, optional
        Show hands done, rate, time left and the estimate so far on stderr; when not given, only where that is
        a terminal.
    until : str or Until, optional
        Stop at the first look at which every half-width named is small enough, as ``points<0.02`` or
        ``capped_share<1%,points[greedy]<0.5``. The task's hands are the most that are played.
    shard_hands : int, optional
        Hands that are played, counted and stored together; when not given a number that follows from the
        task. It changes nothing in the result.

    Returns
    -------
    Result

    Raises
    ------
    RunError, StoreError, SchedulerError, OrderError
        Naming every fault; nothing has been played or written then.
    BotFailure
        A bot in Python failed; all workers have stopped.
    ShardError
        Hands that kill whoever plays them; all others are done, and kept in the folder.
    Interrupted
        On Ctrl-C and SIGTERM; what is finished is kept in the folder.

    Examples
    --------
    >>> task = Task("yuanhang", "greedy,greedy,random,random", hands=2_000, seed=1)
    >>> result = simulate(task)
    >>> result.hands, result.walls
    (2000, 500)
    >>> simulate(task, workers=1).table().equals(result.table())
    True
    """
    if wrong := task_faults(task):
        raise RunError(wrong)
    faults: list[str] = []
    count = _workers(workers, scheduler, faults)
    order = Order((task,), overview(task), records=keep_records and out is None, part=keep_records)
    size = _size(order, shard_hands, faults)
    plan: Plan | None = None
    if until is not None:
        try:
            plan = Until.parse(until).plan(task)
        except UntilError as error:
            faults += error.faults
    goal = "" if plan is None else str(plan.until)
    wrong = [] if out is None else folder_faults(out, keep_records, task, goal)
    if faults:
        raise RunError(faults + wrong)
    if wrong:
        raise StoreError(wrong)
    try:
        shards.play(task, task.first, 0)  # the engine looks at rules and bots before anything is written
    except FaultError:
        raise
    except ValueError as error:
        raise RunError([str(error)]) from error
    kept: dict[int, Records] = {}

    def keep(shard: Shard) -> None:
        if shard.records is not None:
            kept[shard.first] = shard.records[0]

    with contextlib.ExitStack() as stack:
        crew = stack.enter_context(_crew(order, count, scheduler))
        folder = stored = None
        if out is not None:
            folder = stack.enter_context(RunFolder(out, task, size, keep_records, goal))
            size = folder.shard_hands
            stored = partial(folder.whole, replace(order, part=False))
        ledger = Ledger(order, plan, folder)
        _play(order, crew, ledger, size, progress, _teller(task, plan), keep, folder, stored)
        load = folder.records if folder and keep_records else None
        if kept:
            memory = np.concatenate([kept[first] for first in sorted(kept) if first < ledger.last])
            load = lambda: pd.DataFrame(parts.flat(memory))  # noqa: E731
        played = task.with_hands(task.first, ledger.last - task.first)
        result = Result(played, ledger.totals, ((task.first, ledger.last),), load, looked=plan)
        if folder:
            if ledger.met:
                folder.drop_after(ledger.last)
            folder.write_summary(result.to_dict())
    return result


def gather(
    tasks: Sequence[Task],
    gauge: Gauge,
    workers: int | None = None,
    *,
    scheduler: Scheduler = None,
    progress: bool | None = None,
    until: Looks | None = None,
    shard_hands: int | None = None,
    estimate: Callable[[Totals], str] | None = None,
    others: Sequence[RuleSet] = (),
) -> Totals:
    """Play several tasks on the same hand numbers, and sum up what a gauge counts.

    Parameters
    ----------
    tasks : sequence of Task
        All with the same first hand, number of hands and hands per wall.
    gauge : Gauge
    workers, scheduler, progress, until, shard_hands
        As for `simulate`.
    estimate : callable, optional
        What the totals say so far, in a few words, to be shown with the progress.
    others : sequence of RuleSet
        Rules that differ in points and the minimum: the hands of each task are measured as scored by them,
        too, as if they were tasks of their own after it.

    Returns
    -------
    Totals
        Of all hands, or of those up to the look at which `until` was met.

    Raises
    ------
    RunError, SchedulerError, OrderError, BotFailure, ShardError, Interrupted
        As for `simulate`.
    """
    return gather_order(
        Order(tuple(tasks), gauge, others=tuple(others)),
        workers,
        scheduler=scheduler,
        progress=progress,
        until=until,
        shard_hands=shard_hands,
        estimate=estimate,
    )


def gather_order(
    order: Work,
    workers: int | None = None,
    *,
    scheduler: Scheduler = None,
    progress: bool | None = None,
    until: Looks | None = None,
    shard_hands: int | None = None,
    estimate: Callable[[Totals], str] | None = None,
    keep: Callable[[Shard], None] = lambda shard: None,
) -> Totals:
    """Carry out an order of any kind, and sum up what it counts; see `gather`. keep: is given every shard."""
    faults: list[str] = []
    count = _workers(workers, scheduler, faults)
    size = _size(order, shard_hands, faults)
    faults += order.faults
    if faults:
        raise RunError(faults)
    ledger = Ledger(order, until)
    with _crew(order, count, scheduler) as crew:
        _play(order, crew, ledger, size, progress, estimate, keep, part=True)
    return ledger.totals


def _play(
    order: Work,
    crew: Crew,
    ledger: Ledger,
    size: int,
    progress: bool | None,
    estimate: Callable[[Totals], str] | None,
    keep: Callable[[Shard], None],
    folder: RunFolder | None = None,
    stored: Callable[[range], Shard | None] | None = None,
    part: bool = False,
) -> None:
    """Play what a ledger misses, in shards of `size` hands; all of it is counted when this returns.

    part: of more that the caller plays. A signal ends that, too, even where it came with the last shards.
    """
    numbers, things, began = order.numbers, order.things, time.monotonic()
    hands = written(numbers, things)
    _log.info("%s, %s in shards of %d, %d are done", _named(order.tasks), hands, size, ledger.done)

    def told() -> str:
        return estimate(ledger.totals) if estimate and ledger.last > numbers.start else ""

    bar = Progress(len(numbers), progress, done=ledger.done, estimate=told, things=things)
    with Stopping() as stop, bar:
        try:
            with contextlib.closing(_played(crew, ledger.missing(size), stop, stored)) as coming:
                for shard, played in () if ledger.over else coming:
                    ledger.add(shard)
                    if isinstance(shard, Shard):
                        keep(shard)
                        bar.update(shard.hands, played)
                    if ledger.over:
                        break
        except KeyboardInterrupt:
            stop.signum = stop.signum or signal.SIGINT
        finally:
            ledger.save()
    _log.info("%s: %d are done, %.1f s", hands, ledger.done, time.monotonic() - began)
    if (ledger.met or ledger.last == numbers.stop) and not (part and stop.asked):
        return
    if stop.asked:
        _log.info("stopped by %s", signal.Signals(stop.signum).name)
        raise Interrupted(ledger.done, len(numbers), stop.signum, folder.path if folder else None, things)
    raise ShardError(ledger.lost)


def _played(
    crew: Crew, todo: Iterator[range], stop: Stopping, stored: Callable[[range], Shard | None] | None
) -> Generator[tuple[Shard | Lost, bool], None, None]:
    """Yield shards as they are there, stored before or (True) played by a crew."""
    more, told = True, False
    try:
        while True:
            while more and not stop.asked and len(crew) < crew.room:
                if (hands := next(todo, None)) is None:
                    more = False
                elif stored and (shard := stored(hands)):
                    yield shard, False
                else:
                    crew.submit(hands)
            if stop.asked:
                crew.withdraw()
                if len(crew) and not told:
                    _log.warning("stopping after the shards that are being played; a second signal ends them")
                    told = True
            if not len(crew) and (stop.asked or not more):
                return
            for outcome in crew.finished():
                yield outcome, True
    except BaseException:
        crew.give_up()
        raise


def _crew(order: Work, count: int, scheduler: Scheduler) -> Crew:
    if isinstance(scheduler, ThreadPoolExecutor) and type(scheduler) is ThreadPoolExecutor:
        return Threads(order, count, scheduler)
    if isinstance(scheduler, Executor):
        return Given(order, scheduler, count)
    if scheduler is None or scheduler == "threads":
        return Threads(order, count)
    if scheduler == "processes":
        return Processes(order, count)
    if isinstance(scheduler, str | Path):
        return Cluster(order, connect(scheduler), owned=True)
    return Cluster(order, scheduler, owned=False)


def _workers(workers: int | None, scheduler: Scheduler, faults: list[str]) -> int:
    """Return how many workers to count on; 0 for those of a cluster."""
    here = scheduler is None or scheduler in ("threads", "processes")
    if not here and not isinstance(scheduler, Executor):
        address = isinstance(scheduler, Path) or (isinstance(scheduler, str) and "://" in scheduler)
        if not address and not is_client(scheduler):
            faults.append(
                f"scheduler = {show(scheduler)}, must be threads, processes, an address such as "
                "tcp://host:8786, the path of a scheduler file, an Executor or a Dask client"
            )
        elif workers is not None:
            faults.append(f"workers = {show(workers)}, must not be given beside a cluster, which has its own")
        return 0
    most = MOST_PROCESSES if scheduler == "processes" else None
    if workers is None:
        found = executor_workers(scheduler) if isinstance(scheduler, Executor) else processors()
        return found if most is None else min(found, most)
    return whole("workers", workers, faults, 1, most)


def _size(order: Work, shard_hands: int | None, faults: list[str]) -> int:
    return order.size if shard_hands is None else whole("shard_hands", shard_hands, faults, 1)


def worker_faults(workers: int | None, scheduler: Scheduler) -> list[str]:
    """Why there cannot be such workers, for calls that have more faults to tell."""
    faults: list[str] = []
    _workers(workers, scheduler, faults)
    return faults


def _named(tasks: Sequence[Task]) -> str:
    return ", ".join(f"task {task.id[:12]} ({task.rules.name}; {', '.join(task.bots)})" for task in tasks)


def _teller(task: Task, plan: Plan | None) -> Callable[[Totals], str]:
    """Tell what is known: the goal that is farthest, or the points of the first bot.

    Where all bots are the same their points are 0: then it is the points that change hands.
    """
    alone = len(set(task.bots)) == 1
    section, of, name = ("caps", "hands", "swing") if alone else ("strategies", task.bots[0], "points")
    (row,) = (
        row
        for row in quantities(task.rules, task.bots)
        if (row.section, row.of, row.name) == (section, of, name)
    )

    def tell(totals: Totals) -> str:
        if plan:
            return str(max(plan.standing(totals), key=_distance))
        return f"{name if alone else of} {so_far(estimates.estimate(row, totals))} points"

    return tell


def _distance(standing: Standing) -> float:
    half = standing.estimate.half / standing.goal.half
    return math.inf if math.isnan(half) else half
