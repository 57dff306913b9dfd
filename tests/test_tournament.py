"""Tournaments: each pair is its duel, errors are corrected for their number, pictures and commands."""

from __future__ import annotations

import importlib
import json
import math
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats as scipy_stats

from wuhan_core import Action
from wuhan_sim import plot_style, plots
from wuhan_sim.cli import main
from wuhan_sim.duel import duel
from wuhan_sim.tournament import Tournament, TournamentError, holm, tournament

Capture = pytest.CaptureFixture[str]
HANDS = 600


class First:
    """Answers with the first thing it may do."""

    def act(self, observation: object, legal: list[Action]) -> Action:
        return legal[0]


class Last:
    def act(self, observation: object, legal: list[Action]) -> Action:
        return legal[-1]


BOTS = ["greedy", "random", Last]


@pytest.fixture(scope="module")
def played() -> Tournament:
    return tournament("yuanhang", BOTS, HANDS, 3, workers=1, progress=False)


def test_each_pair_is_its_duel_on_the_same_walls(played: Tournament) -> None:
    rows = played.table.to_dict("records")
    assert [(row["a"], row["b"]) for row in rows] == list(combinations(played.bots, 2))
    for row, (a, b) in zip(rows, combinations(BOTS, 2), strict=True):
        alone = duel("yuanhang", a, b, HANDS, 3, workers=1, progress=False)
        assert row["value"] == alone.difference.value
        assert row["n"] == HANDS
        # the simultaneous interval is that of the duel for a smaller share
        walls = alone.walls
        wider = scipy_stats.t.ppf(1 - 0.025 / 3, walls - 1) / scipy_stats.t.ppf(0.975, walls - 1)
        width = alone.difference.high - alone.difference.low
        if a == "greedy":  # the others hardly ever win: skewness widens all the more
            assert row["high"] - row["low"] == pytest.approx(wider * width, rel=0.1)
        assert row["high"] - row["low"] >= 0.98 * wider * width
        assert alone.task in played.tasks


def test_p_values_are_those_of_students_t_over_walls_corrected(played: Tournament) -> None:
    raw = []
    for a, b in combinations(BOTS, 2):
        one = duel("yuanhang", a, b, HANDS, 3, progress=False)
        sums, products = one.totals.sums, one.totals.products
        mean = sums["difference"] / one.walls
        spread = (products["difference", "difference"] - one.walls * mean**2) / (one.walls - 1)
        score = mean / math.sqrt(spread / one.walls)
        raw.append(2 * scipy_stats.t.sf(abs(score), one.walls - 1))
    assert played.table["p"].tolist() == pytest.approx(holm(raw).tolist(), rel=1e-6)


def test_the_ranking_is_by_the_mean_against_all_others(played: Tournament) -> None:
    value = {(row["a"], row["b"]): row["value"] for row in played.table.to_dict("records")}
    value |= {(b, a): -v for (a, b), v in value.items()}
    ranking = played.ranking
    assert ranking["rank"].tolist() == [1, 2, 3]
    for row in ranking.to_dict("records"):
        others = [bot for bot in played.bots if bot != row["bot"]]
        assert row["value"] == pytest.approx(np.mean([value[row["bot"], other] for other in others]))
        assert row["low"] < row["value"] < row["high"]
    assert ranking["value"].is_monotonic_decreasing
    assert ranking["value"].sum() == pytest.approx(0, abs=1e-9)


def test_the_ranking_has_the_interval_of_wall_means() -> None:
    found = tournament("yuanhang", ["greedy", "random"], HANDS, 3, progress=False)
    alone = duel("yuanhang", "greedy", "random", HANDS, 3, progress=False).difference
    best = found.ranking.iloc[0]
    assert (best["value"], best["low"], best["high"]) == (alone.value, alone.low, alone.high)
    assert found.table["low"][0] == alone.low  # one pair: nothing to correct


def test_workers_and_the_order_of_the_bots_change_nothing(played: Tournament) -> None:
    other = tournament("yuanhang", BOTS, HANDS, 3, workers=2, progress=False)
    assert other.totals == played.totals
    turned = tournament("yuanhang", BOTS[::-1], HANDS, 3, progress=False)
    pd.testing.assert_frame_equal(turned.ranking, played.ranking)


# p-values worked out by hand: sorted, times k, k-1, ..., each at least the one before, at most 1
@pytest.mark.parametrize(
    ("p", "corrected"),
    [
        ([0.01, 0.04, 0.03, 0.005], [0.03, 0.06, 0.06, 0.02]),
        ([0.02], [0.02]),
        ([0.5, 0.6], [1.0, 1.0]),
        ([0.001, 0.02, 0.02], [0.003, 0.04, 0.04]),
        ([0.0, 1.0], [0.0, 1.0]),
        ([0.01, 0.015, 0.016], [0.03, 0.03, 0.03]),
        ([], []),
    ],
)
def test_holm_by_hand(p: list[float], corrected: list[float]) -> None:
    assert holm(p).tolist() == pytest.approx(corrected)


def test_holm_by_its_definition() -> None:
    """Hypotheses are refuted from the smallest p on while p <= alpha / (those left)."""
    rng = np.random.default_rng(1)
    for _ in range(200):
        p = rng.uniform(0, 0.1, rng.integers(1, 8))
        for alpha in (0.01, 0.05, 0.2):
            left, refuted = sorted(range(len(p)), key=lambda i: p[i]), set()
            while left and p[left[0]] <= alpha / len(left):
                refuted.add(left.pop(0))
            assert {i for i, value in enumerate(holm(p)) if value <= alpha} == refuted


def test_a_comparison_that_says_nothing_counts_and_stays_unknown() -> None:
    adjusted = holm([0.02, math.nan])
    assert adjusted[0] == 0.04
    assert math.isnan(adjusted[1])


def test_text_html_and_json(played: Tournament) -> None:
    fields = json.loads(json.dumps(played.to_dict(), allow_nan=False))
    assert len(fields["differences"]) == len(fields["tasks"]) == 3
    assert {"a", "b", "value", "low", "high", "n", "p"} <= set(fields["differences"][0])
    assert [row["bot"] for row in fields["ranking"]] == played.ranking["bot"].tolist()
    for text in (str(played), played._repr_html_()):
        for word in ("greedy less random", "1. greedy", "Holm", "Bonferroni", "same 100 walls"):
            assert word in text
    one_wall = tournament("yuanhang", ["greedy", "random"], 1, progress=False)
    assert json.loads(json.dumps(one_wall.to_dict(), allow_nan=False))["differences"][0]["p"] is None
    assert "6 hands (1 hand asked for, rounded up" in str(one_wall)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"bots": ["greedy"]}, ["bots = ['greedy']", "two or more"]),
        ({"bots": []}, ["two or more"]),
        ({"bots": 7}, ["bots = 7"]),
        ({"bots": "greedy,random,greedy"}, ["'greedy' is given twice"]),
        ({"bots": [Last, Last()]}, ["given twice", "one class"]),
        ({"bots": ["greedi", "randon", "greedy"]}, ["greedi", "randon"]),
        (
            {"hands": 0, "seed": -1, "rules": "yuan", "draws": "z"},
            ["hands = 0", "seed = -1", "yuan", "draws"],
        ),
        ({"workers": 0, "bots": ["greedy"]}, ["workers = 0", "two or more"]),
    ],
)
def test_every_fault_is_named(fields: dict[str, Any], words: list[str]) -> None:
    given: dict[str, Any] = {"rules": "yuanhang", "bots": "greedy,random", "hands": 12, **fields}
    with pytest.raises(TournamentError) as caught:
        tournament(**given, progress=False)
    for word in words:
        assert word in str(caught.value)


# ---- pictures ----------------------------------------------------------------------------------


def test_the_matrix_shows_every_difference_both_ways(played: Tournament, tmp_path: Path) -> None:
    figure = importlib.import_module("matplotlib.figure").Figure()
    axes = figure.subplots()
    assert plots.matrix(played, axes) is axes
    order = played.ranking["bot"].tolist()
    shown = axes.images[0].get_array()
    assert shown is not None
    image = np.ma.filled(shown, np.nan)
    for row in played.table.to_dict("records"):
        i, j = order.index(row["a"]), order.index(row["b"])
        assert (image[i, j], image[j, i]) == (row["value"], -row["value"])
    assert sum("*" in text.get_text() for text in axes.texts) == 2 * int((played.table["p"] < 0.05).sum())
    plot_style.save(played.plot, plots.matrix_size(played), str(tmp_path / "t.svg"))
    assert (tmp_path / "t.svg").read_text().startswith("<?xml")


def test_the_forest_has_a_line_for_every_part(tmp_path: Path) -> None:
    found = duel("yuanhang", "greedy", "random", HANDS, 3, progress=False)
    figure = importlib.import_module("matplotlib.figure").Figure()
    axes = found.plot(figure.subplots())
    labels = [label.get_text() for label in axes.get_yticklabels()]
    parts = found.split[(found.split["value"] != 0) | (found.split["low"] < found.split["high"])]
    assert len(labels) == 1 + 3 + len(parts)
    assert {"difference", "won by self-draw", "greedy deals"} <= set(labels)
    ends = [np.asarray(line.get_xdata()) for line in axes.lines]
    spans = [pair for pair in ends if len(pair) == 2]
    assert list(spans[0]) == [found.difference.low, found.difference.high]
    for size in (1, HANDS):
        small = duel("hongzhong-2p", "greedy", "random", size, progress=False)
        plot_style.save(small.plot, plots.forest_size(small), str(tmp_path / "d.png"))
    assert (tmp_path / "d.png").read_bytes()[:4] == b"\x89PNG"


def test_without_axes_new_ones_are_made(played: Tournament) -> None:
    pyplot = importlib.import_module("matplotlib.pyplot")
    with pyplot.rc_context({"backend": "agg"}):
        axes = played.plot()
        figure: Any = axes.figure
        assert figure.get_size_inches().tolist() == list(plots.matrix_size(played))
        pyplot.close(figure)


def test_without_matplotlib_it_is_asked_for(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    def absent(name: str) -> object:
        raise ImportError(name)

    monkeypatch.setattr(importlib, "import_module", absent)
    assert main(["duel", "greedy", "random", "--hands", "6", "--picture", "x.png"]) == 2
    assert 'pip install "wuhan-core[plots]"' in capsys.readouterr().err


# ---- the commands ------------------------------------------------------------------------------


def test_the_command_tournament(capsys: Capture, tmp_path: Path) -> None:
    picture = tmp_path / "t.png"
    words = ["tournament", "greedy", "random", "planner", "--hands", "12", "--quiet"]
    assert main([*words, "--json", "--picture", str(picture)]) == 0
    out = capsys.readouterr()
    fields = json.loads(out.out)
    again = tournament("yuanhang", ["greedy", "random", "planner"], 12, progress=False)
    assert fields == json.loads(json.dumps(again.to_dict()))
    assert picture.read_bytes()[:4] == b"\x89PNG"
    assert main(words) == 0
    assert capsys.readouterr().out == f"{again}\n"


def test_the_command_duel(capsys: Capture, tmp_path: Path) -> None:
    words = ["duel", "greedy", "random", "--hands", "24", "--quiet", "--set", "cap.per_payer=200"]
    more = ["--seats", "1-3", "--draws", "wall", "--seed", "5"]
    assert main([*words, *more, "--json"]) == 0
    fields = json.loads(capsys.readouterr().out)
    assert {"value", "low", "high", "n"} <= set(fields["difference"])
    assert fields["task"]["rules"]["values"]["cap.per_payer"] == 200
    assert (fields["seats"], fields["task"]["draws"], fields["task"]["seed"]) == ([1, 3], "wall", 5)
    assert fields["task"]["deal"] == "balanced"
    assert main(["duel", "greedy", "random", "--hands", "12000", "--until", "points<30", "--quiet"]) == 0
    out = capsys.readouterr().out
    assert "Stopped at a look, of at most 12,000 hands: points<30 is met." in out


@pytest.mark.parametrize(
    ("words", "faults"),
    [
        (["duel", "greedy", "greedy"], ["another bot"]),
        (["duel", "greedy", "random", "--hands", "x", "--seed", "-1"], ["hands = 'x'", "seed = -1"]),
        (["duel", "greedy", "random", "--until", "turns<1"], ["unknown metric 'turns'"]),
        (["duel", "greedy", "random", "--picture", "a.foo"], ["picture = 'a.foo'"]),
        (["duel", "greedy", "random", "--picture", "no/such.png"], ["in a folder that is there"]),
        (["duel", "greedy", "randon", "--set", "cap.per_payr=1"], ["randon", "cap.per_payr"]),
        (["tournament", "greedy"], ["two or more"]),
        (["tournament", "greedy", "random", "greedy", "--workers", "0"], ["given twice", "workers = 0"]),
    ],
)
def test_faults_on_the_command_line(capsys: Capture, words: list[str], faults: list[str]) -> None:
    assert main(words) == 2
    out = capsys.readouterr()
    assert out.out == ""
    for fault in faults:
        assert fault in out.err
