"""What is counted when two bots play each other: who gains what, and where it comes from.

The difference is what a seat with one bot gets in a hand, less what a seat with the other bot gets. It is
split three ways, each of which adds up to it exactly:

source
    By why points move. The winner's gain is one part, by how it won. What the others pay is their own share
    after caps, as the discarder, beside the discarder, or on a self-draw; where a seat is liable, it pays the
    others' shares besides (`liability`), which they are relieved of (`relieved`). Of a robbed kong all is in
    `robbing_wins` and `robbed`. Where kongs are paid (the model "codes") that is a part of its own
    (`kong_payments`; where several may rob one kong, all wins but the first are there, too).
kongs
    By whether the winner holds a kong: in the Wuhan rules a kong is a factor of a win. Paid kongs as above.
dealer
    By which of the two bots deals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import gcd

import numpy as np

from wuhan_core.records import OUTCOMES
from wuhan_core.rules import RuleSet

from .quantities import SHARE, Quantity, impossible, most_paid
from .stats import Array, Names, Pair, by_hand, by_seat, cubes

SOURCES = (
    "discard_wins",
    "self_draw_wins",
    "robbing_wins",
    "deal_ins",
    "beside_deal_ins",
    "others_self_draws",
    "robbed",
    "liability",
    "relieved",
)
WINNERS = ("winner_with_kongs", "winner_without_kongs")
PAID_KONGS = "kong_payments"  # of the model "codes"
DEALERS = ("a_deals", "b_deals")
RATES = ("wins", "self_draws", "big_wins", "deal_ins", "liable")

POINTS = "points per hand"
# by which the variances of the difference over hands and over walls are compared
SPREADS = (
    ("difference", "squares"),
    ("squares", "squares"),
    ("difference", "difference", "squares"),
    ("difference", "difference", "difference", "difference"),
)


@dataclass(frozen=True)
class Pairing:
    """Two bots at the seats of a task: how seats are weighed so that their difference is a whole number.

    Attributes
    ----------
    bots : tuple of str
        Of the task.
    a, b : str
        The two among them; the difference is a less b.
    """

    bots: tuple[str, ...]
    a: str
    b: str

    @property
    def seats(self) -> tuple[int, int]:
        """How many seats each of the two has."""
        return self.bots.count(self.a), self.bots.count(self.b)

    @property
    def scale(self) -> int:
        """What weighed points per hand are divided by to give points per seat and hand."""
        a, b = self.seats
        return a * b // gcd(a, b)

    @property
    def weights(self) -> Array:
        """Of each bot of the task, int64: a seat's share in the difference, times `scale`."""
        a, b = self.seats
        each = {self.a: self.scale // a, self.b: -self.scale // b}
        return np.array([each[bot] for bot in self.bots], np.int64)

    def seated(self, block: Array) -> Array:
        """Weights by seat, int64 (seats, hands, walls), of records (walls, hands)."""
        return self.weights[by_seat(block, "bot", len(self.bots))]

    def apart(self, block: Array) -> Array:
        """The difference in each hand, times `scale`: int64 (hands, walls), object for very many points."""
        points = by_seat(block, "points", len(self.bots))
        if int(np.abs(points).max()) * self.scale * points[..., 0].size >= 2**52:
            points = points.astype(object)
        apart: Array = (self.seated(block) * points).sum(axis=0)
        return apart

    def most(self, rules: RuleSet) -> float:
        """The largest difference, in points per hand: a seat of one bot gets all that others pay."""
        a, b = self.seats
        return most_paid(rules) * (1 / a + 1 / b)


@dataclass(frozen=True)
class Contest:
    """The gauge of a duel.

    Attributes
    ----------
    sides : Pairing
    rules : RuleSet
    """

    sides: Pairing
    rules: RuleSet

    @property
    def pays_kongs(self) -> bool:
        """Are kongs paid by themselves?"""
        return self.rules.get("score.model") == "codes"

    @property
    def rates(self) -> tuple[str, ...]:
        """What is counted of each bot; only the Wuhan rules tell big wins from small ones."""
        small = self.rules.get("score.model") == "factors"
        return tuple(name for name in RATES if small or name != "big_wins")

    @cached_property
    def rows(self) -> tuple[Quantity, ...]:
        """Everything that is estimated; the points first."""
        sides = self.sides
        most = sides.most(self.rules)
        kongs = (PAID_KONGS,) if self.pays_kongs else ()

        def part(section: str, name: str, over: str, fixed: bool = False) -> Quantity:
            columns = over, "weight", POINTS, "hands"
            return Quantity(section, "hands", name, *columns, low=-most, high=most, fixed=fixed)

        rows = [part("difference", "points", "difference")]
        for section, names in (
            ("source", SOURCES + kongs),
            ("kongs", WINNERS + kongs),
            ("dealer", DEALERS),
        ):
            rows += [part(section, name, f"{section} {name}", self._never(name)) for name in names]
        for name in self.rates:
            fixed = self._never(name)
            rows += [
                Quantity("rates", bot, name, f"{name} of {side}", f"seats of {side}", fixed=fixed)
                for side, bot in (("a", sides.a), ("b", sides.b))
            ]
            apart = f"{name} apart", "weight", f"{SHARE} apart", "hands"
            rows.append(Quantity("rates", "difference", name, *apart, low=-1, high=1, fixed=fixed))
        return (*rows, Quantity("rates", "hands", "exhausted", "exhausted", "hands"))

    def _never(self, name: str) -> bool:
        """Do the rules leave nothing to count?"""
        if name in ("discard_wins", "deal_ins", "beside_deal_ins"):
            return "discard" in impossible(self.rules)
        if name in ("liability", "relieved"):
            return self.rules.get("score.model") != "factors"
        return False

    @property
    def ratios(self) -> tuple[Pair, ...]:
        return tuple((row.over, row.under) for row in self.rows)

    @property
    def moments(self) -> tuple[Names, ...]:
        return (*cubes((row.over, row.under) for row in self.rows if row.unit == POINTS), *SPREADS)

    def columns(self, blocks: Sequence[Array]) -> dict[str, Array]:
        (block,) = blocks
        walls, hands = block.shape
        sides, players = self.sides, len(self.sides.bots)
        weights = sides.seated(block)
        outcome, winner, loser, liable, dealer = (
            by_hand(block, name) for name in ("outcome", "winner", "loser", "liable", "dealer")
        )
        points, capped = (by_seat(block, name, players) for name in ("points", "capped"))
        peak = max(int(np.abs(values).max()) for values in (points, capped))
        if (peak * players * hands * sides.scale) ** 2 >= 2**63:
            points, capped, weights = (values.astype(object) for values in (points, capped, weights))
        seats = np.arange(players, dtype=np.int8)[:, None, None]
        winning = winner == seats

        apart = (weights * points).sum(axis=0)
        difference = apart.sum(axis=0)
        count = np.full(walls, hands, np.int64)
        columns: dict[str, Array] = {
            "hands": count,
            "weight": count * sides.scale,
            "seats of a": count * sides.seats[0],
            "seats of b": count * sides.seats[1],
            "exhausted": (outcome == 0).sum(axis=0),
            "difference": difference,
            "squares": (apart * apart).sum(axis=0),
        }
        won, parts = self._parts(points, capped, outcome, winning, loser == seats, liable == seats)
        for name, part in parts.items():
            columns[f"source {name}"] = (weights * part).sum(axis=(0, 1))
        with_kong = ((by_seat(block, "kongs", players) > 0) & winning).any(axis=0)
        for name, mask in zip(WINNERS, (with_kong, ~with_kong), strict=True):
            columns[f"kongs {name}"] = (weights * won * mask).sum(axis=(0, 1))
        if self.pays_kongs:
            columns[f"kongs {PAID_KONGS}"] = columns[f"source {PAID_KONGS}"]
        a_deals = ((weights > 0) & (dealer == seats)).any(axis=0)
        for name, mask in zip(DEALERS, (a_deals, ~a_deals), strict=True):
            columns[f"dealer {name}"] = (apart * mask).sum(axis=0)

        types = by_hand(block, "types")
        fed = (loser == seats) & (outcome == OUTCOMES.index("discard"))
        counted = {
            "wins": winning,
            "self_draws": winning & (outcome == OUTCOMES.index("self_draw")),
            "big_wins": winning & (types > 0),
            "deal_ins": fed,
            "liable": liable == seats,
        }
        for name in self.rates:
            there = counted[name]
            columns[f"{name} of a"] = (there & (weights > 0)).sum(axis=(0, 1))
            columns[f"{name} of b"] = (there & (weights < 0)).sum(axis=(0, 1))
            columns[f"{name} apart"] = (weights * there).sum(axis=(0, 1)).astype(np.int64)
        return columns

    def peaks(self, blocks: Sequence[Array]) -> dict[str, int]:
        return {}

    def _parts(
        self, points: Array, capped: Array, outcome: Array, winning: Array, losing: Array, liable: Array
    ) -> tuple[Array, dict[str, Array]]:
        """What each seat gets by wins, and the parts of all it gets, by source."""
        drawn, fed, robbed = (outcome == OUTCOMES.index(how) for how in ("self_draw", "discard", "rob_kong"))
        paying = ~winning & (outcome > 0)
        won = points
        if self.pays_kongs:
            whole = capped.sum(axis=0)
            alone = liable.any(axis=0)
            won = whole * winning - whole * liable - capped * (paying & ~alone)
        moved = (won + capped) * (paying & ~robbed)  # what liability makes of the own share
        parts = {
            "discard_wins": won * (winning & fed),
            "self_draw_wins": won * (winning & drawn),
            "robbing_wins": np.maximum(won, 0) * robbed,
            "deal_ins": -capped * (losing & fed),
            "beside_deal_ins": -capped * (paying & fed & ~losing),
            "others_self_draws": -capped * (paying & drawn),
            "robbed": np.minimum(won, 0) * robbed,
            "liability": np.minimum(moved, 0),
            "relieved": np.maximum(moved, 0),
        }
        return won, parts | ({PAID_KONGS: points - won} if self.pays_kongs else {})
