"""What results depend on, and what they were made with."""

from __future__ import annotations

import hashlib
import platform
from functools import cache
from importlib import machinery, metadata
from pathlib import Path
from typing import Any

import numpy as np

import wuhan_core

from . import engine


def versions() -> dict[str, Any]:
    """What records depend on, and what they were made with."""
    return {**build(), "numpy": np.__version__, "python": platform.python_version()}


def build() -> dict[str, Any]:
    """What must be the same wherever hands of a run are played: package, random streams, compiled kernels."""
    try:
        package = metadata.version("wuhan-core")
    except metadata.PackageNotFoundError:
        package = "not installed"
    return {"wuhan-core": package, "stream": engine.STREAM_VERSION, "kernel": kernel()}


@cache
def kernel() -> str:
    """SHA-256 (hexadecimal) of the files of the compiled kernels, in the order of their names."""
    suffix = machinery.EXTENSION_SUFFIXES[0]  # files of other interpreters may lie beside them
    whole = hashlib.sha256()
    for path in sorted(Path(wuhan_core.__file__).parent.glob(f"*{suffix}")):
        whole.update(path.name.removesuffix(suffix).encode() + b"\0")
        whole.update(hashlib.sha256(path.read_bytes()).digest())
    return whole.hexdigest()


def differences(there: dict[str, Any]) -> list[str]:
    """Name what another `build` has that this one has not."""
    here = build()
    return [
        f"{name} {str(there.get(name))[:12]}, here {str(value)[:12]}"
        for name, value in here.items()
        if there.get(name) != value
    ]
