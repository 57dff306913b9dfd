"""The tables behind a run, against a plain count of its records."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import numpy as np
import pytest

from wuhan_core.records import BIG_TYPES, OUTCOMES, TYPE_NAMES
from wuhan_core.rules import preset_names
from wuhan_sim import Task, analyze
from wuhan_sim.analysis import SECTIONS
from wuhan_sim.breakdown import KONGS, ROUNDS, TAIL, Breakdown
from wuhan_sim.shards import play
from wuhan_sim.stats import NOTHING, measure

HANDS = 1500


def task_of(preset: str, hands: int = HANDS) -> Task:
    bots = ["greedy", "random"] if preset == "hongzhong-2p" else ["greedy", "random", "greedy", "random"]
    return Task(preset, bots, hands, seed=4)


def patterns(names: list[str]) -> list[str]:
    return [name for name in names if name == "pengpenghu" or name in TYPE_NAMES[8:15]]


def plain(records: Any, task: Task) -> Counter[str]:
    """What the cells hold, one hand after the other."""
    c: Counter[str] = Counter()
    players = len(task.bots)
    factors = task.rules.get("score.model") == "factors"
    for hand in records:
        turn = min(int(hand["turns"]) // players, ROUNDS - 1)
        won = hand["outcome"] > 0
        c["hands"] += 1
        c[f"length {turn} {'wins' if won else 'exhausted'}"] += 1
        kept = not won or hand["winner"] == hand["dealer"]
        c["dealer kept" if kept else "dealer passed"] += 1
        if won:
            owed, paid = int(hand["owed"].sum()), int(hand["capped"].sum())
            held = [name for bit, name in enumerate(TYPE_NAMES) if int(hand["types"]) >> bit & 1]
            c["wins"] += 1
            c["paid"] += paid
            for least in TAIL:
                c[f"tail {least}"] += owed >= least
            who = hand["winner"]
            kongs = int(hand["kongs"][who])
            together = "+".join(held) or "pihu" if factors else patterns(held)[0]
            cells = [
                *(("types", name) for name in held or ["pihu"]),
                ("combinations", together),
                ("source", OUTCOMES[hand["outcome"]]),
                ("hard", "hard" if hand["hard"] else "soft"),
                ("laizi", str(hand["start_wild"][who])),
                ("opens", str(hand["opens"][who])),
                ("kongs", str(kongs) if kongs < KONGS - 1 else f"{KONGS - 1}+"),
            ]
            for section, name in cells:
                c[f"{section} {name} wins"] += 1
                c[f"{section} {name} paid"] += paid
                c[f"{section} {name} cut"] += owed - paid
                c[f"{section} {name} turns"] += int(hand["turns"])
                c[f"{section} {name} hard"] += bool(hand["hard"])
                c[f"{section} {name} golden"] += bool(hand["golden"])
                c[f"{section} {name} self-draws"] += hand["outcome"] == 1
                capped = bool(hand["golden"]) or any(hand["owed"] > hand["capped"])
                c[f"{section} {name} capped"] += capped
        for seat in range(players):
            bot = task.bots[hand["bot"][seat]]
            wins, points = won and hand["winner"] == seat, int(hand["points"][seat])
            c[f"hands of {bot}"] += 1
            dealt = f"dealt {hand['start_wild'][seat]}"
            c[f"{dealt} of {bot}"] += 1
            c[f"{dealt} wins of {bot}"] += wins
            c[f"{dealt} points of {bot}"] += points
            c[f"win {turn} of {bot}"] += wins
            c[f"deal-in {turn} of {bot}"] += hand["outcome"] == 2 and hand["loser"] == seat
            if hand["ready_turn"][seat] >= 0:
                c[f"ready {min(hand['ready_turn'][seat] // players, ROUNDS - 1)} of {bot}"] += 1
            if hand["dealer"] == seat:
                c[f"deals of {bot}"] += 1
                c[f"deals wins of {bot}"] += wins
                c[f"deals points of {bot}"] += points
    return Counter({key: value for key, value in c.items() if value})


@pytest.mark.parametrize("preset", preset_names())
def test_cells_are_those_of_a_plain_count(preset: str) -> None:
    task = task_of(preset)
    records = play(task, 0, HANDS)
    gauge = Breakdown(task.rules, task.bots)
    totals = measure([records], task.hands_per_wall, gauge).settled
    assert {name: value for name, value in totals.sums.items() if value} == dict(plain(records, task))
    wanted = {name for pair in gauge.ratios for name in pair}
    assert wanted <= totals.sums.keys()
    for section in ("combinations", "source", "hard", "laizi", "opens", "kongs"):
        cells = [row.over for row in gauge.rows if row.section == section and row.name == "wins"]
        assert sum(totals.sums[cell] for cell in cells) == totals.sums["wins"]


def test_every_set_of_big_types_has_a_cell() -> None:
    rules = task_of("laizigang").rules
    named = set(Breakdown(rules, ("greedy",) * 4).combos)
    apart = [{"qingyise", "fengyise"}, {"fengyise", "jiangyise"}]
    last = [{"gangshanghua", "haidilao"}, {"gangshanghua", "qianggang"}, {"haidilao", "qianggang"}]
    for n in range(len(BIG_TYPES) + 1):
        for chosen in itertools.combinations(BIG_TYPES, n):
            mask = sum(1 << BIG_TYPES.index(name) for name in chosen)
            assert (mask in named) == (not any(pair <= set(chosen) for pair in apart + last))


def test_parts_of_the_hands_add_to_the_whole() -> None:
    task = task_of("yuanhang", 800)
    gauge = Breakdown(task.rules, task.bots)
    cuts = [0, 200, 204, 600, 800]
    parts = [measure([play(task, a, b - a)], task.hands_per_wall, gauge) for a, b in itertools.pairwise(cuts)]
    assert sum(parts, NOTHING) == measure([play(task, 0, 800)], task.hands_per_wall, gauge)


def test_quantiles_of_points_are_those_of_the_sorted_wins() -> None:
    task = task_of("yuanhang")
    records = play(task, 0, HANDS)
    owed = np.sort(records["owed"][records["outcome"] > 0].sum(axis=1))
    found = analyze(task, 1, progress=False).section("points").set_index(["of", "name"])
    for share, name in ((0.5, "q50"), (0.9, "q90"), (0.99, "q99")):
        row = found.loc[("owed", name), :]
        assert row["value"] == owed[int(np.ceil(share * len(owed))) - 1]
        assert row["low"] <= row["value"] <= row["high"]


def test_the_table_is_tidy() -> None:
    analysis = analyze(task_of("yuanhang", 400), 2, progress=False)
    table = analysis.table()
    assert list(dict.fromkeys(table["section"])) == list(SECTIONS)
    assert not table.duplicated(["section", "of", "name"]).any()
    there = table[["value", "low", "high"]].notna().all(axis=1)
    assert (table["low"][there] <= table["value"][there] + 1e-12).all()
    assert (table["value"][there] <= table["high"][there] + 1e-12).all()
    assert analysis.wide("types").loc["pihu", "wins"] == analysis.section("types")["value"][0]
    assert set(analysis.to_dict()) == {"task", "id", *SECTIONS}
    assert "combinations" in str(analysis)
    assert analysis._repr_html_().count("<table>") == len(SECTIONS) - 1
