"""Who wins, and what it pays, in Hongzhong and Hongxin: RULES.md sections 7 and 8 by brute force in Python.

`judge` takes a case (RULES.md section 10) and a mapping of option values, of any model; cases are taken to be
possible ones. In Hongzhong the wildcard is C, in Hongxin it is the bao.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations_with_replacement
from math import prod

from oracle import KINDS, RED, SUITS, parse
from oracle_points import Case, Options, Seat, decompositions, read_seat, refused, with_tile, without
from oracle_points import judge as judge_factors

# The patterns in the order that decides between equals.
PATTERNS = (
    *("pinghu", "pengpenghu", "qidui", "haohuaqidui", "shisanlang", "qixingshisanlang", "jiuyao"),
    "qixingjiuyao",
)
HONOURS = frozenset(SUITS[3])
ENDS = HONOURS.union(kind for suit in SUITS[:3] for kind in (suit[0], suit[-1]))


def is_open(options: Options, seat: Seat) -> bool:
    """Whether the hand is open enough to win."""
    opening = ["chow", "pung", "added_kong"]
    if options["win.open_melds"] == "chow_pung_kong":
        opening.append("direct_kong")
    return options["win.open_melds"] == "none" or seat.count(*opening) > 0


def split(seat: Seat, wildcard: int | None) -> tuple[tuple[int, ...], int]:
    """The concealed tiles that stand for themselves, and the number of wildcards."""
    natural = tuple(tile for tile in seat.concealed if tile != wildcard)
    return natural, len(seat.concealed) - len(natural)


# Shapes without sets: 14 concealed tiles, wildcards filling


def pairings(natural: Sequence[int], wild: int) -> Iterator[list[int]]:
    """Every way to make seven pairs: the kinds of the pairs, four alike being two pairs."""
    odd = [kind for kind in set(natural) if natural.count(kind) % 2]
    if len(natural) + wild == 14 and len(odd) <= wild:
        pairs = [kind for kind in KINDS for _ in range((natural.count(kind) + 1) // 2)]
        for more in combinations_with_replacement(KINDS, (wild - len(odd)) // 2):
            yield [*pairs, *more]


def stand_apart(one: int, other: int) -> bool:
    """Whether two kinds may lie together in thirteen lan."""
    same_suit = any(one in suit and other in suit for suit in SUITS[:3])
    return one != other and (not same_suit or abs(one - other) >= 3)


def lan_honours(natural: Sequence[int], wild: int) -> set[int]:
    """How many kinds of honours a thirteen lan of these tiles may have; empty where there is none."""
    if len(natural) + wild != 14:
        return set()
    if any(not stand_apart(one, other) for i, one in enumerate(natural) for other in natural[:i]):
        return set()
    found = set()

    def fill(tiles: tuple[int, ...], left: int, lowest: int) -> None:
        if left == 0:
            found.add(len(HONOURS.intersection(tiles)))
            return
        for kind in range(lowest, 34):
            if all(stand_apart(kind, tile) for tile in tiles):
                fill((*tiles, kind), left - 1, kind + 1)

    fill(tuple(natural), wild, 0)
    return found


@lru_cache(2**17)  # a million hands would fill the memory
def patterns(
    natural: tuple[int, ...], wild: int, melds: tuple[str, ...], shapes: frozenset[str]
) -> frozenset[str]:
    """Every pattern that tiles and melds of these kinds show; a narrow one does not shut out its wide one."""
    found = set()
    if "standard" in shapes:
        for triplets, _ in decompositions(natural, wild, 4 - len(melds), 1):
            found |= {"pinghu", "pengpenghu"} if triplets and "chow" not in melds else {"pinghu"}
    if melds:
        return frozenset(found)
    if "seven_pairs" in shapes:
        for pairs in pairings(natural, wild):
            found |= {"qidui", "haohuaqidui"} if len(set(pairs)) < 7 else {"qidui"}
    if "thirteen_lan" in shapes:
        for honours in lan_honours(natural, wild):
            found |= {"shisanlang", "qixingshisanlang"} if honours == 7 else {"shisanlang"}
    if "nine_yao" in shapes and ENDS.issuperset(natural):
        missing = len(HONOURS.difference(natural))
        found |= {"jiuyao", "qixingjiuyao"} if missing <= wild else {"jiuyao"}
    return frozenset(found)


# Section 7


def kong_points(options: Options, seats: Sequence[Seat], robbed: tuple[int, int] | None) -> list[int]:
    """What kongs move; `robbed` is the seat and the kind of a kong that does not stand."""
    moved = [0] * len(seats)

    def pay(payer: int, konger: int, points: int) -> None:
        moved[payer] -= points * options["points.multiple"] * options["score.stake"]
        moved[konger] += points * options["points.multiple"] * options["score.stake"]

    for konger, seat in enumerate(seats):
        opponents = [other for other in range(len(seats)) if other != konger]
        for meld in seat.melds:
            for opponent in opponents:
                if meld.kind == "direct_kong":
                    assert meld.feeder is not None
                    pay(meld.feeder, konger, options["points.kong_direct"])
                elif meld.kind == "added_kong" and (konger, meld.tiles[0]) != robbed:
                    pay(opponent, konger, options["points.kong_added"])
                elif meld.kind == "concealed_kong":
                    pay(opponent, konger, options["points.kong_concealed"])
    return moved


def judge_codes(case: Case, options: Options) -> Case:
    """The answer of RULES.md section 10 for a case of the model `codes`."""
    seats = [read_seat(player) for player in case["players"]]
    win = case["win"]
    winner, loser, tile = win["winner"], win.get("from"), parse(win["tile"])[0]
    if win["source"] == "discard":
        return refused("no_discard_win")
    robbing = win["source"] == "rob_kong"
    if robbing:
        seats[winner] = with_tile(seats[winner], tile)
    if not is_open(options, seats[winner]):
        return refused("not_open")
    natural, wild = split(seats[winner], RED)
    melds = tuple(meld.kind for meld in seats[winner].melds)
    found = patterns(natural, wild, melds, frozenset(options["win.shapes"]))
    if not found:
        return refused("no_shape")

    codes = [parse(code)[0] for code in case.get("codes", [])]
    if options["codes.all_in"]:
        hits = None
        added = 10 if codes[0] == RED else codes[0] % 9 + 1
    else:
        hits = sum(code == RED or code % 9 + 1 in (1, 5, 9) for code in codes)
        added = hits * options["codes.hit_points"]
    share = (options["points.base"] + added) * options["points.multiple"] * options["score.stake"]
    kongs = kong_points(options, seats, (loser, tile) if robbing else None)
    liable = loser if robbing else None
    deltas = list(kongs)
    for seat in range(len(seats)):
        if seat != winner:
            deltas[seat if liable is None else liable] -= share
            deltas[winner] += share
    return {
        "wins": True,
        "why_not": None,
        "types": sorted(
            ["pinghu" if found & {"pinghu", "pengpenghu"} else "qidui"] + (["qianggang"] if robbing else [])
        ),
        "hits": hits,
        "owed": [0 if seat == winner else share for seat in range(len(seats))],
        "kongs": kongs,
        "liable": liable,
        "deltas": deltas,
    }


# Section 8


@dataclass(frozen=True)
class Way:
    """One reading with one pattern, and the names of the factors that apply."""

    pattern: str
    hard: bool
    factors: tuple[str, ...]


def bao_after(indicator: int) -> int:
    """The bao that an indicator points to."""
    rings = [*(list(suit) for suit in SUITS[:3]), parse("ESWN"), parse("CFP")]
    ring = next(ring for ring in rings if indicator in ring)
    return ring[(ring.index(indicator) + 1) % len(ring)]


def hangs_on_bao(before: Seat, bao: int) -> bool:
    """Whether one bao taken away leaves complete sets (the state baodiaotou)."""
    natural, wild = split(before, bao)
    return wild > 0 and bool(decompositions(natural, wild - 1, 4 - len(before.melds), 0))


def judge_patterns(case: Case, options: Options) -> Case:
    """The answer of RULES.md section 10 for a case of the model `patterns`."""
    bao = bao_after(parse(case["indicator"])[0])
    seats = [read_seat(player) for player in case["players"]]
    win = case["win"]
    winner, loser, tile, source = win["winner"], win.get("from"), parse(win["tile"])[0], win["source"]
    held = seats[winner].concealed.count(bao) + seats[winner].wild_discards  # without a claimed one
    assert case["players"][winner].get("bao_had", held) == held

    if source == "discard" and not options["claims.discard_win"]:
        return refused("no_discard_win")
    jiebao = source == "discard" and tile == bao
    if jiebao and held < 3:
        return refused("bao_not_claimable")
    if source == "self_draw":
        after = seats[winner]
        before = replace(after, concealed=without(after.concealed, [tile]))
    else:
        before, after = seats[winner], with_tile(seats[winner], tile)
    if not is_open(options, after):
        return refused("not_open")

    melds = tuple(meld.kind for meld in after.melds)
    shapes = frozenset(options["win.shapes"])
    shown = [(pattern, True) for pattern in patterns(*split(after, None), melds, shapes)]
    if bao in after.concealed:
        shown += [(pattern, False) for pattern in patterns(*split(after, bao), melds, shapes)]
    if not shown:
        return refused("no_shape")
    if source == "discard" and not jiebao:
        shown = [(pattern, hard) for pattern, hard in shown if hard]
    if not shown:
        return refused("wild_on_discard")

    skipped, flown = win.get("skipped", 0), after.wild_discards
    ways = []
    for pattern, hard in shown:
        applied = {
            "wubao": hard,
            "gangkai": win.get("after_kong", False),
            "qianggang": source == "rob_kong",
            "jiebao": jiebao,
            "dandiao": len(before.melds) == 4,
            "sigebao": held == 4,
        }
        if source == "self_draw" and pattern in ("pinghu", "pengpenghu") and hangs_on_bao(before, bao):
            name = "baodiaotou"
            if skipped and hard:
                name = "baodiaowubao"
            elif skipped and tile == bao:
                name = "baodiaobao"
            applied[name] = True
        ways.append(Way(pattern, hard, tuple(name for name, applies in applied.items() if applies)))

    def shares(way: Way) -> dict[int, int]:
        points = options[f"value.{way.pattern}"] * prod(options[f"factor.{name}"] for name in way.factors)
        points *= options["factor.feibao"] ** flown * options["factor.touji"] ** skipped
        points *= options["score.stake"]
        if source == "self_draw":
            points *= options["factor.self_draw"]
        return {
            seat: points * (options["factor.discarder"] if seat == loser else 1)
            for seat in range(len(seats))
            if seat != winner
        }

    def rank(way: Way) -> tuple[int, ...]:
        return (
            sum(shares(way).values()),
            options[f"value.{way.pattern}"],
            way.hard,
            -PATTERNS.index(way.pattern),
        )

    best = max(ways, key=rank)
    owed = shares(best)
    first = win.get("first")
    if first:
        least = options[f"least.{first}"] * options["score.stake"]
        owed = {seat: max(share, least) for seat, share in owed.items()}
    liable = loser if source == "rob_kong" else None
    deltas = [0] * len(seats)
    for seat, share in owed.items():
        deltas[seat if liable is None else liable] -= share
        deltas[winner] += share
    return {
        "wins": True,
        "why_not": None,
        "types": sorted([best.pattern, *best.factors, *([first] if first else [])]),
        "hard": best.hard,
        "owed": [owed.get(seat, 0) for seat in range(len(seats))],
        "liable": liable,
        "deltas": deltas,
    }


def judge(case: Case, options: Options) -> Case:
    """The answer of RULES.md section 10 for a case of any model."""
    models = {"factors": judge_factors, "codes": judge_codes, "patterns": judge_patterns}
    return models[options["score.model"]](case, options)
