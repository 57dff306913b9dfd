"""`findings.md` from the files of `findings.py`: numbers with their intervals, sentences from the numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wuhan_core import load_rules, preset_names
from wuhan_core.rules import RuleSet
from wuhan_sim.intervals import FIXED, NONE_SEEN
from wuhan_sim.report_words import say
from wuhan_sim.show import cell

WUHAN = tuple(name for name in preset_names() if load_rules(name).get("score.model") == "factors")
OTHERS = tuple(name for name in preset_names() if name not in WUHAN)
PRESETS = WUHAN + OTHERS
Row = dict[Any, Any]
Study = Mapping[str, Any]
Found = Mapping[str, Study]


@dataclass(frozen=True)
class Rule:
    """A rule that the sources do not agree on: which values are tried beside those of a preset."""

    title: str
    what: str
    values: Mapping[str, Sequence[Any]]
    grid: bool = False  # all values, those of the preset among them

    def vary(self, rules: RuleSet) -> dict[str, list[Any]]:
        return {
            name: [value for value in values if self.grid or value != rules.get(name)]
            for name, values in self.values.items()
        }


CONTESTED = {
    "stacking": Rule(
        "Several big types at once: added or doubled",
        'With n big types the base is 10 × 2^(n-1) (`score.big_stacking = "double"`) or 10 × n (`"add"`). '
        "Both give 10 for one type and 20 for two, so that only hands of three types and more can tell "
        "them apart.",
        {"score.big_stacking": ["add", "double"]},
    ),
    "golden": Rule(
        "Golden (金顶)",
        "Where all three losers owe the cap or more, each pays `cap.golden` = 400 in place of the cap of "
        "300; 0 switches that off.",
        {"cap.golden": [0, 400]},
    ),
    "minimum": Rule(
        "The minimum (起胡): 20 from one payer, or 8 from each",
        '`win.minimum = "any_payer"` asks that at least one share is `win.minimum_points` or more, '
        '`"each_payer"` asks it of every share. '
        "Both ways with both sums, so that what comes from who must pay and what comes from how much can "
        "be told apart.",
        {"win.minimum": ["any_payer", "each_payer"], "win.minimum_points": [8, 20]},
        True,
    ),
    "open": Rule(
        "Doubling for each open meld (口口翻), or once for having opened (开口翻)",
        '`score.open = "per_meld"` or `"once"`, for the winner and for each loser.',
        {"score.open": ["per_meld", "once"]},
    ),
}
NAMES = {
    "exhausted_share": "exhausted hands",
    "big_share": "big wins",
    "capped_share": "capped wins",
    "golden_share": "golden wins",
    "points_cut": "points cut from a win",
    "swing": "points that change hands",
    "dealer_edge": "dealer's edge",
    "turns": "draws in a hand",
    "skill_edge": "skill edge (planner over greedy)",
}
METRICS = tuple(NAMES)
NONE = "none seen"
DUELS = (("planner", "greedy"), ("careful", "planner"), ("search", "planner"))
SHORT = ("exhausted_share", "capped_share", "swing", "dealer_edge")


def page(found: Found) -> str:
    """The whole page; what has not been played is left out."""
    parts = [
        head(found),
        short(found),
        endings(found),
        types(found),
        caps(found),
        seats(found),
        bots(found),
        contested(found),
    ]
    return "\n".join(part.rstrip("\n") + "\n" for part in parts if part)


def head(found: Found) -> str:
    runs = [study["hands"] for name, study in found.items() if name.startswith("run-")]
    made = {
        f"{study['made']['wuhan-core']}, random streams {study['made']['stream']}" for study in found.values()
    }
    sizes = " to ".join(f"{n:,}" for n in sorted({min(runs, default=0), max(runs, default=0)}))
    return "\n".join(
        [
            "# Findings\n",
            "What the nine presets are like, what bots are worth, and what each contested rule changes: "
            f"{sizes} hands of each preset ({len(runs)} of {len(PRESETS)}), and others for comparisons.\n",
            "- `make findings` (`python docs/findings.py --hands 10000000`) plays everything again. "
            "This page and its sentences are made from `docs/data` by a script; the command that makes "
            "the numbers of a table stands below it.",
            "- In brackets are 95 % intervals, each by itself: of a hundred of them five may be wrong. Hands "
            "that share a wall count as one draw. `-` is what the rules rule out, or what cannot differ.",
            "- Four `greedy` bots play where nothing else is said. They take the fastest win and never fold, "
            "whatever it is worth: a table shows the rules under plain fast play, not under good play.",
            "- A change is called one only where its interval does not hold zero. `none seen`: it was "
            "the same on every wall; at 95 %, fewer than 3.7 in as many walls as were played would differ.",
            f"- Made with wuhan-core {' and '.join(sorted(made))}.",
        ]
    )


def short(found: Found) -> str:
    """The answers first: a few numbers of the default preset."""
    said = []
    if run := found.get("run-yuanhang"):
        capped, cut = (
            of(run, "caps", *key) for key in (("wins", "capped_share"), ("points owed", "cut_share"))
        )
        dry, deal = of(run, "frequencies", "hands", "exhausted"), of(run, "seats", "dealer", "points")
        said.append(
            f"- {shown(dry)} of hands are exhausted, {shown(capped)} of wins are capped, and the caps cut "
            f"{shown(cut)} of all that is owed. The dealer's seat is worth {shown(deal)} points a hand."
        )
    for a, b in DUELS:
        if duel := found.get(f"duel-{a}-{b}-yuanhang"):
            row = of(duel, "duel", f"{a} - {b}", "points")
            said.append(f"- `{a}` less `{b}`: {shown(row)} points a hand, over {duel['hands']:,} hands.")
    for key in CONTESTED:
        if study := found.get(f"rule-{key}-greedy-yuanhang"):
            for point in points_of(study):
                row = of(study, "difference", point, "swing")
                said.append(f"- `{point}`: change of the points moved in a hand: {signed(shown(row))}.")
    return "\n\n".join(["## In short", "Under the Yuanhang rules:", "\n".join(said)]) if said else ""


def signed(text: str) -> str:
    """With a plus before a number that has no sign."""
    return re.sub(r"^(?=\d)", "+", text)


def of(study: Study, section: str, thing: str, name: str) -> Row | None:
    return next(
        (row for row in study["rows"] if (row["section"], row["of"], row["name"]) == (section, thing, name)),
        None,
    )


def shown(row: Row | None) -> str:
    """An estimate as text; - where there is none."""
    if row is None or row["value"] is None or row["method"] == FIXED:
        return "-"
    value, low, high = row["value"], row["low"], row["high"]
    if value == low == high == 0 and row["section"] == "difference":
        return NONE
    if value == low == high:
        sign = " %" if row["unit"].startswith("share") else ""
        number = f"{100 * value if sign else value:,g}{sign}"
        return f"{number} ({number.removesuffix(sign)}..{number.removesuffix(sign)})"
    if low is not None and high is None:  # a quantile beyond what was seen
        return f"{value:,g} (above {low:,g})"
    return cell({**row, "low": math.nan if low is None else low, "high": math.nan if high is None else high})


def table(corner: str, header: Iterable[str], rows: Iterable[tuple[str, Iterable[str]]]) -> str:
    header = list(header)
    lines = [f"| {' | '.join([corner, *header])} |", f"|---|{'---:|' * len(header)}"]
    return "\n".join([*lines, *(f"| {' | '.join([name, *cells])} |" for name, cells in rows)])


def commands(studies: Iterable[Study], language: str = "sh") -> str:
    return "\n".join([f"```{language}", *(study["command"] for study in studies), "```"])


def group(found: Found, prefix: str, presets: Sequence[str] = PRESETS) -> dict[str, Study]:
    """Preset -> its study of that kind, where it has been played."""
    return {name: found[f"{prefix}-{name}"] for name in presets if f"{prefix}-{name}" in found}


def by_preset(studies: Mapping[str, Study], columns: Mapping[str, tuple[str, str, str]]) -> str:
    return table(
        "preset",
        columns,
        ((name, [shown(of(study, *key)) for key in columns.values()]) for name, study in studies.items()),
    )


def least_and_most(studies: Mapping[str, Study], key: tuple[str, str, str], what: str) -> str:
    """Which preset has least of something and which most, if their intervals lie apart."""
    rows = {
        name: row for name, study in studies.items() if (row := of(study, *key)) and row["low"] is not None
    }
    if len(rows) < 2:
        return ""
    low, high = (end(rows, key=lambda name: float(rows[name]["value"])) for end in (min, max))
    if rows[low]["high"] >= rows[high]["low"]:
        return f"- {what}: the presets are not told apart."

    def alike(one: str) -> str:
        return " and ".join(f"`{name}`" for name, row in rows.items() if row["value"] == rows[one]["value"])

    return f"- {what}: least in {alike(low)}, {shown(rows[low])}; most in {alike(high)}, {shown(rows[high])}."


def endings(found: Found) -> str:
    runs = group(found, "run")
    columns = {
        name: ("frequencies", "hands", key)
        for name, key in (
            ("exhausted", "exhausted"),
            ("self-draw", "self_draw"),
            ("discard", "discard"),
            ("robbed kong", "rob_kong"),
            ("draws in a hand", "turns"),
        )
    }
    said = [
        least_and_most(runs, columns["exhausted"], "Exhausted hands"),
        least_and_most(runs, columns["self-draw"], "Hands won by self-draw"),
        least_and_most(runs, columns["draws in a hand"], "Draws until a hand ends"),
    ]
    return "\n\n".join(
        ["## How hands end", by_preset(runs, columns), "\n".join(filter(None, said)), commands(runs.values())]
    )


def types(found: Found) -> str:
    parts = ["## What wins are made of", "Shares of all wins; types overlap. From the runs above."]
    runs = group(found, "run", WUHAN)
    columns = {
        name: ("frequencies", "wins", name)
        for name in (
            *("pihu", "big", "pengpenghu", "qingyise", "fengyise", "jiangyise", "quanqiuren"),
            *("gangshanghua", "haidilao", "qianggang", "hard"),
        )
    }
    if runs:
        parts += [by_preset(runs, columns)]
        parts += [
            "\n".join(
                filter(
                    None,
                    [
                        least_and_most(runs, columns["big"], "Big wins"),
                        least_and_most(runs, columns["hard"], "Wins without the help of a wildcard (hard)"),
                        rarest(runs, columns),
                    ],
                )
            )
        ]
    others = group(found, "run", OTHERS)
    names = dict.fromkeys(
        row["name"]
        for study in others.values()
        for row in study["rows"]
        if (row["section"], row["of"], row["unit"]) == ("frequencies", "wins", "share")
    )
    if others:
        cells = (
            (name, [shown(of(study, "frequencies", "wins", name)) for study in others.values()])
            for name in names
        )
        parts += [table("of wins", others, cells)]
    return "\n\n".join(parts)


def rarest(runs: Mapping[str, Study], columns: Mapping[str, tuple[str, str, str]]) -> str:
    """What was never seen, though the rules allow it: the upper end of its interval says how rare it is."""
    never: dict[str, list[str]] = {}
    for preset, study in runs.items():
        for name, key in columns.items():
            if (row := of(study, *key)) and row["value"] == 0 and row["method"] != FIXED:
                never.setdefault(f"`{name}`", []).append(
                    f"`{preset}` (below {100 * row['high']:.2g} % of wins)"
                )
    told = "; ".join(f"{name} in {', '.join(where)}" for name, where in never.items())
    return f"- Allowed and never seen: {told}." if never else ""


def caps(found: Found) -> str:
    runs = group(found, "run", WUHAN)
    columns = {
        "capped wins": ("caps", "wins", "capped_share"),
        "golden wins": ("caps", "wins", "golden_share"),
        "owed in a win": ("caps", "wins", "points_owed"),
        "paid in a win": ("caps", "wins", "points_paid"),
        "cut of what is owed": ("caps", "points owed", "cut_share"),
        "points that change hands": ("caps", "hands", "swing"),
    }
    parts = [
        "## Caps and points",
        "A win is capped where at least one share is. From the runs above; the presets that are not "
        "listed have no cap.",
        by_preset(runs, columns),
        "\n".join(
            filter(
                None,
                [
                    least_and_most(runs, columns["capped wins"], "Capped wins"),
                    least_and_most(
                        runs, columns["cut of what is owed"], "Cut by the caps, of all points owed"
                    ),
                ],
            )
        ),
    ]
    swings = group(found, "run", OTHERS)
    key = {
        "paid in a win": columns["paid in a win"],
        "points that change hands": columns["points that change hands"],
    }
    parts += [by_preset(swings, key)] if swings else []
    spreads = group(found, "points")
    if spreads:
        size = " or ".join(f"{n:,}" for n in sorted({study["hands"] for study in spreads.values()}))
        ends = {f"{q} %": ("points", "owed", f"q{q}") for q in ("50", "75", "90", "95", "99", "99.9")}
        paid = {f"{q} % paid": ("points", "capped", f"q{q}") for q in ("50", "95")}
        parts += [
            "What the losers of a win owe together (quantiles, before caps), and what they pay; "
            f"{size} hands of each preset:",
            by_preset(spreads, ends | paid),
            commands([{"command": "from wuhan_sim import Task, analyze\n"}, *spreads.values()], "python"),
        ]
    return "\n\n".join(parts)


def seats(found: Found) -> str:
    runs = group(found, "run")
    places = {place: ("seats", place, "points") for place in ("dealer", "dealer+1", "dealer+2", "dealer+3")}
    columns = places | {"dealer wins": ("seats", "dealer", "wins")}
    ahead = signs(runs, places["dealer"])
    return "\n\n".join(
        [
            "## What the dealer's seat is worth",
            "Points per hand by place in turn order, and the dealer's wins (a seat has a quarter of the "
            "wins where all are alike, half at two seats). From the runs above.",
            by_preset(runs, columns),
            f"- The dealer's seat {in_words(ahead, 'gains', 'loses', len(runs))}.\n"
            + least_and_most(runs, places["dealer"], "Points of the dealer per hand"),
        ]
    )


def signs(studies: Mapping[str, Study], key: tuple[str, str, str]) -> dict[int, list[str]]:
    """Presets by the sign that the interval of an estimate shows; 0 where it holds zero."""
    by_sign: dict[int, list[str]] = {1: [], -1: [], 0: []}
    for name, study in studies.items():
        if (row := of(study, *key)) and row["low"] is not None:
            by_sign[(row["low"] > 0) - (row["high"] < 0)].append(name)
    return by_sign


def in_words(by_sign: Mapping[int, Sequence[str]], more: str, less: str, total: int) -> str:
    """Where an estimate is above zero, below it, or neither; of so many presets."""
    words = ((1, more), (-1, less), (0, "is not told from zero"))
    told = []
    for sign, word in words:
        if names := by_sign[sign]:
            where = "all of them" if len(names) == total > 1 else ", ".join(f"`{name}`" for name in names)
            told.append(f"{word} in {where}")
    return "; ".join(told)


def bots(found: Found) -> str:
    parts = [
        "## What bots are worth",
        "Duels: each wall is played once with every order of the bots over the seats, two seats each. "
        "Points per hand, the first bot less the second; "
        "then its shares of hands won and dealt in, less those of the second.",
    ]
    for a, b in DUELS:
        duels = group(found, f"duel-{a}-{b}")
        if not duels:
            continue
        key = ("duel", f"{a} - {b}", "points")
        header = ("hands", "points per hand", "wins", "deal-ins")
        cells = (
            (
                name,
                [
                    f"{study['hands']:,}",
                    shown(of(study, *key)),
                    *(shown(of(study, "rates", "difference", rate)) for rate in ("wins", "deal_ins")),
                ],
            )
            for name, study in duels.items()
        )
        parts += [
            f"### `{a}` against `{b}`",
            table("preset", header, cells),
            "\n".join(
                [
                    f"- `{a}` {in_words(signs(duels, key), f'beats `{b}`', f'loses to `{b}`', len(duels))}.",
                    *same(duels, key, a, b),
                ]
            ),
            *sources(duels.get("yuanhang"), key[1]),
            commands(duels.values()),
        ]
    return "\n\n".join(parts) if len(parts) > 2 else ""


def same(duels: Mapping[str, Study], key: tuple[str, str, str], a: str, b: str) -> Iterator[str]:
    """Where two bots play the same hands: a difference of 0 that has no error."""
    names = [
        name
        for name, study in duels.items()
        if (row := of(study, *key)) and row["value"] == 0 and row["low"] is None
    ]
    if names:
        where = ", ".join(f"`{name}`" for name in names)
        yield f"- In {where} `{a}` and `{b}` are the same: every wall came out even."


def sources(study: Study | None, duel: str) -> Iterator[str]:
    """Where the difference of one duel comes from."""
    rows = [
        row for row in (study or {"rows": []})["rows"] if row["section"] == "source" and row["of"] == duel
    ]
    if rows:
        yield "Where it comes from in `yuanhang`, in points per hand; the parts add up to the difference:"
        cells = ((say(f"part.{row['name']}", "en"), [shown(row)]) for row in rows)
        yield table("part", ["points per hand"], cells)


def contested(found: Found) -> str:
    parts = [
        "## Contested rules",
        "Each rule is changed alone, from what the preset has; both games are played on the same walls, "
        "so that the differences are paired. "
        "Bots: `greedy` plays alike under all points; `planner` knows them and plays for them (a win "
        "below the minimum is no win for either).",
    ]
    for key, rule in CONTESTED.items():
        studies = {
            (bot, preset): study
            for bot in ("greedy", "planner")
            for preset, study in group(found, f"rule-{key}-{bot}", WUHAN).items()
        }
        if not studies:
            continue
        parts += [f"### {rule.title}", rule.what]
        for (bot, preset), study in studies.items():
            if preset == "yuanhang":
                parts += [
                    f"*`{preset}`, four `{bot}` bots, {study['hands']:,} hands at each value*",
                    effects(study),
                ]
        parts += [overview(studies), "\n".join(sentences(studies)), commands(studies.values())]
    return "\n\n".join(parts) if len(parts) > 2 else ""


def effects(study: Study) -> str:
    """A table of one study: each metric as it is, and its difference under each other value."""
    points = points_of(study)
    base = next(row["of"] for row in study["rows"] if row["section"] == "value")
    metrics = [name for name in METRICS if of(study, "value", base, name)]
    cells = (
        (
            NAMES[name],
            [
                shown(of(study, "value", base, name)),
                *(shown(of(study, "difference", point, name)) for point in points),
            ],
        )
        for name in metrics
    )
    return table("", ["as it is", *(f"difference: {point}" for point in points)], cells)


def overview(studies: Mapping[tuple[str, str], Study]) -> str:
    """A table of all games: how far a few metrics change."""
    header = [NAMES[name] for name in SHORT]
    rows = (
        (
            f"`{preset}`, `{bot}`",
            [point, f"{study['hands']:,}", *(shown(of(study, "difference", point, name)) for name in SHORT)],
        )
        for (bot, preset), study in studies.items()
        for point in points_of(study)
    )
    return table("differences", ["what is changed", "hands", *header], rows)


def points_of(study: Study) -> list[str]:
    return list(dict.fromkeys(row["of"] for row in study["rows"] if row["section"] == "difference"))


def sentences(studies: Mapping[tuple[str, str], Study]) -> Iterator[str]:
    """For each change, in how many games each metric is shown to rise or to fall."""
    for point in dict.fromkeys(point for study in studies.values() for point in points_of(study)):
        games = [study for study in studies.values() if point in points_of(study)]
        told, same = [], []
        for name in METRICS:
            rows = [row for study in games if (row := of(study, "difference", point, name))]
            rows = [row for row in rows if row["low"] is not None or row["method"] == NONE_SEEN]
            up, down = sum((row["low"] or 0) > 0 for row in rows), sum((row["high"] or 0) < 0 for row in rows)
            words = [f"{word} in {n}" for word, n in (("up", up), ("down", down)) if n]
            if words:
                told.append(
                    f"{NAMES[name]} {' and '.join(words)}{f' of {len(rows)}' if len(rows) > 1 else ''}"
                )
            elif rows:
                same.append(NAMES[name])
        more = [f"not shown to change in any: {', '.join(same)}"] if same else []
        yield f"- `{point}`, {len(games)} game{'s' if len(games) > 1 else ''}: {'; '.join([*told, *more])}."
