# What a seat cannot see, dealt anew:
#
#     sample_begin(&unseen, &t)                 # once per decision
#     sample(&unseen, turns, konged, rng, &world) # as often as wanted; world is a whole table to be played on
from libc.stdint cimport uint8_t

from wuhan_core._rng cimport Rng
from wuhan_core._table cimport Table
from wuhan_core._types cimport SEATS, WALL

# The position as t.seat knows it.
cdef struct Unseen:
    Table bare              # the others hold nothing concealed, the free positions of the wall mean nothing
    uint8_t holds[SEATS]    # concealed tiles that each of the others holds; 0 for the seat itself
    uint8_t pool[WALL]      # kinds of the tiles that the seat cannot see
    int tiles               # of them
    uint8_t free[WALL]      # positions of the wall not drawn yet
    int places              # of them: tiles less what the others hold

cdef void sample_begin(Unseen* unseen, const Table* t) noexcept nogil
cdef void sample(Unseen* unseen, double turns, bint konged, Rng* rng, Table* out) noexcept nogil
