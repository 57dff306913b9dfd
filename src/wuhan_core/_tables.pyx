"""Distance tables: what is missing in a suit for m sets, with and without a pair.

A suit's nine counts make one number, its *key*: ``sum(count[rank] * 5**rank)``. For a key the *distance vector*
holds, for m = 0..4 sets, without (entries 0..4) and with (5..9) a pair, how many tiles are missing. There are few
distinct vectors, so that a key maps to a class, and two groups of tiles merge by one look-up of their classes.

Built in three steps. A deterministic automaton reads a suit rank by rank; a state is the best cost for every
(chows begun one rank ago, two ranks ago, sets, pair), and equal states are one. Walking it over all keys gives each
key its class. The classes are then closed under merging (min-plus convolution of the vectors).

Natural tiles come at most four to a kind. With ``fifth`` a target may ask for more than four (a wildcard stands for
the fifth copy, RULES.md section 2), else not. With ``head_258`` the pair must be 2, 5 or 8 of a suit; two wildcards
are such a pair, so that an honour group's pair costs two tiles: it is the one that wildcards make elsewhere.
"""

import threading

from libc.stdint cimport uint8_t, uint16_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memcpy, memset

cdef enum:
    FAR = 15                # more than any target of one hand can miss
    ENTRIES = 10            # 5 set counts x (no pair, pair)
    SUIT_KEYS = 1953125     # 5**9
    HONOUR_KEYS = 78125     # 5**7
    SUIT_ROOM = 2343750     # 6 * 5**8: a key with one tile too many may be read (its answer is masked out)
    HONOUR_ROOM = 93750     # 6 * 5**6
    MAX_STATES = 16384      # the largest automaton has 11,878 (head 258, no fifth copies: 13,060)
    MAX_CLASSES = 512       # the largest closure has 291
    HASH_SLOTS = 65536

cdef struct State:
    # cost[x][y][m + 5 * pair]: x chows begun two ranks ago, y one rank ago
    uint8_t cost[3][3][ENTRIES]

cdef struct Builder:
    State* states
    int* slots              # hash slots, -1 empty
    int count
    int* next_states        # [state * 5 + copies]
    uint8_t* vectors        # [MAX_CLASSES * ENTRIES]
    int classes


cdef int intern_state(Builder* b, const State* s) noexcept nogil:
    cdef uint64_t h = 14695981039346656037ULL
    cdef const uint8_t* raw = <const uint8_t*>s
    cdef int i
    for i in range(<int>sizeof(State)):
        h = (h ^ raw[i]) * 1099511628211ULL
    i = <int>(h & (HASH_SLOTS - 1))
    while b.slots[i] >= 0:
        if memcmp(&b.states[b.slots[i]], s, sizeof(State)) == 0:
            return b.slots[i]
        i = (i + 1) & (HASH_SLOTS - 1)
    if b.count == MAX_STATES:
        return -1
    b.slots[i] = b.count
    b.states[b.count] = s[0]
    b.count += 1
    return b.count - 1


cdef int class_of(Builder* b, const uint8_t* vector) noexcept nogil:
    cdef int i
    for i in range(b.classes):
        if memcmp(&b.vectors[i * ENTRIES], vector, ENTRIES) == 0:
            return i
    if b.classes == MAX_CLASSES:
        return -1
    memcpy(&b.vectors[b.classes * ENTRIES], vector, ENTRIES)
    b.classes += 1
    return b.classes - 1


cdef void read_rank(const State* a, int copies, int chow_room, bint pair_ok, bint fifth, State* out) noexcept nogil:
    """One rank more, of which `copies` are held. chow_room: chows may begin here only if two ranks follow."""
    cdef int x, y, m, h, z, t, p, need, cost
    cdef uint8_t* best
    memset(out, FAR, sizeof(State))
    for x in range(3):
        for y in range(3):
            for h in range(2):
                for m in range(5):
                    if a.cost[x][y][5 * h + m] >= FAR:
                        continue
                    for z in range(3 if chow_room else 1):
                        for t in range(3):
                            if m + z + t > 4:
                                break
                            for p in range(2 if pair_ok and h == 0 else 1):
                                need = x + y + z + 3 * t + 2 * p
                                if need > 4 and not fifth:
                                    continue
                                cost = a.cost[x][y][5 * h + m] + (need - copies if need > copies else 0)
                                best = &out.cost[y][z][5 * (h + p) + m + z + t]
                                if cost < best[0]:
                                    best[0] = <uint8_t>cost


cdef int build_group(Builder* b, int ranks, bint honours, bint head_258, bint fifth, uint8_t* suit, uint16_t* honour) noexcept nogil:
    """Fills `suit` or `honour` (the other NULL) with the class of every key; 0, or -1 when a bound was too small."""
    cdef State start, read
    cdef int layer_begin, layer_end, rank, i, copies, target, cls, key, size
    cdef int* seen
    cdef int* walk
    cdef int* state_class
    cdef uint8_t vector[ENTRIES]
    cdef bint pair_ok
    memset(b.slots, 0xFF, HASH_SLOTS * sizeof(int))
    b.count = 0
    memset(&start, FAR, sizeof(State))
    start.cost[0][0][0] = 0
    # A state belongs to one rank (what may follow depends on the rank): each layer is interned apart.
    layer_begin, layer_end = 0, 1
    intern_state(b, &start)
    size = 1
    walk = <int*>malloc(SUIT_KEYS * sizeof(int))
    state_class = <int*>malloc(MAX_STATES * sizeof(int))
    if walk == NULL or state_class == NULL:
        free(walk)
        free(state_class)
        return -1
    # walk[key]: the state after the ranks read so far, key made of their copies; extended in place from the top
    walk[0] = 0
    for rank in range(ranks):
        memset(b.slots, 0xFF, HASH_SLOTS * sizeof(int))
        pair_ok = (not honours and rank % 3 == 1) if head_258 else True
        for i in range(layer_begin, layer_end):
            for copies in range(5):
                read_rank(&b.states[i], copies, not honours and rank + 2 < ranks, pair_ok, fifth, &read)
                target = intern_state(b, &read)
                if target < 0:
                    free(walk)
                    free(state_class)
                    return -1
                b.next_states[5 * i + copies] = target
        layer_begin, layer_end = layer_end, b.count
        for copies in range(4, -1, -1):
            for key in range(size):
                walk[copies * size + key] = b.next_states[5 * walk[key] + copies]
        size *= 5
    for i in range(layer_begin, layer_end):
        memcpy(vector, b.states[i].cost[0][0], ENTRIES)
        if honours and head_258:
            for cls in range(5):
                vector[5 + cls] = <uint8_t>min(FAR, vector[cls] + 2)
        state_class[i] = class_of(b, vector)
        if state_class[i] < 0:
            free(walk)
            free(state_class)
            return -1
    if honours:
        for key in range(size):
            honour[key] = <uint16_t>state_class[walk[key]]
    else:
        for key in range(size):
            suit[key] = <uint8_t>state_class[walk[key]]
    free(walk)
    free(state_class)
    return 0


cdef int close_classes(Builder* b, uint16_t* merge) noexcept nogil:
    """Adds the vectors that merges bring until none is new; merge is [MAX_CLASSES * MAX_CLASSES]."""
    cdef int i = 0, j, m, n, h, g, cls
    cdef uint8_t cost
    cdef const uint8_t* a
    cdef const uint8_t* c
    cdef uint8_t vector[ENTRIES]
    while i < b.classes:
        a = &b.vectors[i * ENTRIES]
        for j in range(i + 1):
            c = &b.vectors[j * ENTRIES]
            memset(vector, FAR, ENTRIES)
            for m in range(5):
                for n in range(5 - m):
                    for h in range(2):
                        for g in range(2 - h):
                            cost = a[5 * h + m] + c[5 * g + n]
                            if cost < vector[5 * (h + g) + m + n]:
                                vector[5 * (h + g) + m + n] = cost
            cls = class_of(b, vector)
            if cls < 0:
                return -1
            merge[i * MAX_CLASSES + j] = merge[j * MAX_CLASSES + i] = <uint16_t>cls
        i += 1
    return 0


cdef int fill_system(Builder* b, System* s, bint head_258, bint fifth, uint16_t* merge) noexcept nogil:
    cdef uint8_t* suit = <uint8_t*>calloc(SUIT_ROOM, 1)
    cdef uint16_t* honour = <uint16_t*>calloc(HONOUR_ROOM, sizeof(uint16_t))
    cdef uint16_t* packed
    cdef uint16_t* split
    cdef uint16_t* lowered
    cdef uint8_t* missing
    cdef const uint8_t* a
    cdef const uint8_t* c
    cdef int i, j, m, k, h, best, cost
    cdef uint16_t used
    s.suit = suit
    s.honour = honour
    b.classes = 0
    if suit == NULL or honour == NULL:
        return -1
    if build_group(b, 9, False, head_258, fifth, suit, NULL) < 0 or b.classes > 256:
        return -1
    if build_group(b, 7, True, head_258, fifth, NULL, honour) < 0:
        return -1
    s.groups = b.classes
    if close_classes(b, merge) < 0:
        return -1
    s.n = b.classes
    packed = <uint16_t*>malloc(s.n * s.n * sizeof(uint16_t))
    missing = <uint8_t*>malloc(s.n * 5)
    split = <uint16_t*>malloc(5 * s.groups * s.n * sizeof(uint16_t))
    lowered = <uint16_t*>malloc(s.groups * s.groups * sizeof(uint16_t))
    s.merge = packed
    s.missing = missing
    s.split = split
    s.lowered = lowered
    if packed == NULL or missing == NULL or split == NULL or lowered == NULL:
        return -1
    for i in range(s.n):
        memcpy(&packed[i * s.n], &merge[i * MAX_CLASSES], s.n * sizeof(uint16_t))
        memcpy(&missing[i * 5], &b.vectors[i * ENTRIES + 5], 5)
    for i in range(s.groups):
        a = &b.vectors[i * ENTRIES]
        for j in range(s.groups):
            c = &b.vectors[j * ENTRIES]
            used = 0
            for k in range(ENTRIES):
                if c[k] < a[k]:
                    used |= <uint16_t>(1 << k)
            lowered[i * s.groups + j] = used
        for j in range(s.n):
            c = &b.vectors[j * ENTRIES]
            for m in range(5):
                best = missing[packed[i * s.n + j] * 5 + m]
                used = 0
                for h in range(2):
                    for k in range(m + 1):
                        cost = a[5 * h + k] + c[5 * (1 - h) + m - k]
                        if cost == best:
                            used |= <uint16_t>(1 << (5 * h + k))
                split[(m * s.groups + i) * s.n + j] = used
    return 0


cdef void drop_system(System* s) noexcept nogil:
    free(<void*>s.suit)
    free(<void*>s.honour)
    free(<void*>s.merge)
    free(<void*>s.missing)
    free(<void*>s.split)
    free(<void*>s.lowered)
    memset(s, 0, sizeof(System))


cdef int build_system(System* s, bint head_258, bint fifth) noexcept nogil:
    cdef Builder b
    cdef uint16_t* merge = <uint16_t*>calloc(MAX_CLASSES * MAX_CLASSES, sizeof(uint16_t))
    cdef int result = -1
    memset(&b, 0, sizeof(Builder))
    b.states = <State*>malloc(MAX_STATES * sizeof(State))
    b.slots = <int*>malloc(HASH_SLOTS * sizeof(int))
    b.next_states = <int*>malloc(MAX_STATES * 5 * sizeof(int))
    b.vectors = <uint8_t*>malloc(MAX_CLASSES * ENTRIES)
    if merge != NULL and b.states != NULL and b.slots != NULL and b.next_states != NULL and b.vectors != NULL:
        result = fill_system(&b, s, head_258, fifth, merge)
    if result < 0:
        drop_system(s)
    free(merge)
    free(b.states)
    free(b.slots)
    free(b.next_states)
    free(b.vectors)
    return result


# Written once behind the lock, read-only after.
cdef System systems[4]
cdef bint built[4]
_lock = threading.Lock()


cdef const System* system(bint head_258, bint fifth) except NULL:
    """The tables for one kind of head; built on first use."""
    cdef int i = 2 * head_258 + fifth
    cdef int result
    if not built[i]:
        with _lock:
            if not built[i]:
                with nogil:
                    result = build_system(&systems[i], head_258, fifth)
                if result < 0:
                    raise MemoryError("no memory for the distance tables (about 3 MB each)")
                built[i] = True
    return &systems[i]


def table_sizes(bint head_258=False, bint fifth=True):
    """Sizes of one kind of head's tables: classes, and bytes by table."""
    cdef const System* s = system(head_258, fifth)
    return {
        "groups": s.groups,
        "classes": s.n,
        "suit": SUIT_KEYS,
        "honour": HONOUR_KEYS * 2,
        "merge": s.n * s.n * 2,
        "missing": s.n * 5,
        "split": 5 * s.groups * s.n * 2,
        "lowered": s.groups * s.groups * 2,
    }


def table_bytes(bint head_258=False, bint fifth=True):
    """Copies of one kind of head's tables, as the comments of System in _types.pxd describe them."""
    cdef const System* s = system(head_258, fifth)
    return {
        "suit": (<const char*>s.suit)[:SUIT_KEYS],
        "honour": (<const char*>s.honour)[:HONOUR_KEYS * 2],
        "merge": (<const char*>s.merge)[:s.n * s.n * 2],
        "missing": (<const char*>s.missing)[:s.n * 5],
        "split": (<const char*>s.split)[:5 * s.groups * s.n * 2],
        "lowered": (<const char*>s.lowered)[:s.groups * s.groups * 2],
    }
