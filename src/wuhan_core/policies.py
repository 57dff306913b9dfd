"""The compiled bots by name: their parameters with bounds, and the text form ``name:key=value,...``."""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from .errors import FaultError, show


class PolicyError(FaultError):
    """A bot that cannot be; `faults` has every fault with the value and what is allowed."""


@dataclass(frozen=True)
class Parameter:
    """A number that changes how a bot plays.

    Attributes
    ----------
    name : str
    default, low, high : float
        Both bounds are allowed.
    unit : str
        "" for a plain factor.
    doc : str
        What more of it means.
    whole : bool
        Only whole numbers.
    """

    name: str
    default: float
    low: float
    high: float
    unit: str
    doc: str
    whole: bool = False

    @property
    def allowed(self) -> str:
        """The values it takes, in words."""
        kind = "a whole number" if self.whole else "a number"
        return f"{kind} from {_written(self.low)} to {_written(self.high)}"

    def admits(self, value: object) -> bool:
        """Whether it may have this value."""
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            return False
        return self.low <= value <= self.high and not (self.whole and value != int(value))


@dataclass(frozen=True)
class Policy:
    """A compiled bot and its parameters, in the order in which the engine keeps them."""

    name: str
    doc: str
    parameters: tuple[Parameter, ...] = ()


# Five of these were found by `tune`: benches/tune_bots.py finds them again.
PLANNER = (
    Parameter("fear", 2.98, 0.0, 4.0, "", "weight of the points lost when another wins against points won"),
    Parameter(
        "growth", 1.0, 0.1, 8.0, "", "how much the factors are expected to grow until the end, 1 as fitted"
    ),
    Parameter("big", 0.4147, 0.0, 4.0, "", "odds of a big target against those of the small win equally far"),
    Parameter("reach", 2, 0, 6, "tiles", "how much farther than the small win a big target may be", True),
    Parameter("idle", 0.09261, 0.0, 4.0, "", "what a claim must bring, as a share of what the hand is worth"),
    Parameter(
        "below", 0.9813, 0.01, 1.0, "", "odds of a ready hand for each doubling that it lacks to the minimum"
    ),
    Parameter("gang", 1.0, 0.0, 4.0, "", "weight of the chance to win on a replacement tile"),
    Parameter("avoid", 0.2344, 0.0, 4.0, "", "weight of liability for a third meld of one type"),
    Parameter(
        "wild", 1.0, 0.1, 10.0, "", "what a wildcard in the hand is good for, 1 as fitted; more keeps it"
    ),
    Parameter("hold", 1.5, 0.0, 4.0, "", "odds of a hand with a barring tile, for each; more kongs it later"),
)

CAREFUL = (
    *PLANNER,
    Parameter("caution", 0.7, 0.0, 4.0, "", "weight of what a discard may cost against the hand's outlook"),
    Parameter(
        "alarm", 12.0, 0.0, 100.0, "points", "danger of all opponents from which on discards are weighed"
    ),
)

SEARCH = (
    Parameter("playouts", 64, 1, 4096, "playouts", "worlds in which each candidate is played out", True),
    Parameter("candidates", 4, 1, 14, "actions", "discards compared; all else always is", True),
    Parameter("margin", 2, 0, 10, "standard errors", "lead that it takes to leave the playouts' own answer"),
    Parameter("drop", 1, 0, 10, "standard errors", "lag at which a candidate is given up between batches"),
    Parameter("turns", 1.75, 0, 4, "", "turns that others have over again per tile of their rivers, 0 none"),
    Parameter("policy", 1, 0, 2, "", "who plays the hand out: 0 greedy, 1 planner, 2 careful", True),
)

# In the order of the compiled numbers (`Bots` in _policy.pxd).
POLICIES: tuple[Policy, ...] = (
    Policy("random", "any legal action, each equally likely; takes every win"),
    Policy("greedy", "lowest shanten, then most live useful tiles; takes every win"),
    Policy("planner", "plays for points under the rules at hand", PLANNER),
    Policy("careful", "the planner with defence", CAREFUL),
    Policy("search", "plays the hand out from worlds that it cannot tell apart; takes the best mean", SEARCH),
)
BOT_NAMES = tuple(policy.name for policy in POLICIES)


@dataclass(frozen=True)
class BotSpec:
    """A compiled bot with a value for every parameter.

    Attributes
    ----------
    policy : Policy
    values : tuple of float
        In the order of ``policy.parameters``.

    Raises
    ------
    PolicyError
        Naming every value that is not allowed.
    """

    policy: Policy
    values: tuple[float, ...]

    def __post_init__(self) -> None:
        parameters = self.policy.parameters
        if len(self.values) != len(parameters):
            raise PolicyError(
                [f"{self.policy.name} has {len(parameters)} parameters, not {len(self.values)}"]
            )
        if faults := [
            _refused(self.policy, p, value)
            for p, value in zip(parameters, self.values, strict=True)
            if not p.admits(value)
        ]:
            raise PolicyError(faults)
        object.__setattr__(self, "values", tuple(map(float, self.values)))

    @property
    def text(self) -> str:
        """The canonical text: only what differs from the defaults, in the declared order."""
        return self._text(
            value != p.default for p, value in zip(self.policy.parameters, self.values, strict=True)
        )

    @property
    def full(self) -> str:
        """The text with every parameter: it still means the same when a default changes."""
        return self._text(True for _ in self.values)

    def _text(self, written: Iterable[bool]) -> str:
        rows = zip(self.policy.parameters, self.values, written, strict=True)
        pairs = ",".join(f"{p.name}={_written(value)}" for p, value, wanted in rows if wanted)
        return f"{self.policy.name}:{pairs}" if pairs else self.policy.name

    def replace(self, **changes: float) -> BotSpec:
        """Return the bot with other values of some parameters.

        Raises
        ------
        PolicyError
            Naming every unknown parameter and every value that is not allowed.
        """
        values = {p.name: value for p, value in zip(self.policy.parameters, self.values, strict=True)}
        if faults := [_unknown_key(self.policy, key) for key in changes if key not in values]:
            bounds = {p.name: p for p in self.policy.parameters}
            faults += [
                _refused(self.policy, bounds[key], value)
                for key, value in changes.items()
                if key in bounds and not bounds[key].admits(value)
            ]
            raise PolicyError(faults)
        return BotSpec(self.policy, tuple((values | changes).values()))


def split_bots(text: str) -> list[str]:
    """Cut a comma list; a piece with ``=`` and without ``:`` before it belongs to the bot before it."""
    bots: list[str] = []
    for piece in map(str.strip, text.split(",")):
        if bots and "=" in piece and ":" not in piece.partition("=")[0]:
            bots[-1] += f",{piece}"
        else:
            bots.append(piece)
    return bots


@lru_cache(maxsize=256)
def parse_bot(text: str) -> BotSpec:
    """Read ``name`` or ``name:key=value,...``.

    Raises
    ------
    PolicyError
        Naming every fault: unknown names with the nearest known one, values with what is allowed.
    """
    if not isinstance(text, str):
        raise PolicyError([_unknown_bot(text)])
    name, colon, rest = text.partition(":")
    found = [policy for policy in POLICIES if policy.name == name.strip()]
    if not found:
        raise PolicyError([_unknown_bot(name.strip())])
    policy = found[0]
    parameters = {p.name: p for p in policy.parameters}
    values = {p.name: p.default for p in policy.parameters}
    faults: list[str] = []
    given: list[str] = []
    for pair in rest.split(",") if colon else ():
        key, equals, number = map(str.strip, pair.partition("="))
        if not equals:
            faults.append(f"{policy.name}: {show(pair)}, must be key=value")
        elif key not in parameters:
            faults.append(_unknown_key(policy, key))
        elif key in given:
            faults.append(f"{policy.name}: {key} is given twice")
        else:
            given.append(key)
            value = _number(number)
            if value is None or not parameters[key].admits(value):
                faults.append(_refused(policy, parameters[key], number))
            else:
                values[key] = value
    if faults:
        raise PolicyError(faults)
    return BotSpec(policy, tuple(values.values()))


def _refused(policy: Policy, parameter: Parameter, value: object) -> str:
    return f"{policy.name}: {parameter.name} = {show(value)}, must be {parameter.allowed}"


def _number(text: str) -> float | None:
    try:
        return float(text) if text.isascii() and "_" not in text else None
    except ValueError:
        return None


def _written(value: float) -> str:
    """The shortest text that reads back to the same number."""
    return str(int(value)) if value == int(value) and abs(value) < 2**53 else repr(float(value))


def _nearest(name: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, list(known), 1, 0.5)
    return f"the nearest is {near[0]}; " if near else ""


def _unknown_bot(name: object) -> str:
    return f"unknown bot {show(name)}, {_nearest(str(name), BOT_NAMES)}allowed are {', '.join(BOT_NAMES)}"


def _unknown_key(policy: Policy, key: str) -> str:
    names = [p.name for p in policy.parameters]
    if not names:
        return f"{policy.name}: unknown parameter {show(key)}, {policy.name} has none"
    return (
        f"{policy.name}: unknown parameter {show(key)}, {_nearest(key, names)}allowed are {', '.join(names)}"
    )
