"""Comparisons of rules on common walls: sweep, solve and what-if."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats as scipy_stats

from wuhan_core.errors import FaultError
from wuhan_core.rules import load_rules
from wuhan_sim import (
    Solution,
    SolveError,
    SweepError,
    Task,
    analyze,
    sessions,
    simulate,
    solve,
    sweep,
    what_if,
)
from wuhan_sim.cli import main
from wuhan_sim.estimates import Estimate
from wuhan_sim.intervals import NONE_SEEN
from wuhan_sim.ruin import ruin_difference
from wuhan_sim.shards import play

HANDS = 1200
MIXED = "greedy,greedy,random,random"


def task(hands: int = HANDS, **fields: Any) -> Task:
    return Task("yuanhang", MIXED, hands, seed=2, **fields)


# ---- sweep -------------------------------------------------------------------------------------


def test_a_point_is_the_run_under_its_rules() -> None:
    swept = sweep(
        task(), {"cap.per_payer": [100, 250]}, ["capped_share", "swing", "points[greedy]"], progress=False
    )
    for point in (swept.base, *swept.points):
        assert point is not None
        table = simulate(Task(point.rules, MIXED, HANDS, seed=2), progress=False).table()
        for name, key in (
            ("capped_share", ("caps", "wins", "capped_share")),
            ("swing", ("caps", "hands", "swing")),
            ("points[greedy]", ("strategies", "greedy", "points")),
        ):
            row = table.set_index(["section", "of", "name"]).loc[[key]].iloc[0]
            found = point.metrics[name]
            assert (found.value, found.n) == (row["value"], row["n"])
            assert found.low == pytest.approx(row["low"], rel=0.02, abs=0.01)
            assert found.high == pytest.approx(row["high"], rel=0.02, abs=0.01)


def test_the_difference_is_that_of_the_walls() -> None:
    """Points and win sizes: a plain count over walls, the t interval of scipy where the ratio is a mean."""
    swept = sweep(task(), {"cap.per_payer": [100]}, ["swing", "points_cut"], progress=False)
    sides = [
        play(Task(load_rules("yuanhang", change), MIXED, HANDS, seed=2), 0, HANDS)
        for change in ({}, {"cap.per_payer": 100})
    ]
    swing = [np.maximum(side["points"], 0).sum(axis=1).reshape(-1, 4).sum(axis=1) / 4 for side in sides]
    less = swing[1] - swing[0]
    found = swept.points[0].difference["swing"]
    assert found.value == pytest.approx(less.mean())
    low, high = scipy_stats.t.interval(0.95, len(less) - 1, less.mean(), scipy_stats.sem(less))
    assert (found.low, found.high) == pytest.approx((low, high))

    # a difference of two ratios, linearised by hand
    y = [(s["owed"] - s["capped"]).sum(axis=1).reshape(-1, 4).sum(axis=1) for s in sides]
    x = [(s["outcome"] > 0).reshape(-1, 4).sum(axis=1) for s in sides]
    ratios = [a.sum() / b.sum() for a, b in zip(y, x, strict=True)]
    z = [(a - r * b) / b.sum() for a, b, r in zip(y, x, ratios, strict=True)]
    spread, walls = ((z[1] - z[0]) ** 2).sum(), HANDS // 4
    half = scipy_stats.t.ppf(0.975, walls - 1) * math.sqrt(spread * walls / (walls - 1))
    found = swept.points[0].difference["points_cut"]
    assert found.value == pytest.approx(ratios[1] - ratios[0])
    assert found.high - found.value == pytest.approx(half)


def test_the_same_rules_differ_by_nothing() -> None:
    swept = sweep(task(400), {"cap.per_payer": [300]}, skill=("greedy", "random"), progress=False)
    for name, less in swept.points[0].difference.items():
        assert less.value == 0, name
        if name != "ruin_share":  # taken as independent
            assert math.isnan(less.low) or less.low == less.high == 0


def test_what_differs_on_no_wall_is_not_shown_to_be_nothing() -> None:
    """Two qualifying types together are rare: with so few hands none differs, which bounds the difference."""
    swept = sweep(
        task(400), {"score.big_stacking": ["add"]}, ["big_share", "swing", "points_cut"], progress=False
    )
    less = swept.points[0].difference
    walls, most = 100, 3 * 400  # all three losers pay the golden cap
    assert {each.value for each in less.values()} == {0.0}
    assert less["big_share"].high == -less["big_share"].low == pytest.approx(math.log(40) / walls)
    assert less["swing"].high == -less["swing"].low == pytest.approx(most * math.log(40) / walls)
    assert math.isnan(less["points_cut"].low)  # nothing bounds what is owed
    assert all(each.method == NONE_SEEN for each in less.values())
    assert str(swept).count("none seen") == 3
    assert "None seen: the same on every wall" in str(swept)
    again = what_if(task(400), {"score.big_stacking": ["add"]}, ["big_share"], progress=False)
    assert again.points[0].difference["big_share"] == less["big_share"]


def test_skill_edge_is_twice_the_points_of_the_stronger_bot() -> None:
    swept = sweep(
        task(600),
        {"cap.per_payer": [150]},
        ["skill_edge", "luck_ratio", "hands_to_tell"],
        skill=("greedy", "random"),
        progress=False,
    )
    rules = load_rules("yuanhang", {"cap.per_payer": 150})
    duel = Task(rules, ["greedy", "greedy", "random", "random"], 600, seed=2, deal="balanced")
    records = play(duel, 0, 600)
    mine = records["points"][records["bot"] < 2]
    edge, ratio, tell = (
        swept.points[0].metrics[name] for name in ("skill_edge", "luck_ratio", "hands_to_tell")
    )
    assert edge.value == pytest.approx(2 * mine.mean())
    assert ratio.value == pytest.approx(mine.std() / mine.mean())
    assert tell.value == pytest.approx((1.96 * mine.std() / mine.mean()) ** 2)
    assert edge.low < edge.value < edge.high
    assert ratio.low < ratio.value < ratio.high


def test_an_edge_that_may_be_zero_needs_endless_hands() -> None:
    swept = sweep(
        task(24),
        {"cap.per_payer": [150]},
        ["luck_ratio", "hands_to_tell"],
        skill=("careful", "planner"),
        progress=False,
    )
    found = [point.metrics[name] for point in swept.points for name in ("luck_ratio", "hands_to_tell")]
    assert all(each.high == math.inf for each in found)
    assert "..inf)" in str(swept)
    assert (
        json.loads(json.dumps(swept.to_dict(), allow_nan=False))[1]["metrics"]["luck_ratio"]["high"] is None
    )


def test_ruin_is_that_of_sessions() -> None:
    swept = sweep(task(2000), {"cap.per_payer": [1000]}, ["ruin_share"], bankroll=400, progress=False)
    for point in (swept.base, *swept.points):
        assert point is not None
        played = sessions(Task(point.rules, MIXED, 2000, seed=2), 100, 400, 20, progress=False)
        table = played.table().set_index(["section", "name"]).loc[("sessions", "ruin_share"), :]
        assert point.metrics["ruin_share"][:4] == tuple(table[["value", "low", "high", "n"]])
    less = swept.points[0].difference["ruin_share"]
    assert less.low <= less.value <= less.high


def test_newcombe_interval_of_the_paper() -> None:
    """56 of 70 less 48 of 80 (Newcombe 1998, table II): method 10 from Wilson's intervals."""
    of = [scipy_stats.binomtest(k, n).proportion_ci(method="wilson") for k, n in ((56, 70), (48, 80))]
    here, there = (
        Estimate(k / n, ci.low, ci.high, n, "share", "")
        for (k, n), ci in zip(((56, 70), (48, 80)), of, strict=True)
    )
    found = ruin_difference(here, there)
    assert (round(found.value, 4), round(found.low, 4), round(found.high, 4)) == (0.2, 0.0524, 0.3339)


def test_the_answer_does_not_depend_on_the_workers() -> None:
    args = task(400), {"win.minimum_points": [0, 40]}, ["exhausted_share", "swing"]
    assert sweep(*args, workers=1, progress=False) == sweep(*args, workers=3, progress=False)


def test_faults_of_a_sweep_are_told_together() -> None:
    with pytest.raises(SweepError) as error:
        sweep(task(), {"cap.per_paye": [1], "cap.golden": [-1]}, ["foo", "ruin"], skill=("a", "greedy"))
    text = "\n".join(error.value.faults)
    assert "cap.per_paye" in text
    assert "cap.golden = -1" in text
    assert "unknown metric 'foo'" in text
    wrong: tuple[tuple[Any, str], ...] = (
        ({}, "empty"),
        ({"cap.golden": []}, "no values"),
        ({"cap.golden": [1, 1]}, "twice"),
        ({"deal.players": [2]}, "deal.players"),
        ({"cap.golden": range(300)}, "300 combinations"),
        ({"cap.golden": 300}, "cap.golden = 300, must be a list of values"),
        ({"score.open": "once"}, "score.open = 'once', must be a list of values"),
        (["cap.golden"], "must be a mapping"),
    )
    for vary, words in wrong:
        for compare in (sweep, what_if):
            with pytest.raises(SweepError, match=words):
                compare(task(), vary)


def test_what_is_no_task_metric_or_bot_is_refused() -> None:
    caps: Any = {"cap.per_payer": [1]}
    text: Any = "planner,greedy"
    number: Any = 3
    listed: Any = []
    for words, asked in (
        ("task = 'planner,greedy', must be a Task", lambda: sweep(text, caps)),
        ("task = 'planner,greedy', must be a Task", lambda: solve(text, "cap.per_payer", 1, 2, "turns", 3)),
        ("task = 'planner,greedy', must be a Task", lambda: analyze(text)),
        ("metrics = 'planner,greedy', must be a list", lambda: sweep(task(), caps, text)),
        (r"metrics = \[3\], must be a list", lambda: what_if(task(), caps, [number])),
        ("metric = 3, must be a name", lambda: solve(task(), "cap.per_payer", 1, 2, number, 3)),
        (r"option = \[\], must be an option", lambda: solve(task(), listed, 1, 2, "turns", 3)),
        ("skill = 'planner,greedy', must be two", lambda: sweep(task(), caps, skill=text)),
        (r"(?s)workers = 0.*skill = \[\]", lambda: sweep(task(), caps, skill=listed, workers=0)),
    ):
        with pytest.raises(FaultError, match=words):
            asked()


# ---- solve -------------------------------------------------------------------------------------


def test_solve_finds_where_the_metric_crosses() -> None:
    found = solve(task(2000), "cap.per_payer", 50, 1000, "capped_share", 0.3, progress=False)
    at = {value: estimate.value for value, estimate in found.tried.items()}
    assert abs(at[found.value] - 0.3) == min(abs(value - 0.3) for value in at.values())
    assert found.low <= found.value <= found.high
    for end in (found.low, found.high):  # the ends are on the boundary of what cannot be told from the target
        assert found.tried[end].low <= 0.3 <= found.tried[end].high or end == found.value
    assert json.loads(json.dumps(found.to_dict()))["metric"] == "capped_share"
    assert "cap.per_payer" in str(found)


def test_numbers_of_numpy_are_numbers() -> None:
    many: Any = {"cap.per_payer": np.array([100, 200])}
    for compare in (sweep, what_if):
        found = compare(task(200), many, ["turns"], progress=False)
        assert found.vary == {"cap.per_payer": (100, 200)}
        assert json.loads(json.dumps(found.to_dict())) == found.to_dict()
    low, high, target = np.int64(500), np.float32(520), np.float64(0.26)
    mine: Any = (low, high, "capped_share", target)
    found_value = solve(task(400), "cap.per_payer", *mine, progress=False)
    assert found_value == solve(task(400), "cap.per_payer", 500, 520, "capped_share", 0.26, progress=False)
    assert json.loads(json.dumps(found_value.to_dict())) == found_value.to_dict()
    chance: Any = np.float32(0.5)
    assert sessions(task(4), 2, 500, 8, flee=chance, progress=False).plan.flee == 0.5


def test_a_target_that_the_metric_jumps_over_is_told() -> None:
    """Shares are doubled: caps from 257 to 511 cut the same wins, and one of 512 fewer."""
    found = solve(task(4000), "cap.per_payer", 500, 520, "capped_share", 0.26, progress=False)
    assert found.jumps
    assert found.between == (511, 512)
    assert str(found).startswith("capped_share = 26 % at no cap.per_payer: it jumps from 32.3 % (")
    assert found.to_dict()["jumps"] is True
    assert found.to_dict()["between"] == [511, 512]
    near = solve(task(4000), "cap.per_payer", 500, 520, "capped_share", 0.2, progress=False)
    assert not near.jumps  # what 512 gives cannot be told from it
    assert str(near).startswith("capped_share = 20 % at cap.per_payer = 512 (512..")


def test_a_target_out_of_reach_is_told() -> None:
    with pytest.raises(SolveError, match=r"does not reach 99\.9 % between: cap\.per_payer = 100: \d\d %"):
        solve(task(200), "cap.per_payer", 100, 200, "capped_share", 0.999, progress=False)
    with pytest.raises(SolveError) as error:
        solve(task(200), "cap.per_payer", 200.5, 100, "capped_share", math.nan)
    assert len(error.value.faults) == 2
    for wanted in (3, -0.5):
        with pytest.raises(SolveError, match=r"target = [-0-9.]+%, must be from 0% to 100%: capped_share is"):
            solve(task(2**40), "cap.per_payer", 100, 200, "capped_share", wanted)  # at once
    with pytest.raises(SolveError, match=r"metric points names points\[greedy\], .*must name one") as error:
        solve(task(2**40), "cap.per_payer", 200, 100, "points", 3)  # at once, with the other fault
    assert len(error.value.faults) == 2
    with pytest.raises(SolveError, match="has no numbers"):
        solve(task(200), "score.open", 1, 2, "capped_share", 0.1)


def test_a_target_that_so_few_hands_say_nothing_of_is_told() -> None:
    with pytest.raises(SolveError, match=r"at cap\.per_payer = 50: 4 hands are too few, play more$"):
        solve(task(4), "cap.per_payer", 50, 1000, "swing", 400, progress=False)


def test_what_may_be_infinite_is_null_in_the_json_of_solve() -> None:
    """The luck ratio is, where the stronger bot may be no better."""
    tried = {
        100.0: Estimate(51.0, 5.0, math.inf, 96, "times", ""),
        101.0: Estimate(158.0, 5.1, math.inf, 96, "times", ""),
    }
    found = Solution(
        task(96), "cap.per_payer", "luck_ratio", 99, 100, 100, 101, (100, 101), tried, (True, True)
    )
    told = json.loads(json.dumps(found.to_dict(), allow_nan=False))["tried"]
    assert told[0] == {"at": 100, "value": 51.0, "low": 5.0, "high": None, "n": 96}


# ---- what-if -----------------------------------------------------------------------------------


def test_records_and_replayed_hands_say_the_same(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    vary = {"cap.per_payer": [100, 250, 1200], "cap.golden": [0, 400]}  # above golden, readings change
    simulate(task(), out=tmp_path / "kept", keep_records=True, progress=False, shard_hands=500)
    simulate(task(), out=tmp_path / "sums", progress=False)
    kept = what_if(tmp_path / "kept", vary, progress=False)
    assert kept == what_if(tmp_path / "sums", vary, progress=False) == what_if(task(), vary, progress=False)
    assert not kept.notes


def test_bots_that_do_not_weigh_points_play_the_same_game_again() -> None:
    """Where only caps above the minimum change, greedy bots play alike: what-if is the sweep, to the bit."""
    vary = {"cap.per_payer": [100, 250], "score.big_base": [10]}
    names = ["capped_share", "swing", "points"]
    again = what_if(task(), vary, names, progress=False)
    played = sweep(task(), vary, names, progress=False)
    assert [p.metrics for p in again.points] == [p.metrics for p in played.points]
    assert [p.difference for p in again.points] == [p.difference for p in played.points]


def test_more_rule_sets_than_one_go_takes() -> None:
    values = list(range(100, 180))
    found = what_if(task(40), {"cap.per_payer": values}, ["swing"], progress=False)
    assert [point.set["cap.per_payer"] for point in found.points] == values
    alone = what_if(task(40), {"cap.per_payer": [179]}, ["swing"], progress=False)
    assert alone.points[0].metrics == found.points[-1].metrics


def test_another_minimum_may_have_changed_play() -> None:
    found = what_if(task(), {"win.minimum_points": [60]}, ["big_share", "swing"], progress=False)
    assert found.notes
    assert "Play may have differed" in str(found)
    assert found.points[0].metrics["swing"].value < found.base.metrics["swing"].value  # type: ignore[union-attr]
    with pytest.raises(SweepError, match="changes more than points"):
        what_if(task(), {"wild.skin_kinds": [1]})


def test_hands_of_a_run_that_stopped_early_have_intervals_of_a_sequence(tmp_path: Path) -> None:
    run = simulate(task(9000), out=tmp_path, until="exhausted_share<5%", progress=False)
    assert run.looks is not None
    vary: Any = {"cap.per_payer": [100, 300]}
    looked, fixed = (what_if(each, vary, ["capped_share"], progress=False) for each in (tmp_path, run.task))
    table = run.table().set_index(["section", "of", "name"])
    assert looked.base is not None
    assert tuple(looked.base.metrics["capped_share"]) == tuple(
        table.loc[[("caps", "wins", "capped_share")]].iloc[0]
    )
    mine, other = (each.points[0].difference["capped_share"] for each in (looked, fixed))
    assert mine.value == other.value
    walls = run.walls
    wider = run.looks.quantile(walls, walls - 1) / scipy_stats.t.ppf(0.975, walls - 1)
    assert mine.half == pytest.approx(wider * other.half)
    assert 1.3 < wider < 3
    assert "valid at every look" in mine.method
    assert (
        looked.points[1].difference["capped_share"] == fixed.points[1].difference["capped_share"]
    )  # the base
    for text in (str(looked), looked._repr_html_()):
        assert "95 % confidence sequences" in text
    assert "95 % confidence sequences" not in str(fixed)


# ---- the commands ------------------------------------------------------------------------------


def test_commands_print_what_the_functions_say(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    common = ["--bots", MIXED, "--hands", "400", "--seed", "2", "--quiet"]
    assert main(["sweep", *common, "--vary", "cap.per_payer=100,200", "--metrics", "swing", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    swept = sweep(task(400), {"cap.per_payer": [100, 200]}, ["swing"], progress=False)
    assert printed == json.loads(json.dumps(swept.to_dict()))
    assert [row["set"] for row in printed] == [{}, {"cap.per_payer": 100}, {"cap.per_payer": 200}]
    assert set(printed[1]["difference"]["swing"]) == {"value", "low", "high", "n"}

    solving = ["--option", "cap.per_payer=50:1000", "--metric", "capped_share", "--target", "30%"]
    assert main(["solve", *common, *solving, "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert {"value", "low", "high", "metric"} <= printed.keys()

    simulate(task(400), out=tmp_path / "run", progress=False)
    assert main(["what-if", str(tmp_path / "run"), "--cap", "100:300:100", "--quiet", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert [row["set"] for row in printed] == [{}, *({"cap.per_payer": cap} for cap in (100, 200, 300))]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["sweep"], "--vary OPTION=VALUES is missing"),
        (["sweep", "--vary", "cap.per_payer"], "must be OPTION=VALUES"),
        (["sweep", "--vary", "cap.per_payer=500:100:50"], "low first"),
        (["sweep", "--vary", "cap.per_payer=1", "--vary", "cap.per_payer=2"], "given twice"),
        (["sweep", "--vary", "cap.per_payer=1", "--skill", "greedy"], "must be two bots"),
        (["solve", "--option", "x", "--metric", "swing", "--target", "y"], "OPTION=LOW:HIGH"),
        (
            ["solve", "--option", "cap.per_payer=1000:50", "--metric", "swing", "--target", "9"],
            "low = 1000, high = 50: low must be below high",
        ),
        (
            ["solve", "--option", "cap.per_payer=50:1000", "--metric", "swing", "--target", "9%"],
            "--target 9%, but per cent are for shares, and swing is in points per hand",
        ),
        (["what-if", "nowhere", "--cap", "100:200:50"], "nowhere"),
        (["what-if", "nowhere"], "is missing"),
    ],
)
def test_bad_arguments(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*arguments, "--quiet"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert words in captured.err
