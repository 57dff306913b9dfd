"""A run's folder: what was asked, the records, what came out.

``run.json`` (the task, its id, the rules as TOML, versions), ``parts/part-<first hand>.parquet`` (records,
where they are kept), ``summary.json`` (the answer). Every file is written to a temporary name, flushed and
renamed: what is there is whole. While a run writes, it has its folder locked, which ends with its process.
"""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from types import ModuleType, TracebackType
from typing import IO, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from wuhan_core.errors import FaultError, show

from .engine import STREAM_VERSION
from .task import Task, TaskError

fcntl: ModuleType | None
try:
    import fcntl
except ImportError:  # Windows: no lock there
    fcntl = None

_FILES = ("run.json", "summary.json")
_TEMPORARY = ".{}.tmp"


class StoreError(FaultError):
    """A folder that cannot take the run."""


class RunFolder:
    """The folder of one run, locked until it is closed or its ``with`` block ends.

    Parameters
    ----------
    path : str or Path
        Made, with its parents, when it does not exist.
    task : Task
    shard_hands : int
        Hands of a part.
    keep_records : bool

    Raises
    ------
    StoreError
        Naming every fault that `folder_faults` finds, and for a folder that another run is writing to;
        nothing has been written then.
    """

    def __init__(self, path: str | Path, task: Task, shard_hands: int, keep_records: bool) -> None:
        def check() -> None:
            if faults := folder_faults(path, keep_records, task, shard_hands):
                raise StoreError(faults)

        check()
        self.path, self.task = Path(path), task
        self._lock: int | None = None
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            self._lock = _locked(self.path)
            check()  # again: another run may have been faster
            if keep_records:
                (self.path / "parts").mkdir(exist_ok=True)
            self._write("run.json", _json(_manifest(task, shard_hands)))
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

    def write_part(self, records: NDArray[np.void]) -> None:
        """Write the records of consecutive hands as one Parquet file (zstd), its provenance in the footer."""
        pyarrow, parquet = _pyarrow()
        table = pyarrow.table(flat(records))
        first, last = int(records["hand"][0]), int(records["hand"][-1]) + 1
        provenance = {"task": self.task.id, "first": first, "last": last, **versions()}
        table = table.replace_schema_metadata(
            {f"wuhan.{key}": str(value) for key, value in provenance.items()}
        )
        self._write(
            f"parts/part-{first:012d}.parquet",
            lambda file: parquet.write_table(table, file, compression="zstd", write_page_checksum=True),
        )

    def write_summary(self, summary: dict[str, Any]) -> None:
        """Write ``summary.json``."""
        self._write("summary.json", _json(summary))

    def records(self) -> pd.DataFrame:
        """Read the records of the task's hands, in order."""
        _, parquet = _pyarrow()
        parts = sorted((self.path / "parts").glob("part-*.parquet"))
        frames: list[pd.DataFrame] = [parquet.read_table(part).to_pandas() for part in parts]
        return pd.concat(frames, ignore_index=True)

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


def flat(records: NDArray[np.void]) -> dict[str, NDArray[Any]]:
    """Return the columns of records, with one column per seat (``points_0``...) for those that have four."""
    assert records.dtype.names is not None
    columns: dict[str, NDArray[Any]] = {}
    for name in records.dtype.names:
        values = records[name]
        if values.ndim == 1:
            columns[name] = np.ascontiguousarray(values)
        else:
            columns |= {
                f"{name}_{seat}": np.ascontiguousarray(values[:, seat]) for seat in range(values.shape[1])
            }
    return columns


def versions() -> dict[str, Any]:
    """What the records depend on, and what they were made with."""
    try:
        package = metadata.version("wuhan-core")
    except metadata.PackageNotFoundError:
        package = "not installed"
    return {
        "wuhan-core": package,
        "stream": STREAM_VERSION,
        "numpy": np.__version__,
        "python": platform.python_version(),
    }


def _manifest(task: Task, shard_hands: int) -> dict[str, Any]:
    return {
        "id": task.id,
        "task": task.to_dict(),
        "shard_hands": shard_hands,
        "rules_id": task.rules.id,
        "rules_toml": task.rules.to_toml(),
        "versions": versions(),
    }


def folder_faults(
    out: object, keep_records: bool, task: Task | None = None, shard_hands: int | None = None
) -> list[str]:
    """Find what keeps a folder from taking a run, and write nothing.

    Parameters
    ----------
    out : object
        Must be the path of a folder that is not there yet, is empty, or holds this very run.
    keep_records : bool
    task, shard_hands
        None = not known: then it is not asked whose run the folder holds.

    Returns
    -------
    list of str
        All faults, one line each.
    """
    faults: list[str] = []
    if keep_records:
        try:
            _pyarrow()
        except StoreError as error:
            faults += error.faults
    text = os.fspath(out) if isinstance(out, (str, os.PathLike)) else None
    if not isinstance(text, str) or not text or "\0" in text:
        return [*faults, f"out = {show(out)}, must be the path of a folder"]
    path = Path(text)
    try:
        faults += _bad_places(path)
        if (path / "run.json").is_file():
            if task is not None and shard_hands is not None:
                faults += _other_run(path, task, shard_hands)
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
    parts = path / "parts"
    names = (*_FILES, *map(_TEMPORARY.format, _FILES))
    files = [path / name for name in names] + [*parts.glob("part-*")]
    faults = [
        f"{path} cannot take a run: {place} is in the way, must be a {what}"
        for place, what, fits in [(file, "file", file.is_file()) for file in files]
        + [(parts, "folder", parts.is_dir())]
        if os.path.lexists(place) and not fits
    ]
    faults += [
        f"{path} cannot take a run: no permission to write in {folder}"
        for folder in (there, parts)
        if folder.is_dir() and not os.access(folder, os.W_OK | os.X_OK)
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


def _other_run(path: Path, task: Task, shard_hands: int) -> list[str]:
    """What in a folder's run differs from the same hands of the same task, cut in the same way."""
    try:
        fields = json.loads((path / "run.json").read_bytes())
        there, size = Task.from_json(json.dumps(fields["task"])), fields["shard_hands"]
    except TaskError as error:
        return [f"{path}: run.json: {fault}" for fault in error.faults]
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        return [f"{path}: run.json is damaged: {show(error)}"]
    faults = []
    if there.id != task.id:
        faults.append(f"{path} holds task {there.id[:12]}, not {task.id[:12]}, choose another folder")
    elif (there.first, there.hands) != (task.first, task.hands):
        faults.append(
            f"{path} holds hands {there.first} to {there.last - 1} of this task, "
            f"not {task.first} to {task.last - 1}, choose another folder"
        )
    if size != shard_hands:
        faults.append(f"{path} holds parts of {show(size)} hands, not {shard_hands}, choose another folder")
    return faults


def _json(value: dict[str, Any]) -> Callable[[IO[bytes]], object]:
    data = json.dumps(value, indent=1, allow_nan=False, ensure_ascii=False).encode()
    return lambda file: file.write(data)


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow  # type: ignore[import-untyped]
        import pyarrow.parquet  # type: ignore[import-untyped]
    except ImportError as error:
        raise StoreError(
            ['keeping records needs pyarrow, which is not installed: pip install "wuhan-core[parquet]"']
        ) from error
    return pyarrow, pyarrow.parquet
