"""The trained player: legal, fair, and blind to hidden cards, whatever its weights."""

from __future__ import annotations

import random
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from foretold import Game, Rules
from foretold.actions import ACTION_COUNT, BID
from foretold.bots import Player, make_bot
from foretold.bots.network import FORMAT, Sage, settled
from foretold.bots.outlook import TRICK_COUNTS
from foretold.bots.sage import SageBot
from foretold.bots.trained import WEIGHTS
from foretold.cards import Suit
from foretold.env.frame import Frame
from foretold.env.reading import see
from foretold.kernel import Phase
from untrained import untrained
from variants import VARIANTS, look_alikes, renamed, some_game

TRAINED = WEIGHTS.exists()


@pytest.fixture(scope="module")
def sage() -> Sage:
    return untrained()


@pytest.mark.parametrize("variant", VARIANTS)
def test_it_plays_every_mode_by_the_rules(sage: Sage, variant: str) -> None:
    rules = Rules(**VARIANTS[variant])
    player = Player(SageBot(1, noise=20.0, sage=sage))
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
        ours, theirs = see(view), see(other)
        assert np.array_equal(ours.observation, theirs.observation)
        assert np.array_equal(ours.mask, theirs.mask)
        assert ours.frame == theirs.frame
        # The sums of two rows of one matrix product may be rounded differently.
        values, others = sage.values([view, other])
        assert np.allclose(values.values, others.values, rtol=1e-5, equal_nan=True)
        assert values.tricks is not None
        assert others.tricks is not None
        assert np.allclose(values.tricks, others.tricks, rtol=1e-5)


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
    assert told.tricks is not None
    assert np.array_equal(told.tricks, told.tricks_by_bid[best])


def test_many_views_are_told_as_each_alone(sage: Sage) -> None:
    """Views of different tables: actions are renamed back, each from its own frame."""
    views = []
    for seed, options in enumerate(VARIANTS.values()):
        game = some_game(Rules(**options), random.Random(seed))
        views.append(game.view(game.to_act[0]))
    for view, together in zip(views, sage.values(views), strict=True):
        (alone,) = sage.values([view])
        assert np.allclose(alone.values, together.values, atol=1e-3, equal_nan=True)
        assert together.tricks is not None
        assert together.tricks.shape == (TRICK_COUNTS,)


@pytest.mark.parametrize("variant", VARIANTS)
def test_it_does_what_it_leans_to_most_and_says_that_this_is_best(sage: Sage, variant: str) -> None:
    bot = SageBot(sage=sage)
    for seed in range(10):
        game = some_game(Rules(**VARIANTS[variant]), random.Random(seed))
        view = game.view(game.to_act[0])
        seen = see(view)
        leanings = sage.judge(seen.observation[np.newaxis]).policy[0]
        chosen = bot.choose(view)
        if view.phase is not Phase.TRUMP:  # where it looks a step ahead
            assert leanings[seen.frame.restored.argsort()[chosen]] == leanings[seen.mask == 1].max()
        (told,) = sage.values([view])
        assert chosen == np.nanargmax(told.values)


def test_what_it_would_hardly_do_is_worth_less_than_its_values_say(sage: Sage) -> None:
    game = some_game(Rules(players=4), random.Random(3))
    seen = see(game.view(game.to_act[0]))
    told = sage.judge(seen.observation[np.newaxis])
    legal = np.flatnonzero(seen.mask)
    best = legal[told.policy[0, legal].argmax()]
    after = settled(told, seen.mask[np.newaxis])
    assert after.values[0, best] == told.values[0, best]
    for action in legal:
        less = 0.1 * (told.policy[0, best] - told.policy[0, action])
        most = min(told.values[0, action], told.values[0, best])
        assert after.values[0, action] == pytest.approx(most - less, abs=1e-3)
        assert after.points[0, action] == pytest.approx(told.points[0, action] - less, abs=1e-3)


@pytest.mark.parametrize(
    ("seed", "order"),
    list(enumerate(permutations(Suit))),
    ids=lambda one: "".join(map(str, one)) if isinstance(one, tuple) else "",
)
def test_what_suits_are_called_does_not_matter(
    sage: Sage, seed: int, order: tuple[Suit, ...]
) -> None:
    """Games that differ only in suit names are played alike, card by card.

    This holds as long as the hand tells the suits apart: of two that look the same, either may
    come first.
    """
    names, actions = dict(zip(Suit, order, strict=True)), Frame(order).restored
    rules = Rules(players=4, rounds="8", specials=["CL", "SH", "BO", "DR", "FA"])
    bot = SageBot(sage=sage)
    log = Game(rules, seed=seed).position.log
    assert log is not None
    one = Game(rules, deals=[log.deal])
    other = Game(rules, deals=[renamed(log.deal, names)])
    tells_apart = [
        len({tuple(card.value for card in hand if card.suit is suit) for suit in Suit}) == len(Suit)
        for hand in log.deal.hands
    ]
    while one.phase is not Phase.TRUMP and one.outcome() is None:
        seat = one.to_act[0]
        action = bot.choose(one.view(seat))
        wanted = int(actions[action])
        if tells_apart[seat]:
            assert bot.choose(other.view(seat)) == wanted
        one.push(action, seat)
        other.push(wanted, seat)


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


def test_weights_of_another_format_are_refused(sage: Sage, tmp_path: Path) -> None:
    path = tmp_path / "weights.npz"
    np.savez(path, format=np.array(99))
    with pytest.raises(ValueError, match="format"):
        Sage.load(path)


def test_weights_for_another_observation_are_refused() -> None:
    with pytest.raises(ValueError, match="read 1000 inputs"):
        Sage({"format": np.array(FORMAT), "inputs.weight": np.zeros((1000, 8))})


@pytest.mark.skipif(not TRAINED, reason="no weights are shipped yet")
def test_the_shipped_weights_are_small_and_play() -> None:
    assert WEIGHTS.stat().st_size <= 10_000_000
    view = Game("amigo", seed=2).view(Game("amigo", seed=2).to_act[0])
    assert make_bot("sage").choose(view) in view.legal_actions
