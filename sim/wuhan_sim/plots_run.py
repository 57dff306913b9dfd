"""Pictures of a run. Every function draws on the axes it is given, or on new ones, and returns them."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from wuhan_core.errors import one_line
from wuhan_core.rules import RuleSet
from wuhan_core.words import Lang

from .breakdown import ROUNDS
from .estimates import Estimate
from .intervals import FIXED, Sums, proportion
from .plot_style import BLUE, GREY, PALE, SIZE, VERMILION, axes_of, compact, dots, finish, look, spans, spoken
from .report_words import name_of, say, unsigned
from .show import estimate_cell

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .analysis import Analysis
    from .result import Result
    from .spread import Spread

BARS = 36  # of a distribution, at most
_LONG = 24  # letters of a bot's text

ENDINGS = ("exhausted", "self_draw", "discard", "rob_kong")


def frequencies(
    result: Result, ax: Axes | None = None, *, of: Literal["hands", "wins"] = "hands", lang: Lang = "en"
) -> Axes:
    """Draw how hands end, or what wins are made of: shares with their 95 % intervals.

    Parameters
    ----------
    result : Result
    ax : Axes, optional
        New ones when not given.
    of : {"hands", "wins"}
        Outcomes as shares of all hands; or types, hard and soft as shares of the wins. Types overlap. What
        the rules rule out is left out.
    lang : {"en", "zh"}

    Returns
    -------
    Axes

    Raises
    ------
    PlotError
        Where matplotlib is not there.
    """
    lang = spoken(lang)
    rows = _frequencies(result, of)
    ax = axes_of(ax, size_of(len(rows)))
    dots(ax, [name_of(name, lang) for name in rows["name"]], rows, 100, _texts(rows))
    _room(ax, rows, 100)
    title = say("title.frequencies" if of == "hands" else "title.types", lang)
    return finish(ax, title, say(f"share.{of}", lang), "", lang)


def frequencies_size(result: Result, of: Literal["hands", "wins"] = "hands") -> tuple[float, float]:
    """Width and height that suit `frequencies`, in inches."""
    return size_of(len(_frequencies(result, of)))


def size_of(rows: int) -> tuple[float, float]:
    """Width and height that suit estimates one below the other, in inches."""
    return SIZE[0], 1.2 + 0.25 * max(rows, 4)


def points(analysis: Analysis, ax: Axes | None = None, *, lang: Lang = "en") -> Axes:
    """Draw the distribution of what the losers of a win owe before caps and pay after, with the caps' edges.

    Bars of equal width on a logarithmic axis; each share with a 95 % interval for which a wall counts as one
    draw (its square is taken to be as large as it can be, so that the interval is too wide rather than too
    narrow). Parameters as for `frequencies`.
    """
    lang = spoken(lang)
    ax = axes_of(ax, SIZE)
    spreads = analysis.totals.spreads
    tops = [int(each.bins[-1] + 1) * each.width for each in spreads.values() if each.n]
    least = min((int(each.bins[0]) * each.width for each in spreads.values() if each.n), default=1)
    edges = _edges(max(least, 1), max(tops, default=1))
    caps = cap_edges(analysis.task.rules)
    for name, colour, shift in (("owed", BLUE, -0.12), ("capped", VERMILION, 0.12)):
        spread = spreads.get(name)
        if spread is None or not spread.n or (name == "capped" and not caps):
            continue
        shares = 100 * np.array([_between(spread, a, b) for a, b in pairwise(edges)])
        first = name == "owed"
        if first:
            ax.stairs(shares[:, 0], edges, color=colour, fill=True, alpha=0.3)
        ax.stairs(shares[:, 0], edges, color=colour, linewidth=1.3, linestyle="-" if first else "--")
        seen = shares[:, 0] > 0
        ax.errorbar(
            (edges[:-1] * (edges[1:] / edges[:-1]) ** (0.5 + shift))[seen],
            shares[seen, 0],
            yerr=spans(*shares[seen].T),
            fmt="o" if first else "D",
            markersize=2.5,
            linewidth=1,
            color=colour,
            label=say("owed" if first else "paid", lang) if caps else None,
        )
    ax.set_xscale("log")
    ax.set_ylim(0, 1.15 * ax.get_ylim()[1])
    ax.set_xlim(edges[0], edges[-1])
    for name, at in caps:
        if not edges[0] <= at <= edges[-1]:  # few wins may all be worth less
            continue
        ax.axvline(at, color="black", linestyle="--" if name == "cap" else ":", linewidth=1)
        ax.annotate(
            f"{say(f'edge.{name}', lang)} {at:,}",
            (at, 1),
            (-3 if name == "cap" else 3, -2),
            xycoords=("data", "axes fraction"),
            textcoords="offset points",
            rotation=90,
            ha="right" if name == "cap" else "left",
            va="top",
            size=8,
        )
    ax.xaxis.set_major_formatter(lambda value, _: compact(value))
    narrow = edges[-1] < 20 * edges[0]
    ax.xaxis.set_minor_formatter(lambda value, _: compact(value) if narrow and value >= edges[0] else "")
    if ax.get_legend_handles_labels()[0]:
        ax.legend(frameon=False, fontsize=8.5, loc="upper right")
    return finish(ax, say("title.points", lang), say("points.three", lang), say("share.wins", lang), lang)


def capped(result: Result, ax: Axes | None = None, *, lang: Lang = "en") -> Axes:
    """Draw which share of the wins of each type is capped, with 95 % intervals; else as `frequencies`."""
    lang = spoken(lang)
    table = result.caps()
    rows = table[(table["name"] == "capped_share") & (table["method"] != FIXED) & table["value"].notna()]
    ax = axes_of(ax, size_of(len(rows)))
    names = [say("wins", lang) if of == "wins" else name_of(of, lang) for of in rows["of"]]
    dots(ax, names, rows, 100, _texts(rows))
    _room(ax, rows, 100)
    return finish(ax, say("title.caps", lang), say("share.own.type", lang), "", lang)


def bots(result: Result, ax: Axes | None = None, *, lang: Lang = "en") -> Axes:
    """Draw the points per hand of each bot with 95 % intervals; as `frequencies` otherwise."""
    lang = spoken(lang)
    table = result.strategies()
    rows = table[table["name"] == "points"]
    return _gains(ax, rows, [_bot(name) for name in rows["of"]], "title.bots", lang)


def seats(result: Result, ax: Axes | None = None, *, lang: Lang = "en") -> Axes:
    """Draw the points per hand by place from the dealer with 95 % intervals; as `frequencies` otherwise."""
    lang = spoken(lang)
    table = result.table()
    rows = table[(table["section"] == "seats") & (table["name"] == "points")]
    return _gains(ax, rows, [name_of(name, lang) for name in rows["of"]], "title.seats", lang)


def turns(
    analysis: Analysis,
    ax: Axes | None = None,
    *,
    what: Literal["ready", "wins", "deal_ins"] = "ready",
    lang: Lang = "en",
) -> Axes:
    """Draw when bots are first ready, win or deal in: shares of their hands by times round the table.

    Each bot has a line and a band of 95 % intervals. Parameters as for `frequencies`.

    Parameters
    ----------
    what : {"ready", "wins", "deal_ins"}
    """
    lang = spoken(lang)
    ax = axes_of(ax, SIZE)
    rows = analysis.section("rounds")
    for i, bot in enumerate(analysis.gauge.names):
        mine = rows[(rows["of"] == bot) & rows["name"].str.startswith(f"{what} ")]
        value, low, high = (100 * mine[name].to_numpy(float) for name in ("value", "low", "high"))
        at, style = np.arange(len(mine)), look(i)
        ax.plot(at, value, label=_bot(bot), **style, linewidth=1.2)
        ax.fill_between(at, low, high, color=style["color"], alpha=0.2, linewidth=0)
    heard = rows[rows["name"].str.startswith(f"{what} ") & (rows["value"] > 0)]
    last = max((int(name.split()[1]) for name in heard["name"]), default=1)
    ax.set_xlim(-0.5, last + 0.5)
    ax.set_ylim(0)
    ax.set_xticks(range(0, last + 1, 2 if last > 9 else 1))
    if last == ROUNDS - 1:
        ax.xaxis.set_major_formatter(lambda at, _: f"{at:.0f}+" if at == last else f"{at:.0f}")
    ax.grid(color=PALE, linewidth=0.6)
    ax.legend(frameon=False, fontsize=8.5)
    title = {"ready": "title.ready", "wins": "title.won", "deal_ins": "title.dealt_in"}[what]
    return finish(ax, say(title, lang), say("rounds", lang), say("share.own", lang), lang, "bands")


def cap_edges(rules: RuleSet) -> list[tuple[Literal["cap", "golden"], int]]:
    """What the losers pay together where each pays the cap, and where the win is golden, in points."""
    if rules.get("score.model") != "factors":
        return []
    options = rules.to_dict()
    each = int(options["score.stake"]) * (int(options["deal.players"]) - 1)
    found: list[tuple[Literal["cap", "golden"], int]] = []
    if cap := int(options["cap.per_payer"]):
        found.append(("cap", each * cap))
        if (golden := int(options["cap.golden"])) > 0 and golden != cap:
            found.append(("golden", each * golden))
    return found


def _frequencies(result: Result, of: str) -> pd.DataFrame:
    table = result.frequencies()
    rows = table[(table["of"] == of) & (table["unit"] == "share") & (table["method"] != FIXED)]
    return rows[rows["name"].isin(ENDINGS) == (of == "hands")]


def _gains(ax: Axes | None, rows: pd.DataFrame, names: list[str], title: str, lang: Lang) -> Axes:
    ax = axes_of(ax, size_of(len(rows)))
    dots(ax, names, rows, 1, _texts(rows))
    ax.axvline(0, color=GREY, linewidth=0.8, zorder=0)
    _room(ax, rows, 1)
    return finish(ax, say(title, lang), say("points.hand", lang), "", lang)


def _texts(rows: pd.DataFrame) -> list[str]:
    """The values in words, without their intervals, which are drawn."""
    columns = list(Estimate._fields)
    return [
        unsigned(estimate_cell(Estimate(*(row[name] for name in columns))).partition(" (")[0])
        for row in rows.to_dict("records")
    ]


def _room(ax: Axes, rows: pd.DataFrame, scale: float) -> None:
    """Leave room at the right for the values."""
    ends = scale * rows[["value", "low", "high"]].to_numpy(float)
    if not ends.size or np.isnan(ends).all():
        return
    low, high = min(np.nanmin(ends), 0), max(np.nanmax(ends), 0)
    span = (high - low) or 1.0
    ax.set_xlim(low - 0.03 * span, high + 0.2 * span)
    if scale == 100:
        ax.set_xticks([at for at in ax.get_xticks() if 0 <= at <= 100 and at <= high + 0.2 * span])


def _bot(name: str) -> str:
    name = one_line(name)
    return name if len(name) <= _LONG else name[: _LONG - 3] + "..."


def _edges(least: int, most: int) -> NDArray[np.float64]:
    """Edges of bars: about equal in their logarithms, each between whole points."""
    edges: NDArray[np.float64] = np.unique(np.rint(np.geomspace(least, max(most, least) + 1, BARS + 1))) - 0.5
    return edges


def _between(spread: Spread, low: float, high: float) -> tuple[float, float, float]:
    """The share of values between two edges."""
    middle = spread.bins * spread.width + (spread.width - 1) / 2
    n, _, held = (int(x) for x in spread.weights[(low < middle) & (middle < high)].sum(axis=0))
    # of a wall with m values, c of them here: c m is known, c**2 is at most that
    found = proportion(Sums(n, spread.n, held, held, spread.squares, spread.blocks))
    return found.value, found.low, found.high
