"""Crews: who plays the shards of an order, on threads, on processes, or on an executor of the caller's."""

from __future__ import annotations

import contextlib
import ctypes
import logging
import multiprocessing
import multiprocessing.connection
import os
import signal
import sys
import threading
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from types import TracebackType
from typing import NamedTuple, Self, TypeVar

import numpy as np

from wuhan_core.errors import FaultError, one_line

from .shards import NEVER, Shard, Work, play_shard, sealed
from .versions import build

_log = logging.getLogger(__name__)

T = TypeVar("T")

PATIENCE = 1.0  # seconds between two looks at signals and at the workers
MOST_PROCESSES = 61 if sys.platform == "win32" else None  # Windows cannot wait for more at once
DEATHS = 3  # after so many workers that died of it, the last of them alone with it, a shard is given up


class SchedulerError(FaultError):
    """Workers that cannot be had."""


class Lost(NamedTuple):
    """A shard that was given up, why, and what it has."""

    hands: range
    why: str
    things: str = "hands"


class ShardError(RuntimeError):
    """Some hands could not be played; all others were.

    Attributes
    ----------
    lost : tuple of range
        The hands that are missing.
    """

    def __init__(self, lost: Iterable[Lost]) -> None:
        listed = sorted(lost, key=lambda each: each.hands.start)
        self.lost = tuple(each.hands for each in listed)
        lines = [f"{written(each.hands, each.things)} could not be played: {each.why}" for each in listed]
        super().__init__("\n".join(lines))


def written(hands: range, things: str = "hands") -> str:
    """Write a range of hands, or other things: first and last."""
    return f"{things} {hands.start} to {hands.stop - 1}"


class Crew(ABC):
    """Plays shards somewhere; those on their way are bounded by `room`."""

    def __init__(self, order: Work, room: int) -> None:
        self._things, self._room = order.things, room
        self._flying: dict[Future[Shard], range] = {}

    @property
    def room(self) -> int:
        """How many shards should be on their way at once."""
        return self._room

    def __len__(self) -> int:
        """How many shards are on their way."""
        return len(self._flying)

    def submit(self, hands: range) -> None:
        """Send a shard on its way.

        Raises
        ------
        SchedulerError
            The executor takes no work.
        """
        try:
            self._flying[self._begin(hands)] = hands
        except RuntimeError as error:  # broken, or shut down
            raise SchedulerError([f"the executor takes no work: {one_line(str(error))}"]) from error

    def finished(self) -> list[Shard | Lost]:
        """Wait a moment until shards are finished, and return those that are.

        An error of a shard, such as `BotFailure`, is raised.
        """
        done, _ = wait(self._flying, PATIENCE, FIRST_COMPLETED)
        return [self._outcome(self._flying.pop(future), future) for future in done]

    def withdraw(self) -> None:
        """Take back the shards that nobody has begun to play."""
        for future in [future for future in self._flying if future.cancel()]:
            del self._flying[future]

    def give_up(self) -> None:
        """End what is being played as soon as can be; nothing comes back any more."""
        self.withdraw()

    @abstractmethod
    def close(self) -> None:
        """Let the workers go, where they are this crew's own."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @abstractmethod
    def _begin(self, hands: range) -> Future[Shard]:
        """Let a shard be played."""

    def _outcome(self, hands: range, future: Future[Shard]) -> Shard | Lost:
        """What came of a future that is done."""
        return future.result()


class Threads(Crew):
    """Threads of this process: nothing is pickled, and a run can be given up within a shard.

    Parameters
    ----------
    order : Work
    count : int
    pool : ThreadPoolExecutor, optional
        One of the caller's, which is left open.
    """

    def __init__(self, order: Work, count: int, pool: ThreadPoolExecutor | None = None) -> None:
        super().__init__(order, 2 * count)
        self._play, self._stop = order.play, np.zeros(1, np.uint8)
        self._owned = pool is None
        self._pool = pool or ThreadPoolExecutor(count, "wuhan")

    def give_up(self) -> None:
        self._stop[0] = 1
        self.withdraw()
        wait(self._flying)

    def close(self) -> None:
        if self._owned:
            self._pool.shutdown()

    def _begin(self, hands: range) -> Future[Shard]:
        return self._pool.submit(self._play, hands, self._stop)


class Given(Crew):
    """An executor of the caller's that speaks the interface of `concurrent.futures`; it is left open.

    Parameters
    ----------
    order : Work
    executor : Executor
    count : int
        Its workers.
    """

    def __init__(self, order: Work, executor: Executor, count: int) -> None:
        super().__init__(order, 2 * count)
        self._order, self._executor = sealed(order), executor

    def close(self) -> None:
        pass

    def _begin(self, hands: range) -> Future[Shard]:
        return self._executor.submit(play_shard, self._order, hands)

    def _outcome(self, hands: range, future: Future[Shard]) -> Shard | Lost:
        try:
            return future.result()
        except BrokenExecutor as error:
            missing = [hands, *self._flying.values()]
            why = f"the executor broke: {error}"
            raise ShardError(Lost(each, why, self._things) for each in missing) from error


class Processes(Crew):
    """Processes of this crew's own. When one dies all are renewed, and what was on its way is played again.

    Parameters
    ----------
    order : Work
    count : int

    Raises
    ------
    OrderError
        The order cannot be sent to another process.
    SchedulerError
        No process could be started.
    """

    def __init__(self, order: Work, count: int) -> None:
        super().__init__(order, 2 * count)
        self._order, self._count = sealed(order), count
        self._context = multiprocessing.get_context("spawn")  # a fork would copy the locks of other threads
        self._stop = self._context.RawValue("b", 0)
        self._deaths: Counter[range] = Counter()
        self._alone: list[range] = []  # are played one by one, to see which of them it is that kills
        self._start()

    @property
    def room(self) -> int:
        return 0 if self._alone else self._room

    def __len__(self) -> int:
        return len(self._flying) + len(self._alone)

    def finished(self) -> list[Shard | Lost]:
        if self._alone and not self._flying:
            self.submit(self._alone.pop())
        single = len(self._flying) == 1
        done, _ = wait(self._flying, PATIENCE, FIRST_COMPLETED)
        if any(isinstance(future.exception(), BrokenExecutor) for future in done):
            done, _ = wait(self._flying)  # a pool breaks as a whole
        found: list[Shard | Lost] = []
        killed: list[range] = []
        for future in done:
            hands = self._flying.pop(future)
            try:
                found.append(future.result())
            except BrokenExecutor:
                killed.append(hands)
        if killed:
            played = ", ".join(written(hands, self._things) for hands in killed)
            _log.warning("a worker process died while %s were played", played)
            self._pool.shutdown()
            self._renew()
        for hands in killed:
            self._deaths[hands] += 1
            if single and self._deaths[hands] >= DEATHS:
                why = f"worker processes died of them, {self._deaths[hands]} times"
                found.append(Lost(hands, why, self._things))
            elif self._deaths[hands] >= DEATHS - 1:
                self._alone.append(hands)
            else:
                self.submit(hands)
        return found

    def withdraw(self) -> None:
        self._alone.clear()
        super().withdraw()

    def give_up(self) -> None:
        self._stop.value = 1
        self.withdraw()

    def close(self) -> None:
        self._pool.shutdown(cancel_futures=True)

    def _begin(self, hands: range) -> Future[Shard]:
        try:
            return self._send(_play_watched, self._order, hands)
        except BrokenExecutor as error:  # a worker died a moment ago: `finished` sees to it
            self._deaths[hands] -= 1  # not of these
            future: Future[Shard] = Future()
            future.set_exception(error)
            return future

    def _start(self) -> None:
        for attempt in range(1, DEATHS + 1):
            self._renew()
            try:
                self._send(build).result()
                return
            except BaseException as error:
                self._pool.shutdown(cancel_futures=True)
                if not isinstance(error, BrokenExecutor):
                    raise
                if attempt == DEATHS:
                    why = "a script that plays on processes must do so below `if __name__ == '__main__':`"
                    raise SchedulerError([f"processes cannot be started ({why}): {error}"]) from error

    def _send(self, work: Callable[..., T], *given: object) -> Future[T]:
        """Give work to the pool, which starts processes meanwhile."""
        with _deaf():
            return self._pool.submit(work, *given)

    def _renew(self) -> None:
        self._pool = ProcessPoolExecutor(self._count, self._context, _begin_process, (self._stop,))


@contextlib.contextmanager
def _deaf() -> Iterator[None]:
    """Processes that start meanwhile do not hear Ctrl-C, not even while they read in what they import."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin_process(stop: ctypes.c_byte) -> None:
    """Make a process a worker: Ctrl-C is its parent's affair, and it does not outlive that."""
    global _stop
    _stop = np.frombuffer(memoryview(stop), np.uint8)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        multiprocessing.connection.wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


_stop = NEVER  # in a worker process: set when it is to give up


def _play_watched(order: bytes, hands: range) -> Shard:
    return play_shard(order, hands, _stop)


def executor_workers(executor: Executor) -> int:
    """Return how many workers an executor has; how many processors there are where it does not tell."""
    count = getattr(executor, "_max_workers", None)
    return count if isinstance(count, int) else processors()


def processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
