"""Which wall is dealt and who sits where: functions of a seed and a wall number alone, whatever rules and bots."""

from itertools import permutations

import numpy as np

from libc.stdint cimport uint8_t, uint64_t

from wuhan_core._rng cimport STREAM_SEATING, STREAM_WALL, Rng, rng_below, rng_start
from wuhan_core._types cimport RED, SEATS, WALL

STREAM_VERSION = 1          # changes whenever the same seed would give other hands


cdef int seed_key(object seed, uint64_t* key) except -1:
    """The two-word key of a seed (0 or more)."""
    words = np.random.SeedSequence(seed, spawn_key=(STREAM_VERSION,)).generate_state(2, np.uint64)
    key[0] = words[0]
    key[1] = words[1]
    return 0


cdef void shuffle(uint8_t* items, int n, Rng* rng) noexcept nogil:
    """Each order equally likely (Fisher and Yates)."""
    cdef int i, j
    cdef uint8_t item
    for i in range(n - 1):
        j = i + <int>rng_below(rng, n - i)
        item = items[i]
        items[i] = items[j]
        items[j] = item


cdef void shuffle_wall(uint8_t* wall, int size, const uint64_t* key, uint64_t number) noexcept nogil:
    """Wall `number` of a seed, shuffled: 136 tiles are all kinds, 112 the suits and the red dragons."""
    cdef Rng rng
    cdef int i
    rng_start(&rng, key, number, STREAM_WALL)
    for i in range(size):
        wall[i] = i >> 2 if i < size - 4 or size == WALL else RED
    shuffle(wall, size, &rng)


cdef void seat_bots(uint8_t* seating, int n, const uint64_t* key, uint64_t number) noexcept nogil:
    """A random order of the bots for each wall; the hands of a wall rotate it."""
    cdef Rng rng
    cdef int i
    rng_start(&rng, key, number, STREAM_SEATING)
    for i in range(n):
        seating[i] = i
    shuffle(seating, n, &rng)


def wall_of(seed, number, int size=WALL):
    """The tiles of a wall in order, as a list of kinds; size 136, or 112 for suits and red dragons."""
    cdef uint64_t key[2]
    cdef uint8_t wall[WALL]
    if size not in (136, 112):
        raise ValueError(f"size = {size}, must be 136 or 112")
    seed_key(seed, key)
    shuffle_wall(wall, size, key, number)
    return [wall[i] for i in range(size)]


def seating(seed, number, hand, int players):
    """Which of a task's bots sits at each seat, in a hand that is dealt wall `number`."""
    cdef uint64_t key[2]
    cdef uint8_t order[SEATS]
    if not 1 <= players <= SEATS:
        raise ValueError(f"players = {players}, must be 1 to {SEATS}")
    seed_key(seed, key)
    seat_bots(order, players, key, number)
    return [order[(seat + hand) % players] for seat in range(players)]


def arrangements(alike):
    """Every distinct order of the bots over the seats: deal="balanced" plays a wall once with each, in this order.

    Parameters
    ----------
    alike : sequence of int
        For each bot the index of the first one that is the same: (0, 0, 2, 2) for two of each of two bots.

    Returns
    -------
    list of tuple of int
        Which bot sits at each seat: of the same bots the first sits first. In lexicographic order of `alike`, so for
        bots a, a, b, b at the seats: aabb, abab, abba, baab, baba, bbaa.
    """
    found = []
    for order in sorted(set(permutations(alike))):
        left = {first: [i for i, other in enumerate(alike) if other == first] for first in alike}
        found.append(tuple([left[first].pop(0) for first in order]))
    return found


def stream_block(key, number, stream):
    """The four words of a stream's block under a two-word key (to be checked against numpy's Philox)."""
    cdef uint64_t words[2]
    cdef Rng rng
    words[0], words[1] = key
    rng_start(&rng, words, number, stream)
    return [rng.s[i] for i in range(4)]
