"""What is reported: each estimate is one column of `stats` over another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, isfinite

from wuhan_core.options import OPTIONS
from wuhan_core.records import BIG_TYPES, OUTCOMES, TYPE_NAMES
from wuhan_core.rules import RuleSet

SHARE = "share"

# the shape of `win.shapes` that a type of the models "codes" and "patterns" is made in
_SHAPE_OF = {
    **dict.fromkeys(("pinghu", "pengpenghu"), "standard"),
    **dict.fromkeys(("qidui", "haohuaqidui"), "seven_pairs"),
    **dict.fromkeys(("shisanlang", "qixingshisanlang"), "thirteen_lan"),
    **dict.fromkeys(("jiuyao", "qixingjiuyao"), "nine_yao"),
}


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
    low, high : float
        Between them lies the value, whatever is played; in `unit`.
    fixed : bool
        The rules or the seating leave the value 0 only.
    """

    section: str
    of: str
    name: str
    over: str
    under: str
    unit: str = SHARE
    count: str = ""
    low: float = -inf
    high: float = inf
    fixed: bool = False

    @property
    def n(self) -> str:
        """Column that counts the things."""
        return self.count or self.under

    @property
    def bounded(self) -> bool:
        """Is there an end beyond which the value cannot lie?"""
        return isfinite(self.low) or isfinite(self.high)


def quantities(rules: RuleSet, bots: Sequence[str]) -> tuple[Quantity, ...]:
    """Return every estimate for a task with these rules and bots, in the order of the tables."""
    model, never, most = rules.get("score.model"), impossible(rules), most_paid(rules)
    types = types_of(rules)
    small = ("pihu", "big") if model == "factors" else ()

    def shares(of: str, names: Sequence[str]) -> list[Quantity]:
        return [Quantity("frequencies", of, name, name, of, fixed=name in never) for name in names]

    rows = [
        *shares("hands", (*OUTCOMES, *small, *types)),
        Quantity("frequencies", "hands", "turns", "turns", "hands", "draws per hand", low=0),
        *shares("wins", (*OUTCOMES[1:], *small, *types, "hard", "soft")),
        Quantity("frequencies", "wins", "turns", "win turns", "wins", "draws per win", low=0),
    ]

    more, cut = golden_extra(rules)
    rows += [
        Quantity("caps", "wins", "capped_share", "capped", "wins"),
        Quantity("caps", "wins", "golden_share", "golden", "wins", fixed="golden" in never),
        Quantity("caps", "wins", "liable_share", "liable", "wins"),
        Quantity("caps", "wins", "points_owed", "owed", "wins", "points per win", low=0),
        Quantity("caps", "wins", "points_paid", "paid", "wins", "points per win", low=0, high=most),
        Quantity("caps", "wins", "points_cut", "cut", "wins", "points per win", low=0 - more),
        Quantity(
            *("caps", "points owed", "cut_share", "cut", "owed", "share of points", "wins"),
            low=0 - cut,
            high=1,
        ),
        Quantity("caps", "hands", "swing", "swing", "hands", "points per hand", low=0, high=most),
    ]
    won = ("pihu", *types) if small else types
    rows += [Quantity("caps", name, "capped_share", f"capped {name}", name) for name in won]
    rows += [
        Quantity("caps", name, "points_paid", f"paid {name}", name, "points per win", low=0, high=most)
        for name in won
    ]

    gain, loss = ((0.0, most), (-most, 0.0)) if model == "factors" else ((-inf, inf), (-inf, inf))
    alone = len(set(bots)) == 1  # the points of a hand add to 0
    fed = "discard" in never
    for bot in dict.fromkeys(bots):
        for name, over, under, unit, (low, high), fixed in (
            ("points", "points", "hands", "points per hand", (-most, most), alone),
            ("wins", "wins", "hands", SHARE, (0, 1), False),
            ("self_draws", "self-draws", "hands", SHARE, (0, 1), False),
            ("deal_ins", "deal-ins", "hands", SHARE, (0, 1), fed),
            ("liable", "liable", "hands", SHARE, (0, 1), False),
            ("losses", "losses", "hands", SHARE, (0, 1), False),
            ("win_size", "gain", "wins", "points per win", gain, False),
            ("deal_in_size", "deal-in loss", "deal-ins", "points per deal-in", loss, False),
            ("loss_size", "loss", "losses", "points per loss", (-most, 0), False),
            ("big_wins", "big wins", "wins", SHARE, (0, 1), False),
            ("capped_wins", "capped wins", "wins", SHARE, (0, 1), False),
            ("opened", "opened", "hands", SHARE, (0, 1), False),
            ("opens", "opens", "hands", "melds per hand", (0, 4), False),
            ("kongs", "kongs", "hands", "kongs per hand", (0, inf), False),
            ("ready", "ready", "hands", SHARE, (0, 1), False),
            ("ready_turn", "ready turn", "ready", "draws per ready hand", (0, inf), False),
        ):
            columns = f"{over} of {bot}", f"{under} of {bot}"
            rows.append(Quantity("strategies", bot, name, *columns, unit, low=low, high=high, fixed=fixed))

    for place in range(len(bots)):
        of = "dealer" if place == 0 else f"dealer+{place}"
        points = f"points of place {place}", "hands", "points per hand"
        rows += [
            Quantity("seats", of, "points", *points, low=-most, high=most),
            Quantity("seats", of, "wins", f"wins of place {place}", "hands"),
            Quantity("seats", of, "deal_ins", f"deal-ins of place {place}", "hands", fixed=fed),
        ]
    return tuple(rows)


def types_of(rules: RuleSet) -> tuple[str, ...]:
    """The win types that the model of the rules has, besides pihu."""
    model = str(rules.get("score.model"))
    if model == "factors":
        return BIG_TYPES
    if model == "codes":
        return tuple(name for name in TYPE_NAMES if name in ("pinghu", "qidui", "qianggang"))
    priced = {name.split(".")[1] for name, option in OPTIONS.items() if option.models == (model,)}
    return tuple(name for name in TYPE_NAMES if name in priced)


def impossible(rules: RuleSet) -> set[str]:
    """What these rules rule out, of outcomes, win types and golden wins."""
    never: set[str] = set()
    if not rules.get("claims.discard_win"):
        never |= {"discard", "jiebao", "dihu"}
    if rules.get("score.model") == "factors":
        never |= set() if rules.get("score.qianggang_is_big") else {"qianggang"}
        never |= set() if rules.get("deal.last_draws") else {"haidilao"}
        never |= set() if rules.get("cap.golden") and rules.get("cap.per_payer") else {"golden"}
    else:
        shapes = rules.to_dict()["win.shapes"]
        never |= {name for name, shape in _SHAPE_OF.items() if shape not in shapes} | {"golden"}
    return never


def most_paid(rules: RuleSet) -> float:
    """The most points that the losers of a hand can pay together; infinite where something has no cap."""
    if rules.get("score.model") != "factors" or rules.get("claims.many_rob"):
        return inf
    caps = rules.to_dict()
    share, liable = max(caps["cap.per_payer"], caps["cap.golden"]), caps["cap.liable"]
    if not (caps["cap.per_payer"] and liable):
        return inf
    return float(caps["score.stake"] * (caps["deal.players"] - 1) * max(share, liable))


def golden_extra(rules: RuleSet) -> tuple[float, float]:
    """The most by which a golden win is paid above what it is owed: in points, and as a share of these."""
    if "golden" in impossible(rules):
        return 0.0, 0.0
    caps = rules.to_dict()
    more = max(0, caps["cap.golden"] - caps["cap.per_payer"])
    players = caps["deal.players"] - 1
    return float(caps["score.stake"] * players * more), more / caps["cap.per_payer"]
