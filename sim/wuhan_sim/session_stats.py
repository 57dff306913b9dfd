"""From records of sessions to exact sums and distributions that add.

Sessions of a block are dealt the same walls and are no independent draws: every column is first summed over
the sessions of a block, and errors are taken over blocks. What is kept are `stats.Totals`, whatever the
number of sessions; a block stands where they have a wall.
"""

from __future__ import annotations

from math import inf

import numpy as np
from numpy.typing import NDArray

from wuhan_core.session_records import ENDINGS

from .quantities import SHARE, Quantity
from .session_plan import SessionPlan
from .spread import Spread
from .stats import Array, Pair, Totals, summed


def bots_of(plan: SessionPlan) -> tuple[str, ...]:
    """The different bots of a plan; seats whose bots have the same text are counted together."""
    return tuple(dict.fromkeys(plan.task.bots))


def session_quantities(plan: SessionPlan) -> tuple[Quantity, ...]:
    """Return every share and mean that is reported, in the order of the tables; walls are blocks here."""
    bots = bots_of(plan)
    fee, banked = plan.task.rules.get("table.fee"), plan.bankroll is not None
    marks = plan.leave_below is not None or plan.leave_above is not None
    never = {
        "ruin": not banked or plan.stay,
        "left": not marks,
        "fled": not plan.flee,
    }
    all_points = float(plan.bankroll * plan.players) if plan.bankroll else inf
    rows = [
        Quantity("sessions", "sessions", name, name, "sessions", fixed=never.get(name, False))
        for name in ENDINGS
    ]
    rows += [
        Quantity("sessions", "sessions", "ruin_share", "any ruined", "sessions", fixed=not banked),
        Quantity(
            *("sessions", "sessions", "hands", "hands", "sessions", "hands per session"),
            low=1,
            high=plan.hands,
        ),
        Quantity("sessions", "hands", "exhausted_share", "exhausted", "hands"),
    ]
    alone = len(bots) == 1
    for bot in bots:
        per, seats = "points per session", f"seats of {bot}"
        for section, name, over, under, unit, low, high, fixed in (
            ("bankroll", "mean", "end", seats, "points", 0 if banked else -inf, all_points, False),
            ("bankroll", "ahead_share", "ahead", seats, SHARE, 0, 1, False),
            ("bankroll", "behind_share", "behind", seats, SHARE, 0, 1, False),
            ("ruin", "ruin_share", "ruined", seats, SHARE, 0, 1, not banked),
            ("ruin", "mean", "ruin hand", f"ruined of {bot}", "hands to ruin", 1, plan.hands, False),
            ("drawdown", "mean", "drawdown", seats, "points", 0, all_points, False),
            ("money", "points", "points", seats, per, -all_points, all_points, alone),
            ("money", "fees", "fees", seats, per, 0, inf, not fee),
            ("money", "unpaid", "unpaid", seats, per, 0, inf, not banked),
            ("money", "missed", "missed", seats, per, 0, inf, not banked),
            ("play", "points_per_hand", "points", f"hands of {bot}", "points per hand", -inf, inf, alone),
            ("play", "wins", "wins", f"hands of {bot}", SHARE, 0, 1, False),
            ("play", "deals", "deals", f"hands of {bot}", SHARE, 0, 1, False),
        ):
            rows.append(
                Quantity(section, bot, name, f"{over} of {bot}", under, unit, low=low, high=high, fixed=fixed)
            )
    return tuple(rows)


def products_of(plan: SessionPlan) -> list[Pair]:
    """The products of columns that the intervals take: of means and shares, and of the standard deviation."""
    pairs = [(row.over, row.under) for row in session_quantities(plan)]
    for bot in bots_of(plan):
        square = f"end squared of {bot}"
        pairs += [(square, f"end of {bot}"), (square, f"seats of {bot}")]
    return list(dict.fromkeys(pair for a, b in pairs for pair in ((a, a), (a, b), (b, b))))


def measure_sessions(plan: SessionPlan, records: Array, paths: NDArray[np.int64]) -> Totals:
    """Sum up consecutive sessions, whole blocks but where the plan begins or ends inside one.

    Parameters
    ----------
    plan : SessionPlan
    records : structured ndarray, SESSION_DTYPE, (sessions,)
    paths : ndarray, int64 (sessions, snapshots, players)

    Returns
    -------
    Totals
        Their `spreads`: ``end of BOT``, bankrolls at the end; ``drawdown of BOT``; ``ruined of BOT``, hands
        to ruin of the seats that were ruined; ``ruin of BOT``, the same of all seats, those that were not
        with one hand more than a session has; ``after N of BOT``, bankrolls after so many hands
        (`snapshots`).
    """
    per, n = plan.per_block, plan.players
    place = records["session"] - records["session"][0] // per * per
    blocks = int(place[-1]) // per + 1

    def laid(values: Array) -> Array:
        """Of shape (blocks, sessions of each, ...); 0 where none is."""
        out = np.zeros((blocks * per, *values.shape[1:]), values.dtype)
        out[place] = values
        return out.reshape(blocks, per, *values.shape[1:])

    def of_seat(name: str) -> Array:
        return laid(records[name][:, :n])

    there: Array = laid(np.ones(len(records), bool))
    ended, ruined_at = laid(records["ended"]), of_seat("ruined_at")
    hands, label = laid(records["hands"]).astype(np.int64), of_seat("bot")
    ruined: Array = (ruined_at > 0) & there[:, :, None]
    columns = {
        "sessions": _over(there),
        "hands": _over(hands),
        "exhausted": _over(laid(records["exhausted"])),
        "any ruined": _over(np.asarray(ruined.any(axis=2))),
        **{name: _over((ended == code) & there) for code, name in enumerate(ENDINGS)},
    }
    end = of_seat("end")
    money = {
        name: of_seat(name) for name in ("points", "fees", "unpaid", "missed", "drawdown", "wins", "deals")
    }
    money |= {"end": end, "hands": np.broadcast_to(hands[:, :, None], end.shape)}
    laid_paths = laid(paths)
    names = bots_of(plan)
    kind = np.array([names.index(bot) for bot in plan.task.bots])[label]
    spreads: dict[str, Spread] = {}
    for i, bot in enumerate(names):
        mine = (kind == i) & there[:, :, None]
        for name, values in money.items():
            columns[f"{name} of {bot}"] = _over(values, mine)
        exact = end if _peak(end) < 2**29 else end.astype(object)  # 16 squares of a block fit into int64
        columns |= {
            f"seats of {bot}": _over(mine),
            f"end squared of {bot}": _over(exact * exact, mine),
            f"ahead of {bot}": _over(end > plan.start, mine),
            f"behind of {bot}": _over(end < plan.start, mine),
            f"ruined of {bot}": _over(ruined, mine),
            f"ruin hand of {bot}": _over(ruined_at, mine & ruined),
        }

        def spread(values: Array, counted: Array) -> Spread:
            return Spread.of(values.reshape(blocks, -1).astype(np.int64), counted.reshape(blocks, -1))

        spreads |= {
            f"end of {bot}": spread(end, mine),
            f"drawdown of {bot}": spread(money["drawdown"], mine),
            f"ruined of {bot}": spread(ruined_at, mine & ruined),
            f"ruin of {bot}": spread(np.where(ruined, ruined_at, plan.hands + 1), mine),
        }
        for k, at in enumerate(snapshots(plan)):
            if k and np.array_equal(paths[:, k], paths[:, k - 1]):  # all have ended
                spreads[f"after {at} of {bot}"] = spreads[f"after {at - plan.every} of {bot}"]
            else:
                spreads[f"after {at} of {bot}"] = spread(laid_paths[:, :, k], mine)
    pairs = products_of(plan)
    return summed(columns, pairs, dict.fromkeys(b for _, b in pairs), spreads)


def snapshots(plan: SessionPlan) -> range:
    """After how many hands the bankrolls are looked at."""
    return range(plan.every, plan.hands + 1, plan.every)


def _over(values: Array, counted: Array | None = None) -> Array:
    """Sum over the sessions (and seats) of each block: Python integers where int64 might not hold it."""
    if values.dtype != object:
        values = values.astype(np.int64)
        values = values.astype(object) if _peak(values) >= 2**58 else values
    if counted is not None:
        values = values * counted
    sums: Array = values.reshape(len(values), -1).sum(axis=1)
    return sums


def _peak(values: Array) -> int:
    return max(-int(values.min()), int(values.max())) if values.size else 0
