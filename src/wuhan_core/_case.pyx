"""A case, from its JSON object to the engine's structs and back: RULES.md section 10. All faults are found in one pass,
and texts are made for faults only, so that a case that can be costs little."""

from cpython.long cimport PyLong_AsLongAndOverflow
from cpython.unicode cimport PyUnicode_AsUTF8AndSize
from libc.stdint cimport int64_t, uint8_t, uint32_t
from libc.string cimport memset

from wuhan_core._codes cimport codes_wanted
from wuhan_core._rules cimport CompiledRules, special_of
from wuhan_core._score cimport score_win
from wuhan_core._seat cimport bit, seat_add, seat_kongs
from wuhan_core._types cimport (ADDED_KONG, CHOW, CODES, CONCEALED_KONG, DIRECT_KONG, DISCARD, FACTORS, FIRST_DIHU,
                                FIRST_TIANHU, HONOURS, KINDS, MAX_CODES, NONE, PATTERNS, PUNG, RED, ROB_KONG, SEATS,
                                SELF_DRAW, WALL, Finish, Meld, Points, Rules, Seat, Special)

from .errors import show, whole
from .options import MODELS, hint
from .records import OUTCOMES, TYPE_NAMES
from .tiles import KIND_NAMES, TileError, parse_tiles

cdef enum:
    ROOM = 64               # tiles of one text that are looked at; more cannot be right
    WRONG = -2              # a value that has been found wrong

cdef dict MELDS = {
    "chow": CHOW, "pung": PUNG, "direct_kong": DIRECT_KONG, "added_kong": ADDED_KONG,
    "concealed_kong": CONCEALED_KONG,
}
cdef dict SOURCES = {name: i for i, name in enumerate(OUTCOMES) if i != 0}     # by Source
cdef tuple REFUSALS = (
    None, "no_discard_win", "tile_not_claimable", "holds_kong_tile", "not_open", "no_shape", "head_not_258",
    "too_many_wild", "below_minimum", "bao_not_claimable", "wild_on_discard",
)
cdef dict FIRSTS = {"tianhu": FIRST_TIANHU, "dihu": FIRST_DIHU}
cdef list TYPES = sorted([(name, 1 << i) for i, name in enumerate(TYPE_NAMES)])

cdef frozenset CASE_KEYS = frozenset(
    ("rules", "set", "indicator", "laizi", "dealer", "players", "codes", "win", "expect")
)
cdef frozenset PLAYER_KEYS = frozenset(
    ("hand", "melds", "red_kongs", "wild_kongs", "skin_kongs", "wild_discards", "bao_had")
)
cdef frozenset MELD_KEYS = frozenset(("kind", "tiles", "from"))
cdef frozenset WIN_KEYS = frozenset(
    ("winner", "tile", "source", "from", "after_kong", "last_draw", "first", "skipped")
)
cdef object ABSENT = object()


cdef class Reader:
    """Reads one case; knows where it is, for the texts of the faults."""

    cdef list faults
    cdef int seat, meld     # where: a player and its meld, NONE outside
    cdef bint win           # where: the win
    cdef int players        # seats of the game
    cdef int hands          # bit i: the hand of player i is known
    cdef int skipped        # of the win
    cdef int seen[KINDS]    # tiles of each kind in the case

    def __cinit__(self, list faults):
        self.faults = faults
        self.seat = self.meld = NONE
        self.win = False
        self.players = SEATS
        self.hands = self.skipped = 0
        memset(self.seen, 0, sizeof(self.seen))

    cdef str place(self, str name):
        cdef list parts = []
        if self.seat != NONE:
            parts.append(f"players[{self.seat}]")
        if self.meld != NONE:
            parts.append(f"melds[{self.meld}]")
        if self.win:
            parts.append("win")
        if name:
            parts.append(name)
        return ".".join(parts) or "case"

    cdef int wrong(self, str name, object value, str why) except 0:
        """Note a fault: where, the value, and what is allowed or what is wrong."""
        if value is ABSENT:
            self.faults.append(f"{self.place(name)} is missing, {why}")
        else:
            self.faults.append(f"{self.place(name)} = {show(value)}, {why}")
        return WRONG

    cdef dict fields(self, object value, frozenset known, str what):
        """The value, if it is an object; its unknown keys are faults."""
        if not isinstance(value, dict):
            self.wrong("", value, f"must be an object: {what}")
            return None
        for key in <dict>value:
            if key not in known:
                near = hint(key, known) if isinstance(key, str) else ""
                near = near or f", must be one of {', '.join(sorted(known))}"
                self.faults.append(f"{self.place('')}: unknown key {show(key)}{near}")
        return <dict>value

    cdef int whole(self, dict where, str name, int low, int high, bint may_be_absent) except -3:
        """A whole number, 0 where it may be absent and is."""
        cdef object value = where.get(name, ABSENT)
        cdef int overflow = 0
        cdef long number
        if value is ABSENT:
            return 0 if may_be_absent else self.wrong(name, value, f"must be a whole number from {low} to {high}")
        if type(value) is int:
            number = PyLong_AsLongAndOverflow(value, &overflow)
            if not overflow and low <= number <= high:
                return number
        cdef int found = len(self.faults)
        number = whole(self.place(name), value, self.faults, low, high)
        return number if len(self.faults) == found else WRONG

    cdef int flag(self, dict where, str name) except -3:
        cdef object value = where.get(name, False)
        if value is True or value is False:
            return value is True
        return self.wrong(name, value, "must be true or false")

    cdef int word(self, dict where, str name, dict words) except -3:
        cdef object value = where.get(name, ABSENT)
        if isinstance(value, str) and value in words:
            return words[value]
        return self.wrong(name, value, f"must be one of {', '.join(words)}")

    cdef int other_seat(self, dict where, int own) except -3:
        """The seat under "from"; not `own`."""
        cdef int seat = self.whole(where, "from", 0, self.players - 1, False)
        if seat == own and own >= 0:
            return self.wrong("from", seat, "must be another seat")
        return seat

    cdef bint knows_hand(self, int seat):
        return seat >= 0 and self.hands >> seat & 1

    cdef int tiles(self, dict where, str name, uint8_t* out) except -3:
        """Number of tiles in a text; the first ROOM kinds go to `out`."""
        cdef object text = where.get(name, ABSENT)
        cdef const char* chars
        cdef Py_ssize_t length, i
        cdef int n = 0, done = 0        # tiles, and those of them whose suit is known
        cdef int suit, c
        if not isinstance(text, str):
            return self.wrong(name, text, "must be text such as 123m55pEC")
        if (<str>text).isascii():
            chars = PyUnicode_AsUTF8AndSize(text, &length)
            if length <= ROOM:
                for i in range(length):
                    c = chars[i]
                    suit = 0 if c == c'm' else 1 if c == c'p' else 2 if c == c's' else NONE
                    if c'1' <= c <= c'9':
                        out[n] = c - c'1'
                        n += 1
                    elif suit != NONE and done < n:
                        while done < n:
                            out[done] += 9 * suit
                            done += 1
                    elif done == n and honour(c) != NONE:
                        out[n] = honour(c)
                        n += 1
                        done = n
                    else:
                        done = NONE
                        break
                if done == n:
                    return n
        try:
            kinds = parse_tiles(text)
        except TileError as error:
            self.faults += [f"{self.place(name)} = {show(text)}: {fault}" for fault in error.faults]
            return WRONG
        for i in range(min(len(kinds), ROOM)):
            out[i] = kinds[i]
        return len(kinds)

    cdef int tile(self, dict where, str name) except -3:
        """The kind of exactly one tile."""
        cdef uint8_t out[ROOM]
        cdef int n = self.tiles(where, name, out)
        if n == 1:
            return out[0]
        return n if n == WRONG else self.wrong(name, where[name], f"has {n} tiles, must be exactly one")

    cdef int read_special(self, dict case, const Rules* rules, Special* out) except 0:
        cdef int indicator = NONE, laizi = NONE
        cdef bint known = rules != NULL
        if known and rules.wild_red:
            if case.get("indicator") is not None:
                self.wrong("indicator", case["indicator"], "must be absent: with wild.kind = red the wildcard is C")
        elif known or case.get("indicator") is not None:
            indicator = self.tile(case, "indicator")
            if indicator >= 0:
                self.seen[indicator] += 1
            else:
                known = False
        if known:
            out[0] = special_of(rules, indicator)
        else:
            out.wild = out.indicator = NONE     # not known: what follows from them is not asked
            out.skins = out.blocked = 0
        if case.get("laizi") is not None:
            laizi = self.tile(case, "laizi")
            if laizi >= 0 and known and laizi != out.wild:
                origin = "with wild.kind = red" if indicator == NONE else (
                    f"it follows from the indicator {KIND_NAMES[indicator]}")
                self.wrong("laizi", case["laizi"], f"must be {KIND_NAMES[out.wild]}: {origin}")
        return 1

    cdef int read_meld(self, dict meld, const Rules* rules, const Special* special, Meld* out) except 0:
        cdef uint8_t kinds[ROOM]
        cdef int kind = self.word(meld, "kind", MELDS), n = self.tiles(meld, "tiles", kinds), i
        cdef int low = KINDS, high = 0
        cdef bint alike = False, run = False
        if n > 0:
            for i in range(min(n, ROOM)):
                low = min(low, kinds[i])
                high = max(high, kinds[i])
                self.seen[kinds[i]] += 1
                if kinds[i] == special.wild or special.blocked >> kinds[i] & 1:
                    name = "wildcard" if kinds[i] == special.wild else "red dragon" if kinds[i] == RED else "red skin"
                    self.wrong("tiles", meld["tiles"], f"has {KIND_NAMES[kinds[i]]}, a {name}, which is in no meld")
                    break
            alike = low == high
            run = n == 3 and high == low + 2 and low < HONOURS and low // 9 == high // 9 and (
                kinds[0] + kinds[1] + kinds[2] == 3 * low + 3)
        if kind != WRONG and n != WRONG:
            if kind == CHOW and not run:
                self.wrong("tiles", meld["tiles"], "must be three in a row of one suit for a chow")
            elif kind == PUNG and not (alike and n == 3):
                self.wrong("tiles", meld["tiles"], "must be three alike for a pung")
            elif kind >= DIRECT_KONG and not (alike and n == 4):
                self.wrong("tiles", meld["tiles"], "must be four alike for a kong")
            out.kind = kind
            out.tile = low
        if kind == CONCEALED_KONG:
            out.feeder = NONE
            if meld.get("from") is not None:
                self.wrong("from", meld["from"], "must be absent: a concealed kong is made with no discard")
            return 1
        out.feeder = self.other_seat(meld, self.seat)
        if kind == CHOW:
            previous = (self.seat + self.players - 1) % self.players
            if out.feeder >= 0 and out.feeder != previous:
                self.wrong("from", out.feeder, f"must be {previous}: a chow is made with the previous seat's discard")
            if rules != NULL and not rules.claims_chow:
                self.wrong("kind", "chow", "is not allowed by claims.chow = false")
        return 1

    cdef int read_player(self, object value, const Rules* rules, const Special* special, int holds, uint8_t* counts,
                         Seat* out) except 0:
        """`holds`: tiles of a hand without melds, 0 where that is not known. `counts`: concealed tiles by kind."""
        cdef dict player = self.fields(value, PLAYER_KEYS, "hand, melds and counts")
        cdef uint8_t kinds[ROOM]
        cdef object melds
        cdef int i, n, n_melds
        if player is None:
            return 1
        n = self.tiles(player, "hand", kinds)
        self.hands |= (n >= 0) << self.seat
        for i in range(min(n, ROOM)):
            counts[kinds[i]] += 1
            self.seen[kinds[i]] += 1
        melds = player.get("melds", ())
        if not isinstance(melds, (list, tuple)):
            self.wrong("melds", melds, "must be a list of melds")
        else:
            n_melds = len(melds)
            if n_melds > 4:
                self.wrong("melds", melds, f"has {n_melds} melds, must be at most 4")
            for i in range(n_melds):
                self.meld = i
                meld = self.fields(melds[i], MELD_KEYS, "kind, tiles, from")
                if meld is not None:
                    self.read_meld(meld, rules, special, &out.melds[min(i, 3)])
            self.meld = NONE
            out.n_melds = min(n_melds, 4)
            if n != WRONG and n_melds <= 4 and n != holds - 3 * n_melds and (
                    holds or n not in (13 - 3 * n_melds, 14 - 3 * n_melds)):
                right = f"{holds - 3 * n_melds}" if holds else f"{13 - 3 * n_melds} or {14 - 3 * n_melds}"
                self.wrong("hand", player["hand"], f"has {n} tiles, must be {right} beside {n_melds} melds")
        out.red_kongs = max(0, self.whole(player, "red_kongs", 0, 4, True))
        out.wild_kongs = max(0, self.whole(player, "wild_kongs", 0, 4, True))
        out.skin_kongs = max(0, self.whole(player, "skin_kongs", 0, 8, True))
        out.wild_discards = max(0, self.whole(player, "wild_discards", 0, 4, True))
        out.bao_had = max(0, self.whole(player, "bao_had", 0, 4, True))
        if rules != NULL and rules.model != FACTORS and out.red_kongs + out.wild_kongs + out.skin_kongs:
            for name in ("red_kongs", "wild_kongs", "skin_kongs"):
                if player.get(name):
                    self.wrong(name, player[name], f"must be 0 under score.model = {MODELS[rules.model]}")
        return 1

    cdef int read_codes(self, object codes, const Rules* rules, const uint8_t* counts, Finish* finish) except 0:
        """The codes turned up; no fault in their number where that hangs on a winner's hand that is not known."""
        cdef int i, n, kind, wanted = codes_wanted(rules, True)
        if not isinstance(codes, (list, tuple)):
            if codes is not None or wanted:
                self.wrong("codes", codes, "must be a list of tiles")
            return 1
        n = len(codes)
        for i in range(n):
            kind = self.tile({f"codes[{i}]": codes[i]}, f"codes[{i}]")
            if kind >= 0:
                self.seen[kind] += 1
                finish.codes[min(i, MAX_CODES - 1)] = kind
        if wanted != codes_wanted(rules, False):
            if not self.knows_hand(finish.winner):
                return 1
            wanted = codes_wanted(rules, counts[finish.winner * KINDS + RED] > 0)
        finish.n_codes = min(n, MAX_CODES)
        if n != wanted:
            self.wrong("codes", codes, f"has {n} tiles, must be {wanted}")
        return 1

    cdef int read_finish(self, dict win, const Rules* rules, Finish* out) except 0:
        cdef int winner = self.whole(win, "winner", 0, self.players - 1, False)
        cdef int source = self.word(win, "source", SOURCES)
        cdef int tile = self.tile(win, "tile"), after_kong = self.flag(win, "after_kong")
        cdef int last_draw = self.flag(win, "last_draw")
        out.winner = winner
        out.source = source if source != WRONG else 0
        out.tile = tile
        out.loser = NONE
        out.after_kong = after_kong == 1
        out.last_draw = last_draw == 1
        if source == SELF_DRAW:
            if win.get("from") is not None:
                self.wrong("from", win["from"], "must be absent on a self-draw")
        elif source != WRONG or "from" in win:
            out.loser = self.other_seat(win, winner)
        if out.after_kong and out.last_draw:
            self.wrong("last_draw", True, "must be false after a kong: in the last round there is no kong")
        if source != SELF_DRAW and source != WRONG:
            if out.after_kong:
                self.wrong("after_kong", True, "must be false without a self-draw")
            if out.last_draw:
                self.wrong("last_draw", True, "must be false without a self-draw")
        if rules != NULL and out.last_draw and rules.last_draws == 0:
            self.wrong("last_draw", True, "must be false with deal.last_draws = 0")
        first = win.get("first")
        if first is not None:
            if isinstance(first, str) and first in FIRSTS:
                out.first = FIRSTS[first]
            else:
                self.wrong("first", first, "must be null, tianhu or dihu")
        self.skipped = max(0, self.whole(win, "skipped", 0, WALL, True))
        return 1

    cdef int check_win(self, dict win, const Rules* rules, const Special* special, Seat* seats, const uint8_t* counts,
                       const Finish* finish) except 0:
        """The win beside the hands."""
        cdef const Seat* loser
        cdef int i
        cdef bint found = False
        if finish.source == SELF_DRAW:
            if finish.winner >= 0 and finish.tile >= 0 and counts[finish.winner * KINDS + finish.tile] == 0:
                self.wrong("tile", win["tile"], f"must be in the hand of player {finish.winner}, who drew it")
            if finish.after_kong and finish.winner >= 0 and seat_kongs(&seats[finish.winner]) == 0:
                self.wrong("after_kong", True, f"but player {finish.winner} has no kong")
        elif finish.source == ROB_KONG and finish.loser >= 0 and finish.tile >= 0:
            loser = &seats[finish.loser]
            for i in range(loser.n_melds):
                found = found or (loser.melds[i].kind == ADDED_KONG and loser.melds[i].tile == finish.tile)
            if not found:
                self.wrong("tile", win["tile"], f"must be that of an added kong of player {finish.loser}")
        if finish.first:
            self.check_first(win, special, seats, finish)
        if rules != NULL and rules.model == PATTERNS and special.wild != NONE and self.knows_hand(finish.winner):
            self.check_bao(counts[finish.winner * KINDS + special.wild], finish, &seats[finish.winner])
        return 1

    cdef int check_bao(self, int held, const Finish* finish, Seat* winner) except 0:
        """What the winner has had and done before. `held`: bao in its hand."""
        winner.skipped = self.skipped
        held += winner.wild_discards
        if winner.bao_had != held:
            self.win = False
            self.seat = finish.winner
            self.wrong("bao_had", winner.bao_had, f"must be {held}: the bao in the hand and those discarded")
            self.seat = NONE
            self.win = True
        if winner.skipped and finish.first:
            self.wrong("skipped", winner.skipped, "must be 0: nobody has drawn before")
        return 1

    cdef int check_first(self, dict win, const Special* special, const Seat* seats, const Finish* finish) except 0:
        cdef int i, discards = 0
        cdef bint claimed = False
        if finish.first == FIRST_TIANHU and (finish.source != SELF_DRAW or finish.winner != finish.dealer):
            self.wrong("first", "tianhu", "must be the dealer's self-draw")
        if finish.first == FIRST_DIHU and (finish.source != DISCARD or finish.loser != finish.dealer):
            self.wrong("first", "dihu", "must be on the dealer's discard")
        for i in range(SEATS):
            claimed = claimed or seats[i].n_melds or seat_kongs(&seats[i])
            discards += seats[i].wild_discards
        if claimed:
            self.wrong("first", win["first"], "must be null once there are melds or kongs")
        elif discards > (finish.first == FIRST_DIHU and finish.tile == special.wild):
            self.wrong("first", win["first"], "must be null once a wildcard has been discarded")
        return 1

    cdef int check_tiles(self, const Rules* rules, const Special* special, const Seat* seats, const Finish* finish) except 0:
        """No five alike in the whole case."""
        cdef int i, skins = 0, left = 0, n_kinds = 0
        for i in range(SEATS):
            self.seen[RED] += seats[i].red_kongs
            if special.wild != NONE:
                self.seen[special.wild] += seats[i].wild_kongs + seats[i].wild_discards
            skins += seats[i].skin_kongs
        # a discarded wildcard is counted with its discarder already
        if finish.source == DISCARD and finish.tile >= 0 and not (
                finish.tile == special.wild and finish.loser >= 0 and seats[finish.loser].wild_discards):
            self.seen[finish.tile] += 1
        for i in range(KINDS):
            if self.seen[i] > 4:
                self.faults.append(f"tiles of {KIND_NAMES[i]} = {self.seen[i]} in hands, melds, kongs, discards and "
                                   "what is turned up, must be at most 4")
            elif rules != NULL and rules.suits_red and self.seen[i] and i >= HONOURS and i != RED:
                self.faults.append(f"tiles of {KIND_NAMES[i]} = {self.seen[i]}, must be none: "
                                   "deal.tiles = suits_red has the suits and C only")
            if special.skins >> i & 1:
                n_kinds += 1
                left += max(0, 4 - self.seen[i])
        if rules != NULL and rules.model == FACTORS and special.indicator != NONE and skins > left:
            self.faults.append(f"skin_kongs of all players = {skins}, must be at most {left}: "
                               f"so many of the {n_kinds} kinds of skins are not seen elsewhere")
        return 1


cdef inline int honour(int c) noexcept nogil:
    if c == c'E':
        return 27
    if c == c'S':
        return 28
    if c == c'W':
        return 29
    if c == c'N':
        return 30
    if c == c'C':
        return 31
    if c == c'F':
        return 32
    return 33 if c == c'P' else NONE


cdef list by_seat(const int64_t* values, const Rules* rules):
    cdef int i
    return [values[i] for i in range(rules.players)]


cdef dict answer(const Points* p, const Rules* rules):
    if p.why:
        return {"wins": False, "why_not": REFUSALS[p.why]}
    cdef dict out = {
        "wins": True,
        "why_not": None,
        "types": [name for name, bit in TYPES if p.types & <uint32_t>bit] or ["pihu"],
        "owed": by_seat(p.owed, rules),
        "liable": p.liable if p.liable != NONE else None,
        "deltas": by_seat(p.deltas, rules),
    }
    if rules.model == FACTORS:
        out["big"] = p.big != 0
        out["capped"] = by_seat(p.capped, rules)
        out["golden"] = p.golden != 0
    if rules.model == CODES:
        out["hits"] = p.hits if p.hits != NONE else None
        out["kongs"] = by_seat(p.kongs, rules)
    else:
        out["hard"] = p.hard != 0
    return out


def score(object case, CompiledRules compiled, list faults):
    cdef Reader reader = Reader(faults)
    cdef const Rules* rules = &compiled.rules if compiled is not None else NULL
    cdef Rules no_rules
    cdef Special special
    cdef Seat seats[SEATS]
    cdef uint8_t counts[SEATS * KINDS]
    cdef Finish finish
    cdef Points points
    cdef int i, j, kind, holds, n_players
    cdef dict fields = reader.fields(case, CASE_KEYS, "a case of RULES.md section 10")
    cdef dict win = None
    cdef object players
    if fields is None:
        return None
    memset(seats, 0, sizeof(seats))
    memset(counts, 0, sizeof(counts))
    memset(&finish, 0, sizeof(Finish))
    finish.winner = finish.loser = finish.tile = NONE
    players = fields.get("players", ABSENT)
    n_players = len(players) if isinstance(players, (list, tuple)) else -1
    if rules != NULL:
        reader.players = rules.players
    elif n_players == 2:
        reader.players = 2      # it may be right
    reader.read_special(fields, rules, &special)
    finish.dealer = reader.whole(fields, "dealer", 0, reader.players - 1, False)
    reader.win = True
    win = reader.fields(fields.get("win", ABSENT), WIN_KEYS, "winner, tile, source and what goes with them")
    if win is not None:
        reader.read_finish(win, rules, &finish)
    reader.win = False
    if n_players < 0:
        reader.wrong("players", players, f"must be a list of {reader.players} players")
    else:
        if n_players != reader.players:
            reader.wrong("players", players, f"has {n_players} players, must be {reader.players}")
        for i in range(min(n_players, reader.players)):
            reader.seat = i
            holds = 13
            if finish.source == 0 or (finish.source == SELF_DRAW and finish.winner < 0):
                holds = 0       # not known
            elif finish.source == SELF_DRAW and finish.winner == i:
                holds = 14
            reader.read_player(players[i], rules, &special, holds, &counts[i * KINDS], &seats[i])
        reader.seat = NONE
    codes = fields.get("codes")
    if rules != NULL and rules.model == CODES:
        reader.read_codes(codes, rules, counts, &finish)
    elif rules != NULL and codes is not None and not (isinstance(codes, (list, tuple)) and len(codes) == 0):
        reader.wrong("codes", codes, f"must be absent: score.model = {MODELS[rules.model]} turns up no codes")
    if n_players >= 0:
        reader.win = True
        if win is not None:
            reader.check_win(win, rules, &special, seats, counts, &finish)
        reader.win = False
        reader.check_tiles(rules, &special, seats, &finish)
    if faults or rules == NULL:
        return None
    for i in range(rules.players):
        for kind in range(KINDS):
            for j in range(counts[i * KINDS + kind]):
                seat_add(&seats[i], &special, kind)
    score_win(rules, &special, seats, &finish, &points)
    return answer(&points, rules)
