"""Parts and run folders: bytes that depend on the records alone, damage found and made good, nothing lost."""

from __future__ import annotations

import dataclasses
import errno
import json
import logging
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import fake_play
import wuhan_sim
from processes import environment
from runs import content, part_of
from wuhan_core.records import HAND_DTYPE
from wuhan_sim import Result, StoreError, Task, engine, load_run, parts, play_records, simulate, store
from wuhan_sim.parts import PartError

parquet = pytest.importorskip("pyarrow.parquet")
pytestmark = pytest.mark.usefixtures("fake")

MIXED = "greedy,random,random,greedy"
TASK = Task("yuanhang", MIXED, 1000, seed=4, first=150)


def run(out: Path, workers: int = 1, task: Task = TASK, keep_records: bool = True) -> Result:
    return simulate(task, workers, out=out, keep_records=keep_records, progress=False, shard_hands=256)


# ---- parts -------------------------------------------------------------------------------------


def test_a_part_gives_any_record_back_bit_by_bit(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    noise = rng.integers(0, 256, (700, HAND_DTYPE.itemsize), np.uint8).view(HAND_DTYPE).ravel()
    large = np.zeros(700, HAND_DTYPE)
    for name in ("owed", "capped", "points"):
        large[name] = rng.choice([-(2**60), -1, 0, 1, 2**60], (700, 4))
    plain = play_records(dataclasses.replace(TASK, hands=700))
    for records in (noise, large, plain):
        for first, count in ((0, 700), (3, 1), (2**62 - 700, 700)):
            some = records[:count].copy()
            some["hand"] = np.arange(first, first + count)
            path = tmp_path / "part"
            path.write_bytes(parts.encode(TASK, some))
            assert parts.decode(path, TASK, range(first, first + count)).tobytes() == some.tobytes()
            assert parts.decode(path, TASK).tobytes() == some.tobytes()
            pd.testing.assert_frame_equal(parts.frame(path, TASK), pd.DataFrame(parts.flat(some)))
            assert parts.footer(path) == (TASK.id, str(engine.STREAM_VERSION), first, first + count)


def test_every_flipped_bit_and_every_cut_of_a_part_is_found(tmp_path: Path) -> None:
    some, path = range(150, 190), tmp_path / "part"
    whole = parts.encode(TASK, play_records(dataclasses.replace(TASK, hands=40)))
    rng = random.Random(3)
    ends = [*range(8), *range(len(whole) - 12, len(whole))]
    for place in [*ends, *rng.sample(range(len(whole)), 500)]:
        bad = bytearray(whole)
        bad[place] ^= 1 << rng.randrange(8)
        path.write_bytes(bad)
        with pytest.raises(PartError) as caught:
            parts.decode(path, TASK, some)
        assert all(fault.startswith(str(path)) for fault in caught.value.faults)
    for length in [*ends, *rng.sample(range(len(whole)), 50)]:
        path.write_bytes(whole[:length])
        with pytest.raises(PartError, match="is damaged"):
            parts.decode(path, TASK, some)
    path.write_bytes(whole)
    assert len(parts.decode(path, TASK, some)) == 40


def test_a_part_of_other_hands_or_another_task_is_named(tmp_path: Path) -> None:
    other = dataclasses.replace(TASK, seed=5, hands=40)
    path = tmp_path / "part"
    path.write_bytes(parts.encode(other, play_records(other)))
    with pytest.raises(PartError) as caught:
        parts.decode(path, TASK, range(150, 191))
    assert [fault.split(": ", 1)[1] for fault in caught.value.faults] == [
        f"wuhan.task = '{other.id}', must be {TASK.id}",
        "wuhan.last = 190, must be 191",
    ]


def test_a_footer_that_claims_a_million_million_rows_is_refused(tmp_path: Path) -> None:
    def varint(number: int) -> bytes:  # as Thrift's compact protocol writes it
        number <<= 1
        found = []
        while number > 127:
            found.append(number & 127 | 128)
            number >>= 7
        return bytes([*found, number])

    whole = parts.encode(TASK, play_records(dataclasses.replace(TASK, hands=700)))
    size = int.from_bytes(whole[-8:-4], "little")
    footer = whole[-8 - size : -8].replace(b"\x16" + varint(700), b"\x16" + varint(10**12))
    path = tmp_path / "part"
    path.write_bytes(whole[: -8 - size] + footer + len(footer).to_bytes(4, "little") + b"PAR1")
    assert parquet.read_metadata(path).num_rows == 10**12
    for hands in (range(150, 850), None):
        with pytest.raises(PartError, match=r"damaged: it has 1000000000000 rows for 700 hands"):
            parts.decode(path, TASK, hands)


def test_parts_are_the_same_bytes_for_any_workers_and_stops(tmp_path: Path) -> None:
    run(tmp_path / "a")
    for first in (256, 1024):
        shutil.copytree(tmp_path / "a", tmp_path / f"b{first}")
        part_of(tmp_path / f"b{first}", first).unlink()
        run(tmp_path / f"b{first}", 3)
        assert content(tmp_path / f"b{first}") == content(tmp_path / "a")
    run(tmp_path / "c", 2)
    assert content(tmp_path / "c") == content(tmp_path / "a")
    assert sorted(content(tmp_path / "a")) == [
        *(f"parts/part-{first:012d}.parquet" for first in (150, 256, 512, 768, 1024)),
        *("run.json", "summary.json", "totals.json"),
    ]


# ---- going on ----------------------------------------------------------------------------------


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 3] ^= 4
    path.write_bytes(data)


def test_broken_parts_are_made_again_and_whole_ones_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    result = run(tmp_path)
    before = content(tmp_path)
    flip(part_of(tmp_path, 150))
    part_of(tmp_path, 256).write_bytes(part_of(tmp_path, 256).read_bytes()[:-100])
    part_of(tmp_path, 512).write_bytes(b"")
    shutil.copy(part_of(tmp_path, 768), part_of(tmp_path, 1024))
    played: list[int] = []

    def play(rules: Any, bots: Any, seed: int, first: int, count: int, *rest: Any) -> Any:
        played.extend(range(first, first + count))
        return fake_play.play_hands(rules, bots, seed, first, count, *rest)

    monkeypatch.setattr(engine, "play_hands", play)
    with caplog.at_level(logging.WARNING, "wuhan_sim"):
        assert run(tmp_path, 2) == result
    assert sorted(played) == [*range(150, 768), *range(1024, 1150)]
    assert content(tmp_path) == before
    told = sorted(caplog.messages)
    assert [str(part_of(tmp_path, first)) in told[i] for i, first in enumerate((150, 256, 512))] == [True] * 3
    assert "do not give the SHA-256" in told[0]
    assert all(line.endswith("; it is made again") for line in told)
    assert f"{part_of(tmp_path, 1024)}: wuhan.first = 768, must be 1024; it is made again" in told


def test_parts_that_fit_no_cut_are_set_aside(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    result = run(tmp_path)
    before = content(tmp_path)
    stray = parts.encode(TASK, play_records(dataclasses.replace(TASK, first=300, hands=50)))
    part_of(tmp_path, 300).write_bytes(stray)
    assert run(tmp_path) == result
    assert "no part of this run" in caplog.text
    name = f"parts/{part_of(tmp_path, 300).name}.stray"
    assert content(tmp_path) == {**before, name: stray}
    assert list(result.records["hand"]) == [*range(150, 1150)]


@pytest.mark.parametrize("keep", [True, False])
def test_a_damaged_totals_file_is_made_again(
    tmp_path: Path, keep: bool, caplog: pytest.LogCaptureFixture
) -> None:
    result = run(tmp_path, keep_records=keep)
    before = content(tmp_path)
    for data in (
        b"",
        b"[]",
        b'{"sha256": 1}',
        before["totals.json"].replace(b'"wins": ', b'"wins": 1'),
        b"[" * 10**5,
    ):
        (tmp_path / "totals.json").write_bytes(data)
        assert run(tmp_path, keep_records=keep) == result
        assert content(tmp_path) == before
    assert keep or "totals.json is damaged" in caplog.text


def test_hands_beyond_twelve_digits_stay_in_order(tmp_path: Path) -> None:
    task = dataclasses.replace(TASK, first=10**12 - 300, hands=600)
    result = run(tmp_path, task=task)
    assert list(result.records["hand"]) == [*range(task.first, task.last)]
    assert [part.first for part in load_run(tmp_path).parts] == [
        task.first,
        *range(10**12 - 256, task.last, 256),
    ]
    folder = store.RunFolder(tmp_path, task, 256, True)
    folder.drop_after(10**12)
    folder.close()
    assert [part.last for part in load_run(tmp_path).parts][-1] == 10**12


# ---- disks and permissions ---------------------------------------------------------------------


def test_a_full_disk_leaves_earlier_parts_and_a_clear_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(tmp_path / "whole")
    wanted = content(tmp_path / "whole")
    sync, left = os.fsync, [6]

    def full(descriptor: int) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        sync(descriptor)

    for most in range(1, 16):
        left[0] = most
        folder = tmp_path / f"run{most}"
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", full)
            with pytest.raises((OSError, StoreError), match="No space left on device"):
                run(folder)
        left_there = content(folder) if folder.exists() else {}
        assert {name: wanted[name] for name in left_there if name != "totals.json"} == {
            name: data for name, data in left_there.items() if name != "totals.json"
        }
        run(folder, 2)
        assert content(folder) == wanted


def child(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python in a process of its own, with the stand-in for the loop."""
    head = (
        "import sys, fake_play; from wuhan_sim import *; from wuhan_sim import engine; "
        "engine.play_hands = fake_play.play_hands; "
        f"task = Task('yuanhang', {MIXED!r}, 1000, seed=4, first=150)\n"
    )
    return subprocess.run(
        [sys.executable, "-c", head + code, *arguments],
        env=environment(Path(__file__).parent),
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.skipif(sys.platform == "win32", reason="limits of POSIX")
def test_a_file_that_grows_too_large_for_the_system_leaves_earlier_parts(tmp_path: Path) -> None:
    run(tmp_path / "whole")
    wanted = content(tmp_path / "whole")
    sizes = {name: len(data) for name, data in wanted.items() if name.startswith("parts/")}
    limit = sizes["parts/part-000000000150.parquet"] + 100  # the first part is the smallest but one
    ended = child(
        "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]),) * 2)\n"
        "simulate(task, 1, out=sys.argv[1], keep_records=True, progress=False, shard_hands=256)",
        str(tmp_path / "run"),
        str(limit),
    )
    assert ended.returncode == 1
    assert "File too large" in ended.stderr.splitlines()[-1]
    assert "could not be written; what was written before is whole" in ended.stderr
    found = content(tmp_path / "run")
    assert "parts/part-000000000150.parquet" in found
    assert {name: wanted[name] for name in found} == found
    run(tmp_path / "run", 2)
    assert content(tmp_path / "run") == wanted


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root may mount")
def test_a_real_full_disk(tmp_path: Path) -> None:
    run(tmp_path / "whole")
    wanted = content(tmp_path / "whole")
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=80k", "tmpfs", str(disk)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("no tmpfs can be mounted here")
    try:
        with pytest.raises(OSError, match=r"No space left on device: .* could not be written"):
            run(disk / "run")
        found = content(disk / "run")
        assert any(name.startswith("parts/") for name in found)
        assert {name: wanted[name] for name in found if name.startswith("parts/")} == {
            name: data for name, data in found.items() if name.startswith("parts/")
        }
        subprocess.run(["mount", "-o", "remount,size=1m", str(disk)], check=True)
        run(disk / "run", 2)
        assert content(disk / "run") == wanted
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        with pytest.raises(StoreError, match="cannot take a run"):
            run(disk / "other")
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def test_a_drive_that_is_not_there_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os.path, "lexists", lambda _: False)  # as on Windows, of Z:
    with pytest.raises(StoreError, match=r"cannot take a run: there is no drive "):
        run(tmp_path / "run")


def test_a_folder_that_may_not_be_written_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(tmp_path / "run")
    before = content(tmp_path)
    allowed = os.access
    for folder, out in ((tmp_path, "new"), (tmp_path / "run", "run"), (tmp_path / "run" / "parts", "run")):
        # root may write anywhere, whatever chmod says
        monkeypatch.setattr(
            os, "access", lambda path, mode, bad=folder: Path(path) != bad and allowed(path, mode)
        )
        with pytest.raises(StoreError, match=f"no permission to write in {folder}$") as caught:
            run(tmp_path / out)
        assert len(caught.value.faults) == 1
        assert content(tmp_path) == before


def test_two_processes_on_one_folder(tmp_path: Path) -> None:
    with store.RunFolder(tmp_path, TASK, 256, True):
        before = content(tmp_path)
        ended = child("simulate(task, 1, out=sys.argv[1], keep_records=True, progress=False)", str(tmp_path))
        assert ended.returncode == 1
        assert "is in use by another run" in ended.stderr.splitlines()[-1]
        assert content(tmp_path) == before
    run(tmp_path)


# ---- folders that mean harm --------------------------------------------------------------------


def change(path: Path, **fields: Any) -> None:
    path.write_text(json.dumps({**json.loads(path.read_text()), **fields}))


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"shard_hands": 0}, "shard_hands = 0, must be a whole number"),
        ({"shard_hands": -5}, "shard_hands = -5"),
        ({"shard_hands": 10**400}, "shard_hands = 1000"),
        ({"shard_hands": 1e300}, "shard_hands = 1e"),
        ({"shard_hands": True}, "shard_hands = True"),
        ({"keep_records": "yes"}, "keep_records = 'yes', must be true or false"),
        ({"until": None}, "until = None, must be a text"),
        ({"id": ["x"]}, r"id = \['x'\], must be a text"),
        ({"task": 5}, r"run\.json"),
        ({"task": {"rules": []}}, r"run\.json"),
    ],
)
def test_manifests_of_wrong_types_are_refused(tmp_path: Path, fields: dict[str, Any], words: str) -> None:
    run(tmp_path)
    change(tmp_path / "run.json", **fields)
    before = content(tmp_path)
    for use in (load_run, run):
        with pytest.raises(StoreError, match=words):
            use(tmp_path)
    assert content(tmp_path) == before


@pytest.mark.skipif(sys.platform == "win32", reason="links need a permission there")
def test_links_out_of_the_folder_are_not_followed(tmp_path: Path) -> None:
    folder, outside = tmp_path / "run", tmp_path / "outside"
    run(folder)
    shutil.copytree(folder, outside)
    for place in (part_of(folder, 256), folder / "run.json", folder / "totals.json", folder / "parts"):
        aside = place.with_name(place.name + ".aside")
        place.rename(aside)
        place.symlink_to(outside / place.relative_to(folder))
        before = content(outside)
        with pytest.raises(StoreError, match="is in the way, must be a"):
            run(folder)
        assert content(outside) == before
        faults = wuhan_sim.verify(folder, 0).faults if place.name != "run.json" else []
        if place.name == "run.json":
            with pytest.raises(StoreError, match="is a link"):
                load_run(folder)
        else:
            assert any("is a link" in fault for fault in faults), place
        place.unlink()
        aside.rename(place)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes of POSIX")
def test_a_pipe_in_place_of_a_file_does_not_hang(tmp_path: Path) -> None:
    run(tmp_path)
    for place in (part_of(tmp_path, 256), tmp_path / "summary.json", tmp_path / "run.json"):
        place.unlink()
        os.mkfifo(place)
        with pytest.raises(StoreError, match="in the way"):
            run(tmp_path)
        assert wuhan_sim.verify(tmp_path, 0).faults
