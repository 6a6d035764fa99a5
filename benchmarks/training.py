"""How fast training is, and what it spends its time on: ``python benchmarks/training.py``."""

from __future__ import annotations

import argparse
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import torch

from foretold.rules import Rules
from foretold.train.course import device_of
from foretold.train.learner import Learner
from foretold.train.network import Network
from foretold.train.outcomes import Chunk, lesson
from foretold.train.policy import Curiosity, draw, precision, worths
from foretold.train.run import numbers_of
from foretold.train.selfplay import SelfPlay
from foretold.train.settings import Settings
from foretold.train.strength import strength


@contextmanager
def measured(what: str, decisions: int, device: torch.device) -> Iterator[None]:
    """Tell how long something took, and how many decisions a second that is."""
    if device.type == "cuda":
        torch.cuda.synchronize()
    begun = time.perf_counter()
    yield
    if device.type == "cuda":
        torch.cuda.synchronize()
    took = time.perf_counter() - begun
    print(f"{what:34} {1000 * took:9.2f} ms  {decisions / took / 1e6:8.2f} M/s", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="auto")
    parser.add_argument("--threads", type=int, default=None)
    parser.add_argument("--set", action="append", default=[], metavar="A=B")
    parser.add_argument("--lessons", type=int, default=6)
    given = parser.parse_args()
    device = device_of(given.device)
    if given.threads is not None:
        torch.set_num_threads(given.threads)
    changes = numbers_of(dict(one.partition("=")[::2] for one in given.set))
    settings = Settings(**changes) if device.type == "cuda" else Settings.small(**changes)
    print(settings, device, torch.__version__, flush=True)
    network = Network(settings.width, settings.blocks).to(device)
    learner = Learner(network, device, settings.rate)
    with measured("set up and compile", 0, device):
        play = SelfPlay(settings, device, given.threads)
        play.begin(1)
    curiosity = Curiosity(settings.warmth, settings.whim)
    chance = torch.Generator(device).manual_seed(1)
    chunks: deque[Chunk] = deque()
    played = settings.games * settings.steps
    for number in range(settings.behind + given.lessons):
        with measured(f"chunk {number}: play", played, device):
            chunks.append(play.collect(network, [network] * min(number, 3), curiosity))
        if len(chunks) > settings.behind:
            with measured("  find what came of it", played, device):
                now = lesson(chunks)
            with measured(f"  learn from {len(now.rows):,}", len(now.rows), device):
                losses = learner.learn(now, settings.batch, settings.rate, chance)
            chunks.popleft()
            print("  ", {name: round(loss, 3) for name, loss in losses.items()})
    apart(play, network, curiosity, chance, device)
    with measured("strength, 4 players", 0, device):
        told = strength(network, Rules(players=4), settings.duels, 1, device, threads=given.threads)
    print(told)
    play.close()


@torch.inference_mode()
def apart(
    play: SelfPlay,
    network: Network,
    curiosity: Curiosity,
    chance: torch.Generator,
    device: torch.device,
) -> None:
    """The parts of playing one after another, for one half of the tables."""
    half = play.halves[0]
    half.wait()
    games, times = half.hall.count, 10
    chunk = Chunk.empty(1, games, device)
    everyone = slice(0, games)
    masks = half.copy_to(chunk, 0, everyone)
    with measured("apart: copy to the device", times * games, device):
        for _ in range(times):
            half.copy_to(chunk, 0, everyone)
    with precision(device):
        with measured("apart: network", times * games, device):
            for _ in range(times):
                worth = worths(network, chunk.observations[0])
        with measured("apart: draw", times * games, device):
            for _ in range(times):
                draw(worth, masks, curiosity, chance)
    took = 0.0
    for _ in range(times):
        legal = half.hall.asked.masks * np.random.default_rng(1).random(masks.shape, np.float32)
        actions = legal.argmax(axis=1)
        begun = time.perf_counter()
        half.hall.step(actions)
        took += time.perf_counter() - begun
    print(f"apart: step the tables {times * games / took / 1e6:.2f} M/s")


if __name__ == "__main__":
    main()
