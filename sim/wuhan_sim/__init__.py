"""The simulator: tasks, playing them on threads or a cluster, intervals, run folders, the command line."""

import logging

from .combine import combine
from .executors import SchedulerError, ShardError
from .loading import Run, load_run
from .parts import StoreError
from .replay import HandLog, LogError, replay, replay_log
from .result import MergeError, Result
from .runner import Interrupted, RunError, play_records, simulate
from .shards import OrderError
from .task import BotFailure, Task, TaskError
from .until import Until, UntilError
from .verify import Verification, verify

__all__ = [
    "BotFailure",
    "HandLog",
    "Interrupted",
    "LogError",
    "MergeError",
    "OrderError",
    "Result",
    "Run",
    "RunError",
    "SchedulerError",
    "ShardError",
    "StoreError",
    "Task",
    "TaskError",
    "Until",
    "UntilError",
    "Verification",
    "combine",
    "load_run",
    "play_records",
    "replay",
    "replay_log",
    "simulate",
    "verify",
]

logging.getLogger(__name__).addHandler(logging.NullHandler())
