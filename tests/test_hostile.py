"""Files and arguments made to crash, to hang, to fill the memory or to write elsewhere: all are refused.

What fuzzing has found stands here by name, too.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest

import fuzz
import wuhan_core
import wuhan_sim
from wuhan_core.errors import FaultError, show
from wuhan_core.files import open_plain, read_plain, target_faults
from wuhan_core.hand import Hand, HandError, best_discards, is_complete, shanten, ukeire, waits
from wuhan_core.options import OPTIONS
from wuhan_core.rescore import RescoreError, rescore
from wuhan_core.rules import RuleError, load_rules
from wuhan_core.scoring import CaseError, score_case
from wuhan_sim import load_run, simulate, verify
from wuhan_sim.until import Until, UntilError

pytestmark = pytest.mark.skipif(os.name != "posix", reason="pipes, devices and alarms")
CASE, LOG = json.dumps(fuzz.cases()[0]), json.dumps(fuzz.logs()[0])
DEEP = 100_000
TEXTS: dict[str, Callable[[str], str | bytes]] = {
    "deep list": lambda good: "[" * DEEP,
    "deep list that ends": lambda good: "[" * DEEP + "]" * DEEP,
    "deep object": lambda good: '{"a":' * DEEP,
    "digits": lambda good: good.replace('"dealer": ', '"dealer": ' + "9" * 100_000, 1),
    "1e400": lambda good: good.replace('"dealer": ', '"dealer": 1e40', 1),
    "NaN": lambda good: good.replace('"dealer": ', '"dealer": NaN, "x": ', 1),
    "Infinity": lambda good: good.replace('"dealer": ', '"dealer": -Infinity, "x": ', 1),
    "null byte": lambda good: good[:40] + "\0" + good[40:],
    "null bytes": lambda good: "\0" * DEEP,
    "two marks": lambda good: "\ufeff\ufeff" + good,
    "no UTF-8": lambda good: b"\xff\xfe" + good.encode(),
    "half a surrogate": lambda good: good.replace('"dealer": ', '"\\ud800": ', 1),
    "truncated": lambda good: good[: len(good) // 2],
    "many keys": lambda good: "{" + ",".join(f'"k{i}": 1' for i in range(20_000)) + "}",
    "many keys twice": lambda good: "{" + ",".join(f'"k{i % 9000}": 1' for i in range(18_000)) + "}",
    "many options": lambda good: json.dumps(
        {**json.loads(good), "set": {f"cap.{i}": 1 for i in range(20_000)}}
    ),
    "long": lambda good: good.replace('"dealer": ', '"x": "' + "x" * 2**21 + '", "dealer": ', 1),
    "wrong types": lambda good: json.dumps({key: [{}] for key in json.loads(good)}),
}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A working folder; a test that hangs fails."""
    monkeypatch.chdir(tmp_path)
    with fuzz.patience():
        yield tmp_path


@pytest.fixture
def run(here: Path) -> Path:
    """A run with records in parts of 60 hands."""
    shutil.copytree(fuzz.good_runs() / "a", here / "a")
    return here / "a"


@pytest.mark.parametrize("what", TEXTS)
def test_hostile_json(what: str, here: Path) -> None:
    for good, words in ((CASE, ["score"]), (LOG, ["replay"])):
        text = TEXTS[what](good)
        Path("x").write_bytes(text if isinstance(text, bytes) else text.encode())
        assert fuzz.command(*words, "x") == 2


@pytest.mark.parametrize("what", TEXTS)
def test_hostile_run_json(what: str, run: Path) -> None:
    text = TEXTS[what]((run / "run.json").read_text("utf-8").replace('"hands"', '"dealer": 1, "hands"'))
    for name in ("run.json", "totals.json", "summary.json"):
        (run / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        assert not verify(run, 2, 1, progress=False).sound
    with pytest.raises(FaultError):
        load_run(run)
    assert fuzz.command("replay", "a", "--hand", "3") == 2


@pytest.mark.parametrize(
    "text",
    [
        "a = " + "[" * 30_000,
        "a = " + "{a=" * 15_000,
        ".".join("a" * 30_000) + " = 1",
        " . ".join(['"a"'] * 10_000) + " = 1",
        "[" + ".".join("a" * 30_000) + "]",
        "cap.per_payer = " + "9" * 60_000,
        "cap.per_payer = 0x" + "f" * 60_000,
        "score.small_dealer = nan\ncap.per_payer = inf",
        "cap.per_payer = 1\ncap.per_payer = 1",
        "cap.per\0payer = 1",
        "\ufeff\ufeffcap.per_payer = 1",
        'extends = "x.toml"',
        'extends = "/dev/zero"',
        'extends = "./pipe"',
        'extends = "../../../../../../etc/passwd"',
        "\n".join(f"k{i} = 1" for i in range(6000)),
        "x" * 2**17,
    ],
    ids=lambda text: text[:20],
)
def test_hostile_rule_file(text: str, here: Path) -> None:
    os.mkfifo("pipe")
    Path("x.toml").write_text(text, "utf-8")
    assert fuzz.command("rules", "check", "x.toml") == 2
    assert fuzz.command("run", "--hands", "1", "--rules", "x.toml") == 2


@pytest.mark.parametrize("name", ["pipe", "zero", "null", "loop", "folder", "sparse", "missing", "x" * 5000])
def test_what_is_no_plain_file_is_refused(name: str, here: Path) -> None:
    os.mkfifo("pipe")
    Path("zero").symlink_to("/dev/zero")
    Path("null").symlink_to(os.devnull)
    Path("loop").symlink_to("loop")
    Path("folder").mkdir()
    with Path("sparse").open("wb") as file:
        file.truncate(2**40)
    for words in (
        ["score"],
        ["rules", "check"],
        ["replay"],
        ["verify"],
        ["run", "--hands", "4", "--scheduler-file"],
    ):
        assert fuzz.command(*words, name) == 2, words
    if name not in ("sparse", "missing"):
        for words in (["replay", "--hand", "1", "--html"], ["run", "--hands", "4", "--log"]):
            assert fuzz.command(*words, name) == 2, words
    Path("a").mkdir()
    Path("a/run.json").symlink_to(Path("..", name[:100]))
    for words in (["replay", "a", "--hand", "1"], ["report", "a"], ["verify", "a", "--sample", "0"]):
        assert fuzz.command(*words, statuses=(1, 2)), words


def test_a_report_does_not_take_the_place_of_a_pipe(run: Path) -> None:
    os.mkfifo("pipe")
    assert fuzz.command("report", "a", "--out", "pipe") == 2
    assert Path("pipe").is_fifo()


def test_files_of_others(here: Path) -> None:
    Path("x").write_bytes(b"12345")
    assert read_plain("x", 5) == b"12345"
    with pytest.raises(ValueError, match="longer than 4 bytes"):
        read_plain("x", 4)
    with pytest.raises(ValueError, match=r"^its name has a null byte$"):
        open_plain("a\0b")
    with pytest.raises(IsADirectoryError):
        open_plain(here)
    assert target_faults("out", "x") == target_faults("out", "new") == []
    for bad in ("", ".", "no/x", "x/y", "a\0b", os.devnull):
        (fault,) = target_faults("out", bad)
        assert fault == f"out = {bad!r}, must be the path of a file in a folder that is there"


# ---- run folders -------------------------------------------------------------------------------------------


def part(run: Path, make: Callable[[Any], Any], **meta: object) -> None:
    """Put another table into the run's second part, with a footer and a digest that fit."""
    path = run / "parts" / "part-000000000060.parquet"
    good = pyarrow.parquet.read_table(path)
    told = dict(pyarrow.parquet.ParquetFile(path).metadata.metadata)
    told |= {f"wuhan.{key}".encode(): str(value).encode() for key, value in meta.items()}
    path.unlink()
    with pyarrow.parquet.ParquetWriter(
        path, (table := make(good)).schema, compression="zstd", store_schema=False
    ) as writer:
        writer.write_table(table)
        writer.add_key_value_metadata({key.decode(): value.decode() for key, value in told.items()})
    path.write_bytes(fuzz.sealed(path.read_bytes()))


def refusal(run: Path) -> str:
    """Why the records of a run are not read."""
    with pytest.raises(FaultError) as caught:
        load_run(run).records(["hand"])
    return str(caught.value)


def test_a_part_as_it_is_can_be_written_anew(run: Path) -> None:
    part(run, lambda table: table)
    assert len(load_run(run).records(["hand"])) == 120


def test_a_small_part_with_millions_of_rows(run: Path) -> None:
    fields = json.loads((run / "run.json").read_text("utf-8"))
    fields["task"]["hands"] = 10**15
    (run / "run.json").write_text(json.dumps(fields), "utf-8")
    rows = 2**20 + 1

    def bomb(table: Any) -> Any:
        columns = [np.zeros(rows, field.type.to_pandas_dtype()) for field in table.schema]
        return pyarrow.table(columns, schema=table.schema)

    part(run, bomb, last=60 + rows)
    assert f"it has {rows} hands in" in refusal(run)


def test_a_footer_that_says_to_be_huge(run: Path) -> None:
    path = run / "parts" / "part-000000000060.parquet"
    data = path.read_bytes()
    with path.open("wb") as file:
        file.truncate(2**33)
        file.seek(-8, os.SEEK_END)
        file.write((2**32 - 9).to_bytes(4, "little") + data[-4:])
    assert "its footer would have" in refusal(run)


@pytest.mark.parametrize("size", [0, 3, 8, 100, -1, -8, -100])
def test_a_truncated_part(size: int, run: Path) -> None:
    path = run / "parts" / "part-000000000060.parquet"
    path.write_bytes(path.read_bytes()[:size])
    assert "is damaged" in refusal(run)


def test_an_encrypted_part(run: Path) -> None:
    path = run / "parts" / "part-000000000060.parquet"
    data = path.read_bytes()
    path.write_bytes(b"PARE" + data[4:-4] + b"PARE")
    assert "is damaged" in refusal(run)


@pytest.mark.parametrize("target", ["/etc/passwd", "../../x", "/dev/zero", "."])
def test_links_out_of_a_run_are_not_followed(target: str, run: Path) -> None:
    for name in ("totals.json", "summary.json", "parts/part-000000000060.parquet"):
        (run / name).unlink()
        (run / name).symlink_to(target)
        assert not verify(run, 0, 1, progress=False).sound
        with pytest.raises(FaultError, match="in the way"):
            simulate(fuzz.run_task(), 1, out=run, keep_records=True, progress=False)
        (run / name).unlink()
        (run / name).write_bytes(b"")


def test_a_rule_file_in_run_json_is_no_longer_than_a_rule_file(run: Path) -> None:
    fields = json.loads((run / "run.json").read_text("utf-8"))
    for text in (".".join("a" * 30_000) + " = 1", "# " + "x" * 2**17, "[" * 30_000):
        fields["rules_toml"] = text
        (run / "run.json").write_text(json.dumps(fields), "utf-8")
        (fault,) = verify(run, 0, 1, progress=False).faults
        assert "rules_toml" in fault


def test_names_of_parts_lead_nowhere_else(run: Path) -> None:
    outside = run.parent / "part-000000000060.parquet"
    shutil.move(run / "parts" / outside.name, outside)
    (run / "parts" / "part-000000000060.parquet..").write_bytes(b"")
    fields = json.loads((run / "run.json").read_text("utf-8"))
    for key in ("parts", "path", "out"):
        fields[key] = "../"
    fields["id"] = "../../x"
    (run / "run.json").write_text(json.dumps(fields), "utf-8")
    before = outside.read_bytes()
    assert len(load_run(run).records(["hand"])) == 60
    simulate(fuzz.run_task(), 1, out=run, keep_records=True, progress=False)
    assert outside.read_bytes() == before
    assert sorted(path.name for path in run.parent.iterdir()) == ["a", outside.name]


# ---- what is long ------------------------------------------------------------------------------------------

LONG = 100_000


@pytest.mark.parametrize(
    "words",
    [
        ["hand", "x1" * (LONG // 2)],
        ["hand", "123m", "--melds", "pung:1m " * (LONG // 8)],
        ["run", "--bots", "x," * (LONG // 2)],
        ["run", "--bots", "planner:" + ",".join(f"k{i}=1" for i in range(LONG // 8))],
        ["run", "--until", "points<1," * (LONG // 9)],
        ["run", "--out", "x/" * (LONG // 2)],
        ["run", "--rules", "./" + "x" * LONG],
        ["run", *(word for i in range(5000) for word in ("--set", f"cap.{i}=1"))],
        ["run", *(f"--hand{i}" for i in range(20_000))],
        ["sweep", "--vary", "cap.per_payer=" + ",".join(map(str, range(20_000)))],
        ["sweep", "--vary", "cap.per_payer=0:1:0.0000000000001"],
        ["what-if", "missing", "--cap", "1:99999999999:1"],
        ["combine", *(f"missing{i}" for i in range(5000)), "--out", "new"],
        ["score", "x", "--lang", "x" * LONG],
    ],
    ids=lambda words: " ".join(words)[:25],
)
def test_long_command_lines(words: list[str], here: Path) -> None:
    assert fuzz.command(*words) == 2
    assert list(here.iterdir()) == []


def test_a_long_text_is_cut_before_it_is_written_into_many_faults() -> None:
    class Text(str):
        def __repr__(self) -> str:
            assert len(self) < 200
            return super().__repr__()

        def __getitem__(self, place: Any) -> Any:
            return Text(super().__getitem__(place))

    assert show(Text("x" * LONG)) == "'" + "x" * 76 + "..."
    assert show("x" * 78) == repr("x" * 78)
    with pytest.raises(CaseError) as caught:
        score_case({**fuzz.cases()[0], "indicator": "x1" * 20_000})
    assert len(caught.value.faults) > 20_000


def test_many_options_are_not_looked_at_one_by_one() -> None:
    with pytest.raises(RuleError, match=f"20000 options, there are only {len(OPTIONS)}"):
        load_rules("yuanhang", {f"cap.per_paye{i}": 1 for i in range(20_000)})


def test_a_long_goal() -> None:
    with pytest.raises(UntilError, match="has 20000 characters, at most 10000"):
        Until.parse("points<1,,,," + "," * 19_988)


# ---- what is no hand, no rules, no log ---------------------------------------------------------------------


@pytest.mark.parametrize("what", ["123m", None, 5, [0, 1, 2], Hand])
def test_what_is_no_hand_is_named(what: Any) -> None:
    for ask in (shanten, is_complete, waits, ukeire, best_discards):
        with pytest.raises(HandError, match=r"^hand = .*, must be a Hand"):
            ask(what)


@pytest.mark.parametrize("fields", [(None,), (5,), ("123m",), ((0,), None), ((0,), "chow:123p"), ({0: 1},)])
def test_a_hand_of_no_lists(fields: tuple[Any, ...]) -> None:
    with pytest.raises(HandError, match="must be a list of"):
        Hand(*fields)


def test_rescoring_nothing() -> None:
    rules = load_rules("yuanhang")
    for logs in (None, 5, "x", {}):
        with pytest.raises(RescoreError, match="must be records or a list of logs"):
            rescore(logs, rules)  # type: ignore[arg-type]
    with pytest.raises(RescoreError) as caught:
        rescore([], None, played="yuanhang")  # type: ignore[arg-type]
    assert [fault.split(",")[0] for fault in caught.value.faults] == ["rules = None", "played = 'yuanhang'"]


@pytest.mark.parametrize(
    ("words", "begins"),
    [
        (
            ["hand", "123x", "--seen", "0m", "--foo"],
            ["wuhan hand: unknown argument --foo", "hand: ", "seen: "],
        ),
        (
            ["rules", "check", "x", "--foo"],
            ["wuhan rules check: unknown argument --foo", "x: cannot be read"],
        ),
    ],
)
def test_unknown_arguments_are_told_beside_other_faults(
    words: list[str], begins: list[str], capsys: pytest.CaptureFixture[str], here: Path
) -> None:
    from wuhan_sim.cli import main

    assert main(words) == 2
    lines = capsys.readouterr().err.splitlines()
    for begin in begins:
        assert [line for line in lines if line.startswith(begin)], begin


def test_endless_input() -> None:
    roots = os.pathsep.join(str(Path(module.__file__ or "").parents[1]) for module in (wuhan_core, wuhan_sim))
    with Path("/dev/zero").open("rb") as endless:
        done = subprocess.run(
            [sys.executable, "-m", "wuhan_command", "score", "-"],
            stdin=endless,
            env={**os.environ, "PYTHONPATH": roots},
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"stdin: is longer than {2**27} bytes\n"
