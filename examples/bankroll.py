"""How much must one bring to last an evening?

    python examples/bankroll.py --sessions 2000

Sessions of 32 hands of three greedy bots and a planner. A seat with nothing left is ruined, which ends the
session.
"""

from __future__ import annotations

import argparse

from wuhan_sim import Task, sessions


def main() -> None:
    parser = argparse.ArgumentParser(description="How much must one bring to last an evening?")
    parser.add_argument("--rules", default="bianfeng")
    parser.add_argument("--hands", type=int, default=32, help="hands of an evening")
    parser.add_argument("--sessions", type=int, default=2_000, help="evenings for each bankroll")
    parser.add_argument("--bankrolls", type=int, nargs="+", default=[500, 1_000, 2_000, 4_000])
    given = parser.parse_args()

    task = Task(given.rules, "greedy,greedy,greedy,planner", hands=1, seed=1)
    print(f"share of seats that are ruined within {given.hands} hands")
    for bankroll in given.bankrolls:
        found = sessions(task, given.hands, bankroll, given.sessions)
        last = found.ruin_curve().query(f"hands == {given.hands}")
        for row in last.itertuples():
            print(f"  {bankroll:6,} points, {row.of:8} {row.value:6.1%} ({row.low:.1%}..{row.high:.1%})")


if __name__ == "__main__":
    main()
