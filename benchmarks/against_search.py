"""How a player fares among `search` bots: ``python benchmarks/against_search.py games.jsonl``.

One of it against search bots in all other seats, whole games, every deal from each seat. They think
for so long that thousands of games take days of one core: so every game is kept in a file as it
ends, and a further call goes on where the last one stopped. The tables take turns, those named are
played alone. Prints a table for the documentation, with 95 % limits over the deals.
"""

from __future__ import annotations

import argparse
import hashlib
import multiprocessing
import os
import time
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from itertools import count
from pathlib import Path

import msgspec
from strengths import TABLES

from foretold.actions import Action
from foretold.arena.match import derived
from foretold.bots import make_bot, trained
from foretold.game import Game
from foretold.report.stats import Tally


class Played(msgspec.Struct, frozen=True):
    """A game as it is kept."""

    bots: tuple[str, str]
    weights: str
    """Which network it was, in short."""
    table: str
    deal: int
    seat: int
    totals: tuple[int, ...]
    exact: float


Place = tuple[str, int, int]
"""A table, a deal and a seat: what makes a game another."""


def play(bots: tuple[str, str], weights: str, place: Place) -> Played:
    table, deal, own = place
    game = Game(TABLES[table], seed=derived("against search", table, deal, bits=63))
    players = [
        make_bot(bots[seat != own], derived("against search", table, deal, own, seat))
        for seat in range(game.rules.players)
    ]
    while game.to_act:
        seat = game.to_act[0]
        action: Action = players[seat].choose(game.view(seat))
        game.push(action, seat)
    lines = game.sheet
    exact = sum(line.taken[own] == line.scored_bids[own] for line in lines) / len(lines)
    return Played(bots, weights, table, deal, own, tuple(lines[-1].totals), exact)


def places(tables: list[str]) -> Iterator[Place]:
    """Games without end: the tables in turn, of each a deal from all seats."""
    for deal in count():
        for table in tables:
            for seat in range(TABLES[table].players):
                yield table, deal, seat


def report(games: list[Played]) -> Iterator[str]:
    yield "| table | games | points a game | theirs | wins | par | exact bids |"
    yield "|---|---|---|---|---|---|---|"
    by_table: dict[str, list[Played]] = defaultdict(list)
    for game in games:
        by_table[game.table].append(game)
    for table in (name for name in TABLES if name in by_table):
        points, theirs, wins, exact = Tally(), Tally(), Tally(), Tally()
        for game in by_table[table]:
            own, best = game.totals[game.seat], max(game.totals)
            points.add(game.deal, own)
            theirs.add(game.deal, (sum(game.totals) - own) / (len(game.totals) - 1))
            wins.add(game.deal, (own == best) / game.totals.count(best))
            exact.add(game.deal, game.exact)
        mean, rate = points.mean(), wins.rate()
        half = "" if mean.low is None else f" ± {mean.value - mean.low:.0f}"
        span = "" if rate.low is None else f" ({rate.low:.0%} to {rate.high:.0%})"
        yield (
            f"| {table} | {points.count:,} | {mean.value:.0f}{half} | {theirs.value:.0f} | "
            f"{rate.value:.1%}{span} | {1 / TABLES[table].players:.0%} | {exact.value:.1%} |"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kept", type=Path, help="the file that games are kept in")
    parser.add_argument("--seconds", type=float, default=60.0, help="begin no game after this")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--tables", default=",".join(TABLES))
    parser.add_argument("--player", default="sage")
    parser.add_argument("--against", default="search,ms=100")
    given = parser.parse_args()
    tables = given.tables.split(",")
    if unknown := set(tables) - set(TABLES):
        parser.error(f"no table {', '.join(unknown)}: there are {', '.join(TABLES)}")
    bots = given.player, given.against
    weights = hashlib.sha256(trained.WEIGHTS.read_bytes()).hexdigest()[:12]

    kept: list[Played] = []
    if given.kept.exists():
        # A line that was being written when the last call was ended is none.
        lines = given.kept.read_bytes().splitlines(keepends=True)
        whole = [line for line in lines if line.endswith(b"\n")]
        given.kept.write_bytes(b"".join(whole))
        kept = [msgspec.json.decode(line, type=Played) for line in whole]
    kept = [game for game in kept if (game.bots, game.weights) == (bots, weights)]
    known = {(game.table, game.deal, game.seat) for game in kept}
    ahead = (place for place in places(tables) if place not in known)
    until = time.monotonic() + given.seconds
    make_bot("search")  # compiles the rules once, before the processes all do
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    with (
        given.kept.open("ab") as file,
        ProcessPoolExecutor(given.processes, multiprocessing.get_context("spawn")) as pool,
    ):
        running = {pool.submit(play, bots, weights, next(ahead)) for _ in range(given.processes)}
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for one in done:
                kept.append(one.result())
                file.write(msgspec.json.encode(kept[-1]) + b"\n")
                file.flush()
                if time.monotonic() < until:
                    running.add(pool.submit(play, bots, weights, next(ahead)))
    print(*report(kept), sep="\n")


if __name__ == "__main__":
    main()
