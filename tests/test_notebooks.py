"""The notebooks: as they lie in the repository, and run at a small size."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from processes import environment

FOLDER = Path(__file__).parent.parent / "notebooks"
NAMES = ("01_hand_frequencies", "02_cap_hits", "03_strategy_value", "04_rule_balancing")
HANDS = 1200


def cells(name: str) -> list[dict[str, Any]]:
    book = json.loads((FOLDER / f"{name}.ipynb").read_text(encoding="utf-8"))
    assert (book["nbformat"], book["nbformat_minor"]) == (4, 5)
    assert book["metadata"]["kernelspec"]["name"] == "python3"
    found: list[dict[str, Any]] = book["cells"]
    assert len({cell["id"] for cell in found}) == len(found)
    return found


def texts(code: str) -> Iterator[str]:
    """What a cell says in plain text: its f-strings and texts without the values put in, and no keys."""
    for call in ast.walk(ast.parse(code)):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "print":
            for said in call.args:
                parts = said.values if isinstance(said, ast.JoinedStr) else [said]
                yield from (str(part.value) for part in parts if isinstance(part, ast.Constant))


def test_a_number_typed_in_is_found() -> None:
    assert list(texts('print(f"{100 * x:.2f} of 20 wins", "5", y)')) == [" of 20 wins", "5"]


def test_there_are_four() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.ipynb")) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_has_no_outputs_and_a_question_a_run_and_a_conclusion(name: str) -> None:
    code = [cell for cell in cells(name) if cell["cell_type"] == "code"]
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)
    text = ["".join(cell["source"]) for cell in cells(name) if cell["cell_type"] == "markdown"]
    assert "**Question.**" in text[0]
    assert any(part.startswith("## A run") for part in text)
    assert text[-1].startswith("## Conclusion")
    last = "".join(code[-1]["source"])
    assert "print(" in last
    assert re.search(r"\.sign\b|\blow\b", last)  # the verdict hangs on the intervals
    assert not re.search(r"\d", "".join(texts(last))), "a number is typed in"
    assert 'os.environ.get("WUHAN_NB_HANDS"' in "".join(code[0]["source"])


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_runs(name: str, tmp_path: Path) -> None:
    pytest.importorskip("nbmake")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "--nbmake", "-pno:cacheprovider", "-n0", f"{name}.ipynb"],
        cwd=FOLDER,
        env=environment(WUHAN_NB_HANDS=str(HANDS), MPLBACKEND="agg"),
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout[-3000:]
