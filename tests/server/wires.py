"""TCP connections that can be cut."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from types import TracebackType

from ports import free_port
from server.networks import Cable


class Wire:
    """Forwards connections to a port on loopback, unless it is cut.

    Whoever is at the other end of a cable finds it at our end.
    """

    def __init__(self, target: int, cable: Cable | None = None) -> None:
        self.port = free_port()
        self.target = target
        self._cable = cable
        self.host = "127.0.0.1" if cable is None else cable.near
        self._is_cut = False
        self._passes = asyncio.Event()
        """Not set while packets are lost."""
        self._passes.set()
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Wire:
        self._server = await asyncio.start_server(self._forward, self.host, self.port)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._server is not None
        self._server.close()
        self.mend()
        self.cut()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def cut(self) -> None:
        """Break all connections, and refuse others."""
        self._is_cut = True
        for writer in self._open:
            writer.transport.abort()

    def lose(self) -> None:
        """Say nothing any more, to old and new connections: nobody is told that it is cut."""
        if self._cable is not None:
            self._cable.pull()
        else:
            self._passes.clear()

    def mend(self) -> None:
        self._is_cut = False
        if self._cable is not None:
            self._cable.plug()
        self._passes.set()

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self._passes.wait()
        if self._is_cut:
            writer.transport.abort()
            return
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            writer.transport.abort()
            return
        ways = ((reader, far_writer), (far_reader, writer))
        for way in ways:
            self._open.add(way[1])
            task = asyncio.create_task(self._pump(*way))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(1 << 16):
                await self._passes.wait()
                writer.write(data)
        await self._passes.wait()
        writer.transport.abort()
        self._open.discard(writer)
