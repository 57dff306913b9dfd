"""What can be worth something: a holding or a choice of one seat, from its text to what is compared."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from wuhan_core.errors import FaultError, show
from wuhan_core.options import hint
from wuhan_core.rules import RuleSet

AS_DEALT, OTHERS = -1, -2  # what a branch may be compared with, besides another branch


class FeatureError(FaultError):
    """A feature that is none, or has no meaning under the rules."""


@dataclass(frozen=True)
class Contrast:
    """A branch compared with another.

    Attributes
    ----------
    name : str
    branch, against : int
        Indices into the branches of the feature; `against` may be `AS_DEALT` (the hand as it is) or `OTHERS`
        (the mean of all other branches).
    own : int or None
        Only moments at which the bot itself takes this branch.
    """

    name: str
    branch: int
    against: int
    own: int | None = None


@dataclass(frozen=True)
class Feature:
    """A holding or a choice, as the engine plays it.

    Attributes
    ----------
    text : str
    kind : str
        One of ``wuhan_core._force.FEATURES``.
    number : int
        Which open meld, before which draw; 0 for others.
    branches : tuple of int
        As `play_forced` takes them.
    labels : tuple of str
        Names of the branches.
    contrasts : tuple of Contrast
        What is compared; the first is the value of the feature.
    """

    text: str
    kind: str
    number: int
    branches: tuple[int, ...]
    labels: tuple[str, ...]
    contrasts: tuple[Contrast, ...]

    @property
    def is_choice(self) -> bool:
        """Whether it comes up, or not, in the course of a hand; a holding is there from the deal on."""
        return self.kind in _CHOICES


@dataclass(frozen=True)
class _Kind:
    doc: str
    low: int  # of the number behind "="
    high: int
    needs_number: bool
    without: Callable[[RuleSet], str]  # why it has no meaning under these rules; "" where it has


def _always(rules: RuleSet) -> str:
    return ""


def _no_red(rules: RuleSet) -> str:
    what = {"codes": "the wildcard", "patterns": "an ordinary tile"}.get(str(rules.get("score.model")))
    return f"C is {what}" if what else ""


def _no_wild_kong(rules: RuleSet) -> str:
    return "" if rules.get("score.model") == "factors" else "a laizi cannot be konged by itself"


def _no_opening(rules: RuleSet) -> str:
    need = rules.get("win.open_melds") != "none"
    return "" if need else "no win needs an open meld (open=1 tells what the first one is worth)"


_WITHOUT_NUMBER = (0, -1, False)
KINDS = {
    "laizi": _Kind("laizi among the 13 tiles dealt: laizi=2, or laizi for 0 to 4", 0, 4, False, _always),
    "red": _Kind("red dragons among the 13 tiles dealt: red=2, or red for 0 to 3", 0, 3, False, _no_red),
    "dealer": _Kind("being the dealer", *_WITHOUT_NUMBER, _always),
    "kong_laizi": _Kind("konging a laizi against keeping it", *_WITHOUT_NUMBER, _no_wild_kong),
    "open": _Kind("claiming the n-th open meld against passing: open=1", 1, 4, True, _always),
    "open_before": _Kind(
        "opening before a draw against from then on: open_before=20", 1, 136, True, _no_opening
    ),
}
_CHOICES = {"kong_laizi": ("keep", "kong"), "open": ("pass", "claim"), "open_before": ("late", "early")}


def parse_feature(text: object, rules: RuleSet | None) -> Feature:
    """Read a feature such as ``laizi=2``.

    Parameters
    ----------
    text : str
    rules : RuleSet or None
        Under which it must have a meaning; None where they are not known.

    Raises
    ------
    FeatureError
        Naming what is wrong and what is allowed.
    """
    if not isinstance(text, str):
        raise FeatureError([f"feature = {show(text)}, must be text such as laizi=2"])
    name, equals, digits = (part.strip() for part in text.partition("="))
    if name not in KINDS:
        near = hint(name, KINDS) or f", must be one of {', '.join(KINDS)}"
        raise FeatureError([f"feature {show(text)} is unknown{near}"])
    kind = KINDS[name]
    number = int(digits) if re.fullmatch("[0-9]{1,9}", digits) else -1
    if equals and kind.high < kind.low:
        raise FeatureError([f"feature {show(text)}: {name} takes no number"])
    if (equals or kind.needs_number) and not kind.low <= number <= kind.high:
        raise FeatureError(
            [f"feature {show(text)}: must be {name}=N with a whole number N from {kind.low} to {kind.high}"]
        )
    if rules is not None and (why := kind.without(rules)):
        raise FeatureError([f"feature {text} has no meaning under the rules {rules.name}: {why}"])
    players = rules.get("deal.players") if rules is not None else 4
    assert isinstance(players, int)
    if name in _CHOICES:
        return _choice(name, number)
    if name == "dealer":
        return _dealer(players)
    return _holding(name, number if equals else None, kind.high)


def _choice(name: str, number: int) -> Feature:
    no, yes = _CHOICES[name]
    main = f"{yes} - {no}"
    contrasts = [Contrast(main, 1, 0)]
    contrasts += [Contrast(f"{main} | bot: {word}", 1, 0, own) for own, word in ((1, yes), (0, no))]
    text = name if number < 0 else f"{name}={number}"
    return Feature(text, name, max(number, 0), (0, 1), (no, yes), tuple(contrasts))


def _dealer(players: int) -> Feature:
    labels = ("dealer", *(f"dealer+{place}" for place in range(1, players)))
    contrasts = [Contrast("dealer - others", 0, OTHERS)]
    contrasts += [Contrast(f"dealer - {labels[place]}", 0, place) for place in range(1, players)]
    return Feature("dealer", "dealer", 0, tuple(range(players)), labels, tuple(contrasts))


def _holding(name: str, count: int | None, most: int) -> Feature:
    branches = tuple(range(most + 1)) if count is None else (count,) if count == 0 else (0, count)
    labels = tuple(f"{name}={branch}" for branch in branches)
    contrasts = [Contrast(f"{label} - {labels[0]}", i, 0) for i, label in enumerate(labels) if i]
    dealt = [Contrast(f"{label} - as dealt", i, AS_DEALT) for i, label in enumerate(labels)]
    contrasts += dealt if count is None else dealt[-1:]
    return Feature(name if count is None else f"{name}={count}", name, 0, branches, labels, tuple(contrasts))
