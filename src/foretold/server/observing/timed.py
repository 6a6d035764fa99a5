"""Measures how much of the event loop's time something takes."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Generator
from typing import Any, Generic, TypeVar

Answer = TypeVar("Answer")


class Timed(Generic[Answer]):
    """An awaitable, and the processor time its steps have taken so far."""

    def __init__(self, work: Awaitable[Answer]) -> None:
        self._work = work.__await__()
        self.seconds = 0.0

    def __await__(self) -> Generator[Any, Any, Answer]:
        step: Callable[[Any], Any] = self._work.send
        value: Any = None
        while True:
            begun = time.thread_time()
            try:
                awaited = step(value)
            except StopIteration as end:
                answer: Answer = end.value
                return answer
            finally:
                self.seconds += time.thread_time() - begun
            try:
                step, value = self._work.send, (yield awaited)
            except BaseException as error:
                step, value = self._work.throw, error
