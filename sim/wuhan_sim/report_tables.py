"""The tables of a report, as HTML that a click on a heading sorts."""

from __future__ import annotations

import html
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import pandas as pd

from wuhan_core.errors import one_line
from wuhan_core.words import Lang

from .analysis import Analysis
from .report_words import name_of, say, unit_of, unsigned
from .result import Result
from .show import cell

OF_WINS = ("types", "combinations", "source", "hard", "laizi", "opens", "kongs")


class Cell(NamedTuple):
    """What a cell shows, its interval, and what it is sorted by."""

    text: str
    small: str = ""
    key: float | str = ""


class Sheet(NamedTuple):
    """A table: its heading, a name for each column, and rows whose first cell names them."""

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    starred: bool = False


def sheets(result: Result, analysis: Analysis | None, starred: bool, lang: Lang) -> list[Sheet]:
    """All tables: those of the result, and those of the hands that were looked at one by one.

    Parameters
    ----------
    result : Result
    analysis : Analysis or None
        None where there are no such hands.
    starred : bool
        Whether these are not all hands of the result.
    lang : {"en", "zh"}
    """
    table = result.table()
    sections = {str(name): part for name, part in table.groupby("section", sort=False)}
    caps = sections["caps"]
    whole = caps["of"].isin(("wins", "hands", "points owed"))
    found = [
        _grid("frequencies", sections["frequencies"], "name", "of", lang),
        _listed("caps", caps[whole], lang),
        _grid("strategies", sections["strategies"], "of", "name", lang),
        _grid("seats", sections["seats"], "of", "name", lang),
    ]
    if analysis is None:
        return [*found, _grid("types", caps[~whole], "of", "name", lang)]
    parts = {str(name): part for name, part in analysis.table().groupby("section", sort=False)}

    def starring(name: str, down: str = "of", across: str = "name") -> Iterable[Sheet]:
        if name in parts:
            yield _grid(name, _seen(name, parts[name]), down, across, lang, starred)

    return [
        *found[:1],
        *starring("types"),
        *starring("combinations"),
        found[1],
        *starring("points", "name", "of"),
        *starring("tail"),
        *found[2:],
        *([_listed("dealer", parts["dealer"], lang, starred)] if "dealer" in parts else []),
        *starring("dealing"),
        *starring("length"),
        *(sheet for name in OF_WINS[2:] for sheet in starring(name)),
        *starring("dealt"),
    ]


def sheet_html(sheet: Sheet) -> str:
    """Write a table; its headings are buttons, for the keyboard, too."""
    star = " *" if sheet.starred else ""
    head = "".join(
        f'<th scope="col" aria-sort="none"><button type="button">{html.escape(name)}</button></th>'
        for name in sheet.header
    )
    body = "\n".join(
        "<tr>" + "".join(_cell(each, "td" if i else 'th scope="row"') for i, each in enumerate(row)) + "</tr>"
        for row in sheet.rows
    )
    title = html.escape(f"{sheet.title}{star}")
    return (
        f'<section class="sheet"><h3>{title}</h3><div class="box" tabindex="0" role="region" '
        f'aria-label="{title}"><table><thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>'
        "</section>"
    )


def _cell(each: Cell, tag: str) -> str:
    small = f" <small>{html.escape(each.small)}</small>" if each.small else ""
    key = html.escape(str(each.key))
    return f'<{tag} data-key="{key}">{html.escape(each.text)}{small}</{tag.split()[0]}>'


def estimate_cells(row: dict[Any, Any]) -> Cell:
    """An estimate as a cell."""
    text, _, rest = cell(row).partition(" (")
    known = text != "-" and not math.isnan(row["value"])
    return Cell(unsigned(text), f"({rest}".replace("nan", "?") if rest else "", row["value"] if known else "")


def _grid(
    section: str, part: pd.DataFrame, down: str, across: str, lang: Lang, starred: bool = False
) -> Sheet:
    rows = part.to_dict("records")
    name: Callable[[str], str] = lambda text: _name(section, text, lang)  # noqa: E731
    columns = list(dict.fromkeys(row[across] for row in rows))
    lines = list(dict.fromkeys(row[down] for row in rows))
    several = {row["name"]: {other["unit"] for other in rows if other["name"] == row["name"]} for row in rows}
    units = {name: unit_of(min(each), lang) if len(each) == 1 else "" for name, each in several.items()}
    cells = {(row[down], row[across]): estimate_cells(row) for row in rows}
    return Sheet(
        say(f"section.{section}", lang),
        [
            say("row", lang),
            *(_united(name(column), units.get(column, "") if across == "name" else "") for column in columns),
        ],
        [
            [
                Cell(_united(name(line), units.get(line, "") if down == "name" else ""), key=i),
                *(cells.get((line, column), Cell("")) for column in columns),
            ]
            for i, line in enumerate(lines)
        ],
        starred,
    )


def _listed(section: str, part: pd.DataFrame, lang: Lang, starred: bool = False) -> Sheet:
    """One estimate a row."""
    rows = [
        [
            Cell(_united(name_of(row["name"], lang), unit_of(row["unit"], lang)), key=i),
            Cell(name_of(row["of"], lang), key=row["of"]),
            estimate_cells(row),
            Cell(f"{row['n']:,}", key=row["n"]),
        ]
        for i, row in enumerate(part.to_dict("records"))
    ]
    header = [say(key, lang) for key in ("row", "of", "value", "count")]
    return Sheet(say(f"section.{section}", lang), header, rows, starred)


def _united(name: str, unit: str) -> str:
    return f"{name}, {unit}" if unit and unit not in name else name


def _name(section: str, text: str, lang: Lang) -> str:
    if section == "frequencies" and text in ("hands", "wins"):
        return say(f"of.{text}", lang)
    if section in ("strategies", "dealing", "dealt") and (" " in text or ":" in text):
        return one_line(_laizi(text, lang))
    if section == "tail" and text.isdigit():
        return say("at.least", lang, n=f"{int(text):,}")
    if section == "points" and text in ("owed", "capped"):
        return say("owed" if text == "owed" else "paid", lang)
    if section in OF_WINS and text in ("wins", "points"):
        return say("share of wins" if text == "wins" else "share of points", lang)
    return one_line(name_of(text, lang))


def _laizi(text: str, lang: Lang) -> str:
    """Columns by laizi: "laizi 2", "wins with 2", "points with 2"."""
    what, _, k = text.rpartition(" ")
    keys = {"laizi": "laizi.dealt", "wins with": "laizi.wins", "points with": "laizi.points"}
    return say(keys[what], lang, n=k) if what in keys else text


def _seen(section: str, part: pd.DataFrame) -> pd.DataFrame:
    """Without the rows of which nothing was seen, where there would be many."""
    if section == "combinations":
        return part[~part["of"].isin(part["of"][(part["name"] == "wins") & ~(part["value"] > 0)])]
    if section == "length":
        return part[part["of"].astype(int) <= part["of"][part["value"] > 0].astype(int).max()]
    return part
