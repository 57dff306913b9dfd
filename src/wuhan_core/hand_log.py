"""A hand log (one JSON object a hand) into the cases of its finished hand, by following its events.

A log has ``rules`` (preset name; any other name or null for rules of one's own), ``set`` (overrides),
``rules_id``, ``dealer``, ``indicator``, ``laizi``, ``deal`` (hands by seat), ``events``, ``result``. Events
are draw, discard, chow, pung, kong, win, codes and exhausted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .errors import FaultError, plain, show, whole
from .reading import sets_and_pair
from .rules import DEFAULT, RuleError, RuleSet, load_rules, preset_names
from .scoring import SINGLE_KONGS, codes_of, rules_in_case, score_case
from .tiles import format_tile, format_tiles, parse_tile, parse_tiles

__all__ = ["LogError", "finished_cases", "players_at_end", "rules_of_log"]


class LogError(FaultError):
    """A log that cannot be followed; `faults` says where."""


@dataclass
class _Seat:
    hand: list[int]
    melds: list[dict[str, Any]] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    skipped: int = 0

    def take(self, *kinds: int) -> None:
        for kind in kinds:
            if kind not in self.hand:
                raise LogError([f"the hand has no {format_tile(kind)}"])
            self.hand.remove(kind)

    def more(self, name: str) -> None:
        self.counts[name] = self.counts.get(name, 0) + 1

    def player(self) -> dict[str, Any]:
        return {"hand": format_tiles(sorted(self.hand)), "melds": self.melds, **self.counts}


def rules_of_log(log: Mapping[str, Any]) -> RuleSet:
    """Load the rules under which a log was played.

    Raises
    ------
    LogError
        If they cannot be loaded, or are not those of ``rules_id``.
    """
    name, overrides = log.get("rules"), log.get("set") or {}
    try:
        rules = load_rules(name if name in preset_names() else DEFAULT, overrides)
    except RuleError as error:
        raise LogError(error.faults) from None
    if log.get("rules_id") not in (None, rules.id):
        raise LogError([f"rules_id = {show(log['rules_id'])}, but rules and set lead to {rules.id}"])
    return rules


def finished_cases(log: Mapping[str, Any], played: RuleSet, rules: RuleSet) -> list[dict[str, Any]]:
    """Return the cases of a log: none for an exhausted hand, one for each winner else.

    Parameters
    ----------
    log : mapping
    played : RuleSet
        Under which the hand was played.
    rules : RuleSet
        For the cases.

    Returns
    -------
    list of dict
        As RULES.md section 10 describes them, in the order of the log's wins.

    Raises
    ------
    LogError
        Where the log cannot be followed, naming the event.
    """
    return _follow(log, played).cases(rules)


def players_at_end(log: Mapping[str, Any], played: RuleSet) -> list[dict[str, Any]]:
    """Return the players at the end of a hand, as a case shows them."""
    return [seat.player() for seat in _follow(log, played).seats]


def _follow(log: Mapping[str, Any], played: RuleSet) -> _Hand:
    where = "the log"
    try:
        hand = _Hand(log, played)
        for number, event in enumerate(log["events"]):
            where = f"events[{number}] = {show(event)}"
            hand.step(event)
    except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        raise LogError([f"{where} cannot be followed: {plain(error)}"]) from None
    return hand


class _Hand:
    """One hand while its log is followed."""

    def __init__(self, log: Mapping[str, Any], played: RuleSet) -> None:
        self.log, self.played = log, played
        self.patterns = played.get("score.model") == "patterns"
        self.laizi = parse_tile(log["laizi"])
        self.seats = [_Seat(parse_tiles(hand)) for hand in log["deal"]]
        self.codes: list[str] | None = None
        self.wins: list[dict[str, Any]] = []
        self.drawn: Mapping[str, Any] | None = None  # the draw after which nothing has happened yet
        self.draws = self.discards = 0
        self.quiet = True  # nobody has claimed or konged

    def step(self, event: Mapping[str, Any]) -> None:
        """Follow one event."""
        do = event["do"]
        if do == "codes":
            self.codes = list(event["tiles"])
        elif do == "win":
            self.wins.append(self._win(event))
        elif do != "exhausted":
            seat, kind = self._seat(event), parse_tile(event["tile"])
            if do == "draw":
                self._draw(seat, kind, event)
                return
            self._passed()
            self.drawn = None
            if do == "discard":
                seat.take(kind)
                self.discards += 1
                if kind == self.laizi:
                    seat.more("wild_discards")
            else:
                self.quiet = False
                self._meld(seat, kind, event)

    def _seat(self, event: Mapping[str, Any]) -> _Seat:
        faults: list[str] = []
        number = whole("seat", event["seat"], faults, 0, len(self.seats) - 1)
        if faults:
            raise LogError(faults)
        return self.seats[number]

    def _draw(self, seat: _Seat, kind: int, event: Mapping[str, Any]) -> None:
        self.draws += 1
        if self.drawn and self.drawn.get("last"):
            # drawn in the last round to no avail: a case shows the hand without
            self.seats[self.drawn["seat"]].take(parse_tile(self.drawn["tile"]))
        seat.hand.append(kind)
        self.drawn = event

    def _meld(self, seat: _Seat, kind: int, event: Mapping[str, Any]) -> None:
        do, sort = event["do"], event.get("kind")
        name = format_tile(kind)
        if do in ("chow", "pung"):
            tiles = parse_tiles(event["tiles"])
            others = list(tiles)
            others.remove(kind)
            seat.take(*others)
            seat.melds.append({"kind": do, "tiles": format_tiles(tiles), "from": event["from"]})
        elif do != "kong":
            raise LogError([f"do = {show(do)} is unknown"])
        elif sort == "direct":
            seat.take(kind, kind, kind)
            four = format_tiles([kind] * 4)
            seat.melds.append({"kind": "direct_kong", "tiles": four, "from": event["from"]})
        elif sort == "concealed":
            seat.take(kind, kind, kind, kind)
            seat.melds.append({"kind": "concealed_kong", "tiles": format_tiles([kind] * 4)})
        elif sort == "added":
            seat.take(kind)
            pung = {"kind": "pung", "tiles": format_tiles([kind] * 3)}
            place = next((i for i, meld in enumerate(seat.melds) if pung.items() <= meld.items()), None)
            if place is None:
                raise LogError([f"there is no pung of {name}"])
            seat.melds[place] = seat.melds[place] | {"kind": "added_kong", "tiles": format_tiles([kind] * 4)}
        else:
            seat.take(kind)
            seat.more(SINGLE_KONGS[str(sort)])

    def _win(self, event: Mapping[str, Any]) -> dict[str, Any]:
        seat, source = self._seat(event), event["source"]
        win = {"winner": event["seat"], "tile": event["tile"], "source": source}
        if source != "self_draw":
            win["from"] = event["from"]
        else:
            if self.drawn is None or self.drawn["seat"] != event["seat"]:
                raise LogError(["the seat has not just drawn"])
            if self.drawn["from"] == "tail":
                win["after_kong"] = True
            if self.drawn.get("last"):
                win["last_draw"] = True
        if self.patterns:
            win["skipped"] = seat.skipped
            if self.quiet and source == "self_draw" and self.draws == 1:
                win["first"] = "tianhu"
            elif self.quiet and source == "discard" and self.discards == 1:
                win["first"] = "dihu"
        return win

    def _passed(self) -> None:
        """Count a self-draw win that was passed with a bao to spare. RULES.md section 8."""
        if not self.patterns or self.drawn is None:
            return
        seat = self.seats[self.drawn["seat"]]
        before = list(seat.hand)
        before.remove(parse_tile(self.drawn["tile"]))
        natural = [kind for kind in before if kind != self.laizi]
        spare = len(before) - len(natural) - 1
        if spare < 0 or next(sets_and_pair(natural, spare, 4 - len(seat.melds), 0), None) is None:
            return
        win = self._win({**self.drawn, "source": "self_draw"})
        if score_case(self._case(win, self.played))["wins"]:
            seat.skipped += 1

    def cases(self, rules: RuleSet) -> list[dict[str, Any]]:
        """Every win as a case."""
        return [self._case(win, rules) for win in self.wins]

    def _case(self, win: Mapping[str, Any], rules: RuleSet) -> dict[str, Any]:
        players = [seat.player() for seat in self.seats]
        winner = self.seats[win["winner"]]
        if self.patterns:
            held = winner.hand.count(self.laizi) + winner.counts.get("wild_discards", 0)
            players[win["winner"]] |= {"bao_had": held} if held else {}
        case = rules_in_case(rules) | {"dealer": self.log["dealer"], "players": players, "win": dict(win)}
        if self.log.get("indicator") is not None:
            case |= {"indicator": self.log["indicator"], "laizi": self.log["laizi"]}
        if self.codes is not None:
            case["codes"] = codes_of(self.played, self.codes, self.laizi in winner.hand)
        return case
