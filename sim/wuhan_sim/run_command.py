"""``wuhan run``: play hands and print tables."""

from __future__ import annotations

import argparse

from .arguments import add_play_options, add_rules_options, read_task, tell
from .runner import simulate
from .store import folder_faults
from .task import TaskError
from .until import Until, UntilError
from .worker_arguments import add_worker_options, logging_as_told, read_workers


def add_run_command(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    run = commands.add_parser(
        "run", help="play hands and print tables", description="Play hands and print tables."
    )
    run.set_defaults(run=_run, gathers=True)
    add = run.add_argument
    add_rules_options(run)
    add_play_options(run)
    add("--hands", default="100000", metavar="N", help="hands to play (default: %(default)s)")
    add("--first", default="0", metavar="N", help="number of the first hand (default: %(default)s)")
    add("--out", metavar="FOLDER", help="write the run to this folder")
    add("--keep-records", action="store_true", help="write a record of every hand to the folder (Parquet)")
    add(
        "--until",
        metavar="METRIC<X",
        help="stop at the first look at which the half-width of this metric is below X, as points<0.02 or "
        "capped_share<1%%; several with commas; --hands is the most that is played",
    )
    add("--json", action="store_true", help="print the result as JSON")
    add_worker_options(run)


def _run(options: argparse.Namespace) -> None:
    faults: list[str] = list(options.faults)
    task = read_task(options, faults)
    how = read_workers(options, faults)
    if options.keep_records and options.out is None:
        faults.append("--keep-records needs --out FOLDER")
    until = None
    if options.until is not None:
        try:
            until = Until.parse(options.until)
            faults += [] if task is None else until.faults(task)
        except UntilError as error:
            faults += error.faults
    if options.out is not None:
        faults += folder_faults(options.out, options.keep_records, task, str(until or ""))
    if faults or task is None:
        raise TaskError(faults)
    with logging_as_told(options):
        result = simulate(task, out=options.out, keep_records=options.keep_records, until=until, **how)
    tell(result, options)
