"""When a hand wins: the clauses of RULES.md section 3 one by one."""

from __future__ import annotations

import pytest

from case_maker import QUAN, RAW, Case, make, refusal, robbed, small, types
from wuhan_core.scoring import score_case


def test_s3_0_the_tile_won_on_is_claimable() -> None:
    hand = "456m234p6755s"
    for tile in "S", "C":  # S is the wildcard
        assert refusal(make(hand, ["chow 123m 3"], tile, "discard", 1)) == "tile_not_claimable"
    for tile in "8p", "7p":
        case = make(hand, ["chow 123m 3"], tile, "discard", 1, rules="qipi", indicator="8p")
        assert refusal(case) == "tile_not_claimable"
        assert refusal(case | {"set": {"wild.skin_role": "optional"}}) == "no_shape"


def test_s7_no_discard_win_is_asked_first() -> None:
    options = RAW | {"claims.discard_win": False}
    case = make("456m234p6755s", ["chow 123m 3"], "S", "discard", 1, options=options)
    assert refusal(case) == "no_discard_win"
    assert refusal(small(options=options)) is None
    assert refusal(robbed("123m456p789p5s", options=options)) is None


def test_s3_1_a_red_dragon_or_a_red_skin_bars_the_win() -> None:
    assert refusal(make("12345m234p67855sC", [], "8s")) == "holds_kong_tile"
    assert (
        refusal(make("45m234p67855s8p", ["chow 123m 3"], "8s", rules="qipi", indicator="8p"))
        == "holds_kong_tile"
    )
    assert refusal(make("45m234p67855s8p", ["chow 123m 3"], "8s", indicator="8p")) == "no_shape"


@pytest.mark.parametrize(
    ("first", "counts_with"),
    [
        ("chow 123m 3", {"chow_pung", "chow_pung_kong", "none"}),
        ("pung 111m 1", {"chow_pung", "chow_pung_kong", "none"}),
        ("added_kong 1111m 1", {"chow_pung", "chow_pung_kong", "none"}),
        ("direct_kong 1111m 1", {"chow_pung_kong", "none"}),
        ("concealed_kong 1111m", {"none"}),
    ],
)
def test_s3_2_what_opens_a_hand(first: str, counts_with: set[str]) -> None:
    for value in ("none", "chow_pung", "chow_pung_kong"):
        case = make("456m234p67855s", [first], "8s", options=RAW | {"win.open_melds": value})
        assert refusal(case) == (None if value in counts_with else "not_open")


def test_s3_3_shapes_without_sets() -> None:
    hand = make("258m258p258s25p", ["pung 555m 1"], "2p", options=RAW)
    assert types(hand) == ["jiangyise"]
    assert refusal(hand | {"set": RAW | {"win.shapes": ["standard", "all_winds"]}}) == "no_shape"
    winds = make("EESWWNFFPNS", ["pung PPP 1"], "F", indicator="1m", options=RAW)
    assert types(winds) == ["fengyise"]
    assert refusal(winds | {"set": RAW | {"win.shapes": ["standard", "all_258"]}}) == "no_shape"
    assert refusal(make("258m258p258s25p", ["pung 111m 1"], "2p", options=RAW)) == "no_shape"
    assert refusal(small(options=RAW | {"win.shapes": ["all_winds", "all_258"]})) == "no_shape"


def test_s3_3_seven_pairs_are_no_shape() -> None:
    case = make("11447799m2233s66p", [], "6p", options=RAW | {"win.open_melds": "none"})
    assert refusal(case) == "no_shape"


@pytest.mark.parametrize(
    ("pair", "right"),
    [("55s", True), ("5sS", True), ("SS", True), ("99s", False), ("9sS", False), ("EE", False)],
)
def test_s3_4_the_pair_is_258(pair: str, right: bool) -> None:
    case = make(f"456m234p678s{pair}", ["chow 123m 3"], "4p", options=RAW | {"win.small_wild_max": 4})
    assert refusal(case) == (None if right else "head_not_258")


# a hand of each type whose pair is not 258 (all tiles of a jiangyise are)
WRONG_PAIRS: dict[str, Case] = {
    "pengpenghu": make("333m999p777s11s", ["pung 111m 3"], "1s"),
    "qingyise": make("45678999911m", ["chow 123m 3"], "1m"),
    "fengyise": make("WWWNNNFFFEE", ["pung PPP 3"], "W", indicator="1m"),
    "quanqiuren": make("9s", QUAN, "9s", "discard", 1),
    "gangshanghua": make(
        "456m234p67899s", ["chow 123m 3"], "8s", players={0: {"red_kongs": 1}}, after_kong=True
    ),
    "haidilao": make("456m234p67899s", ["chow 123m 3"], "8s", last_draw=True),
    "qianggang": make(
        "456m234p6799s", ["chow 123m 3"], "8s", "rob_kong", 1, players={1: {"melds": ["added_kong 8888s 3"]}}
    ),
}


@pytest.mark.parametrize("name", WRONG_PAIRS)
def test_s3_4_a_big_type_in_the_list_frees_the_pair(name: str) -> None:
    base = RAW | {
        "score.qianggang_is_big": True,
        "liability.rob_kong": "robber_hand",
        "win.shapes": ["standard"],
    }
    case = WRONG_PAIRS[name]
    shown = types(case | {"set": base | {"win.head_258_free": [name]}})
    assert name in shown
    others = [other for other in [*WRONG_PAIRS, "jiangyise"] if other not in shown]
    assert refusal(case | {"set": base | {"win.head_258_free": others}}) == "head_not_258"
    assert refusal(case | {"set": base | {"win.head_258_free": "all"}}) is None


def test_s3_5_a_small_win_with_too_many_wildcards() -> None:
    for most in range(5):
        options = RAW | {"win.small_wild_max": most}
        # S as 4p and 7s; and as themselves, "in whatever role"
        soft = make("456m23pS68sS55s", ["chow 123m 3"], "6s", options=options)
        hard = make("456m234pSSS55s", ["chow 123m 3"], "4p", options=options)
        assert refusal(soft) == (None if most >= 2 else "too_many_wild")
        assert refusal(hard) == (None if most >= 3 else "too_many_wild")
    assert types(make("33mS999p77sS55p", ["pung 111m 3"], "5p", options=RAW)) == ["pengpenghu"]


def test_s3_the_last_check_that_drops_a_decomposition_names_the_refusal() -> None:
    # as 222m 888m with 3m S for a pair: wrong pair; as 234m 888m 22m: right pair, too many wildcards
    case = make("2223888mS", ["pung EEE 1", "pung WWW 1"], "8m", indicator="E")
    strict = RAW | {"win.head_258_free": [], "win.small_wild_max": 0}
    assert refusal(case | {"set": strict}) == "too_many_wild"
    assert (
        refusal(case | {"set": strict | {"win.small_wild_max": 1, "win.minimum": "any_payer"}})
        == "below_minimum"
    )


def test_s3_a_type_counts_only_on_a_decomposition_that_passes_every_check() -> None:
    # 222m 888m and 3m S: pungs with a wrong pair; 234m 888m 22m: a right pair and a run
    case = make("2223888mS", ["pung EEE 1", "pung WWW 1"], "8m")
    assert types(case | {"set": RAW}) == ["pengpenghu"]
    assert types(case | {"set": RAW | {"win.head_258_free": []}}) == ["pihu"]


def test_s3_wildcards_stand_for_what_brings_most() -> None:
    # 22m S 33m S are two triplets or two runs
    case = make("22m33mSS55p", ["pung 999p 1", "pung 111s 1"], "5p", options=RAW)
    assert types(case) == ["pengpenghu"]
    # small: soft 1 x 4 x 2 = 8; S S S as a triplet of itself is hard, 16
    hard = make("SSS234p55p", ["chow 123m 3", "chow 456m 3"], "4p", options=RAW | {"win.small_wild_max": 4})
    assert score_case(hard)["hard"] is True
    # a soft qingyise (base 10) beats a hard small win
    hidden = make(
        "SSS789m55m", ["chow 123m 3", "chow 456m 3"], "9m", options=RAW | {"liability.third_meld": []}
    )
    assert (types(hidden), score_case(hidden)["hard"]) == (["qingyise"], False)


def test_s3_fewer_types_can_bring_more() -> None:
    # golden pays 5 each, less than the shares of the small win on runs: 8 16 8 (dealer seat 2)
    options = {"win.minimum": "none", "win.small_wild_max": 4, "cap.per_payer": 40, "cap.golden": 5}
    case = make("22m33mSS55p", ["pung 999p 1", "pung 111s 1"], "5p", options=options)
    answer = score_case(case)
    assert (answer["types"], answer["capped"], answer["golden"]) == (["pihu"], [0, 8, 16, 8], False)
    assert types(case | {"set": options | {"cap.golden": 40}}) == ["pengpenghu"]


def test_s3_of_equal_sums_after_caps_the_larger_before_caps_counts() -> None:
    # every share is capped at 1: hard and pengpenghu show in the shares before caps only
    options = {"win.minimum": "none", "cap.per_payer": 1, "cap.golden": 0}
    answer = score_case(make("SSS333m55p", ["pung 999p 1", "pung 111s 1"], "5p", options=options))
    assert (answer["types"], answer["hard"], sum(answer["capped"])) == (["pengpenghu"], True, 3)


def test_s3_of_equal_points_hard_and_then_more_types_count() -> None:
    flat = RAW | {"score.hard": 1, "win.small_wild_max": 4}
    answer = score_case(make("SSS234p55p", ["chow 123m 3", "chow 456m 3"], "4p", options=flat))
    assert answer["hard"] is True
    # pengpenghu and jiangyise on the triplets, jiangyise alone without sets: with a golden that levels them
    level = {"win.minimum": "none", "cap.per_payer": 1, "cap.golden": 1, "score.big_stacking": "add"}
    answer = score_case(make("222m888m555p22s", ["pung 555m 1"], "2s", options=level))
    assert answer["types"] == ["jiangyise", "pengpenghu"]


@pytest.mark.parametrize(
    ("hand", "melds", "tile", "expected"),
    [
        ("333m999p777s55p", ["pung 111m 3"], "5p", ["pengpenghu"]),
        (
            "777s55p",
            ["added_kong 1111m 3", "direct_kong 3333m 2", "concealed_kong 9999p"],
            "5p",
            ["pengpenghu"],
        ),
        ("333m999p678s55p", ["pung 111m 3"], "5p", ["pihu"]),
        ("45678999922m", ["chow 123m 3"], "2m", ["qingyise"]),
        ("4567899mSS22m", ["chow 123m 3"], "2m", ["qingyise"]),
        ("45678999922m", ["chow 123p 3"], "2m", ["pihu"]),
        ("WWWNNNFFFEE", ["pung PPP 3"], "W", ["fengyise", "pengpenghu"]),
        ("WWNNFFFEESS", ["pung PPP 3"], "W", ["fengyise", "pengpenghu"]),
        ("258m258p258s25p", ["pung 555m 1"], "2p", ["jiangyise"]),
        ("58m2258p258sSS", ["pung 555m 1"], "2p", ["jiangyise"]),
        ("222m888m555p22s", ["pung 555m 1"], "2s", ["jiangyise", "pengpenghu"]),
        ("222m888m5mSSS5m", ["pung 555p 1"], "2m", ["jiangyise", "pengpenghu"]),
    ],
)
def test_s3_types_by_tiles(hand: str, melds: list[str], tile: str, expected: list[str]) -> None:
    # hard wins bring no more here, so that a wildcard may stand for another tile
    assert types(make(hand, melds, tile, options=RAW | {"score.hard": 1})) == expected


def test_s3_qingyise_in_whatever_shape() -> None:
    case = make("22225558mSSS", ["pung 888m 1"], "5m", options=RAW)
    assert types(case) == ["jiangyise", "pengpenghu", "qingyise"]
    assert types(case | {"set": RAW | {"win.shapes": ["all_258"]}}) == ["jiangyise", "qingyise"]


def test_s3_quanqiuren() -> None:
    melds = ["chow 123m 3", "pung 333m 2", "direct_kong 9999p 3", "added_kong 7777s 1"]
    case = make("5s", melds, "5s", "discard", 1, options=RAW)
    assert types(case) == ["quanqiuren"]
    assert types(make("S", melds, "5s", "discard", 1, options=RAW)) == ["quanqiuren"]
    # on a self-draw only with the option
    drawn = make("55s", melds, "5s", options=RAW)
    assert types(drawn) == ["pihu"]
    assert types(drawn | {"set": RAW | {"win.quanqiuren_self_draw": True}}) == ["quanqiuren"]
    # four exposed melds: a concealed kong is none
    concealed = ["chow 123m 3", "pung 333m 2", "direct_kong 9999p 3", "concealed_kong 7777s"]
    assert types(make("5s", concealed, "5s", "discard", 1, options=RAW)) == ["pihu"]


def test_s3_quanqiuren_by_robbing() -> None:
    # no pair of natural tiles can be made with the fourth of its kind: S is the other 8s
    melds = ["chow 123m 3", "pung 333m 2", "direct_kong 9999p 3", "pung 777s 1"]
    case = make("S", melds, "8s", "rob_kong", 1, players={1: {"melds": ["added_kong 8888s 3"]}}, options=RAW)
    assert types(case) == ["quanqiuren"]


def test_s3_quanqiuren_with_another_pair() -> None:
    # 9s 9s after four pungs: with any_if_big pengpenghu lets the pair count
    case = make("9s", QUAN, "9s", "discard", 1)
    assert types(case | {"set": RAW}) == ["pengpenghu", "quanqiuren"]
    assert types(case | {"set": RAW | {"win.quanqiuren_head": "258"}}) == ["pengpenghu"]
    # with no other big type it is no quanqiuren, and the pair is wrong
    alone = make(
        "9s", ["chow 123m 3", *QUAN[1:]], "9s", "discard", 1, options=RAW | {"win.head_258_free": "all"}
    )
    assert refusal(alone) == "head_not_258"


def test_s3_two_258_tiles_that_are_no_pair_are_no_quanqiuren() -> None:
    melds = ["pung 222m 1", "pung 555m 2", "pung 888p 3", "pung 222s 1"]
    assert types(make("5s", melds, "8s", "discard", 1, options=RAW)) == ["jiangyise"]
    assert types(make("5s", melds, "5s", "discard", 1, options=RAW)) == [
        "jiangyise",
        "pengpenghu",
        "quanqiuren",
    ]


def test_s3_types_by_occasion() -> None:
    red: Case = {"players": {0: {"red_kongs": 1}}}
    assert types(small(options=RAW, **red)) == ["pihu"]
    assert types(small(options=RAW, after_kong=True, **red)) == ["gangshanghua"]
    assert types(small(options=RAW, last_draw=True)) == ["haidilao"]
    assert types(robbed("123m456p789p5s", options=RAW)) == ["pihu"]
    assert types(robbed("123m456p789p5s", options=RAW | {"score.qianggang_is_big": True})) == ["qianggang"]
