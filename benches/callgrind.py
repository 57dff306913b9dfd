"""Instructions per hand of the shape kernels, counted by valgrind and compared with a committed baseline.

Wall clocks stray by a third; instruction counts repeat exactly. ``benches/callgrind.py`` fails with exit
status 1 when a kernel needs 3 % more than the baseline of this very compiler, its flags and machine: another
compiler's counts say nothing. It says so loudly, with status 3, when valgrind or a baseline is missing.
``--write`` adds the baseline instead.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from functools import partial
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "src"), str(HERE.parent / "tests")]
BASELINE = HERE / "callgrind.json"
LIMIT = 1.03
HANDS = 2_000
FAILED, NOT_DONE = 1, 3

# loops of shape_loops.pyx, with any pair and with a 258 pair; then a row of an array from 34 counts
CASES = [
    (loop, head) for loop in ("complete", "shanten", "useful", "spare", "discard") for head in (False, True)
]
NAMES = [loop + " 258" * head for loop, head in CASES] + ["shanten of a row"]


def compiler() -> str:
    """What instruction counts depend on: the compiler, the machine, and the flags of Python's own build."""
    command = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()[0]
    ask = partial(subprocess.run, capture_output=True, text=True, check=True)
    family = "clang" if "clang" in ask([command, "--version"]).stdout else "gcc"
    full = ["-dumpfullversion"] if family == "gcc" else []  # 12.2.0; a clang says that without
    version = ask([command, *full, "-dumpversion"]).stdout.strip()
    given = f"{sysconfig.get_config_var('CFLAGS') or ''} {os.environ.get('CFLAGS', '')}".split()
    flags = [flag for flag in given if flag.startswith(("-f", "-m", "-O", "-D_"))]
    return " ".join([family, version, platform.machine(), *flags])


def child() -> None:
    """Under valgrind: every case once."""
    import numpy as np
    from build_loops import load_loops

    from random_hands import wild_hands
    from wuhan_core._shape import shanten_array

    loops = load_loops()
    rng = np.random.default_rng(1)
    thirteen, fourteen = (wild_hands(rng, HANDS, tiles) for tiles in (13, 14))
    kept = {13: loops.Hands(*thirteen), 14: loops.Hands(*fourteen)}
    for loop, head in CASES:
        hands = kept[13 if loop == "useful" else 14]
        hands.run(loop, head)  # builds the tables
        loops.count(partial(hands.run, loop, head))
    loops.count(partial(shanten_array, *fourteen[:3]))


def count() -> dict[str, float]:
    """Instructions per hand by case."""
    from build_loops import load_loops

    load_loops()  # compiled outside valgrind
    one_pass = "__pyx_f_11shape_loops_one_pass"
    with tempfile.TemporaryDirectory() as folder:
        options = [f"--toggle-collect={one_pass}", f"--dump-after={one_pass}"]
        command = ["valgrind", "--tool=callgrind", "--collect-atstart=no", *options]
        command += [f"--callgrind-out-file={folder}/out", sys.executable, str(Path(__file__)), "--child"]
        subprocess.run(command, check=True, capture_output=True)
        totals = {}
        # one after each pass; `out` itself is what was left at the end
        for dump in Path(folder).glob("out.*"):
            fields = dict(line.split(": ", 1) for line in dump.read_text().splitlines() if ": " in line)
            totals[int(fields["part"])] = int(fields["totals"])
    return {name: totals[part] / HANDS for name, part in zip(NAMES, sorted(totals), strict=True)}


def main() -> int:
    parser = argparse.ArgumentParser(description="Instructions per hand of the shape kernels.")
    parser.add_argument("--write", action="store_true", help="write the baseline of this compiler")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        child()
        return 0
    if shutil.which("valgrind") is None:
        print("*** NOT DONE: valgrind is missing, no instructions were counted ***", file=sys.stderr)
        return NOT_DONE
    key, found = compiler(), count()
    baselines = json.loads(BASELINE.read_text()) if BASELINE.exists() else {}
    if options.write:
        baselines[key] = {name: round(value, 2) for name, value in found.items()}
        BASELINE.write_text(json.dumps(baselines, indent=2, sort_keys=True) + "\n")
    return judge(key, found, baselines.get(key, {}))


def judge(key: str, found: dict[str, float], baseline: dict[str, float]) -> int:
    """Print the counts beside their baseline; the exit status."""
    print(f"{key}: instructions per hand\n{'kernel':<18}{'now':>10}{'baseline':>10}{'ratio':>8}")
    slower = []
    for name, value in found.items():
        before = baseline.get(name)
        ratio = f"{value / before:8.3f}" if before else "     new"
        print(f"{name:<18}{value:10.1f}{before or 0:10.1f}{ratio}")
        if before and value > before * LIMIT:
            slower.append(name)
    if slower:
        print(f"*** SLOWER than the baseline by more than 3 %: {', '.join(slower)} ***", file=sys.stderr)
        return FAILED
    if not set(found) <= set(baseline):
        print(f"*** NOT DONE: no whole baseline for {key}; make one with --write ***", file=sys.stderr)
        return NOT_DONE
    return 0


if __name__ == "__main__":
    sys.exit(main())
