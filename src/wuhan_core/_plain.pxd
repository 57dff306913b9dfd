from wuhan_core._table cimport Table

cdef int plain_choice(const Table* t) noexcept nogil
