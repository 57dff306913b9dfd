"""Sessions by RULES.md sections 2, 7, 8 (dealer) and 9 (fee, leaving, bankrolls), in plain Python.

Hands are played step by step by the machine; who deals, who pays what, who leaves and when it ends is worked
out here from the rules page alone. Nothing of the compiled loop over sessions is asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np

from machines import dealt
from oracle_others import kong_points
from wuhan_core._machine import Machine
from wuhan_core._wall import STREAM_VERSION, seating, stream_block
from wuhan_core.rules import RuleSet

FLIGHT = 16  # the stream of random numbers that says who runs away
WORD = 2**64


@dataclass
class Setting:
    """What a session is made of; names as in `play_sessions`."""

    hands: int
    bankroll: int | None = None
    deal: str = "rotated"
    draws: str = "seat"
    stay: bool = False
    leave_below: int | None = None
    leave_above: int | None = None
    flee: float = 0.0


def pay(points: Sequence[int], purses: Sequence[int]) -> tuple[list[int], list[int], list[int]]:
    """What comes to each seat, what it lost and did not have, what it won and was not paid.

    The losers come one after the other, the last seat first: each gives what it has to those who gain, in
    turn order after it, each in full before the next.
    """
    seats = range(len(points))
    came, unpaid = [0] * len(points), [0] * len(points)
    for loser in reversed(seats):
        debt = max(0, -points[loser])
        purse = min(debt, purses[loser])
        unpaid[loser] = debt - purse
        came[loser] -= purse
        for step in seats[1:]:
            other = (loser + step) % len(points)
            part = min(purse, max(0, points[other]) - came[other]) if points[other] > 0 else 0
            came[other] += part
            purse -= part
        assert purse == 0
    missed = [max(0, points[seat]) - came[seat] if points[seat] > 0 else 0 for seat in seats]
    return came, unpaid, missed


def words(key: Sequence[int], number: int, stream: int) -> Any:
    """The 64-bit words of a stream: xoshiro256++ from its block."""
    a, b, c, d = stream_block(key, number, stream)
    while True:
        total = (a + d) % WORD
        yield (((total << 23) | (total >> 41)) % WORD + a) % WORD
        t = (b << 17) % WORD
        c, d = c ^ a, d ^ b
        b, a = b ^ c, a ^ d
        c ^= t
        d = ((d << 45) | (d >> 19)) % WORD


def flight(chance: float, key: Sequence[int], number: int) -> int:
    """The draw at which a seat runs away; more draws than there are where none does."""
    below = int(chance * 2**63)
    for turn, word in enumerate(words(key, number, FLIGHT), 1):
        if turn > 255 or word >> 1 < below:
            return turn
    raise AssertionError


def next_dealer(rules: Mapping[str, Any], dealer: int, result: Mapping[str, Any] | None, players: int) -> int:
    """Who deals the next hand; result: None for an exhausted hand."""
    if result is None or result["winner"] < 0:
        return dealer
    if len(result["winners"]) > 1:  # several robbers: the first after the konger
        return int(min(result["winners"], key=lambda seat: (seat - result["loser"] - 1) % players))
    if rules["deal.next_dealer"] == "winner" or result["winner"] == dealer:
        return int(result["winner"])
    return (dealer + 1) % players


def kongs_so_far(rules: Mapping[str, Any], machine: Machine, players: int) -> list[int]:
    """What kongs move in a hand that ends here without a winner."""
    if rules["score.model"] != "codes":
        return [0] * players
    seats: list[Any] = [
        SimpleNamespace(
            melds=[SimpleNamespace(kind=kind, tiles=[tile], feeder=by) for kind, tile, by in seat["melds"]]
        )
        for seat in machine.state()["seats"]
    ]
    return kong_points(rules, seats, None)


def play(rules: RuleSet, bots: Sequence[str], seed: int, session: int, setting: Setting) -> dict[str, Any]:
    """One session: what its record should hold, the bankrolls after each hand, and who dealt."""
    options = rules.to_dict()
    n, fee = options["deal.players"], options["table.fee"]
    block, turn = divmod(session, n) if setting.deal == "rotated" else (session, 0)
    per_block = n if setting.deal == "rotated" else 1
    key = [
        int(word)
        for word in np.random.SeedSequence(seed, spawn_key=(STREAM_VERSION,)).generate_state(2, np.uint64)
    ]
    start = setting.bankroll or 0
    purse, banked = [start] * n, setting.bankroll is not None
    seats = seating(seed, block * setting.hands, block * setting.hands * per_block + turn, n)
    totals = {name: [0] * n for name in ("points", "fees", "unpaid", "missed", "wins", "deals")}
    ruined_at, left, path, dealers, deltas = [-1] * n, [0] * n, [list(purse)], [], []
    dealer, exhausted, ended = 0, 0, "played"
    seen: set[str] = set()
    for hand in range(setting.hands):
        wall = block * setting.hands + hand
        number = wall * per_block + turn
        machine = Machine(rules, dealt(rules, seed, wall), dealer, setting.draws == "seat", seed, number)
        until = flight(setting.flee, key, number) if setting.flee else 1000
        while not machine.done and (until == 1000 or len(machine.draws()) < until):
            machine.step(machine.choose(bots[seats[machine.seat]]))
        fled = not machine.done
        result = None if fled else machine.result()
        won = list(kongs_so_far(options, machine, n)) if result is None else result["deltas"]
        dealers.append(dealer)
        deltas.append(won)
        totals["deals"][dealer] += 1
        exhausted += result is None or result["winner"] < 0
        for seat in [] if result is None else result["winners"]:
            totals["wins"][seat] += 1
        came, unpaid, missed = pay(won, purse) if banked else (won, [0] * n, [0] * n)
        if any(unpaid):
            seen.add("unpaid" if sum(value > 0 for value in won) == 1 else "short among several")
        for seat in range(n):
            purse[seat] += came[seat]
            due = min(fee, purse[seat]) if banked else fee
            purse[seat] -= due
            seen |= {"short fee"} if due < fee else set()
            for name, value in (("points", came), ("unpaid", unpaid), ("missed", missed)):
                totals[name][seat] += value[seat]
            totals["fees"][seat] += due
            if banked and purse[seat] == 0 and ruined_at[seat] < 0:
                ruined_at[seat] = hand + 1
        path.append(list(purse))
        if fled:
            ended, left[machine.seat] = "fled", 1
            break
        if any(at > 0 for at in ruined_at) and not setting.stay:
            ended = "ruin"
            break
        for seat in range(n):
            low = setting.leave_below is not None and purse[seat] <= setting.leave_below
            high = setting.leave_above is not None and purse[seat] >= setting.leave_above
            left[seat] = int(low or high)
            seen |= ({"left below"} if low else set()) | ({"left above"} if high else set())
        if hand + 1 == setting.hands:
            seen |= {"marks in a last hand"} if any(left) else set()
            left = [0] * n
            break
        if any(left):
            ended = "left"
            break
        dealer = next_dealer(options, dealer, result, n)
    falls = [
        max(path[i][seat] - path[j][seat] for j in range(len(path)) for i in range(j + 1))
        for seat in range(n)
    ]
    return {
        "session": session,
        "block": block,
        "end": path[-1],
        "low": [min(row[seat] for row in path) for seat in range(n)],
        "drawdown": falls,
        **totals,
        "ruined_at": ruined_at,
        "hands": len(path) - 1,
        "exhausted": exhausted,
        "ended": ended,
        "left": left,
        "bot": seats,
        "path": path[1:],
        "dealers": dealers,
        "deltas": deltas,
        "seen": seen,
    }
