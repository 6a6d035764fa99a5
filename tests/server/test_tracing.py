"""Traces, if asked for; otherwise the packages that send them are not even loaded."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

import httpx
import pytest
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from foretold import extras
from foretold.errors import MissingExtraError, ServerError
from foretold.server.app import App
from foretold.server.observing import tracing
from foretold.server.quotas.budgets import Budgets
from foretold.server.rooms.connection import Connection
from foretold.server.settings import ServerSettings


@pytest.fixture
def exporter() -> Iterator[InMemorySpanExporter]:
    exporter = InMemorySpanExporter()
    tracing.begin(SimpleSpanProcessor(exporter))
    yield exporter
    tracing.end()


class Heard:
    """A line that keeps everything written to it."""

    has_room = True

    def __init__(self) -> None:
        self.frames: list[bytes] = []
        self.spoke = asyncio.Event()

    def write(self, text: bytes) -> None:
        self.frames.append(text)
        self.spoke.set()

    def hang_up(self, code: int) -> None:
        pass

    def abort(self) -> None:
        pass

    async def until(self, text: bytes) -> None:
        async with asyncio.timeout(60):
            while not any(text in frame for frame in self.frames):
                self.spoke.clear()
                await self.spoke.wait()


def test_all_that_takes_time_has_a_span(exporter: InMemorySpanExporter, tmp_path: Path) -> None:
    async def story() -> None:
        settings = ServerSettings(data=tmp_path, workers=1)
        app = App(settings, Budgets(settings))
        await app.open()
        assert app.house is not None
        way = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=way, base_url="http://localhost") as http:
            await http.put("/api/me", json={"name": "Ana"})
            table = {"bots": [None, "novice", "novice"], "rules": {"players": 3}}
            code = (await http.post("/api/tables", json=table)).json()["code"]
            me = app.house.identity.player(http.cookies["foretold"])
            line = Heard()
            connection = Connection(me, "Ana", line, 100)
            room = await app.house.rooms.join(code, connection, None)
            room.hear(connection, json.dumps({"t": "start", "id": "1"}))
            await line.until(b'"e":"dealt"')
            room.hear(connection, json.dumps({"t": "leave", "id": "2"}))
            await line.until(b'"e":"act"')  # only bots are left to act, so this is one
            await http.get("/device/a-secret-link")
        await app.close()

    asyncio.run(story())
    spans = exporter.get_finished_spans()
    named = {one.name: dict(one.attributes or {}) for one in spans}
    assert {"PUT /api/me", "POST /api/tables", "message", "commit", "wake", "bot"} <= set(named)
    kinds = [dict(one.attributes or {})["kind"] for one in spans if one.name == "message"]
    assert kinds == ["Start", "Leave"]
    assert named["bot"]["level"] in ("novice", "adept")
    assert all("a-secret-link" not in one.to_json() for one in spans)
    assert {one.resource.attributes["service.name"] for one in spans} == {"foretold"}


def test_nothing_is_loaded_unless_it_is_asked_for() -> None:
    code = (
        "import sys; from foretold.server import app;"
        "from foretold.server.observing import tracing; tracing.set_up({});"
        "tracing.set_up({'OTEL_TRACES_EXPORTER': 'none', 'OTEL_EXPORTER_OTLP_ENDPOINT': 'x'});"
        "tracing.set_up({'OTEL_TRACES_EXPORTER': 'otlp', 'OTEL_SDK_DISABLED': 'true'});"
        "assert tracing.span('x') is tracing.span('y', code='z');"
        "sys.exit(any(name.startswith('opentelemetry.sdk') for name in sys.modules))"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_an_endpoint_alone_turns_it_on() -> None:
    tracing.set_up({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9"})
    try:
        with tracing.span("x") as current:
            assert current is not None
    finally:
        tracing.end()


def test_what_cannot_be_is_told_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ServerError, match="OTEL_TRACES_EXPORTER is 'carrier pigeon'"):
        tracing.set_up({"OTEL_TRACES_EXPORTER": "carrier pigeon"})

    def found(package: str) -> Distribution:
        if package.startswith("opentelemetry"):
            raise PackageNotFoundError(package)
        return distribution(package)

    monkeypatch.setattr(extras, "distribution", found)
    with pytest.raises(MissingExtraError, match=r"pip install 'foretold\[otel\]'"):
        tracing.set_up({"OTEL_TRACES_EXPORTER": "otlp"})
