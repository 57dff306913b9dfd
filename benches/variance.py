"""What cuts the variance of a comparison, on the real game: the tables of docs/variance.md.

``python benches/variance.py --walls 10000`` prints them. A ratio says how many times the variance is less
than that of as many independent hands: hands that have a wall each, one side of the comparison played on
some, the other on others. In brackets are 95 % intervals by the bootstrap over walls (Efron and Tibshirani,
An Introduction to the Bootstrap, 1993, chapter 13).
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wuhan_core import RuleSet, load_rules, rescore
from wuhan_sim import Task, play_records

RULES = load_rules("yuanhang")
RESAMPLES = 400
Values = NDArray[np.float64]  # (walls, hands of each)

STRATEGIES = (("planner", "greedy"), ("planner", "careful"), ("greedy", "random"))
CHANGES = (
    ("cap.per_payer 300 to 200", {"cap.per_payer": 200}),
    ("score.open per_meld to once", {"score.open": "once"}),
    ("win.minimum_points 20 to 10", {"win.minimum_points": 10}),
)


class Ratio(NamedTuple):
    """How many times less the variance is, with its interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        digits = 2 if self.value < 10 else 1 if self.value < 100 else 0
        return f"{self.value:.{digits}f} ({self.low:.{digits}f}..{self.high:.{digits}f})"


def played(
    rules: RuleSet, bots: Sequence[str], walls: int, deal: str = "fresh", draws: str = "seat", seed: int = 1
) -> tuple[Task, NDArray[np.void]]:
    """Records of so many walls, (walls, hands of each)."""
    task = Task(rules, ",".join(bots), 1, seed, deal, draws)
    task = Task(rules, ",".join(bots), walls * task.hands_per_wall, seed, deal, draws)
    return task, play_records(task).reshape(walls, -1)


def apart(task: Task, records: NDArray[np.void], a: str) -> Values:
    """In each hand the points of a seat with `a` less those of another seat."""
    mine = np.array([bot == a for bot in task.bots])
    weights = np.where(mine, 1 / mine.sum(), -1 / (~mine).sum())
    return np.asarray((weights[records["bot"]] * records["points"]).sum(axis=2))


def swing(task: Task, records: NDArray[np.void], a: str) -> Values:
    """The points that change hands."""
    return np.asarray(np.maximum(records["points"], 0).sum(axis=2).astype(float))


def boot(ratio: Callable[[NDArray[np.int64]], float], walls: int) -> Ratio:
    """The ratio, and its interval by resampling walls."""
    rng = np.random.default_rng(1)
    drawn = [ratio(rng.integers(0, walls, walls)) for _ in range(RESAMPLES)]
    # the ratio is infinite where no hand differs
    return Ratio(ratio(np.arange(walls)), *np.quantile(drawn, [0.025, 0.975], method="inverted_cdf"))


def within(values: Values) -> Ratio:
    """One run: the hands of a wall against hands with a wall each."""
    hands = values.shape[1]
    means = values.mean(axis=1)
    return boot(lambda w: over(values[w].var(), hands * means[w].var()), len(values))


def between(x: Values, y: Values, cost: int = 2) -> Ratio:
    """Two runs on the same walls against two on walls of their own; `cost`: runs that are played, of two."""
    hands = x.shape[1]
    means = (x - y).mean(axis=1)
    factor = 2 / cost
    return boot(
        lambda w: over(factor * (x[w].var() + y[w].var()), hands * means[w].var()),
        len(x),
    )


def over(a: float, b: float) -> float:
    """a / b; infinite for b = 0."""
    return a / b if b else np.inf


def strategies(a: str, b: str, walls: int, draws: str) -> Iterator[tuple[str, Ratio]]:
    """Two bots: how many points more does a seat get with `a` than with `b`?"""
    _, one = played(RULES, (a, b, b, b), walls, "balanced", draws)
    _, none = played(RULES, (b, b, b, b), walls, "fresh", draws)
    # seat 0 alone: in the first order of (a, b, b, b) it has a
    changed, base = one["points"][:, :1, 0].astype(float), none["points"][:, :, 0].astype(float)
    yield "one seat's bot changed, same wall", between(changed, base)
    task, records = played(RULES, (a, a, b, b), walls, "balanced", draws)
    values = apart(task, records, a)
    yield "two of each, seats changed over (2 hands a wall)", within(values[:, [0, 5]])
    task, records = played(RULES, (a, a, b, b), walls, "rotated", draws)
    yield "two of each, rotated (4 hands a wall)", within(apart(task, records, a))
    yield "two of each, balanced (6 hands a wall)", within(values)


def changes(
    change: Mapping[str, object], measured: Callable[[Task, NDArray[np.void], str], Values], walls: int
) -> Iterator[tuple[str, Ratio]]:
    """Two rule sets, at a table of two planners and two greedy bots."""
    bots, other = ("planner", "planner", "greedy", "greedy"), RULES.replace(change)
    for deal, draws, name in (
        ("fresh", "wall", "same wall, draws in the table's order"),
        ("fresh", "seat", "same wall, a queue of draws for each seat"),
        ("rotated", "seat", "the same, rotated"),
        ("balanced", "seat", "the same, balanced"),
    ):
        task, before = played(RULES, bots, walls, deal, draws)
        _, after = played(other, bots, walls, deal, draws)
        x = measured(task, before, "planner")
        yield name, between(x, measured(task, after, "planner"))
    if set(change) <= {"cap.per_payer"}:
        again = rescore(before.ravel(), other, played=RULES).reshape(before.shape)
        yield "the same, the stored hands scored anew", between(x, measured(task, again, "planner"), 1)


def rows(titles: Sequence[str], columns: Sequence[Iterator[tuple[str, Ratio]]]) -> Iterator[str]:
    """A table in Markdown."""
    cells = [dict(column) for column in columns]
    yield f"| | {' | '.join(titles)} |"
    yield "|---|" + "---|" * len(titles)
    for name in cells[0]:
        yield f"| {name} | {' | '.join(str(column.get(name, '')) for column in cells)} |"


def tables(walls: int) -> Iterator[str]:
    """Everything."""
    for a, b in STRATEGIES:
        yield f"\n{a} against {b}\n"
        yield from rows(
            ("draws=wall", "draws=seat"), [strategies(a, b, walls, draws) for draws in ("wall", "seat")]
        )
    for name, measured in (("points that change hands", swing), ("planner less greedy", apart)):
        yield f"\nrules: {name}\n"
        yield from rows([title for title, _ in CHANGES], [changes(c, measured, walls) for _, c in CHANGES])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--walls", type=int, default=10_000, help="walls of each run (default: %(default)s)")
    for line in tables(parser.parse_args().walls):
        print(line, flush=True)
