"""The state machine of one hand, for Python: `Table`, replays, and the tests drive it through here."""

from libc.stdint cimport uint64_t

from wuhan_core._policy cimport choose
from wuhan_core._rng cimport STREAM_POLICY, Rng, rng_start
from wuhan_core._rules cimport CompiledRules
from wuhan_core._seat cimport seat_opens
from wuhan_core._shape cimport lowest
from wuhan_core._table cimport (CLAIM_CHOW, CLAIM_KONG, CLAIM_PUNG, DISCARD_TILE, KONG_ADDED, KONG_CONCEALED,
                                KONG_SINGLE, OVER, PASS, WIN, Table, action, next_dealer, table_allows, table_deal,
                                table_step)
from wuhan_core._types cimport SEATS, Seat
from wuhan_core._wall cimport seed_key

from wuhan_core._policy import BOT_NAMES

VERBS = ("pass", "win", "discard", "chow", "pung", "kong", "added_kong", "concealed_kong", "single_kong")
PHASES = ("turn", "claim", "rob", "last", "over")
MELDS = ("chow", "pung", "direct_kong", "added_kong", "concealed_kong")


cdef list kinds_of(uint64_t mask):
    kinds = []
    while mask:
        kinds.append(lowest(mask))
        mask &= mask - 1
    return kinds


cdef class Machine:
    """One hand, step by step. Actions are integers, ``verb * 64 + kind`` (`VERBS`).

    Parameters
    ----------
    rules : RuleSet
    wall : sequence of int
        All tiles in order, as kinds; trusted to hold four of each.
    dealer : int
    seat_queues : bool
        Each seat draws from its own queue (draws="seat").
    seed, hand : int
        Of the random streams of compiled bots.
    """

    cdef CompiledRules compiled
    cdef Table t
    cdef Rng rngs[SEATS]

    def __init__(self, rules, wall, int dealer=0, bint seat_queues=False, seed=0, hand=0):
        cdef uint64_t key[2]
        self.compiled = CompiledRules(rules)
        self.t.size = len(wall)
        for i, kind in enumerate(wall):
            self.t.wall[i] = kind
        seed_key(seed, key)
        for i in range(SEATS):
            rng_start(&self.rngs[i], key, hand, STREAM_POLICY + i)
        table_deal(&self.t, &self.compiled.rules, dealer, seat_queues)

    @property
    def seat(self):
        """Who is asked."""
        return self.t.seat

    @property
    def phase(self):
        return PHASES[self.t.phase]

    @property
    def done(self):
        return self.t.phase == OVER

    @property
    def next_dealer(self):
        """Who deals the next hand; meaningful when done."""
        return next_dealer(&self.t)

    def legal(self):
        """Every legal action of the asked seat."""
        cdef list actions = []
        if self.t.phase == OVER:
            return actions
        legal = self.t.legal
        if legal.win:
            actions.append(action(WIN, 0))
        if legal.may_pass:
            actions.append(action(PASS, 0))
        if legal.pung:
            actions.append(action(CLAIM_PUNG, self.t.open_tile))
        if legal.kong:
            actions.append(action(CLAIM_KONG, self.t.open_tile))
        for verb, mask in ((CLAIM_CHOW, legal.chows), (DISCARD_TILE, legal.discards), (KONG_ADDED, legal.added),
                           (KONG_CONCEALED, legal.concealed), (KONG_SINGLE, legal.single)):
            actions += [action(verb, kind) for kind in kinds_of(mask)]
        return actions

    def step(self, int act):
        """Carry out an action; ValueError, and nothing changed, when it is not legal."""
        if not table_allows(&self.t, act):
            raise ValueError(f"action {act}: not legal for seat {self.t.seat}; allowed: {self.legal()}")
        table_step(&self.t, act)

    def choose(self, str bot):
        """The action of a compiled bot for the asked seat."""
        if self.t.phase == OVER:
            raise ValueError("the hand is over")
        return choose(BOT_NAMES.index(bot), &self.t, &self.rngs[self.t.seat])

    def copy(self):
        """The same state; steps of one do not touch the other."""
        cdef Machine other = Machine.__new__(Machine)
        other.compiled = self.compiled
        other.t = self.t
        other.rngs = self.rngs
        return other

    def hand(self, int seat):
        """The seat's concealed tiles by kind, 34 counts."""
        return [self.t.seats[seat].counts[k] for k in range(34)]

    def state(self):
        """All that the machine holds, hidden tiles included, as plain values."""
        cdef const Seat* s
        seats = []
        for i in range(self.compiled.rules.players):
            s = &self.t.seats[i]
            seats.append({
                "counts": self.hand(i),
                "melds": [(MELDS[s.melds[k].kind], s.melds[k].tile, s.melds[k].feeder) for k in range(s.n_melds)],
                "red_kongs": s.red_kongs, "wild_kongs": s.wild_kongs, "skin_kongs": s.skin_kongs,
                "wild_discards": s.wild_discards, "opens": seat_opens(s, self.t.rules),
                "keys": [s.key[k] for k in range(4)], "wild": s.wild, "blocked": s.blocked, "tiles": s.tiles,
                "at_least": [s.at_least[k] for k in range(4)], "river": list(self.t.river[i][:self.t.river_size[i]]),
            })
        free = [i for i in range(self.t.size) if not self.t.taken[i >> 6] >> (i & 63) & 1]
        return {
            "phase": self.phase, "seat": self.t.seat, "dealer": self.t.dealer, "drawn": self.t.drawn,
            "after_kong": bool(self.t.after_kong), "last_left": self.t.last_left, "turns": self.t.turns,
            "left": self.t.left, "free": free, "indicator": self.t.special.indicator, "wild": self.t.special.wild,
            "open_tile": self.t.open_tile, "open_seat": self.t.open_seat,
            "seen": [sum([self.t.seen[i] >> k & 1 for i in range(4)]) for k in range(34)],
            "seats": seats,
        }

    def result(self):
        """How the hand ended; None before. Points by seat."""
        if self.t.phase != OVER:
            return None
        finish, points = self.t.finish, self.t.points
        return {
            "winner": finish.winner, "loser": finish.loser, "tile": finish.tile, "source": finish.source,
            "after_kong": bool(finish.after_kong), "last_draw": bool(finish.last_draw),
            "winners": [i for i in range(SEATS) if self.t.winners >> i & 1],
            "types": points.types, "hard": bool(points.hard), "golden": bool(points.golden),
            "liable": points.liable, "owed": list(points.owed), "capped": list(points.capped),
            "deltas": list(points.deltas),
        }
