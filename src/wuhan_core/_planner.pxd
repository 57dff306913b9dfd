from wuhan_core._table cimport Table

cdef struct Weights:            # the parameters, in the order of policies.PLANNER, which says what they mean
    double fear, growth, big, reach, idle, below, gang, avoid, wild, barred

cdef int planner_choice(const Table* t, const Weights* w) noexcept nogil
