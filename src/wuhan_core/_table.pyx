"""One hand's play: the deal, whose turn it is, what is allowed, and what follows. Rules: RULES.md section 2."""

from libc.stdint cimport uint64_t
from libc.string cimport memset

from wuhan_core._codes cimport codes_wanted
from wuhan_core._rules cimport special_of
from wuhan_core._score cimport score_exhausted, score_win
from wuhan_core._seat cimport add_meld, bit, melded, odd_kinds, seat_add, seat_is_open, seat_remove
from wuhan_core._shape cimport (ALL_KINDS, CHOW_STARTS, KINDS_258, RUN_STARTS, TERMINALS, WINDS, Split, lowest, missing, popcount, split_hand,
                                useful)
from wuhan_core._types cimport (ADDED_KONG, CHOW, CODES, CONCEALED_KONG, DIRECT_KONG, DISCARD, FACTORS, FIRST_DIHU,
                                FIRST_NONE, FIRST_TIANHU, HONOURS, NONE, OPEN_NONE, PATTERNS, PUNG, RED, ROB_KONG, SEATS,
                                SELF_DRAW, SHAPE_ALL_258, SHAPE_ALL_WINDS, SHAPE_NINE_YAO, SHAPE_SEVEN_PAIRS,
                                SHAPE_STANDARD, SHAPE_THIRTEEN_LAN, WINS, Finish, Points, Rules, Seat)

# ---- the wall

cdef inline int take(Table* t, int who, bint tail) noexcept nogil:
    """The kind of the tile that `who` draws; tail: a replacement. Precondition: t.left > 0."""
    cdef int n = t.rules.players
    cdef int position = NONE, turn
    if t.seat_queues:
        turn = places_after(t, t.dealer, who)
        if tail:
            position = t.size - 1 - (n * t.replacements[who] + turn)
            t.replacements[who] += 1
        else:
            position = t.first + n * t.draws[who] + turn
            t.draws[who] += 1
        if position < t.first or position >= t.size or is_taken(t, position):
            position = NONE
    if position == NONE:
        if tail:
            while is_taken(t, t.high):
                t.high -= 1
            position = t.high
        else:
            while is_taken(t, t.low):
                t.low += 1
            position = t.low
    t.taken[position >> 6] |= <uint64_t>1 << (position & 63)
    t.history[t.turns] = position + HISTORY_SEAT * who + HISTORY_TAIL * tail + (HISTORY_LAST if t.last_left else 0)
    t.turns += 1
    t.left -= 1
    return t.wall[position]


cdef inline int seat_after(const Table* t, int who, int steps) noexcept nogil:
    """The seat `steps` places after `who` in turn order; steps in 0..players."""
    who += steps
    return who - t.rules.players if who >= t.rules.players else who


cdef int reserve_of(const Rules* rules) noexcept nogil:
    """With so many tiles left, or fewer, nobody draws as usual and nobody kongs."""
    if rules.model == CODES:        # the codes to be turned up
        return codes_wanted(rules, False)
    return rules.dead_wall + rules.last_draws


# ---- what is known of the seats

cdef inline void see(Table* t, int kind) noexcept nogil:
    cdef uint64_t b = bit(kind)
    t.seen[3] |= t.seen[2] & b
    t.seen[2] |= t.seen[1] & b
    t.seen[1] |= t.seen[0] & b
    t.seen[0] |= b


cdef uint64_t no_sets_waits(int shapes, const Seat* seat) noexcept nogil:
    """Kinds that could complete a hand of a shape without sets; a superset."""
    cdef uint64_t held = seat.at_least[0], waits = 0, odd
    cdef int singles
    cdef bint chow
    if shapes & SHAPE_ALL_258 and not held & ~KINDS_258 and not melded(seat, &chow) & ~KINDS_258:
        waits |= KINDS_258
    if shapes & SHAPE_ALL_WINDS and not held & ~WINDS and not melded(seat, &chow) & ~WINDS:
        waits |= WINDS
    if seat.n_melds or not shapes & (SHAPE_SEVEN_PAIRS | SHAPE_THIRTEEN_LAN | SHAPE_NINE_YAO):
        return waits
    if shapes & SHAPE_SEVEN_PAIRS:
        odd = odd_kinds(seat.at_least)
        singles = popcount(odd)
        if singles < seat.wild:
            waits |= ALL_KINDS
        elif singles <= seat.wild + 1:
            waits |= odd
    if shapes & SHAPE_THIRTEEN_LAN and not (seat.at_least[1] | (held & held >> 1 & RUN_STARTS)
                                            | (held & held >> 2 & CHOW_STARTS)):
        waits |= ALL_KINDS & ~held
    if shapes & SHAPE_NINE_YAO and not held & ~TERMINALS:
        waits |= TERMINALS
    return waits


cdef void renew(Table* t, int who) noexcept nogil:
    """The seat's tiles have changed and it holds none too many: is it ready, and on which kinds?"""
    cdef Seat* seat = &t.seats[who]
    cdef const Rules* rules = t.rules
    cdef int sets = 4 - seat.n_melds, shanten
    cdef bint ready = False
    cdef uint64_t waits = 0
    cdef Split split
    if t.far[who]:
        t.far[who] -= 1
    else:
        shanten = missing(rules.any_head, seat.key, sets) - seat.wild - 1
        ready = shanten <= 0
        if shanten > 1:
            t.far[who] = shanten - 1
        if ready and t.ready_turn[who] < 0:
            t.ready_turn[who] = t.turns
    t.waits[who] = 0
    t.wanted[who] = seat.at_least[1]
    if seat.blocked or (rules.open_melds != OPEN_NONE and not seat_is_open(seat, rules)):
        return
    if ready:
        split_hand(rules.any_head, seat.key, sets, &split)
        waits = useful(rules.any_head, seat.key, &split) & ~seat.at_least[3]
    if rules.shapes != SHAPE_STANDARD:
        waits |= no_sets_waits(rules.shapes, seat)
    if ready or waits:  # ready for a fifth copy alone: no tile is one, the wildcard is
        waits |= bit(t.special.wild)
    t.waits[who] = waits
    t.wanted[who] |= waits


cdef inline void receive(Table* t, int who, int kind) noexcept nogil:
    """A tile from the wall."""
    seat_add(&t.seats[who], &t.special, kind)
    if kind == t.special.wild:
        t.seats[who].bao_had += 1


cdef bint may_win(Table* t, int who, int source, int kind, int loser) noexcept nogil:
    """Whether the seat may win; t.finish and t.points are filled. On a self-draw `kind` is already in its hand."""
    cdef Finish* finish = &t.finish
    finish.winner = who
    finish.loser = loser
    finish.tile = kind
    finish.source = source
    finish.after_kong = source == SELF_DRAW and t.after_kong
    finish.last_draw = source == SELF_DRAW and t.last_left > 0
    finish.dealer = t.dealer
    finish.first = FIRST_NONE
    finish.n_codes = 0
    if t.quiet and t.turns == 1:
        if source == SELF_DRAW:
            finish.first = FIRST_TIANHU
        elif source == DISCARD and loser == t.dealer:
            finish.first = FIRST_DIHU
    score_win(t.rules, &t.special, t.seats, finish, &t.points)
    return t.points.why == WINS


cdef void settle_points(Table* t, int who, int source, int kind, int loser) noexcept nogil:
    """The win stands: t.points for good, with the codes turned up where the game has them."""
    cdef int wanted, position = t.low
    may_win(t, who, source, kind, loser)
    if t.rules.model != CODES:
        return
    wanted = codes_wanted(t.rules, t.seats[who].wild > 0)
    while t.finish.n_codes < wanted:
        if not is_taken(t, position):
            t.finish.codes[t.finish.n_codes] = t.wall[position]
            t.finish.n_codes += 1
        position += 1
    score_win(t.rules, &t.special, t.seats, &t.finish, &t.points)


# ---- asking

cdef inline void ask_turn(Table* t, int who, int drawn, bint maybe) noexcept nogil:
    """The seat holds a tile more: what it drew, or NONE after a claim. maybe: it could be complete."""
    cdef Seat* seat = &t.seats[who]
    cdef Legal* legal = &t.legal
    cdef int i
    memset(legal, 0, sizeof(Legal))
    t.phase = TURN
    t.seat = who
    t.drawn = drawn
    legal.win = maybe and may_win(t, who, SELF_DRAW, drawn, NONE)
    legal.discards = seat.at_least[0]
    if seat.wild:
        legal.discards |= bit(t.special.wild)
    if t.left > t.reserve and (drawn != NONE or t.rules.kong_after_claim):
        legal.concealed = seat.at_least[3]
        for i in range(seat.n_melds):
            if (seat.melds[i].kind == PUNG and seat.melds[i].tile != t.claimed_pung
                    and seat.counts[seat.melds[i].tile]):
                legal.added |= bit(seat.melds[i].tile)
        if t.rules.model == FACTORS:
            legal.single = seat.at_least[0] & t.special.skins
            if seat.wild:
                legal.single |= bit(t.special.wild)
            if seat.blocked:
                legal.single |= held_blocked(t, seat)
    if not legal.discards and not legal.single:
        legal.discards = held_blocked(t, seat)


cdef uint64_t held_blocked(const Table* t, const Seat* seat) noexcept nogil:
    cdef uint64_t rest = t.special.blocked, held = 0
    cdef int kind
    while rest:
        kind = lowest(rest)
        rest &= rest - 1
        if seat.counts[kind]:
            held |= bit(kind)
    return held


cdef inline void draw(Table* t, int who, bint tail) noexcept nogil:
    cdef int kind = take(t, who, tail)
    cdef bint maybe = t.waits[who] >> kind & 1
    t.after_kong = tail
    receive(t, who, kind)
    ask_turn(t, who, kind, maybe)


cdef void last_round(Table* t, int who) noexcept nogil:
    """Seats from `who` on draw one tile each, t.last_left in all; stops at the first that could win."""
    cdef int kind
    while t.last_left:
        kind = take(t, who, False)
        t.after_kong = False
        receive(t, who, kind)
        if t.waits[who] >> kind & 1 and may_win(t, who, SELF_DRAW, kind, NONE):
            memset(&t.legal, 0, sizeof(Legal))
            t.legal.win = t.legal.may_pass = True
            t.phase = LAST
            t.seat = who
            t.drawn = kind
            return
        t.last_left -= 1
        who = seat_after(t, who, 1)
    table_exhaust(t)


cdef void table_exhaust(Table* t) noexcept nogil:
    """Nobody wins: the hand ends here."""
    t.finish.winner = t.finish.loser = t.finish.tile = NONE
    t.finish.source = t.finish.n_codes = 0
    score_exhausted(t.rules, t.seats, &t.points)
    t.phase = OVER


cdef void pass_on(Table* t) noexcept nogil:
    """Nobody claimed t.open_seat's discard."""
    cdef int who = seat_after(t, t.open_seat, 1)
    if t.left > t.reserve:
        draw(t, who, False)
    elif t.rules.last_draws:
        t.last_left = t.rules.last_draws
        last_round(t, who)
    else:
        table_exhaust(t)


cdef inline uint64_t chow_starts(const Table* t, int who, int kind) noexcept nogil:
    """Lowest kinds of the chows that `who` could make with an open `kind`."""
    cdef uint64_t run
    if kind >= HONOURS or kind == t.special.wild or not t.rules.claims_chow:
        return 0
    run = t.seats[who].at_least[0] | bit(kind)
    return run & run >> 1 & run >> 2 & CHOW_STARTS & ((<uint64_t>7 << kind) >> 2)


cdef bint claim_options(Table* t, int who, bint next_seat) noexcept nogil:
    """Fills t.legal with what `who` may do with the open discard; False when it may only pass."""
    cdef Seat* seat = &t.seats[who]
    cdef Legal* legal = &t.legal
    cdef int kind = t.open_tile
    cdef uint64_t chows = chow_starts(t, who, kind) if next_seat else 0
    if not chows and not t.wanted[who] >> kind & 1:
        return False
    memset(legal, 0, sizeof(Legal))
    legal.may_pass = True
    legal.chows = chows
    if t.rules.discard_win and t.waits[who] >> kind & 1:
        legal.win = may_win(t, who, DISCARD, kind, t.open_seat)
    if seat.at_least[1] >> kind & 1:
        legal.pung = True
        legal.kong = seat.at_least[2] >> kind & 1 and t.left > t.reserve
    return legal.win or legal.pung or chows != 0


cdef bint rob_options(Table* t, int who) noexcept nogil:
    memset(&t.legal, 0, sizeof(Legal))
    t.legal.may_pass = True
    t.legal.win = t.waits[who] >> t.open_tile & 1 and may_win(t, who, ROB_KONG, t.open_tile, t.open_seat)
    return t.legal.win


cdef void ask_others(Table* t, int phase, int offset) noexcept nogil:
    """Asks the next seat, from `offset` seats after the open tile's on, that has a choice; else settles the matter."""
    cdef int who
    while offset < t.rules.players:
        who = seat_after(t, t.open_seat, offset)
        if claim_options(t, who, offset == 1) if phase == CLAIM else rob_options(t, who):
            t.phase = phase
            t.seat = who
            return
        offset += 1
    if t.claimed:
        settle(t, phase)
    elif phase == CLAIM:
        pass_on(t)
    else:
        draw(t, t.open_seat, True)


cdef void lay_open(Table* t, int phase, int kind) noexcept nogil:
    cdef int i
    t.open_tile = kind
    t.open_seat = t.seat
    t.claimed = False
    for i in range(SEATS):
        t.answers[i] = PASS
    ask_others(t, phase, 1)


cdef void offer(Table* t, int kind) noexcept nogil:
    """A discard lies open: most are wanted by nobody, and a few bit tests say so."""
    cdef int who = t.seat
    cdef uint64_t wanted = t.wanted[0] | t.wanted[1] | t.wanted[2] | t.wanted[3]
    if wanted >> kind & 1 or chow_starts(t, seat_after(t, who, 1), kind):
        lay_open(t, CLAIM, kind)
    else:
        t.open_seat = who
        pass_on(t)


# ---- what follows

cdef bint settle_win(Table* t, int source) noexcept nogil:
    """The open tile goes to whoever may win on it first; with claims.many_rob every robber wins."""
    cdef const Rules* rules = t.rules
    cdef int n = rules.players
    cdef bint all_win = source == ROB_KONG and rules.many_rob
    cdef int begin = seat_after(t, t.open_seat, 1) if rules.order_discarder or all_win else t.dealer
    cdef int i, k, who, codes = 0
    cdef Points first
    t.winners = 0
    for i in range(n):
        who = seat_after(t, begin, i)
        if who == t.open_seat or t.answers[who] != action(WIN, 0):
            continue
        settle_points(t, who, source, t.open_tile, t.open_seat)
        codes = max(codes, t.finish.n_codes)
        t.winners |= 1 << who
        if t.winners == 1 << who:
            first = t.points
        else:
            for k in range(SEATS):
                first.deltas[k] += t.points.deltas[k]
                if rules.model == CODES:        # kongs are paid once
                    first.deltas[k] -= t.points.kongs[k]
        if not all_win:
            break
    if not t.winners:
        return False
    t.points = first
    t.finish.n_codes = codes            # the same tiles for all, and more of them for a winner without C
    for i in range(n):
        who = seat_after(t, begin, i)
        if t.winners >> who & 1:
            t.finish.winner = who
            break
    t.phase = OVER
    return True


cdef void settle(Table* t, int phase) noexcept nogil:
    """All have answered and somebody claims: a win goes before kong and pung, these before a chow."""
    cdef int i, who = 0
    if settle_win(t, DISCARD if phase == CLAIM else ROB_KONG):
        return
    for i in range(1, t.rules.players):
        if t.answers[i] >> 6 > t.answers[who] >> 6:     # CLAIM_CHOW < CLAIM_PUNG < CLAIM_KONG
            who = i
    claim(t, who, t.answers[who] >> 6, t.answers[who] & 63)


cdef inline void show(Table* t, Seat* seat, int kind) noexcept nogil:
    """A concealed tile is laid open."""
    seat_remove(seat, &t.special, kind)
    see(t, kind)


cdef void claim(Table* t, int who, int verb, int kind) noexcept nogil:
    cdef Seat* seat = &t.seats[who]
    cdef int i
    t.quiet = False
    t.river_size[t.open_seat] -= 1
    if verb == CLAIM_CHOW:
        for i in range(3):
            if kind + i != t.open_tile:
                show(t, seat, kind + i)
        add_meld(seat, CHOW, kind, t.open_seat)
    else:
        kind = t.open_tile
        for i in range(2 if verb == CLAIM_PUNG else 3):
            show(t, seat, kind)
        add_meld(seat, PUNG if verb == CLAIM_PUNG else DIRECT_KONG, kind, t.open_seat)
        if verb == CLAIM_KONG:
            renew(t, who)
            draw(t, who, True)
            return
    t.claimed_pung = kind if verb == CLAIM_PUNG else NONE
    ask_turn(t, who, NONE, False)


cdef void discard(Table* t, int kind) noexcept nogil:
    cdef int who = t.seat
    cdef Seat* seat = &t.seats[who]
    t.claimed_pung = NONE           # the turn is over, and with it the bar to adding to its pung
    show(t, seat, kind)
    t.river[who][t.river_size[who]] = kind
    t.river_size[who] += 1
    if kind == t.special.wild:
        seat.wild_discards += 1
    renew(t, who)
    if t.special.blocked >> kind & 1 or (kind == t.special.wild and t.rules.model != PATTERNS):
        t.open_seat = who
        pass_on(t)
    else:
        offer(t, kind)


cdef void kong(Table* t, int verb, int kind) noexcept nogil:
    """A kong at the seat's own turn."""
    cdef int who = t.seat
    cdef Seat* seat = &t.seats[who]
    cdef int i
    t.quiet = False
    if verb == KONG_CONCEALED:
        for i in range(4):
            show(t, seat, kind)
        add_meld(seat, CONCEALED_KONG, kind, NONE)
    else:
        show(t, seat, kind)
        if verb == KONG_ADDED:
            for i in range(seat.n_melds):
                if seat.melds[i].kind == PUNG and seat.melds[i].tile == kind:
                    seat.melds[i].kind = ADDED_KONG
        elif kind == t.special.wild:
            seat.wild_kongs += 1
        elif kind == RED:
            seat.red_kongs += 1
        else:
            seat.skin_kongs += 1
    renew(t, who)
    if verb == KONG_ADDED:
        lay_open(t, ROB, kind)
    else:
        draw(t, who, True)


cdef void table_step(Table* t, int act) noexcept nogil:
    """Carries out a legal action of t.seat."""
    cdef int verb = act >> 6, kind = act & 63
    if verb == WIN and (t.phase == TURN or t.phase == LAST):
        settle_points(t, t.seat, SELF_DRAW, t.drawn, NONE)
        t.winners = 1 << t.seat
        t.phase = OVER
    elif t.phase == TURN:
        if t.rules.model == PATTERNS and t.legal.win and t.points.hanging:     # t.points are those of the question
            t.seats[t.seat].skipped += 1
        if verb == DISCARD_TILE:
            discard(t, kind)
        else:
            kong(t, verb, kind)
    elif t.phase == LAST:
        t.last_left -= 1
        last_round(t, seat_after(t, t.seat, 1))
    elif t.phase != OVER:
        t.answers[t.seat] = act
        t.claimed |= verb != PASS
        ask_others(t, t.phase, 1 + places_after(t, t.open_seat, t.seat))


cdef bint table_allows(const Table* t, int act) noexcept nogil:
    cdef const Legal* legal = &t.legal
    cdef int verb = act >> 6, kind = act & 63
    if act < 0 or kind > 33 or t.phase == OVER:
        return False
    if verb == PASS:
        return kind == 0 and legal.may_pass
    if verb == WIN:
        return kind == 0 and legal.win
    if verb == DISCARD_TILE:
        return legal.discards >> kind & 1
    if verb == CLAIM_CHOW:
        return legal.chows >> kind & 1
    if verb == CLAIM_PUNG:
        return legal.pung and kind == t.open_tile
    if verb == CLAIM_KONG:
        return legal.kong and kind == t.open_tile
    if verb == KONG_ADDED:
        return legal.added >> kind & 1
    if verb == KONG_CONCEALED:
        return legal.concealed >> kind & 1
    return verb == KONG_SINGLE and legal.single >> kind & 1


cdef void table_deal(Table* t, const Rules* rules, int dealer, bint seat_queues) noexcept nogil:
    """Deals from t.wall (t.size tiles) up to the dealer's first question."""
    cdef int n = rules.players
    cdef int i, k, who
    memset(t.seats, 0, sizeof(t.seats))
    memset(t.seen, 0, sizeof(t.seen))
    memset(t.taken, 0, sizeof(t.taken))
    memset(t.waits, 0, sizeof(t.waits))
    memset(t.wanted, 0, sizeof(t.wanted))
    memset(t.river_size, 0, sizeof(t.river_size))
    memset(t.draws, 0, sizeof(t.draws))
    memset(t.replacements, 0, sizeof(t.replacements))
    memset(t.far, 0, sizeof(t.far))
    memset(t.start_wild, 0, sizeof(t.start_wild))
    memset(t.start_shanten, 0, sizeof(t.start_shanten))
    t.rules = rules
    t.reserve = reserve_of(rules)
    t.dealer = dealer
    t.seat_queues = seat_queues
    t.turns = t.last_left = t.winners = 0
    t.after_kong = False
    t.quiet = True
    t.claimed_pung = NONE
    t.first = 13 * n if rules.model == CODES else 13 * n + 1
    for i in range(t.first):
        t.taken[i >> 6] |= <uint64_t>1 << (i & 63)
    t.low = t.first
    t.high = t.size - 1
    t.left = t.size - t.first
    t.special = special_of(rules, NONE if rules.model == CODES else t.wall[13 * n])
    if t.special.indicator != NONE:
        see(t, t.special.indicator)
    for i in range(SEATS):
        t.ready_turn[i] = -1
    for i in range(n):
        who = seat_after(t, dealer, i)
        for k in range(13):
            receive(t, who, t.wall[13 * i + k])
        t.start_wild[who] = t.seats[who].wild
        t.start_shanten[who] = missing(rules.any_head, t.seats[who].key, 4) - t.seats[who].wild - 1
    for who in range(n):
        renew(t, who)
    draw(t, dealer, False)


cdef void table_rescore(Table* t, const Rules* rules) noexcept nogil:
    """Scores a hand that is over by other rules, which differ from its own in points and the minimum alone.

    t.finish and t.points are set as if it had been played by them; t.points.why tells where the win would not have been
    allowed. The table is not to be played on.
    """
    cdef int source = t.finish.source
    t.rules = rules
    if t.finish.winner == NONE:
        score_exhausted(rules, t.seats, &t.points)
        t.points.why = WINS
    elif source == SELF_DRAW:
        settle_points(t, t.finish.winner, source, t.finish.tile, NONE)
    else:
        settle_win(t, source)


cdef int next_dealer(const Table* t) noexcept nogil:
    """Who deals the next hand. RULES.md section 2 (dealer passes), 8 (several robbers)."""
    cdef int winner = t.finish.winner
    if winner == NONE:
        return t.dealer
    if t.rules.winner_deals or t.winners != 1 << winner or winner == t.dealer:
        return winner
    return seat_after(t, t.dealer, 1)
