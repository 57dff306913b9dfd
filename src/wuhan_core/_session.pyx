"""Sessions: many hands in a row at one table, the deal passing on. RULES.md sections 2 (dealer passes) and 9 (last paragraphs).

Session s is a pure function of (rules, bots, seed, s, settings). It begins as a hand of plain play: with n seats
and H hands a session, sessions nb to nb + n - 1 make block b, which is dealt walls bH to bH + H - 1, the bots one
seat further each time (deal="fresh": a block for each session). Its hand j has the number that plain play gives
that wall and turn, and the bots draw their random numbers from that hand's streams: no number is used twice.
"""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memcpy, memset

from wuhan_core._play cimport ALL_TURNS, Guests, check_game, compile_bots, next_hand, play_on, write_record
from wuhan_core._policy cimport Bot, draws_numbers
from wuhan_core._rng cimport STREAM_FLIGHT, STREAM_POLICY, Rng, rng_next, rng_start
from wuhan_core._rules cimport fill_rules
from wuhan_core._table cimport OVER, Table, next_dealer, table_deal, table_exhaust
from wuhan_core._types cimport NONE, SEATS, WALL, HandRecord, Rules, SessionRecord
from wuhan_core._wall cimport seat_bots, seed_key, shuffle_wall, wall_size

from wuhan_core.errors import FaultError, show, whole
from wuhan_core.records import HAND_DTYPE
from wuhan_core.session_records import SESSION_DTYPE

DEALS = ("rotated", "fresh")
MOST_HANDS = 10**6          # of a session
MOST_POINTS = 2**53         # of a bankroll or a mark

cdef enum Ending:                   # ENDINGS in session_records.py
    PLAYED = 0
    RUIN = 1
    LEFT = 2
    FLED = 3

cdef int64_t EDGE = <int64_t>1 << 61    # sums of points stop here, so that none overflows

assert SESSION_DTYPE.itemsize == sizeof(SessionRecord), "session_records.py and _types.pxd disagree"

# What holds for every session of a call.
cdef struct Settings:
    int32_t hands                   # most hands of a session
    bint banked                     # seats have bankrolls
    int64_t bankroll                # points, 0 without
    bint stay                       # seats that have nothing left play on
    bint has_below, has_above       # seats stand up between hands
    int64_t below, above            # points
    uint64_t flee                   # chance of running away at a draw, of 2**63
    int32_t every                   # hands from one snapshot to the next, 0 = none
    bint rotated, seat_queues


# A session that is being played.
cdef struct Running:
    SessionRecord* out
    const Bot* bots[SEATS]          # by seat
    int64_t high[SEATS]             # the highest bankroll so far
    int dealer
    bint over


cdef inline int64_t add(int64_t a, int64_t b) noexcept nogil:
    """a + b, cut at +-EDGE; |a| <= EDGE."""
    return max(-EDGE, min(EDGE, a + max(-2 * EDGE, min(2 * EDGE, b))))


cdef void settle(const int64_t* points, const int64_t* purse, int n, int64_t* gain, int64_t* unpaid,
                 int64_t* missed) noexcept nogil:
    """Who gets what of a hand's points where no seat pays more than it has.

    A short seat pays those who gain in turn order after it, each in full before the next. So do all: the order of
    the losers does not matter, as with four seats at most either one side is a single seat or both are two.
    """
    cdef int i, k, who
    cdef int64_t left, paid
    cdef bint short_of = False
    for i in range(n):
        gain[i] = points[i]
        unpaid[i] = missed[i] = 0
        short_of |= points[i] < -purse[i]
    if not short_of:
        return
    for i in range(n):
        missed[i] = max(points[i], 0)
    for i in range(n):
        if points[i] < 0:
            left = min(purse[i], -points[i])
            gain[i] = -left
            unpaid[i] = -points[i] - left
            for k in range(1, n):
                who = (i + k) % n
                paid = min(left, missed[who])
                missed[who] -= paid
                left -= paid
    for i in range(n):
        if points[i] > 0:
            gain[i] -= missed[i]


cdef void settle_books(SessionRecord* out, const Settings* plan, int n, const int64_t* points, int64_t fee,
                       int64_t* high, int32_t hands) noexcept nogil:
    """Points, then the fee, then what is told of the bankrolls after this many hands."""
    cdef int64_t purse[SEATS]
    cdef int64_t gain[SEATS]
    cdef int64_t unpaid[SEATS]
    cdef int64_t missed[SEATS]
    cdef int64_t due
    cdef int i
    if plan.banked:
        memcpy(purse, out.end, sizeof(purse))
        settle(points, purse, n, gain, unpaid, missed)
    for i in range(n):
        due = fee
        if plan.banked:
            out.points[i] = add(out.points[i], gain[i])
            out.unpaid[i] = add(out.unpaid[i], unpaid[i])
            out.missed[i] = add(out.missed[i], missed[i])
            out.end[i] = add(out.end[i], gain[i])
            due = min(fee, out.end[i])
        else:
            out.points[i] = add(out.points[i], points[i])
            out.end[i] = add(out.end[i], points[i])
        out.fees[i] = add(out.fees[i], due)
        out.end[i] = add(out.end[i], -due)
        high[i] = max(high[i], out.end[i])
        out.low[i] = min(out.low[i], out.end[i])
        out.drawdown[i] = max(out.drawdown[i], high[i] - out.end[i])
        if plan.banked and out.end[i] == 0 and out.ruined_at[i] < 0:
            out.ruined_at[i] = hands


cdef bint is_last(SessionRecord* out, const Settings* plan, int n, bint fled) noexcept nogil:
    """Whether the session ends after this hand, and how."""
    cdef int i
    cdef bint ruin = False, leaves = False
    if fled:
        out.ended = FLED
        return True
    for i in range(n):
        ruin |= out.ruined_at[i] >= 0
    if ruin and not plan.stay:
        out.ended = RUIN
        return True
    if out.hands == plan.hands:
        out.ended = PLAYED
        return True
    for i in range(n):
        if (plan.has_below and out.end[i] <= plan.below) or (plan.has_above and out.end[i] >= plan.above):
            out.left[i] = leaves = True
    out.ended = LEFT
    return leaves


cdef int turns_until_flight(uint64_t flee, const uint64_t* key, int64_t hand) noexcept nogil:
    """The draw at which a seat runs away; ALL_TURNS where none does. Whole numbers only: the same on any machine."""
    cdef Rng rng
    cdef int turns
    if not flee:
        return ALL_TURNS
    rng_start(&rng, key, hand, STREAM_FLIGHT)
    for turns in range(1, ALL_TURNS):
        if rng_next(&rng) >> 1 < flee:
            return turns
    return ALL_TURNS


cdef void begin(Running* at, SessionRecord* out, const Settings* plan, const Bot* bots, const uint8_t* seating, int n,
                int64_t session, int64_t block, int turn) noexcept nogil:
    cdef int i
    memset(at, 0, sizeof(Running))
    memset(out, 0, sizeof(SessionRecord))
    at.out = out
    out.session = session
    out.block = block
    for i in range(SEATS):
        out.ruined_at[i] = -1
    for i in range(n):
        out.bot[i] = seating[(i + turn) % n]
        at.bots[i] = &bots[out.bot[i]]
        out.end[i] = out.low[i] = at.high[i] = plan.bankroll


cdef int play_hand(Running* at, Table* t, const Rules* rules, const Settings* plan, void* guests, const uint64_t* key,
                   int64_t hand) except -1 nogil:
    """One hand on the wall that lies in t: at.over says whether it was the session's last."""
    cdef Rng rngs[SEATS]
    cdef SessionRecord* out = at.out
    cdef int n = rules.players
    cdef int i
    cdef bint fled
    for i in range(n):
        if draws_numbers(at.bots[i]):
            rng_start(&rngs[i], key, hand, STREAM_POLICY + i)
    if guests != NULL:
        next_hand(guests, n)
    table_deal(t, rules, at.dealer, plan.seat_queues)
    play_on(t, at.bots, out.bot, rngs, guests, hand, turns_until_flight(plan.flee, key, hand))
    fled = t.phase != OVER
    if fled:
        out.left[t.seat] = True
        table_exhaust(t)
    out.hands += 1
    out.deals[at.dealer] += 1
    out.exhausted += t.finish.winner == NONE
    for i in range(n):
        out.wins[i] += t.winners >> i & 1
    settle_books(out, plan, n, t.points.deltas, rules.fee, at.high, out.hands)
    at.over = is_last(out, plan, n, fled)
    at.dealer = next_dealer(t)
    return 0


cdef int play_range(const Rules* rules, const Settings* plan, const Bot* bots, void* guests, const uint64_t* key,
                    int64_t first, int64_t count, SessionRecord* out, int64_t* paths, HandRecord* records,
                    const uint8_t* stop) except -1 nogil:
    """The sessions of a block in step, hand by hand: each wall is shuffled once.

    paths: room for (count, hands // every, n) bankrolls; records: NULL, or room for (count, hands) of them; stop: set
    by another thread to end the loop where it is.
    """
    cdef Table t
    cdef Running running[SEATS]
    cdef Running* at
    cdef uint8_t wall[WALL]
    cdef uint8_t seating[SEATS]
    cdef int n = rules.players
    cdef int per_block = n if plan.rotated else 1
    cdef int64_t last = first + count
    cdef int64_t block, number, begun, session, stays
    cdef int64_t* path
    cdef HandRecord* record
    cdef int turn, i, left
    cdef int32_t j, told, snapshots = plan.hands // plan.every if plan.every else 0
    t.size = wall_size(rules)
    for block in range(first // per_block, (last + per_block - 1) // per_block):
        number = block * plan.hands
        begun = block * per_block
        seat_bots(seating, n, key, number)
        left = 0
        for turn in range(per_block):
            session = begun + turn
            running[turn].over = not first <= session < last
            if not running[turn].over:
                begin(&running[turn], out + (session - first), plan, bots, seating, n, session, block,
                      (number * per_block + turn) % n)
                left += 1
        for j in range(plan.hands):
            if stop[0]:
                return 0
            shuffle_wall(wall, t.size, key, number + j)
            for turn in range(per_block):
                at = &running[turn]
                if at.over:
                    continue
                session = begun + turn - first
                t.wall = wall
                play_hand(at, &t, rules, plan, guests, key, (number + j) * per_block + turn)
                if records != NULL:
                    record = records + (session * plan.hands + j)
                    record.hand = (number + j) * per_block + turn
                    record.wall = number + j
                    for i in range(n):
                        record.bot[i] = at.out.bot[i]
                    write_record(record, &t)
                if snapshots and ((j + 1) % plan.every == 0 or at.over):
                    stays = snapshots if at.over else (j + 1) // plan.every     # what it ended with stays
                    for told in range(j // plan.every, stays):
                        path = paths + (session * snapshots + told) * n
                        for i in range(n):
                            path[i] = at.out.end[i]
                left -= at.over
            if not left:
                break
    return 0


def settle_hand(points, bankrolls):
    """Who pays and gets what of a hand's points where no seat pays more than it has. RULES.md section 9.

    Parameters
    ----------
    points : sequence of int
        What each seat gains by the hand, losses negative; they sum to 0.
    bankrolls : sequence of int
        What each seat has, 0 or more.

    Returns
    -------
    gains, unpaid, missed : lists of int
        By seat: what really comes (or goes), what it lost and did not have, what it won and was not paid.
    """
    cdef int64_t all_points[SEATS]
    cdef int64_t purse[SEATS]
    cdef int64_t gain[SEATS]
    cdef int64_t unpaid[SEATS]
    cdef int64_t missed[SEATS]
    cdef int n = len(points)
    if n != len(bankrolls) or not 2 <= n <= SEATS or sum(points) or min(bankrolls) < 0:
        raise ValueError(f"points = {points!r}, bankrolls = {bankrolls!r}: must be of the same 2 to 4 seats, and sum to 0, "
                         "and be 0 or more")
    memset(all_points, 0, sizeof(all_points))
    memset(purse, 0, sizeof(purse))
    for i in range(n):
        all_points[i] = points[i]
        purse[i] = bankrolls[i]
    settle(all_points, purse, n, gain, unpaid, missed)
    return [gain[i] for i in range(n)], [unpaid[i] for i in range(n)], [missed[i] for i in range(n)]


def play_sessions(rules, bots, seed, first, count, hands, bankroll=None, deal="rotated", draws="seat",
                  stay=False, leave_below=None, leave_above=None, flee=0.0, every=0, records=False, stop=None):
    """Play sessions `first` to `first + count - 1`; the GIL is released but where a bot in Python is asked.

    A session ends when all its hands are played, or for all when one seat cannot or will not go on.

    Parameters
    ----------
    rules, bots, seed, draws
        As for `play_hands`.
    first, count : int
        Session numbers, 0 or more.
    hands : int
        Most hands of a session, 1 to 1,000,000.
    bankroll : int or None
        Points that each seat begins with, 1 to 2**53. No seat pays more than it has; one that has nothing left
        after a hand is ruined. None: no bankrolls; seats begin at 0, may fall below, and pay all.
    deal : {"rotated", "fresh"}
        "rotated": with n players, sessions n*b to n*b + n - 1 are dealt the same walls, the bots' seats rotated.
    stay : bool
        A ruined seat plays on with nothing, instead of ending the session.
    leave_below, leave_above : int or None
        A seat stands up after a hand when it has so many points or fewer, or more.
    flee : float
        Chance that the seat asked after a draw runs away instead, for each draw of the table, 0 to 1. The hand then
        counts as exhausted (in the model "codes" kongs made so far are paid), every seat pays the fee, and the
        session ends.
    every : int
        Hands from one snapshot of the bankrolls to the next; 0 = no snapshots.
    records : bool
        Return a record of each hand, too; the points in it are those owed, whatever was paid.
    stop : ndarray of uint8, shape (1,), optional
        Another thread may set it to 1: the loop then ends within a hand or four.

    Returns
    -------
    sessions : ndarray of SESSION_DTYPE, shape (count,)
    paths : ndarray of int64, shape (count, hands // every, players)
        Bankrolls after every `every` hands; where a session has ended, what it ended with.
    records : ndarray of HAND_DTYPE, or None

    Raises
    ------
    FaultError
        Naming every fault.
    BotError
        A bot in Python raised an exception or answered with an action that is not legal.
    InterruptedError
        `stop` was set.
    """
    cdef Rules compiled
    cdef Settings plan
    cdef uint64_t key[2]
    cdef Bot compiled_bots[SEATS]
    cdef int64_t begin_at, size
    cdef uint8_t[::1] raw_sessions, raw_hands
    cdef int64_t[::1] raw_paths
    cdef const uint8_t[::1] flag = np.zeros(1, np.uint8) if stop is None else stop
    cdef HandRecord* hand_out = NULL
    cdef int64_t* path_out = NULL
    cdef void* guests = NULL
    cdef Guests table_of_guests
    faults = []
    bots = tuple(bots)
    seed, first, count = check_game(faults, rules, bots, seed, first, count, deal, DEALS, draws)
    hands = whole("hands", hands, faults, 1, MOST_HANDS)
    every = whole("every", every, faults, 0, MOST_HANDS)
    if bankroll is not None:
        bankroll = whole("bankroll", bankroll, faults, 1, MOST_POINTS)
    if leave_below is not None:
        leave_below = whole("leave_below", leave_below, faults, -MOST_POINTS, MOST_POINTS)
    if leave_above is not None:
        leave_above = whole("leave_above", leave_above, faults, -MOST_POINTS, MOST_POINTS)
    if isinstance(flee, bool) or not isinstance(flee, (int, float)) or not 0 <= flee <= 1:
        faults.append(f"flee = {show(flee)}, must be a number from 0 to 1")
    if not faults and (first + count) * hands > 2**60:
        faults.append(f"first, count, hands = {first}, {count}, {hands}, must be at most 2**60 hands in all")
    if faults:
        raise FaultError(faults)
    fill_rules(rules, &compiled)
    seed_key(seed, key)
    table_of_guests = compile_bots(bots, compiled_bots)
    if table_of_guests is not None:
        guests = <void*>table_of_guests
    plan.hands, plan.every = hands, every
    plan.banked = bankroll is not None
    plan.bankroll = bankroll if plan.banked else 0
    plan.stay = stay
    plan.has_below, plan.has_above = leave_below is not None, leave_above is not None
    plan.below, plan.above = leave_below if plan.has_below else 0, leave_above if plan.has_above else 0
    plan.flee = int(flee * 2.0**63)
    plan.rotated, plan.seat_queues = deal == "rotated", draws == "seat"
    begin_at, size = first, count
    sessions = np.zeros(size, dtype=SESSION_DTYPE)
    paths = np.zeros((size, hands // every if every else 0, compiled.players), dtype=np.int64)
    hand_records = np.zeros((size, hands), dtype=HAND_DTYPE) if records else None
    if size:
        raw_sessions = sessions.view(np.uint8)
        if paths.size:
            raw_paths = paths.reshape(-1)
            path_out = &raw_paths[0]
        else:
            plan.every = 0
        if records:
            raw_hands = hand_records.reshape(-1).view(np.uint8)
            hand_out = <HandRecord*>&raw_hands[0]
        with nogil:
            play_range(&compiled, &plan, compiled_bots, guests, key, begin_at, size, <SessionRecord*>&raw_sessions[0],
                       path_out, hand_out, &flag[0])
    if flag[0]:
        raise InterruptedError("the sessions were stopped")
    if records:
        hand_records = hand_records[np.arange(hands) < sessions["hands"][:, None]]      # those that were played
    return sessions, paths, hand_records
