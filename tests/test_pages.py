"""The pages that scripts make: the guide from what its commands print, the findings from stored results."""

from __future__ import annotations

import json
import math
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

import findings
import findings_page
import guide
from test_docs import SMALL, with_options
from wuhan_sim.cli import main
from wuhan_sim.estimates import Estimate
from wuhan_sim.intervals import FIXED

DOCS = Path(__file__).parent.parent / "docs"
GUIDE = (DOCS / "guide.md").read_text(encoding="utf-8")
TOY = """# Toy

```sh
wuhan rules diff yuanhang laizigang   # a comment
```

<!-- output: 2 -->
old
<!-- end -->

```python
print("six by nine:")
```

<!-- output -->
<!-- end -->
"""


def small(words: list[str]) -> list[str]:
    """A command of the guide at a small size, and a hand that the small run has."""
    words = with_options(words, {"--hands": SMALL["--hands"]} if words[0] == "run" else SMALL)
    return [*words[: words.index("--hand")], "--hand", "7"] if "--hand" in words else words


def test_the_guide_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pictures").mkdir()
    text = guide.made(re.sub(r"\b2000, 400\b", "2000, 8", GUIDE), small)
    assert len(re.findall("^<!-- output", text, re.MULTILINE)) == len(
        re.findall("^<!-- end", GUIDE, re.MULTILINE)
    )
    shown = set(re.findall(r"\]\((pictures/[^)]+)\)", GUIDE))
    assert shown == {f"pictures/{path.name}" for path in (tmp_path / "pictures").iterdir()}
    assert shown <= {f"pictures/{path.name}" for path in (DOCS / "pictures").iterdir()}
    assert len(re.findall("^wuhan ", GUIDE, re.MULTILINE)) > 10


@pytest.mark.slow
def test_the_guide_shows_what_its_commands_print(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pictures").mkdir()
    assert guide.made(GUIDE) == GUIDE


def test_outputs_are_put_where_the_page_wants_them() -> None:
    text = guide.made(TOY)
    first, second = re.findall(r"```text\n(.*?)\n```\n<!-- end -->", text, re.DOTALL)
    assert "old" not in text
    assert len(first.splitlines()) == 3
    assert first.splitlines()[-1] == "..."
    assert second == "six by nine:"
    assert guide.made(text) == text


@pytest.mark.parametrize(
    ("page", "fault"),
    [
        ("```sh\nwuhan run --hands 0\n```\n", "exit status 2"),
        ("```python\npass\n```\n\n<!-- output -->\n<!-- end -->\n", "is empty"),
        (TOY.replace("output: 2", "output: caps"), "no table 'caps'"),
    ],
)
def test_a_page_whose_block_fails_is_not_made(page: str, fault: str) -> None:
    with pytest.raises(guide.PageError, match=fault):
        guide.made(page)


def test_parts_of_an_output() -> None:
    said = "heading\nmore\n\ncaps  of\n----\na  1\n\ncaps of others\n----\nb  2\n"
    assert guide.part_of(said, "caps") == "heading\nmore\n\ncaps  of\n----\na  1"
    assert guide.part_of(said, "-2") == "...\n----\nb  2"
    assert guide.part_of(said, "") == said.rstrip()


def stored() -> dict[str, Any]:
    return {study.name: each for study in findings.studies() if (each := findings.stored(study.name))}


def test_findings_are_what_the_data_say() -> None:
    found = stored()
    assert {path.stem for path in findings.DATA.glob("*.json")} == set(found)
    assert findings_page.page(found) == (DOCS / "findings.md").read_text(encoding="utf-8")
    for study in findings.studies():
        if study.name in found:
            assert found[study.name]["command"] == study.command.format(hands=found[study.name]["hands"])


def of_json(output: Any, kind: str) -> dict[tuple[str, str], Any]:
    """The values in the JSON of a command, by what they are of and by name."""
    if kind == "run":
        sections = (output[name] for name in ("frequencies", "caps", "seats"))
        return {(row["of"], row["name"]): row["value"] for part in sections for row in part}
    if kind == "duel":
        return {(row["of"], row["name"]): row["value"] for row in output["rates"]} | {
            ("planner - greedy", "points"): output["difference"]["value"]
        }
    return {
        (" ".join(f"{a}={b}" for a, b in point["set"].items()) or "as it is", name): each["value"]
        for point in output
        for name, each in point["metrics"].items()
    }


@pytest.mark.parametrize("name", ["run-qipi", "duel-planner-greedy-qipi", "rule-open-greedy-qipi"])
def test_a_command_of_the_findings_makes_its_numbers(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(findings, "DATA", tmp_path / "data")
    monkeypatch.setattr(findings, "RUNS", tmp_path / "runs")
    (study,) = (study for study in findings.studies() if study.name == name)
    findings.store(study, 1200, study.play(1200, 1))
    there = findings.stored(name)
    assert there is not None
    capsys.readouterr()
    assert main([*shlex.split(there["command"])[1:], "--json", "--quiet"]) == 0
    values = of_json(json.loads(capsys.readouterr().out), name.partition("-")[0])
    rows = [
        row for row in there["rows"] if row["section"] != "difference" and (row["of"], row["name"]) in values
    ]
    assert len(rows) >= 8
    for row in rows:
        value = values[row["of"], row["name"]]
        assert row["value"] == (value if value is None else pytest.approx(value, rel=1e-9)), row


def estimate(value: float, low: float | None, high: float | None, **keys: Any) -> dict[str, Any]:
    return {"value": value, "low": low, "high": high, "n": 9, "unit": "points", "method": "Student"} | keys


def test_sentences_follow_the_intervals() -> None:
    def study(low: float, high: float) -> dict[str, Any]:
        keys = {"section": "difference", "of": "x=1", "name": "swing"}
        return {"hands": 100, "rows": [estimate((low + high) / 2, low, high, **keys)]}

    games = {("greedy", "a"): study(1, 2), ("greedy", "b"): study(-2, -1), ("greedy", "c"): study(-1, 2)}
    (told,) = findings_page.sentences(games)
    assert told == "- `x=1`, 3 games: points that change hands up in 1 and down in 1 of 3."
    (told,) = findings_page.sentences({("greedy", "c"): study(-1, 2)})
    assert told == "- `x=1`, 1 game: not shown to change in any: points that change hands."
    key = ("difference", "x=1", "swing")
    signs = findings_page.signs({preset: each for (_, preset), each in games.items()}, key)
    assert signs == {1: ["a"], -1: ["b"], 0: ["c"]}
    assert (
        findings_page.in_words(signs, "wins", "loses", 3)
        == "wins in `a`; loses in `b`; is not told from zero in `c`"
    )
    assert "most in `a`" in findings_page.least_and_most(
        {"a": games["greedy", "a"], "b": games["greedy", "b"]}, key, "X"
    )
    assert "not told apart" in findings_page.least_and_most(
        {"a": games["greedy", "a"], "c": games["greedy", "c"]}, key, "X"
    )


def test_the_sign_of_an_estimate_is_that_of_its_interval() -> None:
    def sign(low: float, high: float) -> int:
        return Estimate((low + high) / 2, low, high, 9, "points", "Student").sign

    assert [sign(1, 2), sign(-2, -1), sign(-1, 2), sign(0, 2), sign(-2, 0)] == [1, -1, 0, 0, 0]
    assert sign(math.nan, math.nan) == 0
    assert sign(1, math.inf) == 1


def test_cells_of_findings() -> None:
    shown = findings_page.shown
    assert shown(None) == shown(estimate(0, None, None, section="x") | {"value": None}) == "-"
    assert shown(estimate(0, 0, 0, section="difference")) == findings_page.NONE
    assert shown(estimate(0, 0, 0, section="frequencies") | {"method": FIXED}) == "-"
    assert shown(estimate(1200, 1200, 1200, section="points")) == "1,200 (1,200..1,200)"
    assert shown(estimate(4800, 3360, None, section="points")) == "4,800 (above 3,360)"
    assert shown(estimate(0.5, 0.4, 0.6, section="x") | {"unit": "share"}) == "50 % (40..60)"
