"""What a finished hand is worth in the model "factors": RULES.md sections 3 to 6. Every function trusts
its input: a hand that can be.

A hand has many decompositions, but points see little of one: the reading (hard or soft), whether its sets are all
triplets, whether its pair is 258. So a reading has at most three *forms*: all triplets and a pair; sets with a chow
and a pair; no sets. For each form the best pair that exists stands for all (a 258 pair passes wherever another does,
and brings no other type: with quanqiuren the two tiles leave no choice). Whether a form exists is a question for the
distance tables, or, for triplets, for counting.
"""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from wuhan_core._seat cimport bit, exposed_melds, melded, seat_add, seat_opens
from wuhan_core._shape cimport CHOW_STARTS, KINDS_258, POW, SUIT, WINDS, lowest, missing, popcount
from wuhan_core._types cimport (ADDED_KONG, BELOW_MINIMUM, CHOW, CONCEALED_KONG, DISCARD, FENGYISE, GANGSHANGHUA,
                                HAIDILAO, HEAD_NOT_258, HOLDS_KONG_TILE, HONOURS, JIANGYISE, KINDS, MINIMUM_EACH_PAYER,
                                MINIMUM_NONE, NO_DISCARD_WIN, NO_SHAPE, NONE, NOT_OPEN, OPEN_NONE, PENGPENGHU,
                                PUNG, QIANGGANG, QINGYISE, QQR_HEAD_258, QQR_NOT_READY, QUANQIUREN, ROB_KONG, SEATS,
                                SELF_DRAW, SHAPE_ALL_258, SHAPE_ALL_WINDS, SHAPE_STANDARD, TILE_NOT_CLAIMABLE,
                                TOO_MANY_WILD, WINS, Finish, Points, Rules, Seat, Special)

cdef enum:
    FORMS = 6               # two readings of three forms
    UNKNOWN = 2             # a question not asked yet

cdef extern from *:
    """
    #define WC_SHARE_MAX ((uint64_t)1 << 62)
    """
    const uint64_t SHARE_MAX "WC_SHARE_MAX"     # quarter points: 2**60 points

# The concealed tiles in one reading.
cdef struct Reading:
    uint32_t key[4]         # natural tiles
    uint64_t at_least[4]    # at_least[i]: kinds with more than i natural tiles
    int wild                # free wildcards
    int fifth               # kind of a natural tile that the key has no room for (it has four of it already), else NONE
    int sets                # to be made of these tiles, beside a pair
    bint hard

# One form of one reading that passed checks 3 to 5.
cdef struct Form:
    uint32_t types
    bint hard

# What the losers owe for one form, in quarters of a point before stake (two factors may be halves), at most SHARE_MAX.
cdef struct Shares:
    uint64_t owed[SEATS]
    uint64_t capped[SEATS]
    uint64_t owed_sum, capped_sum
    Form form
    int liable
    bint golden


# ---- shape -----------------------------------------------------------------------------------------------------

cdef bint search(uint8_t* counts, int kind, int sets, bint head, int wild, bint head_258,
                 bint chow) noexcept nogil:
    """Can natural tiles and wildcards make `sets` sets and, with `head`, a pair; with `chow`, a chow among them?

    Natural tiles below `kind` are used up. Where a set can take a natural tile it does: a wildcard in its place
    could change places with it.
    """
    cdef int start, i, use, need
    cdef bint found = False
    while kind < KINDS and counts[kind] == 0:
        kind += 1
    if kind == KINDS:       # the rest are wildcards, and their number is right
        return sets > 0 or not chow
    if sets:
        use = min(counts[kind], 3)
        if 3 - use <= wild:
            counts[kind] -= use
            found = search(counts, kind, sets - 1, head, wild - (3 - use), head_258, chow)
            counts[kind] += use
            if found:
                return True
        if kind < HONOURS:
            for start in range(max(kind - 2, kind // 9 * 9), min(kind, kind // 9 * 9 + 6) + 1):
                need = 0
                use = 0     # bit i: the chow takes a natural tile of kind start + i
                for i in range(3):
                    if counts[start + i]:
                        use |= 1 << i
                    else:
                        need += 1
                if need > wild:
                    continue
                for i in range(3):
                    counts[start + i] -= use >> i & 1
                found = search(counts, kind, sets - 1, head, wild - need, head_258, False)
                for i in range(3):
                    counts[start + i] += use >> i & 1
                if found:
                    return True
    if head and (not head_258 or KINDS_258 >> kind & 1):
        use = min(counts[kind], 2)
        if 2 - use <= wild:
            counts[kind] -= use
            found = search(counts, kind, sets, False, wild - (2 - use), head_258, chow)
            counts[kind] += use
    return found


cdef bint searched(const Reading* r, bint head_258, bint chow) noexcept nogil:
    cdef uint8_t counts[KINDS]
    cdef uint64_t kinds
    cdef int i
    memset(counts, 0, KINDS)
    for i in range(4):
        kinds = r.at_least[i]
        while kinds:
            counts[lowest(kinds)] += 1
            kinds &= kinds - 1
    if r.fifth != NONE:
        counts[r.fifth] += 1
    return search(counts, 0, r.sets, True, r.wild, head_258, chow)


cdef inline bint standard(const Rules* rules, const Reading* r, bint head_258) noexcept nogil:
    """Do the tiles make sets and a pair (a 258 pair)?"""
    if missing(rules.head_258 if head_258 else rules.any_head, r.key, r.sets) > r.wild + (r.fifth != NONE):
        return False
    return r.fifth == NONE or searched(r, head_258, False)


cdef inline bint with_chow(const Reading* r, bint head_258) noexcept nogil:
    """Is a chow among the sets of some split? Asked where the tiles make sets and a pair."""
    cdef uint64_t have = r.at_least[0]
    if r.sets == 0 or (r.wild == 0 and CHOW_STARTS & have & have >> 1 & have >> 2 == 0):
        return False
    return searched(r, head_258, True)


cdef inline bint triplets(const Reading* r, bint* head_258) noexcept nogil:
    """Do the tiles make triplets and a pair? Then head_258 tells whether the pair can be 258.

    A kind with up to three tiles goes into one triplet, with more into two; the pair saves one for a kind with 1, 2,
    4 or 5 tiles. Wildcards fill, and their number is right. With a triplet to spare the pair is two wildcards.
    """
    cdef int spare = r.sets - popcount(r.at_least[0]) - popcount(r.at_least[3])
    cdef uint64_t pair = r.at_least[0] & ~r.at_least[2] | r.at_least[3]
    head_258[0] = spare >= 0 or (spare == -1 and pair & KINDS_258 != 0)
    return head_258[0] or (spare == -1 and pair != 0)


# ---- checks 1 to 5 ---------------------------------------------------------------------------------------------

cdef inline int barred(const Rules* rules, const Seat* seat) noexcept nogil:
    """Checks 1 and 2."""
    if seat.blocked:
        return HOLDS_KONG_TILE
    if rules.open_melds != OPEN_NONE and seat_opens(seat, rules) == 0:
        return NOT_OPEN
    return WINS


cdef int checked(const Rules* rules, const Seat* seat, uint32_t types, bint has_258, bint pair_alone,
                 bint hard, Form* out, int* why) noexcept nogil:
    """Checks 4 and 5 of one form; 1 if it passes. `pair_alone`: quanqiuren but for the kind of pair."""
    cdef int refusal = WINS
    if pair_alone and (has_258 or (rules.quanqiuren_any_if_big and types)):
        types |= QUANQIUREN
    if not has_258 and types & rules.head_258_free == 0:
        refusal = HEAD_NOT_258
    elif types == 0 and seat.wild > rules.small_wild_max:
        refusal = TOO_MANY_WILD
    if refusal:
        why[0] = max(why[0], refusal)
        return 0
    out.types = types
    out.hard = hard
    return 1


cdef int forms_of_reading(const Rules* rules, const Seat* seat, const Reading* r, uint32_t types, bint pair_alone,
                          Form* out, int* why) noexcept nogil:
    """Checks 3 to 5 of one reading; how many forms pass. `types`: those that the occasion gives."""
    cdef bint chow, pungs = False, pungs_258 = False, chows_258
    cdef uint64_t kinds = r.at_least[0] | melded(seat, &chow)
    cdef int n = 0, suit = SUIT[lowest(kinds)]
    if suit < 3 and kinds >> 9 * suit < 512:
        types |= QINGYISE
    if kinds & ~WINDS == 0:
        types |= FENGYISE
    if kinds & ~KINDS_258 == 0:
        types |= JIANGYISE
    if rules.shapes & SHAPE_STANDARD and standard(rules, r, False):
        if not chow:
            pungs = triplets(r, &pungs_258)
        # Where triplets do not exist (with such a pair), every split has a chow.
        chows_258 = standard(rules, r, True) and (not pungs_258 or with_chow(r, True))
        if pungs:
            n += checked(rules, seat, types | PENGPENGHU, pungs_258, pair_alone, r.hard, &out[n], why)
        if chows_258 or not pungs or with_chow(r, False):
            n += checked(rules, seat, types, chows_258, pair_alone, r.hard, &out[n], why)
    if (rules.shapes & SHAPE_ALL_258 and types & JIANGYISE) or (rules.shapes & SHAPE_ALL_WINDS and types & FENGYISE):
        n += checked(rules, seat, types, True, False, r.hard, &out[n], why)
    return n


cdef int forms(const Rules* rules, const Special* special, const Seat* seat, int fifth, uint32_t types,
               bint quanqiuren, Form* out, int* why) noexcept nogil:
    """Checks 3 to 5; how many forms pass, and in `why` the refusal where none does.

    `fifth`: a kind of which the seat holds one tile more than its key and masks count, else NONE. `types`: those that
    the occasion gives. `quanqiuren`: the occasion allows it.
    """
    cdef Reading r
    cdef int i, n = 0, wild = special.wild
    cdef bint pair_alone = quanqiuren and seat.n_melds == 4 and exposed_melds(seat) == 4
    memcpy(r.key, seat.key, sizeof(r.key))
    memcpy(r.at_least, seat.at_least, sizeof(r.at_least))
    r.sets = 4 - seat.n_melds
    why[0] = NO_SHAPE
    if seat.wild:
        r.hard = False
        r.wild = seat.wild
        r.fifth = NONE if fifth == wild else fifth
        n = forms_of_reading(rules, seat, &r, types, pair_alone, out, why)
        if n == 0 and why[0] == NO_SHAPE:       # then the hard reading has none either
            return 0
        for i in range(min(seat.wild, 4)):
            r.at_least[i] |= bit(wild)
            r.key[SUIT[wild]] += POW[wild]
    r.hard = True
    r.wild = 0
    r.fifth = fifth
    return n + forms_of_reading(rules, seat, &r, types, pair_alone, &out[n], why)


cdef int forms_with(const Rules* rules, const Special* special, const Seat* seat, int kind, uint32_t types,
                    Form* out) noexcept nogil:
    """Forms of a self-draw of `kind`, of which the seat may hold four already (RULES.md section 6: whether or not a
    tile of it is left)."""
    cdef Seat held = seat[0]
    cdef int why, fifth = NONE
    if held.counts[kind] < 4:
        seat_add(&held, special, kind)
    else:
        fifth = kind
        held.wild += kind == special.wild
    return forms(rules, special, &held, fifth, types, rules.quanqiuren_self_draw, out, &why)


cdef bint ready(const Rules* rules, const Special* special, const Seat* seats, int seat) noexcept nogil:
    """Would some kind complete the seat's hand as a plain self-draw under checks 1 to 5? RULES.md section 6."""
    cdef Form found[FORMS]
    cdef int kind
    if barred(rules, &seats[seat]):
        return False
    for kind in range(KINDS):
        if special.blocked >> kind & 1 == 0 and forms_with(rules, special, &seats[seat], kind, 0, found):
            return True
    return False


# ---- points ----------------------------------------------------------------------------------------------------

cdef inline uint64_t times(uint64_t a, uint64_t b) noexcept nogil:
    """a * b, at most SHARE_MAX; both are at least 1."""
    if <double>a * <double>b >= <double>SHARE_MAX:
        return SHARE_MAX
    return a * b


cdef inline uint64_t power(uint64_t product, uint64_t factor, int count) noexcept nogil:
    cdef int i
    for i in range(count):
        product = times(product, factor)
    return product


cdef uint64_t carried(const Rules* rules, const Seat* seat, int robbed) noexcept nogil:
    """The factors that a seat carries as winner and as loser alike. `robbed`: kind of an added kong that does not
    stand, else NONE."""
    cdef uint64_t product
    cdef int i, kind, exposed = 0, concealed = 0, opens = seat_opens(seat, rules)
    for i in range(seat.n_melds):
        kind = seat.melds[i].kind
        if kind == CONCEALED_KONG:
            concealed += 1
        elif kind != CHOW and kind != PUNG:
            exposed += not (kind == ADDED_KONG and seat.melds[i].tile == robbed)
    product = <uint64_t>1 << (opens if rules.open_per_meld else min(opens, 1))
    product = power(product, rules.kong_exposed, exposed)
    product = power(product, rules.kong_concealed, concealed)
    product = power(product, rules.kong_red, seat.red_kongs)
    product = power(product, rules.kong_wild, seat.wild_kongs)
    product = power(product, rules.kong_skin, seat.skin_kongs)
    return power(product, rules.wild_discard, seat.wild_discards)


cdef void owe(const Rules* rules, const uint64_t* own, int winner, int payer, bint self_draw, int dealer,
              const Form* form, Shares* out) noexcept nogil:
    """Shares before caps. `own`: what each seat carries; `payer`: who counts as the discarder, else NONE."""
    cdef uint64_t common, share
    cdef int seat, n = popcount(form.types), draw_x2, discard_x2, dealer_x2 = 2
    if n:
        common = rules.big_base * n if rules.big_add else rules.big_base << (n - 1)
        if form.types & FENGYISE:
            common *= rules.fengyise
        draw_x2 = rules.big_self_draw
        discard_x2 = rules.big_discarder
    else:
        common = rules.small_base
        draw_x2 = rules.small_self_draw
        discard_x2 = rules.small_discarder
        dealer_x2 = rules.small_dealer
    if form.hard:
        common *= rules.hard
    common = times(common, own[winner])
    out.form = form[0]
    out.owed_sum = 0
    for seat in range(SEATS):
        share = 0
        if seat != winner:
            share = times(common, own[seat])
            share = times(share, draw_x2 if self_draw else discard_x2 if seat == payer else 2)
            share = times(share, dealer_x2 if dealer == winner or dealer == seat else 2)
        out.owed[seat] = share
        out.owed_sum += share


cdef void cap(const Rules* rules, int winner, int liable, Shares* s) noexcept nogil:
    """Shares after caps, with `liable` (seat or NONE). RULES.md section 5."""
    cdef uint64_t limit = 4 * <uint64_t>(rules.per_payer if liable == NONE else rules.liable)
    cdef int seat
    s.liable = liable
    s.golden = liable == NONE and limit != 0 and rules.golden != 0
    s.capped_sum = 0
    for seat in range(SEATS):
        s.golden = s.golden and (seat == winner or s.owed[seat] >= limit)
    for seat in range(SEATS):
        s.capped[seat] = s.owed[seat]
        if seat == winner:
            continue
        if s.golden:
            s.capped[seat] = 4 * <uint64_t>rules.golden
        elif limit:
            s.capped[seat] = min(s.owed[seat], limit)
        s.capped_sum += s.capped[seat]


cdef inline bint reaches_minimum(const Rules* rules, int winner, const Shares* s) noexcept nogil:
    """Check 6."""
    cdef int seat, n = 0
    if rules.minimum == MINIMUM_NONE:
        return True
    for seat in range(SEATS):
        n += seat != winner and s.capped[seat] >= 4 * <uint64_t>rules.minimum_points
    return n == SEATS - 1 if rules.minimum == MINIMUM_EACH_PAYER else n > 0


cdef inline bint better(const Shares* a, const Shares* b) noexcept nogil:
    if a.capped_sum != b.capped_sum:
        return a.capped_sum > b.capped_sum
    if a.owed_sum != b.owed_sum:
        return a.owed_sum > b.owed_sum
    if a.form.hard != b.form.hard:
        return a.form.hard
    return popcount(a.form.types) > popcount(b.form.types)


cdef void konger_shares(const Rules* rules, const Special* special, const Seat* seats, int konger, int dealer,
                        Shares* best) noexcept nogil:
    """What the konger would have collected on its best replacement tile. RULES.md section 6, rule 1."""
    cdef uint64_t own[SEATS]
    cdef Form found[FORMS]
    cdef Shares s
    cdef int kind, i, n
    cdef bint any_wins = False
    for i in range(SEATS):
        own[i] = carried(rules, &seats[i], NONE)
    # where no kind wins: a big win all the same
    found[0].types = GANGSHANGHUA
    found[0].hard = seats[konger].wild == 0
    owe(rules, own, konger, NONE, True, dealer, &found[0], best)
    cap(rules, konger, konger, best)
    if barred(rules, &seats[konger]):
        return
    for kind in range(KINDS):
        if special.blocked >> kind & 1:
            continue
        n = forms_with(rules, special, &seats[konger], kind, GANGSHANGHUA, found)
        for i in range(n):
            owe(rules, own, konger, NONE, True, dealer, &found[i], &s)
            cap(rules, konger, konger, &s)
            if not any_wins or better(&s, best):
                best[0] = s
                any_wins = True


cdef inline int liable_seat(const Rules* rules, const Special* special, const Seat* seats, const Finish* finish,
                            uint32_t types, int* discarder_ready) noexcept nogil:
    """Who is liable, or NONE. RULES.md section 6. `discarder_ready` keeps that answer, UNKNOWN at first."""
    cdef const Seat* winner = &seats[finish.winner]
    cdef int i, n = 0
    if finish.source == ROB_KONG:
        return finish.loser
    if types & QUANQIUREN and finish.source == DISCARD:
        if rules.liability_quanqiuren == QQR_HEAD_258 and KINDS_258 >> finish.tile & 1:
            return finish.loser
        if rules.liability_quanqiuren == QQR_NOT_READY:
            if discarder_ready[0] == UNKNOWN:
                discarder_ready[0] = ready(rules, special, seats, finish.loser)
            if not discarder_ready[0]:
                return finish.loser
    if types & rules.third_meld:
        for i in range(winner.n_melds):
            n += winner.melds[i].kind != CONCEALED_KONG
            if n == 3:
                return winner.melds[i].feeder
    return NONE


cdef inline int64_t whole(const Rules* rules, uint64_t quarters) noexcept nogil:
    """Points of a share: times stake, rounded half up, at most 2**60."""
    if quarters > SHARE_MAX // <uint64_t>rules.stake:
        return <int64_t>(SHARE_MAX >> 2)
    return <int64_t>((quarters * <uint64_t>rules.stake + 2) >> 2)


cdef void report(const Rules* rules, const Shares* s, int winner, Points* out) noexcept nogil:
    """Owed, capped and deltas: the liable seat pays all shares."""
    cdef int seat
    out.liable = s.liable
    out.golden = s.golden
    for seat in range(SEATS):
        out.owed[seat] = whole(rules, s.owed[seat])
        out.capped[seat] = whole(rules, s.capped[seat])
        out.deltas[seat] = 0
    for seat in range(SEATS):
        out.deltas[winner] += out.capped[seat]
        out.deltas[seat if s.liable == NONE else s.liable] -= out.capped[seat]


cdef void score_factors(const Rules* rules, const Special* special, const Seat* seats, const Finish* finish,
                        Points* out) noexcept nogil:
    """As `score_win`."""
    cdef const Seat* winner = &seats[finish.winner]
    cdef Seat held
    cdef Form found[FORMS]
    cdef Shares s, best
    cdef uint64_t own[SEATS]
    cdef uint32_t types = 0
    cdef int i, n, why, seat = finish.winner, discarder_ready = UNKNOWN
    cdef bint any_passes = False, self_draw = finish.source == SELF_DRAW
    cdef bint robbed = finish.source == ROB_KONG, konger_pays_own = robbed and not rules.robber_hand
    if not self_draw:
        if not robbed and not rules.discard_win:
            out.why = NO_DISCARD_WIN
            return
        if finish.tile == special.wild or special.blocked >> finish.tile & 1:
            out.why = TILE_NOT_CLAIMABLE
            return
    out.why = barred(rules, winner)
    if out.why:
        return
    if not self_draw:
        held = winner[0]
        seat_add(&held, special, finish.tile)
        winner = &held
    if finish.after_kong:
        types |= GANGSHANGHUA
    if finish.last_draw:
        types |= HAIDILAO
    if robbed and rules.qianggang_is_big:
        types |= QIANGGANG
    n = forms(rules, special, winner, NONE, types, not self_draw or rules.quanqiuren_self_draw, found, &why)
    if n == 0:
        out.why = why
        return
    for i in range(SEATS):
        own[i] = carried(rules, &seats[i], finish.tile if robbed and i == finish.loser else NONE)
    for i in range(n):
        owe(rules, own, seat, NONE if self_draw else finish.loser, self_draw, finish.dealer, &found[i], &s)
        cap(rules, seat, liable_seat(rules, special, seats, finish, found[i].types, &discarder_ready), &s)
        # where the konger pays what it would have collected, the minimum is asked of that
        if (konger_pays_own or reaches_minimum(rules, seat, &s)) and (not any_passes or better(&s, &best)):
            best = s
            any_passes = True
    if not any_passes:
        out.why = BELOW_MINIMUM
        return
    out.types = best.form.types
    out.big = best.form.types != 0
    out.hard = best.form.hard
    if konger_pays_own:
        konger_shares(rules, special, seats, finish.loser, finish.dealer, &best)
        if not reaches_minimum(rules, finish.loser, &best):
            out.why = BELOW_MINIMUM
            return
    report(rules, &best, seat, out)
