"""``wuhan verify``: is a run's folder what it claims to be?"""

from __future__ import annotations

import argparse

from .arguments import read_whole, tell
from .parts import StoreError
from .verify import verify

UNSOUND = 1


def add_verify_command(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    command = commands.add_parser(
        "verify",
        help="check a run's folder",
        description="Check a run's folder: its files are whole and of its task, no hand is missing or there "
        "twice, the sums and estimates are those of the records, and hands chosen at random give the same "
        "records when they are played again. Exit status 0: sound; 1: faults, on stdout; 2: no run there.",
    )
    command.set_defaults(run=_run, gathers=True)
    add = command.add_argument
    add("folder", metavar="RUN", help="a run's folder")
    add(
        "--sample",
        default="50",
        metavar="N",
        help="hands to play again, or all (default: %(default)s)",
    )
    add("--seed", metavar="N", help="chooses these hands (default: others each time)")
    add("--workers", default="1", metavar="N", help="threads (default: %(default)s)")
    add("--json", action="store_true", help="print what was found as JSON")
    add("--quiet", action="store_true", help="no progress on stderr")


def _run(options: argparse.Namespace) -> int:
    faults: list[str] = list(options.faults)
    sample = None if options.sample == "all" else read_whole("sample", options.sample, faults)
    seed = None if options.seed is None else read_whole("seed", options.seed, faults)
    workers = read_whole("workers", options.workers, faults, 1)
    if faults:
        raise StoreError(faults)
    found = verify(options.folder, sample, seed, workers, progress=not options.quiet)
    tell(found, options)
    return 0 if found.sound else UNSOUND
