"""A hand log as a row of moments: what every seat holds and shows after each event."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from wuhan_core.tiles import parse_tile, parse_tiles

Event = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Shown:
    """A meld: its kind as cases have it, its tiles, and whose discard it was made with."""

    kind: str
    tiles: tuple[int, ...]
    giver: int | None = None


@dataclass(frozen=True, slots=True)
class Holding:
    """What one seat holds and shows.

    Attributes
    ----------
    hand : tuple of int
        Concealed tiles, sorted; a tile just drawn or won on is among them.
    drawn : int or None
        That tile.
    melds : tuple of Shown
    singles : tuple of (str, int)
        Kongs of one tile: red, wild or skin, and the kind.
    river : tuple of int
        What it has discarded and nobody has taken.
    wild_discards : int
        Wildcards it has discarded.
    """

    hand: tuple[int, ...]
    drawn: int | None = None
    melds: tuple[Shown, ...] = ()
    singles: tuple[tuple[str, int], ...] = ()
    river: tuple[int, ...] = ()
    wild_discards: int = 0

    def without(self, tiles: Sequence[int]) -> Holding:
        """Less these concealed tiles; nothing is just drawn any more."""
        hand = list(self.hand)
        for tile in tiles:
            hand.remove(tile)
        return replace(self, hand=tuple(hand), drawn=None)

    def with_tile(self, tile: int) -> Holding:
        """One tile more, just drawn."""
        return replace(self, hand=tuple(sorted((*self.hand, tile))), drawn=tile)

    def with_meld(self, meld: Shown) -> Holding:
        """One meld more."""
        return replace(self, melds=(*self.melds, meld))


@dataclass(frozen=True, slots=True)
class Frame:
    """One moment.

    Attributes
    ----------
    event : mapping or None
        What has just happened; None: the deal.
    seats : tuple of Holding
    left : int
        Tiles not drawn yet.
    """

    event: Event | None
    seats: tuple[Holding, ...]
    left: int

    @property
    def is_quiet(self) -> bool:
        """Whether no seat holds a tile too many."""
        return all(len(seat.hand) % 3 == 1 for seat in self.seats)


def frames_of(log: Mapping[str, Any]) -> list[Frame]:
    """The moments of a sound log: the deal, then one after each event."""
    laizi = parse_tile(log["laizi"])
    seats = tuple(Holding(tuple(sorted(parse_tiles(hand)))) for hand in log["deal"])
    left = len(log["wall"]) - 13 * len(seats) - (log["indicator"] is not None)
    frames = [Frame(None, seats, left)]
    for event in log["events"]:
        left -= event["do"] == "draw"
        frames.append(Frame(event, _after(frames[-1].seats, event, laizi), left))
    return frames


def _after(before: tuple[Holding, ...], event: Event, laizi: int) -> tuple[Holding, ...]:
    if "seat" not in event:
        return before
    seats = list(before)
    who, do, tile = event["seat"], event["do"], parse_tile(event["tile"])
    seat = seats[who]
    if do == "draw":
        seats = [replace(other, drawn=None) for other in seats]
        seat = seat.with_tile(tile)
    elif do == "discard":
        seat = seat.without([tile])
        wild = seat.wild_discards + (tile == laizi)
        seat = replace(seat, river=(*seat.river, tile), wild_discards=wild)
    elif do == "win":
        if event["source"] == "discard":
            seats[event["from"]] = _taken(seats[event["from"]])
        if event["source"] != "self_draw":
            seat = seat.with_tile(tile)
    elif do == "kong" and event["kind"] != "direct":
        seat = _own_kong(seat, event["kind"], tile)
    else:
        seats[event["from"]] = _taken(seats[event["from"]])
        tiles = parse_tiles(event["tiles"]) if do != "kong" else [tile] * 4
        shown = list(tiles)
        shown.remove(tile)
        kind = do if do != "kong" else "direct_kong"
        seat = seat.without(shown).with_meld(Shown(kind, tuple(tiles), event["from"]))
    seats[who] = seat
    return tuple(seats)


def _taken(seat: Holding) -> Holding:
    """Somebody has taken its last discard."""
    return replace(seat, river=seat.river[:-1])


def _own_kong(seat: Holding, kind: str, tile: int) -> Holding:
    if kind == "concealed":
        return seat.without([tile] * 4).with_meld(Shown("concealed_kong", (tile,) * 4))
    seat = seat.without([tile])
    if kind != "added":
        return replace(seat, singles=(*seat.singles, (kind, tile)))
    pung = (tile,) * 3
    melds = (
        replace(meld, kind="added_kong", tiles=(tile,) * 4) if meld.tiles == pung else meld
        for meld in seat.melds
    )
    return replace(seat, melds=tuple(melds))
