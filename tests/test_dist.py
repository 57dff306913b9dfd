"""What is handed out installs and runs where there is no checkout; it takes packages from the index."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from machines import players_of
from random_hands import deal
from wuhan_core import load_rules, shanten_array
from wuhan_sim import Task, play_records
from wuhan_sim.cli import main

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "cython.md").read_text(encoding="utf-8")
SETUP = (ROOT / "setup.py").read_text(encoding="utf-8")
PACKAGES = {"wuhan_core": ROOT / "src" / "wuhan_core"} | {
    name: ROOT / "sim" / name for name in ("wuhan_sim", "wuhan_command")
}
BUILT = ("*.c", "*.so", "*.pyd", "*.pyc", "*.egg-info", "__pycache__")
HANDS = 10_000

# Run in the new environment, away from the checkout.
DOWNSTREAM = """
import json, sys
import numpy as np
import hands, wuhan_core
from wuhan_core import load_rules
counts = np.load("counts.npy")
print(json.dumps({
    "home": wuhan_core.__file__,
    "shanten": hands.shanten_sum(counts, 2),
    "points": {bot: hands.points(load_rules(rules), bot, 7, 3, 50) for rules, bot in json.loads(sys.argv[1])},
}))
"""
PLAYED = [("yuanhang", "greedy"), ("laizigang", "random"), ("hongxin", "planner")]


def run(*command: str | Path, cwd: Path) -> str:
    """A command that must succeed; what it printed."""
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}"
    return done.stdout


def build(place: Path, *options: str) -> Path:
    """What `make dist` does, in a copy: the path of the sdist, or of the wheel built from it."""
    left_out = shutil.ignore_patterns(".git", ".venv", ".*_cache", "build", "dist", "runs", *BUILT)
    shutil.copytree(ROOT, place / "tree", ignore=left_out)
    run(sys.executable, "-m", "build", *options, "--outdir", place, place / "tree", cwd=place)
    (path,) = place.glob("*.tar.gz" if options else "*.whl")
    return path


def source_files(package: str) -> set[str]:
    """What of a package's folder was written by hand, relative to its parent."""
    home = PACKAGES[package]
    return {
        path.relative_to(home.parent).as_posix()
        for path in home.rglob("*")
        if path.is_file() and not any(fnmatch(path.name, pattern) for pattern in BUILT)
    }


def test_setup_compiles_every_kernel() -> None:
    rooms = set(re.findall(r'^    "(_\w+)",$', SETUP, re.MULTILINE))
    assert rooms == {path.stem for path in (ROOT / "src" / "wuhan_core").glob("*.pyx")}


def test_every_kernel_has_a_stub_and_every_package_is_typed() -> None:
    kernels = (ROOT / "src" / "wuhan_core").glob("*.pyx")
    assert not [path.name for path in kernels if not path.with_suffix(".pyi").is_file()]
    assert all((home / "py.typed").is_file() for home in PACKAGES.values())


def test_package_data_names_every_file_that_is_no_source_of_a_kernel() -> None:
    data = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    for package in PACKAGES:
        patterns = [f"{package}/{pattern}" for pattern in data["package-data"][package]]
        files = {name for name in source_files(package) if not name.endswith((".py", ".pyx"))}
        assert not [name for name in files if not any(fnmatch(name, pattern) for pattern in patterns)]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["wheel", "sdist"])
def test_it_runs_without_the_checkout(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = build(tmp_path, *(["--sdist"] if kind == "sdist" else []))
    if kind == "wheel":
        check_contents(path)
    place = tmp_path / "elsewhere"
    place.mkdir()
    venv.create(tmp_path / "venv", with_pip=True)
    python = binaries(tmp_path) / "python"
    run(python, "-m", "pip", "install", path, cwd=place)

    words = ["run", "--rules", "yuanhang", "--hands", str(HANDS), "--seed", "5", "--json", "--quiet"]
    there = json.loads(run(binaries(tmp_path) / "wuhan", *words, cwd=place))
    assert main(words) == 0
    assert_same(there, json.loads(capsys.readouterr().out))
    assert there["hands"] == HANDS

    run(python, "-m", "pip", "install", "Cython>=3.1,<4", "setuptools>=77", cwd=place)
    check_downstream(place, binaries(tmp_path))


def binaries(place: Path) -> Path:
    """Where a virtual environment has its commands."""
    return place / "venv" / ("Scripts" if sys.platform == "win32" else "bin")


def check_contents(wheel: Path) -> None:
    """A wheel holds the packages with their kernels compiled instead of as sources, and nothing else."""
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    kernels = {name for name in source_files("wuhan_core") if name.endswith(".pyx")}
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    written = {name for package in PACKAGES for name in source_files(package)}
    assert names == written - kernels | {name.removesuffix(".pyx") + suffix for name in kernels}


def assert_same(found: Any, wanted: Any) -> None:
    """Counts to the last digit; floats, which pass through other versions of scipy, nearly."""
    if isinstance(wanted, dict):
        assert found.keys() == wanted.keys()
        for key, value in wanted.items():
            assert_same(found[key], value)
    elif isinstance(wanted, list):
        assert len(found) == len(wanted)
        for one, other in zip(found, wanted, strict=True):
            assert_same(one, other)
    elif isinstance(wanted, float):
        assert found == pytest.approx(wanted, rel=1e-9)
    else:
        assert found == wanted


def check_downstream(place: Path, commands: Path) -> None:
    """The module of docs/cython.md is built and gives what Python gives."""
    (source,) = re.findall(r"^```cython\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    (place / "hands.pyx").write_text(source, encoding="utf-8")
    command = next(line for line in PAGE.splitlines() if line.startswith("cythonize "))
    run(commands / "cythonize", *command.split()[1:], cwd=place)

    counts = deal(np.random.default_rng(3), 500, 11)
    np.save(place / "counts.npy", counts)
    found = json.loads(run(commands / "python", "-c", DOWNSTREAM, json.dumps(PLAYED), cwd=place))
    assert Path(found["home"]).is_relative_to(commands.parent)
    two, none = np.full(500, 2, np.uint8), np.zeros(500, np.uint8)
    assert found["shanten"] == int(shanten_array(counts, two, none).astype(int).sum())
    for rules, bot in PLAYED:
        players = players_of(load_rules(rules))
        task = Task(rules, ",".join([bot] * players), 50, seed=7, first=3, deal="fresh")
        assert found["points"][bot] == play_records(task)["points"].tolist()
