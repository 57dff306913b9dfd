from wuhan_core._table cimport Table

cdef int greedy_choice(const Table* t) noexcept nogil
