"""Makes the parameters of `planner` and `careful` again: ``python benches/tune_bots.py`` (some ten minutes).

CMA-ES under the four rule sets that the bots were made for together (the mean gain, in standard deviations of
a hand's points) starts from the values that the bots had when they were written. What it finds for `planner`
is confirmed on fresh walls; from there `careful`, which plays the planner's hand, is searched for the two
parameters that are its own. The answers are the defaults in ``wuhan_core.policies``: the script fails where
they are not, which is so as soon as a bot plays otherwise. Then the defaults are to be taken from here.

The fits behind the bots' constants are made by ``fit_bots.py``.
"""

from __future__ import annotations

import sys

from wuhan_core.policies import parse_bot
from wuhan_sim import tune

RULES = ("yuanhang", "bianfeng-new", "laizigang", "qipi")
WRITTEN = "fear=1.3,big=0.7,idle=0.15,below=0.6,avoid=1"  # by hand, in duels
OWN = "caution=0.7,alarm=12"
HANDS = {"planner": 16_000_000, "careful": 10_000_000}


def found(bot: str, parameters: list[str]) -> str:
    """What the search finds, printed with how it did; the bot as it was where it finds nothing better."""
    name = bot.partition(":")[0]
    tuning = tune(bot, RULES, parameters, budget=HANDS[name], method="cma", seed=1, progress=False)
    print("\n".join(str(tuning).split("\n\n")[:2]), "\n", flush=True)
    return tuning.best


def main() -> int:
    planner = found(f"planner:{WRITTEN}", [pair.partition("=")[0] for pair in WRITTEN.split(",")])
    settings = [pair for pair in (planner.partition(":")[2], OWN) if pair]  # defaults are not written
    careful = found(f"careful:{','.join(settings)}", ["caution", "alarm"])
    for best in map(parse_bot, (planner, careful)):
        pairs = zip(best.policy.parameters, best.values, strict=True)
        print(best.policy.name, *(f"{parameter.name}={value:g}" for parameter, value in pairs))
    shipped = all(parse_bot(best).text in ("planner", "careful") for best in (planner, careful))
    print("These are the defaults." if shipped else "These are NOT the defaults.")
    return not shipped


if __name__ == "__main__":
    sys.exit(main())
