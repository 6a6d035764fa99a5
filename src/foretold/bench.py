"""Measures the kernel's speed: uniformly random legal play, deals included."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass

from foretold.bots import RandomBot
from foretold.extras import need
from foretold.game import Game
from foretold.kernel.batch import Batch
from foretold.rules import Rules

WARM_UP_GAMES = 20
GAMES = {"cpu": 4000, "cuda": 1 << 20}
"""Enough to keep a core, or a GPU, busy all the time."""


@dataclass(frozen=True)
class Speed:
    """A measurement."""

    rules: Rules
    device: str
    threads: int
    decisions_per_second: float
    games_per_second: float


def kernel_speed(
    rules: Rules,
    *,
    threads: int = 1,
    seconds: float = 2.0,
    games: int | None = None,
    device: str = "cpu",
    tick: Callable[[float], None] = lambda done: None,
) -> Speed:
    """Play random games with the same functions that `Game` uses, for that long.

    `tick` is called with the fraction of the time that has passed.
    """
    games = games or GAMES[device]
    batch = Batch(rules, games, seed=1, threads=threads, device=device)
    Batch(rules, WARM_UP_GAMES, seed=2, threads=1, device=device).play_out()
    decisions = played = 0
    began = time.perf_counter()
    while (passed := time.perf_counter() - began) < seconds:
        tick(passed / seconds)
        decisions += batch.play_out()
        played += games
        batch.restart()
    passed = time.perf_counter() - began
    return Speed(rules, device, batch.threads, decisions / passed, played / passed)


def game_cost(rules: Rules, *, games: int = 5) -> tuple[float, float]:
    """Mean seconds per `Game.push` and `Game.view`, over random games."""
    pushing = viewing = 0.0
    decisions = 0
    for seed in range(games):
        played = Game(rules, seed=seed)
        chooser = RandomBot(seed)
        while played.outcome() is None:
            played.push(chooser.choose(played.view(played.to_act[0])))
        game = Game(rules, seed=seed)
        for log in played.position.logs:
            for seat, action in log.actions:
                start = time.perf_counter()
                game.push(action, seat)
                middle = time.perf_counter()
                game.view(seat)
                viewing += time.perf_counter() - middle
                pushing += middle - start
                decisions += 1
    return pushing / decisions, viewing / decisions


def peer_speed(*, seconds: float = 2.0) -> float:
    """Decisions per second of OpenSpiel's `oh_hell` driven from Python.

    Four players, its rounds of 1 to 12 tricks in turn, uniformly random play; the cards are dealt
    through its chance nodes, which are not counted as decisions.
    """
    need("bench")
    import pyspiel

    games = [
        pyspiel.load_game(f"oh_hell(players=4,num_tricks_fixed={size})") for size in range(1, 13)
    ]
    chance = random.Random(1)
    decisions = 0
    index = 0
    began = time.perf_counter()
    while time.perf_counter() - began < seconds:
        state = games[index % len(games)].new_initial_state()
        index += 1
        while not state.is_terminal():
            decisions += not state.is_chance_node()
            # The outcomes of its chance nodes are equally likely too.
            state.apply_action(chance.choice(state.legal_actions()))
    return decisions / (time.perf_counter() - began)
