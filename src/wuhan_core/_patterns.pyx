"""What a finished hand is worth in the model "patterns": RULES.md section 8.

Two readings (hard, and soft with every wildcard free) of eight patterns: all that fit are weighed, and one counts. A
narrower pattern does not shut out the wider one: triplets are sets, seven pairs with four alike are seven pairs.
"""

from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from wuhan_core._seat cimport bit, odd_kinds, seat_is_open
from wuhan_core._shape cimport (ALL_KINDS, CHOW_STARTS, POW, RUN_STARTS, SUIT, TERMINALS, lowest, missing, popcount,
                                pungs_missing)
from wuhan_core._types cimport (BAODIAOBAO, BAODIAOTOU, BAODIAOWUBAO, BAO_NOT_CLAIMABLE, CHOW, DANDIAO, DIHU, DISCARD,
                                FIRST_DIHU, FIRST_TIANHU, GANGKAI, JIEBAO, NO_DISCARD_WIN, NO_SHAPE, NONE, NOT_OPEN,
                                OPEN_NONE, PENGPENGHU, PINGHU, QIANGGANG, ROB_KONG, SEATS, SELF_DRAW, SHAPE_NINE_YAO,
                                SHAPE_SEVEN_PAIRS, SHAPE_STANDARD, SHAPE_THIRTEEN_LAN, SIGEBAO, TIANHU, WILD_ON_DISCARD,
                                WUBAO, Finish, Points, Rules, Seat, Special)

cdef enum Pattern:              # index into Rules.value
    PLAIN = 0                   # pinghu
    TRIPLETS = 1                # pengpenghu
    PAIRS = 2                   # qidui
    PAIRS_FOUR = 3              # haohuaqidui
    LAN = 4                     # shisanlang
    LAN_SEVEN = 5               # qixingshisanlang
    YAO = 6                     # jiuyao
    YAO_SEVEN = 7               # qixingjiuyao

cdef extern from *:
    """
    #define WC_POINTS_MAX ((uint64_t)1 << 60)
    #define WC_ALL_HONOURS ((uint64_t)127 << 27)
    """
    const uint64_t POINTS_MAX "WC_POINTS_MAX"
    const uint64_t ALL_HONOURS "WC_ALL_HONOURS"

# The winner's concealed tiles, the claimed one among them, in one reading.
cdef struct Reading:
    uint32_t key[4]             # natural tiles
    uint64_t at_least[4]        # at_least[i]: kinds with more than i natural tiles
    int wild                    # free wildcards
    bint hard

# The best pattern so far; worth 0: none.
cdef struct Choice:
    int64_t worth               # value times the factors that depend on pattern and reading, at most 10**9
    int64_t value
    uint32_t types


cdef inline int suit_room(uint64_t ranks) noexcept nogil:
    """How many more ranks fit in a suit, all of them at least 3 apart; `ranks`, bits 0 to 8, are so already."""
    cdef int rank, last = -3, room = 0
    if not ranks:
        return 3
    while ranks:
        rank = lowest(ranks)
        ranks &= ranks - 1
        room += (rank - last) // 3 - 1
        last = rank
    return room + (8 - last) // 3


cdef int patterns_of(const Rules* rules, const Seat* winner, const Reading* r) noexcept nogil:
    """The patterns that fit the tiles beside the melds: bit i for Pattern i."""
    cdef uint64_t kinds = r.at_least[0]
    cdef int i, rest, found = 0, sets = 4 - winner.n_melds
    cdef int honours = 7 - popcount(kinds >> 27)        # of seven, those that are not there
    cdef bint chow = False
    if rules.shapes & SHAPE_STANDARD and missing(rules.any_head, r.key, sets) <= r.wild:
        found = 1 << PLAIN
        for i in range(winner.n_melds):
            chow = chow or winner.melds[i].kind == CHOW
        if not chow and pungs_missing(r.at_least, sets, ALL_KINDS, True) <= r.wild:
            found |= 1 << TRIPLETS
    if winner.n_melds:
        return found
    if rules.shapes & SHAPE_SEVEN_PAIRS:
        rest = r.wild - popcount(odd_kinds(r.at_least))     # wildcards left when each kind is paired: pairs of any
        if rest >= 0:
            found |= 1 << PAIRS | (rest >= 2 or r.at_least[2] != 0) << PAIRS_FOUR
    if rules.shapes & SHAPE_THIRTEEN_LAN and not (
            r.at_least[1] | (kinds & kinds >> 1 & RUN_STARTS) | (kinds & kinds >> 2 & CHOW_STARTS)):
        rest = r.wild                                       # wildcards left when the suits are full: honours
        for i in range(3):
            rest -= suit_room(kinds >> 9 * i & 511)
        if rest <= honours:
            found |= 1 << LAN | (honours <= r.wild) << LAN_SEVEN
    if rules.shapes & SHAPE_NINE_YAO and not kinds & ~TERMINALS:
        found |= 1 << YAO | (honours <= r.wild) << YAO_SEVEN
    return found


cdef bint hangs(const Rules* rules, const Special* special, const Seat* seat, int drawn) noexcept nogil:
    """The baodiaotou state: are the concealed tiles before the draw complete sets and one bao, the other bao free?

    The tables want a pair too, so they get one of an honour that the seat does not hold: what else its tiles might
    serve for, they can serve for as the pair. Tiles with every honour among them are too many for sets.
    """
    cdef uint32_t key[4]
    cdef uint64_t absent = ALL_HONOURS & ~seat.at_least[0]
    cdef int bao = seat.wild - (drawn == special.wild)
    if bao == 0 or absent == 0:
        return False
    memcpy(key, seat.key, sizeof(key))
    if drawn != special.wild:
        key[SUIT[drawn]] -= POW[drawn]
    key[3] += 2 * POW[lowest(absent)]
    return missing(rules.any_head, key, 4 - seat.n_melds) <= bao - 1


cdef void weigh(const Rules* rules, const Special* special, const Seat* winner, const Finish* finish, const Reading* r,
                bint hanging, Choice* best) noexcept nogil:
    """Puts the best pattern of the reading into `best`, where it is better than what stands there.

    Of equals the one asked first stays: the hard reading, the first pattern. Factors that all patterns and readings of
    a hand share play no part.
    """
    cdef int pattern, found = patterns_of(rules, winner, r)
    cdef uint32_t types, hanging_type = 0
    cdef int64_t worth, value, hanging_factor = 1
    if hanging:
        hanging_type, hanging_factor = BAODIAOTOU, rules.factor_baodiaotou
        if winner.skipped and r.hard:
            hanging_type, hanging_factor = BAODIAOWUBAO, rules.factor_baodiaowubao
        elif winner.skipped and finish.tile == special.wild:
            hanging_type, hanging_factor = BAODIAOBAO, rules.factor_baodiaobao
    while found:
        pattern = lowest(found)
        found &= found - 1
        types = PENGPENGHU if pattern == TRIPLETS else PINGHU << (pattern - (pattern > TRIPLETS))
        value = worth = rules.value[pattern]
        if r.hard:
            types |= WUBAO
            worth *= rules.factor_wubao
        if pattern <= TRIPLETS:
            types |= hanging_type
            worth *= hanging_factor
        if worth > best.worth or (worth == best.worth and value > best.value):
            best.worth = worth
            best.value = value
            best.types = types


cdef inline uint64_t times(uint64_t a, int64_t b) noexcept nogil:
    """a * b, at most POINTS_MAX; both are at least 1."""
    return a * <uint64_t>b if a <= POINTS_MAX // <uint64_t>b else POINTS_MAX


cdef uint64_t shared_factors(const Rules* rules, const Seat* winner, uint32_t types) noexcept nogil:
    """The factors that do not depend on pattern and reading, and the stake. `types`: those that apply."""
    cdef uint64_t product = rules.stake
    cdef int i
    if types & GANGKAI:
        product = times(product, rules.factor_gangkai)
    if types & QIANGGANG:
        product = times(product, rules.factor_qianggang)
    if types & JIEBAO:
        product = times(product, rules.factor_jiebao)
    if types & DANDIAO:
        product = times(product, rules.factor_dandiao)
    if types & SIGEBAO:
        product = times(product, rules.factor_sigebao)
    for i in range(winner.wild_discards):
        product = times(product, rules.factor_feibao)
    for i in range(winner.skipped):
        product = times(product, rules.factor_touji)
    return product


cdef void score_patterns(const Rules* rules, const Special* special, const Seat* seats, const Finish* finish,
                         Points* out) noexcept nogil:
    """As `score_win`. Of several robbers each is scored as if alone."""
    cdef const Seat* winner = &seats[finish.winner]
    cdef bint self_draw = finish.source == SELF_DRAW, robbed = finish.source == ROB_KONG
    cdef bint jiebao = not self_draw and finish.tile == special.wild
    cdef int i, seat, tile = finish.tile
    cdef int64_t least = 0
    cdef uint64_t product, share
    cdef uint32_t types = 0
    cdef Reading soft, hard
    cdef Choice best
    memset(out, 0, sizeof(Points))
    out.liable = finish.loser if robbed else NONE
    out.hits = NONE
    if finish.source == DISCARD and not rules.discard_win:
        out.why = NO_DISCARD_WIN
    elif jiebao and winner.bao_had < 3:
        out.why = BAO_NOT_CLAIMABLE
    elif rules.open_melds != OPEN_NONE and not seat_is_open(winner, rules):
        out.why = NOT_OPEN
    if out.why:
        return
    out.hanging = self_draw and hangs(rules, special, winner, tile)

    memcpy(soft.key, winner.key, sizeof(soft.key))
    memcpy(soft.at_least, winner.at_least, sizeof(soft.at_least))
    soft.wild = winner.wild + jiebao
    soft.hard = False
    if not self_draw and not jiebao:
        soft.key[SUIT[tile]] += POW[tile]
        soft.at_least[winner.counts[tile]] |= bit(tile)
    hard = soft
    hard.wild = 0
    hard.hard = True
    for i in range(soft.wild):
        hard.key[SUIT[special.wild]] += POW[special.wild]
        hard.at_least[i] |= bit(special.wild)
    best.worth = 0
    weigh(rules, special, winner, finish, &hard, out.hanging, &best)
    if soft.wild and (jiebao or finish.source != DISCARD):
        weigh(rules, special, winner, finish, &soft, out.hanging, &best)
    if best.worth == 0:
        out.why = WILD_ON_DISCARD if soft.wild and patterns_of(rules, winner, &soft) else NO_SHAPE
        return

    if finish.after_kong:
        types |= GANGKAI
    if robbed:
        types |= QIANGGANG
    if jiebao:
        types |= JIEBAO
    if winner.n_melds == 4:
        types |= DANDIAO
    if winner.bao_had == 4:
        types |= SIGEBAO
    product = times(shared_factors(rules, winner, types), best.worth)
    if finish.first == FIRST_TIANHU:
        types |= TIANHU
        least = rules.least_tianhu * rules.stake
    elif finish.first == FIRST_DIHU:
        types |= DIHU
        least = rules.least_dihu * rules.stake
    out.types = types | best.types
    out.hard = best.types & WUBAO != 0
    for seat in range(SEATS):
        if seat == finish.winner:
            continue
        share = times(product, rules.factor_self_draw if self_draw
                      else rules.factor_discarder if seat == finish.loser else 1)
        out.owed[seat] = out.capped[seat] = max(<int64_t>share, least)
        out.deltas[finish.winner] += out.owed[seat]
        out.deltas[finish.loser if robbed else seat] -= out.owed[seat]
