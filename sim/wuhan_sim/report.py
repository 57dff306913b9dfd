"""A run as one HTML page that needs nothing else: answers in words, pictures, tables, replays.

The page has all in itself: pictures as SVG, replays as pages in frames. The policy in its head lets no script
or style run but its own and that of the replays; all that comes from a run gets in escaped.
"""

from __future__ import annotations

import html
from collections.abc import Iterator
from dataclasses import dataclass
from string import Template
from typing import TYPE_CHECKING, Any

from wuhan_core.actions import BotError
from wuhan_core.errors import FaultError, one_line, show, whole
from wuhan_core.rules import load_rules, preset_names
from wuhan_core.words import Lang, check_lang

from .analysis import Analysis
from .extremes import Extreme, Telling, extremes
from .loading import Run
from .page import digest, source
from .parts import StoreError, decode
from .replay import HandLog, replay_hand
from .report_pictures import pictures, svg
from .report_tables import sheet_html, sheets
from .report_words import say
from .result import Range, Result
from .runner import gather
from .show import bots_of, cell, rules_of
from .stats import NOTHING, Totals, measure
from .store import read_manifest
from .task import Task
from .what_if import WhatIf, scored

if TYPE_CHECKING:
    from .runner import Scheduler

SAMPLE, SLOW_SAMPLE = 1_000_000, 2_000  # hands that are played again at most
FAST = ("random", "greedy", "planner", "careful")  # bots that play some 10,000 hands a second
CURVE_HANDS = 200_000
CURVE_CAPS = (1, 2, 3, 4, 6, 8, 12, 16)  # quarters of the cap as it is


class ReportError(FaultError):
    """A report that cannot be; `faults` has every fault."""


@dataclass(frozen=True)
class Findings:
    """What a report tells.

    Attributes
    ----------
    run : Run
    result : Result
    analysis : Analysis or None
        Of the hands that could be looked at one by one: all where the run kept its records, else the first
        ones, played again; None where they cannot be.
    curve : WhatIf or None
        What other caps would do; None without a cap.
    hands : tuple of (HandLog or None, tuple of Extreme)
        The most extreme of these hands, and what each of them is the most of.
    untold : str
        Why there is no analysis, or no replay.
    """

    run: Run
    result: Result
    analysis: Analysis | None
    curve: WhatIf | None
    hands: tuple[tuple[HandLog | None, tuple[Extreme, ...]], ...]
    untold: str = ""

    @property
    def starred(self) -> bool:
        """Whether the analysis is of some of the run's hands only."""
        return self.analysis is not None and self.analysis.task.hands < self.result.hands


def report(
    run: Run,
    lang: Lang = "en",
    *,
    sample: int | None = None,
    workers: int | None = None,
    scheduler: Scheduler = None,
    progress: bool | None = None,
) -> str:
    """Write the report of a run.

    Parameters
    ----------
    run : Run
        From `load_run`. Where it kept no records, hands are played again to look at them one by one.
    lang : {"en", "zh"}
    sample : int, optional
        Hands that are played again at most; 1,000,000 when not given, 2,000 of bots in Python and others that
        take their time.
    workers, scheduler, progress
        As for `simulate`.

    Returns
    -------
    str
        HTML.

    Raises
    ------
    ReportError
        For a run or a sample that is none.
    PlotError
        Where matplotlib is not there.
    StoreError
        Where the run has no hands yet, or is damaged.
    """
    check_lang(lang)
    faults: list[str] = [] if isinstance(run, Run) else [f"run = {show(run)}, must be a Run, from load_run"]
    if sample is not None:
        whole("sample", sample, faults, 1)
    if faults:
        raise ReportError(faults)
    return page(find(run, sample, workers=workers, scheduler=scheduler, progress=progress), lang)


def find(run: Run, sample: int | None = None, **how: Any) -> Findings:
    """Look at the hands of a run one by one, as far as `sample` allows; parameters as for `report`."""
    result, analysis, curve, untold = run.result, None, None, ""
    hands: list[tuple[HandLog | None, tuple[Extreme, ...]]] = []
    gauge = Telling(result.task.rules, tuple(map(str, result.task.bots)))
    try:
        task, totals = _looked_at(run, gauge, sample, how)
        analysis = Analysis(task, gauge, totals, result.looks)
        curve = _curve(run, task, how)
    except StoreError:  # a part that is damaged is no reason to tell of the rest
        raise
    except (FaultError, BotError) as error:
        untold = one_line(str(error))
    if analysis is not None:
        kinds: dict[int, list[Extreme]] = {}
        for extreme in extremes(analysis.totals.peaks):
            kinds.setdefault(extreme.hand, []).append(extreme)
        for number, found in kinds.items():
            log = None
            try:
                log = replay_hand(result.task, number)
            except (FaultError, BotError) as error:
                untold = one_line(str(error))
            hands.append((log, tuple(found)))
    return Findings(run, result, analysis, curve, tuple(hands), untold)


def _looked_at(run: Run, gauge: Telling, sample: int | None, how: dict[str, Any]) -> tuple[Task, Totals]:
    """The task of the hands that are looked at, and what the gauge has counted of them."""
    task = run.result.task
    if run.keep_records:
        parts = (([decode(part.path, run.task)], task.hands_per_wall, gauge) for part in run.parts)
        return task, sum((measure(*part) for part in parts), NOTHING)
    most = sample or (SAMPLE if all(_fast(bot) for bot in task.bots) else SLOW_SAMPLE)
    pieces = [task.with_hands(first, last - first) for first, last in _first(run.ranges, most)]
    totals = sum((gather([piece], gauge, **how) for piece in pieces), NOTHING)
    return task.with_hands(pieces[0].first, sum(piece.hands for piece in pieces)), totals


def _fast(bot: str) -> bool:
    return bot.partition(":")[0] in FAST


def _first(ranges: tuple[Range, ...], most: int) -> Iterator[Range]:
    for first, last in ranges:
        if most > 0:
            yield first, min(last, first + most)
            most -= last - first


def _curve(run: Run, task: Task, how: dict[str, Any]) -> WhatIf | None:
    """Other caps, on some of the hands that are looked at."""
    if task.rules.get("score.model") != "factors" or not (cap := int(str(task.rules.get("cap.per_payer")))):
        return None
    golden = int(str(task.rules.get("cap.golden")))
    caps = {max(cap * quarters // 4, 1) for quarters in CURVE_CAPS} | ({golden} if golden > cap else set())
    # where golden were less than the cap, winners would shun it
    along = sorted(each for each in caps if not golden or each <= max(cap, golden))
    first, last = next(_first(run.ranges, min(task.hands, CURVE_HANDS)))
    kept = run if run.keep_records else None
    task = task if kept else task.with_hands(first, last - first)
    metrics = "capped_share", "golden_share"
    return scored(task, {"cap.per_payer": along}, metrics, kept, run.result.looks, **how)


def page(found: Findings, lang: Lang) -> str:
    """Write what was found."""
    result = found.result
    style, script = source("report.css"), source("report.js")
    styles, scripts = [style], [script]
    if found.hands:  # those of the replays
        styles.append(source("replay.css"))
        scripts.append(source("replay.js"))
    drawn = pictures(result, found.analysis, found.curve, found.starred, lang)
    return Template(source("report.html")).substitute(
        lang="zh-Hans" if lang == "zh" else "en",
        title=html.escape(_title(result, lang)),
        style=style,
        styles=" ".join(map(digest, styles)),
        script=script,
        scripts=" ".join(map(digest, scripts)),
        facts="\n".join(
            f"<dt>{html.escape(name)}</dt><dd>{html.escape(one_line(told))}</dd>"
            for name, told in _facts(found, lang)
        ),
        answers_title=say("answers", lang),
        answers="\n".join(f"<li>{html.escape(one_line(line))}</li>" for line in _answers(result, lang)),
        explained=say("explained.looked" if result.looked else "explained", lang),
        notes="".join(f'<p class="note warning">{html.escape(note)}</p>' for note in _notes(found, lang)),
        hands_title=say("hands.extreme", lang),
        hands="\n".join(_hand(found, log, kinds, lang) for log, kinds in found.hands)
        or f"<p>{say('none', lang)}</p>",
        pictures_title=say("pictures", lang),
        pictures="\n".join(
            f"<figure>{'<span class=star>*</span>' if each.starred else ''}{svg(each, i)}</figure>"
            for i, each in enumerate(drawn)
        ),
        tables_title=say("tables", lang),
        sort=say("sort", lang),
        tables="\n".join(map(sheet_html, sheets(result, found.analysis, found.starred, lang))),
    )


def _title(result: Result, lang: Lang) -> str:
    rules = result.task.rules
    head = load_rules(rules.name).preset if rules.name in preset_names() else rules.preset
    title = head.title_zh if lang == "zh" else head.title_en
    return one_line(f"{say('report', lang)}: {result.task.rules.name}{f' ({title})' if title else ''}")


def _facts(found: Findings, lang: Lang) -> Iterator[tuple[str, str]]:
    result, task = found.result, found.result.task
    yield say("rules", lang), rules_of(task.rules)
    yield say("bots", lang), bots_of(task)
    ranges = ", ".join(say("ranges", lang, first=first, last=last - 1) for first, last in result.ranges)
    rest = "" if found.run.finished else say("unfinished", lang, all=f"{found.run.task.hands:,}")
    yield say("played", lang), f"{result.hands:,} ({ranges}){rest}"
    yield say("walls", lang), f"{result.walls:,}"
    yield say("seed", lang), str(task.seed)
    yield say("deal", lang), task.deal
    yield say("draws", lang), task.draws
    if result.looked:
        met = "met" if result.looked.met(result.totals) else "missed"
        yield say("until", lang), say(met, lang, until=str(result.looked.until))
    yield say("task", lang), task.id
    yield say("rules.id", lang), task.rules.id
    versions = read_manifest(found.run.path).get("versions")
    told = versions.items() if isinstance(versions, dict) else ()
    yield say("versions", lang), ", ".join(f"{name} {str(value)[:16]}" for name, value in told)


def _notes(found: Findings, lang: Lang) -> Iterator[str]:
    if found.starred:
        assert found.analysis is not None
        yield say("sample", lang, n=f"{found.analysis.task.hands:,}", all=f"{found.result.hands:,}")
    if found.untold:
        yield say("untold", lang, why=found.untold)


def _answers(result: Result, lang: Lang) -> Iterator[str]:
    """What the numbers say, each with its interval."""
    rows = {(row["section"], row["of"], row["name"]): row for row in result.table().to_dict("records")}

    def of(*key: str) -> str:
        return cell(rows[key]) if key in rows else "-"

    hands, caps = ("frequencies", "hands"), ("caps", "wins")
    won = dict(rows[*hands, "exhausted"])
    won["value"], won["low"], won["high"] = 1 - won["value"], 1 - won["high"], 1 - won["low"]
    yield say(
        "say.ends",
        lang,
        hands=f"{result.hands:,}",
        won=cell(won),
        exhausted=of(*hands, "exhausted"),
        turns=of(*hands, "turns"),
    )
    wins = {name: of("frequencies", "wins", name) for name in ("self_draw", "discard", "hard", "big")}
    yield say("say.drawn" if wins["discard"] == "-" else "say.how", lang, **wins)
    if wins["big"] != "-":
        yield say("say.big", lang, **wins)
        cut = of("caps", "points owed", "cut_share")
        capped, golden = of(*caps, "capped_share"), of(*caps, "golden_share")
        yield say("say.caps", lang, capped=capped, golden=golden, cut=cut)
    yield say("say.worth", lang, paid=of(*caps, "points_paid"), swing=of("caps", "hands", "swing"))
    bots = list(dict.fromkeys(result.task.bots))
    if len(bots) == 1:
        yield say("say.alone", lang, bot=bots[0], wins=of("strategies", bots[0], "wins"))
    else:
        for bot in sorted(bots, key=lambda each: -rows["strategies", each, "points"]["value"]):
            points, share = of("strategies", bot, "points"), of("strategies", bot, "wins")
            yield say("say.bot", lang, bot=bot, points=points, wins=share)
    yield say("say.dealer", lang, points=of("seats", "dealer", "points"))


def _hand(found: Findings, log: HandLog | None, kinds: tuple[Extreme, ...], lang: Lang) -> str:
    """A hand that opens: what it is the most of, its replay in a frame, and how to see it elsewhere."""
    number = kinds[0].hand
    told = "; ".join(say(f"extreme.{each.kind}", lang, n=f"{each.value:,}") for each in kinds)
    heading = f"{say('hand', lang, n=number)}: {told}"
    command = html.escape(one_line(found.result.task.replay_command(number)))
    frame = ""
    if log is not None:
        # in single quotes, as the page within is full of double ones
        inside = log.to_html(lang).replace("&", "&amp;").replace("'", "&#39;")
        name = html.escape(f"{say('replay', lang)}: {heading}")
        frame = f'<iframe loading="lazy" title="{name}" srcdoc=\'{inside}\'></iframe>'
    return (
        f'<details id="hand-{number}"><summary>{html.escape(heading)}</summary>'
        f'<p class="note">{say("command", lang)} <code>{command}</code></p>{frame}</details>'
    )
