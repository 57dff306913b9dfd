"""What are wildcards in the first 13 tiles worth?

    python examples/laizi_value.py --hands 20000

Each hand is played as it was dealt, and again with 0, 1, 2, ... wildcards exchanged into it; all else of the
wall, and the bots' chance, is the same.
"""

from __future__ import annotations

import argparse

from wuhan_sim import Task, value_of


def main() -> None:
    parser = argparse.ArgumentParser(description="What are wildcards in the first 13 tiles worth?")
    parser.add_argument("--hands", type=int, default=20_000)
    parser.add_argument("--rules", default="yuanhang")
    parser.add_argument("--bots", default="greedy")
    given = parser.parse_args()

    found = value_of(Task(given.rules, given.bots, given.hands, seed=1), "laizi")
    table = found.table()
    points = table[(table["section"] == "differences") & (table["name"] == "points")]
    for row in points.itertuples():
        print(f"{row.of:12} {row.value:8.1f} points a hand ({row.low:.1f}..{row.high:.1f})")


if __name__ == "__main__":
    main()
