"""One hand again: from its number alone, or from a log, every event of which is checked."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from wuhan_core.actions import VERBS, Action, BotError, IllegalAction
from wuhan_core.errors import show
from wuhan_core.explain import Score, explain_case
from wuhan_core.hand_log import LogError
from wuhan_core.rules import RuleSet
from wuhan_core.table import Table
from wuhan_core.tiles import parse_tile, parse_tiles
from wuhan_core.words import Lang

from .guests import seated
from .log_reading import Event, bare, read_log, unlike
from .replay_page import replay_page
from .replay_text import replay_text
from .task import BotFailure, Task, TaskError

__all__ = ["Decision", "HandLog", "LogError", "replay", "replay_hand", "replay_log"]


@dataclass(frozen=True, slots=True)
class Decision:
    """One question put to a seat.

    Attributes
    ----------
    after : int
        Events of the log before it.
    seat : int
    legal : tuple of Action
    action : Action
        The answer. In a hand replayed from its log, a claim that another seat outranked is a pass.
    """

    after: int
    seat: int
    legal: tuple[Action, ...]
    action: Action

    @property
    def special(self) -> tuple[Action, ...]:
        """What was possible besides passing and discarding."""
        return tuple(action for action in self.legal if action.verb not in ("pass", "discard"))


@dataclass(frozen=True, eq=False)
class HandLog:
    """One hand as it was played. ``print`` writes it as text, a notebook shows it step by step.

    Equal to another that has the same log.

    Attributes
    ----------
    table : Table
        As the hand has left it.
    decisions : tuple of Decision
        Every question, in order.
    bots : tuple of str
        Names of the bots by seat; empty where they are not known.
    """

    table: Table
    decisions: tuple[Decision, ...] = field(repr=False)
    bots: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return one line of a hand log, as JSON has it."""
        return self.table.log()

    @property
    def scores(self) -> tuple[Score, ...]:
        """The score explained; one for each of several robbers, none for a hand nobody has won."""
        winners = [event["seat"] for event in self.to_dict()["events"] if event["do"] == "win"]
        cases = [self.table.case(winner) for winner in winners]
        return tuple(explain_case(case) for case in cases if case is not None)

    def to_text(self, lang: Lang = "en") -> str:
        """Every draw, discard, claim and kong with the hand after it, then the score explained."""
        return replay_text(self, lang)

    def to_html(self, lang: Lang = "en") -> str:
        """One page that needs nothing else: drawn tiles, every step, what each seat needed, the score."""
        return replay_page(self, lang)

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        page = self.to_html().replace("&", "&amp;").replace('"', "&quot;")
        return f'<iframe srcdoc="{page}" style="width: 100%; height: 760px; border: 0"></iframe>'

    def __eq__(self, other: object) -> bool:
        return self.to_dict() == other.to_dict() if isinstance(other, HandLog) else NotImplemented

    def __hash__(self) -> int:
        return hash(json.dumps(self.to_dict()))


def replay(
    rules: RuleSet | str,
    bots: object,
    seed: int,
    hand: int,
    draws: str = "seat",
    deal: str = "rotated",
) -> HandLog:
    """Play one hand of a task again.

    Parameters
    ----------
    rules, bots, seed, draws, deal
        Those of the task.
    hand : int
        Number of the hand.

    Returns
    -------
    HandLog
        Of the very hand that `simulate` and `play_records` have played.

    Raises
    ------
    TaskError
        Naming every fault.
    BotFailure
        A bot in Python failed; its ``log`` has the hand up to there.

    Examples
    --------
    >>> log = replay("yuanhang", "greedy,greedy,random,random", seed=1, hand=5)
    >>> log.to_dict()["result"]["deltas"]
    [448, -128, -64, -256]
    >>> print(log.to_text().splitlines()[0])
    yuanhang, hand 5, seed 1
    """
    try:
        task = Task(rules, bots, 1, seed, deal, draws, hand)
    except TaskError as error:
        raise TaskError(re.sub("^first = ", "hand = ", fault) for fault in error.faults) from None
    return replay_hand(task, task.first)


def replay_hand(task: Task, hand: int) -> HandLog:
    """Play hand number `hand` of a task again; see `replay`."""
    table = Table(task.rules, task.seed, hand, draws=task.draws, wall_number=hand // task.hands_per_wall)
    bots, order = seated(task.bots), task.seating(hand)
    names = tuple(task.bots[bot] for bot in order)
    guests: dict[int, Any] = {}
    decisions: list[Decision] = []
    while not table.done:
        seat, legal = table.seat, tuple(table.legal())
        bot = bots[order[seat]]
        try:
            action = table.choose(str(bot)) if isinstance(bot, str) else _ask(guests, bot, table, legal)
        except (Exception, SystemExit) as error:
            failure = BotFailure(task, BotError(seat, hand, order[seat], error))
            failure.log = HandLog(table, tuple(decisions), names)
            raise failure from error
        decisions.append(Decision(len(table.log()["events"]), seat, legal, action))
        table.step(action)
    return HandLog(table, tuple(decisions), names)


def _ask(guests: dict[int, Any], bot: Any, table: Table, legal: Sequence[Action]) -> Action:
    """The answer of a bot in Python, checked as the compiled loop does; a class gives one object per seat."""
    seat = table.seat
    if seat not in guests:
        guests[seat] = bot() if isinstance(bot, type) else bot
    action = guests[seat].act(table.observation(seat), list(legal))
    if not isinstance(action, Action) or action not in legal:
        raise IllegalAction(action, seat, legal)
    return action


def replay_log(log: Mapping[str, Any], rules: RuleSet | None = None) -> HandLog:
    """Play a hand log again from its wall and its events, and check every one of them.

    Parameters
    ----------
    log : mapping
        One line of a hand log (ARCHITECTURE.md has the format). The hand may be unfinished.
    rules : RuleSet, optional
        Of a log that was played under a rule file; else those that the log names.

    Returns
    -------
    HandLog
        Its log is the one given.

    Raises
    ------
    LogError
        For a log that is none (every fault is named), or whose events are not what the rules and its wall
        make of them (the first that does not fit is named).

    Examples
    --------
    >>> line = replay("yuanhang", "greedy", seed=1, hand=5).to_dict()
    >>> replay_log(line).to_dict() == line
    True
    >>> line["events"][0]["tile"] = "9m"
    >>> try:
    ...     replay_log(line)
    ... except LogError as error:
    ...     print(str(error).partition(", ")[0])
    events[0] is seat=0 do=draw tile=9m from=wall
    """
    table, events = read_log(log, rules)
    decisions = []
    made = _checked(table, events, 0)
    while not table.done and made < len(events):
        seat, legal = table.seat, tuple(table.legal())
        action = _answer(seat, legal, events[made:], made)
        decisions.append(Decision(made, seat, legal, action))
        table.step(action)
        made = _checked(table, events, made)
    if made < len(events):
        raise LogError([f"events[{made}] = {show(log['events'][made])}, the hand is over"])
    if faults := unlike(log, table.log()):
        raise LogError(faults)
    return HandLog(table, tuple(decisions))


def _checked(table: Table, events: Sequence[Event], made: int) -> int:
    """Compare the events made since with those of the log; return how many there are now."""
    now = [bare(event) for event in table.log()["events"]]
    for number in range(made, len(now)):
        if number == len(events):
            raise LogError([f"events end after {number}, must go on with {_shown(now[number])}"])
        if events[number] != now[number]:
            raise LogError([f"events[{number}] is {_shown(events[number])}, must be {_shown(now[number])}"])
    return len(now)


def _answer(seat: int, legal: Sequence[Action], coming: Sequence[Event], number: int) -> Action:
    """What the seat that is asked has done, going by the events to come; else it has passed."""
    passes = Action("pass")
    for event in coming:
        if event.get("seat") == seat and (wanted := _action(event)) in legal and wanted is not None:
            return wanted
        if event["do"] != "win":  # robbers may win together
            break
    if passes in legal:
        return passes
    allowed = ", ".join(map(str, legal))
    raise LogError([f"events[{number}] is {_shown(coming[0])}, it is seat {seat}'s turn to {allowed}"])


def _action(event: Event) -> Action | None:
    do = event["do"]
    if do == "win":
        return Action("win")
    if do == "chow":
        return Action(do, parse_tiles(event["tiles"])[0])
    if do == "kong":
        verbs = {"direct": "kong", "added": "added_kong", "concealed": "concealed_kong"}
        do = verbs.get(event["kind"], "single_kong")
    return Action(do, parse_tile(event["tile"])) if do in VERBS else None


def _shown(event: Event) -> str:
    first = {name: event[name] for name in ("seat", "do") if name in event}
    return " ".join(f"{name}={value}" for name, value in (first | event).items())
