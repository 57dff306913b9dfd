"""The command ``wuhan``: progress to stderr, results to stdout.

Exit status: 0 done; 2 bad input, one line per fault on stderr and nothing written; 1 the run failed; 130
stopped by Ctrl-C; 141 nobody reads stdout any more.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from collections.abc import Sequence
from typing import NoReturn

from wuhan_core.errors import FaultError

from .run_command import add_run_command
from .runner import Interrupted

COMMANDS = (add_run_command,)
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
    for add in COMMANDS:
        add(commands)
    return parser
