from wuhan_core._rng cimport Rng
from wuhan_core._rules cimport CompiledRules
from wuhan_core._table cimport Table
from wuhan_core._types cimport SEATS

cdef class Machine:
    cdef CompiledRules compiled
    cdef Table t
    cdef Rng rngs[SEATS]

    cdef list free(self)
