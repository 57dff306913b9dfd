"""Runs compared: results bit by bit, folders byte by byte."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from wuhan_sim import Result


def equal(a: Result, b: Result) -> None:
    """The same bits, in the totals and in every figure made of them."""
    assert a == b
    pd.testing.assert_frame_equal(a.table(), b.table(), check_exact=True)


def same(a: Result, b: Result) -> None:
    """The same bits, in totals, figures and records."""
    equal(a, b)
    pd.testing.assert_frame_equal(a.records, b.records, check_exact=True)


def content(folder: Path) -> dict[str, bytes]:
    """Every file of a folder, by its path there."""
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def part_of(folder: Path, first: int) -> Path:
    """The part of a run that begins with this hand."""
    return folder / "parts" / f"part-{first:012d}.parquet"
