# Random streams: one counter-based block per (number, stream), from there a small fast generator.
#
# Philox4x64-10 (Salmon, Moraes, Dror and Shaw, SC'11) gives four words for a key and a counter in O(1); they are the
# state of xoshiro256++ (Blackman and Vigna, 2021). Ranges are unbiased (Lemire, 2019).
from libc.stdint cimport uint32_t, uint64_t

cdef extern from *:
    """
    #include <stdint.h>
    static inline uint64_t wc_mulhi(uint64_t a, uint64_t b, uint64_t *low) {
    #if defined(__SIZEOF_INT128__)
        unsigned __int128 p = (unsigned __int128)a * b;
        *low = (uint64_t)p;
        return (uint64_t)(p >> 64);
    #else
        uint64_t al = (uint32_t)a, ah = a >> 32, bl = (uint32_t)b, bh = b >> 32;
        uint64_t ll = al * bl, lh = al * bh, hl = ah * bl, hh = ah * bh;
        uint64_t mid = (ll >> 32) + (uint32_t)lh + (uint32_t)hl;
        *low = a * b;
        return hh + (lh >> 32) + (hl >> 32) + (mid >> 32);
    #endif
    }
    """
    uint64_t mulhi "wc_mulhi"(uint64_t a, uint64_t b, uint64_t* low) nogil

cdef enum Stream:
    STREAM_WALL = 0
    STREAM_SEATING = 1
    STREAM_POLICY = 2       # + seat
    STREAM_FLIGHT = 16      # who runs away in the middle of a hand
    STREAM_EXCHANGE = 32    # + seat: which tiles are exchanged to give it a holding
    STREAM_CHOICE = 64      # + number of the decision in its hand: a random action of a batch

cdef struct Rng:
    uint64_t s[4]

cdef inline uint64_t rotl(uint64_t x, int k) noexcept nogil:
    return (x << k) | (x >> (64 - k))

cdef inline void philox(const uint64_t* key, uint64_t number, uint64_t stream, uint64_t* out) noexcept nogil:
    """The block of counter (number, stream, 0, 0) under the two-word key."""
    cdef uint64_t c0 = number, c1 = stream, c2 = 0, c3 = 0
    cdef uint64_t k0 = key[0], k1 = key[1]
    cdef uint64_t h0, h1, l0 = 0, l1 = 0
    cdef int i
    for i in range(10):
        h0 = mulhi(0xD2E7470EE14C6C93ULL, c0, &l0)
        h1 = mulhi(0xCA5A826395121157ULL, c2, &l1)
        c0 = h1 ^ c1 ^ k0
        c1 = l1
        c2 = h0 ^ c3 ^ k1
        c3 = l0
        k0 += 0x9E3779B97F4A7C15ULL
        k1 += 0xBB67AE8584CAA73BULL
    out[0] = c0
    out[1] = c1
    out[2] = c2
    out[3] = c3

cdef inline void rng_start(Rng* r, const uint64_t* key, uint64_t number, uint64_t stream) noexcept nogil:
    philox(key, number, stream, r.s)

cdef inline uint64_t rng_next(Rng* r) noexcept nogil:
    cdef uint64_t result = rotl(r.s[0] + r.s[3], 23) + r.s[0]
    cdef uint64_t t = r.s[1] << 17
    r.s[2] ^= r.s[0]
    r.s[3] ^= r.s[1]
    r.s[1] ^= r.s[2]
    r.s[0] ^= r.s[3]
    r.s[2] ^= t
    r.s[3] = rotl(r.s[3], 45)
    return result

cdef inline uint32_t rng_below(Rng* r, uint32_t n) noexcept nogil:
    """A whole number in 0..n-1, each equally likely; n >= 1."""
    cdef uint64_t product = (rng_next(r) >> 32) * n
    cdef uint32_t low = <uint32_t>product
    cdef uint32_t threshold
    if low < n:
        threshold = (<uint32_t>(0) - n) % n
        while low < threshold:
            product = (rng_next(r) >> 32) * n
            low = <uint32_t>product
    return <uint32_t>(product >> 32)
