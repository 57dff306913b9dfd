"""Duels: the difference and its parts against a plain count, symmetry, the interval, and what is refused."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from typing import Any

import numpy as np
import pytest
from scipy import stats as scipy_stats

from wuhan_core import Action, load_rules
from wuhan_core.records import OUTCOMES
from wuhan_sim import Task, play_records
from wuhan_sim.contest import Contest, Pairing
from wuhan_sim.duel import Duel, DuelError, contest_of, duel
from wuhan_sim.reduction import reduction
from wuhan_sim.stats import measure

HANDS = 900


def played(
    preset: str, seats: str | None = None, seed: int = 3, sets: dict[str, Any] | None = None
) -> tuple[Duel, Any]:
    """A duel, and the records of its hands."""
    rules = load_rules(preset, sets or {})
    found = duel(rules, "greedy", "random", HANDS, seed, seats=seats, workers=1, progress=False)
    return found, play_records(found.task)


def paid_kongs(row: Any, players: int) -> list[int]:
    """Of a hand in the model "codes": what is left of the points when the win is taken away."""
    left = [int(x) for x in row["points"][:players]]
    if row["outcome"]:
        shares = [int(x) for x in row["capped"][:players]]
        for seat, share in enumerate(shares):
            if seat != row["winner"]:
                payer = seat if row["liable"] < 0 else row["liable"]
                left[row["winner"]] -= share
                left[payer] += share
    return left


def parts_of(row: Any, players: int, codes: bool) -> dict[tuple[str, str], list[int]]:
    """Where one hand's points come from, seat by seat, written out plainly."""
    parts: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0] * players)
    kongs = paid_kongs(row, players) if codes else [0] * players
    how = OUTCOMES[row["outcome"]]
    winner, loser, liable = int(row["winner"]), int(row["loser"]), int(row["liable"])
    for seat in range(players):
        points = int(row["points"][seat]) - kongs[seat]
        own = int(row["capped"][seat])
        if codes:
            parts["source", "kong_payments"][seat] += kongs[seat]
            parts["kongs", "kong_payments"][seat] += kongs[seat]
        if how == "exhausted":
            assert points == 0
            continue
        holds = "winner_with_kongs" if row["kongs"][winner] else "winner_without_kongs"
        parts["kongs", holds][seat] += points
        if how == "rob_kong":
            parts["source", "robbing_wins" if points > 0 else "robbed"][seat] += points
        elif seat == winner:
            parts["source", f"{how}_wins"][seat] += points
        else:
            name = "others_self_draws" if how == "self_draw" else "beside_deal_ins"
            parts["source", "deal_ins" if seat == loser else name][seat] -= own
            if liable == seat:
                parts["source", "liability"][seat] += points + own
            elif liable >= 0:
                assert points == 0
                parts["source", "relieved"][seat] += own
            else:
                assert points == -own
    return parts


CASES = [
    ("yuanhang", None, {}),
    ("yuanhang", "1-3", {}),
    ("yuanhang", "3-1", {"cap.per_payer": 40}),
    ("laizigang", None, {}),
    ("hongzhong", None, {}),
    ("hongzhong", "1-3", {}),
    ("hongzhong-2p", None, {}),
    ("hongxin", None, {}),
    ("yuanhang", None, {"score.stake": 10**6}),
]


@pytest.mark.parametrize(("preset", "seats", "sets"), CASES)
def test_every_part_is_that_of_a_plain_count_and_all_parts_add_up(
    preset: str, seats: str | None, sets: dict[str, Any]
) -> None:
    found, records = played(preset, seats, sets=sets)
    players, codes = len(found.task.bots), preset.startswith("hongzhong")
    many = found.task.bots.count("greedy"), found.task.bots.count("random")
    mean: dict[tuple[str, str], float] = defaultdict(float)
    total = 0.0
    for row in records:
        bots = [found.task.bots[bot] for bot in row["bot"][:players]]
        weights = [1 / many[0] if bot == "greedy" else -1 / many[1] for bot in bots]
        here = sum(w * int(p) for w, p in zip(weights, row["points"], strict=False))
        total += here
        mean["dealer", "a_deals" if bots[row["dealer"]] == "greedy" else "b_deals"] += here
        for key, by_seat in parts_of(row, players, codes).items():
            mean[key] += sum(w * p for w, p in zip(weights, by_seat, strict=True))
    assert found.difference.value == pytest.approx(total / len(records), rel=1e-12)
    for part in found.split.to_dict("records"):
        key = part["by"], part["name"]
        assert part["value"] == pytest.approx(mean.pop(key, 0) / len(records), rel=1e-9, abs=1e-12)
    assert not mean
    sums = found.totals.sums
    for by, rows in found.split.groupby("by"):
        assert sum(sums[f"{by} {name}"] for name in rows["name"]) == sums["difference"]


def test_rates_are_those_of_a_plain_count() -> None:
    found, records = played("yuanhang", "1-3")
    rates = {(row["name"], row["of"]): row for row in found.rates.to_dict("records")}
    count: dict[tuple[str, str], int] = defaultdict(int)
    for row in records:
        for seat in range(4):
            bot = found.task.bots[row["bot"][seat]]
            count["seats", bot] += 1
            count["wins", bot] += row["winner"] == seat
            count["self_draws", bot] += row["winner"] == seat and row["outcome"] == 1
            count["big_wins", bot] += row["winner"] == seat and row["types"] > 0
            count["deal_ins", bot] += row["loser"] == seat and row["outcome"] == 2
            count["liable", bot] += row["liable"] == seat
    for name in ("wins", "self_draws", "big_wins", "deal_ins", "liable"):
        greedy, random = (count[name, bot] / count["seats", bot] for bot in ("greedy", "random"))
        assert rates[name, "greedy"]["value"] == pytest.approx(greedy)
        assert rates[name, "random"]["value"] == pytest.approx(random)
        assert rates[name, "difference"]["value"] == pytest.approx(greedy - random)
    assert rates["exhausted", "hands"]["value"] == (records["outcome"] == 0).mean()
    assert count["seats", "greedy"] * 3 == count["seats", "random"] == 3 * len(records)


@pytest.mark.parametrize("seats", ["2-2", "1-3"])
def test_the_interval_is_that_of_a_mean_over_walls(seats: str) -> None:
    """Without the widening for skewness it is Student's t of the walls' means."""
    found, records = played("yuanhang", seats)
    per_wall = found.task.hands_per_wall
    weights = np.where(np.array(found.task.bots) == "greedy", 1 / int(seats[0]), -1 / int(seats[2]))
    each = (weights[records["bot"]] * records["points"]).sum(axis=1)
    walls = each.reshape(-1, per_wall).mean(axis=1)
    low, high = scipy_stats.t.interval(0.95, len(walls) - 1, walls.mean(), scipy_stats.sem(walls))
    assert found.difference.value == pytest.approx(walls.mean())
    assert found.difference.low <= low + 1e-9
    assert found.difference.high >= high - 1e-9
    assert found.difference.high - found.difference.low < 1.2 * (high - low)


def test_the_reduction_is_that_of_the_variances_over_hands_and_walls() -> None:
    found, records = played("yuanhang")
    weights = np.where(np.array(found.task.bots) == "greedy", 0.5, -0.5)
    each = (weights[records["bot"]] * records["points"]).sum(axis=1)
    walls = each.reshape(-1, 6).mean(axis=1)
    paired = walls.var(ddof=1) / len(walls)
    alone = (each.var() + paired) / len(each)
    times, needed, saved = found.variance
    assert times.value == pytest.approx(alone / paired)
    assert needed.value == pytest.approx(times.value * len(records))
    assert saved.value == pytest.approx((times.value - 1) * len(records))
    # the error of a ratio of variances, by leaving out one wall at a time
    left_out = []
    for wall in range(len(walls)):
        rest = np.delete(walls, wall)
        hands = np.delete(each.reshape(-1, 6), wall, axis=0)
        left_out.append(hands.var() / 6 / rest.var(ddof=1))
    jackknife = np.std(left_out) * math.sqrt(len(walls) - 1)
    assert (times.high - times.value) / scipy_stats.t.ppf(0.975, len(walls) - 1) == pytest.approx(
        jackknife, rel=0.05
    )


def test_the_reduction_of_hands_that_share_nothing_is_one() -> None:
    """Hands dealt afresh, put together as if they were walls: there is nothing to save."""
    hit, values = 0, []
    for seed in range(10):
        task = Task("yuanhang", "greedy,greedy,random,random", 3000, deal="fresh", seed=seed)
        totals = measure([play_records(task)], 6, contest_of(task, "greedy", "random"))
        times = reduction(totals, 6).reduction
        hit += times.low < 1 < times.high
        values.append(times.value)
    assert hit >= 8
    assert np.mean(values) == pytest.approx(1, abs=0.06)


@pytest.mark.parametrize(("seats", "turned"), [(None, None), ("1-3", "3-1")])
def test_the_other_way_round_all_signs_turn(seats: str | None, turned: str | None) -> None:
    one = duel("yuanhang", "greedy", "random", HANDS, 4, seats=seats, progress=False)
    other = duel("yuanhang", "random", "greedy", HANDS, 4, seats=turned, progress=False)
    assert one.task == other.task
    assert one.difference.value == -other.difference.value
    assert (one.difference.low, one.difference.high) == (-other.difference.high, -other.difference.low)
    assert one.variance == other.variance
    parts = one.split.set_index("name")["value"], other.split.set_index("name")["value"]
    names = {name: name for name in parts[0].index} | {"a_deals": "b_deals", "b_deals": "a_deals"}
    assert all(parts[0][name] == -parts[1][names[name]] for name in names)


def test_workers_and_cuts_change_nothing() -> None:
    base = duel("yuanhang", "greedy", "random", HANDS, 4, workers=1, progress=False)
    assert duel("yuanhang", "greedy", "random", HANDS, 4, workers=2, progress=False).totals == base.totals
    gauge = contest_of(base.task, "greedy", "random")
    records = play_records(base.task)
    for size in (5, 128):
        pieces = [measure([records[at : at + size]], 6, gauge) for at in range(0, len(records), size)]
        assert sum(pieces[1:], pieces[0]) == base.totals


class Last:
    """Answers with the last thing it may do."""

    def act(self, observation: object, legal: list[Action]) -> Action:
        return legal[-1]


class Twin(Last):
    """The same under another name."""


def test_bots_in_python_duel() -> None:
    found = duel("yuanhang", Last, "greedy", 12, progress=False)
    assert found.a.endswith(":Last")
    assert found.difference.value < 0


def test_twins_cannot_be_told_apart() -> None:
    """All orders over the seats come to the same hand: the difference is 0 on each wall, exactly."""
    found = duel("yuanhang", Last, Twin, 30, progress=False)
    assert found.difference.value == 0


@pytest.mark.slow
def test_the_interval_holds_the_true_value() -> None:
    """Random bots under two names: the true difference is 0, and the luck of every seat is its own."""
    rules = load_rules("yuanhang")
    bots = ("random", "random ", "random", "random ")
    hit, runs, walls = 0, 400, 60
    gauge = Contest(Pairing(bots, "random", "random "), rules)
    for seed in range(runs):
        task = Task(rules, "random", 6 * walls, seed=seed, deal="fresh")
        records = play_records(task)
        records["bot"] = np.array(
            [[0, 2, 1, 3], [0, 1, 2, 3], [0, 1, 3, 2], [1, 0, 2, 3], [1, 0, 3, 2], [1, 3, 0, 2]] * walls
        )
        totals = measure([records], 6, gauge)
        found = Duel(Task(rules, "random", 6 * walls, deal="fresh"), "random", "random ", 6 * walls, totals)
        object.__setattr__(found.task, "bots", bots)
        hit += found.difference.low <= 0 <= found.difference.high
    assert hit >= 0.93 * runs


@pytest.mark.slow
def test_small_duels_hold_what_a_large_one_finds() -> None:
    large = duel("yuanhang", "greedy", "planner", 300_000, 10**6, progress=False).difference
    assert large.half < 1.5
    hit = 0
    for seed in range(300):
        small = duel("yuanhang", "greedy", "planner", 480, seed, workers=1, progress=False).difference
        assert small.half > 10 * large.half
        hit += small.low <= large.value <= small.high
    assert hit >= 0.93 * 300


# ---- what is shown, and what is refused --------------------------------------------------------


def test_text_html_and_json() -> None:
    found, _ = played("yuanhang")
    text, page, fields = str(found), found._repr_html_(), json.loads(json.dumps(found.to_dict()))
    for word in ("greedy less random", "won by self-draw", "greedy deals", "deal-ins", "worth", "saved"):
        assert word in text
        assert word in page
    difference = found.difference
    for name in ("value", "low", "high", "n"):
        assert fields["difference"][name] == getattr(difference, name)
    assert fields["variance"]["hands_saved"]["value"] == found.variance.hands_saved.value
    assert {row["by"] for row in fields["split"]} == {"source", "kongs", "dealer"}
    assert (fields["hands"], fields["walls"], fields["seats"]) == (900, 150, [2, 2])
    odd = duel("yuanhang", "greedy", "random", 7, progress=False)
    assert (odd.hands, odd.asked) == (12, 7)
    assert "7 hands asked for, rounded up to whole walls" in str(odd)
    alone = duel("yuanhang", "greedy", "random", 1, progress=False)
    assert json.loads(json.dumps(alone.to_dict(), allow_nan=False))["difference"]["low"] is None
    assert "greedy less random" in str(alone)
    assert "; 1 hand asked for, rounded up to whole walls." in str(alone)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"b": "greedy"}, ["b = 'greedy'", "another bot than a"]),
        ({"a": Last(), "b": Last()}, ["another bot than a", "one class"]),
        ({"a": "greedi"}, ["greedi", "nearest is greedy"]),
        ({"a": "greedy,random"}, ["greedy,random"]),
        ({"a": 5}, ["bots = 5"]),
        ({"seats": "4-0"}, ["seats = '4-0'", "2-2, 1-3 or 3-1"]),
        ({"seats": "1-1"}, ["seats = '1-1'"]),
        ({"rules": "hongzhong-2p", "seats": "2-2"}, ["seats = '2-2'", "must be 1-1"]),
        ({"hands": 0}, ["hands = 0"]),
        ({"hands": 2**62 - 1}, ["hands"]),
        (
            {"seed": -1, "draws": "x", "hands": "many", "rules": "yuan"},
            ["seed = -1", "draws = 'x'", "many", "yuan"],
        ),
        ({"until": "turns<3"}, ["unknown metric 'turns'", "points"]),
        ({"until": "points<3%"}, ["per cent"]),
        ({"until": "points<3,difference<4"}, ["once"]),
        ({"until": "points"}, ["METRIC<HALF-WIDTH"]),
        ({"until": "points<x", "hands": -2, "b": "greedy"}, ["half-width", "hands = -2"]),
    ],
)
def test_every_fault_is_named(fields: dict[str, Any], words: list[str]) -> None:
    given = {"rules": "yuanhang", "a": "greedy", "b": "random", "hands": 12, **fields}
    with pytest.raises(DuelError) as caught:
        duel(**given, progress=False)
    for word in words:
        assert word in str(caught.value)


# ---- stopping early ----------------------------------------------------------------------------


def test_a_duel_stops_at_the_first_look_that_is_narrow_enough() -> None:
    until, most = "points<14", 12_000
    found = duel("yuanhang", "greedy", "random", most, 2, progress=False, until=until)
    plan = found.plan
    assert plan is not None
    looks = [look for look in plan.looks if look <= found.hands]
    assert found.hands == looks[-1] < most
    assert found.hands % 6 == 0
    assert "confidence sequence" in found.difference.method
    assert found.difference.half < 14
    assert "Stopped at a look" in str(found)
    records, gauge = play_records(found.task), found.contest
    for look in looks[:-1]:
        assert not plan.met(measure([records[:look]], 6, gauge))
    assert measure([records], 6, gauge) == found.totals
    fixed = duel("yuanhang", "greedy", "random", found.hands, 2, progress=False)
    assert fixed.totals == found.totals
    assert fixed.difference.half < found.difference.half
    fields = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert fields["until"] == {"goals": until, "met": True, "most": most, "looks": list(plan.looks)}
    for name in ("difference", "skill_edge"):
        other = duel("yuanhang", "greedy", "random", most, 2, workers=2, progress=False, until=f"{name}<14")
        assert other.totals == found.totals


def test_a_duel_that_does_not_get_there_says_so() -> None:
    found = duel("yuanhang", "greedy", "random", 3000, 2, progress=False, until="points<0.1")
    assert found.hands == 3000
    assert "Not met within 3,000 hands" in str(found)
