"""Points of finished hands: the golden cases, and the wildcard (RULES.md section 2)."""

from __future__ import annotations

import copy
import json
from typing import Any

import numpy as np
import pytest

from case_maker import RAW, Case, golden, make, types
from wuhan_core.explain import explain_case
from wuhan_core.scoring import CaseError, score_case, score_cases

GOLDEN = golden("wuhan")


# ---- golden and general --------------------------------------------------------------------------


def test_golden_cases_agree_on_every_field() -> None:
    wrong = {
        f"line {number}": {
            key: (answer.get(key, "absent"), case["expect"].get(key, "absent"))
            for key in answer.keys() | case["expect"].keys()
        }
        for number, (case, answer) in enumerate(zip(GOLDEN, score_cases(GOLDEN), strict=True), 1)
        if answer != case["expect"]
    }
    assert not wrong
    assert len(GOLDEN) == 780


def test_one_case_and_many_are_scored_alike() -> None:
    assert [score_case(case) for case in GOLDEN[:50]] == score_cases(iter(GOLDEN[:50]))
    assert score_cases([]) == []


@pytest.mark.parametrize("codes", [np.int64(1), np.array(["1m", "2m"]), {"1m"}, "1m"])
def test_codes_of_any_type_are_named(codes: Any) -> None:
    with pytest.raises(CaseError, match=r"^codes = .*must be absent: score\.model = factors"):
        score_case({**GOLDEN[0], "codes": codes})


@pytest.mark.parametrize("cases", [None, 5])
def test_what_is_no_list_of_cases_is_named(cases: Any) -> None:
    with pytest.raises(CaseError, match=f"^cases = {cases}, must be a list of cases$"):
        score_cases(cases)


def test_a_case_is_left_as_it_was_and_answers_are_apart() -> None:
    case = copy.deepcopy(GOLDEN[0])
    answer = score_case(case)
    answer["types"].append("x")
    assert case == GOLDEN[0]
    assert score_case(case) == GOLDEN[0]["expect"]


@pytest.mark.parametrize("turn", [1, 2, 3])
def test_turning_the_seats_turns_the_answer(turn: int) -> None:
    def turned(case: Case) -> Case:
        case = copy.deepcopy(case)
        case["dealer"] = (case["dealer"] + turn) % 4
        for where in [case["win"], *(each for player in case["players"] for each in player["melds"])]:
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
    for case, answer in zip(GOLDEN, score_cases(GOLDEN), strict=True):
        if not answer["wins"]:
            assert answer.keys() == {"wins", "why_not"}
            continue
        assert sum(answer["deltas"]) == 0
        assert answer["deltas"][case["win"]["winner"]] == sum(answer["capped"])
        pairs = zip(answer["owed"], answer["capped"], strict=True)
        assert answer["golden"] or all(before >= after for before, after in pairs)


# ---- section 2: the wildcard ---------------------------------------------------------------------


def test_s10_an_absent_laizi_follows_from_the_indicator() -> None:
    bare = [{key: value for key, value in case.items() if key != "laizi"} for case in GOLDEN]
    assert score_cases(bare) == [case["expect"] for case in GOLDEN]


@pytest.mark.parametrize(
    ("indicator", "laizi"),
    [("1m", "2m"), ("8s", "9s"), ("9p", "1p"), ("E", "S"), ("N", "F"), ("C", "F"), ("F", "P"), ("P", "E")],
)
def test_s2_the_wildcard_is_the_next_kind_of_its_ring(indicator: str, laizi: str) -> None:
    case = GOLDEN[0] | {"indicator": indicator}
    with pytest.raises(
        CaseError, match=f"laizi = '5p', must be {laizi}: it follows from the indicator {indicator}"
    ):
        score_case(case | {"laizi": "5p"})


def test_s2_a_wildcard_may_stand_for_a_fifth_copy() -> None:
    # all four 3m are natural: three in the pung, one with S S as a triplet
    case = make("3mSS55p", ["pung 333m 1", "pung 111s 1", "pung 777s 1"], "5p", options=RAW)
    assert types(case) == ["pengpenghu"]


def test_s2_a_wildcard_may_stand_for_a_red_skin() -> None:
    # indicator 4m: 3m and 4m are red, and 5m, the wildcard, is the 3m after 1m 2m
    melds = ["pung EEE 1", "pung SSS 1", "pung WWW 1"]
    for role in "red", "optional":
        options = RAW | {"wild.skin_role": role}
        assert types(make("12m5m88p", melds, "8p", rules="qipi", indicator="4m", options=options)) == ["pihu"]


def test_numbers_of_any_type_are_numbers() -> None:
    def turned(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: turned(each) for key, each in value.items()}
        if isinstance(value, list):
            return [turned(each) for each in value]
        return np.int8(value) if type(value) is int else value

    for case in GOLDEN[::40]:
        other = turned({key: value for key, value in case.items() if key not in ("set", "expect")})
        if "set" in case:
            other["set"] = case["set"]
        assert score_case(other) == case["expect"]
        assert json.dumps(explain_case(other).to_dict()) == json.dumps(explain_case(case).to_dict())
    for value in (np.True_, np.float64(1), np.int64(4), 2**70):
        with pytest.raises(CaseError, match=r"^dealer = .*, must be a whole number from 0 to 3$"):
            score_case({**GOLDEN[0], "dealer": value})
