"""Playing sessions: shards of whole blocks, played by any crew, exact totals that add in any order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from wuhan_core.actions import BotError
from wuhan_core.errors import whole

from . import engine
from .guests import seated
from .parts import flat
from .runner import RunError, gather_order, worker_faults
from .session_plan import SessionFailure, SessionPlan
from .session_result import Sessions
from .session_stats import measure_sessions
from .shards import NEVER, Flag, Records, Shard, Stopped, shard_hands
from .task import Task

if TYPE_CHECKING:
    from .runner import Scheduler


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
    scheduler: Scheduler = None,
    keep_records: bool = False,
    progress: bool | None = None,
    shard_sessions: int | None = None,
) -> Sessions:
    """Play many hands in a row, many times: the deal passes on, seats pay fees, may be ruined, may leave.

    Parameters
    ----------
    task, hands, bankroll, count, first, stay, leave_below, leave_above, flee
        As for `SessionPlan`.
    workers, scheduler
        As for `simulate`; they change nothing in the result.
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
    SessionError, RunError, SchedulerError, OrderError
        Naming every fault; nothing has been played then.
    SessionFailure
        A bot in Python failed; all workers have stopped.
    ShardError, Interrupted
        As for `simulate`.

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
    faults = worker_faults(workers, scheduler)
    order = SessionOrder(plan, keep_records)
    size = order.size if shard_sessions is None else whole("shard_sessions", shard_sessions, faults, 1)
    if size % plan.per_block:
        faults.append(
            f"shard_sessions = {size}, must be a multiple of {plan.per_block}, the sessions of a block"
        )
    if faults:
        raise RunError(faults)
    kept: dict[int, Records] = {}

    def keep(shard: Shard) -> None:
        if shard.records is not None:
            kept[shard.first] = shard.records[0]

    totals = gather_order(order, workers, scheduler=scheduler, progress=progress, shard_hands=size, keep=keep)
    if not keep_records:
        return Sessions(plan, totals)
    memory = np.concatenate([kept[at] for at in sorted(kept)])
    return Sessions(plan, totals, lambda: pd.DataFrame(flat(memory)))


@dataclass(frozen=True)
class SessionOrder:
    """Sessions of a plan, in shards of whole blocks; `shards.Work`.

    Attributes
    ----------
    plan : SessionPlan
    records : bool
        Whether a shard brings its records back.
    """

    plan: SessionPlan
    records: bool = False
    things: ClassVar[str] = "sessions"
    faults: ClassVar[list[str]] = []  # what a plan cannot be it says itself

    @property
    def tasks(self) -> tuple[Task, ...]:
        """The game."""
        return (self.plan.task,)

    @property
    def numbers(self) -> range:
        """The numbers of the sessions."""
        return range(self.plan.first, self.plan.first + self.plan.count)

    @property
    def size(self) -> int:
        """Sessions of a shard: whole blocks, of about as many hands as other shards have."""
        blocks = shard_hands(self.tasks) // (self.plan.hands * self.plan.per_block)
        return max(1, blocks) * self.plan.per_block

    def play(self, numbers: range, stop: Flag = NEVER) -> Shard:
        """Play and count the sessions of one shard."""
        records, paths = play_shard(self.plan, numbers.start, len(numbers), stop)
        totals = measure_sessions(self.plan, records, paths)
        return Shard(numbers.start, len(numbers), totals, (records,) if self.records else None, None)


def play_shard(
    plan: SessionPlan, first: int, count: int, stop: Flag = NEVER
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
    Stopped
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
    except InterruptedError as error:
        raise Stopped from error
    return records, paths
