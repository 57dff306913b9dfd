"""The models "codes" and "patterns" explained: RULES.md sections 7 and 8."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .explain_factors import has_chow, one
from .explained import Factor, KongPayment, Liability, Reading, Score, Share, note, owed
from .finished import Finished, Seat
from .reading import Groups, nine_yao, sets_and_pair, seven_pairs, thirteen_lan
from .rules import RuleSet
from .tiles import parse_tiles

PATTERNS = {
    "pinghu": "standard",
    "pengpenghu": "standard",
    "qidui": "seven_pairs",
    "haohuaqidui": "seven_pairs",
    "shisanlang": "thirteen_lan",
    "qixingshisanlang": "thirteen_lan",
    "jiuyao": "nine_yao",
    "qixingjiuyao": "nine_yao",
}
NARROWER = {
    "pinghu": "pengpenghu",
    "qidui": "haohuaqidui",
    "shisanlang": "qixingshisanlang",
    "jiuyao": "qixingjiuyao",
}
FACTORS = (
    "wubao",
    "gangkai",
    "qianggang",
    "jiebao",
    "baodiaotou",
    "baodiaowubao",
    "baodiaobao",
    "dandiao",
    "sigebao",
)
KONG_OPTIONS = {
    "direct_kong": "points.kong_direct",
    "added_kong": "points.kong_added",
    "concealed_kong": "points.kong_concealed",
}


def groups_of(pattern: str, seat: Seat, natural: tuple[int, ...], wild: int) -> Groups | None:
    """Find a decomposition that shows a pattern and no narrower one if it can; None where there is none."""
    groups = _groups_of(pattern, seat, natural, wild)
    if groups is None and pattern in NARROWER:
        groups = _groups_of(NARROWER[pattern], seat, natural, wild)
    return groups


def _groups_of(pattern: str, seat: Seat, natural: tuple[int, ...], wild: int) -> Groups | None:
    if pattern in ("pinghu", "pengpenghu"):
        for groups in sets_and_pair(natural, wild, 4 - len(seat.melds)):
            if has_chow(groups, seat) == (pattern == "pinghu"):
                return groups
        return None
    if seat.melds:
        return None
    if PATTERNS[pattern] == "seven_pairs":
        return seven_pairs(natural, wild, pattern == "haohuaqidui")
    search = thirteen_lan if PATTERNS[pattern] == "thirteen_lan" else nine_yao
    return search(natural, wild, pattern.startswith("qixing"))


def _must(groups: Groups | None, pattern: str) -> Groups:
    if groups is None:
        raise RuntimeError(f"no reading shows {pattern}")
    return groups


# ---- codes -------------------------------------------------------------------------------------------------


def explain_codes(game: Finished, answer: dict[str, Any]) -> Score:
    """Explain a win of Hongzhong."""
    rules, seat = game.rules, game.seats[game.winner]
    natural, wild = seat.split(game.laizi, hard=False)
    pattern, types = next(name for name in PATTERNS if name in answer["types"]), tuple(answer["types"])
    groups = _must(groups_of(pattern, seat, natural, wild), pattern)
    reading = Reading(game.winner, game.tile, None, PATTERNS[pattern], types, groups, seat.melds, game.laizi)
    common = one(rules, "points.base", adds=True)
    if answer["hits"] is None:
        rank = 10 if game.codes[0] >= 27 else game.codes[0] % 9 + 1
        common += one(rules, "codes.all_in", value=rank, adds=True)
    else:
        common += one(rules, "codes.hit_points", count=answer["hits"], adds=True)
    common += one(rules, "points.multiple")
    common += one(rules, "score.stake", count=rules.get("score.stake") != 1)
    shares = tuple(
        Share(number, tuple(common), owed(common), answer["owed"][number], None)
        for number in range(len(game.seats))
        if number != game.winner
    )
    liability, kongs = _robbed(game, answer, "7"), tuple(_kongs(game))
    return Score(answer, game, reading, game.winner, None, shares, liability, kongs)


def _kongs(game: Finished) -> Iterator[KongPayment]:
    for konger, seat in enumerate(game.seats):
        for meld in seat.melds:
            robbed = game.robbed and konger == game.loser and meld.tiles[0] == game.tile
            if meld.kind in KONG_OPTIONS and not (robbed and meld.kind == "added_kong"):
                yield _payment(game.rules, len(game.seats), konger, meld.kind, meld.tiles[0], meld.feeder)


def _payment(
    rules: RuleSet, players: int, konger: int, kind: str, tile: int, feeder: int | None
) -> KongPayment:
    option = KONG_OPTIONS[kind]
    points = _whole(rules, option) * _whole(rules, "points.multiple") * _whole(rules, "score.stake")
    payers = tuple(seat for seat in range(players) if seat != konger)
    if kind == "direct_kong":  # the discarder pays for every opponent
        assert feeder is not None
        points, payers = points * len(payers), (feeder,)
    return KongPayment(konger, kind, tile, payers, points, option)


def kong_gains(rules: RuleSet, players: Sequence[Mapping[str, Any]]) -> list[int]:
    """What kongs bring each seat in a hand that nobody won (model "codes"); players as a case has them."""
    gains = [0] * len(players)
    for konger, player in enumerate(players):
        for meld in player["melds"]:
            if meld["kind"] in KONG_OPTIONS:
                tile = parse_tiles(meld["tiles"])[0]
                paid = _payment(rules, len(players), konger, meld["kind"], tile, meld.get("from"))
                for payer in paid.payers:
                    gains[payer] -= paid.points
                    gains[konger] += paid.points
    return gains


def _whole(rules: RuleSet, option: str) -> int:
    value = rules.get(option)
    assert isinstance(value, int)
    return value


def _robbed(game: Finished, answer: dict[str, Any], section: str) -> Liability | None:
    if answer["liable"] is None:
        return None
    return Liability(answer["liable"], section, None, None, note("liable.rob_kong"))


# ---- patterns ----------------------------------------------------------------------------------------------


def explain_patterns(game: Finished, answer: dict[str, Any]) -> Score:
    """Explain a win of Hongxin."""
    rules, seat = game.rules, game.seats[game.winner]
    pattern = next(name for name in PATTERNS if name in answer["types"])
    natural, wild = seat.split(game.laizi, answer["hard"])
    groups = _must(groups_of(pattern, seat, natural, wild), pattern)
    types = tuple(answer["types"])
    reading = Reading(
        game.winner, game.tile, answer["hard"], PATTERNS[pattern], types, groups, seat.melds, game.laizi
    )
    common = one(rules, f"value.{pattern}", adds=True)
    common += one(rules, "score.stake", count=rules.get("score.stake") != 1)
    for name in FACTORS:
        common += one(rules, f"factor.{name}", "winner", game.winner, name in types)
    common += one(rules, "factor.feibao", "winner", game.winner, seat.wild_discards)
    common += one(rules, "factor.touji", "winner", game.winner, game.skipped)
    self_draw = game.source == "self_draw"
    shares = []
    for number in range(len(game.seats)):
        if number != game.winner:
            own: list[Factor] = one(rules, "factor.self_draw", "loser", number, self_draw)
            own += one(rules, "factor.discarder", "loser", number, number == game.loser)
            factors = (*common, *own)
            least = answer["owed"][number] > owed(factors)
            limit = f"least.{game.first}" if least else None
            shares.append(Share(number, factors, owed(factors), answer["owed"][number], limit))
    return Score(answer, game, reading, game.winner, None, tuple(shares), _robbed(game, answer, "8"))
