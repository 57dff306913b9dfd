"""Rare events of a hand, each played by the engine from a script; points reckoned by hand from RULES.md.

`EVENTS`, at the end, lists them all with their tests.
"""

from __future__ import annotations

from typing import Any

import pytest

import scripts
from auditor import audit
from hand_logs import follow, scripted, table_of
from scripts import (
    ANY,
    HANGS,
    HONGXIN,
    HONGZHONG,
    LAIZIGANG,
    NEW,
    NO_LATE_KONG,
    ONE_MORE,
    QIPI,
    ROB,
    SETS,
    STUCK,
    THREE,
    TO_ROB,
    TO_STUCK,
    TO_TWO,
    TO_TWO_HZ,
    TWO,
    TWO_HZ,
    WAITS,
    YUANHANG,
)
from wuhan_core.rules import RuleSet, load_rules
from wuhan_core.table import Table

BIANFENG = load_rules("bianfeng")
LEAST = HONGXIN.replace({"least.tianhu": 100, "least.dihu": 100})  # no other share here is as large


def reach(rules: RuleSet, deal: list[str], indicator: str, plays: str, dealer: int = 0) -> Table:
    """The engine's table where a script stops, which need not be the end."""
    log = scripted(rules, deal, indicator, plays, dealer)
    table = table_of(log, rules)
    assert follow(log, rules, table) is None
    return table


def pays(table: Table, deltas: list[int], **answer: Any) -> None:
    """The hand is over, sound, and has moved these points; `answer`: what else the result must say."""
    assert table.done
    assert audit(table.log(), table.rules.values) == []
    assert table.deltas == deltas
    result = table.result()
    assert isinstance(result, dict)
    assert {name: result[name] for name in answer} == answer


def legal(table: Table) -> list[str]:
    return [str(action) for action in table.legal()]


# ---- the Wuhan family: caps and liability (sections 5 and 6)


def test_s5_golden() -> None:
    table = reach(
        *(YUANHANG, ["", "11m44p77sEESSCWN", "", ""], "3s"),
        "0 draw 1m; 0 discard 1m; 1 pung 1m 111m; 1 red C; 1 tail F; 1 discard F;"
        "2 draw 4p; 2 discard 4p; 1 pung 4p 444p; 1 discard W; 2 draw 7s; 2 discard 7s; 1 pung 7s 777s;"
        "1 discard N; pass 3; 1 draw S; 1 win S",
    )
    # 10 x 2**3 three open melds x 2 red kong x 2 hard x 1.5 self-draw = 480, not below 300 for anyone
    pays(
        *(table, [-400, 1200, -400, -400]),
        types=["pengpenghu"],
        owed=[480, 0, 480, 480],
        capped=[400, 0, 400, 400],
        golden=True,
        liable=None,
    )
    assert table.next_dealer == 1


def rob_from(konger: str, rules: RuleSet = YUANHANG) -> Table:
    """Seat 1, with a pung of 9p, robs seat 0, which has `konger` beside its kong of 5p."""
    return reach(rules, ["55pW" + konger, *ROB[1:]], "3s", TO_ROB + "0 added 5p; 1 win 5p")


def test_s6_konger_hand_of_a_ready_konger() -> None:
    # 1p would make it pengpenghu and gangshanghua: 20 x 2 open meld x 2 kong x 2 hard x 1.5 = 240,
    # twice that from the open robber, capped at 400; 400 + 240 + 240
    pays(
        *(rob_from("111m333m777s1p"), [-880, 880, 0, 0]),
        types=["pihu"],
        owed=[0, 480, 240, 240],
        capped=[0, 400, 240, 240],
        liable=0,
    )


def test_s6_konger_hand_of_a_konger_that_is_not_ready() -> None:
    # as a win with gangshanghua alone: 10 x 2 x 2 x 2 hard x 1.5 = 120, from the open robber 240
    pays(rob_from("147m17s369pSN"), [-480, 480, 0, 0], owed=[0, 240, 120, 120], liable=0)


def test_s6_konger_hand_of_a_konger_that_is_not_ready_and_holds_a_wildcard() -> None:
    # not hard: half of that
    pays(rob_from("147m17s4s369pS"), [-240, 240, 0, 0], owed=[0, 120, 60, 60], liable=0)


def test_s6_robber_hand() -> None:
    # qianggang: 10 x 2 opened x 2 hard = 40; the konger opened, too (its kong is a pung again), and counts as
    # the discarder: 40 x 2 x 1.5 = 120
    pays(
        *(rob_from("147m17s369pSN", LAIZIGANG), [-200, 200, 0, 0]),
        types=["qianggang"],
        owed=[120, 0, 40, 40],
        liable=0,
    )


# seat 1 makes four melds and keeps one tile; seat 2 discards the second
BEGGING = (
    "0 draw 1m; 0 discard 1m; 1 pung 1m 111m; 1 discard W; 2 draw 3p; 2 discard 3p; 1 pung 3p 333p;"
    "1 discard N; 2 draw 7s; 2 discard 7s; 1 pung 7s 777s; 1 discard F;"
)


def test_s6_quanqiuren_head_258_on_a_258() -> None:
    table = reach(
        *(YUANHANG, ["", "11m33p77s57m5pWNFS", "", ""], "3s"),
        BEGGING + "pass 2; 0 draw 6m; 0 discard 6m; 1 chow 6m 567m; 1 discard S;"
        "2 draw 5p; 2 discard 5p; 1 win 5p",
    )
    # 10 x 2**4 open melds x 2 hard = 320; the discarder 480, capped at 400; it pays 400 + 320 + 320
    pays(
        *(table, [0, 1040, -1040, 0]),
        types=["quanqiuren"],
        owed=[320, 0, 480, 320],
        capped=[320, 0, 400, 320],
        golden=False,
        liable=2,
    )


def test_s6_quanqiuren_head_258_on_another_tile() -> None:
    table = reach(
        *(YUANHANG, ["", "11m33p77s66m9pWNFS", "", ""], "3s"),
        BEGGING + "pass 2; 0 draw 6m; 0 discard 6m; 1 pung 6m 666m; 1 discard S;"
        "2 draw 9p; 2 discard 9p; 1 win 9p",
    )
    # 9p is no 258, but with pengpenghu the pair counts: 20 x 2**4 x 2 hard = 640: golden, nobody is liable
    pays(
        *(table, [-400, 1200, -400, -400]),
        types=["pengpenghu", "quanqiuren"],
        owed=[640, 0, 960, 640],
        golden=True,
        liable=None,
    )


def beg_from(discarder: str) -> Table:
    """Seat 2 has a pung of 9s and these ten tiles when it discards the last tile seat 1 needs."""
    return reach(
        *(BIANFENG, ["", "11m33p77s57m5pWNFS", "99sP" + discarder, ""], "3s"),
        BEGGING + "pass 1; 3 draw 9s; 3 discard 9s; 2 pung 9s 999s; 2 discard P; pass 1;"
        "0 draw 6m; 0 discard 6m; 1 chow 6m 567m; 1 discard S; 2 draw 5p; 2 discard 5p; 1 win 5p",
    )


# 10 x 2 opened x 2 hard = 40; the discarder, which has opened: 40 x 2 x 1.5 = 120


def test_s6_quanqiuren_not_ready_discarder_that_is_ready() -> None:
    pays(
        *(beg_from("123456789m2p"), [-40, 200, -120, -40]),
        types=["quanqiuren"],
        owed=[40, 0, 120, 40],
        liable=None,
    )


def test_s6_quanqiuren_not_ready_discarder_that_is_not() -> None:
    """It lacks one tile for four sets and a pair, but the pair would not be 258."""
    pays(
        *(beg_from("123456789mP"), [0, 200, -200, 0]),
        types=["quanqiuren"],
        owed=[40, 0, 120, 40],
        liable=2,
    )


def test_s6_third_meld_on_a_discard() -> None:
    table = reach(
        *(YUANHANG, ["", "11p33p57p8899pWNF", "", ""], "3s"),
        "0 draw 1p; 0 discard 1p; 1 pung 1p 111p; 1 discard W; 2 draw 3p; 2 discard 3p; 1 pung 3p 333p;"
        "1 discard N; pass 2; 0 draw 6p; 0 discard 6p; 1 chow 6p 567p; 1 discard F; pass 1;"
        "3 draw 9p; 3 discard 9p; 1 win 9p",
    )
    # 10 x 2**3 x 2 hard = 160, the discarder 240; seat 0, which fed the third meld, pays 160 + 160 + 240
    pays(
        *(table, [-560, 560, 0, 0]),
        types=["qingyise"],
        owed=[160, 0, 160, 240],
        liable=0,
    )


def test_s6_third_meld_on_a_self_draw_and_an_added_kong_keeps_its_place() -> None:
    table = reach(
        *(YUANHANG, ["", "11p33p57p889p4sWNF", "", ""], "3s"),
        "0 draw E; 0 discard E; pass 1; 2 draw 1p; 2 discard 1p; 1 pung 1p 111p; 1 discard W; pass 1;"
        "3 draw 3p; 3 discard 3p; 1 pung 3p 333p; 1 discard N; pass 2; 0 draw 6p; 0 discard 6p;"
        "1 chow 6p 567p; 1 discard F; pass 3; 1 draw 1p; 1 added 1p; 1 tail S; 1 discard S; pass 3;"
        "1 draw 9p; 1 win 9p",
    )
    # soft: 10 x 2**3 x 2 kong x 1.5 = 240 each. The chow from seat 0 is the third meld; were the kong moved
    # to the end, its pung from seat 2 would be
    pays(
        *(table, [-720, 720, 0, 0]),
        types=["qingyise"],
        hard=False,
        owed=[240, 0, 240, 240],
        liable=0,
    )


# ---- the Wuhan family: the end of the wall, kongs, red dragons (section 2)


def test_s3_haidilao() -> None:
    table = reach(
        *(YUANHANG, WAITS, "9s"),
        "0 draw 3p; 0 discard 3p; 1 pung 3p 333p; 1 discard W; pass 68;"
        "2 last E; 3 last 5p; 0 last 6p; 1 last 2s; 1 win 2s",
    )
    # 10 x 2 open meld x 2 hard x 1.5 self-draw
    pays(table, [-60, 180, -60, -60], types=["haidilao"], owed=[60, 0, 60, 60])


def test_s2_exhausted_at_exactly_ten_tiles() -> None:
    table = reach(
        *(YUANHANG, ANY, "3s"),
        "2 draw E; 2 discard E; pass 68; 3 last 5p; 0 last 6p; 1 last 7p; 2 last 8p; exhausted",
        dealer=2,
    )
    pays(table, [0, 0, 0, 0], exhausted=True)
    draws = [event for event in table.log()["events"] if event["do"] == "draw"]
    assert 136 - 4 * 13 - 1 - len(draws) == 10
    assert table.observation(0).left == 10
    assert table.next_dealer == 2


def test_s2_four_kongs_by_one_seat() -> None:
    table = reach(
        *(YUANHANG, ["", "1111m333p77s999m5p", "", ""], "3s"),
        "0 draw 3p; 0 discard 3p; 1 direct 3p; 1 tail 9m; 1 concealed 9m; 1 tail E; 1 concealed 1m;"
        "1 tail F; 1 discard F; 2 draw 7s; 2 discard 7s; 1 pung 7s 777s; 1 discard E; pass 3;"
        "1 draw 7s; 1 added 7s; 1 tail 5p; 1 win 5p",
    )
    # 10 x 2 two big types; x 2 open meld (a direct kong opens nothing), x 2 x 2 exposed kongs,
    # x 4 x 4 concealed ones, x 2 hard, x 1.5 self-draw = 7680
    pays(
        *(table, [-400, 1200, -400, -400]),
        types=["gangshanghua", "pengpenghu"],
        owed=[7680, 0, 7680, 7680],
        golden=True,
    )


def test_s2_red_dragons_stuck_at_the_end() -> None:
    deal, plays = ["9m", "", "", ""], "0 draw E; 0 discard E; pass 67; 0 draw C;"
    table = reach(YUANHANG, deal, "3s", plays)
    assert table.observation(0).left == 14
    stuck = legal(table)
    assert "discard 9m" in stuck
    assert all(action.startswith("discard ") and action != "discard C" for action in stuck)
    table = reach(
        *(YUANHANG, deal, "3s"),
        plays + "0 discard 9m; 1 last C; 2 last 6p; 3 last 7p; 0 last C; exhausted",
    )
    pays(table, [0, 0, 0, 0], exhausted=True)
    assert [table.observation(seat).hand.count(31) for seat in range(4)] == [2, 1, 0, 0]


def test_s2_nothing_may_be_discarded_and_a_kong_is_allowed() -> None:
    held = TO_STUCK.removesuffix("0 discard C;")
    assert legal(reach(YUANHANG, STUCK, "9s", held)) == ["single_kong C"]


def test_s2_nothing_may_be_discarded_and_no_kong_is_allowed() -> None:
    held = TO_STUCK.removesuffix("0 discard C;")
    assert legal(reach(NO_LATE_KONG, STUCK, "9s", held)) == ["discard C"]
    # seat 1, which holds CC, is not asked: it draws
    after = reach(NO_LATE_KONG, STUCK, "9s", TO_STUCK + "next 9p")
    event = after.log()["events"][-1]
    assert event == {"seat": 1, "do": "draw", "tile": "9p", "from": "wall"}


def test_s2_nothing_may_be_discarded_and_the_hand_goes_on() -> None:
    table = reach(
        *(NO_LATE_KONG, STUCK, "9s"),
        TO_STUCK + "pass 3; 0 draw 9p; 0 red C; 0 tail 8p; 0 discard 8p; pass 59;"
        "0 last 5p; 1 last 6p; 2 last 7p; 3 last 8p; exhausted",
    )
    pays(table, [0, 0, 0, 0], exhausted=True)


# ---- the Wuhan family: skins and wildcards (sections 2 and 3)

# seat 1 opens with a pung of 3p and lays down a skin in the same turn
TO_SKIN_KONG = "0 draw 3p; 0 discard 3p; 1 pung 3p 333p; 1 skin {0}; 1 tail N; 1 discard N; pass 3;"
TO_SKIN_DRAWN = "0 draw 3p; 0 discard 3p; 1 pung 3p 333p; 1 discard W; pass 3; 1 draw 3s;"
ONE_TWO = ["", "33p111222m55m12sW", "", ""]  # for the skin 3s


def test_s2_optional_skin_konged() -> None:
    table = reach(
        *(NEW, ["", "33p111222m55m67s3s", "", ""], "3s"),
        TO_SKIN_KONG.format("3s") + "1 draw 8s; 1 win 8s",
    )
    # 2 open meld x 2 skin kong x 2 hard x 2 self-draw = 16, twice that from the dealer
    pays(table, [-32, 64, -16, -16], types=["pihu"], owed=[32, 0, 16, 16])


def test_s2_optional_skin_kept() -> None:
    table = reach(NEW, ONE_TWO, "3s", TO_SKIN_DRAWN)
    assert {"win", "discard 3s", "single_kong 3s"} <= set(legal(table))
    # 123s: 2 open meld x 2 hard x 2 self-draw = 8, twice that from the dealer
    table.step("win")
    pays(table, [-16, 32, -8, -8], types=["pihu"], owed=[16, 0, 8, 8])


def test_s2_red_skin_bars_a_win_and_a_discard() -> None:
    asked = set(legal(reach(QIPI, [*ONE_TWO[:2], "222s33s", ""], "3s", TO_SKIN_DRAWN)))
    assert {"single_kong 3s", "discard 1s", "discard 5m"} <= asked
    assert not asked & {"win", "discard 3s", "discard 2s"}


def test_s2_red_skin_konged() -> None:
    """The skin is 2s, of the kind before the indicator's."""
    table = reach(
        *(QIPI, ["", "33p111222m55m67s2s", "222s333s", ""], "3s"),
        TO_SKIN_KONG.format("2s") + "1 draw 8s; 1 win 8s",
    )
    pays(table, [-32, 64, -16, -16], types=["pihu"], owed=[32, 0, 16, 16])


def test_s2_wildcard_as_a_fifth_copy_in_the_pair() -> None:
    table = reach(
        *(LAIZIGANG, ["", "99p222p111678m4sW", "", ""], "3s"),
        "0 draw 9p; 0 discard 9p; 1 pung 9p 999p; 1 discard W; pass 3; 1 draw 2p; 1 win 2p",
    )
    # 222p and the fourth 2p with the wildcard: 2 opened x 2 self-draw = 4, twice that from the dealer
    pays(table, [-8, 16, -4, -4], types=["pihu"], hard=False, owed=[8, 0, 4, 4])


def test_s2_wildcard_as_a_fifth_copy_beside_a_kong() -> None:
    table = reach(
        *(LAIZIGANG, ["", "99p5555m46m4s88s77s", "", ""], "3s"),
        "0 draw 9p; 0 discard 9p; 1 pung 9p 999p; 1 concealed 5m; 1 tail W; 1 discard W; pass 3;"
        "1 draw 7s; 1 win 7s",
    )
    # 4m and 6m with the wildcard as 5m: 2 opened x 4 kong x 2 self-draw = 16, twice that from the dealer
    pays(table, [-32, 64, -16, -16], types=["pihu"], hard=False, owed=[32, 0, 16, 16])


def test_s2_discarded_wildcard_is_claimed_by_nobody() -> None:
    deal = ["4s", "33p111222m55m23sW", "44s", ""]  # seat 1 waits for 1s and 4s, seat 2 has a pair
    plays = "0 draw 3p; 0 discard 3p; 1 pung 3p 333p; 1 discard W; pass 2; 0 draw E; 0 discard 4s; 1 draw 1s;"
    table = reach(YUANHANG, deal, "3s", plays.removesuffix("1 draw 1s;") + "next 1s")
    assert table.log()["events"][-1] == {"seat": 1, "do": "draw", "tile": "1s", "from": "wall"}
    # 2 open meld x 2 hard x 2 self-draw = 8; from seat 0 x 2 wildcard discarded x 2 dealer
    pays(reach(YUANHANG, deal, "3s", plays + "1 win 1s"), [-32, 48, -8, -8], owed=[32, 0, 8, 8])


# ---- Hongxin (section 8); the bao is 1s


def test_s8_several_robbers_and_who_deals_next() -> None:
    plays = TO_TWO.replace("0 draw 1p; 0 discard 1p; pass 2", "2 draw 1p; 2 discard 1p")
    table = reach(HONGXIN, TWO, "9s", plays + "0 added 5p; 1 win 5p; 2 win 5p", dealer=2)
    assert audit(table.log(), HONGXIN.values) == []
    # each: pinghu 1 x 2 wubao x 2 qianggang = 4, the konger's own share x 2; it pays 8 + 4 + 4 to both
    results = table.result()
    assert isinstance(results, list)
    assert [one["owed"] for one in results] == [[8, 0, 4, 4], [8, 4, 0, 4]]
    assert [one["types"] for one in results] == 2 * [["pinghu", "qianggang", "wubao"]]
    assert table.deltas == [-32, 16, 16, 0]
    assert table.next_dealer == 1  # though the dealer, seat 2, has won, too


def test_s8_jiebao() -> None:
    table = reach(HONGXIN, THREE, "9s", "0 draw E; 0 discard E; pass 3; 0 draw 9m; 0 discard 1s; 1 win 1s")
    # pinghu 1 x 2 jiebao, the discarder twice that; the fourth bao is a claimed one, so no sigebao
    pays(table, [-4, 8, -2, -2], types=["jiebao", "pinghu"], owed=[4, 0, 2, 2])


def test_s8_jiebao_with_a_flown_bao_and_one_that_stands_for_itself() -> None:
    table = reach(
        *(HONGXIN, ["1s", "111s789m123p678s9p", "", ""], "9s"),
        "0 draw E; 0 discard E; 1 draw 9p; 1 discard 1s; pass 2; 0 draw E; 0 discard 1s; 1 win 1s",
    )
    # pinghu 1 x 2 wubao x 2 jiebao x 2 feibao = 8, the discarder 16
    pays(table, [-16, 32, -8, -8], types=["jiebao", "pinghu", "wubao"], owed=[16, 0, 8, 8])


def test_s8_four_bao() -> None:
    table = reach(
        *(HONGXIN, ["", "111s234678m345p9p", "", ""], "9s"),
        "0 draw E; 0 discard E; 1 draw 1s; 1 win 1s",
    )
    # pinghu 1 x 2 baodiaotou x 2 sigebao x 2 self-draw
    pays(table, [-8, 24, -8, -8], types=["baodiaotou", "pinghu", "sigebao"])


def test_s8_four_bao_of_which_one_has_flown() -> None:
    table = reach(
        *(HONGXIN, ["", "1111s234678m345p", "", ""], "9s"),
        "0 draw E; 0 discard E; 1 draw 9p; 1 discard 1s; pass 3; 1 draw 9p; 1 win 9p",
    )
    # a win passed: pinghu 1 x 4 baodiaowubao x 2 wubao x 2 sigebao x 2 feibao x 2 self-draw
    pays(table, [-64, 192, -64, -64], types=["baodiaowubao", "pinghu", "sigebao", "wubao"])


def test_s8_tianhu() -> None:
    table = reach(HONGXIN, HANGS, "9s", "0 draw 9m; 0 win 9m")
    # pengpenghu 3 x 2 baodiaotou x 2 self-draw = 12, at least 16
    pays(table, [48, -16, -16, -16], types=["baodiaotou", "pengpenghu", "tianhu"])
    pays(reach(LEAST, HANGS, "9s", "0 draw 9m; 0 win 9m"), [300, -100, -100, -100])


def test_s8_no_tianhu_after_a_kong() -> None:
    table = reach(LEAST, HANGS, "9s", "0 draw 4p; 0 concealed 4p; 0 tail 9m; 0 win 9m")
    # pengpenghu 3 x 2 baodiaotou x 2 gangkai x 2 self-draw
    pays(table, [72, -24, -24, -24], types=["baodiaotou", "gangkai", "pengpenghu"])


def test_s8_dihu() -> None:
    deal, plays = ["", SETS[0], "", ""], "0 draw 4p; 0 discard 4p; 1 win 4p"
    # pengpenghu 3 x 2 wubao = 6, the discarder 12: each at least 16
    pays(reach(HONGXIN, deal, "9s", plays), [-16, 48, -16, -16], types=["dihu", "pengpenghu", "wubao"])
    pays(reach(LEAST, deal, "9s", plays), [-100, 300, -100, -100])


def test_s8_no_dihu_after_a_kong() -> None:
    table = reach(
        *(LEAST, ["EEEE", SETS[0], "", ""], "9s"),
        "0 draw 4p; 0 concealed E; 0 tail 9m; 0 discard 4p; 1 win 4p",
    )
    pays(table, [-12, 24, -6, -6], types=["pengpenghu", "wubao"])


def test_s8_no_dihu_after_a_claim() -> None:
    """Only the dealer has drawn, but its discard was claimed, and the win is on another's."""
    table = reach(
        *(LEAST, ["", SETS[0], "99m4p", ""], "9s"),
        "0 draw 9m; 0 discard 9m; 2 pung 9m 999m; 2 discard 4p; 1 win 4p",
    )
    pays(table, [-6, 24, -12, -6], types=["pengpenghu", "wubao"])


# ---- Hongzhong (section 7)

FIRST = 4 * 13  # where the draws begin


def turned_up(rules: RuleSet, drawn: str, following: str, codes: str) -> Table:
    """Seat 0 wins on its first draw; what lies behind it in the wall, and which of them are codes."""
    plays = f"0 draw {drawn}; 0 win {drawn}; next {following}; codes {codes}"
    table = reach(rules, SETS, "", plays)
    count = len(codes.split())
    assert table.log()["wall"][FIRST + 1 : FIRST + 1 + count] == codes.split()
    return table


def test_s7_codes() -> None:
    # three hits: 2 + 3 x 2
    pays(turned_up(HONGZHONG, "4p", "1m 5p 9s 2s C", "1m 5p 9s 2s"), [24, -8, -8, -8], hits=3)


def test_s7_a_code_more_without_a_wildcard() -> None:
    # and a C more: 2 + 4 x 2
    pays(turned_up(ONE_MORE, "4p", "1m 5p 9s 2s C", "1m 5p 9s 2s C"), [30, -10, -10, -10], hits=4)


def test_s7_no_code_more_with_a_wildcard() -> None:
    pays(turned_up(ONE_MORE, "C", "1m 5p 9s 2s C", "1m 5p 9s 2s"), [24, -8, -8, -8], hits=3)


def test_s7_all_in() -> None:
    all_in = HONGZHONG.replace({"codes.all_in": True})
    pays(turned_up(all_in, "4p", "7s 1m", "7s"), [27, -9, -9, -9], hits=None)  # 2 + 7
    pays(turned_up(all_in, "4p", "C 1m", "C"), [36, -12, -12, -12], hits=None)  # 2 + 10


def test_s7_codes_after_a_replacement() -> None:
    table = reach(
        *(HONGZHONG, ["111222333m444p5s", "", "", ""], ""),
        "0 draw 4p; 0 concealed 4p; 0 tail 5s; 0 win 5s; next 1m 5p 9s 2s; codes 1m 5p 9s 2s",
    )
    # from where the draws are, not the replacements; 2 + 3 x 2, and 2 for the kong
    assert table.log()["wall"][FIRST + 1 : FIRST + 5] == ["1m", "5p", "9s", "2s"]
    pays(table, [30, -10, -10, -10], hits=3, kongs=[6, -2, -2, -2])


def test_s7_kongs_are_paid_when_the_hand_is_exhausted() -> None:
    table = reach(
        *(HONGZHONG, ["", "111p", "55p7s", "8888m"], ""),
        "0 draw 1p; 0 discard 1p; 1 direct 1p; 1 tail 2s; 1 discard 2s; pass 1; 3 draw 1s; 3 concealed 8m;"
        "3 tail 5p; 3 discard 5p; 2 pung 5p 555p; 2 discard 7s; pass 3; 2 draw 5p; 2 added 5p; 2 tail 3s;"
        "2 discard 3s; pass 46; exhausted",
    )
    # direct: seat 0 pays 3 to seat 1; concealed: 2 from each to seat 3; added: 1 from each to seat 2
    points = [-3 - 2 - 1, 3 - 2 - 1, -2 + 3, 6 - 1]
    pays(table, points, exhausted=True, kongs=points)
    assert table.observation(0).left == 4  # the codes
    assert table.next_dealer == 0


def test_s7_a_robbed_kong_is_not_paid() -> None:
    plays = TO_TWO_HZ.replace("2 win 5p;", "") + "next 1s 5s 7p 9s; codes 1s 5s 7p 9s"
    table = reach(HONGZHONG, TWO_HZ, "", plays)
    # the konger pays (2 + 3 hits x 2) three times; only the concealed kong of seat 3 is paid, 2 from each
    pays(
        *(table, [-24 - 2, 24 - 2, -2, 6]),
        types=["pinghu", "qianggang"],
        kongs=[-2, -2, -2, 6],
        liable=0,
    )
    assert table.next_dealer == 1


# ---- a wildcard as a fifth copy (section 2): drawn by a hand that no tile would complete


@pytest.mark.parametrize("preset", ["yuanhang", "bianfeng", "bianfeng-new", "laizigang", "qipi"])
def test_s2_fifth_copy_a_drawn_wildcard_pairs_the_last_of_four(preset: str) -> None:
    table = reach(
        *(load_rules(preset), ["", "111p7777s55p22mWN", "", ""], "3s"),
        "0 draw 5p; 0 discard 5p; 1 pung 5p 555p; 1 discard W; 2 draw 2m; 2 discard 2m; 1 pung 2m 222m;"
        "1 discard N; 2 draw E; 2 discard E; 3 draw S; 3 discard S; 0 draw F; 0 discard F; 1 draw 4s",
    )
    assert "win" in legal(table)
    table.step("win")
    assert table.done
    assert audit(table.log(), table.rules.values) == []
    result = table.result()
    assert isinstance(result, dict)
    assert result["types"] == ["pengpenghu"]


@pytest.mark.parametrize(("rules", "indicator"), [(HONGZHONG, ""), (HONGXIN, "9s")])
def test_s7_s8_fifth_copy_a_drawn_wildcard_pairs_the_last_of_four(rules: RuleSet, indicator: str) -> None:
    wild = "C" if rules is HONGZHONG else "1s"
    table = reach(rules, ["123456789m7777s", "", "", ""], indicator, f"0 draw {wild}")
    assert "win" in legal(table)


# ---- the list

# Tests of this file, or scripts of scripts.py, which test_auditor_clauses.py has the engine play.
EVENTS: dict[str, tuple[str, ...]] = {
    "golden": ("test_s5_golden",),
    "robbing, the konger ready (konger_hand)": ("test_s6_konger_hand_of_a_ready_konger",),
    "robbing, the konger not ready (konger_hand)": (
        "test_s6_konger_hand_of_a_konger_that_is_not_ready",
        "test_s6_konger_hand_of_a_konger_that_is_not_ready_and_holds_a_wildcard",
    ),
    "robbing, the robber's own points (robber_hand)": ("test_s6_robber_hand",),
    "quanqiuren, the claimed tile (head_258)": (
        "test_s6_quanqiuren_head_258_on_a_258",
        "test_s6_quanqiuren_head_258_on_another_tile",
    ),
    "quanqiuren, the discarder's hand (not_ready)": (
        "test_s6_quanqiuren_not_ready_discarder_that_is_ready",
        "test_s6_quanqiuren_not_ready_discarder_that_is_not",
    ),
    "third meld fed, won on a discard": ("test_s6_third_meld_on_a_discard",),
    "third meld fed, self-draw, an added kong among the melds": (
        "test_s6_third_meld_on_a_self_draw_and_an_added_kong_keeps_its_place",
    ),
    "several robbers, and who deals next": (
        "test_s8_several_robbers_and_who_deals_next",
        "s8_only_one_robber_wants_to",
        "s7_both_robbers_win",
        "s7_both_robbers_win_and_one_turns_up_a_code_more",
    ),
    "jiebao": ("test_s8_jiebao", "test_s8_jiebao_with_a_flown_bao_and_one_that_stands_for_itself"),
    "no jiebao with two bao": ("s8_jiebao_with_two_bao",),
    "four bao": ("test_s8_four_bao", "test_s8_four_bao_of_which_one_has_flown"),
    "haidilao": ("test_s3_haidilao",),
    "exhausted at exactly ten tiles": ("test_s2_exhausted_at_exactly_ten_tiles", "s2_last_round"),
    "four kongs by one seat": ("test_s2_four_kongs_by_one_seat",),
    "red dragons stuck in hand at the end": ("test_s2_red_dragons_stuck_at_the_end",),
    "nothing may be discarded": (
        "test_s2_nothing_may_be_discarded_and_a_kong_is_allowed",
        "test_s2_nothing_may_be_discarded_and_no_kong_is_allowed",
        "test_s2_nothing_may_be_discarded_and_the_hand_goes_on",
        "s2_red_dragon_claimed",
    ),
    "tianhu": ("test_s8_tianhu",),
    "no tianhu": ("test_s8_no_tianhu_after_a_kong", "s8_no_tianhu_of_another_seat"),
    "dihu": ("test_s8_dihu",),
    "no dihu": (
        "test_s8_no_dihu_after_a_kong",
        "test_s8_no_dihu_after_a_claim",
        "s8_no_dihu_on_another_discard",
    ),
    "skin, optional": (
        "test_s2_optional_skin_konged",
        "test_s2_optional_skin_kept",
        "s1_optional_skin_discarded_and_claimed",
    ),
    "skin, red": (
        "test_s2_red_skin_bars_a_win_and_a_discard",
        "test_s2_red_skin_konged",
        "s1_red_skin_in_a_claim",
    ),
    "a wildcard as a fifth copy": (
        "test_s2_wildcard_as_a_fifth_copy_in_the_pair",
        "test_s2_wildcard_as_a_fifth_copy_beside_a_kong",
        "test_s2_fifth_copy_a_drawn_wildcard_pairs_the_last_of_four",
        "test_s7_s8_fifth_copy_a_drawn_wildcard_pairs_the_last_of_four",
    ),
    "a discarded wildcard": (
        "test_s2_discarded_wildcard_is_claimed_by_nobody",
        "s2_wildcard_claimed",
        "s2_wildcard_won_on",
    ),
    "codes": (
        "test_s7_codes",
        "test_s7_a_code_more_without_a_wildcard",
        "test_s7_no_code_more_with_a_wildcard",
        "test_s7_codes_after_a_replacement",
    ),
    "all in on one code": ("test_s7_all_in",),
    "kongs paid on an exhausted hand": ("test_s7_kongs_are_paid_when_the_hand_is_exhausted",),
    "a robbed kong is not paid": ("test_s7_a_robbed_kong_is_not_paid",),
}


def test_every_event_has_its_test() -> None:
    played = scripts.SOUND.keys() | scripts.UNSOUND.keys() | scripts.WINS.keys()
    here = {name for name in globals() if name.startswith("test_s")}
    named = {name for names in EVENTS.values() for name in names}
    assert all(EVENTS.values())
    assert named <= here | played, named - here - played
    assert here <= named, here - named
