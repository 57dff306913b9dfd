"""Many hands stepped together, with observations and legal actions as arrays: for learning."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._batch import Slots
from .actions import Action
from .encoding import decode_action, encode_action, listed, named
from .errors import FaultError, one_of, show, whole
from .policies import parse_bot
from .rules import RuleSet, load_rules

__all__ = ["BatchError", "TableBatch"]

_MOST = 2**20  # slots


class BatchError(FaultError):
    """A batch that cannot be set up, or actions that it cannot take; `faults` has every fault."""


class TableBatch:
    """`n` hands of one rule set, one in each slot, stepped together.

    What the asked seat of each slot may know and do stands in arrays, which every `step` and `reset` writes
    anew in place. Slot i plays hands first + i, first + i + n, first + i + 2n, ... of the seed, whatever is
    done in them, and hand h is the same for any n: that of
    ``Table(rules, seed, h, dealer, draws=draws, deal=deal)``.

    Parameters
    ----------
    rules : RuleSet, str or Path
        A rule set, or what `load_rules` takes.
    n : int
        Slots, 1 to 2**20. A slot takes about 3 KB in all.
    seed : int
        Of the walls; 0 to 2**128 - 1.
    first : int
        Number of the hand in slot 0, below 2**61. From there no batch gets to 2**62, where the hands of a
        `Table` end.
    dealer : int
        Seat that deals every hand. Seats are told apart by their place after the observer and by who deals:
        a learner that plays all of them need not vary it.
    draws : {"wall", "seat"}
        The order of the wall, or for each seat its own queue of draws.
    deal : {"fresh", "rotated"}
        "fresh": hand h has wall h; "rotated": with m seats, hands m*w to m*w + m - 1 are dealt the same
        wall w.
    autoreset : bool
        Deal the next hand in the same step that ends one. Without, a slot whose hand is over waits for
        `reset`.
    threads : int
        Threads among which `step` divides the slots, 1 to 256; what comes out does not depend on it.

    A batch is for one thread of the caller's at a time.

    Attributes
    ----------
    observations : ndarray of uint8, shape (n, 829)
        What the asked seat may know, see `FEATURES`; zeros where the hand is over.
    masks : ndarray of bool, shape (n, 127)
        What it may do, see `ACTION_NAMES`.
    seats : ndarray of int8, shape (n,)
        Who is asked; -1 where the hand is over. Read-only.
    rewards : ndarray of int64, shape (n, players)
        Points that each seat has gained in a hand that the last step ended, else 0.
    done : ndarray of bool, shape (n,)
        Whether the last step ended the slot's hand; without `autoreset` it stays until the slot is reset.
        Read-only.
    hands : ndarray of int64, shape (n,)
        Number of the hand in each slot. Read-only.
    records : ndarray of HAND_DTYPE, shape (n,)
        The last hand that ended in each slot; `hand` is -1 before, `bot` always 0.
    rules : RuleSet

    Raises
    ------
    BatchError
        Every fault of the parameters is named.
    RuleError
        For rules that cannot be loaded.

    Examples
    --------
    >>> batch = TableBatch("yuanhang", 64, seed=1)
    >>> for _ in range(100):
    ...     batch.step(batch.random_actions(seed=2))
    >>> batch.observations.shape, batch.masks.shape
    ((64, 829), (64, 127))
    """

    def __init__(
        self,
        rules: RuleSet | str | Path,
        n: int,
        seed: int = 0,
        first: int = 0,
        *,
        dealer: int = 0,
        draws: str = "wall",
        deal: str = "fresh",
        autoreset: bool = True,
        threads: int = 1,
    ) -> None:
        self.rules = rules if isinstance(rules, RuleSet) else load_rules(rules)
        players = self.rules.get("deal.players")
        assert isinstance(players, int)
        self.players = players
        faults: list[str] = []
        n = whole("n", n, faults, 1, _MOST)
        seed = whole("seed", seed, faults, 0, 2**128 - 1)
        first = whole("first", first, faults, 0, 2**61 - 1)
        dealer = whole("dealer", dealer, faults, 0, players - 1)
        threads = whole("threads", threads, faults, 1, 256)
        one_of("draws", draws, ("wall", "seat"), faults)
        one_of("deal", deal, ("fresh", "rotated"), faults)
        if not isinstance(autoreset, bool):
            faults.append(f"autoreset = {show(autoreset)}, must be True or False")
        if faults:
            raise BatchError(faults)
        per_wall = players if deal == "rotated" else 1
        self._slots = slots = Slots(self.rules, n, seed, first, draws == "seat", per_wall, dealer, autoreset)
        self._pool = ThreadPoolExecutor(threads, "batch") if threads > 1 else None
        self._cuts = [n * i // threads for i in range(threads + 1)]
        self.observations, self.masks = slots.observations, slots.masks
        self.seats, self.done, self.hands = slots.seats, slots.done, slots.hands
        self.rewards, self.records = slots.rewards, slots.records
        for state in (self.seats, self.done, self.hands):  # kept from step to step, and what errors say
            state.flags.writeable = False

    def __len__(self) -> int:
        return len(self.seats)

    def __repr__(self) -> str:
        return (
            f"<TableBatch {self.rules.name}, {len(self)} slots, {int((self.seats >= 0).sum())} being played>"
        )

    def __reduce__(self) -> NoReturn:
        raise TypeError("a TableBatch is not copied or pickled, make another one with the same parameters")

    def step(self, actions: ArrayLike) -> None:
        """Carry out one action in each slot; one whose hand is over is left as it is.

        Parameters
        ----------
        actions : array_like of int, shape (n,)
            Numbers of actions, see `ACTION_NAMES`; anything where the hand is over.

        Raises
        ------
        BatchError
            For an array of another shape or dtype, or naming every slot whose action is not legal; nothing
            has changed then.
        """
        given = _array("actions", actions)
        if given.dtype.kind not in "iu" or given.shape != self.seats.shape:
            raise BatchError(
                [
                    f"actions: {given.dtype} of shape {given.shape}, must be whole numbers of shape "
                    f"{self.seats.shape}"
                ]
            )
        wanted = np.ascontiguousarray(given, np.int64)
        if wrong := self._slots.illegal(wanted):
            raise BatchError(self._fault(slot, given[slot]) for slot in wrong)
        self._divided(partial(self._slots.step, wanted))

    def _divided(self, work: Callable[[int, int], None]) -> None:
        """Have the threads work on a range of slots each."""
        if self._pool is None:
            work(0, len(self))
        else:
            list(self._pool.map(work, self._cuts[:-1], self._cuts[1:]))

    def _fault(self, slot: int, index: int) -> str:
        allowed = listed([encode_action(action) for action in self._slots.legal(slot)])
        return (
            f"slot {slot} (hand {self.hands[slot]}, seat {self.seats[slot]}): "
            f"{named(index)} is not legal; allowed: {allowed}"
        )

    def reset(self, mask: ArrayLike | None = None) -> None:
        """Deal the next hand in some slots, whether the one there is over or not.

        Parameters
        ----------
        mask : array_like of bool, shape (n,), optional
            Which slots; all when not given.

        Raises
        ------
        BatchError
            For a mask of another shape or dtype.
        """
        self._slots.reset(self._chosen("mask", mask))

    def _chosen(self, name: str, mask: ArrayLike | None) -> NDArray[np.uint8]:
        """A mask over the slots, checked."""
        chosen = np.ones(len(self), np.bool_) if mask is None else _array(name, mask)
        if chosen.dtype != np.bool_ or chosen.shape != self.seats.shape:
            raise BatchError(
                [f"{name}: {chosen.dtype} of shape {chosen.shape}, must be bool of shape {self.seats.shape}"]
            )
        return np.ascontiguousarray(chosen).view(np.uint8)

    def random_actions(self, seed: int = 0) -> NDArray[np.int64]:
        """A legal action for each slot, each equally likely; -1 where the hand is over.

        A slot's action is a function of this seed, the number of its hand and how many decisions have been
        made in it: it does not depend on n, nor on the other slots.

        Parameters
        ----------
        seed : int
            0 to 2**128 - 1.

        Returns
        -------
        ndarray of int64, shape (n,)
        """
        actions = np.empty(len(self), np.int64)
        self._slots.random(_seed(seed), actions)
        return actions

    def bot_actions(self, bot: str, where: ArrayLike | None = None, seed: int = 0) -> NDArray[np.int64]:
        """What a compiled bot would do for the seat that is asked: opponents, teachers, yardsticks.

        Parameters
        ----------
        bot : str
            ``name`` or ``name:key=value,...``: "greedy", "planner:fear=1.5".
        where : array_like of bool, shape (n,), optional
            In which slots; all when not given.
        seed : int
            Of bots that draw random numbers, as in `random_actions`.

        Returns
        -------
        ndarray of int64, shape (n,)
            Numbers of actions; -1 where the hand is over and in all other slots.

        Raises
        ------
        BatchError
            For a mask of another shape or dtype, or a seed out of range.
        PolicyError
            For a bot that cannot be.

        Examples
        --------
        >>> batch = TableBatch("yuanhang", 64)
        >>> actions = batch.random_actions()
        >>> others = batch.seats != 0
        >>> actions[others] = batch.bot_actions("greedy", others)[others]
        """
        parse_bot(bot)
        chosen, actions = self._chosen("where", where), np.empty(len(self), np.int64)
        self._divided(partial(self._slots.bot, bot, _seed(seed), chosen, actions))
        return actions

    def legal(self, slot: int) -> list[Action]:
        """Every legal action of the seat asked in a slot; empty where the hand is over."""
        return self._slots.legal(_number("slot", slot, len(self) - 1))

    def decode(self, slot: int, index: int) -> Action:
        """The legal action that a number means in a slot; EncodingError when there is none."""
        return decode_action(index, self.legal(slot))


def _array(name: str, value: ArrayLike) -> NDArray[Any]:
    try:
        return np.asarray(value)
    except (TypeError, ValueError):  # rows of unlike lengths
        raise BatchError([f"{name} = {show(value)}, must be an array"]) from None


def _seed(value: int) -> int:
    return _number("seed", value, 2**128 - 1)


def _number(name: str, value: int, high: int) -> int:
    faults: list[str] = []
    number = whole(name, value, faults, 0, high)
    if faults:
        raise BatchError(faults)
    return number
