"""What the asked seat may do and know, as numbers: see encoding.py."""

from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memcpy, memset

from wuhan_core._shape cimport lowest, nth, popcount
from wuhan_core._table cimport (CLAIM, CLAIM_CHOW, CLAIM_KONG, CLAIM_PUNG, DISCARD_TILE, KONG_ADDED, KONG_CONCEALED,
                                KONG_SINGLE, LAST, OVER, PASS, ROB, TURN, WIN, Legal, Table, action, places_after)
from wuhan_core._types cimport CHOW, KINDS, NONE, PUNG, Meld, Seat

from wuhan_core.encoding import ACTION_NAMES, FEATURES

assert [ACTION_NAMES.index(name) for name in ("pass", "win", "pung", "kong", "chow 1m", "discard 1m", "own_kong 1m",
                                              "single_kong 1m")] == [
    ACT_PASS, ACT_WIN, ACT_PUNG, ACT_KONG, ACT_CHOW, ACT_DISCARD, ACT_OWN, ACT_SINGLE], "encoding.py disagrees"
assert len(ACTION_NAMES) == ACTIONS, "encoding.py and _encoding.pxd disagree"
assert [feature.start for feature in FEATURES.values()] == [
    COL_COUNTS, COL_SEEN, COL_MELDED, COL_DISCARDED, COL_INDICATOR, COL_LAIZI, COL_SKINS, COL_DRAWN, COL_OPEN_TILE,
    COL_PHASE, COL_DEALER, COL_OPEN_SEAT, COL_PLAYERS, COL_LEFT, COL_TURNS, COL_CONCEALED, COL_SINGLES, COL_MELDS,
    COL_RIVERS], "encoding.py and _encoding.pxd disagree"
assert FEATURES["rivers"].shape[1] == RIVER_COLUMNS and FEATURES["rivers"].stop == COLUMNS


# ---- actions

cdef Choices choices_of(const Table* t) noexcept nogil:
    cdef const Legal* legal = &t.legal
    cdef Choices found
    cdef uint64_t own, chows = legal.chows
    found.low = found.high = 0
    if t.phase == OVER:
        return found
    own = legal.added | legal.concealed
    chows = (chows & 0x7F) | (chows >> 2 & 0x7F << 7) | (chows >> 4 & 0x7F << 14)       # 7 of each 9
    found.low = (legal.may_pass | <uint64_t>legal.win << ACT_WIN | <uint64_t>legal.pung << ACT_PUNG
                 | <uint64_t>legal.kong << ACT_KONG | chows << ACT_CHOW | legal.discards << ACT_DISCARD
                 | own << ACT_OWN)
    found.high = own >> (64 - ACT_OWN) | legal.single << (ACT_SINGLE - 64)
    return found


cdef int code_of(const Table* t, int index) noexcept nogil:
    if index >= ACT_SINGLE:
        return action(KONG_SINGLE, index - ACT_SINGLE)
    if index >= ACT_OWN:
        index -= ACT_OWN
        return action(KONG_ADDED if t.legal.added >> index & 1 else KONG_CONCEALED, index)
    if index >= ACT_DISCARD:
        return action(DISCARD_TILE, index - ACT_DISCARD)
    if index >= ACT_CHOW:
        index -= ACT_CHOW
        return action(CLAIM_CHOW, index // 7 * 9 + index % 7)
    if index >= ACT_PUNG:
        return action(CLAIM_PUNG if index == ACT_PUNG else CLAIM_KONG, t.open_tile)
    return action(WIN if index == ACT_WIN else PASS, 0)


cdef int number_of(int code) noexcept nogil:
    cdef int verb = code >> 6, kind = code & 63
    if verb == DISCARD_TILE:
        return ACT_DISCARD + kind
    if verb == KONG_ADDED or verb == KONG_CONCEALED:
        return ACT_OWN + kind
    if verb == KONG_SINGLE:
        return ACT_SINGLE + kind
    if verb == CLAIM_CHOW:
        return ACT_CHOW + kind // 9 * 7 + kind % 9
    if verb == CLAIM_PUNG or verb == CLAIM_KONG:
        return ACT_PUNG if verb == CLAIM_PUNG else ACT_KONG
    return ACT_WIN if verb == WIN else ACT_PASS


cdef int count_choices(const Choices* choices) noexcept nogil:
    return popcount(choices.low) + popcount(choices.high)


cdef int nth_choice(const Choices* choices, int n) noexcept nogil:
    cdef int lower = popcount(choices.low)
    return nth(choices.low, n) if n < lower else 64 + nth(choices.high, n - lower)


# ---- from bits to bytes

cdef inline uint64_t spread(uint64_t bits) noexcept nogil:
    """The low 8 bits as 8 bytes of 0 or 1, the lowest first."""
    bits = (bits & 0xFF) * <uint64_t>0x0101010101010101 & <uint64_t>0x8040201008040201   # byte i keeps bit i
    return (bits + <uint64_t>0x7F7F7F7F7F7F7F7F) >> 7 & <uint64_t>0x0101010101010101


cdef inline void store(uint8_t* out, uint64_t word) noexcept nogil:
    """Eight bytes, the lowest first, on any machine; compilers make one store of it where they can."""
    out[0] = <uint8_t>word
    out[1] = <uint8_t>(word >> 8)
    out[2] = <uint8_t>(word >> 16)
    out[3] = <uint8_t>(word >> 24)
    out[4] = <uint8_t>(word >> 32)
    out[5] = <uint8_t>(word >> 40)
    out[6] = <uint8_t>(word >> 48)
    out[7] = <uint8_t>(word >> 56)


cdef void write_mask(const Choices* choices, uint8_t* mask) noexcept nogil:
    cdef int i
    for i in range(8):
        store(mask + 8 * i, spread(choices.low >> 8 * i))
    for i in range(7):
        store(mask + 64 + 8 * i, spread(choices.high >> 8 * i))
    for i in range(120, ACTIONS):
        mask[i] = choices.high >> (i - 64) & 1


# ---- what a seat may know

cdef inline void write_seen(const Table* t, uint8_t* out) noexcept nogil:
    """How many of the four sets have each kind."""
    cdef int i
    for i in range(0, 32, 8):
        store(out + i, spread(t.seen[0] >> i) + spread(t.seen[1] >> i) + spread(t.seen[2] >> i)
              + spread(t.seen[3] >> i))
    for i in range(32, KINDS):
        out[i] = ((t.seen[0] >> i & 1) + (t.seen[1] >> i & 1) + (t.seen[2] >> i & 1) + (t.seen[3] >> i & 1))


cdef inline void write_seat(const Table* t, int who, int seat, uint8_t* row) noexcept nogil:
    """What lies open of one seat."""
    cdef const Seat* s = &t.seats[seat]
    cdef const Meld* meld
    cdef int place = places_after(t, who, seat), i, kind
    cdef uint8_t* melded = row + COL_MELDED + KINDS * place
    cdef uint8_t* melds = row + COL_MELDS + 12 * place
    cdef uint8_t* discarded = row + COL_DISCARDED + KINDS * place
    cdef uint8_t* river = row + COL_RIVERS + RIVER_COLUMNS * place
    cdef uint8_t* singles = row + COL_SINGLES + 3 * place
    row[COL_CONCEALED + place] = s.tiles
    singles[0] = s.red_kongs
    singles[1] = s.wild_kongs
    singles[2] = s.skin_kongs
    for i in range(s.n_melds):
        meld = &s.melds[i]
        melds[3 * i] = meld.kind + 1
        melds[3 * i + 1] = meld.tile + 1
        melds[3 * i + 2] = places_after(t, who, meld.feeder) + 1 if meld.feeder != NONE else 0
        if meld.kind == CHOW:
            for kind in range(meld.tile, meld.tile + 3):
                melded[kind] += 1
        else:
            melded[meld.tile] += 3 if meld.kind == PUNG else 4
    for i in range(t.river_size[seat]):
        kind = t.river[seat][i]
        discarded[kind] += 1
        river[i] = kind + 1


cdef void write_row(const Table* t, int who, uint8_t* row) noexcept nogil:
    cdef uint64_t skins = t.special.skins
    cdef int seat
    memset(row, 0, COLUMNS)
    memcpy(row + COL_COUNTS, t.seats[who].counts, KINDS)
    write_seen(t, row + COL_SEEN)
    if t.special.indicator != NONE:
        row[COL_INDICATOR + t.special.indicator] = 1
    row[COL_LAIZI + t.special.wild] = 1
    while skins:
        row[COL_SKINS + lowest(skins)] = 1
        skins &= skins - 1
    if t.seat == who and (t.phase == TURN or t.phase == LAST) and t.drawn != NONE:
        row[COL_DRAWN + t.drawn] = 1
    if t.phase == CLAIM or t.phase == ROB:
        row[COL_OPEN_TILE + t.open_tile] = 1
        row[COL_OPEN_SEAT + places_after(t, who, t.open_seat)] = 1
    if t.phase != OVER:
        row[COL_PHASE + t.phase] = 1
    row[COL_DEALER + places_after(t, who, t.dealer)] = 1
    row[COL_PLAYERS] = t.rules.players
    row[COL_LEFT] = t.left
    row[COL_TURNS] = t.turns
    for seat in range(t.rules.players):
        write_seat(t, who, seat, row)
