"""The networks: the player's, one for every mode, option and number of players, and its critic.

From an observation the player's network predicts how likely it is to take each action (its
*policy*); for every action its own points of the round less the mean of the others', and its own
points alone; and how likely each final number of its own tricks is, as things stand and for every
bid. The critic also sees the other hands, and is needed in training only.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

import torch
from torch import Tensor, nn
from torch.nn import functional

from foretold.actions import ACTION_COUNT
from foretold.bots.network import INPUTS, STEP_AT, STEP_COLUMNS, TRICK_SLOTS
from foretold.bots.outlook import TRICK_COUNTS
from foretold.env.observation import OBSERVATION_SIZE, SCALES
from foretold.train.outcomes import RESULTS
from foretold.train.vector_env import HIDDEN_SIZE, HIDDEN_WIDE

State: TypeAlias = dict[str, Tensor]
"""The weights of a network by name."""

ALIGNED: Final = 64
"""Matrices whose rows are a multiple of this long multiply fastest."""
BID_SCALE: Final = 10.0
SEEN: Final = INPUTS
HANDS: Final = HIDDEN_SIZE


class Judgement(NamedTuple):
    """The network's output, one row per observation; values and points in units of POINTS."""

    policy: Tensor
    """As logits."""
    values: Tensor
    points: Tensor
    tricks: Tensor
    """As logits: slot 0 as things stand, slot 1 + b for a bid of b."""


class Block(nn.Module):
    """A residual block of two layers; initially the identity."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = nn.Linear(width, width)
        self.second = nn.Linear(width, width)
        nn.init.zeros_(self.second.weight)
        nn.init.zeros_(self.second.bias)

    def forward(self, hidden: Tensor) -> Tensor:
        inner = torch.relu(apply(self.first, settled(hidden)))
        return hidden + apply(self.second, inner)


class Inputs(nn.Module):
    """Observations, and optionally the other hands, as input rows of the networks."""

    step_columns: Tensor
    step_at: Tensor

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("step_columns", torch.from_numpy(STEP_COLUMNS), persistent=False)
        self.register_buffer("step_at", torch.from_numpy(STEP_AT), persistent=False)

    def forward(self, observations: Tensor, hands: Tensor | None = None) -> Tensor:
        # Half precision on a GPU, where it is many times as fast; small integers stay exact.
        dtype = torch.bfloat16 if observations.is_cuda else torch.float32
        steps = observations[:, self.step_columns] >= self.step_at
        parts = [observations.to(dtype), steps.to(dtype), _blank(observations, SEEN, dtype)]
        if hands is not None:
            parts += [hands.to(dtype), _blank(observations, HANDS, dtype)]
        return torch.cat(parts, dim=1)


def _blank(rows: Tensor, count: int, dtype: torch.dtype) -> Tensor:
    return torch.zeros((len(rows), -count % ALIGNED), dtype=dtype, device=rows.device)


class Trunk(nn.Module):
    """Reads rows of small integers, each column with a scale of its own."""

    scales: Tensor

    def __init__(self, width: int, blocks: int, *, hands: bool = False) -> None:
        super().__init__()
        self.hands = hands
        scales = torch.ones(SEEN + (HANDS if hands else 0))
        scales[:OBSERVATION_SIZE] = torch.from_numpy(1 / SCALES)
        scales[SEEN + HIDDEN_WIDE - 1 :: HIDDEN_WIDE] = 1 / BID_SCALE
        self.register_buffer("scales", scales, persistent=False)
        self.inputs = nn.Linear(len(scales), width)
        # Observations are sparse: the usual initialisation would be far too weak.
        nn.init.normal_(self.inputs.weight, std=0.1)
        self.blocks = nn.ModuleList(Block(width) for _ in range(blocks))

    def forward(self, rows: Tensor) -> Tensor:
        # The weights are scaled rather than the entries: there are fewer of them.
        scaled = self.inputs.weight * self.scales
        seen = functional.pad(scaled[:, :SEEN], (0, -SEEN % ALIGNED))
        weight = seen
        if self.hands:
            hands = functional.pad(scaled[:, SEEN:], (0, -HANDS % ALIGNED))
            weight = torch.cat([seen, hands], dim=1)
        dtype = rows.dtype
        rows = rows[:, : weight.shape[1]]
        hidden = functional.linear(rows, weight.to(dtype), self.inputs.bias.to(dtype))
        for block in self.blocks:
            hidden = block(hidden)
        return settled(hidden)


class Network(nn.Module):
    """The player's network."""

    def __init__(self, width: int, blocks: int) -> None:
        super().__init__()
        self.inputs = Inputs()
        self.trunk = Trunk(width, blocks)
        self.policy = nn.Linear(width, ACTION_COUNT)
        self.values = nn.Linear(width, ACTION_COUNT)
        self.points = nn.Linear(width, ACTION_COUNT)
        self.tricks = nn.Linear(width, TRICK_SLOTS * TRICK_COUNTS)
        for head in (self.policy, self.values, self.points, self.tricks):
            nn.init.normal_(head.weight, std=0.1 * width**-0.5)
            nn.init.zeros_(head.bias)

    @classmethod
    def of(cls, state: State) -> Network:
        """The network of a state, whatever its size."""
        blocks = {name.split(".")[2] for name in state if name.startswith("trunk.blocks.")}
        network = cls(len(state["trunk.inputs.bias"]), len(blocks))
        network.load_state_dict({name: one.float() for name, one in state.items()})
        return network

    def forward(self, observations: Tensor) -> Judgement:
        seen = self.trunk(self.inputs(observations))
        return Judgement(
            exactly(self.policy, seen),
            exactly(self.values, seen),
            exactly(self.points, seen),
            self.told_tricks(seen),
        )

    def leanings(self, observations: Tensor) -> Tensor:
        """As logits, how likely each action is to be taken."""
        return exactly(self.policy, self.trunk(self.inputs(observations)))

    def told_tricks(self, seen: Tensor) -> Tensor:
        return apply(self.tricks, seen).view(len(seen), TRICK_SLOTS, TRICK_COUNTS)


class Critic(nn.Module):
    """Predicts the result of the round from what a seat sees and the hands it does not see."""

    def __init__(self, width: int, blocks: int) -> None:
        super().__init__()
        self.trunk = Trunk(width, blocks, hands=True)
        self.head = nn.Linear(width, RESULTS)
        nn.init.zeros_(self.head.weight)
        nn.init.zeros_(self.head.bias)

    def forward(self, rows: Tensor) -> Tensor:
        """What the round will bring the seat."""
        return exactly(self.head, self.trunk(rows))


def apply(layer: nn.Linear, rows: Tensor) -> Tensor:
    """The output of a layer, in the precision of its input."""
    return functional.linear(rows, layer.weight.to(rows.dtype), layer.bias.to(rows.dtype))


def settled(rows: Tensor) -> Tensor:
    """The normalised input of a layer. (Its own weights do the scaling.)"""
    return functional.layer_norm(rows, rows.shape[1:])


def exactly(head: nn.Linear, seen: Tensor) -> Tensor:
    """The output of a head in full precision: half precision cannot resolve half a point."""
    return functional.linear(seen.float(), head.weight, head.bias)
