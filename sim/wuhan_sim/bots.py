"""Bots' names: from text to one bot per seat."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

from wuhan_core.errors import show

from . import engine


def read_bots(bots: object, players: int | None) -> tuple[tuple[str, ...], list[str]]:
    """Read the bots of a task.

    Parameters
    ----------
    bots : str or sequence of str
        Names, or one text with commas between them. A single name sits on every seat.
    players : int or None
        Seats of the game; None where the rules are not known: then the number of names is not checked.

    Returns
    -------
    tuple of str
        One name per seat.
    list of str
        All faults, one line each.
    """
    if isinstance(bots, str):
        names = tuple(part.strip() for part in bots.split(","))
    elif isinstance(bots, Sequence) and all(isinstance(name, str) for name in bots):
        names = tuple(bots)
    else:
        return (), [f"bots = {show(bots)}, must be names such as greedy,random"]
    faults = [f"bots: {_unknown(name)}" for name in dict.fromkeys(names) if name not in engine.BOT_NAMES]
    if players is None:
        return names, faults
    if len(names) == 1:
        return names * players, faults
    if len(names) != players:
        faults.append(
            f"bots = {show(','.join(names))} has {len(names)} names, "
            f"must be {players} (one per seat), or 1 for every seat"
        )
    return names, faults


def _unknown(name: str) -> str:
    known = ", ".join(engine.BOT_NAMES)
    near = difflib.get_close_matches(name, engine.BOT_NAMES, 1, 0.5)
    hint = f"the nearest is {near[0]}; " if near else ""
    return f"unknown bot {show(name)}, {hint}allowed are {known}"
