"""Records under other caps or another stake: whole arrays at once."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray

from .errors import show
from .explained import LARGEST
from .records import OUTCOMES
from .rules import RuleSet

_CAPS = ("cap.per_payer", "cap.golden", "cap.liable")
_TOLD = ("score.stake", "table.fee")  # a record holds all that it takes, in every model
_NOT_ASKED = ("deal", "claims", "win.minimum")  # no part in the points of a hand that is over
_ROWS = 1 << 12
_SEATS = np.arange(4, dtype=np.int8)[:, None]
_ROBBED = OUTCOMES.index("rob_kong")
Ints = NDArray[np.int64]


def untold(records: NDArray[np.void], played: RuleSet, rules: RuleSet) -> list[str]:
    """Say what records do not tell: a reason for each option that differs and takes more, and for hands."""
    model = played.get("score.model")
    told = (*_TOLD, *(_CAPS if model == "factors" else ()))
    changes = played.diff(rules)
    reasons = [
        f"{name} {show(before)} -> {show(after)}: records do not hold what it takes to redo it; rescore logs"
        for name, (before, after) in changes.items()
        if name not in told and not name.startswith(_NOT_ASKED)
    ]
    if model != "factors":
        return reasons
    if not changes.keys().isdisjoint(told) and not _whole(played):
        reasons.append("factors in halves give points in halves, and records hold them rounded: rescore logs")
    several = np.flatnonzero(np.concatenate([np.zeros(0, np.bool_), *map(_several, _blocks(records))]))
    if several.size:
        hand = int(records["hand"][several[0]])
        reasons.append(
            f"{several.size:,} records, the first of hand {hand}: points do not follow from capped; several "
            "seats won (claims.many_rob), and a record holds the shares of the first alone"
        )
    return reasons


def _whole(rules: RuleSet) -> bool:
    """Are all products whole, whatever the hand?"""
    number = partial(_number, rules)
    dealers = (1, number("score.small_dealer"))
    ends = (1, number("score.small_self_draw"), number("score.small_discarder"))
    small = [number("score.small_base") * end * dealer for dealer in dealers for end in ends]
    big = [number("score.big_base") * number(f"score.big_{end}") for end in ("self_draw", "discarder")]
    return all(points == int(points) for points in (*small, *big))


def rescore_records(records: NDArray[np.void], played: RuleSet, rules: RuleSet) -> NDArray[np.void]:
    """Redo caps and stake; see `rescore.rescore`, which checks."""
    found = records.copy()
    factors = played.get("score.model") == "factors"
    old, new = _stakes(played, rules)
    for block in _blocks(found):
        owed = _seats(block, "owed")
        block["owed"] = _scaled(owed, old, new).T
        if factors:
            capped, block["golden"] = _capped(block, owed // old, rules)
            capped = _scaled(capped, 1, new)
            block["capped"], block["points"] = capped.T, _gains(block, capped).T
        else:
            block["capped"] = _scaled(_seats(block, "capped"), old, new).T
            block["points"] = _scaled(_seats(block, "points"), old, new).T
    return found


def _blocks(records: NDArray[np.void]) -> Iterator[NDArray[np.void]]:
    """Views of so many rows that what is made of them stays in the cache."""
    return (records[start : start + _ROWS] for start in range(0, len(records), _ROWS))


def _seats(records: NDArray[np.void], name: str) -> Ints:
    """A copy of a column by seat, of shape (4, n), which sums over seats fastest."""
    return np.array(records[name].T, order="C")


def _stakes(*sets: RuleSet) -> list[int]:
    stakes = [rules.get("score.stake") for rules in sets]
    assert all(isinstance(stake, int) for stake in stakes)
    return stakes  # type: ignore[return-value]


def _scaled(points: Ints, old: int, new: int) -> Ints:
    """Points under another stake, at most 2**60 either way as the scorer has them."""
    if old == new:
        return points
    base = points // old
    most = LARGEST // new
    inside = np.clip(base, -most, most) * new
    scaled: Ints = np.where(np.abs(base) > most, np.sign(base) * LARGEST, inside)
    return scaled


def _capped(records: NDArray[np.void], owed: Ints, rules: RuleSet) -> tuple[Ints, NDArray[np.bool_]]:
    """Shares after caps, before stake, shape (4, n), and which hands are golden. RULES.md section 5."""
    per_payer, fixed, liable_cap = (int(rules.get(name)) for name in _CAPS)  # type: ignore[arg-type]
    free = records["liable"] < 0
    capped = np.minimum(owed, np.where(free, per_payer or LARGEST, liable_cap or LARGEST))
    golden = np.zeros(len(records), np.bool_)
    if per_payer and fixed:
        payers = records["winner"] != _SEATS
        golden = free & (records["outcome"] > 0) & ((owed >= per_payer) | ~payers).all(axis=0)
        capped = np.where(golden, fixed * payers, capped)
    return capped, golden


def _gains(records: NDArray[np.void], capped: Ints) -> Ints:
    """What each seat gains, shape (4, n): the liable seat pays all shares."""
    everything = capped.sum(axis=0)
    liable = records["liable"]
    paid = np.where(liable < 0, capped, np.where(liable == _SEATS, everything, 0))
    gains: Ints = np.where(records["winner"] == _SEATS, everything, 0) - paid
    return gains


def _several(records: NDArray[np.void]) -> NDArray[np.bool_]:
    """Whose points are not those of one winner with these shares."""
    wrong: NDArray[np.bool_] = (_gains(records, _seats(records, "capped")) != _seats(records, "points")).any(
        axis=0
    )
    return wrong


# ---- how certain


def exact_rows(records: NDArray[np.void], rules: RuleSet, played: RuleSet) -> NDArray[np.bool_]:
    """Tell for which records `rescore` is certain to give the points that scoring anew would give.

    Parameters
    ----------
    records : ndarray of HAND_DTYPE, shape (n,)
    rules, played : RuleSet
        As for `rescore`, which accepts the change.

    Returns
    -------
    ndarray of bool, shape (n,)
        False where another reading of the hand might bring the winner more under the new caps. Then the
        winner's true gain is at least what `rescore` gives.

    Notes
    -----
    Readings of one hand differ in types and in hard or soft. Where a big win never owes less than a small
    one, and golden is no less than the cap, what they bring keeps its order under any caps, unless they make
    different seats liable. That takes three exposed melds and no robbed kong; and even then the reading that
    counted stays the best if its own shares have not fallen and the caps of those with other liability have
    not risen.

    Examples
    --------
    >>> from wuhan_core import load_rules
    >>> from wuhan_sim import play_records
    >>> records = play_records("yuanhang", "greedy", seed=1, count=1_000)
    >>> rules = load_rules("yuanhang")
    >>> exact = exact_rows(records, rules.replace({"cap.per_payer": 100}), rules)
    >>> exact.shape, bool(exact.all())
    ((1000,), False)
    """
    certain = np.ones(len(records), dtype=np.bool_)
    old_stake, new_stake = _stakes(played, rules)
    if old_stake != new_stake:
        certain &= (np.abs(records["owed"]) < LARGEST).all(axis=1)
    if played.get("score.model") != "factors" or all(played.get(cap) == rules.get(cap) for cap in _CAPS):
        return certain
    won = records["outcome"] > 0
    robbed = records["outcome"] == _ROBBED
    konger_pays_own = played.get("liability.rob_kong") == "konger_hand"
    if not (_in_order(played) and _golden_in_order(played) and _golden_in_order(rules)):
        certain &= ~won | (robbed & konger_pays_own)
        return certain
    if not played.get("liability.third_meld") and played.get("liability.quanqiuren") == "none":
        return certain
    rows = np.arange(len(records))
    # an upper bound: every meld that opens, and kongs of all sorts, direct ones among them
    exposed = records["opens"][rows, records["winner"]] + records["kongs"][rows, records["winner"]]
    owed = _seats(records, "owed") // old_stake
    before, after = (_capped(records, owed, each)[0].sum(axis=0) for each in (played, rules))
    liable = records["liable"] >= 0
    rivals_fall = np.where(liable, _no_higher(rules, played), _liable_no_higher(rules, played))
    certain &= ~won | robbed | (exposed < 3) | ((after >= before) & rivals_fall)
    return certain


def _number(rules: RuleSet, name: str) -> float:
    value = rules.get(name)
    assert isinstance(value, int | float)
    return value


def _in_order(rules: RuleSet) -> bool:
    """Does a big win owe no less than a small one, share by share, whatever the hand?"""
    factor = {
        name: _number(rules, f"score.{name}")
        for name in (
            "hard",
            "small_base",
            "small_self_draw",
            "small_discarder",
            "small_dealer",
            "big_base",
            "big_self_draw",
            "big_discarder",
        )
    }
    return all(
        factor["big_base"] * big >= factor["small_base"] * factor["hard"] * small * factor["small_dealer"]
        for big, small in (
            (1, 1),
            (factor["big_self_draw"], factor["small_self_draw"]),
            (factor["big_discarder"], factor["small_discarder"]),
        )
    )


def _golden_in_order(rules: RuleSet) -> bool:
    per_payer, golden = _number(rules, "cap.per_payer"), _number(rules, "cap.golden")
    return per_payer == 0 or golden == 0 or golden >= per_payer


def _off_is_most(points: float) -> float:
    return points or float(LARGEST)


def _liable_no_higher(rules: RuleSet, played: RuleSet) -> bool:
    """Do shares of a hand with a liable seat bring no more than before?"""
    return _off_is_most(_number(rules, "cap.liable")) <= _off_is_most(_number(played, "cap.liable"))


def _no_higher(rules: RuleSet, played: RuleSet) -> bool:
    """Do shares of a hand with no liable seat bring no more than before?"""
    new, old = ((_number(each, "cap.per_payer"), _number(each, "cap.golden")) for each in (rules, played))
    lower = _off_is_most(new[0]) <= _off_is_most(old[0]) and new[1] in (0, new[0])
    return new == old or lower
