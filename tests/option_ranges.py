"""RULES.md sections 7 to 9 copied out by hand: which options there are, what each allows, for which model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from option_table import HONGXIN as PATTERNS
from option_table import HONGZHONG as CODES
from option_table import OTHER_PRESETS, PRESETS

ALL_PRESETS = PRESETS | OTHER_PRESETS
# RULES.md sections 7 and 8, and the list of options under the table of section 9.
HONGZHONG: dict[str, Any] = {
    "deal.players": 4,
    "deal.tiles": "suits_red",
    "deal.next_dealer": "winner",
    "wild.kind": "red",
    "claims.chow": False,
    "claims.discard_win": False,
    "claims.kong_after_claim": False,
    "claims.many_rob": False,
    "claims.winner_order": "discarder",
    "win.open_melds": "none",
    "win.shapes": ["standard"],
    "score.model": "codes",
}
HONGXIN: dict[str, Any] = {
    "deal.dead_wall": 0,
    "deal.last_draws": 0,
    "wild.ring": "split",
    "claims.chow": True,
    "claims.discard_win": True,
    "claims.kong_after_claim": False,
    "claims.many_rob": True,
    "claims.winner_order": "discarder",
    "win.open_melds": "none",
    "win.shapes": ["standard", "seven_pairs", "thirteen_lan", "nine_yao"],
    "score.model": "patterns",
}
CODES_DEFAULTS = {name: value for name, value in CODES.items() if name.startswith(("codes.", "points."))}
PATTERNS_DEFAULTS = {
    name: value for name, value in PATTERNS.items() if name.startswith(("value.", "factor.", "least."))
}
SHARED = {
    *("deal.players", "deal.tiles", "deal.last_draws", "deal.next_dealer", "wild.kind", "wild.ring"),
    *("wild.skin_kinds", "wild.skin_role", "claims.chow", "claims.discard_win", "claims.kong_after_claim"),
    *("claims.many_rob", "claims.winner_order", "win.open_melds", "win.shapes", "score.model"),
    *("score.stake", "table.fee"),
}
RANGES = {
    **{"deal.dead_wall": (0, 40), "wild.skin_kinds": (0, 2), "win.small_wild_max": (0, 4)},
    **{"win.minimum_points": (0, 10_000), "score.stake": (1, 1_000_000), "table.fee": (0, 1_000_000)},
    **dict.fromkeys(
        (f"score.kong_{kind}" for kind in ("exposed", "concealed", "red", "wild", "skin")), (1, 16)
    ),
    **dict.fromkeys(("score.wild_discard", "score.hard", "score.fengyise"), (1, 16)),
    **dict.fromkeys(("score.small_base", "score.big_base"), (1, 1000)),
    **dict.fromkeys(("cap.per_payer", "cap.golden", "cap.liable"), (0, 1_000_000)),
    **{"codes.count": (0, 20), "codes.hit_points": (0, 1000), "codes.no_wild_extra": (0, 4)},
    **{"points.base": (0, 1000), "points.multiple": (1, 1000)},
    **dict.fromkeys((f"points.kong_{kind}" for kind in ("direct", "added", "concealed")), (0, 1000)),
    **{name: (0, 100_000) if name.startswith("least.") else (1, 1000) for name in PATTERNS_DEFAULTS},
}
HALVES = {
    *("score.small_self_draw", "score.small_discarder", "score.small_dealer"),
    *("score.big_self_draw", "score.big_discarder"),
}
FLAGS = {
    *("claims.chow", "claims.discard_win", "claims.kong_after_claim", "claims.many_rob"),
    *("win.quanqiuren_self_draw", "score.qianggang_is_big", "codes.all_in"),
}
WORDS: dict[str, tuple[object, ...]] = {
    "deal.players": (2, 4),
    "deal.last_draws": (0, 2, 4),
    "deal.tiles": ("full", "suits_red"),
    "deal.next_dealer": ("keep_on_win_or_exhausted", "winner"),
    "wild.kind": ("after_indicator", "red"),
    "wild.ring": ("wuhan", "split"),
    "wild.skin_role": ("optional", "red"),
    "claims.winner_order": ("dealer", "discarder"),
    "win.open_melds": ("none", "chow_pung", "chow_pung_kong"),
    "win.quanqiuren_head": ("258", "any_if_big"),
    "win.minimum": ("none", "any_payer", "each_payer"),
    "score.model": ("factors", "codes", "patterns"),
    "score.open": ("per_meld", "once"),
    "score.big_stacking": ("double", "add"),
    "liability.quanqiuren": ("none", "head_258", "not_ready"),
    "liability.rob_kong": ("konger_hand", "robber_hand"),
}
TYPES = (
    *("pengpenghu", "qingyise", "fengyise", "jiangyise", "quanqiuren", "gangshanghua", "haidilao"),
    "qianggang",
)
SHAPES = ("standard", "all_258", "all_winds", "seven_pairs", "thirteen_lan", "nine_yao")
LISTS = {
    "win.shapes": SHAPES,
    "win.head_258_free": TYPES,
    "liability.third_meld": (*TYPES[:2], TYPES[3], TYPES[2], *TYPES[4:]),
}
BASES: dict[str, Mapping[str, Any]] = {"factors": {}, "codes": HONGZHONG, "patterns": HONGXIN}
