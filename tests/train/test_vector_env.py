"""Self-play under many rules, and the opponents in it."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from foretold.actions import ACTION_COUNT
from foretold.bots import SimpleBot
from foretold.env import OBSERVATION_SIZE
from foretold.env.memory import ABOVE_BID, BELOW_BID
from foretold.env.reading import rows_of, see_seat
from foretold.env.writer import blank
from foretold.kernel import Phase
from foretold.kernel.layout import BIDS, BIDS_MADE, HAND, PLAYERS, ROUND, SIZE, TOTALS
from foretold.rules import Bidding, BidRule, Clairvoyance, Mode, Rules
from foretold.train.opponents import SIMPLE, STRANGER, act, draw_tempers, rows
from foretold.train.seating import BY_RULE, NETWORK, SNAPSHOT
from foretold.train.variety import some_rules
from train.small import any_actions, some_env
from variants import VARIANTS, some_game


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


@pytest.mark.parametrize("from_start", [True, False])
def test_what_is_asked_is_what_the_seat_sees(from_start: bool) -> None:
    """Rules and opponents change from episode to episode: nothing of the last one may remain."""
    env, pool = some_env(from_start=from_start)
    chance = np.random.default_rng(1)
    asked = env.begin()
    played: set[int] = set()
    for _ in range(150):
        env.step(any_actions(asked.masks, chance))
        played |= set(env.arrays.rules.tolist())
    assert len(played) > 40
    assert set(asked.whom.tolist()) == {NETWORK, SNAPSHOT}
    for game in range(env.games):
        observation = np.zeros(OBSERVATION_SIZE, dtype=np.int8)
        mask = np.zeros(ACTION_COUNT, dtype=np.int8)
        rules = pool[env.arrays.rules[game]]
        state, memory = env.states[game], env.episodes.memories[game]
        see_seat(state, memory, int(asked.seats[game]), blank(rules), observation, mask)
        assert (asked.observations[game] == observation).all()
        assert (asked.masks[game] == mask).all()
        assert mask.sum() > 1
        assert env.players.seated[game, asked.seats[game]] < BY_RULE


def test_a_game_that_begins_later_has_a_sheet_that_its_rounds_could_have_brought() -> None:
    env, _ = some_env(games=300)
    env.begin()
    missed: set[int] = set()
    for state, memory in zip(env.states, env.episodes.memories, strict=True):
        rounds, players = int(state[ROUND]), int(state[PLAYERS])
        for seat in range(players):
            off = int(memory[ABOVE_BID + seat] + memory[BELOW_BID + seat])
            assert 0 <= off <= rounds
            gained = int(state[TOTALS + seat]) + 10 * off
            assert 20 * (rounds - off) <= gained <= (rounds - off) * (20 + 20 * rounds / players)
            missed.add(off)
    assert len(missed) > 8


def test_an_illegal_answer_is_refused() -> None:
    env, _ = some_env(games=4)
    asked = env.begin()
    actions = any_actions(asked.masks, np.random.default_rng(1))
    actions[2] = int((asked.masks[2] == 0).argmax())
    with pytest.raises(ValueError, match="game 2"):
        env.step(actions)


def test_a_seed_repeats_an_environment_on_any_number_of_threads() -> None:
    envs = [some_env()[0], some_env()[0]]
    envs[1]._engine._parts = [(0, 50), (50, 120)]  # type: ignore[attr-defined]
    chances = [np.random.default_rng(1), np.random.default_rng(1)]
    for env in envs:
        env.begin()
    for _ in range(40):
        for env, chance in zip(envs, chances, strict=True):
            env.step(any_actions(env.asked.masks, chance))
    assert (envs[0].states == envs[1].states).all()


def test_opponents_look_only_at_what_their_seat_may_know() -> None:
    """Swap the others' hands, and under clairvoyance its own: it must act the same."""
    env, _ = some_env(games=400)
    chance = np.random.default_rng(5)
    asked = env.begin()
    for _ in range(9):
        env.step(any_actions(asked.masks, chance))
    tempers = [SIMPLE, STRANGER, *draw_tempers(12, 7)]
    hidden = 0
    for game in range(env.games):
        state, memory = env.states[game], env.episodes.memories[game]
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
