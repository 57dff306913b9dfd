"""The engine of wuhan-core: tiles, rules, hands, points and one hand's play.

Nothing here knows of statistics; the simulator is the package ``wuhan_sim``.
"""

from .errors import FaultError
from .records import HAND_DTYPE, OUTCOMES, TYPE_NAMES
from .rules import RuleError, RuleSet, load_rules, preset_names
from .scoring import CaseError, score_case, score_cases
from .tiles import TileError, format_tiles, parse_tiles

__all__ = [
    "HAND_DTYPE",
    "OUTCOMES",
    "TYPE_NAMES",
    "CaseError",
    "FaultError",
    "RuleError",
    "RuleSet",
    "TileError",
    "format_tiles",
    "load_rules",
    "parse_tiles",
    "preset_names",
    "score_case",
    "score_cases",
]
