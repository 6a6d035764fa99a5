"""Decisions and their outcomes: every decision is judged by the result of its round."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from typing import Any, Final, NamedTuple

import torch
from torch import Tensor
from torch.utils.dlpack import from_dlpack

from foretold.actions import ACTION_COUNT
from foretold.bots.network import POINTS
from foretold.env.observation import AT, OBSERVATION_SIZE
from foretold.rules import MAX_PLAYERS
from foretold.train.fusing import fused
from foretold.train.seating import NETWORK
from foretold.train.vector_env import HIDDEN_SIZE, ROUND_ENDED
from foretold.train.win_chance import gains

NOT_ENDED: Final = -1
RESULTS: Final = 3
"""What a round brings a seat: its own points, the mean of the others', and its gain in the chance
of winning the game, valued in points; all in units of POINTS.
"""
_PLAYERS: Final = slice(AT["players"], AT["players"] + MAX_PLAYERS - 1)

_fused = cache(fused)

_WORD: Final = 16
"""Rows whose length is a multiple of this many bytes are gathered fastest."""
_SEEN: Final = {
    "observations": OBSERVATION_SIZE,
    "masks": ACTION_COUNT,
    "hands": HIDDEN_SIZE,
}
_STARTS: Final = [*accumulate((-(-wide // _WORD) * _WORD for wide in _SEEN.values()), initial=0)]
_ROW: Final = _STARTS.pop()
_COLUMNS: Final = {
    name: slice(start, start + wide)
    for start, (name, wide) in zip(_STARTS, _SEEN.items(), strict=True)
}


@dataclass
class Chunk:
    """Some decisions of every table in order, time by games, on the device.

    `ended`, `points` and `taken` describe a round that ended just before that time; they have one
    time step more than the others.
    """

    seen: Tensor
    """Observation, mask and other hands in one row: all are needed together."""
    actions: Tensor
    chances: Tensor
    """The log probability of the action."""
    strayed: Tensor
    """Whether it was taken at random, to explore."""
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
            seen=make(torch.int8, _ROW),
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
    def observations(self) -> Tensor:
        return self.seen[..., _COLUMNS["observations"]]

    @property
    def masks(self) -> Tensor:
        return self.seen[..., _COLUMNS["masks"]]

    def some(self, rows: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Observations, masks and other hands of these decisions."""
        words = self.seen.flatten(0, 1).view(torch.int64)[rows]
        observations, masks, hands = (words.view(torch.int8)[:, one] for one in _COLUMNS.values())
        return observations, masks, hands

    @property
    def rounds(self) -> int:
        """The number of rounds that ended in it."""
        return int((self.ended[1:] & ROUND_ENDED != 0).sum())

    def take(self, time: int, asked: dict[str, Tensor]) -> None:
        """Store what is asked now."""
        copy = _fused(_copy, self.seen.device)
        for name, columns in _COLUMNS.items():
            copy(asked[name], self.seen[time][:, columns])
        for name in ("seats", "whom"):
            getattr(self, name)[time] = asked[name]
        self.take_ends(time, asked)

    def take_ends(self, time: int, asked: dict[str, Tensor]) -> None:
        for name in ("ended", "points", "taken"):
            getattr(self, name)[time] = asked[name]


def _copy(source: Tensor, target: Tensor) -> None:
    """(On a GPU, environments are in column order, chunks in row order.)"""
    target.copy_(source)


class Lesson(NamedTuple):
    """The network's own decisions of a chunk with their outcomes, one row each."""

    chunk: Chunk
    rows: Tensor
    """Their indices among all decisions of the chunk."""
    expected: Tensor
    """What the critic expected: RESULTS numbers."""
    returns: Tensor
    """The outcome as far as known: the same numbers."""
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
        *chunk.some(rows),
        of("actions"),
        of("chances"),
        of("strayed"),
        taught.expected[chosen],
        taught.returns[chosen],
        taught.tricks[chosen],
    )


def lesson(chunk: Chunk, expected: Tensor, trace: float, winning: float) -> Lesson:
    """Every decision with its return: what the critic expected at the same seat's next decision,
    then, with the weight `trace`, at the one after it, and so on to the points of the round.

    The critic sees all hands, so only the luck of later decisions is left in these returns. Actions
    taken at random, to explore, do not count against what the seat did before. `winning` is
    what winning the game is worth, in points.
    """
    steps, games = chunk.actions.shape
    device = expected.device
    returns = torch.zeros_like(expected)
    tricks = torch.full((steps, games), NOT_ENDED, dtype=torch.int64, device=device)
    known = torch.zeros((steps, games), dtype=torch.bool, device=device)
    later = Later(
        torch.zeros((games, MAX_PLAYERS, RESULTS), device=device),
        torch.zeros((games, MAX_PLAYERS), dtype=torch.bool, device=device),
        torch.full((games, MAX_PLAYERS), NOT_ENDED, dtype=torch.int64, device=device),
    )
    step_back = _fused(_step_back, device)
    for time in range(steps - 1, -1, -1):
        later, returns[time], known[time], tricks[time] = step_back(
            later,
            chunk.ended[time + 1],
            chunk.points[time + 1],
            chunk.taken[time + 1],
            chunk.observations[time],
            chunk.seats[time],
            chunk.strayed[time],
            expected[time],
            trace,
            winning,
        )
    rows = ((chunk.whom == NETWORK) & known).flatten().nonzero().squeeze(1)
    return Lesson(
        chunk,
        rows,
        expected.flatten(0, 1)[rows],
        returns.flatten(0, 1)[rows],
        tricks.flatten()[rows],
    )


class Later(NamedTuple):
    """For every seat: what its next decision, or the end of the round, says about the one
    before.
    """

    brought: Tensor
    is_known: Tensor
    tricks: Tensor


def _step_back(
    later: Later,
    ended: Tensor,
    points: Tensor,
    taken: Tensor,
    observations: Tensor,
    seats: Tensor,
    strayed: Tensor,
    expected: Tensor,
    trace: float,
    winning: float,
) -> tuple[Later, Tensor, Tensor, Tensor]:
    """The outcome of one decision per game, and what is known one decision earlier."""
    has_ended = (ended & ROUND_ENDED != 0)[:, None]
    players = 2 + observations[:, _PLAYERS].argmax(dim=1)
    own = points.float()
    others = (own.sum(dim=1, keepdim=True) - own) / (players - 1)[:, None]
    won = winning * gains(observations, seats, players, own)
    earned = torch.stack([own, others, won], dim=-1) / POINTS
    brought = torch.where(has_ended[..., None], earned, later.brought)
    is_known = later.is_known | has_ended
    tricks = torch.where(has_ended, taken.long(), later.tricks)
    mine = torch.arange(MAX_PLAYERS, device=seats.device) == seats[:, None].clamp(min=0)
    returned = brought.where(mine[..., None], 0.0).sum(dim=1)
    known = (is_known & mine).any(dim=1)
    final = tricks.where(mine, 0).sum(dim=1)
    # Seen from the decision before: a part of what came later, and of what is expected here.
    told = torch.where(
        (known & ~strayed)[:, None], trace * returned + (1 - trace) * expected, expected
    )
    before = Later(
        torch.where(mine[..., None], told[:, None], brought),
        is_known | mine,
        torch.where(mine, torch.where(strayed, NOT_ENDED, final)[:, None], tricks),
    )
    return before, returned, known, final


def tensors_of(asked: Any, device: torch.device) -> dict[str, Tensor]:
    """What an environment asks, as tensors that share its memory."""
    share = from_dlpack if device.type == "cuda" else torch.from_numpy
    return {name: share(array) for name, array in asked._asdict().items()}
