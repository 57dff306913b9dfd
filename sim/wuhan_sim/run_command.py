"""``wuhan run``: play hands and print tables."""

from __future__ import annotations

import argparse
import json

from . import engine
from .arguments import add_rules_options, read_rules, read_whole
from .runner import simulate
from .task import Task, TaskError, check


def add_run_command(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    run = commands.add_parser(
        "run", help="play hands and print tables", description="Play hands and print tables."
    )
    run.set_defaults(run=_run)
    add = run.add_argument
    add_rules_options(run)
    bots = ", ".join(engine.BOT_NAMES)
    add(
        "--bots",
        default="greedy",
        metavar="A,B,...",
        help=f"of {bots}; one per seat, or one for all (default: %(default)s)",
    )
    add("--hands", default="100000", metavar="N", help="hands to play (default: %(default)s)")
    add("--seed", default="0", metavar="N", help="whole number, 0 or more (default: %(default)s)")
    add("--first", default="0", metavar="N", help="number of the first hand (default: %(default)s)")
    add("--deal", default="rotated", help=f"{' or '.join(engine.DEALS)} (default: %(default)s)")
    add("--draws", default="seat", help=f"{' or '.join(engine.DRAWS)} (default: %(default)s)")
    add("--workers", metavar="N", help="threads (default: one per processor)")
    add("--out", metavar="FOLDER", help="write the run to this folder")
    add("--keep-records", action="store_true", help="write a record of every hand to the folder (Parquet)")
    add("--json", action="store_true", help="print the result as JSON")
    add("--quiet", action="store_true", help="no progress on stderr")


def _run(options: argparse.Namespace) -> None:
    faults: list[str] = []
    rules = read_rules(options.rules, options.set, faults)
    numbers = {
        name: read_whole(name, text, faults)
        for name in ("hands", "seed", "first", "workers")
        if (text := getattr(options, name)) is not None
    }
    workers = numbers.pop("workers", None)
    if workers is not None and workers < 1:
        faults.append(f"workers = {workers}, must be a whole number, 1 or more")
    if options.keep_records and not options.out:
        faults.append("--keep-records needs --out FOLDER")
    fields = {"bots": options.bots, "deal": options.deal, "draws": options.draws, **numbers}
    faults += check(rules, **fields)[1]
    if faults or rules is None:
        raise TaskError(faults)
    result = simulate(
        Task(rules, **fields),
        workers,
        out=options.out,
        keep_records=options.keep_records,
        progress=not options.quiet,
    )
    print(json.dumps(result.to_dict(), allow_nan=False) if options.json else result)
