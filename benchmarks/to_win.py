"""What heeding the score sheet is worth: ``python benchmarks/to_win.py --players 4 --deals 500``.

Whole games of the shipped network among its likes that play for points. Every deal is played from
each seat twice, once for points and once to win: the difference of the wins, with its 95 % limits
over the deals.
"""

from __future__ import annotations

import argparse

import numpy as np
from strengths import decider

from foretold.rules import Rules
from foretold.train.duel import duel


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--deals", type=int, default=500)
    parser.add_argument("--rounds", default="all", help="fewer rounds, to have more games")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    rules = Rules(players=given.players, rounds=given.rounds)
    gains = []
    for part in range(0, given.deals, 250):
        deals = min(250, given.deals - part)
        to_win, for_points = (
            duel(decider(aim), decider(False), rules, deals, given.seed + part).shares
            for aim in (True, False)
        )
        gains.extend((to_win - for_points).mean(axis=1).tolist())
        error = 1.96 * np.std(gains) / len(gains) ** 0.5
        print(
            f"{len(gains) * given.players:,} games: {np.mean(gains):+.2%} ± {error:.2%} wins "
            f"(par {1 / given.players:.0%})",
            flush=True,
        )


if __name__ == "__main__":
    main()
