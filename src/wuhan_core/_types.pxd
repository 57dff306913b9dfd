# The dictionary of the compiled engine: structs, enums, bounds. Units: tiles, points, kinds 0..33.
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

cdef enum:
    KINDS = 34                  # kinds of tile
    HONOURS = 27                # the first honour kind
    RED = 31                    # C, the red dragon
    SEATS = 4
    WALL = 136
    NONE = -1                   # no seat, no kind

# a set of kinds is a bit mask: bit k for kind k
cdef enum MeldKind:
    CHOW = 0                    # tile = its lowest kind
    PUNG = 1
    DIRECT_KONG = 2             # claimed from a discard
    ADDED_KONG = 3              # a pung and the fourth from the hand
    CONCEALED_KONG = 4

cdef enum Source:
    SELF_DRAW = 1               # also the `outcome` of a record; 0 is exhausted
    DISCARD = 2
    ROB_KONG = 3

cdef enum Model:
    FACTORS = 0
    CODES = 1
    PATTERNS = 2

cdef enum OpenMelds:
    OPEN_NONE = 0
    OPEN_CHOW_PUNG = 1
    OPEN_CHOW_PUNG_KONG = 2

cdef enum Shape:                # bits of Rules.shapes
    SHAPE_STANDARD = 1
    SHAPE_ALL_258 = 2
    SHAPE_ALL_WINDS = 4
    SHAPE_SEVEN_PAIRS = 8
    SHAPE_THIRTEEN_LAN = 16
    SHAPE_NINE_YAO = 32

cdef enum WinType:              # bits of `types`; no bit set in a won factors hand = pihu
    PENGPENGHU = 1
    QINGYISE = 2
    FENGYISE = 4
    JIANGYISE = 8
    QUANQIUREN = 16
    GANGSHANGHUA = 32
    HAIDILAO = 64
    QIANGGANG = 128
    PINGHU = 1 << 8             # codes and patterns: bits 0 and 7 and these
    QIDUI = 1 << 9
    HAOHUAQIDUI = 1 << 10
    SHISANLANG = 1 << 11
    QIXINGSHISANLANG = 1 << 12
    JIUYAO = 1 << 13
    QIXINGJIUYAO = 1 << 14
    WUBAO = 1 << 15             # factors of the patterns model
    GANGKAI = 1 << 16
    JIEBAO = 1 << 17
    BAODIAOTOU = 1 << 18
    BAODIAOWUBAO = 1 << 19
    BAODIAOBAO = 1 << 20
    DANDIAO = 1 << 21
    SIGEBAO = 1 << 22
    TIANHU = 1 << 23
    DIHU = 1 << 24

cdef enum Refusal:              # in the order in which they are asked; 0 = wins
    WINS = 0
    NO_DISCARD_WIN = 1
    TILE_NOT_CLAIMABLE = 2
    HOLDS_KONG_TILE = 3
    NOT_OPEN = 4
    NO_SHAPE = 5
    HEAD_NOT_258 = 6
    TOO_MANY_WILD = 7
    BELOW_MINIMUM = 8
    BAO_NOT_CLAIMABLE = 9       # patterns
    WILD_ON_DISCARD = 10

cdef enum First:
    FIRST_NONE = 0
    FIRST_TIANHU = 1            # the dealer's first draw
    FIRST_DIHU = 2              # another seat on the dealer's first discard

cdef enum:
    MAX_CODES = 24              # codes.count and codes.no_wild_extra together

cdef enum Minimum:
    MINIMUM_NONE = 0
    MINIMUM_ANY_PAYER = 1
    MINIMUM_EACH_PAYER = 2

cdef enum Quanqiuren:           # Rules.liability_quanqiuren
    QQR_NONE = 0
    QQR_HEAD_258 = 1
    QQR_NOT_READY = 2

# Distance tables of one kind of head; built by _tables.pyx, read by _shape.pxd, never written after.
cdef struct System:
    const uint8_t* suit         # [5**9] key of a suit -> class
    const uint16_t* honour      # [5**7] key of the honours -> class
    const uint16_t* merge       # [n * n] class, class -> class of both together
    const uint8_t* missing      # [n * 5] class, sets -> tiles missing for so many sets and a head
    const uint16_t* split       # [5 * groups * n] sets, class of one suit, class of the rest -> entries that a best split uses
    const uint16_t* lowered     # [groups * groups] class, class with one tile more -> entries that it lowers
    int n                       # classes, merged ones included
    int groups                  # classes of single suits and of the honours; they come first

# One rule set, compiled. Field names are the options of RULES.md with "." written "_". Filled by _rules.pyx.
# Factors that may be halves are kept doubled (`2 x the value`), marked x2.
cdef struct Rules:
    uint8_t players
    uint8_t suits_red           # deal.tiles == "suits_red"
    uint8_t dead_wall           # tiles
    uint8_t last_draws          # seats, or 0
    uint8_t winner_deals        # deal.next_dealer == "winner"
    uint8_t wild_red            # wild.kind == "red"
    uint8_t ring_split
    uint8_t skin_kinds          # 0..2
    uint8_t skin_red            # wild.skin_role == "red"
    uint8_t claims_chow
    uint8_t discard_win
    uint8_t kong_after_claim
    uint8_t many_rob
    uint8_t order_discarder     # claims.winner_order == "discarder"
    uint8_t open_melds          # OpenMelds
    uint8_t shapes              # Shape bits
    uint32_t head_258_free      # WinType bits ("all" = every bit)
    uint8_t small_wild_max
    uint8_t quanqiuren_self_draw
    uint8_t quanqiuren_any_if_big
    uint8_t minimum             # Minimum
    int64_t minimum_points      # points, before stake
    uint8_t model               # Model
    int64_t stake               # points per point
    uint8_t open_per_meld       # score.open == "per_meld"
    uint8_t kong_exposed, kong_concealed, kong_red, kong_wild, kong_skin    # factors 1..16
    uint8_t wild_discard, hard                                              # factors 1..16
    int64_t small_base, big_base                                            # points 1..1000
    uint8_t small_self_draw, small_discarder, small_dealer                  # x2: 2..32
    uint8_t big_self_draw, big_discarder                                    # x2: 2..32
    uint8_t big_add             # score.big_stacking == "add"
    uint8_t fengyise            # factor 1..16
    uint8_t qianggang_is_big
    int64_t per_payer, golden, liable       # caps in points before stake, 0 = off
    uint32_t third_meld         # WinType bits
    uint8_t liability_quanqiuren            # Quanqiuren
    uint8_t robber_hand         # liability.rob_kong == "robber_hand"
    int64_t fee                 # points
    # score.model = "codes"; points before multiple and stake
    uint8_t codes_count, codes_all_in, codes_no_wild_extra
    int64_t codes_hit_points
    int64_t points_base, points_multiple
    int64_t points_kong_direct, points_kong_added, points_kong_concealed
    # score.model = "patterns"
    int64_t value[8]            # by pattern, in the order of RULES.md section 8: pinghu, pengpenghu, qidui, ...
    int64_t factor_wubao, factor_gangkai, factor_qianggang, factor_jiebao
    int64_t factor_baodiaotou, factor_baodiaowubao, factor_baodiaobao
    int64_t factor_dandiao, factor_sigebao, factor_feibao, factor_touji, factor_self_draw, factor_discarder
    int64_t least_tianhu, least_dihu                # points before stake
    const System* any_head      # tables for any pair, fifth copies by wildcards
    const System* head_258      # tables for a 258 pair, fifth copies by wildcards

cdef struct Meld:
    uint8_t kind                # MeldKind
    uint8_t tile                # kind of tile; the lowest of a chow
    int8_t feeder               # seat whose discard it was made with, NONE for a concealed kong

# What one seat holds. `counts` has every concealed tile; the rest is derived from it and kept up to date.
cdef struct Seat:
    uint8_t counts[KINDS]       # concealed tiles by kind, wildcards and red dragons included
    uint32_t key[4]             # base-5 keys (m, p, s: 5**rank; honours: 5**(kind - 27)) of `counts` less wild and blocked kinds
    uint64_t at_least[4]        # at_least[i]: kinds of which more than i are concealed, wild and blocked kinds left out
    uint8_t wild                # concealed wildcards
    uint8_t blocked             # concealed tiles that bar a win: red dragons, skins in the role "red"
    uint8_t tiles               # concealed tiles in all
    uint8_t n_melds
    Meld melds[4]               # in the order they were made
    uint8_t red_kongs, wild_kongs, skin_kongs, wild_discards    # tiles
    uint8_t bao_had             # wildcards held so far in the hand, discarded ones included, a claimed one not
    uint8_t skipped             # self-draw wins passed in the baodiaotou state (patterns)

# What is special in one hand's deal.
cdef struct Special:
    int8_t indicator            # kind, NONE without one
    int8_t wild                 # the wildcard kind
    uint64_t skins              # kinds
    uint64_t blocked            # kinds that bar a win and lie outside keys: C (factors), skins in the role "red"

# How a hand ends.
cdef struct Finish:
    int8_t winner
    int8_t loser                # discarder or konger, NONE on a self-draw
    int8_t tile                 # kind won on; on a self-draw it is in the winner's counts, else it is not
    uint8_t source              # Source
    uint8_t after_kong          # self-draw on a replacement tile
    uint8_t last_draw           # self-draw in the last round
    int8_t dealer
    uint8_t first               # First
    uint8_t n_codes             # codes turned up, in order
    uint8_t codes[MAX_CODES]

# What a finished hand is worth. Points are whole, saturated at +-2**60.
cdef struct Points:
    uint8_t why                 # Refusal; all below is meaningful only when WINS
    uint32_t types              # WinType bits
    uint8_t big, hard, golden
    int8_t liable               # seat or NONE
    int64_t owed[SEATS]         # before caps
    int64_t capped[SEATS]       # after caps, before liability moves them
    int64_t deltas[SEATS]       # what each seat gains
    uint8_t hanging             # a self-draw in the baodiaotou state, whichever reading wins (patterns)
    int8_t hits                 # codes that hit, NONE with all in (codes)
    int64_t kongs[SEATS]        # what kongs bring each seat, in deltas already (codes)

# One hand's record; HAND_DTYPE in records.py has the same fields in the same order.
cdef packed struct HandRecord:
    int64_t hand
    int64_t wall
    int64_t owed[SEATS]
    int64_t capped[SEATS]
    int64_t points[SEATS]
    uint32_t types
    int16_t ready_turn[SEATS]
    int8_t dealer
    int8_t indicator
    int8_t laizi
    uint8_t outcome
    int8_t winner
    int8_t loser
    int8_t liable
    int8_t win_tile
    uint8_t hard
    uint8_t golden
    uint8_t turns
    uint8_t opens[SEATS]
    uint8_t kongs[SEATS]
    int8_t start_shanten[SEATS]
    uint8_t start_wild[SEATS]
    uint8_t bot[SEATS]

# One session's record; SESSION_DTYPE in session_records.py has the same fields in the same order.
cdef packed struct SessionRecord:
    int64_t session
    int64_t block
    int64_t end[SEATS]
    int64_t low[SEATS]
    int64_t drawdown[SEATS]
    int64_t points[SEATS]
    int64_t fees[SEATS]
    int64_t unpaid[SEATS]
    int64_t missed[SEATS]
    int32_t ruined_at[SEATS]
    int32_t wins[SEATS]
    int32_t deals[SEATS]
    int32_t hands
    int32_t exhausted
    uint8_t ended
    uint8_t left[SEATS]
    uint8_t bot[SEATS]
