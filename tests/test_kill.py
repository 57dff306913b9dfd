"""A run that is killed at any moment leaves whole files only, and goes on to the same bits."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import pytest

from processes import environment
from runs import content
from wuhan_sim import Task, load_run, parts, simulate, verify
from wuhan_sim.store import read_json, read_manifest, read_totals

pytest.importorskip("pyarrow")

# as the processes read it, without what the preset says of its origin
TASK = Task.from_json(Task("yuanhang", "greedy,random,random,greedy", 60_001, seed=12, first=7).to_json())
KILLS = 10

# Starts a run in a process of its own for each line, and kills it after so many seconds. A fork is a process
# like any other, but has everything imported already.
STARTER = """
import os, signal, sys, time
from wuhan_sim import Task, ledger, simulate
ledger.CHECKPOINT_EVERY = 0.0
task = Task.from_json(sys.argv[1])
for line in sys.stdin:
    process = os.fork()
    if not process:
        keep = sys.argv[3] == "True"
        simulate(task, 2, out=sys.argv[2], keep_records=keep, progress=False, shard_hands=1024)
        os._exit(0)
    time.sleep(float(line))
    os.kill(process, signal.SIGKILL)
    print(os.waitpid(process, 0)[1], flush=True)
"""


def whole_files(folder: Path) -> int:
    """Check that what a killed run left is whole; return the number of hands that are kept."""
    if not (folder / "run.json").exists():
        return 0
    read_manifest(folder)
    read_json(folder / "summary.json")
    spans = read_totals(folder, TASK) or ()
    names = [path.name for path in (folder / "parts").glob("*")]
    shown = [name for name in names if not name.startswith(".")]
    assert all(name.startswith("part-") and name.endswith(".parquet") for name in shown)
    kept = sum(len(parts.decode(folder / "parts" / name, TASK)) for name in shown)
    return kept or sum(span.last - span.first for span in spans)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("keep", [True, False])
def test_a_run_killed_ten_times_goes_on_to_the_same_bits(tmp_path: Path, keep: bool) -> None:
    folder, rng = tmp_path / "killed", random.Random()
    began = time.monotonic()
    wanted = simulate(TASK, 2, out=tmp_path / "whole", keep_records=keep, progress=False, shard_hands=1024)
    length = time.monotonic() - began
    kills, most = 0, 0
    with subprocess.Popen(
        [sys.executable, "-c", STARTER, TASK.to_json(), str(folder), str(keep)],
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as starter:
        assert starter.stdin is not None
        assert starter.stdout is not None
        while kills < (KILLS if most else 10 * KILLS):  # a busy machine may come to nothing for a while
            starter.stdin.write(f"{rng.uniform(0, length)}\n")
            starter.stdin.flush()
            status = int(starter.stdout.readline())
            if status == signal.SIGKILL:
                kills += 1
                most = max(most, whole_files(folder))
                length *= 1 if most else 1.5
            else:  # it was through before: from the beginning
                assert status == 0
                assert content(folder) == content(tmp_path / "whole")
                shutil.rmtree(folder)
                length *= 0.9
    assert most > 0  # something was there to go on from
    result = simulate(TASK, 2, out=folder, keep_records=keep, progress=False, shard_hands=1024)
    assert result == wanted
    assert content(folder) == content(tmp_path / "whole")
    assert load_run(folder).finished
    assert verify(folder, 5).sound
    if keep:
        pd.testing.assert_frame_equal(result.records, wanted.records, check_exact=True)
