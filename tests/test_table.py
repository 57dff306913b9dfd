"""`Table`: one hand step by step from outside, and properties of any state that can be reached."""

from __future__ import annotations

import copy
import json
import pickle
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest

from hand_logs import action_of
from machines import players_of
from wuhan_core._wall import wall_of
from wuhan_core.actions import ACTIONS, VERBS, Action
from wuhan_core.rules import load_rules, preset_names
from wuhan_core.table import IllegalAction, Observation, Table, TableError
from wuhan_core.tiles import KIND_NAMES, format_tile, format_tiles
from wuhan_sim.replay import replay_log

PRESETS = preset_names()
ALL = [action for action in ACTIONS if action is not None]


def wander(table: Table, rng: Random, wild: float = 0.5) -> Iterator[None]:
    """Play on, now greedily, now any legal action; yields before each action."""
    while not table.done:
        yield
        action = rng.choice(table.legal()) if rng.random() < wild else table.choose("greedy")
        table.step(action)


def tables(preset: str, count: int) -> Iterator[tuple[Table, Random]]:
    """Tables of a preset with all dealers and both orders of draws."""
    rules = load_rules(preset)
    players = players_of(rules)
    for number in range(count):
        draws = ("seat", "wall")[number // players % 2]
        yield Table(rules, 5, number, dealer=number % players, draws=draws), Random(number)


def everything(table: Table) -> dict[str, Any]:
    """All that can be asked of a table, hidden tiles included."""
    seen = [table.observation(seat).to_dict() for seat in range(table.players)]
    return {
        "seat": table.seat,
        "done": table.done,
        "legal": table.legal(),
        "seen": seen,
        "log": table.log(),
        "deltas": table.deltas,
        "next": table.next_dealer,
        "state": table._machine.state(),
    }


# ---- the face


def test_a_hand_from_outside() -> None:
    table = Table("yuanhang", seed=1, hand=3)
    assert (table.seat, table.done, table.result(), table.next_dealer) == (0, False, None, None)
    assert table.deltas == [0, 0, 0, 0]
    first = table.log()["events"]
    assert [event["do"] for event in first] == ["draw"]
    assert table.step("discard E") is None  # type: ignore[func-returns-value]
    assert table.log()["events"][:2] == [*first, {"seat": 0, "do": "discard", "tile": "E"}]
    while not table.done:
        table.step(table.choose("greedy"))
    assert table.legal() == []
    assert table.next_dealer in range(4)
    assert table.result() == table.log()["result"]
    with pytest.raises(IllegalAction, match="nothing, the hand is over"):
        table.step("pass")


def test_seed_and_hand_are_those_of_a_task() -> None:
    assert Table("yuanhang", 3, 9).log()["wall"] == [KIND_NAMES[kind] for kind in wall_of(3, 2)]
    assert Table("yuanhang", 3, 9, deal="fresh").log()["wall"] == [KIND_NAMES[kind] for kind in wall_of(3, 9)]
    assert Table("hongzhong-2p", 3, 9).log()["wall"] == [KIND_NAMES[kind] for kind in wall_of(3, 4, 112)]
    assert Table("yuanhang", 2**128 - 1, 2**62 - 1).log()["seed"] == 2**128 - 1


def test_a_supplied_wall_is_played_in_its_order() -> None:
    kinds = wall_of(7, 0)
    names = [KIND_NAMES[kind] for kind in kinds]
    logs = [Table("yuanhang", wall=wall).log() for wall in (kinds, names, " ".join(names), "".join(names))]
    assert all(log == logs[0] for log in logs)
    assert (logs[0]["wall"], logs[0]["seed"], logs[0]["draws"]) == (names, None, "wall")
    table, taken = Table("yuanhang", wall=kinds, dealer=2), 53
    for _ in wander(table, Random(0)):
        pass
    for event in table.log()["events"]:
        if event["do"] == "draw" and event["from"] == "wall":
            assert event["tile"] == names[taken]
            taken += 1
    assert table.log()["deal"][2] == format_tiles(sorted(kinds[:13]))
    assert table.log()["deal"][1] == format_tiles(sorted(kinds[39:52]))


WALL = wall_of(1, 0)


@pytest.mark.parametrize(
    ("fields", "faults"),
    [
        ({"wall": WALL[:-1]}, ["wall: 135 tiles, must be 136", f"wall: {format_tile(WALL[-1])} 3 times"]),
        ({"wall": [0] * 136}, ["1m 136 times, must be 4", *[f"{name} 0 times" for name in KIND_NAMES[1:]]]),
        ({"wall": [*WALL[1:], 34]}, ["34 is no kind", f"{format_tile(WALL[0])} 3 times"]),
        ({"wall": [*WALL[1:], -1]}, ["-1 is no kind", f"{format_tile(WALL[0])} 3 times"]),
        ({"wall": "123x"}, ["wall: position 1", "wall: position 4"]),
        ({"wall": 7}, ["wall = 7"]),
        ({"wall": [1.5]}, ["wall = [1.5]"]),
        ({"wall": [["1m"]]}, ["wall = [['1m']]"]),
        ({"dealer": 4}, ["dealer = 4, must be a whole number from 0 to 3"]),
        ({"dealer": -1}, ["dealer = -1"]),
        ({"dealer": True}, ["dealer = True"]),
        ({"dealer": "0"}, ["dealer = '0'"]),
        ({"seed": -1}, ["seed = -1"]),
        ({"seed": 2**128}, ["must be a whole number from 0 to 2**128 - 1"]),
        ({"seed": 1.0}, ["seed = 1.0"]),
        ({"hand": 2**62}, ["must be a whole number from 0 to 2**62 - 1"]),
        ({"draws": "x"}, ["draws = 'x'"]),
        ({"deal": "x"}, ["deal = 'x'"]),
        ({"seed": -1, "hand": -1, "dealer": 9, "draws": 1, "deal": 2, "wall": 3}, [""] * 6),
    ],
)
def test_every_fault_of_a_table_is_named(fields: dict[str, Any], faults: list[str]) -> None:
    with pytest.raises(TableError) as caught:
        Table("yuanhang", **fields)
    assert len(caught.value.faults) == len(faults)
    for fault, words in zip(caught.value.faults, faults, strict=True):
        assert words in fault


def test_a_wall_must_be_of_the_game() -> None:
    assert len(Table("hongzhong", wall=wall_of(0, 0, 112)).log()["wall"]) == 112
    with pytest.raises(TableError) as caught:
        Table("hongzhong", wall=WALL)
    assert caught.value.faults[0] == "wall: 136 tiles, must be 112"
    assert "wall: E 4 times, must be 0" in caught.value.faults


def test_numbers_of_any_type_are_kept_as_plain_ones() -> None:
    table = Table("yuanhang", seed=np.int64(3), hand=np.uint8(2), dealer=np.int8(1), wall_number=np.int64(7))  # type: ignore[arg-type]
    assert json.loads(json.dumps(table.log())) == Table("yuanhang", 3, 2, 1, wall_number=7).log()


@pytest.mark.parametrize("seat", [-1, 4, "0", None, True, 1.0, np.arange(2)])
def test_an_observation_is_of_a_seat(seat: Any) -> None:
    with pytest.raises(ValueError, match="must be a whole number from 0 to 3"):
        Table("yuanhang").observation(seat)
    with pytest.raises(TypeError, match="comes from Table"):
        Observation()


@pytest.mark.parametrize(
    ("action", "shown"), [(np.int64(-1), "-1"), (np.arange(2), "array([0, 1])"), (None, "None"), (2.5, "2.5")]
)
def test_what_is_no_action_is_illegal(action: Any, shown: str) -> None:
    table = Table("yuanhang")
    with pytest.raises(IllegalAction) as caught:
        table.step(action)
    assert str(caught.value).startswith(f"{shown} is not legal for seat 0; allowed: discard ")
    copied = pickle.loads(pickle.dumps(caught.value))
    assert (str(copied), copied.seat, copied.legal) == (str(caught.value), 0, tuple(table.legal()))


def test_what_cannot_be_pickled_says_what_can() -> None:
    table = Table("yuanhang")
    for thing, words in (
        (table, "a Table is not pickled, its log"),
        (table.observation(0), "what to_dict gives"),
    ):
        with pytest.raises(TypeError, match=words):
            pickle.dumps(thing)


def test_an_action_equal_to_a_legal_one_is_that_one() -> None:
    table, other = Table("yuanhang"), Table("yuanhang")
    action = table.legal()[0]
    table.step(action)
    other.step(Action(action.verb, float(action.kind)))  # type: ignore[arg-type]
    assert other.log() == table.log()


@pytest.mark.parametrize("text", ["", "discard", "discard 10m", "win 5p", "fly 5p", "discard 1z", "pass 1m"])
def test_text_that_is_no_action_is_illegal(text: str) -> None:
    table = Table("yuanhang")
    with pytest.raises(IllegalAction, match="allowed: discard "):
        table.step(text)
    with pytest.raises(ValueError, match=r"unknown action|takes no tile|discard"):
        Action.parse(text)


@pytest.mark.parametrize("kind", [34, 99, -2, "x", None, []], ids=repr)
def test_an_action_of_no_kind_of_tile_is_illegal(kind: Any) -> None:
    with pytest.raises(IllegalAction, match=r"^.*discard.* is not legal for seat 0; allowed: discard "):
        Table("yuanhang").step(Action("discard", kind))


def test_actions_are_their_text_and_their_code() -> None:
    assert all(Action.parse(str(action)) == action for action in ALL)
    assert [code for code, action in enumerate(ACTIONS) if action and action.code != code] == []
    assert len(ALL) == 2 + 34 * (len(VERBS) - 2)


def test_rules_of_a_file_and_their_log(tmp_path: Any) -> None:
    """A log names a preset or none: whoever reads it need not have the file."""
    path = tmp_path / "house.toml"
    path.write_text('extends = "laizigang"\n[cap]\nper_payer = 100\n[win]\nshapes = ["standard"]\n')
    table = Table(load_rules(path))
    for _ in wander(table, Random(2), wild=0):
        pass
    log = table.log()
    assert log["rules"] is None
    assert log["set"]["win.shapes"] == ["standard"]
    assert log == json.loads(json.dumps(log))
    assert load_rules("yuanhang", log["set"]).id == log["rules_id"]
    assert replay_log(log).to_dict() == log


# ---- properties of any state that can be reached


@pytest.mark.parametrize("preset", PRESETS)
def test_there_is_a_legal_action_until_the_hand_is_done(preset: str) -> None:
    for table, rng in tables(preset, 24):
        for _ in wander(table, rng):
            legal = table.legal()
            assert legal
            assert len(set(legal)) == len(legal)
            assert table.seat in range(table.players)
            assert table.observation(table.seat).asked == table.seat
        assert table.legal() == []
        assert sum(table.deltas) == 0
        assert table.log()["events"][-1]["do"] in ("win", "codes", "exhausted")


@pytest.mark.parametrize("preset", PRESETS)
def test_tiles_are_conserved(preset: str) -> None:
    """What all hold and show, and what has not been drawn, is the wall: told from the observations alone."""
    for table, rng in tables(preset, 12):
        whole = Counter(table._wall)
        for _ in wander(table, rng):
            seen = table.observation(0)
            tiles = Counter([seen.indicator] if seen.indicator >= 0 else [])
            for seat in range(table.players):
                own = table.observation(seat)
                held = {kind: n for kind, n in enumerate(own.counts) if n}
                assert sum(held.values()) == seen.concealed[seat]
                tiles.update(held)
                tiles.update(seen.rivers[seat])
                for kind, lowest, _ in seen.melds[seat]:
                    size = 4 if kind.endswith("kong") else 3
                    chow = kind == "chow"
                    tiles.update([lowest + i * chow for i in range(size)])
                reds, wilds, skins = seen.single_kongs[seat]
                tiles.update({31: reds} if reds else {})
                tiles.update({seen.laizi: wilds} if wilds else {})
                assert skins == 0 or len(seen.skins) > 0
            assert all(n <= whole[kind] for kind, n in tiles.items())
            skin_kongs = sum(kongs[2] for kongs in seen.single_kongs)  # of either kind of skin
            assert tiles.total() + skin_kongs + seen.left == whole.total()


@pytest.mark.parametrize("preset", PRESETS)
def test_illegal_actions_change_nothing(preset: str) -> None:
    for table, rng in tables(preset, 4):
        for _ in wander(table, rng):
            if rng.random() > 0.2:
                continue
            before, legal = everything(table), table.legal()
            for action in [action for action in ALL if action not in legal]:
                with pytest.raises(IllegalAction) as caught:
                    table.step(action)
                assert caught.value.legal == tuple(legal)
                assert (caught.value.action, caught.value.seat) == (action, table.seat)
            assert str(caught.value).endswith(f"allowed: {', '.join(map(str, legal))}")
            assert everything(table) == before


@pytest.mark.parametrize("preset", PRESETS)
def test_a_copy_goes_its_own_way(preset: str) -> None:
    for table, rng in tables(preset, 4):
        for _ in wander(table, rng):
            if rng.random() > 0.1:
                continue
            before, copy = everything(table), table.copy()
            assert everything(copy) == before
            for _ in wander(copy, Random(1)):
                pass
            assert everything(table) == before
            other = table.copy()
            for _ in wander(other, Random(1)):
                pass
            assert everything(other) == everything(copy)  # the streams of compiled bots are copied, too


@pytest.mark.parametrize("preset", PRESETS)
def test_the_same_log_replayed_gives_the_same_log(preset: str) -> None:
    for table, rng in tables(preset, 12):
        for _ in wander(table, rng):
            if rng.random() < 0.01:
                assert replay_log(table.log()).to_dict() == table.log()  # of a hand that is not finished
        log = json.loads(json.dumps(table.log()))
        assert log == table.log()
        assert replay_log(log).to_dict() == log


# ---- what a seat may know


def shuffled(table: Table, viewer: int, rng: Random) -> list[int]:
    """The wall with all that the viewer cannot know shuffled: others' tiles not shown yet, what is undrawn.

    What the others have shown stays where it came from.
    """
    n, drawn = table.players, positions_of_draws(table)
    first = 13 * n + (table.observation(viewer).indicator >= 0)
    owner = {i: (table.dealer + i // 13) % n for i in range(13 * n)} | drawn
    hidden = [i for i in range(first, len(table._wall)) if i not in drawn]
    for seat in range(n):
        if seat == viewer:
            continue
        concealed = Counter(dict(enumerate(table.observation(seat).counts)))
        for place in sorted((place for place, who in owner.items() if who == seat), reverse=True):
            kind = table._wall[place]
            if concealed[kind]:  # the copies that came last are those still held
                concealed[kind] -= 1
                hidden.append(place)
    wall, kinds = [*table._wall], [table._wall[place] for place in hidden]
    rng.shuffle(kinds)
    for place, kind in zip(hidden, kinds, strict=True):
        wall[place] = kind
    return wall


def positions_of_draws(table: Table) -> dict[int, int]:
    """Which seat drew from which position of the wall, with seat queues."""
    n, size = table.players, len(table._wall)
    first = 13 * n + (table.observation(0).indicator >= 0)
    left, found, counts = set(range(first, size)), {}, Counter[tuple[int, str]]()
    for event in table.log()["events"]:
        if event["do"] == "draw":
            seat, end = event["seat"], event["from"]
            turn, drawn = (seat - table.dealer) % n, counts[seat, end]
            counts[seat, end] += 1
            queued = first + n * drawn + turn if end == "wall" else size - 1 - (n * drawn + turn)
            if table.draws == "wall" or queued not in left:
                queued = min(left) if end == "wall" else max(left)
            left.remove(queued)
            found[queued] = seat
            assert event["tile"] == KIND_NAMES[table._wall[queued]]
    return found


def same_again(table: Table, wall: list[int], done: list[tuple[int, Action]], viewer: int) -> Table | None:
    """The same hand with another wall, up to the viewer's question; None where it cannot be the same.

    done: all that was done for all to see, passes left out.
    """
    other = Table(table.rules, dealer=table.dealer, wall=wall, draws=table.draws)
    for seat, action in done:
        while other.seat != seat or action not in other.legal():
            if Action("pass") not in other.legal():
                return None
            other.step("pass")
        other.step(action)
    while not other.done and other.seat != viewer:
        if Action("pass") not in other.legal():
            return None
        other.step("pass")
    return None if other.done else other


def with_others_hidden_tiles(table: Table, rng: Random) -> Table | None:
    """The same hand for the seat that is asked, with other tiles where it cannot see; None: it cannot be."""
    # what has been done for all to see; answers to a claim that is still open are not among it
    events = [event for event in table.log()["events"] if event["do"] != "draw"]
    done = [(event["seat"], Action.parse(action_of(event))) for event in events]
    other = same_again(table, shuffled(table, table.seat, rng), done, table.seat)
    phase = table.observation(table.seat).phase
    return other if other and other.observation(table.seat).phase == phase else None


def assert_same_for_who_is_asked(table: Table, rng: Random) -> int:
    other = with_others_hidden_tiles(table, rng)
    if other is None:
        return 0
    assert other.observation(table.seat).to_dict() == table.observation(table.seat).to_dict()
    assert other.legal() == table.legal()
    return other._wall != table._wall


@pytest.mark.parametrize("preset", PRESETS)
def test_an_observation_does_not_change_when_hidden_tiles_do(preset: str) -> None:
    compared: Counter[str] = Counter()
    for table, rng in tables(preset, 16):
        for _ in wander(table, rng, 0.4):
            if rng.random() < 0.12:
                phase = table.observation(table.seat).phase
                compared[phase] += assert_same_for_who_is_asked(table, rng)
    assert compared["turn"] > 20, compared
    assert compared["claim"] > 2, compared


def test_an_observation_does_not_change_at_rare_moments_either() -> None:
    """Robbing, the last round: hands that like kongs and go on for long."""
    compared: Counter[str] = Counter()
    for preset in ("bianfeng", "hongzhong", "laizigang"):
        for table, rng in tables(preset, 150):
            while not table.done:
                phase, legal = table.observation(table.seat).phase, table.legal()
                if phase in ("rob", "last"):
                    compared[phase] += assert_same_for_who_is_asked(table, rng)
                kongs = [action for action in legal if action.verb == "added_kong"]
                wins = Action("win") in legal and phase in ("turn", "claim") and rng.random() < 0.9
                passed = "pass" if Action("pass") in legal else rng.choice(legal)
                table.step(kongs[0] if kongs else passed if wins else table.choose("greedy"))

    assert compared["rob"] > 3, compared
    assert compared["last"] > 3, compared


def test_copies_of_a_table_go_their_own_ways() -> None:
    table = Table("yuanhang", seed=1)
    table.step(table.legal()[0])
    before = table.log()
    for other in (table.copy(), copy.copy(table), copy.deepcopy(table), copy.deepcopy([table])[0]):
        assert other.log() == before
        while not other.done:
            other.step(other.legal()[0])
        assert table.log() == before
    seen = table.observation(table.seat)
    assert copy.deepcopy(seen).to_dict() == seen.to_dict()


def test_a_table_and_what_is_seen_of_it_are_shown_in_a_line() -> None:
    table = Table("yuanhang", seed=1, hand=7)
    assert repr(table) == f"<Table yuanhang, hand 7 of seed 1, 1 events, seat {table.seat} is asked>"
    assert repr(table.observation(2)) == (
        f"<Observation of seat 2, turn, seat {table.seat} is asked, {table.observation(2).left} tiles left>"
    )
    while not table.done:
        table.step(table.legal()[0])
    assert repr(table).endswith(", over>")


def test_a_case_is_of_a_seat_that_won() -> None:
    table = Table("yuanhang", seed=1)
    while not table.done:
        table.step(table.choose("greedy"))
    case = table.case()
    assert case is not None
    winner = case["win"]["winner"]
    assert table.case(np.int64(winner)) == case  # type: ignore[arg-type]
    assert type(table.case(np.int64(winner))["win"]["winner"]) is int  # type: ignore[arg-type,index]
    for seat in (7, (winner + 1) % 4, -1, True, "1"):
        with pytest.raises(TableError, match=rf"^winner = .*, must be {winner}, who won$"):
            table.case(seat)  # type: ignore[arg-type]
