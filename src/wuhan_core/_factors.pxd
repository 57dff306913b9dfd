from wuhan_core._types cimport Finish, Points, Rules, Seat, Special

cdef void score_factors(const Rules* rules, const Special* special, const Seat* seats, const Finish* finish,
                        Points* out) noexcept nogil
cdef bint ready(const Rules* rules, const Special* special, const Seat* seats, int seat) noexcept nogil
