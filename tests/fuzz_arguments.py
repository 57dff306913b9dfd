"""Command lines at random: commands with arguments of their own, strange ones, and those of others."""

from __future__ import annotations

from functools import cache
from typing import Any

from hypothesis import strategies as st

from damage import HUGE, bits
from wuhan_core.rules import preset_names
from wuhan_sim.cli import command_line

HANDS = ("123m55p", "2345m22p7899s", "123m4558p1789sEEE", "CC", "1112345678999m")


@cache
def subcommands() -> dict[str, list[Any]]:
    """Every command -> its arguments."""
    commands = next(
        action for action in command_line()._actions if action.choices and not action.option_strings
    )
    return {name: parser._actions[1:] for name, parser in commands.choices.items()}  # type: ignore[union-attr]


COUNTS = (
    *("4", "1", "8", "0", "-1", "x", "1e3", "", HUGE, "٣", str(2**62), str(2**64), "1_0", "1__0"),
    *(" 4", "+4"),
)
FILES = (
    *("a", "b", "c", "new", "missing", "rules.toml", "log.jsonl", "case.json", "pipe", "", "."),
    *("..", "../up", "a/run.json", "x/y", "case.json/x", "-", "null", "zero"),
)
POOL: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("hands", "sessions", "candidates", "sample", "seed", "first", "hand"), COUNTS),
    "budget": ("40", *COUNTS),
    "rules": (*preset_names(), "rules.toml", "qipi,yuanhang", "./missing.toml", "a.toml", *FILES),
    "bots": (
        "greedy",
        "random,greedy,random,greedy",
        "planner",
        "greedy,greedy",
        "planner:fear=2",
        "nobody",
        "",
    ),
    "set": ("cap.per_payer=200", "claims.chow=false", "deal.players=2", "x=1", "=", "", "win.minimum=none"),
    "workers": ("1", "2", "0", "-1", "x", HUGE, ""),
    "bankroll": ("none", "2000", *COUNTS),
    "deal": ("rotated", "fresh", "balanced", "x", ""),
    "draws": ("seat", "wall", "x"),
    "lang": ("en", "zh", "xx"),
    "until": ("points<0.5", "points<1e-9", "capped_share<1%", "x", "<", "points<nan", "points<1e400", ""),
    "vary": (
        "cap.per_payer=100,200",
        "cap.per_payer=1:1e9",
        "cap.per_payer=0:300:100",
        "x=1",
        "",
        "claims.chow=true,false",
    ),
    "cap": ("100:200:100", "0:1", "1:0", "x", "1:1000000:1", "0", ""),
    "option": (
        "cap.per_payer=50:1000",
        "cap.per_payer=1:1",
        "x=1:2",
        "cap.per_payer=0:99999999999999999999999",
        "",
    ),
    "metric": ("capped_share", "swing", "x", "points[greedy]", "wins[", ""),
    "metrics": ("capped_share,swing", "x", "deal_ins[greedy]", ",", ""),
    "target": ("30%", "0.3", "nan", "1e400", "%", "-1", ""),
    "skill": ("planner,greedy", "greedy", "greedy,x", "greedy,greedy", ""),
    "scheduler": ("threads", "x", "", "tcp://", "processes:", "://"),
    "parameters": ("fear", "fear,big", "x", "fear,fear", "", ","),
    "opponents": ("greedy", "greedy,random", "x", ""),
    "method": ("racing", "cma", "x"),
    "feature": ("laizi", "laizi=1", "open=1", "dealer", "red", "x", "laizi=9", ""),
    "bot": ("greedy", "planner", "0", "1", "7", "x", "planner:fear=9", ""),
    "a": ("greedy", "random", "x", "a", "rules.toml", "qipi"),
    "b": ("greedy", "planner", "x", "yuanhang"),
    "tiles": HANDS,
    "flee": ("0", "0.5", "1", "2", "nan", "-1", "x", ""),
    "leave_below": ("0", "100", "9999", "x", HUGE),
    "leave_above": ("0", "1000", "x", HUGE),
    "seats": ("aabb", "abab", "x", "", "aaaa"),
    **dict.fromkeys(("source", "file", "folder", "folders", "out", "html", "log"), FILES),
    "picture": ("new.svg", "new.png", "new", "x/y.svg", ""),
    "scheduler_file": ("missing", "case.json"),
}
SMALL = {"hands": "4", "sessions": "4", "budget": "40", "candidates": "4", "sample": "20"}
strange = st.one_of(bits, st.text(max_size=6)).filter(lambda text: "/" not in text and ":" not in text)


@st.composite
def argument_list(draw: st.DrawFn) -> list[str]:
    """A command with arguments of its own, strange ones, and those of others."""
    name = draw(st.sampled_from(sorted(subcommands())))
    words = [name]
    if name == "rules":
        words += draw(
            st.lists(
                st.sampled_from(
                    ("list", "show", "diff", "check", "--json", "--toml", *FILES, *preset_names())
                ),
                max_size=4,
            )
        )
        return words
    actions = subcommands()[name]
    chosen = [action for action in actions if not action.option_strings and draw(st.integers(0, 15))]
    chosen += draw(
        st.lists(st.sampled_from([action for action in actions if action.option_strings]), max_size=4)
    )
    chosen += [
        action for action in actions if action.option_strings and action.required and draw(st.integers(0, 9))
    ]
    given = {action.dest for action in chosen}
    for action in chosen:
        if action.nargs == 0:
            words.append(action.option_strings[-1])
            continue
        usual = st.sampled_from(POOL.get(action.dest, ("",)))
        often = [
            draw(usual if draw(st.integers(0, 8)) else strange) for _ in range(1 + (action.nargs == "+"))
        ]
        words += [f"{action.option_strings[-1]}={often[0]}"] if action.option_strings else often
    for action in actions:
        if action.dest in SMALL and action.dest not in given:
            words.append(f"{action.option_strings[-1]}={SMALL[action.dest]}")
    if not draw(st.integers(0, 5)):
        words.insert(
            draw(st.integers(0, len(words))),
            draw(st.one_of(strange, st.sampled_from(("--", "-", "--x", "--hel", "-h")))),
        )
    return [word.replace("\0", "") for word in words]
