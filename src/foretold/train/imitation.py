"""Networks that imitate a bot, so that training can play against it.

A bot that thinks for milliseconds is too slow for training, which makes millions of decisions a
second. So it is watched for some hundred games, and a network is trained to predict its actions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
import torch
from torch.nn import functional

from foretold.bots.trained import WEIGHTS, is_trained
from foretold.train.network import Network
from foretold.train.policy import leanings
from foretold.train.watching import Watched
from foretold.train.weights import read_weights

TESTED: Final = 20
"""One game in this many is held out, to measure the imitation."""


def start() -> Network:
    """The starting point of an imitation: the trained player, which knows the game."""
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
    """Teach a network a bot's decisions; yields its accuracy on held-out games after each pass."""
    tested = _joined(games[::TESTED])
    taught = _joined([game for number, game in enumerate(games) if number % TESTED])
    chance = torch.Generator().manual_seed(seed)
    batch = min(batch, len(taught.actions))
    optimiser = torch.optim.AdamW(network.parameters(), lr=rate)
    steps = epochs * (len(taught.actions) // batch)
    step = 0
    for _ in range(epochs):
        order = torch.randperm(len(taught.actions), generator=chance)
        for rows in torch.split(order[: steps // epochs * batch], batch):
            for group in optimiser.param_groups:
                group["lr"] = rate * (1 - step / steps)
            step += 1
            observations, masks, actions = (torch.from_numpy(one[rows.numpy()]) for one in taught)
            loss = functional.cross_entropy(leanings(network, observations, masks), actions)
            optimiser.zero_grad(set_to_none=True)
            loss.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
        yield agreement(network, tested)


@torch.inference_mode()
def agreement(network: Network, games: Watched) -> float:
    """The share of decisions that a network would make as the bot did."""
    told = leanings(network, torch.from_numpy(games.observations), torch.from_numpy(games.masks))
    return float((told.argmax(dim=1).numpy() == games.actions).mean())


def _joined(games: Sequence[Watched]) -> Watched:
    return Watched(*(np.concatenate(parts) for parts in zip(*games, strict=True)))
