"""A site of several nodes, and people whose sockets are at any of them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from server.client import Client, Person
from server.nursery import NurseryServer


@contextmanager
def site(
    folder: Path, database: str, bus: str, count: int = 2, **settings: object
) -> Iterator[list[NurseryServer]]:
    """Nodes that share a database, a bus and a key."""
    shared = {"database": database, "bus": f"{bus}/{folder.name}", **settings}
    nodes = [NurseryServer(folder / f"node-{at}", **shared) for at in range(count)]
    for node in nodes:
        node.settings["FORETOLD_DATA"] = str(folder)
    with ExitStack() as stack:
        for node in nodes:
            stack.enter_context(node)
        yield nodes


class Roamer(Client):
    """Somebody whose every connection goes to another node."""

    def __init__(self, person: Person, code: str, urls: list[str], chance: random.Random) -> None:
        super().__init__(person, code)
        self.urls = urls
        self.chance = chance

    async def _visit(self, lost: float) -> None:
        self.person.url = self.chance.choice(self.urls)
        await super()._visit(lost)
