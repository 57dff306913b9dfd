"""``wuhan sweep``: what options of the rules do to a game."""

from __future__ import annotations

import argparse

from wuhan_core.policies import split_bots

from .arguments import read_whole, tell
from .sweep import BANKROLL, SweepError, sweep
from .vary_arguments import (
    add_game_options,
    add_metrics_option,
    add_vary_option,
    read_game,
    read_metrics,
    read_vary,
)
from .worker_arguments import add_worker_options, logging_as_told, read_workers

SKILL = "planner,greedy"


def add_sweep_command(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    command = commands.add_parser(
        "sweep",
        help="what options of the rules do, on common walls",
        description="Play all combinations of option values on the same walls, beside the rules as they are.",
    )
    command.set_defaults(run=_run, gathers=True)
    add_game_options(command, hands="100000", bots="greedy,greedy,random,random")
    add_vary_option(command)
    add_metrics_option(command)
    add_skill_option(command)
    command.add_argument("--json", action="store_true", help="print the result as JSON")
    add_worker_options(command)


def add_skill_option(command: argparse.ArgumentParser) -> None:
    """``--skill STRONG,WEAK`` and ``--bankroll N``."""
    command.add_argument(
        "--skill",
        default=SKILL,
        metavar="A,B",
        help="the two bots whose difference is skill_edge (default: %(default)s)",
    )
    command.add_argument(
        "--bankroll",
        default=str(BANKROLL),
        metavar="N",
        help="points of a seat at the start, for ruin_share in 100 hands (default: %(default)s)",
    )


def read_skill(text: str, faults: list[str]) -> tuple[str, str]:
    """Two bots, parameters with them; add a fault where there are not two."""
    names = split_bots(text)
    if len(names) != 2:
        faults.append(f"--skill {text!r}, must be two bots such as {SKILL}")
        return "planner", "greedy"
    return names[0], names[1]


def _run(options: argparse.Namespace) -> None:
    faults: list[str] = list(options.faults)
    task = read_game(options, faults)
    vary = read_vary(options.vary, faults)
    if not options.vary:
        faults.append("--vary OPTION=VALUES is missing")
    skill = read_skill(options.skill, faults)
    bankroll = read_whole("bankroll", options.bankroll, faults, 1)
    how = read_workers(options, faults)
    if faults or task is None:
        raise SweepError(faults)
    with logging_as_told(options):
        result = sweep(task, vary, read_metrics(options.metrics), skill=skill, bankroll=bankroll, **how)
    tell(result, options)
