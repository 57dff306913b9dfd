"""Rule sets: frozen, validated option values, from presets, TOML files and overrides.

The options stand in `wuhan_core.options`; what they mean is said in RULES.md.
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from types import MappingProxyType
from typing import Any

from .errors import FaultError, plain, show
from .files import read_plain
from .options import OPTIONS, Faults, Value, hint, misnamed, resolve, toml

__all__ = ["OPTIONS", "Preset", "RuleError", "RuleSet", "load_rules", "parse_override", "preset_names"]

DEFAULT = "yuanhang"
_MAX_BYTES = 65_536  # of a rule file; the longest of ours has 3,000
_MAX_DOTS = 100  # of a line
_HEADER = ("name", "aliases", "title", "source", "extends")
_MAX_CHAIN = 16  # files, each extending the next


class RuleError(FaultError):
    """Rules that cannot be; `faults` has every fault with the option, its value and what is allowed."""


class _FileError(RuleError):
    """Faults of a rule file, each with file and line."""


@dataclass(frozen=True, slots=True)
class Preset:
    """Where a rule set comes from: the head of its file.

    Attributes
    ----------
    name : str
    aliases : tuple of str
        Other names under which `load_rules` finds a shipped preset.
    title_zh, title_en : str
    source : str
        Whose rules they are.
    extends : str
        The shipped preset that the file goes back to, through whatever it extends; empty where there is none.
    """

    name: str
    aliases: tuple[str, ...] = ()
    title_zh: str = ""
    title_en: str = ""
    source: str = ""
    extends: str = ""


@dataclass(frozen=True, eq=False, repr=False)
class RuleSet:
    """One value for every option of one model. Frozen, hashable, picklable; equal when all values are.

    Parameters
    ----------
    values : mapping of str to object
        Option -> value; an option that is not named has its default.
    preset : Preset, optional
        Where they come from.

    Attributes
    ----------
    values : mapping of str to int, float, bool, str or tuple of str
        Every option of the model in the order of RULES.md section 9, read-only. Options in halves are
        floats, lists are tuples in the order of RULES.md.
    preset : Preset

    Raises
    ------
    RuleError
        Naming every fault: unknown options with the nearest known one, values out of range, options of
        another model, values that do not go together.

    Examples
    --------
    >>> rules = load_rules("yuanhang").replace({"cap.per_payer": 200})
    >>> rules
    RuleSet('yuanhang', {'cap.per_payer': 200})
    >>> rules.get("cap.per_payer"), rules.get("win.minimum_points")
    (200, 20)
    >>> rules.diff(load_rules("yuanhang"))
    {'cap.per_payer': (200, 300)}
    """

    values: Mapping[str, Value]
    preset: Preset = Preset("custom")

    def __post_init__(self) -> None:
        values, faults = resolve(self.values, {})
        if faults:
            raise RuleError(text for _, text in faults)
        object.__setattr__(self, "values", MappingProxyType(values))

    @property
    def name(self) -> str:
        """Name of the preset or file; kept by `replace`."""
        return self.preset.name

    @cached_property
    def id(self) -> str:
        """SHA-256 (hexadecimal) of the canonical JSON of `to_dict`; the name plays no part."""
        text = json.dumps(self.to_dict(), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    @property
    def overrides(self) -> dict[str, Value]:
        """What `load_rules` needs besides the name to give this set: option -> value.

        Relative to the shipped preset of this name; to the default preset where there is none.
        """
        base = _shipped(self.name if self.name in preset_names() else DEFAULT).values
        return {name: value for name, value in self.values.items() if base.get(name) != value}

    def get(self, name: str) -> Value:
        """Return the value of an option.

        Parameters
        ----------
        name : str
            Such as ``"cap.per_payer"``.

        Returns
        -------
        int, float, bool, str or tuple of str

        Raises
        ------
        RuleError
            For an unknown option, and for one that the model of this set does not have.
        """
        if why := misnamed(name, str(self.values["score.model"])):
            raise RuleError([why])
        return self.values[name]

    def replace(self, changes: Mapping[str, object]) -> RuleSet:
        """Return a rule set with some values changed and the same name.

        Parameters
        ----------
        changes : mapping of str to object
            Option -> value. Under another ``score.model`` the options of the old one are dropped.

        Returns
        -------
        RuleSet

        Raises
        ------
        RuleError
            Naming every fault.
        """
        values, faults = resolve(changes, self.values)
        if faults:
            raise RuleError(text for _, text in faults)
        return RuleSet(values, self.preset)

    def to_dict(self) -> dict[str, Any]:
        """Return option -> value, of the types that JSON has (lists for tuples)."""
        return {name: list(v) if isinstance(v, tuple) else v for name, v in self.values.items()}

    def diff(self, other: RuleSet) -> dict[str, tuple[Value | None, Value | None]]:
        """Return option -> (value here, value in `other`) where they differ; None = no such option there.

        Raises
        ------
        RuleError
            For what is no rule set.
        """
        if not isinstance(other, RuleSet):
            raise RuleError([f"other = {show(other)}, must be a RuleSet, such as load_rules makes"])
        names = [name for name in OPTIONS if name in self.values or name in other.values]
        pairs = {name: (self.values.get(name), other.values.get(name)) for name in names}
        return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}

    def to_toml(self) -> str:
        """Return a rule file that `load_rules` reads back to an equal set, with every option written out."""
        head, quote = self.preset, partial(json.dumps, ensure_ascii=False)  # TOML reads what it writes here
        lines = [
            f"name = {quote(head.name)}",
            f"aliases = {quote(list(head.aliases))}",
            f"title = {{ zh = {quote(head.title_zh)}, en = {quote(head.title_en)} }}",
            f"source = {quote(head.source)}",
        ]
        for section in dict.fromkeys(name.split(".")[0] for name in self.values):
            lines += ["", f"[{section}]"]
            for name, value in self.to_dict().items():
                if name.startswith(f"{section}."):
                    lines.append(f"{name.split('.')[1]} = {quote(value)}")
        return "\n".join(lines) + "\n"

    def __eq__(self, other: object) -> bool:
        return self.values == other.values if isinstance(other, RuleSet) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self.values.items()))

    def __reduce__(self) -> tuple[type[RuleSet], tuple[dict[str, Value], Preset]]:
        return RuleSet, (dict(self.values), self.preset)

    def __repr__(self) -> str:
        return f"RuleSet({self.name!r}, {self.overrides!r})"


def preset_names() -> tuple[str, ...]:
    """Return the names of the shipped presets, the default first, then by alphabet.

    Examples
    --------
    >>> preset_names()[:3]
    ('yuanhang', 'bianfeng', 'bianfeng-new')
    """
    return tuple(_files())


def load_rules(name_or_toml_path: str | Path, overrides: Mapping[str, object] | None = None) -> RuleSet:
    """Load a preset or a rule file, and change some of its values.

    Parameters
    ----------
    name_or_toml_path : str or Path
        Name or alias of a shipped preset, or the path of a rule file: a ``Path``, or text that ends in
        ``.toml`` or holds a slash.
    overrides : mapping of str to object, optional
        Option -> value, as Python values; see `parse_override` for text.

    Returns
    -------
    RuleSet

    Raises
    ------
    RuleError
        Naming every fault of the file (with file and line) and of the overrides.

    Examples
    --------
    >>> load_rules("laizigang").get("score.open")
    'once'
    >>> load_rules("laizigang", {"score.open": "per_meld"})
    RuleSet('laizigang', {'score.open': 'per_meld'})
    >>> load_rules("yuanhang", {"cap.per_payer": -1})
    Traceback (most recent call last):
        ...
    wuhan_core.rules.RuleError: cap.per_payer = -1, must be a whole number from 0 to 1000000
    """
    faults: list[str] = []
    base = None
    try:
        base = _load(name_or_toml_path)
    except RuleError as error:
        faults += error.faults
    values, wrong = resolve({} if overrides is None else overrides, base.values if base else None)
    faults += [text for _, text in wrong]
    if faults or base is None:
        raise RuleError(faults)
    return RuleSet(values, base.preset)


def parse_override(text: str) -> tuple[str, object]:
    """Read one ``option=value`` of the command line.

    Parameters
    ----------
    text : str
        ``cap.per_payer=200``, ``claims.chow=false``, ``win.shapes=standard,all_258``.

    Returns
    -------
    tuple of (str, object)
        Option and value, converted as the option asks. What cannot be converted, and the value of an
        unknown option, stays text: `load_rules` then names it among all the other faults.

    Raises
    ------
    RuleError
        For text without ``=``.
    """
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise RuleError([f"{show(text)} is no option=value, such as cap.per_payer=200"])
    option = OPTIONS.get(name.strip())
    return name.strip(), option.kind.parse(value.strip()) if option else value.strip()


@cache
def _files() -> Mapping[str, Traversable]:
    """Shipped presets: name -> file."""
    folder = files(__package__).joinpath("presets")
    found = {file.name[:-5]: file for file in folder.iterdir() if file.name.endswith(".toml")}
    return {name: found[name] for name in sorted(found, key=lambda name: (name != DEFAULT, name))}


@cache
def _aliases() -> Mapping[str, str]:
    """Every name and alias of the shipped presets -> name."""
    return {word: name for name in _files() for word in (name, *_shipped(name).preset.aliases)}


@cache
def _shipped(name: str) -> RuleSet:
    return _load_file(_files()[name], f"presets/{name}.toml", ())


def _load(source: object, folder: Path = Path(), chain: tuple[Path, ...] = ()) -> RuleSet:
    """Load a preset by name or alias, or a rule file by its path from `folder`."""
    if isinstance(source, Path) or (isinstance(source, str) and re.search(r"[/\\]|\.toml$", source)):
        return _load_file(folder / source, str(folder / source), chain)
    near = ""
    if isinstance(source, str):
        if name := source if source in _files() else _aliases().get(source):
            return _shipped(name)
        near = hint(source, _aliases())
    known = ", ".join(preset_names())
    raise RuleError([f"unknown preset {show(source)}{near}; there are {known}, and files that end in .toml"])


def _load_file(file: Path | Traversable, shown: str, chain: tuple[Path, ...]) -> RuleSet:
    """Load a rule file; `chain` has the files that extend it, the outermost first."""
    data, lines = _read(file, shown)

    def placed(faults: Faults) -> list[str]:
        faults = sorted(faults, key=lambda fault: lines.get(fault[0], len(lines) + 1))
        return [f"{shown}:{lines[key]}: {why}" if key in lines else f"{shown}: {why}" for key, why in faults]

    preset, faults = _header(data, file.name.removesuffix(".toml"))
    changes, wrong = _flatten(data)
    faults += wrong
    base: Mapping[str, Value] | None = {}
    inherited: list[str] = []
    if "extends" in data:
        here, outermost = Path(str(file)), not chain
        try:
            chain = _longer(chain, here)
            extended = _load(data["extends"], here.parent, chain)
            base, root = extended.values, extended.preset
            preset = replace(preset, extends=root.name if root.name in _files() else root.extends)
        except RuleError as error:
            base = None
            if isinstance(error, _FileError) and not outermost:  # they have their place in the chain already
                inherited = error.faults
            else:
                faults += [("extends", f"extends: {fault}") for fault in error.faults]
    values, wrong = resolve(changes, base)
    if faults or wrong or inherited:
        raise _FileError(placed(faults + wrong) + inherited)
    return RuleSet(values, preset)


def _longer(chain: tuple[Path, ...], file: Path) -> tuple[Path, ...]:
    chain = (*chain, file.resolve())
    if chain[-1] in chain[:-1]:
        raise RuleError([f"goes round in a circle: {' -> '.join(path.name for path in chain)}"])
    if len(chain) > _MAX_CHAIN:
        raise RuleError([f"more than {_MAX_CHAIN} files extend each other"])
    return chain


def _read(file: Path | Traversable, shown: str) -> tuple[dict[str, Any], dict[str, int]]:
    """Read a TOML file; return its data, and the line of each key as far as a plain search finds it."""
    try:
        raw = read_plain(file, _MAX_BYTES) if isinstance(file, Path) else file.read_bytes()
        text = raw.decode("utf-8-sig")
        data = parse_toml(text)
    except OSError as error:
        raise RuleError([f"{shown}: cannot be read: {error.strerror}"]) from error
    except RecursionError as error:
        raise RuleError([f"{shown}: is nested too deeply"]) from error
    except ValueError as error:  # no UTF-8; no TOML, with line and column; a number too long
        raise RuleError([f"{shown}: {plain(error)}"]) from error
    lines: dict[str, int] = {}
    section = ""
    for number, line in enumerate(text.split("\n"), 1):
        if header := re.match(r"\s*\[\s*([\w.-]+)\s*\]", line):
            section = f"{header[1]}."
            lines.setdefault(header[1], number)
        elif key := re.match(r"\s*([\w.-]+)\s*=", line):
            lines.setdefault(section + key[1], number)
    return data, lines


def parse_toml(text: str) -> dict[str, Any]:
    """Read the text of a rule file as TOML; what nobody has written by hand is refused.

    Raises
    ------
    ValueError
        No TOML, too long, or a key of very many parts, which would take hours to be laid out.
    RecursionError
        Nested too deeply.
    """
    if len(text) > _MAX_BYTES:
        raise ValueError(f"is longer than {_MAX_BYTES} characters")
    for number, line in enumerate(text.split("\n"), 1):
        if line.count(".") > _MAX_DOTS and not line.lstrip().startswith("#"):
            raise ValueError(f"more than {_MAX_DOTS} dots (at line {number})")
    return tomllib.loads(text)


def _header(data: Mapping[str, Any], stem: str) -> tuple[Preset, Faults]:
    """Read the head of a rule file, all of it optional: name, aliases, title and source."""
    title = data.get("title", {})
    texts = {"name": data.get("name", stem), "source": data.get("source", "")}
    faults: Faults = []
    if isinstance(title, dict) and title.keys() <= {"zh", "en"}:
        texts |= {f"title.{language}": title.get(language, texts["name"]) for language in ("zh", "en")}
    else:
        faults.append(("title", f"title = {toml(title)}, must be a table with zh and en"))
    aliases = data.get("aliases", [])
    if isinstance(aliases, list):
        texts |= {f"aliases[{index}]": alias for index, alias in enumerate(aliases)}
    else:
        faults.append(("aliases", f"aliases = {toml(aliases)}, must be a list of names"))
    for key, text in texts.items():
        line = re.split(r"[.[]", key)[0]
        if not isinstance(text, str) or not text.isprintable():
            faults.append((line, f"{key} = {toml(text)}, must be printable text on one line"))
        elif not text and line in ("name", "aliases"):
            faults.append((line, f'{key} = "", must not be empty'))
    if faults:
        return Preset(stem), faults
    return Preset(texts["name"], tuple(aliases), texts["title.zh"], texts["title.en"], texts["source"]), []


def _flatten(data: Mapping[str, Any]) -> tuple[dict[str, Any], Faults]:
    """Return option -> value out of the sections of a rule file, and the keys that are no section."""
    changes: dict[str, Any] = {}
    faults: Faults = []
    sections = dict.fromkeys(name.split(".")[0] for name in OPTIONS)
    for key, value in data.items():
        if isinstance(value, dict) and key not in _HEADER and (value or key in sections):
            changes |= {f"{key}.{name}": inner for name, inner in value.items()}
        elif key in sections:
            faults.append((key, f"{key} = {toml(value)}, must be a table [{key}]"))
        elif key not in _HEADER:
            known = (*_HEADER, *sections)
            near = hint(key, known) or f", must be one of {', '.join(known)}"
            faults.append((key, f"key {show(key)} = {toml(value)} is unknown{near}"))
    return changes, faults
