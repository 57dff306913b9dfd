"""The bot `careful`: the planner, but a discard is weighed against whom it may feed.

Who is ready is guessed from melds and discards, which tiles they wait for from what lies open; both tables were counted
in simulated play. A discard is worth its hand's outlook less the chance that it is won on times what that would cost.
"""

from libc.stdint cimport uint64_t

from wuhan_core._planner cimport PLAIN, SMALL, View, carried, discard, kong, look, planner_choice, without
from wuhan_core._seat cimport bit, seat_is_open
from wuhan_core._shape cimport KINDS_258, Live, Split, live_copies, live_planes, lowest, spare, split_hand
from wuhan_core._table cimport DISCARD_TILE, TURN, Table, action
from wuhan_core._types cimport FACTORS, HONOURS, MINIMUM_EACH_PAYER, MINIMUM_NONE, OPEN_NONE, SEATS, Rules, Seat

cdef extern from *:
    """
    /* Share of opponents that are ready, by melds and by pairs of discards. */
    static const double WC_READY[5][8] = {
        {0, 0, 0, 0, 0, 0, 0, 0},
        {0.01, 0.06, 0.14, 0.25, 0.36, 0.42, 0.47, 0.52},
        {0.21, 0.23, 0.34, 0.50, 0.59, 0.68, 0.78, 0.90},
        {0.60, 0.60, 0.62, 0.75, 0.84, 0.88, 0.92, 0.95},
        {0.85, 0.88, 0.90, 0.92, 0.93, 0.94, 0.95, 0.96}};
    /* Share of ready hands that wait for a kind: middle, terminal, 258, honour; by unseen copies. */
    static const double WC_WAITS[4][5] = {
        {0.055, 0.067, 0.074, 0.110, 0.110},
        {0.025, 0.025, 0.040, 0.064, 0.064},
        {0.072, 0.097, 0.154, 0.193, 0.193},
        {0, 0.005, 0.024, 0.056, 0.056}};
    #define WC_THROWN 0.1       /* the same of a kind that the seat has discarded, or has just let pass */
    """
    const double READY "WC_READY"[5][8]
    const double WAITS "WC_WAITS"[4][5]
    const double THROWN "WC_THROWN"

# What one opponent is feared for.
cdef struct Threat:
    double ready                # chance
    double cost                 # points to pay when it wins on this seat's discard
    uint64_t safe               # kinds that it hardly waits for


cdef bint may_suffice(const View* v, const double* carries, int who) noexcept nogil:
    """Whether a small hard win of `who` on this seat's discard could reach the minimum, as factors lie open now."""
    cdef const Rules* rules = v.rules
    cdef double share
    cdef int i
    cdef bint each = rules.minimum == MINIMUM_EACH_PAYER
    if rules.minimum == MINIMUM_NONE:
        return True
    for i in range(SEATS):
        if i == who:
            continue
        share = carries[who] * carries[i] * rules.small_base * rules.hard
        if i == v.me:
            share *= rules.small_discarder * 0.5
        if v.t.dealer == who or v.t.dealer == i:
            share *= rules.small_dealer * 0.5
        if (share >= rules.minimum_points) != each:
            return not each
    return each


cdef double threats(const View* v, Threat* out) noexcept nogil:
    """Fills out[seat]; the points that all of them may cost on the average."""
    cdef const Table* t = v.t
    cdef const Rules* rules = v.rules
    cdef const Seat* seat
    cdef double cap = rules.per_payer if rules.per_payer else 1e18, most = 0
    cdef double carries[SEATS]
    cdef int i, k, who
    for i in range(SEATS):
        carries[i] = carried(rules, &t.seats[i], PLAIN)
    for i in range(SEATS):
        out[i].ready = 0
        seat = &t.seats[i]
        if i == v.me or not (rules.open_melds == OPEN_NONE or seat_is_open(seat, rules)):
            continue
        if not may_suffice(v, carries, i):
            continue
        out[i].ready = READY[seat.n_melds][min(t.river_size[i] >> 1, 7)]
        out[i].cost = 1.3 * rules.small_base * rules.small_discarder * 0.5 * carries[v.me] * carries[i]
        if t.dealer == v.me or t.dealer == i:
            out[i].cost *= rules.small_dealer * 0.5
        out[i].cost = min(cap, out[i].cost)
        out[i].safe = 0
        for k in range(t.river_size[i]):
            out[i].safe |= bit(t.river[i][k])
        who = i
        while True:                     # the seats that have played since
            who = 0 if who == SEATS - 1 else who + 1
            if who == v.me:
                break
            if t.river_size[who]:
                out[i].safe |= bit(t.river[who][t.river_size[who] - 1])
        most += out[i].ready * out[i].cost
    return most


cdef int careful_discard(const View* v, const Threat* threat, const Cares* w, int plan) noexcept nogil:
    """The natural tile, of which there is one at least, that is worth most to discard: the planner's, the safest, and
    on the way to the small win all that cost no tile are weighed."""
    cdef const Table* t = v.t
    cdef const Seat* seat = &t.seats[t.seat]
    cdef Split split
    cdef Live live
    cdef uint64_t rest = seat.at_least[0], tried
    cdef double risk[34]
    cdef double hit, cost, value, best = -1e18
    cdef double chance[34]
    cdef int kind, cls, i, copies, answer = discard(v, plan), safest = -1
    live_planes(seat.at_least, t.seen, &live)
    while rest:
        kind = lowest(rest)
        rest &= rest - 1
        cls = 3 if kind >= HONOURS else 2 if KINDS_258 >> kind & 1 else 1 if kind % 9 == 0 or kind % 9 == 8 else 0
        copies = live_copies(&live, bit(kind))
        risk[kind] = chance[kind] = 0
        for i in range(SEATS):
            if threat[i].ready > 0:
                hit = threat[i].ready * WAITS[cls][copies]
                if threat[i].safe >> kind & 1:
                    hit *= THROWN
                chance[kind] += hit
                risk[kind] += hit * threat[i].cost
        if safest < 0 or risk[kind] < risk[safest]:
            safest = kind
    tried = bit(safest) | bit(answer)
    if plan == SMALL:
        split_hand(v.rules.head_258, seat.key, 4 - seat.n_melds, &split)
        tried |= spare(v.rules.head_258, seat.key, seat.at_least[0], &split)
    while tried:
        kind = lowest(tried)
        tried &= tried - 1
        value = without(v, kind)
        value -= w.caution * (chance[kind] * (value if value > 0 else 0) + risk[kind])
        if value >= best:           # ties: the highest kind, honours before suits
            best, answer = value, kind
    return answer


cdef int careful_choice(const Table* t, const Cares* w) noexcept nogil:
    cdef View v
    cdef Threat threat[SEATS]
    cdef int answer, plan
    if t.rules.model != FACTORS or t.phase != TURN or t.legal.win or not t.rules.discard_win:
        return planner_choice(t, &w.plan)
    look(&v, t, &w.plan)
    answer = kong(&v, &plan)
    if answer >= 0:
        return answer
    if not t.seats[t.seat].at_least[0] or threats(&v, threat) < w.alarm:
        return action(DISCARD_TILE, discard(&v, plan))
    return action(DISCARD_TILE, careful_discard(&v, threat, w, plan))
