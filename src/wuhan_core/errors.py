"""The shape of an error about bad input: every fault at once."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Iterable
from numbers import Real

import numpy as np

LISTED = 100  # faults that are written out; a reader has enough with them
_BREAKS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


class FaultError(ValueError):
    """Bad input, with every fault found in it.

    Parameters
    ----------
    faults : iterable of str
        One line each: where, the offending value, what is allowed. Line breaks are escaped.

    Attributes
    ----------
    faults : list of str

    Examples
    --------
    >>> from wuhan_core import load_rules
    >>> try:
    ...     load_rules("yuanhang", {"cap.per_payer": -1, "cap.perpayer": 3})
    ... except FaultError as error:
    ...     for fault in error.faults:
    ...         print(fault)
    cap.per_payer = -1, must be a whole number from 0 to 1000000
    option 'cap.perpayer' = 3 is unknown, the nearest is cap.per_payer
    """

    def __init__(self, faults: Iterable[str]) -> None:
        self.faults = [one_line(fault) for fault in faults]
        super().__init__(self.faults)

    @property
    def lines(self) -> list[str]:
        """The faults to be written out, and how many more there are."""
        more = len(self.faults) - LISTED
        return [*self.faults[:LISTED], *([f"and {more} more"] if more > 0 else [])]

    def __str__(self) -> str:
        return "\n".join(self.lines)


def one_line(text: str) -> str:
    """Escape line breaks and other control characters, as a name of a file may have them."""
    return _BREAKS.sub(lambda found: repr(found[0])[1:-1], text)


def show(value: object, width: int = 80) -> str:
    """Write a value into an error text: its ``repr``, cut to `width` characters.

    Never fails, whatever the value (integers too long to print, nesting too deep, broken ``repr``).
    """
    if isinstance(value, (str, bytes)):
        value = value[: width + 1]  # a text may be long, and be shown in many faults
    try:
        text = repr(value)
    except Exception:  # a repr may raise anything, and an error text must not
        text = f"<{type(value).__name__} that cannot be printed>"
    return text if len(text) <= width else f"{text[: width - 3]}..."


def show_number(value: object) -> str:
    """Write a whole number of any type as Python writes it; all else as `show` does."""
    number = integer(value)
    return show(value if number is None else number)


def plain(error: BaseException) -> str:
    """Say in words what Python found wrong with input."""
    if isinstance(error, OSError):
        return error.strerror or "it cannot be read"
    if isinstance(error, KeyError) and error.args:
        return f"{show(error.args[0])[1:-1]} is missing"
    if isinstance(error, IndexError):
        return "a number is out of range"
    if isinstance(error, (KeyError, TypeError, AttributeError)):
        return "a value is of the wrong kind"
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if isinstance(error, MemoryError):
        return "it is too large"
    if isinstance(error, UnicodeError):
        where = f" at byte {error.start}" if isinstance(error, UnicodeDecodeError) else ""
        return f"it is no text in UTF-8{where}"
    text = str(error)
    if "set_int_max_str_digits" in text:
        return "a number has too many digits"
    return text if len(text) <= 200 else f"{text[:197]}..."


def integer(value: object) -> int | None:
    """Read a whole number of any type; None for what is none, truth values among it."""
    if isinstance(value, (bool, np.bool_)):
        return None
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def real(value: object) -> int | float | None:
    """Read a finite number of any type; None for what is none, truth values among it."""
    number = integer(value)
    if number is not None or isinstance(value, (bool, np.bool_)) or not isinstance(value, Real):
        return number
    near = float(value)
    return near if math.isfinite(near) else None


def whole(name: str, value: object, faults: list[str], low: int = 0, high: int | None = None) -> int:
    """Read a whole number; where it is none, or below `low` or above `high`, add a fault and return `low`."""
    number = integer(value)
    if number is not None and low <= number and (high is None or number <= high):
        return number
    allowed = f", {low} or more" if high is None else f" from {low} to {_power(high)}"
    faults.append(f"{name} = {show_number(value)}, must be a whole number{allowed}")
    return low


def _power(number: int) -> str:
    """A number as text; large ones by the power of 2 that they are, or are next to."""
    bits = number.bit_length()
    if number < 2**31 or number not in (2**bits - 1, 2 ** (bits - 1)):
        return str(number)
    return f"2**{bits} - 1" if number & 1 else f"2**{bits - 1}"


def either(words: Iterable[object]) -> str:
    """List what is allowed: ``a, b or c``."""
    *first, last = map(str, words)
    return f"{', '.join(first)} or {last}" if first else last


def one_of(name: str, value: object, allowed: Iterable[str], faults: list[str]) -> None:
    """Check a word; where it is none of those allowed, add a fault."""
    allowed = tuple(allowed)
    if not isinstance(value, str) or value not in allowed:
        faults.append(f"{name} = {show(value)}, must be {either(allowed)}")
