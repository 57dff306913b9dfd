"""The shape kernels in loops over many hands, for bench_shape.py and callgrind.py; built by build_loops.py."""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free

from wuhan_core._shape cimport (POW, SUIT, Live, Split, best_discard, live_planes, missing, popcount, split_hand,
                                spare, useful)
from wuhan_core._tables cimport system
from wuhan_core._types cimport KINDS, System

cdef struct Kept:               # one hand with its keys kept, as the engine has it
    uint32_t key[4]
    uint64_t at_least[4]
    uint64_t dead               # kinds that never count as useful: held four times, or the wildcard kind
    int wildcards
    int sets

ctypedef int64_t (*Loop)(const System* s, const Kept* hands, int64_t n) noexcept nogil


cdef int64_t complete_loop(const System* s, const Kept* hands, int64_t n) noexcept nogil:
    cdef int64_t i, total = 0
    for i in range(n):
        total += missing(s, hands[i].key, hands[i].sets) == hands[i].wildcards
    return total


cdef int64_t shanten_loop(const System* s, const Kept* hands, int64_t n) noexcept nogil:
    cdef int64_t i, total = 0
    for i in range(n):
        total += missing(s, hands[i].key, hands[i].sets) - hands[i].wildcards - 1
    return total


cdef int64_t useful_loop(const System* s, const Kept* hands, int64_t n) noexcept nogil:
    """Sum of shanten and of the numbers of useful natural kinds."""
    cdef int64_t i, total = 0
    cdef Split split
    for i in range(n):
        split_hand(s, hands[i].key, hands[i].sets, &split)
        total += split.missing - hands[i].wildcards - 1
        total += popcount(useful(s, hands[i].key, &split) & ~hands[i].dead)
    return total


cdef int64_t spare_loop(const System* s, const Kept* hands, int64_t n) noexcept nogil:
    """Sum of the numbers of spare kinds."""
    cdef int64_t i, total = 0
    cdef Split split
    for i in range(n):
        split_hand(s, hands[i].key, hands[i].sets, &split)
        total += popcount(spare(s, hands[i].key, hands[i].at_least[0], &split))
    return total


cdef int64_t discard_loop(const System* s, const Kept* hands, int64_t n) noexcept nogil:
    """Sum of the kinds discarded, nothing seen elsewhere."""
    cdef int64_t i, total = 0
    cdef Live live
    cdef uint64_t seen[4]
    seen[0] = seen[1] = seen[2] = seen[3] = 0
    for i in range(n):
        live_planes(hands[i].at_least, seen, &live)
        total += best_discard(s, hands[i].key, hands[i].at_least[0], hands[i].dead, &live, hands[i].sets)
    return total


cdef Loop LOOPS[5]
LOOPS[:] = [complete_loop, shanten_loop, useful_loop, spare_loop, discard_loop]
NAMES = ("complete", "shanten", "useful", "spare", "discard")


cdef object one_pass(object call):
    return call()

# through a pointer, so that it stays a function of its own, which callgrind can find
cdef object (*counted)(object)
counted = one_pass


def count(call):
    """Call `call` where callgrind.py counts."""
    return counted(call)


cdef class Hands:
    """Hands with keys kept: rows of 34 natural counts, wildcards, melds and the wildcard kind."""
    cdef Kept* hands
    cdef int64_t n

    def __cinit__(self, const uint8_t[:, ::1] counts, const uint8_t[::1] wildcards, const uint8_t[::1] melds,
                  const uint8_t[::1] laizi):
        cdef Py_ssize_t i
        cdef int kind, copy
        self.n = len(counts)
        self.hands = <Kept*>calloc(max(1, self.n), sizeof(Kept))
        if self.hands == NULL:
            raise MemoryError
        for i in range(self.n):
            for kind in range(KINDS):
                self.hands[i].key[SUIT[kind]] += counts[i, kind] * POW[kind]
                for copy in range(counts[i, kind]):
                    self.hands[i].at_least[copy] |= <uint64_t>1 << kind
            self.hands[i].dead = self.hands[i].at_least[3] | <uint64_t>1 << laizi[i]
            self.hands[i].wildcards = wildcards[i]
            self.hands[i].sets = 4 - melds[i]

    def __dealloc__(self):
        free(self.hands)

    def run(self, str name, bint head_258=False):
        """One pass of a loop over all hands; its sum."""
        cdef int at = NAMES.index(name)
        cdef const System* s = system(head_258, True)
        cdef int64_t total
        with nogil:
            total = LOOPS[at](s, self.hands, self.n)
        return total
