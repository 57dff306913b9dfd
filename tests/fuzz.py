"""What comes from outside, damaged at random: every parser gives a good value or the project's own error.

Each entry of `ENTRIES` is a strategy and a check. `make fuzz MINUTES=10` (`tests/fuzz.py 10 [NAME...]`)
runs them for so many minutes each, from new random numbers every time, and prints what it finds in its
smallest form. `test_fuzz.py` runs a few examples of each, always the same. What was found once is kept in
`test_hostile.py`.

Errors that are allowed: `FaultError`; of a command, exit status 2 with the faults on stderr. All else is a
finding: other exceptions, a traceback, more than `PATIENCE` seconds, more memory than `MEMORY`, a file
changed where nothing was to be written.
"""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import io
import json
import os
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow
import pyarrow.parquet
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from case_maker import golden
from damage import HUGE, bits, damaged, json_text, mangled, mangled_bytes, values, words
from fuzz_arguments import HANDS, argument_list
from wuhan_core.errors import FaultError
from wuhan_core.explain import explain_case
from wuhan_core.hand import Hand, best_discards, shanten, ukeire, waits
from wuhan_core.options import OPTIONS
from wuhan_core.policies import POLICIES, parse_bot
from wuhan_core.rescore import rescore
from wuhan_core.rules import RuleSet, load_rules, parse_override
from wuhan_core.scoring import score_case, score_cases
from wuhan_core.tiles import format_tiles, parse_tile, parse_tiles
from wuhan_sim import Task, load_run, simulate
from wuhan_sim.bots import read_bots
from wuhan_sim.cli import main
from wuhan_sim.combine import combine
from wuhan_sim.features import parse_feature
from wuhan_sim.metrics import find_metrics
from wuhan_sim.replay import replay, replay_log
from wuhan_sim.session_plan import SessionPlan
from wuhan_sim.tune import check_tune
from wuhan_sim.until import Until
from wuhan_sim.verify import verify

PATIENCE = 60  # seconds that one example may take, on a machine that has other work, too
MEMORY = 6 * 2**30  # bytes of address space while `python tests/fuzz.py` runs
READABLE = 200_000  # characters of an error


class Entry(NamedTuple):
    """What is drawn, and what is done with it."""

    strategy: st.SearchStrategy[Any]
    check: Callable[[Any], object]


class Hang(BaseException):
    """An example took too long."""


@contextlib.contextmanager
def patience() -> Iterator[None]:
    """Raise Hang after `PATIENCE` seconds."""

    def ring(*_: object) -> None:
        raise Hang(f"more than {PATIENCE} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(PATIENCE)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def refused(work: Callable[..., Any], *arguments: Any, **fields: Any) -> Any:
    """What the work gives, or None where it is refused as it should be: by faults of one line each."""
    try:
        return work(*arguments, **fields)
    except FaultError as error:
        caught = error
    assert caught.faults, "an error without faults"
    for fault in caught.faults:
        assert fault.strip(), "an empty fault"
        assert len(fault.splitlines()) == 1, f"a fault of several lines: {fault!r}"
    assert len(str(caught)) < READABLE, "an error too long to read"
    return None


def command(*arguments: str, stdin: bytes = b"", statuses: tuple[int, ...] = (0, 2)) -> int:
    """Run ``wuhan`` in this process; what was to be refused has given no output and no traceback."""
    out, err = io.StringIO(), io.StringIO()
    before, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(stdin))
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                status = main(arguments)
            except SystemExit as error:
                status = int(error.code or 0)
    finally:
        sys.stdin = before
    said = err.getvalue()
    assert status in statuses, f"status {status}: {said[-500:]}"
    assert "Traceback" not in said, said
    if status == 2:
        assert not out.getvalue(), "bad input gives no output"
        assert said.strip(), "bad input is told"
        assert len(said) < READABLE
    return status


def tree(folder: Path) -> dict[str, object]:
    """Everything in a folder, as far as one can see that it was changed."""
    return {
        str(path): (path.lstat().st_mode, path.lstat().st_size, path.lstat().st_mtime_ns)
        for path in sorted(folder.rglob("*"))
    }


# ---- what is good before it is damaged ---------------------------------------------------------------------


@cache
def cases() -> list[dict[str, Any]]:
    """Some golden cases of every model."""
    return [case for name in ("wuhan", "others") for case in golden(name)[::40]]


@cache
def logs() -> list[dict[str, Any]]:
    """Some hand logs, of every model."""
    return [
        replay(rules, bots, 1, hand).to_dict()
        for rules, bots in (("yuanhang", "greedy"), ("hongzhong", "random"), ("hongxin", "greedy"))
        for hand in range(4)
    ]


RULE_FILE = """# of the house
name = "house"
extends = "yuanhang"
aliases = ["ours"]
title = { zh = "家", en = "House" }
source = "us"
cap.per_payer = 200
[win]
minimum_points = 10
head_258_free = ["qingyise"]
"""


@cache
def good_runs() -> Path:
    """A folder with two runs of one task that follow upon each other, and one without records."""
    folder = Path(tempfile.mkdtemp(prefix="wuhan-fuzz-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for name, first, keep in (("a", 0, True), ("b", 120, True), ("c", 0, False)):
        simulate(run_task(first), 1, out=folder / name, keep_records=keep, progress=False, shard_hands=60)
    return folder


def run_task(first: int = 0) -> Task:
    return Task("yuanhang", "greedy,greedy,random,random", 120, 7, first=first)


@contextlib.contextmanager
def scratch(runs: bool = True) -> Iterator[Path]:
    """A working folder deep inside an empty one, gone afterwards; outside it nothing may be changed."""
    top = Path(tempfile.mkdtemp(prefix="wuhan-fuzz-"))
    here = top / "outer" / "inner"
    back = Path.cwd()
    try:
        here.mkdir(parents=True)
        if runs:
            shutil.copytree(good_runs(), here, dirs_exist_ok=True)
        before = {key: value for key, value in tree(top).items() if not key.startswith(str(here))}
        os.chdir(here)
        yield here
        after = {key: value for key, value in tree(top).items() if not key.startswith(str(here))}
        assert set(before) == set(after), "something was written elsewhere"
    finally:
        os.chdir(back)
        shutil.rmtree(top, ignore_errors=True)


# ---- tiles, hands, bots, small texts -----------------------------------------------------------------------

TILES = (*"123456789mpsEWNCFP0z", "五筒", "东", "🀄", "🀄\ufe0f", " ", "55", "123m", "99s")
KINDS = ("chow:", "pung:", "kong:", "direct_kong:", "concealed_kong:", "x:", "chow", ":")


def check_tiles(given: tuple[Any, Any, Any, Any]) -> None:
    text, melds, laizi, seen = given
    kinds = refused(parse_tiles, text)
    if kinds is not None:
        assert parse_tiles(format_tiles(kinds)) == kinds
    refused(parse_tile, text)
    hand = refused(Hand.parse, text, melds, laizi)
    for ask in (shanten, waits):
        refused(ask, hand if hand is not None else text)
    for rate in (ukeire, best_discards):
        refused(rate, hand if hand is not None else text, seen)
    if isinstance(text, str) and isinstance(melds, str) and "\0" not in text:
        laid = [f"--melds={melds}"] if melds else []
        command("hand", f"--seen={seen}", *laid, *([] if laizi is None else [f"--laizi={laizi}"]), "--", text)


tile_text = st.one_of(words(TILES), st.sampled_from(HANDS).flatmap(mangled), values)
meld_text = st.one_of(st.just(""), words((*KINDS, *TILES, ",", " ", "pung:777s", "chow:123p")), values)
seen_tiles = st.one_of(
    tile_text, st.none(), st.lists(values, max_size=4), st.dictionaries(st.integers(-1, 40), values)
)

PARAMETERS = tuple(dict.fromkeys(p.name for policy in POLICIES for p in policy.parameters))
BOTS = (
    *(policy.name for policy in POLICIES),
    *(f"{name}=" for name in PARAMETERS),
    ":",
    ",",
    "1",
    "0.5",
    "=",
)
METRICS = (
    *("points", "capped_share", "wins", "deal_ins", "[greedy]", "<", "0.5", "%", ",", "<1%"),
    "points<0.5",
)


def check_texts(given: tuple[str, str, str, Any]) -> None:
    bot, until, feature, fields = given
    spec = refused(parse_bot, bot)
    if spec is not None:
        assert parse_bot(spec.text) == spec == parse_bot(spec.full)
    refused(read_bots, bot, 4, False)
    task = Task("yuanhang", "greedy", 10**6)
    goal = refused(Until.parse, until)
    if goal is not None:
        refused(goal.plan, task)
    refused(find_metrics, until, task.rules, task.bots)
    refused(parse_feature, feature, task.rules)
    refused(SessionPlan, **{"task": task, "hands": 10, "bankroll": 100, "count": 5, **fields})
    if ":" not in bot.replace("planner:", ""):  # all else would be imported
        refused(
            Task,
            "yuanhang",
            bot,
            fields.get("hands", 5),
            fields.get("count", 0),
            first=fields.get("first", 0),
        )
        check_tune(bot, task.rules, until, fields.get("count", 5), "racing", fields.get("first"), feature)


plan_fields = st.dictionaries(
    st.sampled_from(("hands", "bankroll", "count", "first", "stay", "leave_below", "leave_above", "flee")),
    values,
)
small_texts = st.tuples(
    st.one_of(words(BOTS), st.just("planner:fear=1.5,big=0.8").flatmap(mangled)),
    words(METRICS),
    words(("laizi", "open", "red", "dealer", "kong_laizi", "open_before", "=", "1", "2")),
    plan_fields,
)


# ---- cases, rule files, hand logs --------------------------------------------------------------------------


def check_case(case: Any) -> None:
    answer = refused(score_case, case)
    refused(score_cases, case)
    score = refused(explain_case, case)
    assert (answer is None) == (score is None)
    if score is not None:
        score.to_text("zh")
        json.dumps(score.to_dict(), allow_nan=False)


def check_score_file(data: bytes) -> None:
    with scratch(False) as here:
        (here / "case.json").write_bytes(data)
        command("score", "case.json")
        command("score", "--lines", "--json", "-", stdin=data)


def check_rule_file(given: tuple[bytes, list[str], dict[str, Any]]) -> None:
    data, texts, overrides = given
    with scratch(False) as here:
        path = here / "rules.toml"
        path.write_bytes(data)
        rules = refused(load_rules, path, overrides)
        if rules is not None:
            path.write_text(rules.to_toml(), "utf-8")
            assert load_rules(path) == rules
        path.write_bytes(data)
        command("rules", "check", "rules.toml")
        command("rules", "diff", "rules.toml", "qipi")
    read = [pair for text in texts if (pair := refused(parse_override, text))]
    refused(load_rules, "yuanhang", dict(read))
    refused(RuleSet, overrides)


NAMES = tuple(OPTIONS)
SETTINGS = (*NAMES, "=", "=200", "=true", "=none", "=0", "=-1", "=2.5", ",", "=standard,all_258")
TOML = (
    *(f"{name} = " for name in NAMES[::5]),
    "[",
    "]",
    "\n",
    "[win]\n",
    "1\n",
    "true\n",
    '"a"\n',
    "[[a]]\n",
    "'''",
    "1979-05-27",
    "inf\n",
    "nan\n",
)
rule_bytes = st.one_of(
    mangled(RULE_FILE).map(lambda text: text.encode("utf-8", "surrogatepass")),
    words(TOML, 20).map(lambda text: text.encode("utf-8", "surrogatepass")),
    mangled_bytes(RULE_FILE.encode()),
)
rule_input = st.tuples(
    rule_bytes,
    st.lists(
        st.one_of(
            words(SETTINGS, 4), st.sampled_from(NAMES).flatmap(lambda name: bits.map(f"{name}={{}}".format))
        ),
        max_size=4,
    ),
    st.dictionaries(st.one_of(st.sampled_from(NAMES), st.text(max_size=4)), values, max_size=4),
)


def check_log(log: Any) -> None:
    hand = refused(replay_log, log)
    if hand is not None:
        hand.to_text("zh")
        assert json.loads(json.dumps(hand.to_dict())) == hand.to_dict()
    refused(rescore, [log], load_rules("yuanhang", {"cap.per_payer": 100}), ignore_play=True)


def check_log_file(data: bytes) -> None:
    with scratch(False) as here:
        (here / "log.jsonl").write_bytes(data)
        command("replay", "log.jsonl")
        command("replay", "log.jsonl", "--hand", "1", "--html", "page.html")


# ---- run folders -------------------------------------------------------------------------------------------


def signed(fields: Any) -> Any:
    """``totals.json`` with the digest that its content has."""
    if isinstance(fields, dict):
        fields = {name: value for name, value in fields.items() if name != "sha256"}
        with contextlib.suppress(ValueError, RecursionError):
            text = json.dumps(fields, sort_keys=True, separators=(",", ":"))
            fields["sha256"] = hashlib.sha256(text.encode()).hexdigest()
    return fields


def sealed(data: bytes) -> bytes:
    """A part with the digest that its bytes have, where it has room for one."""
    at = data.rfind(b"wuhan.sha256")
    found = next((i for i in range(at, len(data) - 64) if data[i : i + 64].isalnum()), -1) if at >= 0 else -1
    if found < 0:
        return data
    empty = data[:found] + b"0" * 64 + data[found + 64 :]
    return data[:found] + hashlib.sha256(empty).hexdigest().encode() + data[found + 64 :]


@st.composite
def part_bytes(draw: st.DrawFn) -> bytes:
    """A part that is damaged: bytes changed, or another table under a footer like that of a part."""
    good = (good_runs() / "a" / "parts" / "part-000000000060.parquet").read_bytes()
    if draw(st.booleans()):
        data = draw(mangled_bytes(good))
        return sealed(data) if draw(st.booleans()) else data
    table = pyarrow.parquet.read_table(io.BytesIO(good))
    meta = dict(pyarrow.parquet.ParquetFile(io.BytesIO(good)).metadata.metadata)
    name = draw(st.sampled_from(table.column_names))
    column = table.column_names.index(name)
    size = table.num_rows
    array = draw(
        st.sampled_from(
            (
                pyarrow.array([None] * size, table.schema.field(name).type),
                pyarrow.array(["x"] * size),
                pyarrow.array([[1]] * size),
                pyarrow.array(
                    np.full(size, draw(st.integers(-128, 127))).astype(
                        table.schema.field(name).type.to_pandas_dtype()
                    )
                ),
                pyarrow.array(["x"] * size).dictionary_encode(),
            )
        )
    )
    how = draw(st.integers(0, 3))
    if how == 0:
        table = table.set_column(column, name, array)
    elif how == 1:
        table = table.remove_column(column)
    elif how == 2:
        table = table.slice(draw(st.integers(0, size)))
    else:
        table = pyarrow.concat_tables([table] * draw(st.integers(1, 50)))
    for key in draw(st.lists(st.sampled_from(sorted(meta)), max_size=2)):
        meta[key] = draw(st.sampled_from((b"", b"0", b"-1", b"60", b"\xff", HUGE.encode(), b"9" * 18)))
    file = io.BytesIO()
    pyarrow.parquet.write_table(table.replace_schema_metadata(meta), file, store_schema=draw(st.booleans()))
    return sealed(file.getvalue())


@st.composite
def run_damage(draw: st.DrawFn) -> dict[str, bytes | str | None]:
    """File -> what it has now: bytes, the target of a link, or None where it is gone."""
    found: dict[str, bytes | str | None] = {}
    for run in draw(st.lists(st.sampled_from("aabc"), min_size=1, max_size=2)):
        name = draw(
            st.sampled_from(("run.json", "totals.json", "summary.json", "parts/part-000000000060.parquet"))
        )
        file = good_runs() / run / name
        how = draw(st.integers(0, 9))
        if how == 0:
            found[f"{run}/{name}"] = None
        elif how == 1:
            found[f"{run}/{name}"] = draw(st.sampled_from(("/dev/zero", "../../../x", "run.json", "..")))
        elif "parquet" in name:
            found[f"{run}/{name}"] = draw(part_bytes())
        elif how == 2:
            found[f"{run}/{name}"] = draw(mangled_bytes(file.read_bytes()))
        elif name == "totals.json" and how < 7:
            fields = draw(damaged(json.loads(file.read_bytes())).map(signed))
            found[f"{run}/{name}"] = json.dumps(fields).encode("utf-8", "surrogatepass")
        else:
            found[f"{run}/{name}"] = draw(json_text(json.loads(file.read_bytes())))
    return found


def check_run(damage: dict[str, bytes | str | None]) -> None:
    with scratch() as here:
        for name, what in damage.items():
            path = here / name
            path.parent.mkdir(exist_ok=True)
            path.unlink(missing_ok=True)
            if isinstance(what, bytes):
                path.write_bytes(what)
            elif what is not None:
                path.symlink_to(what)
        before = tree(here)
        for name in sorted({name[0] for name in damage}):
            run = refused(load_run, name)
            if run is not None:
                refused(lambda run=run: (run.finished, str(run.result), run.ranges, run.parts))
                refused(run.records, ["hand", "turns"])
            found = refused(verify, name, 3, 1, progress=False)
            if found is not None:
                str(found)
                json.dumps(found.to_dict())
            command("replay", name, "--hand", "61")
            if name != "c":
                command("what-if", name, "--cap", "100:200:100", "--quiet", "--workers", "1")
        assert tree(here) == before, "reading a run changed it"
        if refused(combine, ["a", "b"], "new", progress=False) is None:
            assert not (here / "new").exists(), "what was refused left something"
        shutil.rmtree("new", ignore_errors=True)
        name = next(iter(damage))[0]
        again = partial(
            simulate, run_task(120 if name == "b" else 0), 1, keep_records=name != "c", progress=False
        )
        if refused(again, out=name, shard_hands=60) is not None:
            faults = verify(name, 0, 1, progress=False).faults
            # run.json, and the name of the rules in it, stay as they are while the task is the right one
            assert not faults or f"{name}/run.json" in damage, faults


# ---- the command line --------------------------------------------------------------------------------------


def check_command(arguments: list[str]) -> None:
    with scratch() as here:
        (here / "rules.toml").write_text(RULE_FILE, "utf-8")
        (here / "log.jsonl").write_text(json.dumps(logs()[0]), "utf-8")
        (here / "case.json").write_text(json.dumps(cases()[0]), "utf-8")
        os.mkfifo(here / "pipe")
        (here / "null").symlink_to(os.devnull)
        (here / "zero").symlink_to("/dev/zero")
        statuses = (0, 1, 2) if arguments[:1] == ["verify"] else (0, 2)
        command(*arguments, statuses=statuses)


# ------------------------------------------------------------------------------------------------------------

ENTRIES: dict[str, Entry] = {
    "tiles": Entry(st.tuples(tile_text, meld_text, st.one_of(st.none(), tile_text), seen_tiles), check_tiles),
    "texts": Entry(small_texts, check_texts),
    "cases": Entry(st.deferred(lambda: st.sampled_from(cases()).flatmap(damaged)), check_case),
    "score": Entry(st.deferred(lambda: st.sampled_from(cases()).flatmap(json_text)), check_score_file),
    "rules": Entry(rule_input, check_rule_file),
    "logs": Entry(st.deferred(lambda: st.sampled_from(logs()).flatmap(damaged)), check_log),
    "replay": Entry(st.deferred(lambda: st.sampled_from(logs()).flatmap(json_text)), check_log_file),
    "runs": Entry(run_damage(), check_run),
    "commands": Entry(argument_list(), check_command),
}


def examples(entry: Entry, number: int, count: int, report: bool = False) -> None:
    """Try so many examples of an entry, those of random numbers that begin with `number`."""
    phases = (Phase.generate, Phase.shrink) if report else (Phase.generate,)

    @seed(number)
    @settings(
        max_examples=count,
        deadline=None,
        database=None,
        phases=phases,
        suppress_health_check=list(HealthCheck),
    )
    @given(entry.strategy)
    def tried(example: Any) -> None:
        with patience():
            entry.check(example)

    tried()


def fuzz(name: str, minutes: float) -> int:
    """Fuzz one entry for so long; returns how many different findings there were."""
    began, number, done = time.monotonic(), time.time_ns(), 0
    found: dict[str, int] = {}
    while time.monotonic() < began + 60 * minutes:
        number += 1
        try:
            examples(ENTRIES[name], number, 200, report=True)
        except (Exception, Hang) as error:
            frame = traceback.extract_tb(error.__traceback__)[-1]
            what = f"{type(error).__name__} at {Path(frame.filename).name}:{frame.lineno}"
            if what not in found:
                print(
                    f"{name}: {what}",
                    "".join(traceback.format_exception(error))[-6000:],
                    sep="\n",
                    flush=True,
                )
            found[what] = found.get(what, 0) + 1
        done += 200
    spent = time.monotonic() - began
    print(
        f"{name}: about {done:,} examples in {spent / 60:.1f} min, {len(found)} findings {found}", flush=True
    )
    return len(found)


if __name__ == "__main__":
    import resource  # not on Windows

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    wanted = sys.argv[2:] or list(ENTRIES)
    sys.exit(min(1, sum(fuzz(name, float(sys.argv[1])) for name in wanted)))
