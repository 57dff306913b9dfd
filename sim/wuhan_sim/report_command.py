"""``wuhan report``: a run as one page."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from wuhan_core.files import target_faults
from wuhan_core.words import LANGS

from .arguments import read_whole
from .loading import load_run
from .parts import StoreError
from .plot_style import PlotError, need
from .report import ReportError, report
from .store import put
from .worker_arguments import add_worker_options, logging_as_told, read_workers


def add_report_command(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    command = commands.add_parser(
        "report",
        help="write a run as one page",
        description="Write a run as one HTML page that needs nothing else: answers in words, pictures with "
        "error bars, tables that sort, replays of the most extreme hands. Hands are looked at one by one: in "
        "the records where the run kept them, else they are played again.",
    )
    command.set_defaults(run=_run, gathers=True)
    add = command.add_argument
    add("folder", metavar="RUN", help="a run's folder")
    add("--out", metavar="FILE", help="the page (default: report.html in the run's folder)")
    add("--lang", choices=LANGS, default="en", help="language of the page (default: %(default)s)")
    add(
        "--sample",
        metavar="N",
        help="hands to play again at most (default: 1,000,000; 2,000 with bots that take their time)",
    )
    add_worker_options(command)


def _run(options: argparse.Namespace) -> None:
    faults: list[str] = list(options.faults)
    how = read_workers(options, faults)
    sample = None if options.sample is None else read_whole("sample", options.sample, faults, 1)
    run = None
    try:
        run = load_run(options.folder)
    except StoreError as error:
        faults += error.faults
    try:
        need("matplotlib.figure")
    except PlotError as error:
        faults += error.faults
    out = Path(options.folder, "report.html") if options.out is None else Path(options.out)
    if options.out is not None:
        faults += target_faults("out", options.out)
    if faults or run is None:
        raise ReportError(faults)
    with logging_as_told(options):
        text = report(run, options.lang, sample=sample, **how)
    try:
        put(out, text.encode())
    except OSError as error:
        raise ReportError([f"{out} cannot be written: {error.strerror or error}"]) from error
    print(f"wrote {out}", file=sys.stderr)
