"""`foretold think`: a worker that thinks for the nodes of a site, until it is stopped."""

from __future__ import annotations

import asyncio
import signal
import socket
from collections.abc import Callable

from foretold.errors import ServerError
from foretold.server.cluster.bus import open_bus
from foretold.server.cluster.subjects import Subjects
from foretold.server.cluster.thinking import GROUP, Thinker
from foretold.server.observing.logs import set_up_logs
from foretold.server.settings import ServerSettings


def think(settings: ServerSettings, ready: Callable[[], None]) -> None:
    """Answer questions until SIGTERM or SIGINT; raises `ServerError`."""
    if not settings.bus:
        raise ServerError("no bus: give the site's with --bus, such as nats://host:4222")
    set_up_logs()
    asyncio.run(_think(settings, ready))


async def _think(settings: ServerSettings, ready: Callable[[], None]) -> None:
    stopping = asyncio.Event()
    for one in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(one, stopping.set)
    bus = await open_bus(settings.bus, f"think on {socket.gethostname()}")
    thinker = Thinker(settings.workers)
    thinker.start()
    try:
        await bus.answer(Subjects.of(settings.bus).think, thinker.answer, GROUP)
        ready()
        await stopping.wait()
    finally:
        await bus.close()
        await thinker.close()
