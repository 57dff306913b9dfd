"""One hand, step by step: what bots in Python, replays and tests use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._machine import Machine
from ._observation import Observation
from ._wall import wall_of
from .actions import ACTIONS, Action, IllegalAction
from .errors import FaultError, either, integer, one_of, show, show_number, whole
from .records import OUTCOMES
from .rules import RuleSet, load_rules, preset_names
from .scoring import SINGLE_KONGS, codes_of, rules_in_case, score_case
from .tiles import KIND_NAMES, RED, TileError, format_tile, format_tiles, parse_tiles

__all__ = ["Action", "IllegalAction", "Observation", "Table", "TableError"]

_FIRST = (None, "tianhu", "dihu")


class TableError(FaultError):
    """A table that cannot be set up; `faults` has every fault."""


class Table:
    """One hand of any rule set, step by step.

    Parameters
    ----------
    rules : RuleSet, str or Path
        A rule set, or what `load_rules` takes.
    seed, hand : int
        Which hand: that of a task with this seed, dealt "rotated" (hands n*w to n*w + n - 1 share wall w,
        with n players). They also start the streams of compiled bots.
    dealer : int, optional
        Seat that deals; 0 when not given.
    wall : sequence of int, or str, optional
        All tiles in the order of the wall (kinds, names, or text with one tile after the other) in place of
        the wall of `seed` and `hand`.
    draws : {"seat", "wall"}, optional
        "seat": each seat draws from its own queue, the default for walls of a seed; "wall": the order of the
        wall, the default for a given wall.
    deal : {"rotated", "fresh"}
        How hands and walls are numbered; "fresh": each hand has its own wall.
    wall_number : int, optional
        Number of the wall, where it does not follow from `hand` and `deal` (in a balanced deal it depends on
        the bots).

    Raises
    ------
    TableError
        A wall that is none, a dealer or seed out of range, ...; every fault is named.
    RuleError
        For rules that cannot be loaded.

    Examples
    --------
    >>> table = Table("yuanhang", seed=1)
    >>> while not table.done:
    ...     table.step(table.legal()[0])
    >>> sum(table.deltas)
    0
    """

    def __init__(
        self,
        rules: RuleSet | str | Path,
        seed: int = 0,
        hand: int = 0,
        dealer: int | None = None,
        wall: Sequence[int] | Sequence[str] | str | None = None,
        *,
        draws: str | None = None,
        deal: str = "rotated",
        wall_number: int | None = None,
    ) -> None:
        self.rules = rules if isinstance(rules, RuleSet) else load_rules(rules)
        players = self.rules.get("deal.players")
        assert isinstance(players, int)
        self.players = players
        size = 112 if self.rules.get("deal.tiles") == "suits_red" else 136
        draws = ("seat" if wall is None else "wall") if draws is None else draws
        faults: list[str] = []
        seed = whole("seed", seed, faults, 0, 2**128 - 1)
        hand = whole("hand", hand, faults, 0, 2**62 - 1)
        dealer = whole("dealer", 0 if dealer is None else dealer, faults, 0, self.players - 1)
        if wall_number is not None:
            wall_number = whole("wall_number", wall_number, faults, 0, 2**62 - 1)
        one_of("draws", draws, ("seat", "wall"), faults)
        one_of("deal", deal, ("rotated", "fresh"), faults)
        kinds: list[int] = []
        if wall is not None:
            kinds, wrong = _read_wall(wall, size)
            faults += wrong
        if faults:
            raise TableError(faults)
        if wall is None:
            if wall_number is None:
                wall_number = hand // self.players if deal == "rotated" else hand
            kinds = wall_of(seed, wall_number, size)
        self.seed = seed if wall is None else None
        self.hand, self.draws, self.dealer = hand, draws, dealer
        self._wall = kinds
        self._machine = Machine(self.rules, kinds, dealer, draws == "seat", seed, hand)
        self._events: list[dict[str, Any]] = []
        self._seen = 0  # draws that are among the events
        self._note_draws()

    # ---- asking and answering

    @property
    def seat(self) -> int:
        """The seat that is asked; meaningless when done."""
        return self._machine.seat

    @property
    def done(self) -> bool:
        """Whether the hand is over."""
        return self._machine.done

    @property
    def deltas(self) -> list[int]:
        """Points that each seat has gained; zeros before the end."""
        result = self._machine.result()
        return [0] * self.players if result is None else result["deltas"]

    @property
    def next_dealer(self) -> int | None:
        """Seat that deals the next hand; None before the end."""
        return self._machine.next_dealer if self.done else None

    def legal(self) -> list[Action]:
        """Every legal action of `seat`; empty when the hand is over."""
        return self._machine.actions()

    def observation(self, seat: int) -> Observation:
        """What `seat` may know now.

        Raises
        ------
        TableError
            For a seat that is none.
        """
        return self._machine.observation(self._seat(seat))

    def row(self, seat: int) -> NDArray[np.uint8]:
        """What `seat` may know now as numbers, for learning.

        Returns
        -------
        ndarray of uint8, shape (829,)
            A new array; `wuhan_core.FEATURES` says what its columns are.

        Raises
        ------
        TableError
            For a seat that is none.
        """
        return self._machine.row(self._seat(seat))

    def mask(self) -> NDArray[np.uint8]:
        """Which numbers of `wuhan_core.ACTION_NAMES` are legal for `seat`.

        Returns
        -------
        ndarray of uint8, shape (127,)
            A new array of 0 and 1; zeros when the hand is over.
        """
        return self._machine.mask()

    def choose(self, bot: str) -> Action:
        """What a compiled bot would do for `seat`.

        Parameters
        ----------
        bot : str
            ``name`` or ``name:key=value,...``.

        Raises
        ------
        PolicyError
            For a bot that cannot be.
        ValueError
            When the hand is over.
        """
        action = ACTIONS[self._machine.choose(bot)]
        assert action is not None
        return action

    def step(self, action: Action | str) -> None:
        """Carry out an action of `seat`.

        Parameters
        ----------
        action : Action or str
            As `legal` gives it, or its text, such as ``"discard 5p"``.

        Raises
        ------
        IllegalAction
            With the legal ones; nothing has changed.
        """
        legal = self.legal()
        try:
            wanted = legal[legal.index(Action.parse(action) if isinstance(action, str) else action)]
        except ValueError:  # no text of an action, none of these, or an array
            raise IllegalAction(action, self.seat, legal) from None
        before = self._machine.state()
        self._machine.step(wanted.code)
        self._note(before, wanted)

    def copy(self) -> Table:
        """The same state; steps of one do not touch the other. `copy.copy` and `copy.deepcopy` do this."""
        other = object.__new__(Table)
        other.__dict__.update(self.__dict__)
        other._machine = self._machine.copy()
        other._events = [*self._events]
        return other

    def __copy__(self) -> Table:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Table:
        return self.copy()

    def __repr__(self) -> str:
        whose = "" if self.seed is None else f" of seed {self.seed}"
        now = "over" if self.done else f"seat {self.seat} is asked"
        return f"<Table {self.rules.name}, hand {self.hand}{whose}, {len(self._events)} events, {now}>"

    def _seat(self, seat: int) -> int:
        faults: list[str] = []
        number = whole("seat", seat, faults, 0, self.players - 1)
        if faults:
            raise TableError(faults)
        return number

    # ---- the log

    def _note_draws(self) -> None:
        for seat, kind, tail, last in self._machine.draws(self._seen):
            event = {
                "seat": seat,
                "do": "draw",
                "tile": KIND_NAMES[kind],
                "from": "tail" if tail else "wall",
            }
            self._events.append(event | ({"last": True} if last else {}))
            self._seen += 1

    def _note(self, before: dict[str, Any], action: Action) -> None:
        """Add what a step has brought about to the events."""
        seat, kind = before["seat"], action.kind
        if before["phase"] == "turn" and action.verb == "discard":
            self._events.append({"seat": seat, "do": "discard", "tile": action.tile})
        elif before["phase"] == "turn" and action.verb != "win":
            sort = action.verb.removesuffix("_kong")
            if sort == "single":
                sort = "wild" if kind == before["wild"] else "red" if kind == RED else "skin"
            self._events.append({"seat": seat, "do": "kong", "kind": sort, "tile": action.tile})
        after = self._machine.state()
        if before["phase"] == "claim":
            self._note_claim(before, after)
        result = self._machine.result()
        if result is not None and result["winners"]:
            self._note_wins(result)
        self._note_draws()
        if result is not None and not result["winners"]:
            self._events.append({"do": "exhausted"})

    def _note_claim(self, before: dict[str, Any], after: dict[str, Any]) -> None:
        """The claim that went through, if any: seats are asked one by one, one of them gets the tile."""
        for seat in range(self.players):
            melds = after["seats"][seat]["melds"]
            if len(melds) == len(before["seats"][seat]["melds"]):
                continue
            sort, tile, feeder = melds[-1]
            event = {
                "seat": seat,
                "do": "kong" if sort == "direct_kong" else sort,
                "tile": KIND_NAMES[before["open_tile"]],
                "from": feeder,
            }
            if sort == "direct_kong":
                event["kind"] = "direct"
            else:
                event["tiles"] = format_tiles(_meld_tiles(sort, tile))
            self._events.append(event)

    def _note_wins(self, result: dict[str, Any]) -> None:
        source = OUTCOMES[result["source"]]
        for seat in self._winners(result):
            self._events.append(
                {
                    "seat": seat,
                    "do": "win",
                    "source": source,
                    "tile": KIND_NAMES[result["tile"]],
                    "from": None if result["loser"] < 0 else result["loser"],
                }
            )
        if self.rules.get("score.model") == "codes":
            self._events.append({"do": "codes", "tiles": [KIND_NAMES[kind] for kind in result["codes"]]})

    def _winners(self, result: dict[str, Any]) -> list[int]:
        """In turn order after the konger where there are several."""
        start = result["loser"] + 1 if result["loser"] >= 0 else 0
        order = [(start + i) % self.players for i in range(self.players)]
        return [seat for seat in order if seat in result["winners"]]

    def case(self, winner: int | None = None) -> dict[str, Any] | None:
        """The finished hand as RULES.md section 10 describes one; None for a hand nobody has won.

        Parameters
        ----------
        winner : int, optional
            Which of several robbers; the first in turn order when not given.

        Raises
        ------
        TableError
            For a seat that has not won.
        """
        result = self._machine.result()
        if result is None or not result["winners"]:
            return None
        state = self._machine.state()
        winners = self._winners(result)
        number = winners[0] if winner is None else integer(winner)
        if number not in winners:
            raise TableError([f"winner = {show_number(winner)}, must be {either(winners)}, who won"])
        winner = number
        for seat, kind, _, last in self._machine.draws():
            if last and seat != winner:  # drawn in the last round to no avail: a case shows the hand without
                state["seats"][seat]["counts"][kind] -= 1
        win: dict[str, Any] = {
            "winner": winner,
            "tile": KIND_NAMES[result["tile"]],
            "source": OUTCOMES[result["source"]],
        }
        if result["loser"] >= 0:
            win["from"] = result["loser"]
        for name in ("after_kong", "last_draw"):
            if result[name]:
                win[name] = True
        if self.rules.get("score.model") == "patterns":
            win |= {"first": _FIRST[result["first"]], "skipped": state["seats"][winner]["skipped"]}
        case = rules_in_case(self.rules) | {
            "dealer": self.dealer,
            "players": [_player(seat) for seat in state["seats"]],
            "win": win,
        }
        if state["indicator"] >= 0:
            case |= {"indicator": KIND_NAMES[state["indicator"]], "laizi": KIND_NAMES[state["wild"]]}
        if self.rules.get("score.model") == "codes":
            codes = [KIND_NAMES[kind] for kind in result["codes"]]
            case["codes"] = codes_of(self.rules, codes, state["seats"][winner]["wild"] > 0)
        if self.rules.get("score.model") == "patterns":
            case["players"][winner]["bao_had"] = state["seats"][winner]["bao_had"]
        return case

    def _preset(self) -> str | None:
        return self.rules.name if self.rules.name in preset_names() else None

    def result(self) -> dict[str, Any] | list[dict[str, Any]] | None:
        """How the hand ended.

        Returns
        -------
        dict
            The answer of RULES.md section 10; of several robbers a list, in turn order after the konger;
            ``{"exhausted": True}`` for a hand nobody won (in the codes model with ``kongs`` and ``deltas``,
            points by seat). None before the end.
        """
        result = self._machine.result()
        if result is None:
            return None
        if not result["winners"]:
            exhausted: dict[str, Any] = {"exhausted": True}
            if self.rules.get("score.model") == "codes":
                exhausted |= {"kongs": result["deltas"], "deltas": result["deltas"]}
            return exhausted
        cases = [self.case(winner) for winner in self._winners(result)]
        answers = [score_case(case) for case in cases if case is not None]
        return answers[0] if len(answers) == 1 else answers

    def log(self) -> dict[str, Any]:
        """The hand so far, as one line of a hand log: enough to judge and to replay it."""
        state = self._machine.state()
        hands = []
        for seat in range(self.players):
            start = 13 * ((seat - self.dealer) % self.players)
            hands.append(format_tiles(sorted(self._wall[start : start + 13])))
        indicator = state["indicator"]
        return {
            "hand": self.hand,
            "seed": self.seed,
            "rules": self._preset(),
            "rules_id": self.rules.id,
            "set": rules_in_case(self.rules).get("set", {}),
            "draws": self.draws,
            "dealer": self.dealer,
            "indicator": KIND_NAMES[indicator] if indicator >= 0 else None,
            "laizi": KIND_NAMES[state["wild"]],
            "wall": [KIND_NAMES[kind] for kind in self._wall],
            "deal": hands,
            "events": [dict(event) for event in self._events],
            "result": self.result(),
        }


def _meld_tiles(sort: str, tile: int) -> list[int]:
    if sort == "chow":
        return [tile, tile + 1, tile + 2]
    return [tile] * (3 if sort == "pung" else 4)


def _player(seat: dict[str, Any]) -> dict[str, Any]:
    """One seat in the form of a case."""
    hand = [kind for kind, n in enumerate(seat["counts"]) for _ in range(n)]
    melds = []
    for sort, tile, feeder in seat["melds"]:
        meld = {"kind": sort, "tiles": format_tiles(_meld_tiles(sort, tile))}
        melds.append(meld | ({} if feeder < 0 else {"from": feeder}))
    counts = {name: seat[name] for name in (*SINGLE_KONGS.values(), "wild_discards") if seat[name]}
    return {"hand": format_tiles(hand), "melds": melds, **counts}


def _read_wall(wall: object, size: int) -> tuple[list[int], list[str]]:
    """Kinds of a wall given by a user, and what is wrong with it."""
    try:
        if isinstance(wall, str):
            kinds = parse_tiles(wall)
        elif isinstance(wall, Iterable):
            kinds = [
                kind
                for tile in wall
                for kind in (parse_tiles(tile) if isinstance(tile, str) else [tile.__index__()])
            ]
        else:
            raise TypeError("not a sequence")
    except TileError as error:
        return [], [f"wall: {fault}" for fault in error.faults]
    except (AttributeError, TypeError):
        return [], [f"wall = {show(wall)}, must be {size} tiles, as kinds 0..33, names or text"]
    faults = [f"wall: {len(kinds)} tiles, must be {size}"] if len(kinds) != size else []
    faults += [f"wall: {show(kind)} is no kind, must be 0..33" for kind in kinds if not 0 <= kind < 34]
    counts = Counter(kind for kind in kinds if 0 <= kind < 34)
    in_game = range(34) if size == 136 else [*range(27), RED]
    for kind in range(34):
        wanted = 4 if kind in in_game else 0
        if counts[kind] != wanted:
            faults.append(f"wall: {format_tile(kind)} {counts[kind]} times, must be {wanted}")
    return kinds, faults
