"""RULES.md sections 1 to 6 clause by clause: answers reckoned by hand, asked of the oracle and the engine."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from option_table import PRESETS
from oracle import NAMES, parse
from oracle_points import Case, following, judge, skins
from wuhan_core.scoring import score_case

# In these cases seat 0 wins, seat 3 deals, the indicator is E and the wildcard S. The others hold p, W and N
# and have no factors of their own: a share is the winner's factor, twice that for the dealer of a small win.

OTHERS = ("11335577799pWN", "22446688899pWN", "11334455668pWN")
NO_WINDS: dict[int, Case] = {seat: {"hand": f"{OTHERS[seat - 1][:-2]}{seat}{seat}s"} for seat in (1, 2, 3)}
PUNG: Case = {"kind": "pung", "tiles": "999s", "from": 2}
CHOW: Case = {"kind": "chow", "tiles": "678s", "from": 3}
# three pungs in one suit, fed by seats 1, 2 and 3
FED: list[Case] = [
    {"kind": "pung", "tiles": f"{rank * 3}m", "from": seat} for seat, rank in enumerate("137", 1)
]
NO_MINIMUM = {"win.minimum": "none"}
EACH_PAYER = {"win.minimum": "each_payer"}


def case(
    hand: str,
    *melds: Case,
    win: Case,
    rules: str = "yuanhang",
    indicator: str = "E",
    dealer: int = 3,
    others: dict[int, Case] | None = None,
    **own: int,
) -> Case:
    """Seat 0's hand with its melds and counts; `others` replaces or adds to what another seat has."""
    players: list[Case] = [{"hand": hand, "melds": list(melds)} | own]
    for seat, other in enumerate(OTHERS, 1):
        players.append({"hand": other, "melds": []} | (others or {}).get(seat, {}))
    win = {"winner": 0} | win
    return {"rules": rules, "indicator": indicator, "dealer": dealer, "players": players, "win": win}


Answer = Callable[..., Case]


@pytest.fixture(params=["oracle", "engine"])
def answer(request: pytest.FixtureRequest) -> Answer:
    """How one of the two scorers answers a case under options."""

    def judged(case: Case, options: Case | None = None) -> Case:
        return judge(case, PRESETS[case["rules"]] | (options or {}))

    def scored(case: Case, options: Case | None = None) -> Case:
        return score_case(case | {"set": options or {}})

    return judged if request.param == "oracle" else scored


def discard(tile: str, seat: int = 1) -> Case:
    return {"tile": tile, "source": "discard", "from": seat}


def draw(tile: str, **more: bool) -> Case:
    return {"tile": tile, "source": "self_draw"} | more


def rob(tile: str) -> Case:
    return {"tile": tile, "source": "rob_kong", "from": 1}


def konger(hand: str, **more: int) -> dict[int, Case]:
    """Seat 1 with its added kong of 5s, made of a pung from seat 2."""
    return {1: {"hand": hand, "melds": [{"kind": "added_kong", "tiles": "5555s", "from": 2}]} | more}


# Section 1 and 2


def test_s1_skins_and_s2_wildcard_kinds() -> None:
    def skin(indicator: str, n: int) -> str:
        return " ".join(NAMES[kind] for kind in sorted(skins(NAMES.index(indicator), n)))

    assert (skin("1m", 2), skin("E", 2), skin("4s", 1), skin("4s", 0)) == ("1m 9m", "E P", "4s", "")
    assert (skin("C", 1), skin("C", 2), skin("F", 2)) == ("", "N", "N F")
    assert "".join(NAMES[following(NAMES.index(kind))] for kind in "ESWNFPC") == "SWNFPEF"
    assert NAMES[following(parse("9p")[0])] == "1p"


def test_s2_wildcard_stands_for_a_fifth_copy(answer: Answer) -> None:
    hand = case("1111444666mS", PUNG, win=draw("1m"))  # 111 and 1S, or 11 and 11S
    assert answer(hand)["types"] == ["pengpenghu"]


def test_s2_wildcard_stands_for_a_red_skin(answer: Answer) -> None:
    # skins of 4m are 4m and 3m, the wildcard is 5m: 12m waits for 3m, which nobody may hold
    pung = {"kind": "pung", "tiles": "999s", "from": 2}
    hand = case("125m789m11122s", pung, win=draw("2s"), rules="qipi", indicator="4m")
    assert answer(hand, NO_MINIMUM)["types"] == ["pihu"]


# Section 3


def test_s3_check_0_wildcard_discarded_cannot_be_won_on(answer: Answer) -> None:
    assert answer(case("123456m789m5s", PUNG, win=discard("S")))["why_not"] == "tile_not_claimable"


def test_s3_check_1_red_dragon_in_hand(answer: Answer) -> None:
    assert answer(case("123456m78m55sC", PUNG, win=draw("C")))["why_not"] == "holds_kong_tile"


def test_s3_check_1_skin_is_red_in_qipi_only(answer: Answer) -> None:
    hand = case("123456789mPP", PUNG, win=draw("1m"))  # skins of the indicator E: E and P
    assert answer(hand | {"rules": "qipi"})["why_not"] == "holds_kong_tile"
    assert answer(hand | {"rules": "bianfeng-new"})["why_not"] == "head_not_258"


@pytest.mark.parametrize(
    ("kind", "open_melds", "why_not"),
    [
        ("concealed_kong", "chow_pung_kong", "not_open"),
        ("direct_kong", "chow_pung", "not_open"),
        ("direct_kong", "chow_pung_kong", None),
        ("added_kong", "chow_pung", None),
        ("concealed_kong", "none", None),
    ],
)
def test_s3_check_2_what_opens_a_hand(
    answer: Answer, kind: str, open_melds: str, why_not: str | None
) -> None:
    kong: Case = {"kind": kind, "tiles": "9999s"}
    if kind != "concealed_kong":
        kong["from"] = 2
    hand = case("123456789m55s", kong, win=draw("1m"))
    assert answer(hand, NO_MINIMUM | {"win.open_melds": open_melds})["why_not"] == why_not


def test_s3_check_3_all_258_needs_no_sets(answer: Answer) -> None:
    hand = case("22588m25588sS", {"kind": "pung", "tiles": "555m", "from": 1}, win=draw("2m"))
    assert answer(hand)["types"] == ["jiangyise"]
    assert answer(hand, {"win.shapes": ["standard", "all_winds"]})["why_not"] == "no_shape"
    spoiled = case("22588m25588sS", {"kind": "pung", "tiles": "777m", "from": 1}, win=draw("2m"))
    assert answer(spoiled)["why_not"] == "no_shape"


def test_s3_check_3_all_winds_needs_no_sets(answer: Answer) -> None:
    pung = {"kind": "pung", "tiles": "FFF", "from": 1}
    hand = case("EEWWNNPPPFS", pung, win=draw("E"), others=NO_WINDS)
    assert answer(hand)["types"] == ["fengyise"]
    assert answer(hand)["hard"]  # S is a wind itself
    assert answer(hand, {"win.shapes": ["standard", "all_258"]})["why_not"] == "no_shape"


def test_s3_check_4_pair_of_two_wildcards_is_258_beside_another_tile_not(answer: Answer) -> None:
    two = {"win.small_wild_max": 2} | NO_MINIMUM
    assert answer(case("123456789mSS", PUNG, win=draw("1m")), two)["wins"]
    assert answer(case("123456789mFS", PUNG, win=draw("1m")), two)["why_not"] == "head_not_258"
    assert answer(case("123456789m8sS", PUNG, win=draw("1m")), two)["wins"]


def test_s3_check_4_big_type_frees_the_pair(answer: Answer) -> None:
    hand = case("11122233399m", PUNG, win=draw("1m"))
    assert answer(hand)["types"] == ["pengpenghu"]
    assert answer(hand, {"win.head_258_free": []})["why_not"] == "head_not_258"
    assert answer(hand, {"win.head_258_free": "all"})["types"] == ["pengpenghu"]


def test_s3_check_4_pungs_split_with_a_wrong_pair_lends_nothing_to_a_run_split(answer: Answer) -> None:
    # 111 222 333 and 4S, or 22, 111, 234 and 33S
    hand = case("1112223334mS", PUNG, win=draw("1m"))
    assert answer(hand)["types"] == ["pengpenghu"]
    assert answer(hand, NO_MINIMUM | {"win.head_258_free": []})["types"] == ["pihu"]


def test_s3_check_5_small_win_with_two_wildcards_in_whatever_role(answer: Answer) -> None:
    hand = case("123456m55sSSS", PUNG, win=draw("1m"))
    assert answer(hand, NO_MINIMUM)["why_not"] == "too_many_wild"
    found = answer(hand, NO_MINIMUM | {"win.small_wild_max": 3})
    # SSS as themselves: hard 2, open 2, self-draw 2
    assert (found["hard"], found["owed"]) == (True, [0, 8, 8, 16])


def test_s3_fewer_types_bring_more_where_golden_lies_below_the_shares(answer: Answer) -> None:
    hand = case("222333444m55s", PUNG, win=draw("2m"))
    assert answer(hand)["types"] == ["pengpenghu"]
    # pungs: 60 each, golden, 15 in all; runs: 8 + 8 + 16
    found = answer(hand, NO_MINIMUM | {"cap.per_payer": 50, "cap.golden": 5})
    assert (found["types"], found["capped"], found["golden"]) == (["pihu"], [0, 8, 8, 16], False)


def test_s3_wildcards_are_assigned_for_the_most_points(answer: Answer) -> None:
    # with S as 2m or 1m: 234 234 33 ..., with S as 4m: four triplets
    hand = case("222333m44m55sS", PUNG, win=draw("2m"))
    assert answer(hand)["types"] == ["pengpenghu"]


def test_s3_three_wildcards_are_a_chow_where_that_pays_more(answer: Answer) -> None:
    hand = case("111333m55sSSS", PUNG, win=draw("1m"))
    rich = NO_MINIMUM | {"score.small_base": 1000, "win.small_wild_max": 4, "cap.per_payer": 0}
    assert answer(hand)["types"] == ["pengpenghu"]
    found = answer(hand, rich)
    assert (found["types"], found["hard"], found["owed"]) == (["pihu"], False, [0, 4000, 4000, 8000])


def test_s3_quanqiuren(answer: Answer) -> None:
    melds = [PUNG, CHOW, *({"kind": "pung", "tiles": tiles, "from": 1} for tiles in ("111m", "333m"))]
    assert answer(case("5m", *melds, win=discard("5m")))["types"] == ["quanqiuren"]
    assert answer(case("9m", *melds, win=discard("9m")))["why_not"] == "head_not_258"
    assert answer(case("S", *melds, win=discard("9m")))["why_not"] == "head_not_258"
    assert answer(case("S", *melds, win=discard("8m")))["types"] == ["quanqiuren"]
    drawn = case("55m", *melds, win=draw("5m"))
    assert answer(drawn)["types"] == ["pihu"]
    assert answer(drawn, {"win.quanqiuren_self_draw": True})["types"] == ["quanqiuren"]


def test_s3_quanqiuren_with_another_pair_beside_another_big_type(answer: Answer) -> None:
    melds = [{"kind": "pung", "tiles": tiles, "from": 1} for tiles in ("111m", "333m", "777m", "999s")]
    hand = case("9m", *melds, win=discard("9m"))
    assert answer(hand)["types"] == ["pengpenghu", "quanqiuren"]
    assert answer(hand | {"rules": "bianfeng"})["types"] == ["pengpenghu"]


def test_s3_two_258_tiles_that_are_no_pair_are_no_quanqiuren(answer: Answer) -> None:
    melds = [{"kind": "pung", "tiles": tiles, "from": 1} for tiles in ("222m", "555m", "888m", "222s")]
    assert answer(case("5s", *melds, win=discard("8s")))["types"] == ["jiangyise"]
    assert answer(case("8s", *melds, win=discard("8s")))["types"] == ["jiangyise", "pengpenghu", "quanqiuren"]


def test_s3_qianggang_is_big_by_option(answer: Answer) -> None:
    hand = case("123456m46s22s", PUNG, win=rob("5s"), others=konger("1133557799p"))
    assert answer(hand)["types"] == ["pihu"]
    assert answer(hand | {"rules": "laizigang"})["types"] == ["qianggang"]


# Section 4


SMALL = ("123456789m55s", PUNG)


def test_s4_small_self_draw(answer: Answer) -> None:
    # hard 2, open 2, self-draw 2; the dealer twice
    assert answer(case(*SMALL, win=draw("1m")), NO_MINIMUM)["owed"] == [0, 8, 8, 16]


def test_s4_small_discarder_doubles_only_that_loser(answer: Answer) -> None:
    hand = case("23456789m55s", PUNG, win=discard("1m"))
    assert answer(hand, NO_MINIMUM)["owed"] == [0, 8, 4, 8]
    assert answer(hand, NO_MINIMUM | {"score.small_discarder": 3.5})["owed"] == [0, 14, 4, 8]


def test_s4_small_dealer_wins(answer: Answer) -> None:
    hand = case(*SMALL, win=draw("1m"), dealer=0)
    assert answer(hand, NO_MINIMUM)["owed"] == [0, 16, 16, 16]


def test_s4_big_has_one_and_a_half_and_no_dealer(answer: Answer) -> None:
    assert answer(case("111222333m55s", PUNG, win=draw("1m")))["owed"] == [0, 60, 60, 60]
    assert answer(case("11222333m55s", PUNG, win=discard("1m")))["owed"] == [0, 60, 40, 40]


def test_s4_rounds_half_up_per_share_at_the_end(answer: Answer) -> None:
    options = {"score.big_base": 3, "score.hard": 1, "win.open_melds": "none"} | NO_MINIMUM
    found = answer(case("111222333m55777s", win=draw("1m")), options)  # 4.5 each
    assert (found["owed"], found["deltas"]) == ([0, 5, 5, 5], [15, -5, -5, -5])


def test_s4_the_minimum_is_not_met_by_rounding(answer: Answer) -> None:
    options = {"score.big_base": 13, "score.hard": 1, "win.open_melds": "none"}  # 19.5
    assert answer(case("111222333m55777s", win=draw("1m")), options)["why_not"] == "below_minimum"


@pytest.mark.parametrize(
    ("own", "factor"),
    [
        ({"red_kongs": 2}, 4),
        ({"wild_kongs": 1}, 4),
        ({"wild_discards": 2}, 4),
        ({"skin_kongs": 2}, 4),
    ],
)
@pytest.mark.parametrize("seat", [0, 2])
def test_s4_single_kongs_and_discarded_wildcards_double_both_sides(
    answer: Answer, own: Case, factor: int, seat: int
) -> None:
    options = NO_MINIMUM | {"wild.skin_kinds": 1, "score.kong_skin": 2, "cap.per_payer": 0}
    before = answer(case(*SMALL, win=draw("1m")), options)["owed"]
    more = own if seat == 0 else {"others": {seat: own}}
    after = answer(case(*SMALL, win=draw("1m"), **more), options)["owed"]
    assert after == [owed * factor if seat in (0, loser) else owed for loser, owed in enumerate(before)]


@pytest.mark.parametrize(
    ("rules", "kind", "factor"),
    [
        ("yuanhang", "pung", 2),
        ("yuanhang", "direct_kong", 2),  # no open meld here
        ("laizigang-koukou", "direct_kong", 4),
        ("yuanhang", "added_kong", 4),
        ("yuanhang", "concealed_kong", 4),
    ],
)
def test_s4_melds_of_a_loser(answer: Answer, rules: str, kind: str, factor: int) -> None:
    meld: Case = {"kind": kind, "tiles": "FFF" if kind == "pung" else "FFFF"}
    if kind != "concealed_kong":
        meld["from"] = 1
    hand = case(*SMALL, win=draw("1m"), rules=rules, others={2: {"hand": "2244668899p", "melds": [meld]}})
    assert answer(hand, NO_MINIMUM)["owed"][2] == 8 * factor


def test_s4_open_once_or_per_meld(answer: Answer) -> None:
    hand = case("123789m55s", PUNG, CHOW, win=draw("1m"))
    assert answer(hand, NO_MINIMUM)["owed"] == [0, 16, 16, 32]
    assert answer(hand, NO_MINIMUM | {"score.open": "once"})["owed"] == [0, 8, 8, 16]


def test_s4_big_types_double_or_add(answer: Answer) -> None:
    pung = {"kind": "pung", "tiles": "777m", "from": 2}
    hand = case("11122233355m", pung, win=draw("1m", after_kong=True), red_kongs=1)
    options = {"cap.per_payer": 0}
    assert answer(hand, options)["types"] == ["gangshanghua", "pengpenghu", "qingyise"]
    assert answer(hand, options)["owed"][1] == 10 * 4 * 2 * 2 * 2 * 1.5
    assert answer(hand, options | {"score.big_stacking": "add"})["owed"][1] == 10 * 3 * 2 * 2 * 2 * 1.5


def test_s4_fengyise_doubles_the_base(answer: Answer) -> None:
    pung = {"kind": "pung", "tiles": "PPP", "from": 2}
    hand = case("EEEWWWNNNFF", pung, win=draw("E"), indicator="1m", others=NO_WINDS)
    options = {"cap.per_payer": 0}
    assert answer(hand, options)["owed"][1] == 10 * 2 * 2 * 2 * 2 * 1.5  # two types, fengyise, open, hard
    assert answer(hand, options | {"score.fengyise": 1})["owed"][1] == 10 * 2 * 2 * 2 * 1.5


def test_s4_stake_multiplies_points_caps_and_minimum(answer: Answer) -> None:
    for options in ({}, NO_MINIMUM, NO_MINIMUM | {"cap.per_payer": 10}):
        for hand in (case(*SMALL, win=draw("1m")), case("111222333m55s", PUNG, win=draw("1m"))):
            one, five = answer(hand, options), answer(hand, options | {"score.stake": 5})
            assert one["why_not"] == five["why_not"]
            for name in ("owed", "capped", "deltas") if one["wins"] else ():
                assert five[name] == [5 * points for points in one[name]]


# Section 5


def test_s5_golden_is_a_fixed_sum_for_all_three(answer: Answer) -> None:
    options = {"score.hard": 16, "score.big_self_draw": 1, "score.kong_red": 3}
    hand = case("111222333m55s", PUNG, win=draw("1m"), others={2: {"red_kongs": 1}})
    found = answer(hand, options)  # 10, open 2, hard 16; a red kong 3
    assert (found["owed"], found["capped"], found["golden"]) == ([0, 320, 960, 320], [0, 400, 400, 400], True)
    assert found["deltas"] == [1200, -400, -400, -400]


def test_s5_a_share_below_the_cap_stays_and_nothing_is_golden(answer: Answer) -> None:
    options = {"win.open_melds": "none", "wild.skin_kinds": 1, "score.hard": 1, "score.big_self_draw": 1}
    options |= {"score.kong_red": 7, "score.wild_discard": 4, "score.kong_skin": 5}
    options |= {"score.kong_wild": 9, "score.kong_concealed": 10}
    kong = {"hand": "1133445566p", "melds": [{"kind": "concealed_kong", "tiles": "PPPP"}], "wild_kongs": 1}
    others: dict[int, Case] = {
        1: {"red_kongs": 1, "wild_discards": 1},
        2: {"red_kongs": 1, "skin_kongs": 1},
        3: kong,
    }
    found = answer(case("111222333m55777s", win=draw("1m"), others=others), options)
    assert (found["owed"], found["capped"], found["golden"]) == (
        [0, 280, 350, 900],
        [0, 280, 300, 300],
        False,
    )


def test_s5_where_somebody_is_liable_nothing_is_golden(answer: Answer) -> None:
    options = {"score.hard": 16, "score.big_self_draw": 1, "score.kong_red": 3, "score.open": "once"}
    hand = case("22234m", *FED, win=draw("2m"), others={2: {"red_kongs": 1}})
    found = answer(hand, options)
    assert (found["owed"], found["capped"], found["golden"]) == (
        [0, 320, 960, 320],
        [0, 320, 400, 320],
        False,
    )
    assert found["deltas"] == [1040, 0, 0, -1040]


def test_s5_zero_switches_a_cap_off(answer: Answer) -> None:
    # two types 20, open 2, hard 2, wild kong 4, self-draw 1.5
    hand = case("111222333m55s", PUNG, win=draw("1m", after_kong=True), wild_kongs=1)
    for options, capped, golden in (
        ({}, 400, True),
        ({"cap.golden": 0}, 300, False),
        ({"cap.per_payer": 0}, 480, False),
        ({"cap.golden": 0, "cap.per_payer": 100}, 100, False),
    ):
        found = answer(hand, options)
        assert (found["owed"][1], found["capped"][1], found["golden"]) == (480, capped, golden)


def test_s5_minimum(answer: Answer) -> None:
    hand = case(*SMALL, win=draw("1m"))  # 8, 8, 16
    for asked, points, why_not in (
        ("any_payer", 16, None),
        ("any_payer", 17, "below_minimum"),
        ("each_payer", 8, None),
        ("each_payer", 9, "below_minimum"),
        ("none", 10000, None),
    ):
        assert answer(hand, {"win.minimum": asked, "win.minimum_points": points})["why_not"] == why_not


def test_s5_minimum_is_asked_of_a_big_win_and_after_caps(answer: Answer) -> None:
    hand = case("111222333m55s", PUNG, win=draw("1m"))  # 60 each
    assert answer(hand, {"win.minimum_points": 61})["why_not"] == "below_minimum"
    assert answer(hand, {"win.minimum_points": 60})["wins"]
    options = {"win.minimum_points": 60, "cap.per_payer": 59, "cap.golden": 0}
    assert answer(hand, options)["why_not"] == "below_minimum"


# Section 6


ROBBER = ("123456m46s22s", PUNG)


def test_s6_1_konger_that_no_kind_completes_pays_a_gangshanghua(answer: Answer) -> None:
    found = answer(case(*ROBBER, win=rob("5s"), others=konger("1133557799p")))
    # 10, added kong: open 2 and kong 2, hard 2, self-draw 1.5; the robber has opened
    assert found["owed"] == found["capped"] == [240, 0, 120, 120]
    assert (found["types"], found["hard"], found["liable"]) == (["pihu"], True, 1)
    assert found["deltas"] == [480, -480, 0, 0]


def test_s6_1_konger_that_holds_a_wildcard_is_not_hard(answer: Answer) -> None:
    found = answer(case(*ROBBER, win=rob("5s"), others=konger("113355779pS")))
    assert found["owed"] == [120, 0, 60, 60]


def test_s6_1_ready_konger_pays_its_best_kind(answer: Answer) -> None:
    # 7p or 9p makes four triplets besides: two big types
    found = answer(case(*ROBBER, win=rob("5s"), others=konger("FFFPPP7799p")))
    assert found["owed"] == [480, 0, 240, 240]
    assert found["capped"] == [400, 0, 240, 240]
    assert found["deltas"] == [880, -880, 0, 0]


def test_s6_1_minimum_is_asked_of_the_konger_s_shares(answer: Answer) -> None:
    hand = case(*ROBBER, win=rob("5s"), others=konger("1133557799p"))
    assert answer(hand, EACH_PAYER | {"win.minimum_points": 120})["wins"]
    assert answer(hand, EACH_PAYER | {"win.minimum_points": 121})["why_not"] == "below_minimum"


def test_s6_1_robber_hand_makes_the_konger_the_discarder_and_its_kong_a_pung(answer: Answer) -> None:
    hand = case(*ROBBER, win=rob("5s"), others=konger("1133557799p"))
    found = answer(hand, NO_MINIMUM | {"liability.rob_kong": "robber_hand"})
    assert found["owed"] == [0, 16, 4, 8]  # open 2, hard 2; konger open 2, discarder 2; dealer 2
    assert (found["liable"], found["deltas"]) == (1, [28, -28, 0, 0])


def test_s6_2_quanqiuren_on_a_258_discard(answer: Answer) -> None:
    melds = [PUNG, *FED]
    found = answer(case("5m", *melds, win=discard("5m", seat=2)))
    assert (found["types"], found["liable"]) == (["pengpenghu", "quanqiuren"], 2)
    assert answer(case("9m", *melds, win=discard("9m", seat=2)))["liable"] is None
    assert answer(case("5m", *melds, win=discard("5m")), {"liability.quanqiuren": "none"})["liable"] is None


def test_s6_2_quanqiuren_by_a_discarder_that_was_not_ready(answer: Answer) -> None:
    ready = {1: {"hand": "1237894422s", "melds": [{"kind": "pung", "tiles": "FFF", "from": 2}]}}
    closed = {1: {"hand": "1237894422sFFF"}}
    full = {1: {"hand": "1234445556s", "melds": [{"kind": "pung", "tiles": "FFF", "from": 2}]}}
    for others, liable in ((None, 1), (ready, None), (closed, 1), (full, None)):
        hand = case("5m", PUNG, *FED, win=discard("5m"), rules="bianfeng", others=others)
        assert answer(hand)["liable"] == liable


def test_s6_3_third_feeding_of_one_suit_also_on_a_self_draw(answer: Answer) -> None:
    hand = case("22m234m", *FED, win=draw("2m"))
    found = answer(hand)
    assert (found["types"], found["liable"]) == (["qingyise"], 3)
    assert found["owed"] == [0, 240, 240, 240]  # 10, open 8, hard 2, self-draw 1.5
    assert found["deltas"] == [720, 0, 0, -720]
    assert answer(hand, {"liability.third_meld": []})["liable"] is None


def test_s6_3_added_kong_keeps_its_place_and_feeder(answer: Answer) -> None:
    melds = [FED[0], FED[1], FED[2] | {"kind": "added_kong", "tiles": "7777m"}]
    assert answer(case("22m234m", *melds, win=draw("2m")))["liable"] == 3
    assert answer(case("22m234m", melds[2], melds[0], melds[1], win=draw("2m")))["liable"] == 2


def test_s6_3_concealed_kong_is_no_exposed_meld(answer: Answer) -> None:
    kong = {"kind": "concealed_kong", "tiles": "9999m"}
    assert answer(case("22m234m", FED[0], FED[1], kong, win=draw("2m")))["liable"] is None
    assert answer(case("22m", FED[0], kong, FED[1], FED[2], win=draw("2m")))["liable"] == 3
