from libc.stdint cimport int16_t

from wuhan_core._rng cimport Rng
from wuhan_core._table cimport Table

cdef enum:
    MAX_CANDIDATES = 16

cdef enum:                  # in the order of policies.SEARCH
    PLAYOUTS = 0
    CANDIDATES = 1
    MARGIN = 2
    DROP = 3
    TURNS = 4
    POLICY = 5

# What the search has found out about a decision.
cdef struct Weighed:
    int n                                   # candidates; 0 is what the playouts' own bot would do
    int16_t act[MAX_CANDIDATES]
    int tried[MAX_CANDIDATES]               # playouts
    double sum[MAX_CANDIDATES]              # points of the seat
    double over[MAX_CANDIDATES]             # points more than candidate 0 in the same worlds
    double square[MAX_CANDIDATES]           # of those differences
    int best

cdef void weigh(const double* value, const Table* t, Rng* rng, Weighed* out) noexcept nogil
cdef int search_choice(const double* value, const Table* t, Rng* rng) noexcept nogil
