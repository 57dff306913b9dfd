"""Duels as text and HTML: the head lines and the tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wuhan_core.errors import one_line
from wuhan_core.words import Lang

from .report_words import say
from .show import EXPLANATION, LOOKED, Grid, cell, estimate_cell, rounded, stopped, title_of

if TYPE_CHECKING:
    from .duel import Duel

RATE_LABELS = {
    "wins": "wins",
    "self_draws": "self-draws",
    "big_wins": "big wins",
    "deal_ins": "deal-ins",
    "liable": "liable",
    "exhausted": "exhausted",
}
HEADS = ("source", "kongs", "dealer")  # by what the difference is split

_FIXED = "Only what a hand is worth has the interval of a number of hands that was settled before."


def duel_head(duel: Duel) -> list[str]:
    """Say what was played, and the difference."""
    hands = duel.task.hands_per_wall
    title = title_of(duel.task, ((0, duel.hands),), duel.walls)
    each = f"each wall is played {hands} times, once with every order of the bots over the seats"
    if duel.plan is None and duel.hands != duel.asked:
        each += f"; {rounded(duel.asked)}"
    found = estimate_cell(duel.difference)
    lines = [
        one_line(title),
        one_line(f"{duel.a} less {duel.b}: {found} points per hand; {each}."),
    ]
    times, needed, saved = duel.variance
    if times.value == times.value:
        lines.append(
            f"One hand here is worth {estimate_cell(times)} hands with a wall each: as good an interval "
            f"would take {estimate_cell(needed)} of those; saved: {estimate_cell(saved)} hands."
        )
    if duel.plan is None:
        return [*lines, EXPLANATION]
    return [*lines, stopped(duel.plan, duel.totals, duel.hands), f"{LOOKED} {_FIXED}"]


def duel_grids(duel: Duel) -> list[Grid]:
    """Lay out the split and the rates."""
    split, rates = duel.split.to_dict("records"), duel.rates.to_dict("records")
    grids = []
    for by in HEADS:
        rows: list[tuple[str, ...]] = [
            (label(duel, row["name"]), cell(row)) for row in split if row["by"] == by
        ]
        grids.append(Grid((say(f"by.{by}", "en"), "points per hand"), rows))
    cells: dict[tuple[Any, Any], str] = {(row["name"], row["of"]): cell(row) for row in rates}
    columns = (duel.a, duel.b, "difference")
    each = [
        (
            text,
            *(
                cells.get((name, of), cells.get((name, "hands"), "") if of == duel.a else "")
                for of in columns
            ),
        )
        for name, text in RATE_LABELS.items()
        if (name, duel.a) in cells or (name, "hands") in cells
    ]
    return [*grids, Grid(("share of hands", str(duel.a), str(duel.b), "difference"), each)]


def label(duel: Duel, name: str, lang: Lang = "en") -> str:
    """What a part of the difference is called."""
    dealers = {"a_deals": duel.a, "b_deals": duel.b}
    if name in dealers:
        return one_line(say("part.deals", lang, bot=dealers[name]))
    return say(f"part.{name}", lang)
