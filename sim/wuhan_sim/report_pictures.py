"""The pictures of a report, as SVG that stands inside a page: no style of its own, no names that clash."""

from __future__ import annotations

import html
import io
import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from wuhan_core.words import Lang

from . import plots_run, plots_sweep
from .analysis import Analysis
from .plot_style import SIZE, need
from .result import Result
from .what_if import WhatIf

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# what a picture must not depend on: whatever the user has set otherwise
PLAIN = {
    "svg.fonttype": "path",
    "svg.hashsalt": "wuhan",
    "font.family": ["DejaVu Sans"],
    "font.size": 10.0,
    "axes.unicode_minus": True,
    "figure.facecolor": "white",
    "axes.facecolor": "white",
    "path.simplify": True,
}


class Picture(NamedTuple):
    """How to draw a picture, its size in inches, and whether it is of the hands looked at one by one."""

    draw: Callable[[Axes], Axes]
    size: tuple[float, float]
    starred: bool = False


def pictures(
    result: Result, analysis: Analysis | None, curve: WhatIf | None, starred: bool, lang: Lang
) -> Iterator[Picture]:
    """Every picture that the run has something for."""
    bars, tall = plots_run.size_of(4), plots_run.frequencies_size(result, "wins")
    yield Picture(lambda ax: plots_run.frequencies(result, ax, lang=lang), bars)
    yield Picture(lambda ax: plots_run.seats(result, ax, lang=lang), bars)
    bots = len(set(result.task.bots))
    if bots > 1:
        yield Picture(lambda ax: plots_run.bots(result, ax, lang=lang), plots_run.size_of(bots))
    yield Picture(lambda ax: plots_run.frequencies(result, ax, of="wins", lang=lang), tall)
    if analysis is not None and any(spread.n for spread in analysis.totals.spreads.values()):
        yield Picture(lambda ax: plots_run.points(analysis, ax, lang=lang), SIZE, starred)
    if result.task.rules.get("score.model") == "factors":
        yield Picture(lambda ax: plots_run.capped(result, ax, lang=lang), SIZE)
    if curve is not None:
        yield Picture(lambda ax: plots_sweep.cap_curves(curve, ax, lang=lang), SIZE, starred)
    if analysis is not None:
        yield Picture(lambda ax: plots_run.turns(analysis, ax, what="ready", lang=lang), SIZE, starred)
        yield Picture(lambda ax: plots_run.turns(analysis, ax, what="wins", lang=lang), SIZE, starred)


def svg(picture: Picture, number: int) -> str:
    """Draw a picture as an SVG element for a page.

    Parameters
    ----------
    picture : Picture
    number : int
        Another one for each picture of the page: all names inside begin with it.

    Raises
    ------
    PlotError
        Where matplotlib is not there.
    """
    matplotlib, figures = need("matplotlib"), need("matplotlib.figure")
    with matplotlib.rc_context(PLAIN):
        figure = figures.Figure(picture.size, layout="constrained")
        ax = picture.draw(figure.subplots())
        file = io.StringIO()
        figure.savefig(
            file, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None}
        )
    title, told = ax.get_title(), "; ".join(filter(None, (ax.get_xlabel(), ax.get_ylabel())))
    return embedded(file.getvalue(), f"p{number}", title, " ".join(told.split()))


def embedded(text: str, prefix: str, title: str, description: str) -> str:
    """Make of matplotlib's SVG file an element: a policy that allows no inline style must not harm it."""
    text = text[text.index("<svg") :].strip()
    text = re.sub(r"<metadata>.*?</metadata>|<style.*?</style>|<!--.*?-->", "", text, flags=re.DOTALL)
    text = re.sub(r' style="([^"]*)"', lambda found: _attributes(found[1]), text)
    text = re.sub(r'\bid="', f'id="{prefix}-', text)
    text = re.sub(r'href="#', f'href="#{prefix}-', text)
    text = text.replace("url(#", f"url(#{prefix}-")
    box = re.search(r'viewBox="[^"]*"', text)
    assert box
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" {box[0]} '
        f'role="img" aria-labelledby="{prefix}-title {prefix}-desc">'
        f'<title id="{prefix}-title">{html.escape(title)}</title>'
        f'<desc id="{prefix}-desc">{html.escape(description)}</desc>'
    )
    return re.sub(r"\n\s*", "\n", head + text[text.index(">", text.index("<svg")) + 1 :])


def _attributes(style: str) -> str:
    """What a style says, as attributes of SVG, of which each is one."""
    pairs = (part.split(":", 1) for part in style.split(";") if ":" in part)
    return "".join(f' {name.strip()}="{value.strip()}"' for name, value in pairs)
