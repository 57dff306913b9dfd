"""``wuhan duel``: two bots on the same walls."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from wuhan_core.words import LANGS

from . import engine
from .arguments import add_rules_options, as_number, likely_rules, read_rules, tell
from .duel import Duel, DuelError, challenge, read_until
from .plot_style import picture_faults, save
from .plots import forest_size
from .tournament import Tournament
from .worker_arguments import add_worker_options, logging_as_told, read_workers

R = TypeVar("R", Duel, Tournament)


def add_duel_command(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    command = commands.add_parser(
        "duel",
        help="compare two bots on the same walls",
        description="Compare two bots on the same walls, each played once with every order of the bots over "
        "the seats: the difference in points per hand, and where it comes from.",
    )
    command.set_defaults(run=_run, gathers=True)
    add = command.add_argument
    add("a", metavar="A", help=f"a bot: {', '.join(engine.BOT_NAMES)}, or module:Class for one in Python")
    add("b", metavar="B", help="another; the difference is A less B")
    add_contest_options(command)
    add("--seats", metavar="A-B", help="seats of A and of B: 2-2 (the default), 1-3, 3-1; 1-1 at two seats")
    add(
        "--until",
        metavar="points<N",
        help="stop once the half-width of the difference is below N points; --hands is the most then",
    )


def add_contest_options(command: argparse.ArgumentParser) -> None:
    """What a duel and a tournament have alike."""
    add = command.add_argument
    add_rules_options(command)
    walls = "rounded up to whole walls"
    add("--hands", default="60000", metavar="N", help=f"hands of two bots, {walls} (default: %(default)s)")
    add("--seed", default="0", metavar="N", help="whole number, 0 or more (default: %(default)s)")
    add("--draws", default="seat", help=f"{' or '.join(engine.DRAWS)} (default: %(default)s)")
    add("--json", action="store_true", help="print the result as JSON")
    add("--picture", metavar="FILE", help="draw the result (.png, .svg, .pdf)")
    add("--lang", choices=LANGS, default="en", help="language of the picture (default: %(default)s)")
    add("--traceback", action="store_true", help="show where a bot in Python failed")
    add_worker_options(command)


def _run(options: argparse.Namespace) -> None:
    faults, fields, how = read_contest(options)
    until, wrong = read_until(options.until)
    known = fields.pop("rules") or likely_rules(options.rules, options.set)
    ready, more = challenge(known, options.a, options.b, **fields, seats=options.seats)
    faults += [*more, *wrong]
    if faults or ready is None:
        raise DuelError(faults)
    with logging_as_told(options):
        result = ready.play(**how, until=until)
    draw_and_tell(result, forest_size, options)


def read_contest(options: argparse.Namespace) -> tuple[list[str], dict[str, Any], dict[str, Any]]:
    """Return faults; rules, hands, seed and draws; and how to play."""
    faults: list[str] = list(options.faults)
    fields: dict[str, Any] = {"rules": read_rules(options.rules, options.set, faults)}
    for name in ("hands", "seed"):
        fields[name] = as_number(getattr(options, name))
    fields["draws"] = options.draws
    how = read_workers(options, faults)
    if options.picture is not None:
        faults += picture_faults(options.picture)
    return faults, fields, how


def draw_and_tell(result: R, size: Callable[[R], tuple[float, float]], options: argparse.Namespace) -> None:
    """Draw the picture that was asked for, and print the result as told."""
    if options.picture is not None:
        save(partial(result.plot, lang=options.lang), size(result), options.picture)
        print(f"wrote {options.picture}", file=sys.stderr)
    tell(result, options)
