"""Observations: they say what the view says, and nothing hidden."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given

from env.reading import DERIVED, Reading, entries, same, seen_from, single
from foretold import Action, Deal, Game, Phase, Rules, Suit
from foretold.actions import ACTION_COUNT, ACTIONS
from foretold.cards import SPECIALS
from foretold.env import (
    AT,
    FIELDS,
    LABELS,
    OBSERVATION_SIZE,
    SCALES,
    Frame,
    columns,
    observe,
    see,
)
from foretold.env.observation import axes, table
from foretold.env.tables import Tables
from foretold.rules import Bidding, Clairvoyance
from other_worlds import OtherWorlds
from strategies import chances, games, thorough
from strategies import rules as any_rules
from variants import renamed, some_game

ROOT = Path(__file__).parents[2]


# The table


def test_every_entry_has_a_name_of_its_own() -> None:
    assert len(LABELS) == len(set(LABELS)) == len(SCALES) == OBSERVATION_SIZE
    assert [AT[field.name] for field in FIELDS] == [
        LABELS.index(field.labels[0]) for field in FIELDS
    ]


def test_the_page_has_the_table() -> None:
    page = (ROOT / "docs" / "environments.md").read_text()
    assert table() in page
    assert axes() in page
    assert f"{OBSERVATION_SIZE:,}" in page


def test_columns_are_those_of_the_fields() -> None:
    assert [LABELS[index] for index in columns("phase", "led")] == [
        *(f"phase[{name}]" for name in ("trump", "bid", "play", "pass", "cloud")),
        *("led[a]", "led[b]", "led[c]", "led[d]"),
    ]


@given(game=games())
@thorough(400)
def test_an_observation_says_what_the_view_says(game: Game) -> None:
    if game.phase is Phase.DEAL:
        return
    for seat in range(game.rules.players):
        view = game.view(seat)
        seen = entries(observe(view))
        told = {name: n for name, n in seen.items() if not name.startswith(DERIVED)}
        assert told == Reading(view).read()
        begun = view.trick is not None and bool(view.trick.plays)
        assert sum(name.startswith("winner[") for name in seen) == begun
        assert sum(name.startswith("winning[") for name in seen) == begun


def test_the_winning_card_is_shown() -> None:
    deal = Deal.of([["R3", "W"], ["G9", "J"], ["R7", "B2"]], "G1")
    game = Game(Rules(players=3, rounds="2"), deals=[deal], first_dealer=2)
    for action in ("bid 0", "bid 1", "bid 0", "play R3"):
        game.push(action)
    assert entries(observe(game.view(1)))["winning[c3]"] == 1  # green is first, then blue
    game.push("play G9")
    seen = entries(observe(game.view(2)))
    # This seat holds a red and a blue card, the red one higher: red comes before blue.
    assert (seen["winning[a9]"], seen["winner[+2]"], seen["led[b]"]) == (1, 1, 1)


def test_a_spectator_has_no_observation() -> None:
    with pytest.raises(ValueError, match="a spectator has no observation"):
        observe(Game("amigo", seed=1).view(None))


@given(game=games())
@thorough(300)
def test_a_batch_sees_what_a_view_sees(game: Game) -> None:
    if game.to_act:
        for seat in range(game.rules.players):
            assert same(seen_from(game, seat), see(game.view(seat)))


@given(rules=any_rules(), chance=chances())
@thorough(60)
def test_tables_show_the_games_that_they_play(rules: Rules, chance: Random) -> None:
    tables = Tables(
        rules, 2, seed=chance.randrange(99), threads=1, round_chances=None, restarts=False
    )
    singles = [single(tables, index) for index in range(2)]
    actions = np.empty(2, dtype=np.int64)
    while True:
        for index, game in enumerate(singles):
            seat = int(tables.seen.seats[index])
            seen = see(game.view(seat))
            assert entries(tables.seen.observations[index]) == entries(seen.observation)
            assert np.array_equal(tables.seen.masks[index], seen.mask)
        tables.pick(actions)
        if tables.over.any():
            break
        for index, game in enumerate(singles):
            game.push(see(game.view(game.to_act[0])).frame.restore(int(actions[index])))
        tables.take(actions)
        for index, game in enumerate(singles):
            if game.phase is Phase.DEAL:
                game.deal(tables.deal_of(index))
            assert game.position.row == tables.states[index].tolist()


# Nothing hidden is visible


def test_hidden_cards_leave_the_observation_as_it_is(rules: Rules) -> None:
    found = 0
    for seed in range(40):
        chance = Random(seed)
        game = some_game(rules, chance)
        for seat in range(rules.players):
            other = OtherWorlds(game, seat, chance).find()
            if other is not None:
                found += 1
                assert same(seen_from(other, seat), seen_from(game, seat))
    assert found > 20


@pytest.mark.parametrize("trump", Suit)
def test_trump_is_always_the_first_suit(trump: Suit) -> None:
    """Games that differ only in the name of trump look the same, and are played the same."""
    rules = Rules(players=4, rounds="6", specials=["JU", "CL", "SH", "BO", "DR", "FA"])
    order = [trump, *(suit for suit in Suit if suit is not trump)]
    for seed in range(5):
        chance = Random(seed)
        first = Game(rules, seed=seed)
        assert first.position.log is not None
        deal = first.position.log.deal
        if deal.turned is None or deal.turned.suit is None:
            continue
        blue = [deal.turned.suit, *(suit for suit in Suit if suit is not deal.turned.suit)]
        one = Game(rules, deals=[renamed(deal, dict(zip(blue, Suit, strict=True)))])
        other = Game(rules, deals=[renamed(deal, dict(zip(blue, order, strict=True)))])
        while one.outcome() is None:
            seat = one.to_act[0]
            seen, likewise = see(one.view(seat)), see(other.view(seat))
            assert entries(seen.observation) == entries(likewise.observation)
            assert np.array_equal(seen.mask, likewise.mask)
            assert likewise.frame.suits[0] is trump
            action = chance.choice(np.flatnonzero(seen.mask).tolist())
            one.push(seen.frame.restore(action), seat)
            other.push(likewise.frame.restore(action), seat)
        assert one.totals == other.totals


@given(game=games())
@thorough(100)
def test_the_mask_is_the_legal_actions_as_the_frame_calls_them(game: Game) -> None:
    for seat in game.to_act:
        view = game.view(seat)
        seen = see(view)
        legal = {seen.frame.restore(action) for action in np.flatnonzero(seen.mask).tolist()}
        assert legal == set(view.legal_actions)
        assert {int(seen.frame.rename(action)) for action in legal} == set(
            np.flatnonzero(seen.mask).tolist()
        )


def test_a_frame_renames_suits_and_nothing_else() -> None:
    frame = Frame((Suit.RED, Suit.BLUE, Suit.GREEN, Suit.YELLOW))
    texts = {
        "play B7": "play R7",
        "play Y13": "play Y13",
        "play W": "play W",
        "play SH=J": "play SH=J",
        "play JU=G": "play JU=B",
        "play CL=R": "play CL=G",
        "bid 3": "bid 3",
        "trump B": "trump R",
        "trump none": "trump none",
        "cloud -1": "cloud -1",
        "pass G2": "pass B2",
        "pass CL": "pass CL",
    }
    for seen, meant in texts.items():
        assert frame.restore(Action(seen)) == Action(meant)
        assert frame.rename(Action(meant)) == Action(seen)
    assert sorted(frame.restored.tolist()) == list(range(ACTION_COUNT))
    assert [frame.restore(frame.rename(action)) for action in ACTIONS] == list(ACTIONS)


def test_the_options_are_all_told() -> None:
    """A new option must be added to the observation."""
    told = {field.name for field in FIELDS}
    assert {card.code for card in SPECIALS} == {
        label.split("[")[1][:-1] for label in LABELS if label.startswith("specials[")
    }
    covered = {
        "players": "players",
        "mode": "mode",
        "specials": "specials",
        "bidding": "bidding",
        "bid_rule": "bid_rule",
        "clairvoyance": "clairvoyant",
        "dark_wizard": "dark_wizard",
        "suit_after_wizard": "binding",
        "rounds": "rounds_left",
        "dealer_by": "dealer",
    }
    assert set(Rules().to_options()) == set(covered)
    assert set(covered.values()) <= told
    assert len(Bidding) == len(Clairvoyance) == 3
