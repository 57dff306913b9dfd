"""Hands played once as they are and once for each way of a choice or a holding: what `value_of` compares."""

import numpy as np

from libc.stdint cimport int8_t, int16_t, int64_t, uint8_t, uint64_t
from libc.string cimport memcpy

from wuhan_core._play cimport GUEST, Guests, ask_guest, check_game, compile_bots, next_hand, write_record
from wuhan_core._policy cimport Bot, choose
from wuhan_core._rng cimport STREAM_EXCHANGE, STREAM_POLICY, Rng, rng_start
from wuhan_core._rules cimport fill_rules
from wuhan_core._seat cimport bit, meld_opens, seat_opens, seat_remove
from wuhan_core._shape cimport lowest, missing
from wuhan_core._table cimport (CLAIM, CLAIM_CHOW, CLAIM_KONG, CLAIM_PUNG, KONG_SINGLE, OVER, PASS, TURN, WIN, Table,
                                action, table_deal, table_step)
from wuhan_core._types cimport CODES, DIRECT_KONG, NONE, RED, SEATS, WALL, HandRecord, Rules, Seat
from wuhan_core._wall cimport seat_bots, seed_key, shuffle, shuffle_wall, wall_size

from wuhan_core.errors import FaultError
from wuhan_core.records import HAND_DTYPE

FEATURES = ("laizi", "red", "dealer", "kong_laizi", "open", "open_before")
MOMENT_DTYPE = np.dtype([("hand", "i8"), ("turn", "i2"), ("own", "i1"), ("seat", "i1")])

cdef enum Feature:              # in the order of FEATURES; first the holdings, then the choices
    LAIZI = 0
    RED_DRAGON = 1
    DEALER = 2
    KONG_LAIZI = 3
    OPEN_NTH = 4
    OPEN_BEFORE = 5

cdef enum:
    AS_IT_IS = -1               # the branch in which nothing is forced
    TAIL_ROUNDS = 4             # replacements of each seat that keep their owner when the deal is turned round

cdef packed struct Moment:      # MOMENT_DTYPE
    int64_t hand
    int16_t turn
    int8_t own
    int8_t seat

# What is forced on one seat, and what came of it.
cdef struct Force:
    int feature                 # Feature
    int number                  # which open meld; before which draw
    int branch                  # AS_IT_IS, or 0 or 1 of a choice
    int seat
    int turn                    # draws made when the choice first came up, NONE
    int own                     # the branch that the bot itself took then
    int wants                   # bit b: at some time the bot itself did as in branch b, which branch 1 - b forbids

# One call of the loop, and the hand that it is at.
cdef struct Game:
    const Rules* rules
    const Bot* bots
    void* guests
    const uint64_t* key
    int64_t hand
    int64_t wall_number
    bint seat_queues


cdef inline int answer(const Game* g, const Table* t, const uint8_t* bot_of_seat, Rng* rngs) except -1 nogil:
    cdef const Bot* bot = &g.bots[bot_of_seat[t.seat]]
    if bot.kind == GUEST:
        return ask_guest(g.guests, t, bot_of_seat[t.seat], g.hand)
    return choose(bot, t, &rngs[t.seat])


# ---- choices

cdef int missing_after(const Table* t, int act) noexcept nogil:
    """Tiles missing for the standard shape, any pair, after a chow or pung of the open tile."""
    cdef Seat seat = t.seats[t.seat]
    cdef int kind = act & 63, i
    for i in range(3 if act >> 6 == CLAIM_CHOW else 2):
        if act >> 6 == CLAIM_PUNG:
            seat_remove(&seat, &t.special, kind)
        elif kind + i != t.open_tile:
            seat_remove(&seat, &t.special, kind + i)
    return missing(t.rules.any_head, seat.key, 3 - seat.n_melds)


cdef int likely_claim(const Table* t) noexcept nogil:
    """The chow or pung after which the fewest tiles are missing: first the pung, then the lowest chow; or NONE."""
    cdef uint64_t rest = t.legal.chows
    cdef int best = NONE, least = 0, act, after
    if t.legal.pung:
        best = action(CLAIM_PUNG, t.open_tile)
        least = missing_after(t, best)
    while rest:
        act = action(CLAIM_CHOW, lowest(rest))
        rest &= rest - 1
        after = missing_after(t, act)
        if best == NONE or after < least:
            best, least = act, after
    return best


cdef inline bint opens(const Table* t, int act) noexcept nogil:
    """Whether an action claims an open meld."""
    return t.phase == CLAIM and (act >> 6 == CLAIM_CHOW or act >> 6 == CLAIM_PUNG
                                 or (act >> 6 == CLAIM_KONG and meld_opens(DIRECT_KONG, t.rules)))


cdef int second_choice(const Game* g, Table* t, const uint8_t* bot_of_seat, Rng* rngs) except -1 nogil:
    """What the bot does when it may not kong a wildcard; its random numbers go on as if it had not been asked."""
    cdef Rng before = rngs[t.seat]
    cdef uint64_t single = t.legal.single
    cdef int act
    t.legal.single &= ~bit(t.special.wild)
    act = answer(g, t, bot_of_seat, rngs)
    t.legal.single = single
    rngs[t.seat] = before
    return act


cdef int forced(const Game* g, Force* f, Table* t, int act, const uint8_t* bot_of_seat, Rng* rngs) except -1 nogil:
    """What is done in place of the bot's own action, at the first moment at which the choice comes up."""
    cdef int other = act
    cdef int own
    if f.feature == KONG_LAIZI:
        if f.turn != NONE or t.phase != TURN or not t.seats[t.seat].wild or act == action(WIN, 0):
            return act
        if not t.legal.single >> t.special.wild & 1:
            return act
        own = act == action(KONG_SINGLE, t.special.wild)
        if f.branch == 1 - own:
            other = second_choice(g, t, bot_of_seat, rngs) if own else action(KONG_SINGLE, t.special.wild)
    elif f.feature == OPEN_NTH:
        if f.turn != NONE or t.phase != CLAIM or seat_opens(&t.seats[t.seat], t.rules) != f.number - 1:
            return act
        own = opens(t, act)
        other = action(PASS, 0) if own else likely_claim(t)
        if not own and (act != action(PASS, 0) or other == NONE):   # it wins or kongs, or there is nothing to claim
            return act
        if f.branch != 1 - own:
            other = act
    else:   # OPEN_BEFORE, a rule for the whole hand: every first claim on the wrong side is passed
        if not opens(t, act) or seat_opens(&t.seats[t.seat], t.rules):
            return act
        own = t.turns < f.number
        if f.branch == 1 - own:
            other = action(PASS, 0)
    f.wants |= 1 << own
    if f.turn == NONE:
        f.turn = t.turns
        f.own = own
    return other


# ---- holdings

cdef int held(const uint8_t* wall, int start, int kind) noexcept nogil:
    """Tiles of a kind among the 13 dealt from `start` on."""
    cdef int i, n = 0
    for i in range(start, start + 13):
        n += wall[i] == kind
    return n


cdef int next_place(const uint8_t* wall, const uint8_t* order, int at, int start, int keep, bint inside, int kind,
                    bint is_kind) noexcept nogil:
    """The first index from `at` on of a position inside or outside the 13 tiles that holds the kind, or another."""
    cdef int position
    while True:
        position = order[at]
        if ((start <= position < start + 13) == inside and position != keep
                and (wall[position] == kind) == is_kind):
            return at
        at += 1


cdef void exchange(uint8_t* wall, int size, int start, int keep, int kind, int wanted, Rng* rng) noexcept nogil:
    """Tiles change places until `wanted` of the kind are among the 13 from `start` on.

    All in one random order of the positions: those that change are drawn uniformly, and to want more changes more.
    Position `keep`, the indicator's, stays. Precondition: enough of them outside it.
    """
    cdef uint8_t order[WALL]
    cdef int i, there = held(wall, start, kind), a = 0, b = 0
    cdef bint fewer = there > wanted
    for i in range(size):
        order[i] = i
    shuffle(order, size, rng)
    for i in range(there - wanted if fewer else wanted - there):
        a = next_place(wall, order, a, start, keep, True, kind, fewer)
        b = next_place(wall, order, b, start, keep, False, kind, not fewer)
        wall[order[a]], wall[order[b]] = wall[order[b]], wall[order[a]]


cdef void turn_round(uint8_t* wall, const uint8_t* dealt, int size, int n, int first, int shift, bint queues) noexcept nogil:
    """The wall in which place (p + shift) mod n is dealt, and draws, what place p did; `first`: of the draws."""
    cdef int i, j, to
    memcpy(wall, dealt, size)
    for i in range(n):
        to = (i + shift) % n
        memcpy(wall + 13 * to, dealt + 13 * i, 13)
        if queues:
            for j in range((size - first) // n - TAIL_ROUNDS):
                wall[first + n * j + to] = dealt[first + n * j + i]
            for j in range(TAIL_ROUNDS):
                wall[size - 1 - n * j - to] = dealt[size - 1 - n * j - i]


# ---- the loop

cdef int play_branch(const Game* g, Force* f, Table* t, const uint8_t* wall, const uint8_t* bot_of_seat,
                     const int* stream_of_seat, HandRecord* out) except -1 nogil:
    """Plays one hand from the deal and writes its record."""
    cdef Rng rngs[SEATS]
    cdef int n = g.rules.players
    cdef int i, act
    for i in range(n):
        out.bot[i] = bot_of_seat[i]
        rng_start(&rngs[i], g.key, g.hand, STREAM_POLICY + stream_of_seat[i])
    memcpy(t.wall, wall, t.size)
    if g.guests != NULL:
        next_hand(g.guests, n)
    f.turn = f.own = NONE
    f.wants = 0
    table_deal(t, g.rules, 0, g.seat_queues)
    while t.phase != OVER:
        act = answer(g, t, bot_of_seat, rngs)
        if t.seat == f.seat and f.feature >= KONG_LAIZI:
            act = forced(g, f, t, act, bot_of_seat, rngs)
        table_step(t, act)
    out.hand = g.hand
    out.wall = g.wall_number
    write_record(out, t)
    return 0


cdef int play_all(Game* g, Force* f, const int* branches, int n_branches, int focal, int64_t first, int64_t count,
                  bint rotated, HandRecord* out, Moment* moment) except -1 nogil:
    """Of hand `first + h`: branch b at out[b * count + h], the hand as it is behind all branches."""
    cdef Table t
    cdef Rng rng
    cdef uint8_t dealt[WALL]
    cdef uint8_t wall[WALL]
    cdef uint8_t seating[SEATS]
    cdef uint8_t seated[SEATS]
    cdef uint8_t turned[SEATS]
    cdef int streams[SEATS]
    cdef int turned_streams[SEATS]
    cdef int n = g.rules.players
    cdef int indicator = NONE if g.rules.model == CODES else 13 * n
    cdef int draws = 13 * n + (indicator != NONE)
    cdef int i, b, shift, wants, kind = RED
    cdef bint is_choice = f.feature >= KONG_LAIZI, parted
    cdef int64_t h
    cdef HandRecord* plain
    t.size = wall_size(g.rules)
    for h in range(count):
        g.hand = first + h
        g.wall_number = g.hand // n if rotated else g.hand
        shuffle_wall(dealt, t.size, g.key, g.wall_number)
        seat_bots(seating, n, g.key, g.wall_number)
        for i in range(n):
            seated[i] = seating[(i + g.hand) % n]
            streams[i] = i
            if seated[i] == focal:
                f.seat = i
        plain = &out[n_branches * count + h]
        f.branch = AS_IT_IS
        play_branch(g, f, &t, dealt, seated, streams, plain)
        wants = f.wants
        if f.feature == LAIZI:
            kind = t.special.wild
        moment.hand = g.hand
        moment.seat = f.seat
        moment.turn = f.turn if is_choice else 0
        moment.own = f.own if is_choice else f.seat if f.feature == DEALER else held(dealt, 13 * f.seat, kind)
        for b in range(n_branches):
            parted = wants >> (1 - branches[b]) & 1 if is_choice else branches[b] != moment.own
            if not parted:
                out[b * count + h] = plain[0]
                continue
            f.branch = branches[b]
            if f.feature == DEALER:
                shift = (f.branch - f.seat + n) % n
                turn_round(wall, dealt, t.size, n, draws, shift, g.seat_queues)
                for i in range(n):
                    turned[(i + shift) % n] = seated[i]
                    turned_streams[(i + shift) % n] = i
                play_branch(g, f, &t, wall, turned, turned_streams, &out[b * count + h])
                continue
            memcpy(wall, dealt, t.size)
            if not is_choice:
                rng_start(&rng, g.key, g.wall_number, STREAM_EXCHANGE + f.seat)
                exchange(wall, t.size, 13 * f.seat, indicator, kind, f.branch, &rng)
            play_branch(g, f, &t, wall, seated, streams, &out[b * count + h])
        moment += 1
    return 0


def exchanged(seed, number, int seat, wall, int keep, int kind, int wanted):
    """The wall, dealt from seat 0, in which the 13 tiles of `seat` have `wanted` of a kind; `keep`: -1 for none."""
    cdef uint64_t key[2]
    cdef uint8_t tiles[WALL]
    cdef Rng rng
    cdef int size = len(wall)
    seed_key(seed, key)
    rng_start(&rng, key, number, STREAM_EXCHANGE + seat)
    for i in range(size):
        tiles[i] = wall[i]
    exchange(tiles, size, 13 * seat, keep, kind, wanted, &rng)
    return [tiles[i] for i in range(size)]


def play_forced(rules, bots, seed, first, count, deal, draws, str feature, int number, branches, int focal):
    """Play hands as they are, and again for each branch of a feature; the GIL is released as in `play_hands`.

    The feature is that of one seat, where bot `focal` sits. Choices have the branches 0 and 1, each forced at the
    first moment of the hand at which the choice comes up; but for that the bot plays as itself:

    - ``kong_laizi``: it may kong a wildcard at its turn, and does not win. 1 it does; 0 it does what it would do
      if it were not allowed to.
    - ``open``: it may claim a chow or a pung (or, where the rules count it as open, makes a direct kong) while it has
      `number` - 1 open melds, and would claim that or pass. 1 it claims: what it would have claimed, else what leaves
      the fewest tiles missing; 0 it passes.
    - ``open_before``, a rule for the whole hand: without an open meld it may claim one 1 only as long as fewer than
      `number` draws have been made, 0 only from then on. The moment is when it first wants to.

    Holdings have whole numbers as branches:

    - ``laizi``, ``red``: so many wildcards, or red dragons, among the 13 tiles it is dealt. Tiles that are too few or
      too many change places with others of the wall, drawn uniformly; the indicator stays. Given the indicator, all
      walls with that holding are equally likely then.
    - ``dealer``: its place in turn order from the dealer (0). The bots, their 13 tiles and (``draws="seat"``) their
      draws go with it.

    Parameters
    ----------
    rules, bots, seed, first, count, draws
        As for `play_hands`.
    deal : {"rotated", "fresh"}
    feature : str
        One of `FEATURES`.
    number : int
        Of ``open`` and ``open_before``; 0 otherwise.
    branches : sequence of int
    focal : int
        Index of a bot.

    Returns
    -------
    records : ndarray of HAND_DTYPE, shape (len(branches) + 1, count)
        The last row is the hands as they are.
    moments : ndarray of MOMENT_DTYPE, shape (count,)
        ``turn``: draws made when the choice came up, -1 where it did not; 0 for holdings. ``own``: the branch that
        the bot itself took, or is dealt. ``seat``: where it sits in the hand as it is.

    Raises
    ------
    FaultError, BotError
        As `play_hands`; features, branches and focal are trusted.
    """
    cdef Rules compiled
    cdef uint64_t key[2]
    cdef Bot compiled_bots[SEATS]
    cdef int values[WALL]
    cdef Game g
    cdef Force f
    cdef Guests guests
    cdef int n_branches = len(branches)
    cdef int64_t begin, size
    cdef bint rotated
    cdef uint8_t[::1] raw, raw_moments
    faults = []
    bots = tuple(bots)
    seed, begin, size = check_game(faults, rules, bots, seed, first, count, deal, ("rotated", "fresh"), draws)
    if faults:
        raise FaultError(faults)
    fill_rules(rules, &compiled)
    seed_key(seed, key)
    for i, value in enumerate(branches):
        values[i] = value
    g.rules, g.bots, g.key, g.guests = &compiled, compiled_bots, key, NULL
    rotated, g.seat_queues = deal == "rotated", draws == "seat"
    guests = compile_bots(bots, compiled_bots)
    if guests is not None:
        g.guests = <void*>guests
    f.feature, f.number = FEATURES.index(feature), number
    records = np.zeros((n_branches + 1, size), dtype=HAND_DTYPE)
    moments = np.zeros(size, dtype=MOMENT_DTYPE)
    if size:
        raw = records.reshape(-1).view(np.uint8)
        raw_moments = moments.view(np.uint8)
        with nogil:
            play_all(&g, &f, values, n_branches, focal, begin, size, rotated, <HandRecord*>&raw[0],
                     <Moment*>&raw_moments[0])
    return records, moments
