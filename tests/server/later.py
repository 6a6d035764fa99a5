"""A server of the next version, as this one sees it: it cannot read our snapshots, nor we its; each
of its messages to other nodes and to clients has a field more; to clients it also sends messages of
a new kind, and its client consists of other files."""

from __future__ import annotations

import json
import re
from functools import partial
from pathlib import Path
from typing import Any, Final

import msgspec

VERSION: Final = "a later version"
PACKED: Final = (".br", ".gz")
TEXTS: Final = (".js", ".css", ".html", ".json", ".webmanifest")


def become_later(client: Path | None = None) -> None:
    """Make this process such a server; to browsers too, if its client is in another folder."""
    import foretold
    from foretold.server import house
    from foretold.server.client.static import Client
    from foretold.server.cluster import links, node, sharing
    from foretold.server.net import frames, protocol
    from foretold.server.storage import waking
    from foretold.table import snapshots

    foretold.__version__ = VERSION
    for module in (snapshots, waking):
        vars(module)["made_by"] = lambda: VERSION
    for module in (links, node, sharing):
        vars(module)["encode"] = _encode
    if client is not None:
        framed = frames.framed
        vars(protocol)["framed"] = lambda text: framed(_told(text)) + framed(b'{"t":"new","new":1}')
        vars(house)["Client"] = partial(Client, folder=client)


def _told(text: bytes) -> bytes:
    """A message to a client, with more fields everywhere."""
    return json.dumps(json.loads(text, object_hook=lambda one: {**one, "new": [1]})).encode()


def _encode(message: msgspec.Struct) -> bytes:
    return msgspec.msgpack.encode(grown(msgspec.to_builtins(message)))


def grown(message: list[Any]) -> list[Any]:
    """A message with a field more at its end; so have those in it."""
    within = [[grown(item) for item in field] if _is_many(field) else field for field in message]
    return [*within, "new"]


def _is_many(field: object) -> bool:
    return isinstance(field, list) and bool(field) and isinstance(field[0], list)


def rebuild(client: Path, folder: Path) -> None:
    """A build of the client all of whose scripts and styles have new names."""
    names = {
        path.name: f"{path.stem}-later{path.suffix}"
        for path in (client / "assets").iterdir()
        if path.suffix in (".js", ".css")
    }
    longest_first = sorted(names, key=len, reverse=True)
    any_name = re.compile("|".join(map(re.escape, longest_first)))
    for path in client.rglob("*"):
        if path.is_file() and path.suffix not in PACKED:
            place = folder / path.relative_to(client)
            place = place.with_name(names.get(place.name, place.name))
            place.parent.mkdir(parents=True, exist_ok=True)
            if path.suffix in TEXTS:
                place.write_text(any_name.sub(lambda found: names[found[0]], path.read_text()))
            else:
                place.write_bytes(path.read_bytes())
