from wuhan_core._types cimport Finish, Points, Rules, Seat, Special

cdef void score_win(const Rules* rules, const Special* special, const Seat* seats, const Finish* finish,
                    Points* out) noexcept nogil
cdef void score_exhausted(const Rules* rules, const Seat* seats, Points* out) noexcept nogil
