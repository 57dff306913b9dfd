"""What several commands read from their arguments: rules and whole numbers."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence

from wuhan_core.errors import show
from wuhan_core.rules import RuleError, RuleSet, load_rules, parse_override


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


def read_whole(name: str, text: str, faults: list[str]) -> int:
    """Read a whole number, ``_`` between digits allowed; add a fault and return 1 where it is none."""
    if re.fullmatch(r"-?\d+(_\d+)*", text, re.ASCII) and len(text) <= 50:
        return int(text)
    faults.append(f"{name} = {show(text)}, must be a whole number such as 1000000 or 1_000_000")
    return 1
