"""Tables of estimates: pandas frames, and the same as values of the types that JSON has."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

from .estimates import Estimate


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


def finite(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The same with None for NaN and infinity, which JSON does not have."""
    return {
        name: None if isinstance(value, float) and not math.isfinite(value) else value
        for name, value in fields.items()
    }


def figures(found: Estimate) -> dict[str, Any]:
    """Value, interval and count of an estimate as JSON has them."""
    return finite({name: getattr(found, name) for name in ("value", "low", "high", "n")})
