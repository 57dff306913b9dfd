"""What sessions are to be played: a task's game, hands in a row, bankrolls, and who leaves when."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from wuhan_core.actions import BotError
from wuhan_core.errors import FaultError, either, real, show, whole

from . import engine
from .task import BotFailure, Task, task_faults

SNAPSHOTS = 20  # of the bankrolls in a session, or a few less
_MOST_HANDS, _MOST_POINTS, _MOST_PLAYED = 10**6, 2**53, 2**60


class SessionError(FaultError):
    """Sessions that cannot be; `faults` has every fault with the value and what is allowed."""


@dataclass(frozen=True)
class SessionPlan:
    """Sessions of one game. Session number s is a pure function of all but `count` and `first`.

    Parameters
    ----------
    task : Task
        Rules, bots, seed, deal and draws; its `hands` and `first` are not looked at. With n players and
        ``deal="rotated"`` sessions n*b to n*b + n - 1 are dealt the same walls, the bots one seat further
        each time.
    hands : int
        Most hands of a session, 1 to 1,000,000.
    bankroll : int or None
        Points that each seat begins with, up to 2**53. None or 0: without bankrolls; seats begin at 0, may
        fall below it, and pay all they lose and the whole fee.
    count : int
        Sessions, 1 or more.
    first : int
        Number of the first session.
    stay : bool
        A seat that has nothing left plays on; else its ruin ends the session for all.
    leave_below, leave_above : int, optional
        A seat stands up after a hand, and the session ends, when it has so many points or fewer, or more.
    flee : float
        Chance that a seat runs away in the middle of a hand, at each draw of the table: the seat asked then
        leaves, the hand counts as exhausted, every seat pays the fee, and the session ends.

    Raises
    ------
    SessionError
        Naming every fault.
    """

    task: Task
    hands: int
    bankroll: int | None
    count: int
    first: int = 0
    stay: bool = False
    leave_below: int | None = None
    leave_above: int | None = None
    flee: float = 0.0

    def __post_init__(self) -> None:
        faults = task_faults(self.task)
        fields = {name: value for name, value in vars(self).items() if name != "task"}
        values, wrong = check(None if faults else self.task.deal, **fields)
        if faults + wrong:
            raise SessionError(faults + wrong)
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @property
    def players(self) -> int:
        """Seats of the table."""
        return len(self.task.bots)

    @property
    def per_block(self) -> int:
        """Sessions that are dealt the same walls."""
        return self.players if self.task.deal == "rotated" else 1

    @property
    def start(self) -> int:
        """Points that each seat begins with."""
        return self.bankroll or 0

    @property
    def every(self) -> int:
        """Hands from one snapshot of the bankrolls to the next."""
        return -(-self.hands // SNAPSHOTS)

    @cached_property
    def id(self) -> str:
        """SHA-256 (hexadecimal) of the canonical JSON of all that decides what session number s is."""
        what = {name: value for name, value in self.to_dict().items() if name not in ("count", "first")}
        what["task"] = self.task.id
        text = json.dumps(what, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    def to_dict(self) -> dict[str, Any]:
        """Return the plan as values of the types that JSON has."""
        task = {name: value for name, value in self.task.to_dict().items() if name not in ("hands", "first")}
        return {"task": task, **{name: getattr(self, name) for name in _FIELDS}}

    def command(self, session: int) -> str:
        """The command line that plays one session again."""
        settings = {name: getattr(self, name) for name in _FIELDS} | {"count": 1, "first": session}
        call = f"wuhan_sim.sessions(task, {', '.join(f'{k}={v}' for k, v in settings.items())})"
        words = ["--hands", str(self.hands), "--first", str(session), "--sessions", "1"]
        words += ["--bankroll", str(self.bankroll or "none")]
        words += ["--stay"] if self.stay else []
        for name in ("leave_below", "leave_above", "flee"):
            if getattr(self, name) is not None and (name != "flee" or self.flee):
                words.append(f"--{name.replace('_', '-')}={getattr(self, name)}")
        return self.task.command(call, "session", *words)

    def session_of(self, hand: int) -> tuple[int, int]:
        """Session number, and hand of the session from 0, of a hand number."""
        wall, turn = divmod(hand, self.per_block)
        block, at = divmod(wall, self.hands)
        return block * self.per_block + turn, at


_FIELDS = ("hands", "bankroll", "count", "first", "stay", "leave_below", "leave_above", "flee")


class SessionFailure(BotFailure):
    """A bot in Python raised an exception or broke the rules in a session; all has stopped.

    Attributes
    ----------
    plan : SessionPlan
    session, at : int
        Where it happened: session number, and hand of the session from 0.
    seat, hand, bot, error, command
        As of `BotFailure`; `hand` is the number of the bot's random streams, `command` plays the session
        again.
    """

    def __init__(self, plan: SessionPlan, error: BotError) -> None:
        super().__init__(plan.task, error)
        self.plan = plan
        self.session, self.at = plan.session_of(error.hand)

    @property
    def command(self) -> str:
        return self.plan.command(self.session)

    def __str__(self) -> str:
        where = f"bot {self.bot} at seat {self.seat}, hand {self.at} of session {self.session}"
        what = BotError.__str__(self).partition(": ")[2]
        return f"{self.task.bots[self.bot]}: {where}: {what}\nto play it again: {self.command}"

    def __reduce__(self) -> tuple[type, tuple[SessionPlan, BotError]]:  # type: ignore[override]
        return type(self), (self.plan, BotError(self.seat, self.hand, self.bot, self.error))


def check(
    deal: str | None,
    hands: object,
    bankroll: object,
    count: object,
    first: object = 0,
    stay: object = False,
    leave_below: object = None,
    leave_above: object = None,
    flee: object = 0.0,
) -> tuple[dict[str, Any], list[str]]:
    """Check all that a plan has besides its task; return the values by name, and every fault.

    deal: of the task; None where it is not known.
    """
    faults: list[str] = []
    begin = 0 if bankroll is None else bankroll
    values: dict[str, Any] = {
        "hands": whole("hands", hands, faults, 1, _MOST_HANDS),
        "bankroll": whole("bankroll", begin, faults, 0, _MOST_POINTS) or None,
        "count": whole("count", count, faults, 1, _MOST_PLAYED),
        "first": whole("first", first, faults, 0, _MOST_PLAYED),
    }
    if not faults and (played := (values["first"] + values["count"]) * values["hands"]) > _MOST_PLAYED:
        faults.append(f"(first + count) * hands = {played}, must be at most 2**60")
    if not isinstance(stay, bool):
        faults.append(f"stay = {show(stay)}, must be True or False")
    start, least = values["bankroll"] or 0, -_MOST_POINTS
    if any(fault.startswith("bankroll") for fault in faults):
        lowest, highest = _MOST_POINTS, -_MOST_POINTS  # of marks nothing is certain
    else:
        lowest, highest = start - 1, start + 1
        least = 0 if start else least
    for name, mark, low, high in (
        ("leave_below", leave_below, least, lowest),
        ("leave_above", leave_above, highest, _MOST_POINTS),
    ):
        values[name] = None if mark is None else whole(name, mark, faults, low, high)
    chance = real(flee)
    if chance is None or not 0 <= chance <= 1:
        faults.append(f"flee = {show(flee)}, must be a chance from 0 to 1")
        chance = 0.0
    if deal is not None and deal not in engine.SESSION_DEALS:
        faults.append(
            f"deal = {show(deal)}, must be {either(engine.SESSION_DEALS)}: a session has one seating"
        )
    return values | {"stay": stay, "flee": float(chance)}, faults
