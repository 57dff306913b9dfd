"""The extension list and two switches for tests; everything else stands in pyproject.toml.

``WUHAN_CORE_DEBUG=1`` builds the kernels with bounds and division checks on. The C sources of the two
builds stand apart, since Cython does not write them anew when only its directives change.
``WUHAN_CORE_SANITIZE=1`` builds what is built otherwise, under AddressSanitizer and UBSan (gcc, clang).
"""

import os
import platform
import struct

from Cython.Build import cythonize
from setuptools import Extension, setup

DEBUG = os.environ.get("WUHAN_CORE_DEBUG", "0") not in ("", "0")
SANITIZE = os.environ.get("WUHAN_CORE_SANITIZE", "0") not in ("", "0")
ROOMS = (
    "_tables",
    "_shape",
    "_rules",
    "_codes",
    "_patterns",
    "_factors",
    "_score",
    "_case",
    "_wall",
    "_table",
    "_observation",
    "_encoding",
    "_random",
    "_greedy",
    "_plain",
    "_planner",
    "_careful",
    "_sample",
    "_search",
    "_policy",
    "_play",
    "_session",
    "_force",
    "_machine",
    "_batch",
)

directives = {
    "language_level": 3,
    "binding": False,
    "boundscheck": DEBUG,
    "wraparound": False,
    "cdivision": not DEBUG,
    "initializedcheck": DEBUG,
    "freethreading_compatible": True,
    "embedsignature": True,  # for help() and stubtest
    "embedsignature.format": "clinic",
}
windows = os.name == "nt"
flags = (["/Od"] if DEBUG else ["/O2"]) if windows else (["-O1", "-g"] if DEBUG else ["-O3", "-g0"])
if not windows:
    flags.append("-ffp-contract=off")  # bots weigh in doubles: every machine is to round them alike
    if struct.calcsize("P") == 4 and platform.machine() in ("i386", "i586", "i686", "x86_64"):
        flags += ["-msse2", "-mfpmath=sse"]  # x87 rounds to 64 bits
sanitizers = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"] if SANITIZE else []
if SANITIZE:
    flags += [*sanitizers, "-O1", "-g", "-fno-omit-frame-pointer"]

setup(
    ext_modules=cythonize(
        [
            Extension(
                f"wuhan_core.{room}",
                [f"src/wuhan_core/{room}.pyx"],
                extra_compile_args=flags,
                extra_link_args=sanitizers,
            )
            for room in ROOMS
        ],
        compiler_directives=directives,
        build_dir=f"build/{'debug' if DEBUG else 'release'}",
    ),
    options={"build_ext": {"parallel": True}},  # as many C compilers as there are cores
)
