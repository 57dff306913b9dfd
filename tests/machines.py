"""Walls and hands of any rules for tests that step the machine."""

from __future__ import annotations

from collections.abc import Iterator

from wuhan_core._machine import Machine
from wuhan_core._wall import wall_of
from wuhan_core.rules import RuleSet


def players_of(rules: RuleSet) -> int:
    """How many sit at the table."""
    players = rules.get("deal.players")
    assert isinstance(players, int)
    return players


def dealt(rules: RuleSet, seed: int, number: int) -> list[int]:
    """A wall of the tiles that the rules play with."""
    return wall_of(seed, number, 112 if rules.get("deal.tiles") == "suits_red" else 136)


def start(rules: RuleSet, number: int, seed: int = 5) -> Machine:
    """A hand at its first question, every second one with a queue of draws for each seat."""
    return Machine(rules, dealt(rules, seed, number), 0, number % 2 == 0, seed, number)


def moments(rules: RuleSet, hands: int, bot: str = "greedy") -> Iterator[Machine]:
    """Every question of some hands that a bot plays."""
    for number in range(hands):
        machine = start(rules, number)
        while not machine.done:
            yield machine
            machine.step(machine.choose(bot))
