"""Games that differ only in what a seat cannot know: its view must be the same in all of them."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from foretold.actions import Action, Verb
from foretold.cards import WEREWOLF, Card, Suit, own_deck
from foretold.deal import Deal, deck_of
from foretold.errors import ForetoldError
from foretold.game import Game
from foretold.kernel import Phase
from foretold.rules import Bidding, Mode

TRIES = 40


class OtherWorlds:
    """Games that look the same to a seat, or to a spectator (None)."""

    def __init__(self, game: Game, seat: int | None, chance: Random) -> None:
        assert game.position.log is not None
        self.game = game
        self.rules = game.rules
        self.seat = seat
        self.chance = chance
        self.log = game.position.log
        self.all_bid = game.position.bids_are_made

    def find(self) -> Game | None:
        """One of them that differs, if any was found."""
        for _ in range(TRIES):
            deal = self.another_deal()
            try:
                game = self.replayed(deal)
            except ForetoldError:
                continue  # somebody would have had to play differently
            if game.position.row != self.game.position.row:
                return game
        return None

    # Another deal

    def another_deal(self) -> Deal:
        hands = [list(hand) for hand in self.log.deal.hands]
        for places, stock in self.hidden_places():
            cards = [*(hands[seat][index] for seat, index in places), *stock]
            for _ in range(self.chance.choice((1, 2, 4, 100)) if cards else 0):
                one, other = self.chance.choices(range(len(cards)), k=2)
                cards[one], cards[other] = cards[other], cards[one]
            for (seat, index), card in zip(places, cards, strict=False):
                hands[seat][index] = card
        return Deal(tuple(map(tuple, hands)), self.log.deal.turned)

    def hidden_places(self) -> Iterable[tuple[list[tuple[int, int]], tuple[Card, ...]]]:
        """Where the hidden cards are, with the stock they may be swapped with."""
        seen = self.cards_shown()
        places = [
            (seat, index)
            for seat, hand in enumerate(self.log.deal.hands)
            if not self.sees_hand_of(seat)
            for index, card in enumerate(hand)
            if card not in seen
        ]
        if self.rules.mode is not Mode.MONOCOLOUR:
            dealt = (*self.game.position.out, *self.log.deal.cards)
            stock = tuple(c for c in deck_of(self.rules, dealt) if c != WEREWOLF)
            return [(places, stock)]
        return [
            ([place for place in places if place[0] == seat], self.rest_of_own_deck(seat))
            for seat in range(self.rules.players)
        ]

    def rest_of_own_deck(self, seat: int) -> tuple[Card, ...]:
        suit = self.game.position.suits[seat]
        assert suit is not None
        return tuple(card for card in own_deck(suit) if card not in self.log.deal.hands[seat])

    def sees_hand_of(self, seat: int) -> bool:
        """Whether the watcher knows how that hand was dealt."""
        if self.seat is None:
            return False
        if self.rules.is_clairvoyant(self.game.position.size):
            return seat != self.seat or self.all_bid
        return seat == self.seat

    def cards_shown(self) -> set[Card]:
        """The cards that have been played, or that the watcher was passed, and the Werewolf."""
        shown = {WEREWOLF}
        for seat, action in self.log.actions:
            passed_on = action.verb is Verb.PASS and self.sees_pass_of(seat)
            if action.card is not None and (action.verb is Verb.PLAY or passed_on):
                shown.add(action.card)
        return shown

    def sees_pass_of(self, seat: int) -> bool:
        if self.seat is None:
            return False
        received = (seat + 1) % self.rules.players == self.seat
        return seat == self.seat or (received and self.game.phase is not Phase.PASS)

    # The same decisions, except those that nobody else has seen

    def replayed(self, deal: Deal) -> Game:
        game = Game(
            self.rules, deals=(), first_dealer=self.game.first_dealer, suits=self.suits_shown()
        )
        for log in self.game.position.past:
            game.deal(log.deal)
            for seat, action in log.actions:
                game.push(action, seat)
        game.deal(deal)
        for seat, action in self.log.actions:
            if self.is_hidden(seat, action):
                game.push(self.chance.choice(tuple(game.legal_actions(seat))), seat)
            else:
                game.push(action, seat)
        return game

    def suits_shown(self) -> tuple[Suit, ...] | None:
        suits = tuple(suit for suit in self.game.position.suits if suit is not None)
        return suits or None

    def is_hidden(self, seat: int, action: Action) -> bool:
        if action.verb is Verb.PASS:
            return not self.sees_pass_of(seat)
        if action.verb is not Verb.BID or seat == self.seat:
            return False
        if self.rules.bidding is Bidding.SECRET:
            return self.game.phase in (Phase.BID, Phase.PLAY, Phase.PASS)
        return self.rules.bidding is Bidding.HIDDEN and not self.all_bid
