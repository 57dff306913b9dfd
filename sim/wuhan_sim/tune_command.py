"""``wuhan tune``: better parameters of a bot, confirmed on fresh walls."""

from __future__ import annotations

import argparse
from typing import Any

from wuhan_core.rules import RuleSet

from .arguments import add_rules_options, as_number, read_rules, tell
from .tune import CANDIDATES, METHODS, TuneError, check_tune, tune
from .worker_arguments import add_worker_options, logging_as_told, read_workers


def add_tune_command(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    command = commands.add_parser(
        "tune",
        help="better parameters of a bot, confirmed on fresh walls",
        description="Search for better parameters of a compiled bot, and confirm them on fresh walls. "
        "--rules may name several rule sets with commas between: the mean gain counts then.",
    )
    command.set_defaults(run=_run, gathers=True)
    add = command.add_argument
    add("bot", metavar="BOT", help="planner, or with parameters to start from: planner:key=value,...")
    add_rules_options(command)
    add("--parameters", metavar="A,B,...", help="those to be tuned (default: all of the bot's)")
    add("--opponents", metavar="A,B,...", help="bots to play against (default: BOT as it is, and greedy)")
    add("--budget", default="2000000", metavar="N", help="hands to play, at most (default: %(default)s)")
    add("--method", default="racing", help=f"{' or '.join(METHODS)} (default: %(default)s)")
    add("--candidates", default=str(CANDIDATES), metavar="N", help="of a race (default: %(default)s)")
    add("--seed", default="0", metavar="N", help="whole number, 0 or more (default: %(default)s)")
    add("--json", action="store_true", help="print the result as JSON")
    add_worker_options(command)


def _run(options: argparse.Namespace) -> None:
    faults: list[str] = list(options.faults)
    rules: list[RuleSet] = []
    names = [name.strip() for name in options.rules.split(",")]
    for name in names:
        if (loaded := read_rules(name, options.set, faults)) is not None:
            rules.append(loaded)
    numbers: dict[str, Any] = {
        name: as_number(getattr(options, name)) for name in ("budget", "seed", "candidates")
    }
    how = read_workers(options, faults)
    fields = {
        "bot": options.bot,
        "parameters": options.parameters,
        "method": options.method,
        "opponents": options.opponents,
        **numbers,
    }
    faults += check_tune(rules=rules if len(rules) == len(names) else None, **fields)[1]
    if faults:
        raise TuneError(dict.fromkeys(faults))
    with logging_as_told(options):
        found = tune(rules=rules, **fields, **how)
    tell(found, options)
