"""Is a run's folder what it claims to be? Parts are read and counted again, random hands are played again."""

from __future__ import annotations

import json
import math
import os
import random
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import accumulate, islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from wuhan_core.errors import one_line, show, whole

from . import parts, shards
from .bots import read_bots
from .loading import Part, Run, gaps, join, load_run, rules_toml, run_folder, survey
from .parts import StoreError
from .progress import Progress
from .quantities import SHARE, quantities
from .result import Range
from .shards import Order, Span, overview
from .show import counted
from .stats import NOTHING, Totals
from .store import locked, made_with_others, read_json, read_manifest, read_totals, unlock

_SHOWN = 20  # hands of one part that are told of when playing them again gives something else
_CLOSE = 1e-9  # figures may differ so far, relatively, as another version of scipy rounds otherwise


@dataclass
class Verification:
    """What `verify` found.

    Attributes
    ----------
    path : Path
    task : str
        The task's id, empty where it cannot be read.
    ranges : tuple of (int, int)
        Hands whose records, or sums where no records were kept, are there and whole; half-open.
    parts : int
        Files of records that are whole.
    replayed : int
        Hands that were played again.
    faults : list of str
        One line each; none in a sound folder.
    notes : list of str
        What could not be checked.
    """

    path: Path
    task: str = ""
    ranges: tuple[Range, ...] = ()
    parts: int = 0
    replayed: int = 0
    faults: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def sound(self) -> bool:
        """Whether there is no fault."""
        return not self.faults

    @property
    def hands(self) -> int:
        """Hands that are there."""
        return sum(last - first for first, last in self.ranges)

    def to_dict(self) -> dict[str, Any]:
        """Return it as values of the types that JSON has."""
        return {
            "path": str(self.path),
            "sound": self.sound,
            "task": self.task,
            "hands": self.hands,
            "ranges": [list(hands) for hands in self.ranges],
            "parts": self.parts,
            "replayed": self.replayed,
            "faults": list(self.faults),
            "notes": list(self.notes),
        }

    def __str__(self) -> str:
        verdict = "sound" if self.sound else counted(len(self.faults), "fault")
        what = counted(self.hands, "hand")
        what += f" in {counted(self.parts, 'part')}" if self.parts else ""
        task = f"task {self.task[:12] or 'unknown'}"
        head = f"{self.path}: {verdict}; {task}, {what}, {self.replayed:,} played again"
        return "\n".join(map(one_line, (head, *self.faults, *(f"note: {note}" for note in self.notes))))


def verify(
    path: str | Path,
    sample: int | None = 50,
    seed: int | None = None,
    workers: int = 1,
    *,
    progress: bool | None = None,
) -> Verification:
    """Check a run's folder.

    With records: every part is whole (SHA-256), of this task and these random streams, and no hand is missing
    or twice; all records are counted again, and ``totals.json`` and ``summary.json`` must say the same; hands
    chosen at random are played again and must give the same records.

    Without records only the sums can be checked: that the files are whole and agree with each other, and that
    the hands played again do not alone have more than the sums. With ``sample=None`` all hands are played
    again, and the sums must be the same bits.

    Parameters
    ----------
    path : str or Path
    sample : int or None
        Hands to play again; None = all.
    seed : int, optional
        Chooses them; by the system's randomness when not given.
    workers : int
        Threads.
    progress : bool, optional
        As for `simulate`.

    Returns
    -------
    Verification

    Raises
    ------
    StoreError
        There is no run; a run is writing to it; its bots in Python cannot be imported.
    BotFailure
        A bot in Python failed when a hand was played again.

    Examples
    --------
    >>> from wuhan_sim import Task, simulate
    >>> _ = simulate(Task("yuanhang", "greedy", hands=1_000, seed=1), out="runs/a")
    >>> found = verify("runs/a", sample=None)
    >>> found.sound, found.hands
    (True, 1000)
    """
    faults: list[str] = []
    for name, value in (("sample", sample), ("seed", seed)):
        if value is not None:
            whole(name, value, faults)
    whole("workers", workers, faults, 1)
    if faults:
        raise StoreError(faults)
    folder = run_folder(path)
    try:
        run = load_run(folder)
    except StoreError as error:
        return Verification(folder, faults=list(error.faults))
    if sample != 0 and (faults := read_bots(run.task.bots, None)[1]):
        raise StoreError(
            [f"{fault} (hands cannot be played again: go to where it is, or sample = 0)" for fault in faults]
        )
    try:
        lock = locked(folder, shared=True)
    except OSError as error:
        raise StoreError([f"{folder} cannot be read: {error.strerror or error}"]) from error
    try:
        return _Check(run, sample, random.Random(seed), workers, progress).made()
    finally:
        unlock(lock)


class _Piece(NamedTuple):
    """What came of reading one part, or of playing hands."""

    totals: Totals | None
    replayed: int
    faults: list[str]


class _Check:
    """One verification: `found` is what it fills."""

    def __init__(
        self, run: Run, sample: int | None, rng: random.Random, workers: int, progress: bool | None
    ) -> None:
        self.run, self.sample, self.rng = run, sample, rng
        self.workers, self.progress = workers, progress
        self.order = Order((run.task,), overview(run.task))
        self.found = Verification(run.path, run.task.id)

    def made(self) -> Verification:
        self._manifest()
        try:
            stored = read_totals(self.run.path, self.run.task)
        except StoreError as error:
            stored = ()
            self.found.faults += error.faults
        try:
            summary = read_json(file := self.run.path / "summary.json")
            if summary == {}:
                raise StoreError([f"{file} is damaged: {{}}, must have what came out"])
        except StoreError as error:
            summary = {}
            self.found.faults += error.faults
        totals = self._records(stored or ()) if self.run.keep_records else self._sums(stored)
        self._coverage(summary, stored)
        if summary and totals is not None and self.found.ranges:
            self._summary(summary, totals)
        return self.found

    def _manifest(self) -> None:
        fields, task = read_manifest(self.run.path), self.run.task
        if other := made_with_others(fields):
            self.found.notes.append(f"{self.run.path / 'run.json'}: {other}")
        for name, right in (
            ("id", task.id),
            ("rules_id", task.rules.id),
            ("rules_toml", rules_toml(fields, task.rules) or "of other rules"),
        ):
            if fields.get(name) != right:
                what = "is not that of its task" if name == "id" else "is not that of its rules"
                self.found.faults.append(
                    f"{self.run.path / 'run.json'}: {name} = {show(fields.get(name))} {what}"
                )

    def _records(self, stored: Sequence[Span]) -> Totals | None:
        """Read all parts, play hands again; returns the sums of all that is whole."""
        there, faults = survey(self.run.path, self.run.task)
        self.found.faults += faults
        named = {path for _, path in parts.listed(self.run.path / "parts")}
        self.found.faults += [
            f"{path} is no part of this run, but whoever reads parts/*.parquet counts it, too"
            for path in sorted((self.run.path / "parts").glob("*.parquet"))
            if path not in named
        ]
        chosen = self._chosen([(part.first, part.last) for part in there])
        total, whole = NOTHING, []
        within = [NOTHING] * len(stored)
        size = sum(part.last - part.first for part in there)
        for part, piece in self._each(
            there, size, lambda part: self._part(part, chosen(part.first, part.last))
        ):
            self.found.replayed += piece.replayed
            self.found.faults += piece.faults
            if piece.totals is None:
                continue
            total += piece.totals
            whole.append((part.first, part.last))
            for i, span in enumerate(stored):
                if span.first <= part.first < part.last <= span.last:
                    within[i] += piece.totals
        for span, again in zip(stored, within, strict=True):
            file = self.run.path / "totals.json"
            if again == span.totals:
                continue
            if again is not NOTHING and again.settled.sums["hands"] == span.last - span.first:
                self.found.faults.append(f"{file}: {_unlike(again, span.totals)}")
            elif not gaps(join(whole), span.first, span.last):
                hands = f"hands {span.first} to {span.last - 1}"
                self.found.faults.append(f"{file} sums up {hands}, where no parts begin and end")
        self.found.parts, self.found.ranges = len(whole), join(whole)
        return total

    def _part(self, part: Part, hands: Sequence[int]) -> _Piece:
        """Read one part, and play some of its hands again."""
        try:
            records = parts.decode(part.path, self.run.task, range(part.first, part.last))
        except StoreError as error:
            return _Piece(None, 0, list(error.faults))
        task = self.run.task
        if isinstance(hands, range):
            again = shards.play(task, hands.start, len(hands))
        else:
            again = np.concatenate([records[:0], *(shards.play(task, hand, 1) for hand in hands)])
        faults = [
            _unlike_records(a, b)
            for a, b in zip(records[np.array(hands, np.int64) - part.first], again, strict=True)
            if a.tobytes() != b.tobytes()
        ]
        if len(faults) > _SHOWN:
            faults[_SHOWN:] = [f"and {len(faults) - _SHOWN} more hands of {part.path}"]
        return _Piece(self.order.count([records], part.first).totals, len(hands), faults)

    def _sums(self, stored: Sequence[Span] | None) -> Totals | None:
        """Check the sums of a run without records as far as that is possible."""
        file, task = self.run.path / "totals.json", self.run.task
        if os.path.lexists(folder := self.run.path / "parts"):
            self.found.notes.append(f"{folder} is not looked at: run.json has keep_records = false")
        if not stored:
            if not self.found.faults:
                self.found.faults.append(f"{file} has no sums: no hand can be checked")
            return None
        self.found.ranges = join((span.first, span.last) for span in stored)
        totals = sum((span.totals for span in stored), NOTHING)
        if self.sample is None or self.sample >= self.found.hands:
            size = min(self.run.shard_hands, shards.SHARD_HANDS)
            for span in stored:
                cuts = shards.cut(span.first, span.last, size)
                again = sum(
                    (totals for _, totals in self._each(cuts, span.last - span.first, self._played)), NOTHING
                )
                self.found.replayed += span.last - span.first
                if again != span.totals:
                    self.found.faults.append(f"{file}: {_unlike(again, span.totals)}")
            return totals
        hands = self._chosen(self.found.ranges)(task.first, task.last)
        again = sum((self._played(range(hand, hand + 1)) for hand in hands), NOTHING)
        self.found.replayed = len(hands)
        self.found.faults += [f"{file}: {fault}" for fault in self._too_small(totals, again)]
        self.found.notes.append(
            "the run kept no records: its sums are whole and agree, but that they are those of its hands can "
            "only be shown by playing all of them again (--sample all)"
        )
        return totals

    def _played(self, hands: range) -> Totals:
        return self.order.play(hands).totals

    def _too_small(self, totals: Totals, again: Totals) -> Iterator[str]:
        """Which sums are smaller than those of some of the hands alone."""
        if not again.peaks:
            return
        rows = quantities(self.run.task.rules, self.run.task.bots)
        names = dict.fromkeys(name for row in rows if row.unit == SHARE for name in (row.over, row.under))
        for name in names:
            all_hands, some = totals.settled.sums.get(name, 0), again.settled.sums[name]
            if all_hands < some:
                yield f"{name}: {show(all_hands)}, but the hands played again alone have {some}"
        for name, peak in again.peaks.items():
            if totals.peaks.get(name, 0) < peak:
                yield f"largest {name}: {show(totals.peaks.get(name, 0))}, but one of the hands has {peak}"

    def _coverage(self, summary: Any, stored: Sequence[Span] | None) -> None:
        """No hand may be missing."""
        task, last = self.run.task, self.run.task.last
        if self.run.until and summary is not None and stored:  # such a run ends where its sums end
            last = stored[0].last
        missing = gaps(self.found.ranges, task.first, max(last, task.first))
        for first, end in missing:
            self.found.faults.append(
                f"hands {first} to {end - 1} ({counted(end - first, 'hand')}) are missing"
            )
        if summary is None:
            missed = "there is no summary.json"
            self.found.faults.append(f"the run is not finished, the same command goes on with it: {missed}")
        elif stored is None and not any("totals.json" in fault for fault in self.found.faults):
            self.found.faults.append(f"{self.run.path / 'totals.json'} is not there")

    def _summary(self, summary: Any, totals: Totals) -> None:
        file = self.run.path / "summary.json"
        try:
            right = json.loads(json.dumps(self.run.result_of(totals, self.found.ranges).to_dict()))
        except (ArithmeticError, ValueError, KeyError):  # sums that no hands have
            self.found.faults.append(f"{self.run.path / 'totals.json'}: its sums give no estimates")
            return
        for place, a, b in islice(_differences(summary, right), 5):
            self.found.faults.append(f"{file}: {place or 'all'} = {show(a)}, the hands give {show(b)}")

    def _chosen(self, ranges: Sequence[Range]) -> Callable[[int, int], Sequence[int]]:
        """Choose hands of ranges (in order); what is returned tells those from one hand to another."""
        if self.sample is None:
            return range
        ends = list(accumulate(last - first for first, last in ranges))
        count = ends[-1] if ends else 0
        hands = []
        for place in self.rng.sample(range(count), min(self.sample, count)):
            at = next(i for i, end in enumerate(ends) if place < end)
            hands.append(ranges[at][1] - (ends[at] - place))
        return lambda first, last: sorted(hand for hand in hands if first <= hand < last)

    def _each(
        self, things: Iterable[Any], hands: int, work: Callable[[Any], Any]
    ) -> Iterator[tuple[Any, Any]]:
        """Do something with each thing on threads; the answers come in order, with their things."""
        with Progress(hands, self.progress) as bar, ThreadPoolExecutor(self.workers, "wuhan") as pool:
            waiting: deque[tuple[Any, Future[Any]]] = deque()

            def first() -> tuple[Any, Any]:
                thing, future = waiting.popleft()
                answer = future.result()
                bar.update(len(thing) if isinstance(thing, range) else thing.last - thing.first)
                return thing, answer

            try:
                for thing in things:
                    waiting.append((thing, pool.submit(work, thing)))
                    if len(waiting) > 2 * self.workers:
                        yield first()
                while waiting:
                    yield first()
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise


def _unlike_records(told: Any, again: Any) -> str:
    """Where the record of a hand differs from that of the hand played again."""
    differ = [
        f"{name} = {show(told[name].tolist())}, played again {show(again[name].tolist())}"
        for name in told.dtype.names
        if not np.array_equal(told[name], again[name])
    ]
    return f"hand {told['hand']}: {'; '.join(differ)}"


def _unlike(right: Totals, told: Totals) -> str:
    """Where sums differ from those of the hands."""
    found = list(islice(_differences(told.to_dict(), right.to_dict()), 3))
    return "; ".join(f"{place} = {show(a)}, the hands give {show(b)}" for place, a, b in found)


def _differences(told: Any, right: Any, place: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Where two values of JSON differ: the place, and both values there."""
    if isinstance(told, dict) and isinstance(right, dict):
        for key in {**right, **told}:
            yield from _differences(told.get(key), right.get(key), f"{place}.{key}".lstrip("."))
    elif isinstance(told, list) and isinstance(right, list) and len(told) == len(right):
        for i, (a, b) in enumerate(zip(told, right, strict=True)):
            yield from _differences(a, b, f"{place}[{i}]")
    elif isinstance(told, float) and isinstance(right, float):
        if not math.isclose(told, right, rel_tol=_CLOSE, abs_tol=_CLOSE):
            yield place, told, right
    elif type(told) is not type(right) or told != right:
        yield place, told, right
