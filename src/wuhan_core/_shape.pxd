# Tile-count questions answered from keys: a few table look-ups each, no branches on the tiles.
# Preconditions everywhere: every kind at most 4 times in the key, `sets` in 0..4.
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from wuhan_core._types cimport System

cdef extern from *:
    """
    #include <stdint.h>
    static const uint32_t WC_POW[34] = {
        1, 5, 25, 125, 625, 3125, 15625, 78125, 390625, 1, 5, 25, 125, 625, 3125, 15625, 78125, 390625,
        1, 5, 25, 125, 625, 3125, 15625, 78125, 390625, 1, 5, 25, 125, 625, 3125, 15625};
    static const uint8_t WC_SUIT[34] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                        2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3};
    #define WC_KINDS_258 ((uint64_t)0x2492492)
    #define WC_WINDS ((uint64_t)0x378000000)
    #define WC_CHOW_STARTS ((uint64_t)0x1fcfe7f)
    #if defined(_MSC_VER)
      #include <intrin.h>
      static __inline int wc_popcount(uint64_t x) { return (int)__popcnt64(x); }
      static __inline int wc_lowest(uint64_t x) { unsigned long i; _BitScanForward64(&i, x); return (int)i; }
      static __inline int wc_highest(uint64_t x) { unsigned long i; _BitScanReverse64(&i, x); return (int)i; }
    #else
      static inline int wc_popcount(uint64_t x) { return __builtin_popcountll(x); }
      static inline int wc_lowest(uint64_t x) { return __builtin_ctzll(x); }
      static inline int wc_highest(uint64_t x) { return 63 - __builtin_clzll(x); }
    #endif
    """
    const uint32_t POW "WC_POW"[34]      # key weight of a kind
    const uint8_t SUIT "WC_SUIT"[34]     # which of the four keys a kind belongs to
    const uint64_t KINDS_258 "WC_KINDS_258"         # 2, 5 and 8 of each suit
    const uint64_t WINDS "WC_WINDS"                 # the honours other than C
    const uint64_t CHOW_STARTS "WC_CHOW_STARTS"     # ranks 1 to 7 of each suit
    int popcount "wc_popcount"(uint64_t x) nogil
    int lowest "wc_lowest"(uint64_t x) nogil        # position of the lowest set bit; x != 0
    int highest "wc_highest"(uint64_t x) nogil

cdef inline int missing(const System* s, const uint32_t* key, int sets) noexcept nogil:
    """Tiles missing for `sets` sets and a head. Complete when equal to the wildcards; shanten = missing - wildcards - 1."""
    cdef int ab = s.merge[s.suit[key[0]] * s.n + s.suit[key[1]]]
    cdef int cd = s.merge[s.honour[key[3]] * s.n + s.suit[key[2]]]
    return s.missing[s.merge[ab * s.n + cd] * 5 + sets]

# What the best splits of a hand use, group by group; the ground of every question below.
cdef struct Split:
    int missing             # tiles missing for the sets and a head
    int cls[4]              # class of each group
    uint16_t used[4]        # entries of its distance vector that some best split uses

cdef inline void split_hand(const System* s, const uint32_t* key, int sets, Split* out) noexcept nogil:
    cdef int a = s.suit[key[0]], b = s.suit[key[1]], c = s.suit[key[2]], d = s.honour[key[3]]
    cdef int n = s.n
    cdef int ab = s.merge[a * n + b], cd = s.merge[d * n + c]
    cdef const uint16_t* split = s.split + <size_t>(sets * s.groups) * n
    out.cls[0] = a
    out.cls[1] = b
    out.cls[2] = c
    out.cls[3] = d
    out.missing = s.missing[s.merge[ab * n + cd] * 5 + sets]
    out.used[0] = split[a * n + s.merge[b * n + cd]]
    out.used[1] = split[b * n + s.merge[a * n + cd]]
    out.used[2] = split[c * n + s.merge[d * n + ab]]
    out.used[3] = split[d * n + s.merge[c * n + ab]]

cdef inline uint64_t suit_useful(const System* s, uint32_t key, int cls, uint16_t used) noexcept nogil:
    """Ranks of which one tile more lowers an entry of `used`."""
    cdef const uint16_t* lowered = s.lowered + cls * s.groups
    cdef const uint8_t* suit = s.suit + key
    return (<uint64_t>((lowered[suit[1]] & used) != 0)
            | <uint64_t>((lowered[suit[5]] & used) != 0) << 1
            | <uint64_t>((lowered[suit[25]] & used) != 0) << 2
            | <uint64_t>((lowered[suit[125]] & used) != 0) << 3
            | <uint64_t>((lowered[suit[625]] & used) != 0) << 4
            | <uint64_t>((lowered[suit[3125]] & used) != 0) << 5
            | <uint64_t>((lowered[suit[15625]] & used) != 0) << 6
            | <uint64_t>((lowered[suit[78125]] & used) != 0) << 7
            | <uint64_t>((lowered[suit[390625]] & used) != 0) << 8)

cdef inline uint64_t honours_useful(const System* s, uint32_t key, int cls, uint16_t used) noexcept nogil:
    cdef const uint16_t* lowered = s.lowered + cls * s.groups
    cdef const uint16_t* honour = s.honour + key
    return (<uint64_t>((lowered[honour[1]] & used) != 0)
            | <uint64_t>((lowered[honour[5]] & used) != 0) << 1
            | <uint64_t>((lowered[honour[25]] & used) != 0) << 2
            | <uint64_t>((lowered[honour[125]] & used) != 0) << 3
            | <uint64_t>((lowered[honour[625]] & used) != 0) << 4
            | <uint64_t>((lowered[honour[3125]] & used) != 0) << 5
            | <uint64_t>((lowered[honour[15625]] & used) != 0) << 6)

cdef inline uint64_t useful(const System* s, const uint32_t* key, const Split* split) noexcept nogil:
    """Kinds of which one tile more lowers what is missing. Kinds held four times are to be masked out by the caller."""
    return (suit_useful(s, key[0], split.cls[0], split.used[0])
            | suit_useful(s, key[1], split.cls[1], split.used[1]) << 9
            | suit_useful(s, key[2], split.cls[2], split.used[2]) << 18
            | honours_useful(s, key[3], split.cls[3], split.used[3]) << 27)

cdef inline uint64_t spare(const System* s, const uint32_t* key, uint64_t held, const Split* split) noexcept nogil:
    """Kinds among `held` (all in the key) of which one tile less does not raise what is missing."""
    cdef uint64_t result = 0, rest = held
    cdef int kind, group, cls
    while rest:
        kind = lowest(rest)
        rest &= rest - 1
        group = SUIT[kind]
        cls = s.suit[key[group] - POW[kind]] if group < 3 else s.honour[key[3] - POW[kind]]
        if split.used[group] & ~s.lowered[cls * s.groups + split.cls[group]]:
            result |= <uint64_t>1 << kind
    return result

# Unseen copies of every kind as three bit planes: plane i holds the bit of weight 2**i.
cdef struct Live:
    uint64_t plane[3]

cdef inline void live_planes(const uint64_t* own, const uint64_t* seen, Live* out) noexcept nogil:
    """own[i], seen[i]: kinds of which more than i copies are in the hand, lie open; together at most 4 of a kind."""
    cdef uint64_t a0 = (own[0] & ~own[1]) | (own[2] & ~own[3]), a1 = own[1] & ~own[3]
    cdef uint64_t b0 = (seen[0] & ~seen[1]) | (seen[2] & ~seen[3]), b1 = seen[1] & ~seen[3]
    cdef uint64_t carry = a0 & b0
    cdef uint64_t x0 = a0 ^ b0, x1 = a1 ^ b1 ^ carry
    cdef uint64_t x2 = own[3] | seen[3] | (a1 & b1) | (carry & (a1 ^ b1))
    out.plane[0] = x0
    out.plane[1] = ~x2 & (x0 ^ x1)
    out.plane[2] = ~(x0 | x1 | x2)

cdef inline int live_copies(const Live* live, uint64_t kinds) noexcept nogil:
    return (popcount(kinds & live.plane[0]) + 2 * popcount(kinds & live.plane[1])
            + 4 * popcount(kinds & live.plane[2]))

cdef inline int best_discard(const System* s, const uint32_t* key, uint64_t held, uint64_t dead, const Live* live,
                             int sets) noexcept nogil:
    """The kind among `held` (not empty) whose discard leaves least missing, then most live useful tiles.

    dead: kinds that never count as useful. Ties go to the highest kind: honours before suits.
    """
    cdef Split split
    cdef uint32_t less[4]
    cdef uint64_t rest
    cdef int kind, copies, most = -1, best = -1
    split_hand(s, key, sets, &split)
    rest = spare(s, key, held, &split)
    if not rest:                    # every tile is needed: what is missing rises by one whatever goes
        rest = held
    if not rest & (rest - 1):
        return lowest(rest)
    less[0] = key[0]
    less[1] = key[1]
    less[2] = key[2]
    less[3] = key[3]
    while rest:
        kind = lowest(rest)
        rest &= rest - 1
        less[SUIT[kind]] -= POW[kind]
        split_hand(s, less, sets, &split)
        copies = live_copies(live, useful(s, less, &split) & ~dead)
        if copies >= most:
            most = copies
            best = kind
        less[SUIT[kind]] += POW[kind]
    return best
