"""Pictures of fixed hands, drawn the same way everywhere, and how far two of them are apart.

``make pictures`` draws the references in ``tests/golden/plots`` anew; look at them before they are committed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.image import imread, imsave

from wuhan_sim import (
    Analysis,
    Duel,
    Result,
    Sessions,
    Sweep,
    Task,
    Tournament,
    analyze,
    duel,
    plots,
    plots_run,
    plots_sweep,
    sessions,
    simulate,
    sweep,
    tournament,
    what_if,
)

FOLDER = Path(__file__).parent / "golden" / "plots"
PLAIN: Any = {"font.family": ["DejaVu Sans"], "font.size": 10.0, "figure.dpi": 60.0, "text.hinting": "none"}
SIZE = 5.6, 3.7
TASK = Task("yuanhang", ["greedy", "greedy", "greedy", "random"], 4000, 7)


@cache
def result() -> Result:
    return simulate(TASK, workers=1, progress=False)


@cache
def analysis() -> Analysis:
    return analyze(TASK, workers=1, progress=False)


@cache
def curve() -> Sweep:
    caps = {"cap.per_payer": [100, 200, 300, 600, 1000]}
    return what_if(TASK, caps, ["capped_share", "golden_share"], workers=1, progress=False)


@cache
def grid() -> Sweep:
    vary = {"cap.per_payer": [100, 300, 600], "score.hard": [1, 2]}
    task = Task("yuanhang", "greedy", 2000, 7)
    return sweep(task, vary, ["capped_share", "swing"], workers=1, progress=False)


@cache
def evenings() -> Sessions:
    return sessions(TASK, 40, 1500, 400, workers=1, progress=False)


@cache
def match() -> Duel:
    return duel("yuanhang", "greedy", "random", 3000, 3, progress=False)


@cache
def league() -> Tournament:
    return tournament("yuanhang", ["greedy", "random"], 1200, progress=False)


DRAWN: dict[str, tuple[Callable[[Any], Any], tuple[float, float]]] = {
    "frequencies": (lambda ax: plots_run.frequencies(result(), ax), plots_run.size_of(4)),
    "types": (lambda ax: plots_run.frequencies(result(), ax, of="wins"), plots_run.size_of(11)),
    "points": (lambda ax: plots_run.points(analysis(), ax), SIZE),
    "capped": (lambda ax: plots_run.capped(result(), ax), SIZE),
    "bots": (lambda ax: plots_run.bots(result(), ax), plots_run.size_of(2)),
    "seats": (lambda ax: plots_run.seats(result(), ax), plots_run.size_of(4)),
    "ready": (lambda ax: plots_run.turns(analysis(), ax, what="ready"), SIZE),
    "wins": (lambda ax: plots_run.turns(analysis(), ax, what="wins"), SIZE),
    "deal_ins": (lambda ax: plots_run.turns(analysis(), ax, what="deal_ins"), SIZE),
    "cap_curves": (lambda ax: plots_sweep.cap_curves(curve(), ax), SIZE),
    "sweep": (lambda ax: plots_sweep.sweep_curve(grid(), "swing", ax=ax), SIZE),
    "difference": (
        lambda ax: plots_sweep.sweep_curve(curve(), "capped_share", ax=ax, difference=True),
        SIZE,
    ),
    "heat": (lambda ax: plots_sweep.sweep_heat(grid(), "capped_share", ax=ax), SIZE),
    "fan": (lambda ax: plots_sweep.fan(evenings(), "greedy", ax), SIZE),
    "ruin": (lambda ax: plots_sweep.ruin(evenings(), ax), SIZE),
    "forest": (lambda ax: plots.forest(match(), ax), (7.0, 6.0)),
    "matrix": (lambda ax: plots.matrix(league(), ax), (6.4, 4.0)),
}


def drawn(name: str) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Draw a picture: uint8 (height, width, 4)."""
    draw, size = DRAWN[name]
    with matplotlib.rc_context(PLAIN):
        figure = Figure(size, layout="constrained", facecolor="white")
        canvas: Any = FigureCanvasAgg(figure)
        draw(figure.subplots())
        canvas.draw()
        return np.asarray(canvas.buffer_rgba()).copy()


def reference(name: str) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """The picture as it was last looked at."""
    return np.asarray(np.rint(255 * imread(FOLDER / f"{name}.png")), np.uint8)


def distance(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> float:
    """Root of the mean square of how the pixels differ, 0 to 255; infinite for pictures of other sizes."""
    if a.shape != b.shape:
        return float("inf")
    return float(np.sqrt(np.mean((a[..., :3].astype(float) - b[..., :3].astype(float)) ** 2)))


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for each in sys.argv[1:] or DRAWN:
        imsave(FOLDER / f"{each}.png", drawn(each), metadata={"Software": ""}, pil_kwargs={"optimize": True})
        print(FOLDER / f"{each}.png")
