"""What all pictures have alike: colours, fonts, axes, how errors are drawn, how files are written.

Colours are told apart by the colour-blind, too: those of Okabe and Ito (2008, Color Universal Design), each
with a marker and a dash of its own, and for many values the map "PuOr", from orange over white to violet.
"""

from __future__ import annotations

import importlib
import logging
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from wuhan_core.errors import FaultError, show
from wuhan_core.files import target_faults
from wuhan_core.words import Lang, check_lang

from .report_words import say

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_log = logging.getLogger(__name__)

BLUE, VERMILION, GREY, PALE = "#0072B2", "#D55E00", "#666666", "#dddddd"
SIZE = (5.6, 3.7)  # of a picture, in inches
COLOURS = (BLUE, VERMILION, "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS, DASHES = "oDs^vPX", ("-", "--", ":", "-.")
BASE_FONT = "DejaVu Sans"  # comes with matplotlib
CHINESE_FONTS = (
    *("Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "Source Han Sans CN", "PingFang SC"),
    *("Microsoft YaHei", "WenQuanYi Micro Hei", "WenQuanYi Zen Hei", "SimHei", "Hiragino Sans GB"),
    *("Heiti SC", "Noto Sans CJK JP", "Noto Sans CJK TC", "Arial Unicode MS", "Droid Sans Fallback"),
    *("Noto Serif CJK SC", "Noto Serif CJK JP", "SimSun", "AR PL UMing CN", "Unifont"),
)


class PlotError(FaultError):
    """A picture that cannot be drawn or written."""


def need(module: str) -> Any:
    """A module of matplotlib.

    Raises
    ------
    PlotError
        Where it is not installed.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise PlotError(
            ['pictures need matplotlib, which is not installed: pip install "wuhan-core[plots]"']
        ) from error


def axes_of(ax: Axes | None, size: tuple[float, float]) -> Axes:
    """The axes given, or those of a new figure of this size in inches."""
    if ax is not None:
        return ax
    new: Axes = need("matplotlib.pyplot").subplots(figsize=size, layout="constrained")[1]
    return new


@cache
def chinese_font() -> str | None:
    """The family of an installed font that has Chinese letters; None without one."""
    manager = need("matplotlib.font_manager").fontManager
    installed = {font.name: font.fname for font in reversed(manager.ttflist)}
    load = need("matplotlib.ft2font").FT2Font
    for name in CHINESE_FONTS:
        if name in installed and all(load(installed[name]).get_char_index(ord(each)) for each in "胡杠赖庄"):
            return name
    return None


def spoken(lang: Lang) -> Lang:
    """The language that a picture can be labelled in: English, and a warning, where no font has Chinese."""
    check_lang(lang)
    if lang == "zh" and chinese_font() is None:
        _log.warning(
            "pictures are labelled in English: no font with Chinese letters found, such as Noto Sans CJK SC"
        )
        return "en"
    return lang


def finish(ax: Axes, title: str, across: str, up: str, lang: Lang, errors: str = "bars") -> Axes:
    """Title, labels with units, a word on the intervals, and fonts that have all letters.

    Parameters
    ----------
    errors : {"bars", "bands", "cells"}
        How the 95 % intervals are drawn.
    """
    ax.set_title(title, size=10.5)
    ax.set_xlabel(f"{across}\n{say(f'errors.{errors}', lang)}")
    ax.set_ylabel(up)
    ax.spines[["top", "right"]].set_visible(False)
    ax.set_axisbelow(True)
    return letters(ax)


def letters(ax: Axes) -> Axes:
    """Let all text of the axes fall back on a font with Chinese letters, where there is one."""
    if (chinese := chinese_font()) is not None:
        families = [BASE_FONT, chinese]
        for text in ax.findobj(need("matplotlib.text").Text):
            text.set_fontfamily(families)
        ax.tick_params(labelfontfamily=families)
    return ax


def look(i: int) -> dict[str, Any]:
    """Colour, marker and dash of line number `i`."""
    return {
        "color": COLOURS[i % len(COLOURS)],
        "marker": MARKERS[i % len(MARKERS)],
        "linestyle": DASHES[i % len(DASHES)],
        "markersize": 4.5,
    }


def spans(value: Any, low: Any, high: Any) -> Any:
    """Lengths of error bars to either side, (2, n); 0 where an interval is not known."""
    value, low, high = (np.asarray(each, float) for each in (value, low, high))
    return np.nan_to_num(np.clip([value - low, high - value], 0, None), nan=0.0)


def dots(ax: Axes, names: Sequence[str], rows: Any, scale: float = 1, texts: Sequence[str] = ()) -> None:
    """Draw estimates one below the other, each with its interval and, at its right, its value.

    Parameters
    ----------
    rows : DataFrame
        With ``value``, ``low`` and ``high``; as many as names.
    """
    at = np.arange(len(names))
    value, low, high = (scale * rows[name].to_numpy(float) for name in ("value", "low", "high"))
    ax.errorbar(value, at, xerr=spans(value, low, high), fmt="o", color=BLUE, markersize=4.5, capsize=3)
    for i, text in enumerate(texts):
        right = np.nanmax([value[i], high[i]]) if not np.isnan(value[i]) else 0.0
        ax.annotate(
            text, (right, i), (6, 0), textcoords="offset points", va="center", size=8, color="#333333"
        )
    ax.set_yticks(at, names)
    ax.set_ylim(len(names) - 0.4, -0.6)
    ax.grid(axis="x", color=PALE, linewidth=0.6)
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)


def compact(value: float) -> str:
    """A number of points in few letters: 500, 10k, 2M."""
    for size, sign in ((10**9, "G"), (10**6, "M"), (10**4, "k")):
        if abs(value) >= size:
            return f"{value / (10**3 if sign == 'k' else size):g}{sign}"
    return f"{value:,g}"


def save(draw: Callable[[Axes], object], size: tuple[float, float], path: str) -> None:
    """Write a picture of this size in inches, drawn by `draw`; the ending of the name says its format.

    Raises
    ------
    PlotError
        Where matplotlib is not there, and where the file cannot be written.
    """
    if faults := picture_faults(path):
        raise PlotError(faults)
    figure = need("matplotlib.figure").Figure(size, layout="constrained")
    draw(figure.subplots())
    try:
        figure.savefig(path, dpi=150)
    except OSError as error:
        raise PlotError([f"{show(path)} cannot be written: {error.strerror or error}"]) from error


def picture_faults(path: str) -> list[str]:
    """Why a picture could not be written to this file."""
    try:
        formats = need("matplotlib.backend_bases").FigureCanvasBase.get_supported_filetypes()
    except PlotError as error:
        return error.faults
    faults, file = [], Path(path)
    if file.suffix[1:].lower() not in formats:
        faults.append(f"picture = {show(path)}, must end with .png, .svg, .pdf or another of matplotlib's")
    return faults + target_faults("picture", path)
