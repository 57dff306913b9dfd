"""Points of Hongzhong hands: RULES.md section 7 clause by clause, and the cases that cannot be."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest

from case_maker import Case, meld, owed, refusal, types
from machines import dealt
from wuhan_core._machine import Machine
from wuhan_core.rules import load_rules
from wuhan_core.scoring import CaseError, score_case
from wuhan_core.tiles import format_tiles, parse_tiles

PINGHU = "123m456p789s234s55p"  # without C, on the last 5p
QIDUI = "1133m5577p2244s66s"  # no four sets
NO_HITS = "2m3m4m6m"


def codes(text: str) -> list[str]:
    return [format_tiles([kind]) for kind in parse_tiles(text)]


def make(
    hand: str = PINGHU,
    tile: str = "5p",
    turned_up: str = NO_HITS,
    *,
    melds: Iterable[str] = (),
    source: str = "self_draw",
    loser: int | None = None,
    rules: str = "hongzhong",
    options: Case | None = None,
    players: dict[int, Case] | None = None,
    **win: Any,
) -> Case:
    """Build a case that seat 0 wins; the others' hands are dealt from the suited tiles left over."""
    given = {seat: dict((players or {}).get(seat, {})) for seat in range(2 if rules == "hongzhong-2p" else 4)}
    given[0] |= {"hand": hand, "melds": melds}
    seats: list[Case] = [
        {"hand": "", **player, "melds": [meld(text) for text in player.get("melds", ())]}
        for player in given.values()
    ]
    used = Counter(parse_tiles(turned_up + (tile if source == "discard" else "")))
    for player in seats:
        used.update(parse_tiles(player["hand"] + "".join(each["tiles"] for each in player["melds"])))
    rest = [kind for kind in range(27) for _ in range(4 - used[kind])]
    random.Random(0).shuffle(rest)
    for player in seats[1:]:
        while len(parse_tiles(player["hand"])) < 13 - 3 * len(player["melds"]):
            player["hand"] += format_tiles([rest.pop()])
    declared = {"winner": 0, "tile": tile, "source": source} | win
    if loser is not None:
        declared["from"] = loser
    case: Case = {"rules": rules, "dealer": 0, "players": seats, "codes": codes(turned_up), "win": declared}
    return case | ({"set": options} if options else {})


def robbed(hand: str = "123m46p789s234s99m", **more: Any) -> Case:
    """Build a win on 5p robbed from seat 1."""
    players = {1: {"melds": ["added_kong 5555p 3"]}} | more.pop("players", {})
    return make(hand, source="rob_kong", loser=1, players=players, **more)


def faults(case: Case) -> list[str]:
    with pytest.raises(CaseError) as caught:
        score_case(case)
    return caught.value.faults


# ---- tiles, seats, the wildcard ------------------------------------------------------------------


def test_s7_only_the_suits_and_c_are_in_the_game() -> None:
    assert faults(make("123m456p789s234sEE", tile="E")) == [
        "tiles of E = 2, must be none: deal.tiles = suits_red has the suits and C only"
    ]


def test_s7_two_seats() -> None:
    case = make(rules="hongzhong-2p")
    answer = score_case(case)
    assert (answer["owed"], answer["deltas"], answer["kongs"]) == ([0, 2], [2, -2], [0, 0])
    assert score_case(make(options={"deal.players": 2}, rules="hongzhong-2p")) == answer
    (fault,) = faults(case | {"players": case["players"] * 2})
    assert "has 4 players, must be 2" in fault
    assert faults(case | {"dealer": 2}) == ["dealer = 2, must be a whole number from 0 to 1"]


def test_s7_the_seat_before_is_reckoned_by_the_seats_of_the_game() -> None:
    case = make("456p789s234s55p", melds=["chow 123m 1"], rules="hongzhong-2p", options={"claims.chow": True})
    assert types(case) == ["pinghu"]
    case = make("456p789s234s55p", melds=["chow 123m 1"], options={"claims.chow": True})
    assert faults(case)[0].startswith("players[0].melds[0].from = 1, must be 3")


def test_s7_the_wildcard_is_c_without_an_indicator() -> None:
    assert types(make("123m456p789s23s55pC")) == ["pinghu"]
    assert types(make() | {"laizi": "C"}) == ["pinghu"]
    assert faults(make() | {"laizi": "5p"}) == ["laizi = '5p', must be C: with wild.kind = red"]
    (fault,) = faults(make() | {"indicator": "4p"})
    assert fault.startswith("indicator = '4p', must be absent")


def test_s7_c_helps_no_claim_and_no_kong() -> None:
    (fault,) = faults(make("123m456p789s55p", melds=["pung CCC 1"]))
    assert "has C, a wildcard, which is in no meld" in fault
    for name in "red_kongs", "wild_kongs", "skin_kongs":
        (fault,) = faults(make(players={2: {name: 1}}))
        assert fault.startswith(f"players[2].{name} = 1, must be 0 under score.model = codes")


def test_s7_c_may_be_discarded_and_is_counted() -> None:
    case = make(players={2: {"wild_discards": 4}})
    assert score_case(case) == score_case(make())
    (fault,) = faults(make(turned_up="2m3m4mC", players={2: {"wild_discards": 4}}))
    assert fault.startswith("tiles of C = 5")


# ---- winning -------------------------------------------------------------------------------------


def test_s7_no_win_on_a_discard_asked_first() -> None:
    for hand in "123m456p789s234s5p", "147m258p369s147s9p":
        assert refusal(make(hand, source="discard", loser=1)) == "no_discard_win"


@pytest.mark.parametrize(
    ("hand", "tile", "expected"),
    [
        (PINGHU, "5p", None),
        ("111333999m777s55p", "5p", None),
        ("456789m234678s11m", "1m", None),  # a suit is missing
        ("456789m234678s99s", "9s", None),
        ("147m258p369s147s55p", "5p", "no_shape"),
        ("123m456p789s23s55pC", "5p", None),
        ("123m456p789s2s55pCC", "5p", None),
        ("123m456p79s2s55pCCC", "5p", None),
        ("123m456p7s2s55pCCCC", "5p", None),
        ("147m258p369s5pCCCC", "5p", "no_shape"),
    ],
)
def test_s7_four_sets_and_any_pair_with_any_number_of_wildcards(
    hand: str, tile: str, expected: str | None
) -> None:
    assert refusal(make(hand, tile)) == expected


def test_s7_a_pair_of_wildcards() -> None:
    assert types(make("123m456p789s234sCC", tile="C", turned_up="2m3m4m6m")) == ["pinghu"]


def test_s7_no_opening_is_asked_unless_the_option_says_so() -> None:
    closed = {"win.open_melds": "chow_pung"}
    assert refusal(make()) is None
    assert refusal(make(options=closed)) == "not_open"
    assert refusal(make("456p789s234s55p", melds=["pung 111m 2"], options=closed)) is None
    assert refusal(make("456p789s234s55p", melds=["direct_kong 1111m 2"], options=closed)) == "not_open"
    assert (
        refusal(make(source="discard", loser=1, hand="123m456p789s234s5p", options=closed))
        == "no_discard_win"
    )


PAIRS = {"win.shapes": ["standard", "seven_pairs"]}


def test_s7_seven_pairs_where_the_option_has_them() -> None:
    assert refusal(make(QIDUI, "6s")) == "no_shape"
    assert types(make(QIDUI, "6s", options=PAIRS)) == ["qidui"]
    assert types(make(QIDUI, "6s", options={"win.shapes": ["seven_pairs"]})) == ["qidui"]
    assert refusal(make(options={"win.shapes": ["seven_pairs"]})) == "no_shape"


def test_s7_four_alike_count_as_two_pairs_and_wildcards_fill() -> None:
    only = {"win.shapes": ["seven_pairs"]}
    assert types(make("1133m5577p2222s66s", "6s", options=PAIRS)) == ["qidui"]
    assert types(make("1133m557p224sCC66s", "6s", options=PAIRS)) == ["qidui"]
    assert types(make("113m57p222sCCCC99s", "9s", options=only)) == ["qidui"]
    assert refusal(make("113m578p2249s9sCCC", "9s", options=only)) == "no_shape"


def test_s7_when_both_shapes_fit_it_is_pinghu() -> None:
    assert types(make("112233m556677p99s", "9s", options=PAIRS)) == ["pinghu"]


def test_s7_seven_pairs_have_no_meld() -> None:
    assert refusal(make("1133m5577p22sC", "2s", melds=["pung 999m 2"], options=PAIRS)) == "no_shape"


def test_s7_seven_pairs_robbed() -> None:
    assert types(robbed("1133m77p2244s66sC", options=PAIRS)) == ["qianggang", "qidui"]


# ---- codes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", [*codes("123456789m123456789p123456789s"), "C"])
def test_s7_ranks_1_5_9_and_c_are_hits(code: str) -> None:
    answer = score_case(make("345m678m345p678s55p", turned_up=code, options={"codes.count": 1}))
    hit = code[0] in "159C"
    assert (answer["hits"], answer["owed"]) == (hit, [0, 2 + 2 * hit, 2 + 2 * hit, 2 + 2 * hit])


def test_s7_every_hit_adds_to_what_each_loser_owes() -> None:
    answer = score_case(make(turned_up="1m9pC5s2m3m", options={"codes.count": 6}))
    assert (answer["hits"], answer["owed"], answer["deltas"]) == (4, [0, 10, 10, 10], [30, -10, -10, -10])
    assert owed(make(turned_up="1m9pC5s", options={"codes.hit_points": 7})) == [0, 30, 30, 30]
    assert owed(make(turned_up="", options={"codes.count": 0})) == [0, 2, 2, 2]
    assert score_case(make(turned_up="", options={"codes.count": 0}))["hits"] == 0


@pytest.mark.parametrize(("code", "rank"), [("1m", 1), ("5p", 5), ("9s", 9), ("7s", 7), ("C", 10)])
def test_s7_all_in_adds_the_rank_of_one_code(code: str, rank: int) -> None:
    answer = score_case(make("345m678m345p678s55p", turned_up=code, options={"codes.all_in": True}))
    assert (answer["hits"], answer["owed"]) == (None, [0, 2 + rank, 2 + rank, 2 + rank])


def test_s7_all_in_is_one_code_whatever_else_is_set() -> None:
    options = {"codes.all_in": True, "codes.count": 6, "codes.no_wild_extra": 4, "codes.hit_points": 50}
    assert owed(make(turned_up="7m", options=options)) == [0, 9, 9, 9]


def test_s7_more_codes_for_a_winner_without_c() -> None:
    extra = {"codes.no_wild_extra": 2}
    assert score_case(make(turned_up="1m2m3m4m5m9m", options=extra))["hits"] == 3
    with_c = "123m456p789s23s55pC"
    assert score_case(make(with_c, turned_up="1m2m3m4m", options=extra))["hits"] == 1
    assert faults(make(turned_up="1m2m3m4m", options=extra))[0].endswith("has 4 tiles, must be 6")
    assert faults(make(with_c, turned_up="1m2m3m4m5m9m", options=extra))[0].endswith("has 6 tiles, must be 4")
    # a discarded C is not held at the win
    case = make(turned_up="1m2m3m4m5m9m", options=extra, players={0: {"wild_discards": 1}})
    assert score_case(case)["hits"] == 3


# ---- points, kongs, robbing ----------------------------------------------------------------------


def test_s7_base_multiple_and_stake() -> None:
    hits: Case = {"turned_up": "1m2m3m9m"}  # 4 code points
    assert owed(make(**hits)) == [0, 6, 6, 6]
    assert owed(make(**hits, options={"points.base": 11})) == [0, 15, 15, 15]
    assert owed(make(**hits, options={"points.multiple": 3})) == [0, 18, 18, 18]
    assert owed(make(**hits, options={"score.stake": 100})) == [0, 600, 600, 600]
    assert owed(make(**hits, options={"points.base": 0, "codes.hit_points": 0})) == [0, 0, 0, 0]


OTHER = "456p789s234s55p"  # what PINGHU has beside one set


@pytest.mark.parametrize(
    ("kong", "moved"),
    [
        ("direct_kong 1111m 2", [3, 0, -3, 0]),
        ("added_kong 1111m 2", [3, -1, -1, -1]),
        ("concealed_kong 1111m", [6, -2, -2, -2]),
    ],
)
def test_s7_kongs_are_paid(kong: str, moved: list[int]) -> None:
    answer = score_case(make(OTHER, melds=[kong]))
    assert answer["kongs"] == moved
    assert answer["deltas"] == [win + paid for win, paid in zip([6, -2, -2, -2], moved, strict=True)]
    assert answer["owed"] == [0, 2, 2, 2]
    scaled = score_case(make(OTHER, melds=[kong], options={"points.multiple": 2, "score.stake": 10}))
    assert scaled["kongs"] == [20 * paid for paid in moved]


def test_s7_kongs_are_paid_also_when_someone_else_wins() -> None:
    players = {
        1: {"melds": ["direct_kong 1111s 2"]},
        3: {"melds": ["concealed_kong 8888m", "added_kong 9999m 0"]},
    }
    answer = score_case(make(players=players))
    assert answer["kongs"] == [-2 - 1, 3 - 2 - 1, -3 - 2 - 1, 6 + 3]
    assert sum(answer["deltas"]) == 0


def test_s7_a_direct_kong_is_paid_for_every_opponent() -> None:
    answer = score_case(make(OTHER, melds=["direct_kong 1111m 1"], rules="hongzhong-2p"))
    assert answer["kongs"] == [1, -1]
    answer = score_case(make(OTHER, melds=["concealed_kong 1111m"], rules="hongzhong-2p"))
    assert answer["kongs"] == [2, -2]


@pytest.mark.parametrize("kind", ["direct", "added", "concealed"])
def test_s7_each_kong_has_its_own_option(kind: str) -> None:
    melds = {
        "direct": "direct_kong 1111m 2",
        "added": "added_kong 1111m 2",
        "concealed": "concealed_kong 1111m",
    }
    for name, kong in melds.items():
        changed = score_case(make(OTHER, melds=[kong], options={f"points.kong_{kind}": 5}))
        assert changed["kongs"][0] == (15 if name == kind else {"concealed": 6}.get(name, 3))


def test_s7_robbing_an_added_kong() -> None:
    answer = score_case(robbed(turned_up="1m2m3m9m"))
    assert answer["types"] == ["pinghu", "qianggang"]
    assert answer["owed"] == [0, 6, 6, 6]
    assert answer["liable"] == 1
    assert answer["deltas"] == [18, -18, 0, 0]


def test_s7_a_robbed_kong_is_not_paid_but_the_others_of_the_konger_are() -> None:
    players = {1: {"melds": ["added_kong 6666s 3", "added_kong 5555p 3", "concealed_kong 8888m"]}}
    answer = score_case(robbed(players=players))
    assert answer["kongs"] == [-1 - 2, 3 + 6, -1 - 2, -1 - 2]
    assert answer["deltas"] == [6 - 3, -6 + 9, -3, -3]


def test_s7_robbing_needs_a_shape() -> None:
    assert refusal(robbed("1479m28p1344679s")) == "no_shape"


def test_s7_exhausted_hands_pay_for_kongs() -> None:
    rules = load_rules("hongzhong")
    price = {"direct_kong": 1, "added_kong": 1, "concealed_kong": 2}
    exhausted = konged = 0
    for number in range(400):
        machine = Machine(rules, dealt(rules, 5, number), 0, False, 5, number)
        while not machine.done:
            machine.step(machine.choose("random"))
        result = machine.result()
        assert result is not None
        if result["winner"] >= 0:
            continue
        moved = [0, 0, 0, 0]
        for seat, player in enumerate(machine.state()["seats"]):
            for kind, _, feeder in player["melds"]:
                for other in {0, 1, 2, 3} - {seat}:
                    points = price.get(kind, 0)
                    moved[seat] += points
                    moved[feeder if kind == "direct_kong" else other] -= points
        assert result["deltas"] == moved
        exhausted += 1
        konged += any(moved)
    assert exhausted > konged > 10


# ---- cases that cannot be ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, "codes = None, must be a list of tiles"),
        ("2m3m4m6m", "codes = '2m3m4m6m', must be a list of tiles"),
        (codes("234m"), "has 3 tiles, must be 4"),
        (codes("23456m"), "has 5 tiles, must be 4"),
        (["2m"] * 60, "has 60 tiles, must be 4"),
        (["2m", "3m", "4m", "66m"], "codes[3] = '66m', has 2 tiles, must be exactly one"),
        (["2m", "3m", "4m", 6], "codes[3] = 6, must be text"),
        (["2m", "3m", "4m", "6z"], "codes[3] = '6z': position 1"),
        (["2m", "3m", "4m", "E"], "tiles of E = 1, must be none"),
    ],
)
def test_s10_codes_that_cannot_be(value: object, expected: str) -> None:
    found = faults(make() | {"codes": value})
    assert any(expected in fault for fault in found), found


def test_s10_codes_count_among_the_four_of_a_kind() -> None:
    (fault,) = faults(make(turned_up="55p23m"))
    assert fault.startswith("tiles of 5p = 5")


def test_s10_codes_may_be_absent_where_none_are_turned_up() -> None:
    case = make(turned_up="", options={"codes.count": 0})
    del case["codes"]
    assert owed(case) == [0, 2, 2, 2]


def test_s10_chows_only_where_the_rules_have_them() -> None:
    case = make("456p789s234s55p", melds=["chow 123m 3"])
    assert faults(case) == ["players[0].melds[0].kind = 'chow', is not allowed by claims.chow = false"]
    assert types(case | {"set": {"claims.chow": True}}) == ["pinghu"]


def test_s10_there_is_no_last_round() -> None:
    (fault,) = faults(make(last_draw=True))
    assert fault.startswith("win.last_draw = True, must be false with deal.last_draws = 0")


def test_s10_the_answer_has_the_fields_of_hongzhong() -> None:
    assert set(score_case(make())) == {
        *("wins", "why_not", "types", "owed", "liable", "deltas", "hits", "kongs")
    }
    assert score_case(make("147m258p369s147s59p", "9p")) == {"wins": False, "why_not": "no_shape"}
