"""The examples in docstrings give the output that they show, and no public function is without one."""

import doctest
import importlib.util
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import wuhan_core
import wuhan_sim

PACKAGES = (wuhan_core, wuhan_sim)
NEEDS = {"rl": "pettingzoo"}  # modules of an extra that may not be there
UNSHOWN = {"report"}  # its answer is a page


def modules(package: ModuleType) -> Iterator[ModuleType]:
    for found in pkgutil.iter_modules(package.__path__):
        needs = NEEDS.get(found.name)
        if found.name != "__main__" and (needs is None or importlib.util.find_spec(needs)):
            yield importlib.import_module(f"{package.__name__}.{found.name}")


PUBLIC = {name: getattr(package, name) for package in PACKAGES for name in package.__all__}
GIVEN = PUBLIC | {"np": np}  # what the examples suppose to have been imported


def shown_in(module: ModuleType) -> Iterator[doctest.DocTest]:
    """The examples of a module's docstrings."""
    for test in doctest.DocTestFinder(exclude_empty=True).find(module, globs=GIVEN):
        own = test.name.removeprefix(f"{module.__name__}.").split(".")[0]
        if own != "__test__":  # compiled modules have theirs there a second time
            test.globs.setdefault(own, getattr(module, own, None))
            yield test


TESTS = {
    test.name: test
    for package in PACKAGES
    for module in modules(package)
    for test in shown_in(module)
    if test.examples
}


@pytest.mark.parametrize("name", TESTS)
def test_example(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    report: list[str] = []
    doctest.DocTestRunner(verbose=False).run(TESTS[name], out=report.append)
    assert not report, "".join(report)


def test_compiled_functions_are_among_them() -> None:
    assert {"wuhan_core._shape.shanten_array", "wuhan_core._observation.Observation"} <= TESTS.keys()


def test_public_functions_have_examples() -> None:
    functions = [each for each in PUBLIC.values() if callable(each) and not isinstance(each, type)]
    bare = {each.__name__ for each in functions if ">>>" not in (each.__doc__ or "")}
    assert bare == UNSHOWN
