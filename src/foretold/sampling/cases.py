"""Where the unseen cards may be, for every possible kind of pass."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from foretold.cards import Card
from foretold.sampling.places import STOCK
from foretold.sampling.story import Story, is_closed


@dataclass(frozen=True)
class Place:
    """A place for unseen cards."""

    owner: int
    capacity: int
    closed: int = 0
    """The suits that cannot be there, as bits."""
    passed_by: int | None = None
    """Who passed the card, where the place is for the card received from the right."""


@dataclass(frozen=True)
class Case:
    """One possible kind of pass by the others."""

    places: tuple[Place, ...]
    known: dict[int, list[Card]]
    """Unplayed cards whose place is known, by owner."""
    pool: tuple[Card, ...]
    """The unseen cards."""
    passed: dict[int, list[Card]] = field(default_factory=dict)
    """By seat, the cards of which it passed one, equally likely; for seats that passed a seen
    card.
    """


def _base_places(story: Story, known: dict[int, list[Card]]) -> list[Place]:
    """A place for the unknown rest of every hand."""
    places: list[Place] = []
    for seat in range(story.players):
        capacity = story.sizes[seat] - len(known[seat])
        before, after = story.closed[seat]
        places.append(Place(seat, capacity, before | after))
    return places


def cases_of(story: Story) -> Iterator[Case]:
    """Every possible kind of pass by the others; only one if nothing was passed."""
    givers = [s for s in range(story.players) if story.was_passed and s not in story.passes_seen]
    for swap in _swap_kinds(story, givers):
        known = _known(story, swap)
        if known is None:
            continue
        unseen = Counter(story.pool)
        unseen.subtract(card for cards in known.values() for card in cards)
        if min(unseen.values(), default=0) < 0:
            continue
        pool = tuple(sorted(unseen.elements()))
        known[story.seat] = list(story.view.hand or ())
        rests = _base_places(story, known)
        for choice in itertools.product(*(_pass_kinds(story, s, swap) for s in givers)):
            places = _places(story, rests, dict(zip(givers, choice, strict=True)))
            stock = len(pool) - sum(place.capacity for place in places)
            if stock >= 0 and all(place.capacity >= 0 for place in places):
                passed = {s: cards for s, cards in zip(givers, choice, strict=True) if cards}
                yield Case((*places, Place(STOCK, stock)), known, pool, passed)


def _known(story: Story, swap: str) -> dict[int, list[Card]] | None:
    """Unplayed cards that the others are known to hold, by seat; None if impossible."""
    known = {seat: story.known_in(seat, swap_passed=swap != KEPT) for seat in range(story.players)}
    holder = _swap_holder(story, swap)
    if holder is not None:
        assert story.swapped is not None
        if not story.may_hold_swap(holder):
            return None
        known[holder].append(story.swapped)
    return known


def _places(
    story: Story, rests: Sequence[Place], choice: dict[int, list[Card] | None]
) -> list[Place]:
    """The places where everyone passed one of these cards, or an unseen one (None)."""
    places = list(rests)
    for giver, cards in choice.items():
        if cards is None:
            taker = (giver + 1) % story.players
            rest = places[taker]
            places[taker] = Place(taker, rest.capacity - 1, rest.closed)
    received = [
        Place(taker, 1, story.closed[giver][0] | story.closed[taker][1], passed_by=giver)
        for giver, cards in choice.items()
        for taker in ((giver + 1) % story.players,)
        if cards is None
    ]
    return received + places


# What became of the card that another seat swapped the Werewolf for.
KEPT, PASSED_AND_HELD, PASSED_AND_PLAYED = "kept", "passed and held", "passed and played"


def _swap_kinds(story: Story, givers: Sequence[int]) -> Sequence[str]:
    if story.swapped is None or story.view.werewolf not in givers:
        return (KEPT,)
    return KEPT, PASSED_AND_HELD, PASSED_AND_PLAYED


def _swap_holder(story: Story, swap: str) -> int | None:
    """Who has that card now, if anyone."""
    owner = story.view.werewolf
    if story.swapped is None or owner is None or swap == PASSED_AND_PLAYED:
        return None
    if swap == PASSED_AND_HELD:
        return (owner + 1) % story.players
    return None if story.swapped in story.played[owner][1] else owner


def _pass_kinds(story: Story, giver: int, swap: str) -> Iterator[list[Card] | None]:
    """What a seat may have passed: one of the cards that the next played since, or an unseen one
    (None); or the Werewolf's card, where that is assumed.
    """
    taker = (giver + 1) % story.players
    later = story.played[taker][1]
    # A card that the receiver played from its own hand cannot be of a suit it was void in.
    strange = {card for card in later if is_closed(story.closed[taker][0], card)}
    if swap != KEPT and giver == story.view.werewolf:
        assert story.swapped is not None
        if swap == PASSED_AND_HELD and not strange:
            yield [story.swapped]
        if swap == PASSED_AND_PLAYED and story.swapped in later and strange <= {story.swapped}:
            yield [story.swapped]
        return
    candidates = [
        card
        for card in story.received_since(taker, swap_passed=swap != KEPT)
        if not is_closed(story.closed[giver][0], card) and strange <= {card}
    ]
    if candidates:
        yield candidates
    if not strange:
        yield None
