"""The PettingZoo environment: its own tests pass, and it plays the hands of `Table` and `TableBatch`."""

from __future__ import annotations

import pickle
import subprocess
import sys
import warnings
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test

from processes import environment
from wuhan_core import ACTION_NAMES, RuleError, Table, TableBatch, load_rules, preset_names
from wuhan_sim.rl import EnvError, WuhanEnv, env

# Advice of `api_test` from which it exempts its own games with masks: observations are dicts, as the
# interface has it for masks, and a finished hand leaves nothing to do.
ADVICE = (
    "Observation space for each agent probably should be",
    "Observation is not a NumPy array",
    "Action mask numpy array is all zeros",
)


@pytest.mark.parametrize("preset", preset_names())
def test_pettingzoo_finds_no_fault(preset: str) -> None:
    with warnings.catch_warnings():
        for message in ADVICE:
            warnings.filterwarnings("ignore", message, UserWarning)
        api_test(env(preset, seed=3), num_cycles=300)


def test_pettingzoo_finds_seeds_kept() -> None:
    seed_test(env, num_cycles=100)


def test_pettingzoo_finds_pictures(capsys: pytest.CaptureFixture[str]) -> None:
    render_test(env)
    assert "yuanhang, hand 0" in capsys.readouterr().out


@pytest.mark.parametrize("preset", ["yuanhang", "hongzhong-2p", "hongxin"])
def test_the_hands_are_those_of_a_batch(preset: str) -> None:
    hands = 4
    batch = TableBatch(preset, hands, seed=5, first=2, autoreset=False)
    world = env(preset, seed=5, first=2, scale=0.5)
    story: list[list[Any]] = [[] for _ in range(hands)]
    while not batch.done.all():
        actions = batch.random_actions(1)
        for slot in np.flatnonzero(~batch.done).tolist():
            story[slot].append(
                (batch.seats[slot], batch.observations[slot].copy(), batch.masks[slot].copy(), actions[slot])
            )
        batch.step(actions)
    for slot in range(hands):
        world.reset()
        for seat, row, mask, action in story[slot]:
            assert world.agent_selection == f"seat_{seat}"
            seen, reward, ended, cut, _ = world.last()
            assert np.array_equal(seen["observation"], row)
            assert np.array_equal(seen["action_mask"], mask)
            assert (reward, ended, cut) == (0, False, False)
            assert not any(
                world.observe(other)["action_mask"].any() for other in world.agents if other[-1] != str(seat)
            )
            world.step(action)
        gains = {
            agent: 0.5 * points
            for agent, points in zip(world.agents, batch.records["points"][slot], strict=False)
        }
        assert world.rewards == gains
        assert all(world.terminations.values())
        for agent in world.agent_iter():
            seen, reward, ended, _, _ = world.last()
            assert ended
            assert reward == gains.pop(agent)
            assert not seen["action_mask"].any()
            world.step(None)
        assert not gains
        assert world.agents == []


def test_other_seats_observe_what_they_may_know() -> None:
    world, table = WuhanEnv(seed=7, dealer=2), Table("yuanhang", 7, dealer=2, draws="wall", deal="fresh")
    world.reset()
    for seat, agent in enumerate(world.agents):
        assert np.array_equal(world.observe(agent)["observation"], table.row(seat))
        assert world.observation_space(agent).contains(world.observe(agent))


@pytest.mark.parametrize("what", ["observe", "observation_space", "action_space"])
@pytest.mark.parametrize("agent", ["seat_9", 0, None, ["seat_0"]])
def test_an_agent_that_is_none_is_refused(what: str, agent: Any) -> None:
    world = env()
    world.reset()
    with pytest.raises(EnvError, match=r"^agent = .*, must be seat_0, seat_1, seat_2 or seat_3$"):
        getattr(world, what)(agent)


def test_seeds_and_hands_of_a_reset() -> None:
    world = WuhanEnv(seed=1, first=10)
    numbers = []
    for settings in (
        {},
        {},
        {"seed": 4},
        {},
        {"options": {"hand": 3}},
        {},
        {"seed": 5, "options": {"hand": 0}},
        {},
    ):
        world.reset(**settings)
        numbers.append((world.table.seed, world.table.hand))
    assert numbers == [(1, 10), (1, 11), (4, 10), (4, 11), (4, 3), (4, 4), (5, 0), (5, 1)]
    with pytest.raises(EnvError) as caught:
        world.reset(seed=-1, options={"hand": "x"})
    assert [fault.split()[0] for fault in caught.value.faults] == ["seed", "hand"]
    none: tuple[Any, ...] = (3, 0, [], "hand")
    for wrong in none:
        with pytest.raises(EnvError, match=r"^options = .*, must be None or a mapping"):
            world.reset(options=wrong)
    world.reset(options={"of a wrapper": 3})
    assert (world.table.seed, world.table.hand) == (5, 2)


def test_illegal_moves_are_refused_and_nothing_changes() -> None:
    world = env(seed=2)
    world.reset()
    before = world.last()[0]
    for wrong in (0, 127, -1, None, 25.0, "discard 1m", True):
        with pytest.raises(EnvError, match=r"^seat_0: .* is not legal; allowed: \d+ \(discard") as caught:
            world.step(wrong)
        assert isinstance(caught.value, ValueError)
    after = world.last()[0]
    assert all(np.array_equal(before[name], after[name]) for name in before)
    world.step(int(np.flatnonzero(before["action_mask"])[0]))


def test_faults_of_an_environment() -> None:
    with pytest.raises(EnvError) as caught:
        WuhanEnv(seed=-1, dealer=9, draws="x", deal="y", scale=float("nan"), render_mode="rgb_array")
    names = ["seed", "dealer", "draws", "deal", "scale", "render_mode"]
    assert [fault.split(" = ")[0] for fault in caught.value.faults] == names
    assert env(scale=np.float32(0.5)).unwrapped.scale == 0.5
    with pytest.raises(EnvError) as caught:
        env(draws=np.zeros(2), deal=np.zeros(2), render_mode=np.zeros(2))
    assert [fault.split(" = ")[0] for fault in caught.value.faults] == ["draws", "deal", "render_mode"]
    for scale in (10**400, -(10**5000), float("inf"), True, "1"):
        with pytest.raises(EnvError, match=r"^scale = .*, must be a finite number$"):
            env(scale=scale)
    none: tuple[Any, ...] = ("nowhere", None, 3, b"yuanhang", ["yuanhang"], {})
    for wrong in none:
        with pytest.raises(RuleError, match=r"^unknown preset "):
            env(wrong)
    world = WuhanEnv()
    world.reset()
    with pytest.raises(EnvError, match="render_mode = None"):
        world.render()


def test_what_is_rendered(capsys: pytest.CaptureFixture[str]) -> None:
    world = WuhanEnv(load_rules("qipi"), render_mode="human")
    world.reset()
    while not world.table.done:
        world.step(int(np.flatnonzero(world.observe(world.agent_selection)["action_mask"])[-1]))
    shown = capsys.readouterr().out
    assert shown.startswith("qipi, hand 0")
    text = WuhanEnv("qipi", render_mode="ansi")
    text.reset()
    begun = text.render()
    assert begun is not None
    assert begun.splitlines()[:2] == shown.splitlines()[:2]
    assert capsys.readouterr().out == ""


def test_an_environment_can_be_sent_to_another_process() -> None:
    world = pickle.loads(pickle.dumps(WuhanEnv("laizigang", seed=3, dealer=1, scale=0.1)))
    world.reset()
    assert (world.rules.name, world.table.seed, world.table.dealer, world.scale) == ("laizigang", 3, 1, 0.1)
    assert world.action_space("seat_0").n == len(ACTION_NAMES)


def test_without_the_extra_an_import_says_what_to_install() -> None:
    code = "import sys; sys.modules['pettingzoo'] = None; import wuhan_sim; import wuhan_sim.rl"
    done = subprocess.run([sys.executable, "-c", code], env=environment(), capture_output=True, text=True)
    assert done.returncode == 1
    assert 'pip install "wuhan-core[rl]"' in done.stderr
    assert done.stderr.count("Traceback") == 1  # what failed to be imported is in the message


def test_an_environment_is_shown_in_a_line() -> None:
    world = env("qipi", seed=4, first=6)
    assert repr(world) == "<WuhanEnv qipi, seed 4, next hand 6>"
    assert str(world) == str(world.unwrapped) == "wuhan_v0"
    world.reset()
    assert repr(world) == repr(world.unwrapped) == "<WuhanEnv qipi, seed 4, next hand 7>"
