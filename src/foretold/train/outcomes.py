"""Decisions, and what came of them: every decision is taught by the end of its round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import torch
from torch import Tensor

from foretold.env.observation import AT, OBSERVATION_SIZE
from foretold.kernel.layout import MAX_PLAYERS
from foretold.train.hall import NETWORK, ROUND_ENDED

_PLAYERS: Final = slice(AT["players"], AT["players"] + MAX_PLAYERS - 1)


@dataclass
class Chunk:
    """Some decisions of every table in order: time by games, on the device.

    `ended`, `points` and `taken` at a time tell of a round that ended just before it.
    """

    observations: Tensor
    actions: Tensor
    seats: Tensor
    whom: Tensor
    ended: Tensor
    points: Tensor
    taken: Tensor

    @classmethod
    def empty(cls, steps: int, games: int, device: torch.device) -> Chunk:
        def make(dtype: torch.dtype, *shape: int) -> Tensor:
            return torch.empty((steps, games, *shape), dtype=dtype, device=device)

        return cls(
            observations=make(torch.int8, OBSERVATION_SIZE),
            actions=make(torch.int64),
            seats=make(torch.int8),
            whom=make(torch.int8),
            ended=make(torch.int8),
            points=make(torch.int16, MAX_PLAYERS),
            taken=make(torch.int8, MAX_PLAYERS),
        )


class Lesson(NamedTuple):
    """The network's own decisions of a chunk, and what each should have told."""

    observations: Tensor
    """Of all decisions of the chunk."""
    rows: Tensor
    """Where among them the network's own are."""
    actions: Tensor
    values: Tensor
    points: Tensor
    tricks: Tensor


def lesson(chunks: Sequence[Chunk]) -> Lesson:
    """What is to be learned from the oldest chunk; the others have the ends of its rounds."""
    oldest = chunks[0]
    steps, games = oldest.actions.shape
    ended = torch.cat([chunk.ended for chunk in chunks]).bitwise_and(ROUND_ENDED) != 0
    times = torch.arange(len(ended), device=ended.device)[:, None]
    at = torch.where(ended, times, len(ended))
    next_end = at.flip(0).cummin(0).values.flip(0)
    # A chunk alone ends with decisions of which nothing is known.
    following = torch.nn.functional.pad(next_end, (0, 0, 0, 1), value=len(ended))[1 : steps + 1]
    known = following < len(ended)
    rows = ((oldest.whom == NETWORK) & known).flatten().nonzero().squeeze(1)
    end, game = following.flatten()[rows], rows % games
    seats = oldest.seats.flatten()[rows].long()
    observations = oldest.observations.flatten(0, 1)
    players = 2 + observations[:, _PLAYERS][rows].argmax(dim=1, keepdim=True)
    clockwise = torch.arange(MAX_PLAYERS, device=rows.device)
    order = (seats[:, None] + clockwise) % players
    points = torch.cat([chunk.points for chunk in chunks])[end, game].gather(1, order)
    points = points.masked_fill(clockwise >= players, 0).float()
    own = points[:, 0]
    others = (points.sum(dim=1) - own) / (players.squeeze(1) - 1)
    taken = torch.cat([chunk.taken for chunk in chunks])[end, game]
    return Lesson(
        observations,
        rows,
        oldest.actions.flatten()[rows],
        own - others,
        own,
        taken.gather(1, seats[:, None]).squeeze(1).long(),
    )


class Batch(NamedTuple):
    """Decisions to learn from at once, and what each should have told."""

    observations: Tensor
    actions: Tensor
    values: Tensor
    points: Tensor
    tricks: Tensor


def batch_of(taught: Lesson, chosen: Tensor) -> Batch:
    return Batch(
        taught.observations[taught.rows[chosen]],
        taught.actions[chosen],
        taught.values[chosen],
        taught.points[chosen],
        taught.tricks[chosen],
    )
