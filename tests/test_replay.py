"""One hand again: from its number, from its log; its moments; as text."""

from __future__ import annotations

import copy
import json
import math
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from auditor import audit, options_of, record
from hand_logs import played, scripted
from machines import players_of
from oracle import shanten
from wuhan_core.actions import Action
from wuhan_core.records import HAND_DTYPE
from wuhan_core.rules import RuleSet, load_rules, preset_names
from wuhan_core.table import Table
from wuhan_core.tiles import KIND_NAMES, parse_tile, parse_tiles
from wuhan_sim import LogError, Task, TaskError, play_records, replay, replay_log
from wuhan_sim.replay_frames import frames_of
from wuhan_sim.replay_needs import Needs

Capture = pytest.CaptureFixture[str]
PRESETS = preset_names()
Log = dict[str, Any]


def mixed(rules: RuleSet) -> list[str]:
    return ["greedy", "random", "greedy", "random"][: players_of(rules)]


def logs(preset: str, count: int) -> Iterator[Log]:
    """Logs of a preset, half of them of hands in which anything legal may be done."""
    rules = load_rules(preset)
    for number in range(count):
        yield played(rules, number, ("greedy", "mixed")[number % 2], seed=6).log()


# ---- from its number


@pytest.mark.parametrize("draws", ["seat", "wall"])
@pytest.mark.parametrize("deal", ["rotated", "fresh", "balanced"])
@pytest.mark.parametrize("preset", PRESETS)
def test_the_record_is_derived_from_the_log_column_by_column(preset: str, deal: str, draws: str) -> None:
    rules = load_rules(preset)
    bots, first = mixed(rules), 10**12
    task = Task(rules, bots, 12, 2**100, deal, draws, first)
    for row in play_records(task):
        hand = replay(rules, bots, 2**100, int(row["hand"]), draws, deal)
        log = hand.to_dict()
        derived = record(log, rules.values)
        assert {name: row[name].tolist() for name in derived} == derived
        assert hand.bots == tuple(bots[bot] for bot in row["bot"][: len(bots)])
        per_wall = {"rotated": len(bots), "fresh": 1, "balanced": math.comb(len(bots), len(bots) // 2)}[deal]
        wall = int(row["hand"]) // per_wall
        assert row["wall"] == wall
        assert (log["hand"], log["seed"], log["draws"]) == (row["hand"], 2**100, draws)
    assert {*derived, "wall", "bot"} == set(HAND_DTYPE.names or ())


def test_the_log_is_one_line_of_json_as_designed() -> None:
    hand = replay("yuanhang", "greedy", 1, 3)
    log = hand.to_dict()
    assert json.loads(json.dumps(log)) == log
    assert list(log) == [
        *("hand", "seed", "rules", "rules_id", "set", "draws", "dealer", "indicator", "laizi"),
        *("wall", "deal", "events", "result"),
    ]
    assert audit(log, options_of(log)) == []
    assert hand == replay("yuanhang", "greedy", 1, 3)
    assert hash(hand) == hash(replay("yuanhang", "greedy", 1, 3))
    assert hand != replay("yuanhang", "greedy", 1, 2)
    log["events"].clear()  # a copy
    assert hand.to_dict()["events"]


def test_a_hand_log_is_frozen() -> None:
    with pytest.raises(AttributeError):
        replay("yuanhang", "greedy", 1, 3).bots = ()  # type: ignore[misc]


def test_decisions_are_every_question() -> None:
    hand = replay("yuanhang", "greedy", 1, 3)
    table = Table("yuanhang", 1, 3)
    for decision in hand.decisions:
        assert decision.after == len(table.log()["events"])
        assert (decision.seat, list(decision.legal)) == (table.seat, table.legal())
        table.step(decision.action)
    assert table.done
    claims = [decision for decision in hand.decisions if "pass" in map(str, decision.legal)]
    assert claims
    assert all(decision.special for decision in claims)


def test_every_fault_is_named() -> None:
    with pytest.raises(TaskError) as caught:
        replay("yuanghang", "greedi", -1, -2, "x", "y")
    words = ("yuanghang", "greedi", "seed = -1", "hand = -2", "deal = 'y'", "draws = 'x'")
    assert len(caught.value.faults) == len(words)
    for fault in caught.value.faults:
        assert sum(word in fault for word in words) == 1


# ---- from its log


@pytest.mark.parametrize("preset", PRESETS)
def test_a_log_played_again_is_the_same_log(preset: str) -> None:
    for log in logs(preset, 20):
        again = replay_log(json.loads(json.dumps(log)))
        assert again.to_dict() == log
        assert again.bots == ()
    hand = replay(preset, mixed(load_rules(preset)), 5, 8)
    again = replay_log(hand.to_dict())
    assert again == hand
    for one, other in zip(again.decisions, hand.decisions, strict=True):
        # where another seat's claim goes first, a log does not tell that there was one
        assert one == other or (one.action == Action("pass") and one.legal == other.legal)


def test_names_of_tiles_may_be_written_in_any_way() -> None:
    log = replay("yuanhang", "greedy", 1, 3).to_dict()
    other = copy.deepcopy(log)
    other["wall"] = [f"{name[0]}筒" if name.endswith("p") else name for name in log["wall"]]
    other["deal"] = ["".join(KIND_NAMES[kind] for kind in parse_tiles(hand)) for hand in log["deal"]]
    for event in other["events"]:
        if event["do"] == "win" and event["from"] is None:
            del event["from"]
    assert replay_log(other).to_dict() == log


ROBBERS = (
    "0 draw E; 0 discard 5m; 1 pung 5m 555m; 1 discard N; 2 draw W; 2 discard W; 3 draw S; 3 discard S;"
    "0 draw 9p; 0 discard 9p; 1 draw 5m; 1 added 5m; 2 win 5m; 3 win 5m"
)


def test_s8_several_robbers_all_win() -> None:
    rules = load_rules("hongxin")
    deal = ["5m", "55mN", "46m111222333p44s", "46m111222333s88p"]
    log = scripted(rules, deal, "1m", ROBBERS)
    assert audit(log, rules.values) == []
    hand = replay_log(log)
    assert [decision.seat for decision in hand.decisions[-2:]] == [2, 3]
    assert len(hand.scores) == 2
    assert isinstance(hand.to_dict()["result"], list)
    assert str(hand).count("robs the kong of seat 1: wins on 5m") == 2
    log["events"].pop()
    with pytest.raises(LogError, match=r"result = .*, must be"):
        replay_log(log)


def damaged(**fields: Any) -> list[str]:
    """The faults of a sound log with some fields changed (a callable makes the new value of the old one)."""
    log = replay("yuanhang", "greedy", 1, 3).to_dict()
    for name, value in fields.items():
        log[name] = value(log[name]) if callable(value) else value
    with pytest.raises(LogError) as caught:
        replay_log(log)
    return caught.value.faults


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"rules": 3}, ["rules = 3"]),
        ({"rules": "laizigang"}, ["rules_id = "]),
        ({"rules_id": "0" * 64}, ["rules_id = "]),
        ({"set": {"cap.per_payr": 1}}, ["cap.per_payr"]),
        ({"set": [1]}, ["[1]"]),
        ({"wall": None}, ["wall = None, must be a list of tiles"]),
        ({"wall": [0] * 136}, ["must be a list of tiles"]),
        ({"wall": lambda wall: wall[1:]}, ["135 tiles", "4s 3 times"]),
        ({"wall": lambda wall: wall[::-1]}, ["events[0] is seat=0 do=draw tile=2p from=wall, must be"]),
        ({"dealer": 4}, ["dealer = 4"]),
        ({"dealer": None}, ["dealer = None"]),
        ({"dealer": 1}, ["events[0] is seat=0 do=draw"]),
        ({"draws": None}, ["draws = None"]),
        ({"draws": "wall"}, ["events[4] is seat=1 do=draw tile=P from=tail, must be"]),
        ({"hand": -1}, ["hand = -1"]),
        ({"hand": "x"}, ["hand = 'x'"]),
        ({"seed": "x"}, ["seed = 'x'"]),
        ({"indicator": "S"}, ["indicator = 'S', must be 'E'"]),
        ({"laizi": "W", "deal": 3}, ["laizi = 'W', must be 'S'", "deal = [3], the wall deals"]),
        ({"result": {"exhausted": True}}, ["result = {'exhausted': True}, must be {'wins': True"]),
        ({"events": {}}, ["events = {}, must be a list"]),
        ({"events": lambda events: events[:-1]}, ["result = "]),
        (
            {"events": lambda events: events[:2], "result": None},
            ["events end after 2, must go on with"],
        ),
        ({"events": lambda events: [*events, {"do": "exhausted"}]}, ["events[49] = {'do': 'exhausted'}"]),
        ({"events": [3, {"do": []}, {}]}, ["events[0] = 3", "events[1] = {'do': []}", "events[2] = {}"]),
        (
            {"events": [{"do": "draw", "seat": 4, "tile": "1z", "from": 0, "more": 1}]},
            [
                "unknown 'more'",
                "seat = 4, must be a seat, 0 to 3",
                "tile = '1z'",
                "from = 0, must be wall or",
            ],
        ),
        ({"events": [{"do": "pung", "seat": 0, "tile": "1m", "from": 1, "tiles": ""}]}, ["tiles = ''"]),
        ({"events": [{"do": "draw"}]}, ["seat is missing", "tile is missing", "from is missing"]),
        ({"events": [{"do": "chow", "seat": True, "tile": 3, "tiles": ["1m"], "from": "x"}]}, [""] * 4),
        (
            {"events": [{"do": "kong", "seat": 0, "tile": "1m", "kind": "big"}]},
            ["kind = 'big', must be direct"],
        ),
        ({"seed": -1, "draws": 1, "rules_id": None, "wall": 1, "events": 2}, [""] * 4),
    ],
)
def test_what_is_wrong_with_a_log_is_named(fields: dict[str, Any], words: list[str]) -> None:
    faults = damaged(**fields)
    assert len(faults) == len(words), faults
    for fault, word in zip(faults, words, strict=True):
        assert word in fault


@pytest.mark.parametrize("log", [None, [], "x", 3, {}, {"events": []}])
def test_what_is_no_log(log: Any) -> None:
    with pytest.raises(LogError):
        replay_log(log)


@pytest.mark.parametrize("preset", PRESETS)
def test_an_event_that_does_not_fit_is_named(preset: str) -> None:
    """Any event changed in any way: refused if the auditor has something against it, not before the event."""
    rng, rules = Random(1), load_rules(preset)
    named: Counter[object] = Counter()
    for log in logs(preset, 4):
        for number, event in enumerate(log["events"]):
            bad = copy.deepcopy(log)
            change = bad["events"][number]
            if rng.random() < 0.3 or "tile" not in event:
                del bad["events"][number]
            elif rng.random() < 0.5:
                change["tile"] = rng.choice([name for name in KIND_NAMES if name != event["tile"]])
            else:
                change["seat"] = (event["seat"] + 1) % len(log["deal"])
            sound = audit(bad, rules.values) == []  # another discard may do as well
            try:
                replay_log(bad)
                assert sound
                named["sound"] += 1
                continue
            except LogError as error:
                assert not sound
                (fault,) = error.faults
            if fault.startswith("events["):
                at = int(fault[len("events[") : fault.index("]")])
                assert at >= number
                named[at == number] += 1
            else:
                assert fault.startswith(("result = ", "events end after ")), fault
                named["end"] += 1
    assert named[True] > 3 * named[False] > 0, named
    assert named["end"] > 0, named


# ---- moments


@pytest.mark.parametrize("preset", PRESETS)
def test_every_moment_shows_what_the_table_holds(preset: str) -> None:
    rules = load_rules(preset)
    for number in range(8):
        table, rng = Table(rules, 8, number), Random(number)
        while not table.done:
            frame = frames_of(table.log())[-1]
            seen = table.observation(0)
            assert frame.left == seen.left
            for seat, held in enumerate(frame.seats):
                own = table.observation(seat)
                assert held.hand == own.hand
                assert held.drawn == (None if own.drawn < 0 else own.drawn)
                melds = tuple((m.kind, min(m.tiles), -1 if m.giver is None else m.giver) for m in held.melds)
                assert melds == seen.melds[seat]
                kinds = Counter(kind for kind, _ in held.singles)
                assert (kinds["red"], kinds["wild"], kinds["skin"]) == seen.single_kongs[seat]
                assert held.river == seen.rivers[seat]
            table.step(rng.choice(table.legal()) if rng.random() < 0.4 else table.choose("greedy"))
        case = table.case()
        if case:
            winner = case["win"]["winner"]
            held = frames_of(table.log())[-1].seats[winner].hand
            last = [] if case["win"]["source"] == "self_draw" else [parse_tile(case["win"]["tile"])]
            assert sorted(held) == sorted([*parse_tiles(case["players"][winner]["hand"]), *last])


@pytest.mark.parametrize("preset", PRESETS)
def test_what_a_seat_needs(preset: str) -> None:
    """A draw wins if and only if it was among the kinds to win on; shanten is the oracle's."""
    rules = load_rules(preset)
    checked: Counter[object] = Counter()
    for number in range(12):
        log = played(rules, number, ("greedy", "mixed")[number % 2], seed=9).log()
        hand, needs = replay_log(log), Needs(log, rules)
        may_win = {d.after: Action("win") in d.legal for d in hand.decisions}
        before = None
        for at, frame in enumerate(frames_of(log)):
            if frame.event and frame.event["do"] in ("win", "codes", "exhausted"):
                break
            now = needs.of(frame)
            event = frame.event or {}
            if before and event.get("do") == "draw" and event["from"] == "wall" and not event.get("last"):
                wins = [kind for kind, _ in before[event["seat"]].wins]
                assert may_win[at] == (parse_tile(event["tile"]) in wins)
                checked["win", may_win[at]] += 1
            for held, need in zip(frame.seats, now, strict=True):
                useless = needs.blocked | {needs.laizi}
                counts = [0 if kind in useless else held.hand.count(kind) for kind in range(34)]
                wild = held.hand.count(needs.laizi)
                if at % 9 == 0 and sum(counts) + wild == len(held.hand):
                    away = shanten(tuple(counts), wild, len(held.melds), fifth=True)
                    assert need.shanten == away
                    checked["shanten"] += 1
                assert (need.why_not is None) or (need.shanten == 0 and not need.wins)
                checked["why"] += need.why_not is not None
                assert all(0 <= live <= 4 for _, live in (*need.useful, *need.wins))
                free = not needs.blocked.intersection(held.hand)
                assert bool(need.discards) == (len(held.hand) % 3 == 2 and free)
                assert all(tile in held.hand for tile, _ in need.discards)
            before = now
    assert checked["win", True] > 0, checked
    assert checked["win", False] > 100, checked
    assert checked["shanten"] > 100, checked
    assert checked["why"] > 0 or preset.startswith("hong"), checked


# ---- as text


def test_text_has_every_event_the_hands_and_the_score() -> None:
    hand = replay("yuanhang", ["greedy", "random", "greedy", "random"], 1, 3)
    text = str(hand)
    lines = text.splitlines()
    log = hand.to_dict()
    assert lines[0] == "yuanhang, hand 3, seed 1"
    assert lines[1] == "dealer: seat 0, indicator E, wildcard S, each seat draws from its own queue"
    for seat, bot in enumerate(hand.bots):
        assert any(
            line.split() == f"seat {seat} ({bot}) is dealt {log['deal'][seat]}".split() for line in lines
        )
    verbs = {"draw": "draws", "discard": "discards", "chow": "chows", "pung": "pungs", "win": "wins"}
    for number, event in enumerate(log["events"], 1):
        (line,) = [line for line in lines if line.startswith(f"{number} ")]
        assert f"seat {event['seat']}" in line
        assert verbs.get(event["do"], "kong") in line
        assert event["tile"] in line
    assert text.endswith(hand.scores[0].to_text())
    assert lines[7].split() == ["2", "seat", "0", "discards", "E", "336m23448p1345sF"]


def test_text_in_chinese() -> None:
    text = replay("yuanhang", "greedy", 1, 3).to_text("zh")
    assert text.startswith("yuanhang，第3局，种子1\n庄家：座位0、翻牌东、赖子南")
    assert "座位1 红中杠中" in text
    assert "得分：" in text
    with pytest.raises(ValueError, match="lang = 'fr'"):
        replay("yuanhang", "greedy", 1, 3).to_text("fr")  # type: ignore[arg-type]


def test_text_of_hands_nobody_wins() -> None:
    for number in range(400):
        hand = replay("hongzhong", "random", 2, number)
        result = hand.to_dict()["result"]
        if "exhausted" in result and any(result["deltas"]):
            break
    assert "the wall is exhausted" in str(hand)
    assert "Nobody has won." in str(hand)
    gains = ", ".join(f"seat {seat} {points:+}" for seat, points in enumerate(result["deltas"]))
    assert str(hand).endswith(f"points: {gains}")
    assert hand.scores == ()


def test_text_names_codes_in_their_order() -> None:
    hand = next(h for n in range(50) if (h := replay("hongzhong", "greedy", 2, n)).scores)
    codes = hand.to_dict()["events"][-1]["tiles"]
    assert f"codes turned up: {', '.join(codes)}" in str(hand)
