"""What nodes are called, and what they listen to on the bus."""

from __future__ import annotations

import re
import socket
from dataclasses import dataclass
from urllib.parse import urlsplit

from foretold.server.settings import ServerSettings


@dataclass(frozen=True)
class Subjects:
    """What this site's nodes listen to on the bus."""

    site: str

    @classmethod
    def of(cls, url: str) -> Subjects:
        path = urlsplit(url).path.strip("/")
        return cls(f"foretold.{re.sub(r'[^A-Za-z0-9_-]', '_', path)}" if path else "foretold")

    @property
    def think(self) -> str:
        return f"{self.site}.think"

    def link(self, node: str) -> str:
        return f"{self.site}.node.{node}"

    def ask(self, node: str) -> str:
        return f"{self.site}.ask.{node}"

    @property
    def everyone(self) -> str:
        return f"{self.site}.all"


def node_name(settings: ServerSettings) -> str:
    """A name for this node, the same after a restart."""
    name = settings.node or f"{socket.gethostname()}-{settings.port}"
    return re.sub(r"[^A-Za-z0-9_-]", "_", name)[:40]
