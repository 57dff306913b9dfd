from libc.stdint cimport uint64_t

from wuhan_core._table cimport Table
from wuhan_core._types cimport SEATS, Rules, Seat

cdef struct Weights:            # the parameters, in the order of policies.PLANNER, which says what they mean
    double fear, growth, big, reach, idle, below, gang, avoid, wild, hold

cdef enum Target:               # what the hand is played for
    SMALL = 0
    ALL_PUNGS = 1
    SUIT_M = 2                  # SUIT_M + suit
    ALL_258 = 5
    ALL_WINDS = 6

# What a seat reckons with in one decision.
cdef struct View:
    const Table* t
    const Rules* rules
    const Weights* w
    int me
    double other[SEATS]         # what each other seat carries, damped, 0 for this one
    double dealer[SEATS]        # factor of a small win's share for the dealer
    double cap                  # points
    uint64_t feeding            # kinds that may feed somebody a third meld of one type
    double odds                 # of winning: how late it is and how far the others are
    double won, lost            # points of a share at factor 1

cdef extern from *:
    """
    static const double WC_PLAIN[17] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    """
    const double PLAIN "WC_PLAIN"[17]

cdef void look(View* v, const Table* t, const Weights* w) noexcept nogil
cdef double carried(const Rules* rules, const Seat* seat, const double* damped) noexcept nogil
cdef double outlook(const View* v, const Seat* seat, double boost, int* plan) noexcept nogil
cdef int kong(const View* v, int* plan) noexcept nogil
cdef double without(const View* v, int kind) noexcept nogil
cdef int discard(const View* v, int plan) noexcept nogil
cdef int planner_choice(const Table* t, const Weights* w) noexcept nogil
