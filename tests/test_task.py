"""Tasks: validation with every fault, identity, and the way through JSON."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wuhan_core.errors import either, whole
from wuhan_core.rules import RuleSet, load_rules
from wuhan_sim import Task, TaskError, engine
from wuhan_sim.bots import read_bots

RULES = load_rules("yuanhang")


def faults(*args: object, **fields: object) -> list[str]:
    with pytest.raises(TaskError) as caught:
        Task(*args, **fields)  # type: ignore[arg-type]
    return caught.value.faults


def test_one_bot_sits_on_every_seat() -> None:
    assert Task("yuanhang", "greedy", 10) == Task(RULES, ("greedy",) * 4, 10)
    assert Task(RULES, ["random"], 10).bots == ("random",) * 4
    assert Task(RULES, "greedy, random,random ,greedy", 10).bots == ("greedy", "random", "random", "greedy")


def test_hands_per_wall_follow_players_and_deal() -> None:
    assert Task(RULES, "greedy", 10).hands_per_wall == 4
    assert Task(RULES, "greedy", 10, deal="fresh").hands_per_wall == 1


def test_task_is_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Task(RULES, "greedy", 10).seed = 3  # type: ignore[misc]


def test_every_fault_is_named_at_once() -> None:
    found = faults("yuanghang", "greedi,random", 1.5, seed=-1, deal="new", draws="tabel", first="x")
    assert len(found) == 7
    for fault, words in zip(
        found,
        (
            ("yuanghang", "yuanhang"),
            ("greedi", "greedy", "random"),
            ("hands = 1.5", "from 1 to"),
            ("seed = -1", "from 0 to"),
            ("first = 'x'", "from 0 to"),
            ("deal = 'new'", "rotated, fresh or balanced"),
            ("draws = 'tabel'", "seat or wall"),
        ),
        strict=True,
    ):
        for word in words:
            assert word in fault


@pytest.mark.parametrize("hands", [0, -3, 1.5, "10", None, True, 2**62, [1]])
def test_hands_must_be_a_whole_number(hands: object) -> None:
    (fault,) = faults(RULES, "greedy", hands)
    assert fault.startswith(f"hands = {hands!r}, must be a whole number from 1 to")


def test_hand_numbers_stay_below_their_bound() -> None:
    assert Task(RULES, "greedy", 1, first=2**62 - 1).last == 2**62
    (fault,) = faults(RULES, "greedy", 2, first=2**62 - 1)
    assert "first + hands" in fault
    found = faults(RULES, "greedi", 2, first=2**62 - 1, seed=-1)
    for word, fault in zip(("greedi", "seed", "first + hands"), found, strict=True):
        assert word in fault


@pytest.mark.parametrize("word", [np.array(["rotated", "fresh"]), ["rotated"], None, 5])
def test_deal_and_draws_of_any_type_are_named(word: object) -> None:
    found = faults(RULES, "greedy", 10, deal=word, draws=word)
    assert [fault.split(" = ")[0] for fault in found] == ["deal", "draws"]


@pytest.mark.parametrize(
    ("bots", "players", "words"),
    [
        ("greedy,random", 4, "has 2 names, must be 4"),
        ("greedy,random,greedy", 2, "has 3 names, must be 2"),
        ("", 4, "unknown bot ''"),
        ("grdy", 4, "the nearest is greedy"),
        ("zzz", None, "allowed are random, greedy"),
        ("greedy,random,greedy", None, "has 3 names, must be 2 or 4"),
        (np.array(["greedy"]), 4, "must be names"),
        (7, 4, "bots = 7"),
        (["greedy", 7], 4, "must be names"),
        ((), 4, "has 0 names"),
    ],
)
def test_bots_that_cannot_be(bots: object, players: int | None, words: str) -> None:
    _, (fault,) = read_bots(bots, players)
    assert words in fault


def test_unknown_rules_may_have_any_number_of_players_that_a_game_has() -> None:
    assert read_bots("greedy", None) == (("greedy",), [])
    assert read_bots("greedy,random", None) == (("greedy", "random"), [])
    assert read_bots("greedy,random", 2) == (("greedy", "random"), [])


def test_id_is_what_decides_a_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    task = Task(RULES, "greedy", 10)
    renamed = RuleSet(dict(RULES.values))
    assert renamed.name != RULES.name
    same = [task, Task(RULES, "greedy", 20), Task(RULES, "greedy", 10, first=4), Task(renamed, "greedy", 10)]
    other = [
        Task(RULES, "random", 10),
        Task(RULES, "greedy,random,random,random", 10),
        Task(RULES, "random,greedy,random,random", 10),
        Task(RULES, "greedy", 10, seed=1),
        Task(RULES, "greedy", 10, deal="fresh"),
        Task(RULES, "greedy", 10, draws="wall"),
        Task(RULES.replace({"cap.per_payer": 200}), "greedy", 10),
    ]
    assert len({t.id for t in same}) == 1
    assert len({t.id for t in other} | {task.id}) == len(other) + 1
    assert len(task.id) == 64
    monkeypatch.setattr(engine, "STREAM_VERSION", engine.STREAM_VERSION + 1)
    assert Task(RULES, "greedy", 10).id != task.id


@given(
    hands=st.integers(1, 2**61),
    seed=st.integers(0, 2**128 - 1),
    first=st.integers(0, 2**61),
    deal=st.sampled_from(["rotated", "fresh", "balanced"]),
    draws=st.sampled_from(["seat", "wall"]),
    cap=st.integers(0, 1_000_000),
    bots=st.tuples(*[st.sampled_from(["greedy", "random"])] * 4),
)
def test_json_brings_back_an_equal_task(
    hands: int, seed: int, first: int, deal: str, draws: str, cap: int, bots: tuple[str, ...]
) -> None:
    task = Task(RULES.replace({"cap.per_payer": cap}), bots, hands, seed, deal, draws, first)
    again = Task.from_json(task.to_json())
    assert again == task
    assert again.id == task.id
    assert again.rules.name == "yuanhang"


def changed(**fields: object) -> str:
    return json.dumps({**Task(RULES, "greedy", 10).to_dict(), **fields})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "is no task"),
        ("[]", "is no task"),
        ("{}", "is no task"),
        ("[" * 100_000, "is no task"),
        (changed(stream=99), "stream = 99"),
        (changed(more=1), "more"),
        (changed(hands=-1), "hands = -1"),
        (changed(rules={"name": "x", "values": {"cap.per_payer": -1}}), "cap.per_payer = -1"),
    ],
)
def test_json_that_is_no_task(text: str, words: str) -> None:
    with pytest.raises(TaskError, match=words):
        Task.from_json(text)


def test_whole_numbers_are_read_in_one_way() -> None:
    faults: list[str] = []
    assert whole("n", np.int64(5), faults, 1, 9) == 5
    assert not faults
    for value in (True, np.True_, 1.0, "5", None, 0, 10):
        assert whole("n", value, faults, 1, 9) == 1
    assert faults[0] == "n = True, must be a whole number from 1 to 9"
    assert len(faults) == 7
    for high, text in (
        (2**62, "2**62"),
        (2**128 - 1, "2**128 - 1"),
        (10**6, "1000000"),
        (10**12, "1" + "0" * 12),
    ):
        assert whole("n", -1, faults, 0, high) == 0
        assert faults[-1] == f"n = -1, must be a whole number from 0 to {text}"
    whole("n", 0, faults, 1)
    assert faults[-1] == "n = 0, must be a whole number, 1 or more"
    assert (either("abc"), either("a"), either((1, 2))) == ("a, b or c", "a", "1 or 2")
