"""Hands that the engine plays are sound by the auditor, and their records are those that the logs tell."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from auditor import audit, next_dealer, record
from generate import random_options
from hand_logs import Log, played
from machines import players_of
from wuhan_core._play import play_hands
from wuhan_core.rules import RuleSet, load_rules, preset_names

QUICK, LONG = 500, 20_000  # hands of each preset and bot
RECORDS = 100  # hands of each preset, bot and kind of draws
BOTS = ("random", "greedy")


def check(rules: RuleSet, number: int, bot: str, seed: int = 1) -> Log:
    """Audits one hand of any dealer and kind of draws."""
    dealer, draws = number % players_of(rules), ("seat", "wall")[number // 4 % 2]
    table = played(rules, number, bot, seed, dealer=dealer, draws=draws)
    log = table.log()
    faults = audit(log, rules.values)
    assert not faults, f"{bot}, hand {number}, seed {seed}, {rules!r}, dealer {dealer}, {draws}: {faults}"
    assert next_dealer(log, rules.values) == table.next_dealer
    return log


def soak(preset: str, bot: str, hands: range) -> None:
    rules = load_rules(preset)
    ends: Counter[str] = Counter()
    for number in hands:
        ends["exhausted" if "exhausted" in check(rules, number, bot)["result"] else "won"] += 1
    assert len(ends) == 2 or bot == "greedy", ends


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("preset", preset_names())
def test_hands_of_every_preset_are_sound(preset: str, bot: str) -> None:
    soak(preset, bot, range(QUICK))


@pytest.mark.parametrize("preset", preset_names())
def test_hands_with_any_legal_action_are_sound(preset: str) -> None:
    rules = load_rules(preset)
    for number in range(QUICK // 5):
        check(rules, number, "mixed")


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("preset", preset_names())
def test_many_hands_of_every_preset_are_sound(preset: str, bot: str, part: int) -> None:
    size = LONG // 10
    soak(preset, bot, range(QUICK + part * size, QUICK + (part + 1) * size))


def random_rules(rng: Random) -> RuleSet:
    """A preset with random values of options, those of the play as well as those of the points."""
    preset = rng.choice(preset_names())
    rules = load_rules(preset)
    model, players = rules.get("score.model"), players_of(rules)
    play: dict[str, tuple[object, ...]] = {
        "deal.next_dealer": ("keep_on_win_or_exhausted", "winner"),
        "claims.chow": (True, False),
        "claims.kong_after_claim": (True, False),
        "claims.many_rob": (True, False),
        "claims.winner_order": ("dealer", "discarder"),
        "win.open_melds": ("none", "chow_pung", "chow_pung_kong"),
        "score.stake": (1, 3),
    }
    if model == "codes":
        play |= {
            "codes.count": (0, 1, 6, 20),
            "codes.all_in": (True, False),
            "codes.no_wild_extra": (0, 1, 4),
            "points.multiple": (1, 5),
            "win.shapes": (("standard",), ("standard", "seven_pairs"), ("seven_pairs",)),
        }
    else:
        play |= {"deal.dead_wall": (0, 1, 7, 14, 40), "deal.last_draws": (0, players)}
    changes = random_options(rng) if model == "factors" else {}
    changes |= {name: rng.choice(values) for name, values in play.items() if rng.random() < 0.4}
    return rules.replace(changes)


def soak_options(numbers: range) -> None:
    for number in numbers:
        rules = random_rules(Random(f"rules {number}"))
        for hand in range(3):
            check(rules, hand, (*BOTS, "mixed")[hand], seed=number)


def test_hands_of_random_option_sets_are_sound() -> None:
    soak_options(range(300))


@pytest.mark.slow
def test_hands_of_many_random_option_sets_are_sound() -> None:
    soak_options(range(300, 5000))


@pytest.mark.parametrize("draws", ["seat", "wall"])
@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("preset", preset_names())
def test_records_are_those_that_follow_from_the_logs(preset: str, bot: str, draws: str) -> None:
    rules = load_rules(preset)
    players = players_of(rules)
    records = play_hands(rules, [bot] * players, 1, 0, RECORDS, "rotated", draws)
    for number, row in enumerate(records):
        derived = record(played(rules, number, bot, draws=draws).log(), rules.values)
        pairs = {name: (row[name].tolist(), derived[name]) for name in derived}
        differ = {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}
        assert not differ, f"{preset}, {bot}, hand {number}, record and log: {differ}"
