"""The layout of ARCHITECTURE.md: imports point downward, no machine paths, nothing left out of the sdist."""

import re
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).parent.parent
DOCS = "README.md ARCHITECTURE.md RULES.md CHANGELOG.md CONTRIBUTING.md LICENSE"
BUILD = "Makefile MANIFEST.in pyproject.toml setup.py .gitignore .pre-commit-config.yaml .ci .github"
TOPS = f"{DOCS} {BUILD} src sim tests benches docs notebooks".split()
IGNORED = (ROOT / ".gitignore").read_text(encoding="utf-8").split()

# Bottom first: a room may use the rooms before it. A package's own name is its __init__.
CORE = """
    errors tiles actions records session_records options rules _types _rng _tables _shape _seat _rules
    _codes _patterns _factors _score _case _wall _table _observation policies _random _greedy _plain
    _planner _careful _sample _search _policy _play _force _session _machine hand scoring table
    words_options words reading finished explained_text explained explain_factors explain_others
    explain_refusal explain hand_log rescore_records rescore
"""
SIM = """
    engine versions guests bots task quantities intervals sequences spread stats estimates metrics until
    frames breakdown parts shards show result store progress stopping executors cluster ledger runner
    loading verify combine contest reduction duel_show report_words plot_style plots duel league
    tournament session_plan session_stats session_show session_result session sides skill ruin sweep
    what_if solve analysis features value space field tune compare plots_run plots_sweep log_reading
    tile_faces page replay_words replay_frames replay_needs replay_text replay_page replay extremes
    report_pictures report_tables report arguments worker_arguments vary_arguments run_command
    duel_command tournament_command sweep_command solve_command what_if_command session_command
    replay_command report_command hand_command score_command rules_command value_command tune_command
    verify_command combine_command
"""
ROOMS = [
    *(f"wuhan_core.{room}" for room in CORE.split()),
    "wuhan_core",
    *(f"wuhan_sim.{room}" for room in SIM.split()),
    "wuhan_sim",
    "wuhan_sim.cli",
    "wuhan_sim.__main__",
    "wuhan_command",
    "wuhan_command.__main__",
]
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
        return [f"{room} has no place in ROOMS"]
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
    assert {"wuhan_core.tiles", "wuhan_core._types", "wuhan_sim.cli"} <= rooms
    assert not faults, "\n".join(faults)
    page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    names = {room.partition(".")[2] for room in rooms} - {"", "__main__"}
    assert not [name for name in sorted(names) if f"`{name}.p" not in page], (
        "ARCHITECTURE.md lists every file"
    )


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
