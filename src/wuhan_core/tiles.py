"""Tiles and text: 34 kinds, their names, parsing and formatting.

Kinds are numbered 0-8 = 1m..9m (万 characters), 9-17 = 1p..9p (筒 dots), 18-26 = 1s..9s (条 bamboo),
27-33 = E S W N C F P (东 南 西 北 中 发 白). Source: RULES.md section 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

from .errors import FaultError, integer, show

Style = Literal["ascii", "chinese", "unicode"]

_SUITS = {"ascii": "mps", "chinese": "万筒条"}
_HONOURS = {"ascii": "ESWNCFP", "chinese": "东南西北中发白"}
# Unicode has the winds and dragons first, and bamboo before circles.
_UNICODE = "".join(
    chr(0x1F000 + place) for place in (*range(7, 16), *range(25, 34), *range(16, 25), *range(7))
)

RED = 31  # C, the red dragon
KIND_NAMES: tuple[str, ...] = (*(f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)), *"ESWNCFP")

_RANK_OF = {char: rank for word in ("123456789", "一二三四五六七八九") for rank, char in enumerate(word)}
_FIRST_OF_SUIT = {
    char: 9 * suit for suit, word in enumerate(("m万萬", "p筒饼餅", "s条條索")) for char in word
}
_KIND_OF = {
    **{char: kind for kind, char in enumerate(_UNICODE)},
    **{char: kind for word in ("ESWNCFP", "东南西北中发白") for kind, char in enumerate(word, 27)},
    "東": 27,
    "發": 32,
}
_RANKS, _ENDS, _SINGLES = "0" + "".join(_RANK_OF), "zZ" + "".join(_FIRST_OF_SUIT), "".join(_KIND_OF)
_TOKEN = re.compile(
    rf"(?P<ranks>(?:[{_RANKS}]\s*)+)(?P<end>[{_ENDS}])?|(?P<lone>[{_ENDS}])"
    rf"|(?P<single>[{_SINGLES}])[\ufe0e\ufe0f]?"  # the marks ask for the text or the emoji form
    rf"|(?P<unknown>[^{_RANKS}{_ENDS}{_SINGLES}\s]+)"
)

_NO_Z = (
    "is refused: riichi software numbers the dragons in another order (5z white, 6z green, 7z red), "
    "so a guess would often be wrong; write the honours as E S W N C F P"
)
_UNKNOWN = (
    "is no tile; write ranks 1-9 with m, p or s, honours E S W N C F P, their Chinese names or Unicode tiles"
)


class TileError(FaultError):
    """Text that is no tiles, or numbers that are no kinds; `faults` has every fault with its position."""


def parse_tiles(text: str) -> list[int]:
    """Read tiles from text.

    Parameters
    ----------
    text : str
        Runs of ranks and a suit (``123m55p``), honour letters ``ESWNCFP``, Chinese names (``1万``, ``五筒``,
        ``九条``, ``东``; 萬 饼 餅 條 索 東 發 as synonyms), Unicode tiles U+1F000 to U+1F021, in any
        mixture; white space is skipped.

    Returns
    -------
    list of int
        Kinds 0..33 in the order of the text; empty for empty text. How many there are of a kind is not
        limited here.

    Raises
    ------
    TileError
        Naming every fault, each with its position (characters, from 1) and value.

    Examples
    --------
    >>> parse_tiles("123m55p 中")
    [0, 1, 2, 13, 13, 31]
    """
    if not isinstance(text, str):
        raise TileError([f"tiles = {show(text)}, must be text such as 123m55p789sEEC"])
    kinds: list[int] = []
    faults: list[str] = []
    for token in _TOKEN.finditer(text):
        ranks, end = token["ranks"] or "", token["end"] or token["lone"]
        why = None
        if token["single"]:
            kinds.append(_KIND_OF[token["single"]])
        elif token["unknown"]:
            why = _UNKNOWN
        elif end is None:
            why = "has no suit; write m, p or s (万, 筒 or 条) after the ranks"
        elif end in "zZ":
            why = _NO_Z
        elif token["lone"]:
            why = f"is a suit without ranks before it; write for example 123{end}"
        elif "0" in ranks:
            why = "has rank 0, must be 1 to 9; red fives do not exist here, write 5"
        else:
            kinds.extend(_FIRST_OF_SUIT[end] + _RANK_OF[rank] for rank in "".join(ranks.split()))
        if why:
            faults.append(f"position {token.start() + 1}: {show(token[0].rstrip())} {why}")
    if faults:
        raise TileError(faults)
    return kinds


def parse_tile(text: str) -> int:
    """Read exactly one tile.

    Parameters
    ----------
    text : str
        As for `parse_tiles`.

    Returns
    -------
    int
        Its kind, 0..33.

    Raises
    ------
    TileError
        As `parse_tiles`, and when there is not exactly one tile.
    """
    kinds = parse_tiles(text)
    if len(kinds) != 1:
        raise TileError([f"tile = {show(text)} has {len(kinds)} tiles, must be exactly one"])
    return kinds[0]


def format_tiles(kinds: Iterable[int], style: Style = "ascii") -> str:
    """Write tiles as text that `parse_tiles` reads back to the same kinds in the same order.

    Parameters
    ----------
    kinds : iterable of int
        Kinds 0..33; the order is kept.
    style : {"ascii", "chinese", "unicode"}
        ``123m55pEC``, ``123万55筒东中`` or Unicode tiles.

    Returns
    -------
    str

    Raises
    ------
    TileError
        Naming what is no list, every number that is no kind, with its index, and an unknown style.

    Examples
    --------
    >>> format_tiles([0, 1, 2, 13, 13, 31])
    '123m55pC'
    >>> format_tiles([0, 1, 2, 13, 13, 31], style="chinese")
    '123万55筒中'
    """
    faults = []
    checked: list[int] = []
    if not isinstance(kinds, Iterable) or isinstance(kinds, (str, bytes)):
        faults.append(f"kinds = {show(kinds)}, must be a list of whole numbers from 0 to 33")
        kinds = ()
    for index, kind in enumerate(kinds):
        number = integer(kind)
        if number is None or not 0 <= number < 34:
            faults.append(f"kinds[{index}] = {show(kind)}, must be a whole number from 0 to 33")
        else:
            checked.append(number)
    if style not in ("ascii", "chinese", "unicode"):
        faults.append(f"style = {show(style)}, must be 'ascii', 'chinese' or 'unicode'")
    if faults:
        raise TileError(faults)
    if style == "unicode":
        return "".join(_UNICODE[kind] for kind in checked)
    text = ""
    for index, kind in enumerate(checked):
        if kind >= 27:
            text += _HONOURS[style][kind - 27]
            continue
        text += str(kind % 9 + 1)
        if index + 1 == len(checked) or checked[index + 1] // 9 != kind // 9:
            text += _SUITS[style][kind // 9]
    return text


def format_tile(kind: int, style: Style = "ascii") -> str:
    """Write one tile; see `format_tiles`."""
    return format_tiles((kind,), style)
