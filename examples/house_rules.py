"""What do the cap and the minimum of a house do to its game?

    python examples/house_rules.py --hands 20000

The rules are in house.toml. Every combination is played on the same walls, so that differences to the house's
own rules are known better than the figures themselves.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from wuhan_core import load_rules
from wuhan_sim import Task, sweep

HOUSE = Path(__file__).with_name("house.toml")


def main() -> None:
    parser = argparse.ArgumentParser(description="What do the cap and the minimum of a house do to its game?")
    parser.add_argument("--rules", type=Path, default=HOUSE, help="a rule file (default: house.toml)")
    parser.add_argument("--hands", type=int, default=20_000, help="hands of each combination")
    parser.add_argument("--csv", type=Path, help="write the table to this file, too")
    given = parser.parse_args()

    rules = load_rules(given.rules)
    for option, (here, there) in rules.diff(load_rules("yuanhang")).items():
        print(f"{option}: {here}, yuanhang has {there}")
    print()

    task = Task(rules, "greedy", given.hands, seed=1, deal="fresh")
    vary = {"cap.per_payer": [100, 200, 300], "win.minimum_points": [0, 10, 20]}
    found = sweep(task, vary, ["exhausted_share", "capped_share", "swing"])
    print(found)
    if given.csv:
        found.table().to_csv(given.csv, index=False)


if __name__ == "__main__":
    main()
