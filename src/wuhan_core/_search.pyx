"""search: plays the hand out from worlds that the seat cannot tell from the true one, and takes what brings most.

Flat Monte Carlo over determinisations (Ginsberg, "GIB: imperfect information in a computationally challenging game", JAIR
14, 2001): every candidate is played out in the same worlds, so that luck common to all cancels. Candidates that fall
clearly behind are dropped between batches (Maron and Moore, "Hoeffding races", NIPS 1993, here with standard errors).
"""

from libc.stdint cimport int16_t, int64_t, uint64_t

from wuhan_core._greedy cimport greedy_choice
from wuhan_core._rng cimport Rng
from wuhan_core._sample cimport Unseen, sample, sample_begin
from wuhan_core._seat cimport bit
from wuhan_core._shape cimport Live, best_discard, live_planes, lowest
from wuhan_core._table cimport (CLAIM, CLAIM_CHOW, CLAIM_KONG, CLAIM_PUNG, DISCARD_TILE, KONG_ADDED, KONG_CONCEALED,
                                KONG_SINGLE, LAST, OVER, PASS, ROB, TURN, WIN, Legal, Table, action, table_allows, table_step)
from wuhan_core._types cimport FACTORS, Seat, System

cdef inline void add(Weighed* w, int most, int act) noexcept nogil:
    cdef int i
    if w.n >= most:
        return
    for i in range(w.n):
        if w.act[i] == act:
            return
    w.act[w.n] = act
    w.n += 1


cdef inline void add_kinds(Weighed* w, int most, int verb, uint64_t kinds) noexcept nogil:
    while kinds:
        add(w, most, action(verb, lowest(kinds)))
        kinds &= kinds - 1


cdef void add_discards(const Table* t, Weighed* w, int most) noexcept nogil:
    """The best discards by shanten and useful tiles, in turn for the pair that a small win needs and for any pair."""
    cdef const Seat* seat = &t.seats[t.seat]
    cdef const System* system[2]
    cdef uint64_t held[2]
    cdef uint64_t dead = seat.at_least[3] | t.special.blocked
    cdef Live live
    cdef int kind, i = 0, before
    system[0] = t.rules.head_258 if t.rules.model == FACTORS else t.rules.any_head
    system[1] = t.rules.any_head
    held[0] = held[1] = seat.at_least[0]
    if t.special.wild >= 0:
        dead |= bit(t.special.wild)
    live_planes(seat.at_least, t.seen, &live)
    while held[i] and w.n < most:
        before = w.n
        kind = best_discard(system[i], seat.key, held[i], dead, &live, 4 - seat.n_melds)
        held[i] &= ~bit(kind)
        add(w, most, action(DISCARD_TILE, kind))
        if t.rules.model == FACTORS:
            i = 1 - i
    add_kinds(w, most, DISCARD_TILE, t.legal.discards & ~seat.at_least[0])


cdef void find_candidates(const Table* t, Weighed* w, int most) noexcept nogil:
    """The playouts' own answer first, then every claim and kong, then discards."""
    cdef const Legal* legal = &t.legal
    w.n = 0
    add(w, MAX_CANDIDATES, greedy_choice(t))
    if legal.win:
        add(w, MAX_CANDIDATES, action(WIN, 0))
    if legal.may_pass:
        add(w, MAX_CANDIDATES, action(PASS, 0))
    if legal.pung:
        add(w, MAX_CANDIDATES, action(CLAIM_PUNG, t.open_tile))
    if legal.kong:
        add(w, MAX_CANDIDATES, action(CLAIM_KONG, t.open_tile))
    add_kinds(w, MAX_CANDIDATES, CLAIM_CHOW, legal.chows)
    add_kinds(w, MAX_CANDIDATES, KONG_CONCEALED, legal.concealed)
    add_kinds(w, MAX_CANDIDATES, KONG_ADDED, legal.added)
    add_kinds(w, MAX_CANDIDATES, KONG_SINGLE, legal.single)
    if legal.discards:
        add_discards(t, w, most)


cdef inline double play_out(Table* t, int who, int act) noexcept nogil:
    """Points of `who` when it does `act` and greedy bots go on."""
    if table_allows(t, act):        # what the rules allow may hang on what others hold (who is liable, and its cap)
        table_step(t, act)
    while t.phase != OVER:
        table_step(t, greedy_choice(t))
    return t.points.deltas[who]


cdef void weigh(const double* value, const Table* t, Rng* rng, Weighed* out) noexcept nogil:
    cdef int playouts = <int>value[PLAYOUTS]
    cdef double margin = value[MARGIN], drop = value[DROP], turns = value[TURNS]
    cdef Unseen unseen
    cdef Table world, copy
    cdef double d, n, base = 0
    cdef int i, round, open, who = t.seat, phase = t.phase, check = 8
    cdef bint out_of_it[MAX_CANDIDATES]
    find_candidates(t, out, <int>value[CANDIDATES])
    out.best = 0
    for i in range(out.n):
        out.tried[i] = 0
        out.sum[i] = out.over[i] = out.square[i] = 0
        out_of_it[i] = False
    if out.n == 1:
        return
    sample_begin(&unseen, t)
    open = out.n - 1
    for round in range(playouts):
        sample(&unseen, turns, rng, &world)
        while world.phase == phase and world.seat != who:
            table_step(&world, greedy_choice(&world))
        for i in range(out.n):
            if out_of_it[i]:
                continue
            copy = world
            d = play_out(&copy, who, out.act[i])
            if i == 0:
                base = d
            out.tried[i] += 1
            out.sum[i] += d
            d -= base
            out.over[i] += d
            out.square[i] += d * d
        if round + 1 == check:
            check *= 2
            n = round + 1
            for i in range(1, out.n):
                if not out_of_it[i] and out.over[i] < 0 and out.over[i] * out.over[i] * (n - 1) > drop * drop * (n * out.square[i] - out.over[i] * out.over[i]):
                    out_of_it[i] = True
                    open -= 1
            if open == 0:
                return
    n = playouts
    for i in range(1, out.n):
        if not out_of_it[i] and out.over[i] > out.over[out.best]:
            if out.over[i] * out.over[i] * (n - 1) > margin * margin * (n * out.square[i] - out.over[i] * out.over[i]):
                out.best = i


cdef int search_choice(const double* value, const Table* t, Rng* rng) noexcept nogil:
    cdef Weighed w
    if t.phase == LAST:
        return greedy_choice(t)
    weigh(value, t, rng, &w)
    return w.act[w.best]
