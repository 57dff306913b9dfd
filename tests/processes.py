"""Processes of their own that find the packages as this one does."""

from __future__ import annotations

import os
from pathlib import Path

import wuhan_core
import wuhan_sim

ROOTS = [str(Path(module.__file__ or "").parents[1]) for module in (wuhan_core, wuhan_sim)]


def environment(*folders: Path, **variables: str) -> dict[str, str]:
    """The environment of a process that finds the packages, and modules in `folders`."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join([*map(str, folders), *ROOTS]), **variables}
