# One hand's play as a state machine. Callers set it up, then answer its questions until it is over:
#
#     table_deal(&t, rules, wall, size, dealer, seat_queues)
#     while t.phase != OVER:
#         table_step(&t, <an action allowed by t.legal for t.seat>)
#
# Rules: RULES.md section 2. The precondition of table_step is a legal action; table_allows tells.
from libc.stdint cimport int8_t, int16_t, uint8_t, uint16_t, uint64_t

from wuhan_core._types cimport SEATS, WALL, Finish, Points, Rules, Seat, Special

cdef enum:
    HISTORY_SEAT = 256
    HISTORY_TAIL = 1024
    HISTORY_LAST = 2048
    RIVER = 96          # more than the draws of a hand and the claims of a seat

cdef enum Phase:
    TURN = 0            # the seat holds a tile more: win, kong or discard
    CLAIM = 1           # a discard lies open: win, kong, pung, chow or pass
    ROB = 2             # an added kong lies open: win or pass
    LAST = 3            # a tile of the last round was drawn: win or pass
    OVER = 4

# An action is a verb and a kind: verb * 64 + kind.
cdef enum Verb:
    PASS = 0            # kind 0
    WIN = 1             # kind 0
    DISCARD_TILE = 2
    CLAIM_CHOW = 3      # kind: the lowest of the chow
    CLAIM_PUNG = 4
    CLAIM_KONG = 5
    KONG_ADDED = 6
    KONG_CONCEALED = 7
    KONG_SINGLE = 8     # a red dragon, a wildcard or a skin by itself

cdef inline int action(int verb, int kind) noexcept nogil:
    return verb * 64 + kind

# What the asked seat may do. Masks are sets of kinds.
cdef struct Legal:
    uint8_t win
    uint8_t may_pass
    uint8_t pung, kong      # on the open discard
    uint64_t chows          # lowest kinds
    uint64_t discards
    uint64_t added, concealed, single

cdef struct Table:
    const Rules* rules
    Special special
    Seat seats[SEATS]
    Legal legal             # of `seat`
    uint8_t phase           # Phase
    int8_t seat             # who is asked
    int8_t dealer
    int8_t drawn            # kind the asked seat has just drawn in TURN or LAST; NONE after a claim
    uint8_t after_kong      # `drawn` is a replacement
    int8_t claimed_pung     # kind of the pung made in this very turn, else NONE
    int8_t open_tile        # the discard or added kong tile that lies open
    int8_t open_seat        # whose it is
    int16_t answers[SEATS]  # actions given on the open tile; PASS where not asked
    uint8_t claimed         # some answer is no PASS
    uint8_t last_left       # draws left in the last round, 0 outside it
    uint8_t turns           # draws so far
    uint64_t waits[SEATS]   # kinds on which the seat could be complete (a superset; 0 where it may not win at all)
    uint64_t wanted[SEATS]  # kinds that the seat could win on, pung or kong: claims are looked at only for these and for chows
    uint8_t far[SEATS]      # changes of the seat's tiles that cannot make it ready yet: each lowers the shanten by 1 at most
    int16_t ready_turn[SEATS]
    int8_t start_shanten[SEATS]     # of the 13 tiles dealt
    uint8_t start_wild[SEATS]
    uint64_t seen[4]        # seen[i]: kinds of which more than i copies lie open to all
    uint8_t river[SEATS][RIVER]     # what each seat discarded, in order; a claimed tile leaves it
    uint8_t river_size[SEATS]
    # the wall
    uint8_t wall[WALL]
    uint8_t size            # tiles
    uint8_t first           # position of the first draw
    uint8_t seat_queues     # each seat has its own queue of draws (draws="seat")
    uint8_t left            # tiles not drawn yet
    uint8_t reserve         # with so many left, or fewer, nobody draws as usual and nobody kongs
    uint8_t low, high       # no position below low, none above high is free (the search for one goes on from there)
    uint8_t draws[SEATS]            # taken so far from the seat's queue
    uint8_t replacements[SEATS]
    uint64_t taken[3]       # positions taken
    uint16_t history[WALL]  # draw by draw: wall position + 256 * seat + 1024 * replacement + 2048 * last round
    uint8_t quiet           # nobody has claimed or konged yet (tianhu, dihu)
    # the end
    Finish finish
    Points points           # of an exhausted hand deltas (and kongs) alone; deltas hold every robber's share
    uint8_t winners         # seats, bit by bit (several robbers)

cdef inline bint is_taken(const Table* t, int position) noexcept nogil:
    """Whether a tile of the wall has been drawn or dealt."""
    return t.taken[position >> 6] >> (position & 63) & 1

cdef inline int places_after(const Table* t, int who, int seat) noexcept nogil:
    """How many places after `who` a seat plays; 0 for itself."""
    return seat - who if seat >= who else seat - who + t.rules.players

cdef void table_deal(Table* t, const Rules* rules, int dealer, bint seat_queues) noexcept nogil   # t.wall, t.size are set
cdef void table_step(Table* t, int act) noexcept nogil
cdef void table_exhaust(Table* t) noexcept nogil     # ends the hand as one that nobody won
cdef bint table_allows(const Table* t, int act) noexcept nogil
cdef void table_rescore(Table* t, const Rules* rules) noexcept nogil      # after OVER
cdef void renew(Table* t, int who) noexcept nogil           # the seat's tiles have changed and it holds none too many
cdef void ask_others(Table* t, int phase, int offset) noexcept nogil
cdef uint64_t held_blocked(const Table* t, const Seat* seat) noexcept nogil
cdef int next_dealer(const Table* t) noexcept nogil
