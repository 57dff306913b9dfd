"""`value_of`: every number against plain arithmetic on records; holdings against conditional means."""

from __future__ import annotations

import json
import math
import pickle
import shlex
from collections.abc import Hashable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from wuhan_core._force import play_forced
from wuhan_core._play import play_hands
from wuhan_core._wall import wall_of
from wuhan_core.actions import Action
from wuhan_core.rules import load_rules
from wuhan_sim import BotFailure, Task, Value, ValueFault, simulate, value_of
from wuhan_sim.cli import main
from wuhan_sim.features import KINDS, FeatureError, parse_feature
from wuhan_sim.intervals import Sums, ratio
from wuhan_sim.runner import gather_order
from wuhan_sim.value import Branches, Forced

Capture = pytest.CaptureFixture[str]
TASK = Task("yuanhang", "greedy,random,greedy,random", 1200, seed=5)


def row(value: Value, of: str, name: str = "points") -> dict[Hashable, Any]:
    table = value.table()
    (found,) = table[(table["of"] == of) & (table["name"] == name)].to_dict("records")
    return found


def over_walls(y: Any, x: Any) -> tuple[float, float, float]:
    """A ratio of wall sums and its interval, from sums made here."""
    y, x = y.astype(float), x.astype(float)
    squares = (y * y).sum(), (x * y).sum(), (x * x).sum()
    cubes = (y**3).sum(), (y * y * x).sum(), (y * x * x).sum(), (x**3).sum()
    whole = [*map(int, (y.sum(), x.sum(), *squares)), int((x > 0).sum())]
    return ratio(Sums._make([*whole, tuple(map(int, cubes))]))


@pytest.mark.parametrize("feature", ["kong_laizi", "open=1", "open=2", "open_before=15"])
def test_choices_from_records(feature: str) -> None:
    value = value_of(TASK, feature, bot=2)
    kind, _, number = feature.partition("=")
    records, moments = play_forced(
        TASK.rules, TASK.bots, 5, 0, 1200, "rotated", "seat", kind, int(number or 0), (0, 1), 2
    )
    mine = [each["points"][each["bot"] == 2].reshape(-1, 4) for each in records]
    wins = [((each["winner"][:, None] == np.arange(4)) & (each["bot"] == 2)).any(1) for each in records]
    at, own = (moments[name].reshape(-1, 4) for name in ("turn", "own"))
    no, yes = parse_feature(feature, TASK.rules).labels
    main_ = f"{yes} - {no}"
    for of, mask, sign in (
        (main_, at >= 0, 1),
        (f"{main_} | bot: {yes}", own == 1, 1),
        (f"{main_} | bot: {no}", own == 0, 1),
        ("own - other", at >= 0, np.where(own == 1, 1, -1)),
    ):
        gain = sign * (mine[1] - mine[0]) * mask
        shown = row(value, of)
        found = shown["value"], shown["low"], shown["high"]
        assert found == pytest.approx(over_walls(gain.sum(1), mask.sum(1)))
        assert (shown["n"], shown["unit"]) == (mask.sum(), "points per moment")
    shown = row(value, main_, "points_per_hand")
    assert shown["value"] == pytest.approx(((mine[1] - mine[0]) * (at >= 0)).sum() / 1200)
    more = (wins[1].astype(int) - wins[0])[at.ravel() >= 0]
    assert row(value, main_, "wins")["value"] == pytest.approx(more.mean())
    assert row(value, yes)["value"] == pytest.approx(mine[1][at >= 0].mean())
    assert row(value, "as it is")["value"] == pytest.approx(mine[2][at >= 0].mean())
    assert row(value, "hands", "moments")["value"] == pytest.approx((at >= 0).mean())
    assert row(value, "moments", "turns")["value"] == pytest.approx(at[at >= 0].mean())
    assert row(value, "moments", f"bot: {yes}")["value"] == pytest.approx((own[at >= 0] == 1).mean())
    assert value.difference.value == row(value, main_)["value"]
    sums = value.totals.sums
    parts = [sums[f"points of {main_} | bot: {word}"] for word in (yes, no)]
    assert sums[f"points of {main_}"] == sum(parts)
    assert sums["points of own - other"] == parts[0] - parts[1]


@pytest.mark.parametrize("deal", ["rotated", "fresh"])
def test_holdings_from_records(deal: str) -> None:
    task = Task("yuanhang", "greedy,random,greedy,random", 1200, seed=6, deal=deal)
    value, per_wall = value_of(task, "laizi", bot="random"), task.hands_per_wall
    records, moments = play_forced(task.rules, task.bots, 6, 0, 1200, deal, "seat", "laizi", 0, range(5), 1)
    mine = [each["points"][each["bot"] == 1].reshape(-1, per_wall) for each in records]
    ones = np.full(1200 // per_wall, per_wall)
    for a, b, of in ((3, 0, "laizi=3 - laizi=0"), (1, -1, "laizi=1 - as dealt")):
        shown = row(value, of)
        found = shown["value"], shown["low"], shown["high"]
        assert found == pytest.approx(over_walls((mine[a] - mine[b]).sum(1), ones))
    assert row(value, "hands", "dealt: laizi=1")["value"] == pytest.approx((moments["own"] == 1).mean())
    assert value.difference.value == row(value, "laizi=1 - laizi=0")["value"]


def test_the_dealer_from_records() -> None:
    task = Task("yuanhang", "greedy", 800, seed=6)
    value = value_of(task, "dealer")
    records, _ = play_forced(task.rules, task.bots, 6, 0, 800, "rotated", "seat", "dealer", 0, range(4), 0)
    mine = [each["points"][each["bot"] == 0].reshape(-1, 4) for each in records]
    shown = row(value, "dealer - others")
    more = (3 * mine[0] - sum(mine[1:4])).sum(1)
    assert (shown["value"], shown["low"], shown["high"]) == pytest.approx(over_walls(more, np.full(200, 12)))
    assert row(value, "dealer - dealer+2")["value"] == pytest.approx((mine[0] - mine[2]).mean())


def agree(shown: dict[Hashable, Any], sample: Any) -> None:
    """An estimate and the mean of an independent sample, within four standard errors."""
    error = (shown["high"] - shown["low"]) / 2 / 1.96
    assert abs(shown["value"] - sample.mean()) < 4 * math.hypot(error, sample.std() / math.sqrt(len(sample)))


@pytest.mark.parametrize("preset", ["yuanhang", "hongzhong"])
def test_exchanging_laizi_gives_the_conditional_mean(preset: str) -> None:
    """No intervention: hands of other walls, by what the seat happened to be dealt."""
    value = value_of(Task(preset, "greedy", 4000, seed=1), "laizi")
    plain = play_hands(load_rules(preset), ["greedy"] * 4, 2, 0, 40_000, "fresh")
    for held in range(3):
        agree(row(value, f"laizi={held}"), plain["points"][plain["start_wild"] == held])
    assert row(value, "laizi=1 - laizi=0")["low"] > 0


def test_exchanging_red_dragons_gives_the_conditional_mean() -> None:
    value = value_of(Task("yuanhang", "greedy", 4000, seed=1), "red")
    plain = play_hands(load_rules("yuanhang"), ["greedy"] * 4, 2, 0, 12_000, "fresh")
    walls = (wall_of(2, hand) for hand in range(12_000))
    held = np.array([[wall[13 * seat : 13 * seat + 13].count(31) for seat in range(4)] for wall in walls])
    for count in range(3):
        agree(row(value, f"red={count}"), plain["points"][held == count])


def test_turning_the_deal_round_gives_the_means_of_the_places() -> None:
    value = value_of(Task("yuanhang", "greedy", 4000, seed=1), "dealer")
    plain = play_hands(load_rules("yuanhang"), ["greedy"] * 4, 2, 0, 20_000, "fresh")
    for place, label in enumerate(("dealer", "dealer+1", "dealer+2", "dealer+3")):
        agree(row(value, label), plain["points"][:, place])


def test_workers_and_shards_change_nothing() -> None:
    value = value_of(TASK, "open=1", 1)
    assert value_of(TASK, "open=1", 3).totals == value.totals
    feature = parse_feature("open=1", TASK.rules)
    order = Forced((TASK,), Branches(feature, 0, value.rows), feature=feature, focal=0)
    assert gather_order(pickle.loads(pickle.dumps(order)), 2, shard_hands=97) == value.totals


class Passive:
    """Claims nothing."""

    def act(self, observation: Any, legal: list[Action]) -> Action:
        return next((each for each in legal if each.verb in ("win", "pass")), legal[0])


def test_what_a_bot_never_does_is_worth_nothing_to_forbid() -> None:
    value = value_of(Task("yuanhang", [Passive, "greedy", "greedy", "greedy"], 80), "open=1")
    assert row(value, "moments", "bot: claim")["value"] == 0
    assert value.totals.sums["points of pass"] == value.totals.sums["points of as it is"]
    never = value_of(Task("yuanhang", [Passive, "greedy", "greedy", "greedy"], 80), "open_before=9")
    assert row(never, "hands", "moments")["value"] == 0
    assert math.isnan(never.difference.value)
    json.dumps(never.to_dict(), allow_nan=False)


class Broken:
    def act(self, observation: Any, legal: list[Action]) -> Action:
        raise RuntimeError("broken")


def test_a_failing_bot_stops_it() -> None:
    with pytest.raises(BotFailure, match="broken"):
        value_of(Task("yuanhang", [Broken, "greedy", "greedy", "greedy"], 4), "red=1")


class Superstitious:
    """Cannot bear three red dragons."""

    def act(self, observation: Any, legal: list[Action]) -> Action:
        if observation.counts[31] + observation.single_kongs[observation.seat][0] >= 3:
            raise RuntimeError("three of them")
        return legal[0]


def test_the_command_of_a_failure_forces_again(capsys: pytest.CaptureFixture[str]) -> None:
    task = Task("yuanhang", [f"{__name__}:Superstitious", "greedy", "greedy", "greedy"], 40, first=8)
    simulate(task, progress=False)  # as the hands are, it has nothing to fear
    with pytest.raises(BotFailure, match="three of them") as caught:
        value_of(task, "red=3")
    failure = caught.value
    assert pickle.loads(pickle.dumps(failure)).command == failure.command
    assert main(shlex.split(failure.command)[1:]) == 1
    assert f"hand {failure.hand}" in capsys.readouterr().err
    alone = Task("yuanhang", [Broken(), "greedy", "greedy", "greedy"], 4)
    with pytest.raises(BotFailure, match=r"wuhan_sim\.value_of\(.*, 'red=1', bot=0\)"):
        value_of(alone, "red=1")


def test_every_kind_reads_and_shows_under_every_preset() -> None:
    for preset in ("yuanhang", "qipi", "hongzhong-2p", "hongxin"):
        task = Task(preset, "greedy", 8)
        for name, kind in KINDS.items():
            text = f"{name}={kind.low + 1}" if kind.needs_number else name
            if kind.without(task.rules):
                with pytest.raises(ValueFault, match="no meaning"):
                    value_of(task, text)
                continue
            value = value_of(task, text)
            assert text in str(value).splitlines()[0]
            assert "<table>" in value._repr_html_()
            shown = value.to_dict()
            json.dumps(shown, allow_nan=False)
            assert (shown["feature"], shown["hands"]) == (text, 8)
            table = value.table()
            sure = table.dropna()
            assert (sure["low"] <= sure["value"]).all()
            assert (sure["value"] <= sure["high"]).all()


@pytest.mark.parametrize(
    ("text", "preset", "fault"),
    [
        ("laizy=2", "yuanhang", "nearest is laizi"),
        ("zzz", "yuanhang", "must be one of laizi, red"),
        ("laizi=5", "yuanhang", "from 0 to 4"),
        ("laizi=", "yuanhang", "from 0 to 4"),
        ("open", "yuanhang", "open=N"),
        ("open=0", "yuanhang", "from 1 to 4"),
        ("dealer=1", "yuanhang", "takes no number"),
        (7, "yuanhang", "must be text"),
        ("red", "hongzhong", "C is the wildcard"),
        ("red=1", "hongxin", "an ordinary tile"),
        ("kong_laizi", "hongxin", "cannot be konged"),
        ("open_before=9", "hongzhong", "open=1 tells"),
    ],
)
def test_features_that_are_none(text: Any, preset: str, fault: str) -> None:
    with pytest.raises(FeatureError, match=fault):
        parse_feature(text, load_rules(preset))


def test_every_fault_is_named() -> None:
    with pytest.raises(ValueFault) as caught:
        value_of(TASK, "laizi=9", workers=0, bot="planer")
    assert len(caught.value.faults) == 3
    with pytest.raises(ValueFault, match="must be a Task"):
        value_of("yuanhang", "red")  # type: ignore[arg-type]
    for bot in (True, 4, -1, 1.5):
        with pytest.raises(ValueFault, match="must be 0 to 3 or one of greedy, random"):
            value_of(TASK, "red", bot=bot)  # type: ignore[arg-type]


def test_the_command(capsys: Capture, tmp_path: Path) -> None:
    base = ["value", "open=2", "--hands", "400", "--seed", "3", "--quiet"]
    assert main(base) == 0
    text = capsys.readouterr().out
    assert str(value_of(Task("yuanhang", "greedy", 400, seed=3), "open=2")) == text.rstrip("\n")
    assert main([*base, "--json", "--bots", "greedy,random,random,random", "--bot", "random"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert (shown["bot"], shown["feature"]) == (1, "open=2")
    assert main(["value", "laizy", "--bots", "gredy", "--hands", "0", "--rules", "hongxim"]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 4
