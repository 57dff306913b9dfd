"""Options at work: each changes what it should and nothing else, and points follow them the right way."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from option_table import PRESETS
from random_cases import random_case, random_overrides
from wuhan_core._play import play_hands
from wuhan_core.options import OPTIONS
from wuhan_core.rules import load_rules
from wuhan_core.scoring import score_case
from wuhan_core.table import Table

HANDS = 12_000
POINTS = ("owed", "capped", "points", "golden", "liable")  # columns that say what a win is worth
WORTH = (*POINTS, "types", "hard")  # and how it is read: the reading that brings most is counted

# Options of points alone, with another value: played hands are the same, only their worth differs. Under no
# minimum, for a minimum asks the points whether a win is allowed.
ONLY_POINTS: dict[str, dict[str, object]] = {
    "yuanhang": {
        "score.stake": 3,
        "score.open": "once",
        "score.kong_exposed": 5,
        "score.kong_concealed": 5,
        "score.kong_red": 5,
        "score.kong_wild": 5,
        "score.wild_discard": 5,
        "score.hard": 5,
        "score.small_base": 5,
        "score.small_self_draw": 2.5,
        "score.small_discarder": 2.5,
        "score.small_dealer": 2.5,
        "score.big_base": 7,
        "score.big_self_draw": 2.5,
        "score.big_discarder": 2.5,
        "cap.per_payer": 77,
        "cap.golden": 555,
        "cap.liable": 33,
        "liability.quanqiuren": "none",
        "liability.rob_kong": "robber_hand",
    },
    "qipi": {"score.kong_skin": 5},
    "hongzhong": {
        "score.stake": 3,
        "codes.hit_points": 5,
        "points.base": 5,
        "points.multiple": 2,
        "points.kong_direct": 5,
        "points.kong_added": 5,
        "points.kong_concealed": 5,
    },
    "hongxin": {
        "score.stake": 3,
        "value.pinghu": 2,
        "value.pengpenghu": 5,
        "value.qidui": 5,
        "factor.wubao": 3,
        "factor.gangkai": 3,
        "factor.qianggang": 3,
        "factor.baodiaotou": 3,
        "factor.dandiao": 3,
        "factor.feibao": 3,
        "factor.self_draw": 3,
        "factor.discarder": 3,
        "factor.sigebao": 3,
    },
}
# Options of play: the hands themselves differ.
PLAY: dict[str, dict[str, object]] = {
    "yuanhang": {
        "deal.dead_wall": 20,
        "deal.last_draws": 0,
        "wild.skin_kinds": 1,
        "claims.chow": False,
        "claims.discard_win": False,
        "claims.kong_after_claim": False,
        "claims.winner_order": "discarder",
        "win.open_melds": "none",
        "win.shapes": ("all_258",),
        "win.head_258_free": (),
        "win.small_wild_max": 0,
        "win.minimum": "each_payer",
        "win.minimum_points": 200,
    },
    "qipi": {"wild.skin_role": "optional"},
    "hongzhong": {
        "codes.count": 20,
        "codes.no_wild_extra": 4,
        "codes.all_in": True,
        "win.shapes": ("standard", "seven_pairs"),
    },
    "hongxin": {"win.shapes": ("standard",), "claims.chow": False, "claims.discard_win": False},
}
# What hands that stand alone cannot show, or show too seldom to be asked here; the test that asks it instead.
ELSEWHERE = {
    "deal.players": "test_rule_options: combinations; hongzhong-2p is played throughout",
    "deal.tiles": "test_rule_options: combinations",
    "deal.next_dealer": "test_next_dealer_option",
    "wild.kind": "test_rule_options: combinations",
    "wild.ring": "test_rule_options: combinations",
    "score.model": "test_rule_options: combinations",
    "table.fee": "taken by sessions of hands, not by hands",
    "claims.many_rob": "test_auditor_clauses: s8 and s7 robbers",
    "win.quanqiuren_self_draw": "test_clauses, test_score_oracle",
    "win.quanqiuren_head": "test_clauses, test_score_oracle",
    "score.big_stacking": "test_clauses, test_score_oracle (it takes three big types)",
    "score.fengyise": "test_clauses, test_score_oracle",
    "score.qianggang_is_big": "test_clauses, test_score_oracle",
    "liability.third_meld": "test_clauses, test_score_oracle",
    "value.haohuaqidui": "test_patterns, test_score_oracle",
    "value.shisanlang": "test_patterns, test_score_oracle",
    "value.qixingshisanlang": "test_patterns, test_score_oracle",
    "value.jiuyao": "test_patterns, test_score_oracle",
    "value.qixingjiuyao": "test_patterns, test_score_oracle",
    "factor.jiebao": "test_patterns, test_score_oracle",
    "factor.baodiaowubao": "test_patterns, test_score_oracle",
    "factor.baodiaobao": "test_patterns, test_score_oracle",
    "factor.touji": "test_patterns, test_score_oracle",
    "least.tianhu": "test_patterns, test_score_oracle",
    "least.dihu": "test_patterns, test_score_oracle",
}


@cache
def played(preset: str, option: str = "", value: object = None) -> Any:
    free = {"win.minimum": "none"} if preset in PRESETS and option not in PLAY[preset] else {}
    rules = load_rules(preset, free | ({option: value} if option else {}))
    return play_hands(rules, ["greedy", "greedy", "random", "greedy"], 17, 0, HANDS)


def test_every_option_is_asked_somewhere() -> None:
    asked = {name for table in (*ONLY_POINTS.values(), *PLAY.values()) for name in table} | set(ELSEWHERE)
    assert asked == set(OPTIONS)


@pytest.mark.parametrize(
    ("preset", "option"), [(preset, option) for preset, table in ONLY_POINTS.items() for option in table]
)
def test_s9_an_option_of_points_changes_points_alone(preset: str, option: str) -> None:
    base, changed = played(preset), played(preset, option, ONLY_POINTS[preset][option])
    assert any(not np.array_equal(base[name], changed[name]) for name in POINTS)
    for name in base.dtype.names:
        if name not in WORTH:
            assert np.array_equal(base[name], changed[name]), name


@pytest.mark.parametrize(
    ("preset", "option"), [(preset, option) for preset, table in PLAY.items() for option in table]
)
def test_s9_an_option_of_play_changes_the_hands(preset: str, option: str) -> None:
    rules = load_rules(preset)
    base = play_hands(rules, ["greedy", "greedy", "random", "greedy"], 17, 0, HANDS)
    changed = played(preset, option, PLAY[preset][option])
    assert any(not np.array_equal(base[name], changed[name]) for name in ("turns", "winner", "outcome"))
    if not option.startswith("wild."):
        for name in ("wall", "bot", "indicator", "laizi", "start_wild"):
            assert np.array_equal(base[name], changed[name]), name


def test_next_dealer_option() -> None:
    for preset, wanted in (("hongzhong", "winner"), ("yuanhang", "keep_on_win_or_exhausted")):
        for option in ("winner", "keep_on_win_or_exhausted"):
            rules = load_rules(preset, {"deal.next_dealer": option})
            assert (option == wanted) == (rules == load_rules(preset))
            for hand in range(40):
                table = Table(rules, seed=5, hand=hand, dealer=1)
                while not table.done:
                    table.step(table.choose("greedy"))
                case = table.case()
                winner = 1 if case is None else case["win"]["winner"]
                assert table.next_dealer == (winner if option == "winner" else 1 if winner == 1 else 2)


# ---- points follow the options the right way

LARGER = sorted(
    name
    for name in OPTIONS
    if name.split(".")[0] in ("score", "factor", "value", "points")
    and name not in ("score.model", "score.open", "score.big_stacking", "score.qianggang_is_big")
)


def some_case(seed: int, preset: str, extra: dict[str, object]) -> dict[str, Any]:
    """A finished hand under random options, `extra` the last of them."""
    rng = Random(seed)
    return random_case(rng, preset, random_overrides(rng, preset) | extra)


def worth(case: dict[str, Any], **changed: object) -> int | None:
    """What the losers of a case pay for the win in all, None where it is none."""
    answer = score_case(case | {"set": case["set"] | changed})
    return sum(answer.get("capped", answer["owed"])) if answer["wins"] else None


@settings(max_examples=600)
@given(st.integers(0, 2**32), st.sampled_from(LARGER), st.integers(1, 9))
def test_a_larger_factor_never_lowers_the_points(seed: int, option: str, more: int) -> None:
    section = option.split(".")[0]
    preset = {"factor": "hongxin", "value": "hongxin", "points": "hongzhong"}.get(section, "yuanhang")
    # golden is a fixed sum: below the shares it would take away what a factor adds
    extra: dict[str, object] = {"cap.golden": 0} if preset == "yuanhang" else {}
    case = some_case(seed, preset, extra)
    low, high = sorted((1, 1 + more))
    before, after = worth(case, **{option: low}), worth(case, **{option: high})
    if before is not None:
        assert after is not None
        # kongs are paid to their owners, who need not be the winner
        assert after >= before


@settings(max_examples=600)
@given(
    st.integers(0, 2**32), st.sampled_from(["cap.per_payer", "cap.golden", "cap.liable"]), st.integers(1, 500)
)
def test_s5_a_higher_cap_never_lowers_a_payment(seed: int, option: str, cap: int) -> None:
    # without golden: it is asked for by the cap per payer, and pays another sum
    extra: dict[str, object] = {"cap.per_payer": 300} if option == "cap.golden" else {"cap.golden": 0}
    case = some_case(seed, "yuanhang", extra)
    before, after = worth(case, **{option: cap}), worth(case, **{option: 3 * cap})
    if before is not None:
        assert after is not None
        assert after >= before


@settings(max_examples=900)
@given(st.integers(0, 2**32), st.sampled_from(["yuanhang", "laizigang", "hongzhong", "hongxin"]))
def test_s10_deltas_sum_to_zero_and_owed_is_at_least_capped(seed: int, preset: str) -> None:
    answer = score_case(some_case(seed, preset, {}))
    if answer["wins"]:
        assert sum(answer["deltas"]) == 0
        if preset in PRESETS and not answer["golden"]:
            assert all(owed >= capped for owed, capped in zip(answer["owed"], answer["capped"], strict=True))
