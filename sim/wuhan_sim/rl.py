"""One hand after the other as a PettingZoo environment (AEC): the seats act in turn, rewards are points.

Needs the extra `rl`: ``pip install "wuhan-core[rl]"``. Terry et al. (2021), PettingZoo: Gym for Multi-Agent
Reinforcement Learning, describe the interface.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wuhan_core.encoding import ACTION_NAMES, COLUMNS, EncodingError, decode_action
from wuhan_core.errors import FaultError, either, show
from wuhan_core.rules import RuleSet, load_rules
from wuhan_core.table import Table, TableError

from .replay import HandLog

try:
    from gymnasium.spaces import Box, Dict, Discrete
    from gymnasium.utils import EzPickle
    from pettingzoo import AECEnv
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper
except ImportError as error:
    raise ImportError(
        f'learning with PettingZoo needs what is not installed ({error}): pip install "wuhan-core[rl]"'
    ) from None

__all__ = ["EnvError", "WuhanEnv", "env"]

RENDER_MODES = ("human", "ansi")


class EnvError(FaultError):
    """An environment that cannot be set up, or an action that is not legal; `faults` has every fault."""


def env(rules: RuleSet | str | Path = "yuanhang", **options: Any) -> OrderEnforcingWrapper:
    """A `WuhanEnv` that says so when it is stepped or asked before `reset`; parameters as there."""
    return _InOrder(WuhanEnv(rules, **options))


class _InOrder(OrderEnforcingWrapper):
    """Shown as what it wraps is."""

    def __repr__(self) -> str:
        return repr(self.env)

    def __str__(self) -> str:
        return str(self.env)


def _is_finite(number: Any) -> bool:
    try:
        return math.isfinite(number)
    except OverflowError:  # a whole number that no float can hold
        return False


class WuhanEnv(AECEnv, EzPickle):
    """One hand of any rule set as a PettingZoo AEC environment.

    Agents are ``seat_0``, ``seat_1``, ...; an episode is a hand. An observation is a dict: ``"observation"``,
    uint8 of shape (829,), what the agent may know (`wuhan_core.FEATURES`), and ``"action_mask"``, int8 of
    shape (127,), 1 where it may act so (`wuhan_core.ACTION_NAMES`), zeros while another is asked. Both are
    those of `wuhan_core.TableBatch`, and so are the hands: hand h is that of a batch with the same seed.

    Parameters
    ----------
    rules : RuleSet, str or Path
        A rule set, or what `load_rules` takes.
    seed : int
        Of the walls, until `reset` is given another.
    first : int
        Number of the first hand of a seed. Each `reset` deals the next one.
    dealer : int
        Seat that deals every hand.
    draws, deal
        As of `TableBatch`.
    scale : float
        Points of the end, times this, are the rewards.
    render_mode : {None, "ansi", "human"}
        What `render` does: return the hand so far as text, with all tiles, or print it. "human" prints each
        hand when it ends, too.

    Attributes
    ----------
    table : Table
        The hand, after `reset`; not for agents: it has all tiles.

    Raises
    ------
    EnvError
        Every fault of the parameters is named.
    RuleError
        For rules that cannot be loaded.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 (the interface has it so)
        "render_modes": [*RENDER_MODES],
        "name": "wuhan_v0",
        "is_parallelizable": False,
    }

    def __init__(
        self,
        rules: RuleSet | str | Path = "yuanhang",
        *,
        seed: int = 0,
        first: int = 0,
        dealer: int = 0,
        draws: str = "wall",
        deal: str = "fresh",
        scale: float = 1.0,
        render_mode: str | None = None,
    ) -> None:
        settings: dict[str, Any] = {"dealer": dealer, "draws": draws, "deal": deal}
        EzPickle.__init__(
            self, rules, seed=seed, first=first, scale=scale, render_mode=render_mode, **settings
        )
        AECEnv.__init__(self)
        self.rules = rules if isinstance(rules, RuleSet) else load_rules(rules)
        faults = []
        try:
            players = Table(self.rules, seed, first, **settings).players
        except TableError as error:
            faults += error.faults
        if isinstance(scale, bool) or not isinstance(scale, Real) or not _is_finite(scale):
            faults.append(f"scale = {show(scale)}, must be a finite number")
        if render_mode is not None and not (isinstance(render_mode, str) and render_mode in RENDER_MODES):
            faults.append(f"render_mode = {show(render_mode)}, must be None, 'ansi' or 'human'")
        if faults:
            raise EnvError(faults)
        self.scale, self.render_mode = float(scale), render_mode
        self._settings = settings
        self._seed, self._first = seed, first
        self._next = first
        self.possible_agents = [f"seat_{seat}" for seat in range(players)]
        self.agents: list[str] = []
        self._observations = {
            agent: Dict(
                {
                    "observation": Box(0, 255, (COLUMNS,), np.uint8),
                    "action_mask": Box(0, 1, (len(ACTION_NAMES),), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._actions = {agent: Discrete(len(ACTION_NAMES)) for agent in self.possible_agents}

    def __repr__(self) -> str:
        return f"<WuhanEnv {self.rules.name}, seed {self._seed}, next hand {self._next}>"

    def observation_space(self, agent: str) -> Dict:
        """The same for all agents, but a space of its own."""
        return self._observations[self._known(agent)]

    def action_space(self, agent: str) -> Discrete:
        """The same for all agents, but a space of its own."""
        return self._actions[self._known(agent)]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Deal the next hand.

        Parameters
        ----------
        seed : int, optional
            From now on the walls are those of this seed, from hand `first` on.
        options : mapping, optional
            ``{"hand": h}``: deal hand h of the seed, and go on from there. Other keys are for wrappers and
            are left alone, as the interface has it.

        Raises
        ------
        EnvError
            For a seed or hand out of range, or options that are no mapping; nothing has changed then.
        """
        wanted, hand = (self._seed, self._next) if seed is None else (seed, self._first)
        if options is not None and not isinstance(options, Mapping):
            raise EnvError([f'options = {show(options)}, must be None or a mapping such as {{"hand": 3}}'])
        hand = (options or {}).get("hand", hand)
        try:
            table = Table(self.rules, wanted, hand, **self._settings)
        except TableError as error:
            raise EnvError(error.faults) from None
        self._seed, self._next, self.table = wanted, hand + 1, table
        self.agents = [*self.possible_agents]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[table.seat]

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """What an agent may know now, and what it may do if it is asked.

        Raises
        ------
        EnvError
            For what is no agent of the game.
        """
        seat = self.possible_agents.index(self._known(agent))
        asked = seat == self.table.seat and not self.table.done
        mask = self.table.mask().astype(np.int8) if asked else np.zeros(len(ACTION_NAMES), np.int8)
        return {"observation": self.table.row(seat), "action_mask": mask}

    def _known(self, agent: str) -> str:
        if agent not in self.possible_agents:
            raise EnvError([f"agent = {show(agent)}, must be {either(self.possible_agents)}"])
        return agent

    def step(self, action: int | None) -> None:
        """Carry out the action of `agent_selection`; None when its hand is over.

        Raises
        ------
        EnvError
            For an action that is not legal, with those that are; nothing has changed then.
        """
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        try:
            wanted = decode_action(action, self.table.legal())  # type: ignore[arg-type]
        except EncodingError as error:
            raise EnvError(f"{agent}: {fault}" for fault in error.faults) from None
        self._cumulative_rewards[agent] = 0.0
        self.table.step(wanted)
        if self.table.done:
            points = zip(self.agents, self.table.deltas, strict=True)
            self.rewards = {each: gain * self.scale for each, gain in points}
            self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        if self.table.done:
            if self.render_mode == "human":
                self.render()
        else:
            self.agent_selection = self.possible_agents[self.table.seat]

    def render(self) -> str | None:
        """The hand so far, with all tiles: returned or printed, as `render_mode` says.

        Raises
        ------
        EnvError
            Without a render mode.
        """
        if self.render_mode is None:
            raise EnvError(["render_mode = None: there is nothing to render; allowed: 'ansi', 'human'"])
        text = HandLog(self.table, ()).to_text()
        if self.render_mode == "ansi":
            return text
        print(text)
        return None
