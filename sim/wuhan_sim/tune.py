"""Parameters of a bot found by racing or by CMA-ES, and confirmed on walls that the search never saw."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from wuhan_core.errors import FaultError, either, show, whole
from wuhan_core.options import hint
from wuhan_core.policies import BotSpec, PolicyError, parse_bot, split_bots
from wuhan_core.rules import RuleError, RuleSet, load_rules

from .bots import read_bots
from .estimates import Estimate
from .field import Field, added, gain_of
from .frames import finite, records
from .runner import worker_faults
from .show import Grid, counted, estimate_cell, html_under, under
from .space import Space
from .stats import NOTHING, Totals
from .task import SEED_BITS

if TYPE_CHECKING:
    from .runner import Scheduler

METHODS = ("racing", "cma")
CANDIDATES = 16  # that a race starts with
_CONFIRM = 4  # every fourth hand of the budget confirms
_LEAST_WALLS = 10  # of a round, for each game
_WALLS_PER_LOOK = 100  # that a setting is played on in a generation of CMA-ES, where the budget has so many
_GENERATIONS = 60  # at most
_SIGMA = 0.2  # the first step of CMA-ES, in scaled units
BETTER, WORSE, NO_DIFFERENCE = "better", "worse", "no difference shown"
MIXED = "better on average, but worse under {rules}"


class TuneError(FaultError):
    """A search that cannot be; `faults` has every fault."""


@dataclass(frozen=True)
class Trial:
    """One setting in one round.

    Attributes
    ----------
    round : int
    bot : str
    gain : Estimate
        Above the bot as it was, on all walls that the setting was played on so far.
    kept : bool
        Whether it went on; of CMA-ES, whether it moved the distribution.
    """

    round: int
    bot: str
    gain: Estimate
    kept: bool


@dataclass(frozen=True)
class Tuning:
    """What a search has found.

    Attributes
    ----------
    bot : str
        The bot as it was.
    found : str
        The best setting.
    parameters : tuple of str
        Those that were free.
    opponents : tuple of str
    rules : tuple of RuleSet
    method : {"racing", "cma"}
    seed, budget, hands : int
        `hands`: played in all.
    trials : tuple of Trial
    seen : Estimate
        The gain of `found` while tuning: too high, since the best of many was taken.
    gain : Estimate
        Its gain on fresh walls. This is what it is worth.
    by_rules : tuple of Estimate
        The same under each rule set, in points per hand.
    """

    bot: str
    found: str
    parameters: tuple[str, ...]
    opponents: tuple[str, ...]
    rules: tuple[RuleSet, ...]
    method: str
    seed: int
    budget: int
    hands: int
    trials: tuple[Trial, ...]
    seen: Estimate
    gain: Estimate
    by_rules: tuple[Estimate, ...]

    @property
    def verdict(self) -> str:
        """Whether the gain on fresh walls is shown to be one, and a loss under none of the rule sets."""
        if self.gain.low <= 0:
            return WORSE if self.gain.high < 0 else NO_DIFFERENCE
        pairs = zip(self.rules, self.by_rules, strict=True)
        losing = [rules.name for rules, found in pairs if found.high < 0]
        return MIXED.format(rules=" and ".join(losing)) if losing else BETTER

    @property
    def best(self) -> str:
        """The setting to be used: the one found where it is shown to be better, else the bot as it was."""
        return self.found if self.verdict == BETTER else self.bot

    @property
    def overfitting(self) -> Estimate:
        """By how much the gain looked larger while tuning than on fresh walls; these are independent."""
        value = self.seen.value - self.gain.value
        half = math.hypot(self.seen.half, self.gain.half)
        n = self.seen.n + self.gain.n
        return Estimate(value, value - half, value + half, n, self.gain.unit, "difference of two samples")

    def table(self) -> pd.DataFrame:
        """Every setting in every round.

        Returns
        -------
        DataFrame
            ``round``, ``bot``, ``value``, ``low``, ``high`` (its gain above the bot as it was, on all walls
            it was played on so far, with the 95 % interval that holds for a setting chosen beforehand),
            ``n`` (hands against each opponent), ``unit``, ``method``, ``kept``.
        """
        rows = [(trial.round, trial.bot, *trial.gain, trial.kept) for trial in self.trials]
        columns = ["round", "bot", "value", "low", "high", "n", "unit", "method", "kept"]
        return pd.DataFrame.from_records(rows, columns=columns)

    def confirmation(self) -> pd.DataFrame:
        """The gain on fresh walls, under each rule set and in all.

        Returns
        -------
        DataFrame
            ``rules``, ``value``, ``low``, ``high``, ``n``, ``unit``, ``method``.
        """
        rows = [(rules.name, *found) for rules, found in zip(self.rules, self.by_rules, strict=True)]
        rows += [("all", *self.gain)] if len(self.rules) > 1 else []
        return pd.DataFrame.from_records(
            rows, columns=["rules", "value", "low", "high", "n", "unit", "method"]
        )

    def to_dict(self) -> dict[str, Any]:
        """Return everything as values of the types that JSON has; NaN becomes None."""
        estimates = {"seen": self.seen, "gain": self.gain, "overfitting": self.overfitting}
        return {
            "bot": self.bot,
            "found": self.found,
            "best": self.best,
            "verdict": self.verdict,
            "parameters": list(self.parameters),
            "opponents": list(self.opponents),
            "rules": [rules.name for rules in self.rules],
            "rules_ids": [rules.id for rules in self.rules],
            "method": self.method,
            "seed": self.seed,
            "budget": self.budget,
            "hands": self.hands,
            **{name: finite(found._asdict()) for name, found in estimates.items()},
            "confirmation": records(self.confirmation()),
            "trials": records(self.table()),
        }

    def _head(self) -> list[str]:
        names = ", ".join(rules.name for rules in self.rules)
        return [
            f"{self.bot} tuned by {self.method} under {names} against {', '.join(self.opponents)}: "
            f"{self.hands:,} hands, seed {self.seed}",
            f"found: {self.found}",
            f"verdict: {self.verdict}; to be used: {self.best}",
            "In brackets: 95 % intervals over walls. Gains are above the bot as it was, a seat. What was "
            "seen while tuning is the best of many, and so too high; fresh walls tell what it is worth.",
        ]

    def _grids(self) -> list[Grid]:
        def line(name: str, found: Estimate) -> tuple[str, ...]:
            return name, estimate_cell(found), found.unit

        gains = [line("on fresh walls", self.gain), line("seen while tuning", self.seen)]
        gains.append(line("overfitting", self.overfitting))
        if len(self.rules) > 1:
            pairs = zip(self.rules, self.by_rules, strict=True)
            gains += [line(f"fresh, {rules.name}", found) for rules, found in pairs]
        trials = [
            (
                str(each.round),
                each.bot,
                estimate_cell(each.gain),
                f"{each.gain.n:,}",
                "kept" if each.kept else "",
            )
            for each in self.trials
        ]
        return [Grid(("gain", "", ""), gains), Grid(("round", "setting", "gain", "hands", ""), trials)]

    def __str__(self) -> str:
        return under(self._head(), self._grids())

    def _repr_html_(self) -> str:
        return html_under(self._head(), self._grids())


def tune(
    bot: str,
    rules: RuleSet | str | Path | Sequence[RuleSet | str | Path],
    parameters: Sequence[str] | str | None = None,
    budget: int = 2_000_000,
    method: str = "racing",
    seed: int = 0,
    opponents: object = None,
    workers: int | None = None,
    *,
    candidates: int = CANDIDATES,
    scheduler: Scheduler = None,
    progress: bool | None = None,
) -> Tuning:
    """Search for better parameters of a compiled bot, and confirm what was found on fresh walls.

    A setting is worth the points per hand of its seats in duels with each opponent (every wall in every order
    of the two bots over the seats), less what the bot as it was gets on the same walls. All settings of a
    round play the same walls (common random numbers).

    ``method="racing"``: successive halving (Jamieson and Talwalkar, AISTATS 2016). `candidates` settings are
    drawn, by turns near the bot and anywhere within the bounds; each round has the same number of hands in
    all, so that the better half, which goes on, is played on about twice as many walls in the next.
    ``method="cma"``: CMA-ES (Hansen, The CMA Evolution Strategy: A Tutorial, arXiv:1604.00772; the library
    `cma`), parameters scaled to 0..1, every generation on walls of its own; at last the mean of the
    distribution meets the best of the last generation.

    Three quarters of the budget are searched with; the rest plays what was found against the field once more,
    on the walls of another seed. Its gain there is what is reported, with its interval, beside the gain seen
    while tuning: the difference is the overfitting. With several rule sets it is to be used only where
    none of them shows a loss.

    Parameters
    ----------
    bot : str
        A compiled bot with parameters, as ``planner`` or ``planner:speed=2``: where the search starts.
    rules : RuleSet or str, or sequence of them
        With several, the mean gain counts, each in standard deviations of a hand's points under those rules.
    parameters : sequence of str, or text with commas, optional
        Names of those to be tuned; all when not given.
    budget : int
        Hands to play, at most, search and confirmation together.
    method : {"racing", "cma"}
    seed : int
        Of walls and settings; the answer is a function of it and of what is given besides.
    opponents : str or sequence, optional
        Bots that the settings play; the bot as it is and greedy when not given.
    candidates : int
        Settings that a race starts with, 2 or more.
    workers, scheduler, progress
        As for `simulate`; they change nothing in the result.

    Returns
    -------
    Tuning

    Raises
    ------
    TuneError
        Naming every fault; also where `cma` is wanted and not installed.
    BotFailure, Interrupted
        As for `simulate`.

    Examples
    --------
    >>> found = tune("planner", "yuanhang", ["fear"], budget=12_000, seed=1)
    >>> found.verdict
    'no difference shown'
    """
    search, faults = check_tune(bot, rules, parameters, budget, method, seed, opponents, candidates)
    faults += worker_faults(workers, scheduler)
    if faults or search is None:
        raise TuneError(faults)
    return search.run({"workers": workers, "scheduler": scheduler, "progress": progress})


@dataclass
class Search:
    """A search that can be run."""

    space: Space
    field: Field
    fresh: Field
    method: str
    seed: int
    budget: int
    candidates: int

    def run(self, how: dict[str, Any]) -> Tuning:
        """Search, then confirm."""
        self.how, self.played, self.trials = how, 0, list[Trial]()
        self.reached, self.scales = 0, self.field.deviations()
        self.rng = np.random.default_rng(np.random.SeedSequence([self.seed, 2]))
        found, totals = (self._race if self.method == "racing" else self._evolve)()
        walls = max(_LEAST_WALLS, (self.budget - self.played) // self.fresh.cost([found]))
        again = self._play(self.fresh, [found], range(walls))
        bot = self.field.bot
        return Tuning(
            bot,
            found,
            tuple(axis.parameter.name for axis in self.space.axes),
            self.field.opponents,
            self.field.rules,
            self.method,
            self.seed,
            self.budget,
            self.played,
            tuple(self.trials),
            gain_of(found, totals, self.scales),
            gain_of(found, again, self.scales),
            tuple(gain_of(found, [each], (1.0,)) for each in again),
        )

    @property
    def _searched(self) -> int:
        """Hands to search with."""
        return self.budget - self.budget // _CONFIRM

    def _play(self, field: Field, names: Sequence[str], walls: range) -> list[Totals]:
        self.played += field.cost(names) * len(walls)
        return field.play(names, walls, **self.how)

    def _round(self, names: Sequence[str], hands: int) -> list[Totals]:
        """Play settings on the next walls, about so many hands in all."""
        walls = max(_LEAST_WALLS, hands // self.field.cost(names))
        self.reached += walls
        return self._play(self.field, names, range(self.reached - walls, self.reached))

    def _ranked(self, number: int, totals: Mapping[str, list[Totals]], kept: int) -> list[str]:
        """Note what settings gained in a round, the best first, of which so many are kept."""
        gains = {name: gain_of(name, each, self.scales) for name, each in totals.items()}
        ranked = sorted(gains, key=lambda name: -gains[name].value)
        self.trials += [Trial(number, name, gains[name], i < kept) for i, name in enumerate(ranked)]
        return ranked

    def _race(self) -> tuple[str, list[Totals]]:
        alive = [spec.text for spec in self.space.draw(self.candidates, self.rng)]
        rounds = max(1, math.ceil(math.log2(len(alive))))
        known = {name: [NOTHING] * len(self.field.rules) for name in alive}
        for number in range(1, rounds + 1):
            totals = self._round(alive, self._searched // rounds)
            known = {name: added(known[name], totals, name) for name in alive}
            alive = self._ranked(number, known, kept := max(1, len(alive) // 2))[:kept]
        return alive[0], known[alive[0]]

    def _evolve(self) -> tuple[str, list[Totals]]:
        import cma  # type: ignore[import-untyped]

        size = len(self.space.axes)
        options = {
            "bounds": [0, 1],
            "verbose": -9,
            "seed": math.nan,  # numpy's global generator is left alone
            "randn": lambda *shape: self.rng.standard_normal(shape),
        }
        start = self.space.origin if size > 1 else np.repeat(self.space.origin, 2)  # it needs two dimensions
        evolution = cma.CMAEvolutionStrategy(start.clip(0.02, 0.98), _SIGMA, options)
        population = evolution.popsize
        settings = [f"{self.field.bot} {i}" for i in range(population)]  # as many as a generation has
        most = self._searched // (self.field.cost(settings) * _WALLS_PER_LOOK)
        generations = max(2, min(_GENERATIONS, most - 1))
        best = [self.field.bot]
        for number in range(1, generations + 1):
            points = evolution.ask()
            names = [self.space.at(point[:size]).text for point in points]
            playing = [name for name in dict.fromkeys(names) if name != self.field.bot]
            values = {self.field.bot: 0.0}
            if playing:
                totals = self._round(playing, self._searched // (generations + 1))
                best = self._ranked(number, dict.fromkeys(playing, totals), population // 2)
                values |= {trial.bot: trial.gain.value for trial in self.trials[-len(playing) :]}
            evolution.tell(points, [-values[name] for name in names])
        mean = self.space.at(evolution.result.xfavorite[:size]).text
        finalists = [name for name in dict.fromkeys((mean, best[0])) if name != self.field.bot] or best[:1]
        totals = self._round(finalists, self._searched // (generations + 1))
        return self._ranked(generations + 1, dict.fromkeys(finalists, totals), 1)[0], totals


def check_tune(
    bot: object,
    rules: object,
    parameters: object = None,
    budget: object = 2_000_000,
    method: object = "racing",
    seed: object = 0,
    opponents: object = None,
    candidates: object = CANDIDATES,
) -> tuple[Search | None, list[str]]:
    """Check what a search needs, and find every fault; rules that are not known (None) are none."""
    faults: list[str] = []
    spec = _read_bot(bot, faults)
    loaded = _read_rules(rules, faults)
    names = _read_parameters(spec, parameters, faults)
    most = whole("budget", budget, faults, 1, 2**62)
    start = whole("seed", seed, faults, 0, 2**SEED_BITS - 1)
    count = whole("candidates", candidates, faults, 2, 4096)
    if method not in METHODS:
        faults.append(f"method = {show(method)}, must be {either(METHODS)}")
    elif method == "cma" and (why := _without_cma()):
        faults.append(why)
    against = _read_opponents(spec, opponents, faults)
    if faults or spec is None or not loaded:
        return None, faults
    words = np.random.SeedSequence([start, 0]).generate_state(4, np.uint64).tolist()
    seeds = [
        tuple((words[2 * part] + i) << 64 | words[2 * part + 1] for i in range(len(loaded)))
        for part in (0, 1)
    ]
    seeds = [tuple(number % 2**SEED_BITS for number in each) for each in seeds]
    field, fresh = (Field(spec.text, against, tuple(loaded), each) for each in seeds)
    space = Space.of(spec, names)
    rounds = math.ceil(math.log2(count)) if method == "racing" else 3
    settings = count if method == "racing" else 4 + int(3 * math.log(len(names) or 1))
    cost = field.cost([f"{spec.text} {i}" for i in range(settings)])
    least = _LEAST_WALLS * cost * rounds * _CONFIRM // (_CONFIRM - 1)
    if most < least:
        fewer = (
            f", so many for {count} candidates under {counted(len(loaded), 'rule set')}"
            if method == "racing"
            else ""
        )
        return None, [f"budget = {most}, must be {least} hands or more{fewer}"]
    return Search(space, field, fresh, str(method), start, most, count), []


def _read_bot(bot: object, faults: list[str]) -> BotSpec | None:
    if not isinstance(bot, str):
        faults.append(f"bot = {show(bot)}, must be the text of a compiled bot")
        return None
    try:
        spec = parse_bot(bot)
    except PolicyError as error:
        faults += error.faults
        return None
    if not spec.policy.parameters:
        faults.append(f"bot = {show(bot)} has no parameters to be tuned")
        return None
    return spec


def _read_rules(rules: object, faults: list[str]) -> list[RuleSet]:
    if rules is None:
        return []
    given = [rules] if isinstance(rules, str | Path | RuleSet) or not isinstance(rules, Sequence) else rules
    loaded = []
    for each in given:
        try:
            loaded.append(each if isinstance(each, RuleSet) else load_rules(each))  # type: ignore[arg-type]
        except RuleError as error:
            faults += error.faults
    if not given:
        faults.append("rules = [], must be one rule set or more")
    for i, rule_set in enumerate(loaded):
        if any(rule_set.id == other.id for other in loaded[:i]):
            faults.append(f"rules: {rule_set.name} is given twice")
    return loaded


def _read_parameters(spec: BotSpec | None, names: object, faults: list[str]) -> list[str]:
    if spec is None:
        return []
    known = [p.name for p in spec.policy.parameters]
    if names is None:
        return known
    given = [part.strip() for part in names.split(",")] if isinstance(names, str) else names
    if not isinstance(given, Sequence) or not given:
        faults.append(f"parameters = {show(names)}, must be names of {', '.join(known)}")
        return []
    for i, name in enumerate(given):
        if name not in known:
            near = hint(str(name), known)
            faults.append(
                f"parameters: {show(name)} is none of {spec.policy.name}"
                f"{near or ', which has ' + ', '.join(known)}"
            )
        elif name in given[:i]:
            faults.append(f"parameters: {name} is given twice")
    return list(given)


def _read_opponents(spec: BotSpec | None, opponents: object, faults: list[str]) -> tuple[str, ...]:
    if opponents is None:
        mine = () if spec is None else (spec.text,)
        return tuple(dict.fromkeys((*mine, "greedy")))
    found: list[str] = []
    given = opponents if isinstance(opponents, Sequence) and not isinstance(opponents, str) else [opponents]
    for each in given:
        if isinstance(each, str):
            parts: list[object] = list(split_bots(each))
        else:
            parts = [each]
        for part in parts:
            names, wrong = read_bots([part], 4)
            faults += [f"opponents: {fault.removeprefix('bots: ')}" for fault in wrong]
            found += names[:1]
    if not given:
        faults.append("opponents = [], must be one bot or more")
    if len(set(found)) < len(found):
        faults.append(f"opponents = {', '.join(found)}: none may be given twice")
    return tuple(found)


def _without_cma() -> str:
    try:
        import cma  # noqa: F401
    except ImportError:
        return "method = 'cma' needs the library cma: pip install 'wuhan-core[tune]'"
    return ""
