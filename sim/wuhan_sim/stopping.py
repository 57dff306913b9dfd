"""Ctrl-C and SIGTERM: the first asks a run to stop at the ends of its shards, a second ends it at once."""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType
from typing import Any

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Stopping:
    """Notes the first signal while its ``with`` block lasts; a second one raises KeyboardInterrupt.

    It takes effect in the main thread, and only for signals that would end the process otherwise: handlers of
    the caller's own stay.

    Attributes
    ----------
    signum : int
        The signal that came, 0 for none.
    """

    def __init__(self) -> None:
        self.signum = 0
        self._before: dict[int, Any] = {}

    @property
    def asked(self) -> bool:
        """Whether a signal came."""
        return self.signum != 0

    def __enter__(self) -> Stopping:
        if threading.current_thread() is threading.main_thread():
            for number in _SIGNALS:
                if signal.getsignal(number) in (signal.default_int_handler, signal.SIG_DFL):
                    self._before[number] = signal.signal(number, self._note)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _note(self, number: int, _: FrameType | None) -> None:
        if self.signum:
            raise KeyboardInterrupt
        self.signum = number
