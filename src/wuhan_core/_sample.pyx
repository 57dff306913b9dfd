"""A world that a seat cannot tell from the true one: what it cannot see is dealt anew.

A determinisation, as in Ginsberg's "GIB: imperfect information in a computationally challenging game" (JAIR 14, 2001).
Nothing hidden is read: neither the others' tiles nor what is derived from them, nor the wall, nor their answers to the tile
that lies open.
"""

from libc.stdint cimport uint64_t
from libc.string cimport memset

from wuhan_core._rng cimport Rng, rng_below
from wuhan_core._rules cimport goal
from wuhan_core._seat cimport bit, dead_kinds, seat_add, seat_remove
from wuhan_core._shape cimport Live, Split, best_discard, live_planes, lowest, split_hand, useful
from wuhan_core._table cimport CLAIM, PASS, ROB, Table, ask_others, held_blocked, is_taken, renew
from wuhan_core._types cimport HONOURS, KINDS, RED, SEATS, WALL, Rules, Seat, System
from wuhan_core._wall cimport shuffle


cdef void sample_begin(Unseen* unseen, const Table* t) noexcept nogil:
    """Precondition: t is not over. t.seat is who does not see."""
    cdef Table* bare = &unseen.bare
    cdef Seat* seat
    cdef int kind, copies, i
    bare[0] = t[0]
    unseen.tiles = unseen.places = 0
    for kind in range(KINDS):
        if t.size != WALL and kind >= HONOURS and kind != RED:
            continue
        copies = 4 - t.seats[t.seat].counts[kind]
        for i in range(4):
            copies -= t.seen[i] >> kind & 1
        for i in range(copies):
            unseen.pool[unseen.tiles] = kind
            unseen.tiles += 1
    for i in range(t.first, t.size):
        if not is_taken(t, i):
            unseen.free[unseen.places] = i
            unseen.places += 1
    for i in range(SEATS):
        unseen.holds[i] = 0
        if i == t.seat or i >= t.rules.players:
            continue
        seat = &bare.seats[i]
        unseen.holds[i] = seat.tiles
        memset(seat.counts, 0, sizeof(seat.counts))
        memset(seat.key, 0, sizeof(seat.key))
        memset(seat.at_least, 0, sizeof(seat.at_least))
        seat.wild = seat.blocked = seat.tiles = seat.skipped = 0
        seat.bao_had = seat.wild_discards + seat.wild_kongs
        bare.far[i] = 0             # reckoned anew
        bare.ready_turn[i] = bare.start_shanten[i] = -1
        bare.start_wild[i] = 0
    if t.phase == CLAIM or t.phase == ROB:
        bare.claimed = False        # all answer at once: nobody knows what the others say
        for i in range(SEATS):
            bare.answers[i] = PASS


cdef inline uint64_t wanted_kinds(const Table* t, const Seat* seat, const System* s) noexcept nogil:
    """Kinds that the seat would keep: what lowers its shanten, and wildcards. None once it is ready."""
    cdef Split split
    split_hand(s, seat.key, 4 - seat.n_melds, &split)
    if split.missing <= seat.wild + 1:
        return 0
    return useful(s, seat.key, &split) & ~seat.at_least[3] | bit(t.special.wild)


cdef inline void exchange(Table* t, Seat* seat, const System* s, uint8_t* drawn) noexcept nogil:
    """The seat takes the drawn tile and gives back what it needs least."""
    cdef Live live
    seat_add(seat, &t.special, drawn[0])
    live_planes(seat.at_least, t.seen, &live)
    drawn[0] = best_discard(s, seat.key, seat.at_least[0], dead_kinds(&t.special), &live, 4 - seat.n_melds)
    seat_remove(seat, &t.special, drawn[0])


cdef void play_back(Table* t, int who, int times, bint konged, uint8_t* rest, int n, Rng* rng) noexcept nogil:
    """`who` has so many turns over again. konged: it keeps no tiles that bar a win. rest: the n tiles of the wall."""
    cdef Seat* seat = &t.seats[who]
    cdef const System* s = goal(t.rules)
    cdef uint64_t wanted
    cdef uint8_t* drawn
    cdef int kind, i
    for i in range(2 * seat.blocked if konged else 0):      # each has a second chance
        drawn = &rest[rng_below(rng, n)]
        if seat.blocked and not t.special.blocked >> drawn[0] & 1:
            kind = lowest(held_blocked(t, seat))
            seat_add(seat, &t.special, drawn[0])
            seat_remove(seat, &t.special, kind)
            drawn[0] = kind
    wanted = wanted_kinds(t, seat, s)
    for i in range(times):
        if not wanted:
            return
        drawn = &rest[rng_below(rng, n)]
        if wanted >> drawn[0] & 1 and seat.at_least[0]:
            exchange(t, seat, s, drawn)
            wanted = wanted_kinds(t, seat, s)


cdef void sample(Unseen* unseen, double turns, bint konged, Rng* rng, Table* out) noexcept nogil:
    """Every tile that the seat cannot see may lie at every place it cannot see, each order equally likely.

    turns: each of the others then has so many turns over again per tile of its river, as whoever has had many turns
    holds a better hand than a random one. 0: none. konged: they have then konged what bars a win.
    """
    cdef const Rules* rules = unseen.bare.rules
    cdef uint8_t* pool = unseen.pool
    cdef uint8_t wall[WALL]
    cdef int i, who, dealt = 0, times
    out[0] = unseen.bare
    shuffle(pool, unseen.tiles, rng)
    for who in range(rules.players):
        for i in range(unseen.holds[who]):
            seat_add(&out.seats[who], &out.special, pool[dealt])
            dealt += 1
    for i in range(unseen.places):
        wall[i] = pool[dealt + i]
    if turns > 0 and unseen.places:
        for who in range(rules.players):
            times = <int>(turns * out.river_size[who] + 0.5)
            if unseen.holds[who] and times:
                play_back(out, who, times, konged, wall, unseen.places, rng)
    for i in range(unseen.places):
        out.wall[unseen.free[i]] = wall[i]
    for who in range(rules.players):
        if unseen.holds[who]:
            out.seats[who].bao_had += out.seats[who].wild
            renew(out, who)
    if out.phase == CLAIM or out.phase == ROB:
        ask_others(out, out.phase, 1)
