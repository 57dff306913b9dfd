"""From records to exact sums that add.

Hands that share a wall are dealt the same tiles and are no independent draws. So every column is first summed
over the hands of a wall; kept are, over all walls, the sum of each column and, for the errors of the ratios
that are reported (`quantities`), the sums of products. A wall that is cut at an end of a range of hands stays
open: its columns are kept until its other hands come. All are whole numbers held as Python integers: any cut
of the hands and any order of adding gives the same bits, and nothing overflows.
"""

from __future__ import annotations

import math
import operator
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, Protocol, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from wuhan_core.records import OUTCOMES, TYPE_NAMES

from .spread import Spread

Array = NDArray[Any]
Pair = tuple[str, str]
Names = tuple[str, ...]  # two columns or more
K = TypeVar("K")
V = TypeVar("V", int, Spread)


@dataclass(frozen=True, repr=False)
class Totals:
    """Exact sums over walls; `+` adds two sets of different hands.

    Attributes
    ----------
    sums : mapping of str to int
        Sum of each column over the whole walls, in the column's unit.
    products : mapping of tuple of str to int
        Sum over the whole walls of the product of two columns' sums over the wall; of more for `moments`.
    walls : mapping of str to int
        Whole walls in which a denominator is not zero.
    peaks : mapping of str to int
        Largest value seen in one hand (points).
    open : mapping of int to mapping of str to int
        Wall number -> sum of each column, for walls of which some hands are not there.
    hands_per_wall : int
        Hands of a whole wall.
    spreads : mapping of str to Spread
        Distributions over whole walls; a wall that a range of hands cuts counts as a wall in each.
    """

    sums: Mapping[str, int]
    products: Mapping[Names, int]
    walls: Mapping[str, int]
    peaks: Mapping[str, int]
    open: Mapping[int, Mapping[str, int]] = field(default_factory=dict)
    hands_per_wall: int = 1
    spreads: Mapping[str, Spread] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<Totals of {len(self.sums)} columns over {max(self.walls.values(), default=0):,} walls>"

    def __add__(self, other: Totals) -> Totals:
        full = max(self.hands_per_wall, other.hands_per_wall)
        joined = {
            wall: _added(self.open.get(wall, {}), other.open.get(wall, {}))
            for wall in {**self.open, **other.open}
        }
        return Totals(
            _added(self.sums, other.sums),
            _added(self.products, other.products),
            _added(self.walls, other.walls),
            {
                name: max(totals.peaks[name] for totals in (self, other) if name in totals.peaks)
                for name in {**self.peaks, **other.peaks}
            },
            {wall: columns for wall, columns in joined.items() if columns["hands"] < full},
            full,
            _added(self.spreads, other.spreads),
        )._closing(columns for columns in joined.values() if columns["hands"] == full)

    def to_dict(self) -> dict[str, Any]:
        """Return the totals as values of the types that JSON has; `from_dict` reads them back."""
        return {
            "sums": dict(self.sums),
            "products": [[*names, value] for names, value in self.products.items()],
            "walls": dict(self.walls),
            "peaks": dict(self.peaks),
            "open": [[wall, dict(columns)] for wall, columns in self.open.items()],
            "hands_per_wall": self.hands_per_wall,
        }

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> Totals:
        """Read what `to_dict` gave. Other input raises KeyError, TypeError or ValueError."""
        return cls(
            _whole(fields["sums"]),
            {tuple(map(str, names)): operator.index(value) for *names, value in fields["products"]},
            _whole(fields["walls"]),
            _whole(fields["peaks"]),
            {operator.index(wall): _whole(columns) for wall, columns in fields["open"]},
            operator.index(fields["hands_per_wall"]),
        )

    @cached_property
    def settled(self) -> Totals:
        """The same hands, each open wall counted as a wall."""
        whole = Totals(self.sums, self.products, self.walls, self.peaks, spreads=self.spreads)
        return whole._closing(self.open.values())

    def _closing(self, walls: Iterable[Mapping[str, int]]) -> Totals:
        """Add walls, each given by its columns."""
        sums, products, counts = Counter(self.sums), dict(self.products), dict(self.walls)
        for columns in walls:
            sums.update(columns)
            for names in products:
                products[names] += math.prod(columns[name] for name in names)
            for name in counts:
                counts[name] += columns[name] != 0
        return replace(self, sums=dict(sums), products=products, walls=counts)


def _whole(fields: Mapping[str, Any]) -> dict[str, int]:
    return {str(name): operator.index(value) for name, value in fields.items()}


def _added(a: Mapping[K, V], b: Mapping[K, V]) -> dict[K, V]:
    return {**a, **b, **{key: a[key] + b[key] for key in a if key in b}}


NOTHING = Totals({}, {}, {}, {})


class Gauge(Protocol):
    """What is summed up of records.

    The records of several tasks that were played on the same hand numbers are measured together, so that what
    happened in one and in the other on the same wall stand side by side. A gauge can be pickled.
    """

    @property
    def ratios(self) -> Sequence[Pair]:
        """Numerator and denominator of every estimate: column names."""

    @property
    def moments(self) -> Sequence[Names]:
        """Further products of columns that are summed over walls: `cubes` for skewness, or others."""

    def columns(self, blocks: Sequence[Array]) -> dict[str, Array]:
        """Sums over the hands of each wall, int64 or object (walls,); "hands" among them.

        blocks: for each task records of shape (walls, hands of each).
        """

    def peaks(self, blocks: Sequence[Array]) -> dict[str, int]:
        """Largest values in one hand."""


@runtime_checkable
class SpreadGauge(Gauge, Protocol):
    """A gauge that counts distributions, too."""

    def spreads(self, blocks: Sequence[Array]) -> dict[str, Spread]:
        """Distributions of values in whole walls."""


@dataclass(frozen=True)
class Overview:
    """The gauge of a run: everything that `quantities` reports of one task.

    Attributes
    ----------
    bots : tuple of str
        The task's bots; seats whose bots have the same text are counted together.
    ratios : tuple of (str, str)
    moments : tuple of tuple of str
    """

    bots: tuple[str, ...]
    ratios: tuple[Pair, ...]
    moments: tuple[Names, ...] = ()

    def columns(self, blocks: Sequence[Array]) -> dict[str, Array]:
        return wall_columns(blocks[0], self.bots)

    def peaks(self, blocks: Sequence[Array]) -> dict[str, int]:
        return {name: int(blocks[0][name].max()) for name in ("owed", "points")}


def measure(records: Sequence[Array], hands_per_wall: int, gauge: Gauge) -> Totals:
    """Sum up records of consecutive hands.

    Parameters
    ----------
    records : sequence of structured ndarray, HAND_DTYPE
        Of each task the same hands. Hand numbers rise by one from row to row. A wall of which only some hands
        are there stays open.
    hands_per_wall : int
        Hands ``w * hands_per_wall`` and following share wall w.
    gauge : Gauge

    Returns
    -------
    Totals
    """
    pairs = (pair for a, b in gauge.ratios for pair in ((a, a), (a, b), (b, b)))
    products: dict[Names, None] = dict.fromkeys([*pairs, *gauge.moments])
    counted = dict.fromkeys(b for _, b in gauge.ratios)
    total = NOTHING
    for blocks in zip(*(_blocks(each, hands_per_wall) for each in records), strict=True):
        columns, peaks = gauge.columns(blocks), gauge.peaks(blocks)
        spreads = gauge.spreads(blocks) if isinstance(gauge, SpreadGauge) else {}
        if blocks[0].shape[1] < hands_per_wall:
            wall = int(blocks[0]["hand"][0, 0]) // hands_per_wall
            there = {name: int(column[0]) for name, column in columns.items()}
            nought = dict.fromkeys(products, 0), dict.fromkeys(counted, 0)
            total += Totals({}, *nought, peaks, {wall: there}, hands_per_wall, spreads)
        else:
            whole = summed(columns, products, counted, spreads)
            total += replace(whole, peaks=peaks, hands_per_wall=hands_per_wall)
    return total


def summed(
    columns: Mapping[str, Array],
    products: Iterable[Names],
    counted: Iterable[str],
    spreads: Mapping[str, Spread],
) -> Totals:
    """Sum up columns of whole walls.

    Parameters
    ----------
    columns : mapping of str to ndarray of integers (walls,)
        `object` arrays of Python integers where int64 does not hold them.
    products : iterable of tuple of str
        Columns whose products are summed over walls.
    counted : iterable of str
        Columns of which it is counted in how many walls they are not zero.
    spreads : mapping of str to Spread
    """
    columns = {name: _wide(column) for name, column in columns.items()}
    bounds = {name: max(-int(column.min()), int(column.max())) for name, column in columns.items()}
    return Totals(
        {name: _sum(column, bounds[name]) for name, column in columns.items()},
        {names: _product(names, columns, bounds) for names in products},
        {name: int(np.count_nonzero(columns[name])) for name in counted},
        {},
        spreads=spreads,
    )


def cubes(means: Iterable[Pair]) -> Iterator[Names]:
    """The products of three columns that the skewness of ratios is made from."""
    for a, b in means:
        yield from ((a, a, a), (a, a, b), (a, b, b), (b, b, b))


def _blocks(records: Array, hands_per_wall: int) -> Iterator[Array]:
    """Cut records into arrays (walls, hands of each): the whole walls, and what is cut off at either end."""
    if not len(records):
        return
    head = min(-int(records["hand"][0]) % hands_per_wall, len(records))
    whole = (len(records) - head) // hands_per_wall * hands_per_wall
    for part, width in (
        (records[:head], head),
        (records[head : head + whole], hands_per_wall),
        (records[head + whole :], len(records) - head - whole),
    ):
        if len(part):
            yield part.reshape(-1, width)


def _wide(column: Array) -> Array:
    """As int64, which a sum of booleans is not on Windows before numpy 2, nor on 32 bits."""
    return column if column.dtype == object else column.astype(np.int64, copy=False)


def _sum(column: Array, bound: int) -> int:
    exact = column if bound * len(column) < 2**63 else column.astype(object)
    return int(exact.sum())


def _product(names: Names, columns: Mapping[str, Array], bounds: Mapping[str, int]) -> int:
    """Sum of the products of columns."""
    *first, last = names
    a, bound = columns[first[0]], bounds[first[0]]
    for name in first[1:]:
        bound *= bounds[name]
        if bound >= 2**63:
            a = a.astype(object)
        a = a * columns[name]
    return _dot(a, columns[last], bound, bounds[last])


def _dot(a: Array, b: Array, a_bound: int, b_bound: int) -> int:
    if a_bound * b_bound * len(a) < 2**63:
        return int(np.dot(a, b))
    bits = 62 - (b_bound * len(a)).bit_length()
    if bits > 0 and a_bound < 2 ** min(2 * bits, 63):  # a in two parts, each small enough
        high, low = a >> bits, a & ((1 << bits) - 1)
        return (int(np.dot(high, b)) << bits) + int(np.dot(low, b))
    return int(np.dot(a.astype(object), b.astype(object)))


def wall_columns(block: Array, bots: Sequence[str]) -> dict[str, Array]:
    """Sum what is counted over the hands of each wall.

    Parameters
    ----------
    block : structured ndarray, HAND_DTYPE, shape (walls, hands of each)
    bots : sequence of str

    Returns
    -------
    dict of str to ndarray, int64 (walls,)
        `object` arrays of Python integers where points are too large for int64.
    """
    walls, hands = block.shape
    players = len(bots)
    columns: dict[str, Array] = {"hands": np.full(walls, hands, np.int64)}

    of_hand, of_seat = partial(by_hand, block), partial(by_seat, block, players=players)

    def keep(name: str, values: Array) -> None:
        # at most 4 seats in 24 hands are added: uint8 holds counts, int16 tiles and draws, `fit` points
        rows = values.reshape(-1, walls)
        rows = rows.view(np.uint8) if rows.dtype == bool else rows
        total = np.add.reduce(rows, axis=0, dtype=rows.dtype)
        columns[name] = total if total.dtype == object else total.astype(np.int64)

    def only(values: Array, mask: Array) -> Array:
        masked: Array = values * mask.astype(values.dtype)
        return masked

    points, owed, capped = fit([of_seat(name) for name in ("points", "owed", "capped")])
    outcome, types, winner, loser, liable = map(of_hand, ("outcome", "types", "winner", "loser", "liable"))
    turns, hard, golden = of_hand("turns", dtype=np.int16), of_hand("hard") > 0, of_hand("golden") > 0
    seats = np.arange(players, dtype=np.int8)[:, None, None]
    win, big = outcome > 0, types > 0
    winning, fed = winner == seats, (loser == seats) & (outcome == OUTCOMES.index("discard"))
    owing, paid = owed.sum(axis=0, dtype=owed.dtype), capped.sum(axis=0, dtype=owed.dtype)
    cut = (owed > capped).any(axis=0) | golden

    for code, name in enumerate(OUTCOMES):
        keep(name, outcome == code)
    keep("wins", win)
    keep("big", big)
    keep("hard", hard)
    keep("soft", win & ~hard)
    keep("liable", liable >= 0)
    keep("golden", golden)
    keep("capped", cut)
    keep("turns", turns)
    keep("win turns", only(turns, win))
    keep("owed", owing)
    keep("paid", paid)
    keep("cut", owing - paid)
    keep("swing", np.maximum(points, 0))
    for name, held in [("pihu", win & ~big)] + [
        (name, types & np.uint32(1 << bit) > 0) for bit, name in enumerate(TYPE_NAMES)
    ]:
        keep(name, held)
        keep(f"capped {name}", cut & held)
        keep(f"paid {name}", only(paid, held))

    place = (seats - of_hand("dealer")) % np.int8(players)
    for i in range(players):
        there = place == i
        keep(f"points of place {i}", only(points, there))
        keep(f"wins of place {i}", winning & there)
        keep(f"deal-ins of place {i}", fed & there)

    names = list(dict.fromkeys(bots))
    label = np.array([names.index(bot) for bot in bots], np.uint8)[of_seat("bot")]
    opens, kongs, ready_turn = (of_seat(name, dtype=np.int16) for name in ("opens", "kongs", "ready_turn"))
    loss = np.minimum(points, 0)
    for i, bot in enumerate(names):
        mine = label == i
        wins, feeds = winning & mine, fed & mine
        ready = (ready_turn >= 0) & mine
        for name, values in (
            ("hands", mine),
            ("points", only(points, mine)),
            ("wins", wins),
            ("self-draws", wins & (outcome == OUTCOMES.index("self_draw"))),
            ("big wins", wins & big),
            ("capped wins", wins & cut),
            ("gain", only(points, wins)),
            ("deal-ins", feeds),
            ("deal-in loss", only(points, feeds)),
            ("liable", (liable == seats) & mine),
            ("losses", (loss < 0) & mine),
            ("loss", only(loss, mine)),
            ("opened", (opens > 0) & mine),
            ("opens", only(opens, mine)),
            ("kongs", only(kongs, mine)),
            ("ready", ready),
            ("ready turn", only(ready_turn, ready)),
        ):
            keep(f"{name} of {bot}", values)
    return columns


def by_hand(block: Array, name: str, dtype: type | None = None) -> Array:
    """A column of records (walls, hands): (hands, walls)."""
    return np.ascontiguousarray(block[name].T, dtype)


def by_seat(block: Array, name: str, players: int, dtype: type | None = None) -> Array:
    """A column of records (walls, hands) that has a value per seat: (seats, hands, walls)."""
    return np.ascontiguousarray(block[name].transpose(2, 1, 0)[:players], dtype)


def fit(values: Sequence[Array]) -> list[Array]:
    """Put points, int64 (seats, hands, walls), into the smallest type that holds the sums of each wall."""
    peak = max(max(-int(v.min()), int(v.max())) * v[..., 0].size for v in values)
    dtype = np.int32 if peak < 2**31 else np.int64 if peak < 2**63 else object
    return [v.astype(dtype) for v in values]
