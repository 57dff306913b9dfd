"""The bot `greedy`: lowest shanten, then most live useful tiles."""

from libc.stdint cimport uint32_t, uint64_t

from wuhan_core._rules cimport goal
from wuhan_core._seat cimport dead_kinds, seat_is_open
from wuhan_core._shape cimport (POW, SUIT, Live, Split, best_discard, highest, live_planes, lowest, missing, spare,
                                split_hand)
from wuhan_core._table cimport (CLAIM_CHOW, CLAIM_KONG, CLAIM_PUNG, DISCARD_TILE, KONG_ADDED, KONG_CONCEALED,
                                KONG_SINGLE, PASS, TURN, WIN, Legal, Table, action)
from wuhan_core._types cimport OPEN_NONE, Rules, Seat, System


cdef inline int missing_less(const System* s, const Seat* seat, int kind, uint32_t less, int sets) noexcept nogil:
    """Tiles missing when so much goes from the key that `kind` belongs to."""
    cdef uint32_t key[4]
    key[0] = seat.key[0]
    key[1] = seat.key[1]
    key[2] = seat.key[2]
    key[3] = seat.key[3]
    key[SUIT[kind]] -= less
    return missing(s, key, sets)


cdef inline int missing_without(const System* s, const Seat* seat, int kind, int copies, int sets) noexcept nogil:
    return missing_less(s, seat, kind, copies * POW[kind], sets)


cdef inline int missing_after_chow(const System* s, const Seat* seat, int start, int claimed, int sets) noexcept nogil:
    return missing_less(s, seat, start, POW[start] + POW[start + 1] + POW[start + 2] - POW[claimed], sets)


cdef int greedy_claim(const Table* t) noexcept nogil:
    """Claims when it lowers the shanten; the first opening and kongs also when they cost nothing."""
    cdef const Legal* legal = &t.legal
    cdef const Rules* rules = t.rules
    cdef const Seat* seat = &t.seats[t.seat]
    cdef const System* s = goal(rules)
    cdef int kind = t.open_tile, sets = 4 - seat.n_melds
    cdef int now = missing(s, seat.key, sets)
    cdef int best = now, answer = action(PASS, 0), after
    cdef uint64_t rest = legal.chows
    if rules.open_melds != OPEN_NONE and not seat_is_open(seat, rules):
        best = now + 1
    if legal.kong and missing_without(s, seat, kind, 3, sets - 1) <= now:
        return action(CLAIM_KONG, kind)
    if legal.pung:
        after = missing_without(s, seat, kind, 2, sets - 1)
        if after < best:
            best = after
            answer = action(CLAIM_PUNG, kind)
    while rest:
        kind = lowest(rest)
        rest &= rest - 1
        after = missing_after_chow(s, seat, kind, t.open_tile, sets - 1)
        if after < best:
            best = after
            answer = action(CLAIM_CHOW, kind)
    return answer


cdef int greedy_kong(const Table* t, const System* s, const Seat* seat, int sets) noexcept nogil:
    """A kong that costs nothing, or -1: red dragons and barred skins always, wildcards beyond what a small win may hold."""
    cdef const Legal* legal = &t.legal
    cdef uint64_t rest = legal.single & t.special.blocked
    cdef int kind, now
    cdef Split split
    if rest:
        return action(KONG_SINGLE, lowest(rest))
    if seat.wild > t.rules.small_wild_max and legal.single >> t.special.wild & 1:
        return action(KONG_SINGLE, t.special.wild)
    rest = legal.single & seat.at_least[0]
    if rest:
        split_hand(s, seat.key, sets, &split)
        rest = spare(s, seat.key, rest, &split)
        if rest:
            return action(KONG_SINGLE, lowest(rest))
    if legal.concealed | legal.added:
        now = missing(s, seat.key, sets)
        rest = legal.concealed
        while rest:
            kind = lowest(rest)
            rest &= rest - 1
            if missing_without(s, seat, kind, 4, sets - 1) <= now:
                return action(KONG_CONCEALED, kind)
        rest = legal.added
        while rest:
            kind = lowest(rest)
            rest &= rest - 1
            if missing_without(s, seat, kind, 1, sets) <= now:
                return action(KONG_ADDED, kind)
    return -1


cdef int greedy_choice(const Table* t) noexcept nogil:
    cdef const Legal* legal = &t.legal
    cdef const Seat* seat = &t.seats[t.seat]
    cdef const System* s = goal(t.rules)
    cdef int sets = 4 - seat.n_melds
    cdef int answer
    cdef Live live
    if legal.win:
        return action(WIN, 0)
    if t.phase != TURN:
        return greedy_claim(t)
    if legal.single | legal.concealed | legal.added:
        answer = greedy_kong(t, s, seat, sets)
        if answer >= 0:
            return answer
    if not seat.at_least[0]:            # wildcards or barred tiles alone
        return action(DISCARD_TILE, highest(legal.discards))
    live_planes(seat.at_least, t.seen, &live)
    return action(DISCARD_TILE, best_discard(s, seat.key, seat.at_least[0], dead_kinds(&t.special), &live, sets))
