"""One hand: how far it is from complete, what it waits for, what to discard; and many at once as arrays.

The shape asked for is four sets and a pair, any pair; wildcards stand for any kind. Rule sets know further
shapes and conditions (`wuhan_core.scoring`); C is an ordinary kind here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ._shape import HandError, Shape, complete_array, shanten_array, ukeire_array
from .errors import integer, show
from .tiles import KIND_NAMES, TileError, format_tiles, parse_tile, parse_tiles

__all__ = [
    "DiscardOption",
    "Hand",
    "HandError",
    "Meld",
    "best_discards",
    "complete_array",
    "is_complete",
    "shanten",
    "shanten_array",
    "ukeire",
    "ukeire_array",
    "waits",
]

MELD_KINDS = ("chow", "pung", "kong", "direct_kong", "added_kong", "concealed_kong")

Seen = Mapping[int, int] | Iterable[int] | str


@dataclass(frozen=True)
class Meld:
    """A set laid out.

    Parameters
    ----------
    kind : {"chow", "pung", "kong", "direct_kong", "added_kong", "concealed_kong"}
    tiles : tuple of int
        Kinds 0..33, sorted.

    Raises
    ------
    HandError
        For an unknown kind of meld, or tiles that are none of that kind.
    TileError
        For numbers that are no kinds.
    """

    kind: str
    tiles: tuple[int, ...]

    def __post_init__(self) -> None:
        if self.kind not in MELD_KINDS:
            raise HandError([f"meld kind = {show(self.kind)}, must be one of {', '.join(MELD_KINDS)}"])
        format_tiles(self.tiles)  # are they kinds?
        tiles = tuple(sorted(self.tiles))
        object.__setattr__(self, "tiles", tiles)
        first = tiles[0] if tiles else 0
        if self.kind == "chow":
            fits = first < 27 and first % 9 < 7 and tiles == (first, first + 1, first + 2)
            wanted = "three neighbours of one suit"
        else:
            size = 3 if self.kind == "pung" else 4
            fits = tiles == (first,) * size
            wanted = f"{size} alike"
        if not fits:
            raise HandError([f"{self.kind}:{format_tiles(tiles)} must be {wanted}"])

    def __str__(self) -> str:
        return f"{self.kind}:{format_tiles(self.tiles)}"


@dataclass(frozen=True)
class Hand:
    """A hand: concealed tiles, melds and the wildcard kind of its game.

    Parameters
    ----------
    concealed : tuple of int
        Kinds 0..33 in any order; kept sorted. 3n + 1 tiles (13 less 3 per meld: to draw) or 3n + 2 (14 less
        3 per meld: to discard). A hand with whole sets fewer is read as part of one that has the others.
    melds : tuple of Meld
        At most 4. A meld takes no wildcard (RULES.md section 2).
    laizi : int or None
        The wildcard kind. Its tiles among `concealed` are wildcards, and one may stand for a fifth copy of a
        kind. None: a game without wildcards; no fifth copies.

    Raises
    ------
    HandError
        Naming every fault with its value and what is allowed.

    Examples
    --------
    >>> hand = Hand.parse("123m55p", melds="chow:123p pung:777s", laizi="9s")
    >>> shanten(hand)
    -1
    """

    concealed: tuple[int, ...]
    melds: tuple[Meld, ...] = ()
    laizi: int | None = None
    _shape: Shape = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        faults = [
            f"{name} = {show(value)}, must be a list of {what}"
            for name, value, what in (
                ("concealed", self.concealed, "kinds, which `Hand.parse` reads from text"),
                ("melds", self.melds, "Meld"),
            )
            if not isinstance(value, Iterable) or isinstance(value, (str, bytes, Mapping))
        ]
        if faults:
            raise HandError(faults)
        concealed: list[int] = []
        for index, kind in enumerate(self.concealed):
            number = _kind(kind)
            if number is None:
                faults.append(f"concealed[{index}] = {show(kind)}, must be a kind from 0 to 33")
            else:
                concealed.append(number)
        melds = tuple(self.melds)
        laizi = None if self.laizi is None else _kind(self.laizi)
        if self.laizi is not None and laizi is None:
            faults.append(f"laizi = {show(self.laizi)}, must be a kind from 0 to 33 or None")
        for index, meld in enumerate(melds):
            if not isinstance(meld, Meld):
                faults.append(f"melds[{index}] = {show(meld)}, must be a Meld")
        if not faults:
            faults = _impossible(concealed, melds, laizi)
        if faults:
            raise HandError(faults)
        concealed.sort()
        natural = [0] * 34
        for kind in concealed:
            natural[kind] += 1
        wildcards = 0
        if laizi is not None:
            wildcards, natural[laizi] = natural[laizi], 0
        shape = Shape(bytes(natural), wildcards, len(concealed) // 3, laizi is not None)
        fields = {"concealed": tuple(concealed), "melds": melds, "laizi": laizi, "_shape": shape}
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    @classmethod
    def parse(cls, text: str, melds: str = "", laizi: str | None = None) -> Hand:
        """Read a hand from text.

        Parameters
        ----------
        text : str
            The concealed tiles, wildcards among them, as `parse_tiles` reads them: ``123m55p``.
        melds : str
            ``kind:tiles`` with white space or commas between: ``chow:123p pung:777s concealed_kong:5555m``.
            Kinds: chow, pung, kong, direct_kong, added_kong, concealed_kong.
        laizi : str or None
            The wildcard kind: ``9s``. None: a game without wildcards.

        Raises
        ------
        HandError
            Naming every fault of all three texts.
        """
        faults: list[str] = []
        concealed: list[int] = []
        laid: list[Meld] = []
        wild: int | None = None
        try:
            concealed = parse_tiles(text)
        except TileError as error:
            faults += [f"hand: {fault}" for fault in error.faults]
        if not isinstance(melds, str):
            faults.append(f"melds = {show(melds)}, must be text such as 'chow:123p pung:777s'")
        else:
            for word in melds.replace(",", " ").split():
                kind, colon, tiles = word.partition(":")
                try:
                    if not colon:
                        raise HandError(["must be kind:tiles such as pung:777s"])
                    laid.append(Meld(kind, tuple(parse_tiles(tiles))))
                except (TileError, HandError) as error:
                    faults += [f"meld {show(word)}: {fault}" for fault in error.faults]
        if laizi is not None:
            try:
                wild = parse_tile(laizi)
            except TileError as error:
                faults += [f"laizi: {fault}" for fault in error.faults]
        if faults:
            raise HandError(faults)
        return cls(tuple(concealed), tuple(laid), wild)

    @property
    def wildcards(self) -> int:
        """Concealed tiles of the wildcard kind."""
        return 0 if self.laizi is None else self.concealed.count(self.laizi)

    def __str__(self) -> str:
        parts = [format_tiles(self.concealed), *map(str, self.melds)]
        return " ".join(parts) + ("" if self.laizi is None else f" laizi:{KIND_NAMES[self.laizi]}")


@dataclass(frozen=True)
class DiscardOption:
    """What one discard leaves.

    Parameters
    ----------
    discard : int
        Its kind, 0..33.
    shanten : int
        Of the hand left: 0 ready.
    kinds : tuple of int
        Useful kinds of which at least one tile is live.
    live : int
        Live tiles of those kinds.

    Examples
    --------
    >>> best_discards(Hand.parse("123m4558p1789sEEE"))[0]
    DiscardOption(discard=18, shanten=1, kinds=(10, 11, 12, 13, 14, 15, 16, 17), live=28)
    """

    discard: int
    shanten: int
    kinds: tuple[int, ...]
    live: int


def is_complete(hand: Hand) -> bool:
    """Whether the hand is four sets and a pair, wildcards standing for anything.

    Parameters
    ----------
    hand : Hand
        Of 3n + 2 concealed tiles; one of 3n + 1 is never complete.

    Returns
    -------
    bool

    Raises
    ------
    HandError
        For what is no hand.

    Examples
    --------
    >>> is_complete(Hand.parse("123m55p777789sEEE"))
    True
    >>> is_complete(Hand.parse("123m55p77789sNEEE", laizi="N"))
    True
    """
    return _checked(hand)._shape.shanten() == -1


def shanten(hand: Hand) -> int:
    """Tiles missing until the hand is ready (向听数): -1 complete, 0 ready.

    Parameters
    ----------
    hand : Hand

    Returns
    -------
    int
        -1 to 8.

    Raises
    ------
    HandError
        For what is no hand.

    Notes
    -----
    Tiles missing from the nearest complete hand, less the wildcards held, less one. Where tiles lie plays no
    part: the nearest hand may need some that are gone. Where the game has wildcards it may hold a fifth copy
    of a kind, a wildcard standing for it. The distance tables are described in ARCHITECTURE.md.

    Examples
    --------
    >>> shanten(Hand.parse("123m4588p1789sEE"))
    1
    >>> shanten(Hand.parse("123m4588p1789sEE", laizi="1s"))
    0
    """
    return _checked(hand)._shape.shanten()


def waits(hand: Hand) -> list[int]:
    """Kinds that complete a hand of 3n + 1 concealed tiles.

    Parameters
    ----------
    hand : Hand

    Returns
    -------
    list of int
        Kinds 0..33, ascending; the wildcard kind among them where drawing it completes the hand. A kind of
        which no tile is left elsewhere, own melds included, counts too (RULES.md section 6), but one of which
        all four are concealed in this hand does not. Empty for a hand that is not ready.

    Raises
    ------
    HandError
        For a hand of 3n + 2 tiles.

    Examples
    --------
    >>> format_tiles(waits(Hand.parse("123m4588p789sEEE")))
    '36p'
    >>> format_tiles(waits(Hand.parse("123m4588p789sEE9m", laizi="9m")))
    '9m368pE'
    """
    kinds = _useful(hand, "waits")
    return kinds if hand._shape.shanten() == 0 else []


def ukeire(hand: Hand, seen: Seen | None = None) -> dict[int, int]:
    """Live tiles that lower the shanten of a hand of 3n + 1 concealed tiles (进张), each by exactly one.

    Parameters
    ----------
    hand : Hand
    seen : mapping of kind to number, iterable of kinds, 34 counts, text, or None
        Tiles seen outside this hand and its melds: discards, others' melds, the indicator. 34 numbers of at
        most 4 are read as counts (they cannot be kinds: there are only 20 tiles of kinds 0 to 4).

    Returns
    -------
    dict of int to int
        Useful kind -> live tiles: 4 less those in hand, in own melds and seen. Kinds without a live tile are
        left out. The wildcard kind is useful to every hand.

    Raises
    ------
    HandError
        For a hand of 3n + 2 tiles, and for `seen` that is no tiles or holds more than there are.

    Examples
    --------
    >>> hand = Hand.parse("123m4588p789sEEE")
    >>> ukeire(hand)
    {11: 4, 14: 4}
    >>> ukeire(hand, seen="3p 6666p")
    {11: 3}
    """
    left = _live(hand, seen)
    return {kind: left[kind] for kind in _useful(hand, "ukeire") if left[kind]}


def best_discards(hand: Hand, seen: Seen | None = None) -> list[DiscardOption]:
    """What each discard of a hand of 3n + 2 concealed tiles leaves, the best first.

    Parameters
    ----------
    hand : Hand
    seen : optional
        As for `ukeire`. The tile discarded counts as seen.

    Returns
    -------
    list of DiscardOption
        One for each kind held, the wildcard kind among them; by shanten, then most live tiles, then the
        highest kind (honours before suits).

    Raises
    ------
    HandError
        For a hand of 3n + 1 tiles, and for `seen` as in `ukeire`.

    Examples
    --------
    >>> for option in best_discards(Hand.parse("123m4558p1789sEEE"))[:3]:
    ...     print(format_tiles([option.discard]), option.shanten, option.live)
    1s 1 28
    8p 1 28
    4p 1 28
    """
    if len(_checked(hand).concealed) % 3 != 2:
        raise HandError([f"best_discards: {_size(hand)}, must be 3n + 2 (one to discard)"])
    left = _live(hand, seen)
    options = []
    for kind in sorted(set(hand.concealed)):
        concealed = list(hand.concealed)
        concealed.remove(kind)
        rest = Hand(tuple(concealed), hand.melds, hand.laizi)
        kinds = tuple(k for k in _useful(rest, "best_discards") if left[k])
        options.append(DiscardOption(kind, rest._shape.shanten(), kinds, sum(left[k] for k in kinds)))
    return sorted(options, key=lambda option: (option.shanten, -option.live, -option.discard))


def _kind(value: object) -> int | None:
    """A kind as int, or None where it is none."""
    number = integer(value)
    return number if number is not None and 0 <= number < 34 else None


def _checked(hand: object) -> Hand:
    if not isinstance(hand, Hand):
        raise HandError([f"hand = {show(hand)}, must be a Hand, which `Hand.parse` reads from text"])
    return hand


def _impossible(concealed: Sequence[int], melds: Sequence[Meld], laizi: int | None) -> list[str]:
    """What keeps well-formed parts from being a hand."""
    faults = []
    tiles, room = len(concealed), 14 - 3 * len(melds)
    if len(melds) > 4:
        faults.append(f"{len(melds)} melds, at most 4")
    elif tiles % 3 == 0 or tiles > room:
        allowed = ", ".join(str(n) for n in range(1, room + 1) if n % 3)
        faults.append(f"{tiles} concealed tiles with {len(melds)} melds, must be one of {allowed}")
    total = Counter(concealed)
    for meld in melds:
        total.update(meld.tiles)
        if laizi in meld.tiles:
            faults.append(f"{meld} holds the wildcard kind {KIND_NAMES[laizi]}, which takes part in no meld")
    five = [kind for kind in sorted(total) if total[kind] > 4]
    return faults + [f"{KIND_NAMES[kind]}: {total[kind]} tiles in hand and melds, at most 4" for kind in five]


def _size(hand: Hand) -> str:
    return f"{format_tiles(hand.concealed)} has {len(hand.concealed)} concealed tiles"


def _useful(hand: Hand, asked: str) -> list[int]:
    """Kinds that lower the shanten, ascending; those of which the hand holds all four left out."""
    if len(_checked(hand).concealed) % 3 != 1:
        raise HandError([f"{asked}: {_size(hand)}, must be 3n + 1 (one to draw)"])
    kinds = set(hand._shape.useful())
    if hand.laizi is not None:  # drawn, it is a wildcard and always helps
        kinds.discard(hand.laizi)
        if hand.wildcards < 4:
            kinds.add(hand.laizi)
    return sorted(kinds)


def _live(hand: Hand, seen: Seen | None) -> list[int]:
    """Tiles of each kind that are neither in hand, nor in own melds, nor seen."""
    own = Counter(_checked(hand).concealed)
    for meld in hand.melds:
        own.update(meld.tiles)
    elsewhere = _seen(seen)
    faults = [
        f"seen[{KIND_NAMES[kind]}] = {n} with {own[kind]} in hand and melds, together at most 4"
        for kind, n in sorted(elsewhere.items())
        if own[kind] + n > 4
    ]
    if faults:
        raise HandError(faults)
    return [4 - own[kind] - elsewhere[kind] for kind in range(34)]


def _seen(seen: Seen | None) -> Counter[int]:
    """Tiles of each kind in any of the forms that `ukeire` takes."""
    if seen is None:
        return Counter()
    if isinstance(seen, str):
        try:
            return Counter(parse_tiles(seen))
        except TileError as error:
            raise HandError(f"seen: {fault}" for fault in error.faults) from None
    if not isinstance(seen, Iterable):
        raise HandError([f"seen = {show(seen)}, must be kinds, kind -> number, 34 counts or text"])
    pairs = list(seen.items()) if isinstance(seen, Mapping) else [(kind, 1) for kind in seen]
    if not isinstance(seen, Mapping) and len(pairs) == 34:
        numbers = [_kind(number) for number, _ in pairs]
        if all(number is not None and number <= 4 for number in numbers):
            pairs = list(enumerate(numbers))
    faults = []
    total: Counter[int] = Counter()
    for key, value in pairs:
        kind, number = _kind(key), _kind(value)
        if kind is None:
            faults.append(f"seen holds {show(key)}, must be kinds from 0 to 33")
        elif number is None or number > 4:
            faults.append(f"seen[{KIND_NAMES[kind]}] = {show(value)}, must be 0 to 4")
        else:
            total[kind] += number
    if faults:
        raise HandError(faults)
    return total
