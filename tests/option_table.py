"""RULES.md section 9 copied out by hand: the presets' option values, independent of the preset files."""

from __future__ import annotations

from typing import Any

_FREE = ("pengpenghu", "qingyise", "fengyise", "jiangyise", "gangshanghua", "haidilao")

YUANHANG: dict[str, Any] = {
    "deal.players": 4,
    "deal.tiles": "full",
    "deal.dead_wall": 10,
    "deal.last_draws": 4,
    "deal.next_dealer": "keep_on_win_or_exhausted",
    "wild.kind": "after_indicator",
    "wild.ring": "wuhan",
    "wild.skin_kinds": 0,
    "wild.skin_role": "optional",
    "claims.chow": True,
    "claims.discard_win": True,
    "claims.kong_after_claim": True,
    "claims.many_rob": False,
    "claims.winner_order": "dealer",
    "win.open_melds": "chow_pung",
    "win.shapes": ("standard", "all_258", "all_winds"),
    "win.head_258_free": _FREE,
    "win.small_wild_max": 1,
    "win.quanqiuren_self_draw": False,
    "win.quanqiuren_head": "any_if_big",
    "win.minimum": "any_payer",
    "win.minimum_points": 20,
    "score.model": "factors",
    "score.stake": 1,
    "score.open": "per_meld",
    "score.kong_exposed": 2,
    "score.kong_concealed": 4,
    "score.kong_red": 2,
    "score.kong_wild": 4,
    "score.kong_skin": 1,
    "score.wild_discard": 2,
    "score.hard": 2,
    "score.small_base": 1,
    "score.small_self_draw": 2,
    "score.small_discarder": 2,
    "score.small_dealer": 2,
    "score.big_base": 10,
    "score.big_self_draw": 1.5,
    "score.big_discarder": 1.5,
    "score.big_stacking": "double",
    "score.fengyise": 2,
    "score.qianggang_is_big": False,
    "cap.per_payer": 300,
    "cap.golden": 400,
    "cap.liable": 400,
    "liability.third_meld": ("qingyise",),
    "liability.quanqiuren": "head_258",
    "liability.rob_kong": "konger_hand",
    "table.fee": 0,
}

BIANFENG: dict[str, Any] = YUANHANG | {
    "win.shapes": ("standard", "all_258"),
    "win.quanqiuren_head": "258",
    "score.open": "once",
    "liability.third_meld": ("qingyise", "jiangyise", "fengyise"),
    "liability.quanqiuren": "not_ready",
    "table.fee": 1,
}

BIANFENG_NEW: dict[str, Any] = BIANFENG | {
    "wild.skin_kinds": 1,
    "win.minimum": "each_payer",
    "win.minimum_points": 8,
    "score.open": "per_meld",
    "score.kong_skin": 2,
}

LAIZIGANG: dict[str, Any] = YUANHANG | {
    "win.open_melds": "chow_pung_kong",
    "win.head_258_free": _FREE[:4],
    "win.quanqiuren_self_draw": True,
    "win.quanqiuren_head": "258",
    "win.minimum": "none",
    "win.minimum_points": 0,
    "score.open": "once",
    "score.kong_wild": 2,
    "score.big_stacking": "add",
    "score.fengyise": 1,
    "score.qianggang_is_big": True,
    "liability.quanqiuren": "not_ready",
    "liability.rob_kong": "robber_hand",
}

QIPI: dict[str, Any] = YUANHANG | {
    "wild.skin_kinds": 2,
    "wild.skin_role": "red",
    "win.open_melds": "chow_pung_kong",
    "win.quanqiuren_head": "258",
    "win.minimum_points": 16,
    "score.kong_skin": 2,
    "score.big_stacking": "add",
    "score.fengyise": 1,
    "score.qianggang_is_big": True,
    "liability.quanqiuren": "not_ready",
    "liability.rob_kong": "robber_hand",
}

PRESETS: dict[str, dict[str, Any]] = {
    "yuanhang": YUANHANG,
    "bianfeng": BIANFENG,
    "bianfeng-new": BIANFENG_NEW,
    "laizigang": LAIZIGANG,
    "laizigang-koukou": LAIZIGANG | {"score.open": "per_meld"},
    "qipi": QIPI,
}

# The models codes and patterns have the shared options and their own, none of yuanhang's points.
_SHARED = {
    name: value
    for name, value in YUANHANG.items()
    if name.startswith(("deal.", "wild.", "claims.", "table."))
    or name in ("win.open_melds", "win.shapes", "score.model", "score.stake")
}

HONGZHONG: dict[str, Any] = {name: value for name, value in _SHARED.items() if name != "deal.dead_wall"} | {
    "deal.tiles": "suits_red",
    "deal.last_draws": 0,
    "deal.next_dealer": "winner",
    "wild.kind": "red",
    "claims.chow": False,
    "claims.discard_win": False,
    "claims.kong_after_claim": False,
    "claims.winner_order": "discarder",
    "win.open_melds": "none",
    "win.shapes": ("standard",),
    "score.model": "codes",
    "codes.count": 4,
    "codes.all_in": False,
    "codes.hit_points": 2,
    "codes.no_wild_extra": 0,
    "points.base": 2,
    "points.multiple": 1,
    "points.kong_direct": 1,
    "points.kong_added": 1,
    "points.kong_concealed": 2,
}

HONGXIN: dict[str, Any] = _SHARED | {
    "deal.dead_wall": 0,
    "deal.last_draws": 0,
    "wild.ring": "split",
    "claims.kong_after_claim": False,
    "claims.many_rob": True,
    "claims.winner_order": "discarder",
    "win.open_melds": "none",
    "win.shapes": ("standard", "seven_pairs", "thirteen_lan", "nine_yao"),
    "score.model": "patterns",
    "value.pinghu": 1,
    "value.pengpenghu": 3,
    "value.qidui": 3,
    "value.haohuaqidui": 6,
    "value.shisanlang": 1,
    "value.qixingshisanlang": 3,
    "value.jiuyao": 1,
    "value.qixingjiuyao": 3,
    "factor.wubao": 2,
    "factor.gangkai": 2,
    "factor.qianggang": 2,
    "factor.jiebao": 2,
    "factor.baodiaotou": 2,
    "factor.baodiaowubao": 4,
    "factor.baodiaobao": 4,
    "factor.dandiao": 2,
    "factor.sigebao": 2,
    "factor.feibao": 2,
    "factor.touji": 1,
    "factor.self_draw": 2,
    "factor.discarder": 2,
    "least.tianhu": 16,
    "least.dihu": 16,
}

OTHER_PRESETS: dict[str, dict[str, Any]] = {
    "hongzhong": HONGZHONG,
    "hongzhong-2p": HONGZHONG | {"deal.players": 2},
    "hongxin": HONGXIN,
}
