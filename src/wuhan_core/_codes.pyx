"""What a finished hand is worth in the model "codes": RULES.md section 7. The wildcards are always free, and whether a
shape fits is all that points see of a hand."""

from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from wuhan_core._seat cimport bit, odd_kinds, seat_is_open
from wuhan_core._shape cimport POW, SUIT, missing, popcount
from wuhan_core._types cimport (CONCEALED_KONG, DIRECT_KONG, DISCARD, NO_DISCARD_WIN, NO_SHAPE, NONE, NOT_OPEN,
                                OPEN_NONE, PINGHU, PUNG, QIANGGANG, QIDUI, RED, ROB_KONG, SELF_DRAW,
                                SHAPE_SEVEN_PAIRS, SHAPE_STANDARD, Finish, Points, Rules, Seat)


cdef uint32_t shape_of(const Rules* rules, const Seat* seat, int claimed) noexcept nogil:
    """The type that the shape gives, 0 where none fits. `claimed`: a tile not among the concealed ones, else NONE."""
    cdef uint32_t key[4]
    cdef uint64_t odd
    memcpy(key, seat.key, sizeof(key))
    odd = odd_kinds(seat.at_least)
    if claimed != NONE:
        key[SUIT[claimed]] += POW[claimed]
        odd ^= bit(claimed)
    if rules.shapes & SHAPE_STANDARD and missing(rules.any_head, key, 4 - seat.n_melds) <= seat.wild:
        return PINGHU
    if rules.shapes & SHAPE_SEVEN_PAIRS and seat.n_melds == 0 and popcount(odd) <= seat.wild:
        return QIDUI
    return 0


cdef int64_t code_points(const Rules* rules, const Finish* finish, Points* out) noexcept nogil:
    """What the codes turned up so far add to each share, before the multiple."""
    cdef int i, kind, rank, hits = 0
    for i in range(finish.n_codes):
        kind = finish.codes[i]
        rank = 10 if kind == RED else kind % 9 + 1
        if rules.codes_all_in:
            return rank
        hits += rank == 1 or rank == 5 or rank >= 9
    if not rules.codes_all_in:
        out.hits = hits
    return hits * rules.codes_hit_points


cdef void pay_kongs(const Rules* rules, const Seat* seats, int konger, int robbed, Points* out) noexcept nogil:
    """Moves what kongs cost; an added kong of kind `robbed` of the seat `konger` (NONE: nobody) does not stand."""
    cdef int seat, other, i, kind, opponents = rules.players - 1
    cdef int64_t price
    for seat in range(rules.players):
        for i in range(seats[seat].n_melds):
            kind = seats[seat].melds[i].kind
            if kind <= PUNG or (seat == konger and seats[seat].melds[i].tile == robbed):
                continue
            price = (rules.points_kong_direct if kind == DIRECT_KONG
                     else rules.points_kong_concealed if kind == CONCEALED_KONG else rules.points_kong_added)
            price *= rules.points_multiple * rules.stake
            out.kongs[seat] += opponents * price
            if kind == DIRECT_KONG:
                out.kongs[seats[seat].melds[i].feeder] -= opponents * price
                continue
            for other in range(rules.players):
                if other != seat:
                    out.kongs[other] -= price
    for seat in range(rules.players):
        out.deltas[seat] += out.kongs[seat]


cdef void score_codes(const Rules* rules, const Seat* seats, const Finish* finish, Points* out) noexcept nogil:
    """As `score_win`; the codes turned up so far count."""
    cdef const Seat* winner = &seats[finish.winner]
    cdef bint robbed = finish.source == ROB_KONG
    cdef int seat
    cdef int64_t share
    memset(out, 0, sizeof(Points))
    out.liable = finish.loser if robbed else NONE
    out.hits = NONE
    if finish.source == DISCARD and not rules.discard_win:
        out.why = NO_DISCARD_WIN
    elif rules.open_melds != OPEN_NONE and not seat_is_open(winner, rules):
        out.why = NOT_OPEN
    else:
        out.types = shape_of(rules, winner, NONE if finish.source == SELF_DRAW else finish.tile)
        if out.types == 0:
            out.why = NO_SHAPE
    if out.why:
        return
    if robbed:
        out.types |= QIANGGANG
    share = (rules.points_base + code_points(rules, finish, out)) * rules.points_multiple * rules.stake
    for seat in range(rules.players):
        if seat != finish.winner:
            out.owed[seat] = out.capped[seat] = share
            out.deltas[finish.winner] += share
            out.deltas[finish.loser if robbed else seat] -= share
    pay_kongs(rules, seats, finish.loser if robbed else NONE, finish.tile, out)
