"""The peer: PyPI's riichienv, a Rust riichi engine driven from Python."""

from __future__ import annotations

import random

import pytest


def play(hands: int) -> int:
    """Play hands of riichi with random agents; the decisions that they made."""
    riichienv = pytest.importorskip("riichienv")
    rng, asked = random.Random(1), 0
    for _ in range(hands):
        env = riichienv.RiichiEnv()
        observations = env.reset()
        while not env.done():
            answers = {seat: rng.choice(seen.legal_actions()) for seat, seen in observations.items()}
            observations = env.step(answers)
            asked += len(answers)
    return asked
