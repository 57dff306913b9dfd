"""What is wrong with the files of a run's folder is told in plain words, whoever reads them."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import pytest

from wuhan_sim import StoreError, Task, load_run, simulate, verify
from wuhan_sim.cli import main

pytest.importorskip("pyarrow")
pytestmark = pytest.mark.usefixtures("fake")

TASK = Task("yuanhang", "greedy,random,random,greedy", 600)


def run(folder: Path, keep_records: bool = True) -> Path:
    simulate(TASK, 1, out=folder, keep_records=keep_records, progress=False, shard_hands=200)
    return folder


def faults_of(folder: Path) -> list[str]:
    return [fault.replace(str(folder), "RUN") for fault in verify(folder, 0, 1).faults]


def edited(folder: Path, **values: Any) -> None:
    file = folder / "run.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | values))


@pytest.mark.parametrize(("name", "absent"), [("summary.json", "{}"), ("totals.json", "sha256 is missing")])
def test_a_file_without_content_is_damaged_and_not_absent(tmp_path: Path, name: str, absent: str) -> None:
    file = run(tmp_path) / name
    for text, why in (("null", "None, must be an object"), ("[]", "[], must be an object"), ("{}", absent)):
        file.write_text(text)
        (fault,) = faults_of(tmp_path)
        assert fault.startswith(f"RUN/{name} is damaged: {why}")
    file.write_bytes(b'{"a": "\xff"}')
    assert faults_of(tmp_path) == [f"RUN/{name} is damaged: it is no text in UTF-8 at byte 7"]
    file.write_text('{"a": ' + "9" * 5000 + "}")
    assert faults_of(tmp_path) == [f"RUN/{name} is damaged: a number has too many digits"]
    file.write_text("[" * 10**5)
    assert faults_of(tmp_path) == [f"RUN/{name} is damaged: it is nested too deeply"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("null", ["RUN/run.json is damaged: None, must be an object"]),
        ("{}", [f"RUN: run.json: {name} is missing" for name in ("id", "task", "shard_hands")]),
        ('{"task": []}', ["RUN: run.json: task = [], must be an object"]),
        ('{"task": {"hands": 3}}', ["RUN: run.json: '{\"hands\": 3}' is no task: rules is missing"]),
        (
            json.dumps({"task": TASK.to_dict() | {"rules": []}}),
            ["is no task: rules = [], must be an object with name and values"],
        ),
    ],
)
def test_a_damaged_manifest_says_what_it_must_have(tmp_path: Path, text: str, words: list[str]) -> None:
    (tmp_path / "run.json").write_text(text)
    with pytest.raises(StoreError) as caught:
        load_run(tmp_path)
    told = str(caught.value).replace(str(tmp_path), "RUN")
    assert all(word in told for word in words), told
    assert "Error(" not in told


def test_the_same_fault_of_four_bots_is_told_once(tmp_path: Path) -> None:
    run(tmp_path)
    edited(tmp_path, task=TASK.to_dict() | {"bots": [3] * 4})
    with pytest.raises(StoreError, match=r"bots = 3, must be names") as caught:
        load_run(tmp_path)
    assert len(caught.value.faults) == 1


def test_parts_that_are_no_folder_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(tmp_path)
    for part in (tmp_path / "parts").iterdir():
        part.unlink()
    (tmp_path / "parts").rmdir()
    (tmp_path / "parts").write_text("")
    assert "RUN/parts is no folder" in faults_of(tmp_path)
    assert main(["what-if", str(tmp_path), "--cap", "100"]) == 2
    assert capsys.readouterr().err.splitlines()[-1].endswith("parts is no folder")


def test_parts_that_the_run_does_not_know_are_told(tmp_path: Path) -> None:
    (run(tmp_path) / "parts/part-zz.parquet").write_bytes(b"")
    (fault,) = faults_of(tmp_path)
    assert fault.startswith("RUN/parts/part-zz.parquet is no part of this run")
    edited(tmp_path, keep_records=False)
    note = f"{tmp_path / 'parts'} is not looked at: run.json has keep_records = false"
    assert note in verify(tmp_path, 0, 1).notes


def test_a_run_begun_with_other_versions_says_so(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    run(tmp_path)
    with caplog.at_level(logging.WARNING, "wuhan_sim"):
        run(tmp_path)
        assert not caplog.records
        assert verify(tmp_path, 0, 1).notes == []
        versions = json.loads((tmp_path / "run.json").read_text())["versions"]
        edited(tmp_path, versions=versions | {"kernel": "abc", "wuhan-core": "0.0.7"})
        run(tmp_path)
    (record,) = caplog.records
    assert "begun with other versions: wuhan-core 0.0.7, here" in record.getMessage()
    assert "; kernel abc, here" in record.getMessage()
    found = verify(tmp_path, 0, 1)
    assert found.sound
    assert record.getMessage() in found.notes
