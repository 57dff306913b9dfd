"""What hands are made of: a gauge with a cell for every answer to questions such as "how many laizi?".

A run's own sums (`stats.wall_columns`) hold what every run prints. The cells here are many more and are
counted only where tables are asked for. Each cell is a column of sums over walls like any other, so that its
interval comes out the same way; two distributions of points give quantiles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import combinations
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from wuhan_core.records import BIG_TYPES, OUTCOMES, TYPE_NAMES
from wuhan_core.rules import RuleSet

from .quantities import Quantity, golden_extra, impossible, most_paid, types_of
from .spread import Spread
from .stats import Array, Names, Pair, by_hand, by_seat, fit

LAIZI = 5  # 0 to 4 among the tiles dealt
OPENS = 5  # 0 to 4 open melds
KONGS = 5  # 0 to 3, and 4 or more
ROUNDS = 24  # times round the table: draws / players, the last one open-ended
MOST = 2**62  # points that a distribution tells apart
TAIL = (50, 100, 200, 300, 500, 1000, 2000, 5000)  # points that the losers owe together
PATTERN_NAMES = ("pengpenghu", *TYPE_NAMES[8:15])  # of the models "codes" and "patterns"

# types that no win has together: what its tiles are, where its last tile comes from
_APART = (
    {"qingyise", "fengyise"},
    {"fengyise", "jiangyise"},
    {"gangshanghua", "haidilao"},
    {"gangshanghua", "qianggang"},
    {"haidilao", "qianggang"},
)


@dataclass(frozen=True)
class Breakdown:
    """The gauge of the tables.

    Attributes
    ----------
    rules : RuleSet
    bots : tuple of str
        The task's bots; seats whose bots have the same text are counted together.
    """

    rules: RuleSet
    bots: tuple[str, ...]
    moments: ClassVar[tuple[Names, ...]] = ()

    @cached_property
    def rows(self) -> tuple[Quantity, ...]:
        """Every estimate, in the order of the tables."""
        return tuple(self._rows())

    @cached_property
    def ratios(self) -> tuple[Pair, ...]:
        return tuple(dict.fromkeys((row.over, row.under) for row in self.rows))

    @cached_property
    def types(self) -> tuple[str, ...]:
        """Win types of the rules' model, pihu first where it has one."""
        small = ("pihu",) if self.rules.get("score.model") == "factors" else ()
        return (*small, *types_of(self.rules))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The different bots."""
        return tuple(dict.fromkeys(map(str, self.bots)))

    @cached_property
    def combos(self) -> dict[int, str]:
        """Sets of types that a win can have, as bit masks -> their names.

        In the model "factors" every set of big types; in the others the patterns, whatever factors apply.
        """
        if self.rules.get("score.model") != "factors":
            return {1 << TYPE_NAMES.index(name): name for name in self.types if name in PATTERN_NAMES}
        never = impossible(self.rules)
        possible = [name for name in BIG_TYPES if name not in never]
        return {0: "pihu"} | {
            sum(1 << TYPE_NAMES.index(name) for name in chosen): "+".join(chosen)
            for n in range(1, len(possible) + 1)
            for chosen in combinations(possible, n)
            if not any(pair <= set(chosen) for pair in _APART)
        }

    def _rows(self) -> Iterator[Quantity]:
        never, most = impossible(self.rules), most_paid(self.rules)
        extra = golden_extra(self.rules)[0]
        paid: dict[str, Any] = {"unit": "points per win", "low": 0.0, "high": most}

        def of_wins(
            section: str, names: Sequence[str], fixed: Callable[[str], bool] = lambda _: False
        ) -> Any:
            for name in names:
                wins = f"{section} {name} wins"
                yield Quantity(section, name, "wins", wins, "wins", fixed=fixed(name))
                yield Quantity(
                    section, name, "points", f"{section} {name} paid", "paid", "share of points", "wins"
                )
                yield Quantity(section, name, "hard", f"{section} {name} hard", wins)
                yield Quantity(section, name, "self_draws", f"{section} {name} self-draws", wins)
                yield Quantity(section, name, "capped", f"{section} {name} capped", wins)
                yield Quantity(
                    section, name, "golden", f"{section} {name} golden", wins, fixed="golden" in never
                )
                yield Quantity(
                    *(section, name, "points_cut", f"{section} {name} cut", wins, "points per win"),
                    low=-extra,
                )
                yield Quantity(section, name, "points_paid", f"{section} {name} paid", wins, **paid)
                yield Quantity(
                    section, name, "turns", f"{section} {name} turns", wins, "draws per win", low=0
                )

        yield from of_wins("types", self.types, lambda name: name in never)
        yield from of_wins("combinations", tuple(self.combos.values()))
        yield from of_wins("source", OUTCOMES[1:], lambda name: name in never)
        yield from of_wins("hard", ("hard", "soft"))
        yield from of_wins("laizi", [str(k) for k in range(LAIZI)])
        yield from of_wins("opens", [str(k) for k in range(OPENS)])
        yield from of_wins("kongs", [*(str(k) for k in range(KONGS - 1)), f"{KONGS - 1}+"])
        for turn in range(ROUNDS):
            for name in ("wins", "exhausted"):
                yield Quantity("length", str(turn), name, f"length {turn} {name}", "hands")
        for least in TAIL:
            yield Quantity("tail", str(least), "owed", f"tail {least}", "wins")
        for bot in self.names:
            sat = f"hands of {bot}"
            for k in range(LAIZI):
                dealt = f"dealt {k} of {bot}"
                yield Quantity("dealt", bot, f"laizi {k}", dealt, sat)
                yield Quantity("dealt", bot, f"wins with {k}", f"dealt {k} wins of {bot}", dealt)
                points = f"dealt {k} points of {bot}", dealt, "points per hand"
                yield Quantity("dealt", bot, f"points with {k}", *points, low=-most, high=most)
            for turn in range(ROUNDS):
                yield Quantity("rounds", bot, f"ready {turn}", f"ready {turn} of {bot}", sat)
                yield Quantity("rounds", bot, f"wins {turn}", f"win {turn} of {bot}", sat)
                yield Quantity("rounds", bot, f"deal_ins {turn}", f"deal-in {turn} of {bot}", sat)
            yield Quantity(
                "dealing", bot, "points", f"deals points of {bot}", f"deals of {bot}", "points per hand"
            )
            yield Quantity("dealing", bot, "wins", f"deals wins of {bot}", f"deals of {bot}")
        yield Quantity("dealer", "hands", "kept", "dealer kept", "hands")
        yield Quantity("dealer", "dealers", "run", "hands", "dealer passed", "hands per dealer", low=1)

    def columns(self, blocks: Sequence[Array]) -> dict[str, Array]:
        (block,) = blocks
        walls, hands = block.shape
        players = len(self.bots)
        columns: dict[str, Array] = {"hands": np.full(walls, hands, np.int64)}
        nothing = np.zeros(walls, np.int64)

        of_hand, of_seat = partial(by_hand, block), partial(by_seat, block, players=players)

        def total(values: Any) -> Array:
            rows = values.reshape(-1, walls)
            kind = object if rows.dtype == object else np.int64
            found: Array = np.add.reduce(rows, axis=0, dtype=kind)
            return found

        def only(values: Array, mask: Array) -> Array:
            return total(values * mask.astype(values.dtype))

        points, owed, capped = fit([of_seat(name) for name in ("points", "owed", "capped")])
        outcome, types, winner, loser = map(of_hand, ("outcome", "types", "winner", "loser"))
        turns = of_hand("turns").astype(np.int64)
        hard, golden = of_hand("hard") > 0, of_hand("golden") > 0
        seats = np.arange(players, dtype=np.int8)[:, None, None]
        win = outcome > 0
        winning = winner == seats
        fed = (loser == seats) & (outcome == OUTCOMES.index("discard"))
        owing, paid = owed.sum(axis=0, dtype=owed.dtype), capped.sum(axis=0, dtype=owed.dtype)
        cut = (owed > capped).any(axis=0) | golden
        drawn = outcome == OUTCOMES.index("self_draw")
        columns |= {"wins": total(win), "paid": total(paid)}

        def cells(section: str, name: str, held: Array) -> None:
            """What `_rows.of_wins` reports of the wins in `held`."""
            there = held.any()
            for what, mask in (("wins", held), ("hard", held & hard), ("self-draws", held & drawn)):
                columns[f"{section} {name} {what}"] = total(mask) if there else nothing
            columns[f"{section} {name} capped"] = total(held & cut) if there else nothing
            columns[f"{section} {name} golden"] = total(held & golden) if there else nothing
            columns[f"{section} {name} paid"] = only(paid, held) if there else nothing
            columns[f"{section} {name} cut"] = only(owing - paid, held) if there else nothing
            columns[f"{section} {name} turns"] = only(turns, held) if there else nothing

        for name in self.types:
            bit = 0 if name == "pihu" else 1 << TYPE_NAMES.index(name)
            cells("types", name, win & ((types & np.uint32(bit) > 0) if bit else types == 0))
        asked = np.uint32(0xFF if 0 in self.combos else sum(self.combos))
        for mask, name in self.combos.items():
            cells("combinations", name, win & (types & asked == mask))
        for code, name in enumerate(OUTCOMES[1:], 1):
            cells("source", name, outcome == code)
        cells("hard", "hard", win & hard)
        cells("hard", "soft", win & ~hard)

        dealt, opens, kongs = of_seat("start_wild"), of_seat("opens"), of_seat("kongs")
        for section, values, size in (
            ("laizi", dealt, LAIZI),
            ("opens", opens, OPENS),
            ("kongs", kongs, KONGS),
        ):
            of_winner = np.minimum((values * winning.astype(values.dtype)).sum(axis=0), size - 1)
            for k in range(size):
                label = f"{k}+" if section == "kongs" and k == size - 1 else str(k)
                cells(section, label, win & (of_winner == k))

        rounds = np.minimum(turns // players, ROUNDS - 1)
        for turn in range(ROUNDS):
            here = rounds == turn
            columns[f"length {turn} wins"] = total(here & win)
            columns[f"length {turn} exhausted"] = total(here & ~win)
        for least in TAIL:
            columns[f"tail {least}"] = total(win & (owing >= least))

        sitting = of_seat("bot")
        ready = of_seat("ready_turn").astype(np.int64)
        ready_round = np.where(ready >= 0, np.minimum(ready // players, ROUNDS - 1), -1)
        dealing = of_hand("dealer") == seats
        sitter = np.array([self.names.index(str(bot)) for bot in self.bots], np.uint8)[sitting]
        for i, bot in enumerate(self.names):
            mine = sitter == i
            wins, feeds = winning & mine, fed & mine
            columns[f"hands of {bot}"] = total(mine)
            for k in range(LAIZI):
                held = mine & (dealt == k)
                columns[f"dealt {k} of {bot}"] = total(held)
                columns[f"dealt {k} wins of {bot}"] = total(held & winning)
                columns[f"dealt {k} points of {bot}"] = only(points, held)
            for turn in range(ROUNDS):
                here = rounds == turn
                columns[f"ready {turn} of {bot}"] = total(mine & (ready_round == turn))
                columns[f"win {turn} of {bot}"] = total(wins & here)
                columns[f"deal-in {turn} of {bot}"] = total(feeds & here)
            deals = mine & dealing
            columns[f"deals of {bot}"] = total(deals)
            columns[f"deals points of {bot}"] = only(points, deals)
            columns[f"deals wins of {bot}"] = total(deals & winning)
        stays = winning & dealing
        kept = stays.any(axis=0) | ~win
        columns["dealer kept"] = total(kept)
        columns["dealer passed"] = total(~kept)
        return columns

    def peaks(self, blocks: Sequence[Array]) -> dict[str, int]:
        return {"owed": int(blocks[0]["owed"].max())}

    def spreads(self, blocks: Sequence[Array]) -> dict[str, Spread]:
        """Of won hands: what the losers owe together before caps and what they pay after, in points."""
        (block,) = blocks
        won = block["outcome"] > 0
        shares = {name: fit([block[name]])[0] for name in ("owed", "capped")}
        return {
            name: Spread.of(_below(each.sum(axis=2, dtype=each.dtype)), won) for name, each in shares.items()
        }


def _below(values: Array) -> NDArray[np.int64]:
    """Values that int64 holds, larger ones as the largest that are told apart."""
    return (np.minimum(values, MOST) if values.dtype == object else values).astype(np.int64)
