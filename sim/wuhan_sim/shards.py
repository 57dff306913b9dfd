"""Shards: the hands of a task, cut so that any worker can play and count a piece alone.

Cuts lie at multiples of a fixed number of hands, whatever the number of workers; each shard gives exact
totals, and these add in any order. So the answer is the same, bit for bit, for any number of workers and any
cut.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wuhan_core.actions import BotError

from . import engine, parts
from .guests import names_guest, seated
from .quantities import quantities
from .stats import Gauge, Overview, Totals, measure
from .task import BotFailure, Task

SHARD_HANDS = 2**15  # hands of a shard: divisible by the hands per wall of a rotated or a fresh deal
_PIECE_HANDS, _SLOW_PIECE_HANDS = 2**11, 2**5  # hands between two looks at the stop flag; with bots in Python

Records = NDArray[np.void]


class Stopped(Exception):
    """A shard that was given up."""


class Shard(NamedTuple):
    """What was played and counted: hands `first` and following.

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


@dataclass(frozen=True)
class Order:
    """What to play, and what to bring back; it can be pickled and sent to other processes.

    Attributes
    ----------
    tasks : tuple of Task
        Played on the same hand numbers, all with the same hands per wall.
    gauge : Gauge
    records, part : bool
        Whether a shard brings its records, and a file of them (of the first task), back.
    """

    tasks: tuple[Task, ...]
    gauge: Gauge
    records: bool = False
    part: bool = False

    def play(self, hands: range, stopped: Callable[[], bool] = lambda: False) -> Shard:
        """Play and count the hands of one shard in the calling thread.

        Raises
        ------
        BotFailure
            A bot in Python failed.
        Stopped
            `stopped` said so.
        """
        played = [
            np.concatenate([play(task, *piece) for piece in pieces(task, hands, stopped)])
            for task in self.tasks
        ]
        return self.count(played, hands.start)

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
    pairs = tuple((row.over, row.under) for row in quantities(task.rules, task.bots))
    return Overview(tuple(map(str, task.bots)), pairs)


def play_shard(order: Order, hands: range) -> Shard:
    """Play one shard of an order: a function that any process can be sent."""
    return order.play(hands)


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


def play(task: Task, first: int, count: int) -> Records:
    """Play hands in the calling thread; an error of a bot in Python names the task."""
    try:
        records: Records = engine.play_hands(
            task.rules, seated(task.bots), task.seed, first, count, task.deal, task.draws
        )
    except BotError as error:
        raise BotFailure(task, error) from error.error
    return records


def pieces(task: Task, hands: range, stopped: Callable[[], bool]) -> Iterator[tuple[int, int]]:
    """Cut a shard into pieces, (first, count); raises `Stopped` between two of them when told to stop."""
    size = _SLOW_PIECE_HANDS if any(map(names_guest, task.bots)) else _PIECE_HANDS
    for first in range(hands.start, hands.stop, size):
        if stopped():
            raise Stopped
        yield first, min(size, hands.stop - first)
