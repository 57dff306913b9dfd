from wuhan_core._types cimport Finish, Points, Rules, Seat

cdef void score_codes(const Rules* rules, const Seat* seats, const Finish* finish, Points* out) noexcept nogil
cdef void pay_kongs(const Rules* rules, const Seat* seats, int konger, int robbed, Points* out) noexcept nogil
