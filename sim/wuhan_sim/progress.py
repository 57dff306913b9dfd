"""How far a run is, on stderr: a bar on a terminal, elsewhere a line now and then."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any, TextIO

from tqdm import tqdm

LINE_EVERY = 10.0  # seconds


class _Harmless:
    """A stream whose failures do not matter: what cannot be shown must not stop a run."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        try:
            return self._stream.write(text)
        except (OSError, ValueError):  # full, gone, or closed
            return len(text)

    def flush(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            self._stream.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


class Progress:
    """Shows hands (or other things) done of `total`, rate and time left while its ``with`` block lasts.

    Parameters
    ----------
    total : int
        Hands.
    shown : bool or None
        None = only where stderr is a terminal.
    clock : callable
        Seconds.
    things : str
        What is counted.
    """

    def __init__(
        self,
        total: int,
        shown: bool | None,
        clock: Callable[[], float] = time.monotonic,
        things: str = "hands",
    ) -> None:
        stream, self._clock, self._total, self._things = sys.stderr, clock, total, things
        there = stream is not None and not stream.closed
        terminal = there and stream.isatty()
        self._file = _Harmless(stream) if there and (terminal if shown is None else shown) else None
        self._bar = None
        if self._file and terminal:
            self._bar = tqdm(
                total=total, unit=f" {things}", unit_scale=True, file=self._file, dynamic_ncols=True
            )
        self._done, self._told = 0, 0
        self._start = self._last = clock()

    def update(self, hands: int) -> None:
        """Note that so many more hands are done."""
        self._done += hands
        if self._bar is not None:
            self._bar.update(hands)
        elif self._file and self._clock() - self._last >= LINE_EVERY:
            self._tell(self._file)

    def _tell(self, file: _Harmless) -> None:
        self._last, self._told = self._clock(), self._done
        seconds = self._last - self._start
        rate = self._done / seconds if seconds else 0.0
        done, more = f"{self._done:,} of {self._total:,} {self._things}", self._total - self._done
        left = f", {more / rate:,.0f} s left" if rate and more else ""
        file.write(f"{done}, {seconds:,.0f} s, {rate:,.0f} {self._things}/s{left}\n")
        file.flush()

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.close()
        elif self._file and self._done > self._told:
            self._tell(self._file)
