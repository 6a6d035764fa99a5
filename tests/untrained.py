"""A trained player that has learned nothing, to test everything but its knowledge."""

from __future__ import annotations

import torch

from foretold.bots.network import Sage
from foretold.train.network import Network
from foretold.train.weights import to_arrays


def untrained() -> Sage:
    """The same weights each time, drawn so that no two choices are worth the same."""
    torch.manual_seed(3)
    network = Network(32, 1)
    for parameter in network.parameters():
        torch.nn.init.normal_(parameter, std=0.2)
    return Sage(to_arrays(network))
