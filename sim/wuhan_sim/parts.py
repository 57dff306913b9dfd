"""A part: the records of consecutive hands as one Parquet file, with its provenance in the footer."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wuhan_core.errors import FaultError, show
from wuhan_core.records import HAND_DTYPE

from .engine import STREAM_VERSION
from .task import Task
from .versions import versions

Records = NDArray[np.void]


class PartError(FaultError):
    """A part that is damaged, or not what its run needs."""


def name(first: int) -> str:
    """The file name of the part that begins with hand `first`."""
    return f"part-{first:012d}.parquet"


def encode(task: Task, records: Records) -> bytes:
    """Return records of consecutive hands as the bytes of a Parquet file (zstd, checksum on every page)."""
    pyarrow, parquet = need_pyarrow()
    first, last = int(records["hand"][0]), int(records["hand"][-1]) + 1
    provenance = {"task": task.id, "first": first, "last": last, **versions()}
    table = pyarrow.table(flat(records)).replace_schema_metadata(
        {f"wuhan.{key}": str(value) for key, value in provenance.items()}
    )
    file = io.BytesIO()
    parquet.write_table(table, file, compression="zstd", write_page_checksum=True)
    return file.getvalue()


def decode(path: Path, task: Task, hands: range) -> Records:
    """Read a part back and check it: whose it is, that it is whole, and that it has these hands.

    Raises
    ------
    PartError
    """
    pyarrow, parquet = need_pyarrow()
    try:
        with parquet.ParquetFile(path, page_checksum_verification=True) as file:
            footer = file.schema_arrow.metadata or {}
            found = {key.decode(): value.decode() for key, value in footer.items()}
            wanted = {
                "wuhan.task": task.id,
                "wuhan.first": str(hands.start),
                "wuhan.last": str(hands.stop),
                "wuhan.stream": str(STREAM_VERSION),
            }
            if faults := [
                f"{path}: {key} = {show(found.get(key))}, must be {value}"
                for key, value in wanted.items()
                if found.get(key) != value
            ]:
                raise PartError(faults)
            records = _unflat(file.read())
    except (OSError, ValueError, KeyError, TypeError, pyarrow.ArrowException) as error:
        if isinstance(error, PartError):
            raise
        raise PartError([f"{path} is damaged: {' '.join(str(error).split())}"]) from error
    if not np.array_equal(records["hand"], np.arange(hands.start, hands.stop)):
        raise PartError([f"{path} is damaged: its hands are not {hands.start} to {hands.stop - 1}"])
    return records


def flat(records: Records) -> dict[str, NDArray[Any]]:
    """Return the columns of records, with one column per seat (``points_0``...) for those that have four."""
    assert records.dtype.names is not None
    columns: dict[str, NDArray[Any]] = {}
    for column in records.dtype.names:
        values = records[column]
        if values.ndim == 1:
            columns[column] = np.ascontiguousarray(values)
        else:
            columns |= {
                f"{column}_{seat}": np.ascontiguousarray(values[:, seat]) for seat in range(values.shape[1])
            }
    return columns


def _unflat(table: Any) -> Records:
    """The records of which `flat` gave the columns."""
    records: Records = np.zeros(table.num_rows, HAND_DTYPE)
    assert HAND_DTYPE.names is not None
    for column in HAND_DTYPE.names:
        if HAND_DTYPE[column].ndim == 0:
            records[column] = table.column(column).to_numpy()
        else:
            for seat in range(HAND_DTYPE[column].shape[0]):
                records[column][:, seat] = table.column(f"{column}_{seat}").to_numpy()
    return records


def need_pyarrow() -> tuple[Any, Any]:
    """pyarrow and pyarrow.parquet.

    Raises
    ------
    PartError
        Where they are not installed.
    """
    try:
        import pyarrow  # type: ignore[import-untyped]
        import pyarrow.parquet  # type: ignore[import-untyped]
    except ImportError as error:
        raise PartError(
            ['keeping records needs pyarrow, which is not installed: pip install "wuhan-core[parquet]"']
        ) from error
    return pyarrow, pyarrow.parquet
