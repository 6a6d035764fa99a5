"""A process beside the server that answers one question at a time."""

from __future__ import annotations

import asyncio
import os
import struct
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import BinaryIO, Final, NoReturn

from foretold.bots.pipes import ONE_THREAD, arriving, own_pipes

LENGTH: Final = struct.Struct("<I")


class Process:
    """It says that it is ready by an answer; questions and answers come after their length."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Start it, and wait until it is ready."""
        self._process = await asyncio.create_subprocess_exec(
            *self._command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env={**dict.fromkeys(ONE_THREAD, "1"), **os.environ},
            start_new_session=True,  # Ctrl-C reaches only the server
        )
        await self._answer()

    async def ask(self, question: bytes) -> bytes:
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write(LENGTH.pack(len(question)) + question)
        return await self._answer()

    async def _answer(self) -> bytes:
        assert self._process is not None
        assert self._process.stdout is not None
        head = await self._process.stdout.readexactly(LENGTH.size)
        return await self._process.stdout.readexactly(LENGTH.unpack(head)[0])

    def kill(self) -> None:
        if self._process is not None:
            with suppress(ProcessLookupError):
                self._process.kill()

    async def end(self) -> None:
        self.kill()
        if self._process is not None:
            await self._process.wait()


# The other end


def answer_all(get_ready: Callable[[], None], answer: Callable[[bytes], bytes]) -> NoReturn:
    """Answer one question after the other, until the server is gone."""
    pipe, answers = own_pipes()
    questions = arriving(_questions_in(pipe))
    get_ready()
    _say(answers, b"")
    while True:
        _say(answers, answer(questions.get()))


def _questions_in(pipe: BinaryIO) -> Iterator[bytes]:
    while len(head := pipe.read(LENGTH.size)) == LENGTH.size:
        yield pipe.read(LENGTH.unpack(head)[0])


def _say(pipe: BinaryIO, answer: bytes) -> None:
    pipe.write(LENGTH.pack(len(answer)) + answer)
    pipe.flush()
