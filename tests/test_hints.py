"""The check for Cython's hints finds one."""

from __future__ import annotations

from pathlib import Path

import pytest

import hints

WITHOUT_NOEXCEPT = """

cdef void careless(int* out) nogil:
    out[0] = 1


def ask():
    cdef int found = 0
    with nogil:
        careless(&found)
    return found
"""


@pytest.mark.slow
def test_a_kernel_without_noexcept_is_found(tmp_path: Path) -> None:
    hints.sources(tmp_path)
    assert hints.complaints(tmp_path) == []
    with (tmp_path / "src" / "wuhan_core" / "_tables.pyx").open("a", encoding="utf-8") as file:
        file.write(WITHOUT_NOEXCEPT)
    found = hints.complaints(tmp_path)
    assert found
    assert all("_tables.pyx" in line and line.startswith("performance hint") for line in found)
