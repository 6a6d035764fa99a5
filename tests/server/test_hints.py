"""Hints and reviews over HTTP: who gets them, and from a process that may die."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from foretold import Game
from foretold.server.workers.study import Study
from foretold.table.refusals import Refused
from foretold.train.network import Network
from foretold.train.weights import to_arrays
from processes import children
from server.client import Client, Person, RefusedError, run
from server.process import ServerProcess


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("weights") / "weights.npz"
    np.savez(path, **to_arrays(Network(16, 1)))  # type: ignore[arg-type]
    return path


@pytest.fixture(scope="module")
def teacher(weights: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path_factory.mktemp("teacher"), weights=weights) as running:
        yield running
        assert '"level": "error"' not in running.log, running.log


async def alone(url: str, rounds: str = "1-3") -> tuple[Person, str]:
    """Somebody at a table with three bots."""
    ana = await Person.named(url, "Ana")
    return ana, await ana.new_table(rules={"rounds": rounds}, bots=[None, *["novice"] * 3])


async def act(client: Client) -> None:
    """Take the first legal action, and wait until the game has moved on."""
    turn = client.turn
    await client.act(client.legal[0])
    await client.until(lambda: client.turn != turn or client.is_over)


def test_who_plays_against_bots_gets_hints(teacher: ServerProcess) -> None:
    async def story() -> None:
        ana, code = await alone(teacher.url)
        async with Client(ana, code) as client:
            await client.ask("start")
            assert client.table["hints"]
            while not client.is_over:
                await client.until(lambda: bool(client.legal) or client.is_over)
                if len(client.legal) > 1:
                    hint = await ana.call("GET", f"/api/tables/{code}/hint?turn={client.turn}")
                    assert hint["seat"] == client.seat
                    told = [one["action"] for one in hint["choices"]]
                    assert sorted(told) == sorted(client.legal)
                    leads = [one["lead"] for one in hint["choices"]]
                    assert leads == sorted(leads, reverse=True)
                if client.legal:
                    await act(client)

    run(story)


def test_hints_are_refused_with_their_reason(teacher: ServerProcess) -> None:
    async def story() -> None:
        ana, code = await alone(teacher.url)
        ben = await Person.named(teacher.url, "Ben")

        async def refused(person: Person, turn: object) -> str:
            with pytest.raises(RefusedError) as answer:
                await person.call("GET", f"/api/tables/{code}/hint?turn={turn}")
            return answer.value.code

        assert await refused(ana, 1) == "not_playing"
        ben.keys[code] = await ana.key_of(code)
        async with Client(ana, code) as client:
            await client.ask("start")
            await client.until(lambda: bool(client.legal))
            assert client.turn is not None
            assert await refused(ben, client.turn) == "not_seated"
            assert await refused(Person(teacher.url), client.turn) == "no_name"
            assert await refused(ana, client.turn + 1) == "stale"
            assert await refused(ana, "now") == "bad_message"
            while len(client.legal) != 1:  # a bid, and then the only card
                await act(client)
                await client.until(lambda: bool(client.legal))
            assert await refused(ana, client.turn) == "no_choice"

    run(story)


def test_there_are_no_hints_among_people(teacher: ServerProcess) -> None:
    """Not even when one of them has left, as they might come back."""

    async def story() -> None:
        ana, ben = await Person.named(teacher.url, "Ana"), await Person.named(teacher.url, "Ben")
        code = await ana.new_table(rules={"rounds": "3"}, bots=[None, None, "novice", "novice"])
        async with Client(ana, code) as first, Client(ben, code) as second:
            await second.ask("sit", seat=1)
            await first.ask("start")
            await first.until(lambda: first.view is not None)
            assert not first.table["hints"]
            await refuses(ana, code, first.turn)
            await second.ask("leave")
            await first.until(lambda: first.table["seats"][1].get("stand_in") == "left")
            assert not first.table["hints"]
            await refuses(ana, code, first.turn)

    async def refuses(person: Person, code: str, turn: int | None) -> None:
        with pytest.raises(RefusedError) as refused:
            await person.call("GET", f"/api/tables/{code}/hint?turn={turn}")
        assert refused.value.code == "no_hints"
        assert refused.value.reason == "hints are only for one person against bots"

    run(story)


def test_hints_end_when_somebody_else_sits_down(teacher: ServerProcess) -> None:
    async def story() -> None:
        ana, code = await alone(teacher.url)
        ben = await Person.named(teacher.url, "Ben")
        ben.keys[code] = await ana.key_of(code)
        async with Client(ana, code) as first, Client(ben, code) as second:
            await first.ask("start")
            await first.until(lambda: bool(first.legal))
            assert first.table["hints"]
            asking = asyncio.create_task(second.ask("knock", seat=2))
            await first.until(lambda: bool(first.knocks))
            await first.ask("let_in", knock=first.knocks[0]["knock"])
            await asking
            await first.until(lambda: first.table["seats"][2]["kind"] == "player")
            assert not first.table["hints"]
            with pytest.raises(RefusedError) as refused:
                await ana.call("GET", f"/api/tables/{code}/hint?turn={first.turn}")
            assert refused.value.code == "no_hints"

    run(story)


def test_a_finished_game_is_reviewed(teacher: ServerProcess) -> None:
    async def story() -> None:
        ana, code = await alone(teacher.url)
        with pytest.raises(RefusedError) as refused:
            await ana.call("GET", f"/api/tables/{code}/review")
        assert refused.value.code == "not_over"
        async with Client(ana, code) as client:
            await client.ask("start")
            await client.play_on()
        stranger = Person(teacher.url)
        stranger.keys[code] = await ana.key_of(code)
        found = await stranger.call("GET", f"/api/tables/{code.lower()}/review")
        replay = await stranger.call("GET", f"/api/tables/{code}/replay")
        acts = [one["event"] for one in replay["steps"] if one["event"]["e"] == "act"]
        told = [(one["seat"], one["action"]) for one in found["decisions"]]
        assert told == [(one["seat"], one["action"]) for one in acts]
        assert found["names"] == replay["names"]
        assert len(found["rounds"]) == 3
        asked = [stranger.call("GET", f"/api/tables/{code}/review") for _ in range(5)]
        assert all(again == found for again in await asyncio.gather(*asked))

    run(story)


def test_without_the_trained_player_there_are_neither(tmp_path: Path) -> None:
    async def story(server: ServerProcess) -> None:
        ana, code = await alone(server.url, "1")
        async with Client(ana, code) as client:
            await client.ask("start")
            # Different bots from the usual ones play here, and may have to be compiled first.
            await client.until(lambda: bool(client.legal), seconds=300)
            assert not client.table["hints"]
            with pytest.raises(RefusedError) as refused:
                await ana.call("GET", f"/api/tables/{code}/hint?turn={client.turn}")
            assert refused.value.code == "no_trained_player"
            await client.play_on()
        with pytest.raises(RefusedError) as refused:
            await ana.call("GET", f"/api/tables/{code}/review")
        assert refused.value.code == "no_trained_player"

    with ServerProcess(tmp_path, weights=tmp_path / "none.npz") as running:
        run(lambda: story(running))


def test_a_process_that_ended_is_replaced(weights: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORETOLD_WEIGHTS", str(weights))
    monkeypatch.setattr("foretold.bots.trained.WEIGHTS", weights)

    async def story() -> None:
        study = Study()
        game = Game("amigo", seed=2)
        view = game.view(game.to_act[0])
        try:
            told = await study.hint(view)
            (process,) = children("foretold.server.workers.study_worker")
            os.kill(process, signal.SIGKILL)
            assert await study.hint(view) == told
            with pytest.raises(Refused, match="went wrong"):
                await study.hint(game.view(None))  # nobody's view: it fails, and work goes on
            assert await study.hint(view) == told
        finally:
            await study.close()

    asyncio.run(story())
