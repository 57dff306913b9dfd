"""The simulator: tasks, running them on threads, statistics with intervals, run folders, the command line."""

from .replay import HandLog, LogError, replay, replay_log
from .result import MergeError, Result
from .runner import Interrupted, RunError, play_records, simulate
from .store import StoreError
from .task import BotFailure, Task, TaskError
from .value import Value, ValueFault, value_of

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
    "Value",
    "ValueFault",
    "play_records",
    "replay",
    "replay_log",
    "simulate",
    "value_of",
]
