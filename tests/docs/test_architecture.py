"""The architecture: imports point one way only, and the public names exist."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import foretold

PACKAGE = Path(foretold.__file__).parent
ROOT = Path(__file__).parents[2]


def floors() -> list[list[str]]:
    """The modules and packages in docs/architecture.md, line by line from the ground up."""
    listing = (ROOT / "docs" / "architecture.md").read_text("utf-8").split("```")[1]
    named = re.findall(r"^  (\w\S*(?:  \w\S*)*)   ", listing, re.MULTILINE)
    return [re.findall(r"(\w+)(?:\.py|/)", names) for names in named]


FLOOR_OF = {room: level for level, rooms in enumerate(floors()) for room in rooms}


def room_of(path: Path) -> str:
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def imported_rooms(path: Path) -> set[str]:
    rooms: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            assert node.level == 0, f"{path} has a relative import"
            names = [node.module]
            if node.module == "foretold":
                names = [f"foretold.{alias.name}" for alias in node.names]
        rooms.update(name.split(".")[1] for name in names if name.startswith("foretold."))
    return rooms


def modules() -> list[Path]:
    return [path for path in sorted(PACKAGE.rglob("*.py")) if path != PACKAGE / "__init__.py"]


def test_every_module_has_its_floor() -> None:
    assert {room_of(path) for path in modules()} == set(FLOOR_OF)


def test_imports_point_upwards_only() -> None:
    wrong = [
        f"{path.relative_to(PACKAGE)} imports {room}"
        for path in modules()
        for room in imported_rooms(path)
        if FLOOR_OF[room] > FLOOR_OF[room_of(path)]
    ]
    assert wrong == []


def packages() -> list[Path]:
    """Every folder of Python modules but those of the database's migrations."""
    folders = {path.parent for path in modules()} - {PACKAGE}
    return sorted(folder for folder in folders if "migrations" not in folder.parts)


@pytest.mark.parametrize("folder", packages(), ids=lambda folder: folder.name)
def test_every_folder_says_what_it_may_import(folder: Path) -> None:
    told = ast.get_docstring(ast.parse((folder / "__init__.py").read_text())) or ""
    said = re.search(r"May import ([^.]*)", told)
    assert said, f"{folder} does not say what it may import"
    if folder.parent != PACKAGE or said[1].startswith("everything"):
        return
    named = {FLOOR_OF[room] for room in re.findall(r"`(\w+)`", said[1])}
    assert max(named, default=0) <= FLOOR_OF[folder.name]
    imported = {room for path in folder.rglob("*.py") for room in imported_rooms(path)}
    beyond = {room for room in imported - {folder.name} if FLOOR_OF[room] > max(named, default=-1)}
    assert not beyond, f"{folder.name} says nothing of {beyond}"


def knows_the_layout(path: Path) -> bool:
    """Whether a module reads or writes rows of the kernel by their fields."""
    tree = ast.parse(path.read_text())
    return any(
        (isinstance(node, ast.ImportFrom) and node.module == "foretold.kernel.layout")
        or (
            isinstance(node, ast.ImportFrom)
            and node.module == "foretold.kernel"
            and "layout" in [alias.name for alias in node.names]
        )
        or (
            isinstance(node, ast.Import)
            and "foretold.kernel.layout" in [alias.name for alias in node.names]
        )
        for node in ast.walk(tree)
    )


def is_compiled(path: Path) -> bool:
    """Whether a module has functions that are compiled."""
    decorators = (
        decorator
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef)
        for decorator in node.decorator_list
    )
    return any(isinstance(one, ast.Name) and one.id == "compiled" for one in decorators)


def test_only_compiled_code_and_the_readers_know_the_layout_of_a_row() -> None:
    strangers = {
        str(path.relative_to(PACKAGE))
        for path in modules()
        if room_of(path) != "kernel" and knows_the_layout(path) and not is_compiled(path)
    }
    assert strangers == {"position.py", "view.py", "rows.py"}


def test_every_public_name_is_there() -> None:
    for name in foretold.__all__:
        assert getattr(foretold, name) is not None


def test_public_names_are_those_that_type_checkers_see() -> None:
    tree = ast.parse((PACKAGE / "__init__.py").read_text())
    seen = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("foretold.")
        for alias in node.names
    }
    assert seen == set(foretold.__all__)


# The same within the server; what is not named here is a top-level module.
SERVER_FLOORS = [
    "settings",
    "observing",
    "quotas",
    "net",
    "workers",
    "storage",
    "people",
    "rooms",
    "cluster",
    "client",
    "replays",
    "operation",
    "ending",
    "house",
    "api",
    "app",
    "processes",
    "run",
    "think",
    "bounds",
]


def test_the_packages_of_the_server_point_one_way() -> None:
    floor_of = {name: level for level, name in enumerate(SERVER_FLOORS)}
    wrong = []
    for path in sorted((PACKAGE / "server").rglob("*.py")):
        here = path.relative_to(PACKAGE / "server").with_suffix("").parts[0]
        if here == "__init__":
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.ImportFrom):
                continue
            parts = (node.module or "").split(".")
            if parts[:2] != ["foretold", "server"]:
                continue
            rooms = parts[2:3] or [one.name for one in node.names]
            wrong += [
                f"{path.relative_to(PACKAGE)} imports {room}"
                for room in rooms
                if floor_of[room] > floor_of[here]
            ]
    assert wrong == []


def test_no_module_is_long() -> None:
    """One concept per module: anything longer than this has two."""
    folders = (PACKAGE, *(ROOT / name for name in ("tests", "benchmarks", "examples", "docs")))
    paths = (path for folder in folders for path in folder.rglob("*.py"))
    lines = {path: path.read_text().count("\n") for path in paths}
    assert {path.name: count for path, count in lines.items() if count > 400} == {}
