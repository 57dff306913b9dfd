"""A run's folder: what was asked, the records, what came out.

``run.json`` (the task, its id, the rules as TOML, versions), ``parts/part-<first hand>.parquet`` (records,
where they are kept), ``summary.json`` (the answer). Every file is written to a temporary name, flushed and
renamed: what is there is whole.
"""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import IO, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from wuhan_core.errors import FaultError, show

from .engine import STREAM_VERSION
from .task import Task, TaskError


class StoreError(FaultError):
    """A folder that cannot take the run."""


class RunFolder:
    """The folder of one run.

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
        For a folder that holds another run or other files, or cannot be written, and when records are to be
        kept without pyarrow; nothing has been written then.
    """

    def __init__(self, path: str | Path, task: Task, shard_hands: int, keep_records: bool) -> None:
        self.path, self.task = Path(path), task
        if keep_records:
            _pyarrow()
        manifest = self.path / "run.json"
        try:
            if manifest.exists():
                _same_run(self.path, manifest.read_text("utf-8"), task, shard_hands)
            elif self.path.exists() and next(self.path.iterdir(), None) is not None:
                raise StoreError([f"{self.path} has files but no run.json, must be a run's folder or empty"])
            (self.path / "parts" if keep_records else self.path).mkdir(parents=True, exist_ok=True)
            self._write("run.json", _json(_manifest(task, shard_hands)))
        except OSError as error:
            raise StoreError([f"{self.path} cannot take a run: {error.strerror or error}"]) from error

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
        temporary = target.with_name(f".{target.name}.tmp")
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


def _same_run(path: Path, manifest: str, task: Task, shard_hands: int) -> None:
    """Raise unless the folder belongs to the same hands of the same task, cut in the same way."""
    try:
        fields = json.loads(manifest)
        there, size = Task.from_json(json.dumps(fields["task"])), fields["shard_hands"]
    except TaskError as error:
        raise StoreError([f"{path}: run.json: {fault}" for fault in error.faults]) from error
    except (ValueError, TypeError, KeyError) as error:
        raise StoreError([f"{path}: run.json is damaged: {error!r}"]) from error
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
    if faults:
        raise StoreError(faults)


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
