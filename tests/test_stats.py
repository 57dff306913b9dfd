"""Statistics: the vectorised sums against a plain count, exactness, and the coverage of the intervals."""

from __future__ import annotations

import itertools
import json
import math
import random
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as scipy_stats

import fake_play
from wuhan_core.records import OUTCOMES, TYPE_NAMES
from wuhan_core.rules import RuleSet, load_rules
from wuhan_sim.intervals import Sums, proportion, ratio
from wuhan_sim.quantities import Quantity, quantities
from wuhan_sim.stats import NOTHING, Overview, Totals, summed, wall_columns
from wuhan_sim.stats import measure as measure_by

MIXED = ("greedy", "random", "random", "greedy")
ALONE = ("greedy",) * 4
PAIR = ("greedy", "random")
FOUR = ("greedy", "random", "module:A", "module:B")


def ratios(bots: tuple[str, ...]) -> list[tuple[str, str]]:
    return [(row.over, row.under) for row in quantities(load_rules("yuanhang"), bots)]


def measure(records: Any, bots: tuple[str, ...], per_wall: int, pairs: list[tuple[str, str]]) -> Totals:
    return measure_by([records], per_wall, Overview(bots, tuple(pairs)))


def count(hand: Any, bots: tuple[str, ...]) -> Counter[str]:
    """What one record adds to each column, written out plainly."""
    c: Counter[str] = Counter()
    c["hands"] += 1
    c[OUTCOMES[hand["outcome"]]] += 1
    c["turns"] += int(hand["turns"])
    win = hand["outcome"] != 0
    owed, capped, points = ([int(x) for x in hand[name]] for name in ("owed", "capped", "points"))
    cut = win and (bool(hand["golden"]) or any(o > p for o, p in zip(owed, capped, strict=True)))
    if win:
        held = [name for bit, name in enumerate(TYPE_NAMES) if int(hand["types"]) >> bit & 1]
        c["wins"] += 1
        c["big"] += bool(held)
        c["hard" if hand["hard"] else "soft"] += 1
        c["liable"] += hand["liable"] >= 0
        c["golden"] += int(hand["golden"])
        c["capped"] += cut
        c["win turns"] += int(hand["turns"])
        c["owed"] += sum(owed)
        c["paid"] += sum(capped)
        c["cut"] += sum(owed) - sum(capped)
        c["swing"] += sum(p for p in points if p > 0)
        for name in held or ["pihu"]:
            c[name] += 1
            c[f"capped {name}"] += cut
            c[f"paid {name}"] += sum(capped)
    for seat in range(len(bots)):
        bot, place = bots[hand["bot"][seat]], (seat - int(hand["dealer"])) % len(bots)
        won, dealt_in = hand["winner"] == seat, hand["outcome"] == 2 and hand["loser"] == seat
        c[f"points of place {place}"] += points[seat]
        c[f"wins of place {place}"] += won
        c[f"deal-ins of place {place}"] += dealt_in
        for name, value in {
            "hands": 1,
            "points": points[seat],
            "wins": won,
            "self-draws": won and hand["outcome"] == 1,
            "big wins": won and hand["types"] > 0,
            "capped wins": won and cut,
            "gain": points[seat] if won else 0,
            "deal-ins": dealt_in,
            "deal-in loss": points[seat] if dealt_in else 0,
            "liable": hand["liable"] == seat,
            "losses": points[seat] < 0,
            "loss": min(points[seat], 0),
            "opened": hand["opens"][seat] > 0,
            "opens": int(hand["opens"][seat]),
            "kongs": int(hand["kongs"][seat]),
            "ready": hand["ready_turn"][seat] >= 0,
            "ready turn": max(int(hand["ready_turn"][seat]), 0),
        }.items():
            c[f"{name} of {bot}"] += value
    return c


def plain(records: Any, bots: tuple[str, ...]) -> Totals:
    """The same as `measure`, one hand at a time."""
    walls: dict[int, Counter[str]] = {}
    for hand in records:
        walls.setdefault(int(hand["wall"]), Counter()).update(
            {name: int(value) for name, value in count(hand, bots).items()}
        )
    names = {name for wall in walls.values() for name in wall}
    products = {pair for a, b in ratios(bots) for pair in ((a, a), (a, b), (b, b))}
    return Totals(
        {name: sum(wall[name] for wall in walls.values()) for name in names},
        {(a, b): sum(wall[a] * wall[b] for wall in walls.values()) for a, b in products},
        {b: sum(wall[b] != 0 for wall in walls.values()) for _, b in ratios(bots)},
        {name: int(records[name].max()) for name in ("owed", "points")},
    )


def same(a: Totals, b: Totals) -> None:
    names = set(a.sums) | set(b.sums)
    assert {name: a.sums.get(name, 0) for name in names} == {name: b.sums.get(name, 0) for name in names}
    assert (a.products, a.walls, a.peaks) == (b.products, b.walls, b.peaks)
    assert a.open == b.open == {}


# points change to wider types between 2**24 and 2**29, 2**56 and 2**61; 2**49: the largest that reach 2**60
@pytest.mark.parametrize("scale", [1, 1000, 2**16, 2**30, 2**40, 2**46])
@pytest.mark.parametrize(
    ("bots", "deal"),
    [
        *((MIXED, "rotated"), (MIXED, "fresh"), (ALONE, "rotated"), (PAIR, "rotated"), (PAIR, "fresh")),
        *((MIXED, "balanced"), (ALONE, "balanced"), (PAIR, "balanced"), (FOUR, "balanced")),
    ],
)
def test_sums_are_those_of_a_plain_count(bots: tuple[str, ...], deal: str, scale: int) -> None:
    alike = [bots.index(bot) for bot in bots]
    records = fake_play.play_hands(None, bots, 5, 3, 203, deal, scale=scale, alike=alike)
    orders = len(set(itertools.permutations(alike)))
    per_wall = {"rotated": len(bots), "fresh": 1, "balanced": orders}[deal]
    same(measure(records, bots, per_wall, ratios(bots)).settled, plain(records, bots))


def test_dealers_other_than_seat_0_are_counted_by_place() -> None:
    records = fake_play.play_hands(None, MIXED, 5, 0, 120)
    records["dealer"] = np.arange(120) % 4
    same(measure(records, MIXED, 4, ratios(MIXED)), plain(records, MIXED))


def test_points_at_the_bound_of_the_engine_are_exact() -> None:
    records = fake_play.play_hands(None, MIXED, 5, 0, 64)
    won = records["outcome"] > 0
    records["owed"][won], records["capped"][won], records["points"][won] = 2**60, 2**60, 2**60
    total = measure(records, MIXED, 4, ratios(MIXED))
    assert total.sums["owed"] == 4 * 2**60 * int(won.sum()) > 2**63
    same(total, plain(records, MIXED))


def test_columns_of_narrow_integers_are_summed_as_wide_ones() -> None:
    """Numpy counts in 32 bits on some machines."""
    column = np.full(3, 2**30, np.int32)
    total = summed({"a": column}, [("a", "a"), ("a", "a", "a")], [], {})
    assert total.sums["a"] == 3 * 2**30
    assert [total.products[names] for names in (("a", "a"), ("a", "a", "a"))] == [3 * 2**60, 3 * 2**90]


@settings(max_examples=50)
@given(
    first=st.integers(0, 10**6),
    cuts=st.lists(st.integers(1, 239), max_size=12),
    shuffle=st.randoms(use_true_random=False),
)
def test_hands_cut_anywhere_add_to_the_whole_in_any_order(
    first: int, cuts: list[int], shuffle: random.Random
) -> None:
    edges = sorted({first, first + 240, *(first + cut for cut in cuts)})
    chunks = [
        measure(fake_play.play_hands(None, MIXED, 1, a, b - a), MIXED, 4, ratios(MIXED))
        for a, b in itertools.pairwise(edges)
    ]
    shuffle.shuffle(chunks)
    whole = measure(fake_play.play_hands(None, MIXED, 1, first, 240), MIXED, 4, ratios(MIXED))
    assert sum(chunks, NOTHING) == whole
    for a, b in itertools.pairwise(chunks):
        assert sum(chunks, NOTHING) == (a + b) + sum((c for c in chunks if c not in (a, b)), NOTHING)


def test_a_wall_is_open_until_its_last_hand() -> None:
    hands = [measure(fake_play.play_hands(None, MIXED, 1, n, 1), MIXED, 4, ratios(MIXED)) for n in range(4)]
    part, rest = hands[2] + hands[0], hands[3] + hands[1]
    assert list(part.open) == [0]
    assert (part.sums, part.settled.sums["hands"], part.settled.walls["hands"]) == ({}, 2, 1)
    assert (part + rest).open == {}
    assert (part + rest).walls["hands"] == 1


def test_totals_come_back_from_json_bit_for_bit() -> None:
    records = fake_play.play_hands(None, MIXED, 1, 2, 101, scale=2**46)
    totals = measure(records, MIXED, 4, ratios(MIXED))
    assert len(totals.open) == 2
    assert Totals.from_dict(json.loads(json.dumps(totals.to_dict()))) == totals
    assert Totals.from_dict(NOTHING.to_dict()) == NOTHING


def test_no_records_give_no_columns() -> None:
    assert measure(fake_play.play_hands(None, MIXED, 1, 0, 0), MIXED, 4, ratios(MIXED)) == NOTHING


def test_columns_have_a_row_per_wall() -> None:
    block = fake_play.play_hands(None, MIXED, 1, 0, 40).reshape(10, 4)
    columns = wall_columns(block, MIXED)
    assert {column.shape for column in columns.values()} == {(10,)}
    assert {column.dtype for column in columns.values()} == {np.dtype(np.int64)}
    assert (columns["hands of greedy"] == 8).all()


# ---- what is reported --------------------------------------------------------------------------


def rows_of(rules: RuleSet, bots: tuple[str, ...] = MIXED) -> dict[tuple[str, str, str], Quantity]:
    return {(row.section, row.of, row.name): row for row in quantities(rules, bots)}


@pytest.mark.parametrize(
    ("preset", "changes", "key", "fixed"),
    [
        ("yuanhang", {}, ("frequencies", "hands", "qianggang"), True),
        ("yuanhang", {"score.qianggang_is_big": True}, ("frequencies", "hands", "qianggang"), False),
        ("yuanhang", {}, ("frequencies", "wins", "haidilao"), False),
        ("yuanhang", {"deal.last_draws": 0}, ("frequencies", "wins", "haidilao"), True),
        ("yuanhang", {}, ("caps", "wins", "golden_share"), False),
        ("yuanhang", {"cap.golden": 0}, ("caps", "wins", "golden_share"), True),
        ("yuanhang", {"cap.per_payer": 0}, ("caps", "wins", "golden_share"), True),
        ("yuanhang", {"claims.discard_win": False}, ("strategies", "greedy", "deal_ins"), True),
        ("hongzhong", {}, ("frequencies", "hands", "discard"), True),
        ("hongzhong", {}, ("frequencies", "hands", "qianggang"), False),
        ("hongxin", {}, ("frequencies", "hands", "jiuyao"), False),
        ("hongxin", {"win.shapes": ["standard"]}, ("frequencies", "hands", "jiuyao"), True),
    ],
)
def test_what_rules_rule_out_is_fixed(
    preset: str, changes: dict[str, object], key: tuple[str, str, str], fixed: bool
) -> None:
    assert rows_of(load_rules(preset, changes))[key].fixed is fixed


def test_each_model_reports_its_own_types() -> None:
    types = {
        preset: [row.name for row in quantities(load_rules(preset), MIXED) if row.of == "hands"]
        for preset in ("yuanhang", "hongzhong", "hongxin")
    }
    assert {"pihu", "big", "jiangyise"} <= set(types["yuanhang"])
    assert not {"qidui", "wubao", "tianhu"} & set(types["yuanhang"])
    assert {"pinghu", "qidui", "qianggang"} <= set(types["hongzhong"])
    assert not {"pihu", "haidilao", "jiuyao"} & set(types["hongzhong"])
    assert {"pengpenghu", "qixingjiuyao", "wubao", "baodiaobao", "tianhu"} <= set(types["hongxin"])
    assert not {"pihu", "qingyise", "haidilao"} & set(types["hongxin"])


def test_points_of_a_bot_on_every_seat_are_fixed() -> None:
    rules = load_rules("yuanhang")
    assert rows_of(rules, ALONE)["strategies", "greedy", "points"].fixed
    assert not rows_of(rules)["strategies", "greedy", "points"].fixed


@pytest.mark.parametrize(
    ("preset", "changes", "most"),
    [
        ("yuanhang", {}, 1200),
        ("yuanhang", {"cap.golden": 0, "cap.liable": 200}, 900),
        ("yuanhang", {"score.stake": 5}, 6000),
        ("yuanhang", {"cap.per_payer": 0}, math.inf),
        ("yuanhang", {"cap.liable": 0}, math.inf),
        ("laizigang", {"claims.many_rob": True}, math.inf),
        ("hongxin", {}, math.inf),
    ],
)
def test_points_lie_within_the_caps(preset: str, changes: dict[str, object], most: float) -> None:
    rows = rows_of(load_rules(preset, changes))
    paid, points = rows["caps", "wins", "points_paid"], rows["strategies", "greedy", "points"]
    assert (paid.low, paid.high) == (0, most)
    assert (points.low, points.high) == (-most, most)


def test_golden_wins_may_be_paid_more_than_they_are_owed() -> None:
    rows = rows_of(load_rules("yuanhang", {"score.stake": 2}))
    assert rows["caps", "wins", "points_cut"].low == -2 * 3 * 100
    assert rows["caps", "points owed", "cut_share"].low == pytest.approx(1 - 400 / 300)
    rows = rows_of(load_rules("yuanhang", {"cap.golden": 0}))
    assert rows["caps", "wins", "points_cut"].low == rows["caps", "points owed", "cut_share"].low == 0
    assert rows["caps", "points owed", "cut_share"].high == 1


# ---- intervals ---------------------------------------------------------------------------------


def sums(y: Any, x: Any) -> Sums:
    y, x = (np.asarray(v, dtype=np.int64) for v in (y, x))
    yy, xy, xx = (int(v) for v in (y @ y, x @ y, x @ x))
    return Sums(int(y.sum()), int(x.sum()), yy, xy, xx, int(np.count_nonzero(x)))


def test_mean_over_equal_walls_is_the_t_interval() -> None:
    y = np.array([3, -5, 8, 0, 12, 7, 7, -1])
    found = ratio(sums(y, np.full(8, 4)))
    wanted = scipy_stats.ttest_1samp(y / 4, 0).confidence_interval(0.95)
    assert found.value == pytest.approx(y.mean() / 4)
    assert (found.low, found.high) == pytest.approx((wanted.low, wanted.high))


def test_ratio_is_cut_to_what_is_possible() -> None:
    y, x = [0, 0, 900], [1, 1, 1]
    free = ratio(sums(y, x))
    assert free.low < 0
    assert free.high > 900
    assert ratio(sums(y, x), 0, 900) == (free.value, 0, 900)
    assert ratio(sums(y, x), 400, 500) == (free.value, free.value, 500)  # never without the value


def test_ratio_is_invariant_under_walls_without_the_thing() -> None:
    y, x = [3, 9, 4, 0, 8], [1, 2, 1, 1, 3]
    assert ratio(sums(y, x)) == ratio(sums(y + [0] * 50, x + [0] * 50))


def test_ratio_error_agrees_with_the_jackknife() -> None:
    rng = np.random.default_rng(3)
    x = rng.integers(0, 5, 400)
    y = rng.poisson(7 * x)
    left_out = (y.sum() - y) / (x.sum() - x)
    error = math.sqrt((len(x) - 1) * left_out.var())
    found = ratio(sums(y, x))
    assert (found.high - found.low) / 2 == pytest.approx(1.966 * error, rel=0.02)


@pytest.mark.parametrize(("k", "n"), [(0, 40), (40, 40), (1, 500), (70, 500), (499, 500), (10**8, 10**9)])
def test_proportion_of_independent_hands_is_that_of_clopper_and_pearson(k: int, n: int) -> None:
    found = proportion(Sums(k, n, k, k, n, n))
    exact = scipy_stats.binomtest(k, n).proportion_ci()
    # one hand a wall: the estimated design effect is n / (n - 1), and t has n - 1 degrees of freedom
    tolerance: dict[str, Any] = (
        {"abs": 1e-12} if k in (0, n) else {"rel": 3e-2} if n == 500 else {"rel": 1e-7}
    )
    assert (found.low, found.high) == pytest.approx((exact.low, exact.high), **tolerance)


def test_repeated_hands_of_a_wall_add_no_certainty() -> None:
    once = [1] * 13 + [0] * 87
    single = proportion(sums(once, [1] * 100))
    fourfold = proportion(sums([4 * y for y in once], [4] * 100))
    assert fourfold == pytest.approx(single)
    assert proportion(sums([0] * 100, [4] * 100)) == pytest.approx(proportion(sums([0] * 100, [1] * 100)))


def test_hands_that_balance_within_a_wall_claim_no_more_than_independent_ones() -> None:
    found = proportion(sums([1] * 50, [4] * 50))
    exact = scipy_stats.binomtest(50, 200).proportion_ci()
    assert (found.low, found.high) == pytest.approx((exact.low, exact.high), rel=0.01)
    assert found.low < exact.low
    assert found.high > exact.high


def test_nothing_counted_is_unknown_and_one_wall_has_no_interval() -> None:
    assert all(math.isnan(v) for v in (*ratio(sums([0], [0])), *proportion(sums([0], [0]))))
    value, low, high = ratio(sums([6], [4]))
    assert value == 1.5
    assert math.isnan(low)
    assert math.isnan(high)
    value, low, high = proportion(sums([1], [4]))
    assert 0 <= low < value < high <= 1


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=30))
def test_proportion_lies_in_its_interval(walls: list[tuple[int, int]]) -> None:
    s = sums([min(y, x) for y, x in walls], [x for _, x in walls])
    if s.x:
        value, low, high = proportion(s)
        assert 0 <= low <= value <= high <= 1
        assert low < high


def covered(kind: Any, draw: Any, truth: float, runs: int = 2000) -> float:
    rng = np.random.default_rng(12)
    found = [kind(sums(*draw(rng))) for _ in range(runs)]
    return sum(bool(low <= truth <= high) for _, low, high in found) / runs


@pytest.mark.parametrize(
    ("p", "walls", "together"),
    [(0.3, 10, 0.7), (0.3, 50, 0.5), (0.05, 100, 0.5), (0.001, 300, 1), (0.001, 2000, 0), (0.001, 9000, 0.5)],
)
def test_proportion_covers_where_hands_hang_together(p: float, walls: int, together: float) -> None:
    def draw(rng: np.random.Generator) -> tuple[Any, Any]:
        shared = rng.random((walls, 1)) < p
        own = rng.random((walls, 4)) < p
        return np.where(rng.random((walls, 4)) < together, shared, own).sum(axis=1), np.full(walls, 4)

    assert covered(proportion, draw, p) >= 0.94  # 0.95 less three errors of 2,000 runs


def test_mean_covers_for_points_as_skewed_as_ours() -> None:
    def draw(rng: np.random.Generator) -> tuple[Any, Any]:
        x = rng.binomial(4, 0.2, 5000)  # wins of a wall, their sizes doubling with falling chance up to a cap
        sizes = np.minimum(2 ** rng.geometric(0.5, (5000, 4)), 300)
        return (sizes * (np.arange(4) < x[:, None])).sum(axis=1), x

    truth = sum(min(2**k, 300) * 0.5**k for k in range(1, 200))
    assert 0.93 <= covered(ratio, draw, truth) <= 0.97
