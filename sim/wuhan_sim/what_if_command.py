"""``wuhan what-if``: a stored run under other points, without a new game."""

from __future__ import annotations

import argparse

from .arguments import tell
from .sweep import SweepError
from .vary_arguments import add_metrics_option, add_vary_option, read_metrics, read_vary
from .what_if import what_if
from .worker_arguments import add_worker_options, logging_as_told, read_workers


def add_what_if_command(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    command = commands.add_parser(
        "what-if",
        help="a stored run under other points",
        description="Score the hands of a run, as they were played, by other points. "
        "Options of the deal, the claims and the shapes that win need a new game: wuhan sweep.",
    )
    command.set_defaults(run=_run, gathers=True)
    add = command.add_argument
    add("folder", metavar="RUN", help="the folder of a run")
    add("--cap", metavar="VALUES", help="short for --vary cap.per_payer=VALUES, such as 100:600:50")
    add_vary_option(command)
    add_metrics_option(command)
    add("--json", action="store_true", help="print the result as JSON")
    add_worker_options(command)


def _run(options: argparse.Namespace) -> None:
    faults: list[str] = list(options.faults)
    caps = [] if options.cap is None else [f"cap.per_payer={options.cap}"]
    vary = read_vary([*caps, *options.vary], faults)
    if not caps and not options.vary:
        faults.append("--cap VALUES or --vary OPTION=VALUES is missing")
    how = read_workers(options, faults)
    if faults:
        raise SweepError(faults)
    with logging_as_told(options):
        result = what_if(options.folder, vary, read_metrics(options.metrics), **how)
    tell(result, options)
