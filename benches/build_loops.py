"""Compiles shape_loops.pyx into build/benches, with the flags of setup.py, and imports it."""

from __future__ import annotations

import contextlib
import importlib.util
import os
from pathlib import Path
from types import ModuleType

HERE = Path(__file__).parent
ROOT = HERE.parent


def load_loops() -> ModuleType:
    """The compiled module `shape_loops`, built anew where a source is newer."""
    place = ROOT / "build" / "benches"
    place.mkdir(parents=True, exist_ok=True)
    sources = [HERE / "shape_loops.pyx", *(ROOT / "src" / "wuhan_core").glob("*.pxd")]
    built = list(place.glob("shape_loops.*.so")) + list(place.glob("shape_loops.*.pyd"))
    if not built or built[0].stat().st_mtime < max(source.stat().st_mtime for source in sources):
        built = [build(place)]
    spec = importlib.util.spec_from_file_location("shape_loops", built[0])
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def build(place: Path) -> Path:
    """Compile; the path of the extension."""
    from Cython.Build import cythonize
    from setuptools import Extension
    from setuptools.dist import Distribution

    flags = ["/O2"] if os.name == "nt" else ["-O3", "-g0"]
    directives = {"language_level": 3, "boundscheck": False, "wraparound": False, "cdivision": True}
    with contextlib.chdir(ROOT):
        extensions = cythonize(
            [Extension("shape_loops", ["benches/shape_loops.pyx"], extra_compile_args=flags)],
            include_path=["src"],
            build_dir=str(place),
            compiler_directives={**directives, "initializedcheck": False},
            force=True,
            quiet=True,
        )
        command = Distribution({"ext_modules": extensions}).get_command_obj("build_ext")
        command.build_lib = command.build_temp = str(place)
        command.ensure_finalized()
        command.run()
    return Path(command.get_ext_fullpath("shape_loops"))
