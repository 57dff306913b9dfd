"""The compiled bots: from a text to a struct, and who answers."""

from wuhan_core._careful cimport Cares, careful_choice
from wuhan_core._greedy cimport greedy_choice
from wuhan_core._planner cimport Weights, planner_choice
from wuhan_core._random cimport random_choice
from wuhan_core._rng cimport Rng
from wuhan_core._search cimport search_choice
from wuhan_core._table cimport Table

from wuhan_core.policies import BOT_NAMES as BOT_NAMES
from wuhan_core.policies import POLICIES

assert BOT_NAMES == ("random", "greedy", "planner", "careful", "search"), "policies.py and _policy.pxd disagree"
assert [len(policy.parameters) for policy in POLICIES[2:4]] == [
    sizeof(Weights) // sizeof(double), sizeof(Cares) // sizeof(double)], "policies.py and the bots' rooms disagree"
assert max([len(policy.parameters) for policy in POLICIES]) <= MAX_PARAMS


cdef int fill_bot(object spec, Bot* out) except -1:
    """A `BotSpec` compiled."""
    cdef int i
    out.kind = POLICIES.index(spec.policy)
    for i, value in enumerate(spec.values):
        out.value[i] = value
    return 0


cdef int choose(const Bot* bot, const Table* t, Rng* rng) noexcept nogil:
    if bot.kind == RANDOM_BOT:
        return random_choice(t, rng)
    if bot.kind == SEARCH_BOT:
        return search_choice(bot.value, t, rng)
    if bot.kind == CAREFUL_BOT:
        return careful_choice(t, <const Cares*>bot.value)
    if bot.kind == PLANNER_BOT:
        return planner_choice(t, <const Weights*>bot.value)
    return greedy_choice(t)
