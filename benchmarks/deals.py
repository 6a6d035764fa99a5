"""Worlds at every decision of random games of every mode: ``python benchmarks/deals.py 20000``.

Checks the given number of positions; stops at the first without a world, or whose world does not
replay the round. The tests' oracle makes random rules and games.
"""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

import oracle
from enumeration import assert_fits
from foretold import Game, Rules
from foretold.sampling import Sampler

REPLAYED = 200
"""One position in this many is replayed in a world drawn for it."""


def main() -> None:
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    positions = seed = 0
    spent = 0.0
    while positions < wanted:
        seed += 1
        chance = random.Random(seed)
        game = Game(Rules.from_options(oracle.random_rules(chance)), seed=seed)
        while game.outcome() is None and positions < wanted:
            seat = chance.choice(game.to_act)
            view = game.view(seat)
            start = time.perf_counter()
            sampler = Sampler(view, seed=positions)
            sampler.draw(1)
            spent += time.perf_counter() - start
            positions += 1
            if sampler.ways < 1:
                sys.exit(f"no world fits the view of seat {seat} in game {seed}")
            if positions % REPLAYED == 0 and all(suit is None for suit in view.suits):
                assert_fits(game, seat, sampler.worlds(1)[0])
            game.push(chance.choice(list(game.legal_actions(seat))), seat)
    print(f"{positions:,} positions, no dead end, {spent / positions * 1e6:.0f} µs each")


if __name__ == "__main__":
    main()
