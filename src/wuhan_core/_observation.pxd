from wuhan_core._table cimport Table
from wuhan_core._types cimport Seat

cdef class Observation:
    cdef Table t            # a copy: what a bot keeps does not change under it
    cdef int who

cdef Observation observe(const Table* t, int who)
cdef list legal_codes(const Table* t)
cdef list legal_actions(const Table* t)
cdef tuple melds_of(const Seat* s)
