"""All worlds that a seat may be in, found by brute force, for small positions."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from foretold import Action, Card, Deal, ForetoldError, Game, Phase, Rules, Verb
from foretold.cards import SPECIALS, WEREWOLF, Suit
from foretold.deal import deck_of
from foretold.rules import Mode
from foretold.sampling import World

CASES = {
    "base": (Rules(players=3, rounds="20"), 2, ""),
    "base, four": (Rules(players=4, rounds="15"), 2, ""),
    "six": (Rules(players=6, rounds="10"), 1, ""),
    "special cards": (Rules(players=3, specials=SPECIALS, rounds="20"), 1, ""),
    "passed": (Rules(players=3, specials=("JU",), rounds="20"), 2, "JU="),
    "passed, four": (Rules(players=4, specials=("JU",), rounds="15"), 1, "JU="),
    "passed, werewolf": (Rules(players=3, specials=("JU", "WE"), rounds="20"), 2, "JU="),
    "two players": (Rules(mode="two_player", rounds="26,2"), 1, ""),
    "monocolour": (Rules(players=3, mode="monocolour", rounds="14"), 2, ""),
}


def other_world(game: Game, seat: int, deal: Deal, passed: Sequence[Card] | None) -> Game:
    """The same game, had the round been dealt like this, and had the others passed these cards."""
    other = Game(game.rules, deals=(), first_dealer=game.first_dealer)
    *past, log = game.position.logs
    for earlier in past:
        other.deal(earlier.deal)
        for actor, action in earlier.actions:
            other.push(action, actor)
    other.deal(deal)
    for actor, action in log.actions:
        if action.verb is Verb.PASS and actor != seat:
            # A choice not shown yet may be anything.
            card = next(iter(other.legal_actions(actor))).card if passed is None else passed[actor]
            action = Action(f"pass {card}")
        other.push(action, actor)
    return other


def assert_fits(game: Game, seat: int, world: World) -> None:
    other = other_world(game, seat, world.deal, world.passed)
    assert other.view(seat) == game.view(seat)
    for holder, hand in enumerate(world.hands):
        seen = other.view(holder).hand
        assert seen is None or seen == hand


def late_positions(rules: Rules, left: int, seeds: range, wanted: str = "") -> Iterator[Game]:
    """Games at a moment of their last round when that many tricks are left."""
    for seed in seeds:
        chance = random.Random(seed)
        game = Game(rules, seed=seed)
        while len(game.position.tricks) < game.position.size - left or game.phase is not Phase.PLAY:
            seat = game.to_act[0]
            game.push(chance.choice(list(game.legal_actions(seat))), seat)
        if not wanted or any(
            wanted in play.object for trick in game.position.tricks for play in trick.plays
        ):
            yield game


Key: TypeAlias = tuple[tuple[tuple[Card, ...], ...], tuple[Card, ...] | None]


def enumerated(game: Game, seat: int) -> Counter[Key]:
    """All consistent worlds, found by trying them all, with the number of ways to have each."""
    view = game.view(seat)
    players = game.rules.players
    played = [
        (play.card, (trick.leader + index) % players)
        for trick in (*view.tricks, *((view.trick,) if view.trick else ()))
        for index, play in enumerate(trick.plays)
    ]
    unseen = Counter(deck_of(game.rules, view.out))
    unseen.subtract(card for card, _ in played if card is not None)
    unseen.subtract(view.hand or ())
    if view.werewolf is not None:
        unseen[WEREWOLF] -= 1
    elif view.turned is not None:
        unseen[view.turned] -= 1
    cards = list(enumerate(unseen.elements()))  # every card counts as distinct
    sizes = [
        0 if other == seat else view.size - sum(player == other for _, player in played)
        for other in range(players)
    ]
    was_passed = any(swap.received is not None for swap in view.passes)
    is_monocolour = game.rules.mode is Mode.MONOCOLOUR
    gone = _played(game)
    found: Counter[Key] = Counter()
    # A player's own deck has one suit, so the suit of what was played is the suit of the hand.
    known = [{card.suit for card in played} - {None} for played in gone]
    for hands in _hands(cards, sizes, known if is_monocolour else None):
        now = [[card for _, card in hand] for hand in hands]
        now[seat] = list(view.hand or ())
        world = tuple(tuple(sorted(hand)) for hand in now)
        for passed in _passes(game, seat, now) if was_passed else [None]:
            deal = _dealt(game, gone, now, passed)
            if deal is None:
                continue
            try:
                other = other_world(game, seat, deal, passed)
            except ForetoldError:
                continue
            if other.view(seat) == view:
                key = world, None if passed is None else tuple(passed)
                # In monocolour everyone has their own Wizard and Jester.
                found[key] = 1 if is_monocolour else found[key] + 1
    return found


def _hands(
    cards: list[tuple[int, Card]],
    sizes: list[int],
    known: list[set[Suit | None]] | None = None,
    seat: int = 0,
) -> Iterator[list[tuple[tuple[int, Card], ...]]]:
    """All hands of these sizes; where suits are known, each hand has only that suit."""
    if seat == len(sizes):
        yield []
        return
    for hand in itertools.combinations(cards, sizes[seat]):
        if known is not None and len(known[seat].union(card.suit for _, card in hand) - {None}) > 1:
            continue
        rest = [card for card in cards if card not in hand]
        for others in _hands(rest, sizes, known, seat + 1):
            yield [hand, *others]


def _passes(game: Game, seat: int, now: list[list[Card]]) -> Iterator[list[Card]]:
    """What the others may have passed: a card that the next player holds now, or has played."""
    view = game.view(seat)
    swap = view.passes[0]
    players = game.rules.players
    assert swap.received is not None
    choices: list[list[Card]] = []
    for giver in range(players):
        if giver == seat:
            choices.append([swap.given])
        elif giver == (seat - 1) % players:
            choices.append([swap.received])
        else:
            taker = (giver + 1) % players
            later = [
                play.card
                for trick in (*view.tricks[swap.after :], *((view.trick,) if view.trick else ()))
                for index, play in enumerate(trick.plays)
                if (trick.leader + index) % players == taker and play.card is not None
            ]
            choices.append([*later, *now[taker]])
    yield from (list(passed) for passed in itertools.product(*choices))


def _played(game: Game) -> list[Counter[Card]]:
    """What every seat has played in this round."""
    played: list[Counter[Card]] = [Counter() for _ in range(game.rules.players)]
    for seat, action in game.position.logs[-1].actions:
        if action.verb is Verb.PLAY and action.card is not None:
            played[seat][action.card] += 1
    return played


def _dealt(
    game: Game, gone: list[Counter[Card]], now: list[list[Card]], passed: list[Card] | None
) -> Deal | None:
    players = game.rules.players
    log = game.position.logs[-1]
    hands: list[tuple[Card, ...]] = []
    for seat in range(players):
        cards = gone[seat].copy()
        cards.update(now[seat])
        if passed is not None:
            cards[passed[seat]] += 1
            cards[passed[seat - 1]] -= 1
        if game.position.werewolf == seat and log.deal.turned is not None:
            cards[log.deal.turned] -= 1
            cards[WEREWOLF] += 1
        if min(cards.values()) < 0:
            return None
        hands.append(tuple(cards.elements()))
    return Deal(tuple(hands), log.deal.turned)
