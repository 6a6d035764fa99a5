"""Finished games are computed once, and kept in a bounded amount of space."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, cast

import msgspec
import pytest
from starlette.requests import Request

from foretold.rules import Rules
from foretold.server.quotas.pace import Pace
from foretold.server.replays.archive import LONG, Archive
from foretold.server.replays.kept import Kept, Packed
from foretold.server.replays.packed import PIECE, packed_answer
from foretold.server.rooms.rooms import Rooms
from foretold.server.storage.reading import Rows
from foretold.server.storage.store import Store
from foretold.server.workers.study import Study
from foretold.table.audience import MISSED
from foretold.table.entries import encode_entry
from foretold.table.refusals import Refused
from foretold.table.snapshots import replayed
from server.client import Client, Person, run
from server.process import ServerProcess
from tables import BY_PLAYER, CODE, LiveTable, play_on, started


def packed(text: str) -> Packed:
    return Packed.of(gzip.compress(text.encode(), mtime=0))


def files(folder: Path) -> list[str]:
    return sorted(file.name.split(".")[0] for file in folder.glob("*/*"))


def test_what_is_kept_is_there_after_a_restart_and_the_longest_unused_goes(tmp_path: Path) -> None:
    async def story() -> None:
        size = len(packed("a" * 100).body)
        kept = Kept(tmp_path, 3 * size + 10)
        for key in "abc":
            await kept.put(key, packed(key * 100))
        assert await kept.get("a") == packed("a" * 100)  # used most recently
        await kept.put("d", packed("d" * 100))
        assert await kept.get("b") is None
        assert files(tmp_path) == ["a", "c", "d"]
        await kept.close()
        again = Kept(tmp_path, 3 * size + 10)
        assert await again.get("c") == packed("c" * 100)
        await again.close()

    asyncio.run(story())


def test_what_is_broken_or_of_another_version_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        kept = Kept(tmp_path, 1 << 20)
        for key in "ab":
            await kept.put(key, packed(key))
        (file,) = tmp_path.glob("*/a.*")
        file.write_bytes(b"half")
        assert await kept.get("a") is None
        assert await kept.get("b") == packed("b")
        await kept.close()
        monkeypatch.setattr("foretold.server.replays.kept._version", lambda: "other")
        newer = Kept(tmp_path, 1 << 20)
        assert await newer.get("b") is None
        assert files(tmp_path) == []
        await newer.close()

    asyncio.run(story())


def test_without_room_on_the_disk_nothing_is_kept_and_nothing_fails(tmp_path: Path) -> None:
    async def story() -> None:
        (tmp_path / "kept").touch()
        kept = Kept(tmp_path / "kept", 1 << 20)
        await kept.put("a", packed("a"))
        assert await kept.get("a") is None
        await kept.close()

    asyncio.run(story())


class Games:
    """A table as the archive asks for it, and how often its log was read."""

    def __init__(self, live: LiveTable) -> None:
        self.live = live
        self.reads = 0
        self.ways: list[str] = []

    async def summary(self, code: str) -> dict[str, Any]:
        return {"state": self.live.table.state, "seats": []}

    async def rows_of(self, code: str) -> Rows:
        self.reads += 1
        await asyncio.sleep(0)
        rows = [(one.n, one.at, encode_entry(one.entry)) for one in self.live.log]
        return Rows(rows, BY_PLAYER)

    async def run(self, work: Callable[[], Any]) -> Any:
        self.ways.append("thread")
        return work()

    async def work(self, work: Callable[[], bytes]) -> bytes:
        self.ways.append("process")
        return work()

    async def review(self, record: Any) -> bytes:
        return b"{}"


def archive_of(games: Games, folder: Path) -> Archive:
    parts = cast(Rooms, games), cast(Store, games), cast(Study, games)
    return Archive(Kept(folder, 1 << 20), *parts)


def test_a_finished_game_is_worked_out_once(tmp_path: Path) -> None:
    async def story() -> None:
        live = started()
        play_on(live, Random(1), 20)
        games = Games(live)
        archive = archive_of(games, tmp_path)
        for _ in range(2):
            await archive.replay(CODE, None, None)
        assert games.reads == 2  # the game goes on
        play_on(live, Random(1), 1000)
        asked = [archive.replay(CODE, viewer, None) for viewer in (None, 1) for _ in range(20)]
        first, *_, last = await asyncio.gather(*asked)
        assert games.reads == 4
        assert len(json.loads(gzip.decompress(first.body))["steps"]) > 20
        assert first != last
        await archive.record(CODE, None)
        await archive.review(CODE)
        await archive.close()
        again = archive_of(games, tmp_path)
        reads = games.reads
        assert await again.replay(CODE, None, None) == first
        await again.record(CODE, None)
        await again.review(CODE)
        assert games.reads == reads
        with pytest.raises(Refused, match="there are seats"):
            await again.replay(CODE, 5, None)
        await again.close()

    asyncio.run(story())


@pytest.mark.parametrize("when", ["worked out", "written"])
def test_what_is_forgotten_while_it_is_made_is_not_kept(
    when: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        live = started()
        play_on(live, Random(1), 1000)
        games = Games(live)
        archive = archive_of(games, tmp_path)
        await archive.record(CODE, None)
        (kept,) = files(tmp_path)
        work_out, write = games.run, Kept._write

        async def forgotten_at_work(work: Callable[[], Any]) -> Any:
            archive.forget(CODE)
            return await work_out(work)

        loop = asyncio.get_running_loop()

        def forgotten_at_writing(kept: Kept, path: Path, body: bytes) -> bool:
            loop.call_soon_threadsafe(archive.forget, CODE)
            return write(kept, path, body)

        with monkeypatch.context() as meanwhile:
            if when == "written":
                meanwhile.setattr(Kept, "_write", forgotten_at_writing)
            else:
                meanwhile.setattr(games, "run", forgotten_at_work)
            await archive.replay(CODE, None, None)
        assert files(tmp_path) == []
        await archive.record(CODE, None)
        assert files(tmp_path) == [kept]
        await archive.close()

    asyncio.run(story())


def test_only_what_is_kept_of_one_game_is_dropped(tmp_path: Path) -> None:
    async def story() -> None:
        kept = Kept(tmp_path, 1 << 20)
        for key in ("AAAAAB-1-record", "AAAAAB-1-replay-open", "AAAAAC-1-record"):
            await kept.put(key, packed(key))
        await kept.close()
        again = Kept(tmp_path, 1 << 20)
        again.drop_all("AAAAAB")
        again.drop_all("AAAAAB")
        assert files(tmp_path) == ["AAAAAC-1-record"]
        await again.close()

    asyncio.run(story())


def test_long_games_are_worked_out_in_another_process(tmp_path: Path) -> None:
    async def story() -> None:
        live = started()
        games = Games(live)
        archive = archive_of(games, tmp_path)
        await archive.record(CODE, None)
        live.log *= LONG // len(live.log) + 1  # makes no sense, but is long
        with pytest.raises(AssertionError, match="entry 1 after"):
            await archive.record(CODE, None)
        assert games.ways == ["thread", "process"]
        await archive.close()

    asyncio.run(story())


@pytest.mark.parametrize("decisions", [0, 30, 1000])
def test_a_table_wakes_as_it_was(decisions: int) -> None:
    live = started(Rules(rounds="1-6"))
    play_on(live, Random(2), decisions)
    woken = replayed(CODE, live.log)
    told = live.audience
    for player in ("p0", "p3", None):
        for since in (None, 0, live.table.n - 5):
            assert woken.welcome(player, "x", since, {}) == told.welcome(player, "x", since, {})
    assert (len(live.log) > MISSED) is (decisions == 1000)


def request(**headers: str) -> Request:
    named = [(key.replace("_", "-").encode(), value.encode()) for key, value in headers.items()]
    return Request({"type": "http", "method": "GET", "path": "/", "headers": named})


@pytest.mark.parametrize("encoding", ["gzip, br", "identity"])
def test_large_answers_are_sent_in_pieces(encoding: str) -> None:
    text = msgspec.json.encode([Random(1).randbytes(100_000).hex()])
    kept = Packed.of(gzip.compress(text))

    async def story() -> list[dict[str, Any]]:
        sent: list[dict[str, Any]] = []

        async def send(message: Any) -> None:
            sent.append(message)

        answer = packed_answer(request(accept_encoding=encoding), kept, Pace())
        await answer({"type": "http"}, cast(Any, None), send)
        return sent

    start, *pieces = asyncio.run(story())
    headers = dict(start["headers"])
    body = b"".join(piece["body"] for piece in pieces)
    assert max(len(piece["body"]) for piece in pieces) <= PIECE
    assert [piece["more_body"] for piece in pieces[-2:]] == [True, False]
    is_packed = headers.get(b"content-encoding") == b"gzip"
    assert is_packed is ("gzip" in encoding)
    assert (gzip.decompress(body) if is_packed else body) == text
    same = packed_answer(request(if_none_match=headers[b"etag"].decode()), kept, Pace())
    assert (same.status_code, same.body) == (304, b"")


def test_a_replay_that_a_browser_has_is_not_sent_again(server: ServerProcess) -> None:
    async def story() -> None:
        ana = await Person.named(server.url, "Ana")
        code = await ana.new_table(rules={"rounds": "1"}, bots=[None, *["novice"] * 3])
        async with Client(ana, code) as client:
            await client.ask("start")
            await client.play_on()
        path = f"/api/tables/{code}/replay"
        first = await ana.http.get(path)
        assert first.json()["complete"]
        assert first.headers["cache-control"] == "private, no-cache"
        same = await ana.http.get(path, headers={"if-none-match": first.headers["etag"]})
        assert (same.status_code, same.content) == (304, b"")
        plain = await ana.http.get(path, headers={"accept-encoding": "identity"})
        assert plain.json() == first.json()
        assert list(server.data.glob(f"kept/*/{code}-*-replay-open.*"))

    run(story)
