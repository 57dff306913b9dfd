"""Bots in Python for the tests of workers: a harmless one, and one that kills who plays a certain hand."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from typing import Any

from wuhan_sim import play_records

RULES = "hongzhong-2p"
DEADLY = "WUHAN_TEST_DEADLY"  # an environment variable: the tiles that nobody survives


class First:
    """Takes the first legal action, and keeps what it saw first."""

    seen: tuple[int, ...] = ()

    def act(self, observation: Any, legal: Sequence[Any]) -> Any:
        self.seen = self.seen or observation.hand
        return legal[0]


class Deadly(First):
    """Kills its process when it sees the deadly tiles."""

    def act(self, observation: Any, legal: Sequence[Any]) -> Any:
        if str(observation.hand) == os.environ.get(DEADLY):
            os.kill(os.getpid(), signal.SIGKILL)
        return super().act(observation, legal)


def tiles_of(hand: int) -> str:
    """What the first bot of `RULES` sees first in a hand of seed 0."""
    bot = First()
    play_records(RULES, [bot, "random"], first=hand, count=1)
    return str(bot.seen)
