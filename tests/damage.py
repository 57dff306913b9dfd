"""Strategies that damage what is good: texts, bytes, JSON values."""

from __future__ import annotations

import copy
import json
import math
from collections.abc import Iterator, Sequence
from typing import Any

from hypothesis import strategies as st

Draw = st.DrawFn


def deep(levels: int) -> list[Any]:
    """A list in a list in a list."""
    inner: list[Any] = []
    for _ in range(levels):
        inner = [inner]
    return inner


HUGE = "9" * 5000  # more digits than Python reads
NUMBERS = (0, 1, -1, 2, 4, 33, 34, 2**31, 2**62, 2**63, 2**64, -(2**63) - 1, 10**400, 0.5, 1.0, 1e308)
ODD: tuple[Any, ...] = (
    *(None, True, False, *NUMBERS, math.inf, -math.inf, math.nan),
    *("", " ", "a", "123m", "1z", "\0", "\ud800", "\u2028", "é", "x" * 3000, HUGE, "../x", "1e400"),
    *([], {}, [[]], [None], {"": None}, {"a": {}}, ["1m"], deep(60)),
)
values = st.one_of(st.sampled_from(ODD).map(copy.deepcopy), st.text(max_size=5), st.integers(), st.floats())
PIECES = (
    *("\0", "\ufeff", "\ud800", "\n", "\r", "\t", "\\", '"', "'", ",", ":", "=", "[", "]", "{", "}"),
    *("#", "-"),
)
TOKENS = (
    *("1e400", "NaN", "Infinity", "-0", "null", "true", "0x1", "1_0", "٣", "１", "9" * 400, "[" * 2000),
    '{"a":' * 2000,
)
bits = st.one_of(st.sampled_from((*PIECES, *TOKENS)), st.text(max_size=4))


@st.composite
def words(draw: Draw, tokens: Sequence[str], most: int = 12) -> str:
    """Tokens in any order, with strange ones among them."""
    token = st.one_of(*(2 * [st.sampled_from(tokens)]), st.sampled_from(tokens), bits)
    return "".join(draw(st.lists(token, max_size=most)))


@st.composite
def mangled(draw: Draw, good: str, most: int = 4) -> str:
    """A text with pieces cut out, doubled, put in or moved."""
    text = good
    for _ in range(draw(st.integers(0, most))):
        a, b = sorted(draw(st.tuples(*[st.integers(0, len(text))] * 2)))
        b = min(b, a + draw(st.sampled_from((0, 1, 2, 5, 20, len(text)))))
        text = text[:a] + draw(st.one_of(st.just(""), st.just(2 * text[a:b]), bits)) + text[b:]
    return text


@st.composite
def mangled_bytes(draw: Draw, good: bytes, most: int = 4) -> bytes:
    """Bytes with some changed, cut out, doubled or put in."""
    data = good
    for _ in range(draw(st.integers(1, most))):
        a = draw(st.integers(0, len(data)))
        b = min(len(data), a + draw(st.sampled_from((0, 1, 1, 1, 4, 8, 100, len(data)))))
        data = data[:a] + draw(st.one_of(st.binary(max_size=8), st.just(2 * data[a:b]))) + data[b:]
    return data


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place in a JSON value: what holds it, and its key there."""
    keys: Any = value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        yield value, key
        yield from places(value[key])


@st.composite
def damaged(draw: Draw, good: Any, most: int = 3) -> Any:
    """A JSON value with some of its values exchanged, moved, taken away or added."""
    value = copy.deepcopy(good)
    for _ in range(draw(st.integers(0, most))):
        spots = list(places(value))
        if not spots:
            break
        holder, key = draw(st.sampled_from(spots))
        how = draw(st.integers(0, 5))
        if how == 0:
            del holder[key]
        elif how == 1 and isinstance(holder, list):
            holder.insert(key, copy.deepcopy(holder[key]))
        elif how == 1:
            holder[draw(st.one_of(st.sampled_from(list(holder)), st.text(max_size=4)))] = draw(values)
        elif how == 2:
            other, place = draw(st.sampled_from(spots))
            with_it = copy.deepcopy(other[place]) if _has(other, place) else None
            holder[key] = with_it
        elif how == 3 and type(holder[key]) is int:
            holder[key] += draw(st.sampled_from((-1, 1, 2**31, 2**62, 2**63)))
        else:
            holder[key] = draw(values)
    return value if draw(st.integers(0, 30)) else draw(values)


def _has(holder: Any, key: Any) -> bool:
    return key in holder if isinstance(holder, dict) else key < len(holder)


@st.composite
def json_text(draw: Draw, good: Any) -> bytes:
    """A damaged JSON value as a file: with numbers that are none, at times with its text mangled, too."""
    text = json.dumps(draw(damaged(good)), ensure_ascii=draw(st.booleans()))
    if not draw(st.integers(0, 3)):
        text = draw(mangled(text))
    return text.encode("utf-8", "surrogatepass" if draw(st.booleans()) else "replace")
