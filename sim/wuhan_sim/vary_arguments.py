"""``--vary OPTION=VALUES``, and what else the commands that compare rules read."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from fractions import Fraction

from wuhan_core.errors import show
from wuhan_core.options import OPTIONS, Half, Whole, Words, hint

from .arguments import add_play_options, add_rules_options, read_task
from .task import Task

MOST_VALUES = 1000  # of one range
_RANGE = re.compile(r"(\d+(?:\.\d+)?):(\d+(?:\.\d+)?)(?::(\d+(?:\.\d+)?))?", re.ASCII)


def add_game_options(command: argparse.ArgumentParser, hands: str, bots: str) -> None:
    """Rules, bots, seed and hands of a task."""
    add_rules_options(command)
    add_play_options(command)
    command.set_defaults(bots=bots)
    command.add_argument(
        "--hands", default=hands, metavar="N", help="hands at each value (default: %(default)s)"
    )


def read_game(options: argparse.Namespace, faults: list[str]) -> Task | None:
    """The task of `add_game_options`; None where there are faults, which are added."""
    return read_task(options, faults, first=0)


def add_vary_option(command: argparse.ArgumentParser) -> None:
    """``--vary``, repeatable."""
    command.add_argument(
        "--vary",
        action="append",
        default=[],
        metavar="OPTION=VALUES",
        help="values with commas between, or low:high:step; lists of words with semicolons between; "
        "repeatable: every combination is played",
    )


def add_metrics_option(command: argparse.ArgumentParser) -> None:
    """``--metrics``."""
    command.add_argument(
        "--metrics",
        metavar="A,B,...",
        help="such as capped_share, or name[of]: deal_ins[greedy] (default: all that these rules have)",
    )


def read_metrics(text: str | None) -> list[str] | None:
    """Names between commas; commas in brackets belong to a bot."""
    return None if text is None else [name.strip() for name in re.split(r",(?![^\[]*\])", text)]


def read_vary(texts: Sequence[str], faults: list[str]) -> dict[str, list[object]]:
    """Read ``--vary``; add every fault."""
    vary: dict[str, list[object]] = {}
    for text in texts:
        option, sign, values = (part.strip() for part in text.partition("="))
        if not sign:
            faults.append(f"--vary {show(text)}, must be OPTION=VALUES such as cap.per_payer=100,200,300")
        elif option not in OPTIONS:
            faults.append(f"--vary: unknown option {show(option)}{hint(option, OPTIONS)}")
        elif option in vary:
            faults.append(f"--vary {option} is given twice")
        else:
            vary[option] = _values(option, values, faults)
    return vary


def _values(option: str, text: str, faults: list[str]) -> list[object]:
    kind = OPTIONS[option].kind
    found = _RANGE.fullmatch(text)
    if found and isinstance(kind, Whole | Half):
        low, high, step = (Fraction(part) if part else Fraction(1) for part in found.groups())
        if step and low <= high and (high - low) / step < MOST_VALUES:
            steps = range(int((high - low) / step) + 1)
            return [kind.parse(f"{float(low + i * step):g}") for i in steps]
        faults.append(
            f"--vary {option}={show(text)}, must be low:high:step, low first, at most {MOST_VALUES} values"
        )
        return []
    return [kind.parse(word.strip()) for word in text.split(";" if isinstance(kind, Words) else ",")]
