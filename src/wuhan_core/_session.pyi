from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .rules import RuleSet

DEALS: tuple[str, ...]

def settle_hand(
    points: Sequence[int], bankrolls: Sequence[int]
) -> tuple[list[int], list[int], list[int]]: ...
def play_sessions(
    rules: RuleSet,
    bots: Sequence[str | object],
    seed: int,
    first: int,
    count: int,
    hands: int,
    bankroll: int | None = None,
    deal: str = "rotated",
    draws: str = "seat",
    stay: bool = False,
    leave_below: int | None = None,
    leave_above: int | None = None,
    flee: float = 0.0,
    every: int = 0,
    records: bool = False,
    stop: NDArray[np.uint8] | None = None,
) -> tuple[NDArray[np.void], NDArray[np.int64], NDArray[np.void] | None]: ...
