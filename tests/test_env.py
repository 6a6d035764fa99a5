"""Environments: what is observed, what acting does, and that both are the game's own."""

from __future__ import annotations

import importlib.util
import os
import pickle
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from hypothesis import given
from numpy.typing import NDArray

from foretold import Action, Card, Deal, Game, Phase, Rules, Suit, Trump, View
from foretold.actions import ACTION_COUNT, ACTIONS
from foretold.cards import SPECIALS, WEREWOLF, own_deck
from foretold.env import (
    AT,
    FIELDS,
    LABELS,
    OBSERVATION_SIZE,
    SCALES,
    BatchEnv,
    Frame,
    Seen,
    columns,
    foretold_v1,
    observe,
    see,
)
from foretold.env.gymnasium import ForetoldEnv
from foretold.env.memory import (
    OUT,
    OWN_SUITS,
    Memory,
    begin_memory,
    new_memory,
    set_of,
    set_own_decks,
    step_and_remember,
)
from foretold.env.observation import axes, table
from foretold.env.reading import see_seat
from foretold.env.spaces import Actions
from foretold.env.tables import Tables
from foretold.env.writer import blank
from foretold.errors import BotError
from foretold.kernel import State, begin_round, new_state
from foretold.kernel.layout import DEALER, ROUND, SIZE, TOTALS
from foretold.rules import Bidding, Clairvoyance, Mode, SuitAfterWizard
from foretold.sheet import Trick
from strategies import chances, deal_if_due, games, length, new_game, play, thorough
from strategies import rules as any_rules
from test_views import OtherWorlds

ROOT = Path(__file__).parent.parent
ALL = ["DR", "FA", "BO", "WE", "JU", "CL", "SH"]
VARIANTS: dict[str, dict[str, Any]] = {
    "base": {"players": 4, "rounds": "1-4"},
    "plus/minus one": {"players": 3, "bid_rule": "plus_minus_one", "rounds": "2,20"},
    "leader uneven": {"players": 5, "bid_rule": "leader_uneven", "rounds": "1-3"},
    "hidden": {"players": 6, "bidding": "hidden", "dark_wizard": True, "rounds": "1,10"},
    "special cards": {"players": 4, "specials": ALL, "rounds": "5,15"},
    "special cards, secret": {"players": 6, "specials": ALL, "bidding": "secret", "rounds": "4"},
    "clairvoyance": {"players": 3, "clairvoyance": "every_round", "rounds": "1-3"},
    "monocolour": {"mode": "monocolour", "players": 3, "rounds": "1,4,15"},
    "monocolour, secret": {"mode": "monocolour", "bidding": "secret", "rounds": "4"},
    "two players": {"mode": "two_player"},
}


@pytest.fixture(params=VARIANTS)
def rules(request: pytest.FixtureRequest) -> Rules:
    return Rules(**VARIANTS[request.param])


def some_game(rules: Rules, chance: Random) -> Game:
    """A game at some moment at which somebody has to decide."""
    while True:
        game = new_game(rules, chance)
        for _ in zip(range(chance.randrange(length(rules))), play(game, chance), strict=False):
            pass
        deal_if_due(game, chance)
        if game.to_act:
            return game


def look_alikes(rules: Rules) -> list[tuple[View, View]]:
    """Views of seats that have to decide, each with the same of a world with other hidden cards."""
    found = []
    for seed in range(30):
        chance = Random(seed)
        game = some_game(rules, chance)
        for seat in game.to_act:
            other = OtherWorlds(game, seat, chance).find()
            if other is not None:
                found.append((game.view(seat), other.view(seat)))
    assert len(found) > 3
    return found


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


# What is observed: a second reading of the table, from the view, in plain Python


class Reading:
    """The entries of an observation that are not 0, by their names."""

    def __init__(self, view: View) -> None:
        assert view.seat is not None
        self.view = view
        self.rules = view.rules
        self.seat = view.seat
        self.entries: dict[str, int] = {}
        self.order = self.suit_order()
        self.tricks = (*view.tricks, *((view.trick,) if view.trick else ()))

    def suit_order(self) -> list[Suit]:
        view, players = self.view, self.rules.players
        trump = [view.trump.suit] if view.trump is not None else []
        own = [view.suits[(self.seat + distance) % players] for distance in range(players)]
        return list(dict.fromkeys(s for s in (*trump, *own, *Suit) if s is not None))

    def read(self) -> dict[str, int]:
        self.options()
        self.moment()
        self.seats()
        self.trick()
        self.cards()
        return {name: value for name, value in self.entries.items() if value}

    def put(self, field: str, *labels: str, value: int = 1) -> None:
        name = f"{field}[{', '.join(labels)}]" if labels else field
        assert name in LABELS
        self.entries[name] = self.entries.get(name, 0) + value

    def where(self, seat: int) -> str:
        distance = (seat - self.seat) % self.rules.players
        return f"+{distance}" if distance else "own"

    def suit(self, suit: Suit) -> str:
        return "abcd"[self.order.index(suit)]

    def named(self, card: Card) -> str:
        return card.code if card.suit is None else f"{self.suit(card.suit)}{card.value}"

    def put_cards(self, field: str, *labels: str, cards: Iterable[Card]) -> None:
        for card in cards:
            self.put(field, *labels, self.named(card))

    def options(self) -> None:
        rules = self.rules
        self.put("mode", rules.mode)
        self.put("players", str(rules.players))
        self.put("bidding", rules.bidding)
        self.put("bid_rule", rules.bid_rule)
        self.put("dark_wizard", value=int(rules.dark_wizard))
        self.put("binding", value=int(rules.suit_after_wizard is SuitAfterWizard.BINDING))
        for card in rules.specials:
            self.put("specials", card.code)

    def moment(self) -> None:
        view = self.view
        begun = len(view.sheet)
        if view.phase not in (Phase.DEAL, Phase.OVER):
            self.put("phase", view.phase.name.lower())
            begun += 1
        self.put("rounds_left", value=len(self.rules.sizes) - begun)
        self.put("size", value=view.size)
        self.put("tricks_left", value=view.size - len(view.tricks))
        self.put("clairvoyant", value=int(self.rules.is_clairvoyant(view.size)))
        self.put("dealer", self.where(view.dealer))
        leader = view.tricks[-1].next_leader if view.tricks else view.dealer + 1
        assert leader is not None
        self.put("leader", self.where(leader))
        if view.trump is None:
            self.put("trump", "not named yet")
        else:
            self.put("trump", "none" if view.trump is Trump.NONE else "a")
        if view.turned is not None:
            self.put_cards("turned", cards=[view.turned])
        if view.werewolf is not None:
            self.put("werewolf", self.where(view.werewolf))

    def seats(self) -> None:
        view = self.view
        for seat in range(self.rules.players):
            where = self.where(seat)
            self.put("totals", where, value=max(-127, min(view.totals[seat] // 10, 127)))
            self.put("to_act", where, value=int(seat in view.to_act))
            self.put("taken", where, value=view.taken[seat])
            bid = view.bids[seat]
            if bid is not None:
                self.put("bids", where, value=bid)
                self.put("shown", where)
                self.put("needs", where, value=bid - view.taken[seat])
            suit = view.suits[seat]
            if suit is not None:
                self.put("suits", where, self.suit(suit))
        self.put("excess", value=sum(bid for bid in view.bids if bid is not None) - view.size)
        for trick in view.tricks:
            if trick.winner is not None and Card("CL") in trick.cards:
                self.put("cloud", self.where(trick.winner))

    def trick(self) -> None:
        trick = self.view.trick
        led, unled = self.led(trick, len(trick.plays) if trick else 0)
        if led is not None:
            self.put("led", self.suit(led))
        self.put("unled", value=int(unled))
        if trick is None:
            return
        self.put("in_trick", value=len(trick.plays))
        for index, one in enumerate(trick.plays):
            where = self.where((trick.leader + index) % self.rules.players)
            assert one.card is not None
            if one.suit is not None:
                self.put("trick", where, self.suit(one.suit))
            if one.card.value is not None:
                self.put("trick", where, str(one.card.value))
            else:
                alone = one.card.code in ("JU", "CL")
                self.put("trick", where, one.card.code if alone else one.object)

    def led(self, trick: Trick | None, position: int) -> tuple[Suit | None, bool]:
        """The suit that the next card has to follow, and whether it is the one to set it."""
        if self.rules.mode is Mode.MONOCOLOUR:
            return None, False
        plays = trick.plays[:position] if trick else ()
        wizards = [one.object in ("W", "DR", "SH=W") for one in plays]
        binding = self.rules.suit_after_wizard is SuitAfterWizard.BINDING
        for one, is_wizard in zip(plays, wizards, strict=True):
            if one.suit is not None:
                return one.suit, False
            if is_wizard and not (binding and wizards[0]):
                return None, False
        return None, True

    def voids(self, since: int, until: int) -> set[tuple[int, Suit]]:
        """Who did not follow which suit in some of the tricks."""
        return {
            ((trick.leader + index) % self.rules.players, led)
            for trick in self.tricks[since:until]
            for index, card in enumerate(trick.cards)
            if (led := self.led(trick, index)[0]) is not None and card.suit not in (None, led)
        }

    def cards(self) -> None:
        view, rules = self.view, self.rules
        hand = Counter(view.hand or ())
        self.put_cards("hand", cards=hand.elements())
        self.put_cards("out", cards=view.out)
        self.put_cards("set_aside", cards=view.set_aside)
        found = hand + Counter(view.out)
        played: dict[int, Counter[Card]] = {seat: Counter() for seat in range(rules.players)}
        for trick in self.tricks:
            for index, card in enumerate(trick.cards):
                played[(trick.leader + index) % rules.players][card] += 1
        for seat, cards in played.items():
            found += cards
            self.put_cards("played", self.where(seat), cards=cards.elements())
        after = self.passes()
        for seat in range(rules.players):
            if seat != self.seat:
                known = self.known(seat, played[seat], after)
                found += known
                self.put_cards("known", self.where(seat), cards=known.elements())
        if view.turned is not None and view.werewolf is None:
            found[view.turned] += 1
        for card in (self.deck() - found).elements():
            if card != WEREWOLF:
                self.put("unseen", self.named(card))

    def passes(self) -> int | None:
        """After how many tricks cards were passed, if they were."""
        end, after = len(self.tricks), None
        for passed in self.view.passes:
            self.put_cards("given", cards=[passed.given])
            if passed.received is not None:
                after = passed.after
                self.put_cards("received", cards=[passed.received])
        for seat, suit in self.voids(after or 0, end):
            self.put("voids", self.where(seat), self.suit(suit))
        if after is not None:
            given = self.view.passes[0].given
            sure = self.voids(after, end)
            for seat, suit in self.voids(0, after):
                self.put("voids_before_pass", self.where(seat), self.suit(suit))
                to_left = self.where(seat) == "+1" and given.suit is not suit
                if to_left and (seat, suit) not in sure:
                    self.put("voids", "+1", self.suit(suit))
        return after

    def known(self, seat: int, played: Counter[Card], after: int | None) -> Counter[Card]:
        view = self.view
        seen = view.seen_hands[seat]
        if seen is not None:
            return Counter(seen) - played
        known: Counter[Card] = Counter()
        if after is not None and self.where(seat) == "+1":
            given = view.passes[0].given
            later = [
                trick.cards[(seat - trick.leader) % self.rules.players]
                for trick in self.tricks[after:]
                if (seat - trick.leader) % self.rules.players < len(trick.cards)
            ]
            known[given] += given not in later
        if seat == view.werewolf and view.turned is not None and view.turned not in played:
            from_right = (seat + 1) % self.rules.players == self.seat
            if after is None or (from_right and view.passes[0].received != view.turned):
                known[view.turned] += 1
        return +known

    def deck(self) -> Counter[Card]:
        if self.rules.mode is not Mode.MONOCOLOUR:
            return Counter(self.rules.deck)
        suits = [suit for suit in self.view.suits if suit is not None]
        return sum((Counter(own_deck(suit)) for suit in suits), Counter[Card]())


DERIVED = ("winner", "winning")  # who wins a trick is the kernel's to say


def entries(observation: NDArray[np.int8]) -> dict[str, int]:
    return {LABELS[index]: int(observation[index]) for index in np.flatnonzero(observation)}


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
    assert (seen["winning[a9]"], seen["winner[+2]"], seen["led[c]"]) == (1, 1, 1)


def test_a_spectator_has_no_observation() -> None:
    with pytest.raises(ValueError, match="a spectator has no observation"):
        observe(Game("amigo", seed=1).view(None))


# One writer: a batch sees what a single view sees


def remembered(game: Game) -> tuple[State, Memory]:
    """The row, hidden cards included, and the memory, kept as a batch keeps them."""
    position, rules = game.position, game.rules
    assert position.log is not None
    state, memory = new_state(rules, game.first_dealer), new_memory(rules)
    if rules.mode is Mode.MONOCOLOUR:
        for seat, suit in enumerate(position.suits):
            assert suit is not None
            memory[OWN_SUITS + seat] = suit
        set_own_decks(memory, rules.players)
    state[DEALER], state[ROUND] = position.dealer, len(position.past)
    state[TOTALS : TOTALS + rules.players] = game.sheet[-1].totals if position.past else 0
    cards = np.array(position.log.deal.cards, dtype=np.int64)
    size = rules.sizes[len(position.past)]
    begin_round(state, size, cards, 0, size, position.turned is not None)
    begin_memory(memory)
    out = np.array(position.out, dtype=np.int64)
    memory[OUT] = set_of(out, 0, len(out))
    for seat, action in position.log.actions:
        step_and_remember(state, memory, seat, int(action))
    assert state[SIZE] == position.size
    return state, memory


def seen_from(game: Game, seat: int) -> Seen:
    state, memory = remembered(game)
    observation = np.zeros(OBSERVATION_SIZE, dtype=np.int8)
    mask = np.empty(ACTION_COUNT, dtype=np.int8)
    order = see_seat(state, memory, seat, blank(game.rules), observation, mask)
    return Seen(observation, mask, Frame.of_order(order))


def same(one: Seen, other: Seen) -> bool:
    return (
        entries(one.observation) == entries(other.observation)
        and np.array_equal(one.mask, other.mask)
        and one.frame == other.frame
    )


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
            seat = int(tables.seats_to_act[index])
            seen = see(game.view(seat))
            assert entries(tables.observations[index]) == entries(seen.observation)
            assert np.array_equal(tables.action_masks[index], seen.mask)
        tables.pick(actions)
        if tables.over.any():
            break
        for index, game in enumerate(singles):
            game.push(see(game.view(game.to_act[0])).frame.restore(int(actions[index])))
        assert tables.take(actions) == -1
        for index, game in enumerate(singles):
            if game.phase is Phase.DEAL:
                game.deal(tables.deal_of(index))
            assert game.position.row == tables.states[index].tolist()


def single(tables: Tables, index: int) -> Game:
    """A game of the tables, on its own."""
    rules = tables.rules
    suits = None
    if rules.mode is Mode.MONOCOLOUR:
        own = tables.memories[index, OWN_SUITS : OWN_SUITS + rules.players]
        suits = tuple(Suit(suit) for suit in own.tolist())
    dealer = int(tables.states[index, DEALER])
    game = Game(rules, deals=(), first_dealer=dealer, suits=suits)
    game.deal(tables.deal_of(index))
    return game


# Nothing hidden is seen


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


# The frame


def renamed(deal: Deal, names: dict[Suit, Suit]) -> Deal:
    def other(card: Card) -> Card:
        return card if card.suit is None else Card(names[card.suit] * 13 + card % 13)

    turned = None if deal.turned is None else other(deal.turned)
    return Deal(tuple(tuple(other(card) for card in hand) for hand in deal.hands), turned)


@pytest.mark.parametrize("trump", Suit)
def test_trump_is_always_the_first_suit(trump: Suit) -> None:
    """Games that differ only in what trump is called look the same, and are played the same."""
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


# The batch environment


def course(env: BatchEnv, steps: int = 60) -> list[tuple[bytes, ...]]:
    seen = [env.reset()]
    told = []
    for _ in range(steps):
        told.append(tuple(part.tobytes() for part in seen[-1]))
        seen.append(env.step(env.random_actions()))
    return told


def test_the_same_seed_is_the_same_course_whatever_the_threads(rules: Rules) -> None:
    first = course(BatchEnv(rules, 20, seed=3, threads=1))
    assert course(BatchEnv(rules, 20, seed=3, threads=3)) == first
    assert course(BatchEnv(rules, 20, seed=4, threads=1)) != first


def test_a_reset_with_a_seed_is_a_new_environment_of_that_seed() -> None:
    rules = Rules(players=3)
    env = BatchEnv(rules, 10, seed=1)
    fresh = BatchEnv(rules, 10, seed=2).reset().observations.copy()
    first = env.reset().observations.copy()
    assert not np.array_equal(env.reset().observations, first)
    assert np.array_equal(env.reset(seed=2).observations, fresh)
    assert np.array_equal(env.reset(seed=1).observations, first)


def test_rewards_of_a_game_add_up_to_its_totals(rules: Rules) -> None:
    env = BatchEnv(rules, 12, seed=5, episode="game")
    step = env.reset()
    sums = np.zeros_like(step.rewards)
    ended = np.zeros(12, dtype=int)
    while ended.min() < 2:
        seats, masks = step.seats.copy(), step.masks.copy()
        actions = env.random_actions()
        assert (masks[np.arange(12), actions] == 1).all()
        assert ((seats >= 0) & (seats < rules.players)).all()
        step = env.step(actions)
        sums += step.rewards
        for game in np.flatnonzero(step.dones):
            ended[game] += 1
            assert sums[game].tolist() == env.final_totals[game].tolist()
            sums[game] = 0
            assert not step.observations[game, columns("totals", "played", "taken")].any()


def test_an_episode_of_a_round_ends_with_its_points(rules: Rules) -> None:
    env = BatchEnv(rules, 12, seed=6)
    step = env.reset()
    sizes = Counter[int]()
    decisions = np.zeros(12, dtype=int)
    for _ in range(600):
        before = step.observations[:, AT["size"]].astype(int)
        step = env.step(env.random_actions())
        decisions += 1
        assert (step.rewards.any(axis=1) <= step.dones).all()
        for game in np.flatnonzero(step.dones):
            sizes[before[game]] += 1
            least = rules.players * (before[game] + 1)
            assert least <= decisions[game] <= least + 1 + rules.players + 1
            assert step.rewards[game].tolist() == env.final_totals[game].tolist()
        decisions[step.dones] = 0
    assert set(sizes) == set(rules.sizes)


def test_rounds_come_by_their_weights() -> None:
    env = BatchEnv(Rules(players=3, rounds="1-4"), 4000, seed=1, round_weights=[0, 1, 0, 3])
    sizes = Counter(env.reset().observations[:, AT["size"]].tolist())
    assert set(sizes) == {2, 4}
    assert 2800 < sizes[4] < 3200


def test_a_single_round_of_two_players_has_cards_out() -> None:
    rules = Rules(mode="two_player")
    env = BatchEnv(rules, 200, seed=1, round_weights=[0, 0, 0, 0, 0, 1])
    out = env.reset().observations[:, columns("out")]
    used = sum(2 * size + 1 for size in rules.sizes[:-1])
    assert (out.sum(axis=1) == used).all()
    assert len({row.tobytes() for row in out}) == 200


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"games": 0}, "games is 0: expected at least 1"),
        ({"episode": "match"}, "episode is 'match': expected round or game"),
        ({"round_weights": [1]}, "there are 1 round_weights for the 3 rounds of the rules"),
        ({"round_weights": [0, 0, 0]}, "round_weights must be numbers of at least 0, and not all"),
        ({"round_weights": [1, -1, 1]}, "round_weights must be numbers of at least 0"),
        ({"episode": "game", "round_weights": [1, 1, 1]}, "round_weights are for episodes of one"),
    ],
)
def test_an_impossible_environment_is_refused(arguments: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        BatchEnv(Rules(players=3, rounds="1-3"), **{"games": 5, **arguments})


@pytest.mark.parametrize("wrong", [-1, -(2**62), int(Action("play B1")), ACTION_COUNT, 2**62])
def test_an_illegal_action_is_refused(wrong: int) -> None:
    env = BatchEnv(Rules(players=3, rounds="2"), 5, seed=2, threads=1)
    env.reset()
    before = env.states.copy()
    actions = env.random_actions()
    actions[2] = wrong
    with pytest.raises(ValueError, match=f"action {wrong} is not legal in game 2"):
        env.step(actions)
    assert np.array_equal(env.states[2:], before[2:])


def test_there_must_be_an_action_for_every_game() -> None:
    env = BatchEnv(Rules(players=3), 5)
    env.reset()
    with pytest.raises(ValueError, match="actions for 5 games"):
        env.step(np.zeros(4, dtype=np.int64))


# PettingZoo

# Its test warns of every observation that is a dict, as its own documentation has them, and of the
# old way of making its environments, which it takes itself.
api_test_warnings = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably:UserWarning"),
    pytest.mark.filterwarnings("ignore:The old environment creation API:DeprecationWarning"),
]


class TestPettingZoo:
    pytestmark = api_test_warnings

    def test_api(self, rules: Rules) -> None:
        from pettingzoo.test import api_test

        api_test(foretold_v1.env(rules), num_cycles=150)

    def test_seeds(self, rules: Rules) -> None:
        from pettingzoo.test import seed_test

        seed_test(lambda: foretold_v1.env(rules), num_cycles=20)

    @pytest.mark.parametrize("episode", ["game", "round"])
    def test_the_points_are_the_rewards(self, rules: Rules, episode: str) -> None:
        env = foretold_v1.env(rules, episode=episode)
        env.reset(seed=1)
        earned = dict.fromkeys(env.possible_agents, 0.0)
        for agent in env.agent_iter():
            seen, reward, termination, _, _ = env.last()
            earned[agent] += reward
            mask = seen["action_mask"]
            env.step(None if termination else env.action_space(agent).sample(mask))
        assert env.agents == []
        assert list(earned.values()) == env._tables.final_totals[0].tolist()

    def test_every_agent_sees_its_own_view(self) -> None:
        env = foretold_v1.env("anniversary", players=3, rounds="3")
        env.reset(seed=2)
        game = single(env._tables, 0)
        while game.outcome() is None:
            for seat, agent in enumerate(env.agents):
                seen = see(game.view(seat))
                assert env.observation_space(agent).contains(env.observe(agent))
                assert np.array_equal(env.observe(agent)["observation"], seen.observation)
                assert np.array_equal(env.observe(agent)["action_mask"], seen.mask)
            agent = env.agent_selection
            action = env.action_space(agent).sample(env.observe(agent)["action_mask"])
            game.push(see(game.view(game.to_act[0])).frame.restore(int(action)))
            env.step(action)
        assert all(env.terminations.values())

    def test_what_was_seen_stays(self) -> None:
        env = foretold_v1.env()
        env.reset(seed=1)
        seen = env.last()[0]
        before = seen["observation"].copy()
        env.step(int(seen["action_mask"].argmax()))
        assert np.array_equal(seen["observation"], before)

    def test_without_a_seed_games_differ(self) -> None:
        env = foretold_v1.env(players=6, rounds="10")
        deals = set()
        for _ in range(3):
            env.reset()
            deals.add(env.last()[0]["observation"].tobytes())
        assert len(deals) == 3

    def test_an_illegal_action_is_refused(self) -> None:
        env = foretold_v1.env()
        env.reset(seed=1)
        with pytest.raises(ValueError, match="action 5 is not legal for player_"):
            env.step(5)
        with pytest.raises(ValueError, match="must take an action"):
            env.step(None)

    def test_it_shows_the_table(self) -> None:
        env = foretold_v1.env("amigo", players=3, rounds="1", bidding="hidden", render_mode="ansi")
        env.reset(seed=1)
        shown = str(env.render())
        assert shown.startswith("round 1 of 1, 1 cards, turned ")
        while not any(env.terminations.values()):
            assert ("bid -" in shown) == ("to bid" in shown or "to trump" in shown)
            env.step(int(env.last()[0]["action_mask"].argmax()))
            shown = str(env.render())
        assert ": over" in shown
        assert foretold_v1.env().render() is None

    def test_it_can_be_pickled(self) -> None:
        env = foretold_v1.env(players=3)
        env.reset(seed=1)
        other = pickle.loads(pickle.dumps(env))
        action = int(env.last()[0]["action_mask"].argmax())
        for one in (env, other):
            one.step(action)
        assert np.array_equal(env.last()[0]["observation"], other.last()[0]["observation"])


def test_samples_under_a_mask_are_legal_and_reach_all() -> None:
    space = Actions()
    space.seed(1)
    mask = np.zeros(ACTION_COUNT, dtype=np.int8)
    mask[[3, 60, 163]] = 1
    assert {int(space.sample(mask)) for _ in range(60)} == {3, 60, 163}
    assert space.contains(space.sample())
    assert space.sample(np.zeros(ACTION_COUNT, dtype=np.int8)) == 0
    with pytest.raises(AssertionError):
        space.sample(mask[:5])


# Gymnasium


def make(**arguments: Any) -> ForetoldEnv:
    made = gymnasium.make("foretold.env.gymnasium:Foretold-v1", **arguments).unwrapped
    assert isinstance(made, ForetoldEnv)
    return made


@pytest.mark.parametrize("opponents", ["simple", ["random", "simple", "random"]])
def test_gymnasium_checks(opponents: str | list[str]) -> None:
    check_env(make(opponents=opponents, rounds="1-3"))


def episode(env: ForetoldEnv, seed: int) -> tuple[list[float], tuple[int, ...]]:
    seen, _ = env.reset(seed=seed)
    env.action_space.seed(seed)
    rewards = []
    done = False
    while not done:
        action = env.action_space.sample(seen["action_mask"])
        seen, reward, done, _, info = env.step(action)
        rewards.append(reward)
        assert not info["illegal"]
    return rewards, env.game.totals


def test_a_seat_among_bots_gets_its_points(rules: Rules) -> None:
    for seat in (None, 0, rules.players - 1):
        env = ForetoldEnv(rules, "random", seat=seat)
        rewards, totals = episode(env, seed=4)
        assert sum(rewards) == totals[env.seat]
        assert episode(env, seed=4) == (rewards, totals)
        if seat is not None:
            assert env.seat == seat


def test_seats_are_drawn() -> None:
    env = ForetoldEnv(Rules(players=3, rounds="1"), "random")
    assert {env.reset(seed=seed)[1]["seat"] for seed in range(20)} == {0, 1, 2}


def test_an_illegal_action_costs_points_and_the_move() -> None:
    env = ForetoldEnv(Rules(players=3, rounds="1"), seat=0)
    env.reset(seed=1)
    _, reward, _, _, info = env.step(163)
    assert info["illegal"]
    assert reward == -10
    assert env.game.view(0).bids[0] is not None


def test_after_the_end_there_is_no_step() -> None:
    env = ForetoldEnv(Rules(players=3, rounds="1"), seat=0)
    episode(env, seed=1)
    with pytest.raises(ValueError, match="the game is over: call reset"):
        env.step(0)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"opponents": "nobody"}, "unknown bot"),
        ({"opponents": ["simple"]}, "there are 1 opponents for 3 seats"),
        ({"seat": 4}, "there is no seat 4"),
    ],
)
def test_an_impossible_table_is_refused(arguments: dict[str, Any], reason: str) -> None:
    with pytest.raises((ValueError, BotError), match=reason):
        ForetoldEnv("amigo", **arguments)


# Elsewhere

PLAIN = """
import hashlib, sys
from foretold import Rules
from foretold.env import BatchEnv

ALL = ["DR", "FA", "BO", "WE", "JU", "CL", "SH"]
for rules in (
    Rules(players=3, specials=ALL, rounds="7,8"),
    Rules(mode="monocolour", rounds="4"),
    Rules(mode="two_player", rounds="2-4"),
):
    env = BatchEnv(rules, 3, seed=1, threads=1)
    step, digest = env.reset(), hashlib.sha256()
    for _ in range(80):
        step = env.step(env.random_actions())
        for part in step:
            digest.update(part.tobytes())
    print(digest.hexdigest())
"""


def test_plain_python_sees_the_same() -> None:
    told = [
        subprocess.run(
            [sys.executable, "-W", "error", "-c", PLAIN],
            env={**os.environ, "NUMBA_DISABLE_JIT": disabled},
            capture_output=True,
            text=True,
            timeout=300,
            check=True,
        ).stdout
        for disabled in ("0", "1")
    ]
    assert told[0] == told[1]
    assert len(set(told[0].split())) == 3


def test_the_example_learns() -> None:
    place = importlib.util.spec_from_file_location("learn", ROOT / "examples" / "learn.py")
    assert place is not None
    assert place.loader is not None
    learn = importlib.util.module_from_spec(place)
    sys.modules["learn"] = learn
    place.loader.exec_module(learn)
    means = learn.train(15, seed=1)
    assert np.mean(means[-3:]) > np.mean(means[:3]) + 1.5


def test_the_options_are_all_told() -> None:
    """An option that is added must be added to the observation."""
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
