"""Bots written in Python: found by ``module:Class``, or given as objects and classes."""

from __future__ import annotations

import importlib

from wuhan_core.errors import FaultError, show

from . import engine

ACT = "act(observation, legal)"


class GuestError(FaultError):
    """A bot in Python that cannot be found, or is none."""


class Guest(str):
    """The name of a bot in Python, ``module:Class``, that carries the bot.

    Attributes
    ----------
    bot : object
        What the hand loop asks: an object, or a class of which each hand gets a new object.
    """

    bot: object

    def __new__(cls, name: str, bot: object) -> Guest:
        self = super().__new__(cls, name)
        self.bot = bot
        return self

    def __getnewargs__(self) -> tuple[str, object]:  # type: ignore[override]
        return str(self), self.bot


def names_guest(name: str) -> bool:
    """Whether a name has the form of a bot in Python; what stands before a compiled bot's colon does not."""
    module, colon, _ = name.partition(":")
    return bool(colon) and module not in engine.BOT_NAMES


def can_act(bot: object) -> bool:
    """Whether something can sit at a seat."""
    return callable(getattr(bot, "act", None))


def guest_of(bot: object) -> Guest:
    """Name a bot that was given directly, by its class."""
    kind = bot if isinstance(bot, type) else type(bot)
    return Guest(f"{kind.__module__}:{kind.__qualname__}", bot)


def load_guest(name: str) -> Guest:
    """Import a bot by its name, ``module:Class`` (or ``module:object``).

    Raises
    ------
    GuestError
        Where there is no such module or name, where the import fails, and for what has no `act`.
    """
    module, _, path = name.partition(":")
    try:
        importlib.invalidate_caches()  # the module may have been written a moment ago
        bot: object = importlib.import_module(module)
        for part in path.split("."):
            bot = getattr(bot, part)
    except (Exception, SystemExit) as error:  # what a module does when it is imported is its own affair
        why = " ".join(f"{type(error).__name__}: {error}".split())
        raise GuestError([f"bots: {show(name)} cannot be imported: {why}"]) from error
    if not can_act(bot):
        raise GuestError([f"bots: {show(name)} is {show(bot)}, which has no method {ACT}"])
    return Guest(name, bot)


def loaded(name: str) -> Guest:
    """The guest of a name; imported unless the name carries it."""
    return name if isinstance(name, Guest) else load_guest(name)


def seated(names: tuple[str, ...]) -> tuple[object, ...]:
    """What the hand loop takes: names of compiled bots as they are, bots in Python themselves."""
    return tuple(loaded(name).bot if names_guest(name) else name for name in names)


def is_importable(name: str) -> bool:
    """Whether another process finds the very bot of a name under this name."""
    if name.startswith("__main__:"):
        return False
    try:
        return load_guest(name).bot is loaded(name).bot
    except GuestError:
        return False
