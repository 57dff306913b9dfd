"""What `explain_case` returns: the parts of a score that has been explained."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from . import explained_text
from .finished import Finished, Meld
from .options import OPTIONS, Value
from .reading import Groups
from .tiles import format_tile, format_tiles
from .words import LANGS, WORDS, Lang, check_lang, word

LARGEST = 2**60  # points; a share beyond is this much


def _json(value: Value | None) -> object:
    return list(value) if isinstance(value, tuple) else value


@dataclass(frozen=True, slots=True)
class Factor:
    """One factor, or one term, of what a loser owes.

    Attributes
    ----------
    option : str
        The option that sets it.
    setting : int, float, bool, str or tuple of str
        The value of that option.
    value : int or float
        The factor (points for a base or a term).
    count : int
        How often it applies: a factor to this power, a term so many times.
    carrier : {"base", "winner", "loser"}
        Who brings it: nobody, the seat that collects, the one loser whom it concerns.
    seat : int or None
        That seat; None for the base.
    adds : bool
        A term that is added before factors multiply.
    """

    option: str
    setting: Value
    value: int | float
    count: int
    carrier: str
    seat: int | None
    adds: bool = False

    @property
    def source(self) -> str:
        """Marks of the sources, as RULES.md has them."""
        return OPTIONS[self.option].source

    def name(self, lang: Lang = "en") -> str:
        """Say what it is for."""
        key = self.option if self.option in WORDS else f"type.{self.option.split('.')[1]}"
        return word(key, lang)

    def to_dict(self) -> dict[str, Any]:
        """Return the factor as JSON has it."""
        return {
            "option": self.option,
            "setting": _json(self.setting),
            "name": self.name(),
            "value": self.value,
            "count": self.count,
            "adds": self.adds,
            "carrier": self.carrier,
            "seat": self.seat,
            "source": self.source,
        }


def product(factors: Iterable[Factor]) -> Fraction:
    """Multiply factors out, terms added first; exact, in points."""
    total = Fraction(0)
    for factor in factors:
        value = Fraction(factor.value)
        total = total + value * factor.count if factor.adds else total * value**factor.count
    return total


def owed(factors: Iterable[Factor]) -> int:
    """Return the points of a share before caps: rounded half up, at most 2**60. RULES.md section 4."""
    return min(int(product(factors) + Fraction(1, 2)), LARGEST)


@dataclass(frozen=True, slots=True)
class Share:
    """What one loser owes.

    Attributes
    ----------
    seat : int
    factors : tuple of Factor
        All that multiply: the base, what the collecting seat carries, what this loser carries.
    owed : int
        Points before caps.
    capped : int
        Points after caps.
    limit : str or None
        The option that made it other than the product.
    """

    seat: int
    factors: tuple[Factor, ...]
    owed: int
    capped: int
    limit: str | None

    def to_dict(self) -> dict[str, Any]:
        """Return the share as JSON has it."""
        return {
            "seat": self.seat,
            "product": explained_text.product_text(self.factors),
            "factors": [factor.to_dict() for factor in self.factors],
            "owed": self.owed,
            "capped": self.capped,
            "limit": self.limit,
        }


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a hand.

    Attributes
    ----------
    seat : int
    tile : int or None
        The last tile, kind 0..33; None where no tile completes the hand.
    hard : bool or None
        Every tile as itself; None in a model that does not ask.
    shape : str
        A member of ``win.shapes``.
    types : tuple of str
        Win types that it shows, sorted.
    groups : tuple of Group
        The concealed tiles, the last tile among them; empty where no tile completes the hand.
    melds : tuple of Meld
    laizi : int
        The wildcard kind.
    """

    seat: int
    tile: int | None
    hard: bool | None
    shape: str
    types: tuple[str, ...]
    groups: Groups
    melds: tuple[Meld, ...]
    laizi: int

    @property
    def stands_for(self) -> tuple[int | None, ...]:
        """What the wildcards stand for, in the order of the groups; None = any kind that the shape allows."""
        return tuple(kind for group in self.groups for kind in group.wild)

    @property
    def pair(self) -> tuple[int | None, ...] | None:
        """The two tiles of the pair, wildcards as what they stand for; None in a shape without one pair."""
        pairs = [group.natural + group.wild for group in self.groups if group.kind == "pair"]
        return pairs[0] if len(pairs) == 1 else None

    def to_dict(self) -> dict[str, Any]:
        """Return the reading as JSON has it, tiles as text."""
        return {
            "seat": self.seat,
            "tile": None if self.tile is None else format_tile(self.tile),
            "hard": self.hard,
            "shape": self.shape,
            "types": list(self.types),
            "groups": [group.to_dict() for group in self.groups],
            "melds": [
                {"kind": meld.kind, "tiles": format_tiles(meld.tiles), "from": meld.feeder}
                for meld in self.melds
            ],
            "laizi": format_tile(self.laizi),
            "stands_for": [None if kind is None else format_tile(kind) for kind in self.stands_for],
        }


@dataclass(frozen=True, slots=True)
class Note:
    """Something said in words.

    Attributes
    ----------
    key : str
        Which words: a key of `words.WORDS`.
    values : dict of str to object
        What goes into their gaps: a tuple of kinds of tiles, of keys of words, or of notes is written in the
        language asked for; all else goes in as it is.
    """

    key: str
    values: dict[str, object]

    def text(self, lang: Lang = "en") -> str:
        """Say it."""
        return explained_text.note_text(self, lang)

    def to_dict(self) -> dict[str, str]:
        """Return it in both languages."""
        return {lang: self.text(lang) for lang in LANGS}


def note(key: str, **values: object) -> Note:
    """Make a note."""
    return Note(key, values)


@dataclass(frozen=True, slots=True)
class Liability:
    """Who pays everything, and by which clause.

    Attributes
    ----------
    seat : int
    section : str
        Of RULES.md, with the number of the clause in section 6: ``"6.2"``.
    option : str or None
        The option that says so.
    setting : int, float, bool, str, tuple of str or None
    why : Note
    """

    seat: int
    section: str
    option: str | None
    setting: Value | None
    why: Note

    def to_dict(self) -> dict[str, Any]:
        """Return the liability as JSON has it."""
        return {
            "seat": self.seat,
            "section": self.section,
            "option": self.option,
            "setting": _json(self.setting),
            "why": self.why.to_dict(),
        }


@dataclass(frozen=True, slots=True)
class KongPayment:
    """What one kong moves (model "codes").

    Attributes
    ----------
    seat : int
        The konger.
    kind : str
        As melds are called in a case.
    tile : int
        Kind 0..33.
    payers : tuple of int
    points : int
        What each payer pays.
    option : str
        The option that sets it.
    """

    seat: int
    kind: str
    tile: int
    payers: tuple[int, ...]
    points: int
    option: str

    def to_dict(self) -> dict[str, Any]:
        """Return the payment as JSON has it."""
        return {
            "seat": self.seat,
            "kind": self.kind,
            "tile": format_tile(self.tile),
            "payers": list(self.payers),
            "points": self.points,
            "option": self.option,
        }


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a win is not allowed.

    Attributes
    ----------
    rule : str
        The refusal as in the answer's ``why_not``.
    section : str
        Of RULES.md, with the number of the check in section 3: ``"3.4"``.
    option : str or None
        The option that asks for it.
    setting : int, float, bool, str, tuple of str or None
    got : Note
        What was found.
    enough : Note
        What would have been enough.
    without : Score or None
        For ``below_minimum``: the score with no minimum asked.
    """

    rule: str
    section: str
    option: str | None
    setting: Value | None
    got: Note
    enough: Note
    without: Score | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the refusal as JSON has it."""
        return {
            "rule": self.rule,
            "section": self.section,
            "option": self.option,
            "setting": _json(self.setting),
            "got": self.got.to_dict(),
            "enough": self.enough.to_dict(),
            "without": None if self.without is None else self.without.to_dict(),
        }


@dataclass(frozen=True)
class Score:
    """A finished hand, judged and explained. ``print`` writes it in English, a notebook as HTML.

    Attributes
    ----------
    answer : dict
        The answer of `score_case`; all points come from there.
    game : Finished
        The case, read.
    reading : Reading or None
        How the winner's hand was read; None for a refusal.
    collector : int or None
        The seat whose hand is paid for: the winner, or a robbed konger that pays what it would have
        collected.
    konger : Reading or None
        That konger's hand with its best replacement tile.
    shares : tuple of Share
        What each seat but the collector owes, with every factor.
    liability : Liability or None
    kongs : tuple of KongPayment
        Model "codes": what each kong moves.
    refusal : Refusal or None
        None for a win.

    Examples
    --------
    >>> from wuhan_core import Table, explain_case
    >>> table = Table("yuanhang", seed=1)
    >>> while not table.done:
    ...     table.step(table.choose("greedy"))
    >>> score = explain_case(table.case())
    >>> score.wins, score.answer["deltas"]
    (True, [-32, 80, -16, -32])
    >>> [factor.name() for factor in score.factors if factor.option == "score.open"]
    ['open meld', 'open meld', 'open meld']
    """

    answer: dict[str, Any]
    game: Finished
    reading: Reading | None = None
    collector: int | None = None
    konger: Reading | None = None
    shares: tuple[Share, ...] = ()
    liability: Liability | None = None
    kongs: tuple[KongPayment, ...] = ()
    refusal: Refusal | None = None

    @property
    def wins(self) -> bool:
        """Is the win allowed?"""
        return self.refusal is None

    @property
    def factors(self) -> tuple[Factor, ...]:
        """Every factor once: the base, the collector's, then those of each loser."""
        return tuple(dict.fromkeys(factor for share in self.shares for factor in share.factors))

    def to_dict(self) -> dict[str, Any]:
        """Return the answer of `score_case` and, beside it, all that explains it, as JSON has it."""
        parts: dict[str, Any] = {
            "reading": self.reading,
            "konger": self.konger,
            "liability": self.liability,
            "refusal": self.refusal,
        }
        return {
            **self.answer,
            "rules": self.game.rules.name,
            "model": self.game.rules.get("score.model"),
            "collector": self.collector,
            **{name: None if part is None else part.to_dict() for name, part in parts.items()},
            "factors": [factor.to_dict() for factor in self.factors],
            "shares": [share.to_dict() for share in self.shares],
            "kong_payments": [payment.to_dict() for payment in self.kongs],
        }

    def to_text(self, lang: Lang = "en") -> str:
        """Write the explanation as plain text.

        Parameters
        ----------
        lang : {"en", "zh"}

        Returns
        -------
        str
            Lines without an end of line at the end.

        Raises
        ------
        ValueError
            For another language.
        """
        check_lang(lang)
        return explained_text.text(self, lang)

    def to_html(self, lang: Lang = "en") -> str:
        """Write the explanation as HTML; see `to_text`."""
        check_lang(lang)
        return explained_text.html(self, lang)

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        return self.to_html()
