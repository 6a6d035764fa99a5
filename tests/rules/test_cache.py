"""Compiled code is kept by what it depends on: nothing that it depends on is left out."""

from __future__ import annotations

import ast
import importlib
import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
import pytest

from foretold.kernel import compile
from foretold.kernel.cache import KEPT, PACKAGE, cache_folder, fingerprint, prune, sources_of
from foretold.kernel.compile import SOURCES

COMPILED = sorted(
    path
    for path in PACKAGE.rglob("*.py")
    if re.search(r"^\s*@compiled$", path.read_text("utf-8"), re.M)
)


def module_of(path: Path) -> ModuleType:
    return importlib.import_module(".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts))


def functions_of(path: Path) -> Iterator[Callable[..., Any]]:
    """The Python functions behind the compiled ones of a module."""
    module = module_of(path)
    for value in vars(module).values():
        if callable(value) and value in SOURCES and SOURCES[value].__module__ == module.__name__:
            yield SOURCES[value]


def reached(function: Callable[..., Any], seen: set[Any]) -> set[Any]:
    """The functions of this package that a function calls, directly or not, itself included."""
    function = SOURCES.get(function, function)
    if function in seen or not isinstance(function, FunctionType):
        return seen
    seen.add(function)
    for name in function.__code__.co_names:
        value = function.__globals__.get(name)
        if callable(value) and (value in SOURCES or isinstance(value, FunctionType)):
            reached(value, seen)
    return seen


@pytest.mark.parametrize("path", COMPILED, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_depends_on_every_file_that_its_compiled_functions_run(path: Path) -> None:
    sources = sources_of(path)
    functions = list(functions_of(path))
    assert functions
    for function in functions:
        for called in reached(function, set()):
            file = Path(called.__code__.co_filename)
            assert not file.is_relative_to(PACKAGE) or file in sources


@pytest.mark.parametrize("path", COMPILED, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_it_depends_on_every_module_that_a_constant_may_come_from(path: Path) -> None:
    sources = sources_of(path)
    for source in sources:
        tree = ast.parse(source.read_text("utf-8") if source.suffix == ".py" else "")
        for node in ast.walk(tree):
            if not isinstance(node, ast.ImportFrom) or not (node.module or "").startswith(
                "foretold."
            ):
                continue
            place = PACKAGE.joinpath(*(node.module or "").split(".")[1:])
            names = {(place / one.name).with_suffix(".py") for one in node.names}
            homes = {place.with_suffix(".py"), place / "__init__.py"}
            assert homes & sources or names <= sources


def test_data_that_is_compiled_in_counts_too() -> None:
    assert PACKAGE / "bots/worth.npy" in sources_of(PACKAGE / "bots/tree.py")


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the package, to be changed."""
    copy = tmp_path / "foretold"
    shutil.copytree(
        PACKAGE, copy, ignore=shutil.ignore_patterns("static", "weights", "__pycache__")
    )
    return copy


@pytest.mark.parametrize(
    ("changed", "depends"),
    [
        ("kernel/after.py", True),
        ("kernel/layout.py", True),
        ("figures.py", True),
        ("rules.py", True),
        ("bots/heuristics.py", False),
        ("table/table.py", False),
    ],
)
def test_a_change_makes_another_folder_for_all_that_depends_on_it(
    package: Path, changed: str, depends: bool
) -> None:
    before = fingerprint(package / "kernel/tricks.py", package)
    with (package / changed).open("a") as file:
        file.write("# changed\n")
    assert (fingerprint(package / "kernel/tricks.py", package) != before) is depends


def test_the_versions_used_last_are_kept(tmp_path: Path) -> None:
    for age in range(KEPT + 3):
        folder = tmp_path / f"version{age}"
        folder.mkdir()
        (folder / "code").touch()
        os.utime(folder, (1000 - age, 1000 - age))
    prune(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {f"version{age}" for age in range(KEPT)}


def adds_one(number: Any) -> Any:
    return number + 1


@pytest.mark.skipif(not compile.JIT, reason="nothing is compiled")
def test_a_process_whose_folder_was_removed_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compile._config, "CACHE_DIR", str(tmp_path))
    folder = cache_folder(__file__)
    assert folder is not None
    adding = compile.compiled(adds_one)
    assert adding(1) == 2
    shutil.rmtree(folder)
    assert adding(1) == 2
    assert adding(np.float64(1.5)) == 2.5
    assert list(Path(folder).rglob("*.nbc"))


def test_where_nothing_can_be_written_nothing_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "file"
    file.touch()
    monkeypatch.setattr(compile._config, "CACHE_DIR", str(file))
    assert cache_folder(__file__) is None
