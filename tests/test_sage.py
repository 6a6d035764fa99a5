"""The trained player: legal, fair, and the same whatever is hidden; with weights drawn anyhow."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from foretold import Game, Rules
from foretold.actions import ACTION_COUNT, BID
from foretold.bots import Player, make_bot
from foretold.bots.prospect import TRICK_COUNTS
from foretold.bots.sage import SageBot
from foretold.bots.sight import Sage
from foretold.bots.trained import WEIGHTS
from foretold.kernel import Phase
from test_env import VARIANTS, look_alikes, some_game
from untrained import untrained

TRAINED = WEIGHTS.exists()


@pytest.fixture(scope="module")
def sage() -> Sage:
    return untrained()


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("aim", ["points", "win"])
def test_it_plays_every_mode_by_the_rules(sage: Sage, variant: str, aim: str) -> None:
    rules = Rules(**VARIANTS[variant])
    player = Player(SageBot(1, noise=20.0, aim=aim, sage=sage))
    game = Game(rules, seed=5)
    chance = random.Random(1)
    while game.outcome() is None:
        seat = chance.choice(game.to_act)
        decision = player.decide(game.view(seat))
        assert decision.fault is None
        game.push(decision.action, seat)


@pytest.mark.parametrize("variant", VARIANTS)
def test_no_decision_depends_on_what_is_hidden(sage: Sage, variant: str) -> None:
    rules = Rules(**VARIANTS[variant])
    bot = SageBot(sage=sage)
    for view, other in look_alikes(rules):
        assert bot.choose(other) == bot.choose(view)
        ours, theirs = sage.values([view, other])
        assert np.array_equal(ours.values, theirs.values, equal_nan=True)
        assert np.array_equal(ours.tricks, theirs.tricks)


def test_what_it_tells_of_a_view(sage: Sage) -> None:
    game = Game("anniversary", players=4, seed=3)
    while game.phase is not Phase.BID:
        game.push(next(iter(game.legal_actions())))
    view = game.view(game.to_act[0])
    (told,) = sage.values([view])
    legal = sorted(int(action) for action in view.legal_actions)
    for row in (told.values, told.points):
        assert row.shape == (ACTION_COUNT,)
        assert np.flatnonzero(np.isfinite(row)).tolist() == legal
    assert told.tricks_by_bid is not None
    assert np.allclose(told.tricks_by_bid.sum(axis=1), 1, atol=1e-5)
    best = int(np.nanargmax(told.values)) - BID
    assert np.array_equal(told.tricks, told.tricks_by_bid[best])
    assert SageBot(sage=sage).choose(view) == BID + best


def test_many_views_are_told_as_each_alone(sage: Sage) -> None:
    """Views of different tables: actions are renamed back, each from its own frame."""
    views = []
    for seed, options in enumerate(VARIANTS.values()):
        game = some_game(Rules(**options), random.Random(seed))
        views.append(game.view(game.to_act[0]))
    for view, together in zip(views, sage.values(views), strict=True):
        (alone,) = sage.values([view])
        assert np.allclose(alone.values, together.values, atol=1e-3, equal_nan=True)
        assert together.tricks.shape == (TRICK_COUNTS,)
        chosen = SageBot(aim="points", sage=sage).choose(view)
        assert together.values[chosen] == pytest.approx(np.nanmax(together.values), abs=1e-3)


def test_noise_comes_from_the_seed(sage: Sage) -> None:
    view = Game(Rules(rounds="12"), seed=4).view(Game(Rules(rounds="12"), seed=4).to_act[0])
    draws = [[SageBot(seed, 500.0, sage=sage).choose(view)] for seed in range(20)]
    assert draws == [[SageBot(seed, 500.0, sage=sage).choose(view)] for seed in range(20)]
    assert len({str(draw) for draw in draws}) > 3


def test_rounds_larger_than_it_has_learned(sage: Sage) -> None:
    game = Game(Rules(mode="two_player", rounds="29"), seed=1)
    player = Player(SageBot(sage=sage))
    while game.phase is Phase.BID:
        game.push("bid 25", game.to_act[0])
    for _ in range(6):
        decision = player.decide(game.view(game.to_act[0]))
        assert decision.fault is None
        game.push(decision.action)


def test_settings_must_make_sense(sage: Sage) -> None:
    for noise in (-1, 2000, "much"):
        with pytest.raises(ValueError, match="noise"):
            SageBot(noise=noise, sage=sage)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="win or points"):
        SageBot(aim="glory", sage=sage)


def test_weights_of_another_format_are_refused(sage: Sage, tmp_path: Path) -> None:
    path = tmp_path / "weights.npz"
    np.savez(path, format=np.array(99))
    with pytest.raises(ValueError, match="format"):
        Sage.load(path)


@pytest.mark.skipif(not TRAINED, reason="no weights are shipped yet")
def test_the_shipped_weights_are_small_and_play() -> None:
    assert WEIGHTS.stat().st_size <= 10_000_000
    view = Game("amigo", seed=2).view(Game("amigo", seed=2).to_act[0])
    assert make_bot("sage").choose(view) in view.legal_actions
