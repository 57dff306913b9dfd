"""Which hand of many moved the most points, and how did it go?

    python examples/biggest_hand.py --hands 200000 --out runs/biggest.html

The page needs nothing else: open it and step through the hand.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from wuhan_sim import play_records, replay

BOTS = ["planner", "greedy", "greedy", "random"]
AT_ONCE = 50_000


def main() -> None:
    parser = argparse.ArgumentParser(description="Which hand of many moved the most points?")
    parser.add_argument("--hands", type=int, default=200_000)
    parser.add_argument("--rules", default="yuanhang")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="write a page to step through the hand")
    given = parser.parse_args()

    most, hand = -1, 0
    for first in range(0, given.hands, AT_ONCE):
        count = min(AT_ONCE, given.hands - first)
        records = play_records(given.rules, BOTS, given.seed, first, count)
        owed = records["owed"].sum(axis=1)
        if owed.max() > most:
            most, hand = int(owed.max()), int(records["hand"][owed.argmax()])

    log = replay(given.rules, BOTS, given.seed, hand)
    print(f"hand {hand:,}: {most:,} points owed before caps")
    for score in log.scores:
        print(score)
    if given.out:
        given.out.parent.mkdir(parents=True, exist_ok=True)
        given.out.write_text(log.to_html(), encoding="utf-8")


if __name__ == "__main__":
    main()
