"""The planning bots: what they may know, that they play by the rules, what they know, and their strength."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from machines import moments, players_of, start
from random_cases import random_rules
from wuhan_core._play import play_hands
from wuhan_core._shape import Shape
from wuhan_core.actions import VERBS
from wuhan_core.policies import POLICIES
from wuhan_core.rules import RuleSet, load_rules, preset_names
from wuhan_core.tiles import parse_tiles

BOTS = ("greedy", "planner", "careful")
WUHAN = ("yuanhang", "bianfeng-new", "laizigang", "qipi")
WIN, DISCARD, KONG_SINGLE = 64, VERBS.index("discard"), 8
EXTREMES = [
    f"{policy.name}:" + ",".join(f"{p.name}={getattr(p, end)}" for p in policy.parameters)
    for policy in POLICIES[2:4]
    for end in ("low", "high")
]


def duel(rules: RuleSet, first: str, second: str, hands: int) -> tuple[float, float]:
    """Points per hand and seat of `first` over `second`, and its standard error over walls."""
    records = play_hands(rules, [first, first, second, second], 21, 0, hands)
    points = np.where(records["bot"] < 2, records["points"], -records["points"]).sum(axis=1) / 2
    walls = points.reshape(-1, 4).mean(axis=1)
    return float(walls.mean()), float(walls.std(ddof=1) / np.sqrt(len(walls)))


# ---- what a bot may know


@pytest.mark.parametrize("preset", preset_names())
def test_what_is_hidden_changes_no_answer(preset: str) -> None:
    rules, rng = load_rules(preset), Random(3)
    asked = 0
    for player in ("greedy", "planner", "random"):
        for machine in moments(rules, 12, player):
            seat, hidden = machine.seat, machine.hidden(machine.seat)
            if rng.random() < 0.6:
                continue
            answers = [machine.choose(bot) for bot in BOTS]
            for _ in range(2):
                rng.shuffle(hidden)
                other = machine.with_hidden(seat, hidden, rng.getrandbits(64))
                assert [other.choose(bot) for bot in BOTS] == answers
            asked += 1
    assert asked > 200


def test_hidden_tiles_are_dealt_anew() -> None:
    """The test above would be empty if nothing changed."""
    machine = start(load_rules("yuanhang"), 1)
    hidden = machine.hidden(0)
    assert len(hidden) == 136 - 14 - 1
    other = machine.with_hidden(0, hidden[::-1])
    before, after = machine.state()["seats"], other.state()["seats"]
    assert before[0] == after[0]
    assert all(before[i]["counts"] != after[i]["counts"] for i in (1, 2, 3))
    assert sorted(other.hidden(0)) == sorted(hidden)
    assert other.hidden(0) != hidden
    with pytest.raises(ValueError, match="in any order"):
        machine.with_hidden(0, hidden[1:])


# ---- by the rules, under all rules


def test_every_answer_is_legal_under_any_options() -> None:
    rng = Random(8)
    for number in range(60):
        rules = random_rules(rng, number)
        for bot in ("planner", "careful", EXTREMES[number % 4]):
            machine = start(rules, number)
            while not machine.done:
                legal = machine.legal()
                wanted = machine.choose(bot)
                assert wanted in legal
                machine.step(wanted if rng.random() < 0.8 else rng.choice(legal))


@pytest.mark.parametrize("preset", preset_names())
@pytest.mark.parametrize("bot", ["planner", "careful"])
def test_the_same_hands_twice(preset: str, bot: str) -> None:
    rules = load_rules(preset)
    bots = [bot] * players_of(rules)
    whole = play_hands(rules, bots, 4, 0, 400)
    assert np.array_equal(
        whole, np.concatenate([play_hands(rules, bots, 4, at, 80) for at in range(0, 400, 80)])
    )
    assert (whole["points"].sum(axis=1) == 0).all()


# ---- what they know


def test_a_ready_hand_that_must_open_does() -> None:
    """Closed and ready, it claims more often where it must open to win than where it need not."""
    rates = {}
    for needed in ("chow_pung", "none"):
        asked = claimed = 0
        for machine in moments(load_rules("yuanhang", {"win.open_melds": needed}), 4000, "planner"):
            state = machine.state()
            seat = state["seats"][machine.seat]
            if state["phase"] != "claim" or seat["melds"] or seat["blocked"] or WIN in machine.legal():
                continue
            counts = bytearray(seat["counts"])
            counts[state["wild"]] = 0
            if Shape(bytes(counts), min(seat["wild"], 1), 4, True, True).shanten() <= 0:
                asked += 1
                claimed += machine.choose("planner") != 0
        assert asked > 60
        rates[needed] = claimed / asked
    assert rates["chow_pung"] > 0.9
    assert rates["chow_pung"] > rates["none"] + 0.05


def single_kongs(rules: RuleSet, bot: str, hands: int = 600) -> tuple[int, int]:
    """Turns at which a lone wildcard could be konged, and how often it was or was let go."""
    asked = given = 0
    for machine in moments(rules, hands, "planner"):
        state = machine.state()
        wild = state["wild"]
        kong = KONG_SINGLE * 64 + wild
        if kong not in machine.legal() or WIN in machine.legal() or state["seats"][machine.seat]["wild"] != 1:
            continue
        asked += 1
        given += machine.choose(bot) in (kong, DISCARD * 64 + wild)
    return asked, given


def test_a_lone_wildcard_is_mostly_kept_and_more_so_the_more_it_is_worth() -> None:
    rules = load_rules("yuanhang")
    asked, given = single_kongs(rules, "planner")
    assert asked > 500
    assert given < asked / 4
    kept = single_kongs(rules, "planner:wild=10")[1]
    assert kept < given < single_kongs(rules, "planner:wild=0.1")[1]


def test_a_ready_hand_below_the_minimum_looks_for_factors() -> None:
    """The higher the minimum, the sooner a wildcard is konged for its factor."""
    rules = load_rules("laizigang")
    dear = RuleSet({**rules.values, "win.minimum": "any_payer", "win.minimum_points": 200})
    cheap = single_kongs(dear, "planner:below=1")[1]
    assert single_kongs(dear, "planner:below=0.05")[1] > cheap


def test_no_third_meld_of_one_suit_is_fed_where_another_discard_does() -> None:
    rules, fed = load_rules("yuanhang"), {"planner:avoid=0": 0, "planner:avoid=4": 0}
    asked = 0
    for machine in moments(rules, 1500, "greedy"):
        if machine.state()["phase"] != "turn":
            continue
        seats = machine.state()["seats"]
        suits = set()
        for i, seat in enumerate(seats):
            exposed = [m for m in seat["melds"] if m[0] != "concealed_kong"]
            if i != machine.seat and len(exposed) == 2 and len({m[1] // 9 for m in exposed}) == 1:
                suits |= {exposed[0][1] // 9} - {3}
        if not suits:
            continue
        asked += 1
        for bot in fed:
            answer = machine.choose(bot)
            fed[bot] += answer >> 6 == 2 and (answer & 63) // 9 in suits
    assert asked > 300
    assert fed["planner:avoid=4"] < fed["planner:avoid=0"] / 2


def test_careful_feeds_wins_less_often() -> None:
    rules = load_rules("yuanhang")
    records = play_hands(
        rules, ["careful:caution=2", "careful:caution=2", "planner", "planner"], 6, 0, 12_000
    )
    fed = records[records["outcome"] == 2]
    by = fed["bot"][np.arange(len(fed)), fed["loser"]]
    careful, planner = int((by < 2).sum()), int((by >= 2).sum())
    assert planner - careful > 5 * np.sqrt(planner + careful)


def test_a_red_dragon_is_not_konged_for_a_hopeless_hand() -> None:
    """Far from ready a barring tile stays: its factor would only make the loss dearer."""
    kong = KONG_SINGLE * 64 + parse_tiles("C")[0]
    kept = konged = eager = 0
    for machine in moments(load_rules("yuanhang"), 600, "planner"):
        if kong in machine.legal():
            konged += machine.choose("planner") == kong
            kept += machine.choose("planner") != kong
            eager += machine.choose("planner:fear=0,hold=0.2") == kong
    assert min(kept, konged) > 50
    assert eager > konged


# ---- strength


@pytest.mark.parametrize("preset", WUHAN)
def test_the_planner_beats_greedy(preset: str) -> None:
    mean, error = duel(load_rules(preset), "planner", "greedy", 24_000)
    assert mean > 5 * error


@pytest.mark.slow
@pytest.mark.parametrize("preset", WUHAN)
def test_careful_beats_the_planner(preset: str) -> None:
    mean, error = duel(load_rules(preset), "careful", "planner", 600_000)
    assert mean > 1.96 * error


def test_seven_pairs_are_worth_it() -> None:
    mean, error = duel(load_rules("hongxin"), "planner", "greedy", 120_000)
    assert mean > 2 * error
