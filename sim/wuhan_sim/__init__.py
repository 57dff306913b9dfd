"""The simulator: tasks, running them on threads, statistics with intervals, run folders, the command line."""

from .combine import combine
from .loading import Run, load_run
from .parts import StoreError
from .replay import HandLog, LogError, replay, replay_log
from .result import MergeError, Result
from .runner import Interrupted, RunError, play_records, simulate
from .task import BotFailure, Task, TaskError
from .verify import Verification, verify

__all__ = [
    "BotFailure",
    "HandLog",
    "Interrupted",
    "LogError",
    "MergeError",
    "Result",
    "Run",
    "RunError",
    "StoreError",
    "Task",
    "TaskError",
    "Verification",
    "combine",
    "load_run",
    "play_records",
    "replay",
    "replay_log",
    "simulate",
    "verify",
]
