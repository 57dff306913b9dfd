"""Fits what the bots `planner` and `careful` reckon with, the constants of _planner.pyx and _careful.pyx.

It plays hands and notes, after every discard, how far the hand is, what lies open and how the hand ended.
Then it prints, with 95 % bounds that take discards as independent (those of one hand are not: too narrow):

- the log odds of winning by shanten (logistic regression by Newton's method; McCullagh and Nelder 1989,
  chapter 4): of own turns, the others' melds, being closed, live useful tiles, a wildcard in the hand;
- points won and lost in the end against the factors of the moment (nonlinear least squares);
- the share of opponents that are ready, by melds and discards, and of waits, by sort of tile and copies.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from typing import Any

import numpy as np
from scipy.optimize import least_squares

from wuhan_core._machine import Machine
from wuhan_core._shape import Shape
from wuhan_core._wall import wall_of
from wuhan_core.rules import RuleSet, load_rules

RED, DISCARD = 31, 2
LIVE = (7, 15, 25, 39, 56)  # live useful tiles, on the average, by shanten
COLUMNS = ["shanten", "turn", "melds", "closed", "live", "wild", "own", "others", "dealer", "won", "points"]


def factor(rules: RuleSet, seat: dict[str, Any]) -> float:
    """What a seat carries as winner and as loser alike."""

    def get(name: str) -> float:
        return float(str(rules.get(f"score.{name}")))

    opens = seat["opens"] if rules.get("score.open") == "per_meld" else min(seat["opens"], 1)
    product = 2.0**opens
    for kind, *_ in seat["melds"]:
        if "kong" in kind:
            product *= get("kong_concealed" if kind == "concealed_kong" else "kong_exposed")
    for name, count in (("kong_red", "red_kongs"), ("kong_wild", "wild_kongs"), ("kong_skin", "skin_kongs")):
        product *= get(name) ** seat[count]
    return float(product * get("wild_discard") ** seat["wild_discards"])


def shape_of(seat: dict[str, Any], wild: int) -> Shape:
    """The concealed tiles as the small win sees them."""
    counts = bytearray(seat["counts"])
    counts[wild] = counts[RED] = 0
    return Shape(bytes(counts), min(seat["wild"], 1), 4 - len(seat["melds"]), True, True)


def sort_of(kind: int) -> int:
    """0 middle, 1 terminal, 2 of the 258 tiles, 3 honour."""
    return 3 if kind >= 27 else 2 if kind % 9 in (1, 4, 7) else 1 if kind % 9 in (0, 8) else 0


def watch(
    rules: RuleSet, bot: str, hands: int, seed: int
) -> tuple[np.ndarray, dict[Any, Any], dict[Any, Any]]:
    """One row a discard; how many opponents were ready; how many ready ones waited for a kind held."""
    rows: list[list[float]] = []
    ready: dict[Any, list[int]] = defaultdict(lambda: [0, 0])
    waits: dict[Any, list[int]] = defaultdict(lambda: [0, 0])
    for hand in range(hands):
        machine = Machine(rules, wall_of(seed, hand), 0, True, seed, hand)
        first, turns, whose = len(rows), [0] * 4, list[int]()
        while not machine.done:
            who, action = machine.seat, machine.choose(bot)
            if action >> 6 == DISCARD:
                threats(machine.state(), who, ready, waits)
            machine.step(action)
            if action >> 6 != DISCARD:
                continue
            turns[who] += 1
            state = machine.state()
            seats, seat = state["seats"], state["seats"][who]
            if seat["blocked"]:
                continue
            shape = shape_of(seat, state["wild"])
            carried = [factor(rules, s) for s in seats]
            live = sum(4 - seat["counts"][k] - state["seen"][k] for k in shape.useful())
            melds = sum(len(s["melds"]) for s in seats) - len(seat["melds"])
            others = (sum(carried) - carried[who]) / 3
            rows.append([shape.shanten(), turns[who], melds, seat["opens"] == 0, live, seat["wild"] > 0])
            rows[-1] += [carried[who], others, who == 0]
            whose.append(who)
        result = machine.result()
        assert result is not None
        for row, who in zip(rows[first:], whose, strict=True):
            row += [result["winner"] == who, result["deltas"][who]]
    return np.array(rows, float), ready, waits


def threats(state: dict[str, Any], who: int, ready: dict[Any, Any], waits: dict[Any, Any]) -> None:
    """Count who is ready, and for which of the tiles that `who` may discard."""
    held = state["seats"][who]["counts"]
    for other in range(1, 4):
        seat = state["seats"][(who + other) % 4]
        can = seat["opens"] and not seat["blocked"] and seat["wild"] <= 1
        shape = shape_of(seat, state["wild"])
        wanted = set(shape.useful()) if can and shape.shanten() <= 0 else set()
        count = ready[len(seat["melds"]), min(len(seat["river"]) // 2, 7)]
        count[0] += 1
        count[1] += bool(wanted)
        for kind in range(34) if wanted else ():
            if held[kind] and kind not in (RED, state["wild"]):
                thrown = "thrown" if kind in seat["river"] else "new"
                count = waits[thrown, sort_of(kind), 4 - state["seen"][kind] - held[kind]]
                count[0] += 1
                count[1] += kind in wanted


def logistic(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Coefficients and their standard errors."""
    beta = np.zeros(x.shape[1])
    for _ in range(40):
        p = 1 / (1 + np.exp(-x @ beta))
        information = x.T @ (x * (p * (1 - p))[:, None]) + 1e-6 * np.eye(len(beta))
        beta += np.linalg.solve(information, x.T @ (y - p))
    return beta, np.sqrt(np.diag(np.linalg.inv(information)))


def main() -> None:
    parser = argparse.ArgumentParser(description="Constants of the planning bots, from simulated play.")
    parser.add_argument("--rules", default="yuanhang")
    parser.add_argument("--bot", default="greedy")
    parser.add_argument("--hands", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=77)
    options = parser.parse_args()
    table, ready, waits = watch(load_rules(options.rules), options.bot, options.hands, options.seed)
    column = dict(zip(COLUMNS, table.T, strict=True))
    print(f"{len(table)} discards\n\nlog odds of winning at turn 5 with 3 melds of others; by")
    print("turn, meld, closed, log live, wild")
    for shanten, usual in enumerate(LIVE):
        m = column["shanten"] == shanten
        x = [np.ones(m.sum()), column["turn"][m] - 5, column["melds"][m] - 3, column["closed"][m]]
        x += [np.log(np.maximum(column["live"][m], 1) / usual), column["wild"][m]]
        pairs = zip(*logistic(np.column_stack(x), column["won"][m]), strict=True)
        print(shanten, " ".join(f"{value:+.2f}±{1.96 * error:.2f}" for value, error in pairs))
    print("\nlog points of a share in the end at turn 5; by turn, powers of own and others' factors,")
    print("no wildcard, dealer, closed")
    for name, chosen, sign in (("won", column["won"] > 0, 1 / 3), ("lost", column["points"] < 0, -1)):
        c, y = {key: value[chosen] for key, value in column.items()}, sign * table[chosen, -1]

        def miss(p: np.ndarray, c: dict[str, np.ndarray] = c, y: np.ndarray = y) -> np.ndarray:
            power = p[0] + p[1] * (c["turn"] - 5) + p[2] * np.log(c["own"]) + p[3] * np.log(c["others"])
            x = np.exp(power + p[4] * (1 - c["wild"]) + p[5] * c["dealer"] + p[6] * c["closed"])
            return np.asarray(x / (1 + x / 400) - y)

        fit = least_squares(miss, [3, 0, 0.5, 0.5, 0.3, 0.3, 0])
        slopes: np.ndarray = np.asarray(fit.jac)
        cov = np.linalg.inv(slopes.T @ slopes) * 2 * fit.cost / (len(y) - 7)
        pairs = zip(fit.x, np.sqrt(np.diag(cov)), strict=True)
        print(name, " ".join(f"{value:+.2f}±{1.96 * error:.2f}" for value, error in pairs))
    print("\nready, by melds (rows) and pairs of discards")
    for melds in range(5):
        cells = [ready[melds, discards] for discards in range(8)]
        print(melds, " ".join(f"{hit / seen if seen else 0:.2f}" for seen, hit in cells))
    print("\nwaits for: middle, terminal, 258, honour (rows) by unseen copies")
    for thrown in ("new", "thrown"):
        for sort in range(4):
            cells = [waits[thrown, sort, copies] for copies in range(4)]
            print(thrown, sort, " ".join(f"{hit / seen if seen else 0:.3f}" for seen, hit in cells))


if __name__ == "__main__":
    main()
