"""What several commands read from their arguments: rules, bots, streams and whole numbers."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence

from wuhan_core.errors import show, whole
from wuhan_core.policies import split_bots
from wuhan_core.rules import RuleError, RuleSet, load_rules, parse_override

from . import engine

_LONGEST = 4000  # characters of a number: Python reads some more, and any range is smaller


def add_rules_options(command: argparse.ArgumentParser) -> None:
    """``--rules NAME`` and ``--set OPTION=VALUE``."""
    command.add_argument(
        "--rules", default="yuanhang", metavar="NAME", help="preset or TOML file (default: %(default)s)"
    )
    command.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="OPTION=VALUE",
        help="change an option of the rules; repeatable",
    )


def add_play_options(command: argparse.ArgumentParser) -> None:
    """``--bots``, ``--seed``, ``--deal``, ``--draws``, and ``--traceback`` for bots in Python."""
    add = command.add_argument
    bots = ", ".join(engine.BOT_NAMES)
    add(
        "--bots",
        default="greedy",
        metavar="A,B,...",
        help=f"of {bots}, or module:Class for one in Python, looked for in the current folder first; "
        "one per seat, or one for all (default: %(default)s)",
    )
    add("--seed", default="0", metavar="N", help="whole number, 0 or more (default: %(default)s)")
    deals = ", ".join(engine.DEALS)
    add(
        "--deal",
        default="rotated",
        help=f"{deals} (default: %(default)s, but fresh where all bots are the same: to turn them round "
        "would play the same hands again)",
    )
    add("--draws", default="seat", help=f"{' or '.join(engine.DRAWS)} (default: %(default)s)")
    add("--traceback", action="store_true", help="show where a bot in Python failed")


def read_deal(options: argparse.Namespace) -> str:
    """The deal that ``--deal`` names, or the one that suits ``--bots``."""
    same = len(set(split_bots(options.bots))) == 1
    deal: str = "fresh" if same and "deal" not in options.given else options.deal
    return deal


def read_rules(name: str, changes: Sequence[str], faults: list[str]) -> RuleSet | None:
    """Load rules with ``--set`` applied; add every fault."""
    overrides: dict[str, object] = {}
    for text in changes:
        try:
            option, value = parse_override(text)
            if option in overrides:
                faults.append(f"--set {option} is given twice")
            overrides[option] = value
        except RuleError as error:
            faults += [f"--set {fault}" for fault in error.faults]
    try:
        return load_rules(name, overrides)
    except RuleError as error:
        faults += error.faults
        return None


def likely_rules(name: str, changes: Sequence[str]) -> RuleSet | None:
    """Rules without their changes, to ask for the number of players; None where that is not certain."""
    if any(text.split("=")[0].strip() in ("deal.players", "score.model") for text in changes):
        return None
    try:
        return load_rules(name)
    except RuleError:
        return None


def read_whole(name: str, text: str, faults: list[str], low: int | None = None) -> int:
    """Read a whole number, ``_`` between digits allowed; add a fault where it is none, or below `low`."""
    if re.fullmatch(r"-?\d+(_\d+)*", text, re.ASCII) and len(text) <= _LONGEST:
        return int(text) if low is None else whole(name, int(text), faults, low)
    faults.append(f"{name} = {show(text)}, must be a whole number such as 1000000 or 1_000_000")
    return 1
