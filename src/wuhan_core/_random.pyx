"""The bot `random`: uniform over the legal actions, but a win is always taken."""

from wuhan_core._rng cimport Rng, rng_below
from wuhan_core._shape cimport nth, popcount
from wuhan_core._table cimport (CLAIM_CHOW, CLAIM_KONG, CLAIM_PUNG, DISCARD_TILE, KONG_ADDED, KONG_CONCEALED,
                                KONG_SINGLE, PASS, TURN, WIN, Legal, Table, action)


cdef int random_choice(const Table* t, Rng* rng) noexcept nogil:
    cdef const Legal* legal = &t.legal
    cdef int discards, added, concealed, singles, n
    if legal.win:
        return action(WIN, 0)
    if t.phase != TURN:
        n = rng_below(rng, 1 + legal.pung + legal.kong + popcount(legal.chows))
        if n == 0:
            return action(PASS, 0)
        n -= 1
        if n < legal.pung:
            return action(CLAIM_PUNG, t.open_tile)
        n -= legal.pung
        if n < legal.kong:
            return action(CLAIM_KONG, t.open_tile)
        return action(CLAIM_CHOW, nth(legal.chows, n - legal.kong))
    discards = popcount(legal.discards)
    if not (legal.added | legal.concealed | legal.single):
        return action(DISCARD_TILE, nth(legal.discards, rng_below(rng, discards)))
    added, concealed, singles = popcount(legal.added), popcount(legal.concealed), popcount(legal.single)
    n = rng_below(rng, discards + added + concealed + singles)
    if n < discards:
        return action(DISCARD_TILE, nth(legal.discards, n))
    n -= discards
    if n < added:
        return action(KONG_ADDED, nth(legal.added, n))
    n -= added
    if n < concealed:
        return action(KONG_CONCEALED, nth(legal.concealed, n))
    return action(KONG_SINGLE, nth(legal.single, n - concealed))
