"""Names of metrics: what a command line calls an estimate.

`points`, `exhausted_share` and the other names of `METRICS` are short names. Any estimate of `Result.table()`
is `name[of]` (``deal_ins[greedy]``, ``turns[wins]``, ``points[dealer]``, ``points_paid[qingyise]``). A name
alone is that of every bot for what is counted by bot; else the share or mean of all hands where there is one,
else of wins.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from typing import NamedTuple

from wuhan_core.errors import FaultError, show
from wuhan_core.rules import RuleSet

from .quantities import Quantity, impossible, quantities

# name on the command line -> section, name and what it is of; of "" is every bot
METRICS = {
    "points": ("strategies", "points", ""),
    "exhausted_share": ("frequencies", "exhausted", "hands"),
    "big_share": ("frequencies", "big", "wins"),
    "capped_share": ("caps", "capped_share", "wins"),
    "golden_share": ("caps", "golden_share", "wins"),
    "points_cut": ("caps", "points_cut", "wins"),
    "swing": ("caps", "swing", "hands"),
    "dealer_edge": ("seats", "points", "dealer"),
    "turns": ("frequencies", "turns", "hands"),
}
ELSEWHERE = {
    "skill_edge": "the difference between two bots: a run has none",
    "ruin_share": "a share of sessions: a run has none",
    "largest_share_owed": "the largest seen: it has no error",
    "largest_gain": "the largest seen: it has no error",
}
_NAME = re.compile(r"\s*([^\[\]]*?)\s*(?:\[\s*([^\[\]]*?)\s*\])?\s*")


class MetricError(FaultError):
    """A metric that is not known, or that these rules and bots do not have."""


class Metric(NamedTuple):
    """One estimate by its full name."""

    name: str
    row: Quantity


def find_metrics(text: str, rules: RuleSet, bots: Sequence[str]) -> tuple[Metric, ...]:
    """Find the estimates that a text names: one, or one for each bot.

    Parameters
    ----------
    text : str
        A name, or ``name[of]``.
    rules : RuleSet
    bots : sequence of str
        Of a task.

    Returns
    -------
    tuple of Metric
        In the order of the tables; none is fixed by the rules.

    Raises
    ------
    MetricError
        For an unknown name, with the nearest one; for an estimate that these rules and bots do not have, or
        in which they leave nothing to estimate.
    """
    found = _NAME.fullmatch(text)
    name, of = found.groups() if found else (text, None)
    rows = quantities(rules, bots)
    if of is None and name in ELSEWHERE:
        raise MetricError([f"metric {show(name)} is {ELSEWHERE[name]}"])
    chosen = _named(name, of, rows)
    if not chosen:
        raise MetricError([_unknown(name, of, rows)])
    zero = {row.over for row in rows if row.fixed} | impossible(rules)
    faults = []
    for row in chosen:
        shown = full_name(row)
        if row.fixed:
            faults.append(
                f"metric {shown} is fixed by the rules or the seating: there is no error to estimate"
            )
        elif row.under in zero:
            faults.append(f"metric {shown} never has a value: these rules leave no {row.under}")
    if faults:
        raise MetricError(faults)
    return tuple(Metric(full_name(row), row) for row in chosen)


def full_name(row: Quantity) -> str:
    """The name of an estimate that no other has, short where there is a short one."""
    for name, (section, column, of) in METRICS.items():
        if of and (section, column, of) == (row.section, row.name, row.of):
            return name
    return f"{row.name}[{row.of}]"


def _named(name: str, of: str | None, rows: Sequence[Quantity]) -> list[Quantity]:
    if of is not None:
        column = METRICS[name][1] if name in METRICS else name
        return [row for row in rows if row.name in (name, column) and row.of == of]
    if name in METRICS:
        section, column, owner = METRICS[name]
        return [row for row in rows if (row.section, row.name) == (section, column) and owner in ("", row.of)]
    for wanted in ("strategies", "hands", "wins", "points owed"):
        if rows_there := [row for row in rows if row.name == name and wanted in (row.section, row.of)]:
            return rows_there
    return []


def _unknown(name: str, of: str | None, rows: Sequence[Quantity]) -> str:
    short = [known for known in METRICS if _named(known, None, rows)]
    names = list(dict.fromkeys([*short, *(row.name for row in rows)]))
    if of is not None and (owners := [row.of for row in rows if row.name == name]):
        return f"metric {show(f'{name}[{of}]')}: {name} is of {', '.join(dict.fromkeys(owners))}"
    if name in METRICS and name not in short:
        return f"metric {show(name)} has no meaning under these rules, which have {', '.join(short)}"
    near = difflib.get_close_matches(name, names, 1, 0.5)
    hint = f"the nearest is {near[0]}; " if near else ""
    return (
        f"unknown metric {show(name)}, {hint}allowed are {', '.join(short)}, "
        "and every estimate of the tables as name or name[of], such as deal_ins or turns[wins]"
    )
