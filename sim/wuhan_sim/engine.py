"""The one door to the compiled loops over hands and sessions."""

from wuhan_core._force import play_forced
from wuhan_core._play import BOT_NAMES, DEALS, DRAWS, STREAM_VERSION, play_hands
from wuhan_core._session import DEALS as SESSION_DEALS
from wuhan_core._session import play_sessions
from wuhan_core._wall import arrangements, seating

__all__ = [
    "BOT_NAMES",
    "DEALS",
    "DRAWS",
    "SESSION_DEALS",
    "STREAM_VERSION",
    "arrangements",
    "play_forced",
    "play_hands",
    "play_sessions",
    "seating",
]
