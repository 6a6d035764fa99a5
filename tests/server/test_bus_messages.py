"""What nodes say to each other stays readable from one release to the next.

`released/bus-0.2.0.json` has every kind of message as 0.2.0 writes it. Add to it when a release has
new kinds; never change what is there.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest

from foretold.server.cluster import messages
from foretold.server.cluster.links import Links
from foretold.server.cluster.messages import (
    Answered,
    Batch,
    Beat,
    End,
    Frame,
    Item,
    Join,
    Joined,
    Leave,
    Look,
    MoveSeat,
    NotHere,
    Prepare,
    Renamed,
    Text,
    Unwelcome,
)
from foretold.server.workers.elsewhere import Question, Thought
from server.later import grown

RELEASED = Path(__file__).parent / "released" / "bus-0.2.0.json"

ITEMS: list[Item] = [
    Join(1, "tables", "ABCDEF", "p", "Ann", "192.0.2.1", "key", 7),
    Join(2, "sheets", "ABCDEF", None, None, "192.0.2.1", None, None),
    Frame(1, '{"t":"ping"}'),
    Leave(1),
    Joined(1),
    Unwelcome(1, "removed", {"name": "Ann"}),
    NotHere(1),
    Text(1, b'{"t":"pong"}'),
    End(1, 1012),
]


def _thinking(kind: type[Any]) -> Callable[[bytes], Any]:
    return msgspec.msgpack.Decoder(kind).decode


MESSAGES: dict[str, tuple[msgspec.Struct, Callable[[bytes], Any]]] = {
    "batch": (Batch("n1", 3, 9, ITEMS), messages.read_batch),
    "renamed": (Renamed("p", "Ann"), messages.read_news),
    "look": (Look("n1"), messages.read_news),
    "beat": (
        Beat("n1", True, 5, 2, ["ABCDEF"], {"requests": {"192.0.2.1": 1.5}}),
        messages.read_news,
    ),
    "move": (MoveSeat("ABCDEF", "p", "q", "Ann", "192.0.2.1"), messages.read_request),
    "prepare": (Prepare("ABCDEF"), messages.read_request),
    "answered": (Answered("game_over", {}), messages.read_answer),
    "question": (Question("bot", b"view", 5.0, "192.0.2.1", "sage"), _thinking(Question)),
    "thought": (Thought(b"play R4", 0.5, ""), _thinking(Thought)),
}


@pytest.mark.parametrize("name", MESSAGES)
def test_a_message_of_another_release_is_read(name: str) -> None:
    message, read = MESSAGES[name]
    released = bytes.fromhex(json.loads(RELEASED.read_text())[name])
    assert read(released) == message
    later = grown(msgspec.msgpack.decode(released))
    assert read(msgspec.msgpack.encode(later)) == message


def test_one_message_that_fails_takes_no_other_with_it() -> None:
    """A batch has messages of many people."""
    heard: list[int] = []

    def hear(_: str, item: Item) -> None:
        assert isinstance(item, Joined)
        if item.guest == 1:
            raise ValueError("something unforeseen")
        heard.append(item.guest)

    async def story() -> None:
        links = Links(cast("Any", None), "here", str, hear, lambda _: None, lambda _: True)
        links.heard(Batch("there", 1, 1, [Joined(1), Joined(2)]))
        links.heard(Batch("there", 1, 2, [Joined(3)]))
        links.close()

    asyncio.run(story())
    assert heard == [2, 3]
