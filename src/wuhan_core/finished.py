"""A case (RULES.md section 10) as plain Python: who holds what, how the last tile came, what is special."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, SupportsInt

from ._rules import CompiledRules
from .rules import RuleSet
from .tiles import parse_tile, parse_tiles

KINDS_258 = frozenset(9 * suit + rank for suit in range(3) for rank in (1, 4, 7))
WINDS = frozenset((27, 28, 29, 30, 32, 33))
EXPOSED = ("chow", "pung", "direct_kong", "added_kong")


@dataclass(frozen=True, slots=True)
class Meld:
    """A meld as a case has it; `feeder` is the seat whose discard it was made with."""

    kind: str
    tiles: tuple[int, ...]
    feeder: int | None


@dataclass(frozen=True, slots=True)
class Seat:
    """What a player holds and shows."""

    concealed: tuple[int, ...]
    melds: tuple[Meld, ...]
    red_kongs: int
    wild_kongs: int
    skin_kongs: int
    wild_discards: int

    def count(self, *kinds: str) -> int:
        """Count melds of these kinds."""
        return sum(meld.kind in kinds for meld in self.melds)

    def shown(self) -> tuple[int, ...]:
        """Tiles of the melds."""
        return tuple(tile for meld in self.melds for tile in meld.tiles)

    def split(self, laizi: int | None, hard: bool) -> tuple[tuple[int, ...], int]:
        """Return the concealed tiles that stand for themselves in a reading, and the number of wildcards."""
        natural = tuple(tile for tile in self.concealed if hard or tile != laizi)
        return natural, len(self.concealed) - len(natural)

    def opens(self, rules: RuleSet) -> int:
        """Count open melds as ``win.open_melds`` has them. RULES.md sections 1 and 3."""
        kinds = open_kinds(rules)
        return self.count(*kinds)

    def with_tile(self, tile: int) -> Seat:
        """The same with one more concealed tile."""
        return replace(self, concealed=tuple(sorted((*self.concealed, tile))))


@dataclass(frozen=True, slots=True)
class Finished:
    """A case that can be; the last tile is among the winner's concealed tiles, however it came."""

    rules: RuleSet
    changes: tuple[str, ...]  # options that the case itself sets
    seats: tuple[Seat, ...]
    dealer: int
    indicator: int | None
    laizi: int
    blocked: frozenset[int]  # kinds that bar a win: C where it is a red dragon, skins in the role "red"
    winner: int
    loser: int | None
    tile: int
    source: str
    after_kong: bool
    last_draw: bool
    first: str | None
    skipped: int
    codes: tuple[int, ...]

    @property
    def robbed(self) -> bool:
        """Was a kong robbed?"""
        return self.source == "rob_kong"

    def before(self) -> Seat:
        """The winner without the last tile."""
        seat = self.seats[self.winner]
        tiles = list(seat.concealed)
        tiles.remove(self.tile)
        return replace(seat, concealed=tuple(tiles))


def open_kinds(rules: RuleSet) -> tuple[str, ...]:
    """Kinds of melds that open a hand."""
    kinds = ("chow", "pung", "added_kong")
    return (*kinds, "direct_kong") if rules.get("win.open_melds") == "chow_pung_kong" else kinds


def read(case: Mapping[str, Any], rules: RuleSet) -> Finished:
    """Read a case that `score_case` has accepted."""
    win = case["win"]
    winner, tile = int(win["winner"]), parse_tile(win["tile"])
    seats = tuple(map(_seat, case["players"]))
    if win["source"] != "self_draw":
        seats = tuple(seat.with_tile(tile) if i == winner else seat for i, seat in enumerate(seats))
    fixed = rules.get("wild.kind") == "red"
    indicator = None if fixed else parse_tile(case["indicator"])
    laizi, blocked = CompiledRules(rules).special(indicator)
    return Finished(
        rules=rules,
        changes=tuple(case.get("set") or ()),
        seats=seats,
        dealer=int(case["dealer"]),
        indicator=indicator,
        laizi=laizi,
        blocked=blocked,
        winner=winner,
        loser=_seat_or_none(win.get("from")),
        tile=tile,
        source=win["source"],
        after_kong=win.get("after_kong", False),
        last_draw=win.get("last_draw", False),
        first=win.get("first"),
        skipped=int(win.get("skipped", 0)),
        codes=tuple(map(parse_tile, case.get("codes") or ())),
    )


def _seat(player: Mapping[str, Any]) -> Seat:
    return Seat(
        tuple(sorted(parse_tiles(player["hand"]))),
        tuple(
            Meld(meld["kind"], tuple(sorted(parse_tiles(meld["tiles"]))), _seat_or_none(meld.get("from")))
            for meld in player.get("melds", ())
        ),
        *(int(player.get(name, 0)) for name in ("red_kongs", "wild_kongs", "skin_kongs", "wild_discards")),
    )


def _seat_or_none(number: SupportsInt | None) -> int | None:
    return None if number is None else int(number)
