"""Every option of a rule set: its name, what it allows, its default, the models it belongs to.

One row per option of RULES.md section 9. A default is what the preset yuanhang has; options of the other two
models have what RULES.md sections 7 and 8 say. The sources are marked as in RULES.md: ``yh`` the Yuanhang
rules, ``bf`` the Bianfeng rules, ``nw`` their "new rule" notes, ``lg`` the red-laizi-kong rules, ``hz``
Hongzhong mahjong, ``hx`` the Hongxin bao rules, ``pub`` other public descriptions, ``ours`` decided by
RULES.md.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, time
from numbers import Integral, Real
from types import MappingProxyType
from typing import Any

from .errors import show
from .records import BIG_TYPES

Value = int | float | bool | str | tuple[str, ...]
Faults = list[tuple[str, str]]  # (option or key, what is wrong)

_DIGITS, _LONGEST = "[0-9]+(_[0-9]+)*", 40  # a number of the command line, and its characters


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number from `low` to `high`."""

    low: int
    high: int

    def __str__(self) -> str:
        return f"a whole number from {self.low} to {self.high}"

    def check(self, value: object) -> int | None:
        """Return the value as a plain int, None where it is not allowed; a bool or a float is none."""
        if isinstance(value, bool) or not isinstance(value, Integral):
            return None
        number = int(value)
        return number if self.low <= number <= self.high else None

    def parse(self, text: str) -> object:
        """Read a command-line word; what is no such value comes back as text, for `check` to refuse."""
        return int(text) if re.fullmatch(rf"[+-]?{_DIGITS}", text) and len(text) <= _LONGEST else text


@dataclass(frozen=True, slots=True)
class Half:
    """A number from `low` to `high` in steps of a half, kept as a float."""

    low: int
    high: int

    def __str__(self) -> str:
        return f"a number from {self.low} to {self.high} in halves"

    def check(self, value: object) -> float | None:
        """Return the value as a float, None where it is not allowed."""
        if isinstance(value, bool) or not isinstance(value, Real):
            return None
        try:
            number = float(value)
        except OverflowError:
            return None
        return number if self.low <= number <= self.high and 2 * number % 1 == 0 else None

    def parse(self, text: str) -> object:
        """Read a command-line word; see `Whole.parse`."""
        number = rf"[+-]?{_DIGITS}(\.{_DIGITS})?"
        return float(text) if re.fullmatch(number, text) and len(text) <= _LONGEST else text


@dataclass(frozen=True, slots=True)
class Flag:
    """True or false."""

    def __str__(self) -> str:
        return "true or false"

    def check(self, value: object) -> bool | None:
        """Return the bool, None for anything else; 0 and 1 are no bools."""
        return value if isinstance(value, bool) else None

    def parse(self, text: str) -> object:
        """Read a command-line word; see `Whole.parse`."""
        return {"true": True, "false": False}.get(text.lower(), text)


@dataclass(frozen=True, slots=True)
class Choice:
    """One of a few words or whole numbers."""

    choices: tuple[str, ...] | tuple[int, ...]

    def __str__(self) -> str:
        *most, last = (f'"{choice}"' if isinstance(choice, str) else str(choice) for choice in self.choices)
        return f"{', '.join(most)} or {last}" if most else last

    def check(self, value: object) -> str | int | None:
        """Return the choice, None for anything else."""
        if isinstance(value, bool) or not isinstance(value, (str, Integral)):
            return None
        return next((choice for choice in self.choices if choice == value), None)

    def parse(self, text: str) -> object:
        """Read a command-line word; see `Whole.parse`."""
        return next((choice for choice in self.choices if str(choice) == text), text)


@dataclass(frozen=True, slots=True)
class Words:
    """A list of words, none twice. The order written has no meaning: that of `choices` is kept.

    With `all_word`, the word "all" stands for every choice.
    """

    choices: tuple[str, ...]
    all_word: bool = False

    def __str__(self) -> str:
        return f"a list, none twice, of {', '.join(self.choices)}" + ('; or "all"' if self.all_word else "")

    def check(self, value: object) -> tuple[str, ...] | None:
        """Return the words as a tuple, None where the list is not allowed."""
        if self.all_word and isinstance(value, str) and value == "all":
            return self.choices
        if not isinstance(value, (list, tuple)) or len(value) > len(self.choices):
            return None
        words = {str(word) for word in value if isinstance(word, str) and word in self.choices}
        return tuple(filter(words.__contains__, self.choices)) if len(words) == len(value) else None

    def parse(self, text: str) -> object:
        """Read ``standard,all_258``, also in brackets and with quotes; empty text is the empty list."""
        if self.all_word and text == "all":
            return text
        inner = text[1:-1] if text.startswith("[") and text.endswith("]") else text
        return [word.strip().strip("'\"") for word in inner.split(",")] if inner.strip() else []


Kind = Whole | Half | Flag | Choice | Words


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a rule set.

    Attributes
    ----------
    name : str
        ``section.name``.
    models : tuple of str
        The values of ``score.model`` under which the option exists.
    kind : Whole, Half, Flag, Choice or Words
        What is allowed; its ``str`` says it in words.
    default : int, float, bool, str or tuple of str
        The value where neither a preset nor an override names one.
    source : str
        Source marks, see the top of this file.
    doc : str
        One line, with the unit.
    """

    name: str
    models: tuple[str, ...]
    kind: Kind
    default: Value
    source: str
    doc: str


MODELS = ("factors", "codes", "patterns")

# What a model asks of shared options; an option that is not named is free within its kind.
NEEDS: Mapping[str, Mapping[str, Value]] = {
    "factors": {
        "deal.players": 4,
        "deal.tiles": "full",
        "wild.kind": "after_indicator",
        "wild.ring": "wuhan",
    },
    "codes": {
        "deal.tiles": "suits_red",
        "deal.last_draws": 0,
        "wild.kind": "red",
        "claims.discard_win": False,
    },
    "patterns": {
        "deal.players": 4,
        "deal.tiles": "full",
        "wild.kind": "after_indicator",
        "wild.ring": "split",
        "wild.skin_kinds": 0,
    },
}
# Shapes of a winning hand by model.
SHAPES: Mapping[str, tuple[str, ...]] = {
    "factors": ("standard", "all_258", "all_winds"),
    "codes": ("standard", "seven_pairs"),
    "patterns": ("standard", "seven_pairs", "thirteen_lan", "nine_yao"),
}


def _pick(*choices: str) -> Choice:
    return Choice(choices)


_ALL, _FACTORS, _CODES, _PATTERNS = MODELS, ("factors",), ("codes",), ("patterns",)
_SHAPE = Words(tuple(dict.fromkeys(shape for model in MODELS for shape in SHAPES[model])))
_HEAD_TYPES = Words(BIG_TYPES, all_word=True)
_FED_TYPES = Words(tuple(dict.fromkeys(("pengpenghu", "qingyise", "jiangyise", "fengyise", *BIG_TYPES))))
_HEAD_FREE = ("pengpenghu", "qingyise", "fengyise", "jiangyise", "gangshanghua", "haidilao")
_KEEP = "keep_on_win_or_exhausted"
_FLAG, _FACTOR, _HALVES, _BASE = Flag(), Whole(1, 16), Half(1, 16), Whole(1, 1000)
_POINTS, _CAP, _LEAST = Whole(0, 1000), Whole(0, 1_000_000), Whole(0, 100_000)

# fmt: off
# name, models, allowed, default, source, what it is
_TABLE: tuple[tuple[str, tuple[str, ...], Kind, Value, str, str], ...] = (
    ("deal.players", _ALL, Choice((2, 4)), 4, "yh bf lg hz", "seats at the table"),
    ("deal.tiles", _ALL, _pick("full", "suits_red"), "full", "yh bf lg pub",
     "all 136 tiles, or the suits and four C (112 tiles)"),
    # under codes the dead wall is the codes to be turned up
    ("deal.dead_wall", ("factors", "patterns"), Whole(0, 40), 10, "yh lg hx",
     "tiles that nobody draws"),
    ("deal.last_draws", _ALL, Choice((0, 2, 4)), 4, "yh lg",
     "tiles of the last round, in which every seat draws one: deal.players, or 0 for no last round"),
    ("deal.next_dealer", _ALL, _pick(_KEEP, "winner"), _KEEP, "yh lg pub",
     "the dealer keeps on its win or an exhausted hand, else the next seat deals; or the winner deals"),
    ("wild.kind", _ALL, _pick("after_indicator", "red"), "after_indicator", "yh bf lg hz",
     "the wildcard is the kind after the indicator, or always C"),
    ("wild.ring", _ALL, _pick("wuhan", "split"), "wuhan", "yh bf lg hx",
     "the kind after an honour: ring E S W N F P, C gives F; or rings E S W N and C F P"),
    ("wild.skin_kinds", _ALL, Whole(0, 2), 0, "nw pub",
     "kinds that are skins: none, the indicator's, also the one before it"),
    ("wild.skin_role", _ALL, _pick("optional", "red"), "optional", "nw pub ours",
     "a skin is an ordinary tile that may be konged singly, or in every way like the red dragon"),
    ("claims.chow", _ALL, _FLAG, True, "yh bf lg hz", "the next seat may claim a discard for a chow"),
    ("claims.discard_win", _ALL, _FLAG, True, "yh bf lg hz", "a discard may be won on"),
    ("claims.kong_after_claim", _ALL, _FLAG, True, "lg hz hx ours",
     "kongs are allowed straight after one's own chow or pung"),
    ("claims.many_rob", _ALL, _FLAG, False, "yh bf lg hx", "all who can rob a kong win, not only the first"),
    ("claims.winner_order", _ALL, _pick("dealer", "discarder"), "dealer", "yh bf lg hx",
     "where several want to win: the first from the dealer on, or the first after the discarder"),

    ("win.open_melds", _ALL, _pick("none", "chow_pung", "chow_pung_kong"), "chow_pung", "yh bf lg",
     "melds of which a win needs one: no need of any, chow and pung, also direct kong"),
    ("win.shapes", _ALL, _SHAPE, SHAPES["factors"], "yh bf lg hz hx", "shapes in which a hand may win"),
    ("win.head_258_free", _FACTORS, _HEAD_TYPES, _HEAD_FREE, "yh bf lg pub",
     "big types with which the pair need not be 258"),
    ("win.small_wild_max", _FACTORS, Whole(0, 4), 1, "yh bf lg",
     "tiles of the wildcard kind that a small win may hold"),
    ("win.quanqiuren_self_draw", _FACTORS, _FLAG, False, "lg", "quanqiuren counts on a self-draw too"),
    ("win.quanqiuren_head", _FACTORS, _pick("258", "any_if_big"), "any_if_big", "yh",
     "the pair of quanqiuren is 258, or any beside another big type"),
    ("win.minimum", _FACTORS, _pick("none", "any_payer", "each_payer"), "any_payer", "yh bf nw lg",
     "which shares must reach the minimum: none, at least one, every one"),
    ("win.minimum_points", _FACTORS, Whole(0, 10_000), 20, "yh bf nw lg", "the minimum of a share (points)"),

    ("score.model", _ALL, Choice(MODELS), "factors", "ours", "RULES.md section 4, 7 or 8 counts the points"),
    ("score.stake", _ALL, Whole(1, 1_000_000), 1, "ours", "factor on all points"),
    ("score.open", _FACTORS, _pick("per_meld", "once"), "per_meld", "yh bf nw lg",
     "x2 for each open meld, or once for having opened"),
    ("score.kong_exposed", _FACTORS, _FACTOR, 2, "yh bf lg", "factor of a direct or added kong"),
    ("score.kong_concealed", _FACTORS, _FACTOR, 4, "yh bf lg", "factor of a concealed kong"),
    ("score.kong_red", _FACTORS, _FACTOR, 2, "yh bf lg", "factor of a red kong"),
    ("score.kong_wild", _FACTORS, _FACTOR, 4, "yh bf lg", "factor of a wild kong"),
    ("score.kong_skin", _FACTORS, _FACTOR, 1, "nw pub", "factor of a skin kong"),
    ("score.wild_discard", _FACTORS, _FACTOR, 2, "yh bf lg", "factor of each wildcard discarded"),
    ("score.hard", _FACTORS, _FACTOR, 2, "yh bf lg", "factor of a hard win"),
    ("score.small_base", _FACTORS, _BASE, 1, "yh bf lg", "base of a small win (points)"),
    ("score.small_self_draw", _FACTORS, _HALVES, 2.0, "yh bf lg", "factor of a small win by self-draw"),
    ("score.small_discarder", _FACTORS, _HALVES, 2.0, "yh bf lg", "factor of the discarder to a small win"),
    ("score.small_dealer", _FACTORS, _HALVES, 2.0, "yh bf lg",
     "factor of a small win on each loser when the dealer wins, on the dealer when it loses"),
    ("score.big_base", _FACTORS, _BASE, 10, "yh bf lg", "base of a big win with one type (points)"),
    ("score.big_self_draw", _FACTORS, _HALVES, 1.5, "yh bf lg", "factor of a big win by self-draw"),
    ("score.big_discarder", _FACTORS, _HALVES, 1.5, "yh bf lg", "factor of the discarder to a big win"),
    ("score.big_stacking", _FACTORS, _pick("double", "add"), "double", "yh lg",
     "n big types: base x 2^(n-1), or base x n"),
    ("score.fengyise", _FACTORS, _FACTOR, 2, "yh bf lg", "factor of fengyise on the base"),
    ("score.qianggang_is_big", _FACTORS, _FLAG, False, "lg", "robbing a kong is a big type"),

    ("cap.per_payer", _FACTORS, _CAP, 300, "yh bf ours", "most that a loser pays (points), 0 = no limit"),
    ("cap.golden", _FACTORS, _CAP, 400, "yh bf ours",
     "what each loser pays when all three owe cap.per_payer or more (points), 0 = no golden"),
    ("cap.liable", _FACTORS, _CAP, 400, "yh bf ours",
     "cap of each share where one seat pays all (points), 0 = no limit"),

    ("liability.third_meld", _FACTORS, _FED_TYPES, ("qingyise",), "yh bf lg",
     "types with which the feeder of the third exposed meld pays all"),
    ("liability.quanqiuren", _FACTORS, _pick("none", "head_258", "not_ready"), "head_258", "yh bf lg",
     "the discarder to quanqiuren pays all: never, when the tile is a 258, when its own hand was not ready"),
    ("liability.rob_kong", _FACTORS, _pick("konger_hand", "robber_hand"), "konger_hand", "yh bf lg",
     "the hand whose points a robbed konger pays: its own had it won on the replacement, or the robber's"),

    ("table.fee", _ALL, _CAP, 0, "bf", "points that each seat pays after each hand, apart from the score"),

    ("codes.count", _CODES, Whole(0, 20), 4, "hz", "codes turned up after a win (tiles)"),
    ("codes.all_in", _CODES, _FLAG, False, "hz", "one code only, and its rank is added (C = 10)"),
    ("codes.hit_points", _CODES, _POINTS, 2, "hz", "points that each hit adds to each share"),
    ("codes.no_wild_extra", _CODES, Whole(0, 4), 0, "pub", "more codes for a winner without C (tiles)"),
    ("points.base", _CODES, _POINTS, 2, "pub", "points each loser owes before codes"),
    ("points.multiple", _CODES, _BASE, 1, "hz", "factor on the points of the win and of kongs"),
    ("points.kong_direct", _CODES, _POINTS, 1, "pub",
     "points a direct kong costs the discarder, for every opponent of the konger"),
    ("points.kong_added", _CODES, _POINTS, 1, "pub", "points an added kong costs every opponent"),
    ("points.kong_concealed", _CODES, _POINTS, 2, "pub", "points a concealed kong costs every opponent"),

    ("value.pinghu", _PATTERNS, _BASE, 1, "hx pub", "points of four sets and a pair"),
    ("value.pengpenghu", _PATTERNS, _BASE, 3, "hx pub", "points of four triplets or kongs and a pair"),
    ("value.qidui", _PATTERNS, _BASE, 3, "hx pub", "points of seven pairs"),
    ("value.haohuaqidui", _PATTERNS, _BASE, 6, "hx pub", "points of seven pairs with four alike"),
    ("value.shisanlang", _PATTERNS, _BASE, 1, "hx pub", "points of thirteen_lan"),
    ("value.qixingshisanlang", _PATTERNS, _BASE, 3, "hx pub", "points of thirteen_lan with all honours"),
    ("value.jiuyao", _PATTERNS, _BASE, 1, "hx pub", "points of nine_yao"),
    ("value.qixingjiuyao", _PATTERNS, _BASE, 3, "hx pub", "points of nine_yao with all honours"),
    ("factor.wubao", _PATTERNS, _BASE, 2, "hx pub", "factor of the hard reading"),
    ("factor.gangkai", _PATTERNS, _BASE, 2, "hx pub", "factor of a self-draw on a replacement"),
    ("factor.qianggang", _PATTERNS, _BASE, 2, "hx pub", "factor of robbing a kong"),
    ("factor.jiebao", _PATTERNS, _BASE, 2, "hx pub", "factor of winning on a discarded bao"),
    ("factor.baodiaotou", _PATTERNS, _BASE, 2, "hx pub", "factor of a self-draw with a bao to spare"),
    ("factor.baodiaowubao", _PATTERNS, _BASE, 4, "hx pub",
     "in place of baodiaotou, after a passed win: the winning reading is hard"),
    ("factor.baodiaobao", _PATTERNS, _BASE, 4, "hx pub",
     "in place of baodiaotou, after a passed win: the winning draw is a bao"),
    ("factor.dandiao", _PATTERNS, _BASE, 2, "hx pub", "factor of one concealed tile besides four melds"),
    ("factor.sigebao", _PATTERNS, _BASE, 2, "hx pub", "factor of having held all four bao"),
    ("factor.feibao", _PATTERNS, _BASE, 2, "hx pub", "factor of each bao the winner discarded"),
    ("factor.touji", _PATTERNS, _BASE, 1, "hx pub", "factor of each win passed with a bao to spare"),
    ("factor.self_draw", _PATTERNS, _BASE, 2, "hx pub", "factor of a self-draw on every loser"),
    ("factor.discarder", _PATTERNS, _BASE, 2, "hx pub", "factor on the discarder or the robbed konger"),
    ("least.tianhu", _PATTERNS, _LEAST, 16, "hx pub", "least share (points) of a win on the first draw"),
    ("least.dihu", _PATTERNS, _LEAST, 16, "hx pub", "least share (points) of a win on the first discard"),
)
# fmt: on

OPTIONS: Mapping[str, Option] = MappingProxyType({row[0]: Option(*row) for row in _TABLE})


def hint(name: str, known: Iterable[str]) -> str:
    """Say which known name is near, whatever the case of its letters; nothing where none is."""
    folded = {each.casefold(): each for each in known}
    found = difflib.get_close_matches(name[:100].casefold(), list(folded), n=1)
    return f", the nearest is {folded[found[0]]}" if found else ""


def toml(value: object) -> str:
    """Write a value into an error text as a rule file has it; what a rule file cannot have as `show` does."""
    if isinstance(value, (date, time)):  # a datetime is a date, too
        return value.isoformat()
    parts = value if isinstance(value, (list, tuple)) else (value,)
    if all(isinstance(part, (bool, int, str)) for part in parts):
        try:
            text = json.dumps(value, ensure_ascii=False)
            return text if len(text) <= 80 else f"{text[:77]}..."
        except (ValueError, TypeError):  # an integer too long to print; a number that is no plain int
            pass
    return show(value)


def misnamed(name: object, model: str | None, *value: object) -> str | None:
    """Say what is wrong with the name of an option.

    Parameters
    ----------
    name : object
    model : str or None
        The ``score.model`` that should have the option; None = any.
    value : object, optional
        What it is to be, shown behind the name.

    Returns
    -------
    str or None
        None where the model has the option.
    """
    option = OPTIONS.get(name) if isinstance(name, str) else None
    if option is not None and (model is None or model in option.models):
        return None
    given = "".join(f" = {toml(each)}" for each in value)
    if option is not None:
        return f"{name}{given} is an option of score.model = {' or '.join(option.models)}, not of {model}"
    if not isinstance(name, str):
        return f"option {show(name)}{given} is unknown, must be text such as cap.per_payer"
    near = hint(name, OPTIONS) or ", RULES.md section 9 lists the options"
    return f"option {show(name)}{given} is unknown{near}"


def resolve(
    changes: Mapping[Any, object], base: Mapping[str, Value] | None
) -> tuple[dict[str, Value], Faults]:
    """Lay changes over base values over defaults, and check them.

    Parameters
    ----------
    changes : mapping
        Option -> value, unchecked.
    base : mapping of str to value, or None
        Valid values; those of another model than the changes ask for are dropped. None where the base is
        not known for its own faults: then each change is checked by itself alone.

    Returns
    -------
    values : dict of str to value
        Every option of the model, in the order of the table; not meaningful where there are faults.
    faults : list of (str, str)
    """
    if not isinstance(changes, Mapping):
        return {}, [("", f"options = {show(changes)}, must be a mapping of option to value")]
    if len(changes) > 10 * len(OPTIONS):  # no slip of the pen, and too many to look for what is meant
        return {}, [("", f"{len(changes)} options, there are only {len(OPTIONS)}")]
    faults: Faults = []
    checked: dict[str, Value] = {}
    for name, value in changes.items():
        if why := misnamed(name, None, value):
            faults.append((show(name).strip("'"), why))
        elif (good := OPTIONS[name].kind.check(value)) is None:
            faults.append((name, f"{name} = {toml(value)}, must be {OPTIONS[name].kind}"))
        else:
            checked[name] = good
    if base is None or ("score.model" in changes and "score.model" not in checked):
        return {}, faults
    given = {**base, **checked}
    model = str(given.get("score.model", OPTIONS["score.model"].default))
    for name in checked:
        if why := misnamed(name, model, changes[name]):
            faults.append((name, why))
    values = {
        name: given.get(name, _default(option, model))
        for name, option in OPTIONS.items()
        if model in option.models
    }
    faulty = {name for name, _ in faults}
    faults += [fault for fault in _combination_faults(values, model) if fault[0] not in faulty]
    return values, faults


def _default(option: Option, model: str) -> Value:
    # RULES.md section 7 fixes this for all of codes; else what is not named is as in yuanhang
    return 0 if option.name == "deal.last_draws" and model == "codes" else option.default


def _combination_faults(values: Mapping[str, Value], model: str) -> Iterable[tuple[str, str]]:
    """Find values that do not go together (RULES.md section 9, last paragraph of the table)."""
    needs, shapes = NEEDS[model], values["win.shapes"]
    for name, needed in needs.items():
        if values[name] != needed:
            yield (
                name,
                f"{name} = {toml(values[name])}, must be {toml(needed)} under score.model = {model}",
            )
    if not shapes or not set(shapes) <= set(SHAPES[model]):  # type: ignore[arg-type]
        allowed = ", ".join(SHAPES[model])
        yield (
            "win.shapes",
            f"win.shapes = {toml(shapes)}, must be one or more of {allowed} under score.model = {model}",
        )
    last, players = values["deal.last_draws"], needs.get("deal.players", values["deal.players"])
    if "deal.last_draws" not in needs and last not in (0, players):
        yield "deal.last_draws", f"deal.last_draws = {last}, must be 0 or {players} (deal.players)"


def is_points(name: str) -> bool:
    """Whether an option changes what a hand is worth and, in play, at most which wins are allowed."""
    if name in ("codes.hit_points", "table.fee", "win.minimum", "win.minimum_points"):
        return True
    return name.partition(".")[0] in _POINTS_SECTIONS and name != "score.model"


_POINTS_SECTIONS = ("score", "cap", "liability", "points", "value", "factor", "least")
