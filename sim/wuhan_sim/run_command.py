"""``wuhan run``: play hands and print tables."""

from __future__ import annotations

import argparse
import json

from .arguments import add_play_options, add_rules_options, likely_rules, read_deal, read_rules, read_whole
from .runner import simulate
from .store import folder_faults
from .task import Task, TaskError, check


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
    add("--workers", metavar="N", help="threads (default: one per processor)")
    add("--out", metavar="FOLDER", help="write the run to this folder")
    add("--keep-records", action="store_true", help="write a record of every hand to the folder (Parquet)")
    add("--json", action="store_true", help="print the result as JSON")
    add("--quiet", action="store_true", help="no progress on stderr")


def _run(options: argparse.Namespace) -> None:
    faults: list[str] = list(options.faults)
    rules = read_rules(options.rules, options.set, faults)
    numbers = {
        name: read_whole(name, text, faults)
        for name in ("hands", "seed", "first", "workers")
        if (text := getattr(options, name)) is not None
    }
    workers = numbers.pop("workers", None)
    if workers is not None and workers < 1:
        faults.append(f"workers = {workers}, must be a whole number, 1 or more")
    if options.keep_records and options.out is None:
        faults.append("--keep-records needs --out FOLDER")
    fields = {"bots": options.bots, "deal": read_deal(options), "draws": options.draws, **numbers}
    wrong = check(rules or likely_rules(options.rules, options.set), **fields)[1]
    task = None if rules is None or wrong else Task(rules, **fields)
    faults += wrong
    if options.out is not None:
        faults += folder_faults(options.out, options.keep_records, task)
    if faults or task is None:
        raise TaskError(faults)
    result = simulate(
        task,
        workers,
        out=options.out,
        keep_records=options.keep_records,
        progress=not options.quiet,
    )
    print(json.dumps(result.to_dict(), allow_nan=False) if options.json else result)
