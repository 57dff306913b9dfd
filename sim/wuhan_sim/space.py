"""The space in which a bot is tuned: its parameters, each scaled to 0..1 with the bot's own in the middle."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wuhan_core.policies import BotSpec, Parameter

_NEAR = 1 / 6  # standard deviation of a candidate drawn near the bot, in scaled units
_AT_END = 3.0  # the power of a parameter whose default is one of its bounds

Point = NDArray[np.float64]


@dataclass(frozen=True)
class Axis:
    """One parameter, scaled: ``value = low + (high - low) * x**power`` for x from 0 to 1.

    The power puts the middle at x = 1/2, so that a step is as large on either side of it; where it is a
    bound, most of the scale lies near it.

    Attributes
    ----------
    parameter : Parameter
    middle : float
        The bot's own value. Not the default: what a search finds is to be the same when defaults change.
    """

    parameter: Parameter
    middle: float

    @property
    def power(self) -> float:
        p = self.parameter
        share = (self.middle - p.low) / (p.high - p.low)
        if share <= 0 or share >= 1:
            return _AT_END if share <= 0 else 1 / _AT_END
        return math.log(share) / math.log(0.5)

    def value(self, x: float) -> float:
        """The parameter's value, with four digits; whole where it must be."""
        p = self.parameter
        exact = p.low + (p.high - p.low) * min(max(x, 0.0), 1.0) ** self.power
        rounded = round(exact) if p.whole else float(f"{exact:.4g}")
        return float(min(max(rounded, p.low), p.high))

    def scaled(self, value: float) -> float:
        """The place of a value; what `value` turns back, but for its rounding."""
        p = self.parameter
        return float(((value - p.low) / (p.high - p.low)) ** (1 / self.power))


@dataclass(frozen=True)
class Space:
    """Settings of some parameters of a bot; the others stay as they are.

    Attributes
    ----------
    bot : BotSpec
    axes : tuple of Axis
    """

    bot: BotSpec
    axes: tuple[Axis, ...]

    @classmethod
    def of(cls, bot: BotSpec, names: Sequence[str]) -> Space:
        """The space of the parameters of these names."""
        pairs = zip(bot.policy.parameters, bot.values, strict=True)
        return cls(bot, tuple(Axis(p, value) for p, value in pairs if p.name in names))

    @property
    def origin(self) -> Point:
        """Where the bot itself is."""
        return np.array([axis.scaled(axis.middle) for axis in self.axes])

    def at(self, point: Sequence[float] | Point) -> BotSpec:
        """The bot at a point."""
        changes: dict[str, Any] = {
            axis.parameter.name: axis.value(float(x)) for axis, x in zip(self.axes, point, strict=True)
        }
        return self.bot.replace(**changes)

    def draw(self, count: int, rng: np.random.Generator) -> list[BotSpec]:
        """Draw other settings, none twice: by turns near the bot and anywhere.

        Near: each coordinate moves by a normal step of standard deviation 1/6, every second one stays where
        it is, on average. Fewer come back where whole numbers leave no more.
        """
        found: dict[str, BotSpec] = {}
        for attempt in range(50 * count):
            if len(found) == count:
                break
            if attempt % 2:
                point = rng.random(len(self.axes))
            else:
                moved = rng.random(len(self.axes)) < 0.5
                point = self.origin + _NEAR * rng.standard_normal(len(self.axes)) * moved
                point = np.where(moved, np.clip(point, 0, 1), self.origin)
            spec = self.at(point)
            if spec != self.bot:
                found.setdefault(spec.text, spec)
        return list(found.values())
