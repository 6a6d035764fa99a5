"""Speed of the environments: ``python benchmarks/environments.py``.

The comparison is with PettingZoo's own ``hanabi_v5`` in the same run. It needs ``pip install shimmy
open_spiel``, and is left out without them.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from typing import Any

from foretold.cards import SPECIALS
from foretold.env import BatchEnv, foretold_v1, see
from foretold.env.gymnasium import ForetoldEnv
from foretold.game import Game
from foretold.rules import Mode, Rules

WINDOWS = 8
SECONDS = 0.4
TABLES = {
    "base game, 4 players": Rules(players=4),
    "base game, 6 players": Rules(players=6),
    "all seven special cards": Rules(players=4, specials=SPECIALS),
    "monocolour": Rules(mode=Mode.MONOCOLOUR),
    "two players": Rules(mode=Mode.TWO_PLAYER),
}


def rate(work: Callable[[], int]) -> float:
    """Work per second: the best of several windows, since other load only slows it down.

    The first call, which may compile, is not counted.
    """
    work()
    best = 0.0
    for _ in range(WINDOWS):
        done, start = 0, time.perf_counter()
        while (spent := time.perf_counter() - start) < SECONDS:
            done += work()
        best = max(best, done / spent)
    return best


def batch_rate(rules: Rules, games: int, threads: int = 1) -> float:
    """Decisions a second of uniformly random play, drawing the actions included."""
    env = BatchEnv(rules, games, seed=1, threads=threads)
    env.reset()

    def work() -> int:
        for _ in range(32):
            env.step(env.random_actions())
        return 32 * games

    return rate(work)


def first_legal(space: Any, mask: Any) -> int:
    """The cheapest choice, so that the environment is what is measured."""
    return int(mask.argmax())


def sampled(space: Any, mask: Any) -> int:
    """Gymnasium's way to choose: ``space.sample(mask)``."""
    return int(space.sample(mask))


def aec_rate(env: Any, choose: Callable[[Any, Any], int]) -> float:
    """Steps a second of a PettingZoo environment, each with its ``last()``."""
    seed = 0

    def work() -> int:
        nonlocal seed
        seed += 1
        env.reset(seed=seed)
        steps = 0
        for agent in env.agent_iter():
            seen, _, termination, truncation, _ = env.last()
            over = termination or truncation
            env.step(None if over else choose(env.action_space(agent), seen["action_mask"]))
            steps += 1
        return steps

    return rate(work)


def hanabi() -> Any | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        try:
            from pettingzoo.classic import hanabi_v5

            return hanabi_v5.env()
        except ImportError:
            return None


def gymnasium_rate() -> float:
    env = ForetoldEnv(Rules(players=4), "random")

    def work() -> int:
        seen, _ = env.reset()
        steps, done = 0, False
        while not done:
            seen, _, done, _, _ = env.step(first_legal(None, seen["action_mask"]))
            steps += 1
        return steps

    return rate(work)


def reading_cost() -> float:
    """Seconds to build the observation of a single view."""
    game = Game(Rules(players=4, rounds="15"), seed=1)
    views = []
    while game.outcome() is None:
        views.append(game.view(game.to_act[0]))
        game.push(next(iter(game.legal_actions())))

    def work() -> int:
        for view in views:
            see(view)
        return len(views)

    return 1 / rate(work)


def main() -> None:
    print("BatchEnv with observations and masks, M decisions/s, drawing random actions included")
    for name, rules in TABLES.items():
        speeds = [batch_rate(rules, games) / 1e6 for games in (1024, 8192)]
        print(f"  {name:<24} 1 thread: {speeds[0]:5.2f} (1,024 games) {speeds[1]:5.2f} (8,192)")
    two = batch_rate(TABLES["base game, 4 players"], 8192, threads=2) / 1e6
    print(f"  {'base game, 4 players':<24} 2 threads: {two:5.2f} (8,192 games)")

    peer = hanabi()
    print("PettingZoo, steps/s, each with last()")
    for name, choose in {"first legal action": first_legal, "space.sample(mask)": sampled}.items():
        ours = aec_rate(foretold_v1.env(), choose)
        if peer is None:
            print(f"  {name}: foretold_v1 {ours:,.0f}; hanabi_v5 is not installed")
        else:
            theirs = aec_rate(peer, choose)
            print(
                f"  {name}: foretold_v1 {ours:,.0f}, hanabi_v5 {theirs:,.0f}: "
                f"{ours / theirs:.1f} times as many"
            )
    print(f"Gymnasium against three random bots: {gymnasium_rate():,.0f} steps/s")
    print(f"observation of a single view: {reading_cost() * 1e6:.0f} µs")


if __name__ == "__main__":
    main()
