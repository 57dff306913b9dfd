from wuhan_core._planner cimport Weights
from wuhan_core._table cimport Table

cdef struct Cares:              # the parameters, in the order of policies.CAREFUL, which says what they mean
    Weights plan
    double caution, alarm

cdef int careful_choice(const Table* t, const Cares* w) noexcept nogil
