"""An environment with a wheel and the packages that it declares, and nothing else.

The packages are those that run the tests, linked in: nothing is downloaded or copied.
"""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from collections.abc import Iterator
from importlib.metadata import Distribution, distribution, distributions
from pathlib import Path

from packaging.requirements import Requirement


class Environment:
    def __init__(self, folder: Path, wheel: Path, *extras: str) -> None:
        venv.create(folder, symlinks=True)
        self.folder = folder
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", str(folder)]
        done = subprocess.run(
            [*pip, "install", "--quiet", "--no-deps", "--no-index", str(wheel)],
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        (site,) = folder.glob("lib/python*/site-packages")
        (ours,) = distributions(path=[str(site)])
        for package in _brought_by(ours, {"", *extras}):
            _link(package, site)

    def command(self, *arguments: str) -> list[str]:
        """A command line for a program of this environment."""
        program, *rest = arguments
        return [str(self.folder / "bin" / program), *rest]

    def run(self, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self.command(*arguments),
            cwd=self.folder,
            env=self.variables(**variables),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=300,
        )

    def variables(self, **more: str) -> dict[str, str]:
        """The tests' variables, minus those that lead to other packages or compiled code."""
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        return {**kept, "NUMBA_CACHE_DIR": str(self.folder / "compiled"), **more}


def _brought_by(package: Distribution, extras: set[str]) -> Iterator[Distribution]:
    """What a package needs with these extras, and what that needs in turn."""
    todo, seen = [(package, extras)], set[tuple[str, str]]()
    while todo:
        package, extras = todo.pop()
        for requirement in map(Requirement, package.requires or ()):
            if requirement.marker is not None and not any(
                requirement.marker.evaluate({"extra": extra}) for extra in extras
            ):
                continue
            wanted = {"", *requirement.extras}
            new = {one for one in wanted if (requirement.name, one) not in seen}
            if new:
                seen.update((requirement.name, one) for one in new)
                needed = distribution(requirement.name)
                accepted = requirement.specifier.contains(needed.version, prereleases=True)
                assert accepted, f"{package.name} does not accept {needed.name} {needed.version}"
                yield needed
                todo.append((needed, new))


def _link(package: Distribution, site: Path) -> None:
    for name in {file.parts[0] for file in package.files or ()} - {"..", "__pycache__"}:
        if not (site / name).is_symlink():
            (site / name).symlink_to(Path(str(package.locate_file(name))))
