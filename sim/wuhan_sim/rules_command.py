"""``wuhan rules``: list the presets, show a rule set, compare two, check a file."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from wuhan_core.options import OPTIONS, Value
from wuhan_core.rules import RuleError, RuleSet, load_rules, preset_names
from wuhan_core.words import LANGS, Lang, allowed, columns, option_doc, word, written


def add_rules_command(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command and what it can do to the parser."""
    rules = commands.add_parser("rules", help="list, show, compare and check rule sets")
    actions = rules.add_subparsers(required=True, metavar="ACTION")

    def action(name: str, run: object, about: str, *arguments: tuple[str, str]) -> argparse.ArgumentParser:
        added = actions.add_parser(name, help=about, description=f"{about[0].upper()}{about[1:]}.")
        added.set_defaults(run=run)
        for argument, explained in arguments:
            added.add_argument(argument, metavar=argument.upper(), help=explained)
        added.add_argument("--lang", choices=LANGS, default="en", help="of the text (default: %(default)s)")
        return added

    either = "preset, alias or TOML file"
    listed = action("list", _list, "list the presets")
    shown = action("show", _show, "show every option of a rule set", ("name", either))
    compared = action("diff", _diff, "show the options that differ", ("a", either), ("b", either))
    checked = action("check", _check, "check a rule file", ("file", "TOML file"))
    checked.set_defaults(gathers=True)
    shown.add_argument("--toml", action="store_true", help="print a rule file")
    for parser in (listed, shown, compared):
        parser.add_argument("--json", action="store_true", help="print JSON")


def _print_json(value: object) -> None:
    print(json.dumps(value, ensure_ascii=False, indent=2))


def _print_table(header: tuple[str, ...], rows: Sequence[tuple[str, ...]], lang: Lang) -> None:
    lines = columns([tuple(word(name, lang) for name in header), *rows])
    print("\n".join(lines))


def _list(options: argparse.Namespace) -> None:
    presets = [load_rules(name).preset for name in preset_names()]
    if options.json:
        _print_json(
            [
                {
                    "name": preset.name,
                    "title": {"zh": preset.title_zh, "en": preset.title_en},
                    "source": preset.source,
                    "aliases": list(preset.aliases),
                }
                for preset in presets
            ]
        )
        return
    rows = [
        (each.name, each.title_zh, each.title_en, ", ".join(each.aliases), each.source) for each in presets
    ]
    _print_table(("name", "title.zh", "title.en", "aliases", "source"), rows, options.lang)


def _show(options: argparse.Namespace) -> None:
    rules, lang = load_rules(options.name), options.lang
    if options.toml and options.json:
        raise RuleError(["--toml and --json cannot go together"])
    if options.toml:
        print(rules.to_toml(), end="")
    elif options.json:
        _print_json(_described(rules, lang))
    else:
        title = rules.preset.title_zh if lang == "zh" else rules.preset.title_en
        print(f"{rules.name}: {title} ({rules.preset.source})\n")
        rows = [
            (
                name,
                written(value),
                OPTIONS[name].source,
                option_doc(name, lang),
                allowed(OPTIONS[name].kind, lang),
            )
            for name, value in rules.values.items()
        ]
        _print_table(("option", "value", "source", "meaning", "allowed"), rows, lang)


def _described(rules: RuleSet, lang: Lang) -> dict[str, object]:
    values = rules.to_dict()
    return {
        "name": rules.name,
        "id": rules.id,
        "title": {"zh": rules.preset.title_zh, "en": rules.preset.title_en},
        "source": rules.preset.source,
        "aliases": list(rules.preset.aliases),
        "options": {
            name: {
                "value": value,
                "allowed": allowed(OPTIONS[name].kind, lang),
                "source": OPTIONS[name].source,
                "meaning": option_doc(name, lang),
            }
            for name, value in values.items()
        },
    }


def _diff(options: argparse.Namespace) -> None:
    faults: list[str] = []
    sets: list[RuleSet] = []
    for name in (options.a, options.b):
        try:
            sets.append(load_rules(name))
        except RuleError as error:
            faults += error.faults
    if faults:
        raise RuleError(dict.fromkeys(faults))
    a, b = sets
    differences = a.diff(b)
    if options.json:
        pairs = {name: [_plain(value) for value in pair] for name, pair in differences.items()}
        _print_json({"a": a.name, "b": b.name, "options": pairs})
    elif not differences:
        print(word("no differences", options.lang))
    else:
        rows = [
            (
                name,
                *("-" if value is None else written(value) for value in pair),
                option_doc(name, options.lang),
            )
            for name, pair in differences.items()
        ]
        head = (word("option", options.lang), a.name, b.name, word("meaning", options.lang))
        print("\n".join(columns([head, *rows])))


def _plain(value: Value | None) -> object:
    return list(value) if isinstance(value, tuple) else value


def _check(options: argparse.Namespace) -> None:
    faults: list[str] = list(options.faults)
    rules = None
    try:
        rules = load_rules(Path(options.file))
    except RuleError as error:
        faults += error.faults
    if faults or rules is None:
        raise RuleError(faults)
    print(f"{options.file}: OK ({rules.name}, score.model = {rules.get('score.model')}, id {rules.id[:12]})")
