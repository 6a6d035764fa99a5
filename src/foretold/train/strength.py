"""How strong a network is: whole games against others, the same deals from every seat."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray

from foretold.env.writer import Mask, Observation
from foretold.rules import Rules
from foretold.train.duel import Decide, Strength, duel
from foretold.train.network import Network
from foretold.train.opponents import SIMPLE, Temper
from foretold.train.policy import draw, leanings


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
    other = against if isinstance(against, Temper) else decider(against, device, seed)
    return duel(decider(network, device, seed), other, rules, deals, seed, threads).strength()


def decider(network: Network | None, device: torch.device, seed: int) -> Decide:
    """Asks a network for its likeliest actions; without one, takes any."""
    chance = torch.Generator(device).manual_seed(seed)

    @torch.inference_mode()
    def decide(observations: Observation, masks: Mask) -> NDArray[np.int64]:
        legal = torch.from_numpy(masks).to(device)
        if network is None:
            anything = torch.zeros(legal.shape, device=device)
            chosen = draw(anything.masked_fill(legal == 0, -torch.inf), chance)
        else:
            chosen = draw(leanings(network, torch.from_numpy(observations).to(device), legal), None)
        found: NDArray[np.int64] = chosen.cpu().numpy()
        return found

    return decide
