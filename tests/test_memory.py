"""Memory does not grow with the number of hands."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from processes import environment

CODE = """
import resource, sys
from wuhan_sim import Task, simulate
simulate(Task("yuanhang", "greedy,random,greedy,random", int(sys.argv[1]), seed=1), 2, progress=False)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def peak(hands: int) -> int:
    """Largest resident memory of a run in a process of its own, in MB."""
    done = subprocess.run(
        [sys.executable, "-c", CODE, str(hands)],
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    return int(done.stdout) // (1024 if sys.platform != "darwin" else 1024**2)


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="resource")
def test_ten_million_hands_take_less_than_500_mb() -> None:
    short, long = peak(400_000), peak(10_000_000)
    assert long < 500
    assert long < short + 100
