"""The simulator: tasks, running them on threads, statistics with intervals, run folders, the command line."""

from .parts import StoreError
from .replay import HandLog, LogError, replay, replay_log
from .result import MergeError, Result
from .runner import Interrupted, RunError, play_records, simulate
from .task import BotFailure, Task, TaskError

__all__ = [
    "BotFailure",
    "HandLog",
    "Interrupted",
    "LogError",
    "MergeError",
    "Result",
    "RunError",
    "StoreError",
    "Task",
    "TaskError",
    "play_records",
    "replay",
    "replay_log",
    "simulate",
]
