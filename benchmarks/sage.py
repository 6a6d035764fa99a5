"""The processor time of the trained player's decisions: ``python benchmarks/sage.py``.

Set OPENBLAS_NUM_THREADS=1 to measure one core. Without weights, an untrained network of the same
size is measured: it takes as long.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import time
from pathlib import Path
from random import Random
from tempfile import gettempdir

import numpy as np

from foretold import Game, Rules
from foretold.bots.network import Sage
from foretold.bots.sage import SageBot
from foretold.bots.trained import WEIGHTS
from foretold.env import see
from foretold.view import View


def views(count: int, chance: Random) -> list[View]:
    """Views of seats with a choice, at random moments of the base game."""
    found: list[View] = []
    while len(found) < count:
        game = Game(Rules(players=chance.randint(3, 6)), seed=chance.randrange(10**6))
        while game.outcome() is None and len(found) < count:
            view = game.view(game.to_act[0])
            if len(view.legal_actions) > 1 and chance.random() < 0.2:
                found.append(view)
            game.push(chance.choice(view.legal_actions))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("weights", type=Path, nargs="?")
    given = parser.parse_args()
    path = given.weights or (WEIGHTS if WEIGHTS.exists() else None)
    if path is None:
        import torch

        from foretold.train.network import Network
        from foretold.train.settings import Settings
        from foretold.train.weights import to_arrays

        torch.set_num_threads(1)
        path = Path(gettempdir()) / "untrained.npz"
        network = Network(Settings().width, Settings().blocks)
        np.savez(path, **to_arrays(network))  # type: ignore[arg-type]
    chosen = views(1000, Random(1))
    see(chosen[0])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begun = time.process_time()
    sage = Sage.load(path)
    print(f"{path}: {path.stat().st_size / 1e6:.1f} MB, loaded in {_ms(begun):.0f} ms")
    bot = SageBot(sage=sage)
    bot.choose(chosen[0])
    times = []
    for view in chosen:
        begun = time.process_time()
        bot.choose(view)
        times.append(_ms(begun))
    quantiles = statistics.quantiles(times, n=100)
    print(f"a decision: median {quantiles[49]:.2f} ms, 99 % within {quantiles[98]:.2f} ms")
    batches = []
    for _ in range(5):
        begun = time.process_time()
        sage.values(chosen)
        batches.append(_ms(begun))
    print(f"a thousand views: {min(batches):.0f} ms")
    begun = time.process_time()
    for view in chosen:
        see(view)
    print(f"  of which reading the views: {_ms(begun):.0f} ms")
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"memory: {(after - before) / 1024:.0f} MB above that before loading")


def _ms(begun: float) -> float:
    return 1000 * (time.process_time() - begun)


if __name__ == "__main__":
    main()
