"""What a seat may do: typed actions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .errors import show_number
from .tiles import TileError, format_tile, parse_tile

__all__ = ["ACTIONS", "VERBS", "Action", "BotError", "IllegalAction"]

# The order is that of `Verb` in _table.pxd: an action's code is 64 * verb + kind.
VERBS = (
    "pass",
    "win",
    "discard",
    "chow",
    "pung",
    "kong",
    "added_kong",
    "concealed_kong",
    "single_kong",
)
_BARE = ("pass", "win")


@dataclass(frozen=True, slots=True)
class Action:
    """One action of one seat.

    Parameters
    ----------
    verb : str
        ``discard``, ``pass``, ``win``, ``chow``, ``pung``, ``kong`` (claims a discard), ``added_kong``,
        ``concealed_kong`` or ``single_kong`` (lays down a red dragon, wildcard or skin).
    kind : int
        Kind 0..33 of the tile; the lowest of a chow; -1 for ``pass`` and ``win``.

    Examples
    --------
    >>> action = Action("discard", 13)
    >>> str(action), action.tile
    ('discard 5p', '5p')
    >>> Action.parse("pung 5p")
    Action(verb='pung', kind=13)
    """

    verb: str
    kind: int = -1

    @property
    def code(self) -> int:
        """The engine's number of this action."""
        return 64 * VERBS.index(self.verb) + max(self.kind, 0)

    @property
    def tile(self) -> str:
        """The tile's name, "" for ``pass`` and ``win``."""
        return "" if self.kind < 0 else format_tile(self.kind)

    def __str__(self) -> str:
        return f"{self.verb} {self.tile}".rstrip()

    @classmethod
    def parse(cls, text: str) -> Action:
        """Read ``"discard 5p"``, ``"chow 3s"`` (its lowest tile), ``"win"``.

        Raises
        ------
        ValueError
            For an unknown verb or tile, or a tile too many or too few.
        """
        verb, _, tile = text.strip().partition(" ")
        if verb not in VERBS:
            raise ValueError(f"{text!r}: unknown action; allowed: {', '.join(VERBS)}")
        if verb in _BARE:
            if tile:
                raise ValueError(f"{text!r}: {verb} takes no tile")
            return cls(verb)
        try:
            return cls(verb, parse_tile(tile))
        except TileError as error:
            raise ValueError(f"{text!r}: {error}") from None


class IllegalAction(ValueError):
    """An action that the rules do not allow now; `legal` has those that they do."""

    def __init__(self, action: object, seat: int, legal: Sequence[Action]) -> None:
        self.action, self.seat, self.legal = action, seat, tuple(legal)
        allowed = ", ".join(map(str, legal)) or "nothing, the hand is over"
        try:
            text = str(action) if isinstance(action, Action) else show_number(action)
        except (TypeError, ValueError):  # of a kind that is none
            text = show_number(action)
        super().__init__(f"{text} is not legal for seat {seat}; allowed: {allowed}")

    def __reduce__(self) -> tuple[type, tuple[object, int, tuple[Action, ...]]]:
        return type(self), (self.action, self.seat, self.legal)


class BotError(ValueError):
    """A bot written in Python failed.

    Attributes
    ----------
    seat, hand : int
        Where it happened.
    bot : int
        Index into the task's bots.
    """

    def __init__(self, seat: int, hand: int, bot: int, error: BaseException) -> None:
        self.seat, self.hand, self.bot, self.error = seat, hand, bot, error
        what = str(error) if isinstance(error, IllegalAction) else f"{type(error).__name__}: {error}"
        super().__init__(f"bot {bot} at seat {seat} of hand {hand}: {what}")

    def __reduce__(self) -> tuple[type, tuple[int, int, int, BaseException]]:
        return type(self), (self.seat, self.hand, self.bot, self.error)


# By code; None where no action has it.
ACTIONS: tuple[Action | None, ...] = tuple(
    (Action(verb) if kind == 0 else None) if verb in _BARE else (Action(verb, kind) if kind < 34 else None)
    for verb in VERBS
    for kind in range(64)
)
