"""The shape of an error about bad input: every fault at once."""

from __future__ import annotations

from collections.abc import Iterable


class FaultError(ValueError):
    """Bad input, with every fault found in it.

    Parameters
    ----------
    faults : iterable of str
        One line each: where, the offending value, what is allowed.

    Attributes
    ----------
    faults : list of str
    """

    def __init__(self, faults: Iterable[str]) -> None:
        self.faults = list(faults)
        super().__init__(self.faults)

    def __str__(self) -> str:
        return "\n".join(self.faults)


def show(value: object, width: int = 80) -> str:
    """Write a value into an error text: its ``repr``, cut to `width` characters.

    Never fails, whatever the value (integers too long to print, nesting too deep, broken ``repr``).
    """
    try:
        text = repr(value)
    except Exception:  # a repr may raise anything, and an error text must not
        text = f"<{type(value).__name__} that cannot be printed>"
    return text if len(text) <= width else f"{text[: width - 3]}..."
