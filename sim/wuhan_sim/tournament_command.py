"""``wuhan tournament``: all bots against all on the same walls."""

from __future__ import annotations

import argparse

from . import engine
from .arguments import likely_rules
from .duel_command import add_contest_options, draw_and_tell, read_contest
from .plots import matrix_size
from .tournament import TournamentError, entrants
from .worker_arguments import logging_as_told


def add_tournament_command(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    command = commands.add_parser(
        "tournament",
        help="compare several bots, each with each",
        description="Compare several bots, each with each, on the same walls: a ranking, and the differences "
        "with errors that are corrected for the number of pairs.",
    )
    command.set_defaults(run=_run, gathers=True)
    command.add_argument(
        "bots",
        nargs="+",
        metavar="BOT",
        help=f"two or more of {', '.join(engine.BOT_NAMES)}, or module:Class for one in Python",
    )
    add_contest_options(command)


def _run(options: argparse.Namespace) -> None:
    faults, fields, how = read_contest(options)
    known = fields.pop("rules") or likely_rules(options.rules, options.set)
    ready, more = entrants(known, options.bots, **fields)
    faults += more
    if faults or ready is None:
        raise TournamentError(faults)
    with logging_as_told(options):
        result = ready.play(**how)
    draw_and_tell(result, matrix_size, options)
