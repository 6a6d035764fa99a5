"""A worker asked from an event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from foretold.workers.failures import EndedError, LateError, NotStartedError, RaisedError
from foretold.workers.frames import HEAD, RAISED, frame
from foretold.workers.starting import Lifeline, kill


class LoopProcess:
    """A worker process. It is asked one thing at a time; one that failed can be started again."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self._lifeline = Lifeline()
        self._process: asyncio.subprocess.Process | None = None
        self.is_ready = False

    async def start(self, seconds: float) -> None:
        """Start it, and wait until it is ready; raises `WorkerError`."""
        try:
            with self._lifeline.options() as options:
                self._process = await asyncio.create_subprocess_exec(
                    *self._command,
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.PIPE,
                    **options,
                )
        except OSError as error:
            raise NotStartedError(error) from None
        await self._answer(b"", seconds)

    async def ask(self, question: bytes, seconds: float) -> bytes:
        """The answer; raises `WorkerError`, after which it must be restarted if it is not ready."""
        return await self._answer(frame(question), seconds)

    def kill(self) -> None:
        self.is_ready = False
        if self._process is not None and self._process.returncode is None:
            kill(self._process.pid)

    async def end(self) -> None:
        self.kill()
        if self._process is not None:
            await self._process.wait()
        self._lifeline.close()

    async def _answer(self, sent: bytes, seconds: float) -> bytes:
        assert self._process is not None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self.is_ready = False
        try:
            self._process.stdin.write(sent)
            async with asyncio.timeout(seconds):
                head = await self._process.stdout.readexactly(HEAD.size)
                length, kind = HEAD.unpack(head)
                message = await self._process.stdout.readexactly(length)
        except (asyncio.IncompleteReadError, ConnectionError, RuntimeError):
            self.kill()  # uvloop raises a RuntimeError where the pipe is closed already
            raise EndedError(await self._process.wait()) from None
        except TimeoutError:
            self.kill()
            raise LateError(seconds) from None
        except BaseException:
            self.kill()  # it is in the middle of something: useless from now on
            raise
        self.is_ready = True
        if kind == RAISED:
            raise RaisedError(message.decode())
        return message
