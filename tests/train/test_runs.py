"""Training runs: they learn, survive a kill, share the work, and refuse what does not fit."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest
import torch

from foretold.bots.network import Sage
from foretold.cli import main
from foretold.env import OBSERVATION_SIZE
from foretold.errors import UnreadableError
from foretold.rules import Rules
from foretold.train.network import Network
from foretold.train.run import numbers_of
from foretold.train.settings import Settings
from foretold.train.strength import strength
from foretold.train.training_loop import CHECKPOINT, CURVES, WEIGHTS, TrainingRun, device_of
from train.small import CPU, TINY, command, weights


def test_a_short_run_is_far_better_than_random(tmp_path: Path) -> None:
    settings = Settings.small(
        width=32, critic_width=32, games=256, leg=9, rules=64, batch=256, duels=1, seed=2, rate=4e-3
    )
    training = TrainingRun(tmp_path, settings, CPU, threads=1)
    points = list(training.run(lessons=18))
    rules = Rules(players=4)
    random = strength(None, rules, 64, 5, CPU, threads=1)
    trained = strength(training.network, rules, 64, 5, CPU, threads=1)
    assert trained.points.low is not None
    assert random.points.high is not None
    assert trained.points.low > random.points.high + 200
    assert trained.exact.value > random.exact.value + 0.08
    assert [point["lessons"] for point in points] == [9, 18]
    ElementTree.parse(tmp_path / CURVES)
    assert Sage.load(tmp_path / WEIGHTS).judge(np.zeros((1, OBSERVATION_SIZE), np.int8))


def test_a_run_that_was_killed_goes_on_as_if_it_had_not_been(tmp_path: Path) -> None:
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    for _ in TrainingRun(whole, TINY, CPU, threads=1).run(lessons=16):
        pass
    chance = Random(4)
    for _ in range(2):
        process = subprocess.Popen(
            [sys.executable, "-m", "foretold.cli", *command(killed, lessons=16)],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert process.stdout is not None
        assert process.stdout.readline()  # a leg is done
        time.sleep(chance.random() / 10)
        process.send_signal(signal.SIGKILL)
        process.communicate()
    assert TrainingRun(killed, TINY, CPU, threads=1).standing.lessons < 16
    for _ in TrainingRun(killed, TINY, CPU, threads=1).run(lessons=16):
        pass
    theirs, ours = weights(whole), weights(killed)
    assert theirs.keys() == ours.keys()
    assert all(torch.equal(theirs[name], ours[name]) for name in ours)


def test_a_file_that_is_no_checkpoint_is_refused(tmp_path: Path) -> None:
    (tmp_path / CHECKPOINT).write_bytes(b"PK no checkpoint")
    with pytest.raises(UnreadableError, match="no checkpoint"):
        TrainingRun(tmp_path, TINY, CPU, threads=1)


def test_settings_of_the_command_line(tmp_path: Path) -> None:
    assert numbers_of({"width": "64", "rate": "0.01"}) == {"width": 64, "rate": 0.01}
    for wrong in ({"breadth": "3"}, {"width": "wide"}):
        with pytest.raises(UnreadableError):
            numbers_of(wrong)
    with pytest.raises(UnreadableError, match="auto, cuda or cpu"):
        device_of("abacus")


def test_a_run_is_resumed_with_changes_that_fit(tmp_path: Path) -> None:
    training = TrainingRun(tmp_path, TINY, CPU, threads=1)
    next(training.run(lessons=4))
    again = TrainingRun(tmp_path, Settings(), CPU, threads=1, changes={"trace": 0.5})
    assert again.settings == replace(TINY, trace=0.5)
    assert again.standing.lessons == 2
    assert [point["lessons"] for point in again.run(lessons=4)] == [4]
    with pytest.raises(UnreadableError, match="width 16"):
        TrainingRun(tmp_path, TINY, CPU, threads=1, changes={"width": 64})


def test_guests_are_met_and_kept(tmp_path: Path) -> None:
    class Guest(Network):
        asked = 0

        def leanings(self, observations: torch.Tensor) -> torch.Tensor:
            Guest.asked += len(observations)
            return super().leanings(observations)

    settings = replace(TINY, with_snapshots=0.5)
    training = TrainingRun(tmp_path, settings, CPU, threads=1, guests=[Network(16, 2).state_dict()])
    with pytest.MonkeyPatch.context() as patch:
        # There are no older versions yet: the guest joins instead.
        patch.setattr("foretold.train.trainer.Network", Guest)
        next(training.run(lessons=4))
    assert Guest.asked > 0
    resumed = TrainingRun(tmp_path, TINY, CPU, threads=1)
    assert [len(state["trunk.inputs.bias"]) for state in resumed.standing.guests] == [16]
    assert not TrainingRun(tmp_path, TINY, CPU, threads=1, guests=[]).standing.guests


def test_a_run_starts_from_weights(tmp_path: Path) -> None:
    network = Network(TINY.width, TINY.blocks)
    settings = replace(TINY, critic_first=2)
    training = TrainingRun(tmp_path, settings, CPU, threads=1, start=network.state_dict())
    next(training.run(lessons=2))
    for name, one in TrainingRun(tmp_path, TINY, CPU, threads=1).network.state_dict().items():
        assert torch.allclose(one, network.state_dict()[name], atol=1e-6)
    with pytest.raises(UnreadableError, match="another size"):
        TrainingRun(tmp_path / "other", TINY, CPU, start=Network(24, 2).state_dict())


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--lessons", "1", "--start", "nobody.npz"], "nobody.npz holds no weights"),
        (["--lessons", "1", "--guest", "nobody.npz"], "nobody.npz holds no weights"),
        ([], "--seconds or --lessons"),
        (["--seconds", "5", "--lessons", "5"], "--seconds or --lessons"),
        (["--lessons", "1", "--device", "abacus"], "auto, cuda or cpu"),
        (["--lessons", "1", "--set", "breadth=3"], "unknown setting 'breadth'"),
    ],
)
def test_a_wrong_call_is_answered_in_one_line(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    words: str,
) -> None:
    monkeypatch.setattr(sys, "argv", ["foretold", "train", str(tmp_path / "run"), *arguments])
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 2
    told = capsys.readouterr().err
    assert words in told
    assert told.count("\n") == 1
    assert not (tmp_path / "run").exists()
