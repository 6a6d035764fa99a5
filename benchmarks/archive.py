"""What the archive saves: bytes a finished game takes before and after, on SQLite or PostgreSQL.

python benchmarks/archive.py --games 200
python benchmarks/archive.py --database postgresql://localhost/empty
"""

from __future__ import annotations

import argparse
import asyncio
import os
import secrets
import tempfile
import time
from pathlib import Path
from random import Random

import sqlalchemy as sa
from sqlalchemy.engine import Engine
from waking import code_of

from foretold.rules import Rules
from foretold.server.observing.metrics import Metrics
from foretold.server.operation.acts import Acts
from foretold.server.storage.database import open_database
from foretold.server.storage.schema import archive, log, snapshots
from foretold.server.storage.store import Store
from foretold.server.storage.summaries import listed_of
from foretold.table.creation import new_table
from foretold.table.entries import Acted, Dealt, Entry, Logged, Sat, Started
from foretold.table.snapshots import replayed, snapshot_of
from foretold.table.table import Table

START = 1_780_000_000_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--database", help="an empty database; by default a new SQLite file")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        url = options.database or f"sqlite:///{Path(folder) / 'foretold.db'}"
        asyncio.run(measure(url, options.games))


async def measure(url: str, games: int) -> None:
    store = Store(open_database(url), Metrics())
    engine = open_database(url)
    empty, entries = size(engine), 0
    for number in range(games):
        code = code_of(number)
        played = game_log(number)
        entries += len(played)
        over = replayed(code, played)
        await store.add_table(code, played, listed_of(over.table))
        await store.summarise(listed_of(over.table), snapshot_of(over))
    print(f"{games} games of four people, {entries / games:.0f} entries each")
    before = told("before", engine, empty, games)
    acts, start = Acts(engine), time.perf_counter()
    after: tuple[int, str] | None = (0, "")
    while after is not None:
        after, _ = acts.archive(time.time_ns() // 1_000_000, after, ())
    seconds = time.perf_counter() - start
    now = told("after", engine, empty, games)
    print(f"{before / now:.1f} times smaller; {seconds / games * 1e3:.1f} ms to archive a game")
    begun = time.perf_counter()
    for number in range(games):
        await store.rows_of(code_of(number))
    print(f"{(time.perf_counter() - begun) / games * 1e3:.2f} ms to read a log")
    await store.close()
    engine.dispose()


def told(when: str, engine: Engine, empty: int, games: int) -> float:
    with engine.connect() as connection:
        contents = {
            column.table.name: connection.execute(sa.select(sa.func.sum(sa.func.length(column))))
            for column in (log.c.entry, archive.c.entries, snapshots.c.data)
        }
        each = {name: round(int(found.scalar() or 0) / games) for name, found in contents.items()}
    total = (size(engine) - empty) / games
    print(f"{when}: {total / 1000:.1f} kB a game in the database; contents in bytes: {each}")
    return total


def size(engine: Engine) -> int:
    """Of the whole database, without free space."""
    with engine.execution_options(isolation_level="AUTOCOMMIT").connect() as connection:
        if connection.dialect.name == "sqlite":
            connection.exec_driver_sql("VACUUM")
            query = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
        else:
            connection.exec_driver_sql("SET statement_timeout = 0")
            connection.exec_driver_sql("VACUUM FULL")
            query = "SELECT pg_database_size(current_database())"
        return int(connection.exec_driver_sql(query).scalar_one())


def game_log(seed: int) -> list[Logged]:
    """A game of four people to its end, with ids as browsers make them."""
    chance = Random(seed)
    players = [secrets.token_hex(16) for _ in range(4)]
    pages = [secrets.token_urlsafe(6) for _ in range(4)]
    at = START + 3_600_000 * seed
    created = new_table(players[0], "Ana", rules=Rules(players=4).to_options())
    table = Table("", Logged(1, at, created))
    log = [Logged(1, at, created)]

    def write(entry: Entry) -> None:
        nonlocal at
        at += chance.randrange(300, 8000)
        log.append(Logged(len(log) + 1, at, entry))
        table.apply(log[-1])

    for seat in range(1, 4):
        write(Sat(seat=seat, player=players[seat], commitment=os.urandom(32).hex()))
    write(Started())
    write(Dealt())
    while table.state == "playing":
        seat, game = table.to_act[0], table.game
        assert game is not None
        action = str(chance.choice(list(game.legal_actions(seat))))
        asked = {"asked_by": players[seat], "ask_id": f"{pages[seat]}-{len(log)}"}
        write(Acted(seat=seat, action=action, **asked))
    return log


if __name__ == "__main__":
    main()
