"""Proximal policy optimisation on a GPU: ``python examples/ppo.py`` beats `simple` in minutes.

One network plays all four seats of thousands of rounds side by side. Nothing leaves the device:
observations, masks and rewards are read where the environment wrote them. It needs
``pip install 'foretold[train,cuda]'``; with ``--device cpu`` the same runs without a GPU, slowly.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional
from torch.utils.dlpack import from_dlpack

from foretold import Rules
from foretold.actions import ACTION_COUNT
from foretold.env import OBSERVATION_SIZE, SCALES, BatchEnv
from foretold.train.duel import Strength, duel
from foretold.train.opponents import SIMPLE

POINTS = 30.0  # returns are learned in units of this many points


class Actor(nn.Module):
    """The logits of the actions, and the seat's expected points."""

    scales: Tensor

    def __init__(self, width: int) -> None:
        super().__init__()
        self.register_buffer("scales", torch.from_numpy(SCALES).float())
        self.layers = nn.Sequential(
            *(nn.Linear(OBSERVATION_SIZE, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()),
            nn.Linear(width, ACTION_COUNT + 1),
        )

    def forward(self, observations: Tensor, masks: Tensor) -> tuple[Tensor, Tensor]:
        with torch.autocast(observations.device.type, torch.bfloat16, observations.is_cuda):
            told = self.layers(observations / self.scales).float()
        return told[:, :-1].masked_fill(masks == 0, -1e9), told[:, -1]


def train(
    rules: Rules,
    device: str,
    seconds: float,
    *,
    games: int,
    steps: int,
    batch: int,
    width: int,
    rate: float,
) -> Iterator[tuple[int, Actor]]:
    """Train until the time is up; yields the number of decisions so far, and the network."""
    actor, players = Actor(width).to(device), rules.players
    optimiser = torch.optim.Adam(actor.parameters(), lr=rate)
    env = BatchEnv(rules, games, seed=1, device=device)
    now = [from_dlpack(array) for array in env.reset()]  # overwritten by every step
    observations, masks, rewards, dones, seats = now
    played = [torch.empty((steps, *one.shape), dtype=one.dtype, device=device) for one in now]
    actions = torch.empty((steps, games), dtype=torch.int64, device=device)
    chances = torch.empty((steps, games), device=device)
    returns = torch.empty((steps, games), device=device)
    decisions, end = 0, time.monotonic() + seconds
    while time.monotonic() < end:
        for step in range(steps):  # play
            played[0][step], played[1][step], played[4][step] = observations, masks, seats
            with torch.no_grad():
                logits = functional.log_softmax(actor(observations, masks)[0], dim=1)
            actions[step] = (logits - torch.empty_like(logits).exponential_().log()).argmax(dim=1)
            chances[step] = logits.gather(1, actions[step, :, None]).squeeze(1)
            env.step(actions[step])
            played[2][step], played[3][step] = rewards, dones
        points = played[2]
        lead = (players * points - points.sum(dim=2, keepdim=True)) / (players - 1)
        ahead = torch.full((games, players), torch.nan, device=device)  # NaN: the round goes on
        for step in reversed(range(steps)):
            ahead = torch.where(played[3][step, :, None].bool(), lead[step], ahead)
            returns[step] = ahead.gather(1, played[4][step, :, None]).squeeze(1) / POINTS
        whole = returns.flatten().isfinite().nonzero().squeeze(1)
        order = whole[torch.randperm(len(whole), device=device)]
        for rows in torch.split(order, batch):  # learn
            some = [one.flatten(0, 1)[rows] for one in (*played[:2], actions, chances, returns)]
            logits, value = actor(some[0], some[1])
            logits = functional.log_softmax(logits, dim=1)
            gain = some[4] - value.detach()
            ratio = (logits.gather(1, some[2][:, None]).squeeze(1) - some[3]).exp()
            better = torch.minimum(ratio * gain, ratio.clamp(0.8, 1.2) * gain).mean()
            undecided = -(logits.exp() * logits).sum(dim=1).mean()
            loss = functional.mse_loss(value, some[4]) - better - 0.01 * undecided
            optimiser.zero_grad()
            torch.autograd.backward(loss)
            nn.utils.clip_grad_norm_(actor.parameters(), 1.0)
            optimiser.step()
        decisions += len(whole)
        yield decisions, actor


def strength(actor: Actor, rules: Rules, device: str, deals: int) -> Strength:
    """Its strength against `simple` in all other seats, over whole games."""

    @torch.no_grad()
    def decide(observations: NDArray[np.int8], masks: NDArray[np.int8]) -> NDArray[np.int64]:
        seen, legal = (torch.from_numpy(one).to(device) for one in (observations, masks))
        chosen: NDArray[np.int64] = actor(seen, legal)[0].argmax(dim=1).cpu().numpy()
        return chosen

    return duel(decide, SIMPLE, rules, deals, seed=1).strength()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda", choices=("cuda", "cpu"))
    parser.add_argument("--seconds", type=float, default=180)
    parser.add_argument("--games", type=int, default=16384)
    parser.add_argument("--steps", type=int, default=96)
    parser.add_argument("--batch", type=int, default=16384)
    parser.add_argument("--width", type=int, default=512)
    parser.add_argument("--rate", type=float, default=5e-4)
    parser.add_argument("--deals", type=int, default=250, help="deals for measuring strength")
    given = parser.parse_args()
    rules, begun, last = Rules(players=4), time.monotonic(), 0.0
    for decisions, actor in train(
        rules,
        given.device,
        given.seconds,
        games=given.games,
        steps=given.steps,
        batch=given.batch,
        width=given.width,
        rate=given.rate,
    ):
        if (spent := time.monotonic() - begun) > last + given.seconds / 10:
            last = spent
            told = strength(actor, rules, given.device, given.deals)
            print(f"{spent:4.0f} s, {decisions / 1e6:6.1f} million decisions: {told}", flush=True)


if __name__ == "__main__":
    main()
