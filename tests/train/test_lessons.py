"""What a decision is taught by, and networks that are written and read again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from foretold.bots.sight import Sage
from foretold.env import AT
from foretold.errors import UnreadableError
from foretold.train.hall import (
    GAME_ENDED,
    NETWORK,
    ROUND_ENDED,
)
from foretold.train.imitation import imitate
from foretold.train.network import Network
from foretold.train.outcomes import Chunk, batch_of, lesson
from foretold.train.policy import Curiosity, draw
from foretold.train.selfplay import SelfPlay
from foretold.train.settings import Settings
from foretold.train.watching import watch_game
from foretold.train.weights import read_weights, to_arrays, write_weights
from train.halls import CPU, some_hall

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
