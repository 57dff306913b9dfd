"""One line of a hand log: is it well formed, and which table does it start from?

What the events mean is `replay`'s affair. Logs may come from anywhere: nothing in them is trusted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from wuhan_core.errors import integer, show
from wuhan_core.hand_log import LogError, rules_of_log
from wuhan_core.records import OUTCOMES
from wuhan_core.rules import RuleSet, preset_names
from wuhan_core.table import Table, TableError
from wuhan_core.tiles import KIND_NAMES, TileError, format_tiles, parse_tile, parse_tiles

Event = dict[str, Any]

HEAD = ("hand", "seed", "rules", "rules_id", "set", "draws", "dealer", "indicator", "laizi", "wall", "deal")
KONGS = ("direct", "added", "concealed", "red", "wild", "skin")
# What each event has besides "do": what it must have, and what it may.
FIELDS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "draw": (("seat", "tile", "from"), ("last",)),
    "discard": (("seat", "tile"), ()),
    "chow": (("seat", "tile", "tiles", "from"), ()),
    "pung": (("seat", "tile", "tiles", "from"), ()),
    "kong": (("seat", "kind", "tile"), ("from",)),
    "win": (("seat", "source", "tile"), ("from",)),
    "codes": (("tiles",), ()),
    "exhausted": ((), ()),
}


def read_log(log: object, rules: RuleSet | None = None) -> tuple[Table, list[Event]]:
    """Check the form of a log.

    Parameters
    ----------
    log : mapping
        One line of a hand log.
    rules : RuleSet, optional
        Of a log that was played under a rule file; else those that the log names.

    Returns
    -------
    Table
        Before the first event but the dealer's draw.
    list of dict
        The events in the one form that `Table.log` has, without what is None.

    Raises
    ------
    LogError
        Naming every fault.
    """
    if not isinstance(log, Mapping):
        raise LogError([f"the log is {show(log)}, must be an object with {', '.join(HEAD)}, events, result"])
    missing = [name for name in (*HEAD, "events", "result") if name not in log]
    if missing:
        raise LogError([f"{name} is missing" for name in missing])
    faults: list[str] = []
    if rules is None:
        try:
            rules = rules_of_log(log)
            if log["rules"] not in preset_names():  # rules of one's own keep no preset's name
                rules = RuleSet(rules.values)
        except LogError as error:
            faults += error.faults
    table = _table(log, rules, faults)
    events = _events(log["events"], table.players if table else 4, faults)
    if faults or table is None:
        raise LogError(faults)
    return table, events


def unlike(log: Mapping[str, Any], made: Mapping[str, Any]) -> list[str]:
    """What a log says of the deal and of the result that is not so; `made`: the same log, played again."""
    faults = []
    for name in ("rules_id", "indicator", "laizi"):
        if log[name] != made[name]:
            faults.append(f"{name} = {show(log[name])}, must be {show(made[name])}")
    given = log["deal"] if isinstance(log["deal"], list) else [log["deal"]]
    if [_sorted(hand) for hand in given] != made["deal"]:
        faults.append(f"deal = {show(given)}, the wall deals {show(made['deal'], 400)}")
    if log["result"] != made["result"]:
        faults.append(f"result = {show(log['result'], 400)}, must be {show(made['result'], 400)}")
    return faults


def bare(event: Mapping[str, Any]) -> Event:
    """An event without what is None."""
    return {name: value for name, value in event.items() if value is not None}


def _table(log: Mapping[str, Any], rules: RuleSet | None, faults: list[str]) -> Table | None:
    wall, seed = log["wall"], log["seed"]
    if not isinstance(wall, list) or not all(isinstance(tile, str) for tile in wall):
        faults.append(f"wall = {show(wall)}, must be a list of tiles")
        rules = None
    if not isinstance(log["rules"], str | None):
        faults.append(f"rules = {show(log['rules'])}, must be null or the name of a preset")
    if seed is not None and _whole(seed) is None:
        faults.append(f"seed = {show(seed)}, must be null or a whole number, 0 or more")
    if log["draws"] not in ("seat", "wall"):
        faults.append(f"draws = {show(log['draws'])}, must be 'seat' or 'wall'")
        rules = None
    if log["dealer"] is None:
        faults.append("dealer = None, must be a seat")
        rules = None
    if rules is None:
        return None
    try:
        table = Table(rules, hand=log["hand"], dealer=log["dealer"], wall=wall, draws=log["draws"])
    except TableError as error:
        faults += error.faults
        return None
    table.seed = seed
    return table


def _events(events: object, players: int, faults: list[str]) -> list[Event]:
    if not isinstance(events, list):
        faults.append(f"events = {show(events)}, must be a list")
        return []
    readers = _readers(players)
    found = []
    for number, event in enumerate(events):
        do = event.get("do") if isinstance(event, Mapping) else None
        if not isinstance(do, str) or do not in FIELDS:
            known = ", ".join(FIELDS)
            faults.append(f"events[{number}] = {show(event)}, must be an object with do, one of {known}")
            continue
        must, may = FIELDS[do]
        given = {name: value for name, value in bare(event).items() if name != "do"}
        wrong = [f"{name} is missing" for name in must if name not in given]
        wrong += [f"unknown {show(name)}" for name in given if name not in must + may]
        read: Event = {"do": do}
        for name in (*must, *may):
            if name in given:
                reader, allowed = readers.get((do, name)) or readers["", name]
                read[name] = reader(given[name])
                if read[name] is None:
                    wrong.append(f"{name} = {show(given[name])}, must be {allowed}")
        faults += [f"events[{number}], {do}: {what}" for what in wrong]
        found.append(read)
    return found


def _readers(players: int) -> dict[tuple[str, str], tuple[Callable[[Any], object], str]]:
    """By event ("" = any) and field: reads a value, None where it is none; and what is allowed."""

    def seat(value: object) -> int | None:
        number = _whole(value)
        return number if number is not None and number < players else None

    def one_of(*words: object) -> tuple[Callable[[object], object], str]:
        return (lambda value: next((w for w in words if w == value), None)), " or ".join(map(str, words))

    a_seat = (seat, f"a seat, 0 to {players - 1}")
    return {
        ("", "seat"): a_seat,
        ("", "from"): a_seat,
        ("", "tile"): (_tile, "a tile"),
        ("", "tiles"): (_three, "three tiles as text"),
        ("", "kind"): one_of(*KONGS),
        ("", "source"): one_of(*OUTCOMES[1:]),
        ("", "last"): one_of(True),
        ("draw", "from"): one_of("wall", "tail"),
        ("codes", "tiles"): (_tile_list, "a list of tiles"),
    }


def _whole(value: object) -> int | None:
    number = integer(value)
    return None if number is None or number < 0 else number


def _tile(value: object) -> str | None:
    try:
        return KIND_NAMES[parse_tile(value)] if isinstance(value, str) else None
    except TileError:
        return None


def _tile_list(value: object) -> list[str] | None:
    names = [_tile(tile) for tile in value] if isinstance(value, list) else [None]
    return None if None in names else [name for name in names if name]


def _three(value: object) -> str | None:
    tiles = _sorted(value)
    return tiles if tiles and len(parse_tiles(tiles)) == 3 else None


def _sorted(value: object) -> str | None:
    try:
        return format_tiles(sorted(parse_tiles(value))) if isinstance(value, str) else None
    except TileError:
        return None
