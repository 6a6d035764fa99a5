"""The checks for a release: kills, games with other hidden cards, and load, in great number.

    make soak              100,000 games twice, 1,000 kills, an hour of load
    make soak MINUTES=8    at most two minutes of each
    make soak PART=kills   one part alone
    make soak SEED=100     other games: the first one's seed
    make soak PART=nodes FAULT="cut bus"   one fault alone

docs/soak.md says what each part proves, and the figures so far.
"""

from __future__ import annotations

import argparse
import itertools
import math
import random
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from contextlib import closing
from multiprocessing import get_context
from pathlib import Path
from statistics import median, quantiles

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

import serve_load

from foretold.workers.calls import call_each
from foretold.workers.starting import all_cores
from ports import free_port
from rules.agreeing import COUNT, allow_the_same, refuse_at_the_same_place, tell_alike
from server.enduring import FAULTS, Endured, endure
from server.killing import survive
from server.nats import nats
from server.networks import go_apart
from server.postgres import cluster, emptied
from system import find_nats, find_postgres
from table.leaks import any_rules, assert_nothing_leaks

KILLS = 1000
KILLS_A_GAME = 10
NODE_FAULTS = 1000
PARTIES = 10
"""Of people who play at the nodes at the same time."""
GAMES = 100_000
GAMES_AT_ONCE = 50
LOAD_MINUTES = 60.0
LOAD_SECONDS = 60.0
"""Seconds of load between two measurements of the server's memory."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, help="at most, for all parts together")
    parser.add_argument("--tables", type=int, default=250, help="number of tables in the load part")
    parser.add_argument("--seed", type=int, default=0, help="of the first game of kills and nodes")
    parser.add_argument("--part", help="the only part to run: rules, kills, nodes, hidden or load")
    parser.add_argument("--fault", choices=FAULTS, help="the only one in the nodes part")
    options = parser.parse_args()
    parts: dict[str, Callable[[float], str]] = {
        "rules": rules,
        "kills": lambda seconds: kills(seconds, options.seed),
        "nodes": lambda seconds: nodes(seconds, options.seed, options.fault),
        "hidden": hidden_cards,
        "load": lambda seconds: load(seconds, options.tables),
    }
    if options.part:
        if options.part not in parts:
            parser.error(f"there is no part {options.part!r}: expected {', '.join(parts)}")
        parts = {options.part: parts[options.part]}
    seconds = 60 * options.minutes / len(parts) if options.minutes else float("inf")
    for name, part in parts.items():
        start = time.monotonic()
        print(f"{name}: {part(seconds)} in {(time.monotonic() - start) / 60:.1f} min", flush=True)


def until(seconds: float, first: int = 0) -> Iterator[int]:
    """Numbers from the first on, at least one, for that many seconds."""
    end = time.monotonic() + seconds
    yield first
    for number in itertools.count(first + 1):
        if time.monotonic() >= end:
            return
        yield number


def on_all_cores(work: Callable[[int], int], games: int, seconds: float) -> tuple[int, int]:
    """Run chunks of that many games; return the games played and the sum of all results."""
    played = total = 0
    with closing(call_each(work, ((chunk,) for chunk in until(seconds)))) as results:
        for result in results:
            total += result
            played += games
            progress(f"{played} games")
            if played >= GAMES:
                break
    return played, total


def rules(seconds: float) -> str:
    """The engine reports, allows and refuses the same as the oracle."""
    played, _ = on_all_cores(agree, 3 * COUNT, seconds)
    return f"{played:,} games agreed with the oracle"


def agree(chunk: int) -> int:
    tell_alike(chunk)
    allow_the_same(chunk)
    refuse_at_the_same_place(chunk)
    return 3 * COUNT


def kills(seconds: float, first: int) -> str:
    """Nothing acknowledged is lost or doubled; everybody is back in time.

    On SQLite and PostgreSQL in turn.
    """
    done, acknowledged, longest = 0, 0, 0.0
    home = find_postgres()
    assert home is not None, "PostgreSQL is not installed here"
    with cluster(home, is_safe=True) as postgres:
        for seed in until(seconds, first):
            with tempfile.TemporaryDirectory() as folder:
                database = emptied(postgres) if seed % 2 else ""
                survived = survive(Path(folder), KILLS_A_GAME, seed, database)
            done += KILLS_A_GAME
            acknowledged += survived.acknowledged
            longest = max(longest, survived.longest)
            progress(f"{done} kills")
            if done >= KILLS:
                break
    return (
        f"{done:,} kills, {acknowledged:,} acknowledged actions all written once, "
        f"everybody back within {longest:.1f} s"
    )


def nodes(seconds: float, first: int, fault: str | None) -> str:
    """Three nodes survive every fault, and people who play through any of them lose nothing."""
    acknowledged = epochs = games = 0
    away: dict[str, list[float]] = {}
    seeds = itertools.islice(until(seconds, first), math.ceil(NODE_FAULTS / len(FAULTS)))
    for endured in sites(seeds, fault):
        games += endured.games
        acknowledged += endured.acknowledged
        epochs += endured.epochs
        for name, longest in endured.away:
            away.setdefault(name, []).append(longest)
        waits = ", ".join(f"{name} {time:.2f} s" for name, time in endured.away)
        faults = sum(map(len, away.values()))
        progress(f"{faults} faults, {games} games, {acknowledged} actions: {waits}")
    told = ", ".join(
        f"{name} {len(times)} times (away {median(times):.2f} s, {max(times):.2f} s at most)"
        for name, times in sorted(away.items())
    )
    return (
        f"{faults:,} faults: {told}; {games:,} games finished and verified, "
        f"{acknowledged:,} acknowledged actions all written once and in order, "
        f"{epochs:,} epochs with one owner each"
    )


def sites(seeds: Iterator[int], fault: str | None) -> Iterator[Endured]:
    """What became of a site for each seed: several at a time, since they mostly wait.

    When one fails, or after Ctrl-C, the others still come down in order.
    """
    count = 3 * all_cores()
    with ProcessPoolExecutor(count, get_context("spawn")) as pool:
        if not pool.submit(go_apart).result():
            count = 1  # or they would take each other's ports
        running = {pool.submit(site, seed, fault) for seed in itertools.islice(seeds, count)}
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for one in done:
                yield one.result()
                running |= {pool.submit(site, seed, fault) for seed in itertools.islice(seeds, 1)}


def site(seed: int, fault: str | None) -> Endured:
    """Let every fault happen to a site, in any order; or one of them as often.

    It is in a network of its own, if there can be one, so that nobody else on this machine notices.
    """
    go_apart()
    home, program = find_postgres(), find_nats()
    assert home is not None, "PostgreSQL is not installed here"
    assert program is not None, "NATS is not installed here"
    faults = random.Random(seed).sample([fault] * len(FAULTS) if fault else FAULTS, len(FAULTS))
    try:
        with (
            tempfile.TemporaryDirectory() as folder,
            cluster(home, is_safe=True) as postgres,
            nats(program) as bus,
        ):
            return endure(Path(folder), postgres, bus, faults, seed, PARTIES)
    except Exception:  # in words, since not every exception can be sent to another process
        told = f"seed {seed}, {', '.join(faults)}:\n{traceback.format_exc()}"
        raise AssertionError(told) from None


def hidden_cards(seconds: float) -> str:
    """Whatever cards a seat cannot see, it is sent the same bytes."""
    played, compared = on_all_cores(compare, GAMES_AT_ONCE, seconds)
    return f"{played:,} games, {compared:,} of them compared with others, no byte differs"


def compare(chunk: int) -> int:
    """How many games of a chunk were compared with one that has other hidden cards."""
    seeds = range(chunk * GAMES_AT_ONCE, (chunk + 1) * GAMES_AT_ONCE)
    return sum(assert_nothing_leaks(any_rules(seed), seed) for seed in seeds)


def load(seconds: float, tables: int) -> str:
    """Under steady load, a server stays as fast and as small as at the start."""
    options = argparse.Namespace(seconds=min(LOAD_SECONDS, seconds), processes=1)
    port = free_port()
    delays: list[list[float]] = []
    sizes: list[int] = []
    actions = 0.0
    with serve_load.foretold_server(port) as server:
        serve_load.play_one(port)
        for _ in until(min(seconds, 60 * LOAD_MINUTES)):
            plans = serve_load.seat_all(port, tables)
            turn = serve_load.Load(server, port, plans, options).run(period=0.5)
            assert server.poll() is None, "the server stopped"
            actions += turn.rate * options.seconds
            delays.append(turn.latencies)
            sizes.append(serve_load.memory(server.pid))
            progress(f"{sum(map(len, delays))} actions, {sizes[-1] / 2**20:.0f} MiB")
    first, last = (quantiles(one, n=100)[98] * 1e3 for one in (delays[0], delays[-1]))
    before, most, after = (size / 2**20 for size in (sizes[0], max(sizes), sizes[-1]))
    return (
        f"{actions:,.0f} actions at {tables} tables of four, p99 {first:.0f} ms at first and "
        f"{last:.0f} ms at last, memory {before:.0f} MiB at first, {most:.0f} MiB at most and "
        f"{after:.0f} MiB at last"
    )


def progress(words: str) -> None:
    """In one line at a terminal, in a line each in a log."""
    print(words, end=" \r" if sys.stderr.isatty() else "\n", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
