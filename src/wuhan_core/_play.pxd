# The play of one hand, for loops over hands: deal a table, then
#
#     next_hand(guests, n)                      (where bots in Python sit)
#     play_on(&t, seated, bot_of_seat, rngs, guests, hand, ALL_TURNS)
#
from libc.stdint cimport int64_t, uint8_t

from wuhan_core._policy cimport Bot
from wuhan_core._rng cimport Rng
from wuhan_core._table cimport Table
from wuhan_core._types cimport HandRecord

cdef enum:
    GUEST = -1              # in place of a compiled bot's kind
    ALL_TURNS = 256         # more draws than a hand has

cdef class Guests:
    """Bots written in Python, for one call of a loop."""

    cdef list bots              # by bot of the task; None for a compiled one
    cdef list seated            # by seat in this hand

    cdef int ask(self, const Table* t, int bot, int64_t hand) except -1

cdef tuple check_game(list faults, object rules, tuple bots, object seed, object first, object count, object deal,
                      tuple deals, object draws)
cdef Guests compile_bots(tuple bots, Bot* out)
cdef int ask_guest(void* guests, const Table* t, int bot, int64_t hand) except -1 with gil
cdef int next_hand(void* guests, int players) except -1 with gil    # before the first question of a hand
cdef int play_on(Table* t, const Bot** seated, const uint8_t* bot_of_seat, Rng* rngs, void* guests,
                 int64_t hand, int turns) except -1 nogil
cdef void write_record(HandRecord* out, const Table* t) noexcept nogil
