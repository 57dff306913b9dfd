"""The command ``wuhan hand``: shanten, waits, useful tiles and the best discards of one hand."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from typing import Any

from wuhan_core.hand import Hand, HandError, best_discards, is_complete, shanten, ukeire, waits
from wuhan_core.tiles import KIND_NAMES, TileError, format_tiles, parse_tiles


def add_hand_command(commands: Any) -> None:
    """Add ``hand`` to a parser's commands; ``run`` takes the options, and raises `HandError` on bad input."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "hand",
        help="shanten, waits and best discards of one hand",
        description="Shanten, waits and best discards of one hand: four sets and a pair, any pair, wildcards "
        "standing for any tile. The rules' further shapes and conditions are `wuhan score`'s.",
    )
    parser.set_defaults(run=run_hand, gathers=True)
    add = parser.add_argument
    add("hand", metavar="TILES", help="the concealed tiles, such as 123m55p789sEEC, wildcards among them")
    add("--laizi", metavar="TILE", help="the wildcard kind, such as 9s (default: a game without wildcards)")
    add(
        "--melds",
        action="append",
        default=[],
        metavar="KIND:TILES",
        help="melds such as 'chow:123p pung:777s concealed_kong:5555m'; repeatable",
    )
    add(
        "--seen",
        default="",
        metavar="TILES",
        help="tiles seen elsewhere: discards, others' melds, the indicator",
    )
    add("--json", action="store_true", help="print the answer as JSON")


def run_hand(options: argparse.Namespace) -> None:
    """Print what the options ask for.

    Raises
    ------
    HandError
        Naming every fault of the hand and of the tiles seen.
    """
    faults: list[str] = list(options.faults)
    answer = {}
    try:
        answer = hand_answer(options.hand, " ".join(options.melds), options.laizi, options.seen)
    except HandError as error:
        faults += error.faults
    if faults:
        raise HandError(faults)
    print(json.dumps(answer, ensure_ascii=False) if options.json else hand_text(answer))


def hand_answer(text: str, melds: str = "", laizi: str | None = None, seen: str = "") -> dict[str, Any]:
    """What ``wuhan hand --json`` prints.

    Parameters
    ----------
    text, melds, laizi : str
        As `Hand.parse` takes them.
    seen : str
        Tiles seen elsewhere.

    Returns
    -------
    dict
        ``hand``, ``melds`` (list), ``laizi``, ``shanten``, ``complete``. A hand to draw: ``waits`` (empty
        unless ready) and ``useful``, tile -> live tiles. A hand to discard: ``discards``, a list of
        ``discard``, ``shanten``, ``live`` (tiles) and ``useful``, the best first.

    Raises
    ------
    HandError
        Naming every fault.
    """
    hand, faults = None, []
    try:
        hand = Hand.parse(text, melds, laizi)
    except HandError as error:
        faults += error.faults
    try:
        parse_tiles(seen)
    except TileError as error:
        faults += [f"seen: {fault}" for fault in error.faults]
    if hand is None or faults:
        raise HandError(faults)
    answer: dict[str, Any] = {
        "hand": format_tiles(hand.concealed),
        "melds": [str(meld) for meld in hand.melds],
        "laizi": None if hand.laizi is None else KIND_NAMES[hand.laizi],
        "shanten": shanten(hand),
        "complete": is_complete(hand),
    }
    if len(hand.concealed) % 3 == 1:
        useful = ukeire(hand, seen)
        answer["waits"] = {KIND_NAMES[kind]: useful.get(kind, 0) for kind in waits(hand)}
        answer["useful"] = {KIND_NAMES[kind]: live for kind, live in useful.items()}
    else:
        answer["discards"] = [
            {
                "discard": KIND_NAMES[option.discard],
                "shanten": option.shanten,
                "live": option.live,
                "useful": [KIND_NAMES[kind] for kind in option.kinds],
            }
            for option in best_discards(hand, seen)
        ]
    return answer


def hand_text(answer: dict[str, Any]) -> str:
    """What ``wuhan hand`` prints for an answer of `hand_answer`."""
    parts = [answer["hand"], *answer["melds"]]
    if answer["laizi"]:
        parts.append(f"laizi {answer['laizi']}")
    lines = ["  ".join(parts), _standing(answer["shanten"])]
    if "discards" in answer:
        lines.append("")
        lines.append(_ROW.format("discard", "shanten", "live", "kinds", "useful"))
        for option in answer["discards"]:
            useful = option["useful"]
            numbers = (option["discard"], option["shanten"], option["live"], len(useful))
            lines.append(_ROW.format(*numbers, " ".join(useful)))
    elif answer["shanten"] == 0:
        lines.append(_counted("waits", answer["waits"]))
    else:
        lines.append(_counted("useful", answer["useful"]))
    return "\n".join(lines)


_ROW = "{:<9}{:>7}{:>6}{:>7}  {}"


def _standing(shanten: int) -> str:
    return {-1: "complete", 0: "ready"}.get(shanten, f"shanten {shanten}")


def _counted(title: str, live: Mapping[str, int]) -> str:
    """Tiles with how many of each are live."""
    tiles = " ".join(f"{tile}({n})" for tile, n in live.items()) or "none"
    return f"{title} (live tiles): {tiles}; {len(live)} kinds, {sum(live.values())} live"
