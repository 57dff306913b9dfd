from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .rules import RuleSet

FEATURES: tuple[str, ...]
MOMENT_DTYPE: np.dtype[np.void]

def exchanged(
    seed: int, number: int, seat: int, wall: Sequence[int], keep: int, kind: int, wanted: int
) -> list[int]: ...
def play_forced(
    rules: RuleSet,
    bots: Sequence[str | object],
    seed: int,
    first: int,
    count: int,
    deal: str,
    draws: str,
    feature: str,
    number: int,
    branches: Sequence[int],
    focal: int,
) -> tuple[NDArray[np.void], NDArray[np.void]]: ...
