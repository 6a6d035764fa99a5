"""How fast training is, and where its time goes: ``python benchmarks/training.py --device cuda``.

A lesson plays some decisions at every table and learns from them. The first lessons
compile what they need and are not counted.
"""

from __future__ import annotations

import argparse
import time

import torch

from foretold.train.learner import Learner
from foretold.train.run import numbers_of
from foretold.train.selfplay import SelfPlay
from foretold.train.settings import Settings
from foretold.train.trainer import curiosity, rate
from foretold.train.training_loop import device_of


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="auto")
    parser.add_argument("--threads", type=int)
    parser.add_argument("--lessons", type=int, default=5)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    asked = parser.parse_args()
    device = device_of(asked.device)
    given = numbers_of(dict(one.split("=", 1) for one in asked.set))
    settings = Settings(**given) if device.type == "cuda" else Settings.small(**given)
    learner = Learner(settings, device)
    play = SelfPlay(settings, device, asked.threads)
    play.begin(1)
    chance = torch.Generator(device).manual_seed(1)
    playing = learning = 0.0
    played = learned = 0
    for number in range(asked.lessons + 1):
        began = now(device)
        chunk = play.collect(learner.network, [])
        between = now(device)
        count, _ = learner.learn(chunk, rate(settings, 0.1), curiosity(settings, 0.1), chance)
        if number > 0:
            playing += between - began
            learning += now(device) - between
            played += chunk.actions.numel()
            learned += count
    total = playing + learning
    print(f"{learned / total / 1e3:,.0f} thousand decisions a second played and learned")
    print(f"playing {playing / total:.0%} of the time ({played / playing / 1e3:,.0f} k/s alone)")
    print(f"learning {learning / total:.0%} ({learned / learning / 1e3:,.0f} k/s alone)")


def now(device: torch.device) -> float:
    if device.type == "cuda":
        torch.cuda.synchronize()
    return time.perf_counter()


if __name__ == "__main__":
    main()
