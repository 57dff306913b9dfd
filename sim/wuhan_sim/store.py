"""A run's folder: what was asked, the records, what came out.

``run.json`` (the task, its id, the rules as TOML, versions), ``parts/part-<first hand>.parquet`` (records,
where they are kept), ``totals.json`` (exact sums of the hands played so far), ``summary.json`` (the answer).
Every file is written to a temporary name, flushed and renamed: what is there is whole. While a run writes, it
has its folder locked, which ends with its process.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType, TracebackType
from typing import IO, Any

import pandas as pd

from wuhan_core.errors import FaultError, show

from . import parts
from .parts import PartError
from .shards import Order, Shard, Span
from .stats import Totals
from .task import Task, TaskError
from .versions import versions

fcntl: ModuleType | None
try:
    import fcntl
except ImportError:  # Windows: no lock there
    fcntl = None

_FILES = ("run.json", "totals.json", "summary.json")
_TEMPORARY = ".{}.tmp"


class StoreError(FaultError):
    """A folder that cannot take the run."""


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

    Raises
    ------
    StoreError
        Naming every fault that `folder_faults` finds, and for a folder that another run is writing to;
        nothing has been written then.
    """

    def __init__(
        self, path: str | Path, task: Task, shard_hands: int, keep_records: bool, until: str = ""
    ) -> None:
        def check() -> None:
            if faults := folder_faults(path, keep_records, task, until):
                raise StoreError(faults)

        check()
        self.path, self.task, self.keep_records = Path(path), task, keep_records
        self._lock: int | None = None
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            self._lock = _locked(self.path)
            check()  # again: another run may have been faster
            if keep_records:
                (self.path / "parts").mkdir(exist_ok=True)
            if (self.path / "run.json").is_file():
                shard_hands = read_manifest(self.path)["shard_hands"]
            else:
                self._write("run.json", _json(_manifest(task, shard_hands, keep_records, until)))
            self.shard_hands = shard_hands
        except OSError as error:
            self.close()
            raise StoreError([f"{self.path} cannot take a run: {error.strerror or error}"]) from error
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let other runs have the folder."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def __enter__(self) -> RunFolder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def whole(self, order: Order, hands: range) -> Shard | None:
        """Read the part of a shard and count it again; None where it is not there, or not whole."""
        path = self._part(hands.start)
        if not self.keep_records or not path.exists():
            return None
        try:
            return order.count([parts.decode(path, self.task, hands)], hands.start)
        except PartError:
            return None

    def add(self, shard: Shard) -> None:
        """Write the part of a shard."""
        if shard.part is not None:
            data = shard.part
            self._write(f"parts/{parts.name(shard.first)}", lambda file: file.write(data))

    def drop_after(self, last: int) -> None:
        """Remove the parts that begin with hand `last` or a later one."""
        for path in (self.path / "parts").glob("part-*.parquet"):
            if path.name >= parts.name(last):
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
        """What `checkpoint` wrote last; None where there is none, or it is damaged."""
        try:
            fields = json.loads((self.path / "totals.json").read_bytes())
            if fields.pop("sha256") != _digest(fields) or fields["id"] != self.task.id:
                return None
            return int(fields["last"]), Totals.from_dict(fields["totals"])
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return None

    def beyond(self) -> list[Span]:
        """The spans beyond a gap that `checkpoint` wrote last; none where its file is damaged."""
        try:
            fields = json.loads((self.path / "totals.json").read_bytes())
            if fields.pop("sha256") != _digest(fields) or fields["id"] != self.task.id:
                return []
            return [
                Span(int(first), int(last), Totals.from_dict(totals))
                for first, last, totals in fields.get("beyond", [])
            ]
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return []

    def write_summary(self, summary: dict[str, Any]) -> None:
        """Write ``summary.json``."""
        self._write("summary.json", _json(summary))

    def records(self) -> pd.DataFrame:
        """Read the records of the task's hands, in order."""
        _, parquet = parts.need_pyarrow()
        files = sorted((self.path / "parts").glob("part-*.parquet"))
        frames: list[pd.DataFrame] = [parquet.read_table(file).to_pandas() for file in files]
        return pd.concat(frames, ignore_index=True)

    def _part(self, first: int) -> Path:
        return self.path / "parts" / parts.name(first)

    def _write(self, name: str, write: Callable[[IO[bytes]], object]) -> None:
        target = self.path / name
        temporary = target.with_name(_TEMPORARY.format(target.name))
        try:
            with temporary.open("wb") as file:
                write(file)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)
        if os.name == "posix":  # the new name, too, must survive a crash
            folder = os.open(target.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)


def read_manifest(path: Path) -> dict[str, Any]:
    """Read ``run.json``; what comes is of the right form as far as this version writes it.

    Raises
    ------
    StoreError
    """
    try:
        fields = json.loads((path / "run.json").read_bytes())
        Task.from_json(json.dumps(fields["task"]))
        wrong = [
            f"{path}: run.json: {name} = {show(fields[name])}, must be {what}"
            for name, kind, what in (
                ("shard_hands", int, "a whole number, 1 or more"),
                ("keep_records", bool, "true or false"),
                ("until", str, "a text"),
            )
            if type(fields[name]) is not kind or (fields[name] == 0 and kind is int)
        ]
    except TaskError as error:
        raise StoreError([f"{path}: run.json: {fault}" for fault in error.faults]) from error
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise StoreError([f"{path}: run.json is damaged: {show(error)}"]) from error
    if wrong:
        raise StoreError(wrong)
    return dict(fields)


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


def folder_faults(
    out: object, keep_records: bool, task: Task | None = None, until: str = ""
) -> list[str]:
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
        faults += _bad_places(path)
        if (path / "run.json").is_file():
            if task is not None:
                faults += _other_run(path, task, keep_records, until)
        elif path.is_dir() and any(file.name != _TEMPORARY.format("run.json") for file in path.iterdir()):
            faults.append(f"{path} has files but no run.json, must be a run's folder or empty")
    except OSError as error:
        faults.append(f"{path} cannot take a run: {error.strerror or error}")
    return faults


def _bad_places(path: Path) -> list[str]:
    """What cannot be written where a run writes."""
    there = next(folder for folder in (path, *path.absolute().parents) if os.path.lexists(folder))
    if not there.is_dir():
        return [f"{path} cannot take a run: {there} is no folder"]
    folder = path / "parts"
    names = (*_FILES, *map(_TEMPORARY.format, _FILES))
    files = [path / name for name in names] + [*folder.glob("part-*")]
    faults = [
        f"{path} cannot take a run: {place} is in the way, must be a {what}"
        for place, what, fits in [(file, "file", file.is_file()) for file in files]
        + [(folder, "folder", folder.is_dir())]
        if os.path.lexists(place) and not fits
    ]
    faults += [
        f"{path} cannot take a run: no permission to write in {place}"
        for place in (there, folder)
        if place.is_dir() and not os.access(place, os.W_OK | os.X_OK)
    ]
    return faults


def _locked(path: Path) -> int | None:
    """Lock a folder for as long as the descriptor that is returned stays open.

    The system unlocks it when the process ends, however that comes about.
    """
    if fcntl is None:
        return None
    folder = os.open(path, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(folder)
        raise StoreError(
            [f"{path} is in use by another run, wait until that has ended or choose another folder"]
        ) from None
    except OSError:  # a file system without locks
        os.close(folder)
        return None
    return folder


def _other_run(path: Path, task: Task, keep_records: bool, until: str) -> list[str]:
    """What in a folder's run differs from the same hands of the same task."""
    try:
        fields = read_manifest(path)
    except StoreError as error:
        return list(error.faults)
    there = Task.from_json(json.dumps(fields["task"]))
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


def _json(value: dict[str, Any]) -> Callable[[IO[bytes]], object]:
    data = json.dumps(value, indent=1, allow_nan=False, ensure_ascii=False).encode()
    return lambda file: file.write(data)


def _digest(fields: dict[str, Any]) -> str:
    text = json.dumps(fields, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
