"""A run's folder, read back."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from wuhan_core.errors import FaultError, show
from wuhan_core.options import hint
from wuhan_core.records import HAND_DTYPE
from wuhan_core.rules import RuleSet, parse_toml

from . import engine, parts
from .parts import PartError, StoreError
from .result import Range, Result
from .shards import Order, overview
from .stats import NOTHING, Totals
from .store import read_json, read_manifest, read_totals, task_of
from .task import Task
from .until import Plan, Until


class Part(NamedTuple):
    """A file of records: hands `first` to the one before `last`."""

    path: Path
    first: int
    last: int


@dataclass(frozen=True)
class Run:
    """A run's folder, of which `load_run` has read ``run.json`` alone; all else is read when asked for.

    What is asked for raises StoreError, with every fault, where it is damaged.

    Attributes
    ----------
    path : Path
    task : Task
        What was to be played.
    keep_records : bool
    until : str
        When the run was to stop, empty for never before the last hand.
    shard_hands : int
        Hands of a part, but for the first and the last one.
    """

    path: Path
    task: Task
    keep_records: bool
    until: str
    shard_hands: int

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The files of records, in order of their hands."""
        if not self.keep_records:
            return ()
        found, faults = survey(self.path, self.task)
        if faults:
            raise StoreError(faults)
        return tuple(found)

    @cached_property
    def ranges(self) -> tuple[Range, ...]:
        """Hands that are there, as half-open ranges in rising order."""
        if self.keep_records:
            return join((part.first, part.last) for part in self.parts)
        spans = read_totals(self.path, self.task) or ()
        return join((span.first, span.last) for span in spans)

    @property
    def finished(self) -> bool:
        """Whether the run went to its end: ``summary.json`` is about all the hands that were to be played."""
        try:
            summary = read_json(self.path / "summary.json")
        except StoreError:
            return False
        whole = self.ranges == ((self.task.first, self.task.last),)
        return (
            isinstance(summary, dict)
            and summary.get("ranges") == [list(hands) for hands in self.ranges]
            and (whole or bool(self.until))
        )

    @cached_property
    def result(self) -> Result:
        """The sums and estimates of the hands that are there: those of the run where it is finished."""
        if not self.ranges:
            raise StoreError([f"{self.path} has no hands yet"])
        totals = self._stored_totals()
        if totals is None:
            order = Order((self.task,), overview(self.task))
            totals = sum(
                (order.count([parts.decode(part.path, self.task)], part.first).totals for part in self.parts),
                NOTHING,
            )
        return self.result_of(totals, self.ranges)

    def frames(self, columns: Sequence[str] | None = None) -> Iterator[pd.DataFrame]:
        """Read the records, one frame after the other.

        Parameters
        ----------
        columns : sequence of str, optional
            Those of `Result.records` that are wanted, all when not given.

        Returns
        -------
        iterator of DataFrame
            One part each, in order of the hands. A part is read when it is its turn.

        Raises
        ------
        StoreError
            For columns that records do not have, for a run without records, and for damaged parts.
        """
        wanted = self._columns(columns)
        return (parts.frame(part.path, self.task, wanted) for part in self.parts)

    def records(self, columns: Sequence[str] | None = None) -> pd.DataFrame:
        """Read the records into one frame; see `frames`."""
        frames = list(self.frames(columns))
        if not frames:
            return pd.DataFrame(parts.flat(np.zeros(0, HAND_DTYPE)))[self._columns(columns)]
        return pd.concat(frames, ignore_index=True)

    def result_of(self, totals: Totals, ranges: tuple[Range, ...]) -> Result:
        """The result of these hands of the run; where they are not all, its task says how many there are."""
        task = self.task.with_hands(ranges[0][0], sum(last - first for first, last in ranges))
        load = self.records if self.keep_records else None
        return Result(task, totals, ranges, load, looked=planned(self.task, self.until))

    def _stored_totals(self) -> Totals | None:
        """The sums in ``totals.json``, where they are those of all hands that are there."""
        try:
            spans = read_totals(self.path, self.task) or ()
        except StoreError:
            return None
        if self.ranges != join((span.first, span.last) for span in spans):
            return None
        return sum((span.totals for span in spans), NOTHING)

    def _columns(self, columns: Sequence[str] | None) -> list[str]:
        if not self.keep_records:
            raise StoreError([f"{self.path} has no records, run it with keep_records (--keep-records)"])
        known = parts.column_names()
        if columns is None:
            return known
        if isinstance(columns, str) or not isinstance(columns, Sequence):
            raise StoreError([f"columns = {show(columns)}, must be a list of names"])
        strange = [name for name in columns if name not in known]
        if strange:
            raise StoreError(
                f"columns: there is no {show(name)}{hint(str(name), known)}, allowed are {', '.join(known)}"
                for name in strange
            )
        return list(columns)


def load_run(path: str | Path) -> Run:
    """Open a run's folder to read it.

    Parameters
    ----------
    path : str or Path

    Returns
    -------
    Run
        Its task, hands, estimates and records. Only ``run.json`` has been read.

    Raises
    ------
    StoreError
        Naming every fault of ``run.json``, and where there is none.

    Examples
    --------
    >>> from wuhan_sim import Task, simulate
    >>> task = Task("yuanhang", "greedy", hands=1_000, seed=1)
    >>> result = simulate(task, out="runs/a")
    >>> run = load_run("runs/a")
    >>> run.finished, run.task == task, run.result.table().equals(result.table())
    (True, True, True)
    """
    folder = run_folder(path)
    fields = read_manifest(folder)
    task = task_of(fields)
    try:
        planned(task, fields["until"])
    except FaultError as error:
        raise StoreError(f"{folder}: run.json: {fault}" for fault in error.faults) from error
    return Run(
        folder,
        task,
        fields["keep_records"],
        fields["until"],
        fields["shard_hands"],
    )


def run_folder(path: object) -> Path:
    """The folder of a run.

    Raises
    ------
    StoreError
        Where there is none.
    """
    text = os.fspath(path) if isinstance(path, (str, os.PathLike)) else None
    if not isinstance(text, str) or not text or "\0" in text:
        raise StoreError([f"path = {show(path)}, must be the path of a run's folder"])
    folder = Path(text)
    try:
        if not os.path.lexists(folder / "run.json"):
            raise StoreError([f"{folder} has no run.json, must be a run's folder"])
    except OSError as error:
        raise StoreError([f"{folder} cannot be read: {error.strerror or error}"]) from error
    return folder


def rules_toml(fields: dict[str, Any], rules: RuleSet) -> str | None:
    """The rule file in a manifest; None where it does not have these rules."""
    found, right = fields.get("rules_toml"), parse_toml(rules.to_toml())
    try:
        told = parse_toml(found) if isinstance(found, str) else {}
    except (ValueError, RecursionError):
        return None
    heading = {"name", "aliases", "title", "source"}
    same = all(told.get(key) == right.get(key) for key in (told.keys() | right.keys()) - heading)
    return found if same and told else None


def planned(task: Task, until: str) -> Plan | None:
    """The looks of a run that stops early.

    Raises
    ------
    FaultError
        For what no run can wait for.
    """
    return Until.parse(until).plan(task) if until else None


def survey(path: Path, task: Task) -> tuple[list[Part], list[str]]:
    """Find the parts of a run's folder by what they say of themselves; their records are not looked at.

    Returns
    -------
    list of Part
        Those that belong to the task, in order; they may overlap.
    list of str
        All faults, one line each: damaged, of another task, misnamed, outside the task's hands, overlapping.
    """
    folder = path / "parts"
    if folder.is_symlink():
        return [], [f"{folder} is a link, must be a folder"]
    if os.path.lexists(folder) and not folder.is_dir():
        return [], [f"{folder} is no folder"]
    found: list[Part] = []
    faults: list[str] = []
    for _, file in parts.listed(folder):
        try:
            part = parts.footer(file)
        except PartError as error:
            faults += error.faults
            continue
        wrong = []
        if part.task != task.id:
            wrong.append(f"{file} is of task {show(part.task[:12])}, not {task.id[:12]}")
        if part.stream != str(engine.STREAM_VERSION):
            wrong.append(f"{file} is of random streams {show(part.stream)}, not {engine.STREAM_VERSION}")
        if not task.first <= part.first < part.last <= task.last:
            hands = f"{task.first} to {task.last - 1}"
            wrong.append(f"{file} has hands {part.first} to {part.last - 1}, the run {hands}")
        elif file.name != parts.name(part.first):
            wrong.append(f"{file} begins with hand {part.first}, must be named {parts.name(part.first)}")
        faults += wrong
        if not wrong:
            found.append(Part(file, part.first, part.last))
    end = task.first
    for file, first, last in found:
        if first < end:
            faults.append(f"{file}: hands {first} to {min(end, last) - 1} are in the part before it, too")
        end = max(end, last)
    return found, faults


def join(ranges: Iterable[Range]) -> tuple[Range, ...]:
    """Join ranges (in rising order) that touch or overlap."""
    joined: list[Range] = []
    for first, last in ranges:
        if joined and first <= joined[-1][1]:
            first, last = joined[-1][0], max(joined.pop()[1], last)
        joined.append((first, last))
    return tuple(joined)


def gaps(ranges: Sequence[Range], first: int, last: int) -> list[Range]:
    """The hands from `first` to the one before `last` that no range (joined, in order) has."""
    edges = [first, *(edge for hands in ranges for edge in hands), last]
    return [(a, b) for a, b in zip(edges[::2], edges[1::2], strict=True) if a < b]
