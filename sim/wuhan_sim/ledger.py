"""What is counted of a run so far, and whether it may stop: asked of hands without a gap, at looks."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Sequence
from typing import Protocol

from . import shards
from .executors import Lost, written
from .shards import Shard, Span, Work
from .stats import NOTHING, Totals
from .store import RunFolder

CHECKPOINT_EVERY = 5.0  # seconds

_log = logging.getLogger(__name__)


class Looks(Protocol):
    """When a run may stop before its last hand.

    Attributes
    ----------
    looks : sequence of int
        Hand numbers in rising order, settled before the first hand: of the hands up to each of them, and of
        no others, it is asked whether the run has `met` what it waits for.
    """

    @property
    def looks(self) -> Sequence[int]:
        """See above."""

    def met(self, totals: Totals) -> bool:
        """Whether these totals, of the hands up to a look, are enough."""


class Ledger:
    """Adds up shards, in whatever order they come.

    Parameters
    ----------
    order : Work
        Its hands, or other things, are counted.
    until : Looks, optional
    folder : RunFolder, optional
        Where shards are stored. What it has counted already is not played again.

    Attributes
    ----------
    done : int
        Hands counted, those beyond a gap among them.
    met : bool
        Whether the run is over because of a look; then `last` is that look.
    lost : list of Lost
        Shards that could not be played.
    """

    def __init__(self, order: Work, until: Looks | None = None, folder: RunFolder | None = None) -> None:
        self.numbers, self.done = order.numbers, 0
        self.met, self.lost = False, list[Lost]()
        first = self.numbers.start
        self._reached = Span(first, first, NOTHING)  # one value: Ctrl-C may come at any moment
        self._until, self._folder = until, folder
        self._looks = frozenset(until.looks if until else ())
        self._beyond: dict[int, Span] = {}  # by first hand; of two that touch there is a look between
        self._first_of: dict[int, int] = {}  # of each of them, by last hand
        self._saved = time.monotonic()
        if folder and not folder.keep_records:
            if reached := folder.reached():
                self._reached = Span(first, *reached)
                self.done = self.last - first
            for span in folder.beyond():
                self._put(span)
                self.done += span.last - span.first
            self._ask()
            self._advance()

    @property
    def last(self) -> int:
        """All hands before this one are in `totals`."""
        return self._reached.last

    @property
    def totals(self) -> Totals:
        """Sums of the hands before `last`."""
        return self._reached.totals

    @property
    def over(self) -> bool:
        """Whether no further hand changes the answer, or, with a gap before the next look, can."""
        return self.met or bool(self.lost and self._looks)

    def missing(self, size: int) -> Iterator[range]:
        """Cut what is not counted into shards."""
        first, end = self.last, self.numbers.stop
        for span in [*sorted(self._beyond.values()), Span(end, end, NOTHING)]:
            yield from shards.cut(first, span.first, size, self._until.looks if self._until else ())
            first = span.last

    def add(self, shard: Shard | Lost) -> None:
        """Store and count a shard."""
        if isinstance(shard, Lost):
            _log.warning("%s could not be played: %s", written(shard.hands, shard.things), shard.why)
            self.lost.append(shard)
            return
        if self._folder:
            self._folder.add(shard)
        self.done += shard.hands
        self._put(Span(shard.first, shard.last, shard.totals))
        self._advance()
        if time.monotonic() - self._saved > CHECKPOINT_EVERY:
            self.save()

    def save(self) -> None:
        """Write what a later run of the same task can begin with."""
        self._saved = time.monotonic()
        if self._folder and self.done:
            # once it is over they are no part of it
            beyond = [] if self.met else sorted(self._beyond.values())
            self._folder.checkpoint(self.last, self.totals, beyond)

    def _put(self, span: Span) -> None:
        """Keep a span, joined to those that touch it unless there is a look between."""
        first, last, totals = span
        if first in self._first_of and first not in self._looks:
            before = self._beyond.pop(self._first_of.pop(first))
            first, totals = before.first, before.totals + totals
        if last in self._beyond and last not in self._looks:
            after = self._beyond.pop(last)
            last, totals = after.last, totals + after.totals
        self._beyond[first] = Span(first, last, totals)
        self._first_of[last] = first

    def _advance(self) -> None:
        """Take in the spans that follow without a gap."""
        while not self.met and self.last in self._beyond:
            span = self._beyond.pop(self.last)
            del self._first_of[span.last]
            self._reached = Span(self.numbers.start, span.last, self.totals + span.totals)
            self._ask()

    def _ask(self) -> None:
        if self._until and self.last in self._looks:
            self.met = self._until.met(self.totals)
            _log.debug("look at hand %d: %s", self.last, "met" if self.met else "not met")
