"""The hand loop: hand numbers in, one record per hand out. Hand h is a pure function of (rules, bots, seed, h)."""

import numpy as np

from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.string cimport memset

from wuhan_core._observation cimport legal_actions, observe
from wuhan_core._policy cimport Bot, choose, draws_numbers, fill_bot
from wuhan_core._rng cimport STREAM_POLICY, Rng, rng_start
from wuhan_core._rules cimport fill_rules
from wuhan_core._seat cimport seat_kongs, seat_opens
from wuhan_core._table cimport OVER, Table, table_deal, table_rescore, table_step
from wuhan_core._types cimport NONE, SEATS, WALL, WINS, Finish, HandRecord, Rules
from wuhan_core._wall cimport seat_bots, seed_key, shuffle_wall, wall_size

from wuhan_core._policy import BOT_NAMES
from wuhan_core._wall import STREAM_VERSION, arrangements
from wuhan_core.actions import Action, BotError, IllegalAction
from wuhan_core.errors import FaultError, one_of, show, whole
from wuhan_core.options import is_points
from wuhan_core.policies import PolicyError, parse_bot
from wuhan_core.records import HAND_DTYPE

DEALS = ("rotated", "fresh", "balanced")
DRAWS = ("seat", "wall")

cdef enum:
    MOST_OTHERS = 64        # rule sets by which one call scores its hands again

assert HAND_DTYPE.itemsize == sizeof(HandRecord), "records.py and _types.pxd disagree"


cdef class Guests:

    cdef int ask(self, const Table* t, int bot, int64_t hand) except -1:
        """The action of the guest at t.seat, checked."""
        guest = self.seated[t.seat]
        if guest is None:
            guest = self.bots[bot]
            if isinstance(guest, type):         # a new one for each hand: nothing carries over
                guest = guest()
            self.seated[t.seat] = guest
        legal = legal_actions(t)
        answer = guest.act(observe(t, t.seat), list(legal))     # whatever it does to the list
        if not isinstance(answer, Action) or answer not in legal:
            raise IllegalAction(answer, t.seat, legal)
        return legal[legal.index(answer)].code      # whatever sort of number an equal one has


cdef tuple check_game(list faults, object rules, tuple bots, object seed, object first, object count, object deal,
                      tuple deals, object draws):
    """Notes what is wrong with that which all loops are given; seed, first and count come back as plain numbers."""
    players = rules.get("deal.players")
    if len(bots) != players:
        faults.append(f"bots: {len(bots)} names, must be {players}")
    for bot in bots:
        if isinstance(bot, str):
            try:
                parse_bot(bot)
            except PolicyError as error:
                faults += [f"bots: {fault}" for fault in error.faults]
        elif not callable(getattr(bot, "act", None)):
            faults.append(f"bots: {show(bot)} has no method act(observation, legal)")
    one_of("deal", deal, deals, faults)
    one_of("draws", draws, DRAWS, faults)
    return (whole("seed", seed, faults), whole("first", first, faults, 0, 2**62 - 1),
            whole("count", count, faults, 0, 2**62 - 1))


cdef Guests compile_bots(tuple bots, Bot* out):
    """Fills `out` with the bots of a task; those written in Python come back, None where there are none."""
    cdef Guests guests
    for i, bot in enumerate(bots):
        if isinstance(bot, str):
            fill_bot(parse_bot(bot), &out[i])
        else:
            out[i].kind = GUEST
    if all([isinstance(bot, str) for bot in bots]):
        return None
    guests = Guests()
    guests.bots = list(bots)
    return guests


# A function that takes the GIL somewhere inside takes it at every return, too: asking stands apart from the loop.
cdef int ask_guest(void* guests, const Table* t, int bot, int64_t hand) except -1 with gil:
    try:
        return (<Guests>guests).ask(t, bot, hand)
    except (Exception, SystemExit) as error:
        raise BotError(t.seat, hand, bot, error) from error


cdef int next_hand(void* guests, int players) except -1 with gil:
    (<Guests>guests).seated = [None] * players
    return 0


cdef int play_on(Table* t, const Bot** seated, const uint8_t* bot_of_seat, Rng* rngs, void* guests,
                 int64_t hand, int turns) except -1 nogil:
    """Play until the hand is over, or `turns` draws have been made and a seat is asked."""
    while t.phase != OVER and t.turns < turns:
        if seated[t.seat].kind == GUEST:
            table_step(t, ask_guest(guests, t, bot_of_seat[t.seat], hand))
        else:
            table_step(t, choose(seated[t.seat], t, &rngs[t.seat]))
    return 0


cdef void write_record(HandRecord* out, const Table* t) noexcept nogil:
    cdef int i
    cdef bint won = t.finish.winner != NONE
    out.types = t.points.types if won else 0
    out.dealer = t.dealer
    out.indicator = t.special.indicator
    out.laizi = t.special.wild
    out.outcome = t.finish.source if won else 0
    out.winner = t.finish.winner
    out.loser = t.finish.loser
    out.liable = t.points.liable if won else NONE
    out.win_tile = t.finish.tile
    out.hard = won and t.points.hard
    out.golden = won and t.points.golden
    out.turns = t.turns
    for i in range(SEATS):
        out.owed[i] = t.points.owed[i] if won else 0
        out.capped[i] = t.points.capped[i] if won else 0
        out.points[i] = t.points.deltas[i]
        out.ready_turn[i] = t.ready_turn[i]
        out.opens[i] = seat_opens(&t.seats[i], t.rules)
        out.kongs[i] = seat_kongs(&t.seats[i])
        out.start_shanten[i] = t.start_shanten[i]
        out.start_wild[i] = t.start_wild[i]


cdef void write_again(HandRecord* out, const HandRecord* played, Table* t, const Rules* rules) noexcept nogil:
    """The record of a finished hand by other rules; a win that they do not allow leaves no winner and no points."""
    cdef Finish finish = t.finish
    table_rescore(t, rules)
    out[0] = played[0]
    if t.points.why != WINS:
        t.finish.winner = t.finish.loser = t.finish.tile = NONE
        memset(t.points.deltas, 0, sizeof(t.points.deltas))
    write_record(out, t)
    t.finish = finish


cdef int play_range(const Rules* rules, const Bot* bots, void* guests, const uint64_t* key, int64_t first,
                    int64_t count, int per_wall, const uint8_t* orders, bint seat_queues, const Rules* others,
                    int n_others, HandRecord* out) except -1 nogil:
    """out: `count` records as played, then as many for each of the `others`.

    per_wall: hands of a wall; orders: in each of them the bots by seat, or NULL: rotated in a random order.
    """
    cdef Table t
    cdef Rng rngs[SEATS]
    cdef uint8_t wall[WALL]
    cdef uint8_t seating[SEATS]
    cdef const Bot* seated[SEATS]
    cdef int n = rules.players
    cdef int64_t h, number, dealt = -1
    cdef int i
    t.size = wall_size(rules)
    for h in range(first, first + count):
        number = h // per_wall
        if number != dealt:
            shuffle_wall(wall, t.size, key, number)
            seat_bots(seating, n, key, number)
            dealt = number
        t.wall = wall
        for i in range(n):
            out.bot[i] = seating[(i + h) % n] if orders == NULL else orders[h % per_wall * SEATS + i]
            seated[i] = &bots[out.bot[i]]
            if draws_numbers(seated[i]):
                rng_start(&rngs[i], key, h, STREAM_POLICY + i)
        if guests != NULL:
            next_hand(guests, n)
        table_deal(&t, rules, 0, seat_queues)
        play_on(&t, seated, out.bot, rngs, guests, h, ALL_TURNS)
        out.hand = h
        out.wall = number
        write_record(out, &t)
        for i in range(n_others):
            write_again(out + (i + 1) * count, out, &t, &others[i])
        out += 1
    return 0


def first_alike(bots):
    """For each bot the index of the first one that is the same: text by what it means, objects by what they are."""
    keys = [parse_bot(bot) if isinstance(bot, str) else id(bot) for bot in bots]
    return tuple([keys.index(key) for key in keys])


def play_hands(rules, bots, seed, first, count, deal="rotated", draws="seat", alike=None, others=()):
    """Play hands `first` to `first + count - 1` of a task; the GIL is released but where a bot in Python is asked.

    Parameters
    ----------
    rules : RuleSet
    bots : sequence of str or object
        For each player the text of a compiled bot (`policies.parse_bot`), or a bot written in Python: an object with
        ``act(observation, legal) -> Action``, or a class of such objects, of which each hand gets a new one.
    seed : int
        0 or more.
    first, count : int
        Hand numbers, 0 or more; below 2**62.
    deal : {"rotated", "fresh", "balanced"}
        "rotated": with n players, hands n*w to n*w + n - 1 are wall w with the bots' seats rotated. "fresh": a wall for
        each hand. "balanced": with m distinct orders of the bots (`_wall.arrangements`), hands m*w to m*w + m - 1 are
        wall w, each in another order.
    draws : {"seat", "wall"}
        "seat": each seat has its own queue of draws; "wall": the table's order.
    alike : sequence of int, optional
        For each bot the index of the first one that counts as the same in a balanced deal; when not given, text is
        compared by what it means, objects by what they are.
    others : sequence of RuleSet
        Rules that differ in points and the minimum alone: the hands, played by `rules`, are scored by each of them, too.
        A win that they do not allow is a hand without winner and points there.

    Returns
    -------
    ndarray of HAND_DTYPE, shape (count,); with `others` (1 + len(others), count)

    Raises
    ------
    FaultError
        An unknown bot or parameter, deal or draws, a wrong number of bots, a number out of range; every fault is named.
    BotError
        A bot in Python raised an exception or answered with an action that is not legal.
    """
    cdef Rules compiled
    cdef Rules others_compiled[MOST_OTHERS]
    cdef int n_others
    cdef uint64_t key[2]
    cdef Bot compiled_bots[SEATS]
    cdef int64_t begin, size
    cdef bint seat_queues
    cdef int per_wall
    cdef const uint8_t[::1] orders
    cdef const uint8_t* order = NULL
    cdef uint8_t[::1] raw
    cdef HandRecord* out
    cdef void* guests = NULL
    cdef Guests table_of_guests
    faults = []
    bots, others = tuple(bots), tuple(others)
    seed, begin, size = check_game(faults, rules, bots, seed, first, count, deal, DEALS, draws)
    if len(others) > MOST_OTHERS:
        faults.append(f"others: {len(others)} rule sets, must be at most {MOST_OTHERS}")
    faults += [f"others[{i}]: {name} differs, must be points and the minimum alone" for i, other in enumerate(others)
               for name in rules.diff(other) if not is_points(name)]
    if faults:
        raise FaultError(faults)
    fill_rules(rules, &compiled)
    n_others = len(others)
    for i, other in enumerate(others):
        fill_rules(other, &others_compiled[i])
    seed_key(seed, key)
    table_of_guests = compile_bots(bots, compiled_bots)
    if table_of_guests is not None:
        guests = <void*>table_of_guests
    seat_queues = draws == "seat"
    per_wall = compiled.players if deal == "rotated" else 1
    if deal == "balanced":
        table = np.zeros((24, SEATS), np.uint8)         # so many orders have four different bots
        seated = arrangements(first_alike(bots) if alike is None else alike)
        per_wall = len(seated)
        table[:per_wall, :compiled.players] = seated
        orders = table.ravel()
        order = &orders[0]
    records = np.zeros((1 + n_others) * size, dtype=HAND_DTYPE)
    if size:
        raw = records.view(np.uint8)
        out = <HandRecord*>&raw[0]
        with nogil:
            play_range(&compiled, compiled_bots, guests, key, begin, size, per_wall, order, seat_queues, others_compiled,
                       n_others, out)
    return records.reshape(1 + n_others, size) if n_others else records
