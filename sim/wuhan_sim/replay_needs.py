"""What each seat needs at a moment: by shape, and what the rules would allow it to win on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from wuhan_core._rules import CompiledRules
from wuhan_core._shape import Shape
from wuhan_core.rules import RuleSet, preset_names
from wuhan_core.scoring import score_cases
from wuhan_core.tiles import KIND_NAMES, RED, format_tiles, parse_tile

from .replay_frames import Frame, Holding

Counts = tuple[tuple[int, int], ...]  # kind, and live tiles as far as the seat can know


@dataclass(frozen=True, slots=True)
class Need:
    """What one seat needs.

    Attributes
    ----------
    shanten : int
        Of the standard shape, wildcards free; -1 complete, 0 ready.
    useful : tuple of (int, int)
        Kinds that lower it, with live tiles; empty for a seat that is to discard.
    discards : tuple of (int, int)
        For a seat that is to discard: what leaves the lowest shanten and then most live tiles; and how many.
        Empty for one that holds a tile which must be konged first.
    wins : tuple of (int, int)
        Kinds on which the rules allow a self-draw win, with live tiles; as of the last moment at which no
        seat held a tile too many.
    why_not : str or None
        For a ready seat that may win on none: the refusal.
    """

    shanten: int
    useful: Counts
    discards: Counts
    wins: Counts
    why_not: str | None


class Needs:
    """Asked frame by frame, in order.

    Parameters
    ----------
    log : mapping
        A sound hand log.
    rules : RuleSet
    """

    def __init__(self, log: Mapping[str, Any], rules: RuleSet) -> None:
        self.rules, self.model = rules, rules.get("score.model")
        self.laizi = parse_tile(log["laizi"])
        self.indicator = [] if log["indicator"] is None else [parse_tile(log["indicator"])]
        self.all = Counter(parse_tile(name) for name in log["wall"])
        self.head = {
            "rules": log["rules"] or preset_names()[0],
            "set": log["set"],
            "dealer": log["dealer"],
            **({"indicator": log["indicator"]} if self.indicator else {}),
        }
        # those take part in no set and no pair
        _, self.blocked = CompiledRules(rules).special(self.indicator[0] if self.indicator else None)
        self.verdicts: list[dict[int, str | None]] = []

    def of(self, frame: Frame) -> list[Need]:
        """The needs of all seats."""
        if frame.is_quiet:
            self.verdicts = self._verdicts(frame)
        seen = Counter(self.indicator)
        for seat in frame.seats:
            seen.update(seat.river)
            seen.update(tile for meld in seat.melds for tile in meld.tiles)
            seen.update(tile for _, tile in seat.singles)
        return [self._need(frame.seats[seat], seen, self.verdicts[seat]) for seat in range(len(frame.seats))]

    def _need(self, seat: Holding, seen: Counter[int], verdict: Mapping[int, str | None]) -> Need:
        live = {kind: n - seen[kind] - seat.hand.count(kind) for kind, n in self.all.items()}
        shape = self._shape(seat.hand, len(seat.melds))
        shanten = shape.shanten()
        if len(seat.hand) % 3 == 2 and not self.blocked.intersection(seat.hand):  # those are to be konged
            return Need(shanten, (), self._discards(seat, live), (), None)
        wins = tuple((kind, live[kind]) for kind, why in sorted(verdict.items()) if why is None)
        useful = self._useful(shape, seat.hand, live)
        refusals = Counter(verdict.get(kind) for kind, _ in useful)
        why = None
        if shanten == 0 and not wins and (named := [why for why in refusals if why]):
            why = max(named, key=refusals.__getitem__)
        return Need(shanten, useful, (), wins, why)

    def _shape(self, hand: tuple[int, ...], melds: int) -> Shape:
        """Blocked tiles left out: they are of no use."""
        counts = bytearray(34)
        for tile in hand:
            counts[tile] += tile != self.laizi and tile not in self.blocked
        return Shape(bytes(counts), hand.count(self.laizi), 4 - melds)

    def _useful(self, shape: Shape, hand: tuple[int, ...], live: Mapping[int, int]) -> Counts:
        kinds = {kind for kind in shape.useful() if kind in live} | {self.laizi}
        return tuple((kind, live[kind]) for kind in sorted(kinds - self.blocked) if hand.count(kind) < 4)

    def _discards(self, seat: Holding, live: Mapping[int, int]) -> Counts:
        """The best discards: lowest shanten, then most live tiles."""
        options = []
        for tile in dict.fromkeys(seat.hand):
            rest = seat.without([tile]).hand
            shape = self._shape(rest, len(seat.melds))
            total = sum(n for _, n in self._useful(shape, rest, live))
            options.append((shape.shanten(), -total, tile))
        return tuple((tile, -total) for away, total, tile in options if (away, total) == min(options)[:2])

    # What the rules say

    def _verdicts(self, frame: Frame) -> list[dict[int, str | None]]:
        """For each seat and kind of which a tile is left: may it win on drawing it (None), or why not."""
        elsewhere = self.all - Counter(self.indicator)
        for seat in frame.seats:
            elsewhere -= Counter(seat.hand)
            elsewhere -= Counter(tile for meld in seat.melds for tile in meld.tiles)
            elsewhere -= Counter(tile for _, tile in seat.singles)
            elsewhere -= Counter({self.laizi: seat.wild_discards})  # a case knows of these discards alone
        players, kinds = [_player(seat) for seat in frame.seats], sorted(elsewhere)
        verdicts = []
        for who in range(len(players)):
            cases = [self._case(players, who, frame.seats[who], kind, elsewhere) for kind in kinds]
            answers = score_cases(cases)
            verdicts.append({kind: answer["why_not"] for kind, answer in zip(kinds, answers, strict=True)})
        return verdicts

    def _case(
        self, players: list[dict[str, Any]], who: int, seat: Holding, tile: int, elsewhere: Counter[int]
    ) -> dict[str, Any]:
        """RULES.md section 10: the seat has drawn the tile and wins."""
        winner = players[who] | {"hand": players[who]["hand"] + KIND_NAMES[tile]}
        if self.model == "patterns":
            winner["bao_had"] = seat.hand.count(self.laizi) + (tile == self.laizi) + seat.wild_discards
        case = self.head | {
            "players": [*players[:who], winner, *players[who + 1 :]],
            "win": {"winner": who, "tile": KIND_NAMES[tile], "source": "self_draw"},
        }
        if self.model == "codes":
            count, extra, all_in = (
                self.rules.values[f"codes.{name}"] for name in ("count", "no_wild_extra", "all_in")
            )
            wanted = 1 if all_in else int(str(count)) + int(str(extra)) * (RED not in (*seat.hand, tile))
            rest = (elsewhere - Counter([tile])).elements()  # which ones does not matter
            case["codes"] = [KIND_NAMES[kind] for kind in islice(rest, wanted)]
        return case


def _player(seat: Holding) -> dict[str, Any]:
    """One seat in the form of a case."""
    melds = [
        {"kind": meld.kind, "tiles": format_tiles(meld.tiles)}
        | ({} if meld.giver is None else {"from": meld.giver})
        for meld in seat.melds
    ]
    kongs = Counter(f"{kind}_kongs" for kind, _ in seat.singles)
    wild = {"wild_discards": seat.wild_discards} if seat.wild_discards else {}
    return {"hand": format_tiles(seat.hand), "melds": melds, **kongs, **wild}
