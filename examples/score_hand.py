"""What is a win worth, why, and what would it be worth at other tables?

python examples/score_hand.py            # the case below
python examples/score_hand.py case.json  # one of your own, as section 10 of RULES.md describes it
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from wuhan_core import explain_case, load_rules, preset_names, score_case

CASE: dict[str, Any] = {
    "rules": "yuanhang",
    "indicator": "4m",
    "dealer": 0,
    "players": [
        {"hand": "1357m2468p1346sE"},
        {
            "hand": "111p8s999m",
            "melds": [
                {"kind": "pung", "tiles": "777s", "from": 2},
                {"kind": "pung", "tiles": "333p", "from": 0},
            ],
        },
        {"hand": "1357m2468p1346sW"},
        {"hand": "2468m2579p2359sN"},
    ],
    "win": {"winner": 1, "tile": "8s", "source": "discard", "from": 3},
}


def main() -> None:
    parser = argparse.ArgumentParser(description="What is a win worth, why, and at other tables?")
    parser.add_argument("case", nargs="?", type=Path, help="a file with a case; one of ours when not given")
    parser.add_argument("--lang", choices=("en", "zh"), default="en")
    given = parser.parse_args()

    case = CASE if given.case is None else json.loads(given.case.read_text(encoding="utf-8"))
    print(explain_case(case).to_text(given.lang))
    print()
    model = load_rules(case["rules"]).get("score.model")
    for name in preset_names():
        if load_rules(name).get("score.model") == model:
            answer = score_case({**case, "rules": name})
            print(f"{name:16} {answer['deltas'] if answer['wins'] else answer['why_not']}")


if __name__ == "__main__":
    main()
