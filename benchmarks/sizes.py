"""How often the player meets its bid, by size of round: ``python benchmarks/sizes.py``.

Whole games of four against three `simple`, in batch, on a GPU where there is one, every deal from
each seat.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from strengths import network_at

from foretold.bots.trained import WEIGHTS
from foretold.kernel.layout import ROUND
from foretold.rules import Rules
from foretold.train.opponents import SIMPLE, rows
from foretold.train.seating import AS_SEATED, BY_RULE, NETWORK
from foretold.train.strength import decider
from foretold.train.training_loop import device_of
from foretold.train.vector_env import ROUND_ENDED, VectorEnv

RULES = Rules(players=4)
LONG = range(7, 15)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=500)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--device", default="auto", help="cuda, cpu or auto")
    parser.add_argument("--weights", type=Path, default=WEIGHTS, help="whose bids")
    given = parser.parse_args()
    device = device_of(given.device)
    decide = decider(network_at(given.weights, device), device, given.seed)
    count = given.deals * RULES.players
    games, places = np.arange(count), np.arange(count) % RULES.players
    env = VectorEnv(
        [RULES],
        np.full(count, AS_SEATED, dtype=np.int64),
        rows([SIMPLE]),
        seed=given.seed,
        from_start=True,
        restarts=False,
    )
    env.arrays.chances[:] = np.repeat(env.arrays.chances[:: RULES.players], RULES.players)
    env.players.seated[:] = BY_RULE
    env.players.seated[games, places] = NETWORK
    met = np.zeros(len(RULES.sizes))
    actions = np.zeros(count, dtype=np.int64)
    asked = env.begin()
    while (due := np.flatnonzero(asked.whom >= 0)).size:
        before, number = env.players.exact[games, places], env.states[:, ROUND].copy()
        actions[due] = decide(asked.observations[due], asked.masks[due])
        env.step(actions)
        ended = asked.ended & ROUND_ENDED != 0
        np.add.at(met, number[ended], (env.players.exact[games, places] - before)[ended])
    shares = dict(zip(RULES.sizes, met / count, strict=True))
    print("".join(f"| {size} " for size in shares) + "| mean of 7 to 14 |")
    print("|---" * (len(shares) + 1) + "|")
    mean = sum(shares[size] for size in LONG) / len(LONG)
    print("".join(f"| {100 * one:.1f} " for one in shares.values()) + f"| {mean:.1%} |")


if __name__ == "__main__":
    main()
