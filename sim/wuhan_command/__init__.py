"""The command ``wuhan``, before anything heavy is read in: Ctrl-C is a clean stop from the start on."""

from __future__ import annotations

import os
import signal

STOPPED = 130


def main() -> int:
    """Run the command line and return its exit status."""
    signal.signal(signal.SIGINT, _stop)
    from wuhan_sim.cli import main as run  # numpy, pandas and scipy take their time

    return run()


def _stop(*_: object) -> None:
    """End at once. Nothing has been done yet, and an exception may get lost in a half-read module."""
    try:
        os.write(2, b"stopped\n")
    finally:
        os._exit(STOPPED)
