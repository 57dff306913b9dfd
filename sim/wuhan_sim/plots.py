"""Pictures of comparisons. Every function draws on the axes it is given, or on new ones, and returns them."""

from __future__ import annotations

import math
import textwrap
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from wuhan_core.errors import one_line
from wuhan_core.words import Lang

from .duel_show import HEADS, label
from .plot_style import BLUE, GREY, PALE, VERMILION, axes_of, letters, spoken
from .report_words import say
from .show import digits_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .duel import Duel
    from .tournament import Tournament

_LONG = 14  # letters of a bot's text in a line below an axis


class _Row(NamedTuple):
    name: str
    value: float
    low: float
    high: float


def forest(duel: Duel, ax: Axes | None = None, lang: Lang = "en") -> Axes:
    """Draw a duel: the difference and its parts in points per hand, each with its 95 % interval.

    Blue is for `a`, vermilion against it; grey where the interval holds 0. Parts that the rules rule out are
    not drawn.

    Parameters
    ----------
    duel : Duel
    ax : Axes, optional
        New ones when not given.
    lang : {"en", "zh"}
        Of the labels; English, with a warning, where no font has Chinese letters.

    Returns
    -------
    Axes

    Raises
    ------
    PlotError
        Where matplotlib is not there.
    """
    lang = spoken(lang)
    ax = axes_of(ax, forest_size(duel))
    names: list[str] = []
    heads: list[int] = []
    for head, rows in _groups(duel, lang):
        if head:
            heads.append(len(names))
            names.append(head)
        for name, value, low, high in rows:
            colour = BLUE if low > 0 else VERMILION if high < 0 else GREY
            at = len(names)
            if not math.isnan(low):
                ax.plot([low, high], [at, at], color=colour, linewidth=1.5 if head else 2.5)
            ax.plot(value, at, "o" if head else "D", color=colour, markersize=5 if head else 7)
            names.append(name)
    ax.set_yticks(range(len(names)), names)
    for head_at in heads:
        ax.get_yticklabels()[head_at].set_fontweight("bold")
    ax.set_ylim(len(names) - 0.4, -0.8)
    ax.axvline(0, color=GREY, linewidth=0.8, zorder=0)
    ax.grid(axis="x", color=PALE, linewidth=0.6)
    ax.set_axisbelow(True)
    ax.tick_params(axis="y", length=0)
    ax.spines[["top", "right", "left"]].set_visible(False)
    across = say("duel.points", lang, a=one_line(duel.a), b=one_line(duel.b))
    ax.set_xlabel(f"{across}\n{say('errors.lines', lang)}")
    played = {"rules": duel.task.rules.name, "hands": f"{duel.hands:,}", "walls": f"{duel.walls:,}"}
    ax.set_title(say("title.duel", lang, **played), size=10)
    return letters(ax)


def forest_size(duel: Duel) -> tuple[float, float]:
    """Width and height that suit `forest`, in inches."""
    return 8.0, 0.9 + 0.26 * sum(1 + len(rows) for _, rows in _groups(duel, "en"))


def matrix(tournament: Tournament, ax: Axes | None = None, lang: Lang = "en") -> Axes:
    """Draw a tournament: for each pair the difference of the row's bot less the column's.

    Bots stand in the order of the ranking. A cell has the difference in points per hand, which its colour
    tells, too, its simultaneous 95 % interval, and a star where the p-value after Holm's correction is below
    0.05.

    Parameters
    ----------
    tournament : Tournament
    ax : Axes, optional
        New ones when not given.
    lang : {"en", "zh"}
        Of the labels; English, with a warning, where no font has Chinese letters.

    Returns
    -------
    Axes

    Raises
    ------
    PlotError
        Where matplotlib is not there.
    """
    lang = spoken(lang)
    ax = axes_of(ax, matrix_size(tournament))
    order = [str(bot) for bot in tournament.ranking["bot"]]
    count = len(order)
    values = np.full((count, count), math.nan)
    texts: dict[tuple[int, int], str] = {}
    for pair in tournament.table.to_dict("records"):
        i, j = order.index(pair["a"]), order.index(pair["b"])
        star = "*" if pair["p"] < 0.05 else ""
        value, low, high = pair["value"], pair["low"], pair["high"]
        for at, middle, ends in (((i, j), value, (low, high)), ((j, i), -value, (-high, -low))):
            values[at] = middle
            texts[at] = _cell(middle, *ends, star)
    peak = max(np.nanmax(np.abs(values)), 1e-9)
    image = ax.imshow(values, cmap="PuOr", vmin=-peak, vmax=peak, aspect="auto")
    for (row, column), text in texts.items():
        dark = abs(values[row, column]) > 0.6 * peak
        ax.text(column, row, text, ha="center", va="center", size=9, color="white" if dark else "black")
    for i in range(count):
        ax.text(i, i, "–", ha="center", va="center", color=GREY)
    names = ["\n".join(textwrap.wrap(one_line(name), _LONG)) for name in order]
    ax.set_xticks(range(count), names)
    ax.set_yticks(range(count), names)
    ax.tick_params(length=0)
    ax.set_xticks(np.arange(count - 1) + 0.5, minor=True)
    ax.set_yticks(np.arange(count - 1) + 0.5, minor=True)
    ax.grid(which="minor", color="white", linewidth=2)
    ax.tick_params(which="minor", length=0)
    ax.spines[:].set_visible(False)
    ax.set_xlabel(say("matrix.column", lang))
    ax.set_ylabel(say("matrix.row", lang))
    bar = ax.figure.colorbar(image, ax=ax, label=say("unit.points per hand", lang), aspect=30)
    played = {"rules": tournament.rules.name, "hands": f"{tournament.hands:,}"}
    ax.set_title(say("title.matrix", lang, **played), size=10)
    letters(bar.ax)
    return letters(ax)


def matrix_size(tournament: Tournament) -> tuple[float, float]:
    """Width and height that suit `matrix`, in inches."""
    count = len(tournament.bots)
    return max(6.4, 2.9 + 1.3 * count), max(4.0, 1.9 + 0.8 * count)


def _groups(duel: Duel, lang: Lang) -> list[tuple[str, list[_Row]]]:
    """What a forest has: the difference, and under heads the parts that are not ruled out."""
    total = duel.difference
    groups = [("", [_Row(say("part.difference", lang), total.value, total.low, total.high)])]
    parts = [part for part in duel.split.to_dict("records") if part["value"] or part["low"] < part["high"]]
    for by in HEADS:
        rows = [
            _Row(label(duel, part["name"], lang), part["value"], part["low"], part["high"])
            for part in parts
            if part["by"] == by
        ]
        groups.append((say(f"by.{by}", lang), rows))
    return groups


def _cell(value: float, low: float, high: float, star: str) -> str:
    """A value with as many digits as its interval leaves meaning to."""
    if math.isnan(low):
        return f"{value:.3g}"
    digits = digits_of(low, high)
    return f"{value:+.{digits}f}{star}\n({low:.{digits}f}..{high:.{digits}f})"
