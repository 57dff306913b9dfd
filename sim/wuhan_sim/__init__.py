"""The simulator: tasks, running them on threads, statistics with intervals, run folders, the command line."""

from .result import MergeError, Result
from .runner import Interrupted, RunError, play_records, simulate
from .store import StoreError
from .task import Task, TaskError

__all__ = [
    "Interrupted",
    "MergeError",
    "Result",
    "RunError",
    "StoreError",
    "Task",
    "TaskError",
    "play_records",
    "simulate",
]
