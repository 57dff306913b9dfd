"""A few examples of each entry of `fuzz.py`, always the same; `make fuzz` goes on from there."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest
from hypothesis import strategies as st

import fuzz
from wuhan_core.errors import FaultError

pytestmark = pytest.mark.skipif(os.name != "posix", reason="pipes and alarms")
COUNTS = {"tiles": 30, "cases": 60, "logs": 20, "texts": 30, "score": 20, "rules": 20, "replay": 8, "runs": 3}


@pytest.mark.parametrize("name", fuzz.ENTRIES)
def test_what_is_damaged_is_read_or_refused(name: str) -> None:
    fuzz.examples(fuzz.ENTRIES[name], 1, COUNTS.get(name, 15))


def fails(check: Callable[[], object]) -> type[BaseException]:
    """What the harness makes of a check that does something it must not."""
    entry = fuzz.Entry(st.just(None), lambda _: check())
    with pytest.raises(BaseException) as caught:  # noqa: PT011
        fuzz.examples(entry, 1, 1)
    return caught.type


def test_the_harness_finds_what_must_not_be(monkeypatch: pytest.MonkeyPatch) -> None:
    assert fails(lambda: fuzz.refused(int, "x")) is ValueError  # not an error of the project
    assert fails(lambda: fuzz.refused(wrong)) is AssertionError
    assert fails(lambda: fuzz.command("hand", "x", statuses=(0,))) is AssertionError
    assert fails(writes_elsewhere) is AssertionError
    monkeypatch.setattr(fuzz, "PATIENCE", 1)
    assert fails(lambda: [None for _ in iter(int, 1)]) is fuzz.Hang


def wrong() -> None:
    raise FaultError([" "])


def writes_elsewhere() -> None:
    with fuzz.scratch(False) as here:
        (here.parent / "x").touch()
