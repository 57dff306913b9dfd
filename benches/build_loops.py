"""Compiles a bench's own loops into build/benches, with the flags of setup.py, and imports them."""

from __future__ import annotations

import contextlib
import importlib.util
import os
from pathlib import Path
from types import ModuleType

HERE = Path(__file__).parent
ROOT = HERE.parent


def load_loops(name: str = "shape_loops") -> ModuleType:
    """The compiled module of that name, built anew where a source is newer."""
    place = ROOT / "build" / "benches"
    place.mkdir(parents=True, exist_ok=True)
    sources = [HERE / f"{name}.pyx", *(ROOT / "src" / "wuhan_core").glob("*.pxd")]
    built = list(place.glob(f"{name}.*.so")) + list(place.glob(f"{name}.*.pyd"))
    if not built or built[0].stat().st_mtime < max(source.stat().st_mtime for source in sources):
        built = [build(name, place)]
    spec = importlib.util.spec_from_file_location(name, built[0])
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def build(name: str, place: Path) -> Path:
    """Compile; the path of the extension."""
    from Cython.Build import cythonize
    from setuptools import Extension
    from setuptools.dist import Distribution

    flags = ["/O2"] if os.name == "nt" else ["-O3", "-g0"]
    directives = {"language_level": 3, "boundscheck": False, "wraparound": False, "cdivision": True}
    with contextlib.chdir(ROOT):
        extensions = cythonize(
            [Extension(name, [f"benches/{name}.pyx"], extra_compile_args=flags)],
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
    return Path(command.get_ext_fullpath(name))
