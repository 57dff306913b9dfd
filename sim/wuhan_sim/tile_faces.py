"""Faces of the 34 tiles as SVG symbols: dots are circles, bamboo bars, the rest characters. Own drawings."""

from __future__ import annotations

from collections.abc import Iterable

from wuhan_core.tiles import KIND_NAMES

WIDTH, HEIGHT = 60, 80  # of a symbol's view box
RED, GREEN, BLUE, INK, FAINT = "#b3261e", "#1f7a3d", "#1f4e9c", "#1d2433", "#8a8371"
_FONT = "'Noto Serif CJK SC','Source Han Serif SC','Songti SC',SimSun,'Noto Sans CJK SC',serif"
_LEFT, _MIDDLE, _RIGHT = 16, 30, 44

# Where the figures of a suit tile stand: (x, y, colour), top to bottom.
_DOTS: dict[int, list[tuple[int, int, str]]] = {
    2: [(30, 24, GREEN), (30, 58, BLUE)],
    3: [(16, 20, BLUE), (30, 41, RED), (44, 62, GREEN)],
    4: [(18, 24, BLUE), (42, 24, GREEN), (18, 58, GREEN), (42, 58, BLUE)],
    5: [(16, 21, BLUE), (44, 21, GREEN), (30, 41, RED), (16, 61, GREEN), (44, 61, BLUE)],
    6: [(x, 20, GREEN) for x in (19, 41)] + [(x, y, RED) for y in (44, 64) for x in (19, 41)],
    7: [(15, 15, GREEN), (30, 22, GREEN), (45, 29, GREEN)]
    + [(x, y, RED) for y in (48, 66) for x in (19, 41)],
    8: [(x, y, BLUE) for y in (15, 32, 49, 66) for x in (19, 41)],
    9: [(x, y, colour) for y, colour in ((18, GREEN), (41, RED), (64, BLUE)) for x in (14, 30, 46)],
}
_BARS: dict[int, list[tuple[int, int, str]]] = {
    2: [(30, 24, GREEN), (30, 58, GREEN)],
    3: [(30, 24, GREEN), (18, 58, GREEN), (42, 58, GREEN)],
    4: [(x, y, GREEN) for y in (24, 58) for x in (18, 42)],
    5: [(18, 24, GREEN), (42, 24, GREEN), (30, 41, RED), (18, 58, GREEN), (42, 58, GREEN)],
    6: [(x, y, GREEN) for y in (24, 58) for x in (_LEFT, _MIDDLE, _RIGHT)],
    7: [(30, 17, RED)] + [(x, y, GREEN) for y in (41, 64) for x in (_LEFT, _MIDDLE, _RIGHT)],
    8: [(x, 18, GREEN) for x in (_LEFT, _MIDDLE, _RIGHT)]
    + [(x, 41, RED) for x in (22, 38)]
    + [(x, 64, GREEN) for x in (_LEFT, _MIDDLE, _RIGHT)],
    9: [(x, y, RED if x == _MIDDLE else GREEN) for y in (18, 41, 64) for x in (_LEFT, _MIDDLE, _RIGHT)],
}
_HONOURS = (("東", INK), ("南", INK), ("西", INK), ("北", INK), ("中", RED), ("發", GREEN))


def tile_symbols() -> str:
    """One ``<symbol>`` per kind, with id ``k0`` to ``k33``."""
    return "\n".join(
        f'<symbol id="k{kind}" viewBox="0 0 {WIDTH} {HEIGHT}">{"".join(_face(kind))}</symbol>'
        for kind in range(34)
    )


def _face(kind: int) -> Iterable[str]:
    suit, rank = divmod(kind, 9)
    if kind == 33:
        yield '<rect x="13" y="14" width="34" height="54" rx="3" fill="none" '
        yield f'stroke="{BLUE}" stroke-width="5"/>'
    elif suit == 3:
        yield _text(*_HONOURS[rank], 58, 46)
    elif suit == 0:
        yield _text("一二三四五六七八九"[rank], INK, 39, 31)
        yield _text("萬", RED, 72, 31)
    elif rank == 0:
        yield from _one_dot() if suit == 1 else _one_bamboo()
    elif suit == 1:
        size = 11 if rank < 4 else 10 if rank < 5 else 8
        for x, y, colour in _DOTS[rank + 1]:
            yield f'<circle cx="{x}" cy="{y}" r="{size}" fill="{colour}"/>'
            yield f'<circle cx="{x}" cy="{y}" r="{size * 0.45:.1f}" fill="#fff"/>'
    else:
        for x, y, colour in _BARS[rank + 1]:
            yield from _bar(x, y, colour, 26 if rank < 6 and rank != 4 else 19)
    yield (
        f'<text class="index" x="3" y="14" font-family="sans-serif" font-size="14" font-weight="600" '
        f'fill="{FAINT}">{KIND_NAMES[kind]}</text>'
    )


def _text(character: str, colour: str, y: int, size: int) -> str:
    return (
        f'<text x="30" y="{y}" text-anchor="middle" font-family="{_FONT}" font-size="{size}" '
        f'font-weight="600" fill="{colour}">{character}</text>'
    )


def _one_dot() -> Iterable[str]:
    for radius, colour in ((22, GREEN), (17, "#fff"), (14, RED), (7, "#fff"), (4, GREEN)):
        yield f'<circle cx="30" cy="43" r="{radius}" fill="{colour}"/>'


def _one_bamboo() -> Iterable[str]:
    """A stem with leaves, red at its root: no other tile has one."""
    stem = f'fill="none" stroke="{GREEN}" stroke-width="7" stroke-linecap="round"'
    yield f'<path d="M30 70C30 50 30 40 34 22" {stem}/>'
    for leaf in (
        "M32 40C44 38 50 30 51 19C40 21 33 29 32 40Z",
        "M30 55C17 52 11 44 10 32C22 34 29 43 30 55Z",
    ):
        yield f'<path d="{leaf}" fill="{GREEN}"/>'
    yield f'<circle cx="30" cy="70" r="6" fill="{RED}"/>'


def _bar(x: int, y: int, colour: str, length: int) -> Iterable[str]:
    top = y - length / 2
    yield f'<rect x="{x - 4}" y="{top:g}" width="8" height="{length}" rx="4" fill="{colour}"/>'
    yield f'<rect x="{x - 5.5}" y="{y - 1.5}" width="11" height="3" rx="1.5" fill="{colour}"/>'
    shine = 'rx="1" fill="#fff" opacity=".55"'
    yield f'<rect x="{x - 1}" y="{top + 3:g}" width="2" height="{length - 6}" {shine}/>'
