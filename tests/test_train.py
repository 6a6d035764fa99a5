"""Training: halls of many rules, their company, lessons, strength, and runs that survive a kill."""

from __future__ import annotations

import importlib.util
import os
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from foretold.actions import ACTION_COUNT
from foretold.bots import SimpleBot
from foretold.bots.sight import Sage
from foretold.cli import main
from foretold.env import AT, OBSERVATION_SIZE
from foretold.env.reading import rows_of, see_seat
from foretold.env.writer import blank
from foretold.errors import UnreadableError
from foretold.kernel import Phase
from foretold.kernel.layout import BIDS, BIDS_MADE, HAND, PLAYERS, SIZE
from foretold.rules import Bidding, BidRule, Clairvoyance, Mode, Rules
from foretold.train import checkpoint
from foretold.train.company import SIMPLE, STRANGER, act, draw_tempers, rows
from foretold.train.course import CHECKPOINT, CURVES, WEIGHTS, Course, device_of, seed_of_leg
from foretold.train.hall import (
    ALONE,
    BY_RULE,
    GAME_ENDED,
    NETWORK,
    ROUND_ENDED,
    SNAPSHOT,
    WITH_RULES,
    WITH_SNAPSHOT,
    Hall,
)
from foretold.train.imitation import imitate
from foretold.train.network import Network, State
from foretold.train.on_ray import mean_of, seed_of
from foretold.train.outcomes import Chunk, batch_of, lesson
from foretold.train.policy import Curiosity, draw
from foretold.train.pupil import Pupil
from foretold.train.run import numbers_of
from foretold.train.selfplay import SelfPlay
from foretold.train.settings import Settings
from foretold.train.strength import strength
from foretold.train.variety import some_rules
from foretold.train.watching import watch_game
from foretold.train.weights import read_weights, to_arrays, write_weights
from test_env import VARIANTS, some_game

CPU = torch.device("cpu")
torch.set_num_threads(1)  # the tests run side by side, more of them than there are cores
TINY = Settings.small(width=32, games=96, rules=64, leg=2, batch=256, duels=2)


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)


def some_hall(
    games: int = 120, seed: int = 1, *, by_round: bool = True
) -> tuple[Hall, list[Rules]]:
    pool = some_rules(80, seed)
    seating = np.array([(ALONE, WITH_RULES, WITH_SNAPSHOT)[game % 3] for game in range(games)])
    tempers = rows(draw_tempers(16, seed))
    return Hall(pool, seating, tempers, seed=seed, by_round=by_round, threads=1), pool


def any_actions(masks: NDArray[np.int8], chance: np.random.Generator) -> NDArray[np.int64]:
    drawn: NDArray[np.int64] = (masks * (1 + chance.random(masks.shape))).argmax(axis=1)
    return drawn


# The tables


def test_every_option_is_trained_and_the_base_game_most() -> None:
    pool = some_rules(2000, seed=3)
    assert {one.mode for one in pool} == set(Mode)
    assert {one.bidding for one in pool} == set(Bidding)
    assert {one.bid_rule for one in pool} == set(BidRule)
    assert {one.clairvoyance for one in pool} == set(Clairvoyance)
    assert {one.players for one in pool} == {2, 3, 4, 5, 6}
    assert {len(one.specials) for one in pool} >= {0, 1, 2, 4, 7}
    base = [Rules(players=players) for players in (3, 4, 5, 6)]
    assert 0.05 < sum(one.rounds != "all" for one in pool) / len(pool) < 0.2
    assert 0.5 < sum(one in base for one in pool) / len(pool) < 0.7


@pytest.mark.parametrize("by_round", [True, False])
def test_what_is_asked_is_what_the_seat_sees(by_round: bool) -> None:
    """Rules and company change from episode to episode: nothing of the last one may be left."""
    hall, pool = some_hall(by_round=by_round)
    chance = np.random.default_rng(1)
    asked = hall.begin()
    played: set[int] = set()
    for _ in range(150):
        hall.step(any_actions(asked.masks, chance))
        played |= set(hall.games.rules.tolist())
    assert len(played) > 40
    assert set(asked.whom.tolist()) == {NETWORK, SNAPSHOT}
    for game in range(hall.count):
        observation = np.zeros(OBSERVATION_SIZE, dtype=np.int8)
        mask = np.zeros(ACTION_COUNT, dtype=np.int8)
        rules = pool[hall.games.rules[game]]
        state, memory = hall.games.states[game], hall.games.memories[game]
        see_seat(state, memory, int(asked.seats[game]), blank(rules), observation, mask)
        assert (asked.observations[game] == observation).all()
        assert (asked.masks[game] == mask).all()
        assert mask.sum() > 1
        assert hall.games.seated[game, asked.seats[game]] < BY_RULE


def test_an_illegal_answer_is_refused() -> None:
    hall, _ = some_hall(games=4)
    asked = hall.begin()
    actions = any_actions(asked.masks, np.random.default_rng(1))
    actions[2] = int((asked.masks[2] == 0).argmax())
    with pytest.raises(ValueError, match="game 2"):
        hall.step(actions)


def test_a_seed_repeats_a_hall_on_any_number_of_threads() -> None:
    halls = [some_hall()[0], some_hall()[0]]
    halls[1]._parts = [(0, 50), (50, 120)]
    chances = [np.random.default_rng(1), np.random.default_rng(1)]
    for hall in halls:
        hall.begin()
    for _ in range(40):
        for hall, chance in zip(halls, chances, strict=True):
            hall.step(any_actions(hall.asked.masks, chance))
    assert (halls[0].games.states == halls[1].games.states).all()


def test_company_looks_only_at_what_its_seat_may_know() -> None:
    """Others' hands are exchanged, and under clairvoyance the own: it does the same."""
    hall, _ = some_hall(games=400)
    chance = np.random.default_rng(5)
    asked = hall.begin()
    for _ in range(9):
        hall.step(any_actions(asked.masks, chance))
    tempers = [SIMPLE, STRANGER, *draw_tempers(12, 7)]
    hidden = 0
    for game in range(hall.count):
        state, memory = hall.games.states[game], hall.games.memories[game]
        seat, players = int(asked.seats[game]), int(state[PLAYERS])
        other = state.copy()
        blind = (memory[1] >> state[SIZE]) & 1 and state[BIDS_MADE] < players
        swapped = [place for place in range(players) if blind or place != seat]
        other[[HAND + place for place in swapped]] = state[
            [HAND + place for place in swapped[1:] + swapped[:1]]
        ]
        if not blind and state[1]:  # sealed bids
            for place in range(players):
                if place != seat and state[BIDS_MADE] < players:
                    other[BIDS + place] = 0
        hidden += (other != state).any()
        row = rows([tempers[game % len(tempers)]])[0]
        whims = [np.array([game], dtype=np.uint64) for _ in range(2)]
        before = state.copy()
        assert act(state, memory, seat, row, whims[0]) == act(other, memory, seat, row, whims[1])
        assert (state == before).all()
    assert hidden > 300


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_simple_temper_is_the_simple_bot(variant: str) -> None:
    rules = Rules(**VARIANTS[variant])
    temper = rows([SIMPLE])[0]
    for seed in range(25):
        game = some_game(rules, Random(seed))
        seat = game.to_act[0]
        view = game.view(seat)
        if view.phase is Phase.TRUMP and view.hand is None:
            continue  # nothing to go by: any suit
        _, memory = rows_of(view)
        row = np.array(game.position.row, dtype=np.int64)
        chosen = act(row, memory, seat, temper, np.array([1], dtype=np.uint64))
        assert chosen == SimpleBot().choose(view)


# Lessons


def test_a_decision_is_taught_by_the_end_of_its_round() -> None:
    settings = Settings.small(width=16, games=60, rules=40, steps=12, behind=8)
    play = SelfPlay(settings, CPU, threads=1)
    play.begin(3)
    network = Network(16, 1)
    chunks = [play.collect(network, [network], Curiosity(5.0, 0.1)) for _ in range(9)]
    play.close()
    taught = lesson(chunks)
    assert len(taught.rows) == int((chunks[0].whom == NETWORK).sum())
    ended = torch.cat([chunk.ended for chunk in chunks])
    points = torch.cat([chunk.points for chunk in chunks])
    batch = batch_of(taught, torch.arange(len(taught.rows)))
    for index in range(0, len(taught.rows), 7):
        when, game = divmod(int(taught.rows[index]), settings.games)
        seat = int(chunks[0].seats[when, game])
        seen = chunks[0].observations[when, game]
        players = 2 + int(seen[AT["players"] : AT["players"] + 5].argmax())
        end = next(at for at in range(when + 1, len(ended)) if int(ended[at, game]) & ROUND_ENDED)
        earned = points[end, game, :players].tolist()
        others = [one for place, one in enumerate(earned) if place != seat]
        assert float(batch.values[index]) == pytest.approx(
            earned[seat] - sum(others) / len(others), abs=1e-3
        )
        assert batch.points[index] == earned[seat]


def test_decisions_whose_end_is_not_known_are_left_out() -> None:
    chunk = Chunk.empty(3, 2, CPU)
    for tensor in vars(chunk).values():
        tensor.zero_()
    chunk.observations[:, :, AT["players"] + 1] = 1
    chunk.ended[2, 1] = ROUND_ENDED | GAME_ENDED
    chunk.points[2, 1] = torch.tensor([30, -10, 20, 0, 0, 0])
    taught = lesson([chunk])
    assert taught.rows.tolist() == [1, 3]
    assert taught.points.tolist() == [30, 30]
    assert taught.values.tolist() == [25, 25]


def test_decisions_are_legal_and_warmth_makes_them_vary() -> None:
    worth = torch.tensor([[1.0, 5.0, 4.0, 9.0]]).repeat(400, 1)
    masks = torch.tensor([[1, 1, 1, 0]], dtype=torch.int8).repeat(400, 1)
    chance = torch.Generator().manual_seed(1)
    assert set(draw(worth, masks, Curiosity(), None).tolist()) == {1}
    warm = draw(worth, masks, Curiosity(warmth=2.0), chance)
    counts = torch.bincount(warm, minlength=4).tolist()
    assert counts[3] == 0
    assert counts[1] > counts[2] > counts[0] > 0
    assert set(draw(worth, masks, Curiosity(whim=0.5), chance).tolist()) == {0, 1, 2}


def test_the_network_without_torch_says_the_same() -> None:
    torch.manual_seed(2)
    network = Network(24, 2)
    for parameter in network.parameters():
        torch.nn.init.normal_(parameter, std=0.1)
    hall, _ = some_hall(games=30)
    observations = hall.begin().observations
    with torch.inference_mode():
        told = network(torch.from_numpy(observations))
    judged = Sage(to_arrays(network)).judge(observations)
    assert judged.tricks is not None
    assert np.allclose(judged.values / 30, told.values, atol=0.03)
    assert np.allclose(judged.points / 30, told.points, atol=0.03)
    likely = torch.softmax(told.tricks, dim=-1).numpy()
    bidding = observations[:, AT["phase"] + 1] == 1
    assert 0 < bidding.sum() < len(bidding)
    assert np.allclose(judged.tricks[:, 0], likely[:, 0], atol=0.01)
    assert np.allclose(judged.tricks[bidding], likely[bidding], atol=0.01)
    assert np.isnan(judged.tricks[~bidding, 1:]).all()


def test_weights_read_again_are_the_same_network(tmp_path: Path) -> None:
    torch.manual_seed(3)
    network = Network(24, 2)
    for parameter in network.parameters():
        torch.nn.init.normal_(parameter, std=0.1)
    write_weights(tmp_path / "weights.npz", network)
    again = Network.of(read_weights(tmp_path / "weights.npz"))
    for name, written in network.state_dict().items():
        assert torch.allclose(again.state_dict()[name], written, rtol=1e-3, atol=1e-4), name
    np.savez(tmp_path / "part.npz", format=np.array(2), points=np.array(30.0))
    for number, rubbish in enumerate((b"", b"PK no weights", (tmp_path / "part.npz").read_bytes())):
        (tmp_path / f"{number}.npz").write_bytes(rubbish)
        with pytest.raises(UnreadableError, match="no weights"):
            read_weights(tmp_path / f"{number}.npz")


# Imitations


def test_an_imitation_learns_what_a_bot_does() -> None:
    games = [watch_game("simple", seed=1, number=number) for number in range(16)]
    assert all(
        mask[action]
        for game in games
        for mask, action in zip(game.masks, game.actions, strict=True)
    )
    torch.manual_seed(1)
    agreed = list(imitate(Network(64, 1), games, epochs=8, batch=64, rate=2e-3))
    assert agreed[-1] > max(0.5, agreed[0])


# Runs


def test_a_short_run_is_far_better_than_random(tmp_path: Path) -> None:
    settings = Settings.small(width=64, games=512, leg=12, batch=512, duels=16, seed=2)
    course = Course(tmp_path, settings, CPU, threads=1)
    points = list(course.run(lessons=24))
    rules = Rules(players=4)
    random = strength(None, rules, 32, 5, CPU, threads=1)
    trained = strength(course.network, rules, 32, 5, CPU, threads=1)
    assert trained.points.low is not None
    assert random.points.high is not None
    assert trained.points.low > random.points.high + 200
    assert trained.exact.value > random.exact.value + 0.08
    assert [point["lessons"] for point in points] == [12, 24]
    ElementTree.parse(tmp_path / CURVES)
    assert Sage.load(tmp_path / WEIGHTS).judge(np.zeros((1, OBSERVATION_SIZE), np.int8))


def command(folder: Path, lessons: int) -> list[str]:
    settings = [f"--set={name}={value}" for name, value in TINY.to_data().items() if name != "seed"]
    call = ["train", str(folder), "--lessons", str(lessons), "--device", "cpu", "--threads", "1"]
    return [sys.executable, "-m", "foretold.cli", *call, *settings]


def weights(folder: Path) -> dict[str, torch.Tensor]:
    _, learned = checkpoint.load(folder / CHECKPOINT, CPU)
    found: dict[str, torch.Tensor] = learned["network"]
    return found


def test_a_run_that_was_killed_goes_on_as_if_it_had_not_been(tmp_path: Path) -> None:
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    for _ in Course(whole, TINY, CPU, threads=1).run(lessons=8):
        pass
    chance = Random(4)
    for _ in range(3):
        process = subprocess.Popen(
            command(killed, 8), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        assert process.stdout is not None
        process.stdout.readline()  # a leg is done
        time.sleep(chance.random() / 10)
        process.send_signal(signal.SIGKILL)
        process.communicate()
    subprocess.run(command(killed, 8), check=True, capture_output=True, timeout=300)
    theirs, ours = weights(whole), weights(killed)
    assert theirs.keys() == ours.keys()
    assert all(torch.equal(theirs[name], ours[name]) for name in ours)


@pytest.mark.skipif(
    importlib.util.find_spec("ray") is None, reason="Ray is not installed: foretold[ray]"
)
def test_pupils_on_ray_learn_as_one(tmp_path: Path) -> None:
    # A cluster of its own: it would find that of another test, and be left when that one ends.
    environment = os.environ | {"RAY_ADDRESS": "local"}
    subprocess.run(
        [*command(tmp_path, lessons=2), "--set=leg=1", "--ray", "--pupils=2"],
        check=True,
        capture_output=True,
        env=environment,
        timeout=300,
    )
    settings = replace(TINY, leg=1)
    pupils = [Pupil(settings, CPU, threads=1) for _ in range(2)]
    older: list[State] = []
    for leg in range(2):
        seed = seed_of_leg(settings, leg)
        for number, pupil in enumerate(pupils):
            pupil.begin(seed_of(seed, number), older)
            pupil.lesson(leg / 2)
        agreed = mean_of([deepcopy(pupil.settle()) for pupil in pupils])
        for pupil in pupils:
            pupil.learner.load(deepcopy(agreed))
        older.append({name: one.bfloat16() for name, one in agreed["network"].items()})
    for pupil in pupils:
        pupil.close()
    found = weights(tmp_path)
    assert all(torch.equal(found[name], agreed["network"][name]) for name in found)


def test_a_checkpoint_that_is_none_is_refused(tmp_path: Path) -> None:
    (tmp_path / CHECKPOINT).write_bytes(b"PK no checkpoint")
    with pytest.raises(UnreadableError, match="no checkpoint"):
        Course(tmp_path, TINY, CPU, threads=1)


def test_settings_of_the_command_line(tmp_path: Path) -> None:
    assert numbers_of({"width": "64", "rate": "0.01"}) == {"width": 64, "rate": 0.01}
    for wrong in ({"breadth": "3"}, {"width": "wide"}):
        with pytest.raises(UnreadableError):
            numbers_of(wrong)
    with pytest.raises(UnreadableError, match="auto, cuda or cpu"):
        device_of("abacus")


def test_a_run_is_resumed_with_changes_that_fit(tmp_path: Path) -> None:
    course = Course(tmp_path, TINY, CPU, threads=1)
    next(course.run(lessons=4))
    again = Course(tmp_path, Settings(), CPU, threads=1, changes={"whim": 0.5})
    assert again.settings == replace(TINY, whim=0.5)
    assert again.standing.lessons == 2
    assert [point["lessons"] for point in again.run(lessons=4)] == [4]
    with pytest.raises(UnreadableError, match="width 32"):
        Course(tmp_path, TINY, CPU, threads=1, changes={"width": 64})


def test_guests_are_met_and_kept(tmp_path: Path) -> None:
    class Guest(Network):
        asked = 0

        def trunk(self, observations: torch.Tensor) -> torch.Tensor:
            Guest.asked += len(observations)
            return super().trunk(observations)

    settings = replace(TINY, with_snapshots=0.5)
    course = Course(tmp_path, settings, CPU, threads=1, guests=[Network(16, 2).state_dict()])
    with pytest.MonkeyPatch.context() as patch:
        # There are no older selves yet: whoever joins is the guest.
        patch.setattr("foretold.train.pupil.Network", Guest)
        next(course.run(lessons=4))
    assert Guest.asked > 0
    resumed = Course(tmp_path, TINY, CPU, threads=1)
    assert [len(state["inputs.bias"]) for state in resumed.standing.guests] == [16]
    assert not Course(tmp_path, TINY, CPU, threads=1, guests=[]).standing.guests


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
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
