"""The engine of wuhan-core: tiles, rules, hands, points and one hand's play.

Nothing here knows of statistics; the simulator is the package ``wuhan_sim``.
"""

from ._shape import complete_array, shanten_array, ukeire_array
from .actions import Action, BotError, IllegalAction
from .batch import BatchError, TableBatch
from .encoding import ACTION_NAMES, FEATURES, EncodingError, Feature, decode_action, encode_action
from .errors import FaultError
from .explain import Score, explain_case
from .hand import (
    DiscardOption,
    Hand,
    HandError,
    best_discards,
    is_complete,
    shanten,
    ukeire,
    waits,
)
from .hand_log import LogError
from .policies import PolicyError
from .records import HAND_DTYPE, OUTCOMES, TYPE_NAMES
from .rescore import RescoreError, exact_rows, rescore
from .rules import RuleError, RuleSet, load_rules, preset_names
from .scoring import CaseError, score_case, score_cases
from .session_records import ENDINGS, SESSION_DTYPE
from .table import Observation, Table, TableError
from .tiles import TileError, format_tiles, parse_tiles

__all__ = [
    "ACTION_NAMES",
    "ENDINGS",
    "FEATURES",
    "HAND_DTYPE",
    "OUTCOMES",
    "SESSION_DTYPE",
    "TYPE_NAMES",
    "Action",
    "BatchError",
    "BotError",
    "CaseError",
    "DiscardOption",
    "EncodingError",
    "FaultError",
    "Feature",
    "Hand",
    "HandError",
    "IllegalAction",
    "LogError",
    "Observation",
    "PolicyError",
    "RescoreError",
    "RuleError",
    "RuleSet",
    "Score",
    "Table",
    "TableBatch",
    "TableError",
    "TileError",
    "best_discards",
    "complete_array",
    "decode_action",
    "encode_action",
    "exact_rows",
    "explain_case",
    "format_tiles",
    "is_complete",
    "load_rules",
    "parse_tiles",
    "preset_names",
    "rescore",
    "score_case",
    "score_cases",
    "shanten",
    "shanten_array",
    "ukeire",
    "ukeire_array",
    "waits",
]
