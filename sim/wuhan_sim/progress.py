"""How far a run is, on stderr: a bar on a terminal, elsewhere a line now and then."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any, TextIO

from tqdm import tqdm

LINE_EVERY = 10.0  # seconds between two lines
BAR_EVERY = 1.0  # seconds between two estimates beside the bar


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
    """Shows hands (or other things) done of `total`, rate, time left and the estimate so far.

    It lasts as long as its ``with`` block.

    Parameters
    ----------
    total : int
        Hands.
    shown : bool or None
        None = only where stderr is a terminal.
    clock : callable
        Seconds.
    done : int
        Hands that were there before; they do not count for the rate.
    estimate : callable, optional
        What is known so far, in a few words; asked only when it is shown.
    things : str
        What is counted.
    """

    def __init__(
        self,
        total: int,
        shown: bool | None,
        clock: Callable[[], float] = time.monotonic,
        done: int = 0,
        estimate: Callable[[], str] = lambda: "",
        things: str = "hands",
    ) -> None:
        stream, self._clock, self._total, self._estimate = sys.stderr, clock, total, estimate
        self._things = things
        there = stream is not None and not stream.closed
        terminal = there and stream.isatty()
        self._file = _Harmless(stream) if there and (terminal if shown is None else shown) else None
        self._bar = None
        if self._file and terminal:
            self._bar = tqdm(
                total=total,
                initial=done,
                unit=f" {things}",
                unit_scale=True,
                file=self._file,
                dynamic_ncols=True,
            )
        self._done, self._told, self._played = done, done, 0
        self._start = self._last = clock()

    def update(self, hands: int, played: bool = True) -> None:
        """Note that so many more hands are done; played: not just read from a folder."""
        self._done += hands
        self._played += hands if played else 0
        if not self._file:
            return
        now = self._clock()
        if self._bar is None:
            if now - self._last >= LINE_EVERY:
                self._tell(self._file, now)
            return
        if not played:
            self._bar.initial += hands
        if now - self._last >= BAR_EVERY:
            self._last = now
            self._bar.set_postfix_str(self._estimate(), refresh=False)
        self._bar.update(hands)

    def _tell(self, file: _Harmless, now: float) -> None:
        self._last, self._told = now, self._done
        seconds = now - self._start
        rate = self._played / seconds if seconds else 0.0
        done, more = f"{self._done:,} of {self._total:,} {self._things}", self._total - self._done
        left = f", {more / rate:,.0f} s left" if rate and more else ""
        estimate = self._estimate()
        known = f"; {estimate}" if estimate else ""
        file.write(f"{done}, {seconds:,.0f} s, {rate:,.0f} {self._things}/s{left}{known}\n")
        file.flush()

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.set_postfix_str(self._estimate(), refresh=False)
            self._bar.close()
        elif self._file and self._done > self._told:
            self._tell(self._file, self._clock())
