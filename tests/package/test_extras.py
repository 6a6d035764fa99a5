"""What is installed only on demand, and what is said if it is missing."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.metadata import (
    Distribution,
    PackageNotFoundError,
    distribution,
    packages_distributions,
    requires,
)
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import foretold
from commands import Run, runner
from foretold import MissingExtraError, extras
from foretold.cli import play
from foretold.server.storage.database import open_database

PACKAGE = Path(foretold.__file__).parent

# Where the packages of an extra may be imported.
ROOMS = {
    "bench.py": "bench",
    "cli/admin.py": "site",
    "cluster.py": "ray",
    "env/gymnasium.py": "env",
    "env/pettingzoo.py": "env",
    "env/spaces.py": "env",
    "server": "site",
    "server/cluster/nats_bus.py": "cluster",
    "server/storage/postgres.py": "postgres",
    "server/observing/tracing.py": "otel",
    "train": "train",
    "tui": "play",
}
LOADED_BY_OTHERS = {
    "httptools": "uvicorn",
    "numba-cuda": "Numba",
    "uvloop": "uvicorn",
}
NOT_HERE = {"pyspiel": "open-spiel"}
"""Packages that the checks do without."""


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    return runner(capfd, monkeypatch)


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Makes an extra's packages seem not installed, and unloads what needs them."""

    def take_away(extra: str) -> None:
        gone = set(extras.packages_of(extra))
        assert gone

        def found(package: str) -> Distribution:
            if package in gone:
                raise PackageNotFoundError(package)
            return distribution(package)

        monkeypatch.setattr(extras, "distribution", found)
        for room in (room for room, needed in ROOMS.items() if needed == extra):
            name = f"foretold.{room.removesuffix('.py').replace('/', '.')}"
            for module in [one for one in sys.modules if f"{one}.".startswith(f"{name}.")]:
                monkeypatch.delitem(sys.modules, module)

    return take_away


def missing(extra: str) -> str:
    return f"{extras.PURPOSES[extra]} needs more packages: pip install 'foretold[{extra}]'"


@pytest.mark.parametrize(
    ("extra", "command"),
    [
        ("site", "serve"),
        ("train", "train run --seconds 9"),
        ("train", "imitate simple weights.npz"),
        ("ray", "arena simple simple simple --games 3 --ray"),
        ("bench", "bench --peer"),
        ("cuda", "bench --device cuda"),
    ],
)
def test_a_command_says_which_extra_it_needs(
    run: Run,
    without: Callable[[str], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    extra: str,
    command: str,
) -> None:
    without(extra)
    monkeypatch.chdir(tmp_path)
    answer = run(*command.split())
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith(f"error: {missing(extra)}")
    assert answer.err.count("\n") == 1


def test_a_game_without_the_full_screen_can_be_played_by_lines(
    run: Run, without: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    without("play")
    monkeypatch.setattr(play, "has_screen", lambda: True)
    refused = run("play")
    assert (refused.code, refused.out) == (2, "")
    assert refused.err == f"error: {missing('play')}, or play line by line with --plain\n"
    assert run("play", "--plain").code == 0


@pytest.mark.parametrize(
    ("module", "extra"),
    [
        ("foretold.env.foretold_v1", "env"),
        ("foretold.env.gymnasium", "env"),
        ("foretold.env.spaces", "env"),
        ("foretold.server.app", "site"),
        ("foretold.train.training_loop", "train"),
        ("foretold.tui.app", "play"),
    ],
)
def test_a_module_says_which_extra_it_needs(
    without: Callable[[str], None], monkeypatch: pytest.MonkeyPatch, module: str, extra: str
) -> None:
    without(extra)
    monkeypatch.delitem(sys.modules, module, raising=False)
    with pytest.raises(MissingExtraError) as refused:
        import_module(module)
    assert str(refused.value).startswith(missing(extra))
    assert isinstance(refused.value, ImportError)  # as anyone who catches it expects


@pytest.mark.parametrize("kind", ["postgres", "postgresql", "postgresql+psycopg"])
def test_a_database_says_which_extra_it_needs(without: Callable[[str], None], kind: str) -> None:
    without("postgres")
    with pytest.raises(MissingExtraError) as refused:
        open_database(f"{kind}://localhost/x")
    assert str(refused.value) == missing("postgres")


def test_a_broken_package_is_not_told_of_as_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pettingzoo", None)  # installed, but fails to load
    monkeypatch.delitem(sys.modules, "foretold.env.pettingzoo", raising=False)
    with pytest.raises(ModuleNotFoundError, match="pettingzoo") as failed:
        import_module("foretold.env.pettingzoo")
    assert not isinstance(failed.value, MissingExtraError)


def test_every_extra_for_users_says_what_it_is_for() -> None:
    conditions = {str(one.marker) for one in declared() if one.marker is not None}
    names = {text.rpartition("extra == ")[2].strip('"') for text in conditions}
    assert names - {"dev"} == set(extras.PURPOSES)


def test_packages_are_imported_only_where_they_are_declared() -> None:
    brings = {extra: names_for(extra) for extra in ("", *extras.PURPOSES)}
    homes = {**packages_distributions(), **{module: [name] for module, name in NOT_HERE.items()}}
    wrong, used = [], {canonicalize_name(name) for name in LOADED_BY_OTHERS}
    for path in sorted(PACKAGE.rglob("*.py")):
        place = path.relative_to(PACKAGE).as_posix()
        here = {one for room, one in ROOMS.items() if f"{place}/".startswith(f"{room}/")}
        declared_here = set().union(*(brings[extra] for extra in ("", *here)))
        for module in outside_imports(path):
            names = {canonicalize_name(name) for name in homes.get(module, [module])}
            used |= names
            if not names & declared_here:
                wrong.append(f"{place} imports {module}, which nothing declares there")
    assert wrong == []
    assert set().union(*brings.values()) - used == {"shimmy"}  # for benchmarks/environments.py


def declared() -> list[Requirement]:
    return [Requirement(one) for one in requires("foretold") or ()]


def names_for(extra: str) -> set[str]:
    """The packages that come with an extra, or with the package itself."""
    return {
        canonicalize_name(one.name)
        for one in declared()
        if (not extra and one.marker is None)
        or (extra and one.marker is not None and one.marker.evaluate({"extra": extra}))
    }


def outside_imports(path: Path) -> Iterator[str]:
    """The packages that a module imports anywhere, except Python's and its own."""
    for node in ast.walk(ast.parse(path.read_text())):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            names = [node.module]
        for name in {name.partition(".")[0] for name in names}:
            if name not in sys.stdlib_module_names and name != "foretold":
                yield name
