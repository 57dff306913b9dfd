"""The state machine of one hand, for Python: `Table`, guests, replays and the tests drive it through here."""

import numpy as np

from libc.stdint cimport uint8_t, uint64_t

from wuhan_core._encoding cimport ACTIONS, COLUMNS, Choices, choices_of, write_mask, write_row
from wuhan_core._observation cimport legal_actions, legal_codes, melds_of, observe
from wuhan_core._policy cimport SEARCH_BOT, Bot, choose, fill_bot
from wuhan_core._rng cimport STREAM_POLICY, Rng, rng_start
from wuhan_core._rules cimport CompiledRules
from wuhan_core._sample cimport Unseen, sample, sample_begin
from wuhan_core._search cimport Weighed, weigh
from wuhan_core._seat cimport seat_add, seat_opens, seat_remove
from wuhan_core._table cimport HISTORY_LAST, HISTORY_TAIL, OVER, is_taken, next_dealer, table_allows, table_deal, table_step
from wuhan_core._types cimport NONE, SEATS, WALL, Seat
from wuhan_core._wall cimport seed_key

from wuhan_core._observation import PHASES
from wuhan_core.policies import parse_bot


cdef class Machine:
    """One hand, step by step, in the engine's own numbers. Actions are codes, see `wuhan_core.actions`.

    Parameters
    ----------
    rules : RuleSet
    wall : sequence of int
        All tiles in order, as kinds; trusted to be a wall of these rules.
    dealer : int
    seat_queues : bool
        Each seat draws from its own queue (draws="seat").
    seed, hand : int
        Of the random streams of compiled bots.
    """

    def __init__(self, rules, wall, int dealer=0, bint seat_queues=False, seed=0, hand=0):
        cdef uint64_t key[2]
        self.compiled = CompiledRules(rules)
        if len(wall) > WALL:
            raise ValueError(f"{len(wall)} tiles, at most {WALL}")
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
        """Every legal action of the asked seat, as codes."""
        return legal_codes(&self.t)

    def actions(self):
        """Every legal action of the asked seat, as `Action`."""
        return legal_actions(&self.t)

    def step(self, int act):
        """Carry out an action; ValueError, and nothing changed, when it is not legal."""
        if not table_allows(&self.t, act):
            raise ValueError(f"action {act}: not legal for seat {self.t.seat}; allowed: {self.legal()}")
        table_step(&self.t, act)

    def choose(self, str bot):
        """The action of a compiled bot, given as its text, for the asked seat."""
        cdef Bot compiled
        fill_bot(parse_bot(bot), &compiled)
        if self.t.phase == OVER:
            raise ValueError("the hand is over")
        return choose(&compiled, &self.t, &self.rngs[self.t.seat])

    def observation(self, int seat):
        """What `seat` may know now."""
        return observe(&self.t, seat)

    def row(self, int seat):
        """What `seat` may know now, as a new array of uint8; `wuhan_core.encoding.FEATURES` says what its columns are."""
        cdef uint8_t[::1] row = np.zeros(COLUMNS, np.uint8)
        write_row(&self.t, seat, &row[0])
        return row.base

    def mask(self):
        """Which of `wuhan_core.encoding.ACTION_NAMES` the asked seat may do, as a new array of uint8."""
        cdef uint8_t[::1] mask = np.zeros(ACTIONS, np.uint8)
        cdef Choices choices = choices_of(&self.t)
        write_mask(&choices, &mask[0])
        return mask.base

    def copy(self):
        """The same state; steps of one do not touch the other."""
        cdef Machine other = Machine.__new__(Machine)
        other.compiled = self.compiled
        other.t = self.t
        other.rngs = self.rngs
        return other

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def __reduce__(self):
        raise TypeError("a Table is not pickled, its log() is, and replay_log plays that again")

    def __repr__(self):
        return f"<Machine, {self.phase}, {'over' if self.done else f'seat {self.seat} is asked'}>"

    def hidden(self, int seat):
        """The tiles that `seat` cannot see: the others' concealed ones, then the wall's, as kinds."""
        kinds = [k for i in range(self.compiled.rules.players) if i != seat
                 for k in range(34) for _ in range(self.t.seats[i].counts[k])]
        return kinds + [self.t.wall[i] for i in self.free()]

    cdef list free(self):
        """Positions of the wall that are not drawn yet."""
        return [i for i in range(self.t.size) if not is_taken(&self.t, i)]

    def with_hidden(self, int seat, kinds, uint64_t noise=0):
        """A copy in which what `seat` cannot see is dealt anew: `kinds` as `hidden` lists them, in another order.

        What the engine keeps about the others' hands becomes `noise`: the copy answers for `seat`, no more.
        """
        cdef Machine other = self.copy()
        cdef int i, k, n
        order = list(kinds)
        if sorted(order) != sorted(self.hidden(seat)):
            raise ValueError("the hidden tiles, in any order, must be given")
        for i in range(self.compiled.rules.players):
            if i == seat:
                continue
            n = other.t.seats[i].tiles
            for k in range(34):
                while other.t.seats[i].counts[k]:
                    seat_remove(&other.t.seats[i], &other.t.special, k)
            for k in order[:n]:
                seat_add(&other.t.seats[i], &other.t.special, k)
            del order[:n]
            other.t.waits[i] = other.t.wanted[i] = noise
            other.t.far[i] = noise & 7
            other.t.ready_turn[i] = noise & 63
            other.t.seats[i].bao_had = noise & 3
        for i, k in zip(self.free(), order):
            other.t.wall[i] = k
        return other

    def sampled(self, seed, double turns=0, bint konged=False):
        """A copy in which all that the asked seat cannot see is dealt anew, as `search` does it; the hand is not over."""
        cdef Machine other = self.copy()
        cdef uint64_t key[2]
        cdef Unseen unseen
        cdef Rng rng
        seed_key(seed, key)
        rng_start(&rng, key, 0, STREAM_POLICY)
        sample_begin(&unseen, &self.t)
        sample(&unseen, turns, konged, &rng, &other.t)
        return other

    def weigh(self, str bot):
        """What `search` makes of the asked seat's choice: (action, playouts, points on average) for each candidate.

        The first is what the bot of its playouts would do. The random stream goes on as in `choose`.
        """
        cdef Bot compiled
        cdef Weighed weighed
        fill_bot(parse_bot(bot), &compiled)
        if compiled.kind != SEARCH_BOT or self.t.phase == OVER:
            raise ValueError("only search weighs, and only while the hand lasts")
        weigh(compiled.value, &self.t, &self.rngs[self.t.seat], &weighed)
        return [(weighed.act[i], weighed.tried[i], weighed.sum[i] / weighed.tried[i] if weighed.tried[i] else 0.0)
                for i in range(weighed.n)]

    def draws(self, int since=0):
        """Draws from number `since` on: (seat, kind, replacement, last round)."""
        found = []
        for i in range(since, self.t.turns):
            h = self.t.history[i]
            found.append((h >> 8 & 3, self.t.wall[h & 255], bool(h & HISTORY_TAIL), bool(h & HISTORY_LAST)))
        return found

    def state(self):
        """All that the machine holds, hidden tiles included, as plain values."""
        cdef const Seat* s
        seats = []
        for i in range(self.compiled.rules.players):
            s = &self.t.seats[i]
            seats.append({
                "counts": [s.counts[k] for k in range(34)], "melds": list(melds_of(s)),
                "red_kongs": s.red_kongs, "wild_kongs": s.wild_kongs, "skin_kongs": s.skin_kongs,
                "wild_discards": s.wild_discards, "bao_had": s.bao_had, "skipped": s.skipped,
                "opens": seat_opens(s, self.t.rules),
                "keys": [s.key[k] for k in range(4)], "wild": s.wild, "blocked": s.blocked, "tiles": s.tiles,
                "at_least": [s.at_least[k] for k in range(4)],
                "river": [self.t.river[i][k] for k in range(self.t.river_size[i])],
            })
        return {
            "phase": self.phase, "seat": self.t.seat, "dealer": self.t.dealer, "drawn": self.t.drawn,
            "after_kong": bool(self.t.after_kong), "last_left": self.t.last_left, "turns": self.t.turns,
            "left": self.t.left, "free": self.free(), "indicator": self.t.special.indicator, "wild": self.t.special.wild,
            "open_tile": self.t.open_tile, "open_seat": self.t.open_seat,
            "seen": list(observe(&self.t, 0).seen), "seats": seats,
        }

    def result(self):
        """How the hand ended; None before. Points by seat; of several robbers the first, all of them in deltas."""
        cdef int n = self.compiled.rules.players
        if self.t.phase != OVER:
            return None
        finish, points = self.t.finish, self.t.points
        won = finish.winner != NONE
        return {
            "winner": finish.winner, "loser": finish.loser, "tile": finish.tile, "source": finish.source,
            "after_kong": bool(finish.after_kong), "last_draw": bool(finish.last_draw), "first": finish.first,
            "winners": [i for i in range(n) if self.t.winners >> i & 1],
            "codes": [finish.codes[i] for i in range(finish.n_codes)],
            "types": points.types if won else 0, "hard": won and bool(points.hard),
            "golden": won and bool(points.golden), "liable": points.liable if won else NONE,
            "owed": [points.owed[i] if won else 0 for i in range(n)],
            "capped": [points.capped[i] if won else 0 for i in range(n)],
            "deltas": [points.deltas[i] for i in range(n)],
        }
