"""What one seat may know, and what it may do: the engine's state as bots in Python see it."""

from wuhan_core._shape cimport kinds_in
from wuhan_core._table cimport (CLAIM, CLAIM_CHOW, CLAIM_KONG, CLAIM_PUNG, DISCARD_TILE, KONG_ADDED, KONG_CONCEALED,
                                KONG_SINGLE, LAST, OVER, PASS, ROB, TURN, WIN, Table, action)
from wuhan_core._types cimport NONE, Seat

from wuhan_core.actions import ACTIONS

PHASES = ("turn", "claim", "rob", "last", "over")
MELDS = ("chow", "pung", "direct_kong", "added_kong", "concealed_kong")


cdef list legal_codes(const Table* t):
    cdef list codes = []
    cdef int kind
    if t.phase == OVER:
        return codes
    if t.legal.win:
        codes.append(action(WIN, 0))
    if t.legal.may_pass:
        codes.append(action(PASS, 0))
    if t.legal.pung:
        codes.append(action(CLAIM_PUNG, t.open_tile))
    if t.legal.kong:
        codes.append(action(CLAIM_KONG, t.open_tile))
    for kind in kinds_in(t.legal.chows):
        codes.append(action(CLAIM_CHOW, kind))
    for kind in kinds_in(t.legal.discards):
        codes.append(action(DISCARD_TILE, kind))
    if t.legal.added | t.legal.concealed | t.legal.single:
        for kind in kinds_in(t.legal.added):
            codes.append(action(KONG_ADDED, kind))
        for kind in kinds_in(t.legal.concealed):
            codes.append(action(KONG_CONCEALED, kind))
        for kind in kinds_in(t.legal.single):
            codes.append(action(KONG_SINGLE, kind))
    return codes


cdef list legal_actions(const Table* t):
    return [ACTIONS[code] for code in legal_codes(t)]


cdef tuple melds_of(const Seat* s):
    return tuple([(MELDS[s.melds[k].kind], s.melds[k].tile, s.melds[k].feeder) for k in range(s.n_melds)])


cdef class Observation:
    """What one seat may know at one moment: its own tiles, and what lies open to all.

    Tiles are kinds 0..33. Seats are absolute, 0..3. It is a copy: keeping it is safe.

    Examples
    --------
    >>> from wuhan_core import Table, format_tiles
    >>> seen = Table("yuanhang", seed=1).observation(0)
    >>> format_tiles(seen.hand), format_tiles([seen.laizi]), seen.phase, seen.left
    ('336m23448p1345sEF', 'S', 'turn', 82)
    """

    def __init__(self):
        raise TypeError("an observation comes from Table.observation or as a bot's argument")

    def __repr__(self):
        return f"<Observation of seat {self.seat}, {self.phase}, seat {self.asked} is asked, {self.left} tiles left>"

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        raise TypeError("an Observation is not pickled, what to_dict gives is")

    @property
    def seat(self):
        """Whose observation this is."""
        return self.who

    @property
    def asked(self):
        """The seat that is to act, -1 when the hand is over or when others are asked about a claim."""
        if self.t.phase == OVER or (self.t.phase in (CLAIM, ROB) and self.t.seat != self.who):
            return -1
        return self.t.seat

    @property
    def phase(self):
        """"turn", "claim" (a discard lies open), "rob" (an added kong lies open), "last" (last round), "over"."""
        return PHASES[self.t.phase]

    @property
    def players(self):
        """Seats at the table, 2 or 4."""
        return self.t.rules.players

    @property
    def dealer(self):
        """The seat that deals."""
        return self.t.dealer

    @property
    def indicator(self):
        """Kind turned up, -1 in games without one."""
        return self.t.special.indicator

    @property
    def laizi(self):
        """The wildcard kind."""
        return self.t.special.wild

    @property
    def skins(self):
        """Kinds that are skins."""
        return tuple(kinds_in(self.t.special.skins))

    @property
    def counts(self):
        """Own concealed tiles by kind, 34 counts, a drawn tile included."""
        return tuple([self.t.seats[self.who].counts[k] for k in range(34)])

    @property
    def hand(self):
        """Own concealed tiles as sorted kinds."""
        return tuple([k for k in range(34) for _ in range(self.t.seats[self.who].counts[k])])

    @property
    def drawn(self):
        """Kind that this seat has just drawn, -1 otherwise."""
        if self.t.seat == self.who and self.t.phase in (TURN, LAST):
            return self.t.drawn
        return NONE

    @property
    def melds(self):
        """By seat: (kind of meld, its lowest tile, the seat it was claimed from or -1), in the order made."""
        return tuple([melds_of(&self.t.seats[i]) for i in range(self.t.rules.players)])

    @property
    def single_kongs(self):
        """By seat: tiles konged singly (red dragons, wildcards, skins)."""
        return tuple([(self.t.seats[i].red_kongs, self.t.seats[i].wild_kongs, self.t.seats[i].skin_kongs)
                      for i in range(self.t.rules.players)])

    @property
    def rivers(self):
        """By seat: what it discarded and nobody claimed, in order."""
        return tuple([tuple([self.t.river[i][k] for k in range(self.t.river_size[i])])
                      for i in range(self.t.rules.players)])

    @property
    def concealed(self):
        """By seat: how many concealed tiles it holds."""
        return tuple([self.t.seats[i].tiles for i in range(self.t.rules.players)])

    @property
    def open_tile(self):
        """The tile that lies open for a claim or to be robbed, -1 otherwise."""
        return self.t.open_tile if self.t.phase in (CLAIM, ROB) else NONE

    @property
    def open_seat(self):
        """Whose tile lies open, -1 otherwise."""
        return self.t.open_seat if self.t.phase in (CLAIM, ROB) else NONE

    @property
    def left(self):
        """Tiles not drawn yet."""
        return self.t.left

    @property
    def turns(self):
        """Draws made so far, by all."""
        return self.t.turns

    @property
    def seen(self):
        """Copies of each kind that lie open to all, 34 counts."""
        return tuple([(self.t.seen[0] >> k & 1) + (self.t.seen[1] >> k & 1) + (self.t.seen[2] >> k & 1)
                      + (self.t.seen[3] >> k & 1) for k in range(34)])

    def to_dict(self):
        """Everything above by name, as plain values; `hand` stands in `counts`."""
        return {name: getattr(self, name) for name in (
            "seat", "asked", "phase", "players", "dealer", "indicator", "laizi", "skins", "counts", "drawn", "melds",
            "single_kongs", "rivers", "concealed", "open_tile", "open_seat", "left", "turns", "seen")}


cdef Observation observe(const Table* t, int who):
    cdef Observation seen = Observation.__new__(Observation)
    seen.t = t[0]
    seen.who = who
    return seen
