"""The network: one for every mode, option and number of players.

From an observation it tells, for every action, the own points of the round less the mean of the
others' (what it plays for) and the own points alone; and how likely each final number of own tricks
is, as things stand and for every bid.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import torch
from torch import Tensor, nn

from foretold.actions import ACTION_COUNT
from foretold.bots.prospect import TRICK_COUNTS
from foretold.bots.sight import INPUTS, STEP_AT, STEP_COLUMNS, TRICK_SLOTS
from foretold.env.observation import SCALES

State: TypeAlias = dict[str, Tensor]
"""The weights of a network by name."""


class Judgement(NamedTuple):
    """What the network makes of observations, a row each; the first two in units of POINTS."""

    values: Tensor
    points: Tensor
    tricks: Tensor
    """As logits: slot 0 as things stand, slot 1 + b for a bid of b."""


class Block(nn.Module):
    """Adds to its input what two layers make of it; at first nothing."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = nn.Linear(width, width)
        self.second = nn.Linear(width, width)
        nn.init.zeros_(self.second.weight)
        nn.init.zeros_(self.second.bias)

    def forward(self, hidden: Tensor) -> Tensor:
        added: Tensor = self.second(torch.relu(self.first(torch.relu(hidden))))
        return hidden + added


class Network(nn.Module):
    scales: Tensor
    step_columns: Tensor
    step_at: Tensor

    def __init__(self, width: int, blocks: int) -> None:
        super().__init__()
        self.register_buffer("scales", torch.from_numpy(1 / SCALES), persistent=False)
        self.register_buffer("step_columns", torch.from_numpy(STEP_COLUMNS), persistent=False)
        self.register_buffer("step_at", torch.from_numpy(STEP_AT), persistent=False)
        self.inputs = nn.Linear(INPUTS, width)
        # Few entries of an observation are not 0: the usual start would be far too faint.
        nn.init.normal_(self.inputs.weight, std=0.1)
        self.blocks = nn.ModuleList(Block(width) for _ in range(blocks))
        self.values = nn.Linear(width, ACTION_COUNT)
        self.points = nn.Linear(width, ACTION_COUNT)
        self.tricks = nn.Linear(width, TRICK_SLOTS * TRICK_COUNTS)
        for head in (self.values, self.points, self.tricks):
            nn.init.normal_(head.weight, std=0.1 * width**-0.5)
            nn.init.zeros_(head.bias)

    @classmethod
    def of(cls, state: State) -> Network:
        """The network that a state is of, whatever its size."""
        blocks = {name.split(".")[1] for name in state if name.startswith("blocks.")}
        network = cls(len(state["inputs.bias"]), len(blocks))
        network.load_state_dict({name: one.float() for name, one in state.items()})
        return network

    def trunk(self, observations: Tensor) -> Tensor:
        dtype = torch.bfloat16 if observations.is_cuda else torch.float32
        steps = observations[:, self.step_columns] >= self.step_at
        scaled = observations.to(dtype) * self.scales.to(dtype)
        hidden: Tensor = self.inputs(torch.cat([scaled, steps.to(dtype)], dim=1))
        for block in self.blocks:
            hidden = block(hidden)
        return torch.relu(hidden)

    def forward(self, observations: Tensor) -> Judgement:
        seen = self.trunk(observations)
        return Judgement(
            exactly(self.values, seen),
            exactly(self.points, seen),
            self.tricks(seen).unflatten(-1, (TRICK_SLOTS, TRICK_COUNTS)),
        )


def exactly(head: nn.Linear, seen: Tensor) -> Tensor:
    """What a head says in full precision: half of it cannot tell actions apart by half a point."""
    with torch.autocast(seen.device.type, enabled=False):
        told: Tensor = head(seen.float())
    return told
