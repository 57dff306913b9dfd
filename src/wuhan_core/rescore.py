"""Stored hands under other scoring options, without playing them again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from .errors import FaultError, plain, show
from .explain_others import kong_gains
from .hand_log import LogError, finished_cases, players_at_end, rules_of_log
from .records import HAND_DTYPE
from .rescore_records import exact_rows, rescore_records, untold
from .rules import RuleSet
from .scoring import CaseError, score_cases

__all__ = ["RescoreError", "changed_play", "exact_rows", "rescore"]

# Options that no model asks while a hand is played.
_POINTS_ONLY = ("score.stake", "table.fee", "codes.hit_points")
_POINTS_SECTIONS = ("points", "value", "factor", "least")
_FACTOR_SECTIONS = ("score", "cap", "liability")  # they change play through the minimum alone


class RescoreError(FaultError):
    """Hands that cannot be scored under other options; `faults` has every reason."""


@overload
def rescore(
    records_or_logs: NDArray[np.void],
    rules: RuleSet,
    *,
    played: RuleSet | None = None,
    ignore_play: bool = False,
) -> NDArray[np.void]: ...
@overload
def rescore(
    records_or_logs: Iterable[Mapping[str, Any]],
    rules: RuleSet,
    *,
    played: RuleSet | None = None,
    ignore_play: bool = False,
) -> list[Any]: ...
def rescore(
    records_or_logs: NDArray[np.void] | Iterable[Mapping[str, Any]],
    rules: RuleSet,
    *,
    played: RuleSet | None = None,
    ignore_play: bool = False,
) -> NDArray[np.void] | list[Any]:
    """Score stored hands under other rules, without playing them again.

    Parameters
    ----------
    records_or_logs : ndarray of HAND_DTYPE, or iterable of dict
        Records, or hand logs.
    rules : RuleSet
        The rules to score under.
    played : RuleSet, optional
        The rules under which the hands were played. Records do not say, so there it is needed; logs do say.
    ignore_play : bool
        Score the hands as they were played even where the change could have altered play: which wins are
        allowed, claims, kongs, the deal.

    Returns
    -------
    ndarray of HAND_DTYPE or list
        For records a copy with other ``owed``, ``capped``, ``points`` and ``golden``. For logs their
        ``result`` under the new rules: the answer of `score_case` (which may be a refusal with
        `ignore_play`), a list of answers for several robbers, ``{"exhausted": True}`` (in the model "codes"
        with ``kongs`` and ``deltas``).

    Raises
    ------
    RescoreError
        With a reason for every option whose change could have altered play, unless `ignore_play`; for every
        option whose effect records cannot tell, always; and for hands that cannot be scored.
    LogError
        For logs that cannot be followed.

    Notes
    -----
    What is asked is what the rules allow: a bot that weighs points may play otherwise under other points.
    Points change what is allowed only through ``win.minimum``; `changed_play` says which changes are safe.

    Logs hold every tile: their points are exact, the best reading is chosen anew under the new rules.

    Records hold what the losers owe for the reading that counted. Caps and stake can be redone from that
    (``cap.per_payer``, ``cap.golden``, ``cap.liable``, ``score.stake``; for "codes" and "patterns" the
    stake), at more than a million hands a second; other factors cannot, rescore logs for them. Under other
    caps another reading may bring more (with another liable seat, or because golden is a fixed sum and may
    lie below the shares), which a record does not tell: then the reading that counted is kept, and the
    winner's true gain is at least what stands here. `exact_rows` tells for which hands it is certain.

    Examples
    --------
    >>> from wuhan_core import load_rules
    >>> from wuhan_sim import play_records
    >>> records = play_records("yuanhang", "greedy", seed=1, count=1_000)
    >>> cheaper = load_rules("yuanhang", {"cap.per_payer": 100, "cap.golden": 100})
    >>> again = rescore(records, cheaper, played=load_rules("yuanhang"))
    >>> int(records["points"].max()), int(again["points"].max())
    (1200, 300)
    """
    if faults := [
        f"{name} = {show(value)}, must be a RuleSet"
        for name, value, needed in (("rules", rules, True), ("played", played, False))
        if not (isinstance(value, RuleSet) or (value is None and not needed))
    ]:
        raise RescoreError(faults)
    if isinstance(records_or_logs, np.ndarray):
        records = records_or_logs
        if records.dtype != HAND_DTYPE or records.ndim != 1:
            what = f"dtype {show(records.dtype)} and {records.ndim} dimensions"
            raise RescoreError([f"records have {what}, must have HAND_DTYPE and 1"])
        if played is None:
            raise RescoreError(["played is missing: records do not say by which rules they were played"])
        _refuse([*untold(records, played, rules), *([] if ignore_play else changed_play(played, rules))])
        return rescore_records(records, played, rules)
    if not isinstance(records_or_logs, Iterable) or isinstance(records_or_logs, (str, bytes, Mapping)):
        raise RescoreError([f"records_or_logs = {show(records_or_logs)}, must be records or a list of logs"])
    return _rescore_logs(list(records_or_logs), rules, played, ignore_play)


def _refuse(reasons: Iterable[str]) -> None:
    reasons = list(dict.fromkeys(reasons))
    if reasons:
        raise RescoreError(reasons)


def changed_play(played: RuleSet, rules: RuleSet) -> list[str]:
    """Say why a change of rules could have altered play; empty where it could not.

    Parameters
    ----------
    played, rules : RuleSet
        Before and after.

    Returns
    -------
    list of str
        A reason for each option that differs: it changes the deal, the turn or the shapes that win; or it
        changes points while a minimum is asked, so that a win may be allowed that was not, or the reverse.
        Caps and liability are safe even then where every cap, before and after, is off or at least the
        minimum, and robbed kongs are paid by the same rule.
    """
    changes = played.diff(rules)
    if "score.model" in changes:
        before, after = changes["score.model"]
        return [f"score.model {before} -> {after}: it is another game"]
    minimum = [_minimum(each) for each in (played, rules)]
    caps_safe = minimum[0] == minimum[1] and all(_caps_reach(each) for each in (played, rules))
    reasons = []
    for name, (before, after) in changes.items():
        section = name.partition(".")[0]
        if name in _POINTS_ONLY or section in _POINTS_SECTIONS:
            continue
        if section not in _FACTOR_SECTIONS or name == "score.qianggang_is_big":
            if section == "win" and name.startswith("win.minimum") and minimum[0] == minimum[1]:
                continue
            which = "which hands may win" if section in ("win", "score") else "the deal or the turn"
            reasons.append(f"{name} {show(before)} -> {show(after)}: it changes {which}")
        elif minimum != [None, None] and not (
            caps_safe and section in ("cap", "liability") and name != "liability.rob_kong"
        ):
            asked = rules if minimum[0] is None else played
            why = f"with win.minimum = {asked.get('win.minimum')} points decide which hands may win"
            reasons.append(f"{name} {show(before)} -> {show(after)}: {why}")
    return reasons


def _minimum(rules: RuleSet) -> tuple[object, object] | None:
    """The minimum asked; None where every win reaches it."""
    if rules.get("score.model") != "factors" or rules.get("win.minimum") == "none":
        return None
    points = rules.get("win.minimum_points")
    return (rules.get("win.minimum"), points) if points else None


def _caps_reach(rules: RuleSet) -> bool:
    """Does no cap push a share below the minimum?"""
    if rules.get("score.model") != "factors":
        return True
    caps = [rules.get(name) for name in ("cap.per_payer", "cap.golden", "cap.liable")]
    return all(cap == 0 or cap >= rules.get("win.minimum_points") for cap in caps)  # type: ignore[operator]


def _rescore_logs(
    logs: list[Mapping[str, Any]], rules: RuleSet, played: RuleSet | None, ignore_play: bool
) -> list[Any]:
    faults: list[str] = []
    reasons: list[str] = []
    known: dict[str, tuple[RuleSet, list[str]]] = {}  # rules as a log names them -> those rules, what changed
    cases: list[list[dict[str, Any]]] = []
    without: list[dict[str, Any]] = []
    for number, log in enumerate(logs):
        without.append({})
        cases.append([])
        try:
            key = repr((log.get("rules"), log.get("set"), log.get("rules_id")))
            if key not in known:
                before = rules_of_log(log) if played is None else played
                known[key] = before, [] if ignore_play else changed_play(before, rules)
            before, why = known[key]
            reasons += why
            if log["events"] and log["events"][-1].get("do") == "exhausted":
                without[-1] = _exhausted(log, before, rules)
            else:
                cases[-1] = finished_cases(log, before, rules)
                if not cases[-1]:
                    faults.append(f"logs[{number}]: the hand is not over")
        except (LogError, KeyError, AttributeError, TypeError) as error:
            found = error.faults if isinstance(error, LogError) else [f"is no hand log: {plain(error)}"]
            faults += [f"logs[{number}]: {fault}" for fault in found]
    if faults:
        raise LogError(faults)
    _refuse(reasons)
    try:
        answers = iter(score_cases(case for each in cases for case in each))
    except CaseError as error:
        raise RescoreError(error.faults) from None
    results: list[Any] = []
    for each, ended in zip(cases, without, strict=True):
        scored = [next(answers) for _ in each]
        results.append(ended if not each else scored[0] if len(each) == 1 else scored)
    return results


def _exhausted(log: Mapping[str, Any], played: RuleSet, rules: RuleSet) -> dict[str, Any]:
    if rules.get("score.model") != "codes":
        return {"exhausted": True}
    gains = kong_gains(rules, players_at_end(log, played))
    return {"exhausted": True, "kongs": gains, "deltas": list(gains)}
