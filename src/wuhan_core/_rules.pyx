"""A rule set compiled into the struct that the engine reads; and what a rule set makes of an indicator."""

from libc.string cimport memset

from wuhan_core._seat cimport bit
from wuhan_core._shape cimport kinds_in
from wuhan_core._tables cimport system
from wuhan_core._types cimport (CODES, FACTORS, MINIMUM_ANY_PAYER, MINIMUM_EACH_PAYER, MINIMUM_NONE, NONE,
                                OPEN_CHOW_PUNG, OPEN_CHOW_PUNG_KONG, OPEN_NONE, PATTERNS, QQR_HEAD_258, QQR_NONE,
                                QQR_NOT_READY, RED, SHAPE_ALL_258, SHAPE_ALL_WINDS, SHAPE_NINE_YAO,
                                SHAPE_SEVEN_PAIRS, SHAPE_STANDARD, SHAPE_THIRTEEN_LAN, Rules, Special)

from .records import TYPE_NAMES

cdef enum:
    EAST = 27
    NORTH = 30
    GREEN = 32
    WHITE = 33

cdef dict OPEN_MELDS = {
    "none": OPEN_NONE, "chow_pung": OPEN_CHOW_PUNG, "chow_pung_kong": OPEN_CHOW_PUNG_KONG,
}
cdef dict SHAPES = {
    "standard": SHAPE_STANDARD, "all_258": SHAPE_ALL_258, "all_winds": SHAPE_ALL_WINDS,
    "seven_pairs": SHAPE_SEVEN_PAIRS, "thirteen_lan": SHAPE_THIRTEEN_LAN, "nine_yao": SHAPE_NINE_YAO,
}
cdef dict MINIMUM = {
    "none": MINIMUM_NONE, "any_payer": MINIMUM_ANY_PAYER, "each_payer": MINIMUM_EACH_PAYER,
}
cdef dict QUANQIUREN = {"none": QQR_NONE, "head_258": QQR_HEAD_258, "not_ready": QQR_NOT_READY}
cdef dict TYPES = {name: 1 << i for i, name in enumerate(TYPE_NAMES)}
cdef tuple PATTERNS_IN_ORDER = (
    "pinghu", "pengpenghu", "qidui", "haohuaqidui", "shisanlang", "qixingshisanlang", "jiuyao", "qixingjiuyao",
)


cdef int fill_rules(object ruleset, Rules* out) except -1:
    """Fill `out` from a RuleSet; builds the distance tables on first use."""
    get = ruleset.get
    memset(out, 0, sizeof(Rules))
    out.players = get("deal.players")
    out.suits_red = get("deal.tiles") == "suits_red"
    out.last_draws = get("deal.last_draws")
    out.winner_deals = get("deal.next_dealer") == "winner"
    out.wild_red = get("wild.kind") == "red"
    out.ring_split = get("wild.ring") == "split"
    out.skin_kinds = get("wild.skin_kinds")
    out.skin_red = get("wild.skin_role") == "red"
    out.claims_chow = get("claims.chow")
    out.discard_win = get("claims.discard_win")
    out.kong_after_claim = get("claims.kong_after_claim")
    out.many_rob = get("claims.many_rob")
    out.order_discarder = get("claims.winner_order") == "discarder"
    out.open_melds = OPEN_MELDS[get("win.open_melds")]
    out.shapes = sum([SHAPES[name] for name in get("win.shapes")])
    out.stake = get("score.stake")
    out.fee = get("table.fee")
    out.any_head = system(False, True)
    model = get("score.model")
    if model == "codes":
        fill_codes(get, out)
    elif model == "patterns":
        fill_patterns(get, out)
    else:
        fill_factors(get, out)
    return 0


cdef int fill_factors(object get, Rules* out) except -1:
    out.model = FACTORS
    out.head_258 = system(True, True)
    out.dead_wall = get("deal.dead_wall")
    out.head_258_free = sum([TYPES[name] for name in get("win.head_258_free")])
    out.small_wild_max = get("win.small_wild_max")
    out.quanqiuren_self_draw = get("win.quanqiuren_self_draw")
    out.quanqiuren_any_if_big = get("win.quanqiuren_head") == "any_if_big"
    out.minimum = MINIMUM[get("win.minimum")]
    out.minimum_points = get("win.minimum_points")
    out.open_per_meld = get("score.open") == "per_meld"
    out.kong_exposed = get("score.kong_exposed")
    out.kong_concealed = get("score.kong_concealed")
    out.kong_red = get("score.kong_red")
    out.kong_wild = get("score.kong_wild")
    out.kong_skin = get("score.kong_skin")
    out.wild_discard = get("score.wild_discard")
    out.hard = get("score.hard")
    out.small_base = get("score.small_base")
    out.big_base = get("score.big_base")
    out.small_self_draw = <int>(2 * get("score.small_self_draw"))
    out.small_discarder = <int>(2 * get("score.small_discarder"))
    out.small_dealer = <int>(2 * get("score.small_dealer"))
    out.big_self_draw = <int>(2 * get("score.big_self_draw"))
    out.big_discarder = <int>(2 * get("score.big_discarder"))
    out.big_add = get("score.big_stacking") == "add"
    out.fengyise = get("score.fengyise")
    out.qianggang_is_big = get("score.qianggang_is_big")
    out.per_payer = get("cap.per_payer")
    out.golden = get("cap.golden")
    out.liable = get("cap.liable")
    out.third_meld = sum([TYPES[name] for name in get("liability.third_meld")])
    out.liability_quanqiuren = QUANQIUREN[get("liability.quanqiuren")]
    out.robber_hand = get("liability.rob_kong") == "robber_hand"
    return 0


cdef int fill_codes(object get, Rules* out) except -1:
    out.model = CODES
    out.codes_count = get("codes.count")
    out.codes_all_in = get("codes.all_in")
    out.codes_no_wild_extra = get("codes.no_wild_extra")
    out.codes_hit_points = get("codes.hit_points")
    out.points_base = get("points.base")
    out.points_multiple = get("points.multiple")
    out.points_kong_direct = get("points.kong_direct")
    out.points_kong_added = get("points.kong_added")
    out.points_kong_concealed = get("points.kong_concealed")
    return 0


cdef int fill_patterns(object get, Rules* out) except -1:
    out.model = PATTERNS
    out.dead_wall = get("deal.dead_wall")
    for i, name in enumerate(PATTERNS_IN_ORDER):
        out.value[<int>i] = get(f"value.{name}")
    out.factor_wubao = get("factor.wubao")
    out.factor_gangkai = get("factor.gangkai")
    out.factor_qianggang = get("factor.qianggang")
    out.factor_jiebao = get("factor.jiebao")
    out.factor_baodiaotou = get("factor.baodiaotou")
    out.factor_baodiaowubao = get("factor.baodiaowubao")
    out.factor_baodiaobao = get("factor.baodiaobao")
    out.factor_dandiao = get("factor.dandiao")
    out.factor_sigebao = get("factor.sigebao")
    out.factor_feibao = get("factor.feibao")
    out.factor_touji = get("factor.touji")
    out.factor_self_draw = get("factor.self_draw")
    out.factor_discarder = get("factor.discarder")
    out.least_tianhu = get("least.tianhu")
    out.least_dihu = get("least.dihu")
    return 0


cdef class CompiledRules:
    def __init__(self, ruleset):
        fill_rules(ruleset, &self.rules)

    def special(self, indicator):
        """What an indicator (kind, or None) makes special: the wildcard kind, and the kinds that bar a win."""
        cdef Special found = special_of(&self.rules, NONE if indicator is None else indicator)
        return found.wild, frozenset(kinds_in(found.blocked))


cdef Special special_of(const Rules* rules, int indicator) noexcept nogil:
    """The wildcard and the skins that an indicator (NONE where the wildcard is C) makes. RULES.md sections 1 to 8."""
    cdef Special s
    s.indicator = indicator
    s.skins = s.blocked = 0
    if rules.wild_red:
        s.wild = RED
    elif indicator < EAST:
        s.wild = indicator - 8 if indicator % 9 == 8 else indicator + 1
    elif rules.ring_split:
        s.wild = EAST if indicator == NORTH else RED if indicator == WHITE else indicator + 1
    elif indicator == WHITE:
        s.wild = EAST
    elif indicator == NORTH or indicator == RED:
        s.wild = GREEN
    else:
        s.wild = indicator + 1
    if rules.model != FACTORS:
        return s
    if rules.skin_kinds >= 1 and indicator != RED:
        s.skins |= bit(indicator)
    if rules.skin_kinds == 2:
        if indicator < EAST:
            s.skins |= bit(indicator + 8 if indicator % 9 == 0 else indicator - 1)
        elif indicator == EAST:
            s.skins |= bit(WHITE)
        elif indicator == GREEN or indicator == RED:
            s.skins |= bit(NORTH)
        else:
            s.skins |= bit(indicator - 1)
    s.blocked = bit(RED)
    if rules.skin_red:
        s.blocked |= s.skins
    return s
