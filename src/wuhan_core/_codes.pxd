from wuhan_core._types cimport Finish, Points, Rules, Seat

cdef inline int codes_wanted(const Rules* rules, bint wild) noexcept nogil:
    """Codes that a winner turns up; wild: it holds a C."""
    if rules.codes_all_in:
        return 1
    return rules.codes_count if wild else rules.codes_count + rules.codes_no_wild_extra

cdef void score_codes(const Rules* rules, const Seat* seats, const Finish* finish, Points* out) noexcept nogil
cdef void pay_kongs(const Rules* rules, const Seat* seats, int konger, int robbed, Points* out) noexcept nogil
