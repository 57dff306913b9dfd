"""Who wins, and what it pays, in the Wuhan family: RULES.md sections 3 to 6 as brute force in plain Python.

`judge` takes a case (RULES.md section 10) and a mapping of option values; cases are taken to be possible
ones. Every reading and every decomposition is tried, each wildcard standing for each tile it may stand for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any

from oracle import KINDS, KINDS_258, NAMES, RED, SUITS, WINDS, parse

Options = Mapping[str, Any]
Case = dict[str, Any]  # RULES.md section 10, and parts and answers of it: JSON
Exact = int | Fraction

EXPOSED = ("chow", "pung", "direct_kong", "added_kong")
KONGS = ("direct_kong", "added_kong", "concealed_kong")


@dataclass(frozen=True)
class Meld:
    kind: str
    tiles: tuple[int, ...]
    feeder: int | None


@dataclass(frozen=True)
class Seat:
    """What one player shows and holds; `concealed` are the tiles in hand."""

    concealed: tuple[int, ...]
    melds: tuple[Meld, ...]
    red_kongs: int
    wild_kongs: int
    skin_kongs: int
    wild_discards: int

    def count(self, *kinds: str) -> int:
        return sum(meld.kind in kinds for meld in self.melds)


@dataclass(frozen=True)
class Deal:
    """What is the same for every player of a case."""

    options: Options
    laizi: int
    blocked: frozenset[int]  # kinds that bar a win: C, and skins in the role "red"
    dealer: int

    def option(self, name: str) -> Any:
        return self.options[name]

    def factor(self, name: str) -> Exact:
        value = self.options[name]
        return value if isinstance(value, int) else Fraction(value)

    def lists(self, name: str, types: frozenset[str]) -> bool:
        """Whether the option lists one of the types."""
        listed = self.options[name]
        return bool(types) if "all" in listed else any(kind in listed for kind in types)


@dataclass(frozen=True)
class Win:
    """How the last tile came."""

    source: str
    after_kong: bool = False
    last_draw: bool = False


@dataclass(frozen=True)
class Way:
    """One reading with one decomposition. `types` are the big types; `head` is None without sets and pair."""

    hard: bool
    head: str | None
    types: frozenset[str]


# The deal


@cache
def following(kind: int) -> int:
    """The wildcard kind that an indicator points to."""
    if kind == RED:
        return NAMES.index("F")
    ring = parse("ESWNFP") if kind in SUITS[3] else list(next(suit for suit in SUITS if kind in suit))
    return ring[(ring.index(kind) + 1) % len(ring)]


@cache
def skins(indicator: int, skin_kinds: int) -> frozenset[int]:
    """The indicator's kind and the kind before it, as far as the option goes; never C."""
    before = NAMES.index("N") if indicator == RED else next(k for k in KINDS if following(k) == indicator)
    return frozenset((indicator, before)[:skin_kinds]) - {RED}


def read_deal(case: Case, options: Options) -> Deal:
    indicator = parse(case["indicator"])[0]
    laizi = following(indicator)
    assert case.get("laizi") in (None, NAMES[laizi])
    red_skins = (
        skins(indicator, options["wild.skin_kinds"]) if options["wild.skin_role"] == "red" else frozenset()
    )
    return Deal(options, laizi, red_skins | {RED}, case["dealer"])


def read_seat(player: Case) -> Seat:
    return Seat(
        tuple(sorted(parse(player["hand"]))),
        tuple(Meld(meld["kind"], tuple(parse(meld["tiles"])), meld.get("from")) for meld in player["melds"]),
        *(player.get(name, 0) for name in ("red_kongs", "wild_kongs", "skin_kongs", "wild_discards")),
    )


# Decompositions


@cache
def groups_with(kind: int) -> list[tuple[int, int, int]]:
    """Every set that holds a kind: its triplet, and its chows."""
    suit = next(suit for suit in SUITS if kind in suit)
    chows = [] if suit is SUITS[3] else [(low, low + 1, low + 2) for low in range(kind - 2, kind + 1)]
    return [(kind, kind, kind)] + [chow for chow in chows if chow[0] in suit and chow[2] in suit]


def without(tiles: tuple[int, ...], taken: Sequence[int]) -> tuple[int, ...] | None:
    """The tiles less those taken, None if they are not all there."""
    left = list(tiles)
    for tile in taken:
        if tile not in left:
            return None
        left.remove(tile)
    return tuple(left)


@lru_cache(2**17)  # a million hands would fill the memory
def decompositions(
    tiles: tuple[int, ...], wild: int, sets: int, pairs: int
) -> frozenset[tuple[bool, str | None]]:
    """Ways to make sets and a pair (0 or 1 of them) of sorted natural tiles and wildcards, all used.

    Of each way only what matters is kept: whether all sets are triplets, and the pair: "258" (two 258 tiles,
    a 258 tile and a wildcard, two wildcards), "other", or None where none was asked for.
    """
    if not tiles:  # wildcards alone make triplets and chows alike
        if wild != 3 * sets + 2 * pairs:
            return frozenset()
        head = "258" if pairs else None
        return frozenset({(True, head), (False, head)} if sets else {(True, head)})
    first, found = tiles[0], set()
    if sets:
        for group in groups_with(first):
            others = without(tuple(sorted(group)), [first])
            assert others is not None
            second, third = others
            for taken in ((), (second,), (third,), (second, third)):  # wildcards stand for the others
                left = without(tiles[1:], taken)
                if left is not None and wild >= 2 - len(taken):
                    for triplets, head in decompositions(left, wild - 2 + len(taken), sets - 1, pairs):
                        found.add((triplets and group[0] == group[2], head))
    if pairs:
        name = "258" if first in KINDS_258 else "other"
        for taken in ((first,), ()):
            left = without(tiles[1:], taken)
            if left is not None and wild >= 1 - len(taken):
                for triplets, _ in decompositions(left, wild - 1 + len(taken), sets, 0):
                    found.add((triplets, name))
    return frozenset(found)


# Section 3


def open_melds(deal: Deal, seat: Seat) -> int:
    kinds: tuple[str, ...] = ("chow", "pung", "added_kong")
    if deal.option("win.open_melds") == "chow_pung_kong":
        kinds += ("direct_kong",)
    return seat.count(*kinds)


def ways_of_reading(deal: Deal, seat: Seat, win: Win, hard: bool) -> set[Way]:
    """Every decomposition of one reading, with its types."""
    natural = tuple(tile for tile in seat.concealed if hard or tile != deal.laizi)
    shown = natural + tuple(tile for meld in seat.melds for tile in meld.tiles)
    all_258 = KINDS_258.issuperset(shown)
    all_winds = WINDS.issuperset(shown)
    wild = len(seat.concealed) - len(natural)
    forms: set[tuple[bool, str | None]] = set()
    if "standard" in deal.option("win.shapes"):
        forms |= decompositions(natural, wild, 4 - len(seat.melds), 1)
    if ("all_258" in deal.option("win.shapes") and all_258) or (
        "all_winds" in deal.option("win.shapes") and all_winds
    ):
        forms.add((False, None))

    types = set()
    if any(set(shown) <= set(suit) for suit in SUITS[:3]):
        types.add("qingyise")
    if all_winds:
        types.add("fengyise")
    if all_258:
        types.add("jiangyise")
    if win.after_kong:
        types.add("gangshanghua")
    if win.last_draw:
        types.add("haidilao")
    if win.source == "rob_kong" and deal.option("score.qianggang_is_big"):
        types.add("qianggang")

    begging = seat.count(*EXPOSED) == 4 and (
        win.source != "self_draw" or deal.option("win.quanqiuren_self_draw")
    )
    ways = set()
    for triplets, head in forms:
        own = set(types)
        if triplets and head is not None and seat.count("chow") == 0:
            own.add("pengpenghu")
        any_pair = own and deal.option("win.quanqiuren_head") == "any_if_big"
        if begging and (head == "258" or (head == "other" and any_pair)):
            own.add("quanqiuren")
        ways.add(Way(hard, head, frozenset(own)))
    return ways


def passing(deal: Deal, seat: Seat, win: Win) -> tuple[str | None, set[Way]]:
    """Checks 1 to 5 of a hand with its last tile in it: the refusal, or None and the ways that pass."""
    if deal.blocked.intersection(seat.concealed):
        return "holds_kong_tile", set()
    if deal.option("win.open_melds") != "none" and open_melds(deal, seat) == 0:
        return "not_open", set()
    wild = seat.concealed.count(deal.laizi)
    ways = ways_of_reading(deal, seat, win, hard=True)
    if wild:
        ways |= ways_of_reading(deal, seat, win, hard=False)
    if not ways:
        return "no_shape", set()
    ways = {way for way in ways if way.head != "other" or deal.lists("win.head_258_free", way.types)}
    if not ways:
        return "head_not_258", set()
    ways = {way for way in ways if way.types or wild <= deal.option("win.small_wild_max")}
    if not ways:
        return "too_many_wild", set()
    return None, ways


def with_tile(seat: Seat, tile: int) -> Seat:
    return replace(seat, concealed=tuple(sorted((*seat.concealed, tile))))


def is_ready(deal: Deal, seat: Seat) -> bool:
    return any(passing(deal, with_tile(seat, kind), Win("self_draw"))[1] for kind in KINDS if kind != RED)


# Sections 4 and 5


def own_factor(deal: Deal, seat: Seat) -> Exact:
    """What a seat's melds, kongs and discarded wildcards multiply by, whether it wins or loses."""
    opened = open_melds(deal, seat)
    times = opened if deal.option("score.open") == "per_meld" else min(opened, 1)
    factor: Exact = (
        2**times
        * deal.factor("score.kong_exposed") ** seat.count("direct_kong", "added_kong")
        * deal.factor("score.kong_concealed") ** seat.count("concealed_kong")
        * deal.factor("score.kong_red") ** seat.red_kongs
        * deal.factor("score.kong_wild") ** seat.wild_kongs
        * deal.factor("score.kong_skin") ** seat.skin_kongs
        * deal.factor("score.wild_discard") ** seat.wild_discards
    )
    return factor


def shares(
    deal: Deal, seats: Sequence[Seat], winner: int, way: Way, win: Win, discarder: int | None
) -> dict[int, Exact]:
    """What each of the other three owes, before caps."""
    size = "big" if way.types else "small"
    base = deal.factor(f"score.{size}_base")
    if way.types:
        n = len(way.types)
        base *= 2 ** (n - 1) if deal.option("score.big_stacking") == "double" else n
    if "fengyise" in way.types:
        base *= deal.factor("score.fengyise")

    factor = own_factor(deal, seats[winner])
    if way.hard:
        factor *= deal.factor("score.hard")
    if win.source == "self_draw":
        factor *= deal.factor(f"score.{size}_self_draw")

    owed = {}
    for loser, seat in enumerate(seats):
        if loser != winner:
            share = base * factor * own_factor(deal, seat) * deal.factor("score.stake")
            if loser == discarder:
                share *= deal.factor(f"score.{size}_discarder")
            if size == "small" and deal.dealer in (winner, loser):
                share *= deal.factor("score.small_dealer")
            owed[loser] = share
    return owed


def cap(deal: Deal, name: str) -> Exact | None:
    """A cap in points, None where it is switched off."""
    return deal.factor(name) * deal.factor("score.stake") or None


def limited(owed: Mapping[int, Exact], limit: Exact | None) -> dict[int, Exact]:
    return {loser: share if limit is None else min(share, limit) for loser, share in owed.items()}


def after_caps(deal: Deal, owed: Mapping[int, Exact], liable: int | None) -> tuple[dict[int, Exact], bool]:
    """The shares after caps, and whether they are golden."""
    if liable is not None:
        return limited(owed, cap(deal, "cap.liable")), False
    per_payer, golden = cap(deal, "cap.per_payer"), cap(deal, "cap.golden")
    if per_payer and golden and all(share >= per_payer for share in owed.values()):
        return dict.fromkeys(owed, golden), True
    return limited(owed, per_payer), False


def reaches_minimum(deal: Deal, capped: Mapping[int, Exact]) -> bool:
    asked = deal.option("win.minimum")
    minimum = deal.factor("win.minimum_points") * deal.factor("score.stake")
    if asked == "none":
        return True
    return (any if asked == "any_payer" else all)(share >= minimum for share in capped.values())


# Section 6


def liable_seat(
    deal: Deal, seats: Sequence[Seat], winner: int, way: Way, win: Win, loser: int | None, tile: int
) -> int | None:
    if win.source == "rob_kong":
        return loser
    if "quanqiuren" in way.types and win.source == "discard":
        assert loser is not None
        rule = deal.option("liability.quanqiuren")
        if rule == "head_258" and tile in KINDS_258:
            return loser
        if rule == "not_ready" and not is_ready(deal, seats[loser]):
            return loser
    exposed = [meld for meld in seats[winner].melds if meld.kind in EXPOSED]
    if deal.lists("liability.third_meld", way.types) and len(exposed) >= 3:
        return exposed[2].feeder
    return None


def konger_shares(deal: Deal, seats: Sequence[Seat], konger: int) -> dict[int, Exact]:
    """What the konger would have collected, had its kong stood and the replacement won."""
    win = Win("self_draw", after_kong=True)
    best = None
    for kind in KINDS:
        if kind not in deal.blocked:
            for way in passing(deal, with_tile(seats[konger], kind), win)[1]:
                owed = shares(deal, seats, konger, way, win, None)
                capped = limited(owed, cap(deal, "cap.liable"))
                rank = (sum(capped.values()), sum(owed.values()), way.hard)
                if best is None or rank > best[0]:
                    best = rank, owed
    if best is not None:
        return best[1]
    way = Way(deal.laizi not in seats[konger].concealed, None, frozenset({"gangshanghua"}))
    return shares(deal, seats, konger, way, win, None)


def unkonged(seat: Seat, tile: int) -> Seat:
    """The konger with its robbed kong a pung again."""
    return replace(
        seat,
        melds=tuple(
            replace(meld, kind="pung", tiles=meld.tiles[:3])
            if meld.kind == "added_kong" and meld.tiles[0] == tile
            else meld
            for meld in seat.melds
        ),
    )


# The judgement


def rounded(share: Exact) -> int:
    """Half up."""
    return int((2 * share + 1) // 2)


def refused(why: str) -> Case:
    return {"wins": False, "why_not": why}


def judge(case: Case, options: Options) -> Case:
    """The answer of RULES.md section 10 for a case of the model `factors`."""
    deal = read_deal(case, options)
    seats = [read_seat(player) for player in case["players"]]
    given = case["win"]
    winner, loser, tile = given["winner"], given.get("from"), parse(given["tile"])[0]
    win = Win(given["source"], given.get("after_kong", False), given.get("last_draw", False))

    if win.source == "discard" and not deal.option("claims.discard_win"):
        return refused("no_discard_win")
    if win.source != "self_draw":
        if tile in deal.blocked | {deal.laizi}:
            return refused("tile_not_claimable")
        seats[winner] = with_tile(seats[winner], tile)
    why_not, ways = passing(deal, seats[winner], win)
    if why_not:
        return refused(why_not)

    konger_collects = None
    if win.source == "rob_kong":
        if deal.option("liability.rob_kong") == "konger_hand":
            konger_collects = konger_shares(deal, seats, loser)
        seats[loser] = unkonged(seats[loser], tile)

    results = []
    for way in ways:
        owed = shares(deal, seats, winner, way, win, loser)
        liable = liable_seat(deal, seats, winner, way, win, loser, tile)
        capped, golden = after_caps(deal, owed, liable)
        rank = (sum(capped.values()), sum(owed.values()), way.hard, len(way.types))
        if konger_collects is not None:
            owed = konger_collects
            capped = limited(owed, cap(deal, "cap.liable"))
        if reaches_minimum(deal, capped):
            results.append((rank, way, owed, capped, golden, liable))
    if not results:
        return refused("below_minimum")

    best = max(result[0] for result in results)
    chosen = [result for result in results if result[0] == best]
    assert len({(way.types, liable) for _, way, *_, liable in chosen}) == 1, "the rules leave a tie"
    _, way, owed, capped, golden, liable = chosen[0]

    deltas = [0] * len(seats)
    for payer, share in capped.items():
        deltas[payer if liable is None else liable] -= rounded(share)
        deltas[winner] += rounded(share)
    return {
        "wins": True,
        "why_not": None,
        "big": bool(way.types),
        "types": sorted(way.types) or ["pihu"],
        "hard": way.hard,
        "owed": [rounded(owed.get(seat, 0)) for seat in range(len(seats))],
        "capped": [rounded(capped.get(seat, 0)) for seat in range(len(seats))],
        "golden": golden,
        "liable": liable,
        "deltas": deltas,
    }
