"""The simulator: tasks, playing them on threads or a cluster, intervals, run folders, the command line."""

import logging

from .analysis import Analysis, analyze
from .combine import combine
from .duel import Duel, DuelError, duel
from .executors import SchedulerError, ShardError
from .loading import Run, load_run
from .parts import StoreError
from .replay import HandLog, LogError, replay, replay_log
from .result import MergeError, Result
from .runner import Interrupted, RunError, play_records, simulate
from .session import sessions
from .session_plan import SessionError, SessionFailure, SessionPlan
from .session_result import Sessions
from .shards import OrderError
from .solve import Solution, SolveError, solve
from .sweep import Sweep, SweepError, sweep
from .task import BotFailure, Task, TaskError
from .tournament import Tournament, TournamentError, tournament
from .tune import TuneError, Tuning, tune
from .until import Until, UntilError
from .value import Value, ValueFault, value_of
from .verify import Verification, verify
from .what_if import WhatIf, what_if

__all__ = [
    "Analysis",
    "BotFailure",
    "Duel",
    "DuelError",
    "HandLog",
    "Interrupted",
    "LogError",
    "MergeError",
    "OrderError",
    "Result",
    "Run",
    "RunError",
    "SchedulerError",
    "SessionError",
    "SessionFailure",
    "SessionPlan",
    "Sessions",
    "ShardError",
    "Solution",
    "SolveError",
    "StoreError",
    "Sweep",
    "SweepError",
    "Task",
    "TaskError",
    "Tournament",
    "TournamentError",
    "TuneError",
    "Tuning",
    "Until",
    "UntilError",
    "Value",
    "ValueFault",
    "Verification",
    "WhatIf",
    "analyze",
    "combine",
    "duel",
    "load_run",
    "play_records",
    "replay",
    "replay_log",
    "sessions",
    "simulate",
    "solve",
    "sweep",
    "tournament",
    "tune",
    "value_of",
    "verify",
    "what_if",
]

logging.getLogger(__name__).addHandler(logging.NullHandler())
