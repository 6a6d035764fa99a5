"""`Batch`: many games side by side are the same as one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from foretold.actions import ACTION_COUNT, Action
from foretold.cards import SPECIALS, Suit, own_deck
from foretold.deal import Deal
from foretold.game import Game
from foretold.kernel import Phase
from foretold.kernel.batch import Batch
from foretold.kernel.layout import DEALER, PHASE, ROUND
from foretold.rules import Rules

VARIANTS: dict[str, dict[str, Any]] = {
    "standard": {"players": 3, "rounds": "1-4,20"},
    "plus/minus one": {"players": 4, "bid_rule": "plus_minus_one", "rounds": "1-4,15"},
    "leader uneven": {"players": 5, "bid_rule": "leader_uneven", "rounds": "1-4"},
    "hidden, dark, binding": {
        "players": 6,
        "bidding": "hidden",
        "dark_wizard": True,
        "suit_after_wizard": "binding",
        "rounds": "1-4,10",
    },
    "specials": {
        "players": 4,
        "specials": SPECIALS,
        "rounds": "3-6,15",
    },
    "specials, secret": {
        "players": 6,
        "specials": SPECIALS,
        "bidding": "secret",
        "rounds": "4,10,4",
    },
    "clairvoyance": {"players": 3, "clairvoyance": "every_round", "rounds": "1-3"},
    "seat deals": {"players": 3, "dealer_by": "seat", "rounds": "1-3"},
    "monocolour": {"mode": "monocolour", "players": 3, "rounds": "1,4,15"},
    "monocolour, secret": {"mode": "monocolour", "bidding": "secret", "rounds": "4-6"},
    "two players": {"mode": "two_player"},
}
GAMES = 24


@pytest.fixture(params=VARIANTS)
def rules(request: pytest.FixtureRequest) -> Rules:
    return Rules(**VARIANTS[request.param])


def single(batch: Batch, index: int) -> Game:
    """A game of the batch, on its own."""
    dealer = int(batch.states[index, DEALER])
    game = Game(batch.rules, deals=(), first_dealer=dealer)
    game.deal(batch.deal_of(index))
    return game


def legal_set(batch: Batch, index: int) -> set[int]:
    words = batch.masks[index].tolist()
    return {action for action in range(ACTION_COUNT) if words[action // 64] >> action % 64 & 1}


def test_a_batch_plays_the_same_games_as_one_by_one(rules: Rules) -> None:
    batch = Batch(rules, GAMES, seed=7, threads=2)
    games = [single(batch, index) for index in range(GAMES)]
    while not batch.over.all():
        batch.legal()
        actions = batch.random_actions()
        for index, game in enumerate(games):
            assert legal_set(batch, index) == set(game.legal_actions())
            assert batch.over[index] == (game.phase is Phase.OVER)
            if game.phase is not Phase.OVER:
                assert batch.seats[index] == game.to_act[0]
                game.push(int(actions[index]))
        batch.step(actions)
        for index, game in enumerate(games):
            if game.phase is Phase.DEAL:
                game.deal(batch.deal_of(index))
            assert batch.states[index].tolist() == game.position.row
            assert tuple(batch.totals[index]) == game.totals
    assert all(len(game.sheet) == len(rules.sizes) for game in games)


def test_the_table_of_legal_actions_is_the_masks(rules: Rules) -> None:
    batch = Batch(rules, GAMES, seed=8)
    while not batch.over.all():
        table = batch.legal_table()
        assert table.shape == (GAMES, ACTION_COUNT)
        for index in range(GAMES):
            assert set(np.flatnonzero(table[index]).tolist()) == legal_set(batch, index)
        batch.step(batch.random_actions())
    assert not batch.legal_table().any()


def test_random_actions_are_legal_and_reach_every_one(rules: Rules) -> None:
    batch = Batch(rules, 1, seed=9)
    legal = np.flatnonzero(batch.legal_table()[0]).tolist()
    drawn = {int(batch.random_actions()[0]) for _ in range(40 * len(legal))}
    assert drawn == set(legal)


def test_games_that_are_over_stay_so(rules: Rules) -> None:
    batch = Batch(rules, GAMES, seed=10)
    batch.play_out()
    before = batch.states.copy()
    assert (batch.random_actions() == -1).all()
    batch.step(batch.random_actions())
    assert batch.play_out() == 0
    assert np.array_equal(batch.states, before)


BEFORE_PLAY = Rules(players=3, rounds="2")
NEVER_LEGAL_BEFORE_PLAY = [
    -1,
    -(2**62),
    int(Action("play B1")),
    int(Action("bid 3")),
    int(Action("pass B1")),
    ACTION_COUNT,
    2**62,
]


@pytest.mark.parametrize("wrong", NEVER_LEGAL_BEFORE_PLAY)
def test_an_illegal_action_is_refused(wrong: int) -> None:
    batch = Batch(BEFORE_PLAY, 5, seed=1, threads=1)
    before = batch.states.copy()
    actions = batch.random_actions()
    actions[2] = wrong
    with pytest.raises(ValueError, match=f"action {wrong} is not legal in game 2"):
        batch.step(actions)
    assert np.array_equal(batch.states[2:], before[2:])


def test_a_number_beyond_all_actions_is_never_legal() -> None:
    batch = Batch(Rules(players=3, specials=["JU"], rounds="20"), 1, seed=2)
    phases = set()
    while not batch.over[0]:
        phases.add(Phase(batch.states[0, PHASE]))
        before = batch.states.copy()
        right = batch.random_actions()
        for words in (-3, -2, -1, 3, 4, 2**26, -(2**26)):
            with pytest.raises(ValueError, match="is not legal"):
                batch.step(right + 64 * words)
        assert np.array_equal(batch.states, before)
        batch.step(right)
    assert phases >= {Phase.BID, Phase.PLAY, Phase.PASS}


def test_there_must_be_an_action_for_every_game() -> None:
    batch = Batch(BEFORE_PLAY, 5, seed=1)
    before = batch.states.copy()
    for wrong in (batch.random_actions()[:4], batch.random_actions()[:, np.newaxis]):
        with pytest.raises(ValueError, match="actions for 5 games"):
            batch.step(wrong)
    assert np.array_equal(batch.states, before)


# Chance


def course(rules: Rules, seed: int, threads: int) -> list[Any]:
    """Everything that happens in a batch of three games stepped at random."""
    batch = Batch(rules, 3, seed=seed, threads=threads)
    seen: list[Any] = [batch.states.tolist()]
    while not batch.over.all():
        actions = batch.random_actions()
        batch.step(actions)
        seen.append((actions.tolist(), batch.states.tolist(), batch.legal().tolist()))
    return seen


def test_the_threads_make_no_difference(rules: Rules) -> None:
    assert course(rules, 3, threads=1) == course(rules, 3, threads=2)


@pytest.mark.parametrize("threads", [2, 3, 50])
def test_the_threads_make_no_difference_to_play_out(rules: Rules, threads: int) -> None:
    one, many = (Batch(rules, 50, seed=4, threads=count) for count in (1, threads))
    assert one.play_out() == many.play_out()
    assert np.array_equal(one.states, many.states)


def test_the_same_seed_is_the_same_batch(rules: Rules) -> None:
    assert course(rules, 5, threads=1) == course(rules, 5, threads=1)
    assert course(rules, 5, threads=1) != course(rules, 6, threads=1)


def test_play_out_is_random_actions_step_by_step(rules: Rules) -> None:
    stepped, played = (Batch(rules, GAMES, seed=6) for _ in range(2))
    decisions = 0
    while not stepped.over.all():
        decisions += int((~stepped.over).sum())
        stepped.step(stepped.random_actions())
    assert played.play_out() == decisions
    assert np.array_equal(played.states, stepped.states)


def test_a_restart_deals_anew(rules: Rules) -> None:
    batch = Batch(rules, GAMES, seed=11)
    first = [batch.deal_of(index) for index in range(GAMES)]
    batch.play_out()
    batch.restart()
    assert not batch.over.any()
    assert (batch.states[:, ROUND] == 0).all()
    assert (batch.totals == 0).all()
    again = [batch.deal_of(index) for index in range(GAMES)]
    assert all(deal != before for deal, before in zip(again, first, strict=True))
    single(batch, 0)  # the deal is possible


def test_games_of_a_batch_are_dealt_differently() -> None:
    batch = Batch(Rules(players=3, rounds="10"), 200, seed=1)
    assert len({batch.deal_of(index) for index in range(200)}) == 200


# Decks


def deals(batch: Batch, index: int) -> list[Deal]:
    """The deals of all rounds of a game, which is played to its end."""
    found = [batch.deal_of(index)]
    while not batch.over[index]:
        before = batch.states[index, ROUND]
        batch.step(batch.random_actions())
        if batch.states[index, ROUND] != before and not batch.over[index]:
            found.append(batch.deal_of(index))
    return found


@pytest.mark.parametrize("seed", range(3))
def test_two_players_use_every_card_once(seed: int) -> None:
    rules = Rules(mode="two_player")
    used = [card for deal in deals(Batch(rules, 2, seed=seed), 1) for card in deal.cards]
    assert sorted(used) == sorted(rules.deck)


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("seed", range(3))
def test_monocolour_seats_keep_their_own_decks(players: int, seed: int) -> None:
    rules = Rules(mode="monocolour", players=players)
    batch = Batch(rules, 2, seed=seed)
    rounds = deals(batch, 1)
    assert [len(deal.hands[0]) for deal in rounds] == list(range(4, 16))
    decks = [sorted(hand) for hand in rounds[-1].hands]
    assert len({str(deck) for deck in decks}) == players
    assert all(deck in [sorted(own_deck(suit)) for suit in Suit] for deck in decks)
    for deal in rounds:
        assert deal.turned is None
        for hand, deck in zip(deal.hands, decks, strict=True):
            assert len(set(hand)) == len(hand)
            assert set(hand) <= set(deck)


def test_the_dealer_by_seat_is_seat_0() -> None:
    batch = Batch(Rules(players=5, dealer_by="seat"), 100, seed=1)
    assert (batch.states[:, DEALER] == 0).all()
