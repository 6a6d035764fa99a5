"""What a move costs in the event loop's Python: processor time, without sockets and database.

Tables of four are played from the bytes that arrive to the bytes that leave, all at the same pace:
every table gets a message, then all of them are saved, then all that waits is sent. The fastest of
some turns counts, since a busy machine only makes them slower. What it takes to apply a move and to
tell of it is also reported for cards, bids and the ends of rounds apart.

    python benchmarks/moves.py
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import time
from types import SimpleNamespace
from typing import Any, cast

from foretold.server.api.socket import _Ear
from foretold.server.net.frames import FrameCounter
from foretold.server.net.protocol import SocketProtocol, socket_protocol
from foretold.server.observing.metrics import Metrics
from foretold.server.people.doors import Doors
from foretold.server.people.identity import Identity
from foretold.server.people.keys import Key, Keys
from foretold.server.quotas.budgets import Budgets
from foretold.server.rooms.connection import Connection
from foretold.server.rooms.lines import Lines
from foretold.server.rooms.room import Room
from foretold.server.settings import ServerSettings
from foretold.server.storage.steps import appended
from foretold.server.storage.writer import Then
from foretold.table import Audience, Logged, Table
from foretold.table.creation import new_table
from foretold.table.entries import Acted, Dealt, Entry, PlayerSeat, Sat, Started

ROUNDS = "8-12,11-8"
"""As in `serve_load.py`."""
PLAYERS = 4
KINDS = ("card", "bid", "end of a round")


class Saving:
    """A store that keeps what is appended, until it is said to be saved."""

    def __init__(self) -> None:
        self.tables: dict[str, Table] = {}
        self._appended: list[tuple[str, Entry, Then]] = []

    def append(self, code: str, logged: Logged, then: Then, epoch: int | None = None) -> None:
        appended(code, logged, epoch)
        self._appended.append((code, logged.entry, then))

    def waiting(self) -> dict[str, list[Then]]:
        """What waits to be saved, by kind of move."""
        found: dict[str, list[Then]] = {kind: [] for kind in KINDS}
        for code, entry, then in self._appended:
            found[self._kind(self.tables[code], entry)].append(then)
        self._appended.clear()
        return found

    def _kind(self, table: Table, entry: Entry) -> str:
        assert isinstance(entry, Acted)
        if not entry.action.startswith("play"):
            return "bid"
        game = table.game
        assert game is not None
        cards = sum(len(game.position.hand(seat)) for seat in range(PLAYERS))
        return "end of a round" if cards == 1 else "card"

    async def summarise(self, *_: object) -> None:
        pass


class Wire:
    """A transport that keeps what is written to it."""

    def __init__(self) -> None:
        self.written: list[bytes] = []

    def is_closing(self) -> bool:
        return False

    def write(self, data: bytes) -> None:
        self.written.append(data)


class Seat:
    """A player: says what to do next, when told that there is something to do."""

    def __init__(self, line: SocketProtocol, seat: int) -> None:
        self.line = line
        self.wire = cast(Wire, line.transport)
        self.seat = seat
        self.said = 0
        self.action = b""
        """The first action it may take, as last told."""

    def next(self) -> bytes | None:
        """The next message, as it arrives."""
        told = b"".join(self.wire.written)
        self.wire.written.clear()
        at = told.rfind(b'"legal":[')
        if at >= 0:
            self.action = told[at + 10 : told.index(b"]", at)].partition(b'"')[0]
        # Who has played one of two Wizards and leads next has a new hand, but may do the same.
        if not self.action or (at < 0 and b'"hand":[' not in told):
            return None
        at = told.rindex(b'"turn":') + 7
        turn = told[at : told.index(b",", at)]
        self.said += 1
        text = b'{"t":"act","id":"%d-%d","turn":%b,"action":"%b"}' % (
            self.seat,
            self.said,
            turn,
            self.action,
        )
        return bytes((0x81, 0x80 | len(text))) + bytes(4) + text


class Server:
    """What a room needs around it."""

    def __init__(self) -> None:
        self.settings = ServerSettings(messages_per_second=1e9, core_share_per_address=1e9)
        self.budgets = Budgets(self.settings)
        self.protocol = socket_protocol(self.budgets)
        self.store = Saving()
        self.house: Any = SimpleNamespace(
            settings=self.settings,
            store=self.store,
            metrics=Metrics(),
            doors=Doors(Identity(Keys([Key(0, bytes(32))])), self.budgets),
            lines=Lines(),
            bots=None,
            saves=True,
            start=lambda work: work.close(),
            is_settling=lambda: False,
            summarise_soon=lambda room: None,
            charge=lambda source, size: None,
        )

    async def table(self, number: int) -> list[Seat]:
        """A new table, dealt, with its four players."""
        created = new_table("0", "Ana", rules={"rounds": ROUNDS})
        log = [Logged(1, 1, created)]
        log += [
            Logged(seat + 1, 1, Sat(seat=seat, player=str(seat), name=f"P{seat}"))
            for seat in range(1, PLAYERS)
        ]
        log += [Logged(PLAYERS + 1, 1, Started()), Logged(PLAYERS + 2, 1, Dealt())]
        table = self.store.tables[str(number)] = Table(str(number), log[0])
        assert all(isinstance(one, PlayerSeat) for one in table.seats[:1])
        room = Room(self.house, Audience(table, log), 0)
        seats = []
        for seat in range(PLAYERS):
            line = self.line()
            connection = Connection(str(seat), f"P{seat}", line, 100, "127.0.0.1")
            line.on_text = _Ear(room, connection, 1e9, self.budgets).hear
            await room.join(connection, None)
            line.flush()
            seats.append(Seat(line, seat))
        return seats

    def line(self) -> SocketProtocol:
        line = self.protocol.__new__(self.protocol)
        line.transport = cast(Any, Wire())
        line.loop = asyncio.get_running_loop()
        line.frames, line.close_sent, line.disconnected = [], False, False
        line._frames, line._budget = FrameCounter(), self.budgets.frames()
        line._budget.brim = line._budget.rate = 1e9
        line.source, line.has_room, line._unsent = "127.0.0.1", True, None
        line._file = None
        return line


async def play(tables: int) -> dict[str, float]:
    """Play some games; returns the time of each stage per move, and of each kind of move."""
    server = Server()
    await asyncio.sleep(0)
    games = [await server.table(number) for number in range(tables)]
    spent = dict.fromkeys(("hear", "send", *KINDS), 0.0)
    moves = dict.fromkeys(KINDS, 0)
    while True:
        said = []
        for game in games:
            for seat in game:
                frame = seat.next()
                if frame is not None:
                    said.append((seat.line, frame))
        if not said:
            break
        start = time.thread_time()
        for line, frame in said:
            line.data_received(frame)
        spent["hear"] += time.thread_time() - start
        for kind, waiting in server.store.waiting().items():
            start = time.thread_time()
            for then in waiting:
                then(None)
            spent[kind] += time.thread_time() - start
            moves[kind] += len(waiting)
        start = time.thread_time()
        line.outbox.flush()
        spent["send"] += time.thread_time() - start
        await asyncio.sleep(0)
    every = sum(moves.values())
    assert every > tables * 300, moves
    told = {kind: spent[kind] / moves[kind] for kind in KINDS}
    happen = sum(spent[kind] for kind in KINDS) / every
    return {"hear": spent["hear"] / every, "happen": happen, "send": spent["send"] / every} | told


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--turns", type=int, default=10)
    options = parser.parse_args()
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)  # as the server does
    turns = [asyncio.run(play(options.tables)) for _ in range(options.turns)]
    least = {name: min(turn[name] for turn in turns) * 1e6 for name in turns[0]}
    hear, happen, send = (least[stage] for stage in ("hear", "happen", "send"))
    print(
        f"a move takes {hear + happen + send:.1f} us: {hear:.1f} us until it is handed to the "
        f"store, {happen:.1f} us to apply it and write what each player is told, {send:.1f} us to "
        "pass that on"
    )
    apart = ", ".join(f"{kind} {least[kind]:.1f} us" for kind in KINDS)
    print(f"to apply and tell: {apart}")


if __name__ == "__main__":
    main()
