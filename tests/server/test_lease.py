"""A node that lost tables notices it, whatever went wrong while it asked the database."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import OperationalError

from foretold.server.cluster import node as node_module
from foretold.server.cluster.node import AUDIT_SECONDS, Node
from foretold.server.rooms.awake import ElsewhereError
from foretold.server.settings import ServerSettings
from foretold.server.storage import owners
from foretold.server.storage.owners import LEASE_SECONDS, Owned
from foretold.table.refusals import Refused
from server.test_limits import Clock

CODE = "ABCDEF"


class QuietBus:
    is_connected = True


class Rooms:
    """Notes which rooms were given up."""

    claims: object = None

    def __init__(self) -> None:
        self.renewed: list[str] = []

    def renew(self, code: str) -> None:
        self.renewed.append(code)


class Database:
    """Answers as it is told to; by default nothing has happened."""

    def __init__(self) -> None:
        self.has_lapsed = False
        self.lost: list[str] = []
        self.is_gone = False
        """Whether nothing is answered."""
        self.forgets_lost = 0
        """How many questions about lost tables are not answered."""
        self.claims: Iterator[Callable[[], Owned]] = iter(())

    def renew(self, *_: object, **__: object) -> bool:
        self._check()
        return self.has_lapsed

    def peers(self, _: object) -> list[owners.Peer]:
        return []

    def which_are_lost(self, *_: object) -> list[str]:
        if self.forgets_lost:
            self.forgets_lost -= 1
            raise OperationalError("", {}, Exception("silent"))
        return self.lost

    def claim(self, _: object, __: str, codes: Sequence[str]) -> dict[str, Owned]:
        return dict.fromkeys(codes, next(self.claims)())

    def _check(self) -> None:
        if self.is_gone:
            raise OperationalError("", {}, Exception("silent"))


class House:
    """A node whose surroundings do what a test says."""

    def __init__(self, folder: Path) -> None:
        self.clock = Clock()
        self.database = Database()
        self.rooms = Rooms()
        settings = ServerSettings(data=folder, bus="nats://nowhere")
        engine = sa.create_engine("sqlite://", poolclass=sa.NullPool)
        places = cast("Any", {"tables": self.rooms})
        self.node = Node(settings, engine, cast("Any", QuietBus()), cast("Any", None), places)

    async def owns(self, code: str, epoch: int = 1) -> None:
        self.database.claims = iter([lambda: Owned(self.node.id, epoch)])
        assert await self.node.claim(code) == epoch

    async def renews(self) -> None:
        await self.node._renew()


@pytest.fixture
def in_house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Any], None]:
    def tell(story: Callable[[House], Any]) -> None:
        async def told() -> None:
            house = House(tmp_path)
            database = house.database
            monkeypatch.setattr(node_module, "time", house.clock)
            monkeypatch.setattr(owners, "renew", database.renew)
            monkeypatch.setattr(owners, "peers", database.peers)
            monkeypatch.setattr(owners, "lost", database.which_are_lost)
            monkeypatch.setattr(owners, "claim", database.claim)
            house.node._links.close()
            await house.renews()
            await story(house)

        asyncio.run(told())

    return tell


def test_a_lapse_is_looked_into_until_the_database_answers(in_house: Callable[[Any], None]) -> None:
    async def story(house: House) -> None:
        await house.owns(CODE)
        house.database.has_lapsed, house.database.forgets_lost = True, 1
        with pytest.raises(Refused):
            await house.renews()
        assert house.rooms.renewed == []
        house.database.has_lapsed, house.database.lost = False, [CODE]
        await house.renews()
        assert house.rooms.renewed == [CODE]

    in_house(story)


def test_a_lapse_is_noticed_though_the_answer_that_told_of_it_was_lost(
    in_house: Callable[[Any], None],
) -> None:
    async def story(house: House) -> None:
        await house.owns(CODE)
        house.database.is_gone = True
        with pytest.raises(Refused):
            await house.renews()  # the database renews the lease, but its answer is lost
        house.clock.now += LEASE_SECONDS + 1
        house.database.is_gone, house.database.lost = False, [CODE]
        await house.renews()
        assert house.rooms.renewed == [CODE]

    in_house(story)


def test_tables_are_checked_now_and_then_even_if_nothing_seems_to_have_happened(
    in_house: Callable[[Any], None],
) -> None:
    async def story(house: House) -> None:
        await house.owns(CODE)
        house.database.lost = [CODE]
        for _ in range(int(AUDIT_SECONDS)):
            house.clock.now += 1
            await house.renews()
            assert house.rooms.renewed == []
        house.clock.now += 1
        await house.renews()
        assert house.rooms.renewed == [CODE]

    in_house(story)


def test_a_claim_from_before_a_lapse_is_made_again(in_house: Callable[[Any], None]) -> None:
    async def story(house: House) -> None:
        loop = asyncio.get_running_loop()

        def overtaken() -> Owned:
            """The lease runs out, and is renewed, before the answer arrives."""
            house.database.has_lapsed = True
            asyncio.run_coroutine_threadsafe(house.renews(), loop).result()
            return Owned(house.node.id, 1)

        house.database.claims = iter([overtaken, lambda: Owned("other", 2)])
        with pytest.raises(ElsewhereError, match="other"):
            await house.node.claim(CODE)

    in_house(story)
