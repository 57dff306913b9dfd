"""Shards: the hands of a task, cut so that any worker can play and count a piece alone.

Cuts lie at multiples of a number of hands that follows from the task, whatever the number of workers; each
shard gives exact totals, and these add in any order. So the answer is the same, bit for bit, for any workers
and any cut.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from wuhan_core.actions import BotError
from wuhan_core.errors import FaultError, one_line
from wuhan_core.rules import RuleSet

from . import engine, parts
from .guests import names_guest, seated
from .quantities import SHARE, quantities
from .stats import Gauge, Overview, Totals, cubes, measure
from .task import BotFailure, Task
from .versions import build, differences

# Hands of a shard: a tenth of a second to a few seconds of one core. The slowest bot at the table decides.
SHARD_HANDS = 2**15
SHARD_HANDS_OF = {"planner": 2**13, "careful": 2**13, "search": 2**7}
SHARD_HANDS_PYTHON = 2**10
PIECES = 16  # between two of so many pieces of a shard it is asked whether to give up
PIECE_HANDS_PYTHON = 8  # hands of such a piece with bots in Python, which may think long

Records = NDArray[np.void]
Flag = NDArray[np.uint8]  # one number; not 0 when what is being played is to be given up
NEVER: Flag = np.zeros(1, np.uint8)
NEVER.flags.writeable = False


class OrderError(FaultError):
    """What is to be played cannot be sent to, or not be played by, a worker process."""


class Stopped(Exception):
    """A shard that was given up."""


class Span(NamedTuple):
    """Totals of the hands from `first` to the one before `last`."""

    first: int
    last: int
    totals: Totals


class Shard(NamedTuple):
    """What was played and counted: hands (or other things of its `Order`) `first` and following.

    `records` (of each task) and `part` (the records as a file of a run folder) are there where asked for.
    """

    first: int
    hands: int
    totals: Totals
    records: tuple[Records, ...] | None
    part: bytes | None

    @property
    def last(self) -> int:
        """Number of the hand after the last one."""
        return self.first + self.hands


class Work(Protocol):
    """What a crew plays: hands (`Order`), or other things. `sealed`, it can be sent to other processes."""

    @property
    def tasks(self) -> tuple[Task, ...]:
        """The games."""

    @property
    def things(self) -> str:
        """What is played, counted and cut into shards."""

    @property
    def numbers(self) -> range:
        """The numbers of all that is to be played."""

    @property
    def size(self) -> int:
        """How many things a shard has where nothing else is said."""

    @property
    def faults(self) -> list[str]:
        """Why it cannot be carried out."""

    def play(self, numbers: range, stop: Flag = NEVER) -> Shard:
        """Play and count one shard in the calling thread; raises `Stopped` when `stop` says so."""


@dataclass(frozen=True)
class Order:
    """Hands to play, and what to bring back.

    Attributes
    ----------
    tasks : tuple of Task
        Played on the same hand numbers, all with the same hands per wall.
    gauge : Gauge
    records, part : bool
        Whether a shard brings its records, and a file of them (of the first task), back.
    others : tuple of RuleSet
        Rules that differ in points and the minimum: the hands of each task are counted as scored by them,
        too, as if they were tasks of their own after it.
    """

    tasks: tuple[Task, ...]
    gauge: Gauge
    records: bool = False
    part: bool = False
    others: tuple[RuleSet, ...] = ()
    things: ClassVar[str] = "hands"

    @property
    def numbers(self) -> range:
        """The numbers of the hands."""
        return range(self.tasks[0].first, self.tasks[0].last)

    @property
    def size(self) -> int:
        """Hands of a shard where nothing else is said."""
        return shard_hands(self.tasks)

    @property
    def faults(self) -> list[str]:
        """Why it cannot be carried out."""
        if len({(task.first, task.hands, task.hands_per_wall) for task in self.tasks}) == 1:
            return []
        return ["tasks must all have the same first hand, number of hands and hands per wall"]

    def play(self, numbers: range, stop: Flag = NEVER) -> Shard:
        """Play and count the hands of one shard in the calling thread.

        Raises
        ------
        BotFailure
            A bot in Python failed.
        Stopped
            `stop` said so.
        """
        records = [each for task in self.tasks for each in _played(task, numbers, stop, self.others)]
        return self.count(records, numbers.start)

    def count(self, records: Sequence[Records], first: int) -> Shard:
        """Count records of consecutive hands."""
        return Shard(
            first,
            len(records[0]),
            measure(records, self.tasks[0].hands_per_wall, self.gauge),
            tuple(records) if self.records else None,
            parts.encode(self.tasks[0], records[0]) if self.part else None,
        )


def overview(task: Task) -> Overview:
    """The gauge of `Result`."""
    rows = quantities(task.rules, task.bots)
    means = ((row.over, row.under) for row in rows if row.unit != SHARE)
    pairs = tuple((row.over, row.under) for row in rows)
    return Overview(tuple(map(str, task.bots)), pairs, tuple(cubes(means)))


def sealed(order: Work, dumps: Callable[[object], bytes] = pickle.dumps) -> bytes:
    """Pickle an order together with the versions that it was made with.

    Raises
    ------
    OrderError
        Where it cannot be pickled, as a bot in Python that was given as an object may not be.
    """
    try:
        data = dumps(order)
    except Exception as error:  # an object of the user's may raise anything when it is pickled
        guests = sorted({str(bot) for task in order.tasks for bot in task.bots if names_guest(bot)})
        who = f"bots: {', '.join(guests)}" if guests else "the task"
        raise OrderError(
            [f"{who} cannot be sent to other processes: {error}; must be found there as module:Class"]
        ) from error
    return pickle.dumps((build(), data))


def play_shard(order: bytes, hands: range, stop: Flag = NEVER) -> Shard:
    """Play one shard of a sealed order: a function that any process can be sent.

    Raises
    ------
    OrderError
        Where the order was made with another package or other kernels, or its bots are not found.
    """
    try:
        return _opened(order).play(hands, stop)
    except BotFailure as failure:
        raise _portable(failure) from failure.error


@lru_cache(maxsize=8)
def _opened(order: bytes) -> Work:
    made_with, data = pickle.loads(order)
    if faults := differences(made_with):
        raise OrderError([f"the run was made with {fault}" for fault in faults])
    try:
        opened: Work = pickle.loads(data)
        for task in opened.tasks:
            seated(task.bots)
    except Exception as error:  # what a module does when it is imported is its own affair
        why = one_line(f"{type(error).__name__}: {error}")
        raise OrderError([f"a worker cannot read what it is to play: {why}"]) from error
    return opened


def _portable(failure: BotFailure) -> BotFailure:
    """The failure as it is, or, where a bot raised what cannot be pickled, with its text alone."""
    try:
        pickle.loads(pickle.dumps(failure))
    except Exception:  # an exception of the user's may raise anything when it is pickled
        text = f"{type(failure.error).__name__}: {failure.error}"
        kind, made = failure.__reduce__()
        error = BotError(failure.seat, failure.hand, failure.bot, RuntimeError(text))
        return kind(made[0], error, *made[2:])  # type: ignore[no-any-return]
    return failure


def shard_hands(tasks: Sequence[Task]) -> int:
    """Hands of a shard: whole walls, a tenth of a second to a few seconds of one core for all tasks."""
    names = {bot for task in tasks for bot in task.bots}
    hands = min(
        SHARD_HANDS_PYTHON if names_guest(name) else SHARD_HANDS_OF.get(name.partition(":")[0], SHARD_HANDS)
        for name in names
    )
    wall = tasks[0].hands_per_wall
    return -(-hands // wall) * wall


def cut(first: int, last: int, size: int, looks: Iterable[int] = ()) -> Iterator[range]:
    """Cut hands at multiples of `size`, and at `looks` (rising hand numbers)."""
    ahead = iter(looks)
    look = next(ahead, last)
    while first < last:
        while look <= first:
            look = next(ahead, last)
        until = min(first - first % size + size, look, last)
        yield range(first, until)
        first = until


def play(task: Task, first: int, count: int, others: Sequence[RuleSet] = ()) -> Records:
    """Play hands in the calling thread; an error of a bot in Python names the task.

    Shape (count,); with `others`, by which they are scored again, (1 + len(others), count).
    """
    try:
        records: Records = engine.play_hands(
            *(task.rules, seated(task.bots), task.seed, first, count, task.deal, task.draws, task.alike),
            *([others] if others else []),
        )
    except BotError as error:
        raise BotFailure(task, error) from error.error
    return records


def pieces(task: Task, hands: range, stop: Flag) -> Iterator[tuple[int, int]]:
    """Cut a shard into pieces, (first, count); raises `Stopped` between two of them when told to stop."""
    size = PIECE_HANDS_PYTHON if any(map(names_guest, task.bots)) else shard_hands([task]) // PIECES
    for first in range(hands.start, hands.stop, size):
        if stop[0]:
            raise Stopped
        yield first, min(size, hands.stop - first)


def _played(task: Task, hands: range, stop: Flag, others: Sequence[RuleSet]) -> list[Records]:
    """Records of a shard as played, and as scored by each of the others."""
    found = [play(task, *piece, others).reshape(1 + len(others), -1) for piece in pieces(task, hands, stop)]
    return list(np.concatenate(found, axis=1))
