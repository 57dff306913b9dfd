"""The ratios of benches/variance.py, where they are known."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest


@pytest.fixture(scope="module")
def bench() -> ModuleType:
    path = Path(__file__).parent.parent / "benches" / "variance.py"
    spec = importlib.util.spec_from_file_location("variance", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_ratios_of_known_correlations(bench: ModuleType) -> None:
    rng = np.random.default_rng(3)
    walls, each = rng.normal(size=(4000, 1)), rng.normal(size=(4000, 5))
    # hands of a wall that share half their variance: of 5 the mean has 3/5 of it, 3 times too much
    found = bench.within(walls + each)
    assert found.low < 1 / 3 < found.high
    assert found.value == pytest.approx(1 / 3, rel=0.1)
    alone = bench.within(each)
    assert alone.low < 1 < alone.high
    # two runs with half of the variance alike: twice as good; stored hands cost one run
    x, y = walls + each[:, :1], walls + each[:, 1:2]
    found = bench.between(x, y)
    assert found.low < 2 < found.high
    assert bench.between(x, y, 1).value == pytest.approx(2 * found.value)
    assert bench.between(x, x).value == np.inf


def test_every_row_has_its_figures(bench: ModuleType) -> None:
    lines = list(bench.tables(12))
    table = [line for line in lines if line.startswith("|") and "---" not in line]
    assert sum("stored hands" in line for line in table) == 2
    assert sum("balanced (6 hands a wall)" in line for line in table) == len(bench.STRATEGIES)
    assert "nan" not in "\n".join(lines)
