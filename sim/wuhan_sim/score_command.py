"""``wuhan score``: one finished hand explained, or many scored, one JSON object a line."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from typing import Any, NoReturn

from wuhan_core.errors import FaultError, plain, show
from wuhan_core.explain import explain
from wuhan_core.files import read_most, read_plain
from wuhan_core.scoring import CaseError, score_case, score_cases
from wuhan_core.words import LANGS

_MOST = 2**27  # bytes of a file of cases, of which each takes about a thousand
_LONGEST = 2**20  # characters of one case


class InputError(FaultError):
    """Input that is no case; `faults` has every fault with its line."""


def add_score_command(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    score = commands.add_parser(
        "score",
        help="score finished hands and say why",
        description="Score finished hands. One JSON object is explained; JSON Lines give JSON Lines, answers "
        "in order, blank lines left out. If a line is at fault nothing is printed.",
    )
    score.set_defaults(run=_run)
    score.add_argument("file", metavar="CASE.json", help="the file, or - for stdin")
    score.add_argument("--lines", action="store_true", help="JSON Lines, also where there is one line only")
    score.add_argument("--json", action="store_true", help="print the explanation as JSON")
    score.add_argument("--lang", choices=LANGS, default="en", help="of the text (default: %(default)s)")


def _run(options: argparse.Namespace) -> None:
    text = _text(options.file)
    try:
        _answer(text, options)
    except FaultError as error:
        raise InputError(f"{_shown(options.file)}: {fault}" for fault in error.faults) from error


def _answer(text: str, options: argparse.Namespace) -> None:
    lines = options.lines or options.file.endswith(".jsonl")
    one = None if lines else _one(text)
    if one is None:
        numbers, cases = _read_lines(text)
        answers = _scored(numbers, cases)
        if options.json:
            answers = [explain(case, found).to_dict() for case, found in zip(cases, answers, strict=True)]
        sys.stdout.writelines(f"{_dumped(answer)}\n" for answer in answers)
        return
    score = explain(one, score_case(one))
    print(_dumped(score.to_dict()) if options.json else score.to_text(options.lang))


def _dumped(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _text(file: str) -> str:
    try:
        raw = read_most(sys.stdin.buffer, _MOST) if file == "-" else read_plain(file, _MOST)
        text = raw.decode("utf-8-sig")
    except OSError as error:
        raise InputError([f"{file}: cannot be read: {error.strerror}"]) from None
    except ValueError as error:
        raise InputError([f"{_shown(file)}: {plain(error)}"]) from None
    if not text.strip():
        raise InputError([f"{_shown(file)}: is empty, must have a case"])
    return text


def _shown(file: str) -> str:
    return "stdin" if file == "-" else file


def _one(text: str) -> dict[str, Any] | None:
    """The case, if the text is one JSON object; None for JSON Lines. A fault where it is neither."""
    try:
        return _object(_loads(text))
    except InputError:
        lines = [line for line in text.split("\n") if line.strip()]
        # such a line does not come from one object over many lines
        if len(lines) > 1 and (_holds(lines[0]) or any(_holds(line, "players") for line in lines)):
            return None
        raise


def _holds(line: str, *keys: str) -> bool:
    """Whether a line is an object that has these keys."""
    try:
        return _object(_loads(line)).keys() >= set(keys)
    except InputError:
        return False


def _read_lines(text: str) -> tuple[list[int], list[dict[str, Any]]]:
    """Line numbers (from 1) and objects of JSON Lines."""
    numbers: list[int] = []
    cases: list[dict[str, Any]] = []
    faults: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                cases.append(_object(_loads(line)))
                numbers.append(number)
            except InputError as error:
                faults += [f"line {number}: {fault}" for fault in error.faults]
    if faults:
        # the other lines may have faults too, and all are to be told at once
        try:
            _scored(numbers, cases)
        except InputError as error:
            faults += error.faults
        raise InputError(sorted(faults, key=_line))
    return numbers, cases


def _line(fault: str) -> int:
    return int(fault.split(":")[0].removeprefix("line "))


def _scored(numbers: list[int], cases: list[dict[str, Any]]) -> list[dict[str, Any]]:
    try:
        return score_cases(cases)
    except CaseError:
        faults = []
        for number, case in zip(numbers, cases, strict=True):
            try:
                score_case(case)
            except CaseError as error:
                faults += [f"line {number}: {fault}" for fault in error.faults]
        raise InputError(faults) from None


def _object(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise InputError([f"{show(value)} is no JSON object, must be a case"])
    return value


def _loads(text: str) -> object:
    if len(text) > _LONGEST:
        raise InputError([f"no JSON that can be read: longer than {_LONGEST} characters"])
    try:
        return json.loads(text, parse_constant=_no_constant, object_pairs_hook=_no_twice)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, " if "\n" in text.strip() else ""
        raise InputError([f"no JSON: {error.msg} ({where}column {error.colno})"]) from None
    except RecursionError:
        raise InputError(["no JSON that can be read: nested too deeply"]) from None
    except FaultError:
        raise
    except ValueError as error:  # an integer too long
        raise InputError([f"no JSON that can be read: {plain(error)}"]) from None


def _no_constant(name: str) -> NoReturn:
    raise InputError([f"no JSON: {name} is no number of JSON"])


def _no_twice(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        times = Counter(key for key, _ in pairs)
        twice = {key: count for key, count in times.items() if count > 1}
        raise InputError(
            f"key {show(key)} is there {count} times, must be once" for key, count in twice.items()
        )
    return found
