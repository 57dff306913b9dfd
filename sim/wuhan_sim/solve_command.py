"""``wuhan solve``: which value of an option gives the figure that is wanted."""

from __future__ import annotations

import argparse
import math
import re

from wuhan_core.errors import show

from .arguments import read_whole, tell
from .quantities import SHARE
from .solve import SolveError, metric_unit, solve
from .sweep_command import add_skill_option, read_skill
from .vary_arguments import add_game_options, read_game
from .worker_arguments import add_worker_options, logging_as_told, read_workers

_RANGE = re.compile(r"([\w.]+)=(\d+(?:\.\d+)?):(\d+(?:\.\d+)?)", re.ASCII)


def add_solve_command(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    command = commands.add_parser(
        "solve",
        help="which value of an option gives a wanted figure",
        description="Find the value of an option at which a metric has its target: by bisection.",
    )
    command.set_defaults(run=_run, gathers=True)
    add_game_options(command, hands="100000", bots="greedy,greedy,random,random")
    add = command.add_argument
    add("--option", required=True, metavar="OPTION=LOW:HIGH", help="such as cap.per_payer=50:1000")
    add("--metric", required=True, metavar="NAME", help="such as capped_share")
    add("--target", required=True, metavar="X", help="the value wanted; shares from 0 to 1, or as 2%%")
    add_skill_option(command)
    add("--json", action="store_true", help="print the result as JSON")
    add_worker_options(command)


def _run(options: argparse.Namespace) -> None:
    faults: list[str] = list(options.faults)
    task = read_game(options, faults)
    found = _RANGE.fullmatch(options.option.strip())
    if not found:
        faults.append(f"--option {show(options.option)}, must be OPTION=LOW:HIGH")
    target = _number(options.target, faults)
    if task is not None and options.target.strip().endswith("%"):
        unit, _ = metric_unit(options.metric, task)
        if unit not in ("", SHARE):
            faults.append(
                f"--target {options.target}, but per cent are for shares, and {options.metric} is in {unit}"
            )
    skill = read_skill(options.skill, faults)
    bankroll = read_whole("bankroll", options.bankroll, faults, 1)
    how = read_workers(options, faults)
    if faults or task is None or found is None:
        raise SolveError(faults)
    option, low, high = found.groups()
    with logging_as_told(options):
        ends = _as_given(low), _as_given(high)
        result = solve(task, option, *ends, options.metric, target, skill=skill, bankroll=bankroll, **how)
    tell(result, options)


def _as_given(digits: str) -> float:
    value = float(digits)
    return int(value) if "." not in digits and math.isfinite(value) else value


def _number(text: str, faults: list[str]) -> float:
    percent = text.strip().endswith("%")
    try:
        value = float(text.strip().rstrip("%")) / (100 if percent else 1)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        faults.append(f"--target {show(text)}, must be a number, or per cent such as 2%")
    return value
