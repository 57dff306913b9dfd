"""Finished hands in, points out: cases as RULES.md section 10 describes them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from ._case import score
from ._rules import CompiledRules
from .errors import FaultError, show
from .rules import DEFAULT, RuleError, RuleSet, load_rules, preset_names

__all__ = ["CaseError", "score_case", "score_cases"]

# Tiles konged singly: what a hand log calls the kong -> where a case counts it.
SINGLE_KONGS = {"red": "red_kongs", "wild": "wild_kongs", "skin": "skin_kongs"}


class CaseError(FaultError):
    """A case that cannot be; `faults` has every fault with its place, the value and what is allowed."""


def rules_in_case(rules: RuleSet) -> dict[str, Any]:
    """Name a rule set as a case does: a preset, or the default one for rules of one's own, and overrides."""
    name = rules.name if rules.name in preset_names() else DEFAULT
    overrides = {key: list(v) if isinstance(v, tuple) else v for key, v in rules.overrides.items()}
    return {"rules": name} | ({"set": overrides} if overrides else {})


def codes_of(rules: RuleSet, codes: list[str], wild: bool) -> list[str]:
    """Of the codes turned up in a hand those of a winner, who holds a C or not: another may turn up more."""
    count = rules.get("codes.count")
    assert isinstance(count, int)
    return codes[:count] if wild and not rules.get("codes.all_in") else codes


def score_case(case: dict[str, Any]) -> dict[str, Any]:
    """Judge and score one finished hand.

    Parameters
    ----------
    case : dict
        The JSON object of RULES.md section 10: ``rules``, ``set``, ``indicator`` (not where the wildcard is
        C), ``laizi``, ``dealer``, ``players``, ``codes`` (where the game has them), ``win``. Seats count from
        0, tiles are text as `parse_tiles` reads it, ``rules`` is a preset or the path of a rule file as
        `load_rules` takes it. ``expect`` is ignored.

    Returns
    -------
    dict
        ``wins`` (bool), ``why_not`` (None or the refusal). A win also has ``types`` (list of str, sorted;
        ``["pihu"]`` for a small win), ``owed`` (points by seat before caps, 0 for the winner), ``liable``
        (seat or None), ``deltas`` (points each seat gains; they sum to 0), and by ``score.model``:

        - factors: ``big``, ``hard``, ``golden`` (bool), ``capped`` (points by seat after caps);
        - codes: ``hits`` (codes that hit, None with all in), ``kongs`` (points that kongs moved to each seat,
          in ``deltas`` already);
        - patterns: ``hard`` (bool).

    Raises
    ------
    CaseError
        For a case that cannot be, naming every fault.

    Notes
    -----
    Points are exact and, where factors are halves, rounded half up per share at the end; a share beyond
    2**60 points is 2**60.

    Examples
    --------
    >>> case = {
    ...     "rules": "yuanhang", "indicator": "4m", "dealer": 0,
    ...     "players": [
    ...         {"hand": "1357m2468p1346sE"},
    ...         {"hand": "111p8s999m", "melds": [{"kind": "pung", "tiles": "777s", "from": 2},
    ...                                          {"kind": "pung", "tiles": "333p", "from": 0}]},
    ...         {"hand": "1357m2468p1346sW"},
    ...         {"hand": "2468m2579p2359sN"},
    ...     ],
    ...     "win": {"winner": 1, "tile": "8s", "source": "discard", "from": 3},
    ... }
    >>> answer = score_case(case)
    >>> answer["types"], answer["owed"], answer["deltas"]
    (['pengpenghu'], [80, 0, 80, 120], [-80, 280, -80, -120])
    """
    return _score_all([case], "")[0]


def score_cases(cases: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Judge and score many finished hands.

    Parameters
    ----------
    cases : iterable of dict
        As for `score_case`. A rule file is read once for all cases that name it.

    Returns
    -------
    list of dict
        The answers of `score_case`, in order.

    Raises
    ------
    CaseError
        Naming every fault of every case, each with the number of its case from 0.

    Examples
    --------
    >>> from wuhan_core import Table
    >>> table = Table("yuanhang", seed=1)
    >>> while not table.done:
    ...     table.step(table.choose("greedy"))
    >>> case = table.case()
    >>> [answer["deltas"] for answer in score_cases([case, case | {"set": {"cap.per_payer": 20}}])]
    [[-32, 80, -16, -32], [-20, 56, -16, -20]]
    """
    if not isinstance(cases, Iterable):
        raise CaseError([f"cases = {show(cases)}, must be a list of cases"])
    return _score_all(cases, "cases[{}]: ")


def _score_all(cases: Iterable[dict[str, Any]], label: str) -> list[dict[str, Any]]:
    """Score cases; `label` goes before a fault, with the number of the case filled in."""
    answers: list[dict[str, Any]] = []
    faults: list[str] = []
    files: dict[tuple[str, str], CompiledRules] = {}
    for number, case in enumerate(cases):
        found: list[str] = []
        answer = score(case, _rules_of(case, files, found), found)
        faults += [label.format(number) + fault for fault in found]
        if answer is not None:
            answers.append(answer)
    if faults:
        raise CaseError(faults)
    return answers


def _rules_of(
    case: object, files: dict[tuple[str, str], CompiledRules], faults: list[str]
) -> CompiledRules | None:
    """Return the rules of a case, None where they cannot be loaded; `files` keeps those of no preset name."""
    if not isinstance(case, dict):
        return None
    name, overrides = case.get("rules"), case.get("set")
    if not isinstance(name, str):
        faults.append(f"rules = {show(name)}, must be a preset or the path of a rule file")
        return None
    try:
        text = "" if overrides is None else json.dumps(overrides)
    except (TypeError, ValueError, RecursionError):
        faults.append(f"set = {show(overrides)}, must be an object of option to value as JSON has them")
        return None
    try:
        if name in preset_names():
            return _preset(name, text)
        if (name, text) not in files:
            files[name, text] = _load(name, text)
        return files[name, text]
    except RuleError as error:
        faults += error.faults
    except ValueError as error:
        faults.append(str(error))
    return None


def _load(name: str, overrides: str) -> CompiledRules:
    return CompiledRules(load_rules(name, json.loads(overrides) if overrides else None))


_preset = lru_cache(maxsize=256)(_load)
