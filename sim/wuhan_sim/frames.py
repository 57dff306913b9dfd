"""Tables of estimates: pandas frames, and the same as values of the types that JSON has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd


def frame(rows: Iterable[tuple[Any, ...]], columns: Sequence[str]) -> pd.DataFrame:
    """A table of estimates: ``value``, ``low`` and ``high`` are floats, ``n`` is whole."""
    table = pd.DataFrame.from_records(list(rows), columns=list(columns))
    return table.astype({"value": float, "low": float, "high": float, "n": "int64"})


def records(table: pd.DataFrame) -> list[dict[str, Any]]:
    """Rows of a table as values of the types that JSON has; NaN becomes None."""
    rows: list[dict[str, Any]] = table.astype(object).where(table.notna(), None).to_dict("records")  # type: ignore[assignment]
    return rows


def section(table: pd.DataFrame, name: str) -> pd.DataFrame:
    """The rows of one ``section`` of a table, without that column."""
    return table[table["section"] == name].drop(columns="section").reset_index(drop=True)


def sections(table: pd.DataFrame) -> dict[str, list[dict[str, Any]]]:
    """The rows of each ``section`` of a table, as `records` has them, without that column."""
    return {
        str(section): records(part.drop(columns="section"))
        for section, part in table.groupby("section", sort=False)
    }


def without_nan(fields: Mapping[str, Any]) -> dict[str, Any]:
    """NaN becomes None."""
    return {name: None if value != value else value for name, value in fields.items()}
