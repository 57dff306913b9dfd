"""Known distributions, drawn wall by wall, and what an estimator is given of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wuhan_sim.intervals import Sums

Array = NDArray[np.int64]
HANDS = 4  # of a wall


class Law(NamedTuple):
    """`draw(rng, runs, walls)` gives y and x of every wall, (runs, walls); `truth` is a ratio."""

    truth: float
    draw: Callable[[np.random.Generator, int, int], tuple[Array, Array]]


def payoff(values: Sequence[int], chances: Sequence[float]) -> Law:
    """Points of one seat: every hand of a wall drawn by itself from a discrete distribution."""
    levels, edges = np.array(values), np.cumsum(chances)
    assert math.isclose(edges[-1], 1)

    def draw(rng: np.random.Generator, runs: int, walls: int) -> tuple[Array, Array]:
        which = np.searchsorted(edges[:-1], rng.random((HANDS, runs, walls), np.float32), side="right")
        return levels[which].sum(axis=0), np.full((runs, walls), HANDS)

    return Law(float(np.dot(values, chances)), draw)


def share(p: float, together: float) -> Law:
    """A hand has the thing with chance p; with chance `together` it takes what its wall has drawn for all."""

    def draw(rng: np.random.Generator, runs: int, walls: int) -> tuple[Array, Array]:
        shape = (HANDS, runs, walls)
        hits = rng.random(shape) < p
        if together:
            hits = np.where(rng.random(shape) < together, rng.random(shape[1:]) < p, hits)
        return hits.sum(axis=0), np.full((runs, walls), HANDS)

    return Law(p, draw)


def sizes(p: float, values: Sequence[int], chances: Sequence[float]) -> Law:
    """Mean size of a win: a ratio whose denominator, the wins of a wall, is random and may be 0."""
    levels, edges = np.array(values), np.cumsum(chances)

    def draw(rng: np.random.Generator, runs: int, walls: int) -> tuple[Array, Array]:
        won = rng.random((HANDS, runs, walls)) < p
        which = np.searchsorted(edges[:-1], rng.random((HANDS, runs, walls)), side="right")
        return (levels[which] * won).sum(axis=0), won.sum(axis=0)

    return Law(float(np.dot(values, chances)), draw)


# a wall of four hands has half of a hand's skewness: 0.8, 2.5, 5.7, 9 and 21
PAYOFFS = {
    "ours": payoff(
        (-300, -256, -128, -64, -32, -8, 0, 250, 450, 900),
        (0.10, 0.10, 0.14, 0.16, 0.14, 0.07, 0.04, 0.11, 0.08, 0.06),
    ),
    "few gains": payoff(
        (-64, -32, -16, -8, 100, 200, 400, 900), (0.1, 0.2, 0.25, 0.3, 0.08, 0.04, 0.02, 0.01)
    ),
    "doubling": payoff(
        (1, 2, 4, 8, 16, 32, 64, 128, 300),
        (0.5, 0.25, 0.125, 0.0625, 0.03125, 0.015625, 0.0078125, 0.00390625, 0.00390625),
    ),
    "rare gains": payoff((-8, -2, 0, 100, 300, 900), (0.3, 0.5, 0.185, 0.01, 0.004, 0.001)),
    "very rare gains": payoff((-4, -1, 100, 900), (0.398, 0.6, 0.0015, 0.0005)),
}


def sums_at(y: Array, x: Array, looks: Sequence[int], cubes: bool = True) -> list[list[Sums]]:
    """For every run the sums after so many walls each."""
    ends = np.array(looks) - 1
    terms = [y, x, y * y, x * y, x * x, (x != 0).astype(np.int64)]
    terms += [y**3, y * y * x, y * x * x, x**3] if cubes else []
    table = np.stack([np.cumsum(term, axis=1)[:, ends] for term in terms], axis=-1).tolist()
    return [[Sums._make([*row[:6], tuple(row[6:]) if cubes else None]) for row in run] for run in table]


def looks_to(first: int, last: int) -> list[int]:
    """Looks in walls, each 2**(1/4) times later than the one before."""
    found = [first]
    while found[-1] < last:
        found.append(min(last, math.ceil(found[-1] * 2**0.25)))
    return found
