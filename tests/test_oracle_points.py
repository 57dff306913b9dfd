"""The oracle's points against the judged cases, and the random cases it is asked about (generate.py)."""

from __future__ import annotations

from collections import Counter
from itertools import product
from random import Random
from typing import Any

import pytest

from case_maker import golden
from option_table import PRESETS
from oracle import RED, SUITS, parse
from oracle_points import Case, decompositions, following, judge, skins
from random_cases import random_case, random_overrides

CASES = golden("wuhan")


def judged(case: Case) -> Case:
    return judge(case, PRESETS[case["rules"]] | case.get("set", {}))


@pytest.mark.parametrize("number", range(len(CASES)))
def test_golden(number: int) -> None:
    assert judged(CASES[number]) == CASES[number]["expect"]


# Whatever the case


def check_possible(case: Case) -> Counter[int]:
    """Assert the sizes of hands and that nothing is there five times; return what is seen of each kind."""
    win = case["win"]
    laizi = following(parse(case["indicator"])[0])
    seen = Counter([*parse(case["indicator"]), *(parse(win["tile"]) if win["source"] == "discard" else [])])
    for seat, player in enumerate(case["players"]):
        hand = parse(player["hand"])
        drawn = win["source"] == "self_draw" and seat == win["winner"]
        assert len(hand) == 13 + drawn - 3 * len(player["melds"])
        assert not drawn or parse(win["tile"])[0] in hand
        seen.update(hand)
        seen[RED] += player.get("red_kongs", 0)
        seen[laizi] += player.get("wild_kongs", 0) + player.get("wild_discards", 0)
        for meld in player["melds"]:
            tiles = parse(meld["tiles"])
            seen.update(tiles)
            assert laizi not in tiles
            assert len(tiles) == 4 if meld["kind"].endswith("kong") else len(tiles) == 3
            if meld["kind"] == "chow":
                assert tiles == [tiles[0], tiles[0] + 1, tiles[0] + 2]
                assert meld["from"] == (seat - 1) % 4
            else:
                assert len(set(tiles)) == 1
                assert meld.get("from") != seat
    assert max(seen.values()) <= 4, seen
    return seen


def some_case(rng: Random) -> Case:
    rules = rng.choice(sorted(PRESETS))
    return random_case(rng, rules, random_overrides(rng, rules))


@pytest.mark.parametrize("seed", range(10))
def test_generated_cases_are_possible(seed: int) -> None:
    rng = Random(seed)
    for _ in range(100):
        found = some_case(rng)
        seen = check_possible(found)
        options = PRESETS[found["rules"]] | found["set"]
        skin_kinds = skins(parse(found["indicator"])[0], options["wild.skin_kinds"])
        players = found["players"]
        assert options["claims.chow"] or all(m["kind"] != "chow" for p in players for m in p["melds"])
        skins_left = sum(4 - seen[kind] for kind in skin_kinds)
        assert sum(player.get("skin_kongs", 0) for player in players) <= skins_left


def test_generated_cases_show_every_type_and_refusal() -> None:
    rng = Random(5)
    found: Counter[str] = Counter()
    for _ in range(3000):
        verdict = judged(some_case(rng))
        found.update(verdict["types"] if verdict["wins"] else [verdict["why_not"]])
    assert len(found) == 8 + 1 + 8, found  # big types, pihu, refusals


def test_turning_the_table_turns_the_answer() -> None:
    rng = Random(6)
    for _ in range(500):
        before = some_case(rng)
        turn = rng.randrange(1, 4)

        def turned(part: Case, turn: int = turn) -> Case:
            seats = ("from", "winner", "dealer", "liable")
            return {
                name: (value + turn) % 4 if name in seats and value is not None else value
                for name, value in part.items()
            }

        def rotated(row: list[Any], turn: int = turn) -> list[Any]:
            return row[-turn:] + row[:-turn]

        players = [
            player | {"melds": [turned(meld) for meld in player["melds"]]} for player in before["players"]
        ]
        after = turned(before) | {"players": rotated(players), "win": turned(before["win"])}
        verdict = turned(judged(before))
        verdict |= {name: rotated(verdict[name]) for name in ("owed", "capped", "deltas") if name in verdict}
        assert judged(after) == verdict


def test_changing_the_suits_changes_nothing() -> None:
    rng = Random(7)
    for _ in range(500):
        before = some_case(rng)
        table = str.maketrans("mps", "".join(rng.sample("mps", 3)))

        def renamed(part: Any, table: dict[int, int] = table) -> Any:
            if isinstance(part, list):
                return [renamed(item) for item in part]
            if not isinstance(part, dict):
                return part
            texts = ("tile", "tiles", "hand", "indicator", "laizi")
            return {k: v.translate(table) if k in texts else renamed(v) for k, v in part.items()}

        rules = {name: before.pop(name) for name in ("rules", "set")}
        assert judged(rules | renamed(before)) == judged(rules | before)


def test_decompositions_try_every_wildcard_assignment() -> None:
    rng = Random(8)
    ways = 0
    for _ in range(60):
        wild, sets = rng.choice((1, 1, 2)), rng.randint(1, 4)
        low = rng.choice((0, 3, 9, 22, 27))
        near = range(low, min(low + 6, 34))
        tiles = [rng.choice(near) for _ in range(3 * sets + 2 - wild)]
        kinds = {kind for suit in SUITS if set(suit) & set(tiles) for kind in suit}
        by_hand = {
            triplets
            for stands_for in product(sorted(kinds), repeat=wild)
            for triplets, _ in decompositions(tuple(sorted([*tiles, *stands_for])), 0, sets, 1)
        }
        found = {triplets for triplets, _ in decompositions(tuple(sorted(tiles)), wild, sets, 1)}
        assert found == by_hand, (tiles, wild)
        ways += len(found)
    assert ways > 20
