"""How strong the shipped player is at tables of all kinds: ``python benchmarks/strengths.py``.

Whole games in batch, every deal played from each seat, 95 % intervals over the deals; prints a
table for the documentation. FORETOLD_WEIGHTS names another network. (In batch, the network's policy
names trump; the player itself looks one step ahead.)
"""

from __future__ import annotations

import argparse
import math
from itertools import product

import numpy as np
from numpy.typing import NDArray

from foretold.bots.network import shipped
from foretold.cards import SPECIALS
from foretold.env.writer import Mask, Observation
from foretold.rules import Rules
from foretold.train.duel import duel
from foretold.train.opponents import SIMPLE, STRANGER
from foretold.workers.calls import call_each

TABLES = {
    "3 players": Rules(players=3),
    "4 players": Rules(players=4),
    "5 players": Rules(players=5),
    "6 players": Rules(players=6),
    "all special cards": Rules(specials=SPECIALS),
    "plus/minus one": Rules(bid_rule="plus_minus_one"),
    "hidden bids": Rules(bidding="hidden"),
    "secret bids": Rules(bidding="secret"),
    "clairvoyance in every round": Rules(clairvoyance="every_round"),
    "monocolour": Rules(mode="monocolour"),
    "two players": Rules(mode="two_player"),
}
OTHERS = {"simple": SIMPLE, "stranger": STRANGER}
AT_ONCE = 512


def decide(observations: Observation, masks: Mask) -> NDArray[np.int64]:
    parts = [slice(at, at + AT_ONCE) for at in range(0, len(masks), AT_ONCE)]
    policy = [shipped().judge(observations[part], tricks=False).policy for part in parts]
    chosen: NDArray[np.int64] = np.where(masks, np.concatenate(policy), -np.inf).argmax(axis=1)
    return chosen


def line(table: str, other: str, games: int, seed: int) -> str:
    rules = TABLES[table]
    deals = math.ceil(games / rules.players)
    found = duel(decide, OTHERS[other], rules, deals, seed, threads=1).strength()
    points, wins = found.points, found.wins
    half = 0.0 if points.low is None else points.value - points.low
    return (
        f"| {table} | {other} | {found.games:,} | {points.value:.0f} ± {half:.0f} | "
        f"{wins.value:.1%} ({wins.low:.1%} to {wins.high:.1%}) | {found.exact.value:.1%} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2000, help="at least this many per table")
    parser.add_argument("--seed", type=int, default=99)
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args()
    print("| table | against | games | points a game | wins | exact bids |")
    print("|---|---|---|---|---|---|", flush=True)
    calls = ((*names, given.games, given.seed) for names in product(TABLES, OTHERS))
    for told in call_each(line, calls, given.processes, in_order=True):
        print(told, flush=True)


if __name__ == "__main__":
    main()
