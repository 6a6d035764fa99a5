"""Work on a Ray cluster gives the same results as at home; one cluster serves all tests."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from arena.odd import ODD_BOTS, timeless
from commands import Run, runner
from foretold.cluster import cluster
from foretold.train.network import State
from foretold.train.on_ray import mean_of, seed_of
from foretold.train.trainer import Trainer
from foretold.train.training_loop import seed_of_leg
from train.small import CPU, TINY, command, weights


@pytest.fixture(scope="module", autouse=True)
def _cluster() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_ADDRESS", "local")  # never one that somebody is using
        with cluster():
            yield


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    return runner(capfd, monkeypatch)


def test_a_match_has_the_same_result(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "odd.py").write_text(ODD_BOTS)
    monkeypatch.chdir(tmp_path)
    bots = ["simple", "odd:Careless", "odd:Raiser"]
    match = ["arena", *bots, "--json", "--games", "6", "-o", "rounds=1-2", "--jobs", "2"]
    here, there = run(*match), run(*match, "--ray")
    assert here.code == there.code == 0
    assert timeless(there.json) == timeless(here.json)
    assert there.json["bots"][2]["faults"] > 0


def test_trainers_learn_as_one(run: Run, tmp_path: Path) -> None:
    answer = run(*command(tmp_path, lessons=2), "--set=leg=1", "--ray", "--trainers=2")
    assert answer.code == 0
    settings = replace(TINY, leg=1)
    trainers = [Trainer(settings, CPU, threads=1) for _ in range(2)]
    older: list[State] = []
    for leg in range(2):
        seed = seed_of_leg(settings, leg)
        for number, trainer in enumerate(trainers):
            trainer.begin(seed_of(seed, number), older)
            trainer.lesson(leg / 2)
        agreed = mean_of([deepcopy(trainer.settle()) for trainer in trainers])
        for trainer in trainers:
            trainer.learner.load(deepcopy(agreed))
        older.append({name: one.bfloat16() for name, one in agreed["network"].items()})
    for trainer in trainers:
        trainer.close()
    found = weights(tmp_path)
    assert all(torch.equal(found[name], agreed["network"][name]) for name in found)
