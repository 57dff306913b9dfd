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
    #define WC_ALL_KINDS ((uint64_t)0x3ffffffff)
    #define WC_RUN_STARTS ((uint64_t)0x3fdfeff)
    #define WC_TERMINALS ((uint64_t)0x3fc060301)
    #define WC_CHOW_STARTS ((uint64_t)0x1fcfe7f)
    #if defined(_MSC_VER)
      #include <intrin.h>
      static __inline int wc_popcount(uint64_t x) { return (int)__popcnt64(x); }
      static __inline int wc_lowest(uint64_t x) { unsigned long i; _BitScanForward64(&i, x); return (int)i; }
      static __inline int wc_highest(uint64_t x) { unsigned long i; _BitScanReverse64(&i, x); return (int)i; }
    #else
      #if defined(__x86_64__) && !defined(__POPCNT__)
        /* A compiler may not assume what every x86-64 since 2008 has: asked once, when the module is loaded. */
        static int wc_has_popcnt;
        static void __attribute__((constructor)) wc_ask(void) {
            __builtin_cpu_init();       /* no other constructor need have run before this one */
            wc_has_popcnt = __builtin_cpu_supports("popcnt");
        }
        static inline int wc_popcount(uint64_t x) {
            if (!wc_has_popcnt) return __builtin_popcountll(x);
            __asm__("popcnt %1, %0" : "=r"(x) : "r"(x) : "cc");
            return (int)x;
        }
      #else
        static inline int wc_popcount(uint64_t x) { return __builtin_popcountll(x); }
      #endif
      static inline int wc_lowest(uint64_t x) { return __builtin_ctzll(x); }
      static inline int wc_highest(uint64_t x) { return 63 - __builtin_clzll(x); }
    #endif

    /* words[r] = row[classes[5**r]]; hits: bit r, does words[r] share a bit with `used`? */
    #if defined(__SSE2__)
      #include <emmintrin.h>
      static inline void wc_suit_words(const uint16_t *row, const uint8_t *classes, uint16_t *words) {
          _mm_storeu_si128((__m128i *)words, _mm_set_epi16(
              row[classes[78125]], row[classes[15625]], row[classes[3125]], row[classes[625]],
              row[classes[125]], row[classes[25]], row[classes[5]], row[classes[1]]));
          words[8] = row[classes[390625]];
      }
      static inline void wc_honour_words(const uint16_t *row, const uint16_t *classes, uint16_t *words) {
          _mm_storeu_si128((__m128i *)words, _mm_set_epi16(
              0, row[classes[15625]], row[classes[3125]], row[classes[625]],
              row[classes[125]], row[classes[25]], row[classes[5]], row[classes[1]]));
          words[8] = 0;
      }
      static inline uint64_t wc_hits(const uint16_t *words, uint16_t used) {
          __m128i x = _mm_and_si128(_mm_loadu_si128((const __m128i *)words), _mm_set1_epi16((short)used));
          x = _mm_cmpeq_epi16(x, _mm_setzero_si128());
          return (uint64_t)(0xff & ~_mm_movemask_epi8(_mm_packs_epi16(x, x))) | (uint64_t)((words[8] & used) != 0) << 8;
      }
    #else
      static inline void wc_suit_words(const uint16_t *row, const uint8_t *classes, uint16_t *words) {
          int r;
          for (r = 0; r < 9; r++) words[r] = row[classes[WC_POW[r]]];
      }
      static inline void wc_honour_words(const uint16_t *row, const uint16_t *classes, uint16_t *words) {
          int r;
          for (r = 0; r < 9; r++) words[r] = r < 7 ? row[classes[WC_POW[r]]] : 0;
      }
      static inline uint64_t wc_hits(const uint16_t *words, uint16_t used) {
          uint64_t bits = 0;
          int r;
          for (r = 0; r < 9; r++) bits |= (uint64_t)((words[r] & used) != 0) << r;
          return bits;
      }
    #endif
    """
    const uint32_t POW "WC_POW"[34]      # key weight of a kind
    const uint8_t SUIT "WC_SUIT"[34]     # which of the four keys a kind belongs to
    const uint64_t KINDS_258 "WC_KINDS_258"         # 2, 5 and 8 of each suit
    const uint64_t WINDS "WC_WINDS"                 # the honours other than C
    const uint64_t ALL_KINDS "WC_ALL_KINDS"
    const uint64_t RUN_STARTS "WC_RUN_STARTS"       # ranks 1 to 8 of each suit
    const uint64_t TERMINALS "WC_TERMINALS"         # 1s, 9s and honours
    const uint64_t CHOW_STARTS "WC_CHOW_STARTS"     # ranks 1 to 7 of each suit
    int popcount "wc_popcount"(uint64_t x) nogil
    int lowest "wc_lowest"(uint64_t x) nogil        # position of the lowest set bit; x != 0
    int highest "wc_highest"(uint64_t x) nogil
    void suit_words "wc_suit_words"(const uint16_t* row, const uint8_t* classes, uint16_t* words) nogil
    void honour_words "wc_honour_words"(const uint16_t* row, const uint16_t* classes, uint16_t* words) nogil
    uint64_t hits "wc_hits"(const uint16_t* words, uint16_t used) nogil

cdef inline int nth(uint64_t x, int n) noexcept nogil:
    """Position of the n-th lowest set bit, from 0; there are more than n."""
    while n:
        x &= x - 1
        n -= 1
    return lowest(x)

cdef inline list kinds_in(uint64_t kinds):
    """A set of kinds as a list, ascending."""
    cdef list result = []
    while kinds:
        result.append(lowest(kinds))
        kinds &= kinds - 1
    return result

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

cdef inline void suit_lowered(const System* s, uint32_t key, int cls, uint16_t* words) noexcept nogil:
    """words[rank], 9 of them: the entries that one tile more lowers; without meaning where four are in the key."""
    suit_words(s.lowered + cls * s.groups, s.suit + key, words)

cdef inline void honours_lowered(const System* s, uint32_t key, int cls, uint16_t* words) noexcept nogil:
    """The same for the honours: 7 words, the rest 0."""
    honour_words(s.lowered + cls * s.groups, s.honour + key, words)

cdef inline uint64_t suit_useful(const System* s, uint32_t key, int cls, uint16_t used) noexcept nogil:
    """Ranks of which one tile more lowers an entry of `used`."""
    cdef uint16_t words[9]
    suit_lowered(s, key, cls, words)
    return hits(words, used)

cdef inline uint64_t honours_useful(const System* s, uint32_t key, int cls, uint16_t used) noexcept nogil:
    cdef uint16_t words[9]
    honours_lowered(s, key, cls, words)
    return hits(words, used)

cdef inline uint64_t useful(const System* s, const uint32_t* key, const Split* split) noexcept nogil:
    """Kinds of which one tile more lowers what is missing. Kinds held four times are to be masked out by the caller."""
    return (suit_useful(s, key[0], split.cls[0], split.used[0])
            | suit_useful(s, key[1], split.cls[1], split.used[1]) << 9
            | suit_useful(s, key[2], split.cls[2], split.used[2]) << 18
            | honours_useful(s, key[3], split.cls[3], split.used[3]) << 27)

cdef inline uint64_t spare(const System* s, const uint32_t* key, uint64_t held, const Split* split) noexcept nogil:
    """Kinds among `held` (all in the key) of which one tile less does not raise what is missing."""
    cdef uint64_t result = 0, rest = held & 0x7ffffff
    cdef int kind, group, cls
    while rest:
        kind = lowest(rest)
        rest &= rest - 1
        group = SUIT[kind]
        cls = s.suit[key[group] - POW[kind]]
        result |= <uint64_t>((split.used[group] & ~s.lowered[cls * s.groups + split.cls[group]]) != 0) << kind
    rest = held & ~<uint64_t>0x7ffffff
    while rest:
        kind = lowest(rest)
        rest &= rest - 1
        cls = s.honour[key[3] - POW[kind]]
        result |= <uint64_t>((split.used[3] & ~s.lowered[cls * s.groups + split.cls[3]]) != 0) << kind
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

    dead: kinds that never count as useful; those without a live copy need not be among them. Ties go to the highest
    kind: honours before suits.
    A discard changes one group's class. What one tile more lowers in the other groups stays; only which of their
    entries a best split uses is looked up anew.
    """
    cdef Split split
    cdef Live wanted
    cdef uint64_t rest, kinds
    cdef uint32_t less
    cdef uint16_t words[4][9]
    cdef const uint16_t* beside[4]      # row of `merge` for the class of each group
    cdef const uint16_t* side[2]        # the same for m and p together, for s and the honours
    cdef const uint16_t* part[4]        # row of `split` for the class of each group
    cdef int others[4]                  # class of all groups but this one
    cdef int n = s.n, i, kind, group, mate, left, right, cls, both, score, best = -1
    cdef const uint16_t* table = s.split + <size_t>(sets * s.groups) * n
    split_hand(s, key, sets, &split)
    rest = spare(s, key, held, &split)
    if not rest:                # every tile is needed: what is missing rises by one whatever goes
        rest = held
    if not rest & (rest - 1):
        return lowest(rest)
    for i in range(4):
        beside[i] = s.merge + split.cls[i] * n
        part[i] = table + split.cls[i] * n
    for i in range(3):
        wanted.plane[i] = live.plane[i] & ~dead
        suit_lowered(s, key[i], split.cls[i], words[i])
    honours_lowered(s, key[3], split.cls[3], words[3])
    side[0] = s.merge + beside[0][split.cls[1]] * n
    side[1] = s.merge + beside[3][split.cls[2]] * n
    for i in range(4):
        others[i] = side[1 - (i >> 1)][split.cls[i ^ 1]]
    while rest:
        kind = lowest(rest)
        rest &= rest - 1
        group = SUIT[kind]
        less = key[group] - POW[kind]
        if group < 3:
            cls = s.suit[less]
            kinds = suit_useful(s, less, cls, table[cls * n + others[group]]) << (9 * group)
        else:
            cls = s.honour[less]
            kinds = honours_useful(s, less, cls, table[cls * n + others[3]]) << 27
        mate, left, right = group ^ 1, group & 2 ^ 2, group & 2 ^ 3
        both = beside[mate][cls]
        kinds |= hits(words[mate], part[mate][side[left >> 1][cls]]) << (9 * mate)
        kinds |= hits(words[left], part[left][beside[right][both]]) << (9 * left)
        kinds |= hits(words[right], part[right][beside[left][both]]) << (9 * right)
        score = live_copies(&wanted, kinds) << 6 | kind     # one number, so that taking the larger is no branch
        best = score if score > best else best
    return best & 63

# What the rules need besides. `at_least` as in Seat: natural tiles only.

cdef inline bint is_ready(const System* s, const uint32_t* key, int wildcards, int sets) noexcept nogil:
    """Does one tile more complete a hand of 3 * sets + 1 tiles (some tile: all four of it may be in the hand)?"""
    return missing(s, key, sets) <= wildcards + 1

cdef inline int suit_missing(const System* s, const uint32_t* key, int group, int sets) noexcept nogil:
    """Tiles missing for the sets and a head all within group 0, 1, 2 (m, p, s) or 3 (honours).

    With a 258 head the honours' head is two wildcards.
    """
    return s.missing[(s.suit[key[group]] if group < 3 else s.honour[key[3]]) * 5 + sets]

cdef inline int kinds_missing(const uint64_t* at_least, uint64_t kinds, int sets) noexcept nogil:
    """Tiles missing until all 3 * sets + 2 are of `kinds` (KINDS_258, WINDS), in whatever shape."""
    return (3 * sets + 2 - popcount(at_least[0] & kinds) - popcount(at_least[1] & kinds)
            - popcount(at_least[2] & kinds) - popcount(at_least[3] & kinds))

cdef inline int pungs_missing(const uint64_t* at_least, int sets, uint64_t heads, bint fifth) noexcept nogil:
    """Tiles missing for `sets` triplets and a pair of a kind in `heads` (0: no pair). fifth: as in System."""
    cdef int have[5]            # kinds by copies
    cdef int pool[5]
    cdef int copies, rest, cost, i, best = 99
    have[4] = popcount(at_least[3])
    have[3] = popcount(at_least[2]) - have[4]
    have[2] = popcount(at_least[1]) - popcount(at_least[2])
    have[1] = popcount(at_least[0]) - popcount(at_least[1])
    have[0] = 34 - popcount(at_least[0])
    for copies in range(-1, 5):             # of the pair's kind; -1: no pair
        cost = 0
        for i in range(5):
            pool[i] = have[i]
        if copies < 0:
            if heads:
                continue
        else:
            if not heads & (at_least[copies - 1] if copies else ~<uint64_t>0) & ~(at_least[copies] if copies < 4 else 0):
                continue
            cost = 2 - copies if copies < 2 else 0
            pool[copies] -= 1
            if fifth and copies > 2:        # what the pair leaves may begin a triplet
                pool[copies - 2] += 1
        rest = sets - pool[4] - pool[3]
        if rest > 0:
            cost += rest                    # one tile each from here on
            rest -= pool[2]
        if rest > 0:
            cost += rest                    # two: single tiles, and the fourth of a kind with a triplet already
            rest -= pool[1] + (pool[4] if fifth else 0)
        if rest > 0:
            cost += rest
        best = cost if cost < best else best
    return best
