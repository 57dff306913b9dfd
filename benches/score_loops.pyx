"""The compiled scorer on finished hands, again and again."""

from libc.stdint cimport int64_t

from wuhan_core._machine cimport Machine
from wuhan_core._score cimport score_win
from wuhan_core._types cimport Points


def score_again(list machines, int repeats):
    """Score the end of every machine `repeats` times; the winners' gains summed."""
    cdef Points points
    cdef Machine m
    cdef int64_t total = 0
    cdef int i
    for m in machines:
        for i in range(repeats):
            score_win(&m.compiled.rules, &m.t.special, m.t.seats, &m.t.finish, &points)
            total += points.deltas[m.t.finish.winner]
    return total
