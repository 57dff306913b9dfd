"""Playing sessions on threads: shards of whole blocks, exact totals that add in any order."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from wuhan_core.actions import BotError
from wuhan_core.errors import whole

from . import engine
from .executors import processors
from .guests import seated
from .parts import flat
from .progress import Progress
from .runner import Interrupted, RunError
from .session_plan import SessionFailure, SessionPlan
from .session_result import Sessions
from .session_stats import measure_sessions
from .stats import NOTHING, Totals
from .task import Task

_MOST_SESSIONS, _SHARDS = 2**12, 8  # most sessions of a shard, shards of a thread where there are fewer

Records = NDArray[np.void]


def sessions(
    task: Task,
    hands: int = 100,
    bankroll: int | None = None,
    count: int = 10_000,
    *,
    first: int = 0,
    stay: bool = False,
    leave_below: int | None = None,
    leave_above: int | None = None,
    flee: float = 0.0,
    workers: int | None = None,
    keep_records: bool = False,
    progress: bool | None = None,
    shard_sessions: int | None = None,
) -> Sessions:
    """Play many hands in a row, many times: the deal passes on, seats pay fees, may be ruined, may leave.

    Parameters
    ----------
    task, hands, bankroll, count, first, stay, leave_below, leave_above, flee
        As for `SessionPlan`.
    workers : int, optional
        Threads; as many as there are processors when not given. They change nothing in the result.
    keep_records : bool
        Keep one record per session in memory (305 bytes each).
    progress : bool, optional
        Show sessions done, rate and time left on stderr; when not given, only where that is a terminal.
    shard_sessions : int, optional
        Sessions that are played and counted together; a multiple of the sessions of a block. It changes
        nothing in the result.

    Returns
    -------
    Sessions

    Raises
    ------
    SessionError, RunError
        Naming every fault; nothing has been played then.
    SessionFailure
        A bot in Python failed; all threads have stopped.
    Interrupted
        On Ctrl-C, once the threads have stopped.

    Examples
    --------
    >>> from wuhan_sim import Task
    >>> task = Task("bianfeng", "greedy,greedy,random,random", hands=1, seed=1)
    >>> found = sessions(task, hands=20, bankroll=500, count=200)
    >>> found.count, found.hands < 20 * 200
    (200, True)
    >>> found.ruin_curve().query("hands == 20")[["of", "value"]].round(2)
            of  value
    19  greedy   0.04
    39  random   0.56
    """
    plan = SessionPlan(task, hands, bankroll, count, first, stay, leave_below, leave_above, flee)
    faults: list[str] = []
    threads = processors() if workers is None else whole("workers", workers, faults, 1)
    share = min(_MOST_SESSIONS, plan.count // (_SHARDS * threads))
    usual = max(1, share // plan.per_block) * plan.per_block
    size = usual if shard_sessions is None else whole("shard_sessions", shard_sessions, faults, 1)
    if size % plan.per_block:
        faults.append(
            f"shard_sessions = {size}, must be a multiple of {plan.per_block}, the sessions of a block"
        )
    if faults:
        raise RunError(faults)
    shards = _Shards(plan, keep_records)
    totals, done, kept = NOTHING, 0, {}
    with (
        Progress(plan.count, progress, things="sessions") as bar,
        ThreadPoolExecutor(threads, "wuhan") as pool,
    ):
        try:
            for shard in _finished(pool, shards, size, 2 * threads):
                totals += shard.totals
                done += shard.size
                bar.update(shard.size)
                if shard.records is not None:
                    kept[shard.first] = shard.records
        except BaseException as error:
            shards.stop[0] = 1
            pool.shutdown(cancel_futures=True)
            if isinstance(error, KeyboardInterrupt):
                raise Interrupted(done, plan.count, things="sessions") from None
            raise
    if not keep_records:
        return Sessions(plan, totals)
    memory = np.concatenate([kept[at] for at in sorted(kept)])
    return Sessions(plan, totals, lambda: pd.DataFrame(flat(memory)))


def play_shard(
    plan: SessionPlan, first: int, count: int, stop: NDArray[np.uint8] | None = None
) -> tuple[Records, NDArray[np.int64]]:
    """Play sessions `first` and following of a plan in the calling thread; the GIL is released.

    Parameters
    ----------
    plan : SessionPlan
    first, count : int
    stop : ndarray of uint8, (1,), optional
        Another thread may set it to 1 to end the play.

    Returns
    -------
    structured ndarray, SESSION_DTYPE, (count,)
    ndarray, int64, (count, snapshots, players)
        Bankrolls after every `plan.every` hands.

    Raises
    ------
    SessionFailure
        A bot in Python failed.
    InterruptedError
        `stop` was set.
    """
    task = plan.task
    try:
        records, paths, _ = engine.play_sessions(
            task.rules,
            seated(task.bots),
            task.seed,
            first,
            count,
            plan.hands,
            plan.bankroll,
            task.deal,
            task.draws,
            plan.stay,
            plan.leave_below,
            plan.leave_above,
            plan.flee,
            plan.every,
            stop=stop,
        )
    except BotError as error:
        raise SessionFailure(plan, error) from error.error
    return records, paths


class _Shard(NamedTuple):
    """What a thread hands back of sessions `first` and following; the records only where they are kept."""

    first: int
    size: int
    totals: Totals
    records: Records | None


class _Shards:
    """Plays shards of a plan, on any thread, until `stop` holds 1."""

    def __init__(self, plan: SessionPlan, keep: bool) -> None:
        self.plan, self.keep = plan, keep
        self.stop = np.zeros(1, np.uint8)

    def play(self, numbers: range) -> _Shard:
        """Play sessions and count them."""
        records, paths = play_shard(self.plan, numbers.start, len(numbers), self.stop)
        totals = measure_sessions(self.plan, records, paths)
        return _Shard(numbers.start, len(numbers), totals, records if self.keep else None)


def _finished(pool: ThreadPoolExecutor, shards: _Shards, size: int, window: int) -> Iterator[_Shard]:
    """Play shards cut at multiples of `size`, at most `window` at a time; yield them as they are done."""
    waiting: set[Future[_Shard]] = set()
    first, last = shards.plan.first, shards.plan.first + shards.plan.count
    while first < last or waiting:
        if first < last and len(waiting) < window:
            upto = min(first - first % size + size, last)
            waiting.add(pool.submit(shards.play, range(first, upto)))
            first = upto
            continue
        done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
        yield from (future.result() for future in done)
