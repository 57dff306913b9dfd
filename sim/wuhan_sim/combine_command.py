"""``wuhan combine``: runs of different hands of one task put together."""

from __future__ import annotations

import argparse

from .arguments import tell
from .combine import combine
from .parts import StoreError


def add_combine_command(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    command = commands.add_parser(
        "combine",
        help="put runs of different hands of one task together",
        description="Put finished runs of different hands (--first, --hands) of one task together into a new "
        "folder, as if they had been one run, and print its tables. The old folders stay as they are.",
    )
    command.set_defaults(run=_run, gathers=True)
    add = command.add_argument
    add("folders", nargs="+", metavar="RUN", help="the runs' folders, two or more, in any order")
    add("--out", metavar="FOLDER", help="the new folder; must not be there yet")
    add("--json", action="store_true", help="print the result as JSON")
    add("--quiet", action="store_true", help="no progress on stderr")


def _run(options: argparse.Namespace) -> None:
    faults: list[str] = list(options.faults)
    if options.out is None:
        faults.append("--out FOLDER is missing, the new folder")
    if faults:
        raise StoreError(faults)
    result = combine(options.folders, options.out, progress=not options.quiet)
    tell(result, options)
