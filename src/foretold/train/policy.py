"""Drawing decisions from the network's policy."""

from __future__ import annotations

import torch
from torch import Tensor

from foretold.train.network import Network


def leanings(network: Network, observations: Tensor, masks: Tensor) -> Tensor:
    """The logits of a network's policy over legal actions."""
    return network.leanings(observations).masked_fill(masks == 0, -torch.inf)


def draw(logits: Tensor, chance: torch.Generator | None) -> Tensor:
    """One action per row, sampled from the logits; without `chance`, the likeliest."""
    if chance is not None:
        logits = logits + noise_of(logits, chance)
    return logits.argmax(dim=1)


def noise_of(logits: Tensor, chance: torch.Generator) -> Tensor:
    """Gumbel noise: added to the logits, it makes their maximum a sample from the policy."""
    return torch.empty_like(logits).exponential_(generator=chance).log_().neg_()
