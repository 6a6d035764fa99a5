"""Ordered messages between this node and each other node, and noticing when one is lost.

A bus delivers at most once. So batches are numbered, and while there is a guest between two nodes,
both send one at least every half second. When one is missing, or nothing comes any more, the link
breaks: all its guests are gone on both sides, their clients reconnect, and a new session begins.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final

from foretold.server.cluster.bus import LARGEST, Bus
from foretold.server.cluster.messages import Batch, Frame, Item, Text, encode
from foretold.server.observing.logs import logger

BEAT_SECONDS: Final = 0.5
SILENCE_SECONDS: Final = 2.0
"""After this long without a message, the other node is considered gone."""
MOST_AT_ONCE: Final = LARGEST // 4
"""Bytes of text in one batch; one more message always fits."""


class Link:
    """Between this node and one other."""

    def __init__(self, peer: str) -> None:
        self.peer = peer
        self.session = 1
        self.sent = 0
        """The number of the last batch sent."""
        self.heard = 0
        self.heard_at = time.monotonic()
        self.unsent: list[Item] = []
        self.size = 0

    def begin(self, session: int) -> None:
        self.session, self.sent, self.heard = session, 0, 0
        self.unsent, self.size = [], 0


class Links:
    """All links of a node."""

    def __init__(
        self,
        bus: Bus,
        node: str,
        subject: Callable[[str], str],
        hear: Callable[[str, Item], None],
        broken: Callable[[str], None],
        is_used: Callable[[str], bool],
    ) -> None:
        """`hear` gets what others send; `broken` must forget all guests between the two nodes;
        `is_used` says whether there are any."""
        self._bus = bus
        self._node = node
        self._subject = subject
        self._hear = hear
        self._broken = broken
        self._is_used = is_used
        self._links: dict[str, Link] = {}
        self._full: list[Link] = []
        """Those with something unsent."""
        self._loop = asyncio.get_running_loop()
        self._beating = asyncio.create_task(self._beat())

    def close(self) -> None:
        self._beating.cancel()

    def send(self, peer: str, item: Item) -> None:
        """Send something at the end of this round of the event loop."""
        link = self._links.get(peer)
        if link is None:
            link = self._links[peer] = Link(peer)
        if not link.unsent:
            if not self._full:
                self._loop.call_soon(self._flush_all)
            self._full.append(link)
        link.unsent.append(item)
        if isinstance(item, Text | Frame):
            link.size += len(item.data if isinstance(item, Text) else item.text)
            if link.size >= MOST_AT_ONCE:
                self._flush(link)

    def heard(self, batch: Batch) -> None:
        """A batch has arrived from another node."""
        link = self._links.get(batch.sender)
        if link is None:
            link = self._links[batch.sender] = Link(batch.sender)
            link.session = batch.session
        if batch.session < link.session:
            self._flush(link)  # the link broke, and the other side does not know yet
            return
        link.heard_at = time.monotonic()
        if batch.session > link.session:
            self._begin(link, batch.session)
        link.heard += 1
        if batch.number != link.heard:
            logger().warning("the bus has lost a message", node=link.peer)
            self._begin(link, link.session + 1)
            self._flush(link)  # empty: to tell the other side
            return
        for item in batch.items:
            try:
                self._hear(batch.sender, item)
            except Exception:  # the others in the batch are other people's
                logger().exception("a message of another node failed", node=link.peer)

    def _begin(self, link: Link, session: int) -> None:
        link.begin(session)
        self._broken(link.peer)

    def _flush_all(self) -> None:
        full, self._full = self._full, []
        for link in full:
            if link.unsent:
                self._flush(link)

    def _flush(self, link: Link) -> None:
        link.sent += 1
        items, link.unsent, link.size = link.unsent, [], 0
        batch = Batch(self._node, link.session, link.sent, items)
        self._bus.publish(self._subject(link.peer), encode(batch))

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            begun = time.monotonic()
            for peer, link in list(self._links.items()):
                if begun - link.heard_at > SILENCE_SECONDS:
                    # A new session, in case it only seemed gone.
                    self._begin(link, link.session + 1)
                    if not self._is_used(peer):
                        del self._links[peer]
                elif self._is_used(peer):
                    self._flush(link)
