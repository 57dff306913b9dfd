"""What holds for all tests."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# A busy machine is slow: how long an example takes says nothing.
settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")
