"""The oracle for Hongzhong and Hongxin against the judged cases, and against answers reckoned by hand."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from case_maker import golden
from option_table import OTHER_PRESETS
from oracle import RED, parse
from oracle_others import bao_after, hangs_on_bao, judge, patterns
from oracle_points import Case, read_seat
from random_cases import model_of, random_case, random_overrides

CASES = golden("others")
ALL_SHAPES = frozenset(OTHER_PRESETS["hongxin"]["win.shapes"])


def judged(case: Case) -> Case:
    return judge(case, OTHER_PRESETS[case["rules"]] | case.get("set", {}))


@pytest.mark.parametrize("number", range(len(CASES)))
def test_golden(number: int) -> None:
    assert judged(CASES[number]) == CASES[number]["expect"]


def shown(text: str, wild: int = 0, *melds: str) -> set[str]:
    return set(patterns(tuple(sorted(parse(text))), wild, melds, ALL_SHAPES))


def test_s8_patterns() -> None:
    assert shown("123456789m12355p") == {"pinghu"}
    assert shown("111222333m55577p") == {"pinghu", "pengpenghu"}
    assert shown("11m", 0, "pung", "added_kong", "concealed_kong", "direct_kong") == {"pinghu", "pengpenghu"}
    assert shown("11m", 0, "pung", "added_kong", "chow", "direct_kong") == {"pinghu"}
    assert shown("1133m5577p99sEEWW") == {"qidui"}
    assert shown("1111m5577p99sEEWW") == {"qidui", "haohuaqidui"}
    assert shown("113344m", 0, "pung") == set()


def test_s8_wildcards_fill_pairs() -> None:
    assert shown("1133m5577p99sEEW", 1) == {"qidui"}
    assert shown("113m5577p99sEEWW", 1) == {"qidui"}
    assert shown("111m5577p99sEEWW", 1) == {"qidui", "haohuaqidui"}
    assert shown("1133m5577p99sEE", 2) == {"qidui", "haohuaqidui"}
    assert shown("1133m5577p9sEE", 2) == set()


def test_s8_thirteen_lan() -> None:
    assert shown("147m258p369sESWNC") == {"shisanlang"}
    assert shown("147m258p3sESWNCFP") == {"shisanlang", "qixingshisanlang"}
    assert shown("147m258p3sESWNCF", 1) == {"shisanlang", "qixingshisanlang"}
    assert shown("136m258p3sESWNCFP") == set()
    assert shown("147m258p3sEEWNCFP") == set()
    assert shown("147m258pESWNC", 3) == {"shisanlang", "qixingshisanlang"}
    assert shown("258m258p258sESW", 2) == {"shisanlang"}


def test_s8_nine_yao() -> None:
    assert shown("1199m19p1119sESWN") == {"jiuyao"}
    assert shown("19m19p119sESWNCFP") == {"jiuyao", "qixingjiuyao"}
    assert shown("19m19p119sESWNC", 2) == {"jiuyao", "qixingjiuyao"}
    assert shown("19m19p112sESWNCFP") == set()


def test_s8_bao_follows_the_indicator_in_split_rings() -> None:
    follows = {"9m": "1m", "1p": "2p", "E": "S", "N": "E", "C": "F", "F": "P", "P": "C"}
    assert {before: parse(after)[0] for before, after in follows.items()} == {
        before: bao_after(parse(before)[0]) for before in follows
    }


# Hands of Hongxin: seat 0 wins, the bao is S.

OTHERS = ("11335577799pWN", "22446688899pWN", "11334455668pWN")


def hongxin(hand: str, *melds: Case, own: Any = None, **win: Any) -> Case:
    players = [{"hand": hand, "melds": list(melds)} | (own or {})]
    players += [{"hand": other, "melds": []} for other in OTHERS]
    win = {"winner": 0, "source": "self_draw"} | win
    return judged({"rules": "hongxin", "indicator": "E", "dealer": 0, "players": players, "win": win})


PUNG: Case = {"kind": "pung", "tiles": "999s", "from": 2}


def test_s8_hard_self_draw() -> None:
    answer = hongxin("123456789m12355s", tile="5s")
    assert (answer["types"], answer["owed"]) == (["pinghu", "wubao"], [0, 4, 4, 4])


def test_s8_discarder_pays_double() -> None:
    answer = hongxin("123456789m1235s", tile="5s", source="discard", **{"from": 2})
    assert answer["deltas"] == [8, -2, -4, -2]


def test_s8_wild_on_discard() -> None:
    discarded = {"source": "discard", "from": 1}
    assert hongxin("123456789m123sS", tile="5s", **discarded)["why_not"] == "wild_on_discard"
    assert hongxin("123456789m11sSS", tile="1s", **discarded)["types"] == ["pinghu", "wubao"]
    assert hongxin("123456789m113sS", tile="9s", **discarded)["why_not"] == "no_shape"


def test_s8_jiebao() -> None:
    discarded = {"tile": "S", "source": "discard", "from": 1}
    assert hongxin("123456789m12sSS", **discarded)["why_not"] == "bao_not_claimable"
    answer = hongxin("12346789m12sSSS", **discarded)
    assert answer["types"] == ["jiebao", "pinghu"]
    answer = hongxin("123456789m12sSS", own={"wild_discards": 1, "bao_had": 3}, **discarded)
    assert (answer["types"], answer["owed"]) == (["jiebao", "pinghu"], [0, 8, 4, 4])  # one flown
    answer = hongxin("123456789m1sSSS", **discarded)
    assert answer["types"] == ["jiebao", "pinghu"]


def test_s8_jiebao_where_the_bao_stands_for_itself() -> None:
    answer = hongxin("12345678m55sSSS", tile="S", source="discard", **{"from": 1})
    assert answer["wins"]  # 123 456 78S SSS 55
    answer = hongxin("123456m123s5sSSS", tile="5s", source="discard", **{"from": 1})
    assert answer["types"] == ["pinghu", "wubao"]
    flown = {"wild_discards": 1, "bao_had": 3}
    answer = hongxin("123456m12355sSS", own=flown, tile="S", source="discard", **{"from": 1})
    assert answer["types"] == ["jiebao", "pinghu", "wubao"]


@pytest.mark.parametrize(
    ("tile", "skipped", "types"),
    [
        ("5s", 0, ["baodiaotou", "pinghu"]),
        ("S", 0, ["baodiaotou", "pinghu", "wubao"]),
        ("5s", 1, ["baodiaotou", "pinghu"]),
        ("S", 1, ["baodiaowubao", "pinghu", "wubao"]),
    ],
)
def test_s8_baodiaotou(tile: str, skipped: int, types: list[str]) -> None:
    answer = hongxin(f"123456789m123sS{tile}", tile=tile, skipped=skipped)
    assert answer["types"] == types


def test_s8_baodiaobao() -> None:
    # SS is no pair of its own here: one of them is the 9m
    answer = hongxin("12345678m123s5sSS", tile="S", skipped=2)
    assert answer["types"] == ["pinghu"]  # without one bao 5s is left over: no baodiaotou
    answer = hongxin("12345678m123sSSS", tile="S", skipped=2)
    assert answer["types"] == ["baodiaobao", "pinghu"]


def test_s8_hanging_is_judged_without_the_draw() -> None:
    def seat(hand: str, melds: int) -> bool:
        player = {"hand": hand, "melds": [PUNG] * melds}
        return hangs_on_bao(read_seat(player), parse("S")[0])

    assert seat("S", 4)
    assert not seat("5s", 4)
    assert seat("123mS", 3)
    assert seat("13mSS", 3)
    assert not seat("134mS", 3)


def test_s8_dandiao_and_sigebao() -> None:
    melds = [{"kind": "pung", "tiles": f"{rank * 3}m", "from": 1} for rank in "1379"]
    answer = hongxin("5s", *melds, tile="5s", source="discard", **{"from": 1})
    assert (answer["types"], answer["owed"]) == (["dandiao", "pengpenghu", "wubao"], [0, 24, 12, 12])
    answer = hongxin("123456m1255sSSSS", tile="S")
    assert "sigebao" in answer["types"]


def test_s8_tianhu_and_dihu_are_least_shares() -> None:
    assert hongxin("123456789m12355s", tile="5s", first="tianhu")["owed"] == [0, 16, 16, 16]


def test_s8_robbing_the_konger_pays_all() -> None:
    players = {"kind": "added_kong", "tiles": "5555s", "from": 3}
    case = {
        "rules": "hongxin",
        "indicator": "E",
        "dealer": 0,
        "players": [
            {"hand": "123456789m46s22s", "melds": []},
            {"hand": "1133557799p", "melds": [players]},
            *({"hand": hand, "melds": []} for hand in OTHERS[1:]),
        ],
        "win": {"winner": 0, "tile": "5s", "source": "rob_kong", "from": 1},
    }
    answer = judged(case)
    assert (answer["types"], answer["liable"]) == (["pinghu", "qianggang", "wubao"], 1)
    assert (answer["owed"], answer["deltas"]) == ([0, 8, 4, 4], [16, -16, 0, 0])


# Hongzhong: seat 0 wins.


def hongzhong(hand: str, codes: list[str], kong: Any = None, **options: Any) -> Case:
    """A self-drawn 5s; seat 1 has the kong."""
    players: list[Case] = [{"hand": hand, "melds": []}]
    players += [{"hand": f"{OTHERS[seat - 1][:-2]}{seat + 6}{seat + 6}s", "melds": []} for seat in (1, 2, 3)]
    if kong:
        players[1] = {"hand": "1133557777p", "melds": [kong]}
    win = {"winner": 0, "tile": "5s", "source": "self_draw"}
    case = {"rules": "hongzhong", "dealer": 0, "players": players, "codes": codes, "win": win}
    return judged(case | {"set": options})


NO_HITS = ["2m", "2m", "2m", "3m"]
SEVEN_PAIRS = {"win.shapes": ["standard", "seven_pairs"]}


def test_s7_codes() -> None:
    answer = hongzhong("123456789m12355s", ["1m", "5p", "2s", "C"])
    assert (answer["hits"], answer["owed"]) == (3, [0, 8, 8, 8])
    answer = hongzhong("123456789m12355s", ["8p"], **{"codes.all_in": True, "points.multiple": 2})
    assert (answer["hits"], answer["owed"]) == (None, [0, 20, 20, 20])
    assert hongzhong("123456789m12355s", ["C"], **{"codes.all_in": True})["owed"] == [0, 12, 12, 12]


def test_s7_kongs() -> None:
    direct = {"kind": "direct_kong", "tiles": "4444s", "from": 0}
    answer = hongzhong("123456789m12355s", NO_HITS, direct)
    assert (answer["kongs"], answer["deltas"]) == ([-3, 3, 0, 0], [3, 1, -2, -2])
    added = {"kind": "added_kong", "tiles": "4444s", "from": 0}
    assert hongzhong("123456789m12355s", NO_HITS, added)["kongs"] == [-1, 3, -1, -1]
    concealed = {"kind": "concealed_kong", "tiles": "4444s"}
    answer = hongzhong("123456789m12355s", NO_HITS, concealed, **{"points.multiple": 3, "score.stake": 2})
    assert answer["kongs"] == [-12, 36, -12, -12]


def test_s7_seven_pairs_by_option() -> None:
    pairs = "113355779m1155sC"
    assert hongzhong(pairs, NO_HITS)["why_not"] == "no_shape"
    assert hongzhong(pairs, NO_HITS, **SEVEN_PAIRS)["types"] == ["qidui"]
    assert hongzhong("112233445566m55s", NO_HITS, **SEVEN_PAIRS)["types"] == ["pinghu"]


# Random cases


@pytest.mark.parametrize("rules", OTHER_PRESETS)
def test_generated_cases_are_possible(rules: str) -> None:
    rng, model = Random(1), model_of(rules)
    found: Counter[str] = Counter()
    for _ in range(1500):
        overrides = random_overrides(rng, rules)
        options = OTHER_PRESETS[rules] | overrides
        case = random_case(rng, rules, overrides)
        win, wildcard = case["win"], bao_after(parse(case["indicator"])[0]) if model == "patterns" else RED
        seen = Counter(parse("".join(case.get("codes", [])) + case.get("indicator", "")))
        seen.update(parse(win["tile"]) if win["source"] == "discard" else [])
        for seat, player in enumerate(case["players"]):
            hand = parse(player["hand"])
            drawn = win["source"] == "self_draw" and seat == win["winner"]
            assert len(hand) == 13 + drawn - 3 * len(player["melds"])
            assert not drawn or parse(win["tile"])[0] in hand
            assert not win.get("first") or not player["melds"]
            seen.update(hand)
            seen[wildcard] += player.get("wild_discards", 0)
            for meld in player["melds"]:
                seen.update(parse(meld["tiles"]))
                assert wildcard not in parse(meld["tiles"])
                assert options["claims.chow"] or meld["kind"] != "chow"
                assert meld.get("from") in {*range(options["deal.players"]), None} - {seat}
        assert max(seen.values()) <= 4
        answer = judged(case)
        found.update(answer["types"] if answer["wins"] else [answer["why_not"]])
        assert not answer["wins"] or sum(answer["deltas"]) == 0
    kinds = {"codes": 3 + 3, "patterns": 8 + 9 + 2 + 5}  # patterns, factors, tianhu and dihu, refusals
    assert len(found) == kinds[model], found
