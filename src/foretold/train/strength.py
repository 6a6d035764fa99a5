"""How strong a network is: whole games against others, the same deals from every seat."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from foretold.arena.stats import Estimate, Tally
from foretold.env.writer import Mask, Observation
from foretold.rules import Rules
from foretold.train.company import SIMPLE, Temper
from foretold.train.duel import Decide, duel
from foretold.train.network import Network
from foretold.train.policy import Curiosity, draw, precision, worths


class Strength(NamedTuple):
    """Of one network among others, a game each; 95 % limits over the deals."""

    points: Estimate
    wins: Estimate
    exact: Estimate
    games: int

    def __str__(self) -> str:
        half = 0.0 if self.points.low is None else self.points.value - self.points.low
        return (
            f"{self.points.value:.0f} ± {half:.0f} points, {self.wins.value:.1%} wins, "
            f"{self.exact.value:.1%} exact"
        )


@torch.inference_mode()
def strength(
    network: Network | None,
    rules: Rules,
    deals: int,
    seed: int,
    device: torch.device,
    *,
    against: Temper | Network = SIMPLE,
    threads: int | None = None,
) -> Strength:
    """Play every deal once from each seat; a network of None plays at random."""
    other = against if isinstance(against, Temper) else _decider(against, device, seed)
    found = duel(_decider(network, device, seed), other, rules, deals, seed, threads)
    tallies = Tally(), Tally(), Tally()
    for tally, values in zip(tallies, found, strict=True):
        for deal, row in enumerate(values.tolist()):
            for value in row:
                tally.add(deal, value)
    points, wins, exacts = tallies
    return Strength(points.mean(), wins.rate(), exacts.rate(), found.points.size)


def _decider(network: Network | None, device: torch.device, seed: int) -> Decide:
    chance = torch.Generator(device).manual_seed(seed)

    def decide(observations: Observation, masks: Mask) -> NDArray[np.int64]:
        legal = torch.from_numpy(masks).to(device)
        if network is None:
            worth = torch.zeros(legal.shape, device=device)
            chosen = draw(worth, legal, Curiosity(warmth=1.0), chance)
        else:
            with precision(device):
                worth = worths(network, torch.from_numpy(observations).to(device))
                chosen = draw(worth, legal, Curiosity(), None)
        found: NDArray[np.int64] = chosen.cpu().numpy()
        return found

    return decide
