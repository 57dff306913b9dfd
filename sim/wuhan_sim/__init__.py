"""The simulator: tasks, playing them on threads or a cluster, intervals, run folders, the command line."""

import logging

from .executors import SchedulerError, ShardError
from .replay import HandLog, LogError, replay, replay_log
from .result import MergeError, Result
from .runner import Interrupted, RunError, play_records, simulate
from .shards import OrderError
from .store import StoreError
from .task import BotFailure, Task, TaskError
from .until import Until, UntilError
from .value import Value, ValueFault, value_of

__all__ = [
    "BotFailure",
    "HandLog",
    "Interrupted",
    "LogError",
    "MergeError",
    "OrderError",
    "Result",
    "RunError",
    "SchedulerError",
    "ShardError",
    "StoreError",
    "Task",
    "TaskError",
    "Until",
    "UntilError",
    "Value",
    "ValueFault",
    "play_records",
    "replay",
    "replay_log",
    "simulate",
    "value_of",
]

logging.getLogger(__name__).addHandler(logging.NullHandler())
