"""Play what the findings rest on, and write the page: ``python docs/findings.py --hands 10000000``.

Every study is one command of ``wuhan`` (or one line of Python) at one size. Its estimates go to
``docs/data/<study>.json``, and ``findings.md`` is made from these files alone, with whatever sizes are there.
A study that is there with as many hands, or more, is not played again; one that was broken off goes on where
its folder in ``build/findings`` stands, or from its start where it has none.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from findings_page import CONTESTED, PRESETS, WUHAN, page
from wuhan_core import load_rules
from wuhan_sim import Task, analyze, duel, simulate, sweep
from wuhan_sim.versions import build

FOLDER = Path(__file__).parent
DATA = FOLDER / "data"
RUNS = FOLDER.parent / "build" / "findings"
METRICS = (
    *("exhausted_share", "big_share", "capped_share", "golden_share"),
    *("points_cut", "swing", "dealer_edge", "turns"),
)
COLUMNS = ("section", "of", "name", "value", "low", "high", "n", "unit", "method")
Rows = list[dict[str, Any]]


@dataclass(frozen=True)
class Study:
    """What is played.

    Attributes
    ----------
    name : str
        Of the file.
    part : float
        Its hands, as a share of those of a preset's run.
    least : int
        Its hands are a multiple of this, and no fewer.
    command : str
        With ``{hands}``.
    play : callable
        From hands and workers to the rows of the file.
    """

    name: str
    part: float
    least: int
    command: str
    play: Callable[[int, int | None], Rows]

    def hands(self, whole: int) -> int:
        return self.least * max(1, math.ceil(self.part * whole / self.least))


def studies() -> Iterator[Study]:
    """All of them, in the order in which they are played."""
    for preset in PRESETS:
        yield Study(
            f"run-{preset}",
            1,
            4,
            f"wuhan run --rules {preset} --bots greedy --hands {{hands}} --seed 1",
            run(preset),
        )
    for preset in PRESETS:
        yield Study(
            f"points-{preset}",
            *(0.1, 4),
            f'print(analyze(Task("{preset}", "greedy", {{hands}}, seed=1, deal="fresh")).section("points"))',
            quantiles(preset),
        )
    for a, b, presets, part in (
        ("planner", "greedy", PRESETS, 0.12),
        ("careful", "planner", WUHAN, 0.06),
        ("search", "planner", ("yuanhang",), 0.0003),
    ):
        for preset in presets:
            command = f"wuhan duel {a} {b} --rules {preset} --hands {{hands}} --seed 1"
            yield Study(f"duel-{a}-{b}-{preset}", part, 24, command, fought(a, b, preset))
    for bots, presets, part in (
        ("greedy", ("yuanhang",), 1.0),
        ("planner", ("yuanhang",), 0.1),
        ("greedy", WUHAN[1:], 0.1),
    ):
        for preset in presets:
            for key, each in CONTESTED.items():
                vary = each.vary(load_rules(preset))
                metrics = (*METRICS, *(["skill_edge"] if bots == "planner" else []))
                shown = " ".join(
                    f"--vary {name}={','.join(map(str, values))}" for name, values in vary.items()
                )
                command = f"wuhan sweep --rules {preset} --bots {bots} {shown} --metrics {','.join(metrics)}"
                yield Study(
                    f"rule-{key}-{bots}-{preset}",
                    *(part, 4),
                    f"{command} --hands {{hands}} --seed 1",
                    varied(bots, preset, vary, metrics),
                )


def run(preset: str) -> Callable[[int, int | None], Rows]:
    def play(hands: int, workers: int | None) -> Rows:
        task = Task(preset, "greedy", hands, seed=1, deal="fresh")
        result = simulate(task, workers, out=RUNS / f"{preset}-{hands}-{task.id[:12]}")
        table = result.table()
        return rows_of(table[table["section"] != "strategies"].to_dict("records"))

    return play


def quantiles(preset: str) -> Callable[[int, int | None], Rows]:
    def play(hands: int, workers: int | None) -> Rows:
        # fresh walls, as the commands have them: turned round, four equal bots would play each hand again
        section = analyze(Task(preset, "greedy", hands, seed=1, deal="fresh"), workers).section("points")
        return rows_of(section.assign(section="points").to_dict("records"))

    return play


def fought(a: str, b: str, preset: str) -> Callable[[int, int | None], Rows]:
    def play(hands: int, workers: int | None) -> Rows:
        found = duel(preset, a, b, hands, seed=1, workers=workers)
        of = f"{a} - {b}"
        whole = {"section": "duel", "of": of, "name": "points", **found.difference._asdict()}
        split = found.split.rename(columns={"by": "section"}).assign(of=of)
        rates = found.rates.assign(section="rates")
        return rows_of([whole, *split.to_dict("records"), *rates.to_dict("records")])

    return play


def varied(
    bots: str, preset: str, vary: dict[str, list[Any]], metrics: tuple[str, ...]
) -> Callable[[int, int | None], Rows]:
    def play(hands: int, workers: int | None) -> Rows:
        found = sweep(Task(preset, bots, hands, seed=1, deal="fresh"), vary, metrics, workers=workers)
        rows = []
        base = found.base
        assert base is not None
        for point in (base, *(point for point in found.points if point.rules.id != base.rules.id)):
            of = point.label
            for section, estimates in (("value", point.metrics), ("difference", point.difference)):
                rows += [
                    {"section": section, "of": of, "name": name, **each._asdict()}
                    for name, each in estimates.items()
                ]
        return rows_of(rows)

    return play


def rows_of(rows: Any) -> Rows:
    """Only the columns that are kept; numbers of ten digits, and None for what is not finite."""

    def plain(value: Any) -> Any:
        if isinstance(value, float):
            return float(f"{value:.10g}") if math.isfinite(value) else None
        return value.item() if hasattr(value, "item") else value

    return [{name: plain(row[name]) for name in COLUMNS} for row in rows]


def stored(name: str) -> dict[str, Any] | None:
    """The file of a study."""
    path = DATA / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def store(study: Study, hands: int, rows: Rows) -> None:
    """Write the file of a study, a row a line, whole or not at all."""
    head = {
        "study": study.name,
        "command": study.command.format(hands=hands),
        "hands": hands,
        "made": {name: value for name, value in build().items() if name != "kernel"},
    }
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    text = f'{json.dumps(head, ensure_ascii=False)[:-1]}, "rows": [\n{lines}\n]}}\n'
    DATA.mkdir(exist_ok=True)
    fresh = DATA / f"{study.name}.json.new"
    fresh.write_text(text, encoding="utf-8")
    os.replace(fresh, DATA / f"{study.name}.json")


def main(arguments: list[str] | None = None) -> None:
    command = argparse.ArgumentParser(description="Play what the findings rest on, and write the page.")
    command.add_argument(
        "--hands", type=int, default=10_000_000, help="hands of a preset's run (default: 10 million)"
    )
    command.add_argument("--only", default="", help="only studies that have this in their name, as run-qipi")
    command.add_argument("--workers", type=int, help="threads (default: one per processor)")
    command.add_argument("--page", action="store_true", help="play nothing, write the page")
    options = command.parse_args(arguments)
    chosen = [study for study in studies() if options.only in study.name]
    if not chosen:
        command.error(
            f"no study has {options.only!r} in its name: {', '.join(each.name for each in studies())}"
        )
    for study in [] if options.page else chosen:
        hands, there = study.hands(options.hands), stored(study.name)
        if there is None or there["hands"] < hands:
            print(f"playing {study.name}, {hands:,} hands", file=sys.stderr, flush=True)
            store(study, hands, study.play(hands, options.workers))
    found = {study.name: each for study in studies() if (each := stored(study.name))}
    (FOLDER / "findings.md").write_text(page(found), encoding="utf-8")


if __name__ == "__main__":
    main()
