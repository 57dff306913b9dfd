"""Cases in, points out: the golden cases, the clauses of RULES.md sections 3 to 6, and section 10's faults."""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from wuhan_core.records import TYPE_NAMES
from wuhan_core.scoring import CaseError, score_case, score_cases
from wuhan_core.tiles import KIND_NAMES, format_tiles, parse_tiles

Case = dict[str, Any]
GOLDEN = [
    json.loads(line)
    for line in (Path(__file__).parent / "golden" / "wuhan.jsonl").read_text(encoding="utf-8").splitlines()
]
RAW = {"win.minimum": "none", "cap.per_payer": 0, "cap.liable": 0}  # the factors alone


# ---- making cases ----------------------------------------------------------------------------------------------


def meld(text: str) -> Case:
    """``chow 123m 3``: kind, tiles, and whose discard it was made with."""
    kind, tiles, *feeder = text.split()
    return {"kind": kind, "tiles": tiles} | {"from": int(seat) for seat in feeder}


def make(
    hand: str,
    melds: Iterable[str],
    tile: str,
    source: str = "self_draw",
    loser: int | None = None,
    *,
    rules: str = "yuanhang",
    options: Case | None = None,
    indicator: str = "E",
    dealer: int = 2,
    players: dict[int, Case] | None = None,
    **win: Any,
) -> Case:
    """Build a case that seat 0 wins; `players` has what is special about a seat (melds as text).

    The hands of the others are dealt from the tiles left over, without C and the neighbours of the indicator.
    """
    seats: list[Case] = [{"hand": "", "melds": []} for _ in range(4)]
    for seat, player in {0: {}, **(players or {})}.items():
        seats[seat] |= player
        seats[seat]["melds"] = [meld(text) for text in (melds if seat == 0 else player.get("melds", ()))]
    seats[0]["hand"] = hand
    used = Counter(parse_tiles(indicator + (tile if source == "discard" else "")))
    for player in seats:
        used.update(parse_tiles(player["hand"]))
        for each in player["melds"]:
            used.update(parse_tiles(each["tiles"]))
    first = parse_tiles(indicator)[0]
    near = {first, *range(first - 2, first + 3)} if first < 27 else {27, 28, 29, 30, 32, 33}
    rest = [kind for kind in range(34) for _ in range(4 - used[kind]) if kind not in near | {31}]
    random.Random(0).shuffle(rest)
    for player in seats[1:]:
        while not player["hand"] or len(parse_tiles(player["hand"])) < 13 - 3 * len(player["melds"]):
            player["hand"] += format_tiles([rest.pop()])
    declared = {"winner": 0, "tile": tile, "source": source} | win
    if loser is not None:
        declared["from"] = loser
    case: Case = {"rules": rules, "indicator": indicator, "dealer": dealer, "players": seats, "win": declared}
    return case | ({"set": options} if options else {})


def small(
    source: str = "self_draw", loser: int | None = None, *, opens: int = 1, seat: Case | None = None, **more: Any
) -> Case:
    """Build a small hard win on 8s: 123m 456m 234p 678s 55s, the first `opens` sets as chows."""
    sets = ["123m", "456m", "234p"]
    hand = "".join(sets[opens:]) + ("67855s" if source == "self_draw" else "6755s")
    return make(hand, [f"chow {text} 3" for text in sets[:opens]], "8s", source, loser, **more)


def pungs(
    source: str = "self_draw", loser: int | None = None, melds: tuple[str, ...] = ("pung 111m 3",), **more: Any
) -> Case:
    """Build a hard pengpenghu on 5p: 111m 333m 999p 777s 55p, the sets named by `melds` open."""
    sets = ["111m", "333m", "999p", "777s"]
    done = [text.split()[1][:3] + text.split()[1][-1] for text in melds]
    hand = "".join(text for text in sets if text not in {f"{word[:3]}{word[-1]}" for word in done})
    return make(hand + ("55p" if source == "self_draw" else "5p"), melds, "5p", source, loser, **more)


def owed(case: Case) -> list[int]:
    answer = score_case(case)
    assert answer["wins"], answer
    return list(answer["owed"])


def refusal(case: Case) -> str | None:
    return score_case(case)["why_not"]


# ---- golden and general ----------------------------------------------------------------------------------------


def test_golden_cases_agree_on_every_field() -> None:
    wrong = {
        f"line {number}": {
            key: (answer.get(key), case["expect"].get(key))
            for key in answer.keys() | case["expect"].keys()
            if answer.get(key, "absent") != case["expect"].get(key, "absent")
        }
        for number, (case, answer) in enumerate(zip(GOLDEN, score_cases(GOLDEN), strict=True), 1)
        if answer != case["expect"]
    }
    assert not wrong
    assert len(GOLDEN) == 780


def test_one_case_and_many_are_scored_alike() -> None:
    assert [score_case(case) for case in GOLDEN[:50]] == score_cases(iter(GOLDEN[:50]))
    assert score_cases([]) == []


def test_a_case_is_left_as_it_was() -> None:
    case = copy.deepcopy(GOLDEN[0])
    answer = score_case(case)
    assert case == GOLDEN[0]
    answer["types"].append("x")
    assert "x" not in score_case(case)["types"]


@pytest.mark.parametrize("turn", [1, 2, 3])
def test_turning_the_seats_turns_the_answer(turn: int) -> None:
    def turned(case: Case) -> Case:
        case = copy.deepcopy(case)
        case["dealer"] = (case["dealer"] + turn) % 4
        for where in [case["win"]] + [each for player in case["players"] for each in player["melds"]]:
            for key in ("from", "winner"):
                if where.get(key) is not None:
                    where[key] = (where[key] + turn) % 4
        case["players"] = case["players"][-turn:] + case["players"][:-turn]
        return case

    for case, answer in zip(GOLDEN, score_cases(map(turned, GOLDEN)), strict=True):
        expected = copy.deepcopy(case["expect"])
        if expected["wins"]:
            for key in ("owed", "capped", "deltas"):
                expected[key] = expected[key][-turn:] + expected[key][:-turn]
            if expected["liable"] is not None:
                expected["liable"] = (expected["liable"] + turn) % 4
        assert answer == expected


def test_exchanging_the_suits_changes_nothing() -> None:
    table = str.maketrans("mps", "psm")

    def exchanged(case: Case) -> Case:
        case = copy.deepcopy(case)
        for where, key in [(case, "indicator"), (case, "laizi"), (case["win"], "tile")]:
            if key in where:
                where[key] = where[key].translate(table)
        for player in case["players"]:
            player["hand"] = player["hand"].translate(table)
            for each in player["melds"]:
                each["tiles"] = each["tiles"].translate(table)
        return case

    assert score_cases(map(exchanged, GOLDEN)) == [case["expect"] for case in GOLDEN]


def test_every_answer_adds_up() -> None:
    for case in GOLDEN:
        answer = score_case(case)
        if answer["wins"]:
            assert sum(answer["deltas"]) == 0
            assert answer["deltas"][case["win"]["winner"]] == sum(answer["capped"])
            assert answer["golden"] or all(a >= b for a, b in zip(answer["owed"], answer["capped"], strict=True))
        else:
            assert answer == {"wins": False, "why_not": answer["why_not"]}


# ---- section 2: the wildcard -----------------------------------------------------------------------------------


def test_s10_an_absent_laizi_follows_from_the_indicator() -> None:
    for case in GOLDEN[:200]:
        bare = {key: value for key, value in case.items() if key != "laizi"}
        assert score_case(bare) == case["expect"]


@pytest.mark.parametrize(
    ("indicator", "laizi"),
    [("1m", "2m"), ("9p", "1p"), ("E", "S"), ("N", "F"), ("C", "F"), ("F", "P"), ("P", "E")],
)
def test_s2_wildcard_kind_is_the_next_of_its_ring(indicator: str, laizi: str) -> None:
    case = make("22s99s", ["chow 123s 3", "chow 456s 3", "chow 789s 3"], "E", "discard", 1, indicator=indicator)
    assert score_case(case | {"laizi": laizi})["wins"] is False
    with pytest.raises(CaseError, match=f"must be {laizi}: it follows from the indicator {indicator}"):
        score_case(case | {"laizi": "5p"})


def test_s2_a_wildcard_may_stand_for_a_fifth_copy() -> None:
    # 3m is in the pung and once more in the hand; S S make 3m a triplet of fifth and sixth copies
    case = make("3mSS999p55p", ["pung 333m 1", "pung 111s 1"], "5p", options=RAW)
    assert score_case(case)["types"] == ["pengpenghu"]


def test_s2_a_wildcard_stands_for_no_red_skin() -> None:
    # qipi, indicator 5m: skins 4m 5m are red, wildcard 6m. 2m 3m 6m would need 4m (or 1m) ...
    melds = ["pung EEE 1", "pung SSS 1", "pung WWW 1"]
    hand = {"indicator": "5m", "rules": "qipi", "options": RAW}
    assert score_case(make("23m6m88p", melds, "8p", **hand))["types"] == ["pihu"]  # ... 1m it may be
    # indicator 4m: skins 3m 4m, wildcard 5m: 1m 2m lack only 3m
    assert refusal(make("12m5m88p", melds, "8p", **hand | {"indicator": "4m"})) == "no_shape"
    # an ordinary skin it may be
    plain = RAW | {"wild.skin_role": "optional"}
    assert refusal(make("12m5m88p", melds, "8p", **hand | {"indicator": "4m", "options": plain})) is None


# ---- section 3: when a hand wins -------------------------------------------------------------------------------


def test_s3_0_the_tile_won_on_must_be_claimable() -> None:
    for tile in "S", "C":  # S is the wildcard
        assert refusal(make("234p6755s456m", ["chow 123m 3"], tile, "discard", 1)) == "tile_not_claimable"
    skins = {"indicator": "5p", "rules": "qipi"}
    for tile in "5p", "4p":
        assert refusal(make("678p6755s456m", ["chow 123m 3"], tile, "discard", 1, **skins)) == "tile_not_claimable"
    ordinary = skins | {"options": {"wild.skin_role": "optional"}}
    assert refusal(make("678p6755s456m", ["chow 123m 3"], "5p", "discard", 1, **ordinary)) == "no_shape"


def test_s7_no_discard_win_is_asked_first() -> None:
    options = {"claims.discard_win": False}
    assert refusal(make("234p6755s456m", ["chow 123m 3"], "S", "discard", 1, options=options)) == "no_discard_win"
    assert refusal(small(options=options | RAW)) is None


def test_s3_1_a_red_dragon_or_red_skin_in_the_hand_bars_the_win() -> None:
    assert refusal(make("234p67855s45mC", ["chow 123m 3"], "8s")) == "holds_kong_tile"
    skin = {"rules": "qipi", "indicator": "8p"}
    assert refusal(make("234p67855s45m7p", ["chow 123m 3"], "8s", **skin)) == "holds_kong_tile"
    assert refusal(make("234p67855s45m7p", ["chow 123m 3"], "8s", indicator="8p")) == "no_shape"


@pytest.mark.parametrize(
    ("first", "counted"),
    [
        ("chow 123m 3", {"chow_pung", "chow_pung_kong", "none"}),
        ("pung 111m 1", {"chow_pung", "chow_pung_kong", "none"}),
        ("added_kong 1111m 1", {"chow_pung", "chow_pung_kong", "none"}),
        ("direct_kong 1111m 1", {"chow_pung_kong", "none"}),
        ("concealed_kong 1111m", {"none"}),
    ],
)
def test_s3_2_what_opens_a_hand(first: str, counted: set[str]) -> None:
    for value in ("none", "chow_pung", "chow_pung_kong"):
        case = make("456m234p67855s", [first], "8s", options=RAW | {"win.open_melds": value})
        assert refusal(case) == (None if value in counted else "not_open")


def test_s3_3_shapes() -> None:
    no_sets = "2255588m258p2s"
    assert refusal(make("258m258p258s25p", ["pung 555m 1"], "2p", options=RAW)) is None
    only = {"win.shapes": ["standard"]}
    assert refusal(make("258m258p258s25p", ["pung 555m 1"], "2p", options=RAW | only)) == "no_shape"
    assert refusal(make(no_sets[:-4] + "8p", ["pung 555s 1", "chow 123s 3"], "8p", options=RAW)) == "no_shape"
    winds = make("ESWNFPESWNF", ["pung PPP 1"], "F", indicator="1m", options=RAW)
    assert score_case(winds)["types"] == ["fengyise"]
    assert refusal(winds | {"set": RAW | {"win.shapes": ["standard", "all_258"]}}) == "no_shape"
    # without "standard" sets are of no use
    assert refusal(small(options=RAW | {"win.shapes": ["all_winds", "all_258"]})) == "no_shape"


def test_s3_3_seven_pairs_are_no_shape() -> None:
    assert refusal(make("11447799m22s", ["concealed_kong 5555p"], "2s", options={"win.open_melds": "none"})) == "no_shape"


def test_s3_4_the_pair_is_258() -> None:
    hand = "456m234p678s{}"
    for pair, right in [("55s", True), ("5sS", True), ("SS", True), ("99s", False), ("9sS", False)]:
        case = make(hand.format(pair), ["chow 123m 3"], "4p", options=RAW | {"win.small_wild_max": 4})
        assert refusal(case) == (None if right else "head_not_258"), pair


@pytest.mark.parametrize("name", TYPE_NAMES)
def test_s3_4_a_big_type_in_the_list_frees_the_pair(name: str) -> None:
    """A hand of each type with the pair 9m (qingyise), E or 99s; free only where the list has its type."""
    made = {
        "pengpenghu": lambda **o: make("333m999p777s11s", ["pung 111m 3"], "1s", **o),
        "qingyise": lambda **o: make("45678999m11m", ["chow 123m 3"], "1m", **o),
        "fengyise": lambda **o: make("WWWNNNFFF99p", ["pung PPP 3"], "9p", **o),
        "jiangyise": lambda **o: make("222m555m888p55s", ["pung 222p 1"], "5s", **o),
        "quanqiuren": lambda **o: make("9s", QUAN, "9s", "discard", 1, **o),
        "gangshanghua": lambda **o: make("456m234p67899s", ["chow 123m 3"], "8s", after_kong=True, **o),
        "haidilao": lambda **o: make("456m234p67899s", ["chow 123m 3"], "8s", last_draw=True, **o),
        "qianggang": lambda **o: make(
            "456m234p6799s", ["chow 123m 3"], "8s", "rob_kong", 1, players={1: {"melds": ["added_kong 8888s 3"]}}, **o
        ),
    }[name]
    options = RAW | {"score.qianggang_is_big": True, "liability.rob_kong": "robber_hand"}
    head = {"win.head_258_free": [other for other in TYPE_NAMES if other != name]}
    if name in ("jiangyise", "quanqiuren", "fengyise"):
        pytest.skip("tested apart: their pairs are 258, honours, or ask for another type")
    kong = {"players": {0: {"red_kongs": 1}}} if name == "gangshanghua" else {}
    assert refusal(made(options=options | head, **kong)) == "head_not_258"
    free = score_case(made(options=options | {"win.head_258_free": [name]}, **kong))
    assert free["wins"]
    assert name in free["types"]
