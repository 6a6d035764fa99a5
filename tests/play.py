"""Rounds set up by hand, so that a test reads like the table.

Hands, tricks and choices are strings: ``"B5 R3 W"``. Unless a dealer is named, the last seat deals,
so seat 0 bids and leads first. Special cards are added to the deck as the hands need them.
"""

from __future__ import annotations

from typing import Any

from foretold import Card, Deal, Game, Phase, Rules, Trick, cards

SPECIALS = tuple(card.code for card in cards.SPECIALS)
SUIT_CARDS = tuple(f"{suit}{value}" for suit in "BGRY" for value in range(1, 14))


def deal_of(*hands: str, turned: str | None = "J") -> Deal:
    return Deal.of([hand.split() for hand in hands], turned)


def rules_for(deal: Deal, **options: Any) -> Rules:
    """The rules for a single round with this deal."""
    needed = {card.code for card in deal.cards if card.is_special}
    if needed & {"DR", "FA"}:
        needed |= {"DR", "FA"}
    given = {
        "players": len(deal.hands),
        "specials": sorted(needed),
        "rounds": str(len(deal.hands[0])),
        "dealer_by": "seat",
    }
    return Rules(**{**given, **options})


def start(*hands: str, turned: str | None = "J", dealer: int = -1, **options: Any) -> Game:
    """A game of one round, dealt: ``start("B5 R3", "B3 J", "W G1", turned="R8")``."""
    deal = deal_of(*hands, turned=turned)
    return Game(rules_for(deal, **options), deals=(deal,), first_dealer=dealer % len(hands))


def await_deals(dealer: int = -1, **options: Any) -> Game:
    """A game that waits for deals made by hand; the last seat deals first."""
    rules = Rules(dealer_by="seat", **options)
    return Game(rules, deals=(), first_dealer=dealer % rules.players)


def bid(game: Game, *bids: int) -> Game:
    """Bid in the order in which the seats are asked."""
    for number in bids:
        game.push(f"bid {number}")
    return game


def play(game: Game, cards: str) -> Game:
    """Play cards in turn: ``play(game, "B5 B3 JU=R")``."""
    for card in cards.split():
        game.push(f"play {card}")
    return game


def pass_cards(game: Game, cards: str) -> Game:
    """Pass a card for every seat, seat 0 first."""
    for seat, card in enumerate(cards.split()):
        game.push(f"pass {card}", seat)
    return game


def round_of(
    *hands: str, bids: tuple[int, ...] | None = None, turned: str | None = "J", **options: Any
) -> Game:
    """A game of one round in which all have bid (0 by default) and seat 0 is to lead."""
    return bid(start(*hands, turned=turned, **options), *(bids or (0,) * len(hands)))


def trick_game(cards: str, trump: str | None = None, **options: Any) -> Game:
    """A one-card round played out: seat 0 leads the first of the cards."""
    hands = [card.partition("=")[0] for card in cards.split()]
    return play(round_of(*hands, turned=turned_for(trump, hands), **options), cards)


def trick(cards: str, trump: str | None = None, **options: Any) -> Trick:
    """The trick that these cards make; trump is a suit's letter."""
    return trick_game(cards, trump, **options).view(None).tricks[-1]


def winner(cards: str, trump: str | None = None, **options: Any) -> int | None:
    """Which of these cards takes the trick, from 0; None if nobody does."""
    return trick(cards, trump, **options).winner


def next_leader(cards: str, trump: str | None = None, **options: Any) -> int | None:
    """Who leads after these cards, if seat 0 led."""
    return trick(cards, trump, **options).next_leader


def turned_for(trump: str | None, held: list[str]) -> str:
    """A card that makes a suit trump (or none) and that nobody holds."""
    if trump is None:
        return "J"
    return next(f"{trump}{value}" for value in range(1, 14) if f"{trump}{value}" not in held)


def choices(game: Game, seat: int | None = None) -> str:
    """What may be done now, without the verb: ``"B5 W"``, ``"0 1 2"``, ``"B G R Y"``."""
    return " ".join(action.object for action in game.legal_actions(seat))


def hand(game: Game, seat: int) -> str | None:
    """What a seat sees of its own hand, in order of the card numbers."""
    return text_of(game.view(seat).hand)


def text_of(cards: tuple[Card, ...] | None) -> str | None:
    return None if cards is None else " ".join(map(str, cards))


def finish(game: Game) -> Game:
    """Take the first legal action until the game is over, or until a deal is awaited."""
    while game.phase not in (Phase.DEAL, Phase.OVER):
        game.push(next(iter(game.legal_actions())))
    return game
