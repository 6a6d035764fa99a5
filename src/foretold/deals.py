"""Exact sampling of hidden cards: whole worlds that fit all a view knows, each equally likely.

A *world* says what every seat was dealt, and what it passed when the Juggler had cards passed. It
is consistent if the whole round so far could have gone as the view saw it: hands have their sizes,
nobody held a suit that they failed to follow, and cards seen are where they were seen. All
consistent worlds are equally likely. Every unseen card counts as a card of its own, also one of
several Wizards or Jesters, as in the pack.

Unseen cards fall into classes (a suit, or no suit), and a *place* where some of them are (a hand,
the card just received from the right, the stock) may be closed to some suits. The ways to fill all
places are counted, from the last place to the first; then the places are filled at random in
proportion to those counts. So there are no dead ends and nothing is rejected. Places open to all
are filled together at the end. What the others passed is unknown; its few kinds are counted apart.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import comb, prod
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from foretold.cards import CARDS, WEREWOLF, Card, Suit, own_deck
from foretold.deal import Deal, deck_of
from foretold.kernel import cards_in, new_state, word_of
from foretold.kernel.bits import with_card
from foretold.kernel.chance import Chance, below, draw
from foretold.kernel.compile import compiled
from foretold.kernel.layout import LED_CARDS, SIZE, VALUES
from foretold.kernel.rounds import begin_trick, settle_trump
from foretold.kernel.tricks import apply_play
from foretold.rules import Mode
from foretold.view import View

STOCK = 6
"""The owner of the cards that nobody holds; seats are 0 to 5."""

OWNERS = STOCK + 1
SUITS = len(Suit)
MAX_CARDS = 67
CHOOSE = np.array(
    [[comb(n, k) for k in range(MAX_CARDS + 1)] for n in range(MAX_CARDS + 1)], dtype=np.float64
)
FRACTION = 2.0**-53
S11 = np.uint64(11)
CLASS_OF = tuple(SUITS if card.suit is None else int(card.suit) for card in CARDS)
"""The suit of every card, and one more for those that have none."""


@dataclass(frozen=True)
class World:
    """One way the hidden cards may lie."""

    hands: tuple[tuple[Card, ...], ...]
    """What every seat holds now."""
    deal: Deal
    """What every seat was dealt."""
    passed: tuple[Card, ...] | None
    """What every seat passed to the left, if cards were passed in this round."""


@dataclass(frozen=True)
class Draw:
    """Worlds as arrays, a row a world."""

    hands: NDArray[np.int64]
    """What every seat holds now, as sets (`foretold.kernel.layout`)."""
    passed: NDArray[np.int64]
    """The card every seat passed; -1 where none was."""


Weigher: TypeAlias = Callable[[Draw], NDArray[np.float64]]
"""How likely each of some worlds is beside the others, as a number above 0."""

DRAWN_FOR_ONE = 4
"""How many worlds are drawn and weighed for each that is kept."""


@dataclass(frozen=True)
class _Place:
    """A place for unseen cards."""

    owner: int
    capacity: int
    closed: int = 0
    """The suits that cannot be there, as bits."""
    passed_by: int | None = None
    """Who passed the card, where the place is for the card received from the right."""


@dataclass(frozen=True)
class _Case:
    """One kind of possibility for what the others passed."""

    places: tuple[_Place, ...]
    known: dict[int, list[Card]]
    """Unplayed cards whose place is known, by owner."""
    pool: tuple[Card, ...]
    """The unseen cards."""
    passed: dict[int, list[Card]] = field(default_factory=dict)
    """By seat, cards of which it passed one, each as likely; for those that passed a seen card."""


class Sampler:
    """Draws worlds that fit a view.

    >>> from foretold import Game
    >>> sampler = Sampler(Game("amigo", players=3, seed=7).view(0))
    >>> len(sampler.worlds(10))
    10
    """

    def __init__(self, view: View, seed: int = 0) -> None:
        if view.seat is None or view.round == 0:
            raise ValueError("worlds are drawn for a seat in a round that has been dealt")
        self.view = view
        self._chance: Chance = np.array([seed], dtype=np.uint64)
        self._story = _Story(view)
        fillings: Iterator[_Filling | _OwnDecks]
        if view.rules.mode is Mode.MONOCOLOUR:
            fillings = _own_decks(self._story)
        else:
            fillings = map(_Filling, _cases(self._story))
        self._fillings = [one for one in fillings if one.ways > 0]

    @property
    def ways(self) -> float:
        """How many consistent worlds there are."""
        return sum(one.ways for one in self._fillings)

    def draw(self, count: int, weigh: Weigher | None = None) -> Draw:
        """That many worlds, as arrays.

        With `weigh` worlds come in proportion to their weights: more are drawn than are wanted, all
        equally likely, and those kept are chosen among them by weight. A world of great weight may
        be kept several times. The more worlds are wanted at once, the closer the proportions.
        """
        if weigh is None:
            return self._draw(count)
        drawn = self._draw(count * DRAWN_FOR_ONE)
        ends = np.cumsum(weigh(drawn))
        # Evenly spaced points along all the weights: no world comes more than once too often.
        points = (np.arange(count) + float(draw(self._chance) >> S11) * FRACTION) / count
        kept = np.minimum(np.searchsorted(ends, points * ends[-1], side="right"), len(ends) - 1)
        return Draw(drawn.hands[kept], drawn.passed[kept])

    def worlds(self, count: int, weigh: Weigher | None = None) -> list[World]:
        """That many worlds; `weigh` as for `draw`."""
        drawn = self.draw(count, weigh)
        return [
            self._story.world([cards_in(word) for word in hands], passed)
            for hands, passed in zip(drawn.hands.tolist(), drawn.passed.tolist(), strict=True)
        ]

    def _draw(self, count: int) -> Draw:
        """Worlds that are all equally likely."""
        players = self.view.rules.players
        hands = np.zeros((count, OWNERS), dtype=np.int64)
        passed = np.full((count, OWNERS), -1, dtype=np.int64)
        which = self._which(count)
        for index, filling in enumerate(self._fillings):
            rows = np.flatnonzero(which == index)
            if len(rows):
                filling.fill(rows, hands, passed, self._chance)
        for seat, card in self._story.passes_seen.items():
            passed[:, seat] = card
        # Copies, so that the arrays are of one layout, and what works on them is compiled once.
        return Draw(hands[:, :players].copy(), passed[:, :players].copy())

    def _which(self, count: int) -> NDArray[np.int64]:
        """For every world, which case it is of."""
        if len(self._fillings) == 1:
            return np.zeros(count, dtype=np.int64)
        ends = np.cumsum([one.ways for one in self._fillings]) / self.ways
        seed = int(draw(self._chance))
        points = np.random.Generator(np.random.PCG64(seed)).random(count)
        return np.minimum(np.searchsorted(ends, points, side="right"), len(ends) - 1)


class _Story:
    """The round so far, as a view tells it: who played what and when, and what follows from it."""

    def __init__(self, view: View) -> None:
        assert view.seat is not None
        self.view = view
        self.seat = view.seat
        self.players = view.rules.players
        self.was_passed = any(one.received is not None for one in view.passes)
        self.passes_seen: dict[int, Card] = {}
        after = len(view.tricks)
        if self.was_passed:
            swap = view.passes[0]
            assert swap.received is not None
            after = swap.after
            self.passes_seen = {
                self.seat: swap.given,
                (self.seat - 1) % self.players: swap.received,
            }
        # Before the pass and after it: the cards played, and the suits that a seat has not.
        self.played: list[tuple[list[Card], list[Card]]] = [([], []) for _ in range(self.players)]
        self.closed: list[list[int]] = [[0, 0] for _ in range(self.players)]
        self._read(after)
        self.sizes = [view.size - sum(map(len, self.played[s])) for s in range(self.players)]
        self.swapped = self._open_swap()
        self.pool = self._pool()

    def _read(self, after: int) -> None:
        """Go through the tricks with the kernel, which knows what suit was to be followed."""
        view = self.view
        state = new_state(view.rules, 0)
        settle_trump(state, 4 if view.trump is None else int(view.trump))
        state[SIZE] = view.size + 1  # so that no trick ends the round
        under_way = () if view.trick is None else (view.trick,)
        for number, trick in enumerate((*view.tricks, *under_way)):
            part = 0 if number < after or not self.was_passed else 1
            begin_trick(state, trick.leader)
            for index, play in enumerate(trick.plays):
                seat = (trick.leader + index) % self.players
                card = play.card
                assert card is not None
                led = int(state[LED_CARDS])
                if card.suit is not None and led and not led >> card & 1:
                    self.closed[seat][part] |= 1 << ((led & -led).bit_length() - 1) // VALUES
                self.played[seat][part].append(card)
                apply_play(state, int(play))

    def _open_swap(self) -> Card | None:
        """The card that another seat openly swapped the Werewolf for, if it may still be about.

        Where it is a Wizard or Jester, the first that the seat shows is taken for it.
        """
        view = self.view
        taker = view.werewolf
        if taker is None or taker == self.seat or view.turned is None:
            return None
        if view.turned in self.played[taker][0] or self.passes_seen.get(taker) == view.turned:
            return None
        return view.turned

    def _pool(self) -> list[Card]:
        """The cards not seen, those included that are known to be with someone."""
        view = self.view
        unseen = Counter(deck_of(view.rules, view.out))
        seen = [card for parts in self.played for part in parts for card in part]
        seen += view.hand or ()
        if view.turned is not None:
            if view.werewolf is None:
                seen.append(view.turned)
                if WEREWOLF in unseen and view.turned != WEREWOLF:
                    seen.append(WEREWOLF)  # who had been dealt it would have swapped it
            else:
                seen.append(WEREWOLF)
        unseen.subtract(seen)
        return sorted(unseen.elements())

    def known_in(self, seat: int, *, swap_passed: bool) -> list[Card]:
        """Unplayed cards that a seat is known to hold: seen by clairvoyance, or given to it."""
        if seat == self.seat:
            return []
        hand = self.view.seen_hands[seat]
        if hand is not None:
            left = Counter(hand)
            left.subtract(card for part in self.played[seat] for card in part)
            return sorted(left.elements())
        if self.was_passed and seat == (self.seat + 1) % self.players:
            given = self.passes_seen[self.seat]
            if given not in self.received_since(seat, swap_passed=swap_passed):
                return [given]
        return []

    def may_hold_swap(self, seat: int) -> bool:
        """Whether a seat may have the Werewolf's card now, for all that it failed to follow."""
        assert self.swapped is not None
        before, after = self.closed[seat]
        held = before | after if seat == self.view.werewolf else after
        return not _is_closed(held, self.swapped)

    def received_since(self, seat: int, *, swap_passed: bool) -> list[Card]:
        """The cards that a seat played after the pass and may have received in it."""
        cards = list(self.played[seat][1])
        own_swap = seat == self.view.werewolf and not swap_passed
        if own_swap and self.swapped is not None and self.swapped in cards:
            cards.remove(self.swapped)
        return cards

    def world(self, hands: Sequence[tuple[Card, ...]], passed: Sequence[int]) -> World:
        """The whole world of these hands."""
        dealt: list[tuple[Card, ...]] = []
        for seat, hand in enumerate(hands):
            cards = Counter(hand)
            cards.update(card for part in self.played[seat] for card in part)
            if self.was_passed:
                cards[CARDS[passed[seat]]] += 1
                cards[CARDS[passed[seat - 1]]] -= 1
            if self.view.werewolf == seat and self.view.turned is not None:
                cards[self.view.turned] -= 1
                cards[WEREWOLF] += 1
            dealt.append(tuple(sorted(cards.elements())))
        return World(
            tuple(hands),
            Deal(tuple(dealt), self.view.turned),
            tuple(CARDS[card] for card in passed) if self.was_passed else None,
        )


def _base_places(story: _Story, known: dict[int, list[Card]]) -> list[_Place]:
    """A place for the rest of every hand that is not known."""
    places: list[_Place] = []
    for seat in range(story.players):
        capacity = story.sizes[seat] - len(known[seat])
        before, after = story.closed[seat]
        places.append(_Place(seat, capacity, before | after))
    return places


def _cases(story: _Story) -> Iterator[_Case]:
    """Every kind of possibility for what others passed; only one if nothing was."""
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
                yield _Case((*places, _Place(STOCK, stock)), known, pool, passed)


def _known(story: _Story, swap: str) -> dict[int, list[Card]] | None:
    """Unplayed cards that the others are known to hold, by seat; None if that cannot be."""
    known = {seat: story.known_in(seat, swap_passed=swap != KEPT) for seat in range(story.players)}
    holder = _swap_holder(story, swap)
    if holder is not None:
        assert story.swapped is not None
        if not story.may_hold_swap(holder):
            return None
        known[holder].append(story.swapped)
    return known


def _places(
    story: _Story, rests: Sequence[_Place], choice: dict[int, list[Card] | None]
) -> list[_Place]:
    """The places where everyone passed one of these cards, or an unseen one (None)."""
    places = list(rests)
    for giver, cards in choice.items():
        if cards is None:
            taker = (giver + 1) % story.players
            rest = places[taker]
            places[taker] = _Place(taker, rest.capacity - 1, rest.closed)
    received = [
        _Place(taker, 1, story.closed[giver][0] | story.closed[taker][1], passed_by=giver)
        for giver, cards in choice.items()
        for taker in ((giver + 1) % story.players,)
        if cards is None
    ]
    return received + places


# What became of the card that another seat swapped the Werewolf for.
KEPT, PASSED_AND_HELD, PASSED_AND_PLAYED = "kept", "passed and held", "passed and played"


def _swap_kinds(story: _Story, givers: Sequence[int]) -> Sequence[str]:
    if story.swapped is None or story.view.werewolf not in givers:
        return (KEPT,)
    return KEPT, PASSED_AND_HELD, PASSED_AND_PLAYED


def _swap_holder(story: _Story, swap: str) -> int | None:
    """Who has that card now, if it is with anyone."""
    owner = story.view.werewolf
    if story.swapped is None or owner is None or swap == PASSED_AND_PLAYED:
        return None
    if swap == PASSED_AND_HELD:
        return (owner + 1) % story.players
    return None if story.swapped in story.played[owner][1] else owner


def _pass_kinds(story: _Story, giver: int, swap: str) -> Iterator[list[Card] | None]:
    """What a seat may have passed: one of the cards that the next played since, or an unseen one
    (None); or the Werewolf's card, where that is supposed."""
    taker = (giver + 1) % story.players
    later = story.played[taker][1]
    # What the taker played and had itself all along must not be of a suit it did not have.
    strange = {card for card in later if _is_closed(story.closed[taker][0], card)}
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
        if not _is_closed(story.closed[giver][0], card) and strange <= {card}
    ]
    if candidates:
        yield candidates
    if not strange:
        yield None


def _is_closed(suits: int, card: Card) -> bool:
    return bool(suits >> CLASS_OF[card] & 1)


class _Filling:
    """A case counted out: how many ways its places can be filled, and the means to fill them."""

    def __init__(self, case: _Case) -> None:
        self.case = case
        narrow = [place for place in case.places if place.closed and place.capacity]
        wide = [place for place in case.places if not place.closed and place.capacity]
        # Narrow places first; suits closed to one of them are classes of their own.
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
        narrow_ways = _tabulate(self._table, self._counts, self._narrow)
        left = len(case.pool) - sum(place.capacity for place in narrow)
        wide_ways = _multinomial(left, [place.capacity for place in wide])
        self.ways = narrow_ways * wide_ways * prod(len(cards) for cards in case.passed.values())

    @cached_property
    def _means(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """What only a case that is drawn needs: the known cards, the unseen, and wide places."""
        known = [word_of(self.case.known.get(owner, ())) for owner in range(OWNERS)]
        pool = [card for group in self._classes for card in group]
        wide = [(place.owner, place.capacity, 0, _giver(place)) for place in self._wide]
        return (
            np.array(known, dtype=np.int64),
            np.array(pool, dtype=np.int64),
            np.array(wide, dtype=np.int64).reshape(-1, 4),
        )

    def fill(
        self,
        rows: NDArray[np.int64],
        hands: NDArray[np.int64],
        passed: NDArray[np.int64],
        chance: Chance,
    ) -> None:
        base, pool, wide = self._means
        _fill(
            rows,
            hands,
            passed,
            chance,
            base,
            pool.copy(),
            pool,
            self._counts,
            self._narrow,
            wide,
            self._table,
            np.zeros(2 * SUITS + 2, dtype=np.int64),
        )
        for giver, cards in self.case.passed.items():
            for row in rows:
                passed[row, giver] = cards[below(chance, len(cards))]


class _OwnDecks:
    """The monocolour game: every hand is drawn from a deck of its own."""

    def __init__(self, story: _Story, suits: Sequence[Suit]) -> None:
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
            _fill_from(rows, hands, seat, np.array(cards, dtype=np.int64), size, chance)


def _own_decks(story: _Story) -> Iterator[_OwnDecks]:
    """One for every way to give the seats whose suit is not known one of the suits left."""
    known = story.view.suits
    left = [suit for suit in Suit if suit not in known]
    unknown = [seat for seat, suit in enumerate(known) if suit is None]
    for drawn in itertools.permutations(left, len(unknown)):
        suits = dict(enumerate(known)) | dict(zip(unknown, drawn, strict=True))
        yield _OwnDecks(story, [suit for suit in suits.values() if suit is not None])


def _renamed(closed: int, class_of: dict[int, int]) -> int:
    return sum(1 << index for suit, index in class_of.items() if closed >> suit & 1)


def _giver(place: _Place) -> int:
    return -1 if place.passed_by is None else place.passed_by


def _multinomial(total: int, sizes: Sequence[int]) -> float:
    ways = 1
    for size in sizes:
        ways *= comb(total, size)
        total -= size
    return float(ways)


# Places are rows of OWNER, CAPACITY, CLOSED (classes, as bits), GIVER (or -1).
OWNER, CAPACITY, CLOSED, GIVER = 0, 1, 2, 3


@compiled
def _index(left: NDArray[np.int64], counts: NDArray[np.int64]) -> int:
    index = 0
    for suit in range(SUITS):
        index = index * (counts[suit] + 1) + left[suit]
    return index


@compiled
def _most(left: int, room: int, closed: int, suit: int) -> int:
    """How many cards of a class may go to a place."""
    return 0 if (closed >> suit) & 1 else min(left, room)


@compiled
def _tabulate(
    table: NDArray[np.float64], counts: NDArray[np.int64], narrow: NDArray[np.int64]
) -> float:
    """Fill in, for every place and every number of cards left, the ways to fill it and the rest.

    Returns the ways for all of them.
    """
    places = narrow.shape[0]
    c0, c1, c2, c3 = counts[0], counts[1], counts[2], counts[3]
    total = c0 + c1 + c2 + c3 + counts[4]
    for state in range(table.shape[1]):
        table[places, state] = 1.0
    for place in range(places - 1, -1, -1):
        used = 0
        for earlier in range(place):
            used += narrow[earlier, CAPACITY]
        room, closed = narrow[place, CAPACITY], narrow[place, CLOSED]
        # Before the first place all cards are left.
        for l0 in range(0 if place else c0, c0 + 1):
            for l1 in range(0 if place else c1, c1 + 1):
                for l2 in range(0 if place else c2, c2 + 1):
                    for l3 in range(0 if place else c3, c3 + 1):
                        rest = total - used - l0 - l1 - l2 - l3
                        if rest < 0 or rest > counts[4]:
                            continue
                        state = ((l0 * (c1 + 1) + l1) * (c2 + 1) + l2) * (c3 + 1) + l3
                        ways = 0.0
                        for x0 in range(_most(l0, room, closed, 0) + 1):
                            for x1 in range(_most(l1, room - x0, closed, 1) + 1):
                                for x2 in range(_most(l2, room - x0 - x1, closed, 2) + 1):
                                    room3 = room - x0 - x1 - x2
                                    for x3 in range(_most(l3, room3, closed, 3) + 1):
                                        x4 = room3 - x3
                                        if x4 > rest:
                                            continue
                                        after = (
                                            (((l0 - x0) * (c1 + 1) + l1 - x1) * (c2 + 1) + l2 - x2)
                                            * (c3 + 1)
                                            + l3
                                            - x3
                                        )
                                        ways += (
                                            CHOOSE[l0, x0]
                                            * CHOOSE[l1, x1]
                                            * CHOOSE[l2, x2]
                                            * CHOOSE[l3, x3]
                                            * CHOOSE[rest, x4]
                                            * table[place + 1, after]
                                        )
                        table[place, state] = ways
    return table[0, ((c0 * (c1 + 1) + c1) * (c2 + 1) + c2) * (c3 + 1) + c3]


@compiled
def _split(
    place: int,
    left: NDArray[np.int64],
    taken: NDArray[np.int64],
    counts: NDArray[np.int64],
    narrow: NDArray[np.int64],
    table: NDArray[np.float64],
    chance: Chance,
) -> None:
    """Draw how many cards of every class go to a place."""
    room, closed = narrow[place, CAPACITY], narrow[place, CLOSED]
    point = float(draw(chance) >> S11) * FRACTION * table[place, _index(left, counts)]
    c1, c2, c3 = counts[1], counts[2], counts[3]
    for x0 in range(_most(left[0], room, closed, 0) + 1):
        for x1 in range(_most(left[1], room - x0, closed, 1) + 1):
            for x2 in range(_most(left[2], room - x0 - x1, closed, 2) + 1):
                room3 = room - x0 - x1 - x2
                for x3 in range(_most(left[3], room3, closed, 3) + 1):
                    x4 = room3 - x3
                    if x4 > left[4]:
                        continue
                    after = (
                        (((left[0] - x0) * (c1 + 1) + left[1] - x1) * (c2 + 1) + left[2] - x2)
                        * (c3 + 1)
                        + left[3]
                        - x3
                    )
                    ways = (
                        CHOOSE[left[0], x0]
                        * CHOOSE[left[1], x1]
                        * CHOOSE[left[2], x2]
                        * CHOOSE[left[3], x3]
                        * CHOOSE[left[4], x4]
                        * table[place + 1, after]
                    )
                    if ways > 0.0:
                        # The last that is possible stays, should rounding leave a little over.
                        taken[0], taken[1], taken[2], taken[3], taken[4] = x0, x1, x2, x3, x4
                        point -= ways
                        if point < 0.0:
                            return


@compiled
def _fill(
    rows: NDArray[np.int64],
    hands: NDArray[np.int64],
    passed: NDArray[np.int64],
    chance: Chance,
    base: NDArray[np.int64],
    cards: NDArray[np.int64],
    pool: NDArray[np.int64],
    counts: NDArray[np.int64],
    narrow: NDArray[np.int64],
    wide: NDArray[np.int64],
    table: NDArray[np.float64],
    scratch: NDArray[np.int64],
) -> None:
    """Fill all places of these rows."""
    left = scratch[: SUITS + 1]
    taken = scratch[SUITS + 1 :]
    for row in rows:
        for owner in range(OWNERS):
            hands[row, owner] = base[owner]
        for index in range(len(pool)):
            cards[index] = pool[index]
        for suit in range(SUITS + 1):
            left[suit] = counts[suit]
        for place in range(narrow.shape[0]):
            _split(place, left, taken, counts, narrow, table, chance)
            owner, giver = narrow[place, OWNER], narrow[place, GIVER]
            start = 0
            for suit in range(SUITS + 1):
                # The cards of a class that are left are the first of its part.
                for _ in range(taken[suit]):
                    other = start + below(chance, left[suit])
                    card = cards[other]
                    left[suit] -= 1
                    cards[other] = cards[start + left[suit]]
                    hands[row, owner] = with_card(hands[row, owner], card)
                    if giver >= 0:
                        passed[row, giver] = card
                start += counts[suit]
        start, count = 0, 0
        for suit in range(SUITS + 1):
            for index in range(start, start + left[suit]):
                cards[count] = cards[index]
                count += 1
            start += counts[suit]
        for place in range(wide.shape[0]):
            owner, giver = wide[place, OWNER], wide[place, GIVER]
            if owner == STOCK:
                break  # the stock comes last, and has what is left
            for _ in range(wide[place, CAPACITY]):
                other = below(chance, count)
                card = cards[other]
                count -= 1
                cards[other] = cards[count]
                hands[row, owner] = with_card(hands[row, owner], card)
                if giver >= 0:
                    passed[row, giver] = card


@compiled
def _fill_from(
    rows: NDArray[np.int64],
    hands: NDArray[np.int64],
    seat: int,
    cards: NDArray[np.int64],
    size: int,
    chance: Chance,
) -> None:
    """Fill one hand with cards of its own deck."""
    for row in rows:
        word = 0
        for index in range(size):
            other = index + below(chance, len(cards) - index)
            card = cards[other]
            cards[other] = cards[index]
            cards[index] = card
            word = with_card(word, card)
        hands[row, seat] = word
