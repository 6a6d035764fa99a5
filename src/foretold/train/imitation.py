"""Networks that decide as some bot does, so that training can meet it.

A bot that thinks for milliseconds cannot sit where millions of decisions are made a second. So it
is watched for some hundred games, and a network, which can, is taught to decide as it did.
It need not know why: what the bot took should be worth more than all that it left.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from itertools import count
from random import Random
from typing import Final, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from foretold.actions import ACTION_COUNT
from foretold.bots import make_bot
from foretold.bots.looks import LOOKS, MONOCOLOUR_AT, renamings
from foretold.bots.sight import POINTS
from foretold.bots.trained import WEIGHTS, is_trained
from foretold.env.observation import OBSERVATION_SIZE
from foretold.env.reading import see
from foretold.game import Game
from foretold.rules import Rules
from foretold.train.network import Network, exactly
from foretold.train.variety import draw_rules
from foretold.train.weights import read_weights

USUAL: Final = 0.5
"""How many games are the base game of four; the others are any that is trained."""
TESTED: Final = 20
"""One game in so many is kept back, to see how well the imitation does."""


class Watched(NamedTuple):
    """Decisions of a bot, a row each, as a learner sees them."""

    observations: NDArray[np.int8]
    masks: NDArray[np.int8]
    actions: NDArray[np.int64]


def watch(bot: str, decisions: int, seed: int, processes: int | None) -> Iterator[Watched]:
    """So many decisions of a bot, or some more, a game each."""
    processes = processes or os.cpu_count() or 1
    numbers = count()
    with ProcessPoolExecutor(processes, multiprocessing.get_context("spawn")) as pool:
        running = {pool.submit(watch_game, bot, seed, next(numbers)) for _ in range(processes)}
        seen = 0
        while seen < decisions:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for game in done:
                running.add(pool.submit(watch_game, bot, seed, next(numbers)))
                seen += len(game.result().actions)
                yield game.result()
        pool.shutdown(cancel_futures=True)


def watch_game(bot: str, seed: int, number: int) -> Watched:
    """What the bot did in one game: alone, against one trained player, or with some."""
    chance = Random(f"{seed} {number}")
    beside = "sage" if is_trained() else "simple"
    rules = Rules(players=4) if chance.random() < USUAL else draw_rules(chance)
    seats = range(rules.players)
    kind = chance.randrange(4)
    if kind == 0:
        others = set()
    elif kind == 1:
        others = {seat for seat in seats if chance.random() < 0.5}
    else:
        others = {chance.choice(seats)}
    players = [
        make_bot(beside if seat in others else bot, seed=chance.getrandbits(32)) for seat in seats
    ]
    game = Game(rules, seed=chance.getrandbits(62))
    rows: list[tuple[NDArray[np.int8], NDArray[np.int8], int]] = []
    while game.to_act:
        seat = game.to_act[0]
        view = game.view(seat)
        action = players[seat].choose(view)
        if seat not in others and len(view.legal_actions) > 1:
            seen = see(view)
            called = int(np.flatnonzero(seen.frame.restored == int(action))[0])
            rows.append((seen.observation, seen.mask, called))
        game.push(action, seat)
    return Watched(
        np.array([row[0] for row in rows], dtype=np.int8).reshape(-1, OBSERVATION_SIZE),
        np.array([row[1] for row in rows], dtype=np.int8).reshape(-1, ACTION_COUNT),
        np.array([row[2] for row in rows], dtype=np.int64),
    )


def start() -> Network:
    """What an imitation begins from: the trained player, which knows the game."""
    return Network.of(read_weights(WEIGHTS)) if is_trained() else Network(256, 2)


def imitate(
    network: Network,
    games: Sequence[Watched],
    *,
    epochs: int = 8,
    batch: int = 512,
    rate: float = 3e-4,
    seed: int = 1,
) -> Iterator[float]:
    """Teach a network to value most what was done; tells after each pass how often it would do it.

    It is asked about games that it was not taught.
    """
    tested = _joined(games[::TESTED])
    taught = _joined([game for number, game in enumerate(games) if number % TESTED])
    chance = torch.Generator().manual_seed(seed)
    optimiser = torch.optim.AdamW(network.parameters(), lr=rate)
    steps = epochs * (len(taught.actions) // batch)
    step = 0
    for _ in range(epochs):
        order = torch.randperm(len(taught.actions), generator=chance)
        for rows in torch.split(order[: steps // epochs * batch], batch):
            for group in optimiser.param_groups:
                group["lr"] = rate * (1 - step / steps)
            step += 1
            observations, masks, actions = _renamed(taught, rows, chance)
            loss = functional.cross_entropy(_leanings(network, observations, masks), actions)
            optimiser.zero_grad(set_to_none=True)
            loss.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
        yield agreement(network, tested)


@torch.inference_mode()
def agreement(network: Network, games: Watched) -> float:
    """How often a network values most what was done."""
    told = _leanings(network, torch.from_numpy(games.observations), torch.from_numpy(games.masks))
    return float((told.argmax(dim=1).numpy() == games.actions).mean())


def _leanings(network: Network, observations: Tensor, masks: Tensor) -> Tensor:
    """As logits: a point more is e times as likely."""
    worth = exactly(network.values, network.trunk(observations)) * POINTS
    return worth.masked_fill(masks == 0, -torch.inf)


def _renamed(
    games: Watched, rows: Tensor, chance: torch.Generator
) -> tuple[Tensor, Tensor, Tensor]:
    """Some decisions, with the suits beside trump called in any way: it is the same game."""
    columns, called = (torch.from_numpy(one) for one in renamings())
    chosen = rows.numpy()
    observations = torch.from_numpy(games.observations[chosen])
    masks = torch.from_numpy(games.masks[chosen])
    actions = torch.from_numpy(games.actions[chosen])
    look = torch.randint(LOOKS, (len(rows),), generator=chance)
    look[observations[:, MONOCOLOUR_AT] == 1] = 0
    return (
        observations.gather(1, columns[look]),
        torch.zeros_like(masks).scatter(1, called[look], masks),
        called[look].gather(1, actions[:, None]).squeeze(1),
    )


def _joined(games: Sequence[Watched]) -> Watched:
    return Watched(*(np.concatenate(parts) for parts in zip(*games, strict=True)))
