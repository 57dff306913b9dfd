"""Stored hands under other points: curves without a new game.

Every hand is scored as it was played. Where the records of a run hold what it takes (other caps, another
stake), they are read; else the hands are called up again from their numbers, which gives the same hands, and
are scored by each of the other rule sets as well. A win that falls short of another minimum counts as no win.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from wuhan_core.options import is_points
from wuhan_core.records import HAND_DTYPE
from wuhan_core.rescore import changed_play, exact_rows, rescore
from wuhan_core.rescore_records import untold
from wuhan_core.rules import RuleSet

from . import parts
from .loading import Run, load_run
from .runner import gather, worker_faults
from .sequences import Looks
from .show import counted, explained
from .sides import Sides
from .stats import NOTHING, Totals, measure
from .sweep import Point, Sweep, SweepError, compared, figure_rows, metric_names, rule_grid, values_of
from .task import Task

if TYPE_CHECKING:
    from .runner import Scheduler

DEFAULT = ("capped_share", "golden_share", "big_share", "points_cut", "swing", "dealer_edge", "points")
AT_ONCE = 32  # rule sets by which hands are scored in one go


@dataclass(frozen=True)
class WhatIf(Sweep):
    """Metrics of the same hands under other points; as `Sweep` otherwise.

    Attributes
    ----------
    notes : tuple of str
        Why bots or rules might have played otherwise under some of these points; empty where they could not.
    looks : Looks, optional
        Of hands of a run that may have been stopped because of what was seen: all intervals are then those of
        a confidence sequence.
    """

    notes: tuple[str, ...] = ()
    looks: Looks | None = None

    def _explanation(self) -> str:
        return explained(self.looks)

    def _title(self) -> str:
        task = self.task
        hands = counted(task.hands, "hand")
        return f"what if: {hands} as they were played, seed {task.seed}, task {task.id[:12]}"

    def _notes(self) -> Sequence[str]:
        return [*super()._notes(), *(f"Play may have differed: {note}." for note in self.notes)]


def what_if(
    what: Task | Run | str | Path,
    vary: Mapping[str, Sequence[object]],
    metrics: Sequence[str] | None = None,
    *,
    workers: int | None = None,
    scheduler: Scheduler = None,
    progress: bool | None = None,
) -> WhatIf:
    """Score hands that were played by every combination of option values.

    Parameters
    ----------
    what : Task, Run, str or Path
        A task; or a run, or its folder.
    vary : mapping of str to sequence
        Option -> values; options that change points, and the minimum.
    metrics : sequence of str, optional
        As for `sweep`, of a run alone; caps, swing and points of the bots when not given.
    workers, scheduler, progress
        As for `simulate`.

    Returns
    -------
    WhatIf

    Raises
    ------
    SweepError
        Naming every fault: unknown options, values and metrics, and options that change more than points.

    Examples
    --------
    >>> from wuhan_sim import Task
    >>> task = Task("yuanhang", "greedy", hands=1_000, seed=1)
    >>> found = what_if(task, {"cap.per_payer": [100, 200]}, ["capped_share"])
    >>> found.table()[["cap.per_payer", "base", "value", "difference"]].round(3)
       cap.per_payer   base  value  difference
    0            300   True  0.264         NaN
    1            100  False  0.700       0.436
    2            200  False  0.436       0.172
    """
    how: dict[str, Any] = {"workers": workers, "scheduler": scheduler, "progress": progress}
    if isinstance(what, Task):
        return scored(what, vary, metrics, **how)
    run = what if isinstance(what, Run) else load_run(what)
    kept = run if run.keep_records else None
    return scored(run.result.task, vary, metrics, kept, run.result.looks, **how)


def scored(
    task: Task,
    vary: Mapping[str, Sequence[object]],
    metrics: Sequence[str] | None,
    run: Run | None = None,
    looks: Looks | None = None,
    *,
    workers: int | None = None,
    scheduler: Scheduler = None,
    progress: bool | None = None,
) -> WhatIf:
    """Score the hands of a task; `run` has their records, `looks` those at which they could have ended."""
    grid, faults = rule_grid(task.rules, vary)
    faults += worker_faults(workers, scheduler)
    names = metric_names(metrics, DEFAULT, faults)
    other = [
        name
        for name in (vary if isinstance(vary, Mapping) else ())
        if not is_points(name) and name != "deal.players"
    ]
    faults += [f"vary: {name} changes more than points: play it with sweep" for name in other]
    if faults:
        raise SweepError(faults)
    sides = [task.rules, *(rules for _, rules in grid)]
    rows, faults = figure_rows(names, sides, task, metrics is None)
    if faults:
        raise SweepError(faults)
    found: list[tuple[dict[str, Any], dict[str, Any]]] = []
    for batch in _batches(range(1, len(sides)), AT_ONCE):
        chosen = [0, *batch]
        gauge = Sides(
            (tuple(map(str, task.bots)),) * len(chosen),
            tuple(tuple(each[i] for each in rows.values()) for i in chosen),
        )
        others = [sides[i] for i in batch]
        totals = None
        if run is not None and _told(task.rules, others):
            totals = _from_records(run, task, gauge, others)
        if totals is None:
            totals = gather([task], gauge, workers, scheduler=scheduler, progress=progress, others=others)
        for k in range(0 if not found else 1, len(chosen)):
            less = {name: gauge.difference(totals, k, n, looks) for n, name in enumerate(rows)} if k else {}
            found.append(
                (
                    {name: gauge.figure(totals, k, n, looks) for n, name in enumerate(rows)},
                    compared(sides[chosen[k]], task.rules, less),
                )
            )
    points = [
        Point(changes, rules, *each)
        for (changes, rules), each in zip([({}, task.rules), *grid], found, strict=True)
    ]
    notes = dict.fromkeys(note for rules in sides[1:] for note in changed_play(task.rules, rules))
    varied = values_of(vary, grid)
    return WhatIf(task, varied, points[0], tuple(points[1:]), tuple(notes), looks)


def _batches(items: Sequence[int], size: int) -> list[list[int]]:
    rest = iter(items)
    return list(iter(lambda: list(islice(rest, size)), []))


def _told(played: RuleSet, others: Sequence[RuleSet]) -> bool:
    """Do records hold all that the other points take?"""
    nothing = np.zeros(0, HAND_DTYPE)
    return played.get("score.model") == "factors" and not any(
        untold(nothing, played, rules) for rules in others
    )


def _from_records(run: Run, task: Task, gauge: Sides, others: Sequence[RuleSet]) -> Totals | None:
    """None where a record does not tell for certain: another reading may bring more under other caps."""
    totals = NOTHING
    for part in run.parts:
        records = parts.decode(part.path, task)
        if not all(exact_rows(records, rules, task.rules).all() for rules in others):
            return None
        sides = [records, *(rescore(records, rules, played=task.rules, ignore_play=True) for rules in others)]
        totals += measure(sides, task.hands_per_wall, gauge)
    return totals
