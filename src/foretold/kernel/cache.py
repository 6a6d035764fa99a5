"""Where compiled code is kept: a folder for each version of what a module depends on.

Numba notices when a function's own file changes, but not when a file that it calls into does. So a
module's cache is in a folder named after a hash of everything the module imports from this package,
directly or not, and of the data files it names. The most recently used versions are kept.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Final

import numba
import numpy
from platformdirs import user_cache_path

PACKAGE: Final = Path(__file__).parents[1]
KEPT: Final = 8
"""How many versions of a module's compiled code are kept."""

_IMPORT: Final = re.compile(
    r"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n]*)|import[ \t]+([\w.]+))", re.M
)
_DATA: Final = re.compile(r"\"([\w-]+\.np[yz])\"")


def cache_folder(source: str, package: Path = PACKAGE) -> str | None:
    """Where a file's compiled functions are kept, or None if nothing can be written."""
    # Numba creates its settings at run time, so its type hints lack them.
    config: Any = numba.config
    root = Path(config.CACHE_DIR or user_cache_path("foretold"))
    return _prepared(root, Path(source), package)


@cache
def _prepared(root: Path, source: Path, package: Path) -> str | None:
    """The folder, created if necessary, and marked as just used."""
    inside = source.is_relative_to(package)
    name = ".".join(source.relative_to(package).with_suffix("").parts) if inside else source.stem
    folder = root / name / fingerprint(source, package)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
    except OSError:
        return None
    with suppress(OSError):  # another process may do the same
        prune(folder.parent)
    return str(folder) if os.access(folder, os.W_OK) else None


def prune(versions: Path) -> None:
    """Remove all but the most recently used versions. A process that still uses a removed one is
    unharmed: its code is loaded, and Numba recreates the folder to write more.
    """
    used = sorted(
        (path for path in versions.iterdir() if path.is_dir()),
        key=lambda path: path.stat().st_mtime,
        reverse=True,
    )
    for folder in used[KEPT:]:
        shutil.rmtree(folder, ignore_errors=True)


def fingerprint(source: Path, package: Path = PACKAGE) -> str:
    """A hash of everything that a file's compiled functions depend on."""
    digest = hashlib.sha256(f"{sys.version} {numba.__version__} {numpy.__version__}".encode())
    for path in sorted(sources_of(source, package)):
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]


def sources_of(source: Path, package: Path = PACKAGE) -> set[Path]:
    """A file of this package, and all files of it that it depends on."""
    found: set[Path] = set()
    waiting = {source}
    while waiting:
        path = waiting.pop()
        found.add(path)
        if path.suffix == ".py":
            waiting |= _named_in(path, package) - found
    return found


@cache
def _named_in(path: Path, package: Path) -> set[Path]:
    """The files that a module imports from the package, and the data files it names."""
    text = path.read_text("utf-8")
    data = {path.with_name(name) for name in _DATA.findall(text)}
    modules = {file for module in _imported(text) for file in [_file(module, package)] if file}
    return modules | {file for file in data if file.is_file()}


def _imported(text: str) -> Iterator[str]:
    """The modules that may be meant: in `from a.b import c`, c is a name in a.b or a module."""
    for module, names, plain in _IMPORT.findall(text):
        if plain:
            yield plain
            continue
        yield module
        for name in re.findall(r"(\w+)(?:[ \t]+as[ \t]+\w+)?", names):
            yield f"{module}.{name}"


def _file(module: str, package: Path) -> Path | None:
    first, *parts = module.split(".")
    if first != package.name or not parts:
        # The package itself only names what is in it.
        return None
    place = package.joinpath(*parts)
    for file in (place.with_suffix(".py"), place / "__init__.py"):
        if file.is_file():
            return file
    return None
