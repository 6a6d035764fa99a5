"""How often the player meets its bid, by size of round: ``python benchmarks/sizes.py``.

Whole games of four against three `simple`, every deal from each seat: of a network in batch, on a
GPU where there is one; or of any bot (``--player sage+,ms=200``), a game on each core.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from strengths import network_at

from foretold.actions import Action
from foretold.arena.match import derived
from foretold.bots import make_bot
from foretold.bots.trained import WEIGHTS
from foretold.game import Game
from foretold.kernel.layout import ROUND
from foretold.rules import Rules
from foretold.train.opponents import SIMPLE, rows
from foretold.train.seating import AS_SEATED, BY_RULE, NETWORK
from foretold.train.strength import decider
from foretold.train.training_loop import device_of
from foretold.train.vector_env import ROUND_ENDED, VectorEnv
from foretold.workers.calls import call_each
from foretold.workers.starting import all_cores

RULES = Rules(players=4)
LONG = range(7, 15)


def of_network(weights: Path, device_name: str, deals: int, seed: int) -> NDArray[np.float64]:
    """The share of bids met, by round."""
    device = device_of(device_name)
    decide = decider(network_at(weights, device), device, seed)
    count = deals * RULES.players
    games, places = np.arange(count), np.arange(count) % RULES.players
    env = VectorEnv(
        [RULES],
        np.full(count, AS_SEATED, dtype=np.int64),
        rows([SIMPLE]),
        seed=seed,
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
    return met / count


def of_bot(player: str, processes: int, deals: int, seed: int) -> NDArray[np.float64]:
    make_bot(player)  # compiles the rules once, before the processes all do
    places = ((player, seed, deal, seat) for deal in range(deals) for seat in range(RULES.players))
    met: NDArray[np.float64] = np.mean(list(call_each(met_in_game, places, processes)), axis=0)
    return met


def met_in_game(player: str, seed: int, deal: int, own: int) -> list[bool]:
    game = Game(RULES, seed=derived("sizes", seed, deal, bits=63))
    bots = [
        make_bot(player if seat == own else "simple", derived("sizes", seed, deal, own, seat))
        for seat in range(RULES.players)
    ]
    while game.to_act:
        seat = game.to_act[0]
        action: Action = bots[seat].choose(game.view(seat))
        game.push(action, seat)
    return [line.taken[own] == line.scored_bids[own] for line in game.sheet]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=500)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--device", default="auto", help="cuda, cpu or auto")
    parser.add_argument("--weights", type=Path, default=WEIGHTS, help="whose bids")
    parser.add_argument("--player", help="a bot instead of a network in batch")
    parser.add_argument("--processes", type=int, default=all_cores())
    given = parser.parse_args()
    if given.player is None:
        met = of_network(given.weights, given.device, given.deals, given.seed)
    else:
        met = of_bot(given.player, given.processes, given.deals, given.seed)
    shares = dict(zip(RULES.sizes, met, strict=True))
    print("".join(f"| {size} " for size in shares) + "| mean of 7 to 14 |")
    print("|---" * (len(shares) + 1) + "|")
    mean = sum(shares[size] for size in LONG) / len(LONG)
    print("".join(f"| {100 * one:.1f} " for one in shares.values()) + f"| {mean:.1%} |")


if __name__ == "__main__":
    main()
