"""Bots as text: parameters, bounds, faults, the way through text and back, and a task's id."""

from __future__ import annotations

import dataclasses
import json
import random

import numpy as np
import pytest

from wuhan_core._machine import Machine
from wuhan_core._play import BOT_NAMES, play_hands
from wuhan_core._wall import wall_of
from wuhan_core.policies import POLICIES, BotSpec, PolicyError, parse_bot, split_bots
from wuhan_core.rules import load_rules
from wuhan_sim import Task, TaskError
from wuhan_sim.bots import read_bots

RULES = load_rules("yuanhang")
PLANNER = POLICIES[BOT_NAMES.index("planner")]
FIRST = PLANNER.parameters[0]


def some_values(policy: int, rng: random.Random) -> tuple[float, ...]:
    values = []
    for p in POLICIES[policy].parameters:
        value = rng.choice([p.default, p.low, p.high, rng.uniform(p.low, p.high)])
        values.append(float(round(value)) if p.whole else value)
    return tuple(values)


def faults(text: str) -> list[str]:
    with pytest.raises(PolicyError) as caught:
        parse_bot(text)
    return caught.value.faults


def test_parameters_are_declared_whole() -> None:
    assert BOT_NAMES[:4] == ("random", "greedy", "planner", "careful")
    for policy in POLICIES:
        names = [p.name for p in policy.parameters]
        assert len(set(names)) == len(names)
        assert policy.doc
        for p in policy.parameters:
            assert p.low < p.high
            assert p.doc
            assert p.admits(p.default)
            assert p.admits(p.low)
            assert p.admits(p.high)
            assert p.name.isidentifier()


def test_text_brings_back_an_equal_bot() -> None:
    rng = random.Random(1)
    for _ in range(300):
        number = rng.randrange(len(POLICIES))
        spec = BotSpec(POLICIES[number], some_values(number, rng))
        assert parse_bot(spec.text) == spec
        assert parse_bot(spec.full) == spec
        assert parse_bot(spec.text).text == spec.text
        assert all(isinstance(value, float) for value in spec.values)
        assert spec.full.count("=") == len(spec.values)
        assert spec.text.count("=") == sum(
            value != p.default for p, value in zip(spec.policy.parameters, spec.values, strict=True)
        )


def test_canonical_text_leaves_defaults_out() -> None:
    assert parse_bot("planner").text == "planner"
    assert parse_bot(f"planner:{FIRST.name}={FIRST.default}").text == "planner"
    changed = parse_bot(f" planner : {FIRST.name} = {FIRST.high:.3f} ")
    assert changed.text == f"planner:{FIRST.name}={FIRST.high:g}"
    assert parse_bot("planner").replace(**{FIRST.name: FIRST.high}) == changed
    assert parse_bot("greedy").full == "greedy"
    with pytest.raises(dataclasses.FrozenInstanceError):
        changed.values = ()  # type: ignore[misc]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("plannr", ["unknown bot 'plannr', the nearest is planner; allowed are random, greedy"]),
        ("", ["unknown bot ''"]),
        ("greedy:x=1", ["greedy: unknown parameter 'x', greedy has none"]),
        ("greedy:", ["greedy: '', must be key=value"]),
        (f"planner:{FIRST.name}", [f"planner: '{FIRST.name}', must be key=value"]),
        (f"planner:{FIRST.name}x=1", [f"the nearest is {FIRST.name}; allowed are"]),
        (f"planner:{FIRST.name}={FIRST.high},{FIRST.name}={FIRST.high}", ["given twice"]),
        *(
            (f"planner:{FIRST.name}={value}", [f"{FIRST.name} = '{value}', must be {FIRST.allowed}"])
            for value in ("", "x", "nan", "inf", "-1e9", "1_0", "1e999", "\u0663", FIRST.high + 1)
        ),
        (f"planner:x=1,{FIRST.name}=-9,y", ["unknown parameter 'x'", "= '-9'", "'y', must be key=value"]),
    ],
)
def test_every_fault_of_a_text_is_named(text: str, words: list[str]) -> None:
    found = faults(text)
    assert len(found) == len(words)
    for fault, word in zip(found, words, strict=True):
        assert word in fault


def test_every_fault_of_values_is_named() -> None:
    with pytest.raises(PolicyError, match="must be") as caught:
        BotSpec(PLANNER, (float("nan"),) * len(PLANNER.parameters))
    assert len(caught.value.faults) == len(PLANNER.parameters)
    with pytest.raises(PolicyError, match="parameters, not 1"):
        BotSpec(POLICIES[0], (1.0,))
    with pytest.raises(PolicyError) as caught:
        parse_bot("planner").replace(**{"nothing": 1, FIRST.name: FIRST.high + 1})
    assert ["nothing" in caught.value.faults[0], FIRST.name in caught.value.faults[1]] == [True, True]


def test_a_piece_with_a_value_belongs_to_the_bot_before_it() -> None:
    assert split_bots("planner:a=1,b=2,greedy") == ["planner:a=1,b=2", "greedy"]
    assert split_bots("planner:a=1, b=2 , careful:a=3,x:Y") == ["planner:a=1,b=2", "careful:a=3", "x:Y"]
    assert split_bots("a=1,greedy") == ["a=1", "greedy"]
    assert split_bots("") == [""]
    text = f"planner:{FIRST.name}={FIRST.high:g}"
    names, found = read_bots(f"{text},greedy", 2)
    assert (names, found) == ((text, "greedy"), [])


def test_a_task_knows_bots_by_their_canonical_texts() -> None:
    task = Task(RULES, f"planner:{FIRST.name}={FIRST.default}", 10)
    assert task.bots == ("planner",) * 4
    assert task.id == Task(RULES, "planner", 10).id
    other = Task(RULES, f"planner:{FIRST.name}={FIRST.high}", 10)
    assert other.id != task.id
    assert Task.from_json(other.to_json()) == other
    assert json.loads(other.to_json())["bots"] == [f"planner:{FIRST.name}={FIRST.high:g}"] * 4
    assert f"--bots {','.join(other.bots)}" in other.replay_command(3)
    with pytest.raises(TaskError) as caught:
        Task(RULES, f"planner:{FIRST.name}=x,plannr,greedy,a.b:C", 10)
    assert len(caught.value.faults) == 3


def test_a_task_s_id_holds_every_parameter(monkeypatch: pytest.MonkeyPatch) -> None:
    """A new default is another bot."""
    before = Task(RULES, "planner", 10).id
    spec = parse_bot("planner")
    changed = dataclasses.replace(
        PLANNER, parameters=(dataclasses.replace(FIRST, default=FIRST.high), *PLANNER.parameters[1:])
    )
    new = BotSpec(changed, (FIRST.high, *spec.values[1:]))
    assert new.text == "planner"
    monkeypatch.setattr("wuhan_sim.bots.parse_bot", lambda text: new)
    assert Task(RULES, "planner", 10).id != before


@pytest.mark.parametrize("bot", BOT_NAMES)
def test_spelled_out_defaults_play_the_same(bot: str) -> None:
    records = play_hands(RULES, [bot] * 4, 3, 0, 40)
    assert np.array_equal(records, play_hands(RULES, [parse_bot(bot).full] * 4, 3, 0, 40))
    machine = Machine(RULES, wall_of(3, 0), 0, True, 3, 0)
    copy = machine.copy()
    assert machine.choose(bot) == copy.choose(parse_bot(bot).full)


def test_the_loop_names_every_fault_of_its_bots() -> None:
    with pytest.raises(
        ValueError, match=r"bots: unknown bot 'clever'.*\nbots: greedy: unknown parameter 'x'"
    ):
        play_hands(RULES, ["clever", "greedy:x=1", "greedy", "greedy"], 1, 0, 10)
