"""Starting and stopping: one clear line if it cannot start, and a goodbye."""

from __future__ import annotations

import asyncio
import socket
import time
from functools import partial
from pathlib import Path

import pytest

from commands import Answer, Run, runner
from foretold.errors import ServerError
from foretold.server.settings import ServerSettings
from ports import free_port
from server.client import Client, Person, run
from server.nursery import NurseryServer
from server.process import ServerProcess


def test_a_server_that_is_told_to_stop_says_goodbye_and_loses_nothing(tmp_path: Path) -> None:
    async def story() -> None:
        ana = await Person.named(server.url, "Ana")
        bots: list[str | None] = [None, "novice", "novice", "novice"]
        code = await ana.new_table(rules={"rounds": "5-9"}, bots=bots)
        async with Client(ana, code) as client:
            await client.ask("start")
            playing = asyncio.create_task(client.play_on())
            await client.until(lambda: (client.n or 0) >= 30)
            start = time.monotonic()
            status = await asyncio.to_thread(server.stop)
            assert status == 0
            assert time.monotonic() - start < 8
            await client.until(lambda: client.byes == 1)
            await asyncio.to_thread(server.start)
            await playing
            assert client.welcomes == 2
            metrics = (await ana.http.get("/metrics")).text
            assert 'foretold_wake_seconds_count{source="snapshot"} 1.0' in metrics
            numbers = [event["n"] for event in client.events]
            assert numbers == list(range(2, (client.n or 0) + 1))

    with ServerProcess(tmp_path) as server:
        run(story)


@pytest.fixture
def serve(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """`foretold serve` in this process: it fails before anything runs."""
    return partial(runner(capfd, monkeypatch), "serve")


def refused(answer: Answer) -> str:
    """The one line that says why there is no server."""
    assert answer.code == 2
    line, *more = answer.err.splitlines()
    assert more == []
    assert line.startswith("error: ")
    return line


def test_what_keeps_a_server_from_starting_is_told_in_a_line(
    serve: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = f"--data={tmp_path}"
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert "already in use" in refused(serve(f"--port={port}", data))
    free = f"--port={free_port()}"
    assert "cannot use the database" in refused(
        serve(free, data, "--database=sqlite:////proc/no/x.db")
    )
    assert "not a URL" in refused(serve(free, data, "--database=nonsense"))
    assert "cannot use the folder" in refused(serve(free, "--data=/proc/nothing"))
    assert "cannot listen" in refused(serve(free, data, "--host=no.such.host.invalid"))
    for name, value in (("FORETOLD_GRACE", "soon"), ("FORETOLD_WORKERS", "0")):
        with monkeypatch.context() as patch:
            patch.setenv(name, value)
            assert f"{name} is {value}" in refused(serve(free, data)).replace("'", "")


def test_the_key_of_the_server_is_for_its_eyes_only(tmp_path: Path) -> None:
    with NurseryServer(tmp_path):
        key = tmp_path / "server.key"
        assert key.stat().st_mode & 0o777 == 0o600
        assert len(key.read_bytes()) >= 32


def test_settings_come_from_the_environment_and_options_override_them() -> None:
    environment = {"FORETOLD_PORT": "9000", "FORETOLD_GRACE": "1.5", "FORETOLD_DATA": "/x"}
    settings = ServerSettings.from_environment(environment, port=9001, host=None)
    assert (settings.port, settings.grace, settings.data) == (9001, 1.5, Path("/x"))
    assert settings.database_url == "sqlite:////x/foretold.db"


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("FORETOLD_WORKERS", "0", "above 0"),
        ("FORETOLD_WORKERS", "-1", "above 0"),
        ("FORETOLD_BOT_SECONDS", "0", "above 0"),
        ("FORETOLD_REQUESTS_PER_SECOND", "nan", "above 0"),
        ("FORETOLD_MAX_TABLES", "0", "above 0"),
        ("FORETOLD_GRACE", "-0.1", "from 0 on"),
        ("FORETOLD_LINGER", "1e12", "from 0 on"),
    ],
)
def test_numbers_with_which_a_server_could_do_nothing_are_refused(
    name: str, value: str, expected: str
) -> None:
    with pytest.raises(ServerError, match=f"^{name} is .*: expected a number {expected}$"):
        ServerSettings.from_environment({name: value})
    assert ServerSettings.from_environment({"FORETOLD_GRACE": "0"}).grace == 0
