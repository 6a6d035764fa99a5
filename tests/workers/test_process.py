"""One worker: whoever asks it gets an answer or a reason, and no orphan stays."""

from __future__ import annotations

import asyncio
import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from typing import TypeAlias

import pytest
import uvloop

from foretold.workers import marks
from foretold.workers.failures import EndedError, LateError, NotStartedError, RaisedError
from foretold.workers.loop_process import LoopProcess
from foretold.workers.process import Process
from foretold.workers.starting import command
from processes import children

ODD = "workers.odd_worker"
ODD_MARKER = "workers.odd_marker"

Ask: TypeAlias = Callable[[str, float], str]


@contextmanager
def asked_plainly() -> Iterator[Ask]:
    process = Process(command(ODD))
    try:
        yield lambda question, seconds: process.ask(question.encode(), seconds).decode()
    finally:
        process.close()


@contextmanager
def asked_in_a_loop(
    new_loop: Callable[[], asyncio.AbstractEventLoop] = asyncio.new_event_loop,
) -> Iterator[Ask]:
    process = LoopProcess(command(ODD))
    with asyncio.Runner(loop_factory=new_loop) as runner:

        def ask(question: str, seconds: float) -> str:
            return runner.run(process.ask(question.encode(), seconds)).decode()

        runner.run(process.start(60))
        try:
            yield ask
        finally:
            runner.run(process.end())


def asked_in_uvloop() -> AbstractContextManager[Ask]:
    return asked_in_a_loop(uvloop.new_event_loop)


WAYS = pytest.mark.parametrize("way", [asked_plainly, asked_in_a_loop, asked_in_uvloop])
Way: TypeAlias = Callable[[], AbstractContextManager[Ask]]


@pytest.fixture(autouse=True)
def _no_process_is_left() -> Iterator[None]:
    yield
    assert list(children(ODD)) == []


@WAYS
def test_questions_are_answered_whatever_is_printed(
    way: Way, capfd: pytest.CaptureFixture[str]
) -> None:
    long = "long " * 100_000
    with way() as ask:
        assert ask(f"say {long}", 60) == long
        assert ask("print noise", 60) == ""  # there was nothing to read for it
        assert ask("say hello", 60) == "hello"
    assert capfd.readouterr() == ("", "noise\n")


@WAYS
def test_work_that_raises_is_told_and_the_process_goes_on(
    way: Way, capfd: pytest.CaptureFixture[str]
) -> None:
    with way() as ask:
        with pytest.raises(RaisedError, match=r"^failed: RuntimeError: I am lost$"):
            ask("raise I am\nlost", 60)
        assert ask("say hello", 60) == "hello"
    assert "Traceback" in capfd.readouterr().err


@WAYS
def test_a_process_that_ends_says_how(way: Way) -> None:
    with way() as ask, pytest.raises(EndedError, match=r"^ended by itself \(exit status 3\)$"):
        ask("exit 3", 60)


@WAYS
def test_a_process_that_has_ended_before_it_is_asked_says_how(way: Way) -> None:
    with way() as ask:
        assert ask("say hello", 60) == "hello"
        (process,) = children(ODD)
        pidfd = os.pidfd_open(process)
        os.kill(process, signal.SIGKILL)
        select.select([pidfd], [], [])  # until it has
        os.close(pidfd)
        for _ in range(2):
            with pytest.raises(EndedError, match=r"^ended by itself \(signal SIGKILL\)$"):
                ask("say hello", 60)


@WAYS
@pytest.mark.parametrize("question", ["hang", "hog"])
def test_a_process_that_is_late_is_ended(way: Way, question: str) -> None:
    with way() as ask, pytest.raises(LateError, match=r"^was ended: no answer within 0.2 s$"):
        ask(question, 0.2)


def test_what_a_process_has_forked_ends_with_it() -> None:
    with asked_plainly() as ask, pytest.raises(EndedError, match="exit status 5"):
        ask("fork", 60)


def test_what_cannot_be_started_is_told() -> None:
    with pytest.raises(NotStartedError, match="could not be started: No such file"):
        Process(["/no/such/program"])
    with pytest.raises(NotStartedError, match="could not be started: No such file"):
        asyncio.run(LoopProcess(["/no/such/program"]).start(60))


def test_a_process_is_stopped_from_another_thread() -> None:
    process = Process(command(ODD))
    process.ask(b"say hello")
    with ThreadPoolExecutor(1) as thread:
        answer = thread.submit(process.ask, b"hang")
        process.stop()
        with pytest.raises(EndedError, match="SIGKILL"):
            answer.result(60)
    process.close()


def test_a_mark_says_what_a_process_is_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(marks, "GRACE", 0.1)
    process = Process(command(ODD_MARKER))
    assert process.ask(b"0.1 0.05") == b"done"
    assert process.last_mark()[1:] == (7, None, 0)
    with pytest.raises(LateError, match=r"no answer within 0.1 s"):
        process.ask(b"0.1 600")
    assert process.last_mark()[1:] == (7, 3, 0.1)
    process.close()


def test_a_process_is_started_where_many_files_are_open() -> None:
    """A pipe that a worker is given keeps its number there, however high."""
    code = f"import os, resource, sys; sys.path[:] = {sys.path!r}\n"
    code += """
limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (min(limit, 2000), limit))
files = [os.open(os.devnull, os.O_RDONLY) for _ in range(1100)]
from foretold.workers.process import Process
from foretold.workers.starting import command
process = Process(command("workers.odd_worker"))
print(process.ask(b"say hello").decode())
process.close()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("hello\n", "")


PARENTS = {
    "plain": """
from foretold.workers.process import Process
Process(command("workers.odd_worker")).ask(b"hog")
""",
    "asyncio": """
import asyncio
from foretold.workers.loop_process import LoopProcess

async def main() -> None:
    process = LoopProcess(command("workers.odd_worker"))
    await process.start(60)
    await process.ask(b"hog", 600)

asyncio.run(main())
""",
}
PARENTS["uvloop"] = PARENTS["asyncio"].replace("asyncio.run", "import uvloop; uvloop.run")


@pytest.mark.parametrize("parent", PARENTS)
def test_a_killed_parent_leaves_no_orphan(parent: str) -> None:
    """Not even where the worker cannot notice: it never lets go of the interpreter."""
    code = f"import sys; sys.path[:] = {sys.path!r}\n"
    code += f"from foretold.workers.starting import command\n{PARENTS[parent]}"
    process = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    assert process.stderr.readline() == "hogging\n"
    process.kill()
    # Both write to this pipe, so it ends when both have.
    _, err = process.communicate(timeout=60)
    assert err == ""
    assert process.returncode == -signal.SIGKILL
