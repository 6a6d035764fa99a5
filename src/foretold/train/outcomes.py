"""Decisions, and what came of them: every decision is judged by what its round brought."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import torch
from torch import Tensor
from torch.utils.dlpack import from_dlpack

from foretold.actions import ACTION_COUNT
from foretold.bots.sight import POINTS
from foretold.env.observation import AT, OBSERVATION_SIZE
from foretold.rules import MAX_PLAYERS
from foretold.train.hall import HIDDEN_SIZE, NETWORK, ROUND_ENDED

NOT_ENDED: Final = -1
_PLAYERS: Final = slice(AT["players"], AT["players"] + MAX_PLAYERS - 1)


@dataclass
class Chunk:
    """Some decisions of every table in order: time by games, on the device.

    `ended`, `points` and `taken` at a time tell of a round that ended just before it; they have a
    time more than the others.
    """

    observations: Tensor
    masks: Tensor
    hands: Tensor
    actions: Tensor
    chances: Tensor
    """The logarithm of how likely the action was."""
    strayed: Tensor
    """Whether it was taken at random, to see what comes of it."""
    seats: Tensor
    whom: Tensor
    ended: Tensor
    points: Tensor
    taken: Tensor

    @classmethod
    def empty(cls, steps: int, games: int, device: torch.device) -> Chunk:
        def make(dtype: torch.dtype, *shape: int, more: int = 0) -> Tensor:
            return torch.empty((steps + more, games, *shape), dtype=dtype, device=device)

        return cls(
            observations=make(torch.int8, OBSERVATION_SIZE),
            masks=make(torch.int8, ACTION_COUNT),
            hands=make(torch.int8, HIDDEN_SIZE),
            actions=make(torch.int64),
            chances=make(torch.float32),
            strayed=make(torch.bool),
            seats=make(torch.int8),
            whom=make(torch.int8),
            ended=make(torch.int8, more=1),
            points=make(torch.int16, MAX_PLAYERS, more=1),
            taken=make(torch.int8, MAX_PLAYERS, more=1),
        )

    @property
    def rounds(self) -> int:
        """How many rounds ended in it."""
        return int((self.ended[1:] & ROUND_ENDED != 0).sum())

    def take(self, time: int, asked: dict[str, Tensor]) -> None:
        """Keep what is asked now."""
        for name in ("observations", "masks", "hands", "seats", "whom"):
            getattr(self, name)[time] = asked[name]
        self.take_ends(time, asked)

    def take_ends(self, time: int, asked: dict[str, Tensor]) -> None:
        for name in ("ended", "points", "taken"):
            getattr(self, name)[time] = asked[name]


class Lesson(NamedTuple):
    """The network's own decisions of a chunk, and what came of each; a row each."""

    chunk: Chunk
    rows: Tensor
    """Where among all decisions of the chunk they are."""
    expected: Tensor
    """What the critic expected: own points, and the mean of the others', in units of POINTS."""
    returns: Tensor
    """What came of it, as far as is known: the same two numbers."""
    tricks: Tensor
    """The final number of tricks, or NOT_ENDED."""


class Batch(NamedTuple):
    """Some rows of a lesson, with what the network sees of them."""

    observations: Tensor
    masks: Tensor
    hands: Tensor
    actions: Tensor
    chances: Tensor
    strayed: Tensor
    expected: Tensor
    returns: Tensor
    tricks: Tensor


def batch_of(taught: Lesson, chosen: Tensor) -> Batch:
    rows = taught.rows[chosen]
    chunk = taught.chunk

    def of(name: str) -> Tensor:
        kept: Tensor = getattr(chunk, name)
        return kept.flatten(0, 1)[rows]

    return Batch(
        of("observations"),
        of("masks"),
        of("hands"),
        of("actions"),
        of("chances"),
        of("strayed"),
        taught.expected[chosen],
        taught.returns[chosen],
        taught.tricks[chosen],
    )


def lesson(chunk: Chunk, expected: Tensor, trace: float) -> Lesson:
    """Every decision with what came of it: what was expected of the same seat's next decision, that
    after it with the share `trace`, and so on to the points of the round.

    A critic that sees all hands makes these returns: of luck, only that of later decisions is left.
    What comes of straying is not held against what the seat did before.
    """
    steps, games = chunk.actions.shape
    device = expected.device
    everyone = torch.arange(games, device=device)
    players = 2 + chunk.observations[..., _PLAYERS].argmax(dim=-1)
    returns = torch.zeros_like(expected)
    tricks = torch.full((steps, games), NOT_ENDED, dtype=torch.int64, device=device)
    known = torch.zeros((steps, games), dtype=torch.bool, device=device)
    # Of every seat: what its next decision, or the end of the round, tells this one.
    following = torch.zeros((games, MAX_PLAYERS, 2), device=device)
    is_known = torch.zeros((games, MAX_PLAYERS), dtype=torch.bool, device=device)
    final = torch.full((games, MAX_PLAYERS), NOT_ENDED, dtype=torch.int64, device=device)
    for time in range(steps - 1, -1, -1):
        ended = chunk.ended[time + 1] & ROUND_ENDED != 0
        own = chunk.points[time + 1].float()
        others = (own.sum(dim=1, keepdim=True) - own) / (players[time] - 1)[:, None]
        earned = torch.stack([own, others], dim=-1) / POINTS
        following = torch.where(ended[:, None, None], earned, following)
        is_known |= ended[:, None]
        final = torch.where(ended[:, None], chunk.taken[time + 1].long(), final)
        seats = chunk.seats[time].long().clamp(min=0)
        at = following[everyone, seats]
        returns[time] = at
        known[time] = is_known[everyone, seats]
        tricks[time] = final[everyone, seats]
        # Seen from the decision before: a part of what came later, and of what is expected here.
        strayed = chunk.strayed[time]
        following[everyone, seats] = torch.where(
            (known[time] & ~strayed)[:, None],
            trace * at + (1 - trace) * expected[time],
            expected[time],
        )
        is_known[everyone, seats] = True
        final[everyone, seats] = torch.where(strayed, NOT_ENDED, tricks[time])
    rows = ((chunk.whom == NETWORK) & known).flatten().nonzero().squeeze(1)
    return Lesson(
        chunk,
        rows,
        expected.flatten(0, 1)[rows],
        returns.flatten(0, 1)[rows],
        tricks.flatten()[rows],
    )


def tensors_of(asked: Any, device: torch.device) -> dict[str, Tensor]:
    """What a hall asks, as tensors that share its memory."""
    share = from_dlpack if device.type == "cuda" else torch.from_numpy
    return {name: share(array) for name, array in asked._asdict().items()}
