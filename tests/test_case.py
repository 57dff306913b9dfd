"""Cases that cannot be, and the forms a case may take: RULES.md section 10."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from case_maker import RAW, Case, golden, make, meld, owed, refusal, robbed, small
from wuhan_core.rules import load_rules
from wuhan_core.scoring import CaseError, score_case, score_cases
from wuhan_core.tiles import format_tiles, parse_tiles


def place(case: Case, path: str) -> tuple[Any, str | int]:
    """What holds the value at a path such as ``players.0.melds.1.from``, and its key there."""
    *where, last = (int(key) if key.isdigit() else key for key in path.split("."))
    at: Any = case
    for key in where:
        at = at[key]
    return at, last


def put(path: str, value: Any) -> Callable[[Case], None]:
    """A change of a case: set the value at a path."""

    def change(case: Case) -> None:
        at, key = place(case, path)
        at[key] = value

    return change


def drop(path: str) -> Callable[[Case], None]:
    def change(case: Case) -> None:
        at, key = place(case, path)
        del at[key]

    return change


def both(*changes: Callable[[Case], None]) -> Callable[[Case], None]:
    def change(case: Case) -> None:
        for each in changes:
            each(case)

    return change


DRAWN: Case = {
    "rules": "yuanhang",
    "indicator": "E",
    "laizi": "S",
    "dealer": 0,
    "players": [
        {"hand": "234p67855s", "melds": [meld("chow 123m 3"), meld("pung 999m 1")], "red_kongs": 0},
        {"hand": "147m258p36p114sWN", "melds": []},
        {"hand": "258m147p258s1s", "melds": [meld("added_kong 9999p 1")], "wild_discards": 1},
        {"hand": "147m369sWN36p", "melds": [meld("concealed_kong FFFF")]},
    ],
    "win": {"winner": 0, "tile": "8s", "source": "self_draw"},
}
DISCARDED = small("discard", 1, opens=0, options={"win.open_melds": "none"})
ROBBED = robbed("123m456p789p5s")
FIVE_MELDS = [
    meld(text) for text in ("chow 123m 3", "pung 999m 1", "pung EEE 1", "pung 777p 1", "pung 333s 1")
]

# a case, what is done to it, and the one fault that follows
FAULTS: list[tuple[Case, Callable[[Case], None], str]] = [
    # rules
    (DRAWN, put("rules", 5), "rules = 5, must be a preset or the path of a rule file"),
    (DRAWN, drop("rules"), "rules = None, must be a preset or the path of a rule file"),
    (DRAWN, put("rules", "yuanhong"), "unknown preset 'yuanhong', the nearest is yuanhang"),
    (DRAWN, put("rules", "no/such.toml"), "no/such.toml: cannot be read"),
    (
        DRAWN,
        put("set", {"cap.per_payer": -1}),
        "cap.per_payer = -1, must be a whole number from 0 to 1000000",
    ),
    (DRAWN, put("set", {"cap.per_player": 1}), "the nearest is cap.per_payer"),
    (DRAWN, put("set", [1]), "options = [1], must be a mapping of option to value"),
    (DRAWN, put("set", {"cap.golden": {1}}), "must be an object of option to value as JSON has them"),
    # missing parts and wrong types
    (DRAWN, put("players", "x"), "players = 'x', must be a list of 4 players"),
    (DRAWN, drop("players"), "players is missing, must be a list of 4 players"),
    (DRAWN, put("players.1", 7), "players[1] = 7, must be an object"),
    (DRAWN, drop("win"), "win is missing, must be an object"),
    (DRAWN, put("win", []), "win = [], must be an object"),
    (DRAWN, drop("dealer"), "dealer is missing, must be a whole number from 0 to 3"),
    (DRAWN, put("dealer", 4), "dealer = 4, must be a whole number from 0 to 3"),
    (DRAWN, put("dealer", True), "dealer = True, must be a whole number from 0 to 3"),
    (DRAWN, put("dealer", 1.0), "dealer = 1.0, must be a whole number from 0 to 3"),
    (DRAWN, put("dealer", 10**30), "dealer = 1000000000000000000000000000000, must be a whole number"),
    (DRAWN, drop("indicator"), "indicator is missing, must be text such as"),
    (DRAWN, put("indicator", "12m"), "indicator = '12m', has 2 tiles, must be exactly one"),
    (DRAWN, drop("players.2.hand"), "players[2].hand is missing, must be text"),
    (DRAWN, put("players.2.hand", 5), "players[2].hand = 5, must be text"),
    (DRAWN, put("players.2.hand", "258m147p258s1"), "players[2].hand = '258m147p258s1': position 13"),
    (
        DRAWN,
        put("players.2.hand", "258m147p258s1z"),
        "players[2].hand = '258m147p258s1z': position 13: '1z' is refused",
    ),
    (DRAWN, put("players.2.hand", "\ud800"), "players[2].hand = '\\ud800': position 1"),
    (DRAWN, put("players.2.melds", None), "players[2].melds = None, must be a list"),
    (DRAWN, put("players.0.melds.1", "x"), "players[0].melds[1] = 'x', must be an object"),
    (DRAWN, put("players.2.red_kongs", -1), "players[2].red_kongs = -1, must be a whole number from 0 to 4"),
    (DRAWN, put("players.2.wild_discards", "1"), "players[2].wild_discards = '1', must be a whole number"),
    (DRAWN, put("players.2.bao_had", 5), "players[2].bao_had = 5, must be a whole number from 0 to 4"),
    (DRAWN, put("win.winner", None), "win.winner = None, must be a whole number from 0 to 3"),
    (DRAWN, put("win.source", "draw"), "win.source = 'draw', must be one of self_draw, discard, rob_kong"),
    (DRAWN, put("win.source", ["draw"]), "win.source = ['draw'], must be one of"),
    (DRAWN, put("win.tile", "5p5p"), "win.tile = '5p5p', has 2 tiles, must be exactly one"),
    (DRAWN, put("win.last_draw", 1), "win.last_draw = 1, must be true or false"),
    (DRAWN, put("win.first", "first"), "win.first = 'first', must be null, tianhu or dihu"),
    (DRAWN, put("win.skipped", -1), "win.skipped = -1, must be a whole number from 0"),
    # unknown keys
    (DRAWN, put("dealr", 1), "case: unknown key 'dealr', the nearest is dealer"),
    (DRAWN, put("players.1.red_kong", 1), "players[1]: unknown key 'red_kong', the nearest is red_kongs"),
    (DRAWN, put("players.0.melds.1.form", 1), "players[0].melds[1]: unknown key 'form', the nearest is from"),
    (DRAWN, put("win.winer", 1), "win: unknown key 'winer', the nearest is winner"),
    # a wrong number of tiles
    (DRAWN, put("players.1.hand", "147m258p36p114sW"), "has 12 tiles, must be 13 beside 0 melds"),
    (DRAWN, put("players.2.hand", "258m147p258s11s"), "has 11 tiles, must be 10 beside 1 melds"),
    (
        DRAWN,
        put("players.0.hand", "234p6785s"),
        "players[0].hand = '234p6785s', has 7 tiles, must be 8 beside 2 melds",
    ),
    (DISCARDED, put("players.0.hand", "123m456m234p67855s"), "has 14 tiles, must be 13 beside 0 melds"),
    (DRAWN, drop("players.3.melds"), "players[3].hand = '147m369sWN36p', has 10 tiles, must be 13"),
    (DRAWN, put("players.0.melds", FIVE_MELDS), "has 5 melds, must be at most 4"),
    (DRAWN, lambda case: case["players"].pop(), "has 3 players, must be 4"),
    (DRAWN, lambda case: case["players"].append({}), "has 5 players, must be 4"),
    # five alike
    (
        DRAWN,
        put("players.1.hand", "1479m9m258p36p14sN"),
        "tiles of 9m = 5 in hands, melds, kongs, discards and",
    ),
    (DRAWN, put("players.1.hand", "EEEE258p36p114sW"), "tiles of E = 5"),  # and the indicator
    (DRAWN, put("players.0.wild_kongs", 4), "tiles of S = 5"),  # and one discarded
    (
        DRAWN,
        both(put("players.1.hand", "147m258p36p114sWC"), put("players.1.red_kongs", 4)),
        "tiles of C = 5",
    ),
    (
        DISCARDED,
        put("players.2.hand", "147m258p1pEW8888s"),
        "tiles of 8s = 6",
    ),  # one more in a hand, and the discard
    (
        DISCARDED,
        both(put("win.tile", "S"), put("players.2.wild_discards", 4)),
        "tiles of S = 5",
    ),
    # a meld that is none
    (
        DRAWN,
        put("players.0.melds.0.kind", "chi"),
        "players[0].melds[0].kind = 'chi', must be one of chow, pung, direct",
    ),
    (
        DRAWN,
        put("players.0.melds.0.tiles", "124m"),
        "players[0].melds[0].tiles = '124m', must be three in a row",
    ),
    (DRAWN, put("players.0.melds.0.tiles", "1234m"), "must be three in a row of one suit for a chow"),
    (DRAWN, put("players.0.melds.0.tiles", "89m1p"), "must be three in a row of one suit for a chow"),
    (DRAWN, put("players.0.melds.0.tiles", "113m"), "must be three in a row of one suit for a chow"),
    (DRAWN, put("players.0.melds.0.tiles", "EWN"), "must be three in a row of one suit for a chow"),
    (DRAWN, put("players.0.melds.0.tiles", ""), "must be three in a row of one suit for a chow"),
    (DRAWN, put("players.0.melds.1.tiles", "998m"), "must be three alike for a pung"),
    (DRAWN, put("players.0.melds.1.tiles", "9999m"), "must be three alike for a pung"),
    (DRAWN, put("players.2.melds.0.tiles", "999p"), "must be four alike for a kong"),
    (
        DRAWN,
        put("players.0.melds.0.from", 1),
        "melds[0].from = 1, must be 3: a chow is made with the previous seat's",
    ),
    (DRAWN, put("players.0.melds.1.from", 0), "players[0].melds[1].from = 0, must be another seat"),
    (DRAWN, put("players.0.melds.1.from", None), "players[0].melds[1].from = None, must be a whole number"),
    (DRAWN, drop("players.0.melds.1.from"), "players[0].melds[1].from is missing"),
    (DRAWN, put("players.3.melds.0.from", 1), "players[3].melds[0].from = 1, must be absent"),
    (DRAWN, put("players.0.melds.1.tiles", "SSS"), "has S, a wildcard, which is in no meld"),
    (DRAWN, put("players.0.melds.1.tiles", "CCC"), "has C, a red dragon, which is in no meld"),
    (
        DRAWN,
        both(
            put("rules", "qipi"),
            put("indicator", "1m"),
            put("laizi", "2m"),
            put("players.0.melds.0.tiles", "456m"),
        ),
        "has 9m, a red skin, which is in no meld",
    ),
    (
        DRAWN,
        put("set", {"claims.chow": False}),
        "melds[0].kind = 'chow', is not allowed by claims.chow = false",
    ),
    # laizi, codes, skins
    (DRAWN, put("laizi", "W"), "laizi = 'W', must be S: it follows from the indicator E"),
    (DRAWN, put("codes", ["1m"]), "codes = ['1m'], must be absent"),
    (DRAWN, put("players.1.skin_kongs", 1), "skin_kongs of all players = 1, must be at most 0"),
    (
        DRAWN,  # indicator, one in a hand, three konged
        both(
            put("set", {"wild.skin_kinds": 1}),
            put("players.1.hand", "147m258p36p114sEN"),
            put("players.1.skin_kongs", 2),
            put("players.2.skin_kongs", 1),
        ),
        "skin_kongs of all players = 3, must be at most 2",
    ),
    # the win
    (DRAWN, put("win.tile", "9s"), "win.tile = '9s', must be in the hand of player 0"),
    (DRAWN, put("win.tile", "C"), "win.tile = 'C', must be in the hand of player 0"),
    (DRAWN, put("win.from", 1), "win.from = 1, must be absent on a self-draw"),
    (DRAWN, put("win.after_kong", True), "win.after_kong = True, but player 0 has no kong"),
    (
        DRAWN,
        both(put("win.after_kong", True), put("win.last_draw", True), put("players.0.red_kongs", 1)),
        "win.last_draw = True, must be false after a kong",
    ),
    (
        DRAWN,
        both(put("win.last_draw", True), put("set", {"deal.last_draws": 0})),
        "win.last_draw = True, must be false with deal.last_draws = 0",
    ),
    (DRAWN, put("win.first", "tianhu"), "win.first = 'tianhu', must be null once there are melds or kongs"),
    (DISCARDED, put("win.first", "tianhu"), "win.first = 'tianhu', must be the dealer's self-draw"),
    (DISCARDED, put("win.first", "dihu"), "win.first = 'dihu', must be on the dealer's discard"),
    (DISCARDED, drop("win.from"), "win.from is missing, must be a whole number from 0 to 3"),
    (DISCARDED, put("win.from", 0), "win.from = 0, must be another seat"),
    (DISCARDED, put("win.after_kong", True), "win.after_kong = True, must be false without a self-draw"),
    (DISCARDED, put("win.last_draw", True), "win.last_draw = True, must be false without a self-draw"),
    (ROBBED, put("win.tile", "7s"), "win.tile = '7s', must be that of an added kong of player 1"),
    (ROBBED, put("win.from", 3), "win.tile = '8s', must be that of an added kong of player 3"),
    (
        ROBBED,
        put("players.1.melds.0.kind", "direct_kong"),
        "win.tile = '8s', must be that of an added kong of player 1",
    ),
]


def test_s10_the_cases_that_the_faults_start_from_can_be() -> None:
    assert [refusal(case) for case in (DRAWN, DISCARDED, ROBBED)] == [None, "below_minimum", None]


@pytest.mark.parametrize(("case", "change", "expected"), FAULTS)
def test_s10_a_case_that_cannot_be_is_an_error_that_says_why(
    case: Case, change: Callable[[Case], None], expected: str
) -> None:
    case = copy.deepcopy(case)
    change(case)
    with pytest.raises(CaseError) as caught:
        score_case(case)
    assert len(caught.value.faults) == 1, caught.value.faults
    assert expected in caught.value.faults[0]


@pytest.mark.parametrize("case", [None, 5, "case", [], [DRAWN]])
def test_s10_what_is_no_object_is_no_case(case: Any) -> None:
    with pytest.raises(CaseError, match="must be an object: a case"):
        score_case(case)


def test_s10_all_faults_of_a_case_are_named_at_once() -> None:
    case = copy.deepcopy(DRAWN)
    wrong = [
        (put("rules", "yuanhong"), "unknown preset 'yuanhong'"),
        (put("set", {"cap.golden": -1, "cap.goldn": 1}), "cap.golden = -1"),
        (put("laizi", "6z"), "laizi = '6z': position 1"),
        (put("dealer", -1), "dealer = -1"),
        (put("players.0.hand", "234p6785s"), "has 7 tiles, must be 8"),
        (put("players.0.melds.0.from", 2), "melds[0].from = 2, must be 3"),
        (put("players.1.hand", "9999m258p36p114sC"), "tiles of 9m = 7"),
        (put("players.2.melds.0.kind", "pung"), "must be three alike for a pung"),
        (put("win.tile", "9s"), "must be in the hand of player 0"),
        (put("win.after_kong", True), "player 0 has no kong"),
        (put("win.why", True), "unknown key 'why'"),
    ]
    both(*(change for change, _ in wrong))(case)
    with pytest.raises(CaseError) as caught:
        score_case(case)
    text = str(caught.value)
    assert all(expected in text for _, expected in wrong), text
    assert len(caught.value.faults) == len(wrong) + 1  # two in "set"


def test_s10_the_faults_of_many_cases_are_numbered() -> None:
    bad = [DRAWN, DRAWN | {"dealer": 9}, DRAWN, DRAWN | {"laizi": "P"}]
    with pytest.raises(CaseError) as caught:
        score_cases(bad)
    assert [fault[:18] for fault in caught.value.faults] == ["cases[1]: dealer =", "cases[3]: laizi = "]


def test_s10_a_wildcard_won_on_is_counted_with_the_discarder_that_discarded_it() -> None:
    case = make("456m234p6755s", ["chow 123m 3"], "S", "discard", 1, players={1: {"wild_discards": 4}})
    assert refusal(case) == "tile_not_claimable"


def test_s1_tiles_of_a_case_may_be_chinese_or_unicode() -> None:
    for style in "chinese", "unicode":
        case = golden("wuhan")[3]
        for where, key in [(case, "indicator"), (case, "laizi"), (case["win"], "tile")]:
            where[key] = format_tiles(parse_tiles(where[key]), style)
        for player in case["players"]:
            player["hand"] = format_tiles(parse_tiles(player["hand"]), style)
            for each in player["melds"]:
                each["tiles"] = format_tiles(parse_tiles(each["tiles"]), style)
        assert score_case(case) == case["expect"]


def test_s10_rules_may_be_a_file_and_what_it_says_now_counts(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    case = small("discard", 1, rules=str(file), options=RAW)
    for base in 1, 5:
        file.write_text(f'extends = "yuanhang"\n[score]\nsmall_base = {base}\n', encoding="utf-8")
        assert owed(case) == [0, 8 * base, 8 * base, 4 * base]
        assert [answer["owed"][3] for answer in score_cases([case, case])] == [4 * base] * 2


def test_s10_rules_may_be_an_alias_of_a_preset() -> None:
    case = small("discard", 1)
    for preset in "yuanhang", "bianfeng", "laizigang", "qipi":
        for alias in (preset, *load_rules(preset).preset.aliases):
            assert score_case(case | {"rules": alias}) == score_case(case | {"rules": preset})
