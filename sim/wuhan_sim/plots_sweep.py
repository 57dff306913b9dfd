"""Pictures of what rules do, and of bankrolls. All draw on the axes given, or on new ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from wuhan_core.errors import FaultError, one_line, show
from wuhan_core.words import Lang, written

from .estimates import Estimate
from .plot_style import BLUE, GREY, PALE, SIZE, axes_of, compact, finish, letters, look, spans, spoken
from .report_words import metric_of, say, unit_of
from .show import estimate_cell

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .session_result import Sessions
    from .sweep import Point, Sweep


class CurveError(FaultError):
    """A picture of something that a sweep or sessions do not have."""


def sweep_curve(
    sweep: Sweep,
    metric: str,
    option: str | None = None,
    ax: Axes | None = None,
    *,
    difference: bool = False,
    lang: Lang = "en",
) -> Axes:
    """Draw a metric over the values of an option, with 95 % intervals.

    Parameters
    ----------
    sweep : Sweep
        Or what `what_if` returns.
    metric : str
        One of its metrics.
    option : str, optional
        What goes along the axis, the first that varies when not given; each combination of the others has a
        line of its own. Numbers stand at their place, other values one beside the other.
    ax : Axes, optional
        New ones when not given.
    difference : bool
        Draw the difference to the base instead.
    lang : {"en", "zh"}

    Returns
    -------
    Axes

    Raises
    ------
    CurveError
        For a metric or option that the sweep does not have.
    PlotError
        Where matplotlib is not there.
    """
    lang = spoken(lang)
    option = next(iter(sweep.vary)) if option is None else option
    _check(sweep, (metric,), (option,), difference)
    ax = axes_of(ax, SIZE)
    others = [name for name in sweep.vary if name != option]
    lines: dict[tuple[Any, ...], list[Point]] = {}
    for point in sweep.points:
        lines.setdefault(tuple(point.rules.get(name) for name in others), []).append(point)
    for i, (values, points) in enumerate(lines.items()):
        label = ", ".join(f"{name}={written(value)}" for name, value in zip(others, values, strict=True))
        found = [(point.difference if difference else point.metrics)[metric] for point in points]
        _line(ax, sweep.vary[option], found, i, label)
    _across(ax, sweep, option, lang)
    if others:
        ax.legend(frameon=False, fontsize=8)
    if difference:
        ax.axhline(0, color=GREY, linewidth=0.8)
    unit = (sweep.points[0].difference if difference else sweep.points[0].metrics)[metric].unit
    up = say("difference", lang, name=metric_of(metric, lang)) if difference else metric_of(metric, lang)
    title = say("title.sweep", lang, metric=metric_of(metric, lang))
    return finish(ax, title, option, f"{up}{_in(unit, lang)}", lang)


def cap_curves(
    what_if: Sweep,
    ax: Axes | None = None,
    *,
    metrics: Sequence[str] = ("capped_share", "golden_share", "cut_share"),
    lang: Lang = "en",
) -> Axes:
    """Draw what another cap of a share would do to shares: of wins capped, golden, of points cut away.

    Parameters
    ----------
    what_if : Sweep
        What `what_if` returns, with ``cap.per_payer`` alone varied.
    metrics : sequence of str
        Of its shares; those that it has are drawn. Other parameters, returns and errors as for `sweep_curve`.
    """
    lang = spoken(lang)
    known = [name for name in metrics if name in what_if.points[0].metrics]
    wrong = [] if set(what_if.vary) == {"cap.per_payer"} else ["cap.per_payer alone must vary"]
    if wrong or not known:
        raise CurveError(wrong or [f"metrics: none of {', '.join(metrics)} was asked of what_if"])
    ax = axes_of(ax, SIZE)
    for i, metric in enumerate(known):
        found = [point.metrics[metric] for point in what_if.points]
        _line(ax, what_if.vary["cap.per_payer"], found, i, metric_of(metric, lang))
    _across(ax, what_if, "cap.per_payer", lang)
    ax.set_ylim(0)
    ax.legend(frameon=False, fontsize=8.5)
    return finish(ax, say("title.cap_curve", lang), say("cap", lang), say("share.any", lang), lang)


def sweep_heat(
    sweep: Sweep,
    metric: str,
    options: tuple[str, str] | None = None,
    ax: Axes | None = None,
    *,
    lang: Lang = "en",
) -> Axes:
    """Draw a metric over two options: the first along the axis, the second up; in each cell its interval.

    Parameters
    ----------
    options : (str, str), optional
        The first two that vary when not given; further ones must not vary.
    Other parameters, returns and errors as for `sweep_curve`.
    """
    lang = spoken(lang)
    if options is None:
        options = tuple(sweep.vary)[:2]  # type: ignore[assignment]
    if not options or len(options) != 2 or set(options) != set(sweep.vary):
        raise CurveError(
            [f"options = {show(options)}, must be two, the only ones that vary: {', '.join(sweep.vary)}"]
        )
    _check(sweep, (metric,), options, False)
    across, up = (sweep.vary[name] for name in options)
    ax = axes_of(ax, (max(5.6, 1.9 + 1.1 * len(across)), max(3.2, 1.5 + 0.6 * len(up))))
    values = np.full((len(up), len(across)), np.nan)
    texts: dict[tuple[int, int], str] = {}
    for point in sweep.points:
        at = up.index(point.set[options[1]]), across.index(point.set[options[0]])
        found = point.metrics[metric]
        values[at] = found.value * (100 if found.unit == "share" else 1)
        texts[at] = estimate_cell(found).replace(" (", "\n(")
    image = ax.imshow(values, cmap="cividis", aspect="auto", origin="lower")
    dark = np.nanmean([np.nanmin(values), np.nanmax(values)]) if not np.isnan(values).all() else 0
    for (row, column), text in texts.items():
        colour = "white" if values[row, column] <= dark else "black"
        ax.text(column, row, text, ha="center", va="center", size=8, color=colour)
    ax.set_xticks(range(len(across)), [written(value) for value in across])
    ax.set_yticks(range(len(up)), [written(value) for value in up])
    ax.tick_params(length=0)
    name = f"{metric_of(metric, lang)}{_in(sweep.points[0].metrics[metric].unit, lang)}"
    bar = ax.figure.colorbar(image, ax=ax, label=name, aspect=30)
    letters(bar.ax)
    finish(
        ax, say("title.sweep", lang, metric=metric_of(metric, lang)), options[0], options[1], lang, "cells"
    )
    ax.spines[:].set_visible(False)
    return ax


def fan(sessions: Sessions, bot: str | None = None, ax: Axes | None = None, *, lang: Lang = "en") -> Axes:
    """Draw how a bot's bankrolls spread as sessions go on: the median, and bands between quantiles.

    Every quantile has an error bar, its 95 % interval.

    Parameters
    ----------
    sessions : Sessions
    bot : str, optional
        The first one when not given.
    Other parameters, returns and errors as for `sweep_curve`.
    """
    lang = spoken(lang)
    table = sessions.fan()
    bot = _bot_of(table["of"].unique().tolist(), bot)
    table = table[table["of"] == bot]
    wide = table.pivot(index="hands", columns="quantile", values="value")
    hands, quantiles = wide.index.to_numpy(float), wide.columns.to_numpy(float)
    ax = axes_of(ax, SIZE)
    pairs = len(quantiles) // 2
    for i in range(pairs):
        lower, upper = wide.iloc[:, i], wide.iloc[:, -1 - i]
        label = f"{100 * quantiles[i]:g}..{100 * quantiles[-1 - i]:g} %"
        ax.fill_between(hands, lower, upper, color=BLUE, alpha=0.14 + 0.1 * i, linewidth=0, label=label)
    ax.plot(hands, wide[0.5], color="black", linewidth=1.4, label=say("median", lang))
    step = max(len(hands) // 12, 1)
    for quantile, part in table.groupby("quantile"):
        some = part.iloc[::-1].iloc[::step].iloc[::-1]
        ax.errorbar(
            some["hands"],
            some["value"],
            yerr=spans(some["value"], some["low"], some["high"]),
            fmt="none",
            ecolor="black" if quantile == 0.5 else GREY,
            elinewidth=0.9,
            capsize=2,
        )
    ax.axhline(sessions.plan.start, color=GREY, linewidth=0.8, linestyle=":")
    ax.yaxis.set_major_formatter(lambda value, _: compact(value))
    ax.legend(frameon=False, fontsize=8, loc="lower center", bbox_to_anchor=(0.5, 1), ncols=pairs + 1)
    title = say("title.fan", lang, bot=one_line(bot))
    finish(ax, title, say("hands.played", lang), say("points.bankroll", lang), lang, "bars")
    ax.set_title(title, size=10.5, pad=20)  # above the legend
    return ax


def ruin(sessions: Sessions, ax: Axes | None = None, *, lang: Lang = "en") -> Axes:
    """Draw which share of each bot's seats is ruined after so many hands, with bands of 95 % intervals.

    Parameters, returns and errors as for `fan`.
    """
    lang = spoken(lang)
    ax = axes_of(ax, SIZE)
    for i, (bot, part) in enumerate(sessions.ruin_curve().groupby("of", sort=False)):
        style = look(i)
        ax.plot(
            part["hands"],
            100 * part["value"],
            label=one_line(str(bot)),
            **style,
            markevery=max(len(part) // 12, 1),
        )
        low, high = (100 * part[name] for name in ("low", "high"))
        ax.fill_between(part["hands"], low, high, color=style["color"], alpha=0.2, linewidth=0)
    ax.set_ylim(0)
    ax.grid(color=PALE, linewidth=0.6)
    ax.legend(frameon=False, fontsize=8.5)
    labels = say("hands.played", lang), say("share.seats", lang)
    return finish(ax, say("title.ruin", lang), *labels, lang, "bands")


def _line(ax: Axes, along: Sequence[Any], found: Sequence[Estimate], i: int, label: str) -> None:
    scale = 100 if found[0].unit.split()[0] == "share" else 1
    value, low, high = (
        scale * np.array([getattr(each, name) for each in found]) for name in ("value", "low", "high")
    )
    at = np.array(_places(along), float)
    order = np.argsort(at)
    at, value, low, high = at[order], value[order], low[order], high[order]
    ax.errorbar(
        at, value, yerr=spans(value, low, high), label=label or None, capsize=2.5, linewidth=1.2, **look(i)
    )


def _places(along: Sequence[Any]) -> list[float]:
    """Numbers stand at their place, other values one beside the other."""
    if all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in along):
        return [float(value) for value in along]
    return [float(i) for i in range(len(along))]


def _across(ax: Axes, sweep: Sweep, option: str, lang: Lang) -> None:
    """Ticks, and where the base stands."""
    along = sweep.vary[option]
    places = _places(along)
    if places == list(range(len(along))):
        ax.set_xticks(places, [written(value) for value in along])
    if sweep.base is not None:
        base = sweep.base.rules.get(option)
        numbers = isinstance(base, (int, float)) and not isinstance(base, bool)
        at = places[along.index(base)] if base in along else float(base) if numbers else None  # type: ignore[arg-type]
        if at is not None:
            ax.axvline(at, color=GREY, linewidth=0.9, linestyle=":")
            ax.annotate(
                *(say("cap.now", lang), (at, 1), (3, -2)),
                xycoords=("data", "axes fraction"),
                textcoords="offset points",
                va="top",
                size=8,
                color=GREY,
            )
    ax.grid(color=PALE, linewidth=0.6)


def _in(unit: str, lang: Lang) -> str:
    told = "%" if unit == "share" else unit_of(unit, lang)
    return f", {told}" if told else ""


def _check(sweep: Sweep, metrics: Sequence[str], options: Sequence[str], difference: bool) -> None:
    names = list(sweep.points[0].difference if difference else sweep.points[0].metrics)
    faults = [
        f"metric = {show(name)}, must be one of {', '.join(names) or 'none'}"
        for name in metrics
        if name not in names
    ]
    faults += [
        f"option = {show(name)}, must be one of {', '.join(sweep.vary)}"
        for name in options
        if name not in sweep.vary
    ]
    if faults:
        raise CurveError(faults)


def _bot_of(names: Sequence[str], bot: str | None) -> str:
    if bot is None:
        return names[0]
    if bot not in names:
        raise CurveError([f"bot = {show(bot)}, must be one of {', '.join(names)}"])
    return bot
