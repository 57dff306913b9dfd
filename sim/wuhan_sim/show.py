"""Results as text for a terminal and as HTML for a notebook."""

from __future__ import annotations

import html as markup
import math
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from wuhan_core.errors import one_line
from wuhan_core.rules import RuleSet, load_rules, preset_names
from wuhan_core.words import written

from .intervals import FIXED, NONE_SEEN
from .quantities import SHARE

if TYPE_CHECKING:
    from .estimates import Estimate
    from .result import Result
    from .sequences import Looks
    from .stats import Totals
    from .task import Task
    from .until import Plan

EXPLANATION = (
    "In brackets: 95 % intervals, made so that 95 of 100 such intervals hold the true value; "
    "hands dealt the same wall count as one draw."
)
LOOKED = (
    "In brackets: 95 % confidence sequences, made so that in 95 of 100 runs the intervals of an estimate "
    "hold the true value at all looks together, whenever the run stopped; hands dealt the same wall count as "
    "one draw."
)

_WORDS = {
    "self_draw": "self-draw",
    "self_draws": "self-draws",
    "rob_kong": "robbed kong",
    "deal_ins": "deal-ins",
    "deal_in_size": "deal-in size",
}

Row = dict[Hashable, Any]


class Grid(NamedTuple):
    """A table of finished cells; the first column holds the rows' names."""

    header: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]


def title(result: Result) -> str:
    """Name rules, bots, hands, seed and task in one line."""
    return title_of(result.task, result.ranges, result.walls)


def title_of(task: Task, ranges: Sequence[tuple[int, int]], walls: int) -> str:
    """The same for hands of a task, given as half-open ranges, and the walls they were dealt."""
    count = sum(last - first for first, last in ranges)
    hands = counted(count, "hand")
    if tuple(ranges) != ((0, count),):
        hands += f" ({_few([f'{first}..{last - 1}' for first, last in ranges])})"
    return one_line(
        f"{game(task)}; {hands} on {counted(walls, 'wall')}, seed {task.seed}, task {task.id[:12]}"
    )


def game(task: Task) -> str:
    """Name rules and bots."""
    return f"{rules_of(task.rules)}: {bots_of(task)}"


def bots_of(task: Task) -> str:
    """Name the bots, each once with the number of its seats."""
    return ", ".join(f"{bot} x{n}" if n > 1 else bot for bot, n in Counter(task.bots).items())


def explanation(result: Result) -> str:
    """What the brackets mean; of a run that could stop early, why it stopped."""
    if result.looked is None:
        return EXPLANATION
    return f"{stopped(result.looked, result.totals, result.hands)} {LOOKED}"


def explained(looks: Looks | None) -> str:
    """What the brackets mean, of a sequence or of a number of hands that was settled before."""
    return EXPLANATION if looks is None else LOOKED


def stopped(plan: Plan, totals: Totals, hands: int) -> str:
    """Why a run that could stop early did so, or did not, after so many hands."""
    most, standing = counted(plan.task.hands, "hand"), plan.standing(totals)
    if all(goal.met for goal in standing):
        return one_line(f"Stopped at a look, of at most {most}: {plan.until} is met.")
    missed = "; ".join(str(goal) for goal in standing if not goal.met)
    return one_line(f"Not met within {counted(hands, 'hand')} of at most {most}: {missed}.")


def rules_of(rules: RuleSet) -> str:
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
    return f"{n:,} {thing}{'' if n == 1 else 's'}"


def rounded(asked: int) -> str:
    """Why more hands were played than were asked for: each wall is played with all its seatings."""
    return f"{counted(asked, 'hand')} asked for, rounded up to whole walls"


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
        grid_of("hands", in_section["frequencies"], "name", "of", "of "),
        Grid(("caps", "of", ""), [(_label(row["name"], row["unit"]), row["of"], cell(row)) for row in whole]),
        grid_of("type", by_type, "of", "name"),
        grid_of("bot", in_section["strategies"], "name", "of"),
        grid_of("seat", in_section["seats"], "of", "name"),
    ]


def text(result: Result) -> str:
    """Write a result as aligned plain text."""
    return text_of(title(result), grids(result), (), explanation(result))


def html(result: Result) -> str:
    """Write a result as HTML tables."""
    return html_of(title(result), grids(result), (), explanation(result))


def grid_lines(grid: Grid) -> list[str]:
    """Write a table as aligned plain text."""
    cells = [grid.header, *grid.rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = []
    for number, row in enumerate(cells):
        first, *rest = (
            text.rjust(width) if i else text.ljust(width)
            for i, (text, width) in enumerate(zip(row, widths, strict=True))
        )
        lines.append("  ".join([first, *rest]).rstrip())
        if number == 0:
            lines.append("-" * (sum(widths) + 2 * (len(widths) - 1)))
    return lines


def grid_html(grid: Grid) -> str:
    """Write a table as HTML."""
    rows = [("th", grid.header), *(("td", row) for row in grid.rows)]
    body = "".join(
        "<tr>" + "".join(f"<{tag}>{markup.escape(text)}</{tag}>" for text in row) + "</tr>"
        for tag, row in rows
    )
    return f"<table>{body}</table>"


def grid_of(corner: str, rows: list[Row], down: str, across: str, prefix: str = "") -> Grid:
    """Lay out estimates with one key going down and one across."""
    cells = {(row[down], row[across]): cell(row) for row in rows}
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


def text_of(
    heading: str, tables: Sequence[Grid], notes: Sequence[str] = (), explanation: str = EXPLANATION
) -> str:
    """A heading and tables as aligned plain text."""
    return under([one_line(heading), explanation, *map(one_line, notes)], tables)


def html_of(
    heading: str, tables: Sequence[Grid], notes: Sequence[str] = (), explanation: str = EXPLANATION
) -> str:
    """A heading and tables as HTML."""
    return html_under([one_line(heading), explanation, *map(one_line, notes)], tables)


def under(lines: Sequence[str], tables: Iterable[Grid]) -> str:
    """Tables under lines of text."""
    return "\n".join([*lines, *(line for grid in tables for line in ("", *grid_lines(grid)))])


def html_under(lines: Sequence[str], tables: Iterable[Grid]) -> str:
    """The same as HTML, the first line bold."""
    first, *rest = map(markup.escape, lines)
    return "\n".join([f"<p>{'<br>'.join([f'<b>{first}</b>', *rest])}</p>", *map(grid_html, tables)])


def estimate_cell(found: Estimate) -> str:
    """Write an estimate."""
    return cell(dict(zip(found._fields, found, strict=True)))


def cell(row: Row) -> str:
    """Write an estimate with as many digits as its interval leaves meaning to."""
    scale, sign = scaled(row["unit"])
    value, low, high = (scale * row[key] for key in ("value", "low", "high"))
    if math.isnan(value) or row["method"] == FIXED:
        return "-"
    if value == 0 and row["method"] == NONE_SEEN:
        return "none seen"
    if math.isnan(low):
        return f"{value:,.0f}{sign}" if value == round(value) else f"{value:,.4g}{sign}"
    if math.isinf(high) or math.isinf(low):
        return f"{value:,.4g}{sign} ({low:,.4g}..{high:,.4g})"
    digits = digits_of(low, high)
    return f"{value:,.{digits}f}{sign} ({low:,.{digits}f}..{high:,.{digits}f})"


def scaled(unit: str) -> tuple[int, str]:
    """What estimates of a unit are multiplied by to be shown, and what follows them: shares are per cent."""
    return (100, " %") if unit.split()[0] == SHARE else (1, "")


def so_far(found: Estimate) -> str:
    """An estimate that stands beside a bar: value and half-width, which few hands leave unknown."""
    if not math.isfinite(found.half):
        return f"{found.value:.4g} ± ?"
    digits = digits_of(found.low, found.high)
    return f"{found.value:.{digits}f} ± {found.half:.{digits}f}"


def digits_of(low: float, high: float) -> int:
    """How many digits behind the point an interval leaves meaning to."""
    half = (high - low) / 2
    return min(max(math.ceil(math.log10(5 / half)), 0), 6) if half > 0 else 2
