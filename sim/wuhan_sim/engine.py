"""The one door to the compiled hand loop."""

from wuhan_core._force import play_forced
from wuhan_core._play import BOT_NAMES, DEALS, DRAWS, STREAM_VERSION, play_hands
from wuhan_core._wall import arrangements, seating

__all__ = [
    "BOT_NAMES",
    "DEALS",
    "DRAWS",
    "STREAM_VERSION",
    "arrangements",
    "play_forced",
    "play_hands",
    "seating",
]
