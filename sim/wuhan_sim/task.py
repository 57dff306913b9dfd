"""What is to be played: rules, bots, a seed and a range of hands."""

from __future__ import annotations

import copy
import hashlib
import json
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from wuhan_core.actions import BotError
from wuhan_core.errors import FaultError, either, plain, show, whole
from wuhan_core.rules import Preset, RuleError, RuleSet, load_rules, preset_names
from wuhan_core.words import written

from . import engine
from .bots import full_text, read_bots
from .guests import is_importable, names_guest

HAND_BITS, SEED_BITS = 62, 128  # hand numbers lie below 2**62, seeds below 2**128


class TaskError(FaultError):
    """A task that cannot be; `faults` has every fault with the value and what is allowed."""


@dataclass(frozen=True, init=False)
class Task:
    """A range of hands to play. Hand number h is a pure function of (rules, bots, seed, deal, draws, h).

    Parameters
    ----------
    rules : RuleSet or str
        A rule set, or the name of a preset, or the path of a rule file.
    bots : str, object, or sequence of them
        One bot per seat; a single one sits on every seat. Text may name several with commas between;
        ``name:key=value,...`` gives a compiled bot's parameters (`wuhan_core.policies.POLICIES`). A bot in
        Python has ``act(observation, legal) -> Action`` and is named ``module:Class``, or given as it is:
        a class, of which each hand and seat gets a new object, or an object, which then plays at all its
        seats, in all hands and threads, so that hands can be played again only if it keeps nothing in mind.
        The task knows an object by its class: two of one class count as one bot.
    hands : int
        Hands to play, 1 or more.
    seed : int
        0 to 2**128 - 1.
    deal : {"rotated", "fresh", "balanced"}
        "rotated": with n players, hands n*w to n*w + n - 1 are dealt wall w, the bots one seat further each
        time. "fresh": each hand has a wall of its own. "balanced": with m distinct orders of the bots over
        the seats (aabb: 6, abbb: 4, abcd: 24), hands m*w to m*w + m - 1 are dealt wall w, each in another of
        the `orders`; bots with the same text are the same.
    draws : {"seat", "wall"}
        "seat": each seat has its own queue of draws, so that a claim elsewhere does not shift them. "wall":
        the table's order. For one hand both have the same distribution.
    first : int
        Number of the first hand.

    Raises
    ------
    TaskError
        Naming every fault, those of the rules included.

    Examples
    --------
    >>> task = Task("yuanhang", "greedy,greedy,random,random", hands=1_000, seed=1)
    >>> task.hands_per_wall, [task.seating(hand) for hand in range(2)]
    (4, [(1, 3, 0, 2), (3, 0, 2, 1)])
    >>> print(task.replay_command(17))
    wuhan replay --rules yuanhang --bots greedy,greedy,random,random --seed 1 --hand 17
    >>> Task.from_json(task.to_json()) == task
    True
    """

    rules: RuleSet
    bots: tuple[str, ...]
    hands: int
    seed: int
    deal: str
    draws: str
    first: int

    def __init__(
        self,
        rules: RuleSet | str | Path,
        bots: object,
        hands: int,
        seed: int = 0,
        deal: str = "rotated",
        draws: str = "seat",
        first: int = 0,
    ) -> None:
        faults: list[str] = []
        loaded: RuleSet | None = None
        try:
            loaded = rules if isinstance(rules, RuleSet) else load_rules(rules)
        except RuleError as error:
            faults += error.faults
        values, bad_values = check(loaded, bots, hands, seed, deal, draws, first)
        if faults + bad_values:
            raise TaskError(faults + bad_values)
        self._fill(rules=loaded, **values)

    def _fill(self, **fields: object) -> None:
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    @property
    def last(self) -> int:
        """Number of the hand after the last one."""
        return self.first + self.hands

    def with_hands(self, first: int, hands: int) -> Task:
        """The same game with other hands, a range that can be; bots in Python need not be there."""
        task = copy.copy(self)
        task._fill(first=first, hands=hands)
        return task

    @property
    def hands_per_wall(self) -> int:
        """Hands that are dealt the same wall."""
        if self.deal == "balanced":
            return len(self.orders)
        return len(self.bots) if self.deal == "rotated" else 1

    @property
    def alike(self) -> tuple[int, ...]:
        """For each bot the index of the first one with the same text."""
        return tuple(map(self.bots.index, self.bots))

    @cached_property
    def orders(self) -> list[tuple[int, ...]]:
        """How a balanced deal seats the bots in the hands of a wall: for each of them the bot at each seat.

        For bots a, a, b, b: aabb, abab, abba, baab, baba, bbaa; the first of the same bots sits first.
        """
        return engine.arrangements(self.alike)

    def seating(self, hand: int) -> tuple[int, ...]:
        """Which of the bots sits at each seat in a hand."""
        if self.deal == "balanced":
            return self.orders[hand % self.hands_per_wall]
        wall = hand // self.hands_per_wall
        return tuple(engine.seating(self.seed, wall, hand, len(self.bots)))

    @cached_property
    def id(self) -> str:
        """SHA-256 (hexadecimal) of the canonical JSON of all that decides what hand number h is.

        The version of the random streams is part of it, and every parameter of the bots; `hands` and `first`
        are not: ranges of hands with one id belong together, and their results add. Nor is the name of the
        rules, only their values.
        """
        what = {name: value for name, value in self.to_dict().items() if name not in ("hands", "first")}
        what["rules"] = self.rules.to_dict()
        what["bots"] = [full_text(bot) for bot in self.bots]
        text = json.dumps(what, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    def to_dict(self) -> dict[str, Any]:
        """Return the task as values of the types that JSON has."""
        return {
            "rules": {"name": self.rules.name, "values": self.rules.to_dict()},
            "bots": [str(name) for name in self.bots],
            "hands": self.hands,
            "seed": self.seed,
            "deal": self.deal,
            "draws": self.draws,
            "first": self.first,
            "stream": engine.STREAM_VERSION,
        }

    def to_json(self) -> str:
        """Return the task as one JSON object that `from_json` reads back to an equal task."""
        return json.dumps(self.to_dict())

    def replay_command(self, hand: int) -> str:
        """The command line that shows a hand again; a call in Python where a bot cannot be named on one."""
        how = f"seed={self.seed}, hand={hand}, draws={self.draws!r}, deal={self.deal!r}"
        call = f"wuhan_sim.replay(task.rules, task.bots, {how})"
        return self.command(call, "replay", "--hand", str(hand))

    def command(self, call: str, name: str, *words: str) -> str:
        """A command line about this game.

        Parameters
        ----------
        call : str
            What is said instead where a bot cannot be named on a command line: a call in Python.
        name : str
            Of the command.
        words : str
            Its further arguments.
        """
        if not all(is_importable(bot) for bot in self.bots if names_guest(bot)):
            return call
        rules = self.rules.name if self.rules.name in preset_names() else preset_names()[0]
        line = ["wuhan", name, "--rules", rules]
        for option, value in self.rules.overrides.items():
            line += ["--set", f"{option}={written(value)}"]
        line += ["--bots", ",".join(self.bots), "--seed", str(self.seed), *words]
        line += [] if self.deal == "rotated" and len(set(self.bots)) > 1 else ["--deal", self.deal]
        line += [] if self.draws == "seat" else ["--draws", self.draws]
        return shlex.join(line)

    @classmethod
    def from_json(cls, text: str) -> Task:
        """Read what `to_json` wrote. Bots in Python are imported only when the task is played.

        Raises
        ------
        TaskError
            For text that is no task, and for one of another version of the random streams, whose hands this
            version cannot play.
        """
        try:
            fields = json.loads(text)
            if wrong := list(_misfits(fields)):
                raise TaskError([f"{show(text)} is no task: {fault}" for fault in wrong])
            head, stream = fields.pop("rules"), fields.pop("stream")
            rules = RuleSet(head["values"], Preset(str(head["name"])))
            if stream != engine.STREAM_VERSION:
                raise TaskError([f"stream = {show(stream)}, this version plays {engine.STREAM_VERSION} only"])
            values, faults = check(rules, **fields, load=False)
            if faults:
                raise TaskError(faults)
            task = object.__new__(cls)
            task._fill(rules=rules, **values)
            return task
        except FaultError as error:
            raise TaskError(error.faults) from error
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise TaskError([f"{show(text)} is no task: {plain(error)}"]) from error


def task_faults(task: object) -> list[str]:
    """Why something given as a task is none."""
    return [] if isinstance(task, Task) else [f"task = {show(task)}, must be a Task"]


class BotFailure(BotError):
    """A bot in Python raised an exception or broke the rules; the run has stopped.

    Attributes
    ----------
    task : Task
    seat, hand : int
        Where it happened.
    bot : int
        Index into the task's bots.
    error : Exception
        What the bot raised, or `IllegalAction`.
    command : str
        Shows the hand again, or plays again what failed.
    log : object
        Of a replay: the hand up to there, a `HandLog`.
    """

    log: Any = None

    def __init__(self, task: Task, error: BotError) -> None:
        super().__init__(error.seat, error.hand, error.bot, error.error)
        self.task = task

    @property
    def command(self) -> str:
        return self.task.replay_command(self.hand)

    def __str__(self) -> str:
        return f"{self.task.bots[self.bot]}: {super().__str__()}\nto replay it: {self.command}"

    def __reduce__(self) -> tuple[type, tuple[Task, BotError]]:  # type: ignore[override]
        return type(self), (self.task, BotError(self.seat, self.hand, self.bot, self.error))


_FIELDS = {"rules", "bots", "hands", "seed", "deal", "draws", "first", "stream"}


def _misfits(fields: object) -> Iterator[str]:
    """What keeps a value from having the form of a task."""
    if not isinstance(fields, dict):
        yield "must be an object"
        return
    for name in sorted(_FIELDS ^ fields.keys()):
        yield f"{show(name)[1:-1]} is {'missing' if name in _FIELDS else 'unknown'}"
    head = fields.get("rules", {"name": "", "values": {}})
    if not isinstance(head, dict) or not isinstance(head.get("values"), dict) or "name" not in head:
        yield f"rules = {show(head)}, must be an object with name and values"


def check(
    rules: RuleSet | None,
    bots: object,
    hands: object,
    seed: object,
    deal: object,
    draws: object,
    first: object,
    load: bool = True,
) -> tuple[dict[str, object], list[str]]:
    """Check all that a task has besides its rules; return the values by name, and every fault.

    Where the rules are not known (None), the number of bots is not checked. load: import bots in Python.
    """
    players = None if rules is None else rules.get("deal.players")
    names, faults = read_bots(bots, players if isinstance(players, int) else None, load)
    numbers = [
        whole(name, value, faults, low, 2**bits - 1)
        for name, value, low, bits in (
            ("hands", hands, 1, HAND_BITS),
            ("seed", seed, 0, SEED_BITS),
            ("first", first, 0, HAND_BITS),
        )
    ]
    for name, word, allowed in (("deal", deal, engine.DEALS), ("draws", draws, engine.DRAWS)):
        if not isinstance(word, str) or word not in allowed:
            faults.append(f"{name} = {show(word)}, must be {either(allowed)}")
    if numbers[0] + numbers[2] > 2**HAND_BITS:
        faults.append(f"first + hands = {numbers[0] + numbers[2]}, must be at most 2**{HAND_BITS}")
    values = (names, *numbers, deal, draws)
    return dict(zip(("bots", "hands", "seed", "first", "deal", "draws"), values, strict=True)), faults
