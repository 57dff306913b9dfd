"""The bot `planner`: plays for points.

A seat's own factor multiplies what it wins and what it loses alike, so a kong or an open meld pays only while the hand
is likely enough to win. Every candidate (a kong, a claim, a wildcard let go) is weighed by one number:

    chance of winning x points won  -  fear x chance of another's win x points lost

for the best target at hand (the small win, triplets, one suit, all 258, all winds). The chance comes from the odds
that hands of so many missing tiles won in simulated play (benches/fit_bots.py), the points from the factors that lie
open, with caps and the minimum.
"""

from libc.stdint cimport uint32_t, uint64_t

from wuhan_core._plain cimport plain_choice
from wuhan_core._seat cimport add_meld, bit, dead_kinds, exposed_melds, melded, seat_is_open, seat_opens, seat_remove
from wuhan_core._shape cimport (KINDS_258, WINDS, Live, Split, best_discard, highest, kinds_missing, live_copies,
                                live_planes, lowest, popcount, pungs_missing, split_hand, suit_missing, useful)
from wuhan_core._table cimport (CLAIM_CHOW, CLAIM_KONG, CLAIM_PUNG, DISCARD_TILE, KONG_ADDED, KONG_CONCEALED,
                                KONG_SINGLE, PASS, TURN, WIN, Legal, Table, action)
from wuhan_core._types cimport (ADDED_KONG, CHOW, CONCEALED_KONG, DIRECT_KONG, FACTORS, FENGYISE, GANGSHANGHUA,
                                JIANGYISE, MINIMUM_EACH_PAYER, MINIMUM_NONE, NONE, OPEN_NONE, PUNG, QINGYISE, RED,
                                SEATS, SHAPE_ALL_258, SHAPE_ALL_WINDS, SHAPE_STANDARD, Rules, Seat, System)

cdef enum:
    FAR = 8                 # shanten from here on is all one

cdef extern from *:
    """
    #define WC_SUIT_KINDS ((uint64_t)511)
    /* Fitted to simulated play: odds of winning with a small hand so many tiles from ready, without a wildcard, at the
       fifth own turn with three melds of the others; what closed hands and wildcards change; live useful tiles. */
    static const double WC_ODDS[9] = {1.28, 0.30, 0.11, 0.052, 0.030, 0.016, 0.010, 0.006, 0.003};
    static const double WC_CLOSED[9] = {0.38, 0.82, 1, 1, 1, 1, 1, 1, 1};
    static const double WC_WILD[9] = {1.2, 1.65, 1.85, 1.8, 1.8, 1.8, 1.8, 1.8, 1.8};
    static const double WC_LIVE[9] = {7, 15, 25, 39, 56, 70, 80, 80, 80};
    #define WC_TURNS 5
    #define WC_OPENS 3
    #define WC_WAIT_TURN 0.86   /* by which the odds fall with each own turn */
    #define WC_WAIT_OPEN 0.80   /* with each meld of the others */
    #define WC_DRAW 1.3         /* by which a replacement tile to come lifts them */
    /* Points of a share at factor 1, small base 1, fifth turn, one factor for having opened; what changes them. */
    #define WC_SHARE 9.5
    #define WC_PER_MELD 1.9     /* a factor for each open meld */
    #define WC_WON_TURN 0.94    /* each own turn: less is left to grow */
    #define WC_LOST_TURN 0.90
    #define WC_LOST 1.4         /* of a loser's share to a winner's: others win with more than the average */
    #define WC_WON_CLOSED 1.95  /* it has to open yet */
    #define WC_LOST_CLOSED 1.4
    #define WC_BIG 0.8          /* a big win's base, which grows less */
    #define WC_CAP 1.33         /* where shares level off, in caps */
    #define WC_FED 0.02         /* chance that what feeds a third meld of one type ends in liability */
    /* x ** 0.8 and x ** 0.45: how much of today's factors is left in the points of the end */
    static const double WC_OWN[17] = {0, 1, 1.7411, 2.4082, 3.0314, 3.6239, 4.193, 4.7433, 5.278, 5.7995, 6.3096,
                                      6.8095, 7.3004, 7.7831, 8.2585, 8.7272, 9.1896};
    static const double WC_OTHER[17] = {0, 1, 1.366, 1.6395, 1.8661, 2.0632, 2.2396, 2.4005, 2.5491, 2.6879, 2.8184,
                                        2.9419, 3.0594, 3.1716, 3.2791, 3.3825, 3.4822};
    """
    const uint64_t SUIT_KINDS "WC_SUIT_KINDS"
    const double ODDS "WC_ODDS"[9]
    const double CLOSED "WC_CLOSED"[9]
    const double WILD "WC_WILD"[9]
    const double LIVE "WC_LIVE"[9]
    const int TURNS "WC_TURNS"
    const int OPENS "WC_OPENS"
    const double WAIT_TURN "WC_WAIT_TURN"
    const double WAIT_OPEN "WC_WAIT_OPEN"
    const double DRAW "WC_DRAW"
    const double SHARE "WC_SHARE"
    const double PER_MELD "WC_PER_MELD"
    const double WON_TURN "WC_WON_TURN"
    const double LOST_TURN "WC_LOST_TURN"
    const double LOST "WC_LOST"
    const double WON_CLOSED "WC_WON_CLOSED"
    const double LOST_CLOSED "WC_LOST_CLOSED"
    const double BIG "WC_BIG"
    const double CAP "WC_CAP"
    const double FED "WC_FED"
    const double OWN "WC_OWN"[17]
    const double OTHER "WC_OTHER"[17]


cdef inline double power(double x, int n) noexcept nogil:
    cdef double result = 1
    if n < 0:
        x, n = 1 / x, -n
    while n:
        if n & 1:
            result *= x
        x *= x
        n >>= 1
    return result


cdef double carried(const Rules* rules, const Seat* seat, const double* damped) noexcept nogil:
    """The factors that a seat carries as winner and as loser alike; damped: what a factor of 0 to 16 counts."""
    cdef int i, kind, opens = seat_opens(seat, rules)
    cdef double product = power(damped[2], opens if rules.open_per_meld else min(opens, 1))
    for i in range(seat.n_melds):
        kind = seat.melds[i].kind
        if kind == CONCEALED_KONG:
            product *= damped[rules.kong_concealed]
        elif kind != CHOW and kind != PUNG:
            product *= damped[rules.kong_exposed]
    if seat.red_kongs | seat.wild_kongs | seat.skin_kongs | seat.wild_discards:
        product *= power(damped[rules.kong_red], seat.red_kongs) * power(damped[rules.kong_wild], seat.wild_kongs)
        product *= power(damped[rules.kong_skin], seat.skin_kongs)
        product *= power(damped[rules.wild_discard], seat.wild_discards)
    return product


cdef uint64_t fed(const Rules* rules, const Seat* seat) noexcept nogil:
    """Kinds that whoever feeds the third exposed meld with may be liable for: RULES.md section 6, rule 3."""
    cdef uint64_t kinds
    cdef int i
    cdef bint chow
    if exposed_melds(seat) != 2:
        return 0
    kinds = melded(seat, &chow)
    if rules.third_meld & QINGYISE:
        for i in range(3):
            if not kinds & ~(SUIT_KINDS << 9 * i):
                return SUIT_KINDS << 9 * i
    if rules.third_meld & JIANGYISE and not kinds & ~KINDS_258:
        return KINDS_258
    if rules.third_meld & FENGYISE and not kinds & ~WINDS:
        return WINDS
    return 0


cdef void look(View* v, const Table* t, const Weights* w) noexcept nogil:
    """What all candidates of one decision have in common."""
    cdef const Rules* rules = t.rules
    cdef int i, opens = 0, turn = t.turns // 4
    v.feeding = 0
    v.t = t
    v.rules = rules
    v.w = w
    v.me = t.seat
    for i in range(SEATS):
        v.other[i] = 0
        v.dealer[i] = rules.small_dealer * 0.4 if t.dealer == t.seat or t.dealer == i else 1
        if i != t.seat:
            v.other[i] = carried(rules, &t.seats[i], OTHER)
            opens += t.seats[i].n_melds
            if rules.third_meld and t.seats[i].n_melds >= 2:
                v.feeding |= fed(rules, &t.seats[i])
    v.cap = rules.per_payer * CAP if rules.per_payer else 1e18
    v.odds = power(WAIT_TURN, turn - TURNS) * power(WAIT_OPEN, opens - OPENS)
    v.won = SHARE * w.growth * (PER_MELD if rules.open_per_meld else 1) * (0.75 + 0.125 * rules.kong_wild)
    v.won *= 1 + (rules.kong_skin - 1) * rules.skin_kinds * (0.7 if rules.skin_red else 0.35)
    v.lost = LOST * w.fear * v.won * power(LOST_TURN, turn - TURNS)
    v.won *= power(WON_TURN, turn - TURNS)


cdef double gain(const View* v, const Seat* seat, bint opened, int types) noexcept nogil:
    """Points that a win with so many big types (0: small) may bring in the end."""
    cdef const Rules* rules = v.rules
    cdef double base = v.won * carried(rules, seat, OWN), share, sum = 0
    cdef int i
    if not opened:
        base *= WON_CLOSED
    if types:
        base *= rules.big_base * (types if rules.big_add else power(2, types - 1)) * BIG
    else:
        base *= rules.small_base
    if seat.wild == 0:
        base *= 0.7 + 0.5 * rules.hard
    for i in range(SEATS):
        share = base * v.other[i]
        if not types:
            share *= v.dealer[i]
        sum += share / (1 + share / v.cap)
    return sum


cdef double loss(const View* v, const Seat* seat, bint opened) noexcept nogil:
    """Points lost on the average when another seat wins."""
    cdef const Rules* rules = v.rules
    cdef double base = v.lost * rules.small_base * carried(rules, seat, OWN), share, sum = 0
    cdef int i
    if not opened:
        base *= LOST_CLOSED
    for i in range(SEATS):
        share = base * v.other[i] * v.dealer[i]
        sum += share / (1 + share / v.cap)
    return sum / 3


cdef double sure(const View* v, const Seat* seat, int types) noexcept nogil:
    """Points of a self-draw with so many big types (0: small), here and now."""
    cdef const Rules* rules = v.rules
    cdef double base = carried(rules, seat, PLAIN), share, sum = 0
    cdef int i
    base *= rules.big_base * (types if rules.big_add else power(2, types - 1)) * rules.big_self_draw * 0.5
    if seat.wild == 0:
        base *= rules.hard
    for i in range(SEATS):
        if i != v.me:
            share = base * carried(rules, &v.t.seats[i], PLAIN)
            sum += min(share, <double>rules.per_payer) if rules.per_payer else share
    return sum


cdef inline double chance(const View* v, int shanten, bint opened, double boost) noexcept nogil:
    """Of winning; boost: a factor of the odds."""
    cdef double odds
    shanten = 0 if shanten < 0 else min(shanten, FAR)
    odds = v.odds * ODDS[shanten] * boost
    if not opened:
        odds *= CLOSED[shanten]
    return odds / (1 + odds)


cdef double below_minimum(const View* v, const Seat* seat) noexcept nogil:
    """What the odds of a ready small hand fall by, since a win today would fall short of the minimum."""
    cdef const Rules* rules = v.rules
    cdef double own = carried(rules, seat, PLAIN) * rules.small_base, share, most = 0, result = 1
    cdef int i
    if seat.wild == 0:
        own *= rules.hard
    for i in range(SEATS):
        if i != v.me:
            share = own * carried(rules, &v.t.seats[i], PLAIN)
            if v.t.dealer == v.me or v.t.dealer == i:
                share *= rules.small_dealer * 0.5
            if rules.minimum == MINIMUM_EACH_PAYER:
                most = share if most == 0 or share < most else most
            else:
                share *= rules.small_discarder * 0.5
                most = share if share > most else most
    while most < rules.minimum_points and result > 0.01:
        most *= 2
        result *= v.w.below
    return result


cdef inline double weigh(const View* v, const Seat* seat, int shanten, bint opened, int types, double boost,
                         double lost) noexcept nogil:
    """Worth of one target."""
    cdef double won = chance(v, shanten, opened, boost)
    return won * gain(v, seat, opened, types) - (1 - won) * lost


cdef double outlook(const View* v, const Seat* seat, double boost, int* plan) noexcept nogil:
    """What a hand of 3n + 1 tiles is worth with its best target."""
    cdef const Rules* rules = v.rules
    cdef const Weights* w = v.w
    cdef int sets = 4 - seat.n_melds, small, limit, shanten, i
    cdef double best, worth, lost, ratio
    cdef bint opened = rules.open_melds == OPEN_NONE or seat_is_open(seat, rules), chow
    cdef uint64_t kinds
    cdef Split split
    cdef Live live
    split_hand(rules.head_258, seat.key, sets, &split)
    small = split.missing - min(seat.wild, rules.small_wild_max) - 1
    live_planes(seat.at_least, v.t.seen, &live)
    kinds = useful(rules.head_258, seat.key, &split) & ~dead_kinds(&v.t.special)
    shanten = 0 if small < 0 else min(small, FAR)
    ratio = live_copies(&live, kinds) / LIVE[shanten]
    ratio = 0.3 + 0.7 * ratio if ratio < 1 else 0.6 + 0.4 * ratio       # about ratio ** 0.5
    if seat.wild:
        ratio *= WILD[shanten] * w.wild
    if shanten == 0 and rules.minimum != MINIMUM_NONE:
        ratio *= below_minimum(v, seat)
    if seat.blocked:
        boost *= power(w.hold, seat.blocked)
    lost = loss(v, seat, opened)
    best = weigh(v, seat, small, opened, 0, boost * ratio, lost)
    plan[0] = SMALL
    kinds = melded(seat, &chow)
    limit = small + <int>w.reach
    boost *= w.big
    if rules.shapes & SHAPE_STANDARD:
        shanten = 2 * sets + 1 - popcount(seat.at_least[1]) - popcount(seat.at_least[2]) - seat.wild - 1
        if not chow and shanten <= limit:
            shanten = pungs_missing(seat.at_least, sets, ~<uint64_t>0, True) - seat.wild - 1
            if shanten <= limit:
                worth = weigh(v, seat, shanten, opened, 1, boost, lost)
                if worth > best:
                    best, plan[0] = worth, ALL_PUNGS
        for i in range(3):
            if kinds & ~(SUIT_KINDS << 9 * i):
                continue
            shanten = suit_missing(rules.any_head, seat.key, i, sets) - seat.wild - 1
            if shanten <= limit:
                worth = weigh(v, seat, shanten, opened, 1, boost, lost)
                if worth > best:
                    best, plan[0] = worth, SUIT_M + i
    if rules.shapes & SHAPE_ALL_258 and not kinds & ~KINDS_258:
        shanten = kinds_missing(seat.at_least, KINDS_258, sets) - seat.wild - 1
        if shanten <= limit:
            worth = weigh(v, seat, shanten, opened, 1, boost, lost)
            if worth > best:
                best, plan[0] = worth, ALL_258
    if rules.shapes & SHAPE_ALL_WINDS and not kinds & ~WINDS:
        shanten = kinds_missing(seat.at_least, WINDS, sets) - seat.wild - 1
        if shanten <= limit:
            worth = weigh(v, seat, shanten, opened, 1, boost, lost)
            if worth > best:
                best, plan[0] = worth, ALL_WINDS
    return best


cdef double outlook_over(const View* v, Seat* seat, int* plan) noexcept nogil:
    """The same of a hand that must discard; the small win's best discard goes."""
    cdef Live live
    if seat.at_least[0]:
        live_planes(seat.at_least, v.t.seen, &live)
        seat_remove(seat, &v.t.special, best_discard(v.rules.head_258, seat.key, seat.at_least[0],
                                                     dead_kinds(&v.t.special), &live, 4 - seat.n_melds))
    return outlook(v, seat, 1, plan)


cdef double replaced(const View* v, const Seat* seat) noexcept nogil:
    """What a hand after a kong is worth: it draws a replacement, and may win on it."""
    cdef const Rules* rules = v.rules
    cdef const System* s = rules.any_head if rules.head_258_free & GANGSHANGHUA else rules.head_258
    cdef int sets = 4 - seat.n_melds, plan
    cdef double after = outlook(v, seat, DRAW, &plan), hit
    cdef Split split
    cdef Live live
    cdef uint64_t kinds
    if seat.blocked or not (rules.open_melds == OPEN_NONE or seat_is_open(seat, rules)):
        return after
    split_hand(s, seat.key, sets, &split)
    if split.missing > seat.wild + 1:
        return after
    live_planes(seat.at_least, v.t.seen, &live)
    kinds = useful(s, seat.key, &split) & ~seat.at_least[3]
    if split.missing <= seat.wild:
        kinds = ~v.t.special.blocked & ((<uint64_t>1 << 34) - 1)
    hit = <double>live_copies(&live, kinds) / (v.t.left + 39)
    hit = min(hit * v.w.gang, <double>1)
    return hit * sure(v, seat, 1) + (1 - hit) * after


# ---- claims

cdef int claim(const View* v) noexcept nogil:
    """The claim that is worth most, or to pass."""
    cdef const Table* t = v.t
    cdef const Legal* legal = &t.legal
    cdef Seat after
    cdef int kind = t.open_tile, plan, i, start, answer = action(PASS, 0)
    cdef double best = outlook(v, &t.seats[t.seat], 1, &plan), worth
    cdef uint64_t rest = legal.chows
    best += v.w.idle * (best if best > 0 else -best)
    if legal.pung:
        after = t.seats[t.seat]
        seat_remove(&after, &t.special, kind)
        seat_remove(&after, &t.special, kind)
        add_meld(&after, PUNG, kind, t.open_seat)
        worth = outlook_over(v, &after, &plan)
        if worth > best:
            best, answer = worth, action(CLAIM_PUNG, kind)
    if legal.kong:
        after = t.seats[t.seat]
        for i in range(3):
            seat_remove(&after, &t.special, kind)
        add_meld(&after, DIRECT_KONG, kind, t.open_seat)
        worth = replaced(v, &after)
        if worth > best:
            best, answer = worth, action(CLAIM_KONG, kind)
    while rest:
        start = lowest(rest)
        rest &= rest - 1
        after = t.seats[t.seat]
        for i in range(3):
            if start + i != kind:
                seat_remove(&after, &t.special, start + i)
        add_meld(&after, CHOW, start, t.open_seat)
        worth = outlook_over(v, &after, &plan)
        if worth > best:
            best, answer = worth, action(CLAIM_CHOW, start)
    return answer


# ---- the own turn

cdef int kong(const View* v, int* plan) noexcept nogil:
    """The kong, or the wildcard's discard, that is worth more than to discard, or -1; then `plan` is the target."""
    cdef const Table* t = v.t
    cdef const Legal* legal = &t.legal
    cdef const Seat* seat = &t.seats[t.seat]
    cdef Seat after
    cdef int kind, i, other, answer = -1
    cdef double best, worth
    cdef uint64_t rest = legal.single
    after = seat[0]
    best = outlook_over(v, &after, plan)
    if not legal.discards:
        best = -1e18
    while rest:
        kind = lowest(rest)
        rest &= rest - 1
        after = seat[0]
        seat_remove(&after, &t.special, kind)
        if kind == t.special.wild:
            after.wild_kongs += 1
        elif kind == RED:
            after.red_kongs += 1
        else:
            after.skin_kongs += 1
        worth = replaced(v, &after)
        if worth > best:
            best, answer = worth, action(KONG_SINGLE, kind)
    rest = legal.concealed
    while rest:
        kind = lowest(rest)
        rest &= rest - 1
        after = seat[0]
        for i in range(4):
            seat_remove(&after, &t.special, kind)
        add_meld(&after, CONCEALED_KONG, kind, NONE)
        worth = replaced(v, &after)
        if worth > best:
            best, answer = worth, action(KONG_CONCEALED, kind)
    rest = legal.added
    while rest:
        kind = lowest(rest)
        rest &= rest - 1
        after = seat[0]
        seat_remove(&after, &t.special, kind)
        for i in range(after.n_melds):
            if after.melds[i].kind == PUNG and after.melds[i].tile == kind:
                after.melds[i].kind = ADDED_KONG
        worth = replaced(v, &after)
        if worth > best:
            best, answer = worth, action(KONG_ADDED, kind)
    if seat.wild:
        after = seat[0]
        seat_remove(&after, &t.special, t.special.wild)
        after.wild_discards += 1
        worth = outlook(v, &after, 1, &other)
        if worth > best:
            best, answer = worth, action(DISCARD_TILE, t.special.wild)
    return answer


cdef int fewest(const Live* live, uint64_t kinds) noexcept nogil:
    """The kind of which fewest copies are live; the highest of them."""
    cdef int kind, copies, least_copies = 9, best = 0
    while kinds:
        kind = lowest(kinds)
        kinds &= kinds - 1
        copies = live_copies(live, bit(kind))
        if copies <= least_copies:
            least_copies, best = copies, kind
    return best


cdef int aimed(const View* v, int plan, uint64_t held) noexcept nogil:
    """The kind among `held` (natural tiles, at least one) to be discarded on the way to a target."""
    cdef const Table* t = v.t
    cdef const Rules* rules = t.rules
    cdef const Seat* seat = &t.seats[t.seat]
    cdef int sets = 4 - seat.n_melds, suit
    cdef uint64_t dead = dead_kinds(&t.special), rest = 0
    cdef uint32_t key[4]
    cdef Live live
    live_planes(seat.at_least, t.seen, &live)
    if plan == ALL_PUNGS:
        rest = held & ~seat.at_least[1]
        if not rest:
            rest = held & ~seat.at_least[2]
        if rest:
            return fewest(&live, rest)
    elif plan == ALL_258:
        rest = held & ~KINDS_258
    elif plan == ALL_WINDS:
        rest = held & ~WINDS
    elif plan != SMALL:
        suit = plan - SUIT_M
        rest = held & ~(SUIT_KINDS << 9 * suit)
        if not rest:
            key[0] = key[1] = key[2] = key[3] = 0
            key[suit] = seat.key[suit]
            return best_discard(rules.any_head, key, held, dead | ~(SUIT_KINDS << 9 * suit), &live, sets)
    return best_discard(rules.head_258, seat.key, rest if rest else held, dead, &live, sets)


cdef double without(const View* v, int kind) noexcept nogil:
    """What the hand is worth when a kind goes, liability for what it may feed reckoned in."""
    cdef Seat after = v.t.seats[v.me]
    cdef int plan
    cdef double worth
    seat_remove(&after, &v.t.special, kind)
    worth = outlook(v, &after, 1, &plan)
    if v.feeding >> kind & 1:
        worth -= v.w.avoid * FED * 3 * v.rules.liable
    return worth


cdef int discard(const View* v, int plan) noexcept nogil:
    cdef const Table* t = v.t
    cdef uint64_t held = t.seats[t.seat].at_least[0]
    cdef int kind, other
    if not held:                        # wildcards or barred tiles alone
        return highest(t.legal.discards)
    kind = aimed(v, plan, held)
    if v.feeding >> kind & 1 and held & ~v.feeding:
        other = aimed(v, plan, held & ~v.feeding)
        if without(v, other) >= without(v, kind):
            return other
    return kind


cdef int planner_choice(const Table* t, const Weights* w) noexcept nogil:
    cdef View v
    cdef int answer, plan
    if t.legal.win:
        return action(WIN, 0)
    if t.rules.model != FACTORS:
        return plain_choice(t)
    look(&v, t, w)
    if t.phase != TURN:
        return claim(&v)
    answer = kong(&v, &plan)
    return answer if answer >= 0 else action(DISCARD_TILE, discard(&v, plan))
