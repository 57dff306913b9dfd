import numpy as np
from numpy.typing import NDArray

from .actions import Action
from .rules import RuleSet

class Slots:
    observations: NDArray[np.uint8]
    masks: NDArray[np.bool_]
    seats: NDArray[np.int8]
    done: NDArray[np.bool_]
    hands: NDArray[np.int64]
    rewards: NDArray[np.int64]
    records: NDArray[np.void]
    def __init__(
        self,
        rules: RuleSet,
        n: int,
        seed: int,
        first: int,
        seat_queues: bool,
        per_wall: int,
        dealer: int,
        autoreset: bool,
    ) -> None: ...
    def illegal(self, actions: NDArray[np.int64]) -> list[int]: ...
    def step(self, actions: NDArray[np.int64], begin: int, end: int) -> None: ...
    def reset(self, mask: NDArray[np.uint8]) -> None: ...
    def random(self, seed: int, out: NDArray[np.int64]) -> None: ...
    def bot(
        self,
        bot: str,
        seed: int,
        mask: NDArray[np.uint8],
        out: NDArray[np.int64],
        begin: int,
        end: int,
    ) -> None: ...
    def legal(self, i: int) -> list[Action]: ...
