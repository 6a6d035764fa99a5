"""Counting the ways to fill the places of a case, and drawing one."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from math import comb, prod

import numpy as np
from numpy.typing import NDArray

from foretold.cards import Suit, own_deck
from foretold.kernel import word_of
from foretold.kernel.chance import Chance, below
from foretold.sampling.cases import Case, Place
from foretold.sampling.places import OWNERS, CaseArrays, fill_from, fill_places, tabulate
from foretold.sampling.story import CLASS_OF, SUITS, Story


class Filling:
    """A case with the number of ways its places can be filled, and the means to fill them."""

    def __init__(self, case: Case) -> None:
        self.case = case
        narrow = [place for place in case.places if place.closed and place.capacity]
        wide = [place for place in case.places if not place.closed and place.capacity]
        # Restricted places first; suits closed to one of them are classes of their own.
        suits = [suit for suit in range(SUITS) if any(p.closed >> suit & 1 for p in narrow)]
        class_of = {suit: index for index, suit in enumerate(suits)}
        self._classes: list[list[int]] = [[] for _ in range(SUITS + 1)]
        groups = [self._classes[class_of.get(suit, SUITS)] for suit in range(SUITS + 1)]
        for card in case.pool:
            groups[CLASS_OF[card]].append(card)
        self._counts = np.array([len(group) for group in self._classes], dtype=np.int64)
        self._narrow = np.array(
            [
                (place.owner, place.capacity, _renamed(place.closed, class_of), _giver(place))
                for place in narrow
            ],
            dtype=np.int64,
        ).reshape(-1, 4)
        self._wide = wide
        states = prod(int(count) + 1 for count in self._counts[:SUITS])
        self._table = np.zeros((len(narrow) + 1, states), dtype=np.float64)
        narrow_ways = tabulate(self._table, self._counts, self._narrow)
        left = len(case.pool) - sum(place.capacity for place in narrow)
        wide_ways = _multinomial(left, [place.capacity for place in wide])
        self.ways = narrow_ways * wide_ways * prod(len(cards) for cards in case.passed.values())

    @cached_property
    def _arrays(self) -> CaseArrays:
        """Only a case that is drawn needs them."""
        known = [word_of(self.case.known.get(owner, ())) for owner in range(OWNERS)]
        pool = [card for group in self._classes for card in group]
        wide = [(place.owner, place.capacity, 0, _giver(place)) for place in self._wide]
        return CaseArrays(
            known=np.array(known, dtype=np.int64),
            pool=np.array(pool, dtype=np.int64),
            counts=self._counts,
            narrow=self._narrow,
            wide=np.array(wide, dtype=np.int64).reshape(-1, 4),
            table=self._table,
        )

    def fill(
        self,
        rows: NDArray[np.int64],
        hands: NDArray[np.int64],
        passed: NDArray[np.int64],
        chance: Chance,
    ) -> None:
        case = self._arrays
        scratch = np.zeros(2 * SUITS + 2 + len(case.pool), dtype=np.int64)
        fill_places(rows, hands, passed, chance, case, scratch)
        for giver, cards in self.case.passed.items():
            for row in rows:
                passed[row, giver] = cards[below(chance, len(cards))]


class OwnDecks:
    """The monocolour game: every hand is drawn from a deck of its own."""

    def __init__(self, story: Story, suits: Sequence[Suit]) -> None:
        self._decks: list[tuple[int, list[int], int]] = []
        self.ways = 1.0
        for seat in range(story.players):
            if seat == story.seat:
                continue
            deck = Counter(own_deck(suits[seat]))
            deck.subtract(card for part in story.played[seat] for card in part)
            cards = [int(card) for card in deck.elements()]
            self._decks.append((seat, cards, story.sizes[seat]))
            self.ways *= comb(len(cards), story.sizes[seat])
        self._seat = story.seat
        self._own = word_of(story.view.hand or ())

    def fill(
        self,
        rows: NDArray[np.int64],
        hands: NDArray[np.int64],
        passed: NDArray[np.int64],
        chance: Chance,
    ) -> None:
        hands[rows, self._seat] = self._own
        for seat, cards, size in self._decks:
            fill_from(rows, hands, seat, np.array(cards, dtype=np.int64), size, chance)


def own_decks(story: Story) -> Iterator[OwnDecks]:
    """One for every way to give the seats whose suit is not known one of the suits left."""
    known = story.view.suits
    left = [suit for suit in Suit if suit not in known]
    unknown = [seat for seat, suit in enumerate(known) if suit is None]
    for drawn in itertools.permutations(left, len(unknown)):
        suits = dict(enumerate(known)) | dict(zip(unknown, drawn, strict=True))
        yield OwnDecks(story, [suit for suit in suits.values() if suit is not None])


def _renamed(closed: int, class_of: dict[int, int]) -> int:
    return sum(1 << index for suit, index in class_of.items() if closed >> suit & 1)


def _giver(place: Place) -> int:
    return -1 if place.passed_by is None else place.passed_by


def _multinomial(total: int, sizes: Sequence[int]) -> float:
    ways = 1
    for size in sizes:
        ways *= comb(total, size)
        total -= size
    return float(ways)
