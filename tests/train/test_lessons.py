"""What a decision is trained on, and networks that are saved and loaded again."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
import torch

from foretold.bots.network import POINTS, Sage
from foretold.env import AT
from foretold.errors import UnreadableError
from foretold.train.imitation import imitate
from foretold.train.learner import Learner
from foretold.train.network import Network
from foretold.train.outcomes import NOT_ENDED, RESULTS, Chunk, lesson
from foretold.train.policy import draw, leanings
from foretold.train.seating import NETWORK
from foretold.train.selfplay import STRAY_TABLES, SelfPlay
from foretold.train.settings import Settings
from foretold.train.vector_env import ROUND_ENDED
from foretold.train.watching import watch_game
from foretold.train.weights import read_weights, to_arrays, write_weights
from foretold.train.win_chance import TEMPERATURE, gains
from train.small import CPU, some_env

# Lessons


def some_chunk() -> Chunk:
    settings = Settings.small(width=16, games=60, rules=40, steps=60, straying=0.3)
    play = SelfPlay(settings, CPU, threads=1)
    play.begin(3)
    network = Network(16, 1)
    return play.collect(network, [network])


def after(chunk: Chunk, when: int, game: int) -> tuple[int | None, int | None]:
    """When the same seat decides next in this round, and when the round ends."""
    seat = int(chunk.seats[when, game])
    for time in range(when + 1, len(chunk.seats) + 1):
        if int(chunk.ended[time, game]) & ROUND_ENDED:
            return None, time
        if time < len(chunk.seats) and int(chunk.seats[time, game]) == seat:
            return time, None
    return None, None


WINNING = 150.0


def earned(chunk: Chunk, when: int, game: int, end: int) -> tuple[float, float, float]:
    """The deciding seat's points, the others' mean, and what its chance of winning gained, at the
    end of a round.
    """
    seat = int(chunk.seats[when, game])
    seen = chunk.observations[when, game]
    players = 2 + int(seen[AT["players"] : AT["players"] + 5].argmax())
    points = chunk.points[end, game, :players].tolist()
    others = [one for place, one in enumerate(points) if place != seat]
    sheet = seen[AT["totals"] : AT["totals"] + players].tolist()
    before = [10 * sheet[(place - seat) % players] for place in range(players)]
    after = [total + gained for total, gained in zip(before, points, strict=True)]
    left = int(seen[AT["rounds_left"]])
    gained = chance_of(seat, after, left) - chance_of(seat, before, left + 1)
    return points[seat] / POINTS, sum(others) / len(others) / POINTS, WINNING * gained / POINTS


def chance_of(seat: int, totals: list[int], rounds: int) -> float:
    best = max(totals)
    if not rounds:
        return (totals[seat] == best) / totals.count(best)
    odds = [math.exp((total - best) / (TEMPERATURE * math.sqrt(rounds))) for total in totals]
    return odds[seat] / sum(odds)


@pytest.mark.parametrize("trace", [0.0, 0.7, 1.0])
def test_a_decision_is_taught_by_what_followed_it(trace: float) -> None:
    chunk = some_chunk()
    steps, games = chunk.actions.shape
    expected = torch.randn((steps, games, RESULTS), generator=torch.Generator().manual_seed(1))
    taught = lesson(chunk, expected, trace, WINNING)

    def brought(when: int, game: int) -> torch.Tensor | None:
        following, end = after(chunk, when, game)
        if end is not None:
            return torch.tensor(earned(chunk, when, game, end))
        if following is None:
            return None
        later = brought(following, game)
        here = expected[following, game]
        if later is None or chunk.strayed[following, game]:
            return here
        return trace * later + (1 - trace) * here

    known = 0
    rows = {int(row): index for index, row in enumerate(taught.rows)}
    for row in range(0, steps * games, 7):
        when, game = divmod(row, games)
        returned = brought(when, game)
        learned = chunk.whom[when, game] == NETWORK and returned is not None
        assert (row in rows) == learned
        if returned is not None and learned:
            index = rows[row]
            assert torch.allclose(taught.returns[index], returned, atol=1e-5)
            assert torch.equal(taught.expected[index], expected[when, game])
            known += 1
    assert known > 300


def test_the_chances_of_winning_add_up_to_the_result_of_the_game() -> None:
    """Whatever the estimate along the way."""
    chance = torch.Generator().manual_seed(4)
    rounds, players = 15, torch.tensor([4])
    points = 10 * torch.randint(-3, 8, (rounds, 6), generator=chance)
    points[:, 4:] = 0
    totals, won = torch.zeros(6), torch.zeros(6)
    for number, earned_now in enumerate(points):
        seen = torch.zeros((1, AT["phase"]), dtype=torch.int8)
        seat = number % 4
        seen[0, AT["rounds_left"]] = rounds - 1 - number
        seen[0, AT["totals"] : AT["totals"] + 4] = totals[:4].roll(-seat) / 10
        won += gains(seen, torch.tensor([seat]), players, earned_now.float()[None])[0]
        totals += earned_now
    best = totals[:4] == totals[:4].max()
    assert torch.allclose(won[:4] + 1 / 4, best / best.sum(), atol=1e-4)
    assert not won[4:].any()


def test_the_critic_can_learn_alone() -> None:
    chunk = some_chunk()
    learner = Learner(Settings.small(width=16, games=60, rules=40, batch=256), CPU)
    before = {name: one.clone() for name, one in learner.network.state_dict().items()}
    critic = learner.critic.head.weight.detach().clone()
    learner.learn(chunk, 1e-3, 0.0, torch.Generator().manual_seed(2), critic_alone=True)
    assert all(torch.equal(one, before[name]) for name, one in learner.network.state_dict().items())
    assert not torch.equal(learner.critic.head.weight, critic)


def test_the_tricks_of_a_decision_are_those_at_the_end_of_its_round() -> None:
    chunk = some_chunk()
    steps, games = chunk.actions.shape
    taught = lesson(chunk, torch.zeros((steps, games, RESULTS)), 1.0, 0.0)
    counts = {True: 0, False: 0}
    for index in range(0, len(taught.rows), 5):
        when, game = divmod(int(taught.rows[index]), games)
        has_ended = (chunk.ended[:, game] & ROUND_ENDED != 0).tolist()
        ends = [time for time in range(when + 1, steps + 1) if has_ended[time]]
        seat = int(chunk.seats[when, game])
        later = [
            bool(chunk.strayed[time, game])
            for time in range(when + 1, ends[0] if ends else steps)
            if int(chunk.seats[time, game]) == seat
        ]
        tells = bool(ends) and not any(later)
        assert int(taught.tricks[index]) == (
            int(chunk.taken[ends[0], game, seat]) if tells else NOT_ENDED
        )
        counts[tells] += 1
    assert min(counts.values()) > 5


def test_the_network_strays_at_some_tables_and_takes_any_action_there() -> None:
    chunk = some_chunk()
    own = chunk.whom == NETWORK
    strayed = chunk.strayed
    assert not strayed[~own].any()
    assert not strayed[:, torch.arange(60) % STRAY_TABLES != 0].any()
    share = strayed[:, ::STRAY_TABLES].sum() / own[:, ::STRAY_TABLES].sum()
    assert 0.2 < share < 0.4
    assert chunk.masks.flatten(0, 1).gather(1, chunk.actions.flatten()[:, None]).all()
    evenly = -chunk.masks.sum(dim=2).float().log()
    assert torch.allclose(chunk.chances[strayed], evenly[strayed], atol=1e-5)


def test_straying_does_not_teach_the_policy() -> None:
    chunk = some_chunk()
    chunk.strayed[:] = True
    learner = Learner(Settings.small(width=16, games=60, rules=40, batch=256), CPU)
    before = learner.network.policy.weight.detach().clone()
    learner.learn(chunk, 1e-3, 0.0, torch.Generator().manual_seed(2))
    assert torch.equal(learner.network.policy.weight, before)


def test_actions_are_drawn_as_likely_as_the_logits_say() -> None:
    chances = torch.tensor([0.1, 0.6, 0.3, 0.0])
    logits = chances.log().repeat(4000, 1)
    drawn = draw(logits, torch.Generator().manual_seed(1))
    shares = torch.bincount(drawn, minlength=4) / 4000
    assert torch.allclose(shares, chances, atol=0.03)
    assert shares[3] == 0
    assert set(draw(logits, None).tolist()) == {1}


def test_learning_makes_likelier_what_brought_more_than_expected() -> None:
    chunk = some_chunk()
    learner = Learner(Settings.small(width=16, games=60, rules=40, batch=256, winning=0.0), CPU)
    rows = (chunk.whom == NETWORK).flatten().nonzero().squeeze(1)
    observations = chunk.observations.flatten(0, 1)[rows]
    masks = chunk.masks.flatten(0, 1)[rows]
    actions = chunk.actions.flatten()[rows]
    chunk.strayed[:] = False
    chances = leanings(learner.network, chunk.observations.flatten(0, 1), chunk.masks.flatten(0, 1))
    taken = chances.log_softmax(dim=1).gather(1, chunk.actions.flatten()[:, None])
    chunk.chances = taken.detach().view_as(chunk.chances)
    taught = lesson(chunk, torch.zeros((*chunk.actions.shape, RESULTS)), 1.0, 0.0)
    before = chances[rows].log_softmax(dim=1).gather(1, actions[:, None]).squeeze(1).detach()
    for _ in range(6):
        learner.learn(chunk, 1e-3, 0.0, torch.Generator().manual_seed(2))
    told = leanings(learner.network, observations, masks).log_softmax(dim=1)
    moved = told.gather(1, actions[:, None]).squeeze(1).detach() - before
    place = {int(row): index for index, row in enumerate(rows)}
    here = torch.tensor([place[int(row)] for row in taught.rows])
    lead = taught.returns[:, 0] - taught.returns[:, 1]
    assert moved[here][lead > 1].mean() > moved[here][lead < -1].mean() + 0.02


def test_the_network_without_torch_says_the_same() -> None:
    torch.manual_seed(2)
    network = Network(24, 2)
    for parameter in network.parameters():
        torch.nn.init.normal_(parameter, std=0.1)
    env, _ = some_env(games=30)
    observations = env.begin().observations
    with torch.inference_mode():
        told = network(torch.from_numpy(observations))
    judged = Sage(to_arrays(network)).judge(observations)
    assert judged.tricks is not None
    assert np.allclose(judged.values / 30, told.values, atol=0.03)
    assert np.allclose(judged.points / 30, told.points, atol=0.03)
    assert np.allclose(judged.policy, told.policy, atol=0.03)
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
    np.savez(tmp_path / "part.npz", format=np.array(3), points=np.array(30.0))
    for number, rubbish in enumerate((b"", b"PK no weights", (tmp_path / "part.npz").read_bytes())):
        (tmp_path / f"{number}.npz").write_bytes(rubbish)
        with pytest.raises(UnreadableError, match="no weights"):
            read_weights(tmp_path / f"{number}.npz")


# Imitations


def test_an_imitation_learns_what_a_bot_does() -> None:
    games = [watch_game("simple", seed=1, number=number) for number in range(12)]
    assert all(
        mask[action]
        for game in games
        for mask, action in zip(game.masks, game.actions, strict=True)
    )
    torch.manual_seed(1)
    agreed = list(imitate(Network(64, 1), games, epochs=6, batch=64, rate=3e-3))
    assert agreed[-1] > max(0.5, agreed[0])
