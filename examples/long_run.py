"""A run that goes on where it was stopped, and SQL over its records.

    python examples/long_run.py --hands 200000 --out runs/long

Stop it with Ctrl-C, or pull the plug; the same command plays only what is missing. The records are Parquet
files, a row for each hand (`HAND_DTYPE`). Needs the extra [parquet], and duckdb.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from wuhan_core import OUTCOMES
from wuhan_sim import Interrupted, Task, load_run, simulate

QUERY = """
    SELECT outcome, count(*) AS hands, avg(turns) AS draws,
           max(greatest(points_0, points_1, points_2, points_3)) AS largest_gain
    FROM read_parquet(?) GROUP BY outcome ORDER BY outcome
"""


def main() -> None:
    parser = argparse.ArgumentParser(description="A run that goes on where it was stopped, and SQL over it.")
    parser.add_argument("--hands", type=int, default=200_000)
    parser.add_argument("--out", type=Path, default=Path("runs/long"))
    given = parser.parse_args()
    try:
        import duckdb
    except ImportError:
        sys.exit("long_run.py needs duckdb: pip install duckdb")

    task = Task("yuanhang", "planner,greedy,greedy,random", given.hands, seed=1)
    try:
        simulate(task, out=given.out, keep_records=True)
    except Interrupted as stopped:
        sys.exit(f"{stopped}; the same command goes on from there")

    run = load_run(given.out)
    print(
        run.result.strategies()
        .query("name == 'points'")[["of", "value", "low", "high"]]
        .to_string(index=False)
    )
    print()
    for outcome, hands, draws, gain in duckdb.execute(
        QUERY, [str(given.out / "parts" / "*.parquet")]
    ).fetchall():
        print(f"{OUTCOMES[outcome]:10} {hands:8,} hands of {draws:.1f} draws, largest gain {gain:,}")


if __name__ == "__main__":
    main()
