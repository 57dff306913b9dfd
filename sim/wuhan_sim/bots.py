"""Bots' names: from text to one bot per seat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from wuhan_core.errors import show
from wuhan_core.options import OPTIONS, Choice
from wuhan_core.policies import BOT_NAMES, PolicyError, parse_bot, split_bots

from .guests import ACT, GuestError, can_act, guest_of, loaded, names_guest

_OR_PYTHON = ", and module:Class for a bot in Python"
_PLAYERS = cast(Choice, OPTIONS["deal.players"].kind).choices


def read_bots(bots: object, players: int | None, load: bool = True) -> tuple[tuple[str, ...], list[str]]:
    """Read the bots of a task.

    Parameters
    ----------
    bots : str, object, or sequence of them
        Compiled bots, ``name`` or ``name:key=value,...``; ``module:Class`` for bots in Python; such
        classes or objects themselves. One text may have several with commas between. A single one sits on
        every seat.
    players : int or None
        Seats of the game; None where the rules are not known: then any game's number of bots will do.
    load : bool
        Import bots in Python that are given by name.

    Returns
    -------
    tuple of str
        One name per seat, those of compiled bots canonical; those of bots in Python are `Guest` (unless they
        were not imported).
    list of str
        All faults, one line each.
    """
    if isinstance(bots, str):
        given: list[object] = list(split_bots(bots))
    else:
        given = list(bots) if isinstance(bots, Sequence) else [bots]
    strange = dict.fromkeys(show(bot) for bot in given if not isinstance(bot, str) and not can_act(bot))
    if strange:
        wanted = f"must be names such as greedy,random, or bots with {ACT}"
        return (), [f"bots = {bot}, {wanted}" for bot in strange]
    names: list[str] = []
    faults: list[str] = []
    for bot in given:
        try:
            names.append(_name(bot, load))
        except GuestError as error:
            faults += error.faults
            names.append("")
    faults = list(dict.fromkeys(faults))
    if len(names) == 1:
        return tuple(names) * (players or 1), faults
    allowed = _PLAYERS if players is None else (players,)
    if len(names) not in allowed:
        shown = bots if isinstance(bots, str) else ",".join(names)
        wanted = f"must be {' or '.join(map(str, allowed))} (one per seat), or 1 for every seat"
        faults.append(f"bots = {show(shown)} has {len(names)} names, {wanted}")
    return tuple(names), faults


def _name(bot: object, load: bool) -> str:
    if not isinstance(bot, str):
        return guest_of(bot)
    if names_guest(bot):
        return loaded(bot) if load else bot
    try:
        return parse_bot(bot).text
    except PolicyError as error:
        known = bot.partition(":")[0].strip() in BOT_NAMES
        raise GuestError(f"bots: {fault}{'' if known else _OR_PYTHON}" for fault in error.faults) from None


def full_text(name: str) -> str:
    """A bot's text with every parameter spelled out; that of a bot in Python as it is."""
    return str(name) if names_guest(name) else parse_bot(name).full
