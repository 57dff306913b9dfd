"""The command ``wuhan``: progress to stderr, results to stdout.

Exit status: 0 done; 2 bad input, one line per fault on stderr and nothing written; 1 the run failed; 130
stopped by Ctrl-C; 141 nobody reads stdout any more.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import sys
import threading
from collections.abc import Sequence
from typing import NoReturn

from wuhan_core.errors import FaultError, show
from wuhan_core.rules import RuleError, RuleSet, load_rules, parse_override

from . import engine
from .runner import Interrupted, simulate
from .task import Task, TaskError, check

BAD_INPUT, FAILED, STOPPED, PIPE_CLOSED = 2, 1, 130, 141


class _Parser(argparse.ArgumentParser):
    """A parser that reports a fault in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(BAD_INPUT, f"{self.prog}: {message} (see {self.prog} --help)\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    options = _parser().parse_args(arguments)
    if threading.current_thread() is threading.main_thread():
        # a shell starts background jobs with SIGINT ignored; who sends it to us means it
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        options.run(options)
        sys.stdout.flush()
    except FaultError as error:
        for fault in error.faults:
            print(fault, file=sys.stderr)
        return BAD_INPUT
    except Interrupted as error:
        print(f"{error}: no result; the same command starts afresh", file=sys.stderr)
        return STOPPED
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return STOPPED
    except BrokenPipeError:
        # the interpreter flushes stdout once more at exit: let it have somewhere to go
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    except OSError as error:
        print(f"the run failed: {error}", file=sys.stderr)
        return FAILED
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = _Parser("wuhan", description="Simulate Wuhan mahjong.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    run = commands.add_parser(
        "run", help="play hands and print tables", description="Play hands and print tables."
    )
    run.set_defaults(run=_run)
    add = run.add_argument
    add("--rules", default="yuanhang", metavar="NAME", help="preset or TOML file (default: %(default)s)")
    add(
        "--set",
        action="append",
        default=[],
        metavar="OPTION=VALUE",
        help="change an option of the rules; repeatable",
    )
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
    return parser


def _run(options: argparse.Namespace) -> None:
    faults: list[str] = []
    rules = _rules(options.rules, options.set, faults)
    numbers = {
        name: _whole(name, text, faults)
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


def _rules(name: str, changes: Sequence[str], faults: list[str]) -> RuleSet | None:
    """Load rules with ``--set`` applied; add every fault."""
    overrides: dict[str, object] = {}
    for text in changes:
        try:
            option, value = parse_override(text)
            if option in overrides:
                faults.append(f"--set {option} is given twice")
            overrides[option] = value
        except RuleError as error:
            faults += [f"--set {fault}" for fault in error.faults]
    try:
        return load_rules(name, overrides)
    except RuleError as error:
        faults += error.faults
        return None


def _whole(name: str, text: str, faults: list[str]) -> int:
    """Read a whole number, ``_`` between digits allowed; add a fault and return 1 where it is none."""
    if re.fullmatch(r"-?\d+(_\d+)*", text, re.ASCII) and len(text) <= 50:
        return int(text)
    faults.append(f"{name} = {show(text)}, must be a whole number such as 1000000 or 1_000_000")
    return 1
