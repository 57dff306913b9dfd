"""``wuhan value``: what a holding or a choice is worth."""

from __future__ import annotations

import argparse

from .arguments import add_play_options, add_rules_options, read_rules, read_task, tell
from .features import KINDS, FeatureError, parse_feature
from .task import TaskError
from .value import check_value, value_of
from .worker_arguments import add_worker_options, logging_as_told, read_workers


def add_value_command(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    value = commands.add_parser(
        "value",
        help="what a holding or a choice is worth",
        description="What a holding or a choice is worth: the same hands played with it and without it.",
        epilog="features: " + "; ".join(f"{name}: {kind.doc}" for name, kind in KINDS.items()),
    )
    value.set_defaults(run=_run, gathers=True)
    add = value.add_argument
    add("feature", metavar="FEATURE", help="such as laizi=2, dealer, open=1; see below")
    add("--bot", default="0", metavar="N", help="whose value: index into the bots, or a name (default: 0)")
    add_rules_options(value)
    add_play_options(value)
    add("--hands", default="100000", metavar="N", help="hands to play (default: %(default)s)")
    add("--first", default="0", metavar="N", help="number of the first hand (default: %(default)s)")
    add("--json", action="store_true", help="print the result as JSON")
    add_worker_options(value)


def _run(options: argparse.Namespace) -> None:
    faults: list[str] = list(options.faults)
    task = read_task(options, faults, deal=options.deal)
    how = read_workers(options, faults)
    bot: int | str = int(options.bot) if options.bot.isascii() and options.bot.isdigit() else options.bot
    if task is None:
        try:
            parse_feature(options.feature, read_rules(options.rules, options.set, []))
        except FeatureError as error:
            faults += error.faults
    else:
        faults += check_value(task, options.feature, bot)[2]
    if faults or task is None:
        raise TaskError(faults)
    with logging_as_told(options):
        value = value_of(task, options.feature, bot=bot, **how)
    tell(value, options)
