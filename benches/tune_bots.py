"""Makes the shipped parameters of `planner` and `careful` again: ``python benches/tune_bots.py [BUDGET]``.

Both are searched for by racing, under the four rule sets that the bots were made for together (the mean gain,
in standard deviations of a hand's points), from the parameters that are shipped. What a race finds becomes
the default only where fresh walls show that it is better; else the shipped ones stand. The fits behind the
bots' constants are made by ``fit_bots.py``.
"""

from __future__ import annotations

import sys

from wuhan_sim import tune

RULES = ("yuanhang", "bianfeng-new", "laizigang", "qipi")
BUDGET = 6_000_000  # hands for each bot


def main(budget: int) -> None:
    for bot, parameters in (("planner", None), ("careful", ["caution", "alarm"])):
        found = tune(bot, list(RULES), parameters, budget=budget, seed=1, candidates=16, progress=False)
        print(found, flush=True)
        print(f"shipped from here on: {found.best}\n", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else BUDGET)
