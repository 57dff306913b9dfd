# One seat's tiles: every change of `counts` goes through here, so that keys and masks stay true.
from libc.stdint cimport uint64_t

from wuhan_core._shape cimport POW, SUIT
from wuhan_core._types cimport (ADDED_KONG, CHOW, CONCEALED_KONG, DIRECT_KONG, OPEN_CHOW_PUNG_KONG, Meld, Rules, Seat,
                                Special)

cdef inline uint64_t bit(int kind) noexcept nogil:
    return <uint64_t>1 << kind

cdef inline void seat_add(Seat* seat, const Special* special, int kind) noexcept nogil:
    if kind == special.wild:
        seat.wild += 1
    elif special.blocked >> kind & 1:
        seat.blocked += 1
    else:
        seat.at_least[seat.counts[kind]] |= bit(kind)
        seat.key[SUIT[kind]] += POW[kind]
    seat.counts[kind] += 1
    seat.tiles += 1

cdef inline void seat_remove(Seat* seat, const Special* special, int kind) noexcept nogil:
    seat.counts[kind] -= 1
    seat.tiles -= 1
    if kind == special.wild:
        seat.wild -= 1
    elif special.blocked >> kind & 1:
        seat.blocked -= 1
    else:
        seat.at_least[seat.counts[kind]] &= ~bit(kind)
        seat.key[SUIT[kind]] -= POW[kind]

cdef inline uint64_t odd_kinds(const uint64_t* at_least) noexcept nogil:
    """Kinds of which an odd number is held (`at_least` as in Seat): seven pairs lack a tile of each."""
    return (at_least[0] & ~at_least[1]) | (at_least[2] & ~at_least[3])

cdef inline uint64_t dead_kinds(const Special* special) noexcept nogil:
    """Kinds never counted as useful: those that bar a win; the wildcard, as good after any discard."""
    return special.blocked | bit(special.wild)

cdef inline void add_meld(Seat* seat, int meld_kind, int tile, int feeder) noexcept nogil:
    """Lays out a meld of which the concealed tiles have gone; feeder: as in Meld."""
    cdef Meld* meld = &seat.melds[seat.n_melds]
    meld.kind = meld_kind
    meld.tile = tile
    meld.feeder = feeder
    seat.n_melds += 1

cdef inline uint64_t melded(const Seat* seat, bint* chow) noexcept nogil:
    """Kinds in the melds; is a chow among these?"""
    cdef uint64_t kinds = 0
    cdef int i
    chow[0] = False
    for i in range(seat.n_melds):
        if seat.melds[i].kind == CHOW:
            kinds |= <uint64_t>7 << seat.melds[i].tile
            chow[0] = True
        else:
            kinds |= bit(seat.melds[i].tile)
    return kinds

cdef inline int exposed_melds(const Seat* seat) noexcept nogil:
    """All but concealed kongs, whatever counts as open."""
    cdef int i, n = 0
    for i in range(seat.n_melds):
        n += seat.melds[i].kind != CONCEALED_KONG
    return n

cdef inline bint meld_opens(int kind, const Rules* rules) noexcept nogil:
    """Whether a meld counts as open ("none" counts as "chow_pung")."""
    return kind < DIRECT_KONG or kind == ADDED_KONG or (
        kind == DIRECT_KONG and rules.open_melds == OPEN_CHOW_PUNG_KONG)

cdef inline int seat_opens(const Seat* seat, const Rules* rules) noexcept nogil:
    """Open melds as win.open_melds counts them."""
    cdef int i, n = 0
    for i in range(seat.n_melds):
        n += meld_opens(seat.melds[i].kind, rules)
    return n

cdef inline bint seat_is_open(const Seat* seat, const Rules* rules) noexcept nogil:
    cdef int i
    for i in range(seat.n_melds):
        if meld_opens(seat.melds[i].kind, rules):
            return True
    return False

cdef inline int seat_kongs(const Seat* seat) noexcept nogil:
    """Kongs of all sorts."""
    cdef int i, n = seat.red_kongs + seat.wild_kongs + seat.skin_kongs
    for i in range(seat.n_melds):
        n += seat.melds[i].kind >= DIRECT_KONG
    return n
