"""`verify`, `combine` and `load_run`: a run's folder checked, put together, read."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import random
import re
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import fake_play
from runs import content, part_of
from wuhan_core.rules import load_rules
from wuhan_sim import (
    Result,
    StoreError,
    Task,
    combine,
    engine,
    load_run,
    parts,
    play_records,
    simulate,
    store,
    verify,
)
from wuhan_sim.cli import main
from wuhan_sim.shards import Span

pytest.importorskip("pyarrow")
pytestmark = pytest.mark.usefixtures("fake")

MIXED = "greedy,random,random,greedy"
TASK = Task(load_rules("yuanhang", {"cap.per_payer": 200}), MIXED, 1001, seed=4, first=150)


def run(out: Path, first: int = 150, last: int = 1151, keep_records: bool = True, **fields: Any) -> Result:
    task = dataclasses.replace(TASK, first=first, hands=last - first, **fields)
    return simulate(task, 2, out=out, keep_records=keep_records, progress=False, shard_hands=256)


def change(path: Path, edit: Callable[[Any], object], sealed: bool = False) -> None:
    """Edit a JSON file; sealed: with the SHA-256 that its content should have."""
    fields = json.loads(path.read_text())
    edit(fields)
    if sealed:
        fields.pop("sha256")
        text = json.dumps(fields, sort_keys=True, separators=(",", ":"))
        fields["sha256"] = hashlib.sha256(text.encode()).hexdigest()
    path.write_text(json.dumps(fields))


# ---- verify ------------------------------------------------------------------------------------


@pytest.mark.parametrize("keep", [True, False])
@pytest.mark.parametrize("sample", [0, 1, 50, None])
def test_a_sound_run_is_sound(tmp_path: Path, keep: bool, sample: int | None) -> None:
    run(tmp_path, keep_records=keep)
    before = content(tmp_path)
    found = verify(tmp_path, sample, 5, 2)
    assert found.sound
    assert str(found).startswith(f"{tmp_path}: sound; task {TASK.id[:12]}, 1,001 hands")
    assert (found.hands, found.ranges) == (1001, ((150, 1151),))
    assert (found.parts, found.replayed) == (5 if keep else 0, 1001 if sample is None else sample)
    assert bool(found.notes) == (not keep and sample is not None)
    assert found.to_dict() == json.loads(json.dumps(found.to_dict()))
    assert content(tmp_path) == before


def faults_of(folder: Path, sample: int | None = 0) -> list[str]:
    return [fault.replace(str(folder), "RUN") for fault in verify(folder, sample, 1).faults]


def test_records_that_are_not_those_of_their_hands_are_named(tmp_path: Path) -> None:
    run(tmp_path)
    bad = dataclasses.replace(TASK, first=256, hands=256)
    records = play_records(bad)
    records["winner"][7] += 1
    records["points"][9, 2] += 5
    part_of(tmp_path, 256).write_bytes(parts.encode(TASK, records))
    faults = faults_of(tmp_path, None)
    assert re.fullmatch(r"hand 263: winner = -?\d+, played again -?\d+", faults[0])
    assert re.fullmatch(r"hand 265: points = \[.*\], played again \[.*\]", faults[1])
    assert any(fault.startswith("RUN/totals.json: ") for fault in faults[2:])
    assert any(fault.startswith("RUN/summary.json: ") for fault in faults[2:])
    records["winner"] += 1
    part_of(tmp_path, 256).write_bytes(parts.encode(TASK, records))
    assert "and 236 more hands of RUN/parts/part-000000000256.parquet" in faults_of(tmp_path, None)


def test_every_hand_has_the_same_chance_of_being_played_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(tmp_path)
    played: list[int] = []

    def play(rules: Any, bots: Any, seed: int, first: int, count: int, *rest: Any) -> Any:
        played.extend(range(first, first + count))
        return fake_play.play_hands(rules, bots, seed, first, count, *rest)

    monkeypatch.setattr(engine, "play_hands", play)
    for seed in range(8):
        verify(tmp_path, 100, seed)
    assert len(played) == 800
    assert len(set(played)) > 500
    assert min(played) < 180
    assert max(played) > 1120
    again = played[:100]
    played.clear()
    verify(tmp_path, 100, 0)
    assert played == again


def test_missing_damaged_and_doubled_parts_are_named(tmp_path: Path) -> None:
    run(tmp_path)
    part_of(tmp_path, 256).unlink()
    part_of(tmp_path, 512).write_bytes(part_of(tmp_path, 512).read_bytes()[:-1])
    other = dataclasses.replace(TASK, first=768, hands=256, seed=5)
    part_of(tmp_path, 768).write_bytes(parts.encode(other, play_records(other)))
    twice = dataclasses.replace(TASK, first=1100, hands=20)
    part_of(tmp_path, 1100).write_bytes(parts.encode(TASK, play_records(twice)))
    shutil.copy(part_of(tmp_path, 150), part_of(tmp_path, 151))
    faults = faults_of(tmp_path)
    for words in (
        "RUN/parts/part-000000000512.parquet is damaged: ",
        f"RUN/parts/part-000000000768.parquet is of task '{other.id[:12]}', not {TASK.id[:12]}",
        "RUN/parts/part-000000001100.parquet: hands 1100 to 1119 are in the part before it, too",
        "RUN/parts/part-000000000151.parquet begins with hand 150, must be named part-000000000150.parquet",
        "hands 256 to 1023 (768 hands) are missing",
    ):
        assert any(fault.startswith(words) for fault in faults), words
    run(tmp_path)
    assert faults_of(tmp_path, 20) == []


@pytest.mark.parametrize("keep", [True, False])
def test_sums_and_summary_that_are_not_those_of_the_hands_are_named(tmp_path: Path, keep: bool) -> None:
    run(tmp_path, keep_records=keep)
    right = content(tmp_path)

    def found(name: str, edit: Callable[[Any], object], sealed: bool, sample: int | None = None) -> str:
        change(tmp_path / name, edit, sealed)
        text = "\n".join(faults_of(tmp_path, sample))
        (tmp_path / name).write_bytes(right[name])
        return text

    def more(fields: Any) -> None:
        fields["totals"]["sums"]["wins"] += 1

    assert "RUN/totals.json is damaged: its content does not give its SHA-256" in found(
        "totals.json", more, False
    )
    assert "RUN/totals.json: sums.wins = " in found("totals.json", more, True)
    assert "RUN/summary.json: hands = 7, the hands give 1001" in found(
        "summary.json", lambda fields: fields.update(hands=7), False
    )
    assert "RUN/summary.json: caps[0].value = 2, the hands give 0." in found(
        "summary.json", lambda fields: fields["caps"][0].update(value=2), False
    )
    assert "id = 'x' is not that of its task" in found(
        "run.json", lambda fields: fields.update(id="x"), False
    )
    assert "rules_toml = 'score.stake = 3'" in found(
        "run.json", lambda fields: fields.update(rules_toml="score.stake = 3"), False
    )
    if not keep:
        few = found("totals.json", lambda fields: fields["totals"]["sums"].update(wins=3), True, 60)
        assert re.search(r"RUN/totals\.json: wins: \d+, but the hands played again alone have \d+", few)
    for field, value in (
        ("last", 10**30),
        ("last", 5),
        ("beyond", [[1]]),
        ("beyond", 3),
        ("totals", {}),
        ("id", ""),
    ):
        assert "RUN/totals.json is damaged" in found(
            "totals.json", partial(dict.update, **{field: value}), True
        )
    huge = found("totals.json", lambda fields: fields["totals"]["sums"].update(swing=10**4000), True, 0)
    assert "RUN/totals.json" in huge
    for name in ("summary.json", "totals.json"):
        (tmp_path / name).write_text("[" * 10**5)
        assert f"RUN/{name} is damaged" in "\n".join(faults_of(tmp_path))
        (tmp_path / name).write_bytes(right[name])
    assert faults_of(tmp_path, 9) == []


def test_a_run_that_is_not_finished_says_what_is_missing(tmp_path: Path) -> None:
    run(tmp_path)
    (tmp_path / "summary.json").unlink()
    assert faults_of(tmp_path) == [
        "the run is not finished, the same command goes on with it: there is no summary.json"
    ]
    part_of(tmp_path, 512).unlink()
    assert "hands 512 to 767 (256 hands) are missing" in faults_of(tmp_path)
    shutil.rmtree(tmp_path / "parts")
    assert "hands 150 to 1150 (1,001 hands) are missing" in faults_of(tmp_path)


def test_no_run_and_bad_arguments_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "nowhere", "", "a\0b", 5):
        for use in (verify, load_run):
            with pytest.raises(StoreError, match=r"no run\.json|must be the path of a run's folder"):
                use(path)  # type: ignore[arg-type]
    run(tmp_path)
    with pytest.raises(StoreError) as caught:
        verify(tmp_path, -1, 1.5, True)  # type: ignore[arg-type]
    assert [fault.split(" =")[0] for fault in caught.value.faults] == ["sample", "seed", "workers"]
    if os.name == "posix":
        with (
            store.RunFolder(tmp_path, TASK, 256, True),
            pytest.raises(StoreError, match="in use by another run"),
        ):
            verify(tmp_path)


def test_the_command_tells_by_its_exit_status(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(tmp_path / "run")
    arguments = ["verify", str(tmp_path / "run"), "--quiet"]
    assert main([*arguments, "--sample", "3", "--seed", "1", "--workers", "2"]) == 0
    assert "sound; task" in capsys.readouterr().out
    part_of(tmp_path / "run", 256).unlink()
    assert main([*arguments, "--json", "--sample", "all"]) == 1
    out, err = capsys.readouterr()
    assert err == ""
    told = json.loads(out)
    assert told["sound"] is False
    assert told["faults"] == ["hands 256 to 511 (256 hands) are missing", *told["faults"][1:]]
    assert main(["verify", str(tmp_path), "--sample", "some"]) == 2
    assert main(["verify", str(tmp_path)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "has no run.json" in err


# ---- combine -----------------------------------------------------------------------------------


@pytest.mark.parametrize("keep", [True, False])
def test_ranges_combine_to_the_folder_of_one_run(tmp_path: Path, keep: bool) -> None:
    wanted = run(tmp_path / "whole", keep_records=keep)
    rng = random.Random(8)
    for number in range(4):
        edges = [150, *sorted(rng.sample(range(151, 1150), rng.randint(1, 4))), 1151]
        folders = [tmp_path / f"{number}-{first}" for first in edges[:-1]]
        for folder, first, last in zip(folders, edges[:-1], edges[1:], strict=True):
            run(folder, first, last, keep)
        before = [content(folder) for folder in folders]
        order = rng.sample(folders, len(folders))
        out = tmp_path / f"out{number}"
        result = combine(order, out)
        assert result == wanted
        assert content(out) == content(tmp_path / "whole")
        assert [content(folder) for folder in folders] == before
        if keep:
            pd.testing.assert_frame_equal(result.records, wanted.records, check_exact=True)
    assert verify(out, 20).sound
    assert not list(tmp_path.glob(".*"))


def test_runs_that_are_no_list_are_refused(tmp_path: Path) -> None:
    runs: Any = 3
    with pytest.raises(StoreError, match=r"^runs = 3, must be a list of folders$"):
        combine(runs, tmp_path / "new")


def test_what_does_not_combine_is_refused_with_every_fault(tmp_path: Path) -> None:
    for name, first, last, fields in (
        ("a", 150, 400, {}),
        ("b", 390, 600, {}),
        ("c", 700, 900, {}),
        ("other", 900, 1151, {"seed": 5}),
        ("bare", 900, 1151, {"keep_records": False}),
    ):
        run(tmp_path / name, first, last, **fields)
    part_of(tmp_path / "c", 768).unlink()
    until = tmp_path / "until"
    shutil.copytree(tmp_path / "b", until)
    change(until / "run.json", lambda fields: fields.update(until="points<0.1"))
    (tmp_path / "out").mkdir()
    before = content(tmp_path)
    names = ("a", "b", "c", "other", "bare", "until", "nowhere")
    with pytest.raises(StoreError) as caught:
        combine([tmp_path / name for name in names], tmp_path / "out")
    faults = "\n".join(caught.value.faults).replace(str(tmp_path), "HERE")
    for words in (
        "HERE/out is there already",
        "HERE/a and HERE/b both have hands 390 to 399",
        "hands 600 to 699 are missing between",
        "HERE/c is not finished: hands 768 to 899 are missing",
        "they differ in seed 4 and 5",
        "HERE/a has records, HERE/bare has none",
        "HERE/until was run until points<0.1",
        "HERE/nowhere has no run.json",
    ):
        assert words in faults, words
    with pytest.raises(StoreError, match="1 run given, must be 2 or more"):
        combine([tmp_path / "a"], tmp_path / "new")
    with pytest.raises(StoreError, match="both have hands 150 to 399"):
        combine([tmp_path / "a", tmp_path / "a"], tmp_path / "new")
    assert content(tmp_path) == before
    assert not (tmp_path / "new").exists()


def test_damaged_parts_are_all_named_and_nothing_is_left(tmp_path: Path) -> None:
    run(tmp_path / "a", 150, 600)
    run(tmp_path / "b", 600, 1151)
    for path in (part_of(tmp_path / "a", 256), part_of(tmp_path / "b", 768)):
        data = bytearray(path.read_bytes())
        data[3000] ^= 1
        path.write_bytes(data)
    before = content(tmp_path)
    with pytest.raises(StoreError) as caught:
        combine([tmp_path / "a", tmp_path / "b"], tmp_path / "c")
    assert len(caught.value.faults) == 2
    assert all("is damaged" in fault for fault in caught.value.faults)
    assert content(tmp_path) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]


def test_the_combine_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(tmp_path / "a", 150, 600)
    run(tmp_path / "b", 600, 1151)
    folders = [str(tmp_path / name) for name in "ba"]
    assert main(["combine", *folders]) == 2
    assert "--out FOLDER is missing" in capsys.readouterr().err
    assert main(["combine", *folders, "--out", str(tmp_path / "c"), "--json", "--quiet"]) == 0
    assert json.loads(capsys.readouterr().out)["hands"] == 1001
    assert main(["combine", *folders, "--out", str(tmp_path / "c")]) == 2
    assert "is there already" in capsys.readouterr().err


# ---- load_run ----------------------------------------------------------------------------------


def test_a_run_is_read_back(tmp_path: Path) -> None:
    wanted = run(tmp_path)
    loaded = load_run(str(tmp_path))
    assert (loaded.task, loaded.finished, loaded.ranges) == (TASK, True, ((150, 1151),))
    assert loaded.result == wanted
    assert [(part.first, part.last) for part in loaded.parts] == [
        *((150, 256), (256, 512), (512, 768), (768, 1024), (1024, 1151))
    ]
    assert [part.path for part in loaded.parts] == [part_of(tmp_path, part.first) for part in loaded.parts]
    whole = pd.DataFrame(parts.flat(play_records(TASK)))
    pd.testing.assert_frame_equal(loaded.records(), whole, check_exact=True)
    pd.testing.assert_frame_equal(loaded.result.records, whole, check_exact=True)
    some = loaded.records(["turns", "points_2"])
    pd.testing.assert_frame_equal(some, whole[["turns", "points_2"]], check_exact=True)
    assert [len(frame) for frame in loaded.frames(["hand"])] == [106, 256, 256, 256, 127]
    (tmp_path / "totals.json").unlink()
    assert load_run(tmp_path).result == wanted


def test_nothing_is_read_until_it_is_asked_for(tmp_path: Path) -> None:
    run(tmp_path)
    loaded = load_run(tmp_path)
    frames = loaded.frames()
    next(frames)
    part_of(tmp_path, 256).write_bytes(b"")
    with pytest.raises(StoreError, match=r"part-000000000256\.parquet is damaged"):
        next(frames)
    with pytest.raises(StoreError, match=r"part-000000000256\.parquet is damaged"):
        _ = load_run(tmp_path).parts


def test_an_unfinished_run_is_read_as_far_as_it_is_there(tmp_path: Path) -> None:
    run(tmp_path)
    part_of(tmp_path, 512).unlink()
    loaded = load_run(tmp_path)
    assert not loaded.finished
    assert loaded.ranges == ((150, 512), (768, 1151))
    pieces = [run(tmp_path / name, first, last) for name, first, last in (("a", 150, 512), ("b", 768, 1151))]
    assert loaded.result == sum(pieces)
    assert list(loaded.records(["hand"])["hand"]) == [*range(150, 512), *range(768, 1151)]


def test_a_run_without_records(tmp_path: Path) -> None:
    wanted = run(tmp_path, keep_records=False)
    loaded = load_run(tmp_path)
    assert (loaded.finished, loaded.parts, loaded.result) == (True, (), wanted)
    for read in (loaded.frames, loaded.records):
        with pytest.raises(StoreError, match="has no records"):
            read()
    (tmp_path / "totals.json").unlink()
    loaded = load_run(tmp_path)
    assert (loaded.finished, loaded.ranges) == (False, ())
    with pytest.raises(StoreError, match="has no hands yet"):
        _ = loaded.result


def test_columns_that_are_not_there_are_all_named(tmp_path: Path) -> None:
    run(tmp_path)
    with pytest.raises(StoreError) as caught:
        load_run(tmp_path).frames(["turn", "points", "hand"])
    assert len(caught.value.faults) == 2
    assert "'turn', the nearest is turns, allowed are hand, wall, owed_0" in caught.value.faults[0]
    for columns in ("hand", 5):
        with pytest.raises(StoreError, match="must be a list of names"):
            load_run(tmp_path).records(columns)  # type: ignore[arg-type]
    empty = load_run(tmp_path).records([])
    assert empty.shape == (1001, 0)
    assert np.array_equal(load_run(tmp_path).records(["hand"])["hand"], np.arange(150, 1151))


# ---- runs that stopped before their last hand --------------------------------------------------


@pytest.mark.parametrize("keep", [True, False])
def test_a_run_that_met_its_goal_is_finished_and_sound(tmp_path: Path, keep: bool) -> None:
    task = dataclasses.replace(TASK, hands=10_001)
    for workers in (1, 3):
        out, until = tmp_path / str(workers), "exhausted_share<6%"
        wanted = simulate(
            task, workers, out=out, keep_records=keep, progress=False, shard_hands=64, until=until
        )
    assert wanted.ranges[0][1] < 5000
    assert content(tmp_path / "1") == content(tmp_path / "3")
    loaded = load_run(tmp_path / "1")
    assert (loaded.finished, loaded.ranges, loaded.until) == (True, wanted.ranges, until)
    assert loaded.result == wanted
    assert loaded.result.to_dict() == wanted.to_dict()
    assert faults_of(tmp_path / "1", None) == []
    (tmp_path / "1" / "summary.json").unlink()
    assert not load_run(tmp_path / "1").finished
    assert "the run is not finished" in "".join(faults_of(tmp_path / "1"))
    change(tmp_path / "3" / "run.json", lambda fields: fields.update(until="luck<3"))
    with pytest.raises(StoreError, match=r"run\.json: .*luck"):
        load_run(tmp_path / "3")


def test_sums_beyond_a_gap_are_read_and_checked(tmp_path: Path) -> None:
    wanted = run(tmp_path / "run", keep_records=False)
    a, b = (run(tmp_path / name, *hands) for name, hands in (("a", (150, 400)), ("b", (700, 1000))))
    (tmp_path / "run" / "summary.json").unlink()
    with store.RunFolder(tmp_path / "run", TASK, 256, False) as folder:
        folder.checkpoint(400, a.totals, [Span(700, 1000, b.totals)])
        assert folder.reached() == (400, a.totals)
        assert folder.beyond() == [Span(700, 1000, b.totals)]
    loaded = load_run(tmp_path / "run")
    assert (loaded.finished, loaded.ranges) == (False, ((150, 400), (700, 1000)))
    assert loaded.result == a + b
    assert faults_of(tmp_path / "run", None) == [
        "hands 400 to 699 (300 hands) are missing",
        "hands 1000 to 1150 (151 hands) are missing",
        "the run is not finished, the same command goes on with it: there is no summary.json",
    ]
    assert run(tmp_path / "run", keep_records=False) == wanted
    assert faults_of(tmp_path / "run", None) == []
