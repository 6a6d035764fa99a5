"""The keys that sign cookies and links can be replaced, and nobody notices."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
import sqlalchemy as sa

from commands import Run, runner
from foretold.errors import ServerError
from foretold.server.operation.acts import ABOUT_KEYS, Acts
from foretold.server.people.identity import Identity
from foretold.server.people.keys import KEPT_MS, SETTLE_MS, Key, Keys, read_keys
from foretold.server.settings import ServerSettings
from foretold.server.storage.database import open_database
from foretold.server.storage.schema import keys, notices
from server.client import Person
from server.client import run as told
from server.nursery import NurseryServer

OLD, NEW = b"o" * 32, b"n" * 32


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    return runner(capfd, monkeypatch)


def now() -> int:
    return int(time.time() * 1000)


def test_what_an_older_key_signed_is_valid_and_a_new_one_waits_before_it_signs() -> None:
    before = Identity(Keys([Key(0, OLD)]))
    cookie, invitation = before.cookie("ana"), before.invitation("AAAAAB")
    seat = before.seat_link("AAAAAB", "ana")
    both = Keys([Key(0, OLD), Key(now(), NEW)])
    identity = Identity(both)
    assert both.in_order == (OLD, NEW)  # other nodes may not know the new one yet
    assert identity.player(Identity(Keys([Key(0, NEW)])).cookie("ben")) == "ben"
    both.replace([Key(0, OLD), Key(now() - SETTLE_MS - 1, NEW)])
    assert both.in_order == (NEW, OLD)
    assert identity.player(cookie) == "ana"
    assert identity.opens("AAAAAB", invitation)
    assert not identity.opens("AAAAAC", invitation)
    assert identity.seat_linked(seat) == ("AAAAAB", "ana")
    assert identity.is_old(cookie)
    assert not identity.is_old(identity.cookie("ana"))
    assert identity.invitation("AAAAAB") != invitation
    after = Identity(Keys([Key(0, NEW)]))
    assert after.player(cookie) is None
    assert not after.opens("AAAAAB", invitation)
    assert after.player(identity.cookie("ana")) == "ana"


def test_keys_come_from_the_environment_the_database_or_the_folder(
    url: str, tmp_path: Path
) -> None:
    engine = open_database(url)
    alone = ServerSettings(data=tmp_path / "a", database=url)
    in_folder = Keys.of(alone, engine).in_order
    assert in_folder == ((tmp_path / "a" / "server.key").read_bytes(),)

    # The first of several nodes brings its key; another has it without a file of its own.
    for folder in "ab":
        node = ServerSettings(data=tmp_path / folder, database=url, bus="nats://127.0.0.1")
        assert Keys.of(node, engine).in_order == in_folder
    with engine.connect() as connection:
        assert read_keys(connection) == [Key(0, in_folder[0])]

    given = ServerSettings(data=tmp_path, database=url, keys=f"{NEW.hex()}, {OLD.hex()}")
    fixed = Keys.of(given, engine)
    fixed.replace([Key(1, b"x" * 32)])
    assert fixed.in_order == (NEW, OLD)
    for bad in ("secret", "00ff"):
        with pytest.raises(ServerError, match="64 hexadecimal digits"):
            Keys.of(ServerSettings(keys=bad), engine)
    engine.dispose()


def test_replaced_keys_expire(url: str) -> None:
    engine = open_database(url)
    acts = Acts(engine)
    assert [acts.rotate_key(OLD), acts.rotate_key(OLD)] == [1, 2]
    acts.tidy()
    with engine.begin() as connection:
        assert len(read_keys(connection)) == 3
        aged = sa.update(keys).where(keys.c.created > 0)
        connection.execute(aged.values(created=keys.c.created - KEPT_MS - 1))
    acts.tidy()
    with engine.connect() as connection:
        left = [one.secret for one in read_keys(connection)]
    assert OLD not in left
    assert len(left) == 1
    engine.dispose()


def test_nobody_is_logged_out_by_a_rotation(tmp_path: Path, run: Run) -> None:
    async def story() -> None:
        ana, ben = await Person.named(server.url, "Ana"), Person(server.url)
        code = await ana.new_table()
        ben.keys[code] = await ana.key_of(code)
        old = ana.cookie
        answer = run("admin", "rotate-key", "--data", tmp_path)
        assert answer.code == 0, answer.err
        assert "1 older key" in answer.out
        assert ana.cookie == old
        with engine.begin() as connection:
            settled = keys.c.created - SETTLE_MS - 1
            newest = sa.update(keys).where(keys.c.created > 0)
            connection.execute(newest.values(created=settled))
            connection.execute(sa.insert(notices).values(at=now(), about=ABOUT_KEYS, subject=""))
        while ana.cookie == old:  # the server notices within seconds
            assert (await ana.call("GET", "/api/me"))["name"] == "Ana"
        assert (await ben.ask("GET", f"/api/tables/{code}")).status_code == 200
        assert await ana.key_of(code) != ben.keys[code]

    engine = open_database(f"sqlite:///{tmp_path / 'foretold.db'}")
    with NurseryServer(tmp_path) as server:
        told(story)
    engine.dispose()
    assert run("admin", "rotate-key", "--data", tmp_path).out.count("2 older keys") == 1
