"""Cython's warnings and performance hints are errors: `make lint` runs this.

A hint tells of Python where none is meant, as a kernel without `noexcept` that takes the GIL after every
call to ask for an exception. `setup.py` itself is run, with its directives, in a copy, as far as C.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
_COMPLAINT = re.compile(r"^(?:performance hint|warning): \S+\.p(?:yx|xd):\d+:\d+: .*", re.MULTILINE)


def sources(folder: Path) -> None:
    """Copy what Cython reads into a folder, so that everything is translated anew there."""
    shutil.copy(ROOT / "setup.py", folder)
    for file in (ROOT / "src").rglob("*"):
        if file.suffix in (".py", ".pyx", ".pxd", ".h"):
            target = folder / file.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, target)


def complaints(folder: Path) -> list[str]:
    """Translate the kernels in a folder; every warning and hint, one line each."""
    done = subprocess.run(
        [sys.executable, "setup.py", "-q", "--name"], cwd=folder, capture_output=True, text=True, check=False
    )
    if done.returncode or "Cythonizing" not in done.stdout + done.stderr:
        raise RuntimeError(f"the kernels could not be translated:\n{done.stdout}{done.stderr}")
    return _COMPLAINT.findall(done.stdout + done.stderr)


def main() -> int:
    """Print every complaint; exit status 1 where there is one."""
    with tempfile.TemporaryDirectory() as folder:
        sources(Path(folder))
        found = complaints(Path(folder))
    print("\n".join(found) or "Cython has no warnings and no performance hints")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
