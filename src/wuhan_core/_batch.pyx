"""Many hands of one rule set, stepped together: what `TableBatch` drives; the GIL is released once a call.

Memory of a slot, in bytes: its Table 1712, its row 829, its mask 127, Choices and counters 32, rewards, record and the
rest of what is handed out about 250. A step reads about half of the table, of which it changes a few lines, and writes
row, mask and rewards anew: with rows written whole there is nothing to go stale, and most of the time goes into the
row, whatever has changed. Checking actions and drawing random ones reads Choices (16 bytes a slot) and no table.
"""

import numpy as np

from libc.stdint cimport int8_t, int64_t, uint8_t, uint64_t
from libc.string cimport memset

from wuhan_core._encoding cimport (ACTIONS, COLUMNS, Choices, choices_of, code_of, count_choices, is_choice, nth_choice,
                                   number_of, write_mask, write_row)
from wuhan_core._observation cimport legal_actions
from wuhan_core._play cimport write_record
from wuhan_core._policy cimport Bot, choose, fill_bot
from wuhan_core._rng cimport STREAM_CHOICE, Rng, rng_below, rng_start
from wuhan_core._rules cimport CompiledRules
from wuhan_core._table cimport OVER, Table, table_deal, table_step
from wuhan_core._types cimport NONE, HandRecord
from wuhan_core._wall cimport seed_key, shuffle_wall, wall_size

from wuhan_core.policies import parse_bot
from wuhan_core.records import HAND_DTYPE


cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define WC_PREFETCH(p) __builtin_prefetch(p)
    #else
    #define WC_PREFETCH(p) ((void)0)
    #endif
    """
    void prefetch "WC_PREFETCH"(const void* p) noexcept nogil


cdef class Slots:
    """`n` hands; input is checked by `wuhan_core.batch.TableBatch`, which says what the arrays hold.

    Methods with `begin` and `end` work on these slots alone: several threads may each have a range of their own.
    """

    cdef CompiledRules compiled
    cdef uint64_t key[2]
    cdef int per_wall, dealer
    cdef bint seat_queues, autoreset
    cdef int n              # slots, and from one hand of a slot to its next one
    cdef Table* tables
    cdef Choices* choices   # apart from the tables: an answer is checked, and drawn at random, by them alone
    cdef int64_t* decisions     # made in this hand
    cdef HandRecord* record
    cdef uint8_t* row
    cdef uint8_t* mask
    cdef int8_t* seat
    cdef uint8_t* over
    cdef int64_t* hand
    cdef int64_t* reward
    cdef object memory      # owns what is not handed out
    cdef object choice_seed
    cdef uint64_t choice_key[2]
    cdef readonly object observations, masks, seats, done, hands, rewards, records

    def __init__(self, rules, int n, seed, int64_t first, bint seat_queues, int per_wall, int dealer, bint autoreset):
        cdef int i, players = rules.get("deal.players")
        self.compiled = CompiledRules(rules)
        self.n = n
        self.per_wall, self.dealer, self.seat_queues, self.autoreset = per_wall, dealer, seat_queues, autoreset
        seed_key(seed, self.key)
        self.memory = [np.zeros(n * size, np.uint8) for size in (sizeof(Table), sizeof(Choices), sizeof(int64_t))]
        self.tables = <Table*>address(self.memory[0])
        self.choices = <Choices*>address(self.memory[1])
        self.decisions = <int64_t*>address(self.memory[2])
        self.observations = np.zeros((n, COLUMNS), np.uint8)
        self.masks = np.zeros((n, ACTIONS), np.bool_)
        self.seats = np.zeros(n, np.int8)
        self.done = np.zeros(n, np.bool_)
        self.hands = np.arange(first, first + n, dtype=np.int64)
        self.rewards = np.zeros((n, players), np.int64)
        self.records = np.zeros(n, HAND_DTYPE)
        self.records["hand"] = -1
        self.row = address(self.observations)
        self.mask = address(self.masks)
        self.seat = <int8_t*>address(self.seats)
        self.over = address(self.done)
        self.hand = <int64_t*>address(self.hands)
        self.reward = <int64_t*>address(self.rewards)
        self.record = <HandRecord*>address(self.records)
        with nogil:
            for i in range(n):
                self.deal(i)

    # ---- one slot

    cdef void deal(self, int i) noexcept nogil:
        """Hand self.hand[i] begins in slot i."""
        cdef Table* t = &self.tables[i]
        t.size = wall_size(&self.compiled.rules)
        shuffle_wall(t.wall, t.size, self.key, self.hand[i] // self.per_wall)
        table_deal(t, &self.compiled.rules, self.dealer, self.seat_queues)
        self.decisions[i] = 0
        self.write(i)

    cdef void write(self, int i) noexcept nogil:
        """What the asked seat of slot i may know and do; zeros, and no seat, when the hand is over."""
        cdef const Table* t = &self.tables[i]
        self.choices[i] = choices_of(t)
        write_mask(&self.choices[i], self.mask + ACTIONS * i)
        if t.phase == OVER:
            self.seat[i] = NONE
            memset(self.row + <int64_t>COLUMNS * i, 0, COLUMNS)
        else:
            self.seat[i] = t.seat
            write_row(t, t.seat, self.row + <int64_t>COLUMNS * i)

    cdef void finish(self, int i) noexcept nogil:
        """The hand of slot i has ended with this step."""
        cdef const Table* t = &self.tables[i]
        cdef int k, players = self.compiled.rules.players
        for k in range(players):
            self.reward[players * i + k] = t.points.deltas[k]
        self.record[i].hand = self.hand[i]
        self.record[i].wall = self.hand[i] // self.per_wall
        write_record(&self.record[i], t)

    cdef inline void fetch(self, int i) noexcept nogil:
        """Slot i comes next: with thousands of slots its table and row lie outside the near caches."""
        cdef int k
        for k in range(0, <int>sizeof(Table), 64):         # cache lines
            prefetch(<const uint8_t*>&self.tables[i] + k)
        for k in range(0, COLUMNS, 64):
            prefetch(self.row + <int64_t>COLUMNS * i + k)

    # ---- all of them

    def illegal(self, const int64_t[::1] actions):
        """Slots whose action is not legal; those whose hand is over are not asked."""
        cdef int i
        cdef bint sound = True
        with nogil:
            for i in range(self.n):
                if self.tables[i].phase != OVER and not self.legal_in(i, actions[i]):
                    sound = False
                    break
        if sound:
            return []
        return [i for i in range(self.n) if self.tables[i].phase != OVER and not self.legal_in(i, actions[i])]

    cdef bint legal_in(self, int i, int64_t index) noexcept nogil:
        return 0 <= index < ACTIONS and is_choice(&self.choices[i], index)

    def step(self, const int64_t[::1] actions, int begin, int end):
        """One legal action in each slot of the range that has a hand going on."""
        cdef int i, players = self.compiled.rules.players
        cdef Table* t
        with nogil:
            for i in range(begin, end):
                t = &self.tables[i]
                if i + 1 < end:
                    self.fetch(i + 1)
                memset(self.reward + players * i, 0, players * sizeof(int64_t))
                if t.phase == OVER:
                    continue
                table_step(t, code_of(t, actions[i]))
                self.decisions[i] += 1
                self.over[i] = t.phase == OVER
                if self.over[i]:
                    self.finish(i)
                    if self.autoreset:
                        self.hand[i] += self.n
                        self.deal(i)
                        continue
                self.write(i)

    def reset(self, const uint8_t[::1] mask):
        """The next hand in each slot of the mask."""
        cdef int i, players = self.compiled.rules.players
        with nogil:
            for i in range(self.n):
                if mask[i]:
                    memset(self.reward + players * i, 0, players * sizeof(int64_t))
                    self.over[i] = False
                    self.hand[i] += self.n
                    self.deal(i)

    def random(self, seed, int64_t[::1] out):
        """A legal action for each slot, each equally likely: a function of (seed, hand, decisions made in it)."""
        cdef Rng rng
        cdef int i, count
        if seed != self.choice_seed:        # making a key takes as long as fifty decisions
            seed_key(seed, self.choice_key)
            self.choice_seed = seed
        with nogil:
            for i in range(self.n):
                count = count_choices(&self.choices[i])
                if count:
                    rng_start(&rng, self.choice_key, self.hand[i], STREAM_CHOICE + self.decisions[i])
                    out[i] = nth_choice(&self.choices[i], rng_below(&rng, count))
                else:
                    out[i] = NONE

    def bot(self, str bot, seed, const uint8_t[::1] mask, int64_t[::1] out, int begin, int end):
        """What a compiled bot would do in each slot of the mask; its random numbers are of (seed, hand, decisions)."""
        cdef Bot compiled
        cdef uint64_t key[2]
        cdef Rng rng
        cdef int i
        fill_bot(parse_bot(bot), &compiled)
        seed_key(seed, key)
        with nogil:
            for i in range(begin, end):
                out[i] = NONE
                if mask[i] and self.tables[i].phase != OVER:
                    rng_start(&rng, key, self.hand[i], STREAM_CHOICE + self.decisions[i])
                    out[i] = number_of(choose(&compiled, &self.tables[i], &rng))

    def legal(self, int i):
        """Every legal action of the asked seat of a slot."""
        return legal_actions(&self.tables[i])


cdef uint8_t* address(array) except NULL:
    """Where an array's memory begins; its owner keeps it."""
    cdef uint8_t[::1] raw = array.reshape(-1).view(np.uint8)
    return &raw[0]
