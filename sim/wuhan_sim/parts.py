"""A part: the records of consecutive hands as one Parquet file, with its provenance in the footer.

The bytes of a part follow from the task, the records and the versions of what makes it, wherever that is. Its
footer has, beside the provenance, the SHA-256 of the whole file, so that any flipped bit is found.
"""

from __future__ import annotations

import hashlib
import io
import os
import re
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from wuhan_core.errors import FaultError, show
from wuhan_core.files import open_plain
from wuhan_core.records import HAND_DTYPE

from .engine import STREAM_VERSION
from .task import Task
from .versions import versions

Records = NDArray[np.void]

_DIGEST = "wuhan.sha256"
_NO_DIGEST = b"0" * 64  # what stands in the digest's place while the digest is taken
_NAME = re.compile(r"part-(\d{12,19})\.parquet", re.ASCII)
_STRETCH = 1024  # records that are turned into columns together: they stay in the processor's cache
_ROOM, _FOOTER_ROOM = 512, 2**16  # bytes of a hand, and of a footer: no part of ours takes more
_FEW = 2**20  # hands that find room in memory whatever a file is; more must take two bytes each


class StoreError(FaultError):
    """A folder that cannot take a run, or that has none to be read."""


class PartError(StoreError):
    """A part that is damaged, or not what its run needs."""


class Footer(NamedTuple):
    """What a part says of itself: whose hands it has, and the numbers of the first and after the last."""

    task: str
    stream: str
    first: int
    last: int


def name(first: int) -> str:
    """The file name of the part that begins with hand `first`."""
    return f"part-{first:012d}.parquet"


def listed(folder: Path) -> list[tuple[int, Path]]:
    """The files of a folder that are named as parts, by their first hands."""
    found = ((_NAME.fullmatch(path.name), path) for path in folder.glob("part-*.parquet"))
    return sorted((int(match[1]), path) for match, path in found if match)


def encode(task: Task, records: Records) -> bytes:
    """Return records of consecutive hands as the bytes of a Parquet file.

    Points have few values and are written by dictionary, all else as differences; zstd at its fastest: two
    thirds of the time and size of what pyarrow does by itself.
    """
    pyarrow, parquet = need_pyarrow()
    first, last = int(records["hand"][0]), int(records["hand"][-1]) + 1
    provenance = {"task": task.id, "first": first, "last": last, **versions()}
    table = pyarrow.table(flat(records))
    points = [column for column in table.column_names if column.startswith(("owed", "capped", "points"))]
    file = pyarrow.BufferOutputStream()  # in memory of Arrow's own: no lock is taken to write to it
    with parquet.ParquetWriter(
        file,
        table.schema,
        compression="zstd",
        compression_level=1,
        use_dictionary=points,
        column_encoding={name: "DELTA_BINARY_PACKED" for name in table.column_names if name not in points},
        write_statistics=["hand"],
        store_schema=False,
    ) as writer:
        writer.write_table(table, row_group_size=len(records))
        writer.add_key_value_metadata({f"wuhan.{key}": str(value) for key, value in provenance.items()})
        writer.add_key_value_metadata({_DIGEST: _NO_DIGEST.decode()})
    data: bytes = file.getvalue().to_pybytes()
    at = data.rindex(_NO_DIGEST)
    return data[:at] + hashlib.sha256(data).hexdigest().encode() + data[at + len(_NO_DIGEST) :]


def footer(path: Path) -> Footer:
    """Read what a part says of itself; the records are not looked at.

    Raises
    ------
    PartError
    """
    pyarrow, parquet = need_pyarrow()
    try:
        with open_plain(regular(path)) as file:
            _check_footer(file)
            with parquet.ParquetFile(file) as part:
                return _footer(part.metadata)
    except (OSError, ValueError, KeyError, TypeError, MemoryError, pyarrow.ArrowException) as error:
        raise _damaged(path, error) from error


def decode(path: Path, task: Task, hands: range | None = None) -> Records:
    """Read a part back and check it: whose it is, that it is whole, and that it has these hands.

    Parameters
    ----------
    path : Path
    task : Task
    hands : range, optional
        None = those that its footer names.

    Raises
    ------
    PartError
    """
    return _unflat(_read(path, task, hands, None))


def frame(path: Path, task: Task, columns: Sequence[str] | None = None) -> pd.DataFrame:
    """Read a part, or some of its columns, as `decode` does, into a frame with the columns of `flat`."""
    table: pd.DataFrame = _read(path, task, None, columns).to_pandas()
    return table


def _read(path: Path, task: Task, hands: range | None, columns: Sequence[str] | None) -> Any:
    pyarrow, parquet = need_pyarrow()
    try:
        data = read_file(path, None if hands is None else _ROOM * len(hands) + _FOOTER_ROOM)
        with parquet.ParquetFile(io.BytesIO(data)) as file:
            found, rows = _footer(file.metadata), file.metadata.num_rows
            count = found.last - found.first
            wanted = range(found.first, found.last) if hands is None else hands
            faults = [
                f"{path}: {key} = {show(value)}, must be {right}"
                for key, value, right in (
                    ("wuhan.task", found.task, task.id),
                    ("wuhan.stream", found.stream, str(STREAM_VERSION)),
                    ("wuhan.first", found.first, wanted.start),
                    ("wuhan.last", found.last, wanted.stop),
                )
                if value != right
            ]
            if faults:
                raise PartError(faults)
            if rows != count or count < 1:
                raise ValueError(f"it has {rows} rows for {count} hands")
            if count > max(_FEW, len(data) // 2):
                raise ValueError(f"it has {count} hands in {len(data)} bytes")
            if file.schema_arrow.remove_metadata() != _schema(pyarrow):
                raise ValueError("its columns are not those of records")
            _check_digest(data, file.metadata)
            table = file.read()
    except PartError:
        raise
    except (OSError, ValueError, KeyError, TypeError, MemoryError, pyarrow.ArrowException) as error:
        raise _damaged(path, error) from error
    if not np.array_equal(table.column("hand").to_numpy(), np.arange(wanted.start, wanted.stop)):
        raise PartError([f"{path} is damaged: its hands are not {wanted.start} to {wanted.stop - 1}"])
    return table if columns is None else table.select(list(columns))


def _damaged(path: Path, error: Exception) -> PartError:
    why = error.strerror if isinstance(error, OSError) and error.strerror else show(str(error), 200)[1:-1]
    return PartError([f"{path} is damaged: {why or type(error).__name__}"])


def _check_footer(file: BinaryIO) -> None:
    """Refuse a footer that is longer than any of ours; its length stands before the last four bytes."""
    if os.fstat(file.fileno()).st_size >= 8:
        file.seek(-8, os.SEEK_END)
        if (size := int.from_bytes(file.read(4), "little")) > _FOOTER_ROOM:
            raise ValueError(f"its footer would have {size} bytes")


def _footer(file: Any) -> Footer:
    told = {key.decode(): value.decode() for key, value in (file.metadata or {}).items()}
    if missing := [key for key in ("task", "stream", "first", "last") if f"wuhan.{key}" not in told]:
        raise ValueError(f"its footer names no {', '.join(missing)}")
    first, last = (int(told[f"wuhan.{key}"]) for key in ("first", "last"))
    return Footer(told["wuhan.task"], told["wuhan.stream"], first, last)


def _check_digest(data: bytes, file: Any) -> None:
    digest = (file.metadata or {}).get(_DIGEST.encode(), b"")
    at = data.rfind(digest) if len(digest) == len(_NO_DIGEST) else -1
    found = hashlib.sha256(data[:at] + _NO_DIGEST + data[at + len(_NO_DIGEST) :]).hexdigest().encode()
    if at < 0 or found != digest:
        raise ValueError("its bytes do not give the SHA-256 in its footer")


def flat(records: Records) -> dict[str, NDArray[Any]]:
    """Return the columns of records, with one column per seat (``points_0``...) for those that have four."""
    pairs = []
    for column, values in _columns(records):
        pairs.append((column, np.empty(len(records), values.dtype), values))
    for start in range(0, len(records), _STRETCH):
        stretch = slice(start, start + _STRETCH)
        for _, target, values in pairs:
            target[stretch] = values[stretch]
    return {column: target for column, target, _ in pairs}


def _unflat(table: Any) -> Records:
    """The records of which `flat` gave the columns."""
    records: Records = np.zeros(table.num_rows, HAND_DTYPE)
    for column, target in _columns(records):
        target[:] = table.column(column).to_numpy()
    return records


def _columns(records: Records) -> list[tuple[str, NDArray[Any]]]:
    """The flat columns of records, by name, as views."""
    assert records.dtype.names is not None
    return [
        (column, values) if seat is None else (f"{column}_{seat}", values[:, seat])
        for column in records.dtype.names
        for values in [records[column]]
        for seat in ([None] if values.ndim == 1 else range(values.shape[1]))
    ]


def column_names() -> list[str]:
    """The names of the columns of `flat`."""
    return [column for column, _ in _columns(np.zeros(0, HAND_DTYPE))]


def _schema(pyarrow: Any) -> Any:
    return pyarrow.table(flat(np.zeros(0, HAND_DTYPE))).schema


def regular(path: Path) -> Path:
    """Refuse what is no plain file: a link leads out of the folder, and a pipe never ends."""
    mode = os.lstat(path).st_mode
    if not stat.S_ISREG(mode):
        raise ValueError(f"it is a {'link' if stat.S_ISLNK(mode) else 'thing other than a file'}")
    return path


def read_file(path: Path, most: int | None) -> bytes:
    """Read a plain file of at most `most` bytes (None = any).

    Raises
    ------
    OSError, ValueError
    """
    with open_plain(regular(path)) as file:
        size = os.fstat(file.fileno()).st_size
        if most is not None and size > most:
            raise ValueError(f"it has {size} bytes, {most} at most are possible")
        return file.read()


def need_pyarrow() -> tuple[Any, Any]:
    """pyarrow and pyarrow.parquet.

    Raises
    ------
    PartError
        Where they are not installed.
    """
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise PartError(
            ['keeping records needs pyarrow, which is not installed: pip install "wuhan-core[parquet]"']
        ) from error
    return pyarrow, pyarrow.parquet
