"""The examples in docstrings give the output that they show, and no public function is without one."""

import doctest
import importlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType, ModuleType

import pytest

import wuhan_core
import wuhan_sim

PACKAGES = (wuhan_core, wuhan_sim)
UNSHOWN = {"report"}  # its answer is a page


def modules(package: ModuleType) -> Iterator[ModuleType]:
    for found in pkgutil.iter_modules(package.__path__):
        if found.name != "__main__":
            yield importlib.import_module(f"{package.__name__}.{found.name}")


def shown_in(module: ModuleType) -> Iterator[doctest.DocTest]:
    """The tests of a module's docstrings, those of compiled functions too, which the finder passes over."""
    yield from doctest.DocTestFinder(exclude_empty=True).find(module)
    compiled = not (module.__file__ or "").endswith(".py")
    for name, value in vars(module).items() if compiled else ():
        if callable(value) and not isinstance(value, type) and value.__module__ == module.__name__:
            text = value.__doc__ or ""
            yield doctest.DocTestParser().get_doctest(text, vars(module).copy(), name, module.__file__, 0)


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


def test_public_functions_have_examples() -> None:
    public = [getattr(package, name) for package in PACKAGES for name in package.__all__]
    functions = [each for each in public if callable(each) and not isinstance(each, type)]
    assert any(not isinstance(each, FunctionType) for each in functions), "compiled ones are among them"
    bare = {each.__name__ for each in functions if ">>>" not in (each.__doc__ or "")}
    assert bare == UNSHOWN
