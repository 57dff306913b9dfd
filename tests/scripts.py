"""Short scripts of hands, one clause of RULES.md each; hand_logs.py says how to read them."""

from __future__ import annotations

from typing import Any

from option_table import HONGXIN as HONGXIN_VALUES
from option_table import HONGZHONG as HONGZHONG_VALUES
from wuhan_core.rules import RuleSet, load_rules

YUANHANG = load_rules("yuanhang")
LAIZIGANG = load_rules("laizigang")
QIPI = load_rules("qipi")
NEW = load_rules("bianfeng-new")
NO_LATE_KONG = YUANHANG.replace({"claims.kong_after_claim": False})
SHORT = LAIZIGANG.replace({"deal.dead_wall": 40})  # here "14 left" are 44, left after 38 draws more
ENDLESS = SHORT.replace({"deal.last_draws": 0})
HONGZHONG = RuleSet(HONGZHONG_VALUES)
ONE_MORE = HONGZHONG.replace({"codes.no_wild_extra": 1})
HONGXIN = RuleSet(HONGXIN_VALUES)

# What matters of the hands, by seat. The wildcard is 4s with indicator 3s, 4m with 3m; the bao is 1s with 9s.
ANY = ["", "", "", ""]
PLAIN = ["159pS9m", "46pWN", "55pSN", "2468m2479p68sEFP"]
PUNG = [*PLAIN[:2], "555p79mSWC", PLAIN[3]]
AFAR = [PLAIN[0], PLAIN[3], "46pW", ""]
RUNS = ["9m", "1p378m", "", ""]
WILD = ["4mC", "345m", "", ""]
SKINS = ["2s3s", "233sW", "", ""]
TRIPLET = ["", "333pW", "", ""]
LATE = ["", "C", "C", ""]
WAITS = ["", "33p11122255m34sW", "", ""]  # for 2s and 5s after a pung
# seat 0 pungs away all but two C
STUCK = ["11m22p33s55sCCESW", "CC", "", ""]
TO_STUCK = (
    "0 draw 8m; 0 discard 8m; 1 draw 1m; 1 discard 1m; 0 pung 1m 111m; 0 discard E;"
    "1 draw 2p; 1 discard 2p; 0 pung 2p 222p; 0 discard S; 1 draw 3s; 1 discard 3s; 0 pung 3s 333s;"
    "0 discard W; 1 draw 5s; 1 discard 5s; 0 pung 5s 555s; 0 discard C;"
)
# seat 0 pungs 5p and draws the fourth, for which seat 1 waits once it is open
ROB = ["55pW", "46p222m888s55s99pF", "", ""]
TO_ROB = (
    "0 draw 9p; 0 discard 9p; 1 pung 9p 999p; 1 discard F; 2 draw E; 2 discard E; 3 draw 5p; 3 discard 5p;"
    "0 pung 5p 555p; 0 discard W; pass 3; 0 draw 5p;"
)
# Hongxin: the same with two who wait
TWO = ["55pE", "46p111m222m333m99m", "46p222s333s444s99p", ""]
TO_TWO = (
    "0 draw 1p; 0 discard 1p; pass 2; 3 draw 5p; 3 discard 5p;0 pung 5p 555p; 0 discard E; pass 3; 0 draw 5p;"
)
# Hongzhong: the same after a concealed kong of seat 3, which is paid once
TWO_HZ = ["55p1m", "46p111m222m333m99m", "46p222s333s44s99pC", "8888m"]
TO_TWO_HZ = (
    "0 draw 1p; 0 discard 1p; pass 2; 3 draw 5p; 3 concealed 8m; 3 tail 1s; 3 discard 5p;"
    "0 pung 5p 555p; 0 discard 1m; pass 3; 0 draw 5p; 0 added 5p; 1 win 5p; 2 win 5p;"
)
SETS = ["111222333m44p55s", "", "", ""]
HANGS = ["1s111222333m444p", "", "", ""]  # a bao beside four sets
THREE = ["1s", "111s789m789p678s9p", "", ""]  # three bao, and any tile will do

Script = tuple[RuleSet, list[str], str, str]  # rules, hands, indicator, plays

SOUND: dict[str, Script] = {
    "s2_pung": (YUANHANG, PLAIN, "3s", "0 draw E; 0 discard 5p; 2 pung 5p 555p; 2 discard S; 3 draw 1m"),
    "s2_chow": (YUANHANG, PLAIN, "3s", "0 draw E; 0 discard 5p; 1 chow 5p 456p; 1 discard W; 2 draw 1m"),
    "s2_nobody_claims": (YUANHANG, PLAIN, "3s", "0 draw E; 0 discard 5p; 1 draw 1m; 1 discard 1m; 2 draw 9m"),
    "s2_red_kong": (YUANHANG, WILD, "3m", "0 draw E; 0 red C; 0 tail 9s; 0 discard E; 1 draw 1m"),
    "s2_wild_kong": (YUANHANG, WILD, "3m", "0 draw E; 0 wild 4m; 0 tail 9s; 0 discard E; 1 draw 1m"),
    "s2_wildcard_discarded": (YUANHANG, WILD, "3m", "0 draw E; 0 discard 4m; 1 draw 1m"),
    "s2_direct_kong": (YUANHANG, PUNG, "3s", "0 draw E; 0 discard 5p; 2 direct 5p; 2 tail 1m; 2 discard S"),
    "s2_concealed_kong": (
        YUANHANG,
        ["555p", *ANY[1:]],
        "3s",
        "0 draw 5p; 0 concealed 5p; 0 tail 1m; 0 discard 1m",
    ),
    "s2_red_kong_after_a_pung": (
        *(YUANHANG, PUNG, "3s"),
        "0 draw E; 0 discard 5p; 2 pung 5p 555p; 2 red C; 2 tail 1m; 2 discard S; 3 draw 1m",
    ),
    "s2_red_kong_after_a_direct_kong": (
        *(NO_LATE_KONG, PUNG, "3s"),
        "0 draw E; 0 discard 5p; 2 direct 5p; 2 tail 1m; 2 red C; 2 tail 9m; 2 discard S",
    ),
    "s2_added_kong_at_a_later_turn": (
        *(YUANHANG, PUNG, "3s"),
        "0 draw E; 0 discard 5p; 2 pung 5p 555p; 2 discard S; pass 3; 2 draw 1s; 2 added 5p; 2 tail 1m",
    ),
    "s2_added_kong_on_an_older_pung_after_a_claim": (
        *(YUANHANG, PUNG, "3s"),
        "0 draw E; 0 discard 5p; 2 pung 5p 555p; 2 discard S; pass 2; 1 draw 8m; 1 discard 8m;"
        "2 chow 8m 789m; 2 added 5p; 2 tail 1m",
    ),
    "s1_optional_skin_discarded_and_claimed": (
        *(NEW, SKINS, "3s"),
        "0 draw E; 0 discard 3s; 1 pung 3s 333s; 1 discard W",
    ),
    "s1_optional_skin_konged": (NEW, SKINS, "3s", "0 draw E; 0 skin 3s; 0 tail 1m; 0 discard E"),
    "s1_two_kinds_of_skins": (QIPI, SKINS, "3s", "0 draw E; 0 skin 3s; 0 tail 1m; 0 skin 2s; 0 tail 1p"),
    "s2_only_red_dragons_and_no_kong": (NO_LATE_KONG, STUCK, "9s", TO_STUCK + "1 draw 9p"),
    "s2_robbed_kong": (LAIZIGANG, ROB, "3s", TO_ROB + "0 added 5p; 1 win 5p"),
    "s2_kong_that_nobody_robs": (LAIZIGANG, ROB, "3s", TO_ROB + "0 added 5p; 0 tail 1s; 0 discard 1s"),
    "s2_kong_with_15_left": (
        SHORT,
        LATE,
        "3s",
        "0 draw E; 0 discard E; pass 36; 1 draw 2m; 1 red C; 1 tail 2m",
    ),
    "s2_last_round": (
        *(SHORT, ANY, "3s"),
        "0 draw E; 0 discard E; pass 38; 3 last 5p; 0 last 6p; 1 last 7p; 2 last 8p; exhausted",
    ),
    "s2_last_round_after_a_pung_with_14_left": (
        *(SHORT, TRIPLET, "3s"),
        "0 draw E; 0 discard E; pass 37; 2 draw 3p; 2 discard 3p; 1 pung 3p 333p; 1 discard W;"
        "2 last 5p; 3 last 6p; 0 last 7p; 1 last 8p; exhausted",
    ),
    "s2_no_last_round": (ENDLESS, ANY, "3s", "0 draw E; 0 discard E; pass 42; exhausted"),
    "s7_no_indicator_and_two_seats": (
        *(HONGZHONG.replace({"deal.players": 2}), ["", ""], ""),
        "0 draw C; 0 discard C; 1 draw 1m; 1 discard 1m; 0 draw 1p",
    ),
    "s7_exhausted_with_the_codes_left": (HONGZHONG, ANY, "", "0 draw C; 0 discard C; pass 55; exhausted"),
    "s7_codes": (HONGZHONG, SETS, "", "0 draw 4p; 0 win 4p; next 1m 5p 9s 2s; codes 1m 5p 9s 2s"),
    "s7_code_more_without_wildcard": (
        *(ONE_MORE, SETS, ""),
        "0 draw 4p; 0 win 4p; next 1m 5p 9s 2s C; codes 1m 5p 9s 2s C",
    ),
    "s7_no_code_more_with_a_wildcard": (
        *(ONE_MORE, SETS, ""),
        "0 draw C; 0 win C; next 1m 5p 9s 2s; codes 1m 5p 9s 2s",
    ),
    "s7_all_in_on_one_code": (
        *(HONGZHONG.replace({"codes.all_in": True}), SETS, ""),
        "0 draw 4p; 0 win 4p; next 1m 5p; codes 1m",
    ),
    "s7_both_robbers_win": (
        *(HONGZHONG.replace({"claims.many_rob": True}), TWO_HZ, ""),
        TO_TWO_HZ + "next 1s 5s 7p 9s; codes 1s 5s 7p 9s",
    ),
    "s7_both_robbers_win_and_one_turns_up_a_code_more": (
        *(ONE_MORE.replace({"claims.many_rob": True}), TWO_HZ, ""),
        TO_TWO_HZ + "next 1s 5s 7p 9s 5s; codes 1s 5s 7p 9s 5s",
    ),
    "s8_both_robbers_win": (HONGXIN, TWO, "9s", TO_TWO + "0 added 5p; 1 win 5p; 2 win 5p"),
    "s8_only_one_robber_wants_to": (HONGXIN, TWO, "9s", TO_TWO + "0 added 5p; 2 win 5p"),
    "s8_jiebao": (HONGXIN, THREE, "9s", "0 draw 9m; 0 discard 1s; 1 win 1s"),
    "s8_red_dragon_is_ordinary": (
        *(HONGXIN, ["", "CCS", "", ""], "9s"),
        "0 draw C; 0 discard C; 1 pung C CCC; 1 discard S",
    ),
    "s8_drawn_to_the_end": (
        *(HONGXIN, ANY, "9s"),
        "0 draw C; 0 discard C; pass 75; 0 draw C; 0 discard C; 1 draw C; 1 discard C; 2 draw C; 2 discard C;"
        "3 draw 1s; 3 discard 1s; 0 draw 1s; 0 discard 1s; 1 draw 1s; 1 discard 1s; 2 draw 1s; 2 discard 1s;"
        "exhausted",
    ),
}

# With what the faults begin, in order.
UNSOUND: dict[str, tuple[Script, list[str]]] = {
    "s2_chow_by_another_than_the_next_seat": (
        (YUANHANG, AFAR, "3s", "0 draw E; 0 discard 5p; 2 chow 5p 456p; 2 discard W; 3 draw 1m"),
        ["a chow by another than the next seat"],
    ),
    "s2_no_chows": (
        (YUANHANG.replace({"claims.chow": False}), PLAIN, "3s", "0 draw E; 0 discard 5p; 1 chow 5p 456p"),
        ["a chow, where there are none"],
    ),
    "s2_chow_of_honours": (
        (YUANHANG, PLAIN, "3s", "0 draw E; 0 discard S; 1 chow S SWN; 1 discard 4p"),
        ["SWN is no chow"],
    ),
    "s2_chow_with_a_gap": (
        (YUANHANG, RUNS, "3s", "0 draw E; 0 discard 9m; 1 chow 9m 379m"),
        ["379m is no chow"],
    ),
    "s2_chow_across_suits": (
        (YUANHANG, RUNS, "3s", "0 draw E; 0 discard 9m; 1 chow 9m 89m1p"),
        ["89m1p is no chow"],
    ),
    "s2_chow_without_the_tiles": (
        (YUANHANG, ["5p", "6p222m888s55s99pFF", "", ""], "3s", "0 draw E; 0 discard 5p; 1 chow 5p 567p"),
        ["seat 1 has no 7p"],
    ),
    "s2_chow_of_another_tile": (
        (YUANHANG, PLAIN, "3s", "0 draw E; 0 discard 9m; 1 chow 5p 456p"),
        ["no 5p of seat 0 lies open"],
    ),
    "s2_pung_without_the_tiles": (
        (YUANHANG, PLAIN, "3s", "0 draw E; 0 discard 5p; 3 pung 5p 555p"),
        2 * ["seat 3 has no 5p"],
    ),
    "s2_no_pung": ((YUANHANG, PLAIN, "3s", "0 draw E; 0 discard 5p; 1 pung 5p 456p"), ["456p is no pung"]),
    "s2_claim_of_the_tile_before": (
        (YUANHANG, PLAIN, "3s", "0 draw E; 0 discard 5p; pass 1; 2 pung 5p 555p"),
        ["no 5p of seat 1 lies open"],
    ),
    "s2_claim_after_the_next_draw": (
        (YUANHANG, PLAIN, "3s", "0 draw E; 0 discard 5p; 1 draw 1m; 2 pung 5p 555p"),
        ["no 5p of seat 0 lies open"],
    ),
    "s2_claim_of_the_own_discard": (
        (YUANHANG, ["555p", *ANY[1:]], "3s", "0 draw E; 0 discard 5p; 0 pung 5p 555p"),
        ["a claim of one's own discard"],
    ),
    "s2_wildcard_claimed": (
        (YUANHANG, WILD, "3m", "0 draw E; 0 discard 4m; 1 chow 4m 345m"),
        ["4m claimed"],
    ),
    "s2_wildcard_in_a_claim": (
        (YUANHANG, WILD, "3m", "0 draw 3m; 0 discard 3m; 1 chow 3m 345m"),
        ["4m5m in a claim"],
    ),
    "s2_wildcard_won_on": (
        (YUANHANG, WILD, "3m", "0 draw E; 0 discard 4m; 1 win 4m"),
        ["seat 1 may not win: tile_not_claimable"],
    ),
    "s2_red_dragon_discarded": (
        (YUANHANG, WILD, "3m", "0 draw E; 0 discard C; 1 draw 1m"),
        ["C discarded beside other tiles", "C discarded and not konged"],
    ),
    "s2_only_red_dragons_and_a_kong": (
        (YUANHANG, STUCK, "9s", TO_STUCK),
        ["C discarded and not konged"],
    ),
    "s2_red_dragon_claimed": (
        (NO_LATE_KONG, STUCK, "9s", TO_STUCK + "1 pung C CCC"),
        ["C claimed", "CC in a claim"],
    ),
    "s2_red_kong_of_another_tile": ((YUANHANG, WILD, "3m", "0 draw E; 0 red E"), ["E as a red kong"]),
    "s2_replacement_from_the_wall": (
        (YUANHANG, WILD, "3m", "0 draw E; 0 red C; 0 draw 9s; 0 discard E"),
        ["draw {'seat': 0, 'do': 'draw', 'tile': '9s', 'from': 'wall'}, due was (0, 'tail', False)"],
    ),
    "s2_no_replacement": (
        (YUANHANG, WILD, "3m", "0 draw E; 0 red C; 0 discard E"),
        ["it is not the turn of seat 0"],
    ),
    "s2_concealed_kong_of_the_wildcard": (
        (YUANHANG, ["4444m", *ANY[1:]], "3m", "0 draw E; 0 concealed 4m"),
        ["a concealed kong of 4m"],
    ),
    "s2_added_kong_in_the_turn_of_the_pung": (
        (YUANHANG, PUNG, "3s", "0 draw E; 0 discard 5p; 2 pung 5p 555p; 2 added 5p"),
        ["an added kong in the turn of the pung itself"],
    ),
    "s2_added_kong_in_the_turn_of_the_pung_after_a_red_kong": (
        (YUANHANG, PUNG, "3s", "0 draw E; 0 discard 5p; 2 pung 5p 555p; 2 red C; 2 tail 1m; 2 added 5p"),
        ["an added kong in the turn of the pung itself"],
    ),
    "s2_kong_after_a_claim": (
        (NO_LATE_KONG, PUNG, "3s", "0 draw E; 0 discard 5p; 2 pung 5p 555p; 2 red C; 2 tail 1m"),
        ["a kong straight after a claim"],
    ),
    "s2_direct_kong_with_two": (
        (YUANHANG, ["5p", "", "55p222m888s55s99pF", ""], "3s", "0 draw E; 0 discard 5p; 2 direct 5p"),
        ["seat 2 has no 5p"],
    ),
    "s2_added_kong_without_a_pung": (
        (YUANHANG, PLAIN, "3s", "0 draw E; 0 added E"),
        ["no pung of E to add to"],
    ),
    "s2_kong_out_of_turn": (
        (YUANHANG, WILD, "3m", "0 draw E; 0 discard E; 0 red C"),
        ["it is not the turn of seat 0"],
    ),
    "s1_skin_kong_without_skins": (
        (YUANHANG, SKINS, "3s", "0 draw E; 0 skin 3s"),
        ["3s as a skin kong"],
    ),
    "s1_skin_kong_of_the_kind_before": ((NEW, SKINS, "3s", "0 draw E; 0 skin 2s"), ["2s as a skin kong"]),
    "s1_red_skin_discarded": (
        (QIPI, SKINS, "3s", "0 draw E; 0 discard 3s"),
        ["3s discarded beside other tiles", "3s discarded and not konged"],
    ),
    "s1_red_skin_in_a_claim": (
        (QIPI, SKINS, "3s", "0 draw 1s; 0 discard 1s; 1 chow 1s 123s"),
        ["2s3s in a claim"],
    ),
    "s2_kong_with_14_left": (
        (SHORT, LATE, "3s", "0 draw E; 0 discard E; pass 37; 2 draw 5m; 2 red C; 2 tail 1m"),
        ["a kong with 44 left"],
    ),
    "s2_direct_kong_with_14_left": (
        (SHORT, TRIPLET, "3s", "0 draw E; 0 discard E; pass 37; 2 draw 3p; 2 discard 3p; 1 direct 3p"),
        ["a kong with 44 left"],
    ),
    "s2_draw_with_14_left": (
        (SHORT, ANY, "3s", "0 draw E; 0 discard E; pass 38; 3 draw 5p; 3 discard 5p"),
        ["draw {'seat': 3, 'do': 'draw', 'tile': '5p', 'from': 'wall'}, due was (3, 'wall', True)"],
    ),
    "s2_draw_where_there_is_no_last_round": (
        (ENDLESS, ANY, "3s", "0 draw E; 0 discard E; pass 42; 3 last 5p"),
        ["draw {'seat': 3, 'do': 'draw', 'tile': '5p', 'from': 'wall', 'last': True}, due was none"],
    ),
    "s2_last_round_too_early": (
        (SHORT, ANY, "3s", "0 draw E; 0 discard E; pass 37; 2 last 5p"),
        ["draw {'seat': 2, 'do': 'draw', 'tile': '5p', 'from': 'wall', 'last': True}, due was (2, 'wall', F"],
    ),
    "s2_discard_in_the_last_round": (
        (SHORT, ANY, "3s", "0 draw E; 0 discard E; pass 38; 3 last 5p; 3 discard 5p"),
        ["it is not the turn of seat 3"],
    ),
    "s2_kong_in_the_last_round": (
        (SHORT, ANY, "3s", "0 draw E; 0 discard E; pass 38; 3 last C; 3 red C"),
        ["a kong with 43 left", "it is not the turn of seat 3"],
    ),
    "s2_exhausted_before_all_have_drawn": (
        (SHORT, ANY, "3s", "0 draw E; 0 discard E; pass 38; 3 last 5p; 0 last 6p; 1 last 7p; exhausted"),
        ["exhausted, and there is still something to do"],
    ),
    "s2_a_fifth_draw_in_the_last_round": (
        (
            SHORT,
            ANY,
            "3s",
            "0 draw E; 0 discard E; pass 38; 3 last 5p; 0 last 6p; 1 last 7p; 2 last 8p; 3 last 8p",
        ),
        ["draw {'seat': 3, 'do': 'draw', 'tile': '8p', 'from': 'wall', 'last': True}, due was none"],
    ),
    "s2_exhausted_too_early": (
        (YUANHANG, ANY, "3s", "0 draw E; 0 discard E; exhausted"),
        ["exhausted, and there is still something to do"],
    ),
    "s2_win_straight_after_a_claim": (
        (
            HONGXIN,
            ["5p", "55p111222333m99m", "", ""],
            "9s",
            "0 draw E; 0 discard 5p; 1 pung 5p 555p; 1 win 9m",
        ),
        ["seat 1 has not just drawn 9m"],
    ),
    "s2_win_on_a_tile_drawn_earlier": (
        (
            HONGXIN,
            ["111222333m444p5s", *ANY[1:]],
            "9s",
            "0 draw 5s; 0 discard 4p; pass 3; 0 draw 4p; 0 win 5s",
        ),
        ["seat 0 has not just drawn 5s"],
    ),
    "s2_win_by_another_than_who_drew": (
        (HONGXIN, ["", SETS[0], "", ""], "9s", "0 draw 4p; 1 win 4p"),
        ["seat 1 has not just drawn 4p"],
    ),
    "s2_win_on_the_own_discard": (
        (HONGXIN, SETS, "9s", "0 draw 4p; 0 discard 4p; 0 win 4p"),
        ["seat 0 cannot win on 4p of seat 0"],
    ),
    "s2_win_on_an_older_discard": (
        (HONGXIN, SETS, "9s", "0 draw E; 0 discard E; 1 draw 4p; 1 discard 4p; 2 draw 1p; 0 win 4p"),
        ["seat 0 has not just drawn 4p"],
    ),
    "s3_win_without_shape": (
        (HONGXIN, SETS, "9s", "0 draw E; 0 win E"),
        ["seat 0 may not win: no_shape"],
    ),
    "s3_win_not_open": (
        (YUANHANG, ["111222333m44p55s", *ANY[1:]], "9s", "0 draw 4p; 0 win 4p"),
        ["seat 0 may not win: not_open"],
    ),
    "s2_kong_robbed_after_its_replacement": (
        (LAIZIGANG, ROB, "3s", TO_ROB + "0 added 5p; 0 tail 1s; 1 win 5p"),
        ["seat 1 has not just drawn 5p"],
    ),
    "s2_kong_robbed_by_the_konger": (
        (LAIZIGANG, ROB, "3s", TO_ROB + "0 added 5p; 0 win 5p"),
        ["seat 0 cannot win on 5p of seat 0"],
    ),
    "s2_concealed_kong_robbed": (
        (HONGXIN, ["5555p", "46p111m222m333m99m", "", ""], "9s", "0 draw E; 0 concealed 5p; 1 win 5p"),
        ["seat 1 cannot win on 5p of seat 0"],
    ),
    "s2_two_robbers_where_one_wins": (
        (HONGXIN.replace({"claims.many_rob": False}), TWO, "9s", TO_TWO + "0 added 5p; 1 win 5p; 2 win 5p"),
        ["the hand is won already"],
    ),
    "s8_robbers_in_the_wrong_order": (
        (HONGXIN, TWO, "9s", TO_TWO + "0 added 5p; 2 win 5p; 1 win 5p"),
        ["the robbers are not in turn order after the konger"],
    ),
    "s8_the_same_robber_twice": (
        (HONGXIN, TWO, "9s", TO_TWO + "0 added 5p; 1 win 5p; 1 win 5p"),
        ["the robbers are not in turn order after the konger"],
    ),
    "s8_two_win_on_a_discard": (
        (HONGXIN, TWO, "9s", "0 draw 1p; 0 discard 5p; 1 win 5p; 2 win 5p"),
        ["the hand is won already"],
    ),
    "s8_jiebao_with_two_bao": (
        (HONGXIN, ["1s", "11s4p789m789p678s9p", "", ""], "9s", "0 draw 9m; 0 discard 1s; 1 win 1s"),
        ["seat 1 may not win: bao_not_claimable"],
    ),
    "s8_concealed_kong_of_bao": (
        (HONGXIN, ["1111s", *ANY[1:]], "9s", "0 draw E; 0 concealed 1s"),
        ["a concealed kong of 1s"],
    ),
    "s8_red_kong": ((HONGXIN, ANY, "9s", "0 draw C; 0 red C"), ["C as a red kong"]),
    "s8_kong_after_a_claim": (
        (HONGXIN, ["5p", "", "55p1111m", ""], "9s", "0 draw E; 0 discard 5p; 2 pung 5p 555p; 2 concealed 1m"),
        ["a kong straight after a claim"],
    ),
    "s7_wildcard_konged": ((HONGZHONG, ANY, "", "0 draw C; 0 wild C"), ["C as a wild kong"]),
    "s7_wildcard_in_a_concealed_kong": (
        (HONGZHONG, ["CCC", *ANY[1:]], "", "0 draw C; 0 concealed C"),
        ["a concealed kong of C"],
    ),
    "s7_win_on_a_discard": (
        (
            HONGZHONG,
            ["", SETS[0], "", ""],
            "",
            "0 draw 4p; 0 discard 4p; 1 win 4p; next 1m 5p 9s 2s; codes 1m 5p 9s 2s",
        ),
        ["seat 1 may not win: no_discard_win"],
    ),
    "s7_exhausted_with_more_than_the_codes_left": (
        (HONGZHONG, ANY, "", "0 draw C; 0 discard C; pass 54; exhausted"),
        ["exhausted, and there is still something to do"],
    ),
    "s7_draw_of_the_codes": (
        (HONGZHONG, ANY, "", "0 draw C; 0 discard C; pass 55; 0 draw 9p"),
        ["draw {'seat': 0, 'do': 'draw', 'tile': '9p', 'from': 'wall'}, due was none"],
    ),
    "s7_other_codes": (
        (HONGZHONG, SETS, "", "0 draw 4p; 0 win 4p; next 1m 5p 9s 2s 3s; codes 1m 5p 9s 3s"),
        ["codes ['1m', '5p', '9s', '3s'], next were ['1m', '5p', '9s', '2s']"],
    ),
    "s7_too_few_codes": (
        (HONGZHONG, SETS, "", "0 draw 4p; 0 win 4p; next 1m 5p 9s 2s; codes 1m 5p 9s"),
        ["codes ['1m', '5p', '9s'], next were ['1m', '5p', '9s', '2s']"],
    ),
    "s7_no_codes": ((HONGZHONG, SETS, "", "0 draw 4p; 0 win 4p; next 1m 5p 9s 2s"), ["codes [], next were"]),
    "s7_codes_without_a_win": (
        (HONGZHONG, SETS, "", "0 draw 4p; codes 1m"),
        ["codes, and nobody has just won"],
    ),
    "s2_codes_in_wuhan": ((YUANHANG, ANY, "3s", "0 draw E; codes 1m"), ["codes, and nobody has just won"]),
    "s2_another_seat_begins": (
        (YUANHANG, ANY, "3s", "1 draw E; 1 discard E"),
        ["draw {'seat': 1, 'do': 'draw', 'tile': 'E', 'from': 'wall'}, due was (0, 'wall', False)"],
    ),
    "s2_a_seat_is_left_out": (
        (YUANHANG, ANY, "3s", "0 draw E; 0 discard E; 2 draw 1m"),
        ["draw {'seat': 2, 'do': 'draw', 'tile': '1m', 'from': 'wall'}, due was (1, 'wall', False)"],
    ),
    "s2_a_draw_too_many": (
        (YUANHANG, ANY, "3s", "0 draw E; 0 draw 1m"),
        ["draw {'seat': 0, 'do': 'draw', 'tile': '1m', 'from': 'wall'}, due was none"],
    ),
    "s2_discard_out_of_turn": (
        (YUANHANG, PLAIN, "3s", "0 draw E; 1 discard W"),
        ["it is not the turn of seat 1"],
    ),
    "s2_a_second_discard": (
        (YUANHANG, PLAIN, "3s", "0 draw E; 0 discard E; 0 discard 5p"),
        ["it is not the turn of seat 0"],
    ),
    "s2_discard_of_a_tile_not_held": (
        (YUANHANG, [PLAIN[3], *ANY[1:]], "3s", "0 draw E; 0 discard 3m"),
        ["seat 0 has no 3m"],
    ),
    "s2_play_goes_on_after_the_end": (
        (HONGXIN, THREE, "9s", "0 draw 9m; 0 discard 1s; 1 win 1s; 2 draw 1p"),
        ["the hand is over", "draw {'seat': 2"],
    ),
}

# With what several seats want, and who gets it. Dealer; seat: action; the events that follow.
CLAIMS: dict[str, tuple[Script, int, dict[int, str], list[tuple[int, str]]]] = {
    "s2_pung_beats_chow": (
        (YUANHANG, PLAIN, "3s", "0 draw E; 0 discard 5p"),
        *(0, {1: "chow 4p", 2: "pung 5p"}, [(2, "pung")]),
    ),
    "s2_chow_where_nobody_pungs": (
        (YUANHANG, PLAIN, "3s", "0 draw E; 0 discard 5p"),
        *(0, {1: "chow 4p", 2: "pass"}, [(1, "chow")]),
    ),
    "s2_kong_beats_chow": (
        (YUANHANG, PUNG, "3s", "0 draw E; 0 discard 5p"),
        *(0, {1: "chow 4p", 2: "kong 5p"}, [(2, "kong")]),
    ),
    "s2_win_beats_kong": (
        (HONGXIN, ["1p5p", "46p555m222m333m99m", "", "555p"], "9s", "0 draw 1p; 0 discard 5p"),
        *(0, {1: "win", 3: "kong 5p"}, [(1, "win")]),
    ),
    "s2_win_beats_an_earlier_pung": (
        (HONGXIN, ["1p5p", "55p", "", "46p555m222m333m99m"], "9s", "0 draw 1p; 0 discard 5p"),
        *(0, {1: "pung 5p", 3: "win"}, [(3, "win")]),
    ),
    "s2_first_winner_from_the_dealer": (
        (
            HONGXIN.replace({"claims.winner_order": "dealer"}),
            TWO,
            "9s",
            "2 draw 1p; 2 discard 1p; 3 draw 5p; 3 discard 5p",
        ),
        *(2, {1: "win", 2: "win"}, [(2, "win")]),
    ),
    "s8_first_winner_after_the_discarder": (
        (HONGXIN, TWO, "9s", "2 draw 1p; 2 discard 1p; 3 draw 5p; 3 discard 5p"),
        *(2, {1: "win", 2: "win"}, [(1, "win")]),
    ),
    "s8_all_robbers": (
        (HONGXIN, TWO, "9s", TO_TWO + "0 added 5p"),
        *(0, {1: "win", 2: "win"}, [(1, "win"), (2, "win")]),
    ),
    "s7_first_robber_after_the_konger": (
        (HONGZHONG, TWO_HZ, "", TO_TWO_HZ.replace("1 win 5p; 2 win 5p;", "")),
        *(0, {1: "win", 2: "win"}, [(1, "win")]),
    ),
    "s2_first_robber_from_the_dealer": (
        (
            *(HONGXIN.replace({"claims.winner_order": "dealer", "claims.many_rob": False}), TWO, "9s"),
            TO_TWO.replace("0 draw 1p; 0 discard 1p; pass 2", "2 draw 1p; 2 discard 1p") + "0 added 5p",
        ),
        *(2, {1: "win", 2: "win"}, [(2, "win")]),
    ),
}

# What a log says of how it was won, and what is read from it.
WINS: dict[str, tuple[Script, dict[str, Any]]] = {
    "s8_tianhu": ((HONGXIN, HANGS, "9s", "0 draw 9m; 0 win 9m"), {"first": "tianhu"}),
    "s8_no_tianhu_after_a_kong": (
        (HONGXIN, HANGS, "9s", "0 draw 4p; 0 concealed 4p; 0 tail 9m; 0 win 9m"),
        {"first": None, "after_kong": True, "skipped": 1},
    ),
    "s8_no_tianhu_of_another_seat": (
        (HONGXIN, ["", HANGS[0], "", ""], "9s", "0 draw E; 0 discard E; 1 draw 9m; 1 win 9m"),
        {"first": None},
    ),
    "s8_dihu": ((HONGXIN, THREE, "9s", "0 draw 9m; 0 discard 1s; 1 win 1s"), {"first": "dihu", "from": 0}),
    "s8_no_dihu_on_another_discard": (
        (HONGXIN, SETS, "9s", "0 draw E; 0 discard E; 1 draw 4p; 1 discard 4p; 0 win 4p"),
        {"first": None},
    ),
    "s8_no_dihu_after_a_kong": (
        (
            HONGXIN,
            ["EEEE1s", *THREE[1:]],
            "9s",
            "0 draw 9m; 0 concealed E; 0 tail 9m; 0 discard 1s; 1 win 1s",
        ),
        {"first": None},
    ),
    "s8_passed_wins_are_counted": (
        (
            HONGXIN,
            HANGS,
            "9s",
            "0 draw 9m; 0 discard 9m; pass 3; 0 draw 9p; 0 discard 9p; pass 3; 0 draw 8p; 0 win 8p",
        ),
        {"skipped": 2, "first": None},
    ),
    "s8_wins_passed_without_hanging_are_not": (
        (HONGXIN, SETS, "9s", "0 draw 4p; 0 discard 4p; pass 3; 0 draw 4p; 0 win 4p"),
        {"skipped": 0},
    ),
    "s2_haidilao": (
        (
            *(SHORT, WAITS, "9s"),
            "0 draw 3p; 0 discard 3p; 1 pung 3p 333p; 1 discard W; pass 38; 0 last E; 1 last 2s; 1 win 2s",
        ),
        {"last_draw": True, "after_kong": False},
    ),
    "s2_robbing": (
        (LAIZIGANG, ROB, "3s", TO_ROB + "0 added 5p; 1 win 5p"),
        {"source": "rob_kong", "winner": 1, "from": 0, "after_kong": False},
    ),
}
