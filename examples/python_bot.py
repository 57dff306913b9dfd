"""Does a bot of one's own beat greedy?

    python examples/python_bot.py --hands 1200

Opener takes every win, discards for the fewest missing tiles, and claims what brings it nearer. It loses: it
lays down no kong but red dragons. The command line finds it too, from this folder:

    wuhan run --bots python_bot:Opener,greedy,greedy,greedy --hands 1000
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from wuhan_core import Action, Hand, Observation, best_discards, shanten
from wuhan_sim import duel

RED_DRAGON = 31  # no hand that holds one wins: it is konged singly


class Opener:
    """Any object with `act` is a bot; of a class each hand and seat gets a new object."""

    def act(self, observation: Observation, legal: Sequence[Action]) -> Action:
        """Choose one of the legal actions."""
        for action in legal:
            if action.verb == "win" or (action.verb == "single_kong" and action.kind == RED_DRAGON):
                return action
        if observation.phase == "turn":
            return discard(observation, legal)
        return min(legal, key=lambda action: missing_after(observation, action))


def hand_of(observation: Observation, without: Sequence[int] = ()) -> Hand:
    """The concealed tiles, some left out; melds need not be named."""
    tiles = list(observation.hand)
    for kind in without:
        tiles.remove(kind)
    return Hand(tuple(tiles), laizi=observation.laizi if observation.laizi >= 0 else None)


def discard(observation: Observation, legal: Sequence[Action]) -> Action:
    """The best discard that is allowed and no wildcard."""
    allowed = {action.kind: action for action in legal if action.verb == "discard"}
    for option in best_discards(hand_of(observation), observation.seen):
        if option.discard in allowed and option.discard != observation.laizi:
            return allowed[option.discard]
    return legal[0]


def missing_after(observation: Observation, action: Action) -> float:
    """Tiles missing after a chow, a pung or a pass; a pass goes first where they are equal."""
    if action.verb == "pass":
        return shanten(hand_of(observation)) - 0.5
    if action.verb == "pung":
        return shanten(hand_of(observation, [action.kind] * 2))
    if action.verb == "chow":
        own = [kind for kind in range(action.kind, action.kind + 3) if kind != observation.open_tile]
        return shanten(hand_of(observation, own))
    return 99  # no kongs


def main() -> None:
    parser = argparse.ArgumentParser(description="Does a bot of one's own beat greedy?")
    parser.add_argument("--hands", type=int, default=1_200)
    parser.add_argument("--rules", default="yuanhang")
    given = parser.parse_args()
    print(duel(given.rules, Opener, "greedy", given.hands, seed=1))


if __name__ == "__main__":
    main()
