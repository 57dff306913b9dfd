"""What a finished hand is worth: the one scoring path of play, replay and cases. Each score.model has its room."""

from libc.string cimport memset

from wuhan_core._codes cimport pay_kongs, score_codes
from wuhan_core._factors cimport score_factors
from wuhan_core._patterns cimport score_patterns
from wuhan_core._types cimport CODES, NONE, PATTERNS, Finish, Points, Rules, Seat, Special


cdef void score_win(const Rules* rules, const Special* special, const Seat* seats, const Finish* finish,
                    Points* out) noexcept nogil:
    """Judge the win that `finish` declares, and count its points.

    On a discard the discarder's counts are as after it, on a robbed kong the konger shows the added kong; the tile is
    in the winner's counts on a self-draw only. When `out.why` is a refusal nothing else of `out` has a meaning.
    """
    if rules.model == CODES:
        score_codes(rules, seats, finish, out)
    elif rules.model == PATTERNS:
        score_patterns(rules, special, seats, finish, out)
    else:
        score_factors(rules, special, seats, finish, out)


cdef void score_exhausted(const Rules* rules, const Seat* seats, Points* out) noexcept nogil:
    """The points of a hand that nobody won: nothing, but for the kongs of the model "codes"."""
    memset(out, 0, sizeof(Points))
    out.liable = NONE
    out.hits = NONE
    if rules.model == CODES:
        pay_kongs(rules, seats, NONE, NONE, out)
