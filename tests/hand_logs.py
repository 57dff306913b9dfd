"""Hand logs for tests: played by bots, or written from a short script; and scripts played by the engine.

A script tells what happens, and a wall is made for it. It need not be legal: it is for the auditor to say
what is wrong with it. A play is a seat, a verb and a tile; plays are parted by semicolons:

    0 draw E; 0 discard 5p; 2 pung 5p 555p; 2 discard S; 3 draw 1m; 3 red C; 3 tail 9s; 3 win 9s

`last` is a draw of the last round; direct, added, concealed, red, wild and skin are kongs. From whom a claim
or a win is, and how it was won, follows from what went before. `pass 8` has eight seats in turn draw
something of no interest and discard it; `next 1m 5p` only puts tiles into the wall; `codes 1m 5p` and
`exhausted` end a hand. Of the hands dealt only what matters is told, too.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from auditor import KONGS, Replay, record
from oracle import NAMES, parse
from oracle_others import bao_after
from oracle_points import following
from wuhan_core.rules import RuleSet
from wuhan_core.table import IllegalAction, Table

Event = dict[str, Any]
Log = dict[str, Any]


def played(rules: RuleSet, number: int, bot: str, seed: int = 1, **table: Any) -> Table:
    """A hand with one bot at every seat; "mixed" is mostly greedy, but any legal action may come instead."""
    hand, rng = Table(rules, seed, number, **table), Random(f"{seed} {number}")
    while not hand.done:
        if bot != "mixed":
            action = hand.choose(bot)
        elif rng.random() < 0.3:
            action = rng.choice(hand.legal())
        else:
            action = hand.choose("greedy")
        hand.step(action)
    return hand


class Script:
    """Collects events, and the tiles that the wall must have for them."""

    def __init__(self, players: int) -> None:
        self.players = players
        self.events: list[Event] = []
        self.head: list[str | tuple[Event, Event]] = []  # drawn from the wall; draw and discard of any tile
        self.tail: list[str] = []  # replacements

    def source(self) -> tuple[str, int | None]:
        """How a win that comes now is made."""
        before = self.events[-1]
        if before["do"] == "win":
            return before["source"], before["from"]
        if before["do"] in ("discard", "kong"):
            return ("discard" if before["do"] == "discard" else "rob_kong"), before["seat"]
        return "self_draw", None

    def discarder(self) -> int:
        return int(next(event["seat"] for event in reversed(self.events) if event["do"] == "discard"))

    def play(self, *words: str) -> None:
        if words[0] == "pass":
            for _ in range(int(words[1])):
                seat = (self.discarder() + 1) % self.players
                draw, discard = {"seat": seat, "do": "draw", "from": "wall"}, {"seat": seat, "do": "discard"}
                self.head.append((draw, discard))
                self.events += [draw, discard]
        elif words[0] == "next":
            self.head += words[1:]
        elif words[0] == "codes":
            self.events.append({"do": "codes", "tiles": list(words[1:])})
        elif words[0] == "exhausted":
            self.events.append({"do": "exhausted"})
        else:
            self.act(int(words[0]), *words[1:])

    def act(self, seat: int, verb: str, tile: str, tiles: str = "") -> None:
        event: Event = {"seat": seat, "do": verb, "tile": tile}
        if verb in ("draw", "tail", "last"):
            event |= {"do": "draw", "from": "tail" if verb == "tail" else "wall"}
            event |= {"last": True} if verb == "last" else {}
            (self.tail if verb == "tail" else self.head).append(tile)
        elif verb in ("chow", "pung"):
            event |= {"tiles": tiles, "from": self.discarder()}
        elif verb in KONGS:
            event |= {"do": "kong", "kind": verb} | ({"from": self.discarder()} if verb == "direct" else {})
        elif verb == "win":
            event["source"], event["from"] = self.source()
        self.events.append(event)


def wildcard(rules: RuleSet, indicator: str) -> str:
    if not indicator:
        return "C"
    after = bao_after if rules.get("score.model") == "patterns" else following
    return NAMES[after(parse(indicator)[0])]


def scripted(rules: RuleSet, deal: list[str], indicator: str, plays: str, dealer: int = 0) -> Log:
    """The log of a script; its result is what the auditor holds to be right. Indicator "" where none is."""
    players = len(deal)
    script = Script(players)
    for play in plays.split(";"):
        if play.strip():
            script.play(*play.split())

    told = [*deal, indicator, *(tile for tile in script.head if isinstance(tile, str)), *script.tail]
    rest = Counter(4 * (NAMES if rules.get("deal.tiles") == "full" else (*NAMES[:27], "C")))
    rest.subtract(NAMES[tile] for text in told for tile in parse(text))
    assert min(rest.values()) >= 0, {tile: count for tile, count in rest.items() if count < 0}
    wild = wildcard(rules, indicator)
    special = [tile for tile in rest.elements() if tile in ("C", wild)]
    filler = [tile for tile in rest.elements() if tile not in ("C", wild)]
    Random(0).shuffle(filler)
    hands = [hand + "".join(filler.pop() for _ in range(13 - len(parse(hand)))) for hand in deal]
    head: list[str] = []
    for tile in script.head:
        if isinstance(tile, tuple):
            draw, discard = tile
            draw["tile"] = discard["tile"] = tile = filler.pop()
        head.append(tile)
    dealt = [NAMES[tile] for i in range(players) for tile in parse(hands[(dealer + i) % players])]
    log: Log = {
        "hand": 0,
        "seed": None,
        "rules": rules.name,
        "rules_id": rules.id,
        "set": rules.overrides,
        "draws": "wall",
        "dealer": dealer,
        "indicator": indicator or None,
        "laizi": wild,
        "wall": [
            *dealt,
            *([indicator] if indicator else []),
            *head,
            *filler,
            *special,
            *reversed(script.tail),
        ],
        "deal": hands,
        "events": script.events,
        "result": {},
    }
    answers = Replay(log, rules.values).answers
    log["result"] = answers if len(answers) > 1 else answers[0] if answers else {}
    return log


def follow(log: Log, rules: RuleSet, table: Table | None = None) -> str | None:
    """Has the engine play a log again, from its wall; says where it will not, else None.

    Without `table` at a new one.
    """
    table = table or table_of(log, rules)
    while True:
        played = table.log()["events"]
        wanted = log["events"]
        for number, (one, other) in enumerate(zip(played, wanted, strict=False)):
            if one != other:
                return f"event {number}: {one}, not {other}"
        ahead = wanted[len(played) :]
        if table.done and len(played) != len(wanted):
            return f"event {min(len(played), len(wanted))}: the hand ends with {played[-1]}"
        if table.done and table.result() != log["result"]:
            return f"result: {table.result()}, not {log['result']}"
        if table.done and table.deltas != (points := record(log, rules.values)["points"][: table.players]):
            return f"points: {table.deltas}, not {points}"
        if not ahead:
            return None
        # robbers all win at once
        together = (
            [event for event in ahead if event["do"] == "win"] if ahead[0]["do"] == "win" else ahead[:1]
        )
        mine = [event for event in together if event.get("seat") == table.seat and event["do"] != "draw"]
        action = action_of(mine[0]) if mine else "pass"
        try:
            table.step(action)
        except IllegalAction:
            return f"event {len(played)}: seat {table.seat} may not {action}"


def table_of(log: Log, rules: RuleSet) -> Table:
    return Table(rules, dealer=log["dealer"], wall=log["wall"])


def action_of(event: Event) -> str:
    """What a seat must do for an event to come about."""
    tile, do = event["tile"], event["do"]
    if do == "win":
        return "win"
    if do == "chow":
        return f"chow {NAMES[parse(event['tiles'])[0]]}"
    if do == "kong":
        names = {"direct": "kong", "added": "added_kong", "concealed": "concealed_kong"}
        return f"{names.get(event['kind'], 'single_kong')} {tile}"
    return f"{do} {tile}"
