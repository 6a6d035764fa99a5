"""Calling a function many times, in several worker processes."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

from foretold.workers.answering import answer_all
from foretold.workers.crew import work_through
from foretold.workers.process import Process
from foretold.workers.starting import all_cores, command

Result = TypeVar("Result")


def call_each(
    function: Callable[..., Result],
    calls: Iterable[tuple[Any, ...]],
    processes: int | None = None,
    *,
    in_order: bool = False,
) -> Generator[Result, None, None]:
    """The results of a function for each tuple of arguments, as `work_through` yields them.

    The function must be at the top level of a module or of the running script. Raises
    `WorkerError`.
    """
    name = _module_of(function), function.__name__
    questions = (pickle.dumps((*name, arguments), protocol=5) for arguments in calls)
    crew: list[Process] = []
    try:
        for _ in range(processes or all_cores()):
            crew.append(Process(command(__name__)))
        with closing(work_through(crew, questions, in_order=in_order)) as answers:
            for answer in answers:
                yield pickle.loads(answer)
    finally:
        for process in crew:
            process.close()


def _module_of(function: Callable[..., Any]) -> str:
    """The name by which a worker can import it; the running script is a module there."""
    if function.__module__ != "__main__":
        return function.__module__
    return Path(sys.modules["__main__"].__file__ or "").stem


def main() -> None:
    answer_all(lambda: None, _answer)


def _answer(question: bytes) -> bytes:
    module, name, arguments = pickle.loads(question)
    return pickle.dumps(getattr(import_module(module), name)(*arguments), protocol=5)
