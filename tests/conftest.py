"""What holds for all tests, and what several ask for."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

import fake_play
from wuhan_sim import engine

# A busy machine is slow: how long an example takes says nothing.
settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> None:
    """The stand-in for the hand loop."""
    monkeypatch.setattr(engine, "play_hands", fake_play.play_hands)
