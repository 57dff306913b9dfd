# One hand as numbers for learning; the layout is that of encoding.py, which says what each number means.
from libc.stdint cimport uint8_t, uint64_t

from wuhan_core._table cimport Table

# Numbers of actions: the first of each sort.
cdef enum:
    ACT_PASS = 0
    ACT_WIN = 1
    ACT_PUNG = 2
    ACT_KONG = 3
    ACT_CHOW = 4            # + 7 * suit + rank of its lowest tile
    ACT_DISCARD = 25        # + kind
    ACT_OWN = 59            # + kind: an added or a concealed kong
    ACT_SINGLE = 93         # + kind
    ACTIONS = 127

# Columns of a row: the first of each feature.
cdef enum:
    COL_COUNTS = 0
    COL_SEEN = 34
    COL_MELDED = 68
    COL_DISCARDED = 204
    COL_INDICATOR = 340
    COL_LAIZI = 374
    COL_SKINS = 408
    COL_DRAWN = 442
    COL_OPEN_TILE = 476
    COL_PHASE = 510
    COL_DEALER = 514
    COL_OPEN_SEAT = 518
    COL_PLAYERS = 522
    COL_LEFT = 523
    COL_TURNS = 524
    COL_CONCEALED = 525
    COL_SINGLES = 529
    COL_MELDS = 541
    COL_RIVERS = 589
    COLUMNS = 829
    RIVER_COLUMNS = 60

# A set of actions: number i is bit i, the bits from 64 on in `high`.
cdef struct Choices:
    uint64_t low, high

cdef inline bint is_choice(const Choices* choices, int index) noexcept nogil:
    """Precondition: 0 <= index < ACTIONS."""
    return (choices.low >> index if index < 64 else choices.high >> (index - 64)) & 1

cdef Choices choices_of(const Table* t) noexcept nogil          # of the asked seat; none when the hand is over
cdef int code_of(const Table* t, int index) noexcept nogil      # the engine's action; precondition: it is legal
cdef int number_of(int code) noexcept nogil                     # the way back
cdef int nth_choice(const Choices* choices, int n) noexcept nogil   # precondition: there are more than n
cdef int count_choices(const Choices* choices) noexcept nogil
cdef void write_mask(const Choices* choices, uint8_t* mask) noexcept nogil      # ACTIONS bytes
cdef void write_row(const Table* t, int who, uint8_t* row) noexcept nogil       # COLUMNS bytes: what `who` may know
