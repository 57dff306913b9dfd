"""The planner where points leave little to plan, in the models "codes" and "patterns": greedy's play, and seven pairs.

No hand of seven pairs has a meld, so a hand that is clearly nearer to them claims nothing and kongs nothing.
"""

from libc.stdint cimport uint64_t

from wuhan_core._greedy cimport greedy_choice
from wuhan_core._seat cimport bit, odd_kinds
from wuhan_core._shape cimport Live, live_copies, live_planes, lowest, missing, popcount
from wuhan_core._table cimport DISCARD_TILE, PASS, TURN, Table, action
from wuhan_core._types cimport SHAPE_SEVEN_PAIRS, Seat


cdef int pairs_missing(const Seat* seat) noexcept nogil:
    """Tiles missing for seven pairs; wildcards cost nothing, four alike are two pairs."""
    return 7 - (popcount(seat.at_least[1]) + popcount(seat.at_least[3]))


cdef int plain_choice(const Table* t) noexcept nogil:
    """Not asked where a win is legal."""
    cdef const Seat* seat = &t.seats[t.seat]
    cdef uint64_t odd
    cdef Live live
    cdef int kind, copies, fewest = 9, best = -1
    if seat.n_melds or not t.rules.shapes & SHAPE_SEVEN_PAIRS:
        return greedy_choice(t)
    # two tiles nearer, since nobody can claim for them and few kinds are useful
    if pairs_missing(seat) + 2 > missing(t.rules.any_head, seat.key, 4):
        return greedy_choice(t)
    if t.phase != TURN:
        return action(PASS, 0)
    odd = odd_kinds(seat.at_least)
    if not odd:
        return greedy_choice(t)
    live_planes(seat.at_least, t.seen, &live)
    while odd:
        kind = lowest(odd)
        odd &= odd - 1
        copies = live_copies(&live, bit(kind))
        if copies <= fewest:
            fewest, best = copies, kind
    return action(DISCARD_TILE, best)
