"""Files that others have named: plain ones only, and never more of one than there can be."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO

from .errors import show


def open_plain(path: str | Path) -> BinaryIO:
    """Open a plain file to read it; a pipe or a device, of which the end may never come, is refused.

    Raises
    ------
    OSError
        It cannot be opened, or is a folder.
    ValueError
        It is no plain file, or its name cannot be one.
    """
    if "\0" in str(path):
        raise ValueError("its name has a null byte")  # Python's own words change from version to version
    # to open a pipe may wait forever, unless told not to; Windows neither has nor needs that
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, flags)
    try:
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if not stat.S_ISREG(mode):
            raise ValueError("is no regular file")
    except BaseException:
        os.close(descriptor)
        raise
    return os.fdopen(descriptor, "rb")


def read_plain(path: str | Path, most: int) -> bytes:
    """Read a plain file of at most `most` bytes.

    Raises
    ------
    OSError, ValueError
        As `open_plain`; ValueError, too, where it is longer.
    """
    with open_plain(path) as file:
        return read_most(file, most)


def read_most(file: BinaryIO, most: int) -> bytes:
    """Read all that a stream has.

    Raises
    ------
    ValueError
        It has more than `most` bytes.
    """
    data = file.read(most + 1)
    if len(data) > most:
        raise ValueError(f"is longer than {most} bytes")
    return data


def target_faults(name: str, path: str | Path) -> list[str]:
    """Say why a file could not be written; `name` is what the fault calls it."""
    try:
        file = Path(path)
        with contextlib.suppress(FileNotFoundError):
            if stat.S_ISREG(file.stat().st_mode):
                return []
            raise ValueError
        if file.name and file.parent.is_dir():
            return []
    except (OSError, ValueError):
        pass  # a folder, a pipe that nobody may read, a name that is too long
    return [f"{name} = {show(str(path))}, must be the path of a file in a folder that is there"]
