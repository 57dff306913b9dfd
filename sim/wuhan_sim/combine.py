"""Ranges of one task that were run apart, put together as if they had been one run."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np

from wuhan_core.errors import show

from . import parts, shards
from .loading import Run, gaps, load_run, rules_toml
from .parts import StoreError
from .progress import Progress
from .result import Result, different
from .shards import Order, Records, Shard, overview
from .show import counted
from .stats import NOTHING
from .store import RunFolder, folder_faults, locked, read_manifest, read_totals, sync, unlock


def combine(runs: Iterable[str | Path], out: str | Path, *, progress: bool | None = None) -> Result:
    """Put runs of different hands of one task together into a new folder.

    The hands of the runs, in whatever order they are named, must follow upon each other without a gap; they
    may have been cut anywhere, inside walls too. The new folder is, file by file, what one run of all the
    hands would have written with these versions; the old ones stay as they are. It appears under its name
    when it is whole.

    Parameters
    ----------
    runs : iterable of str or Path
        Folders of finished runs.
    out : str or Path
        Must not be there yet.
    progress : bool, optional
        As for `simulate`.

    Returns
    -------
    Result
        Of all hands.

    Raises
    ------
    StoreError
        Naming every fault: an unfinished, damaged or stopped run, another task, hands that are missing or
        there twice, `out` in the way. Nothing has been written then.
    OSError
        `out` could not be written.

    Examples
    --------
    >>> from wuhan_sim import Task, simulate
    >>> for first in (0, 500):
    ...     task = Task("yuanhang", "greedy", hands=500, seed=1, first=first)
    ...     _ = simulate(task, out=f"runs/{first}")
    >>> combine(["runs/0", "runs/500"], "runs/both").hands
    1000
    """
    with contextlib.ExitStack() as stack:
        folders = [runs] if isinstance(runs, (str, os.PathLike)) else runs
        if not isinstance(folders, Iterable):
            raise StoreError([f"runs = {show(runs)}, must be a list of folders"])
        found = _opened(list(folders), out, stack)
        first, last = found[0].task.first, found[-1].task.last
        task = found[0].task.with_hands(first, last - first)
        target = Path(out)
        work = target.absolute().parent / f".{target.name}.tmp"
        keep = found[0].keep_records
        if faults := folder_faults(work, keep, task):
            raise StoreError(faults)
        try:
            toml = rules_toml(read_manifest(found[0].path), task.rules)
            with RunFolder(work, task, found[0].shard_hands, keep, rules_toml=toml) as folder:
                try:
                    result = _filled(folder, found, progress)
                except BaseException:
                    shutil.rmtree(work, ignore_errors=True)
                    raise
            work.rename(target)
            sync(target.absolute().parent)
        finally:
            with contextlib.suppress(OSError):
                work.rmdir()  # where nothing could be written into it
    load = load_run(target).records if keep else None
    return Result(result.task, result.totals, result.ranges, load)


def _opened(paths: list[str | Path], out: str | Path, stack: contextlib.ExitStack) -> list[Run]:
    """Open and lock the runs; raise StoreError with all faults that can be seen from outside."""
    if isinstance(out, (str, os.PathLike)) and os.path.lexists(out):
        faults = [f"{out} is there already, choose another name"]
    else:
        faults = folder_faults(out, False)
    if len(paths) < 2:
        faults.append(f"{counted(len(paths), 'run')} given, must be 2 or more")
    found: list[Run] = []
    for path in paths:
        try:
            run = load_run(path)
            stack.callback(unlock, locked(run.path, shared=True))
            faults += _unfit(run)
            found.append(run)
        except StoreError as error:
            faults += error.faults
        except OSError as error:
            faults.append(f"{path} cannot be read: {error.strerror or error}")
    for run in found[1:]:
        if run.task.id != found[0].task.id:
            faults.append(f"{found[0].path} and {run.path}: {different(found[0].task, run.task)}")
        elif run.keep_records != found[0].keep_records:
            with_records, without = sorted((found[0], run), key=lambda each: not each.keep_records)
            faults.append(f"{with_records.path} has records, {without.path} has none: both must, or neither")
    faults += _misplaced(found)
    if faults:
        raise StoreError(faults)
    return sorted(found, key=lambda run: run.task.first)


def _unfit(run: Run) -> list[str]:
    """What keeps a run from being a piece of a larger one."""
    if run.until:
        return [
            f"{run.path} was run until {run.until}: where it stopped depends on its hands, "
            "which added to others are no fair sample; run a fixed number of hands instead"
        ]
    try:
        missing = gaps(run.ranges, run.task.first, run.task.last)
        if not run.keep_records and not missing:
            read_totals(run.path, run.task)
    except StoreError as error:
        return list(error.faults)
    if not missing and run.finished:
        return []
    hands = ", ".join(f"{first} to {last - 1}" for first, last in missing)
    why = f"hands {hands} are missing" if hands else "there is no summary.json of all its hands"
    return [f"{run.path} is not finished: {why}; its command, given again, goes on with it"]


def _misplaced(found: list[Run]) -> list[str]:
    """Hands that two runs have, or that lie between two of them."""
    faults = []
    for a, b in pairwise(sorted(found, key=lambda run: (run.task.first, run.task.last))):
        if a.task.id != b.task.id:
            continue
        if b.task.first < a.task.last:
            last = min(a.task.last, b.task.last) - 1
            faults.append(f"{a.path} and {b.path} both have hands {b.task.first} to {last}")
        elif a.task.last < b.task.first:
            hands = f"{a.task.last} to {b.task.first - 1}"
            faults.append(f"hands {hands} are missing between {a.path} and {b.path}")
    return faults


def _filled(folder: RunFolder, found: list[Run], progress: bool | None) -> Result:
    """Write everything into the new folder."""
    task = folder.task
    totals = NOTHING
    faults: list[str] = []
    if folder.keep_records:
        with Progress(task.hands, progress) as bar:
            for shard in _shards(folder, found, faults):
                bar.update(shard.hands)
                totals += shard.totals
                if not faults:
                    folder.add(shard)
    else:
        totals = sum((run.result.totals for run in found), NOTHING)
    if faults:
        raise StoreError(faults)
    folder.checkpoint(task.last, totals)
    result = Result(task, totals, ((task.first, task.last),))
    folder.write_summary(result.to_dict())
    return result


def _shards(folder: RunFolder, found: list[Run], faults: list[str]) -> Iterator[Shard]:
    """The hands of all runs, cut as one run would have cut them; adds every damaged part to `faults`."""
    order = Order((folder.task,), overview(folder.task), part=True)
    pieces: list[Records] = []
    cuts = shards.cut(folder.task.first, folder.task.last, folder.shard_hands)
    hands = next(cuts)
    for part in (part for run in found for part in run.parts):
        try:
            records = parts.decode(part.path, folder.task, range(part.first, part.last))
        except StoreError as error:
            faults += error.faults
            continue
        while len(records) and not faults:
            pieces.append(records[: hands.stop - int(records["hand"][0])])
            records = records[len(pieces[-1]) :]
            if int(pieces[-1]["hand"][-1]) + 1 == hands.stop:
                yield order.count([np.concatenate(pieces)], hands.start)
                pieces, hands = [], next(cuts, hands)
