"""What heeding the score sheet is worth: ``python benchmarks/to_win.py --players 4 --deals 500``.

Whole games of the shipped network among its likes that play for points. Every deal is played from
each seat twice, once for points and once to win, so that only the last rounds differ: the
difference of the wins, with its 95 % limits over the deals.
"""

from __future__ import annotations

import argparse

import numpy as np
from numpy.typing import NDArray

from foretold.bots.sage import worths
from foretold.bots.sight import Sage, shipped
from foretold.rules import Rules
from foretold.train.company import SIMPLE, rows
from foretold.train.hall import AS_SEATED, NETWORK, SNAPSHOT, Hall

AT_ONCE = 2048


def shares(sage: Sage, rules: Rules, deals: int, seed: int, to_win: bool) -> NDArray[np.float64]:
    """The share of the win of the seat in question, a row a deal and a column a seat."""
    players = rules.players
    count = deals * players
    hall = Hall(
        [rules],
        np.full(count, AS_SEATED, dtype=np.int64),
        rows([SIMPLE]),
        seed=seed,
        by_round=False,
        restarts=False,
    )
    hall.games.deals[:] = np.repeat(hall.games.deals[::players], players)
    hall.games.seated[:] = SNAPSHOT
    place = np.arange(count) % players
    hall.games.seated[np.arange(count), place] = NETWORK
    asked = hall.begin()
    actions = np.zeros(count, dtype=np.int64)
    while (due := np.flatnonzero(asked.whom >= 0)).size:
        for who in (NETWORK, SNAPSHOT):
            mine = due[asked.whom[due] == who]
            for first in range(0, len(mine), AT_ONCE):
                some = mine[first : first + AT_ONCE]
                worth = worths(sage, asked.observations[some], to_win and who == NETWORK)
                actions[some] = np.where(asked.masks[some], worth, -np.inf).argmax(axis=1)
        hall.step(actions)
    hall.close()
    totals = asked.totals[:, :players]
    best = totals == totals.max(axis=1, keepdims=True)
    share: NDArray[np.float64] = best[np.arange(count), place] / best.sum(axis=1)
    return share.reshape(deals, players)


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
            shares(shipped(), rules, deals, given.seed + part, aim) for aim in (True, False)
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
