"""Search for parameters: the space, racing, CMA-ES, and the confirmation on fresh walls."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from wuhan_core.policies import parse_bot
from wuhan_core.rules import load_rules
from wuhan_sim import TuneError, tune
from wuhan_sim.cli import main
from wuhan_sim.field import Field, gain_of
from wuhan_sim.shards import play
from wuhan_sim.space import Space
from wuhan_sim.task import Task
from wuhan_sim.tune import Tuning

SMALL: dict[str, Any] = {"budget": 6000, "candidates": 4, "opponents": "greedy", "progress": False}
# a planner that fears nothing but losing and hopes for nothing: far from good
BAD = "planner:fear=4,hold=4,big=4"


def test_the_space_goes_there_and_back() -> None:
    spec = parse_bot("planner:fear=2")
    space = Space.of(spec, [p.name for p in spec.policy.parameters])
    assert space.at(space.origin) == spec
    for axis in space.axes:
        p = axis.parameter
        assert (axis.value(0), axis.value(1)) == (p.low, p.high)
        assert axis.value(0.5) == pytest.approx(axis.middle) or axis.middle in (p.low, p.high)
        assert axis.middle == (2 if p.name == "fear" else p.default)
        grid = [axis.value(x) for x in np.linspace(0, 1, 21)]
        assert grid == sorted(grid)
        assert all(axis.value(axis.scaled(value)) == pytest.approx(value, rel=1e-3) for value in grid)


def test_settings_are_drawn_once_and_within_bounds() -> None:
    spec = parse_bot("planner")
    space = Space.of(spec, ["fear", "reach"])
    drawn = space.draw(40, np.random.default_rng(1))
    assert len({each.text for each in drawn}) == len(drawn) == 40
    for each in drawn:
        values = dict(zip((p.name for p in spec.policy.parameters), each.values, strict=True))
        for p in spec.policy.parameters:
            assert p.low <= values[p.name] <= p.high
            assert p.name in ("fear", "reach") or values[p.name] == p.default
            assert not p.whole or values[p.name] == int(values[p.name])


def test_a_gain_is_that_of_duels_on_the_same_walls() -> None:
    rules = load_rules("yuanhang")
    field = Field("planner", ("greedy",), (rules,), (17,))
    totals = field.play(["careful"], range(60), 1, None, False)
    found = gain_of("careful", totals, (1.0,))
    mine = []
    for bot in ("careful", "planner"):
        task = Task(rules, [bot, bot, "greedy", "greedy"], 360, 17, "balanced")
        records = play(task, 0, 360)
        mine.append((records["points"] * (records["bot"] < 2)).sum() / (2 * 360))
    assert found.value == pytest.approx(mine[0] - mine[1])
    assert found.n == 360
    assert field.cost(["careful"]) == 12


@pytest.mark.parametrize("method", ["racing", "cma"])
def test_the_same_search_twice_on_any_number_of_workers(method: str) -> None:
    if method == "cma":
        pytest.importorskip("cma")
    budget = SMALL["budget"] * (4 if method == "cma" else 1)
    args: dict[str, Any] = SMALL | {"budget": budget, "method": method, "seed": 3}
    one = tune("planner", "yuanhang", ["fear", "big"], workers=1, **args)
    assert one == tune("planner", "yuanhang", ["fear", "big"], workers=3, **args)
    assert one.hands <= budget * 1.2
    assert one.parameters == ("fear", "big")
    assert parse_bot(one.found).policy.name == "planner"
    assert one.best == (one.found if one.verdict == "better" else "planner")
    assert one.overfitting.value == pytest.approx(one.seen.value - one.gain.value)
    assert json.loads(json.dumps(one.to_dict(), allow_nan=False))
    assert "fresh walls" in str(one)
    if method == "racing":
        assert [t.round for t in one.trials] == [1, 1, 1, 1, 2, 2]
        assert sum(t.kept for t in one.trials) == 3


@pytest.fixture(scope="module")
def found() -> Tuning:
    """A bad bot, searched."""
    args = SMALL | {"budget": 40_000, "candidates": 8}
    return tune(BAD, "yuanhang", ["fear", "big", "hold"], **args, seed=1)


def test_a_bad_bot_is_made_better(found: Tuning) -> None:
    assert found.verdict == "better"
    assert found.gain.low > 0
    assert found.best == found.found != found.bot


def test_a_gain_that_hides_a_loss_is_not_to_be_used(found: Tuning) -> None:
    (gain,) = found.by_rules
    rules = (*found.rules, load_rules("qipi"))
    mixed = replace(found, rules=rules, by_rules=(gain, gain._replace(value=-2.0, low=-3.0, high=-1.0)))
    assert mixed.verdict == "better on average, but worse under qipi"
    assert mixed.best == found.bot
    shown_by_none = replace(mixed, by_rules=(gain, gain._replace(value=-2.0, low=-3.0, high=1.0)))
    assert shown_by_none.best == found.found


def test_faults_are_told_together() -> None:
    with pytest.raises(TuneError) as error:
        tune("planer", "yuanhan", budget=-1, method="x", seed=-2, opponents="nobody", candidates=1)
    assert len(error.value.faults) >= 6
    with pytest.raises(TuneError, match="no parameters"):
        tune("greedy", "yuanhang")
    with pytest.raises(TuneError, match=r"budget = 10, must be \d+ hands or more"):
        tune("planner", "yuanhang", budget=10)
    with pytest.raises(TuneError, match="is none of planner"):
        tune("planner", "yuanhang", ["feer"])


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["tune", "planner", "--parameters", "fear", "--opponents", "greedy", "--candidates", "3"]
    assert main([*words, "--budget", "4000", "--json", "--quiet"]) == 0
    printed = json.loads(capsys.readouterr().out)
    same = tune(
        "planner", "yuanhang", ["fear"], opponents="greedy", candidates=3, budget=4000, progress=False
    )
    assert printed == json.loads(json.dumps(same.to_dict()))
    assert main(["tune", "greedy", "--budget", "x", "--quiet"]) == 2
    assert "no parameters" in capsys.readouterr().err
