"""A replay as text: every draw, discard, claim and kong with the hand after it, then the score explained."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from wuhan_core.actions import Action
from wuhan_core.tiles import format_tile, format_tiles, parse_tile, parse_tiles
from wuhan_core.words import Lang, check_lang, columns, word, written

from .replay_frames import Event, Holding, Shown, frames_of
from .replay_words import STYLES, say

if TYPE_CHECKING:
    from .replay import Decision, HandLog


def replay_text(replayed: HandLog, lang: Lang) -> str:
    """Write a replay as lines of text, without an end of line at the end."""
    check_lang(lang)
    log = replayed.to_dict()
    frames = frames_of(log)
    lines = [heading(replayed, lang), word("sep", lang).join(said for said, _ in facts(log, lang))]
    rows = [
        ("", f"{seat_name(replayed, seat, lang)} {say('dealt', lang)}", holding_text(holding, lang))
        for seat, holding in enumerate(frames[0].seats)
    ]
    for number, frame in enumerate(frames[1:], 1):
        event = frame.event
        assert event is not None
        held = holding_text(frame.seats[event["seat"]], lang) if "seat" in event else ""
        rows.append((str(number), event_text(event, lang), held))
    return "\n".join([*lines, *columns(rows), *ending(replayed, log, lang)])


def heading(replayed: HandLog, lang: Lang) -> str:
    """Which hand it is."""
    log, rules = replayed.to_dict(), replayed.table.rules
    line = say("hand", lang, rules=rules.name, hand=log["hand"])
    line += "" if log["seed"] is None else say("seed", lang, seed=log["seed"])
    changes = ", ".join(f"{name}={written(value)}" for name, value in rules.overrides.items())
    return f"{line} ({changes})" if changes else line


def facts(log: Mapping[str, Any], lang: Lang) -> list[tuple[str, int | None]]:
    """Dealer, special tiles and the order of draws in words, each with the kind that it is about."""
    found: list[tuple[str, int | None]] = [(say("dealer", lang, seat=log["dealer"]), None)]
    for name in ("indicator", "laizi"):
        if log[name] is not None:
            found.append((say(name, lang, tile=tile_text(log[name], lang)), parse_tile(log[name])))
    return [*found, (say(f"draws.{log['draws']}", lang), None)]


def ending(replayed: HandLog, log: Mapping[str, Any], lang: Lang) -> list[str]:
    """The score explained, or why there is none."""
    if log["result"] is None:
        return ["", say("unfinished", lang)]
    if scores := replayed.scores:
        return [line for score in scores for line in ("", score.to_text(lang))]
    lines = ["", say("nobody", lang)]
    if any(points := log["result"].get("deltas", [])):
        gains = (say("gain", lang, seat=seat, points=n) for seat, n in enumerate(points))
        lines.append(say("gains", lang, gains=word("sep", lang).join(gains)))
    return lines


def seat_name(replayed: HandLog, seat: int, lang: Lang) -> str:
    """The seat, with its bot where that is known."""
    name = say("seat", lang, seat=seat)
    return f"{name} ({replayed.bots[seat]})" if replayed.bots else name


def tile_text(name: str, lang: Lang) -> str:
    """A tile of a log in the style of a language."""
    return format_tile(parse_tile(name), STYLES[lang])


def tiles_text(tiles: str | list[str], lang: Lang) -> str:
    """Tiles of a log (text, or a list of names) in the style of a language."""
    if isinstance(tiles, str):
        return format_tiles(parse_tiles(tiles), STYLES[lang])
    return word("sep", lang).join(tile_text(name, lang) for name in tiles)


def event_text(event: Event, lang: Lang) -> str:
    """One event in words."""
    key = event["do"]
    if key == "draw":
        key += ".last" if event.get("last") else ".tail" if event["from"] == "tail" else ""
    elif key in ("kong", "win"):
        key += f".{event['kind' if key == 'kong' else 'source']}"
    values = {"giver": event.get("from")}
    if "tile" in event:
        values["tile"] = tile_text(event["tile"], lang)
    if "tiles" in event:
        values["tiles"] = tiles_text(event["tiles"], lang)
    said = say(key, lang, **values)
    return f"{say('seat', lang, seat=event['seat'])} {said}" if "seat" in event else said


def action_text(action: Action, lang: Lang) -> str:
    """One action in words."""
    tile = "" if action.kind < 0 else format_tile(action.kind, STYLES[lang])
    if action.verb == "chow":
        tile = format_tiles(range(action.kind, action.kind + 3), STYLES[lang])
    return say(f"act.{action.verb}", lang, tile=tile)


def choice_text(decision: Decision, lang: Lang) -> str:
    """What a seat could have done besides discarding and passing, and what it did."""
    actions = say("or", lang).join(action_text(action, lang) for action in decision.special)
    chosen = say("pass", lang) if decision.action.verb == "pass" else action_text(decision.action, lang)
    return say("choice", lang, seat=decision.seat, actions=actions, chosen=chosen)


def holding_text(seat: Holding, lang: Lang) -> str:
    """Concealed tiles, the tile just drawn apart, then what lies open."""
    hand = list(seat.hand)
    if seat.drawn is not None:
        hand.remove(seat.drawn)
    parts = [format_tiles(hand, STYLES[lang])]
    parts += [] if seat.drawn is None else [f"+{format_tile(seat.drawn, STYLES[lang])}"]
    parts += [meld_text(meld, lang) for meld in seat.melds]
    parts += [f"[{format_tile(tile, STYLES[lang])}]" for _, tile in seat.singles]
    return " ".join(part for part in parts if part)


def meld_text(meld: Shown, lang: Lang) -> str:
    """A meld's tiles; a concealed kong in brackets."""
    tiles = format_tiles(meld.tiles, STYLES[lang])
    return f"({tiles})" if meld.kind == "concealed_kong" else f"[{tiles}]"
