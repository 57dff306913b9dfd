"""Results as text for a terminal and as HTML for a notebook."""

from __future__ import annotations

import html as markup
import math
from collections import Counter
from collections.abc import Hashable
from typing import TYPE_CHECKING, Any, NamedTuple

from wuhan_core.errors import one_line
from wuhan_core.rules import RuleSet, load_rules, preset_names
from wuhan_core.words import written

from .intervals import FIXED
from .quantities import SHARE

if TYPE_CHECKING:
    from .result import Result
    from .task import Task

EXPLANATION = (
    "In brackets: 95 % intervals, made so that 95 of 100 such intervals hold the true value; "
    "hands dealt the same wall count as one draw."
)


_WORDS = {
    "self_draw": "self-draw",
    "self_draws": "self-draws",
    "rob_kong": "robbed kong",
    "deal_ins": "deal-ins",
}
_WORDS |= {"deal_in_size": "deal-in size"}

Row = dict[Hashable, Any]


class Grid(NamedTuple):
    """A table of finished cells; the first column holds the rows' names."""

    header: tuple[str, ...]
    rows: list[tuple[str, ...]]


def title(result: Result) -> str:
    """Name rules, bots, hands, seed and task in one line."""
    task = result.task
    hands = counted(result.hands, "hand")
    if result.ranges != ((0, result.hands),):
        hands += f" ({_few([f'{first}..{last - 1}' for first, last in result.ranges])})"
    return one_line(
        f"{game(task)}; {hands} on {counted(result.walls, 'wall')}, seed {task.seed}, task {task.id[:12]}"
    )


def game(task: Task) -> str:
    """Name rules and bots."""
    bots = ", ".join(f"{bot} x{n}" if n > 1 else bot for bot, n in Counter(task.bots).items())
    return f"{_rules(task.rules)}: {bots}"


def _rules(rules: RuleSet) -> str:
    """Name rules, what they extend, and a few of the options in which they differ from it."""
    base = "" if rules.name in preset_names() else rules.preset.extends
    changes = (
        {name: new for name, (new, _) in rules.diff(load_rules(base)).items() if new is not None}
        if base
        else rules.overrides
    )
    parts = [f"extends {base}"] if base else []
    parts += [_few([f"{name}={written(value)}" for name, value in changes.items()])] if changes else []
    return f"{rules.name} ({'; '.join(parts)})" if parts else rules.name


def _few(words: list[str], limit: int = 4) -> str:
    more = f" and {len(words) - limit} more" if len(words) > limit else ""
    return ", ".join(words[:limit]) + more


def counted(n: int, thing: str) -> str:
    """Write a number of things."""
    return f"{n:,} {thing}{'' if n == 1 else 's'}"


def grids(result: Result) -> list[Grid]:
    """Lay out every estimate of a result."""
    rows = result.table().to_dict("records")
    in_section = {
        name: [row for row in rows if row["section"] == name]
        for name in ("frequencies", "caps", "strategies", "seats")
    }
    whole = [row for row in in_section["caps"] if row["of"] in ("wins", "hands", "points owed")]
    by_type = [row for row in in_section["caps"] if row not in whole]
    return [
        grid("hands", in_section["frequencies"], "name", "of", "of "),
        Grid(
            ("caps", "of", ""), [(_label(row["name"], row["unit"]), row["of"], _cell(row)) for row in whole]
        ),
        grid("type", by_type, "of", "name"),
        grid("bot", in_section["strategies"], "name", "of"),
        grid("seat", in_section["seats"], "of", "name"),
    ]


def text(result: Result) -> str:
    """Write a result as aligned plain text."""
    return as_text(title(result), EXPLANATION, grids(result))


def as_text(head: str, explanation: str, tables: list[Grid]) -> str:
    """Write tables as aligned plain text."""
    lines = [head, explanation]
    for each in tables:
        cells = [each.header, *each.rows]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        lines.append("")
        for number, row in enumerate(cells):
            first, *rest = (
                cell.rjust(width) if i else cell.ljust(width)
                for i, (cell, width) in enumerate(zip(row, widths, strict=True))
            )
            lines.append("  ".join([first, *rest]).rstrip())
            if number == 0:
                lines.append("-" * (sum(widths) + 2 * (len(widths) - 1)))
    return "\n".join(lines)


def html(result: Result) -> str:
    """Write a result as HTML tables."""
    return as_html(title(result), EXPLANATION, grids(result))


def as_html(head: str, explanation: str, tables: list[Grid]) -> str:
    """Write tables as HTML."""
    parts = [f"<p><b>{markup.escape(head)}</b><br>{explanation}</p>"]
    for each in tables:
        rows = [("th", each.header), *(("td", row) for row in each.rows)]
        body = "".join(
            "<tr>" + "".join(f"<{tag}>{markup.escape(cell)}</{tag}>" for cell in row) + "</tr>"
            for tag, row in rows
        )
        parts.append(f"<table>{body}</table>")
    return "\n".join(parts)


def grid(corner: str, rows: list[Row], down: str, across: str, prefix: str = "") -> Grid:
    """Lay out estimates with one key going down and one across."""
    cells = {(row[down], row[across]): _cell(row) for row in rows}
    labels = {row["name"]: _label(row["name"], row["unit"]) for row in rows}
    columns = list(dict.fromkeys(column for _, column in cells))
    return Grid(
        (corner, *(prefix + labels.get(column, column) for column in columns)),
        [
            (labels.get(name, name), *(cells.get((name, column), "") for column in columns))
            for name in dict.fromkeys(name for name, _ in cells)
        ],
    )


def _label(name: str, unit: str) -> str:
    words = _WORDS.get(name, name.replace("_", " "))
    thing = unit.split()[0]
    return words if thing == SHARE or thing in words else f"{words} ({thing})"


def _cell(row: Row) -> str:
    """Write an estimate with as many digits as its interval leaves meaning to."""
    scale, sign = (100, " %") if row["unit"] == SHARE else (1, "")
    value, low, high = (scale * row[key] for key in ("value", "low", "high"))
    if math.isnan(value) or row["method"] == FIXED:
        return "-"
    if math.isnan(low):
        return f"{value:,.0f}{sign}" if value == round(value) else f"{value:,.4g}{sign}"
    half = (high - low) / 2
    digits = min(max(math.ceil(math.log10(5 / half)), 0), 6) if half > 0 else 2
    return f"{value:,.{digits}f}{sign} ({low:,.{digits}f}..{high:,.{digits}f})"
