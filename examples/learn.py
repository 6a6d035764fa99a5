"""Learning to play short rounds, with NumPy alone: ``python examples/learn.py`` (half a minute).

A small network plays one seat at 1,000 tables; the others play at random. It is trained by plain
policy gradient: actions become likelier if their round went better than others of its size.
It starts at 1 point a round and reaches about 12.5; the simple bot scores 13.3 in its place.
"""

from __future__ import annotations

import argparse
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from foretold import Rules
from foretold.actions import ACTION_COUNT
from foretold.env import AT, LABELS, SCALES, BatchEnv, columns

Floats = NDArray[np.float32]

LEARNER = 0
CURIOSITY = 0.05  # entropy bonus: without it, the policy settles too early
SEES = columns(
    *("phase", "size", "tricks_left", "leader", "trump", "in_trick", "led", "winning"),
    *("bids", "shown", "needs", "excess", "hand", "unseen"),
)
BID = list(SEES).index(LABELS.index("phase[bid]"))


class Decisions(NamedTuple):
    """Decisions, and the points scored in their rounds."""

    inputs: Floats
    legal: NDArray[np.bool_]
    actions: NDArray[np.int64]
    sizes: NDArray[np.int64]
    points: Floats


class Policy:
    """One hidden layer, and a softmax over the legal actions; learns with Adam."""

    def __init__(self, seed: int, hidden: int = 96, rate: float = 0.005) -> None:
        self.random = np.random.default_rng(seed)
        first = self.random.normal(0, len(SEES) ** -0.5, (len(SEES), hidden))
        second = self.random.normal(0, 0.01, (hidden, ACTION_COUNT))
        self.weights = [first.astype(np.float32), second.astype(np.float32)]
        self.rate = rate
        self.steps = 0
        self.means = [np.zeros_like(weight) for weight in self.weights]
        self.squares = [np.zeros_like(weight) for weight in self.weights]

    def chances(self, inputs: Floats, legal: NDArray[np.bool_]) -> tuple[Floats, Floats]:
        """The hidden layer's output, and the probability of each action."""
        hidden = np.maximum(inputs @ self.weights[0], 0)
        logits = np.where(legal, hidden @ self.weights[1], -np.inf)
        likely = np.exp(logits - logits.max(axis=1, keepdims=True))
        return hidden, likely / likely.sum(axis=1, keepdims=True)

    def choose(self, inputs: Floats, legal: NDArray[np.bool_]) -> NDArray[np.int64]:
        _, chances = self.chances(inputs, legal)
        # The argmax of chances divided by exponential noise is a sample from the chances.
        noise = self.random.standard_exponential(chances.shape, dtype=np.float32)
        drawn: NDArray[np.int64] = (chances / (noise + 1e-9)).argmax(axis=1)
        return drawn

    def learn(self, batch: Decisions) -> None:
        """Make an action likelier if it beat the mean of its round size, and the reverse."""
        gains = np.empty_like(batch.points)
        for size in np.unique(batch.sizes):
            same = batch.sizes == size
            gains[same] = batch.points[same] - batch.points[same].mean()
        gains /= gains.std() + 1e-6
        hidden, chances = self.chances(batch.inputs, batch.legal)
        towards = -chances
        towards[np.arange(len(gains)), batch.actions] += 1
        towards *= gains[:, np.newaxis]
        logs = np.log(chances + 1e-9)
        towards += CURIOSITY * chances * ((chances * logs).sum(axis=1, keepdims=True) - logs)
        towards /= len(gains)
        back = (towards @ self.weights[1].T) * (hidden > 0)
        self.ascend([batch.inputs.T @ back, hidden.T @ towards])

    def ascend(self, gradients: list[Floats]) -> None:
        self.steps += 1
        for weight, gradient, mean, square in zip(
            self.weights, gradients, self.means, self.squares, strict=True
        ):
            mean += 0.1 * (gradient - mean)
            square += 0.01 * (gradient**2 - square)
            unbiased = mean / (1 - 0.9**self.steps)
            spread = np.sqrt(square / (1 - 0.99**self.steps)) + 1e-8
            weight += self.rate * unbiased / spread


def play(env: BatchEnv, policy: Policy, steps: int) -> Decisions:
    """Play on, and keep the learner's decisions from the rounds that were finished."""
    seen = env.step(env.random_actions())
    kept = []
    sizes, rewards, dones = [], [], []
    for _ in range(steps):
        actions = env.random_actions()
        own = np.flatnonzero(seen.seats == LEARNER)
        inputs = (seen.observations[own][:, SEES] / SCALES[SEES]).astype(np.float32)
        legal = seen.masks[own] == 1
        chosen = policy.choose(inputs, legal)
        actions[own] = chosen
        kept.append((own, inputs, legal, chosen))
        sizes.append(seen.observations[own, AT["size"]].astype(np.int64))
        seen = env.step(actions)
        rewards.append(seen.rewards[:, LEARNER].copy())
        dones.append(seen.dones.copy())
    points = np.full(env.games, np.nan, dtype=np.float32)  # of each game's round, looking backwards
    outcomes = []
    for step in reversed(range(steps)):
        points = np.where(dones[step], rewards[step], points)
        outcomes.append(points[kept[step][0]])
    earned = np.concatenate(outcomes[::-1])
    _, inputs, legal, chosen = (np.concatenate(part) for part in zip(*kept, strict=True))
    whole = np.isfinite(earned)
    return Decisions(
        inputs[whole], legal[whole], chosen[whole], np.concatenate(sizes)[whole], earned[whole]
    )


def train(iterations: int, seed: int = 1, report_every: int = 20) -> list[float]:
    """Train a policy; returns its mean points per round, iteration by iteration."""
    env = BatchEnv(Rules(players=3, rounds="1-3"), games=1000, seed=seed)
    env.reset()
    policy = Policy(seed)
    means: list[float] = []
    for iteration in range(1, iterations + 1):
        batch = play(env, policy, steps=36)
        policy.learn(batch)
        rounds = batch.points[batch.inputs[:, BID] > 0]  # the learner bids once in each round
        means.append(float(rounds.mean()))
        if iteration == 1 or iteration % report_every == 0:
            exact = float((rounds > 0).mean())
            print(f"{iteration:5}  {means[-1]:6.2f} points a round, {exact:4.0%} exact", flush=True)
    return means


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--iterations", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    train(given.iterations, given.seed)


if __name__ == "__main__":
    main()
