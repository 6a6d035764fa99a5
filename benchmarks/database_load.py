"""How many entries PostgreSQL, the one part of a site that is not multiplied, takes from its nodes.

Several processes write as the writers of nodes do: fenced, synced, all that is waiting in one
statement, at most one commit in three milliseconds. Each has its share of the tables.

    python benchmarks/database_load.py --nodes 8 --tables 25000
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
from pathlib import Path
from random import Random
from statistics import quantiles

from serve_load import cpu_seconds

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from nodes_load import children, postmaster_of

from foretold.server.storage.database import open_database
from foretold.server.storage.writer import PACE
from foretold.server.storage.writes import FencedRows
from server.postgres import cluster
from system import find_postgres

ENTRY = b"x" * 130
"""As long as the entry of a card played by a person."""
WARM_UP = 2.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nodes", type=int, default=8)
    parser.add_argument("--tables", type=int, default=25_000)
    parser.add_argument("--seconds", type=float, default=8.0)
    parser.add_argument("--rates", type=int, nargs="*", default=[2_000, 5_000, 10_000, 20_000])
    options = parser.parse_args()
    home = find_postgres()
    if home is None:
        sys.exit("this needs PostgreSQL: apt install postgresql")
    with cluster(home, is_safe=True) as database:
        engine = open_database(database)
        with engine.begin() as connection:
            codes = f"lpad(n::text, 6, '0') FROM generate_series(0, {options.tables - 1}) AS n"
            connection.exec_driver_sql(
                "INSERT INTO tables (code, state, listed, created, updated, n, summary) "
                f"SELECT code, 'playing', false, 0, 0, 1, '' FROM (SELECT {codes}) AS new (code)"
            )
            connection.exec_driver_sql(
                "INSERT INTO owners (code, node, epoch) SELECT code, 'node', 1 FROM tables"
            )
        engine.dispose()
        postmaster = postmaster_of(database)
        for turn, rate in enumerate(options.rates):
            measure(database, postmaster, turn, rate, options)


def measure(
    database: str, postmaster: int, turn: int, rate: int, options: argparse.Namespace
) -> None:
    with multiprocessing.Pool(options.nodes) as pool:
        each = [(database, at, turn, rate / options.nodes, options) for at in range(options.nodes)]
        found = pool.starmap_async(write, each)
        time.sleep(WARM_UP)
        before, start = busy(postmaster), time.perf_counter()
        time.sleep(options.seconds - WARM_UP - 1.0)
        used, passed = busy(postmaster) - before, time.perf_counter() - start
        results = found.get()
    written = sum(count for count, _ in results) / options.seconds
    cuts = quantiles((one for _, times in results for one in times), n=100)
    print(
        f"{rate:,} entries a second wanted, {written:,.0f} written: PostgreSQL takes "
        f"{used / passed:.2f} cores, {used / passed / written * 1e6:.0f} us an entry; a commit "
        f"takes {cuts[49] * 1e3:.1f} ms, 99 % {cuts[98] * 1e3:.1f} ms",
        flush=True,
    )


def busy(postmaster: int) -> float:
    return sum(map(cpu_seconds, children(postmaster)))


def write(
    database: str, at: int, turn: int, rate: float, options: argparse.Namespace
) -> tuple[int, list[float]]:
    """Write like one node; returns how many entries, and the seconds of each commit."""
    chance = Random(at)
    codes = [f"{n:06d}" for n in range(at, options.tables, options.nodes)]
    numbers = dict.fromkeys(codes, turn * 1_000_000)
    rows = FencedRows()
    count, times = 0, []
    engine = open_database(database, is_bounded=False)
    with engine.execution_options(isolation_level="AUTOCOMMIT").connect() as connection:
        start = time.perf_counter()
        while (begun := time.perf_counter()) < start + options.seconds:
            due = int((begun - start) * rate) - count
            if due > 0:
                entries = []
                for code in chance.sample(codes, min(due, len(codes), 1000)):
                    numbers[code] += 1
                    entries.append(
                        {"code": code, "n": numbers[code], "at": 0, "entry": ENTRY, "epoch": 1}
                    )
                rows.write(connection, entries)
                count += len(entries)
                times.append(time.perf_counter() - begun)
            time.sleep(max(0.0, PACE - (time.perf_counter() - begun)))
    engine.dispose()
    return count, times


if __name__ == "__main__":
    main()
