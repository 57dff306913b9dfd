"""Explanations: factors lead to the points, tiles show the reading, words say what was decided."""

from __future__ import annotations

import json
import re
from collections import Counter
from fractions import Fraction
from math import floor
from random import Random
from typing import Any

import pytest

from case_maker import RAW, Case, golden, small
from oracle import SUITS, parse
from oracle_others import stand_apart
from random_cases import random_cases
from wuhan_core.explain import Score, explain, explain_case
from wuhan_core.explained import Reading
from wuhan_core.rules import load_rules, preset_names
from wuhan_core.scoring import CaseError, score_case, score_cases

QUICK, LONG = 250, 5_000  # hands of each preset
LARGEST = 2**60


# ---- what every explanation must hold ------------------------------------------------------------


def multiplied(share: dict[str, Any]) -> int:
    """The points of a share, from the factors as `to_dict` writes them."""
    total = sum((Fraction(f["value"]) * f["count"] for f in share["factors"] if f["adds"]), Fraction(0))
    for factor in share["factors"]:
        if not factor["adds"]:
            total *= Fraction(factor["value"]) ** factor["count"]
    return min(floor(total + Fraction(1, 2)), LARGEST)


def check_points(case: Case, score: Score) -> None:
    answer, told = score.answer, score.to_dict()
    winner = case["win"]["winner"]
    assert answer == score_case(case)
    assert told.items() >= answer.items()
    owed, capped = [0] * len(answer["owed"]), [0] * len(answer["owed"])
    for share in told["shares"]:
        least = (share["limit"] or "").startswith("least.")
        owed[share["seat"]] = share["capped"] if least else multiplied(share)
        capped[share["seat"]] = share["capped"]
        if share["limit"] is None:
            assert share["capped"] == share["owed"]
        elif least:
            assert share["capped"] > share["owed"]
        else:
            cap = load_rules(case["rules"], case.get("set")).get(share["limit"])
            stake = load_rules(case["rules"], case.get("set")).get("score.stake")
            assert share["capped"] == cap * stake  # type: ignore[operator]
            assert (share["limit"] == "cap.golden") == answer["golden"]
    assert owed == answer["owed"]
    assert capped == answer.get("capped", answer["owed"])
    gains = [-points for points in capped]
    if answer["liable"] is not None:
        assert score.liability is not None
        assert score.liability.seat == answer["liable"]
        gains = [0] * len(capped)
        gains[answer["liable"]] = -sum(capped)
    else:
        assert score.liability is None
    gains[winner] += sum(capped)
    for payment in told["kong_payments"]:
        for payer in payment["payers"]:
            gains[payer] -= payment["points"]
            gains[payment["seat"]] += payment["points"]
    assert gains == answer["deltas"]
    assert all(factor["source"] for factor in told["factors"])


def check_reading(reading: Reading, concealed: list[int], case: Case) -> None:
    """The groups are the concealed tiles, and each is what it is called."""
    laizi, soft = reading.laizi, reading.hard is not True
    wild = sum(len(group.wild) for group in reading.groups)
    natural = [kind for group in reading.groups for kind in group.natural]
    assert sorted(natural) == sorted(kind for kind in concealed if not (soft and kind == laizi))
    assert wild == (concealed.count(laizi) if soft else 0)
    kinds = Counter(group.kind for group in reading.groups)
    if reading.shape == "standard":
        assert kinds["pair"] == 1
        assert kinds["chow"] + kinds["pung"] + len(reading.melds) == 4
    elif reading.shape == "seven_pairs":
        assert kinds == {"pair": 7}
    else:
        assert kinds == {"tiles": 1}
    for group in reading.groups:
        tiles = sorted([*group.natural, *(kind for kind in group.wild if kind is not None)])
        if None in group.wild and group.kind != "tiles":
            assert not group.natural
        elif group.kind == "chow":
            assert tiles == [tiles[0], tiles[0] + 1, tiles[0] + 2]
            assert any({tiles[0], tiles[2]} <= set(suit) for suit in SUITS[:3])
        elif group.kind in ("pung", "pair"):
            assert tiles == [tiles[0]] * (3 if group.kind == "pung" else 2)
        elif reading.shape == "thirteen_lan":
            assert all(stand_apart(one, other) for i, one in enumerate(tiles) for other in tiles[:i])
    check_types(reading, case)


def check_types(reading: Reading, case: Case) -> None:
    """Types that the tiles show by themselves are among those told, and no others."""
    natural = {kind for group in reading.groups for kind in group.natural}
    shown = natural.union(*(meld.tiles for meld in reading.melds))
    sets = [group.kind for group in reading.groups if group.kind != "pair"]
    sets += [meld.kind for meld in reading.melds]
    triplets = reading.shape == "standard" and "chow" not in sets
    if load_rules(case["rules"], case.get("set")).get("score.model") == "factors":
        told = {
            "qingyise": any(shown <= set(suit) for suit in SUITS[:3]),
            "fengyise": shown <= set(parse("ESWNFP")),
            "jiangyise": shown <= {kind for suit in SUITS[:3] for kind in (suit[1], suit[4], suit[7])},
            "pengpenghu": triplets,
        }
        assert {name for name, holds in told.items() if holds} == told.keys() & set(reading.types)
    elif "pengpenghu" in reading.types:
        assert triplets


def check_win(case: Case, score: Score) -> None:
    check_points(case, score)
    assert score.refusal is None
    assert score.reading is not None
    assert list(score.reading.types) == score.answer["types"]
    assert score.reading.hard == score.answer.get("hard")
    win = case["win"]
    hand = parse(case["players"][win["winner"]]["hand"])
    check_reading(score.reading, hand + (parse(win["tile"]) if win["source"] != "self_draw" else []), case)
    if score.konger is not None and score.konger.tile is not None:
        held = parse(case["players"][win["from"]]["hand"])
        check_reading(score.konger, [*held, score.konger.tile], case)
        assert "gangshanghua" in score.konger.types


def check(case: Case, score: Score) -> None:
    assert score.wins == score.answer["wins"]
    if score.wins:
        check_win(case, score)
    else:
        assert score.answer == {"wins": False, "why_not": score.refusal.rule if score.refusal else None}
        assert (score.reading, score.shares, score.liability) == (None, (), None)
    told = score.to_dict()
    assert json.loads(json.dumps(told, allow_nan=False)) == told
    for lang in ("en", "zh"):
        text = score.to_text(lang)
        assert not re.search(r"[{}]|None|Note\(", text), text
        assert score.to_html(lang).count("<p>") >= 2
    assert str(score) == score.to_text()


def test_golden_wuhan_cases_are_explained_to_the_point() -> None:
    cases = golden("wuhan")
    assert len(cases) == 780
    seen: Counter[str] = Counter()
    for case in cases:
        score = explain_case(case)
        assert score.answer == case["expect"]
        check(case, score)
        seen[score.refusal.rule if score.refusal else "wins"] += 1
        seen["konger"] += score.konger is not None
    assert seen["wins"] == 580
    assert seen["konger"] > 10
    assert len(seen) > 6


def test_golden_other_cases_are_explained_to_the_point() -> None:
    cases = golden("others")
    assert len(cases) == 320
    for case in cases:
        score = explain_case(case)
        assert score.answer == case["expect"]
        check(case, score)


@pytest.mark.parametrize("count", [QUICK, pytest.param(LONG, marks=pytest.mark.slow)])
@pytest.mark.parametrize("rules", preset_names())
def test_random_hands_are_explained_to_the_point(rules: str, count: int) -> None:
    wins = 0
    for case in random_cases(Random(f"explain {rules}"), rules, count):
        score = explain_case(case)
        check(case, score)
        wins += score.wins
    assert wins > count / 3


def test_an_explanation_that_does_not_reach_the_points_is_not_given() -> None:
    case = small(options=RAW)
    answer = score_case(case)
    with pytest.raises(RuntimeError, match="factors lead to"):
        explain(case, answer | {"owed": [0, 1, 2, 3]})
    with pytest.raises(RuntimeError, match="no reading shows"):
        explain(case, answer | {"types": ["pengpenghu"]})


def test_faults_of_a_case_are_those_of_the_scorer() -> None:
    with pytest.raises(CaseError, match="dealer"):
        explain_case(small() | {"dealer": 7})


def test_scores_are_those_of_many_cases() -> None:
    cases = list(random_cases(Random("explain qipi"), "qipi", 20))
    assert [explain_case(case).answer for case in cases] == score_cases(cases)
