"""Properties that hold in every game, whatever its rules and deals."""

from __future__ import annotations

import json
import pickle
from collections import Counter
from collections.abc import Container
from itertools import accumulate
from random import Random
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from foretold.actions import ACTION_COUNT, ACTIONS, Action, Verb
from foretold.cards import WEREWOLF, Card
from foretold.deal import Deal, deck_of
from foretold.errors import IllegalActionError
from foretold.game import Game
from foretold.kernel import Phase
from foretold.record import parse_record, write_record
from foretold.rules import Bidding, Mode, Rules
from strategies import (
    chances,
    deal_if_due,
    games,
    new_games,
    play,
    play_out,
    rules,
    seeded_games,
    thorough,
)

VERBS = {
    Phase.TRUMP: Verb.TRUMP,
    Phase.BID: Verb.BID,
    Phase.PLAY: Verb.PLAY,
    Phase.PASS: Verb.PASS,
    Phase.CLOUD: Verb.CLOUD,
}


def snapshot(game: Game) -> list[object]:
    """Everything that can be seen of a game, by players and from inside."""
    position = game.position
    return [
        position.row,
        position.state.tolist(),
        position.dealer,
        position.logs,
        position.tricks,
        position.passed_after,
        position.suits,
        position.out,
        game.to_record(),
        [game.view(seat) for seat in (None, *range(game.rules.players))],
    ]


# Cards


def cards_at_hand(game: Game) -> list[Card]:
    return [card for seat in range(game.rules.players) for card in game.position.hand(seat)]


def cards_on_the_table(game: Game) -> list[Card]:
    """The cards played in this round, and those on the stock."""
    view = game.view(None)
    tricks = view.tricks if view.trick is None else (*view.tricks, view.trick)
    on_stock = view.turned if view.werewolf is None else WEREWOLF
    played = [card for trick in tricks for card in trick.cards]
    return played if on_stock is None else [*played, on_stock]


@thorough(80)
@given(new_games(), chances())
def test_cards_are_conserved_at_every_step(game: Game, chance: Random) -> None:
    for _ in play(game, chance):
        log = game.position.log
        assert log is not None
        found = Counter([*cards_at_hand(game), *cards_on_the_table(game)])
        assert found == Counter(log.deal.cards)


@thorough(80)
@given(games())
def test_a_round_and_its_stock_are_the_deck(game: Game) -> None:
    log = game.position.log
    if log is None or game.rules.mode is Mode.MONOCOLOUR:
        return
    in_game = Counter([*game.position.out, *log.deal.cards])
    stock = deck_of(game.rules, [*in_game.elements()])
    assert in_game + Counter(stock) == Counter(game.rules.deck)


@thorough(60)
@given(new_games(), chances())
def test_hands_are_as_large_as_tricks_are_left(game: Game, chance: Random) -> None:
    for _ in play(game, chance):
        view = game.view(None)
        played = 0 if view.trick is None else len(view.trick.plays)
        left = (view.size - len(view.tricks)) * game.rules.players - played
        assert len(cards_at_hand(game)) == left


# The score


@thorough(80)
@given(new_games(), chances())
def test_every_trick_is_taken_or_set_aside(game: Game, chance: Random) -> None:
    for line in play_out(game, chance).sheet:
        for trick in line.tricks:
            assert trick.is_set_aside == (Card("BO") in trick.cards)
        set_aside = sum(trick.is_set_aside for trick in line.tricks)
        assert sum(line.taken) + set_aside == len(line.tricks) == line.size
        winners = Counter(trick.winner for trick in line.tricks if trick.winner is not None)
        assert line.taken == tuple(winners[seat] for seat in range(game.rules.players))


@thorough(80)
@given(new_games(), chances())
def test_totals_are_the_sums_of_points(game: Game, chance: Random) -> None:
    sheet = play_out(game, chance).sheet
    by_seat = zip(*(line.points for line in sheet), strict=True)
    assert [line.totals for line in sheet] == list(zip(*map(accumulate, by_seat), strict=True))
    assert game.totals == sheet[-1].totals


@thorough(60)
@given(new_games(), chances())
def test_points_follow_from_bid_and_tricks(game: Game, chance: Random) -> None:
    for line in play_out(game, chance).sheet:
        for bid, taken, points in zip(line.scored_bids, line.taken, line.points, strict=True):
            assert points == (20 + 10 * taken if bid == taken else -10 * abs(bid - taken))


@thorough(60)
@given(new_games(), chances())
def test_the_winners_have_the_most_points(game: Game, chance: Random) -> None:
    outcome = play_out(game, chance).outcome()
    assert outcome is not None
    best = max(game.totals)
    assert [game.totals[seat] == best for seat in range(game.rules.players)] == [
        seat in outcome.winners for seat in range(game.rules.players)
    ]


# Undo, copies, seeds


@thorough(60)
@given(new_games(), chances())
def test_pop_undoes_push(game: Game, chance: Random) -> None:
    deal_if_due(game, chance)
    before = [snapshot(game)]
    taken: list[tuple[int, Action]] = []
    for decision in play(game, chance):
        deal_if_due(game, chance)
        before.append(snapshot(game))
        taken.append(decision)
    while taken:
        before.pop()
        assert game.pop() == taken.pop()
        assert snapshot(game) == before[-1]


@thorough(40)
@given(seeded_games(), chances())
def test_what_was_taken_back_can_be_played_again(game: Game, chance: Random) -> None:
    taken = list(play(game, chance))
    record = game.to_record()
    for _ in taken:
        game.pop()
    for seat, action in taken:
        game.push(action, seat)
    assert game.to_record() == record


@thorough(20)
@given(new_games())
def test_before_the_first_action_there_is_nothing_to_take_back(game: Game) -> None:
    before = snapshot(game)
    with pytest.raises(IndexError):
        game.pop()
    assert snapshot(game) == before


@thorough(40)
@given(games(), chances())
def test_a_copy_is_independent(game: Game, chance: Random) -> None:
    before = snapshot(game)
    copy = game.copy()
    assert snapshot(copy) == before
    play_out(copy, chance)
    assert snapshot(game) == before
    after = snapshot(copy)
    play_out(game, chance)
    assert snapshot(copy) == after


@thorough(40)
@given(rules(), st.integers(0, 2**64), st.integers())
def test_the_same_seed_is_the_same_game(rules: Rules, seed: int, moves: int) -> None:
    first, second = (play_out(Game(rules, seed=seed), Random(moves)) for _ in range(2))
    assert first.to_record() == second.to_record()
    assert first.sheet == second.sheet


@pytest.mark.parametrize("mode", Mode)
def test_different_seeds_are_different_games(mode: Mode) -> None:
    deals = {str(Game(Rules(mode=mode, rounds="5"), seed=seed).position.log) for seed in range(50)}
    assert len(deals) == 50


# Records


@thorough(80)
@given(games())
def test_a_record_tells_the_whole_game(game: Game) -> None:
    record = game.to_record()
    again = Game.from_record(record)
    assert again.to_record() == record
    assert snapshot(again) == snapshot(game)


@thorough(60)
@given(games())
def test_a_record_survives_json(game: Game) -> None:
    record = game.to_record()
    line = write_record(record)
    assert line.count(b"\n") == 1
    assert parse_record(line) == json.loads(line) == record
    assert Game.from_record(line).to_record() == record
    assert Game.from_record(line.decode()).to_record() == record


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)
UNKNOWN_FIELDS = st.dictionaries(
    st.text(max_size=6).map(lambda name: f"x-{name}"), JSON_VALUES, min_size=1, max_size=3
)


@thorough(60)
@given(games(), UNKNOWN_FIELDS, UNKNOWN_FIELDS, UNKNOWN_FIELDS)
def test_unknown_fields_are_kept(
    game: Game, top: dict[str, Any], in_rules: dict[str, Any], in_rounds: dict[str, Any]
) -> None:
    record = game.to_record()
    record.update(top)
    record["rules"].update(in_rules)
    for one in record["rounds"]:
        one.update(in_rounds)
    again = Game.from_record(record)
    assert again.to_record() == record
    assert again.sheet == game.sheet


@thorough(60)
@given(games())
def test_repr_rebuilds(game: Game) -> None:
    names = {"Action": Action, "Card": Card, "Deal": Deal, "Game": Game, "Rules": Rules}
    again = eval(repr(game), names)
    assert snapshot(again) == snapshot(game)
    assert eval(repr(game.rules), names) == game.rules
    for log in game.position.logs:
        assert eval(repr(log.deal), names) == log.deal
        assert eval(repr(log.actions), names) == log.actions


# Legal actions


@thorough(80)
@given(games())
def test_legal_actions_take_actions_numbers_and_texts(game: Game) -> None:
    for seat in range(game.rules.players):
        legal = game.legal_actions(seat)
        listed = list(legal)
        assert listed == sorted(set(listed))
        assert len(legal) == legal.count() == len(listed)
        assert bool(legal) == (seat in game.to_act)
        anything: Container[object] = legal
        for action in ACTIONS:
            forms = (action, int(action), str(action))
            assert [form in anything for form in forms] == [action in listed] * 3
        for nonsense in (-1, ACTION_COUNT, 10**30, "", "play", "bid 1 ", None, 1.5):
            assert nonsense not in anything


@thorough(40)
@given(games())
def test_push_takes_what_is_legal_and_refuses_all_else(game: Game) -> None:
    before = snapshot(game)
    for seat in range(game.rules.players):
        legal = game.legal_actions(seat)
        for action in ACTIONS:
            copy = game.copy()
            if action in legal:
                assert copy.push(action, seat) is action
                assert all_actions(copy)[-1] == (seat, action)
            else:
                with pytest.raises(IllegalActionError) as refusal:
                    copy.push(action, seat)
                assert copy.position is game.position
                assert "\n" not in str(refusal.value)
                assert refusal.value.reason
    assert snapshot(game) == before


@thorough(40)
@given(seeded_games(), chances())
def test_asking_why_not_changes_nothing(game: Game, chance: Random) -> None:
    unasked = game.copy()
    for seat, action in play(unasked, chance):
        asked = [(other, chance.choice(ACTIONS)) for other in range(game.rules.players)]
        for other, tried in chance.sample([*asked, (seat, action)], 3):
            refusal = game.refusal(tried, other)
            assert (refusal is None) == (tried in game.legal_actions(other))
        game.push(action, seat)
        assert snapshot(game) == snapshot(unasked)


def all_actions(game: Game) -> list[tuple[int, Action]]:
    return [action for log in game.position.logs for action in log.actions]


@pytest.mark.parametrize("places_on", [-(2**70), -64, -4, 4, 64, 64 * 10**6, 2**63, 2**70])
def test_nobody_sits_outside_the_table(places_on: int) -> None:
    game = Game(Rules(players=4), seed=1)
    seat = game.to_act[0] + places_on
    assert not game.legal_actions(seat)
    with pytest.raises(IllegalActionError, match="there are seats 0 to 3"):
        game.push("bid 0", seat)
    with pytest.raises(ValueError, match="there is no seat"):
        game.view(seat)


@thorough(80)
@given(new_games(), chances())
def test_who_acts_follows_from_the_phase(game: Game, chance: Random) -> None:
    for _ in play(game, chance):
        if game.phase in (Phase.DEAL, Phase.OVER):
            assert game.to_act == ()
        elif game.phase is Phase.PASS:
            assert game.to_act == tuple(
                seat for seat in range(game.rules.players) if not game.view(seat).passes
            )
        elif game.phase is Phase.BID and game.rules.bidding is not Bidding.OPEN:
            bids = game.position.bids
            assert game.to_act == tuple(s for s, bid in enumerate(bids) if bid is None)
        else:
            assert len(game.to_act) == 1
        for seat in game.to_act:
            assert {action.verb for action in game.legal_actions(seat)} == {VERBS[game.phase]}


def test_a_refusal_survives_pickling() -> None:
    """So that a bot in another process can be told why."""
    game = Game("amigo", seed=1)
    with pytest.raises(IllegalActionError) as refused:
        game.push("bid 9")
    again = pickle.loads(pickle.dumps(refused.value))
    assert (type(again), str(again), again.reason) == (
        type(refused.value),
        str(refused.value),
        refused.value.reason,
    )


def test_a_seat_may_be_any_integer() -> None:
    game = Game("amigo", seed=1)
    game.push("bid 0", np.int64(game.to_act[0]))  # type: ignore[arg-type]
    assert msgspec.json.encode(game.to_record())
