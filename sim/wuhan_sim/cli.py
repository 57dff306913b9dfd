"""The command ``wuhan``: progress to stderr, results to stdout.

Exit status: 0 done; 2 bad input, one line per fault on stderr and nothing written; 1 the run failed, or
``wuhan verify`` found faults; 130 stopped by Ctrl-C, 143 by SIGTERM; 141 nobody reads stdout any more. What
goes to a stream that was closed from the start, or to a stderr that takes nothing, is lost, and that changes
nothing else.
"""

from __future__ import annotations

import argparse
import codecs
import contextlib
import io
import json
import os
import signal
import sys
import threading
import traceback
from collections.abc import Sequence
from typing import Any, NoReturn, TextIO

from wuhan_core.actions import BotError
from wuhan_core.errors import LISTED, FaultError, one_line
from wuhan_core.options import hint

from .combine_command import add_combine_command
from .duel_command import add_duel_command
from .executors import ShardError
from .hand_command import add_hand_command
from .replay_command import add_replay_command
from .report_command import add_report_command
from .rules_command import add_rules_command
from .run_command import add_run_command
from .runner import Interrupted
from .score_command import add_score_command
from .session_command import add_session_command
from .solve_command import add_solve_command
from .sweep_command import add_sweep_command
from .tournament_command import add_tournament_command
from .tune_command import add_tune_command
from .value_command import add_value_command
from .verify_command import add_verify_command
from .versions import versions
from .what_if_command import add_what_if_command

COMMANDS = (
    add_run_command,
    add_duel_command,
    add_tournament_command,
    add_sweep_command,
    add_solve_command,
    add_what_if_command,
    add_session_command,
    add_replay_command,
    add_report_command,
    add_score_command,
    add_hand_command,
    add_rules_command,
    add_verify_command,
    add_combine_command,
    add_value_command,
    add_tune_command,
)
BAD_INPUT, FAILED, STOPPED, PIPE_CLOSED = 2, 1, 130, 141
MOST_WORDS = 10_000  # arguments; argparse takes time that grows with their square
SIGNALLED = 128  # and the number of the signal


class UsageError(FaultError):
    """Arguments that a command does not have, or has twice."""


class _Once(argparse._StoreAction):
    """Stores the value of an option, which may be given once."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        if self.dest in namespace.given and option_string:
            namespace.faults.append(f"{option_string} is given twice")
        namespace.given.add(self.dest)
        setattr(namespace, self.dest, values)


class _Parser(argparse.ArgumentParser):
    """A parser that reports a fault in one line.

    In what it returns, `given` has the names of the options that were given, and `faults` what is wrong with
    them as far as the command could still be read; a command that `gathers` tells those beside its own.
    """

    def __init__(self, *args: Any, **fields: Any) -> None:
        fields["allow_abbrev"] = False  # a new option is to break no old command
        super().__init__(*args, **fields)
        self.register("action", None, _Once)
        self.register("action", "store", _Once)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse, and turn arguments that are not known into faults."""
        namespace = argparse.Namespace() if namespace is None else namespace
        namespace.given, namespace.faults = set(), []
        options, unknown = super().parse_known_args(args, namespace)
        known = [name[2:] for name in self._option_string_actions if name.startswith("--")]
        for word in unknown:
            if word.startswith("-") or not options.faults:
                told = len(options.faults) < LISTED  # of others the error text has the number alone
                near = hint(word.lstrip("-").split("=")[0], known).replace(" is ", " is --") if told else ""
                options.faults.append(f"{self.prog}: unknown argument {word}{near} (see {self.prog} --help)")
        return options, []

    def error(self, message: str) -> NoReturn:
        self.exit(BAD_INPUT, f"{self.prog}: {one_line(message)} (see {self.prog} --help)\n")


class _Version(argparse.Action):
    """Prints the version and ends."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> NoReturn:
        of = versions()
        print(f"wuhan-core {of['wuhan-core']}, random streams {of['stream']}, Python {of['python']}")
        parser.exit()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    _open_streams()
    search_path = sys.path[:]
    try:
        return _run(arguments)
    finally:
        sys.path[:] = search_path
        for stream in (sys.stdout, sys.stderr):
            _settle(stream)


def _run(arguments: Sequence[str] | None) -> int:
    options = argparse.Namespace()
    try:
        if threading.current_thread() is threading.main_thread():
            # a shell starts background jobs with SIGINT ignored; who sends it to us means it
            signal.signal(signal.SIGINT, signal.default_int_handler)
        words = sys.argv[1:] if arguments is None else arguments
        if len(words) > MOST_WORDS:
            raise UsageError([f"wuhan: {len(words)} arguments, at most {MOST_WORDS}"])
        options = command_line().parse_args(words)
        if options.faults and not getattr(options, "gathers", False):
            raise UsageError(options.faults)
        sys.path.insert(0, "")  # bots in Python may lie in the current folder
        status: int | None = options.run(options)
        sys.stdout.flush()
    except FaultError as error:
        _say(str(error))
        return BAD_INPUT
    except BotError as error:
        _settle(sys.stdout)  # what a replay has shown so far comes first
        whole = getattr(options, "traceback", False)  # not every command that plays has the option
        _say("".join(traceback.format_exception(error)).rstrip() if whole else str(error))
        return FAILED
    except Interrupted as error:
        why = ", as no --out was given" if _stores_hands(options) else ""
        _say(f"{error}: {'the same command goes on from there' if error.folder else f'no result{why}'}")
        return SIGNALLED + error.signum
    except KeyboardInterrupt:
        _say("stopped")
        return STOPPED
    except ShardError as error:
        how = "; with --out the same command tries these alone again" if _stores_hands(options) else ""
        _say(f"{error}\nall others are done{how}")
        return FAILED
    except BrokenPipeError:
        return PIPE_CLOSED
    except (OSError, MemoryError) as error:
        _say(one_line(f"the run failed: {error}"))
        return FAILED
    return status or 0


def _stores_hands(options: argparse.Namespace) -> bool:
    """Whether the command can leave in a folder what is done."""
    return hasattr(options, "keep_records")


def _open_streams() -> None:
    """Let print write anything anywhere: a stream that is closed or does not know all letters is no fault."""
    codecs.register_error("escape", _escaped)
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8"))
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="escape")


def _escaped(error: UnicodeError) -> tuple[str, int]:
    """Write letters that a stream does not know as JSON does, for text and JSON alike."""
    assert isinstance(error, UnicodeEncodeError)
    return json.dumps(error.object[error.start : error.end])[1:-1], error.end


def _say(text: str) -> None:
    with contextlib.suppress(OSError):
        print(text, file=sys.stderr, flush=True)


def _settle(stream: TextIO) -> None:
    """Flush a stream; where that fails, let the interpreter's own flush at exit have somewhere to go."""
    try:
        stream.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def command_line() -> argparse.ArgumentParser:
    """Return the parser of the command with all its commands."""
    parser = _Parser("wuhan", description="Simulate Wuhan mahjong.")
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")
    commands: Any = parser.add_subparsers(required=True, metavar="COMMAND")
    for add in COMMANDS:
        add(commands)
    return parser
