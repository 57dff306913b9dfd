"""The model "factors" explained (RULES.md sections 3 to 6): the reading that shows an answer, its factors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .explained import Factor, Liability, Note, Reading, Score, Share, note, owed
from .finished import EXPOSED, KINDS_258, WINDS, Finished, Meld, Seat
from .options import Value
from .reading import Group, Groups, sets_and_pair
from .rules import RuleSet
from .tiles import RED

KONG_EXPOSED = ("direct_kong", "added_kong")


@dataclass(frozen=True, slots=True)
class Draw:
    """How the last tile came."""

    source: str
    after_kong: bool = False
    last_draw: bool = False


@dataclass(frozen=True, slots=True)
class Way:
    """One reading with one decomposition, and the big types that it shows."""

    hard: bool
    shape: str
    groups: Groups
    types: frozenset[str]

    @property
    def pair(self) -> Group | None:
        """The pair; None in a shape without sets."""
        return next((group for group in self.groups if group.kind == "pair"), None)

    @property
    def head_258(self) -> bool:
        """Check 4 but for the types that free from it: no pair, or none of its own tiles other than a 258."""
        return self.pair is None or KINDS_258.issuperset(self.pair.natural)


def ways(game: Finished, seat: Seat, draw: Draw, hard: bool) -> Iterator[Way]:
    """Find the decompositions of one reading: check 3, and the types. RULES.md section 3."""
    rules = game.rules
    natural, wild = seat.split(game.laizi, hard)
    shown = {*natural, *seat.shown()}
    types = {
        name
        for name, holds in (
            ("qingyise", any(shown <= set(range(9 * suit, 9 * suit + 9)) for suit in range(3))),
            ("fengyise", shown <= WINDS),
            ("jiangyise", shown <= KINDS_258),
            ("gangshanghua", draw.after_kong),
            ("haidilao", draw.last_draw),
            ("qianggang", draw.source == "rob_kong" and rules.get("score.qianggang_is_big")),
        )
        if holds
    }
    begging = seat.count(*EXPOSED) == 4 and (
        draw.source != "self_draw" or rules.get("win.quanqiuren_self_draw") is True
    )
    shapes = _listed(rules, "win.shapes")
    if "standard" in shapes:
        for groups in sets_and_pair(natural, wild, 4 - len(seat.melds)):
            pungs = not has_chow(groups, seat)
            way = Way(hard, "standard", groups, frozenset({*types, "pengpenghu"} if pungs else types))
            any_pair = way.types and rules.get("win.quanqiuren_head") == "any_if_big"
            if begging and (way.head_258 or any_pair):
                way = replace(way, types=way.types | {"quanqiuren"})
            yield way
    for shape, name in (("all_258", "jiangyise"), ("all_winds", "fengyise")):
        if shape in shapes and name in types:
            yield Way(hard, shape, (Group("tiles", natural, (None,) * wild),), frozenset(types))


def fault(game: Finished, seat: Seat, way: Way) -> str | None:
    """Checks 4 and 5: the refusal of a way, None where it passes."""
    if not way.head_258 and not way.types.intersection(_listed(game.rules, "win.head_258_free")):
        return "head_not_258"
    allowed = game.rules.get("win.small_wild_max")
    if not way.types and seat.concealed.count(game.laizi) > allowed:  # type: ignore[operator]
        return "too_many_wild"
    return None


def passing(game: Finished, seat: Seat, draw: Draw, hard: bool) -> Iterator[Way]:
    """Find the ways of one reading that pass checks 1 to 5."""
    if game.blocked.isdisjoint(seat.concealed) and is_open(game.rules, seat):
        yield from (way for way in ways(game, seat, draw, hard) if fault(game, seat, way) is None)


def has_chow(groups: Groups, seat: Seat) -> bool:
    """Is a chow among concealed sets or melds?"""
    return seat.count("chow") > 0 or any(group.kind == "chow" for group in groups)


def is_open(rules: RuleSet, seat: Seat) -> bool:
    """Check 2."""
    return rules.get("win.open_melds") == "none" or seat.opens(rules) > 0


def _listed(rules: RuleSet, option: str) -> tuple[str, ...]:
    value = rules.get(option)
    assert isinstance(value, tuple)
    return value


# ---- factors -----------------------------------------------------------------------------------------------


def one(
    rules: RuleSet,
    option: str,
    carrier: str = "base",
    seat: int | None = None,
    count: int = 1,
    value: Value | None = None,
    adds: bool = False,
) -> list[Factor]:
    """Return the factor of an option, none for count 0; `value` where the setting is no factor itself."""
    setting = rules.get(option)
    amount = setting if value is None else value
    assert isinstance(amount, int | float)
    return [Factor(option, setting, amount, count, carrier, seat, adds)] if count else []


def base(rules: RuleSet, types: frozenset[str]) -> list[Factor]:
    """What everybody's share begins with. RULES.md section 4."""
    found = one(rules, "score.big_base" if types else "score.small_base", adds=True)
    if len(types) > 1:
        if rules.get("score.big_stacking") == "double":
            found += one(rules, "score.big_stacking", count=len(types) - 1, value=2)
        else:
            found += one(rules, "score.big_stacking", value=len(types))
    found += one(rules, "score.fengyise", count="fengyise" in types)
    return found + one(rules, "score.stake", count=rules.get("score.stake") != 1)


def carried(rules: RuleSet, seat: Seat, carrier: str, number: int) -> list[Factor]:
    """What a seat carries as winner and as loser alike."""
    opens = seat.opens(rules)
    counts = {
        "score.kong_exposed": seat.count(*KONG_EXPOSED),
        "score.kong_concealed": seat.count("concealed_kong"),
        "score.kong_red": seat.red_kongs,
        "score.kong_wild": seat.wild_kongs,
        "score.kong_skin": seat.skin_kongs,
        "score.wild_discard": seat.wild_discards,
    }
    times = opens if rules.get("score.open") == "per_meld" else min(opens, 1)
    found = one(rules, "score.open", carrier, number, times, 2)
    for option, count in counts.items():
        found += one(rules, option, carrier, number, count)
    return found


def share_factors(
    game: Finished, seats: Sequence[Seat], collector: int, hard: bool, types: frozenset[str], self_draw: bool
) -> dict[int, tuple[Factor, ...]]:
    """Return every factor of what each seat but the collector owes."""
    rules, size = game.rules, "big" if types else "small"
    common = base(rules, types) + carried(rules, seats[collector], "winner", collector)
    common += one(rules, "score.hard", "winner", collector, hard)
    common += one(rules, f"score.{size}_self_draw", "winner", collector, self_draw)
    found = {}
    for number, seat in enumerate(seats):
        if number != collector:
            own = carried(rules, seat, "loser", number)
            discarder = not self_draw and number == game.loser
            own += one(rules, f"score.{size}_discarder", "loser", number, discarder)
            dealer = not types and game.dealer in (collector, number)
            own += one(rules, "score.small_dealer", "loser", number, dealer)
            found[number] = (*common, *own)
    return found


# ---- the answer --------------------------------------------------------------------------------------------


def explain_factors(game: Finished, answer: dict[str, Any]) -> Score:
    """Explain a win."""
    rules, seat = game.rules, game.seats[game.winner]
    types = frozenset(answer["types"]) - {"pihu"}
    draw = Draw(game.source, game.after_kong, game.last_draw)
    found = (way for way in passing(game, seat, draw, answer["hard"]) if way.types == types)
    reading = _reading(game, game.winner, game.tile, seat, next(found))
    collector, konger = game.winner, None
    if game.robbed and rules.get("liability.rob_kong") == "konger_hand":
        assert game.loser is not None
        collector = game.loser
        konger, factors = _konger(game, answer["owed"])
    else:
        seats = list(game.seats)
        if game.robbed and game.loser is not None:
            seats[game.loser] = _unkonged(seats[game.loser], game.tile)
        factors = share_factors(game, seats, collector, answer["hard"], types, game.source == "self_draw")
    shares = tuple(
        Share(number, each, owed(each), answer["capped"][number], _limit(answer, number))
        for number, each in factors.items()
    )
    liability = None if answer["liable"] is None else _liability(game, answer)
    return Score(answer, game, reading, collector, konger, shares, liability)


def _limit(answer: dict[str, Any], seat: int) -> str | None:
    if answer["golden"]:
        return "cap.golden"
    if answer["capped"][seat] == answer["owed"][seat]:
        return None
    return "cap.per_payer" if answer["liable"] is None else "cap.liable"


def _reading(game: Finished, number: int, tile: int | None, seat: Seat, way: Way) -> Reading:
    types = tuple(sorted(way.types)) or ("pihu",)
    return Reading(number, tile, way.hard, way.shape, types, way.groups, seat.melds, game.laizi)


def _unkonged(seat: Seat, tile: int) -> Seat:
    """The konger with its robbed kong a pung again."""
    melds = list(seat.melds)
    for i, meld in enumerate(melds):
        if meld.kind == "added_kong" and meld.tiles[0] == tile:
            melds[i] = Meld("pung", meld.tiles[:3], meld.feeder)
    return replace(seat, melds=tuple(melds))


def _konger(game: Finished, paid: list[int]) -> tuple[Reading, dict[int, tuple[Factor, ...]]]:
    """Find the replacement tile with which the konger collects what is paid. RULES.md section 6, rule 1."""
    assert game.loser is not None
    number, seat, draw = game.loser, game.seats[game.loser], Draw("self_draw", after_kong=True)
    for hard in (True, False):
        for kind in range(34):
            if kind not in game.blocked:
                held = seat.with_tile(kind)
                for types, way in {way.types: way for way in passing(game, held, draw, hard)}.items():
                    factors = share_factors(game, game.seats, number, hard, types, True)
                    if _owe(factors, paid):
                        return _reading(game, number, kind, held, way), factors
    hard, types = game.laizi not in seat.concealed, frozenset({"gangshanghua"})
    factors = share_factors(game, game.seats, number, hard, types, True)
    return _reading(game, number, None, seat, Way(hard, "standard", (), types)), factors


def _owe(factors: dict[int, tuple[Factor, ...]], paid: list[int]) -> bool:
    return all(owed(each) == paid[number] for number, each in factors.items())


# ---- liability ---------------------------------------------------------------------------------------------


def _liability(game: Finished, answer: dict[str, Any]) -> Liability:
    """Find the first clause of RULES.md section 6 that names the liable seat."""
    rules, seat, liable = game.rules, game.seats[game.winner], answer["liable"]

    def because(clause: int, option: str, why: Note) -> Liability:
        return Liability(liable, f"6.{clause}", option, rules.get(option), why)

    if game.robbed:
        option = "liability.rob_kong"
        return because(1, option, note(f"liable.rob_kong.{rules.get(option)}"))
    asked = rules.get("liability.quanqiuren")
    begged = "quanqiuren" in answer["types"] and game.source == "discard" and liable == game.loser
    if begged and (
        (asked == "head_258" and game.tile in KINDS_258)
        or (asked == "not_ready" and not _ready(game, game.seats[liable]))
    ):
        return because(2, "liability.quanqiuren", note(f"liable.quanqiuren.{asked}", tile=(game.tile,)))
    option = "liability.third_meld"
    fed = tuple(f"type.{name}" for name in answer["types"] if name in _listed(rules, option))
    third = [meld for meld in seat.melds if meld.kind in EXPOSED][2]
    return because(3, option, note("liable.third_meld", meld=third.tiles, types=fed))


def _ready(game: Finished, seat: Seat) -> bool:
    """Would some kind complete the hand as a plain self-draw? RULES.md section 6."""
    return any(
        next(passing(game, held, Draw("self_draw"), hard), None)
        for kind in range(34)
        if kind != RED and (held := seat.with_tile(kind))
        for hard in (True, False)
    )
