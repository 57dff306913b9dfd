from wuhan_core._types cimport FACTORS, Rules, Special, System

cdef int fill_rules(object ruleset, Rules* out) except -1
cdef Special special_of(const Rules* rules, int indicator) noexcept nogil

cdef inline const System* goal(const Rules* rules) noexcept nogil:
    """Tables for the pair that the usual win needs: in Wuhan, where that is the small one, a 258 pair."""
    return rules.head_258 if rules.model == FACTORS else rules.any_head

cdef class CompiledRules:
    cdef Rules rules
