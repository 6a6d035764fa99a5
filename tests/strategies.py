"""Random rules, deals and games, as Hypothesis strategies and as plain functions.

Rounds are short, so that examples are fast; special cards, Wizards and Jesters come up far more
often than a fair deal would bring them.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from random import Random
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

from foretold.actions import Action
from foretold.cards import PAIRS, SPECIALS, Card, Suit, own_deck
from foretold.deal import Deal, deck_of
from foretold.game import Game
from foretold.kernel import Phase
from foretold.rules import Bidding, BidRule, Clairvoyance, DealerBy, Mode, Rules, SuitAfterWizard


def thorough(examples: int) -> settings:
    """Settings of a property test: the same examples in every run."""
    return settings(max_examples=examples, derandomize=True, deadline=None)


# Rules


@st.composite
def rules(draw: st.DrawFn, mode: Mode | None = None) -> Rules:
    """Compatible rules of every kind."""
    kind = draw(st.sampled_from(Mode)) if mode is None else mode
    players = draw(_players(kind))
    options: dict[str, Any] = {
        "players": players,
        "mode": kind,
        "dark_wizard": draw(st.booleans()),
        "suit_after_wizard": draw(st.sampled_from(SuitAfterWizard)),
        "dealer_by": draw(st.sampled_from(DealerBy)),
        "rounds": draw(_rounds(kind, players)),
    }
    if kind is not Mode.TWO_PLAYER:
        options["bidding"] = draw(st.sampled_from(Bidding))
        if options["bidding"] is Bidding.OPEN:
            options["bid_rule"] = draw(st.sampled_from(BidRule))
    if kind is Mode.STANDARD:
        if draw(st.booleans()):
            options["specials"] = draw(_specials())
        else:
            options["clairvoyance"] = draw(st.sampled_from(Clairvoyance))
    return Rules(**options)


def _players(mode: Mode) -> st.SearchStrategy[int]:
    if mode is Mode.TWO_PLAYER:
        return st.just(2)
    return st.integers(3, 4 if mode is Mode.MONOCOLOUR else 6)


def _rounds(mode: Mode, players: int) -> st.SearchStrategy[str]:
    short = st.lists(st.integers(1, 4), min_size=1, max_size=3)
    longest = 15 if mode is Mode.MONOCOLOUR else 60 // players
    full = st.just([14, 15] if mode is Mode.TWO_PLAYER else [longest, 1])
    sizes = st.one_of(short, short, short, full)
    return sizes.map(lambda chosen: ",".join(map(str, chosen)))


def _specials() -> st.SearchStrategy[tuple[Card, ...]]:
    single = st.sets(st.sampled_from([card for card in SPECIALS if card.partner is None]))
    pairs = st.sets(st.sampled_from(PAIRS))
    some = st.builds(lambda cards, both: (*cards, *chain(*both)), single, pairs)
    return st.one_of(some, st.just(SPECIALS))


# Games


def chances() -> st.SearchStrategy[Random]:
    """Random generators for what follows, cheap to draw."""
    return st.integers(0, 2**32).map(Random)


@st.composite
def seeded_games(draw: st.DrawFn, mode: Mode | None = None) -> Game:
    """Games at their start that deal automatically."""
    return Game(draw(rules(mode)), seed=draw(st.integers(0, 2**32)))


@st.composite
def new_games(draw: st.DrawFn, mode: Mode | None = None) -> Game:
    """Games at their start: some deal automatically, some are dealt by `play`."""
    chosen = draw(rules(mode))
    if draw(st.booleans()):
        return Game(chosen, seed=draw(st.integers(0, 2**32)))
    return new_game(chosen, draw(chances()))


@st.composite
def games(draw: st.DrawFn, mode: Mode | None = None) -> Game:
    """Games at any moment, from the first deal to the end."""
    game = draw(new_games(mode))
    decisions = draw(st.integers(0, length(game.rules)))
    chance = draw(chances())
    for _ in zip(range(decisions), play(game, chance), strict=False):
        pass
    deal_if_due(game, chance)
    return game


def new_game(rules: Rules, chance: Random) -> Game:
    """A game waiting for its first deal."""
    suits = None
    if rules.mode is Mode.MONOCOLOUR:
        suits = tuple(chance.sample(tuple(Suit), rules.players))
    dealer = chance.randrange(rules.players)
    return Game(rules, deals=(), first_dealer=dealer, suits=suits)


def length(rules: Rules) -> int:
    """Roughly the number of decisions in a game, and no less."""
    return sum((size + 2) * rules.players + 2 for size in rules.sizes)


def play(game: Game, chance: Random) -> Iterator[tuple[int, Action]]:
    """Play at random to the end, dealing when due; yields every decision once taken."""
    while game.phase is not Phase.OVER:
        deal_if_due(game, chance)
        seat = chance.choice(game.to_act)
        yield seat, game.push(chance.choice(tuple(game.legal_actions(seat))), seat)


def play_out(game: Game, chance: Random) -> Game:
    for _ in play(game, chance):
        pass
    return game


def deal_if_due(game: Game, chance: Random) -> None:
    if game.phase is Phase.DEAL:
        game.deal(random_deal(game, chance))


def random_deal(game: Game, chance: Random) -> Deal:
    """A deal for the next round, often with many cards that have no suit."""
    rules = game.rules
    size = rules.sizes[len(game.sheet)]
    pull = chance.choice((0.05, 0.4, 1.0))

    def by_chance(card: Card) -> float:
        return chance.random() * (pull if card.suit is None else 1.0)

    if rules.mode is Mode.MONOCOLOUR:
        decks = [own_deck(suit) for suit in game.position.suits if suit is not None]
        return Deal(tuple(tuple(sorted(deck, key=by_chance)[:size]) for deck in decks))
    turns = rules.turns_card(size)
    end = size * rules.players
    pack = sorted(deck_of(rules, used(game)), key=by_chance)[: end + turns]
    chance.shuffle(pack)
    hands = tuple(tuple(pack[first : first + size]) for first in range(0, end, size))
    return Deal(hands, pack[end] if turns else None)


def used(game: Game) -> tuple[Card, ...]:
    """The cards that the next round cannot have."""
    if game.rules.mode is not Mode.TWO_PLAYER:
        return ()
    return tuple(card for log in game.position.logs for card in log.deal.cards)
