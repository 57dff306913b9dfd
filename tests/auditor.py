"""Judges one hand from its log alone: RULES.md sections 2, 7 and 8 in plain Python.

`audit` re-plays the events of a log against the rules page and says all that is wrong with them; what a win
is worth is left to the oracles. `record` derives from the log what the engine should have put into the hand's
record. Nothing of the engine is asked: a log and the option values (`options_of`) are all there is.

Passing leaves no trace in a log, so nobody is blamed for a claim not made.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from oracle import KINDS, NAMES, RED, SUITS, counts_of, parse, shanten
from oracle_others import bao_after, hangs_on_bao, judge, kong_points
from oracle_points import decompositions, following, read_seat, skins
from wuhan_core.rules import load_rules

Log = Mapping[str, Any]
Options = Mapping[str, Any]
Event = Mapping[str, Any]

TYPES = (  # bit i of a record's `types`
    *(
        "pengpenghu",
        "qingyise",
        "fengyise",
        "jiangyise",
        "quanqiuren",
        "gangshanghua",
        "haidilao",
        "qianggang",
    ),
    *("pinghu", "qidui", "haohuaqidui", "shisanlang", "qixingshisanlang", "jiuyao", "qixingjiuyao"),
    *("wubao", "gangkai", "jiebao", "baodiaotou", "baodiaowubao", "baodiaobao", "dandiao", "sigebao"),
    *("tianhu", "dihu"),
)
OUTCOMES = ("exhausted", "self_draw", "discard", "rob_kong")

HEADER = {
    *("hand", "seed", "rules", "rules_id", "set", "draws"),
    *("dealer", "indicator", "laizi", "wall", "deal", "events", "result"),
}
# What an event says besides what it is: always, and at times.
FIELDS: dict[str, tuple[set[str], set[str]]] = {
    "draw": ({"seat", "tile", "from"}, {"last"}),
    "discard": ({"seat", "tile"}, set()),
    "chow": ({"seat", "tile", "tiles", "from"}, set()),
    "pung": ({"seat", "tile", "tiles", "from"}, set()),
    "kong": ({"seat", "kind", "tile"}, {"from"}),
    "win": ({"seat", "source", "tile"}, {"from"}),  # a self-draw is from nobody
    "codes": ({"tiles"}, set()),
    "exhausted": (set(), set()),
}
KONGS = ("direct", "added", "concealed", "red", "wild", "skin")


def options_of(log: Log) -> Options:
    """The option values that a log was played under."""
    return load_rules(log["rules"] or "yuanhang", log["set"]).values


def text(tiles: Sequence[int]) -> str:
    return "".join(NAMES[tile] for tile in sorted(tiles))


def is_text(tiles: object, count: int) -> bool:
    """Whether it is a text of so many tiles."""
    try:
        return isinstance(tiles, str) and len(parse(tiles)) == count
    except (AssertionError, ValueError):
        return False


@dataclass
class Player:
    """What one seat holds and has shown."""

    hand: list[int]
    melds: list[dict[str, Any]] = field(default_factory=list)  # as in a case, in the order they were made
    singles: Counter[str] = field(default_factory=Counter)  # kongs of one tile: red, wild, skin
    wild_discards: int = 0
    skipped: int = 0  # self-draw wins passed in the state baodiaotou
    draws: int = 0
    replacements: int = 0

    def case(self, wildcard: int) -> dict[str, Any]:
        return {
            "hand": text(self.hand),
            "melds": [dict(meld) for meld in self.melds],
            **{f"{kind}_kongs": self.singles[kind] for kind in ("red", "wild", "skin")},
            "wild_discards": self.wild_discards,
            "bao_had": self.hand.count(wildcard) + self.wild_discards,
        }

    def kongs(self) -> int:
        return sum(self.singles.values()) + sum(str(meld["kind"]).endswith("_kong") for meld in self.melds)


class Replay:
    """A log played again; `faults` is what the rules have against it.

    What is wrong is noted and then taken as it stands, so that one fault does not hide the next.
    """

    def __init__(self, log: Log, options: Options) -> None:
        self.log, self.options = log, options
        self.faults: list[str] = []
        self.where = "head"
        self.model = options["score.model"]
        self.n: int = options["deal.players"]
        self.first = 13 * self.n + (self.model != "codes")  # the first draw
        self.wins: list[tuple[str, dict[str, Any]]] = []  # event, case
        self.exhausted = False
        self.codes: list[str] = []  # turned up
        self.answers: list[dict[str, Any]] = []  # what the result should be, one for each winner
        self.turns = 0
        # (seat, draws so far, tiles, melds) whenever a seat holds none too many, for `record`
        self.stands: list[tuple[int, int, tuple[int, ...], int]] = []
        if not self.read_head():
            return
        for number, event in enumerate(log["events"]):
            self.where = f"event {number}"
            if not self.is_well_formed(event):
                return
            self.play(event)
        self.where = "end"
        self.finish()

    def fault(self, what: str) -> None:
        self.faults.append(f"{self.where}: {what}")

    def expect(self, holds: object, what: str) -> bool:
        if not holds:
            self.fault(what)
        return bool(holds)

    # The deal

    def read_head(self) -> bool:
        """Wall, indicator, wildcard and hands; False where the rest cannot be read."""
        log, options = self.log, self.options
        if not self.expect(log.keys() >= HEADER, f"{', '.join(sorted(HEADER - log.keys()))} missing"):
            return False
        canonical = json.dumps(dict(options), sort_keys=True, separators=(",", ":"))
        self.expect(
            log["rules_id"] == hashlib.sha256(canonical.encode()).hexdigest(), "rules_id is of other rules"
        )
        kinds = KINDS if options["deal.tiles"] == "full" else (*KINDS[:27], RED)
        ok = self.expect(
            Counter(log["wall"]) == {NAMES[kind]: 4 for kind in kinds}, "the wall does not have four of each"
        )
        ok &= self.expect(log["dealer"] in range(self.n), f"dealer {log['dealer']!r}")
        ok &= self.expect(log["draws"] in ("wall", "seat"), f"draws {log['draws']!r}")
        hands = [is_text(hand, 13) for hand in log["deal"]]
        ok &= self.expect(hands == [True] * self.n, f"deal {log['deal']}, {self.n} hands of 13 tiles wanted")
        if not ok:
            return False
        self.wall = [NAMES.index(name) for name in log["wall"]]
        self.free = set(range(self.first, len(self.wall)))
        self.dealer: int = log["dealer"]

        indicator = None if self.model == "codes" else self.wall[13 * self.n]
        self.skins: frozenset[int] = frozenset()
        self.blocked: frozenset[int] = frozenset()  # what is neither claimed nor discarded: red dragons
        if indicator is None:
            self.laizi = RED
        elif self.model == "patterns":
            self.laizi = bao_after(indicator)
        else:
            self.laizi = following(indicator)
            self.skins = skins(indicator, options["wild.skin_kinds"])
            self.blocked = frozenset({RED})
            if options["wild.skin_role"] == "red":
                self.blocked |= self.skins
        self.indicator = indicator
        shown = None if indicator is None else NAMES[indicator]
        self.expect(log["indicator"] == shown, f"indicator {log['indicator']!r}, turned up is {shown}")
        laizi = NAMES[self.laizi]
        self.expect(log["laizi"] == laizi, f"laizi {log['laizi']!r}, the indicator makes {laizi}")
        # with so many tiles left nobody draws as usual, and nobody kongs
        if self.model != "codes":
            self.reserve = options["deal.dead_wall"] + options["deal.last_draws"]
        elif options["codes.all_in"]:
            self.reserve = 1
        else:
            self.reserve = options["codes.count"] + options["codes.no_wild_extra"]

        self.players = []
        for seat in range(self.n):
            at = 13 * ((seat - self.dealer) % self.n)
            dealt = text(self.wall[at : at + 13])
            self.players.append(Player(parse(dealt)))
            self.expect(text(parse(log["deal"][seat])) == dealt, f"seat {seat} was dealt {dealt}")
            self.stand(seat)

        # deal: the dealer draws; turn: `seat` has drawn or claimed; open: its discard lies open; kong: it
        # takes a replacement, once nobody robs the kong; last: it has drawn in the last round; over
        self.phase = "deal"
        self.seat = self.dealer
        self.tile: int | None = None  # the discard, or the tile of an added kong, that lies open
        self.drawn: int | None = None  # what `seat` drew in this turn, None after a claim
        self.replaced = False  # ... in place of a kong
        self.fresh_pung: int | None = None  # the pung of this turn
        self.last_drawn = 0  # draws of the last round
        return True

    def is_well_formed(self, event: Event) -> bool:
        """Whether an event has the form of a hand log; one that has not cannot be played on."""
        faults = []
        always, at_times = FIELDS.get(event.get("do", ""), (set(), set()))
        if event.get("do") not in FIELDS:
            faults.append("no such event")
        elif not always <= event.keys() - {"do"} <= always | at_times:
            faults.append("fields")
        seats = range(self.n)
        places: dict[object, tuple[object, ...]] = {"draw": ("wall", "tail"), "win": (*seats, None)}
        allowed = {
            "seat": seats,
            "tile": NAMES,
            "from": places.get(event.get("do"), tuple(seats)),
            "last": (True,),
            "kind": KONGS,
            "source": OUTCOMES[1:],
        }
        faults += [
            f"{name} {event[name]!r}"
            for name, values in allowed.items()
            if name in event and event[name] not in values
        ]
        if event.get("do") in ("chow", "pung") and not is_text(event.get("tiles"), 3):
            faults.append("no three tiles")
        return self.expect(not faults, f"malformed, {', '.join(faults)}: {dict(event)}")

    def play(self, event: Event) -> None:
        if self.phase == "over" and event["do"] not in ("win", "codes"):
            self.fault("the hand is over")
        getattr(self, "do_" + event["do"])(event)

    # Draws

    def left(self) -> int:
        return len(self.free)

    def after(self, seat: int) -> int:
        return (seat + 1) % self.n

    def due(self) -> tuple[int, str, bool] | None:
        """Who must draw now, from where, and whether in the last round; None where nobody draws."""
        if self.phase == "deal":
            return self.dealer, "wall", False
        if self.phase == "kong":
            return self.seat, "tail", False
        if self.phase == "open" and self.left() > self.reserve:
            return self.after(self.seat), "wall", False
        if self.phase in ("open", "last") and self.last_drawn < self.options["deal.last_draws"]:
            return self.after(self.seat), "wall", True
        return None

    def take(self, seat: int, tail: bool) -> int:
        """The tile that a draw takes from the wall."""
        player, turn, place = self.players[seat], (seat - self.dealer) % self.n, -1
        if self.log["draws"] == "seat":
            if tail:
                place = len(self.wall) - 1 - (self.n * player.replacements + turn)
            else:
                place = self.first + self.n * player.draws + turn
        if tail:
            player.replacements += 1
        else:
            player.draws += 1
        if place not in self.free:
            place = max(self.free) if tail else min(self.free)
        self.free.remove(place)
        return self.wall[place]

    def do_draw(self, event: Event) -> None:
        seat, tile, tail = event["seat"], NAMES.index(event["tile"]), event["from"] == "tail"
        last = event.get("last", False)
        due = self.due()
        self.expect((seat, event["from"], last) == due, f"draw {dict(event)}, due was {due or 'none'}")
        if self.expect(self.free, "no tile is left"):
            taken = self.take(seat, tail)
            self.expect(taken == tile, f"drew {event['tile']}, next was {NAMES[taken]}")
        self.turns += 1
        self.players[seat].hand.append(tile)
        self.seat, self.drawn, self.replaced, self.tile = seat, tile, tail, None
        self.phase = "last" if last else "turn"
        self.last_drawn += last

    def do_exhausted(self, event: Event) -> None:
        ended = self.phase in ("open", "last") and self.due() is None
        self.expect(ended, "exhausted, and there is still something to do")
        self.exhausted, self.phase = True, "over"

    # A seat's own turn

    def is_turn_of(self, seat: int) -> bool:
        return self.expect(self.phase == "turn" and seat == self.seat, f"it is not the turn of seat {seat}")

    def may_kong(self) -> bool:
        return self.left() > self.reserve and (
            self.drawn is not None or self.options["claims.kong_after_claim"]
        )

    def remove(self, seat: int, tiles: Sequence[int]) -> None:
        """Tiles leave the hand, if they are there."""
        hand = self.players[seat].hand
        for tile in tiles:
            if self.expect(tile in hand, f"seat {seat} has no {NAMES[tile]}"):
                hand.remove(tile)

    def stand(self, seat: int) -> None:
        player = self.players[seat]
        self.stands.append((seat, self.turns, tuple(sorted(player.hand)), len(player.melds)))

    def note_passed_win(self, seat: int) -> None:
        """A self-draw win passed in the state baodiaotou counts (RULES.md section 8, `skipped`)."""
        player = self.players[seat]
        if self.model != "patterns" or "standard" not in self.options["win.shapes"] or self.drawn is None:
            return
        before = list(player.hand)
        before.remove(self.drawn)
        state = read_seat(player.case(self.laizi) | {"hand": text(before)})
        if hangs_on_bao(state, self.laizi):
            player.skipped += judge(self.case(seat, self.drawn, "self_draw", None), self.options)["wins"]

    def do_discard(self, event: Event) -> None:
        seat, tile = event["seat"], NAMES.index(event["tile"])
        player = self.players[seat]
        if self.is_turn_of(seat):
            self.note_passed_win(seat)
        if tile in self.blocked:
            self.expect(self.blocked.issuperset(player.hand), f"{event['tile']} discarded beside other tiles")
            self.expect(not self.may_kong(), f"{event['tile']} discarded and not konged")
        self.remove(seat, [tile])
        player.wild_discards += tile == self.laizi
        self.seat, self.tile, self.drawn, self.fresh_pung = seat, tile, None, None
        self.phase = "open"
        self.stand(seat)

    def do_kong(self, event: Event) -> None:
        seat, kind, tile = event["seat"], event["kind"], NAMES.index(event["tile"])
        player, feeder = self.players[seat], event.get("from")
        self.expect(self.left() > self.reserve, f"a kong with {self.left()} left")
        self.expect(kind == "direct" or feeder is None, f"a {kind} kong of another's tile")
        if kind in ("direct", "added", "concealed"):
            self.expect(tile not in self.blocked | {self.laizi}, f"a {kind} kong of {event['tile']}")
        else:
            own = {"red": {RED}, "wild": {self.laizi}, "skin": self.skins}[kind]
            self.expect(self.model == "factors" and tile in own, f"{event['tile']} as a {kind} kong")
        if kind == "direct":
            self.claim(seat, tile, feeder, [tile] * 3)
            player.melds.append({"kind": "direct_kong", "tiles": text([tile] * 4), "from": feeder})
        else:
            if self.is_turn_of(seat):
                late = self.drawn is None and not self.options["claims.kong_after_claim"]
                self.expect(not late, "a kong straight after a claim")
                self.note_passed_win(seat)
            self.remove(seat, [tile] * (4 if kind == "concealed" else 1))
        if kind == "concealed":
            player.melds.append({"kind": "concealed_kong", "tiles": text([tile] * 4)})
        elif kind == "added":
            self.expect(tile != self.fresh_pung, "an added kong in the turn of the pung itself")
            pung = ("pung", text([tile] * 3))
            places = [i for i, meld in enumerate(player.melds) if (meld["kind"], meld["tiles"]) == pung]
            if self.expect(places, f"no pung of {event['tile']} to add to"):
                player.melds[places[0]] |= {"kind": "added_kong", "tiles": text([tile] * 4)}
        elif kind != "direct":
            player.singles[kind] += 1
        self.seat, self.drawn = seat, None
        self.tile = tile if kind == "added" else None
        self.phase = "kong"
        self.stand(seat)

    # Claims

    def claim(self, seat: int, tile: int, feeder: int | None, shown: Sequence[int]) -> None:
        """A discard goes to a seat that shows `shown` for it."""
        open_tile = self.phase == "open" and (feeder, tile) == (self.seat, self.tile)
        self.expect(open_tile, f"no {NAMES[tile]} of seat {feeder} lies open")
        self.expect(seat != feeder, "a claim of one's own discard")
        special = self.blocked | {self.laizi}
        self.expect(tile not in special, f"{NAMES[tile]} claimed")
        self.expect(not special.intersection(shown), f"{text(shown)} in a claim")
        self.remove(seat, shown)

    def meld(self, event: Event, tiles: Sequence[int]) -> None:
        seat, tile = event["seat"], NAMES.index(event["tile"])
        others = list(tiles)
        if self.expect(tile in tiles, f"{event['tile']} is not in {event['tiles']}"):
            others.remove(tile)
        self.claim(seat, tile, event["from"], others)
        self.players[seat].melds.append({"kind": event["do"], "tiles": text(tiles), "from": event["from"]})
        self.seat, self.tile, self.drawn = seat, None, None
        self.phase = "turn"

    def do_chow(self, event: Event) -> None:
        self.expect(self.options["claims.chow"], "a chow, where there are none")
        self.expect(event["seat"] == self.after(event["from"]), "a chow by another than the next seat")
        tiles = parse(event["tiles"])
        suit = next(suit for suit in SUITS if tiles[0] in suit)
        run = suit is not SUITS[3] and tiles == [tiles[0], tiles[0] + 1, tiles[0] + 2] and tiles[2] in suit
        self.expect(run, f"{event['tiles']} is no chow")
        self.meld(event, tiles)

    def do_pung(self, event: Event) -> None:
        tiles = parse(event["tiles"])
        self.expect(tiles == [tiles[0]] * 3, f"{event['tiles']} is no pung")
        self.meld(event, tiles)
        self.fresh_pung = tiles[0]

    # Wins

    def case(self, winner: int, tile: int, source: str, loser: int | None) -> dict[str, Any]:
        """The hand as it stands, as a case of RULES.md section 10."""
        quiet = self.turns == 1 and not any(player.melds or player.singles for player in self.players)
        first = {"self_draw": "tianhu", "discard": "dihu"}.get(source) if quiet else None
        return {
            "indicator": self.log["indicator"] if self.indicator is None else NAMES[self.indicator],
            "dealer": self.dealer,
            "players": [player.case(self.laizi) for player in self.players],
            "win": {
                "winner": winner,
                "tile": NAMES[tile],
                "source": source,
                "from": loser,
                "after_kong": source == "self_draw" and self.replaced,
                "last_draw": source == "self_draw" and self.phase == "last",
                "first": first,
                "skipped": self.players[winner].skipped,
            },
        }

    def do_win(self, event: Event) -> None:
        seat, tile = event["seat"], NAMES.index(event["tile"])
        source, loser = event["source"], event.get("from")
        known = len(self.faults)
        if self.wins:  # only robbers win together
            earlier = self.wins[-1][1]["win"]
            together = self.options["claims.many_rob"] and source == earlier["source"] == "rob_kong"
            if self.expect(together, "the hand is won already"):
                order = [(winner - self.seat) % self.n for winner in (earlier["winner"], seat)]
                self.expect(order[0] < order[1], "the robbers are not in turn order after the konger")
        else:
            self.expect(self.phase != "over", "the hand is over")
        if source == "self_draw":
            own = self.phase in ("turn", "last") and (seat, tile) == (self.seat, self.drawn) and loser is None
            self.expect(own, f"seat {seat} has not just drawn {event['tile']}")
        else:
            lies_open = self.wins or self.phase == {"discard": "open", "rob_kong": "kong"}[source]
            self.expect(
                lies_open and (loser, tile) == (self.seat, self.tile) and seat != loser,
                f"seat {seat} cannot win on {event['tile']} of seat {loser}",
            )
        if len(self.faults) == known:
            self.wins.append((self.where, self.case(seat, tile, source, loser)))
        self.phase = "over"

    def do_codes(self, event: Event) -> None:
        due = self.model == "codes" and self.wins and not self.codes
        self.expect(due, "codes, and nobody has just won")
        self.codes = event["tiles"]

    def codes_of(self, case: dict[str, Any]) -> list[str]:
        """The codes that a winner turns up."""
        options, winner = self.options, self.players[case["win"]["winner"]]
        if options["codes.all_in"]:
            count = 1
        else:
            count = options["codes.count"] + options["codes.no_wild_extra"] * (RED not in winner.hand)
        return [NAMES[self.wall[place]] for place in sorted(self.free)[:count]]

    # The result

    def finish(self) -> None:
        if not self.expect(self.phase == "over", "the log stops before the hand is over"):
            return
        if self.model == "codes" and self.wins:
            self.where = self.wins[0][0]
            for _, case in self.wins:
                case["codes"] = self.codes_of(case)
            # several robbers turn up the same tiles, if not as many
            most = max((case["codes"] for _, case in self.wins), key=len)
            self.expect(self.codes == most, f"codes {self.codes}, next were {most}")
        for where, case in self.wins:
            self.where = where
            answer = judge(case, self.options)
            if self.expect(answer["wins"], f"seat {case['win']['winner']} may not win: {answer['why_not']}"):
                self.answers.append(answer)
        if self.exhausted:
            answer = {"exhausted": True}
            if self.model == "codes":
                seats = [read_seat(player.case(self.laizi)) for player in self.players]
                moved = kong_points(self.options, seats, None)
                answer |= {"kongs": moved, "deltas": moved}
            self.answers.append(answer)
        self.where = "result"
        if not self.answers or len(self.answers) < len(self.wins):  # a win that is none has been reported
            return
        result = self.log["result"]
        given = result if isinstance(result, list) else [result]
        form = isinstance(result, list), [isinstance(one, Mapping) for one in given]  # a list of several
        wanted = len(self.wins) > 1, [True] * len(self.answers)
        if not self.expect(form == wanted, f"{len(self.answers)} answers wanted"):
            return
        for one, answer in zip(given, self.answers, strict=True):
            for name in sorted(one.keys() | answer.keys()):
                said, right = one.get(name, "nothing"), answer.get(name, "nothing")
                self.expect(said == right, f"{name} {said}, should be {right}")


def audit(log: Log, options: Options) -> list[str]:
    """All that the rules have against a log, each with the number of the event (from 0); empty = sound."""
    return Replay(log, options).faults


def next_dealer(log: Log, options: Options) -> int:
    """Who deals the hand after a sound one."""
    winners = [event["seat"] for event in log["events"] if event["do"] == "win"]
    if not winners:
        return int(log["dealer"])
    if options["deal.next_dealer"] == "winner" or len(winners) > 1 or winners == [log["dealer"]]:
        return int(winners[0])
    return (int(log["dealer"]) + 1) % int(options["deal.players"])


# The record


def ready_turns(replay: Replay) -> list[int]:
    """For each seat the draws made when it first stood one tile short of four sets and a pair, else -1."""
    turns = [-1] * replay.n
    for seat, turn, hand, melds in replay.stands:
        if turns[seat] < 0 and not replay.blocked.intersection(hand):
            natural = tuple(tile for tile in hand if tile != replay.laizi)
            # a wildcard more stands for the tile that is missing
            if decompositions(natural, len(hand) - len(natural) + 1, 4 - melds, 1):
                turns[seat] = turn
    return turns


def record(log: Log, options: Options) -> dict[str, Any]:
    """The columns of the record of a sound hand that follow from its log (all but `wall` and `bot`).

    Kongs are those declared, a robbed one too. Seats that nobody sits at have 0, and were never ready.
    """
    replay = Replay(log, options)
    assert not replay.faults, replay.faults
    win = replay.wins[0][1]["win"] if replay.wins else {"winner": None, "source": "exhausted"}
    first, nothing = replay.answers[0], [0] * replay.n
    hands = [hand for _, _, hand, _ in replay.stands[: replay.n]]
    wild = [hand.count(replay.laizi) for hand in hands]
    idle = replay.blocked | {replay.laizi}
    natural = [counts_of([tile for tile in hand if tile not in idle]) for hand in hands]
    deltas = [one.get("deltas", nothing) for one in replay.answers]
    deltas += [[-points for points in one.get("kongs", nothing)] for one in replay.answers[1:]]  # paid once
    opening = ["chow", "pung", "added_kong"]
    if options["win.open_melds"] == "chow_pung_kong":
        opening.append("direct_kong")

    def number(value: Any) -> int:
        """A seat, or a kind by its name; -1 for none."""
        return -1 if value is None else NAMES.index(value) if isinstance(value, str) else int(value)

    columns = {
        "hand": log["hand"],
        "owed": first.get("owed", nothing),
        "capped": first.get("capped", first.get("owed", nothing)),  # only Wuhan has caps
        "points": [sum(points) for points in zip(*deltas, strict=True)],
        "types": sum(1 << TYPES.index(name) for name in first.get("types", ()) if name != "pihu"),
        "ready_turn": ready_turns(replay),
        "dealer": replay.dealer,
        "indicator": number(log["indicator"]),
        "laizi": number(log["laizi"]),
        "outcome": OUTCOMES.index(win["source"]),
        "winner": number(win["winner"]),
        "loser": number(win.get("from")),
        "liable": number(first.get("liable")),
        "win_tile": number(win.get("tile")),
        "hard": int(first.get("hard", False)),
        "golden": int(first.get("golden", False)),
        "turns": replay.turns,
        "opens": [sum(meld["kind"] in opening for meld in player.melds) for player in replay.players],
        "kongs": [player.kongs() for player in replay.players],
        "start_shanten": [shanten(*held, 0, fifth=True) for held in zip(natural, wild, strict=True)],
        "start_wild": wild,
    }
    for name, value in columns.items():
        if isinstance(value, list):
            columns[name] = value + [-1 if name == "ready_turn" else 0] * (4 - replay.n)
    return columns
