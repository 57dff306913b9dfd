from wuhan_core._types cimport Rules, Special

cdef int fill_rules(object ruleset, Rules* out) except -1
cdef Special special_of(const Rules* rules, int indicator) noexcept nogil

cdef class CompiledRules:
    cdef Rules rules
