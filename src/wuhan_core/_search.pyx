"""search: plays the hand out from worlds that the seat cannot tell from the true one, and takes what brings most.

Flat Monte Carlo over determinisations (Ginsberg, "GIB: imperfect information in a computationally challenging game", JAIR
14, 2001): every candidate is played out in the same worlds, so that luck common to all cancels. Candidates that fall
clearly behind are dropped between batches (Maron and Moore, "Hoeffding races", NIPS 1993, here with standard errors).
"""

from libc.math cimport sqrt
from libc.stdint cimport uint64_t

from wuhan_core._careful cimport Cares, careful_choice
from wuhan_core._greedy cimport greedy_choice
from wuhan_core._planner cimport planner_choice
from wuhan_core._rng cimport Rng
from wuhan_core._rules cimport goal
from wuhan_core._sample cimport Unseen, sample, sample_begin
from wuhan_core._seat cimport bit, dead_kinds
from wuhan_core._shape cimport Live, best_discard, live_planes, lowest
from wuhan_core._table cimport (CLAIM_CHOW, CLAIM_KONG, CLAIM_PUNG, DISCARD_TILE, KONG_ADDED, KONG_CONCEALED,
                                KONG_SINGLE, LAST, OVER, PASS, WIN, Legal, Table, action, table_allows, table_step)
from wuhan_core._types cimport FACTORS, Seat, System

from wuhan_core.policies import CAREFUL

cdef enum:
    BATCH = 8               # playouts between two looks at who has fallen behind


cdef enum Player:           # parameter `policy`: who plays the hand out
    GREEDY_PLAYS = 0
    PLANNER_PLAYS = 1
    CAREFUL_PLAYS = 2

cdef Cares defaults         # the planner's first
for i, parameter in enumerate(CAREFUL):
    (<double*>&defaults)[i] = parameter.default


cdef inline int answer(int player, const Table* t) noexcept nogil:
    if player == PLANNER_PLAYS:
        return planner_choice(t, &defaults.plan)
    if player == CAREFUL_PLAYS:
        return careful_choice(t, &defaults)
    return greedy_choice(t)


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
    cdef uint64_t dead = dead_kinds(&t.special)
    cdef Live live
    cdef int kind, i = 0, before
    system[0] = goal(t.rules)
    system[1] = t.rules.any_head
    held[0] = held[1] = seat.at_least[0]
    live_planes(seat.at_least, t.seen, &live)
    while held[i] and w.n < most:
        before = w.n
        kind = best_discard(system[i], seat.key, held[i], dead, &live, 4 - seat.n_melds)
        held[i] &= ~bit(kind)
        add(w, most, action(DISCARD_TILE, kind))
        if t.rules.model == FACTORS:
            i = 1 - i
    add_kinds(w, most, DISCARD_TILE, t.legal.discards & ~seat.at_least[0])


cdef void find_candidates(int player, const Table* t, Weighed* w, int most) noexcept nogil:
    """The playouts' own answer first, then every claim and kong, then discards."""
    cdef const Legal* legal = &t.legal
    w.n = 0
    add(w, MAX_CANDIDATES, answer(player, t))
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


cdef inline double play_out(int player, Table* t, int who, int act) noexcept nogil:
    """Points of `who` when it does `act` and the playouts' bot goes on at every seat."""
    if table_allows(t, act):        # what the rules allow may hang on what others hold (who is liable, and its cap)
        table_step(t, act)
    while t.phase != OVER:
        table_step(t, answer(player, t))
    return t.points.deltas[who]


cdef double lead(const Weighed* w, int i) noexcept nogil:
    """Standard errors by which candidate i is ahead of candidate 0, over the worlds that both were played in."""
    cdef double n = w.tried[i], over = w.over[i]
    cdef double spread = n * w.square[i] - over * over
    if over == 0:
        return 0
    if spread <= 0:                     # n tries, all alike
        return over * n
    return over * sqrt((n - 1) / spread)


cdef void weigh(const double* value, const Table* t, Rng* rng, Weighed* out) noexcept nogil:
    """Precondition: the hand is not over."""
    cdef int playouts = <int>value[PLAYOUTS], who = t.seat, player = <int>value[POLICY]
    cdef Unseen unseen
    cdef Table world, copy
    cdef bint dropped[MAX_CANDIDATES]
    cdef double points, base = 0, done, bound
    cdef int i, n, open
    find_candidates(player, t, out, <int>value[CANDIDATES])
    for i in range(out.n):
        out.tried[i] = 0
        out.sum[i] = out.over[i] = out.square[i] = 0
        dropped[i] = False
    out.best = 0
    open = out.n - 1
    if not open:
        return
    sample_begin(&unseen, t)
    for n in range(1, playouts + 1):
        sample(&unseen, value[TURNS], player == GREEDY_PLAYS, rng, &world)
        while world.phase == t.phase and world.seat != who:     # those who are asked first about an open tile
            table_step(&world, answer(player, &world))
        for i in range(out.n):
            if dropped[i]:
                continue
            copy = world
            points = play_out(player, &copy, who, out.act[i])
            if i == 0:
                base = points
            out.tried[i] += 1
            out.sum[i] += points
            points -= base
            out.over[i] += points
            out.square[i] += points * points
        if n % BATCH == 0 and n < playouts:
            done = n / <double>playouts
            bound = value[MARGIN] * done - value[DROP] * (1 - done)
            for i in range(1, out.n):
                if not dropped[i] and lead(out, i) < bound:
                    dropped[i] = True
                    open -= 1
            if not open:
                return
    for i in range(1, out.n):
        if not dropped[i] and out.over[i] > out.over[out.best] and lead(out, i) > value[MARGIN]:
            out.best = i


cdef int search_choice(const double* value, const Table* t, Rng* rng) noexcept nogil:
    cdef Weighed w
    if t.phase == LAST:
        return answer(<int>value[POLICY], t)
    weigh(value, t, rng, &w)
    return w.act[w.best]
