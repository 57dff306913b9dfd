"""``wuhan session``: play many hands in a row, many times, and print tables."""

from __future__ import annotations

import argparse
import json

from wuhan_core.errors import show

from .arguments import add_play_options, add_rules_options, likely_rules, read_deal, read_rules, read_whole
from .session import sessions
from .session_plan import SessionError
from .session_plan import check as check_plan
from .task import Task
from .task import check as check_task

_NUMBERS = ("hands", "sessions", "first", "seed", "leave_below", "leave_above")


def add_session_command(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    session = commands.add_parser(
        "session",
        help="play many hands in a row, with bankrolls, and print tables",
        description="Play sessions: many hands in a row, the deal passing on, seats paying the table fee, "
        "with bankrolls that may be used up. Prints bankrolls at the end, ruin, drawdowns and fees.",
    )
    session.set_defaults(run=_run, gathers=True)
    add = session.add_argument
    add_rules_options(session)
    add_play_options(session)
    add(
        "--bankroll",
        default="500",
        metavar="N",
        help="points that each seat begins with, or none (default: %(default)s)",
    )
    add("--hands", default="100", metavar="N", help="most hands of a session (default: %(default)s)")
    add("--sessions", default="10000", metavar="N", help="sessions to play (default: %(default)s)")
    add("--first", default="0", metavar="N", help="number of the first session (default: %(default)s)")
    add(
        "--stay",
        action="store_true",
        help="a seat that has nothing left plays on, instead of ending the session",
    )
    add("--leave-below", metavar="N", help="a seat stands up when it has so many points or fewer")
    add("--leave-above", metavar="N", help="a seat stands up when it has so many points or more")
    add(
        "--flee",
        default="0",
        metavar="CHANCE",
        help="chance at each draw of the table that the seat asked runs away in the middle of the hand "
        "(default: %(default)s)",
    )
    add("--workers", metavar="N", help="threads (default: one per processor)")
    add("--json", action="store_true", help="print the result as JSON")
    add("--quiet", action="store_true", help="no progress on stderr")


def _run(options: argparse.Namespace) -> None:
    faults: list[str] = list(options.faults)
    rules = read_rules(options.rules, options.set, faults)
    workers = None if options.workers is None else read_whole("workers", options.workers, faults, 1)
    numbers = {
        name: read_whole(name, text, faults)
        for name in _NUMBERS
        if (text := getattr(options, name)) is not None
    }
    seed = numbers.pop("seed")
    game = {
        "bots": options.bots,
        "hands": 1,
        "seed": seed,
        "deal": read_deal(options),
        "draws": options.draws,
    }
    wrong = check_task(rules or likely_rules(options.rules, options.set), **game, first=0)[1]
    task = None if rules is None or wrong else Task(rules, **game)
    none = options.bankroll == "none"
    plan = {
        "bankroll": None if none else read_whole("bankroll", options.bankroll, faults),
        "flee": _chance(options.flee, faults),
        "stay": options.stay,
        "count": numbers.pop("sessions"),
        **numbers,
    }
    deal = None if task is None else task.deal
    faults += wrong + [fault.replace("count", "sessions", 1) for fault in check_plan(deal, **plan)[1]]
    if faults or task is None:
        raise SessionError(faults)
    result = sessions(task, **plan, workers=workers, progress=not options.quiet)
    print(json.dumps(result.to_dict(), allow_nan=False) if options.json else result)


def _chance(text: str, faults: list[str]) -> float:
    try:
        return float(text)
    except ValueError:
        faults.append(f"flee = {show(text)}, must be a chance from 0 to 1")
        return 0.0
