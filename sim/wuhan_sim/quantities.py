"""What is reported: each estimate is one column of `stats` over another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wuhan_core.records import OUTCOMES, TYPE_NAMES

SHARE = "share"


@dataclass(frozen=True)
class Quantity:
    """One estimate.

    Attributes
    ----------
    section : {"frequencies", "caps", "strategies", "seats"}
    of : str
        Of what it is a share or a mean: "hands", "wins", a type, a bot, a place at the table.
    name : str
    over, under : str
        Columns: their ratio is the value.
    unit : str
        "share" (0 to 1), or what is counted per thing.
    count : str
        Column that counts the things: `n` of the estimate.
    """

    section: str
    of: str
    name: str
    over: str
    under: str
    unit: str = SHARE
    count: str = ""

    @property
    def n(self) -> str:
        """Column that counts the things."""
        return self.count or self.under


def quantities(bots: Sequence[str]) -> tuple[Quantity, ...]:
    """Return every estimate for a task with these bots, in the order of the tables."""
    types = ("pihu", *TYPE_NAMES)
    rows = [
        Quantity("frequencies", "hands", name, name, "hands")
        for name in (*OUTCOMES, "pihu", "big", *TYPE_NAMES)
    ]
    rows += [Quantity("frequencies", "hands", "turns", "turns", "hands", "draws per hand")]
    rows += [
        Quantity("frequencies", "wins", name, name, "wins")
        for name in (*OUTCOMES[1:], "pihu", "big", *TYPE_NAMES, "hard", "soft")
    ]
    rows += [Quantity("frequencies", "wins", "turns", "win turns", "wins", "draws per win")]

    rows += [
        Quantity("caps", "wins", "capped_share", "capped", "wins"),
        Quantity("caps", "wins", "golden_share", "golden", "wins"),
        Quantity("caps", "wins", "liable_share", "liable", "wins"),
        Quantity("caps", "wins", "points_owed", "owed", "wins", "points per win"),
        Quantity("caps", "wins", "points_paid", "paid", "wins", "points per win"),
        Quantity("caps", "wins", "points_cut", "cut", "wins", "points per win"),
        Quantity("caps", "points owed", "cut_share", "cut", "owed", "share of points", "wins"),
        Quantity("caps", "hands", "swing", "swing", "hands", "points per hand"),
    ]
    rows += [Quantity("caps", name, "capped_share", f"capped {name}", name) for name in types]
    rows += [Quantity("caps", name, "points_paid", f"paid {name}", name, "points per win") for name in types]

    for bot in dict.fromkeys(bots):
        for name, over, under, unit in (
            ("points", "points", "hands", "points per hand"),
            ("wins", "wins", "hands", SHARE),
            ("self_draws", "self-draws", "hands", SHARE),
            ("deal_ins", "deal-ins", "hands", SHARE),
            ("liable", "liable", "hands", SHARE),
            ("losses", "losses", "hands", SHARE),
            ("win_size", "gain", "wins", "points per win"),
            ("deal_in_size", "deal-in loss", "deal-ins", "points per deal-in"),
            ("loss_size", "loss", "losses", "points per loss"),
            ("big_wins", "big wins", "wins", SHARE),
            ("capped_wins", "capped wins", "wins", SHARE),
            ("opened", "opened", "hands", SHARE),
            ("opens", "opens", "hands", "melds per hand"),
            ("kongs", "kongs", "hands", "kongs per hand"),
            ("ready", "ready", "hands", SHARE),
            ("ready_turn", "ready turn", "ready", "draws per ready hand"),
        ):
            rows.append(Quantity("strategies", bot, name, f"{over} of {bot}", f"{under} of {bot}", unit))

    for place in range(len(bots)):
        of = "dealer" if place == 0 else f"dealer+{place}"
        rows += [
            Quantity("seats", of, "points", f"points of place {place}", "hands", "points per hand"),
            Quantity("seats", of, "wins", f"wins of place {place}", "hands"),
            Quantity("seats", of, "deal_ins", f"deal-ins of place {place}", "hands"),
        ]
    return tuple(rows)
