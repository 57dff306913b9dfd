"""What several commands read from their arguments (rules, bots, tasks, numbers), and how they answer."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Sequence
from typing import Any, Protocol

from wuhan_core.errors import whole
from wuhan_core.policies import split_bots
from wuhan_core.rules import RuleError, RuleSet, load_rules, parse_override

from . import engine
from .task import Task, check

_LONGEST = 4000  # characters of a number: Python reads some more, and any range is smaller


class Told(Protocol):
    """What a command answers with."""

    def to_dict(self) -> Any:
        """Return it as values of the types that JSON has."""


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


def read_task(options: argparse.Namespace, faults: list[str], **fixed: object) -> Task | None:
    """The task that the options describe; None where that is not certain. Every fault is added.

    fixed: fields of the task that are no options of the command, or not by their names.
    """
    rules = read_rules(options.rules, options.set, faults)
    fields: dict[str, Any] = {
        "bots": options.bots,
        "deal": read_deal(options),
        "draws": options.draws,
    } | fixed
    for name in ("hands", "seed", "first"):
        if name not in fields:
            fields[name] = as_number(getattr(options, name))
    wrong = check(rules or likely_rules(options.rules, options.set), **fields)[1]
    faults += wrong
    return None if rules is None or wrong else Task(rules, **fields)


def as_number(text: str) -> int | str:
    """A whole number, ``_`` between digits allowed; what is none stays text, for `whole` to refuse."""
    good = re.fullmatch(r"-?\d+(_\d+)*", text, re.ASCII) and len(text) <= _LONGEST
    return int(text) if good else text


def read_whole(name: str, text: str, faults: list[str], low: int = 0, high: int | None = None) -> int:
    """Read a whole number; add a fault where it is none, or below `low` or above `high`."""
    return whole(name, as_number(text), faults, low, high)


def tell(result: Told, options: argparse.Namespace) -> None:
    """Print a result as text, or as JSON where ``--json`` asks for it."""
    print(json.dumps(result.to_dict(), allow_nan=False) if options.json else result)
