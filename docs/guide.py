"""Run what the guide shows and put what came of it into the page: ``python docs/guide.py``.

In ``guide.md`` a block of commands (``sh``) or of Python (``python``) may be followed by

    <!-- output: hands; caps -->
    <!-- end -->

and between these two lines comes what the block prints: all of it, the heading with the tables that are named
by the first cell of their header, or the first (``<!-- output: 12 -->``) or last lines (``-12``). Commands
and Python of the page run one after the other in one folder, so that a later one finds the run of an earlier
one; pictures that they write to ``pictures/`` are copied beside the page. A command that fails stops
everything, and the page stays as it was.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from wuhan_sim.cli import main

FOLDER = Path(__file__).parent
PAGE = FOLDER / "guide.md"
BLOCK = re.compile(
    r"^```(?P<language>sh|python)\n(?P<code>.*?)^```\n"
    r"(?P<shown>\n?<!-- output(?:: (?P<part>[^\n]*?))? -->\n.*?^<!-- end -->\n)?",
    re.MULTILINE | re.DOTALL,
)
Words = list[str]


class PageError(Exception):
    """A block of the page that does not run."""


def made(page: str, alter: Callable[[Words], Words] = list) -> str:
    """Run every block of a page in the current folder.

    Parameters
    ----------
    page : str
        Markdown.
    alter : callable
        Changes a command, given and returned as words without ``wuhan``.

    Returns
    -------
    str
        The page with the outputs as they are now.

    Raises
    ------
    PageError
        For a command that fails, a table that is not in an output, and an output that is empty.
    """
    names: dict[str, object] = {"__name__": "__guide__"}

    def run(block: re.Match[str]) -> str:
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            if block["language"] == "python":
                exec(compile(block["code"], "guide.md", "exec"), names)
            else:
                for words in commands(block["code"]):
                    if status := main(alter(words)):
                        raise PageError(f"wuhan {shlex.join(words)}: exit status {status}")
        if block["shown"] is None:
            return block[0]
        shown = part_of(said.getvalue(), block["part"] or "")
        start = block["shown"].strip().partition("\n")[0]
        code = block[0].removesuffix(block["shown"])
        return f"{code}\n{start}\n```text\n{shown}\n```\n<!-- end -->\n"

    return BLOCK.sub(run, page)


def commands(code: str) -> Iterator[Words]:
    """The ``wuhan`` commands of a block, without that word; lines that end in a backslash go on."""
    for line in code.replace("\\\n", " ").splitlines():
        first, *words = shlex.split(line, comments=True) or [""]
        if first == "wuhan":
            yield [*words, *([] if "--quiet" in words or words[0] not in LONG else ["--quiet"])]


LONG = (
    *("run", "duel", "tournament", "value", "sweep", "solve", "session", "what-if", "report", "verify"),
    *("combine", "tune"),
)


def part_of(said: str, part: str) -> str:
    """What is shown of an output: its first or last lines, or the heading and the tables that are named."""
    lines = said.rstrip("\n").splitlines()
    if not lines:
        raise PageError(f"an output is empty, wanted was {part or 'all of it'}")
    if not part:
        return "\n".join(lines)
    if part.removeprefix("-").isdigit():
        n = int(part)
        dots = ["..."] if len(lines) > abs(n) else []
        return "\n".join([*lines[:n], *dots] if n > 0 else [*dots, *lines[n:]])
    heading, *tables = "\n".join(lines).split("\n\n")
    chosen = [heading]
    for name in map(str.strip, part.split(";")):
        found = [table for table in tables if re.match(rf"{re.escape(name)}(?:  |$)", table, re.MULTILINE)]
        if not found:
            raise PageError(f"no table {name!r} in an output that begins {heading[:60]!r}")
        chosen += found
    return "\n\n".join(chosen)


def update() -> None:
    """Make the page anew, and its pictures."""
    os.environ.setdefault("MPLBACKEND", "agg")
    page, here = PAGE.read_text(encoding="utf-8"), Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            Path("pictures").mkdir()
            text = made(page)
            (FOLDER / "pictures").mkdir(exist_ok=True)
            for picture in sorted(Path("pictures").iterdir()):
                shutil.copy(picture, FOLDER / "pictures" / picture.name)
        finally:
            os.chdir(here)
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    update()
