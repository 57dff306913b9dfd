"""How often a bankroll is gone: the share of sessions in which a seat is ruined."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from .estimates import Estimate
from .session import sessions
from .session_stats import session_quantities
from .task import Task

RUIN_SHARE = "ruin_share"
SESSION_HANDS = 100
NEWCOMBE = "difference of two Clopper-Pearson intervals (Newcombe)"


def ruin_shares(
    tasks: Sequence[Task], bankroll: int, workers: int | None, progress: bool | None
) -> list[Estimate]:
    """The share of sessions of 100 hands in which some seat is ruined, for each task on the same walls.

    As many sessions are played as give the task's number of hands when nobody is ruined, in whole blocks.
    """
    found = []
    for task in tasks:
        table_size = len(task.bots)
        count = -(-max(1, task.hands // SESSION_HANDS) // table_size) * table_size
        seated = replace(task, deal="rotated" if task.deal == "balanced" else task.deal, first=0)
        played = sessions(seated, SESSION_HANDS, bankroll, count, workers=workers, progress=progress)
        row = next(row for row in session_quantities(played.plan) if row.name == RUIN_SHARE)
        found.append(played.estimate(row))
    return found


def ruin_difference(here: Estimate, there: Estimate) -> Estimate:
    """A ruin share less another, by Newcombe's method 10 (1998, Statistics in Medicine 17, 873-890).

    It takes the two as independent. On the same walls they vary together, so that the interval is rather too
    wide than too narrow.
    """
    value = here.value - there.value
    below = math.hypot(here.value - here.low, there.high - there.value)
    above = math.hypot(here.high - here.value, there.value - there.low)
    return Estimate(value, value - below, value + above, here.n, here.unit, NEWCOMBE)
