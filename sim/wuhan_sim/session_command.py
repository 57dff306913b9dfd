"""``wuhan session``: play many hands in a row, many times, and print tables."""

from __future__ import annotations

import argparse
from typing import Any

from wuhan_core.errors import show

from .arguments import add_play_options, add_rules_options, as_number, read_task, tell
from .session import sessions
from .session_plan import SessionError, check
from .worker_arguments import add_worker_options, logging_as_told, read_workers

_NUMBERS = ("hands", "sessions", "first", "leave_below", "leave_above")


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
        help="points that each seat begins with; none or 0: no bankrolls (default: %(default)s)",
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
    add("--json", action="store_true", help="print the result as JSON")
    add_worker_options(session)


def _run(options: argparse.Namespace) -> None:
    faults: list[str] = list(options.faults)
    task = read_task(options, faults, hands=1, first=0)
    how = read_workers(options, faults)
    numbers = {name: as_number(text) for name in _NUMBERS if (text := getattr(options, name)) is not None}
    plan: dict[str, Any] = {
        "bankroll": None if options.bankroll == "none" else as_number(options.bankroll),
        "flee": _chance(options.flee, faults),
        "stay": options.stay,
        "count": numbers.pop("sessions"),
        **numbers,
    }
    deal = None if task is None else task.deal
    faults += [fault.replace("count", "sessions", 1) for fault in check(deal, **plan)[1]]
    if faults or task is None:
        raise SessionError(faults)
    with logging_as_told(options):
        result = sessions(task, **plan, **how)
    tell(result, options)


def _chance(text: str, faults: list[str]) -> float:
    try:
        return float(text)
    except ValueError:
        faults.append(f"flee = {show(text)}, must be a chance from 0 to 1")
        return 0.0
