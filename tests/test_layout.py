"""The layout of ARCHITECTURE.md: imports point downward, no machine paths, nothing left out of the sdist."""

import re
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).parent.parent
DOCS = "README.md ARCHITECTURE.md RULES.md CHANGELOG.md CONTRIBUTING.md SECURITY.md CITATION.cff LICENSE"
BUILD = "Makefile MANIFEST.in pyproject.toml setup.py .gitignore .pre-commit-config.yaml .ci .github"
TOPS = f"{DOCS} {BUILD} src sim tests benches docs notebooks examples".split()
IGNORED = (ROOT / ".gitignore").read_text(encoding="utf-8").split()


def listed() -> list[str]:
    """The rooms, bottom first, as ARCHITECTURE.md lists them: a room may use those before it."""
    page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    rooms = []
    for package in ("wuhan_core", "wuhan_sim"):
        table = re.search(rf"^\| file \(`\w+/{package}`\).*\n((?:\|.*\n)+)", page, re.MULTILINE)
        assert table, package
        for row in table[1].splitlines():
            rooms += [f"{package}.{file}" for file in re.findall(r"`(\w+)\.p", row.split("|")[1])]
        rooms.append(package)  # a package's own name is its __init__
    rooms.remove("wuhan_sim.cli")
    return [*rooms, "wuhan_sim.cli", "wuhan_sim.__main__", "wuhan_command", "wuhan_command.__main__"]


ROOMS = listed()
IMPORT = re.compile(r"^[ \t]*(?:from +([\w.]+) +c?import +(\([^)]*\)|.+)|c?import +(.+))", re.MULTILINE)


def ignored(path: Path) -> bool:
    """Does .gitignore name it? (The few forms of pattern that ours has.)"""
    return any(
        path.match(name) or any(fnmatch(part, name.strip("/")) for part in path.parts) for name in IGNORED
    )


def project_files() -> list[Path]:
    """Every file of the project, relative to its root; what a build or a run leaves behind not among them."""
    files = (path for top in TOPS for path in [ROOT / top, *(ROOT / top).rglob("*")] if path.is_file())
    return sorted(path for path in (path.relative_to(ROOT) for path in files) if not ignored(path))


def imports(package: str, text: str) -> Iterator[str]:
    """The modules that a source text imports or cimports."""
    for source, names, modules in IMPORT.findall(text):
        if source:
            source = re.sub(r"^\.", f"{package}.", source).rstrip(".")
            inside = (f"{source}.{name}" for name in re.findall(r"[\w*]+", names))
            yield from (name if name in ROOMS else source for name in inside)
        else:
            yield from re.findall(r"[\w.]+", modules)


def upward(room: str, text: str) -> list[str]:
    """Which arrows of a room's text point upward; imports for annotations alone are none."""
    if room not in ROOMS:
        return [f"{room} has no place in ARCHITECTURE.md"]
    text = re.sub(r"^if TYPE_CHECKING:\n(?:(?:[ \t]+.*)?\n)+", "", text, flags=re.MULTILINE)
    above = set(ROOMS[ROOMS.index(room) + 1 :])
    return [f"{room} imports {name}" for name in imports(room.partition(".")[0], text) if name in above]


def test_imports_point_downward() -> None:
    faults, rooms = [], set()
    for path in project_files():
        source, *inside = path.with_suffix("").parts
        if source in ("src", "sim") and path.suffix in (".py", ".pyx", ".pxd", ".pyi"):
            room = ".".join(inside).removesuffix(".__init__")
            rooms.add(room)
            faults += upward(room, (ROOT / path).read_text(encoding="utf-8"))
    assert not faults, "\n".join(faults)
    assert sorted(ROOMS) == sorted(rooms), "ARCHITECTURE.md lists every file once, and no other"


def test_an_upward_arrow_is_found() -> None:
    for line in (
        "from wuhan_core._play cimport play",
        "from wuhan_core import _play",
        "cimport wuhan_core._play",
        "import numpy, wuhan_core._play as play",
        "    from ._play import (\n    one,\n    two)",
        "from wuhan_core import parse_tiles",
        "from wuhan_sim.task import *",
    ):
        assert upward("wuhan_core._score", f"{line}\n"), line
    assert not upward("wuhan_core._play", "from wuhan_core._score cimport score\nfrom . import tiles\n")
    assert upward("wuhan_core.nowhere", "")


# The sets keep this line from matching itself.
MACHINE = re.compile(r"(?<![\w.*])(?:/(?:root|home|work|tmp|mnt|Users)/\w|[A-Z]:\\Users)|\.\./shared")


def test_no_machine_paths() -> None:
    faults = []
    for path in project_files():
        if path.suffix == ".png":
            continue
        for number, line in enumerate((ROOT / path).read_text(encoding="utf-8").splitlines(), 1):
            faults += [f"{path}:{number}: {found[0]}" for found in MACHINE.finditer(line)]
    assert not faults, "\n".join(faults)


def test_a_machine_path_is_found() -> None:
    for top in ("root", "home", "work", "tmp"):
        assert MACHINE.search(f"see /{top}/x")
    assert not MACHINE.search("#!/usr/bin/env bash; runs/work/x; https://host.example/home/x")


def in_manifest(path: Path, manifest: str) -> bool:
    """Does an include line of MANIFEST.in name this file?"""
    for verb, *words in map(str.split, manifest.splitlines()):
        top, names = (".", words) if verb == "include" else (words[0], words[1:])
        inside = len(path.parts) == 1 if top == "." else path.parts[0] == top
        if "include" in verb and inside and any(fnmatch(path.name, name) for name in names):
            return True
    return False


def test_manifest_names_every_kind_of_file() -> None:
    manifest = (ROOT / "MANIFEST.in").read_text(encoding="utf-8")
    assert not [str(path) for path in project_files() if not in_manifest(path, manifest)]
    kernel = Path("src/wuhan_core/_tables.pyx")
    assert in_manifest(kernel, manifest)
    assert not in_manifest(kernel, manifest.replace("*.pyx", ""))
