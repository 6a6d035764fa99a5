"""How a player fares among `search` bots: ``python benchmarks/against_search.py games.jsonl``.

One player against search bots in all other seats, whole games, every deal from each seat. They
think so long that thousands of games take days on one core, so every game is saved to a file when
it ends, and the next call continues from there. All tables take turns, unless some are named.
Prints a table for the documentation, with 95 % intervals over the deals.
"""

from __future__ import annotations

import argparse
import hashlib
import time
from collections import defaultdict
from collections.abc import Iterator
from itertools import count, takewhile
from pathlib import Path

import msgspec
from strengths import TABLES

from foretold.actions import Action
from foretold.arena.match import derived
from foretold.bots import make_bot, trained
from foretold.game import Game
from foretold.report.stats import Tally
from foretold.workers.calls import call_each
from foretold.workers.starting import all_cores


class Played(msgspec.Struct, frozen=True):
    """A game as it is saved."""

    bots: tuple[str, str]
    weights: str
    """A short fingerprint of the network."""
    table: str
    deal: int
    seat: int
    totals: tuple[int, ...]
    exact: float


Place = tuple[str, int, int]
"""A table, a deal and a seat: what identifies a game."""


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
    """Endless games: the tables in turn, with each deal from all seats."""
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
    parser.add_argument("kept", type=Path, help="the file to save games in")
    parser.add_argument("--seconds", type=float, default=60.0, help="hand out no game after this")
    parser.add_argument("--processes", type=int, default=all_cores())
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
        # Ignore a line that was cut off when the last call ended.
        lines = given.kept.read_bytes().splitlines(keepends=True)
        whole = [line for line in lines if line.endswith(b"\n")]
        given.kept.write_bytes(b"".join(whole))
        kept = [msgspec.json.decode(line, type=Played) for line in whole]
    kept = [game for game in kept if (game.bots, game.weights) == (bots, weights)]
    known = {(game.table, game.deal, game.seat) for game in kept}
    ahead = (place for place in places(tables) if place not in known)
    make_bot("search")  # compiles the rules once, before the processes all do
    until = time.monotonic() + given.seconds
    in_time = takewhile(lambda _: time.monotonic() < until, ahead)
    with given.kept.open("ab") as file:
        for game in call_each(play, ((bots, weights, place) for place in in_time), given.processes):
            kept.append(game)
            file.write(msgspec.json.encode(game) + b"\n")
            file.flush()
    print(*report(kept), sep="\n")


if __name__ == "__main__":
    main()
