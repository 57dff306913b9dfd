"""The bot that plays hands out: its worlds, what it may know, that it plays by the rules, its strength."""

from __future__ import annotations

from collections import Counter
from random import Random

import numpy as np
import pytest
from scipy import stats as scipy_stats

from machines import dealt, moments, players_of, start
from random_cases import random_rules
from wuhan_core import shanten_array
from wuhan_core._machine import Machine
from wuhan_core._play import play_hands
from wuhan_core.policies import POLICIES
from wuhan_core.rules import load_rules, preset_names
from wuhan_sim import duel

QUICK = "search:playouts=6,candidates=3"
WUHAN = ("yuanhang", "bianfeng-new", "laizigang", "qipi")


# ---- the worlds that it samples


@pytest.mark.parametrize("turns", [0, 2])
@pytest.mark.parametrize("preset", preset_names())
def test_a_sampled_world_is_one_that_the_seat_cannot_tell_from_the_true_one(
    preset: str, turns: float
) -> None:
    rules, rng, asked = load_rules(preset), Random(2), 0
    for machine in moments(rules, 8):
        if rng.random() < 0.7:
            continue
        seat = machine.seat
        world = machine.sampled(rng.getrandbits(60), turns)
        assert sorted(world.hidden(seat)) == sorted(machine.hidden(seat))
        if machine.phase not in ("claim", "rob") or world.seat == seat:
            assert world.observation(seat).to_dict() == machine.observation(seat).to_dict()
        assert world.state()["free"] == machine.state()["free"]
        asked += 1
        while not world.done:  # it can be played to its end by the rules
            world.step(rng.choice(world.legal()))
        assert sum((world.result() or {"deltas": []})["deltas"]) == 0
    assert asked > 30


def test_worlds_are_uniform() -> None:
    """Without turns had over again, every hidden tile is as likely at every hidden place."""
    machine = start(load_rules("yuanhang"), 3)
    for _ in range(40):
        machine.step(machine.choose("greedy"))
    seat, times = machine.seat, 4000
    hidden = Counter(machine.hidden(seat))
    total, other = sum(hidden.values()), next(i for i in range(4) if i != seat)
    drawn = machine.state()["free"]
    in_hand: Counter[int] = Counter()
    first: Counter[int] = Counter()
    for number in range(times):
        world = machine.sampled(number)
        state = world.state()
        in_hand.update({k: n for k, n in enumerate(state["seats"][other]["counts"]) if n})
        first[world.hidden(seat)[-len(drawn)]] += 1
    kinds = sorted(hidden)
    for seen, each in ((first, 1), (in_hand, machine.state()["seats"][other]["tiles"])):
        wanted = [times * each * hidden[kind] / total for kind in kinds]
        assert sum(seen.values()) == times * each
        chance = scipy_stats.chisquare([seen[kind] for kind in kinds], wanted).pvalue
        assert chance > 1e-4


def test_turns_had_over_again_bring_better_hands() -> None:
    """Whoever has chosen what to discard holds more wildcards than a random hand does."""
    rules = load_rules("yuanhang")
    wilds = []
    for turns in (0, 3):
        count = 0
        for number in range(6):
            machine = start(rules, number)
            for _ in range(60):
                if not machine.done:
                    machine.step(machine.choose("greedy"))
            if machine.done:
                continue
            seat = machine.seat
            for seed in range(60):
                state = machine.sampled(seed, turns).state()
                count += sum(each["wild"] for i, each in enumerate(state["seats"]) if i != seat)
        wilds.append(count)
    assert wilds[1] > wilds[0]


def shanten_of_others(machine: Machine, seat: int) -> list[int]:
    """Of those who hold nothing that bars a win."""
    state = machine.state()
    others = [each for i, each in enumerate(state["seats"]) if i != seat and not each["blocked"]]
    counts = np.array([each["counts"] for each in others], np.uint8).reshape(-1, 34)
    counts[:, state["wild"]] = 0
    wild = np.array([each["wild"] for each in others], np.uint8)
    melds = np.array([len(each["melds"]) for each in others], np.uint8)
    return [int(n) for n in shanten_array(counts, wild, melds)]


@pytest.mark.parametrize(("preset", "most"), [("yuanhang", 0.3), ("qipi", 0.35), ("laizigang", 0.45)])
def test_hands_of_sampled_worlds_are_as_far_on_as_real_ones(preset: str, most: float) -> None:
    """In the middle of hands that the planner plays; what is dealt at random alone is a long way behind."""
    rules = load_rules(preset)
    turns = next(p.default for p in POLICIES[-1].parameters if p.name == "turns")
    shanten: dict[str, list[int]] = {"true": [], "sampled": [], "random": []}
    for number in range(150):
        machine = start(rules, number)
        while not machine.done:
            if machine.phase == "turn" and len(machine.state()["seats"][machine.seat]["river"]) == 5:
                worlds = {
                    "true": machine,
                    "sampled": machine.sampled(number, turns),
                    "random": machine.sampled(number),
                }
                for name, world in worlds.items():
                    shanten[name] += shanten_of_others(world, machine.seat)
            machine.step(machine.choose("planner"))
    means = {name: float(np.mean(values)) for name, values in shanten.items()}
    assert abs(means["sampled"] - means["true"]) < most, means
    assert means["random"] > means["true"] + 1, means


# ---- playouts


@pytest.mark.parametrize("policy", ["greedy", "planner", "careful"])
@pytest.mark.parametrize("preset", preset_names())
def test_a_playout_is_the_world_played_on_step_by_step(preset: str, policy: str) -> None:
    """Nobody has drawn numbers: seat 0's stream is where that of `sampled` begins: the same world."""
    rules, seed, asked = load_rules(preset), 6, 0
    bot = f"search:playouts=1,candidates=3,policy={('greedy', 'planner', 'careful').index(policy)},turns=1.5"
    for number in range(6):
        machine = Machine(rules, dealt(rules, seed, number), number % 2, number % 3 == 0, seed, 0)
        while not machine.done:
            if machine.seat == 0 and machine.phase != "last":
                weighed = machine.copy().weigh(bot)
                for act, tried, points in weighed if len(weighed) > 1 else ():
                    world = machine.sampled(seed, 1.5, policy == "greedy")
                    while world.seat != 0:
                        world.step(world.choose(policy))
                    world.step(act)
                    while not world.done:
                        world.step(world.choose(policy))
                    assert (tried, points) == (1, (world.result() or {})["deltas"][0])
                    asked += 1
            machine.step(machine.choose("planner"))
    assert asked > 40


# ---- what it may know


@pytest.mark.parametrize("preset", preset_names())
def test_what_is_hidden_changes_no_answer(preset: str) -> None:
    rules, rng, asked = load_rules(preset), Random(4), 0
    for machine in moments(rules, 6):
        if rng.random() < 0.7:
            continue
        seat, hidden = machine.seat, machine.hidden(machine.seat)
        weighed = machine.copy().weigh(QUICK)
        for _ in range(2):
            rng.shuffle(hidden)
            other = machine.with_hidden(seat, hidden, rng.getrandbits(64))
            assert other.copy().weigh(QUICK) == weighed
            assert other.choose(QUICK) == machine.copy().choose(QUICK)
        asked += 1
    assert asked > 15


# ---- how it decides


def test_the_playouts_own_answer_stands_first_and_all_are_legal() -> None:
    rules = load_rules("yuanhang")
    several = 0
    for machine in moments(rules, 6):
        weighed = machine.copy().weigh("search:playouts=16,policy=1")
        assert weighed[0][0] == machine.choose("planner") or machine.phase == "last"
        acts = [act for act, _, _ in weighed]
        assert len(set(acts)) == len(acts)
        assert set(acts) <= set(machine.legal())
        if len(acts) > 1:
            several += 1
            assert 1 <= max(tried for _, tried, _ in weighed) <= 16
        assert machine.copy().choose("search:playouts=16,policy=1") in acts
    assert several > 50


def test_without_a_lead_the_playouts_own_answer_stands() -> None:
    """Another candidate is taken only where it brought more, all worlds together."""
    rules, others = load_rules("yuanhang"), 0
    for machine in moments(rules, 5):
        weighed = machine.copy().weigh("search:playouts=24,margin=1,policy=0")
        taken = machine.copy().choose("search:playouts=24,margin=1,policy=0")
        if taken != weighed[0][0]:
            others += 1
            (points,) = (mean for act, _, mean in weighed if act == taken)
            assert points > weighed[0][2]
    assert others > 3


def test_every_answer_is_legal_under_any_options() -> None:
    rng = Random(8)
    for number in range(24):
        machine = start(random_rules(rng, number), number)
        while not machine.done:
            legal = machine.legal()
            wanted = machine.choose(f"search:playouts=2,candidates=2,policy={number % 3}")
            assert wanted in legal
            machine.step(wanted if rng.random() < 0.8 else rng.choice(legal))


@pytest.mark.parametrize("preset", preset_names())
def test_the_same_hands_twice(preset: str) -> None:
    rules = load_rules(preset)
    players = players_of(rules)
    bots = [QUICK, "greedy"] * (players // 2)
    whole = play_hands(rules, bots, 4, 0, 8)
    assert np.array_equal(whole, np.concatenate([play_hands(rules, bots, 4, n, 4) for n in (0, 4)]))


# ---- strength


@pytest.mark.slow
@pytest.mark.parametrize("preset", WUHAN)
@pytest.mark.parametrize(("other", "hands"), [("greedy", 3600), ("planner", 4800), ("careful", 4800)])
def test_it_beats_every_other_bot(preset: str, other: str, hands: int) -> None:
    seed = 71
    if (preset, other) == ("yuanhang", "careful"):  # the smallest lead beside the spread of its points
        hands, seed = 12000, 73
    found = duel(preset, "search", other, hands, seed=seed, progress=False).difference
    assert found.low > 0, found


@pytest.mark.slow
def test_more_playouts_play_better() -> None:
    gains = [
        duel("qipi", f"search:playouts={n}", "planner", 4800, seed=72, progress=False).difference
        for n in (4, 64)
    ]
    assert gains[1].value > gains[0].value
    assert gains[1].low > 0
