"""Runs: the same answer for any number of workers and any shard size, what a run's folder holds, stopping."""

from __future__ import annotations

import dataclasses
import itertools
import json
import math
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import fake_play
from processes import environment
from runs import content, equal, part_of, same
from wuhan_core.records import HAND_DTYPE
from wuhan_core.rules import Preset, RuleSet, load_rules
from wuhan_sim import (
    Interrupted,
    MergeError,
    Result,
    RunError,
    StoreError,
    Task,
    TaskError,
    engine,
    play_records,
    runner,
    simulate,
)
from wuhan_sim.parts import flat
from wuhan_sim.store import RunFolder

MIXED, PAIR = "greedy,random,random,greedy", "greedy,random"


# ---- the compiled loop -------------------------------------------------------------------------


@pytest.mark.parametrize("deal", ["rotated", "fresh", "balanced"])
@pytest.mark.parametrize("draws", ["seat", "wall"])
def test_same_records_and_bits_for_any_workers_and_shards(deal: str, draws: str) -> None:
    task = Task("yuanhang", MIXED, 1501, seed=11, deal=deal, draws=draws, first=3)
    whole = play_records(task)
    assert whole.dtype == HAND_DTYPE
    assert (whole["hand"] == np.arange(3, 1504)).all()
    base = simulate(task, 1, keep_records=True, progress=False)
    wanted = pd.DataFrame(flat(whole))
    for workers in (1, 2, 4):
        for shard_hands in (53, 500, 4096):
            result = simulate(task, workers, keep_records=True, progress=False, shard_hands=shard_hands)
            pd.testing.assert_frame_equal(result.records, wanted, check_exact=True)
            equal(result, base)


def test_a_hand_depends_on_its_number_alone() -> None:
    whole = play_records("yuanhang", MIXED, seed=5, count=400)
    for first, count in ((0, 1), (1, 1), (399, 1), (17, 120)):
        part = play_records("yuanhang", MIXED, seed=5, first=first, count=count)
        assert (part == whole[first : first + count]).all()
    assert not (play_records("yuanhang", MIXED, seed=6, count=400) == whole).all()


def test_ranges_of_a_task_add_to_the_whole() -> None:
    rules = load_rules("yuanhang")
    parts = [
        simulate(Task(rules, MIXED, hands, seed=2, first=first), 1, progress=False)
        for first, hands in ((400, 200), (0, 100), (100, 300))
    ]
    whole = simulate(Task(rules, MIXED, 600, seed=2), 1, progress=False)
    equal(parts[0] + parts[1] + parts[2], whole)
    equal(parts[2] + (parts[1] + parts[0]), whole)
    equal(sum(parts), whole)  # type: ignore[arg-type]


def test_ranges_cut_inside_walls_add_to_the_whole(fake: None) -> None:
    def part(first: int, last: int) -> Result:
        task = Task("yuanhang", MIXED, last - first, seed=2, first=first)
        return simulate(task, 1, keep_records=True, progress=False)

    whole, parts = part(3, 59), [part(3, 6), part(6, 7), part(7, 30), part(30, 59)]
    for order in itertools.permutations(parts):
        both = sum(order[1:], order[0])
        same(both, whole)
        assert hash(both) == hash(whole)
    equal((parts[3] + parts[0]) + (parts[2] + parts[1]), whole)
    assert whole.walls == 15
    assert (parts[0] + parts[2]).walls == 8


def test_hands_that_share_a_wall_hold_the_same_wildcard() -> None:
    records = play_records("yuanhang", MIXED, seed=3, count=80)
    for name in ("wall", "indicator", "laizi"):
        assert (records[name].reshape(-1, 4) == records[name][::4, None]).all()
    assert (np.sort(records["bot"], axis=1) == np.arange(4)).all()
    assert (np.sort(records["bot"].reshape(-1, 4, 4), axis=1) == np.arange(4)[:, None]).all()


# ---- the frame, on a stand-in for the loop -----------------------------------------------------


def test_every_estimate_is_what_the_records_say(fake: None) -> None:
    task = Task("yuanhang", MIXED, 4000, seed=1)
    result = simulate(task, 2, keep_records=True, progress=False, shard_hands=512)
    r = play_records(task)
    win = r["outcome"] > 0
    table = result.table().set_index(["section", "of", "name"])
    assert table.index.is_unique
    assert list(result.table().columns) == [
        *("section", "of", "name", "value", "low", "high", "n", "unit", "method")
    ]
    cut = (r["owed"] > r["capped"]).any(axis=1) | (r["golden"] > 0)
    greedy = np.isin(r["bot"], [0, 3])
    won = r["winner"][:, None] == np.arange(4)
    for key, value, n in (
        (("frequencies", "hands", "exhausted"), (~win).mean(), 4000),
        (("frequencies", "hands", "turns"), r["turns"].mean(), 4000),
        (("frequencies", "wins", "self_draw"), (r["outcome"] == 1)[win].mean(), win.sum()),
        (("frequencies", "wins", "qingyise"), (r["types"] & 2 > 0)[win].mean(), win.sum()),
        (("frequencies", "wins", "hard"), (r["hard"] > 0)[win].mean(), win.sum()),
        (("caps", "wins", "capped_share"), cut[win].mean(), win.sum()),
        (("caps", "wins", "points_cut"), (r["owed"] - r["capped"]).sum() / win.sum(), win.sum()),
        (("caps", "points owed", "cut_share"), 1 - r["capped"].sum() / r["owed"].sum(), win.sum()),
        (("caps", "hands", "swing"), np.abs(r["points"]).sum() / 2 / 4000, 4000),
        (("caps", "hands", "largest_gain"), r["points"].max(), 4000),
        (("strategies", "greedy", "points"), r["points"][greedy].mean(), 8000),
        (("strategies", "greedy", "wins"), won[greedy].mean(), 8000),
        (("strategies", "greedy", "win_size"), r["points"][greedy & won].mean(), (greedy & won).sum()),
        (("strategies", "random", "opens"), r["opens"][~greedy].mean(), 8000),
        (
            ("strategies", "random", "ready_turn"),
            r["ready_turn"][~greedy & (r["ready_turn"] >= 0)].mean(),
            None,
        ),
        (("seats", "dealer+2", "points"), r["points"][:, 2].mean(), 4000),
    ):
        row: Any = table.loc[key, :]
        assert row["value"] == pytest.approx(value), key
        assert n is None or row["n"] == n, key
        if key[2] != "largest_gain":
            assert row["low"] < row["value"] < row["high"], key
    counted = table[table["n"] > 0]
    assert counted["value"].notna().all()
    assert table[table["n"] == 0]["value"].isna().all()
    for section, frame in (
        ("frequencies", result.frequencies()),
        ("caps", result.caps()),
        ("strategies", result.strategies()),
    ):
        pd.testing.assert_frame_equal(
            frame, table.loc[section].reset_index(), check_exact=True, check_index_type=False
        )


def test_interval_is_over_walls_not_hands(fake: None) -> None:
    result = simulate(Task("yuanhang", MIXED, 4000, seed=1), 1, keep_records=True, progress=False)
    r = result.records
    mean = r.groupby("wall")["turns"].mean()
    row = result.frequencies().query("of == 'hands' and name == 'turns'").iloc[0]
    half = 1.962 * mean.std() / math.sqrt(len(mean))
    assert (row["high"] - row["low"]) / 2 == pytest.approx(half, rel=2e-3)  # widened a little for skewness
    assert result.walls == 1000


def test_shards_lie_at_multiples_whatever_the_first_hand(fake: None, tmp_path: Path) -> None:
    simulate(
        Task("yuanhang", MIXED, 250, first=150),
        1,
        out=tmp_path,
        keep_records=True,
        progress=False,
        shard_hands=100,
    )
    names = [f"part-{first:012d}.parquet" for first in (150, 200, 300)]
    assert sorted(p.name for p in (tmp_path / "parts").iterdir()) == names


def test_different_tasks_do_not_add(fake: None) -> None:
    a = simulate(Task("yuanhang", MIXED, 40, seed=1), 1, progress=False)
    b = simulate(Task("yuanhang", "greedy", 40, seed=2), 1, progress=False)
    changed = load_rules("yuanhang", {"cap.per_payer": 200})
    c = simulate(Task(changed, MIXED, 40, seed=1), 1, progress=False)
    with pytest.raises(MergeError, match=r"(?s)bots .*; seed 1 and 2\. Only hands of one"):
        a + b
    with pytest.raises(MergeError, match=r"cap\.per_payer 300 and 200"):
        a + c


@pytest.mark.parametrize(("first", "hand"), [(0, 0), (39, 39), (20, 20)])
def test_hands_do_not_count_twice(fake: None, first: int, hand: int) -> None:
    a = simulate(Task("yuanhang", MIXED, 40), 1, progress=False)
    with pytest.raises(MergeError, match=f"have counted hand {hand}:"):
        a + simulate(Task("yuanhang", MIXED, 40, first=first), 1, progress=False)


def test_a_sum_with_a_gap_says_so_and_keeps_records(fake: None) -> None:
    a, b = (
        simulate(Task("yuanhang", MIXED, 40, first=first), 1, keep_records=True, progress=False)
        for first in (80, 0)
    )
    both = a + b
    assert both.ranges == ((0, 40), (80, 120))
    assert both.hands == 80
    assert list(both.records["hand"]) == [*range(40), *range(80, 120)]
    assert both.to_dict()["ranges"] == [[0, 40], [80, 120]]
    assert "; 80 hands (0..39, 80..119) on 20 walls, " in str(both).splitlines()[0]
    whole = both + simulate(Task("yuanhang", MIXED, 40, first=40), 1, keep_records=True, progress=False)
    assert list(whole.records["hand"]) == [*range(120)]
    assert "; 120 hands on 30 walls, " in str(whole).splitlines()[0]


def test_records_that_were_not_kept_are_an_error(fake: None) -> None:
    result = simulate(Task("yuanhang", MIXED, 40), 1, progress=False)
    with pytest.raises(ValueError, match="keep_records=True"):
        _ = result.records


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"workers": 0}, ["workers = 0"]),
        ({"workers": 1.5, "shard_hands": 0}, ["workers = 1.5", "shard_hands = 0"]),
        ({"shard_hands": -4}, ["shard_hands = -4"]),
        ({"workers": True}, ["workers = True"]),
    ],
)
def test_runs_that_cannot_be(fields: dict[str, Any], words: list[str], tmp_path: Path) -> None:
    with pytest.raises(RunError) as caught:
        simulate(Task("yuanhang", MIXED, 40), out=tmp_path / "run", **fields)
    assert [any(w in fault for w in words) for fault in caught.value.faults] == [True] * len(words)
    assert not (tmp_path / "run").exists()


def test_there_are_no_more_processes_than_the_system_can_wait_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "MOST_PROCESSES", 2)
    monkeypatch.setattr(runner, "processors", lambda: 64)
    task = Task("yuanhang", MIXED, 40)
    with pytest.raises(RunError, match=r"^workers = 3, must be a whole number from 1 to 2$"):
        simulate(task, 3, scheduler="processes")
    assert runner._workers(None, "processes", []) == 2
    assert runner._workers(None, "threads", []) == 64
    assert runner._workers(100, "threads", []) == 100


@pytest.mark.parametrize("out", [5, [], b"run", "a\0b", "", 1.5])
def test_out_must_be_the_path_of_a_folder(out: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(StoreError, match=r"^out = .*, must be the path of a folder$"):
        simulate(Task("yuanhang", MIXED, 40), out=out)
    with pytest.raises(RunError) as caught:
        simulate(Task("yuanhang", MIXED, 40), 0, out=out)
    assert len(caught.value.faults) == 2
    assert list(tmp_path.iterdir()) == []


def test_more_records_than_memory_holds_are_refused() -> None:
    for count in (2**61, 2**50):
        with pytest.raises(RunError, match=f"^count = {count}, must be fewer hands"):
            play_records("yuanhang", "greedy", count=count)


def test_what_the_engine_refuses_is_found_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any) -> None:
        raise ValueError("the engine cannot play this")

    monkeypatch.setattr(engine, "play_hands", refuse)
    with pytest.raises(RunError, match=r"^the engine cannot play this$"):
        simulate(Task("yuanhang", MIXED, 40), out=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_play_records_checks_what_it_is_given() -> None:
    task = Task("yuanhang", MIXED, 4)
    with pytest.raises(RunError, match="a task says itself"):
        play_records(task, seed=3)
    with pytest.raises(RunError, match="a task says itself"):
        play_records(task, np.array(["greedy"]))
    with pytest.raises(TaskError, match="must be names"):
        play_records("yuanhang", np.array(["greedy"]), count=1)
    with pytest.raises(RunError, match="task = 'yuanhang'"):
        simulate("yuanhang")  # type: ignore[arg-type]
    with pytest.raises(TaskError, match="count") as caught:
        play_records("yuanhang", "greedi", seed=-1)
    assert len(caught.value.faults) == 3


# ---- folders -----------------------------------------------------------------------------------


def test_folder_holds_the_run_whole(fake: None, tmp_path: Path) -> None:
    task = Task(load_rules("yuanhang", {"cap.per_payer": 200}), MIXED, 1000, seed=4)
    result = simulate(task, 2, out=tmp_path / "a" / "b", keep_records=True, progress=False, shard_hands=256)
    folder = tmp_path / "a" / "b"
    assert sorted(p.name for p in folder.iterdir()) == ["parts", "run.json", "summary.json", "totals.json"]
    run = json.loads((folder / "run.json").read_text())
    assert Task.from_json(json.dumps(run["task"])) == task
    assert (run["id"], run["rules_id"]) == (task.id, task.rules.id)
    (folder / "rules.toml").write_text(run["rules_toml"])
    assert load_rules(folder / "rules.toml") == task.rules
    assert json.loads((folder / "summary.json").read_text()) == result.to_dict()
    memory = simulate(task, 1, keep_records=True, progress=False)
    same(result, memory)


def test_every_part_says_where_it_comes_from(fake: None, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    task = Task("yuanhang", MIXED, 600, seed=4)
    simulate(task, 2, out=tmp_path, keep_records=True, progress=False, shard_hands=256)
    for first, last in ((0, 256), (256, 512), (512, 600)):
        file = parquet.ParquetFile(part_of(tmp_path, first))
        told = {k.decode(): v.decode() for k, v in file.schema_arrow.metadata.items()}
        assert told["wuhan.task"] == task.id
        assert (int(told["wuhan.first"]), int(told["wuhan.last"])) == (first, last)
        assert int(told["wuhan.stream"]) == engine.STREAM_VERSION
        assert file.metadata.num_rows == last - first
        assert file.metadata.row_group(0).column(0).compression == "ZSTD"


def test_the_same_run_may_go_to_its_folder_again(fake: None, tmp_path: Path) -> None:
    task = Task("yuanhang", MIXED, 600)
    first, second = (simulate(task, n, out=tmp_path, keep_records=True, progress=False) for n in (1, 2))
    equal(first, second)
    assert len(second.records) == 600


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"seed": 9}, "holds task"),
        ({"hands": 500}, "holds hands 0 to 599 of this task, not 0 to 499"),
        ({"first": 600}, "not 600 to 1199"),
    ],
)
def test_folder_of_another_run_is_refused(
    fake: None, tmp_path: Path, change: dict[str, Any], words: str
) -> None:
    task = Task("yuanhang", MIXED, 600)
    simulate(task, 1, out=tmp_path, keep_records=True, progress=False)
    before = content(tmp_path)
    with pytest.raises(StoreError, match=words):
        simulate(dataclasses.replace(task, **change), 1, out=tmp_path, keep_records=True)
    with pytest.raises(StoreError, match="holds a run with records, not without them"):
        simulate(task, 1, out=tmp_path)
    assert content(tmp_path) == before


@pytest.mark.parametrize(
    "data",
    [b"", b"[]", b"{}", b'{"task": {}}', b"\xff\xfe\x00\x01", bytes(range(256)), b"[" * 100_000],
    ids=["empty", "list", "object", "no task", "no text", "bytes", "deep"],
)
def test_folder_with_a_damaged_manifest_is_refused(fake: None, tmp_path: Path, data: bytes) -> None:
    (tmp_path / "run.json").write_bytes(data)
    with pytest.raises(StoreError, match=r"run\.json"):
        simulate(Task("yuanhang", MIXED, 40), 1, out=tmp_path)
    assert (tmp_path / "run.json").read_bytes() == data


@pytest.mark.parametrize(
    "name", ["run.json", "summary.json", ".summary.json.tmp", "parts/part-000000000000.parquet", "parts"]
)
def test_what_is_in_the_way_is_found_before_the_run(fake: None, tmp_path: Path, name: str) -> None:
    folder = tmp_path / "run"
    simulate(Task("yuanhang", MIXED, 40), 1, out=folder, progress=False)
    place = folder / name
    if name == "parts":
        place.write_text("")
    else:
        place.unlink(missing_ok=True)
        place.mkdir(parents=True)
    before = content(folder)
    with pytest.raises(StoreError, match=f"{re.escape(str(place))} is in the way, must be a"):
        simulate(Task("yuanhang", MIXED, 40), 1, out=folder, keep_records=True)
    assert content(folder) == before


@pytest.mark.skipif(sys.platform == "win32", reason="locks of POSIX")
def test_a_folder_in_use_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    task = Task("yuanhang", MIXED, 5000)

    def meanwhile() -> None:
        before = content(tmp_path)
        with pytest.raises(StoreError, match="is in use by another run") as caught:
            RunFolder(tmp_path, task, 4096, False)
        assert len(caught.value.faults) == 1
        assert content(tmp_path) == before
        refused.append(True)

    refused: list[bool] = []
    monkeypatch.setattr(engine, "play_hands", stopping_at(2500, meanwhile))
    simulate(task, 1, out=tmp_path, progress=False)
    assert refused == [True]
    simulate(task, 1, out=tmp_path, progress=False)  # it is free again


@pytest.mark.skipif(sys.platform == "win32", reason="locks of POSIX")
def test_a_process_that_died_has_no_lock(fake: None, tmp_path: Path) -> None:
    code = (
        "import sys; from wuhan_sim.store import RunFolder; from wuhan_sim import Task; "
        "f = RunFolder(sys.argv[1], Task('yuanhang', 'greedy', 40), 4096, False); "
        "(f.path / '.summary.json.tmp').write_text('half'); print('locked', flush=True); sys.stdin.read()"
    )
    task = Task("yuanhang", "greedy", 40)
    with subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)],
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"locked\n"
        with pytest.raises(StoreError, match="in use"):
            simulate(task, 1, out=tmp_path, progress=False)
        process.kill()
    simulate(task, 1, out=tmp_path, progress=False)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run.json", "summary.json", "totals.json"]


def test_folder_with_foreign_files_is_refused(fake: None, tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(StoreError, match=r"no run\.json"):
        simulate(Task("yuanhang", MIXED, 40), 1, out=tmp_path)
    with pytest.raises(StoreError, match="cannot take a run"):
        simulate(Task("yuanhang", MIXED, 40), 1, out=tmp_path / "thesis.tex")
    assert [p.name for p in tmp_path.iterdir()] == ["thesis.tex"]


def test_records_without_pyarrow_are_refused(
    fake: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(StoreError, match=r"pip install \"wuhan-core\[parquet\]\""):
        simulate(Task("yuanhang", MIXED, 40), 1, out=tmp_path / "run", keep_records=True)
    assert not (tmp_path / "run").exists()
    simulate(Task("yuanhang", MIXED, 40), 1, out=tmp_path / "run", progress=False)
    assert (tmp_path / "run" / "summary.json").exists()


# ---- stopping ----------------------------------------------------------------------------------


def stopping_at(hand: int, stop: Callable[[], object]) -> Callable[..., Any]:
    """The stand-in loop, which calls `stop` when it comes to a hand."""

    def play(rules: Any, bots: Any, seed: int, first: int, count: int, *rest: Any) -> Any:
        if first <= hand < first + count:
            stop()
        return fake_play.play_hands(rules, bots, seed, first, count, *rest)

    return play


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_stops_cleanly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt() -> None:
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

    monkeypatch.setattr(engine, "play_hands", stopping_at(5000, interrupt))
    threads = threading.active_count()
    with pytest.raises(Interrupted) as caught:
        simulate(
            Task("yuanhang", MIXED, 4_000_000),
            2,
            out=tmp_path,
            keep_records=True,
            progress=False,
            shard_hands=1024,
        )
    assert caught.value.hands == 4_000_000
    assert caught.value.done < 400_000
    assert threading.active_count() <= threads + 1  # tqdm may keep a monitor
    assert not (tmp_path / "summary.json").exists()
    parts = list((tmp_path / "parts").iterdir())
    assert parts
    assert all(p.name.startswith("part-") for p in parts)
    assert {len(pd.read_parquet(p)) for p in parts} == {1024}


def test_an_error_in_a_worker_reaches_the_caller(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise MemoryError("no more")

    monkeypatch.setattr(engine, "play_hands", stopping_at(5000, fail))
    with pytest.raises(MemoryError, match="no more"):
        simulate(Task("yuanhang", MIXED, 100_000), 2, progress=False, shard_hands=1024)


# ---- estimates that the rules bound ------------------------------------------------------------


def test_what_cannot_be_has_no_estimate() -> None:
    rules = load_rules("yuanhang", {"cap.golden": 0, "deal.last_draws": 0})
    result = simulate(Task(rules, "greedy", 2000), 1, progress=False)
    table = result.table().set_index(["section", "of", "name"])
    for key in (
        ("frequencies", "hands", "qianggang"),
        ("frequencies", "wins", "haidilao"),
        ("caps", "wins", "golden_share"),
        ("strategies", "greedy", "points"),
    ):
        row: Any = table.loc[key, :]
        assert (row["value"], row["low"], row["high"]) == (0, 0, 0)
        assert row["method"] == "fixed by the rules or the seating"
    lines = {line.split("  ")[0].strip(): line for line in reversed(str(result).splitlines())}
    for name in ("qianggang", "haidilao", "golden share", "points"):
        assert set(lines[name].removeprefix(name).replace("wins", "").split()) == {"-"}, name
    assert "-" not in lines["fengyise"].split()


def test_intervals_stay_within_the_possible(fake: None) -> None:
    for hands in (8, 12, 40):
        for seed in range(20):
            table = simulate(Task("yuanhang", MIXED, hands, seed=seed), 1, progress=False).table()
            known = table[table["low"].notna()]
            shares = known[known["unit"] == "share"]
            assert (shares["low"] >= 0).all()
            assert (shares["high"] <= 1).all()
            paid = known[known["name"].isin(["points_paid", "swing"])]
            assert (paid["low"] >= 0).all()
            assert (paid["high"] <= 1200).all()
            assert (known[known["name"] == "points_cut"]["low"] >= -300).all()
            assert (known[known["name"] == "cut_share"]["high"] <= 1).all()
            assert (known["low"] <= known["value"]).all()
            assert (known["value"] <= known["high"]).all()
    methods = table.set_index(["section", "of", "name"])["method"]
    assert methods["caps", "wins", "points_paid"].endswith(", cut to what is possible")


# ---- what a person sees ------------------------------------------------------------------------


def test_text_is_aligned_and_names_the_run(fake: None) -> None:
    task = Task(load_rules("yuanhang", {"cap.per_payer": 200}), MIXED, 4000, seed=7)
    lines = str(simulate(task, 1, progress=False)).splitlines()
    for word in (
        "yuanhang",
        "cap.per_payer=200",
        "greedy x2",
        "random x2",
        "4,000 hands",
        "1,000 walls",
        "seed 7",
    ):
        assert word in lines[0]
    assert task.id[:12] in lines[0]
    assert "95 %" in lines[1]
    assert max(map(len, lines[2:])) <= 100
    text = "\n".join(lines)
    for word in ("exhausted", "qingyise", "capped share", "golden share", "win size (points)", "dealer+1"):
        assert word in text
    assert "nan" not in text.lower()
    for rule in (i for i, line in enumerate(lines) if set(line) == {"-"}):
        assert len(lines[rule]) >= max(len(lines[rule - 1]), len(lines[rule + 1]))


def test_the_title_of_a_rule_file_is_short(fake: None, tmp_path: Path) -> None:
    def head(text: str, **changes: object) -> str:
        path = tmp_path / "mine.toml"
        path.write_text(text, encoding="utf-8")
        return str(simulate(Task(load_rules(path, changes), MIXED, 1), 1, progress=False)).split(":")[0]

    assert head('name = "house"\nextends = "lg"\n') == "house (extends laizigang)"
    assert head('extends = "lg"\nscore.stake = 2\n') == "mine (extends laizigang; score.stake=2)"
    assert head("score.stake = 2\n") == "mine (score.stake=2)"
    many = "cap = { per_payer = 1, golden = 2, liable = 3 }\nscore = { stake = 2, hard = 3, open = 'once' }\n"
    shown = "score.stake=2, score.open=once, score.hard=3, cap.per_payer=1 and 2 more"
    assert head(f'extends = "yh"\n{many}') == f"mine (extends yuanhang; {shown})"
    result = simulate(Task("hongzhong-2p", PAIR, 1), 1, progress=False)
    assert str(result).startswith("hongzhong-2p: greedy, random; 1 hand on 1 wall, seed 0")
    result = simulate(Task("yuanhang", MIXED, 1), 1, progress=False)
    assert "; 1 hand on 1 wall, seed 0" in str(result)
    named = RuleSet({}, Preset("two\nlines"))
    assert str(simulate(Task(named, MIXED, 1), 1, progress=False)).startswith("two\\nlines: greedy")


def test_html_holds_the_same_tables_and_escapes(fake: None) -> None:
    rules = RuleSet({}, Preset("<i>"))
    html = simulate(Task(rules, MIXED, 400), 1, progress=False)._repr_html_()
    assert html.count("<table>") == html.count("</table>") == 5
    assert "<td>exhausted</td>" in html
    assert "&lt;i&gt;" in html
    assert "<i>" not in html


def test_json_form_has_finite_numbers_only(fake: None) -> None:
    result = simulate(Task("yuanhang", MIXED, 1), 1, progress=False)
    text = json.dumps(result.to_dict(), allow_nan=False)
    assert result.to_dict() == json.loads(text)
    assert json.loads(text)["hands"] == 1
