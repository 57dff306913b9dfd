"""The gate of benches/callgrind.py: what it lets pass and what it does not."""

from __future__ import annotations

import json
import runpy
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

FILE = Path(__file__).parent.parent / "benches" / "callgrind.py"
BASELINES = json.loads(FILE.with_suffix(".json").read_text(encoding="utf-8"))


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    monkeypatch.setattr("sys.path", [*sys.path])  # a script: it puts folders there
    found: Callable[..., int] = runpy.run_path(str(FILE))["judge"]
    return found


@pytest.mark.parametrize("key", BASELINES)
def test_it_fails_where_one_kernel_needs_more_than_3_percent(key: str, judge: Callable[..., int]) -> None:
    baseline = BASELINES[key]
    assert judge(key, baseline, baseline) == 0
    for name, count in baseline.items():
        assert judge(key, baseline | {name: count * 1.04}, baseline) == 1
        assert judge(key, baseline | {name: count * 1.02}, baseline) == 0
        assert judge(key, baseline | {name: count * 0.5}, baseline) == 0


def test_another_compiler_passes_no_judgement(
    judge: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    (found, *_) = BASELINES.values()
    assert judge("gcc 99.0.0 x86_64", found, {}) == 3
    assert "*** NOT DONE: no whole baseline for gcc 99.0.0 x86_64" in capsys.readouterr().err


def test_a_kernel_without_baseline_is_named(judge: Callable[..., int]) -> None:
    (found, *_) = BASELINES.values()
    assert judge("here", found | {"new": 1.0}, found) == 3
