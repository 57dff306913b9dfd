"""Workers past one machine: a cluster of Dask distributed (Rocklin, 2015, Proceedings of SciPy 14)."""

from __future__ import annotations

import json
import logging
import time
from concurrent.futures import CancelledError, Future
from pathlib import Path
from types import ModuleType
from typing import Any

from wuhan_core.errors import one_line, show
from wuhan_core.files import read_plain

from .executors import Crew, Lost, SchedulerError, ShardError
from .shards import Shard, Work, play_shard, sealed
from .versions import build, differences

CONNECT = 5.0  # seconds in which a scheduler must answer
LOOK_EVERY = 1.0  # seconds between two looks at how many workers there are

_MOST = 2**22  # bytes of a scheduler file

_log = logging.getLogger(__name__)


class Cluster(Crew):
    """The workers of a Dask scheduler; more may come and some may go while a run lasts.

    The shards of a worker that dies are played by others; one that more workers died of than the scheduler
    allows (`distributed.scheduler.allowed-failures`, 3) is given up. Workers write nothing.

    Parameters
    ----------
    order : Work
    client : distributed.Client
    owned : bool
        Whether the client is closed in the end.

    Raises
    ------
    SchedulerError
        Naming every worker that has another package or other kernels.
    OrderError
        The order cannot be sent to another process.
    """

    def __init__(self, order: Work, client: Any, owned: bool) -> None:
        super().__init__(order, 1)
        self._client, self._owned, self._looked = client, owned, -LOOK_EVERY
        self._killed = _distributed().scheduler.KilledWorker
        try:
            self._check()
            self._order = sealed(order, __import__("cloudpickle").dumps)
            self._executor = client.get_executor(pure=False)
        except BaseException:
            self.close()
            raise

    @property
    def room(self) -> int:
        if time.monotonic() - self._looked >= LOOK_EVERY:
            self._looked = time.monotonic()
            threads = sum(self._client.ncores().values())
            if not threads:
                _log.warning("no workers at %s: waiting for some", self._client.scheduler.address)
            self._room = 2 * max(1, threads)
        return self._room

    def withdraw(self) -> None:
        """Leave all to be finished: a cluster does not tell what has been begun."""

    def give_up(self) -> None:
        super().withdraw()

    def close(self) -> None:
        if self._owned:
            self._client.close()

    def _begin(self, hands: range) -> Future[Shard]:
        future: Future[Shard] = self._executor.submit(play_shard, self._order, hands)
        return future

    def _outcome(self, hands: range, future: Future[Shard]) -> Shard | Lost:
        try:
            return future.result()
        except self._killed as error:
            why = f"workers died of them, the last of them {error.last_worker.address}"
            return Lost(hands, why, self._things)
        except CancelledError as error:
            missing = [hands, *self._flying.values()]
            raise ShardError(Lost(each, "the scheduler is gone", self._things) for each in missing) from error

    def _check(self) -> None:
        """Compare the versions of all workers with those here."""
        answers = self._client.run(build, on_error="return")
        faults = []
        for worker, answer in sorted(answers.items()):
            if isinstance(answer, dict):
                faults += [f"worker {worker} has {fault}" for fault in differences(answer)]
            else:
                faults.append(f"worker {worker} has no wuhan-core that can be asked: {show(answer, 200)}")
        if faults:
            raise SchedulerError(faults)


def connect(scheduler: str | Path) -> Any:
    """Connect to a scheduler, given by its address or by the path of its file.

    Returns
    -------
    distributed.Client

    Raises
    ------
    SchedulerError
    """
    distributed = _distributed()
    address = _address(scheduler) if isinstance(scheduler, Path) else scheduler
    try:
        return distributed.Client(address, timeout=CONNECT, set_as_default=False)
    except (OSError, ValueError, TypeError, ImportError) as error:
        why = one_line(str(error))
        raise SchedulerError([f"scheduler = {show(address)} cannot be reached: {why}"]) from error


def is_client(value: object) -> bool:
    """Whether something is a client of Dask distributed."""
    names = {f"{base.__module__.partition('.')[0]}.{base.__name__}" for base in type(value).__mro__}
    return "distributed.Client" in names


def _address(path: Path) -> str:
    """Read a scheduler file, as `dask scheduler --scheduler-file` writes it."""
    try:
        return str(json.loads(read_plain(path, _MOST))["address"])
    except OSError as error:
        raise SchedulerError([f"scheduler file {path}: cannot be read: {error.strerror or error}"]) from error
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise SchedulerError([f"scheduler file {path}: names no address of a scheduler"]) from error


def _distributed() -> ModuleType:
    try:
        import distributed
    except ImportError as error:
        raise SchedulerError(
            ['playing on a cluster needs Dask, which is not installed: pip install "wuhan-core[cluster]"']
        ) from error
    return distributed
