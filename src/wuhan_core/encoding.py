"""Actions as numbers and observations as rows of bytes, for learning: the layout, in one place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from .actions import ACTIONS, Action
from .errors import FaultError, integer, show, show_number
from .tiles import KIND_NAMES

__all__ = ["ACTION_NAMES", "FEATURES", "EncodingError", "Feature", "decode_action", "encode_action"]

_KINDS, _SEATS = 34, 4
_CHOWS = tuple(kind for kind in range(27) if kind % 9 < 7)  # lowest kinds

# The order of _encoding.pxd. A pung and a kong take the tile that lies open; of a kind that a seat holds four
# times only one of added_kong and concealed_kong can be legal. So the table says what a number means.
ACTION_NAMES: tuple[str, ...] = (
    "pass",
    "win",
    "pung",
    "kong",
    *(f"chow {KIND_NAMES[kind]}" for kind in _CHOWS),
    *(f"discard {name}" for name in KIND_NAMES),
    *(f"own_kong {name}" for name in KIND_NAMES),
    *(f"single_kong {name}" for name in KIND_NAMES),
)


def _number(action: Action) -> int | None:
    """Place in the table; None for a chow that begins with no tile a chow can begin with."""
    own = action.verb in ("added_kong", "concealed_kong")
    name = (
        action.verb if action.verb in ("pung", "kong") else f"own_kong {action.tile}" if own else str(action)
    )
    return ACTION_NAMES.index(name) if name in ACTION_NAMES else None


_NUMBERS = {action: _number(action) for action in ACTIONS if action is not None}


class EncodingError(FaultError):
    """An action that has no number, a number that means no legal action, or an array of no observations."""


def encode_action(action: Action | str) -> int:
    """The number of an action: its place in `ACTION_NAMES`.

    Parameters
    ----------
    action : Action or str
        As `Table.legal` gives it, or its text, such as ``"discard 5p"``.

    Returns
    -------
    int
        0 to 126.

    Raises
    ------
    EncodingError
        For what is no action, and a chow that begins with no tile a chow can begin with.

    Examples
    --------
    >>> number = encode_action(Action("discard", 13))
    >>> number, ACTION_NAMES[number]
    (38, 'discard 5p')
    """
    try:
        wanted = Action.parse(action) if isinstance(action, str) else action
    except ValueError as error:
        raise EncodingError([str(error)]) from None
    if not _is_action(wanted):
        raise EncodingError([f"action = {show(action)}, must be an Action or its text, such as 'discard 5p'"])
    number = _NUMBERS[wanted]
    if number is None:
        raise EncodingError([f"{wanted}: no chow begins there"])
    return number


def _is_action(value: object) -> bool:
    """Whether it is an `Action` that can be: verb and kind may be anything."""
    try:
        return isinstance(value, Action) and value in _NUMBERS
    except TypeError:  # not hashable
        return False


def decode_action(index: int, legal: Sequence[Action]) -> Action:
    """The legal action that has a number.

    Parameters
    ----------
    index : int
        0 to 126.
    legal : sequence of Action
        As `Table.legal` gives them: they say which tile a pung or a kong takes.

    Raises
    ------
    EncodingError
        When none of them has it; the error lists the numbers that are legal. Also for what are no actions.

    Examples
    --------
    >>> legal = Table("yuanhang", seed=1).legal()
    >>> decode_action(encode_action(legal[0]), legal) == legal[0]
    True
    """
    if not isinstance(legal, Iterable) or not all(map(_is_action, legal := [*legal])):
        raise EncodingError([f"legal = {show(legal)}, must be a sequence of Action"])
    numbers = {encode_action(action): action for action in legal}
    number = integer(index)
    if number not in numbers:
        raise EncodingError([f"{named(index)} is not legal; allowed: {listed(numbers)}"])
    return numbers[number]


def named(index: object) -> str:
    """A number of an action with its name, or as it is."""
    number = integer(index)
    if number is None or not 0 <= number < len(ACTION_NAMES):
        return show_number(index)
    return f"{number} ({ACTION_NAMES[number]})"


def listed(numbers: Sequence[int] | dict[int, Action]) -> str:
    """Numbers of actions with their names, for an error text."""
    return ", ".join(named(number) for number in sorted(numbers)) or "nothing, the hand is over"


@dataclass(frozen=True, slots=True)
class Feature:
    """Columns of an observation that belong together.

    Attributes
    ----------
    name : str
    start : int
        The first column.
    shape : tuple of int
        How the columns are to be read, row by row.
    doc : str
        What a number means.
    """

    name: str
    start: int
    shape: tuple[int, ...]
    doc: str

    @property
    def size(self) -> int:
        """How many columns."""
        return prod(self.shape)

    @property
    def stop(self) -> int:
        """One past the last column."""
        return self.start + self.size

    def of(self, rows: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The feature in observations: of shape (..., 829) a view of shape (...) + `shape`.

        Raises
        ------
        EncodingError
            For rows that have not all columns of an observation.
        """
        shape = getattr(rows, "shape", None)
        if not isinstance(shape, tuple) or shape[-1:] != (COLUMNS,):
            what = type(rows).__name__ if shape is None else f"shape {show(shape)}"
            raise EncodingError([f"rows: {what}, must be an array of shape (..., {COLUMNS})"])
        return rows[..., self.start : self.stop].reshape(*rows.shape[:-1], *self.shape)


# Relative seats: 0 is the seat that observes, 1 plays after it, and so on; seats that a game lacks stay 0.
# A river holds fewer than 60 tiles: no seat discards twice in a row, and each discard follows a draw or a
# claim, of which a hand has at most 86 + 8 (2 seats) or 83 + 16 (4 seats).
_COLUMNS: tuple[tuple[str, tuple[int, ...], str], ...] = (
    ("counts", (_KINDS,), "own concealed tiles by kind, a drawn one included"),
    ("seen", (_KINDS,), "copies of each kind that lie open to all"),
    ("melded", (_SEATS, _KINDS), "by relative seat: tiles of each kind in its melds"),
    ("discarded", (_SEATS, _KINDS), "by relative seat: tiles of each kind in its river"),
    ("indicator", (_KINDS,), "1 at the kind turned up"),
    ("laizi", (_KINDS,), "1 at the wildcard kind"),
    ("skins", (_KINDS,), "1 at each kind that is a skin"),
    ("drawn", (_KINDS,), "1 at the kind just drawn"),
    ("open_tile", (_KINDS,), "1 at the tile that lies open for a claim or to be robbed"),
    ("phase", (4,), "1 at turn, claim, rob or last (last round), in this order"),
    ("dealer", (_SEATS,), "1 at the dealer, as a relative seat"),
    ("open_seat", (_SEATS,), "1 at the relative seat whose tile lies open"),
    ("players", (1,), "seats in the game"),
    ("left", (1,), "tiles not drawn yet"),
    ("turns", (1,), "draws made so far, by all"),
    ("concealed", (_SEATS,), "by relative seat: how many concealed tiles it holds"),
    ("single_kongs", (_SEATS, 3), "by relative seat: red dragons, wildcards and skins konged singly"),
    (
        "melds",
        (_SEATS, 4, 3),
        "by relative seat, in the order made: 1 chow, 2 pung, 3 direct, 4 added, 5 concealed kong (0 none); "
        "its lowest kind + 1; the relative seat it was claimed from + 1 (0 nobody)",
    ),
    ("rivers", (_SEATS, 60), "by relative seat, in order: kind + 1 of what it discarded and nobody claimed"),
)


def _features() -> dict[str, Feature]:
    found, start = {}, 0
    for name, shape, doc in _COLUMNS:
        found[name] = Feature(name, start, shape, doc)
        start = found[name].stop
    return found


FEATURES: dict[str, Feature] = _features()
COLUMNS = max(feature.stop for feature in FEATURES.values())  # of an observation
