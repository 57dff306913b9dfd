from wuhan_core._rng cimport Rng
from wuhan_core._table cimport Table

cdef int random_choice(const Table* t, Rng* rng) noexcept nogil
