from libc.stdint cimport uint8_t, uint64_t

from wuhan_core._rng cimport Rng
from wuhan_core._types cimport WALL, Rules

cdef inline int wall_size(const Rules* rules) noexcept nogil:
    """Tiles of a game: all, or the suits and the red dragons."""
    return 112 if rules.suits_red else WALL

cdef int seed_key(object seed, uint64_t* key) except -1
cdef void shuffle(uint8_t* items, int n, Rng* rng) noexcept nogil
cdef void shuffle_wall(uint8_t* wall, int size, const uint64_t* key, uint64_t number) noexcept nogil
cdef void seat_bots(uint8_t* seating, int n, const uint64_t* key, uint64_t number) noexcept nogil
