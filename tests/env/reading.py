"""A second implementation of the observation, from the view and in plain Python."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from foretold import Card, Game, Phase, Suit, Trump, View
from foretold.actions import ACTION_COUNT
from foretold.cards import WEREWOLF, own_deck
from foretold.env import (
    LABELS,
    OBSERVATION_SIZE,
    Frame,
    Seen,
)
from foretold.env.memory import (
    ABOVE_BID,
    BELOW_BID,
    OUT,
    OWN_SUITS,
    Memory,
    begin_memory,
    new_memory,
    set_of,
    set_own_decks,
    step_and_remember,
)
from foretold.env.reading import see_seat
from foretold.env.tables import Tables
from foretold.env.writer import blank
from foretold.kernel import State, begin_round, new_state
from foretold.kernel.layout import DEALER, ROUND, SIZE, TOTALS
from foretold.results import Trick
from foretold.rules import Mode, SuitAfterWizard

# The observation: a second implementation, from the view, in plain Python


class Reading:
    """The entries of an observation that are not 0, by name."""

    def __init__(self, view: View) -> None:
        assert view.seat is not None
        self.view = view
        self.rules = view.rules
        self.seat = view.seat
        self.entries: dict[str, int] = {}
        self.tricks = (*view.tricks, *((view.trick,) if view.trick else ()))
        self.order = self.suit_order()

    def suit_order(self) -> list[Suit]:
        view, players = self.view, self.rules.players
        trump = [view.trump.suit] if view.trump is not None else []
        own = [view.suits[(self.seat + distance) % players] for distance in range(players)]
        had = [*(view.hand or ()), *self.own_plays()] if view.hand is not None else []

        def length(suit: Suit) -> tuple[int, list[int]]:
            values = [card.value for card in had if card.suit is suit and card.value is not None]
            return len(values), sorted(values, reverse=True)

        others = sorted(Suit, key=length, reverse=True)  # among equals the first stays first
        return list(dict.fromkeys(s for s in (*trump, *own, *others) if s is not None))

    def own_plays(self) -> list[Card]:
        places = [(trick, (self.seat - trick.leader) % self.rules.players) for trick in self.tricks]
        return [trick.plays[place].card for trick, place in places if place < len(trick.plays)]

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
            results = [(line.scored_bids[seat], line.taken[seat]) for line in view.sheet]
            self.put("above", where, value=sum(taken > bid for bid, taken in results))
            self.put("below", where, value=sum(taken < bid for bid, taken in results))
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
        """The suit that the next card has to follow, and whether it is the card that sets it."""
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


DERIVED = ("winner", "winning")  # the kernel decides who wins a trick


def entries(observation: NDArray[np.int8]) -> dict[str, int]:
    return {LABELS[index]: int(observation[index]) for index in np.flatnonzero(observation)}


# A batch sees what a single view sees


def remembered(game: Game) -> tuple[State, Memory]:
    """The row, hidden cards included, and the memory, as a batch keeps them."""
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
    for line in game.sheet:
        for seat, (bid, taken) in enumerate(zip(line.scored_bids, line.taken, strict=True)):
            memory[ABOVE_BID + seat] += taken > bid
            memory[BELOW_BID + seat] += taken < bid
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


def single(tables: Tables, index: int) -> Game:
    """A game of the tables, on its own."""
    rules = tables.rules
    suits = None
    if rules.mode is Mode.MONOCOLOUR:
        own = tables.episodes.memories[index, OWN_SUITS : OWN_SUITS + rules.players]
        suits = tuple(Suit(suit) for suit in own.tolist())
    dealer = int(tables.states[index, DEALER])
    game = Game(rules, deals=(), first_dealer=dealer, suits=suits)
    game.deal(tables.deal_of(index))
    return game
