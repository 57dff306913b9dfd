"""Distributions: exact counts in any order of adding, and quantiles whose intervals cover."""

from __future__ import annotations

import itertools
import math
import pickle
import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from wuhan_sim import spread as module
from wuhan_sim.intervals import Sums, deviation, proportion
from wuhan_sim.spread import Spread


def blocks_of(seed: int, blocks: int, width: int, spread: int = 30) -> tuple[Any, Any]:
    """Values that hang together within a block, some of them not counted."""
    rng = np.random.default_rng(seed)
    values = rng.integers(-spread, spread, (blocks, 1)) + rng.integers(0, spread, (blocks, width))
    return values, rng.random((blocks, width)) < 0.8


def plain(values: Any, counted: Any, x: int) -> Sums:
    """Sums over blocks of how many values are at most x, and of how many there are."""
    pairs = []
    for row, there in zip(values, counted, strict=True):
        held = [int(value) for value, yes in zip(row, there, strict=True) if yes]
        if held:
            pairs.append((sum(value <= x for value in held), len(held)))
    return Sums(
        sum(c for c, _ in pairs),
        sum(m for _, m in pairs),
        sum(c * c for c, _ in pairs),
        sum(c * m for c, m in pairs),
        sum(m * m for _, m in pairs),
        len(pairs),
    )


@pytest.mark.parametrize("width", [1, 2, 4, 12])
def test_shares_are_those_of_a_plain_count(width: int) -> None:
    values, counted = blocks_of(width, 60, width)
    spread = Spread.of(values, counted)
    assert spread.width == 1
    for x in range(-35, 65):
        assert spread.share_at_most(x) == proportion(plain(values, counted, x)), x


def test_any_cut_and_order_gives_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_VALUES", 16)
    values, counted = blocks_of(1, 300, 4, 500)
    whole = Spread.of(values, counted)
    assert whole.width >= 64
    assert len(whole.bins) <= 16
    rng = random.Random(3)
    for _ in range(20):
        edges = [0, *sorted(rng.sample(range(1, 300), rng.randint(1, 30))), 300]
        parts = [Spread.of(values[a:b], counted[a:b]) for a, b in itertools.pairwise(edges)]
        rng.shuffle(parts)
        total = parts[0]
        for part in parts[1:]:
            total += part
        assert total == whole
        assert hash(total) == hash(whole)
    assert pickle.loads(pickle.dumps(whole)) == whole
    assert whole != Spread.of(values[1:], counted[1:])
    # and at the edge of each bin the shares are exact still
    for b in whole.bins:
        x = int(b) * whole.width + whole.width - 1
        assert whole.share_at_most(x) == proportion(plain(values, counted, x))


def test_quantiles_are_values_that_enough_do_not_exceed() -> None:
    values, counted = blocks_of(2, 200, 4)
    spread = Spread.of(values, counted)
    held = values[counted]
    for percent in (1, 5, 25, 50, 75, 95, 99):
        found = spread.quantile(Fraction(percent, 100), -100, 100)
        assert found.value == np.quantile(held, percent / 100, method="inverted_cdf")
        assert found.low <= found.value <= found.high


def test_what_the_data_do_not_bound_ends_at_the_possible_values() -> None:
    values = np.arange(20).reshape(5, 4)
    spread = Spread.of(values, np.ones((5, 4), bool))
    for percent in (1, 99):
        bounded = spread.quantile(Fraction(percent, 100), -7, 70)
        assert (bounded.low == -7) == (percent == 1)
        assert (bounded.high == 70) == (percent == 99)
        open_ended = spread.quantile(Fraction(percent, 100))
        assert math.isnan(open_ended.low) == (percent == 1)
        assert math.isnan(open_ended.high) == (percent == 99)
    nothing = Spread.of(values, np.zeros((5, 4), bool))
    assert nothing.n == nothing.blocks == 0
    assert all(math.isnan(x) for x in nothing.quantile(Fraction(1, 2)))
    assert nothing + spread == spread


def test_quantile_intervals_cover_the_true_quantile() -> None:
    """Clustered draws whose quantiles are known: 95 of 100 intervals hold them, or somewhat more."""
    rng = np.random.default_rng(5)
    rounds, blocks, width = 400, 60, 4
    # sums of a die of the block and a die of one's own, both with 20 faces
    both = np.add.outer(np.arange(20), np.arange(20)).ravel()
    for percent in (10, 50, 90):
        truth = int(np.quantile(both, percent / 100, method="inverted_cdf"))
        held = 0
        for _ in range(rounds):
            values = rng.integers(0, 20, (blocks, 1)) + rng.integers(0, 20, (blocks, width))
            found = Spread.of(values, np.ones(values.shape, bool)).quantile(Fraction(percent, 100))
            held += found.low <= truth <= found.high
        assert held / rounds > 0.925, percent  # 0.95 less 2.3 standard errors
        # whole values make it wider than asked; independent draws would be far too narrow
        assert held / rounds < 0.998, percent


def test_deviation_is_that_of_numpy_and_covers() -> None:
    rng = np.random.default_rng(6)
    rounds, blocks, width = 400, 200, 4
    held = 0
    for _ in range(rounds):
        values = rng.poisson(20, (blocks, 1)) + rng.poisson(10, (blocks, width))
        columns = [np.full(blocks, width), values.sum(axis=1), (values**2).sum(axis=1)]
        products = [[int(np.dot(a, b)) for b in columns] for a in columns]
        found = deviation([int(column.sum()) for column in columns], products, blocks)
        assert math.isclose(found.value, values.std())
        held += found.low <= math.sqrt(30) <= found.high
    assert 0.91 < held / rounds < 0.985


def test_deviation_of_little() -> None:
    assert all(math.isnan(x) for x in deviation([0, 0, 0], [[0] * 3] * 3, 0))
    alone = deviation([2, 4, 10], [[4, 8, 20], [8, 16, 40], [20, 40, 100]], 1)
    assert alone.value == 1
    assert math.isnan(alone.low)
