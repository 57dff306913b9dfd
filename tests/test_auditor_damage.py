"""The auditor objects to every sound log that has been damaged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from auditor import KONGS, OUTCOMES, Options, Replay, audit
from hand_logs import Log, played, scripted
from oracle import NAMES
from scripts import SOUND, WINS
from wuhan_core.rules import load_rules, preset_names

Damage = Callable[[Log, Random], Iterator[Log]]

DAMAGES: dict[str, tuple[Damage, str]] = {}  # name: what it does, and what one of the objections must say


def damage(says: str = "") -> Callable[[Damage], Damage]:
    def add(function: Damage) -> Damage:
        DAMAGES[function.__name__] = function, says
        return function

    return add


OPTIONS: dict[str, Options] = {}  # by rules_id


@cache
def sound_logs() -> list[Log]:
    """Whole hands: of every preset by different bots, and scripts that reach the end."""
    logs = []
    for preset in preset_names():
        rules = load_rules(preset)
        OPTIONS[rules.id] = rules.values
        for number in range(8):
            bot, draws = ("mixed", "random", "greedy", "mixed")[number % 4], ("seat", "wall")[number // 4]
            logs.append(played(rules, number, bot, 5, draws=draws).log())
    for script in [*SOUND.values(), *(script for script, _ in WINS.values())]:
        OPTIONS[script[0].id] = script[0].values
        log = scripted(*script)
        if log["result"]:  # the script reaches the end
            logs.append(log)
    return logs


def places(log: Log, do: str, **having: object) -> list[int]:
    """Where the events are that do something."""
    return [
        number
        for number, event in enumerate(log["events"])
        if event["do"] == do and all(event.get(name) == value for name, value in having.items())
    ]


def changed(log: Log, number: int, **fields: object) -> Log:
    """The log with an event changed; a field None is left out."""
    event = {name: value for name, value in (log["events"][number] | fields).items() if value is not None}
    return with_events(log, [*log["events"][:number], event, *log["events"][number + 1 :]])


def with_events(log: Log, events: list[Any]) -> Log:
    return log | {"events": events}


def hands_before(log: Log) -> Iterator[tuple[int, list[int]]]:
    """For each event of a seat its number, and the tiles that the seat holds before it."""
    replay = Replay(with_events(log, []), OPTIONS[log["rules_id"]])
    for number, event in enumerate(log["events"]):
        if "seat" in event:
            yield number, list(replay.players[event["seat"]].hand)
        replay.play(event)


def other(rng: Random, values: Iterable[object], *but: object) -> Any:
    return rng.choice([value for value in values if value not in but])


def seats(log: Log) -> range:
    return range(len(log["deal"]))


# ---- the head


@damage("laizi")
def another_wildcard(log: Log, rng: Random) -> Iterator[Log]:
    yield log | {"laizi": other(rng, NAMES, log["laizi"])}


@damage("indicator")
def another_indicator(log: Log, rng: Random) -> Iterator[Log]:
    yield log | {"indicator": other(rng, NAMES, log["indicator"])}


@damage("rules_id")
def other_rules(log: Log, rng: Random) -> Iterator[Log]:
    yield log | {"rules_id": "0" * 64}


@damage("was dealt")
def another_dealer(log: Log, rng: Random) -> Iterator[Log]:
    yield log | {"dealer": other(rng, seats(log), log["dealer"])}


@damage("dealer")
def no_such_dealer(log: Log, rng: Random) -> Iterator[Log]:
    yield log | {"dealer": len(seats(log))}


@damage("drew")
def the_other_order_of_draws(log: Log, rng: Random) -> Iterator[Log]:
    # a claim out of turn, and enough draws after it
    for number in places(log, "pung"):
        event = log["events"][number]
        if (event["seat"] - event["from"]) % 4 > 1 and len(places(log, "draw")) > number:
            yield log | {"draws": other(rng, ("seat", "wall"), log["draws"])}
            return


@damage("four of each")
def five_alike(log: Log, rng: Random) -> Iterator[Log]:
    wall = list(log["wall"])
    place = rng.randrange(len(wall))
    wall[place] = other(rng, set(wall), wall[place])
    yield log | {"wall": wall}


@damage("four of each")
def a_tile_too_few(log: Log, rng: Random) -> Iterator[Log]:
    yield log | {"wall": log["wall"][:-1]}


@damage("was dealt")
def a_tile_dealt_from_the_end_of_the_wall(log: Log, rng: Random) -> Iterator[Log]:
    wall = list(log["wall"])
    one = rng.randrange(13 * len(seats(log)))
    another = rng.choice([place for place, tile in enumerate(wall) if place > 60 and tile != wall[one]])
    wall[one], wall[another] = wall[another], wall[one]
    yield log | {"wall": wall}


@damage("drew")
def another_tile_in_the_wall(log: Log, rng: Random) -> Iterator[Log]:
    wall = list(log["wall"])
    one = 13 * len(seats(log)) + (log["indicator"] is not None)  # the dealer's first draw
    another = rng.choice([place for place, tile in enumerate(wall) if place > one and tile != wall[one]])
    wall[one], wall[another] = wall[another], wall[one]
    yield log | {"wall": wall}


@damage("was dealt")
def hands_changed_over(log: Log, rng: Random) -> Iterator[Log]:
    yield log | {"deal": [*log["deal"][1:], log["deal"][0]]}


@damage("hands of 13 tiles wanted")
def a_hand_too_few(log: Log, rng: Random) -> Iterator[Log]:
    yield log | {"deal": log["deal"][1:]}


@damage("hands of 13 tiles wanted")
def a_hand_of_twelve(log: Log, rng: Random) -> Iterator[Log]:
    yield log | {"deal": ["1m" * 12, *log["deal"][1:]]}


@damage("missing")
def no_wall(log: Log, rng: Random) -> Iterator[Log]:
    yield {name: value for name, value in log.items() if name != "wall"}


# ---- the order of events


@damage()
def an_event_left_out(log: Log, rng: Random) -> Iterator[Log]:
    for number in range(len(log["events"])):
        yield with_events(log, log["events"][:number] + log["events"][number + 1 :])


@damage()
def an_event_twice(log: Log, rng: Random) -> Iterator[Log]:
    for number in range(len(log["events"])):
        yield with_events(log, log["events"][: number + 1] + log["events"][number:])


@damage()
def two_events_changed_over(log: Log, rng: Random) -> Iterator[Log]:
    events = log["events"]
    for number, (one, another) in enumerate(pairwise(events)):
        yield with_events(log, [*events[:number], another, one, *events[number + 2 :]])


@damage()
def an_end_cut_off(log: Log, rng: Random) -> Iterator[Log]:
    for number in range(len(log["events"])):
        yield with_events(log, log["events"][:number])


@damage("the hand is over")
def an_event_after_the_end(log: Log, rng: Random) -> Iterator[Log]:
    yield with_events(log, [*log["events"], log["events"][0]])


@damage("still something to do")
def exhausted_too_early(log: Log, rng: Random) -> Iterator[Log]:
    number = rng.choice(places(log, "discard")[:5] or [0])
    yield with_events(log, [*log["events"][: number + 1], {"do": "exhausted"}]) | {
        "result": {"exhausted": True}
    }


@damage("malformed")
def an_event_of_no_kind(log: Log, rng: Random) -> Iterator[Log]:
    yield changed(log, rng.randrange(len(log["events"])), do="shout")


@damage("malformed")
def a_field_missing(log: Log, rng: Random) -> Iterator[Log]:
    for number in range(len(log["events"]) - 1):
        yield changed(log, number, **{other(rng, ("seat", "tile")): None})


@damage("malformed")
def a_field_too_many(log: Log, rng: Random) -> Iterator[Log]:
    yield changed(log, rng.randrange(len(log["events"])), remark="hm")


@damage("malformed")
def no_such_seat(log: Log, rng: Random) -> Iterator[Log]:
    yield changed(log, rng.randrange(len(log["events"]) - 1), seat=len(seats(log)))


@damage("malformed")
def no_such_tile(log: Log, rng: Random) -> Iterator[Log]:
    yield changed(log, rng.randrange(len(log["events"]) - 1), tile="0m")


# ---- draws


@damage("drew")
def another_tile_drawn(log: Log, rng: Random) -> Iterator[Log]:
    for number in places(log, "draw"):
        yield changed(log, number, tile=other(rng, NAMES, log["events"][number]["tile"]))


@damage("drew")
def two_draws_changed_over(log: Log, rng: Random) -> Iterator[Log]:
    for one, another in pairwise(places(log, "draw")):
        tiles = [log["events"][number]["tile"] for number in (one, another)]
        if tiles[0] != tiles[1]:
            yield changed(changed(log, one, tile=tiles[1]), another, tile=tiles[0])


@damage("due was")
def drawn_by_another(log: Log, rng: Random) -> Iterator[Log]:
    for number in places(log, "draw"):
        yield changed(log, number, seat=other(rng, seats(log), log["events"][number]["seat"]))


@damage("due was")
def drawn_from_the_other_end(log: Log, rng: Random) -> Iterator[Log]:
    for number in places(log, "draw"):
        yield changed(log, number, **{"from": other(rng, ("wall", "tail"), log["events"][number]["from"])})


@damage("due was")
def a_last_draw_not_called_so(log: Log, rng: Random) -> Iterator[Log]:
    for number in places(log, "draw", last=True):
        yield changed(log, number, last=None)


@damage("due was")
def a_draw_called_the_last(log: Log, rng: Random) -> Iterator[Log]:
    for number in places(log, "draw", last=None):
        yield changed(log, number, last=True)


# ---- discards and kongs


@damage("has no")
def a_tile_discarded_that_is_not_held(log: Log, rng: Random) -> Iterator[Log]:
    for number, hand in hands_before(log):
        if log["events"][number]["do"] == "discard":
            yield changed(log, number, tile=other(rng, NAMES, *(NAMES[tile] for tile in hand)))


@damage("discarded beside other tiles")
def a_red_dragon_discarded(log: Log, rng: Random) -> Iterator[Log]:
    for number, hand in hands_before(log):
        factors = OPTIONS[log["rules_id"]]["score.model"] == "factors"
        if factors and log["events"][number]["do"] == "discard" and NAMES.index("C") in hand:
            yield changed(log, number, tile="C")


@damage("not the turn")
def discarded_by_another(log: Log, rng: Random) -> Iterator[Log]:
    for number in places(log, "discard"):
        yield changed(log, number, seat=other(rng, seats(log), log["events"][number]["seat"]))


@damage("has no")
def a_concealed_kong_of_nothing(log: Log, rng: Random) -> Iterator[Log]:
    for number, hand in hands_before(log):
        event = log["events"][number]
        if event["do"] == "discard":
            tile = other(rng, NAMES, *(NAMES[tile] for tile in hand))
            kong = {"seat": event["seat"], "do": "kong", "kind": "concealed", "tile": tile}
            yield with_events(log, [*log["events"][:number], kong, *log["events"][number:]])


@damage("no pung of")
def an_added_kong_without_a_pung(log: Log, rng: Random) -> Iterator[Log]:
    for number in places(log, "discard"):
        event = log["events"][number]
        if not places(log, "pung", tile=event["tile"]):
            kong = {"seat": event["seat"], "do": "kong", "kind": "added", "tile": event["tile"]}
            yield with_events(log, [*log["events"][:number], kong, *log["events"][number:]])


@damage("a kong with 14 left")
def a_kong_with_14_left(log: Log, rng: Random) -> Iterator[Log]:
    if log["set"] or log["laizi"] == "C" or not places(log, "draw", last=True):
        return
    number = places(log, "draw", last=True)[0] - 1  # the last discard
    seat = log["events"][number]["seat"]
    kong = {"seat": seat, "do": "kong", "kind": "wild", "tile": log["laizi"]}
    yield with_events(log, [*log["events"][:number], kong, *log["events"][number:]])


@damage("kong of")
def a_kong_of_another_kind(log: Log, rng: Random) -> Iterator[Log]:
    for number in places(log, "kong"):
        kind = log["events"][number]["kind"]
        if kind in ("red", "wild"):
            yield changed(log, number, kind="added")


@damage("as a red kong")
def a_red_kong_of_another_tile(log: Log, rng: Random) -> Iterator[Log]:
    for number in places(log, "kong"):
        if log["events"][number]["kind"] in ("wild", "skin", "concealed"):
            yield changed(log, number, kind="red")


@damage("has no")
def a_concealed_kong_called_added(log: Log, rng: Random) -> Iterator[Log]:
    for number in places(log, "kong", kind="added"):
        yield changed(log, number, kind="concealed")


# ---- claims


@damage("a chow by another than the next seat")
def a_chow_by_another(log: Log, rng: Random) -> Iterator[Log]:
    for number in places(log, "chow"):
        event = log["events"][number]
        yield changed(log, number, seat=other(rng, seats(log), event["seat"], event["from"]))


@damage("lies open")
def a_claim_from_another(log: Log, rng: Random) -> Iterator[Log]:
    for number in [*places(log, "chow"), *places(log, "pung"), *places(log, "kong", kind="direct")]:
        event = log["events"][number]
        if len(seats(log)) == 4:
            yield changed(log, number, **{"from": other(rng, seats(log), event["seat"], event["from"])})


@damage("is no")
def a_chow_called_pung(log: Log, rng: Random) -> Iterator[Log]:
    for number in [*places(log, "chow"), *places(log, "pung")]:
        yield changed(log, number, do=other(rng, ("chow", "pung"), log["events"][number]["do"]))


@damage("is no chow")
def a_chow_of_any_tiles(log: Log, rng: Random) -> Iterator[Log]:
    for number in places(log, "chow"):
        tiles = log["events"][number]["tiles"]
        yield changed(log, number, tiles=tiles[0] + tiles[1] + other(rng, "123456789", tiles[2]) + tiles[3])


@damage("has no")
def a_pung_called_kong(log: Log, rng: Random) -> Iterator[Log]:
    for number, hand in hands_before(log):
        event = log["events"][number]
        if event["do"] == "pung" and hand.count(NAMES.index(event["tile"])) == 2:
            yield changed(log, number, do="kong", kind="direct", tiles=None)


@damage("lies open")
def a_claim_too_late(log: Log, rng: Random) -> Iterator[Log]:
    for number in [*places(log, "chow"), *places(log, "pung")]:
        event = log["events"][number]
        draw = {"seat": (event["from"] + 1) % len(seats(log)), "do": "draw", "tile": "1m", "from": "wall"}
        yield with_events(log, [*log["events"][:number], draw, *log["events"][number:]])


# ---- the end


@damage()
def won_by_another(log: Log, rng: Random) -> Iterator[Log]:
    for number in places(log, "win"):
        event = log["events"][number]
        for seat in set(seats(log)) - {event["seat"]}:
            yield changed(log, number, seat=seat)


@damage("seat")
def won_on_another_tile(log: Log, rng: Random) -> Iterator[Log]:
    for number in places(log, "win"):
        yield changed(log, number, tile=other(rng, NAMES, log["events"][number]["tile"]))


@damage("event")
def won_in_another_way(log: Log, rng: Random) -> Iterator[Log]:
    for number in places(log, "win"):
        source = log["events"][number]["source"]
        yield changed(log, number, source=other(rng, ("self_draw", "discard", "rob_kong"), source))


@damage("seat")
def won_from_another(log: Log, rng: Random) -> Iterator[Log]:
    for number in places(log, "win"):
        event = log["events"][number]
        yield changed(log, number, **{"from": other(rng, seats(log), event["seat"], event.get("from"))})


@damage("won already")
def won_by_two(log: Log, rng: Random) -> Iterator[Log]:
    for number in places(log, "win", source="discard"):
        event = log["events"][number]
        more = event | {"seat": other(rng, seats(log), event["seat"])}
        yield with_events(log, [*log["events"][: number + 1], more])


@damage()
def exhausted_and_not_won(log: Log, rng: Random) -> Iterator[Log]:
    for number in places(log, "win"):
        events = [*log["events"][:number], {"do": "exhausted"}]
        yield with_events(log, events) | {"result": {"exhausted": True}}


@damage("result")
def another_result(log: Log, rng: Random) -> Iterator[Log]:
    several = isinstance(log["result"], list)
    answers = log["result"] if several else [log["result"]]
    for place, answer in enumerate(answers):
        wrongs = [answer | {name: wrong} for name, value in answer.items() for wrong in other_values(value)]
        wrongs += [{key: value for key, value in answer.items() if key != name} for name in answer]
        for wrong in wrongs:
            yield log | {"result": [*answers[:place], wrong, *answers[place + 1 :]] if several else wrong}


def other_values(value: object) -> Iterator[object]:
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield value + 1
    elif value is None or isinstance(value, str):
        yield 3
    elif isinstance(value, list) and value and isinstance(value[0], str):
        yield [*value, "tianhu"]
        yield []
    elif isinstance(value, list):
        for place, number in enumerate(value):
            yield [*value[:place], number + 1, *value[place + 1 :]]
            yield [*value[:place], -number - 1, *value[place + 1 :]]


@damage("answers wanted")
def no_result(log: Log, rng: Random) -> Iterator[Log]:
    yield log | {"result": None}


@damage("2 answers wanted")
def one_result_of_two(log: Log, rng: Random) -> Iterator[Log]:
    if isinstance(log["result"], list):
        yield log | {"result": log["result"][:1]}


# ---- the tests


def test_the_logs_are_sound_and_show_everything() -> None:
    shown = set()
    for log in sound_logs():
        assert audit(log, OPTIONS[log["rules_id"]]) == []
        shown |= {(event["do"], event.get("kind", event.get("source"))) for event in log["events"]}
    assert shown >= {
        *(("kong", kind) for kind in KONGS),
        *(("win", source) for source in OUTCOMES[1:]),
        *((do, None) for do in ("draw", "discard", "chow", "pung", "codes", "exhausted")),
    }


@pytest.mark.parametrize("name", DAMAGES)
def test_damage_is_objected_to(name: str) -> None:
    function, says = DAMAGES[name]
    tried = 0
    for number, log in enumerate(sound_logs()):
        damaged = [new for new in function(log, Random(number)) if new != log]
        for new in Random(number).sample(damaged, min(3, len(damaged))):
            faults = audit(new, OPTIONS[log["rules_id"]])
            assert any(says in fault for fault in faults), (new, faults)
            tried += 1
    assert tried
