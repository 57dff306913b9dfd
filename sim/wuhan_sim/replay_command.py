"""``wuhan replay``: one hand again, as text, JSON or a page."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from wuhan_core.errors import FaultError, plain, show
from wuhan_core.files import open_plain, target_faults
from wuhan_core.words import LANGS

from .arguments import add_play_options, add_rules_options, read_task, read_whole
from .loading import load_run
from .parts import StoreError
from .replay import HandLog, LogError, replay_hand, replay_log
from .task import HAND_BITS, BotFailure

_LONGEST = 2**20  # bytes of the log of one hand, which takes some ten thousand


class ReplayError(FaultError):
    """A replay that cannot be; `faults` has every fault."""


def add_replay_command(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    command = commands.add_parser(
        "replay",
        help="show one hand again, from its number or its log",
        description="Show one hand again: a hand of a task by its number, a hand of a run's folder, or the "
        "hands of a log, each event of which is checked.",
    )
    command.set_defaults(run=_run, gathers=True)
    add = command.add_argument
    add("source", nargs="?", metavar="RUN|LOG", help="a run's folder, or a hand log (JSON Lines)")
    add_rules_options(command)
    add_play_options(command)
    add("--hand", metavar="N", help="number of the hand; of a log all hands when not given")
    add("--json", action="store_true", help="print the hand log, one line per hand")
    add("--html", metavar="FILE", help="write a page that shows the hand step by step")
    add("--lang", choices=LANGS, default="en", help="language of text and page (default: %(default)s)")


def _run(options: argparse.Namespace) -> None:
    failure = None
    try:
        hands = list(_hands(options))
    except BotFailure as error:
        failure, hands = error, [error.log]
    if options.html is not None and len(hands) > 1:
        raise ReplayError([f"--html FILE shows one hand, {options.source} has {len(hands)}, add --hand N"])
    if options.html is not None:
        try:
            Path(options.html).write_text(hands[0].to_html(options.lang), encoding="utf-8")
        except OSError as error:
            raise ReplayError([f"{options.html} cannot be written: {error.strerror or error}"]) from error
        print(f"wrote {options.html}", file=sys.stderr)
    if options.json:
        for hand in hands:
            print(json.dumps(hand.to_dict(), ensure_ascii=False))
    elif options.html is None:
        print("\n\n".join(hand.to_text(options.lang) for hand in hands))
    if failure:
        raise failure


def _hands(options: argparse.Namespace) -> Iterator[HandLog]:
    faults: list[str] = list(options.faults)
    if options.html is not None:
        faults += target_faults("--html", options.html)
    number = None if options.hand is None else read_whole("hand", options.hand, faults, 0, 2**HAND_BITS - 1)
    if options.source is None:
        yield _played(options, _needed(number, faults), faults)
        return
    for name in ("rules", "set", "bots", "seed", "deal", "draws"):
        if name in options.given or (name == "set" and options.set):
            faults.append(f"--{name} cannot stand beside {show(options.source)}, which says it itself")
    source = Path(options.source)
    if os.path.isdir(source):  # which does not fail, whatever the name
        yield _of_run(source, number, faults)
    else:
        yield from _of_log(source, number, faults)


def _played(options: argparse.Namespace, hand: int, faults: list[str]) -> HandLog:
    """A hand of the task that the options describe."""
    task = read_task(options, faults, hands=1, first=hand)
    if faults or task is None:
        raise ReplayError(faults)
    return replay_hand(task, hand)


def _needed(hand: int | None, faults: list[str]) -> int:
    """The number of the hand, where there must be one."""
    if hand is None:
        faults.append("--hand N is missing, the number of the hand")
    return hand or 0


def _of_run(folder: Path, number: int | None, faults: list[str]) -> HandLog:
    """A hand of a run's folder."""
    hand = _needed(number, faults)
    task = None
    try:
        task = load_run(folder).task
    except StoreError as error:
        faults += error.faults
    if task and number is not None and not task.first <= hand < task.last:
        faults.append(f"hand = {hand}, must be from {task.first} to {task.last - 1}, the hands of the run")
    if faults or task is None:
        raise ReplayError(faults)
    return replay_hand(task, hand)


def _of_log(path: Path, hand: int | None, faults: list[str]) -> Iterator[HandLog]:
    """The hands of a log file, or the one asked for."""
    found: list[HandLog] = []
    numbers: list[object] = []
    for number, line in _lines(path, faults):
        try:
            log: Any = json.loads(line)
            numbers.append(log.get("hand") if isinstance(log, dict) else None)
            if hand is None or numbers[-1] == hand:
                found.append(replay_log(log))
        except LogError as error:
            faults += [f"{path}:{number}: {fault}" for fault in error.faults]
        except (ValueError, RecursionError) as error:
            faults.append(f"{path}:{number}: is no JSON: {plain(error)}")
    if not found and not faults:
        known = f", must be one of {show(numbers)[1:-1]}" if numbers else ", the file is empty"
        faults.append(f"{path} has no hand{'' if hand is None else f' {hand}'}{known}")
    if faults:
        raise ReplayError(faults)
    yield from found


def _lines(path: Path, faults: list[str]) -> Iterator[tuple[int, bytes]]:
    """The lines of a file that are not empty, with their numbers."""
    try:
        with open_plain(path) as file:
            for number, line in enumerate(iter(partial(file.readline, _LONGEST + 1), b""), 1):
                if len(line) > _LONGEST:
                    raise ValueError(f"line {number} is longer than {_LONGEST} bytes, which no hand log is")
                if line.strip():
                    yield number, line
    except OSError as error:
        faults.append(f"{path} cannot be read: {error.strerror or error}")
    except ValueError as error:
        faults.append(f"{path}: {error}")
