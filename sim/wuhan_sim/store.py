"""A run's folder: what was asked, the records, what came out.

``run.json`` (the task, its id, the rules as TOML, versions), ``parts/part-<first hand>.parquet`` (records,
where they are kept), ``totals.json`` (exact sums of the hands played so far), ``summary.json`` (the answer).
Every file is written to a temporary name, flushed and renamed, and the directory is synced: what is there is
whole. While a run writes, it has its folder locked, which ends with its process.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import operator
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
import pandas as pd

from wuhan_core.errors import plain, show
from wuhan_core.records import HAND_DTYPE

from . import parts
from .parts import PartError, StoreError
from .shards import Order, Shard, Span, overview
from .stats import Totals
from .task import Task, TaskError
from .versions import differences, versions

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_log = logging.getLogger(__name__)

_FILES = ("run.json", "totals.json", "summary.json")
_TEMPORARY, _LOCK, _STRAY = ".{}.tmp", ".lock", "{}.stray"
_MOST, _MOST_MANIFEST = 2**26, 2**20  # bytes of a JSON file of ours, and of run.json
LARGEST = 2**63  # above all numbers of hands


class RunFolder:
    """The folder of one run, locked until it is closed or its ``with`` block ends.

    Parameters
    ----------
    path : str or Path
        Made, with its parents, when it does not exist. A folder that holds this very run is gone on with.
    task : Task
    shard_hands : int
        Hands of a part; a folder that is gone on with keeps its own.
    keep_records : bool
    until : str
        When to stop, empty for never before the last hand.
    rules_toml : str, optional
        The rules as a rule file, where that says more of them than `task` does.

    Raises
    ------
    StoreError
        Naming every fault that `folder_faults` finds, and for a folder that another run is writing to;
        nothing has been written then.
    """

    def __init__(
        self,
        path: str | Path,
        task: Task,
        shard_hands: int,
        keep_records: bool,
        until: str = "",
        rules_toml: str | None = None,
    ) -> None:
        def check() -> None:
            if faults := folder_faults(path, keep_records, task, until):
                raise StoreError(faults)

        check()
        self.path, self.task, self.keep_records = Path(path), task, keep_records
        self._lock: int | None = None
        self._own: set[int] = set()  # first hands of the parts that belong to this run
        try:
            _make(self.path)
            self._lock = locked(self.path)
            check()  # again: another run may have been faster
            _sweep(self.path)
            if (self.path / "run.json").is_file():
                fields = read_manifest(self.path)
                shard_hands = fields["shard_hands"]
                if other := made_with_others(fields):
                    _log.warning("%s: %s", self.path / "run.json", other)
            else:
                fields = _manifest(task, shard_hands, keep_records, until)
                fields["rules_toml"] = rules_toml or fields["rules_toml"]
                put(self.path / "run.json", _json(fields))
            if keep_records:
                _make(self.path / "parts")
            self.shard_hands = shard_hands
        except OSError as error:
            self.close()
            raise StoreError([f"{self.path} cannot take a run: {error.strerror or error}"]) from error
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let other runs have the folder."""
        unlock(self._lock)
        self._lock = None

    def __enter__(self) -> RunFolder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def whole(self, order: Order, hands: range) -> Shard | None:
        """Read the part of a shard and count it again; None where it is not there.

        Of a part that is not whole, or not of this run, a warning tells; it is as if it were not there.
        """
        path = self.path / "parts" / parts.name(hands.start)
        if not self.keep_records or not os.path.lexists(path):
            return None
        try:
            shard = order.count([parts.decode(path, self.task, hands)], hands.start)
        except PartError as error:
            for fault in error.faults:
                _log.warning("%s; it is made again", fault)
            return None
        self._own.add(hands.start)
        return shard

    def add(self, shard: Shard) -> None:
        """Write the part of a shard."""
        if shard.part is not None:
            self._write(f"parts/{parts.name(shard.first)}", shard.part)
            self._own.add(shard.first)

    def drop_after(self, last: int) -> None:
        """Remove the parts that begin with hand `last` or a later one."""
        for first, path in parts.listed(self.path / "parts"):
            if first >= last:
                path.unlink()

    def checkpoint(self, last: int, totals: Totals, beyond: Sequence[Span] = ()) -> None:
        """Write ``totals.json``: the sums of all hands from the task's first to the one before `last`.

        beyond: later hands that are summed up already, with others missing before them.
        """
        fields = {"id": self.task.id, "first": self.task.first, "last": last, "totals": totals.to_dict()}
        if beyond:
            fields["beyond"] = [[span.first, span.last, span.totals.to_dict()] for span in beyond]
        self._write("totals.json", _json(fields | {"sha256": _digest(fields)}))

    def reached(self) -> tuple[int, Totals] | None:
        """What `checkpoint` wrote last; None where there is none; of a damaged one a warning tells."""
        spans = self._spans()
        return (spans[0].last, spans[0].totals) if spans and spans[0].first == self.task.first else None

    def beyond(self) -> list[Span]:
        """The spans beyond a gap that `checkpoint` wrote last; none where its file is damaged."""
        return [span for span in self._spans() if span.first > self.task.first]

    def _spans(self) -> tuple[Span, ...]:
        try:
            return read_totals(self.path, self.task) or ()
        except StoreError as error:
            _log.warning("%s; what it summed up is played again", error)
            return ()

    def write_summary(self, summary: dict[str, Any]) -> None:
        """Write ``summary.json``: the run is finished.

        Parts that are not of this run (of another cut of its hands, say) would count twice for those who read
        ``parts/*.parquet``: they are set aside as ``part-....parquet.stray``, and a warning tells.
        """
        for first, path in parts.listed(self.path / "parts"):
            if first not in self._own or path.name != parts.name(first):
                path.replace(path.with_name(_STRAY.format(path.name)))
                _log.warning("%s is no part of this run, it is now called %s", path, _STRAY.format(path.name))
        self._write("summary.json", _json(summary))

    def records(self) -> pd.DataFrame:
        """Read the records of the task's hands, in order."""
        files = parts.listed(self.path / "parts")
        return pd.concat([parts.frame(path, self.task) for _, path in files], ignore_index=True)

    def _write(self, name: str, data: bytes) -> None:
        try:
            put(self.path / name, data)
        except OSError as error:
            what = f"{self.path / name} could not be written; what was written before is whole"
            raise OSError(error.errno, f"{error.strerror or error}: {what}") from error


def _pattern(task: Task) -> Totals:
    """Sums with the columns that those of a task have."""
    wall = np.zeros(task.hands_per_wall, HAND_DTYPE)
    return Order((task,), overview(task)).count([wall], 0).totals


def _columns(totals: Totals) -> tuple[object, ...]:
    of = totals.settled
    return of.sums.keys(), of.products.keys(), of.walls.keys(), of.peaks.keys(), totals.hands_per_wall


def put(target: Path, data: bytes) -> None:
    """Write a file so that it is there whole or not at all, whatever happens meanwhile."""
    temporary = target.with_name(_TEMPORARY.format(target.name))
    try:
        with temporary.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
    sync(target.parent)


def sync(folder: Path) -> None:
    """Let the names in a folder survive a crash of the machine."""
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _make(folder: Path) -> None:
    if not folder.is_dir():
        _make(folder.absolute().parent)
        folder.mkdir(exist_ok=True)
        sync(folder.absolute().parent)


def _sweep(path: Path) -> None:
    """Remove what a run that was killed had begun to write."""
    begun = [path / _TEMPORARY.format(name) for name in _FILES]
    for file in [*begun, *(path / "parts").glob(_TEMPORARY.format("part-*"))]:
        file.unlink(missing_ok=True)


def read_json(path: Path, most: int = _MOST) -> dict[str, Any] | None:
    """Read a JSON object from a file of a run's folder, of at most `most` bytes; None where it is not there.

    Raises
    ------
    StoreError
    """
    try:
        fields = json.loads(parts.read_file(path, most))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError, MemoryError) as error:
        raise StoreError([f"{path} is damaged: {plain(error)}"]) from error
    if not isinstance(fields, dict):
        raise StoreError([f"{path} is damaged: {show(fields)}, must be an object"])
    return fields


def read_totals(path: Path, task: Task) -> tuple[Span, ...] | None:
    """Read ``totals.json``: the sums of hands without a gap, from the task's first on, and of those beyond.

    Returns None where the file is not there.

    Raises
    ------
    StoreError
        For one that is damaged, or of another run.
    """
    file = path / "totals.json"
    fields = read_json(file)
    if fields is None:
        return None
    try:
        told = fields.pop("sha256")
        if told != _digest(fields):
            raise ValueError("its content does not give its SHA-256")
        if (fields["id"], fields["first"]) != (task.id, task.first):
            raise ValueError("it is of another run")
        spans = [(fields["first"], fields["last"], fields["totals"]), *fields.get("beyond", [])]
        return tuple(_span(task, *span) for span in spans if span[0] != span[1])
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError) as error:
        raise StoreError([f"{file} is damaged: {plain(error)}"]) from error


def _span(task: Task, first: object, last: object, fields: Any) -> Span:
    """Read a span of ``totals.json``; that it can be one of the task is made sure of."""
    span = Span(operator.index(first), operator.index(last), Totals.from_dict(fields))  # type: ignore[arg-type]
    if not task.first <= span.first < span.last <= task.last:
        raise ValueError(f"hands {show(first)} to {show(last)} are not all of the run")
    if _columns(span.totals) != _columns(_pattern(task)):
        raise ValueError("its columns are not those of the run")
    if (count := span.totals.settled.sums["hands"]) != span.last - span.first:
        raise ValueError(f"it counts {show(count)} hands")
    return span


def read_manifest(path: Path) -> dict[str, Any]:
    """Read ``run.json``; what comes is of the right form as far as this version writes it.

    Raises
    ------
    StoreError
    """
    fields = read_json(path / "run.json", _MOST_MANIFEST)
    if fields is None:
        raise StoreError([f"{path} has no run.json, must be a run's folder"])
    faults: list[str] = []
    for name, kind, what in (
        ("id", str, "a text"),
        ("task", dict, "an object"),
        ("shard_hands", int, "a whole number from 1 to 2**63 - 1"),
        ("keep_records", bool, "true or false"),
        ("until", str, "a text"),
    ):
        if name not in fields:
            faults.append(f"{name} is missing")
        elif type(fields[name]) is not kind or (kind is int and not 1 <= fields[name] < LARGEST):
            faults.append(f"{name} = {show(fields[name])}, must be {what}")
    if isinstance(fields.get("task"), dict):
        try:
            task_of(fields)
        except TaskError as error:
            faults += error.faults
        except RecursionError as error:
            faults.append(f"task: {plain(error)}")
    if faults:
        raise StoreError([f"{path}: run.json: {fault}" for fault in faults])
    return fields


def task_of(fields: dict[str, Any]) -> Task:
    """The task of a manifest; its bots in Python need not be there."""
    return Task.from_json(json.dumps(fields["task"]))


def made_with_others(fields: dict[str, Any]) -> str:
    """Say what a manifest's run was made with that is not the same here; empty where all is the same."""
    told = fields.get("versions")
    other = "; ".join(differences(told if isinstance(told, dict) else {}))
    return f"the run was begun with other versions: {other}" if other else ""


def _manifest(task: Task, shard_hands: int, keep_records: bool, until: str) -> dict[str, Any]:
    return {
        "id": task.id,
        "task": task.to_dict(),
        "shard_hands": shard_hands,
        "keep_records": keep_records,
        "until": until,
        "rules_id": task.rules.id,
        "rules_toml": task.rules.to_toml(),
        "versions": versions(),
    }


def folder_faults(out: object, keep_records: bool, task: Task | None = None, until: str = "") -> list[str]:
    """Find what keeps a folder from taking a run, and write nothing.

    Parameters
    ----------
    out : object
        Must be the path of a folder that is not there yet, is empty, or holds this very run.
    keep_records : bool
    task : Task, optional
        None = not known: then it is not asked whose run the folder holds.
    until : str
        When the run stops.

    Returns
    -------
    list of str
        All faults, one line each.
    """
    faults: list[str] = []
    if keep_records:
        try:
            parts.need_pyarrow()
        except PartError as error:
            faults += error.faults
    text = os.fspath(out) if isinstance(out, (str, os.PathLike)) else None
    if not isinstance(text, str) or not text or "\0" in text:
        return [*faults, f"out = {show(out)}, must be the path of a folder"]
    path = Path(text)
    try:
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            path.lstat()  # a name that is too long for the system is too long to look for its parents
        faults += _bad_places(path)
        if (path / "run.json").is_file():
            if task is not None:
                faults += _other_run(path, task, keep_records, until)
        elif path.is_dir() and any(
            file.name not in (_LOCK, _TEMPORARY.format("run.json")) for file in path.iterdir()
        ):
            faults.append(f"{path} has files but no run.json, must be a run's folder or empty")
    except OSError as error:
        faults.append(f"{path} cannot take a run: {error.strerror or error}")
    return faults


def _bad_places(path: Path) -> list[str]:
    """What cannot be written where a run writes."""
    places = (path, *path.absolute().parents)
    there = next((place for place in places if os.path.lexists(place)), None)
    if there is None:  # on Windows
        return [f"{path} cannot take a run: there is no drive {places[-1]}"]
    if not there.is_dir():
        return [f"{path} cannot take a run: {there} is no folder"]
    folder = path / "parts"
    names = (*_FILES, *map(_TEMPORARY.format, _FILES))
    files = [path / name for name in names] + [*folder.glob("part-*")]
    faults = [
        f"{path} cannot take a run: {place} is in the way, must be a {what}"
        for place, what, fits in [(file, "file", file.is_file() and not file.is_symlink()) for file in files]
        + [(folder, "folder", folder.is_dir() and not folder.is_symlink())]
        if os.path.lexists(place) and not fits
    ]
    faults += [
        f"{path} cannot take a run: no permission to write in {place}"
        for place in (there, folder)
        if place.is_dir() and not os.access(place, os.W_OK | os.X_OK)
    ]
    return faults


def locked(path: Path, shared: bool = False) -> int | None:
    """Lock a folder for as long as the descriptor that is returned stays open.

    The system unlocks it when the process ends, however that comes about. Any number of readers share a lock
    (on Windows there is none for them); None where the file system has no locks.

    Raises
    ------
    StoreError
        The folder is in use.
    """
    if sys.platform == "win32":
        if shared:
            return None
        descriptor = os.open(path / _LOCK, os.O_RDWR | os.O_CREAT)
    else:
        descriptor = os.open(path, os.O_RDONLY)
    try:
        if sys.platform == "win32":
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):  # POSIX, Windows
        os.close(descriptor)
        raise StoreError(
            [f"{path} is in use by another run, wait until that has ended or choose another folder"]
        ) from None
    except OSError:  # a file system without locks
        os.close(descriptor)
        return None
    return descriptor


def unlock(descriptor: int | None) -> None:
    """End a lock."""
    if descriptor is not None:
        os.close(descriptor)


def _other_run(path: Path, task: Task, keep_records: bool, until: str) -> list[str]:
    """What in a folder's run differs from the same hands of the same task."""
    try:
        fields = read_manifest(path)
    except StoreError as error:
        return list(error.faults)
    there = task_of(fields)
    faults = []
    if there.id != task.id:
        faults.append(f"{path} holds task {there.id[:12]}, not {task.id[:12]}, choose another folder")
    elif (there.first, there.hands) != (task.first, task.hands):
        faults.append(
            f"{path} holds hands {there.first} to {there.last - 1} of this task, "
            f"not {task.first} to {task.last - 1}, choose another folder"
        )
    if fields["keep_records"] != keep_records:
        kept = ("without", "with")
        faults.append(
            f"{path} holds a run {kept[fields['keep_records']]} records, not {kept[keep_records]} them, "
            "choose another folder"
        )
    if fields["until"] != until:
        faults.append(
            f"{path} holds a run until {show(fields['until'])}, not {show(until)}, choose another folder"
        )
    return faults


def _json(value: dict[str, Any]) -> bytes:
    return json.dumps(value, indent=1, allow_nan=False, ensure_ascii=False).encode()


def _digest(fields: dict[str, Any]) -> str:
    text = json.dumps(fields, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
