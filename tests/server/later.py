"""A node of the next version, as this one sees it: it cannot read our snapshots, nor we its, and
each of its messages has a field more."""

from __future__ import annotations

from typing import Any

import msgspec

VERSION = "a later version"


def become_later() -> None:
    """Make this process such a node."""
    import foretold
    from foretold.server.cluster import links, node, sharing
    from foretold.server.storage import waking
    from foretold.table import snapshots

    foretold.__version__ = VERSION
    for module in (snapshots, waking):
        vars(module)["made_by"] = lambda: VERSION
    for module in (links, node, sharing):
        vars(module)["encode"] = _encode


def _encode(message: msgspec.Struct) -> bytes:
    return msgspec.msgpack.encode(grown(msgspec.to_builtins(message)))


def grown(message: list[Any]) -> list[Any]:
    """A message with a field more at its end; so have those in it."""
    within = [[grown(item) for item in field] if _is_many(field) else field for field in message]
    return [*within, "new"]


def _is_many(field: object) -> bool:
    return isinstance(field, list) and bool(field) and isinstance(field[0], list)
