"""Cases (RULES.md section 10) for tests: golden ones, and made ones, of which only what matters is told."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from oracle_points import Case as Case
from wuhan_core.scoring import score_case
from wuhan_core.tiles import format_tiles, parse_tiles

QUAN = ("pung 111m 1", "pung 333m 2", "pung 999p 3", "pung 777s 1")
RAW = {"win.minimum": "none", "cap.per_payer": 0, "cap.liable": 0}  # the factors alone


def golden(name: str) -> list[Case]:
    """The cases of ``golden/{name}.jsonl``, each with the answer that it must have."""
    text = (Path(__file__).parent / "golden" / f"{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def meld(text: str) -> Case:
    """``chow 123m 3``: kind, tiles, and whose discard it was made with."""
    kind, tiles, *feeder = text.split()
    return {"kind": kind, "tiles": tiles} | ({"from": int(feeder[0])} if feeder else {})


def make(
    hand: str,
    melds: Iterable[str],
    tile: str,
    source: str = "self_draw",
    loser: int | None = None,
    *,
    rules: str = "yuanhang",
    options: Case | None = None,
    indicator: str = "E",
    dealer: int = 2,
    players: dict[int, Case] | None = None,
    **win: Any,
) -> Case:
    """Build a case that seat 0 wins on `tile`; `players` has what is special about a seat (melds as text).

    The wildcard is S unless `indicator` says otherwise. The others' hands are dealt from the tiles left over,
    without C and the kinds that are special around the indicator.
    """
    given = {seat: dict((players or {}).get(seat, {})) for seat in range(4)}
    given[0] |= {"hand": hand, "melds": melds}
    seats: list[Case] = [
        {"hand": "", **player, "melds": [meld(text) for text in player.get("melds", ())]}
        for player in given.values()
    ]
    used = Counter(parse_tiles(indicator + (tile if source == "discard" else "")))
    for player in seats:
        used.update(parse_tiles(player["hand"]))
        for each in player["melds"]:
            used.update(parse_tiles(each["tiles"]))
    first = parse_tiles(indicator)[0]
    near = range(first - 2, first + 3) if first < 27 else (27, 28, 29, 30, 32, 33)
    rest = [kind for kind in range(34) for _ in range(4 - used[kind]) if kind not in {31, *near}]
    random.Random(0).shuffle(rest)
    for player in seats[1:]:
        while len(parse_tiles(player["hand"])) < 13 - 3 * len(player["melds"]):
            player["hand"] += format_tiles([rest.pop()])
    declared = {"winner": 0, "tile": tile, "source": source} | win
    if loser is not None:
        declared["from"] = loser
    case: Case = {"rules": rules, "indicator": indicator, "dealer": dealer, "players": seats, "win": declared}
    return case | ({"set": options} if options else {})


def small(source: str = "self_draw", loser: int | None = None, *, opens: int = 1, **more: Any) -> Case:
    """Build a small hard win on 8s: 123m 456m 234p 678s 55s, the first `opens` sets as chows."""
    sets = ["123m", "456m", "234p"]
    hand = "".join(sets[opens:]) + ("67855s" if source == "self_draw" else "6755s")
    return make(hand, [f"chow {text} 3" for text in sets[:opens]], "8s", source, loser, **more)


def pungs(source: str = "self_draw", loser: int | None = None, *, opens: int = 1, **more: Any) -> Case:
    """Build a hard pengpenghu on 5p: 111m 333m 999p 777s 55p, the first `opens` sets as pungs of QUAN."""
    hand = "".join(text.split()[1] for text in QUAN[opens:]) + ("55p" if source == "self_draw" else "5p")
    return make(hand, QUAN[:opens], "5p", source, loser, **more)


def robbed(konger: str, **more: Any) -> Case:
    """Build the small hard win of `small` on 8s robbed from seat 1, which holds `konger` beside the kong."""
    players = {1: {"melds": ["added_kong 8888s 3"], "hand": konger}} | more.pop("players", {})
    return small("rob_kong", 1, players=players, **more)


def owed(case: Case) -> list[int]:
    answer = score_case(case)
    assert answer["wins"], answer
    return list(answer["owed"])


def types(case: Case) -> list[str]:
    answer = score_case(case)
    assert answer["wins"], answer
    return list(answer["types"])


def refusal(case: Case) -> str | None:
    why: str | None = score_case(case)["why_not"]
    return why
