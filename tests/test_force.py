"""Hands with something forced, against the same hands played step by step through `Table`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import oracle
from machines import dealt, players_of
from wuhan_core._force import exchanged, play_forced
from wuhan_core._play import play_hands
from wuhan_core._wall import seating, wall_of
from wuhan_core.actions import Action, BotError
from wuhan_core.rules import load_rules
from wuhan_core.table import Table

SEED = 7
KEEP, KONG = 0, 1


class Odd:
    """Answers by the tiles alone, and takes kongs and claims now and then; wins when it can."""

    def act(self, observation: Any, legal: list[Action]) -> Action:
        wins = [action for action in legal if action.verb == "win"]
        taste = sum(kind * n for kind, n in enumerate(observation.counts)) + observation.turns
        return wins[0] if wins else legal[taste % len(legal)]


BOTS: dict[str, list[Any]] = {
    "greedy": ["greedy"] * 4,
    "mixed": ["random", "greedy", "greedy", "random"],
    "python": [Odd, "greedy", Odd, "random"],
}


def after_claim(table: Table, action: Action) -> int:
    """Tiles missing after a chow or pung, by the oracle's search."""
    seen = table.observation(table.seat)
    counts = list(seen.counts)
    wildcards = 0
    if seen.laizi >= 0:
        wildcards, counts[seen.laizi] = counts[seen.laizi], 0
    for kind in range(27, 34):  # red dragons in the factors model are no part of any set
        if kind == 31 and table.rules.get("score.model") == "factors":
            counts[kind] = 0
    used = [action.kind] * 2
    if action.verb == "chow":
        used = [action.kind + i for i in range(3) if action.kind + i != seen.open_tile]
    for kind in used:
        counts[kind] -= 1
    melds = len(seen.melds[table.seat]) + 1
    return oracle.shanten(counts, wildcards, melds, True) + wildcards


def opens(table: Table, seat: int) -> int:
    """Open melds as the rules count them."""
    counted = {"chow", "pung", "added_kong"}
    counted |= {"direct_kong"} if table.rules.get("win.open_melds") == "chow_pung_kong" else set()
    return sum(kind in counted for kind, *_ in table.observation(seat).melds[seat])


def claims(table: Table, action: Action) -> bool:
    wide = table.rules.get("win.open_melds") == "chow_pung_kong"
    return action.verb in ("chow", "pung") or (wide and action.verb == "kong")


def by_hand(
    table: Table,
    ask: Callable[[Table, list[Action]], Action],
    feature: str,
    number: int,
    focal: int,
    branch: int,
) -> tuple[list[int], int, int]:
    """Play on; return points, the draws made before the first moment, and what the bot itself would do."""
    turn, own = -1, -1
    while not table.done:
        legal = table.legal()
        action = ask(table, legal)
        phase, turns = table.observation(table.seat).phase, table.observation(table.seat).turns
        if table.seat != focal or action.verb == "win":
            table.step(action)
            continue
        if feature == "kong_laizi" and turn < 0 and phase == "turn":
            kong = Action("single_kong", table.observation(focal).laizi)
            if kong in legal:
                turn, own = turns, int(action == kong)
                if branch == KONG:
                    action = kong
                elif branch == KEEP and own:
                    action = ask(table, [each for each in legal if each != kong])
        if feature == "open" and turn < 0 and phase == "claim" and opens(table, focal) == number - 1:
            pungs = [each for each in legal if each.verb == "pung"]
            chows = sorted((each for each in legal if each.verb == "chow"), key=lambda each: each.kind)
            if claims(table, action) or (action.verb == "pass" and pungs + chows):
                turn, own = turns, int(claims(table, action))
                if branch == 0:
                    action = Action("pass")
                elif branch == 1 and not own:
                    action = min(pungs + chows, key=lambda each: after_claim(table, each))
        if feature == "open_before" and claims(table, action) and opens(table, focal) == 0:
            early = int(turns < number)
            turn, own = (turns, early) if turn < 0 else (turn, own)
            if branch == 1 - early:
                action = Action("pass")
        table.step(action)
    return table.deltas, turn, own


def asker(bots: list[Any], order: list[int]) -> Callable[[Table, list[Action]], Action]:
    """Ask the bot of a seat; only bots in Python can be asked with fewer legal actions."""
    guests = {seat: bots[bot]() for seat, bot in enumerate(order) if not isinstance(bots[bot], str)}

    def ask(table: Table, legal: list[Action]) -> Action:
        if table.seat in guests:
            answer: Action = guests[table.seat].act(table.observation(table.seat), legal)
            return answer
        action = table.choose(bots[order[table.seat]])
        assert action in legal
        return action

    return ask


@pytest.mark.parametrize(
    ("preset", "bots", "feature", "number"),
    [
        ("yuanhang", "python", "kong_laizi", 0),
        ("laizigang", "python", "kong_laizi", 0),
        ("yuanhang", "greedy", "open", 1),
        ("yuanhang", "mixed", "open", 2),
        ("laizigang", "python", "open", 1),
        ("hongxin", "mixed", "open", 1),
        ("hongzhong", "greedy", "open", 1),
        ("yuanhang", "mixed", "open_before", 15),
        ("laizigang", "python", "open_before", 30),
    ],
)
def test_choices_against_table(preset: str, bots: str, feature: str, number: int) -> None:
    rules, count, first = load_rules(preset), 24, 100
    who = BOTS[bots][: players_of(rules)]
    arose = 0
    for focal in (0, 2 if bots == "python" else 1):
        records, moments = play_forced(
            rules, who, SEED, first, count, "rotated", "seat", feature, number, (0, 1), focal
        )
        for row in range(count):
            hand = first + row
            order = seating(SEED, hand // len(who), hand, len(who))
            seat = order.index(focal)
            assert moments[row]["seat"] == seat
            for branch in (-1, 0, 1):
                table = Table(rules, SEED, hand)
                points, turn, own = by_hand(table, asker(who, order), feature, number, seat, branch)
                shown = records[branch][row]
                assert list(shown["points"][: len(who)]) == points
                assert (moments[row]["turn"], moments[row]["own"]) == (turn, own)
                assert list(shown["bot"][: len(who)]) == order
            arose += moments[row]["turn"] >= 0
            # to force what it does anyway is nothing
            if moments[row]["own"] >= 0 and feature != "open_before":
                assert records[moments[row]["own"]][row] == records[2][row]
    assert arose > 5


@pytest.mark.parametrize("feature", ["laizi", "red", "dealer", "kong_laizi", "open", "open_before"])
@pytest.mark.parametrize("deal", ["rotated", "fresh"])
def test_unforced_hands_are_those_of_play_hands(feature: str, deal: str) -> None:
    rules, bots = load_rules("yuanhang"), BOTS["mixed"]
    records, moments = play_forced(rules, bots, SEED, 30, 200, deal, "wall", feature, 2, (0, 1), 2)
    assert np.array_equal(records[-1], play_hands(rules, bots, SEED, 30, 200, deal, "wall"))
    assert np.array_equal(moments["hand"], np.arange(30, 230))
    never = moments["turn"] < 0
    assert np.array_equal(records[0][never], records[-1][never])
    assert np.array_equal(records[1][never], records[-1][never])
    one, _ = play_forced(rules, bots, SEED, 101, 1, deal, "wall", feature, 2, (0, 1), 2)
    assert np.array_equal(one[:, 0], records[:, 71])  # a hand is a function of its number alone


@pytest.mark.parametrize(("preset", "keep"), [("yuanhang", 52), ("hongzhong", -1), ("hongzhong-2p", -1)])
def test_tiles_change_places(preset: str, keep: int) -> None:
    size = 112 if keep < 0 else 136
    for number in range(60):
        wall = wall_of(SEED, number, size)
        kind = wall[100] if keep < 0 or wall[100] != wall[keep] else 31
        seat = number % 4 if preset != "hongzhong-2p" else number % 2
        hand = range(13 * seat, 13 * seat + 13)
        held = sum(wall[i] == kind for i in hand)
        changed = {}
        for wanted in range(4):
            other = exchanged(SEED, number, seat, wall, keep, kind, wanted)
            assert Counter(other) == Counter(wall)
            assert sum(other[i] == kind for i in hand) == wanted
            assert keep < 0 or other[keep] == wall[keep]
            changed[wanted] = {i for i in range(size) if other[i] != wall[i]}
            assert len(changed[wanted]) == 2 * abs(wanted - held)
        for wanted in range(4):  # to want more changes more
            for more in range(wanted, 4) if wanted >= held else range(wanted, -1, -1):
                assert changed[wanted] <= changed[more]


def test_exchanges_are_uniform() -> None:
    """The places that get the tile, and those that give it, are each equally likely."""
    wall = [kind for kind in range(34) for _ in range(4)]  # seat 0 has 0000 1111 2222 3
    kind, n = 20, 4000
    got, gave, away = Counter(), Counter(), Counter()  # type: ignore[var-annotated]
    for number in range(n):
        other = exchanged(SEED, number, 0, wall, 52, kind, 1)
        got.update(i for i in range(13) if other[i] == kind)
        gave.update(i for i in range(80, 84) if other[i] != kind)
        less = exchanged(SEED, number, 0, wall, 52, 0, 3)
        away.update(i for i in range(13, 136) if less[i] == 0)
    for counts, places in ((got, 13), (gave, 4), (away, 122)):
        expected = n / places
        assert len(counts) == places
        chi = sum((seen - expected) ** 2 / expected for seen in counts.values())
        assert chi < places - 1 + 4 * (2 * (places - 1)) ** 0.5
    assert 52 not in away


@pytest.mark.parametrize(
    ("preset", "feature", "most"),
    [("yuanhang", "laizi", 4), ("yuanhang", "red", 3), ("hongzhong", "laizi", 4), ("hongxin", "laizi", 4)],
)
def test_holdings_against_table(preset: str, feature: str, most: int) -> None:
    rules, count = load_rules(preset), 12
    bots, branches = ["greedy", "random", "greedy", "greedy"], tuple(range(most + 1))
    keep = -1 if rules.get("deal.tiles") == "suits_red" else 52
    records, moments = play_forced(rules, bots, SEED, 0, count, "rotated", "seat", feature, 0, branches, 0)
    for hand in range(count):
        order = seating(SEED, hand // 4, hand, 4)
        seat, wall = order.index(0), dealt(rules, SEED, hand // 4)
        kind = 31 if feature == "red" else Table(rules, SEED, hand).observation(0).laizi
        held = sum(tile == kind for tile in wall[13 * seat : 13 * seat + 13])
        assert (moments[hand]["own"], moments[hand]["turn"]) == (held, 0)
        assert records[held][hand] == records[-1][hand]
        for branch in branches:
            tiles = exchanged(SEED, hand // 4, seat, wall, keep, kind, branch)
            table = Table(rules, SEED, hand, wall=tiles, draws="seat")
            points, *_ = by_hand(table, asker(bots, order), feature, 0, seat, -1)
            assert list(records[branch][hand]["points"]) == points
            if feature == "laizi":
                assert records[branch][hand]["start_wild"][seat] == branch


@pytest.mark.parametrize(
    ("preset", "draws"), [("yuanhang", "seat"), ("yuanhang", "wall"), ("hongzhong-2p", "seat")]
)
def test_another_dealer_against_table(preset: str, draws: str) -> None:
    """The same seats and tiles with another dealer: the wall laid anew by its definition, seat by seat."""
    rules, count = load_rules(preset), 16
    n = players_of(rules)
    bots = ["greedy", "random", "random", "greedy"][:n]
    size, first = (112, 13 * n) if n == 2 else (136, 13 * n + 1)
    tail = size - 4 * n
    records, moments = play_forced(rules, bots, SEED, 0, count, "rotated", draws, "dealer", 0, range(n), 0)
    for hand in range(count):
        order = seating(SEED, hand // n, hand, n)
        seat, wall = order.index(0), wall_of(SEED, hand // n, size)
        assert moments[hand]["own"] == seat
        for place in range(n):
            dealer = (seat - place) % n
            laid = list(wall)
            for who in range(n):
                new, old = (who - dealer) % n, who
                laid[13 * new : 13 * new + 13] = wall[13 * old : 13 * old + 13]
                if draws == "seat":
                    for j in range((tail - first) // n):
                        laid[first + n * j + new] = wall[first + n * j + old]
                    for k in range(4):
                        laid[size - 1 - n * k - new] = wall[size - 1 - n * k - old]
            table = Table(rules, SEED, hand, dealer=dealer, wall=laid, draws=draws)
            points, *_ = by_hand(table, asker(bots, order), "dealer", 0, seat, -1)
            shown = records[place][hand]
            by_bot = dict(zip(shown["bot"][:n].tolist(), shown["points"][:n].tolist(), strict=True))
            assert [by_bot[bot] for bot in order] == points
            assert shown["bot"].tolist().index(0) == place


def test_a_failing_bot_is_named() -> None:
    class Wrong:
        def act(self, observation: Any, legal: list[Action]) -> Action:
            return Action("discard", 99)

    with pytest.raises(BotError, match=r"kind=99\) is not legal"):
        play_forced(load_rules("yuanhang"), [Wrong] * 4, 1, 0, 2, "rotated", "seat", "open", 1, (0, 1), 0)


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(ValueError, match=r"nobody.*\n.*diagonal"):
        play_forced(load_rules("yuanhang"), ["nobody"] * 4, 1, 0, 2, "diagonal", "seat", "open", 1, (0, 1), 0)
