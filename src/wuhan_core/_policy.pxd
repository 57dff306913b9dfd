from wuhan_core._rng cimport Rng
from wuhan_core._table cimport Table

# Compiled bots. A bot answers for t.seat from what that seat may know alone: its own tiles, everybody's melds, single
# kongs and rivers, seen, left, the rules. Its answer is one that t.legal allows. Each has its own room.
cdef enum Bots:                 # in the order of policies.POLICIES
    RANDOM_BOT = 0
    GREEDY_BOT = 1
    PLANNER_BOT = 2
    CAREFUL_BOT = 3
    SEARCH_BOT = 4

cdef enum:
    MAX_PARAMS = 32

cdef struct Bot:
    int kind                    # Bots
    double value[MAX_PARAMS]    # in the order of the policy's parameters

cdef inline bint draws_numbers(const Bot* bot) noexcept nogil:
    """Whether it asks its Rng for numbers."""
    return bot.kind == RANDOM_BOT or bot.kind == SEARCH_BOT

cdef int fill_bot(object spec, Bot* out) except -1
cdef int choose(const Bot* bot, const Table* t, Rng* rng) noexcept nogil
