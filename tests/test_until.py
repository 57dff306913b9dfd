"""Confidence sequences against their definitions, names of metrics, and stopping at declared looks."""

from __future__ import annotations

import itertools
import json
import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import integrate
from scipy import stats as scipy_stats

import fake_play
from known_laws import PAYOFFS, sums_at
from machines import players_of
from wuhan_core.rules import load_rules, preset_names
from wuhan_sim import MergeError, Result, Task, Until, UntilError, intervals, play_records, sequences
from wuhan_sim.intervals import Sums
from wuhan_sim.metrics import METRICS, MetricError, find_metrics, full_name
from wuhan_sim.quantities import SHARE, quantities
from wuhan_sim.sequences import ALPHA, Looks
from wuhan_sim.stats import NOTHING, Overview, Totals, cubes
from wuhan_sim.stats import measure as measure_by
from wuhan_sim.until import FIRST_WALLS, Plan, declared

MIXED = "greedy,random,random,greedy"
LOOKS = Looks(256, 25_000)
Pair = tuple[str, str]


def measure(
    records: np.ndarray, bots: Sequence[str], per_wall: int, pairs: Sequence[Pair], means: Sequence[Pair]
) -> Totals:
    return measure_by([records], per_wall, Overview(tuple(bots), tuple(pairs), tuple(cubes(means))))


# ---- sequences ---------------------------------------------------------------------------------


@pytest.mark.parametrize("t", [1, 40, 256, 1000, 25_000, 10**7])
def test_normal_mixture_is_the_published_one(t: int) -> None:
    """Written out as in the paper, per unit of s; `quantile` is in standard errors."""
    rho2 = LOOKS.rho2
    half = math.sqrt(2 * (t * rho2 + 1) / (t**2 * rho2) * math.log(math.sqrt(t * rho2 + 1) / 0.05))
    assert LOOKS.quantile(t) == pytest.approx(half * math.sqrt(t))
    assert LOOKS.quantile(t, 1e9) == pytest.approx(LOOKS.quantile(t), rel=1e-5)


@pytest.mark.parametrize(
    ("walls", "looks"), [(12, Looks(8, 64)), (60, Looks(30, 500)), (150, Looks(64, 2000))]
)
def test_normal_mixture_with_estimated_variance_reaches_20(walls: int, looks: Looks) -> None:
    """The likelihood ratio of the t statistic, mixed over effects by integration."""
    freedom, spread = walls - 1, math.sqrt(looks.rho2)
    t = looks.quantile(walls, freedom)

    def integrand(effect: float) -> float:
        weight = scipy_stats.norm.pdf(effect, scale=spread)
        return float(scipy_stats.nct.pdf(t, freedom, effect * math.sqrt(walls)) * weight)

    middle = t / math.sqrt(walls)
    mixed = integrate.quad(integrand, -8 * spread, 8 * spread, points=[0, middle], limit=300)[0]
    assert mixed / scipy_stats.t.pdf(t, freedom) == pytest.approx(1 / ALPHA, rel=1e-4)


def test_the_worst_look_is_the_first_and_the_last_alike() -> None:
    for first, last in ((256, 25_000), (1024, 10**8), (7, 8)):
        looks = Looks(first, last)
        assert looks.quantile(first) == pytest.approx(looks.quantile(last))
        assert all(looks.quantile(t) < looks.quantile(first) for t in np.geomspace(first, last, 9)[1:-1])
        for other in (0.9, 1.1):  # any other choice is worse at one of them
            moved = Looks(first, last)
            moved.__dict__["rho2"] = other * looks.rho2
            assert max(moved.quantile(first), moved.quantile(last)) > looks.quantile(first)
    assert LOOKS.quantile(256) / 1.96 == pytest.approx(1.70, abs=0.01)
    only = Looks(500, 500)
    assert only.quantile(500) <= min(Looks(a, b).quantile(500) for a, b in ((499, 501), (100, 5000)))


def test_too_few_walls_have_no_interval() -> None:
    assert math.isinf(LOOKS.quantile(2, 1))
    found = sequences.ratio(Sums(30, 2, 500, 30, 2, 2), 2, LOOKS)
    assert found.value == 15
    assert math.isnan(found.low)
    assert math.isnan(found.high)


def mixture(p: float, hits: int, misses: int, before: float) -> float:
    """The beta-binomial mixture of likelihood ratios, by integration."""
    law = scipy_stats.beta(before * p, before * (1 - p))
    n = hits + misses

    def integrand(q: float) -> float:
        log = hits * math.log(q / p) + misses * math.log((1 - q) / (1 - p))
        return float(math.exp(log) * law.pdf(q))

    peak = (hits + before * p) / (n + before)
    width = math.sqrt(peak * (1 - peak) / n)
    low, high = max(1e-12, peak - 12 * width), min(1 - 1e-12, peak + 12 * width)
    return float(integrate.quad(integrand, low, high, points=[peak], limit=500)[0])


@pytest.mark.parametrize(("hits", "n"), [(500, 1000), (40, 1000), (8, 500), (0, 400), (395, 400)])
def test_ends_of_a_share_are_where_the_mixture_reaches_20(hits: int, n: int) -> None:
    sums = Sums(hits, n, hits, hits, n, n)
    found = sequences.proportion(sums, n, LOOKS)
    fixed = intervals.proportion(sums)
    assert found.low <= fixed.low <= found.value <= fixed.high <= found.high
    stretch = (LOOKS.quantile(n) / LOOKS.quantile(n, n - 1)) ** 2 if 0 < hits < n else 1
    size = intervals.effective(sums) * stretch
    before = size / (n * LOOKS.rho2)
    assert size == pytest.approx(n, rel=0.02)
    for end in (found.low, found.high):
        if 0 < end < 1 and end not in (fixed.low, fixed.high):
            assert mixture(end, hits, n - hits, before) == pytest.approx(1 / ALPHA, rel=0.5)
    inside = np.linspace(found.low, found.high, 7)[1:-1]
    assert all(mixture(p, hits, n - hits, before) < 1 / ALPHA for p in inside)
    beyond = [p for p in (found.low * 0.8, found.high + 0.3 * (found.high - found.value)) if 0 < p < 1]
    assert all(mixture(p, hits, n - hits, before) > 1 / ALPHA for p in beyond)


def test_a_share_that_was_never_seen_has_an_end() -> None:
    ends = [sequences.proportion(Sums(0, 4 * n, 0, 0, 16 * n, n), n, LOOKS) for n in (256, 1000, 20_000)]
    assert all(low == 0 for _, low, _ in ends)
    for (_, _, high), n in zip(ends, (256, 1000, 20_000), strict=True):
        assert math.log(20) / n < high < 2.5 * math.log(20) / n  # walls count, not hands


# ---- skewness ----------------------------------------------------------------------------------


def test_sides_are_those_of_halls_transformation() -> None:
    rng = np.random.default_rng(4)
    y, x = (column[0] for column in PAYOFFS["few gains"].draw(rng, 1, 300))
    ((sums,),) = sums_at(y[None], x[None], [300])
    z = (y - y.sum() / x.sum() * x).astype(float)
    skew = intervals.FORESIGHT * (z**3).sum() / (z**2).sum() ** 1.5
    error = z.std(ddof=1) / math.sqrt(300) / 4
    found = intervals.ratio(sums)
    t = (found.value - found.high) / error  # the studentised error for which the upper end is the truth
    bent = t + skew / 3 * t**2 + skew**2 / 27 * t**3 + skew / 6
    assert skew > 0.1
    assert bent == pytest.approx(-scipy_stats.t.ppf(0.975, 299))
    assert found.value - found.low == pytest.approx(scipy_stats.t.ppf(0.975, 299) * error)  # never shortened


def test_a_mean_that_never_moved_says_so() -> None:
    still = Sums(0, 400, 0, 0, 1600, 100)
    assert intervals.ratio(still, 0, 900) == pytest.approx((0, 0, 900 * math.log(40) / 100))
    value, low, high = intervals.ratio(still, 0)
    assert value == 0
    assert math.isnan(low)
    assert math.isnan(high)
    assert math.isnan(sequences.ratio(still, 100, LOOKS).high)


@pytest.mark.parametrize("scale", [1, 1000, 2**16, 2**40])
def test_cubes_are_exact(scale: int) -> None:
    bots = tuple(MIXED.split(","))
    records = fake_play.play_hands(None, bots, 5, 0, 400, scale=scale)
    pairs = [("cut", "wins"), ("owed", "wins"), ("points of greedy", "hands of greedy")]
    cut = (records["owed"] - records["capped"]).sum(axis=1)
    total = measure(records[:200], bots, 4, pairs, pairs) + measure(records[200:], bots, 4, pairs, pairs)
    walls = [int(v) for v in cut.reshape(-1, 4).sum(axis=1)]
    wins = [int(v) for v in (records["outcome"] > 0).reshape(-1, 4).sum(axis=1)]
    assert total.products["cut", "cut", "cut"] == sum(v**3 for v in walls)
    assert total.products["cut", "cut", "wins"] == sum(v * v * w for v, w in zip(walls, wins, strict=True))
    assert total.products["cut", "wins", "wins"] == sum(v * w * w for v, w in zip(walls, wins, strict=True))
    assert total.products["wins", "wins", "wins"] == sum(w**3 for w in wins)
    single = [measure(records[n : n + 1], bots, 4, pairs, pairs) for n in range(40)]
    assert sum(single, NOTHING) == measure(records[:40], bots, 4, pairs, pairs)


# ---- names of metrics --------------------------------------------------------------------------


@pytest.mark.parametrize("preset", preset_names())
def test_every_estimate_has_a_name_of_its_own(preset: str) -> None:
    rules = load_rules(preset)
    bots = ["greedy", "random", *["random"] * (players_of(rules) - 2)]
    rows = quantities(rules, bots)
    names = [full_name(row) for row in rows]
    assert len(set(names)) == len(names)
    found = 0
    for row, name in zip(rows, names, strict=True):
        try:
            assert [metric.row for metric in find_metrics(name, rules, bots)] == [row]
            found += 1
        except MetricError as error:
            says = str(error)
            if not ("is fixed" in says or "never has a value" in says):
                raise
    assert found > 50


def test_short_names() -> None:
    rules, bots = load_rules("yuanhang"), MIXED.split(",")
    for name in METRICS:
        names = [metric.name for metric in find_metrics(name, rules, bots)]
        assert names == (["points[greedy]", "points[random]"] if name == "points" else [name])
    edge = find_metrics("dealer_edge", rules, bots)
    assert edge == find_metrics("points[dealer]", rules, bots)
    assert (edge[0].row.over, edge[0].row.under) == ("points of place 0", "hands")
    assert [m.name for m in find_metrics("deal_ins", rules, bots)] == ["deal_ins[greedy]", "deal_ins[random]"]
    assert find_metrics("qingyise", rules, bots)[0].name == "qingyise[hands]"
    with pytest.raises(MetricError, match="has no meaning under these rules"):
        find_metrics("big_share", load_rules("hongzhong"), bots)


# ---- what a run waits for ----------------------------------------------------------------------


def task(hands: int = 60_000, **fields: object) -> Task:
    return Task("yuanhang", MIXED, hands, **fields)  # type: ignore[arg-type]


def test_text_is_read() -> None:
    until = Until.parse(" points < 0.02 , capped_share<1%,points[ greedy ]<.5,turns<2e-1")
    assert [(goal.metric, goal.half) for goal in until.goals] == [
        ("points", 0.02),
        ("capped_share", 0.01),
        ("points[greedy]", 0.5),
        ("turns", 0.2),
    ]
    assert str(until) == "points<0.02,capped_share<1%,points[greedy]<0.5,turns<0.2"
    assert Until.parse(str(until)) == until
    assert Until.parse("points[planner:a=1,b=2]<1,turns<1").goals[0].metric == "points[planner:a=1,b=2]"


@pytest.mark.parametrize("goals", ["points<1", (), 5, ("points<1",)])
def test_goals_are_goals(goals: Any) -> None:
    with pytest.raises(UntilError, match=r"must be a tuple of Goal; Until\.parse reads text$"):
        Until(goals)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("points", ["must be METRIC<HALF-WIDTH"]),
        ("", ["must be METRIC<HALF-WIDTH"]),
        ("a<1<2,points<=3", ["'a<1<2'", "'points<=3'"]),
        ("points<0,turns<-1,swing<nan,caps<inf,x<1e999", ["'0'", "'-1'", "'nan'", "'inf'", "'1e999'"]),
        ("points<1,points<2", ["'points' is given twice"]),
    ],
)
def test_text_that_cannot_be(text: str, says: list[str]) -> None:
    with pytest.raises(UntilError) as caught:
        Until.parse(text)
    assert len(caught.value.faults) == len(says)
    for part, fault in zip(says, caught.value.faults, strict=True):
        assert part in fault


def test_every_fault_of_a_task_is_named() -> None:
    text = (
        "pionts<1,points[bob]<1,turns<1%,capped_share<5,skill_edge<1,ruin_share<1%,largest_gain<1,"
        "qianggang<1%,capped_share[qianggang]<1%,points<3"
    )
    with pytest.raises(UntilError) as caught:
        Until.parse(text).plan(task())
    says = [
        "'pionts', the nearest is points",
        "points is of greedy, random, dealer",
        "per cent are for shares",
        "must be below 1",
        "difference between two bots",
        "share of sessions",
        "largest seen",
        "is fixed by the rules",
        "never has a value",
    ]
    assert len(caught.value.faults) == len(says)
    for part, fault in zip(says, caught.value.faults, strict=True):
        assert part in fault
    with pytest.raises(UntilError, match="fixed by the rules or the seating"):
        Until.parse("points<1").plan(Task("yuanhang", "greedy", 1000))


@pytest.mark.parametrize(
    ("first", "last", "size"), [(0, 10**6, 4), (3, 60_003, 4), (5, 10**9, 1), (0, 99, 4)]
)
def test_looks_are_declared_at_whole_walls(first: int, last: int, size: int) -> None:
    looks = declared(first, last, size)
    assert looks[-1] == last
    assert all(a < b for a, b in itertools.pairwise(looks))
    assert all(look % size == 0 for look in looks[:-1])
    if last - first > FIRST_WALLS * size:
        assert FIRST_WALLS * (size - 1) < looks[0] - first <= FIRST_WALLS * size
        walls = [(look - first) / size for look in looks[:-1]]
        assert all(1.18 < b / a < 1.2 for a, b in itertools.pairwise(walls))
    # a run with more hands looks at the same places first
    assert declared(first, 2 * last, size)[: len(looks) - 1] == looks[:-1]


def shards(plan: Plan, size: int) -> Iterator[range]:
    """Ranges of hands that end at multiples of `size` and at every look."""
    first, looks = plan.task.first, list(plan.looks)
    while first < plan.task.last:
        look = next(look for look in looks if look > first)
        last = min(first - first % size + size, look)
        yield range(first, last)
        first = last


def sum_up(whole: Task, hands: range) -> Totals:
    rows = quantities(whole.rules, whole.bots)
    ratios = [(row.over, row.under) for row in rows]
    means = [(row.over, row.under) for row in rows if row.unit != SHARE]
    records = play_records(replace(whole, first=hands.start, hands=len(hands)))
    return measure(records, whole.bots, whole.hands_per_wall, ratios, means)


def run(plan: Plan, size: int, order: random.Random | None = None) -> Result:
    """The plain loop: shards come back in any order, and only the prefix without gaps is looked at."""
    waiting: list[range] = []
    done: dict[int, tuple[int, Totals]] = {}
    todo = shards(plan, size)
    prefix, last = NOTHING, plan.task.first
    while True:
        waiting += itertools.islice(todo, 6 - len(waiting))
        if order:
            order.shuffle(waiting)
        hands = waiting.pop(0)
        done[hands.start] = (hands.stop, sum_up(plan.task, hands))
        while last in done:
            stop, totals = done.pop(last)
            prefix, last = prefix + totals, stop
            if last in plan.looks and (plan.met(prefix) or last == plan.task.last):
                task = replace(plan.task, hands=last - plan.task.first)
                return Result(task, prefix, ((plan.task.first, last),), looked=plan)


@pytest.mark.parametrize("first", [0, 3])
def test_a_run_stops_at_the_same_hand_however_it_is_cut(fake: None, first: int) -> None:
    plan = Until.parse("capped_share<2%,points<4").plan(task(60_000, seed=3, first=first))
    base = run(plan, 2**15)
    assert plan.looks[0] < base.ranges[0][1] < plan.task.last
    assert plan.met(base.totals)
    for size, seed in ((1000, 1), (4096, 2), (777, 3)):
        other = run(plan, size, random.Random(seed))
        assert other == base
        assert other.table().equals(base.table())
    before = plan.looks[plan.looks.index(base.ranges[0][1]) - 1]
    assert not plan.met(sum_up(plan.task, range(first, before)))


def test_intervals_of_a_run_that_looked_are_sequences(fake: None) -> None:
    plan = Until.parse("capped_share<3%").plan(task(30_000, seed=3))
    result = run(plan, 2**15)
    assert result.task.hands == result.hands == result.ranges[0][1] < 30_000
    assert result.task.id == plan.task.id
    table, fixed = result.table(), replace(result, looked=None).table()
    methods = set(table["method"]) - {intervals.FIXED, "largest seen"}
    assert methods
    assert all("confidence sequence" in method for method in methods)
    assert (table["value"].fillna(-1) == fixed["value"].fillna(-1)).all()
    there = table["low"].notna()
    assert there.sum() > 70
    assert (table["low"][there] <= fixed["low"][there]).all()
    assert (table["high"][there] >= fixed["high"][there]).all()
    row = table[(table["of"] == "wins") & (table["name"] == "capped_share")].iloc[0]
    assert max(row["value"] - row["low"], row["high"] - row["value"]) < 0.03
    said = json.loads(json.dumps(result.to_dict(), allow_nan=False))["until"]
    assert said == {"goals": "capped_share<3%", "met": True, "most": 30_000, "looks": list(plan.looks)}
    assert replace(result, looked=None).to_dict()["until"] is None
    for text in (str(result), result._repr_html_()):
        assert "at all looks together" in text
        assert "30,000 hands" in text
    assert "at all looks together" not in str(replace(result, looked=None))


def test_a_run_that_does_not_get_there_says_so(fake: None) -> None:
    plan = Until.parse("points[greedy]<0.01,turns<5").plan(task(9000))
    result = run(plan, 2**15)
    assert result.hands == 9000
    assert result.to_dict()["until"]["met"] is False
    text = str(result).splitlines()[1]
    assert text.startswith("Not met within 9,000 hands of at most 9,000 hands: points[greedy]: ")
    assert "wanted < 0.01" in text
    assert "turns" not in text


def test_sums_with_a_run_that_looked_keep_the_sequences(fake: None) -> None:
    plan = Until.parse("capped_share<3%").plan(task(30_000, seed=3))
    looked = run(plan, 2**15)
    last = looked.ranges[0][1]
    plain = Result(
        replace(plan.task, first=last, hands=400),
        sum_up(plan.task, range(last, last + 400)),
        ((last, last + 400),),
    )
    later = run(Until.parse("capped_share<4%").plan(task(20_000, seed=3, first=100_000)), 2**15)
    for parts in itertools.permutations((looked, plain, later)):
        total = sum(parts)
        assert isinstance(total, Result)
        assert total.looked == plan  # that of the first hands
        assert total.hands == looked.hands + 400 + later.hands
    assert (looked + plain) + later == looked + (plain + later)
    assert (plain + later).looked == later.looked
    with pytest.raises(MergeError, match="count twice"):
        looked + looked


def test_real_hands_stop_where_the_width_is_reached() -> None:
    plan = Until.parse("points<8").plan(task(20_000, seed=1))
    result = run(plan, 4096)
    assert result.hands in plan.looks
    assert [standing.metric for standing in plan.standing(result.totals)] == [
        "points[greedy]",
        "points[random]",
    ]
    assert all(standing.estimate.half < 8 for standing in plan.standing(result.totals))
