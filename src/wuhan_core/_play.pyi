from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ._policy import BOT_NAMES as BOT_NAMES
from ._wall import STREAM_VERSION as STREAM_VERSION
from .rules import RuleSet

DEALS: tuple[str, ...]
DRAWS: tuple[str, ...]

def first_alike(bots: Sequence[object]) -> tuple[int, ...]: ...
def play_hands(
    rules: RuleSet,
    bots: Sequence[str | object],
    seed: int,
    first: int,
    count: int,
    deal: str = "rotated",
    draws: str = "seat",
    alike: Sequence[int] | None = None,
    others: Sequence[RuleSet] = (),
) -> NDArray[np.void]: ...
