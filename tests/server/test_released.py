"""What the last release wrote is read, and played on.

`released/0.1.0.json` was made by that version's server (commit 4e6fee1): its database as SQL, its
key, the players' cookies, the record of a finished game as it gave it out, and what Ann saw in the
middle of another.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
from pathlib import Path

from foretold import Game
from foretold.verify import Answer, verify
from server.client import Client, Person, run
from server.nursery import NurseryServer

RELEASED = Path(__file__).parent / "released" / "0.1.0.json"


def test_games_of_the_last_release_are_there_and_go_on(tmp_path: Path) -> None:
    kept = json.loads(RELEASED.read_text())
    database = sqlite3.connect(tmp_path / "foretold.db")
    database.executescript("\n".join(kept["dump"]))
    database.close()
    (tmp_path / "server.key").write_bytes(bytes.fromhex(kept["key"]))

    async def story() -> None:
        people = []
        for name, cookies in kept["cookies"].items():
            people.append(Person(server.url))
            people[-1].http.cookies.update(cookies)
            assert (await people[-1].call("GET", "/api/me"))["name"] == name
        record = await people[0].call("GET", f"/api/tables/{kept['over']}/record")
        before, now = Game.from_record(kept["record"]), Game.from_record(record)
        assert now.position.logs == before.position.logs
        assert now.outcome() == before.outcome()
        code = kept["playing"]
        async with Client(people[0], code) as ann, Client(people[1], code) as ben:
            assert ann.n == kept["n"]
            assert ann.view is not None
            for seen in ("turn", "hand", "legal", "trump", "round"):
                assert ann.view[seen] == kept["view"][seen]
            await asyncio.gather(ann.play_on(), ben.play_on())
        record = await people[0].call("GET", f"/api/tables/{code}/record")
        verdicts = {one.answer for one in verify(Game.from_record(record))}
        assert verdicts == {Answer.VERIFIED}

    with NurseryServer(tmp_path) as server:
        run(story)
        assert '"level": "error"' not in server.log, server.log
