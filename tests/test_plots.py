"""Pictures: what is drawn is what the tables say, with all intervals; and they look as they did."""

import logging
from collections.abc import Callable, Iterator
from typing import Any

import matplotlib
import numpy as np
import pytest
from matplotlib.container import ErrorbarContainer
from matplotlib.figure import Figure

import pictures
from wuhan_core.errors import FaultError
from wuhan_sim import Task, analyze, play_records, plot_style, plots, plots_run, plots_sweep, simulate, sweep
from wuhan_sim.duel_show import label
from wuhan_sim.plots_sweep import CurveError

TOLERANCE = 6.0  # of 255: other versions of matplotlib draw letters a little otherwise


@pytest.fixture
def ax() -> Iterator[Any]:
    with matplotlib.rc_context(pictures.PLAIN):
        yield Figure((6, 4)).subplots()


def bars(ax: Any) -> list[np.ndarray[Any, Any]]:
    """The ends of the error bars of each series: (n, 2, 2)."""
    found = [each for each in ax.containers if isinstance(each, ErrorbarContainer)]
    return [np.array(each.lines[2][0].get_segments()) for each in found]


# ---- they look as they did


@pytest.mark.parametrize("name", pictures.DRAWN)
def test_the_picture_is_the_one_that_was_looked_at(name: str) -> None:
    assert pictures.distance(pictures.drawn(name), pictures.reference(name)) < TOLERANCE


def test_another_picture_is_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the same kind and size, of other hands: the least that the comparison must see."""
    other = simulate(Task("yuanhang", ["greedy", "random", "random", "random"], 4000, 7), workers=1)
    size = pictures.DRAWN["bots"][1]
    monkeypatch.setitem(pictures.DRAWN, "bots", (lambda ax: plots_run.bots(other, ax), size))
    assert pictures.distance(pictures.drawn("bots"), pictures.reference("bots")) > 1.5 * TOLERANCE
    for name, picture in (("ready", "wins"), ("wins", "deal_ins"), ("cap_curves", "difference")):
        assert pictures.distance(pictures.reference(name), pictures.reference(picture)) > 1.5 * TOLERANCE
    assert pictures.distance(pictures.reference("ready"), pictures.reference("bots")) == float("inf")


def test_drawing_twice_gives_the_same_picture() -> None:
    assert np.array_equal(pictures.drawn("points"), pictures.drawn("points"))


# ---- what is drawn


@pytest.mark.parametrize("of", ["hands", "wins"])
def test_shares_stand_where_the_table_has_them(ax: Any, of: Any) -> None:
    result = pictures.result()
    assert plots_run.frequencies(result, ax, of=of) is ax
    table = result.frequencies()
    rows = table[(table["of"] == of) & (table["unit"] == "share") & (table["low"] < table["high"])]
    rows = rows[rows["name"].isin(["exhausted", "self_draw", "discard", "rob_kong"]) == (of == "hands")]
    (segments,) = bars(ax)
    assert segments[:, 0, 0] == pytest.approx(100 * rows["low"].to_numpy())
    assert segments[:, 1, 0] == pytest.approx(100 * rows["high"].to_numpy())
    assert len(ax.get_yticklabels()) == len(rows) == len(ax.texts)
    assert "95 %" in ax.get_xlabel()


def test_gains_and_caps_stand_where_the_table_has_them() -> None:
    result = pictures.result()
    table = result.table()
    seats = table[(table["section"] == "seats") & (table["name"] == "points")]
    bots = table[(table["section"] == "strategies") & (table["name"] == "points")]
    capped = table[(table["name"] == "capped_share") & table["value"].notna() & (table["method"] != "fixed")]
    capped = capped[capped["low"] < capped["high"]]
    for draw, rows, scale in (
        (plots_run.seats, seats, 1),
        (plots_run.bots, bots, 1),
        (plots_run.capped, capped, 100),
    ):
        ax = draw(result, Figure().subplots())
        (segments,) = bars(ax)
        assert segments[:, 0, 0] == pytest.approx(scale * rows["low"].to_numpy())
        assert segments[:, 1, 0] == pytest.approx(scale * rows["high"].to_numpy())


def test_the_distribution_counts_every_win_and_its_bars_hold_their_shares(ax: Any) -> None:
    """The bars, counted again from the records; their intervals are no narrower than for single draws."""
    records = play_records(pictures.TASK)
    won = records["outcome"] > 0
    plots_run.points(pictures.analysis(), ax)
    stairs = {}
    for patch in ax.patches:
        values, edges, _ = patch.get_data()
        stairs[patch.get_linestyle(), patch.get_fill()] = values, edges
    owed, edges = stairs["-", False]
    paid, _ = stairs["--", False]
    for values, name in ((owed, "owed"), (paid, "capped")):
        sums = records[name].sum(axis=1)[won]
        counts = np.histogram(sums, edges)[0]
        assert counts.sum() == len(sums)
        assert values == pytest.approx(100 * counts / len(sums))
    for segments, values in zip(bars(ax), (owed, paid), strict=True):
        low, high = segments[:, 0, 1], segments[:, 1, 1]
        seen = values[values > 0]
        assert (low < seen).all()
        assert (high > seen).all()
        plain = 100 * 1.96 * np.sqrt(seen / 100 * (1 - seen / 100) / won.sum())
        assert ((high - low) / 2 >= 0.99 * plain).all()
    assert plots_run.cap_edges(pictures.TASK.rules) == [("cap", 900), ("golden", 1200)]
    lines = [line.get_xdata()[0] for line in ax.lines if len(set(line.get_xdata())) == 1]
    assert {900, 1200} <= set(lines)


@pytest.mark.parametrize("what", ["ready", "wins", "deal_ins"])
def test_turns_are_counted_again_from_the_records(ax: Any, what: Any) -> None:
    plots_run.turns(pictures.analysis(), ax, what=what)
    records = play_records(pictures.TASK)
    seat = np.arange(4)
    turns = np.broadcast_to(records["turns"][:, None].astype(int), (len(records), 4))
    if what == "ready":
        rounds, there = records["ready_turn"].astype(int) // 4, records["ready_turn"] >= 0
    else:
        who = "winner" if what == "wins" else "loser"
        there = records[who][:, None] == seat
        if what == "deal_ins":
            there &= records["outcome"][:, None] == 2
        rounds = turns // 4
    for line, bots in zip(ax.lines, ((0, 1, 2), (3,)), strict=True):
        mine = np.isin(records["bot"], bots)
        counts = np.bincount(np.minimum(rounds[mine & there], 23), minlength=24)
        assert line.get_ydata() == pytest.approx(100 * counts / mine.sum())
    assert len(ax.collections) == 2  # a band each


def test_curves_have_the_sweeps_figures(ax: Any) -> None:
    curve = pictures.curve()
    plots_sweep.cap_curves(curve, ax)
    for segments, metric in zip(bars(ax), ("capped_share", "golden_share"), strict=True):
        found = [point.metrics[metric] for point in curve.points]
        assert segments[:, 0].tolist() == pytest.approx(
            np.array(
                [(cap, 100 * each.low) for cap, each in zip((100, 200, 300, 600, 1000), found, strict=True)]
            )
        )
        assert segments[:, 1, 1] == pytest.approx([100 * each.high for each in found])
    grid = pictures.grid()
    ax = plots_sweep.sweep_curve(grid, "swing", "score.hard", Figure().subplots())
    assert len(bars(ax)) == 3
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert labels == ["cap.per_payer=100", "cap.per_payer=300", "cap.per_payer=600"]
    less = plots_sweep.sweep_curve(curve, "capped_share", ax=Figure().subplots(), difference=True)
    assert bars(less)[0][:, 0, 1] == pytest.approx(
        [100 * point.difference["capped_share"].low for point in curve.points]
    )


def test_values_that_are_no_numbers_stand_side_by_side(ax: Any) -> None:
    task = Task("yuanhang", "greedy", 40)
    option = "claims.discard_win"
    found = sweep(task, {option: [True, False]}, ["swing"], workers=1, progress=False)
    plots_sweep.sweep_curve(found, "swing", ax=ax)
    assert [label.get_text() for label in ax.get_xticklabels()] == ["true", "false"]
    assert option in ax.get_xlabel()


def test_the_heat_map_has_a_cell_for_every_point(ax: Any) -> None:
    grid = pictures.grid()
    plots_sweep.sweep_heat(grid, "capped_share", ("score.hard", "cap.per_payer"), ax)
    image = np.ma.getdata(ax.images[0].get_array())
    for point in grid.points:
        row, column = (100, 300, 600).index(point.set["cap.per_payer"]), (1, 2).index(point.set["score.hard"])
        assert image[row, column] == 100 * point.metrics["capped_share"].value
    assert len(ax.texts) == len(grid.points)
    assert all(".." in text.get_text() for text in ax.texts)  # its interval


def test_the_fan_and_the_ruin_have_the_tables_figures(ax: Any) -> None:
    evenings = pictures.evenings()
    plots_sweep.fan(evenings, "random", ax)
    table = evenings.fan()
    table = table[table["of"] == "random"]
    median = table[table["quantile"] == 0.5]
    assert list(ax.lines[0].get_ydata()) == median["value"].tolist()
    assert len(bars(ax)) == table["quantile"].nunique()
    for segments, (_, part) in zip(bars(ax), table.groupby("quantile"), strict=True):
        assert segments[-1, :, 1].tolist() == pytest.approx([part["low"].iloc[-1], part["high"].iloc[-1]])
    ax = plots_sweep.ruin(evenings, Figure().subplots())
    curve = evenings.ruin_curve()
    for line, (_, part) in zip(ax.lines, curve.groupby("of", sort=False), strict=True):
        assert list(line.get_ydata()) == pytest.approx((100 * part["value"]).tolist())
    assert len(ax.collections) == 2


def test_hands_without_a_win_are_drawn(ax: Any) -> None:
    task = Task("yuanhang", "random", 4)
    assert (play_records(task)["outcome"] == 0).all(), "choose another seed"
    result = simulate(task, workers=1, progress=False)
    found = analyze(task, workers=1, progress=False)
    draw: Callable[[Any], object]
    for draw in (
        lambda ax: plots_run.frequencies(result, ax),
        lambda ax: plots_run.frequencies(result, ax, of="wins"),
        lambda ax: plots_run.points(found, ax),
        lambda ax: plots_run.capped(result, ax),
        lambda ax: plots_run.bots(result, ax),
        lambda ax: plots_run.turns(found, ax),
    ):
        figure = Figure((5.6, 3.7), layout="constrained")
        draw(figure.subplots())
        figure.canvas.draw()


# ---- faults and languages


def test_caps_beyond_what_was_won_are_left_out_of_the_picture(ax: Any) -> None:
    """Words far off the axis leave the picture itself no room."""
    plots_run.points(analyze(Task("yuanhang", "greedy", 1, seed=0), 1, progress=False), ax)
    left, right = ax.get_xlim()
    assert all(left <= text.xy[0] <= right for text in ax.texts)


def test_what_a_sweep_does_not_have_is_named(ax: Any) -> None:
    grid, curve = pictures.grid(), pictures.curve()
    draw: Callable[[], object]
    for draw, words in (
        (lambda: plots_sweep.sweep_curve(grid, "none", "nowhere", ax), ("'none'", "'nowhere'", "swing")),
        (lambda: plots_sweep.sweep_heat(grid, "swing", ("score.hard", "score.open"), ax), ("score.open",)),
        (lambda: plots_sweep.sweep_heat(curve, "capped_share", ax=ax), ("cap.per_payer",)),
        (lambda: plots_sweep.cap_curves(grid, ax), ("cap.per_payer alone",)),
        (lambda: plots_sweep.cap_curves(curve, ax, metrics=["swing"]), ("swing",)),
        (lambda: plots_sweep.fan(pictures.evenings(), "nobody", ax), ("'nobody'", "greedy")),
    ):
        with pytest.raises(CurveError) as caught:
            draw()
        assert isinstance(caught.value, FaultError)
        for word in words:
            assert word in str(caught.value)
    with pytest.raises(ValueError, match="lang = 'de', must be en or zh"):
        plots_run.bots(pictures.result(), ax, lang="de")  # type: ignore[arg-type]


def test_chinese_where_a_font_has_it(ax: Any) -> None:
    if plot_style.chinese_font() is None:
        pytest.skip("NO CHINESE FONT HERE: Chinese labels were not drawn (Debian: fonts-noto-cjk)")
    plots_run.frequencies(pictures.result(), ax, of="wins", lang="zh")
    assert ax.get_title() == "胡牌牌型"
    assert "碰碰胡" in [label.get_text() for label in ax.get_yticklabels()]
    ax.figure.canvas.draw()  # a letter that no font has would warn, and warnings are errors here


def test_duels_and_tournaments_in_chinese(ax: Any) -> None:
    if plot_style.chinese_font() is None:
        pytest.skip("NO CHINESE FONT HERE: Chinese labels were not drawn (Debian: fonts-noto-cjk)")
    plots.forest(pictures.match(), ax, "zh")
    names = [label.get_text() for label in ax.get_yticklabels()]
    assert names[:3] == ["总差", "差距从何而来", "接炮胡牌"]
    assert "greedy坐庄" in names
    assert ax.get_xlabel() == "greedy减random，分/局\n（线：95%区间）"
    ax.figure.canvas.draw()
    ax.clear()
    plots.matrix(pictures.league(), ax, "zh")
    assert ax.get_title().endswith("括号内为95%联合区间，* p < 0.05（Holm）")
    assert ax.get_ylabel() == "一个座位用此策略……"
    ax.figure.canvas.draw()


def test_every_part_of_a_duel_has_its_word() -> None:
    split = pictures.match().split
    for lang in ("en", "zh"):
        words = [label(pictures.match(), name, lang) for name in split["name"]]
        assert len(set(words)) == len(words)
        assert not any("_" in word for word in words)


def test_english_and_a_warning_where_no_font_has_it(
    ax: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(plot_style, "chinese_font", lambda: None)
    with caplog.at_level(logging.WARNING, "wuhan_sim"):
        plots_run.frequencies(pictures.result(), ax, of="wins", lang="zh")
    assert ax.get_title() == "What wins are made of"
    (record,) = caplog.records
    assert "no font with Chinese letters" in record.getMessage()
    assert "\n" not in record.getMessage()


def test_the_colours_are_okabe_s_and_ito_s() -> None:
    assert plot_style.COLOURS[:6] == ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
    looks = [(plot_style.look(i)["marker"], plot_style.look(i)["color"]) for i in range(7)]
    assert len(set(looks)) == 7
    assert [plot_style.compact(value) for value in (5, 5000, 10_000, 2_500_000)] == [
        "5",
        "5,000",
        "10k",
        "2.5M",
    ]
