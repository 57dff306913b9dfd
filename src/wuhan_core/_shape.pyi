"""Questions about tile counts; the engine asks them through `_shape.pxd`."""

import numpy as np
from numpy.typing import NDArray

from .errors import FaultError

class HandError(FaultError): ...

class Shape:
    def __new__(
        cls, counts: bytes, wildcards: int, sets: int, wild_game: bool = True, head_258: bool = False
    ) -> Shape: ...
    def shanten(self) -> int: ...
    def is_ready(self) -> bool: ...
    def useful(self) -> list[int]: ...
    def spare(self) -> list[int]: ...
    def suit_missing(self, group: int) -> int: ...
    def kinds_missing(self, kinds: int) -> int: ...
    def pungs_missing(self) -> int: ...

def shanten_of(counts: bytes, wildcards: int = 0, melds: int = 0, wild_game: bool = True) -> int: ...
def complete_array(
    counts: NDArray[np.uint8],
    wildcards: NDArray[np.uint8],
    melds: NDArray[np.uint8],
    wild_game: bool = True,
    *,
    check: bool = True,
) -> NDArray[np.bool_]: ...
def shanten_array(
    counts: NDArray[np.uint8],
    wildcards: NDArray[np.uint8],
    melds: NDArray[np.uint8],
    wild_game: bool = True,
    *,
    check: bool = True,
) -> NDArray[np.int8]: ...
def ukeire_array(
    counts: NDArray[np.uint8],
    wildcards: NDArray[np.uint8],
    melds: NDArray[np.uint8],
    seen: NDArray[np.uint8] | None = None,
    laizi: int | NDArray[np.integer] | None = None,
    *,
    check: bool = True,
) -> NDArray[np.uint8]: ...
def discard_array(
    counts: NDArray[np.uint8],
    wildcards: NDArray[np.uint8],
    melds: NDArray[np.uint8],
    seen: NDArray[np.uint8] | None = None,
    laizi: int | NDArray[np.integer] | None = None,
    *,
    check: bool = True,
) -> NDArray[np.uint8]: ...
