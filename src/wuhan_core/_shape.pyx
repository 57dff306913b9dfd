"""Shapes of hands: the Python face of the kernels in _shape.pxd.

`Shape` is one hand kept as keys. The ``*_array`` functions answer for any number of hands at once and release the
GIL. Their input is checked row by row as it is read; ``check=False`` leaves that out and trusts the caller.
"""

import numpy as np

from libc.stdint cimport int8_t, int16_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

from wuhan_core._shape cimport (ALL_KINDS, KINDS_258, Live, Split, best_discard, is_ready, kinds_in,
                                kinds_missing, live_planes, missing, pungs_missing, spare, split_hand, suit_missing, useful)
from wuhan_core._tables cimport system
from wuhan_core._types cimport KINDS, NONE, System

from wuhan_core.errors import FaultError, show
from wuhan_core.tiles import KIND_NAMES

cdef extern from *:
    """
    #include <string.h>
    /* Eight base-5 digits of a little-endian word, the first weighing 1: three steps that each join neighbours. */
    static inline uint32_t wc_eight(uint64_t x) {
        x = x * 0x105 >> 8 & 0x00ff00ff00ff00ffULL;             /* d + 5 d' */
        x = x * 0x10019 >> 16 & 0x0000ffff0000ffffULL;          /* 25 */
        return (uint32_t)(x * 0x100000271ULL >> 32);            /* 625 */
    }
    /* Eight bytes as a little-endian word, and back. */
    #if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    static inline uint64_t wc_swap(uint64_t x) { return __builtin_bswap64(x); }
    #else
    static inline uint64_t wc_swap(uint64_t x) { return x; }
    #endif
    static inline uint64_t wc_word(const uint8_t *p) {
        uint64_t x;
        memcpy(&x, p, 8);
        return wc_swap(x);
    }
    static inline void wc_put(uint8_t *p, uint64_t x) {
        x = wc_swap(x);
        memcpy(p, &x, 8);
    }
    static inline void wc_keys(const uint8_t *row, uint32_t *key) {
        key[0] = wc_eight(wc_word(row)) + 390625 * (uint32_t)row[8];
        key[1] = wc_eight(wc_word(row + 9)) + 390625 * (uint32_t)row[17];
        key[2] = wc_eight(wc_word(row + 18)) + 390625 * (uint32_t)row[26];
        key[3] = wc_eight(wc_word(row + 26) >> 8);
    }
    /* 4 - counts - seen where the kind is in the mask, else 0. */
    static inline void wc_live(uint64_t kinds, const uint8_t *counts, const uint8_t *seen, uint8_t *out) {
        const uint64_t ones = 0x0101010101010101ULL;
        int i;
        for (i = 0; i < 32; i += 8) {
            uint64_t bits = (kinds >> i & 0xff) * ones & 0x8040201008040201ULL;     /* byte k: bit k alone */
            uint64_t bytes = (((bits + 0x7f * ones) | bits) >> 7 & ones) * 0xff;
            wc_put(out + i, (4 * ones - wc_word(counts + i) - wc_word(seen + i)) & bytes);
        }
        for (; i < 34; i++) out[i] = (uint8_t)((kinds >> i & 1) * (4 - counts[i] - seen[i]));
    }
    /* wc_total: sum of 34 bytes, far below 0 when one, with `seen` (or NULL) added, is above 4.
       wc_masks: at_least[i], the kinds of which there are more than i. */
    #if defined(__SSE2__)
    #include <emmintrin.h>
    typedef struct { __m128i a, b, c; } wc_row;
    static inline wc_row wc_load(const uint8_t *row) {
        const wc_row r = {_mm_loadu_si128((const __m128i *)row), _mm_loadu_si128((const __m128i *)(row + 16)),
                          _mm_cvtsi32_si128(row[32] | row[33] << 8)};
        return r;
    }
    static inline int wc_total(const uint8_t *row, const uint8_t *seen) {
        const __m128i zero = _mm_setzero_si128();
        const wc_row r = wc_load(row);
        const __m128i sum = _mm_sad_epu8(_mm_add_epi8(_mm_add_epi8(r.a, r.b), r.c), zero);
        wc_row all = r;
        if (seen) {
            const wc_row s = wc_load(seen);
            all.a = _mm_adds_epu8(r.a, s.a);
            all.b = _mm_adds_epu8(r.b, s.b);
            all.c = _mm_adds_epu8(r.c, s.c);
        }
        all.a = _mm_subs_epu8(_mm_max_epu8(_mm_max_epu8(all.a, all.b), all.c), _mm_set1_epi8(4));
        if (_mm_movemask_epi8(_mm_cmpeq_epi8(all.a, zero)) != 0xffff) return -10000;
        return _mm_cvtsi128_si32(sum) + _mm_extract_epi16(sum, 4);
    }
    static inline void wc_masks(const uint8_t *row, uint64_t *at_least) {
        const wc_row r = wc_load(row);
        int i;
        for (i = 0; i < 4; i++) {
            const __m128i than = _mm_set1_epi8((char)i);
            at_least[i] = (uint64_t)_mm_movemask_epi8(_mm_cmpgt_epi8(r.a, than))
                | (uint64_t)_mm_movemask_epi8(_mm_cmpgt_epi8(r.b, than)) << 16
                | (uint64_t)_mm_movemask_epi8(_mm_cmpgt_epi8(r.c, than)) << 32;
        }
    }
    #else
    static inline int wc_total(const uint8_t *row, const uint8_t *seen) {
        int i, sum = 0, most = 0;
        for (i = 0; i < 34; i++) {
            const int here = row[i] + (seen ? seen[i] : 0);
            sum += row[i];
            most = here > most ? here : most;
        }
        return most > 4 ? -10000 : sum;
    }
    static inline void wc_masks(const uint8_t *row, uint64_t *at_least) {
        int i, k;
        for (i = 0; i < 4; i++)
            for (at_least[i] = 0, k = 0; k < 34; k++) at_least[i] |= (uint64_t)(row[k] > i) << k;
    }
    #endif
    """
    void row_keys "wc_keys"(const uint8_t* row, uint32_t* key) nogil
    int row_total "wc_total"(const uint8_t* row, const uint8_t* seen) nogil
    void row_live "wc_live"(uint64_t kinds, const uint8_t* counts, const uint8_t* seen, uint8_t* out) nogil
    void row_masks "wc_masks"(const uint8_t* row, uint64_t* at_least) nogil


class HandError(FaultError):
    """A hand, or rows of hands, that cannot be; `faults` has every fault with its value and what is allowed."""


# ---- what the array functions may be given

cdef enum:
    SHOWN = 8               # faults that one error text shows, or few more
    LOOKED_AT = 64          # rows that are looked at for them


cdef list array_faults(str name, object array, tuple shape):
    """What is wrong with an array as such."""
    cdef str wanted = "(" + ", ".join([str(n) for n in shape]) + ("," if len(shape) == 1 else "") + ")"
    if not isinstance(array, np.ndarray):
        return [f"{name} is a {type(array).__name__}, must be a numpy array of dtype uint8 and shape {wanted}"]
    faults = []
    if array.dtype != np.uint8:
        faults.append(f"{name} has dtype {array.dtype}, must be uint8")
    if array.ndim != len(shape) or any([n not in ("n", m) for n, m in zip(shape, array.shape)]):
        faults.append(f"{name} has shape {array.shape}, must be {wanted}")
    elif not array.flags.c_contiguous:
        faults.append(f"{name} is not C-contiguous; make it so with numpy.ascontiguousarray")
    return faults


cdef Py_ssize_t check_arrays(object counts, object wildcards, object melds) except -1:
    """Number of rows, once the three arrays fit together."""
    faults = array_faults("counts", counts, ("n", 34))
    rows = "n" if faults else counts.shape[0]
    faults += array_faults("wildcards", wildcards, (rows,)) + array_faults("melds", melds, (rows,))
    if faults:
        raise HandError(faults)
    return rows


def _row_faults(Py_ssize_t row, const uint8_t[::1] counts, int wildcards, int melds, tuple tiles, int laizi, object seen):
    """Every fault of one row, in words."""
    cdef int kind, here, total = wildcards
    faults = []
    for kind in range(KINDS):
        total += counts[kind]
        if counts[kind] > 4:
            faults.append(f"counts[{KIND_NAMES[kind]}] = {counts[kind]}, at most 4")
    if wildcards > 4:
        faults.append(f"wildcards = {wildcards}, at most 4")
    if wildcards and laizi == NONE:
        faults.append(f"wildcards = {wildcards}, must be 0 in a game without wildcards")
    if laizi >= KINDS:
        faults.append(f"laizi = {laizi}, must be 0 to 33")
    elif laizi >= 0 and counts[laizi]:
        faults.append(f"counts[{KIND_NAMES[laizi]}] = {counts[laizi]}, must be 0: the wildcard kind's tiles go into wildcards")
    if melds > 4:
        faults.append(f"melds = {melds}, at most 4")
    elif total + 3 * melds not in tiles:
        allowed = " or ".join([str(n - 3 * melds) for n in tiles])
        faults.append(f"{total} tiles (wildcards {wildcards} among them) with {melds} melds, must be {allowed}")
    if seen is not None:
        for kind in range(KINDS):
            here = wildcards if kind == laizi else counts[kind]
            if here <= 4 and here + <int>seen[kind] > 4:
                faults.append(f"seen[{KIND_NAMES[kind]}] = {seen[kind]} with {here} in hand, together at most 4")
    return [f"row {row}: {fault}" for fault in faults]


cdef int refuse_rows(object counts, object wildcards, object melds, tuple tiles, object laizi, object seen,
                     Py_ssize_t first) except -1:
    """The error about rows of which `first` is the first bad one.

    laizi: kinds by row; or for all rows one number, NONE without wildcards in the game, -2 for whatever kind.
    """
    cdef Py_ssize_t row = first, stop = min(len(counts), first + LOOKED_AT)
    faults = []
    while row < stop and len(faults) < SHOWN:
        faults += _row_faults(row, counts[row], wildcards[row], melds[row], tiles,
                              laizi if isinstance(laizi, int) else laizi[row], None if seen is None else seen[row])
        row += 1
    if row < len(counts):
        faults.append(f"(rows from {row} on not looked at)")
    raise HandError(faults)


# ---- many hands: is it complete, how far is it

cdef Py_ssize_t shanten_rows(const System* s, const uint8_t* counts, const uint8_t* wildcards, const uint8_t* melds,
                             Py_ssize_t n, int most_wild, bint check, int8_t* out) noexcept nogil:
    """Fills `out`; returns the first bad row, or n."""
    cdef Py_ssize_t i
    cdef uint32_t key[4]
    cdef int total
    for i in range(n):
        if check:
            total = row_total(counts, NULL) + wildcards[i] + 3 * melds[i]
            if (total != 13 and total != 14) or wildcards[i] > most_wild:
                return i
        row_keys(counts, key)
        out[i] = <int8_t>(missing(s, key, 4 - melds[i]) - wildcards[i] - 1)
        counts += KINDS
    return n


def shanten_array(counts, wildcards, melds, bint wild_game=True, *, bint check=True):
    """Shanten of many hands: -1 complete, 0 ready.

    Parameters
    ----------
    counts : ndarray of uint8, shape (n, 34)
        C-contiguous. Concealed tiles by kind, the wildcard kind's own tiles left out.
    wildcards : ndarray of uint8, shape (n,)
        Wildcards held, 0 to 4.
    melds : ndarray of uint8, shape (n,)
        Sets laid out, 0 to 4.
    wild_game : bool, default True
        Whether the game has wildcards: then a wildcard may stand for a fifth copy of a kind.
    check : bool, default True
        Refuse rows that cannot be. False trusts the caller; a count above 4 then reads foreign memory.

    Returns
    -------
    ndarray of int8, shape (n,)

    Raises
    ------
    HandError
        For a wrong dtype or shape, and for rows that cannot be: a count above 4, and other than 13 or 14 tiles in all, a meld counting 3. The first bad rows are
        named, with the values and what is allowed.

    Notes
    -----
    The GIL is released. `wuhan_core.shanten` is the same for one hand.

    Examples
    --------
    >>> from wuhan_core import parse_tiles
    >>> counts = np.bincount(parse_tiles("123m4588p1789sEE"), minlength=34).astype(np.uint8)
    >>> wildcards, melds = np.array([0], np.uint8), np.array([0], np.uint8)
    >>> shanten_array(counts.reshape(1, 34), wildcards, melds)
    array([1], dtype=int8)
    """
    cdef Py_ssize_t n = check_arrays(counts, wildcards, melds), bad
    cdef const System* s = system(False, wild_game)
    cdef const uint8_t[:, ::1] rows = counts
    cdef const uint8_t[::1] wild = wildcards, sets = melds
    out = np.empty(n, dtype=np.int8)
    cdef int8_t[::1] answer = out
    if n:
        with nogil:
            bad = shanten_rows(s, &rows[0, 0], &wild[0], &sets[0], n, 4 if wild_game else 0, check, &answer[0])
        if bad < n:
            refuse_rows(counts, wildcards, melds, (13, 14), -2 if wild_game else NONE, None, bad)
    return out


def complete_array(counts, wildcards, melds, bint wild_game=True, *, bint check=True):
    """Whether hands are four sets and a pair, wildcards standing for anything.

    Parameters and errors are those of `shanten_array`; a hand of 13 tiles is never complete.

    Returns
    -------
    ndarray of bool, shape (n,)

    Examples
    --------
    >>> from wuhan_core import parse_tiles
    >>> counts, none = np.zeros((2, 34), np.uint8), np.zeros(2, np.uint8)
    >>> for row, text in zip(counts, ["123m55p777789sEEE", "123m45p777789sEEE"]):
    ...     np.add.at(row, parse_tiles(text), 1)
    >>> complete_array(counts, none, none)
    array([ True, False])
    """
    return shanten_array(counts, wildcards, melds, wild_game, check=check) == -1


# ---- many hands: useful tiles and discards

cdef class Rows:
    """Checked input of the functions that count live tiles."""
    cdef Py_ssize_t n
    cdef const uint8_t[:, ::1] counts
    cdef const uint8_t[::1] wildcards
    cdef const uint8_t[::1] melds
    cdef const uint8_t[:, ::1] seen
    cdef const int16_t[::1] laizi       # NONE: no wildcards in the game
    cdef const System* s

    def __init__(self, counts, wildcards, melds, seen, laizi):
        self.n = check_arrays(counts, wildcards, melds)
        faults = []
        if seen is None:
            seen = np.zeros((self.n, 34), dtype=np.uint8)
        else:
            faults += array_faults("seen", seen, (self.n, 34))
        if laizi is None:
            kinds = np.full(self.n, NONE, dtype=np.int16)
        elif isinstance(laizi, np.ndarray):
            if laizi.dtype.kind not in "iu" or laizi.shape != (self.n,):
                faults.append(f"laizi has dtype {laizi.dtype} and shape {laizi.shape}, must be whole numbers of shape ({self.n},)")
            elif self.n and not (0 <= laizi.min() and laizi.max() < KINDS):
                worst = int(np.flatnonzero((laizi < 0) | (laizi >= KINDS))[0])
                faults.append(f"row {worst}: laizi = {laizi[worst]}, must be 0 to 33")
            else:
                kinds = laizi.astype(np.int16)
        elif isinstance(laizi, (int, np.integer)) and not isinstance(laizi, bool) and 0 <= laizi < KINDS:
            kinds = np.full(self.n, laizi, dtype=np.int16)
        else:
            faults.append(f"laizi = {show(laizi)}, must be a kind from 0 to 33, an array of kinds or None")
        if faults:
            raise HandError(faults)
        self.counts, self.wildcards, self.melds, self.seen, self.laizi = counts, wildcards, melds, seen, kinds
        self.s = system(False, laizi is not None)

    cdef int refuse(self, Py_ssize_t first, int tiles) except -1:
        refuse_rows(self.counts, self.wildcards, self.melds, (tiles,), self.laizi, self.seen, first)


cdef inline bint fits(const uint8_t* counts, int wildcards, int melds, const uint8_t* seen, int laizi, int tiles) noexcept nogil:
    if row_total(counts, seen) + wildcards + 3 * melds != tiles:
        return False
    if laizi < 0:
        return wildcards == 0
    return counts[laizi] == 0 and wildcards + seen[laizi] <= 4


cdef inline void ukeire_row(const System* s, const uint8_t* counts, int wildcards, int sets, const uint8_t* seen,
                            int laizi, uint8_t* out) noexcept nogil:
    cdef uint32_t key[4]
    cdef Split split
    row_keys(counts, key)
    split_hand(s, key, sets, &split)
    # where all four of a kind are in hand the mask has no meaning, and none is left either
    row_live(useful(s, key, &split), counts, seen, out)
    if laizi >= 0:
        out[laizi] = <uint8_t>(4 - wildcards - seen[laizi])     # a hand of 13 tiles can always use it


def ukeire_array(counts, wildcards, melds, seen=None, laizi=None, *, bint check=True):
    """Live tiles of every kind that lowers the shanten, of many hands of 13 tiles, a meld counting 3.

    Parameters
    ----------
    counts : ndarray of uint8, shape (n, 34)
        C-contiguous. Concealed tiles by kind, the wildcard kind's own tiles left out.
    wildcards : ndarray of uint8, shape (n,)
        Wildcards held, 0 to 4.
    melds : ndarray of uint8, shape (n,)
        Sets laid out, 0 to 4.
    seen : ndarray of uint8, shape (n, 34), optional
        Tiles seen outside the concealed hand, own melds among them.
    laizi : int, ndarray of integers of shape (n,), or None
        The wildcard kind of all hands or of each. None: a game without wildcards; no fifth copies.
    check : bool, default True
        Refuse rows that cannot be. False trusts the caller; a count above 4 then reads foreign memory.

    Returns
    -------
    ndarray of uint8, shape (n, 34)
        4 less those concealed and seen, where the kind is useful; else 0.

    Raises
    ------
    HandError
        For a wrong dtype or shape, and for rows that cannot be: a count above 4, with `seen` too, other than 13 tiles, counts of the wildcard kind. The first bad rows are
        named, with the values and what is allowed.

    Notes
    -----
    The GIL is released.

    Examples
    --------
    >>> from wuhan_core import parse_tiles
    >>> counts = np.bincount(parse_tiles("123m4588p789sEEE"), minlength=34).astype(np.uint8)
    >>> wildcards, melds = np.array([0], np.uint8), np.array([0], np.uint8)
    >>> live = ukeire_array(counts.reshape(1, 34), wildcards, melds)
    >>> [(int(kind), int(live[0, kind])) for kind in live[0].nonzero()[0]]
    [(11, 4), (14, 4)]
    """
    cdef Rows rows = Rows(counts, wildcards, melds, seen, laizi)
    cdef Py_ssize_t i, bad = -1
    out = np.empty((rows.n, 34), dtype=np.uint8)
    cdef uint8_t[:, ::1] answer = out
    with nogil:
        for i in range(rows.n):
            if check and not fits(&rows.counts[i, 0], rows.wildcards[i], rows.melds[i], &rows.seen[i, 0], rows.laizi[i], 13):
                bad = i
                break
            ukeire_row(rows.s, &rows.counts[i, 0], rows.wildcards[i], 4 - rows.melds[i], &rows.seen[i, 0],
                       rows.laizi[i], &answer[i, 0])
    if bad >= 0:
        rows.refuse(bad, 13)
    return out


cdef inline int discard_row(const System* s, const uint8_t* counts, int wildcards, int sets, const uint8_t* seen,
                            int laizi) noexcept nogil:
    cdef uint32_t key[4]
    cdef uint64_t own[4]
    cdef uint64_t open_[4]
    cdef uint64_t dead = <uint64_t>1 << laizi if laizi >= 0 else 0     # as good after any discard
    cdef Live live
    row_keys(counts, key)
    row_masks(counts, own)
    row_masks(seen, open_)
    if not own[0]:
        return laizi
    live_planes(own, open_, &live)
    return best_discard(s, key, own[0], dead, &live, sets)


def discard_array(counts, wildcards, melds, seen=None, laizi=None, *, bint check=True):
    """The best discard of many hands of 14 tiles, a meld counting 3.

    Parameters and errors are those of `ukeire_array`, for 14 tiles.

    Returns
    -------
    ndarray of uint8, shape (n,)
        The kind whose discard leaves the lowest shanten, then most live useful tiles, then the highest kind. A
        wildcard only where there is nothing else. As the greedy bot discards.
    """
    cdef Rows rows = Rows(counts, wildcards, melds, seen, laizi)
    cdef Py_ssize_t i, bad = -1
    out = np.empty(rows.n, dtype=np.uint8)
    cdef uint8_t[::1] answer = out
    with nogil:
        for i in range(rows.n):
            if check and not fits(&rows.counts[i, 0], rows.wildcards[i], rows.melds[i], &rows.seen[i, 0], rows.laizi[i], 14):
                bad = i
                break
            answer[i] = <uint8_t>discard_row(rows.s, &rows.counts[i, 0], rows.wildcards[i], 4 - rows.melds[i],
                                             &rows.seen[i, 0], rows.laizi[i])
    if bad >= 0:
        rows.refuse(bad, 14)
    return out


# ---- one hand

cdef const uint8_t* require(bytes counts, int wildcards, int sets) except NULL:
    """The counts of one hand, once they fit."""
    cdef const uint8_t* row = counts
    if len(counts) != KINDS or row_total(row, NULL) < 0 or not (0 <= wildcards <= 4 and 0 <= sets <= 4):
        raise HandError([f"counts, wildcards, sets = {list(counts)}, {wildcards}, {sets}, must be 34 counts of at most 4, "
                         "at most 4 and at most 4"])
    return row


def shanten_of(bytes counts not None, int wildcards=0, int melds=0, bint wild_game=True):
    """Shanten of one hand of 34 counts (bytes), as `shanten_array` has it for many.

    Parameters
    ----------
    counts : bytes of length 34
        Concealed tiles by kind, the wildcard kind's own left out.
    wildcards, melds : int
        0 to 4 each.
    wild_game : bool, default True
        Whether a wildcard may stand for a fifth copy of a kind.

    Returns
    -------
    int
        -1 complete, 0 ready.

    Raises
    ------
    HandError
        For other than 34 counts, and for counts, wildcards or melds above 4.
    """
    cdef uint32_t key[4]
    row_keys(require(counts, wildcards, 4 - melds), key)
    return missing(system(False, wild_game), key, 4 - melds) - wildcards - 1


cdef class Shape:
    """One hand as keys: the face of the kernels for `wuhan_core.hand` and the tests.

    Parameters
    ----------
    counts : bytes of length 34
        Concealed tiles by kind, the wildcard kind's own left out.
    wildcards, sets : int
        Wildcards held, 0 to 4; sets wanted beside the pair, 0 to 4.
    wild_game, head_258 : bool
        Whether a wildcard may stand for a fifth copy; whether the pair must be 2, 5 or 8 of a suit.
    """
    cdef uint8_t counts[KINDS]
    cdef uint32_t key[4]
    cdef uint64_t at_least[4]
    cdef int wildcards, sets
    cdef bint wild_game, head_258
    cdef const System* s

    def __cinit__(self, bytes counts not None, int wildcards, int sets, bint wild_game=True, bint head_258=False):
        memcpy(self.counts, require(counts, wildcards, sets), KINDS)
        row_keys(self.counts, self.key)
        row_masks(self.counts, self.at_least)
        self.wildcards = wildcards
        self.sets = sets
        self.wild_game = wild_game
        self.head_258 = head_258
        self.s = system(head_258, wild_game)

    def __reduce__(self):
        return Shape, (self.counts[:KINDS], self.wildcards, self.sets, self.wild_game, self.head_258)

    def shanten(self):
        """-1 complete, 0 ready."""
        return missing(self.s, self.key, self.sets) - self.wildcards - 1

    def is_ready(self):
        """Whether one tile more completes it."""
        return is_ready(self.s, self.key, self.wildcards, self.sets)

    def useful(self):
        """Natural kinds of which one tile more lowers what is missing; none that is held four times."""
        cdef Split split
        split_hand(self.s, self.key, self.sets, &split)
        return kinds_in(useful(self.s, self.key, &split) & ~self.at_least[3])

    def spare(self):
        """Natural kinds held of which one tile less does not raise what is missing."""
        cdef Split split
        split_hand(self.s, self.key, self.sets, &split)
        return kinds_in(spare(self.s, self.key, self.at_least[0], &split))

    def suit_missing(self, int group):
        """Tiles missing for all in group 0, 1, 2 (m, p, s) or 3 (honours)."""
        if not 0 <= group <= 3:
            raise HandError([f"group = {group}, must be 0 to 3 (m, p, s, honours)"])
        return suit_missing(self.s, self.key, group, self.sets)

    def kinds_missing(self, uint64_t kinds):
        """Tiles missing until all are of the kinds of a bit mask."""
        return kinds_missing(self.at_least, kinds, self.sets)

    def pungs_missing(self):
        """Tiles missing for the sets as triplets, and the pair."""
        return pungs_missing(self.at_least, self.sets, KINDS_258 if self.head_258 else ALL_KINDS, self.wild_game)
