from libc.stdint cimport int64_t

from wuhan_core._table cimport Table
from wuhan_core._types cimport HandRecord

cdef enum:
    GUEST = -1              # in place of a compiled bot's kind

cdef class Guests:
    """Bots written in Python, for one call of a loop."""

    cdef list bots              # by bot of the task; None for a compiled one
    cdef list seated            # by seat in this hand

    cdef int ask(self, const Table* t, int bot, int64_t hand) except -1

cdef int ask_guest(void* guests, const Table* t, int bot, int64_t hand) except -1 with gil
cdef int next_hand(void* guests, int players) except -1 with gil    # before the first question of a hand
cdef void write_record(HandRecord* out, const Table* t) noexcept nogil
