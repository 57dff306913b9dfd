"""Which tiles form which sets and pair, and what each wildcard stands for: for people to read.

Points never depend on this file: the compiled scorer decides, and an explanation looks here for tiles that
show what it has decided. So a plain search does, in an order that puts the more natural reading first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from .tiles import Style, format_tile, format_tiles

HONOURS = frozenset(range(27, 34))
ENDS = HONOURS.union(9 * suit + rank for suit in range(3) for rank in (0, 8))


@dataclass(frozen=True, slots=True)
class Group:
    """Tiles that belong together: a set, a pair, or all tiles of a shape without sets.

    Attributes
    ----------
    kind : {"chow", "pung", "pair", "tiles"}
    natural : tuple of int
        Tiles that stand for themselves, kinds 0..33.
    wild : tuple of (int or None)
        What each wildcard of the group stands for; None = any kind that the shape allows.
    """

    kind: str
    natural: tuple[int, ...]
    wild: tuple[int | None, ...] = ()

    def text(self, style: Style = "ascii", anything: str = "any") -> str:
        """Write the group, each wildcard as ``[what it stands for]``."""
        marks = (f"[{anything if kind is None else format_tile(kind, style)}]" for kind in self.wild)
        return format_tiles(self.natural, style) + "".join(marks)

    def to_dict(self) -> dict[str, Any]:
        """Return the group as JSON has it, tiles as text."""
        wild = [None if kind is None else format_tile(kind) for kind in self.wild]
        return {"kind": self.kind, "natural": format_tiles(self.natural), "wild": wild}


Groups = tuple[Group, ...]


def sets_and_pair(natural: Sequence[int], wild: int, sets: int, pairs: int = 1) -> Iterator[Groups]:
    """Find the ways to make sets and a pair of tiles and wildcards, all used.

    Parameters
    ----------
    natural : sequence of int
        Tiles that stand for themselves, kinds 0..33; five of a kind may be there.
    wild : int
        Wildcards; one may stand for a fifth copy.
    sets : int
        To be made.
    pairs : int
        0 or 1.

    Yields
    ------
    tuple of Group
        A set takes a natural tile where it can: with a wildcard in its place the two could change places.
        Sets of wildcards alone come once as pungs and once with a chow.
    """
    if len(natural) + wild == 3 * sets + 2 * pairs:
        yield from _split(Counter(natural), wild, sets, pairs)


def _split(left: Counter[int], wild: int, sets: int, pairs: int) -> Iterator[Groups]:
    kinds = [kind for kind, n in left.items() if n]
    if not kinds:
        pair = (Group("pair", (), (None, None)),) * pairs
        free = (None, None, None)
        yield (Group("pung", (), free),) * sets + pair
        if sets:
            yield (Group("pung", (), free),) * (sets - 1) + (Group("chow", (), free),) + pair
        return
    first = min(kinds)
    for group in sorted(_groups(left, first, sets, pairs), key=lambda group: len(group.wild)):
        if len(group.wild) <= wild:
            is_pair = group.kind == "pair"
            rest = left - Counter(group.natural)
            for others in _split(rest, wild - len(group.wild), sets - (not is_pair), pairs - is_pair):
                yield (group, *others)


def _groups(left: Counter[int], kind: int, sets: int, pairs: int) -> Iterator[Group]:
    """Every group that takes a tile of the lowest kind that is left."""
    if sets and kind < 27:
        for low in range(max(kind - 2, kind // 9 * 9), min(kind, kind // 9 * 9 + 6) + 1):
            run = range(low, low + 3)
            yield Group("chow", tuple(k for k in run if left[k]), tuple(k for k in run if not left[k]))
    for name, size, wanted in (("pung", 3, sets), ("pair", 2, pairs)):
        if wanted:
            n = min(left[kind], size)
            yield Group(name, (kind,) * n, (kind,) * (size - n))


def seven_pairs(natural: Sequence[int], wild: int, four_alike: bool) -> Groups | None:
    """Make seven pairs, four alike among them or not; None where there is no way."""
    counts = Counter(natural)
    odd = [kind for kind, n in sorted(counts.items()) if n % 2]
    if len(natural) + wild != 14 or len(odd) > wild:
        return None
    kinds = [kind for kind, n in sorted(counts.items()) for _ in range((n + 1) // 2)]
    spare = 7 - len(kinds)  # pairs of wildcards alone
    alike = len(set(kinds)) < len(kinds)
    if (alike and not four_alike) or (four_alike and not alike and not spare):
        return None
    groups = []
    for kind in kinds:
        n = min(counts[kind], 2)
        counts[kind] -= n
        groups.append(Group("pair", (kind,) * n, (kind,) * (2 - n)))
    doubled = kinds[0] if four_alike and not alike and kinds else None
    groups += [Group("pair", (), (doubled if i == 0 else None,) * 2) for i in range(spare)]
    return tuple(groups)


def stand_apart(one: int, other: int) -> bool:
    """May two tiles lie together in thirteen lan? RULES.md section 8."""
    return one != other and (max(one, other) >= 27 or one // 9 != other // 9 or abs(one - other) >= 3)


def thirteen_lan(natural: Sequence[int], wild: int, all_honours: bool) -> Groups | None:
    """Fill a thirteen lan, with all seven honours or not; None where there is no way."""
    if len(natural) + wild != 14 or any(
        not stand_apart(kind, other) for i, kind in enumerate(natural) for other in natural[:i]
    ):
        return None
    order = sorted(range(34), key=lambda kind: (kind < 27) is all_honours)

    def fill(tiles: tuple[int, ...], start: int) -> tuple[int, ...] | None:
        if len(tiles) == 14:
            return tiles if HONOURS.issubset(tiles) is all_honours else None
        for place in range(start, 34):
            kind = order[place]
            if all(stand_apart(kind, tile) for tile in tiles) and (found := fill((*tiles, kind), place + 1)):
                return found
        return None

    found = fill(tuple(natural), 0)
    return None if found is None else (Group("tiles", tuple(natural), found[len(natural) :]),)


def nine_yao(natural: Sequence[int], wild: int, all_honours: bool) -> Groups | None:
    """Fill a nine yao, with all seven honours or, where it cannot have them, without; None: no way."""
    missing = sorted(HONOURS.difference(natural))
    if len(natural) + wild != 14 or not ENDS.issuperset(natural) or (len(missing) <= wild) is not all_honours:
        return None
    stand_for = [*missing, *[None] * (wild - len(missing))] if all_honours else [None] * wild
    return (Group("tiles", tuple(natural), tuple(stand_for)),)
