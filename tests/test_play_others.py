"""Hands scored by other rules in the loop that plays them, against logs that are scored again."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from machines import players_of
from option_table import OTHER_PRESETS, PRESETS
from random_cases import random_overrides
from wuhan_core._play import play_hands
from wuhan_core.options import OPTIONS, is_points
from wuhan_core.records import TYPE_NAMES
from wuhan_core.rescore import rescore
from wuhan_core.rules import RuleSet, load_rules
from wuhan_sim import replay

HANDS = 60


def other_points(rng: Random, preset: str) -> RuleSet:
    """The preset with random points and a random minimum."""
    while True:
        options = random_overrides(rng, preset).items()
        rules = load_rules(preset, {name: value for name, value in options if is_points(name)})
        if rules.overrides:
            return rules


def names(types: int, factors: bool) -> list[str]:
    held = [name for bit, name in enumerate(TYPE_NAMES) if types >> bit & 1]
    return sorted(held) or (["pihu"] if factors else [])


@pytest.mark.parametrize("preset", [*PRESETS, *OTHER_PRESETS])
def test_scored_again_is_what_the_log_says(preset: str) -> None:
    rng = Random(preset)
    played = load_rules(preset)
    players = players_of(played)
    bots = ["greedy", "random"] if players == 2 else ["greedy", "greedy", "greedy", "random"]
    others = [other_points(rng, preset) for _ in range(6)]
    found = play_hands(played, bots, 3, 0, HANDS, others=others)
    assert np.array_equal(found[0], play_hands(played, bots, 3, 0, HANDS))
    logs = [replay(played, bots, 3, hand).to_dict() for hand in range(HANDS)]
    factors = played.get("score.model") == "factors"
    changed = 0
    for rules, records in zip(others, found[1:], strict=True):
        for before, record, answer in zip(
            found[0], records, rescore(logs, rules, ignore_play=True), strict=True
        ):
            if isinstance(answer, list):
                continue  # several robbers: a record has the shares of the first alone
            points = [int(x) for x in record["points"][:players]]
            if answer.get("exhausted"):
                assert record["outcome"] == before["outcome"] == 0
                assert points == answer.get("deltas", [0] * players)
            elif not answer["wins"]:
                assert (record["outcome"], record["winner"], points) == (0, -1, [0] * players)
                assert before["outcome"] > 0
            else:
                assert points == answer["deltas"]
                assert [int(x) for x in record["owed"][:players]] == answer["owed"]
                assert record["liable"] == (-1 if answer["liable"] is None else answer["liable"])
                assert record["outcome"] == before["outcome"]
                if factors:
                    assert names(int(record["types"]), True) == answer["types"]
                    assert (bool(record["hard"]), bool(record["golden"])) == (
                        answer["hard"],
                        answer["golden"],
                    )
            changed += bool((record["points"] != before["points"]).any())
    assert changed > HANDS // 2


def test_only_points_may_differ() -> None:
    rules = load_rules("yuanhang")
    others = [rules.replace({"cap.per_payer": 100}), rules.replace({"wild.skin_kinds": 1})]
    with pytest.raises(ValueError, match=r"others\[1\]: wild.skin_kinds"):
        play_hands(rules, ["greedy"] * 4, 1, 0, 10, others=others)
    with pytest.raises(ValueError, match="must be at most 64"):
        play_hands(rules, ["greedy"] * 4, 1, 0, 10, others=[rules] * 65)


def test_options_of_points() -> None:
    points = {name.partition(".")[0] for name in OPTIONS if is_points(name)}
    assert points == {
        "win",
        "score",
        "cap",
        "liability",
        "codes",
        "points",
        "value",
        "factor",
        "least",
        "table",
    }
    assert not is_points("score.model")
    assert not is_points("codes.count")
