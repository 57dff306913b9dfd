"""The simulator: tasks, running them on threads, statistics with intervals, run folders, the command line."""

from .replay import HandLog, LogError, replay, replay_log
from .result import MergeError, Result
from .runner import Interrupted, RunError, play_records, simulate
from .session import sessions
from .session_plan import SessionError, SessionFailure, SessionPlan
from .session_result import Sessions
from .store import StoreError
from .task import BotFailure, Task, TaskError

__all__ = [
    "BotFailure",
    "HandLog",
    "Interrupted",
    "LogError",
    "MergeError",
    "Result",
    "RunError",
    "SessionError",
    "SessionFailure",
    "SessionPlan",
    "Sessions",
    "StoreError",
    "Task",
    "TaskError",
    "play_records",
    "replay",
    "replay_log",
    "sessions",
    "simulate",
]
