from wuhan_core._rng cimport Rng
from wuhan_core._table cimport Table

# Compiled bots. A bot answers for t.seat from what that seat may know alone; its answer is one that t.legal allows.
cdef enum Bot:
    RANDOM_BOT = 0
    GREEDY_BOT = 1

cdef int choose(int bot, const Table* t, Rng* rng) noexcept nogil
