"""How strong a trained network is at tables of all kinds: ``python benchmarks/strengths.py``.

Whole games in batch, on a GPU where there is one, every deal played from each seat, 95 % intervals
over the deals; prints a table for the documentation. (In batch, the network's policy names trump;
the player itself looks one step ahead.)
"""

from __future__ import annotations

import argparse
import math
from itertools import product
from pathlib import Path

import torch

from foretold.bots.trained import WEIGHTS
from foretold.cards import SPECIALS
from foretold.rules import Rules
from foretold.train.duel import Strength
from foretold.train.network import Network
from foretold.train.opponents import SIMPLE, STRANGER, Temper
from foretold.train.strength import strength
from foretold.train.training_loop import device_of
from foretold.train.weights import read_weights

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


def network_at(path: Path, device: torch.device) -> Network:
    return Network.of(read_weights(path)).to(device)


def line(table: str, name: str, found: Strength) -> str:
    points, wins = found.points, found.wins
    half = 0.0 if points.low is None else points.value - points.low
    return (
        f"| {table} | {name} | {found.games:,} | {points.value:.0f} ± {half:.0f} | "
        f"{wins.value:.1%} ({wins.low:.1%} to {wins.high:.1%}) | {found.exact.value:.1%} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2000, help="at least this many per table")
    parser.add_argument("--seed", type=int, default=99)
    parser.add_argument("--device", default="auto", help="cuda, cpu or auto")
    parser.add_argument("--weights", type=Path, default=WEIGHTS, help="whose strength")
    parser.add_argument("--among", type=Path, help="weights of the others; or they are rule-based")
    parser.add_argument("--tables", nargs="*", default=list(TABLES), choices=list(TABLES))
    given = parser.parse_args()
    device = device_of(given.device)
    network = network_at(given.weights, device)
    others: dict[str, Temper | Network] = dict(OTHERS)
    if given.among is not None:
        others = {given.among.stem: network_at(given.among, device)}
    print("| table | against | games | points a game | wins | exact bids |")
    print("|---|---|---|---|---|---|", flush=True)
    for table, (name, other) in product(given.tables, others.items()):
        rules = TABLES[table]
        deals = math.ceil(given.games / rules.players)
        found = strength(network, rules, deals, given.seed, device, against=other)
        print(line(table, name, found), flush=True)


if __name__ == "__main__":
    main()
