"""How strong a trained network is at tables of all kinds: ``python benchmarks/strengths.py RUN``.

Whole games, every deal played from each seat, 95 % limits; prints a table for the documentation.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch

from foretold.rules import Rules
from foretold.train import checkpoint
from foretold.train.company import SIMPLE, STRANGER, Temper
from foretold.train.course import CHECKPOINT, device_of
from foretold.train.network import Network
from foretold.train.strength import Strength, strength
from foretold.train.variety import ALL_SPECIALS

TABLES = {
    "3 players": Rules(players=3),
    "4 players": Rules(players=4),
    "5 players": Rules(players=5),
    "6 players": Rules(players=6),
    "all special cards": Rules(specials=ALL_SPECIALS),
    "plus/minus one": Rules(bid_rule="plus_minus_one"),
    "hidden bids": Rules(bidding="hidden"),
    "secret bids": Rules(bidding="secret"),
    "clairvoyance in every round": Rules(clairvoyance="every_round"),
    "monocolour": Rules(mode="monocolour"),
    "two players": Rules(mode="two_player"),
}


def line(table: str, against: str, found: Strength) -> str:
    points, wins = found.points, found.wins
    half = 0.0 if points.low is None else points.value - points.low
    span = f"{wins.low:.1%} to {wins.high:.1%}"
    return (
        f"| {table} | {against} | {found.games:,} | {points.value:.0f} ± {half:.0f} | "
        f"{wins.value:.1%} ({span}) | {found.exact.value:.1%} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run", type=Path, help="the folder of a run")
    parser.add_argument("--deals", type=int, default=1000)
    parser.add_argument("--device", default="auto")
    parser.add_argument("--seed", type=int, default=99)
    parser.add_argument("--threads", type=int, default=None)
    given = parser.parse_args()
    device = device_of(given.device)
    if given.threads is not None:
        torch.set_num_threads(given.threads)
    standing, learned = checkpoint.load(given.run / CHECKPOINT, device)
    network = Network(standing.settings.width, standing.settings.blocks).to(device)
    network.load_state_dict(learned["network"])

    def play(rules: Rules, against: Temper) -> Strength:
        return strength(
            network,
            rules,
            given.deals,
            given.seed,
            device,
            against=against,
            threads=given.threads,
        )

    print("| table | against | games | points a game | wins | exact bids |")
    print("|---|---|---|---|---|---|")
    for name, rules in TABLES.items():
        for title, temper in (("simple", SIMPLE), ("stranger", STRANGER)):
            print(line(name, title, play(rules, temper)), flush=True)


if __name__ == "__main__":
    main()
