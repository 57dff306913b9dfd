"""Sphinx directives for what stands in the code: public names, records, options, bots, the command line.

Each makes reStructuredText and lets Sphinx read it, so that everything can be linked to and found by search.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import inspect
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from wuhan_core.options import OPTIONS
from wuhan_core.policies import POLICIES
from wuhan_core.rules import load_rules, preset_names
from wuhan_sim.cli import command_line

Lines = list[str]


class Written(SphinxDirective):
    """A directive whose content is made as reStructuredText by `write`."""

    required_arguments, optional_arguments = 0, 1
    has_content = True

    def write(self) -> Lines:
        """The lines that stand for it."""
        raise NotImplementedError

    def run(self) -> list[nodes.Node]:
        made: list[nodes.Node] = self.parse_text_to_nodes(
            "\n".join(self.write()), allow_section_headings=True
        )
        return made


class Public(Written):
    """``.. public:: package`` and names, one a line: a table of them, then each with its docstring."""

    def write(self) -> Lines:
        package = importlib.import_module(self.arguments[0])
        names = [line.strip() for line in self.content if line.strip()]
        lines = [".. autosummary::", "   :nosignatures:", ""]
        lines += [f"   {package.__name__}.{name}" for name in names]
        for name in names:
            lines += ["", *described(package.__name__, name, getattr(package, name)), ""]
        return lines


def described(package: str, name: str, what: object) -> Lines:
    """The directive of autodoc that documents a public name."""
    if isinstance(what, type) and issubclass(what, BaseException):
        return [f".. autoexception:: {package}.{name}", "   :show-inheritance:"]
    if isinstance(what, type):
        return [f".. autoclass:: {package}.{name}", "   :members:", "   :inherited-members: tuple"]
    return [f".. autofunction:: {package}.{name}"]


def grid(heads: Lines, rows: list[Lines], widths: str = "auto") -> Lines:
    """A table, its cells as lines of reStructuredText."""
    lines = [".. list-table::", "   :header-rows: 1", f"   :widths: {widths}", ""]
    for row in [heads, *rows]:
        for i, cell in enumerate(row):
            lines.append(f"   {'*' if i == 0 else ' '} - {cell}")
    return lines


class OptionTable(Written):
    """``.. option-table::``: every option of a rule set, section by section."""

    def write(self) -> Lines:
        presets = {name: load_rules(name).values for name in preset_names()}
        lines = []
        for section in dict.fromkeys(name.partition(".")[0] for name in OPTIONS):
            rows = []
            for name, option in OPTIONS.items():
                if not name.startswith(f"{section}."):
                    continue
                differ = [
                    f"{preset} {literal(values[name])}"
                    for preset, values in presets.items()
                    if name in values and values[name] != option.default
                ]
                doc = f"{plain(option.doc)}. Allowed: {plain(str(option.kind))}."
                whose = f"Models: {', '.join(option.models)}. Source: {plain(option.source)}."
                rows.append([f"``{name}``", f"{doc} {whose}", "; ".join([literal(option.default), *differ])])
            heads = ["option", "what it does", "default; presets that differ"]
            lines += [f".. rubric:: {section}", "", *grid(heads, rows, "24 46 30"), ""]
        return lines


class BotTable(Written):
    """``.. bot-table::``: the compiled bots and their parameters."""

    def write(self) -> Lines:
        lines = []
        for policy in POLICIES:
            lines += [f".. rubric:: {policy.name}", "", f"{plain(policy.doc).capitalize()}.", ""]
            rows = [
                [
                    f"``{each.name}``",
                    plain(each.doc),
                    f"{each.default:g}",
                    plain(each.allowed),
                    plain(each.unit),
                ]
                for each in policy.parameters
            ]
            if rows:
                lines += [
                    *grid(["parameter", "what more of it means", "default", "allowed", "unit"], rows),
                    "",
                ]
        return lines


class RecordTable(Written):
    """``.. record-table:: module.DTYPE``: the columns of a dtype with the words of its module's docstring."""

    def write(self) -> Lines:
        module, _, name = self.arguments[0].rpartition(".")
        found = importlib.import_module(module)
        rows = [
            [f"``{column}``", written, plain(meaning) if "``" not in meaning else meaning]
            for column, written, meaning in columns(found.__doc__ or "")
        ]
        told = [(row[0].strip("`"), row[1]) for row in rows]
        there = [(column, dtype_word(getattr(found, name)[column])) for column in getattr(found, name).names]
        if told != there:
            raise self.error(f"the docstring of {module} has {told}, {name} has {there}")
        return grid(["column", "dtype", "meaning"], rows, "16 12 72")


def columns(text: str) -> Iterator[tuple[str, str, str]]:
    """The rows of the table in a docstring."""
    row: Lines = []
    for line in text.split("===\n")[2].splitlines():
        if line.startswith("="):
            break
        if line[0] != " ":
            if row:
                yield row[0], row[1], " ".join(row[2:])
            row = line.split(None, 2)
        else:
            row.append(line.strip())
    yield row[0], row[1], " ".join(row[2:])


def dtype_word(dtype: Any) -> str:
    """Its name, with the number of seats."""
    base = dtype.subdtype[0] if dtype.subdtype else dtype
    return str(base.name) + (f"[{dtype.shape[0]}]" if dtype.shape else "")


class WordList(Written):
    """``.. word-list:: module.NAME``: the words of a tuple, numbered from 0."""

    def write(self) -> Lines:
        module, _, name = self.arguments[0].rpartition(".")
        words = getattr(importlib.import_module(module), name)
        return ["; ".join(f"{i} ``{word}``" for i, word in enumerate(words)) + "."]


class CommandLine(Written):
    """``.. command-line::``: every command of ``wuhan`` with its arguments and options, from the parser."""

    def write(self) -> Lines:
        lines: Lines = []
        for parser in parsers(command_line()):
            title = parser.prog
            options = [a for a in parser._actions if not isinstance(a, argparse._SubParsersAction)]
            if title != "wuhan":
                lines += [title, "-" * len(title), ""]
            lines += [plain(parser.description or ""), "", ".. code-block:: text", ""]
            lines += [f"   {line}" for line in parser.format_usage().removeprefix("usage: ").splitlines()]
            lines += ["", f".. program:: {title}", ""]
            for action in options:
                words = action.option_strings or [str(action.metavar or action.dest)]
                takes = "" if action.nargs == 0 or not action.option_strings else f" {value_of(action)}"
                lines += [f".. option:: {', '.join(f'{word}{takes}' for word in words)}", ""]
                lines += [f"   {plain(help_of(parser, action))}", ""]
        return lines


def parsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """A parser and all those of its commands."""
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from parsers(command)


def value_of(action: argparse.Action) -> str:
    """What stands for the value of an option."""
    metavar = action.metavar[0] if isinstance(action.metavar, tuple) else action.metavar
    return metavar or (
        "{" + ",".join(map(str, action.choices)) + "}" if action.choices else action.dest.upper()
    )


def help_of(parser: argparse.ArgumentParser, action: argparse.Action) -> str:
    """The help of an argument with its default filled in."""
    return parser._get_formatter()._expand_help(action) if action.help else ""


def plain(text: str) -> str:
    """Text that means itself in reStructuredText."""
    for sign in "\\*`|_":
        text = text.replace(sign, f"\\{sign}")
    return text


def literal(value: object) -> str:
    """A value as a rule file has it."""
    if isinstance(value, tuple):
        return ", ".join(f"``{word}``" for word in value) or "none"
    return f"``{str(value).lower() if isinstance(value, bool) else value}``"


@cache
def stub(module: str) -> dict[str, ast.FunctionDef]:
    """The functions and methods that the stub of a compiled module declares, by qualified name."""
    file = importlib.import_module(module).__file__ or ""
    path = Path(file).with_name(f"{module.rpartition('.')[2]}.pyi")
    if not path.is_file():
        return {}
    body = ast.parse(path.read_text(encoding="utf-8")).body
    found = {each.name: each for each in body if isinstance(each, ast.FunctionDef)}
    for each in body:
        if isinstance(each, ast.ClassDef):
            inside = (inner for inner in each.body if isinstance(inner, ast.FunctionDef))
            found |= {f"{each.name}.{inner.name}": inner for inner in inside}
    return found


def declaration(obj: Any) -> ast.FunctionDef | None:
    """What the stub of its module says of a compiled function, method or property."""
    owner = getattr(obj, "__objclass__", obj)
    return stub(owner.__module__).get(getattr(obj, "__qualname__", ""))


def signature(
    app: Sphinx, what: str, name: str, obj: Any, options: Any, signature: str | None, returns: str | None
) -> tuple[str, str | None] | None:
    """Give compiled functions the types of their stubs, and show no constructor that is not for users.

    A class whose docstring tells attributes and no parameters is made by the functions that return it.
    """
    if what in ("class", "exception"):
        text = inspect.getdoc(obj) or ""
        return None if signature is None or "Parameters\n---" in text else ("", None)
    compiled = inspect.isbuiltin(obj) or inspect.ismethoddescriptor(obj)
    if not compiled or (declared := declaration(obj)) is None:
        return None
    given = declared.args
    given.args = [argument for argument in given.args if argument.arg != "self"]
    return f"({ast.unparse(given)})", ast.unparse(declared.returns) if declared.returns else None


def property_type(app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: Lines) -> None:
    """Put the type of a compiled property, which Sphinx has no place for, before its first line."""
    if inspect.isgetsetdescriptor(obj) and (declared := declaration(obj)) and declared.returns:
        lines[0] = f"``{ast.unparse(declared.returns)}``: {lines[0]}"


def setup(app: Sphinx) -> dict[str, bool]:
    """What Sphinx calls."""
    for name, directive in (
        ("public", Public),
        ("option-table", OptionTable),
        ("bot-table", BotTable),
        ("record-table", RecordTable),
        ("word-list", WordList),
        ("command-line", CommandLine),
    ):
        app.add_directive(name, directive)
    # before numpydoc, which knows compiled functions without their types
    app.connect("autodoc-process-signature", signature, priority=400)
    app.connect("autodoc-process-docstring", property_type, priority=900)
    return {"parallel_read_safe": True}
