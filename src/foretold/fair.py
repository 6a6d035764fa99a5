"""Fair deals that anyone can check: commit, contribute, draw, reveal.

Before the game, the dealing side publishes a commitment for every round: the SHA-256 of a secret
(and one for the set-up: first dealer, suits of the monocolour game). Then every player commits to
their own random bytes in the same way; only when all have done so do they reveal them. The cards of
a round are drawn from SHAKE-256 over its secret and all players' bytes, so neither side alone
decides them, and nobody can choose last. After the round its secret is revealed, and everyone can
repeat the draw. Seats of the dealing side (bots) add nothing. If no player adds anything, the deals
are still fixed before the game, but that rests on the dealing side's word alone.

A secret has at least 48 bytes: 60! takes 272 bits, so 256 bits could not reach every deal.

The input of SHAKE-256 for round k (0 is the set-up) is ``b"foretold/1"``, k as 4 bytes, then the
secret and every player's bytes by seat, each preceded by its length as 4 bytes; all numbers are
big-endian. A number below n is the next output byte modulo n; bytes at or above the largest
multiple of n are skipped. A deck is shuffled by swapping each position i, from the last down
to 1, with a position drawn below i + 1. Then the first cards go to seat 0, the next to seat 1 and
so on, and the next card is turned up. In the monocolour game each seat's own deck is shuffled in
turn, and each hand is the top of its deck.
"""

from __future__ import annotations

import hashlib
import secrets as system_random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

from foretold.cards import JESTER, WIZARD, Card, Suit, full_deck, own_deck
from foretold.deal import Deal, deck_of
from foretold.errors import DealError, UnreadableError
from foretold.rules import DealerBy, Mode, Rules
from foretold.words import counted

Item = TypeVar("Item")

SCHEME: Final = "foretold-shake256-1"
SECRET_BYTES: Final = 48
MIN_CONTRIBUTION_BYTES: Final = 16
MAX_CONTRIBUTION_BYTES: Final = 1024


class Draws:
    """Uniform numbers from SHAKE-256 by rejection sampling."""

    def __init__(self, seed: bytes) -> None:
        self._shake = hashlib.shake_256(seed)
        self._bytes = self._shake.digest(256)
        self._position = 0

    def below(self, bound: int) -> int:
        """A number from 0 to bound - 1; the bound is at most 256."""
        limit = 256 - 256 % bound
        while True:
            if self._position == len(self._bytes):
                self._bytes = self._shake.digest(4 * len(self._bytes))
            byte = self._bytes[self._position]
            self._position += 1
            if byte < limit:
                return byte % bound

    def shuffled(self, items: Sequence[Item]) -> list[Item]:
        pack = list(items)
        for position in range(len(pack) - 1, 0, -1):
            other = self.below(position + 1)
            pack[position], pack[other] = pack[other], pack[position]
        return pack


@dataclass(frozen=True)
class SetUp:
    """What is drawn before the first round."""

    first_dealer: int
    suits: tuple[Suit, ...] | None
    """Each seat's own suit in the monocolour game."""
    high_cards: tuple[tuple[tuple[int, Card], ...], ...] = ()
    """The draws for first dealer by high card: who drew what, then the redraws after ties."""


@dataclass(frozen=True)
class FairDeals:
    """The secrets of a game's deals, and what the players added.

    The first secret is for the set-up, the others for one round each. A list that ends early
    holds what has been revealed so far.
    """

    secrets: tuple[bytes, ...]
    commitments: tuple[bytes, ...]
    """The SHA-256 of every secret, published before the game."""
    contributions: tuple[bytes, ...]
    """What the players added, by seat; empty for a seat of the dealing side, such as a bot."""
    contribution_commitments: tuple[bytes, ...]
    """The SHA-256 of what each player promised to add, published before anyone revealed; or empty.

    It shows if a player committed to bytes and never revealed them, and so added nothing.
    """

    @classmethod
    def random(cls, rules: Rules) -> FairDeals:
        """Fresh secrets from the system's randomness.

        Publish `commitments`, collect the players' commitments, then their bytes, and continue
        with `with_contributions`.
        """
        secrets = (system_random.token_bytes(SECRET_BYTES) for _ in range(len(rules.sizes) + 1))
        return cls.of(rules, secrets)

    @classmethod
    def from_seed(cls, rules: Rules, seed: int) -> FairDeals:
        """The same deals for the same rules and seed, for tests, studies and repeatable games."""
        secrets = (
            hashlib.shake_256(f"foretold seed {seed} {index}".encode()).digest(SECRET_BYTES)
            for index in range(len(rules.sizes) + 1)
        )
        return cls.of(rules, secrets)

    @classmethod
    def of(cls, rules: Rules, secrets: Iterable[bytes]) -> FairDeals:
        """With these secrets, one for the set-up and one for each round."""
        known = tuple(secrets)
        if len(known) != len(rules.sizes) + 1:
            raise DealError(
                f"there are {len(known)} secrets: expected {len(rules.sizes) + 1}, one for the "
                "set-up and one for each round"
            )
        if any(len(secret) < SECRET_BYTES for secret in known):
            raise DealError(f"a secret has at least {SECRET_BYTES} bytes")
        nothing = (b"",) * rules.players
        return cls(known, tuple(map(commitment, known)), nothing, nothing)

    def with_contributions(
        self, contributions: Iterable[bytes], commitments: Iterable[bytes] | None = None
    ) -> FairDeals:
        """With what the players added, by seat; b"" for seats that add nothing.

        `commitments` are what they had committed to, if that is more than they revealed.
        """
        added = tuple(contributions)
        if len(added) != len(self.contributions):
            raise DealError(f"there are {len(added)} contributions for {self.players} players")
        shown = tuple(commitment(one) if one else b"" for one in added)
        committed = shown if commitments is None else tuple(commitments)
        if len(committed) != len(added):
            raise DealError(f"there are {len(committed)} commitments for {self.players} players")
        for seat, (one, other) in enumerate(zip(shown, committed, strict=True)):
            if one and one != other:
                raise DealError(f"the contribution of seat {seat} is not what it committed to")
        for one in added:
            if one and not MIN_CONTRIBUTION_BYTES <= len(one) <= MAX_CONTRIBUTION_BYTES:
                raise DealError(
                    f"a contribution has {MIN_CONTRIBUTION_BYTES} to {MAX_CONTRIBUTION_BYTES} "
                    f"bytes, or none: this has {len(one)}"
                )
        return FairDeals(self.secrets, self.commitments, added, committed)

    @property
    def players(self) -> int:
        return len(self.contributions)

    def check(self, rules: Rules) -> None:
        """Raise `DealError` unless these are deals for a whole game with these rules."""
        if self.players != rules.players or len(self.secrets) != len(rules.sizes) + 1:
            raise DealError(
                f"the deals are for {counted(len(self.secrets) - 1, 'round')} of "
                f"{counted(self.players, 'player')}, the game has "
                f"{counted(len(rules.sizes), 'round')} of {counted(rules.players, 'player')}"
            )

    def set_up(self, rules: Rules) -> SetUp:
        """First dealer and suits, derived from the first secret."""
        draws = self._draws(0)
        suits: tuple[Suit, ...] | None = None
        if rules.mode is Mode.MONOCOLOUR:
            suits = tuple(draws.shuffled(tuple(Suit))[: rules.players])
        if rules.dealer_by is DealerBy.RANDOM:
            return SetUp(draws.below(rules.players), suits)
        if rules.dealer_by is DealerBy.HIGH_CARD:
            rounds = _draw_high_cards(draws, rules.players)
            return SetUp(_highest(rounds[-1])[0], suits, rounds)
        return SetUp(0, suits)

    def deal(
        self, rules: Rules, index: int, out: Sequence[Card], suits: Sequence[Suit | None]
    ) -> Deal:
        """The deal of round `index` (from 1), derived from its secret."""
        draws = self._draws(index)
        size = rules.sizes[index - 1]
        if rules.mode is Mode.MONOCOLOUR:
            decks = [own_deck(suit) for suit in suits if suit is not None]
            return Deal(tuple(tuple(draws.shuffled(deck)[:size]) for deck in decks))
        pack = draws.shuffled(deck_of(rules, out))
        end = rules.players * size
        hands = tuple(tuple(pack[at : at + size]) for at in range(0, end, size))
        return Deal(hands, pack[end] if rules.turns_card(size) else None)

    def revealed(self, rounds: int) -> FairDeals:
        """What may be shown once that many rounds are over."""
        return replace(self, secrets=self.secrets[: rounds + 1])

    def _draws(self, index: int) -> Draws:
        parts = (self.secrets[index], *self.contributions)
        sized = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
        return Draws(b"foretold/1" + index.to_bytes(4, "big") + sized)

    def to_data(self) -> dict[str, Any]:
        """The `fair` object of a record."""
        return {
            "scheme": SCHEME,
            "commitments": [one.hex() for one in self.commitments],
            "contribution_commitments": [one.hex() for one in self.contribution_commitments],
            "contributions": [one.hex() for one in self.contributions],
            "secrets": [one.hex() for one in self.secrets],
        }

    @classmethod
    def from_data(cls, data: object, players: int) -> FairDeals:
        """From a record's `fair` object; raises `UnreadableError` if it is not one."""
        if not isinstance(data, dict):
            raise UnreadableError("fair is not an object")
        if data.get("scheme") != SCHEME:
            raise UnreadableError(f"fair has an unknown scheme: expected {SCHEME}")
        added = _bytes_list(data, "contributions")
        committed = _bytes_list(data, "contribution_commitments")
        if not len(added) == len(committed) == players:
            raise UnreadableError(f"fair has {len(added)} contributions for {players} players")
        secrets, commitments = _bytes_list(data, "secrets"), _bytes_list(data, "commitments")
        return cls(secrets, commitments, added, committed)


def commitment(secret: bytes) -> bytes:
    """The hash of a secret, published before the game."""
    return hashlib.sha256(secret).digest()


def _bytes_list(data: dict[str, Any], name: str) -> tuple[bytes, ...]:
    value = data.get(name)
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        try:
            return tuple(bytes.fromhex(one) for one in value)
        except ValueError:
            pass
    raise UnreadableError(f"fair.{name} is not a list of strings of hexadecimal digits")


def _draw_high_cards(draws: Draws, players: int) -> tuple[tuple[tuple[int, Card], ...], ...]:
    """Each player draws a card; those tied for the highest draw again, until one is left."""
    rounds: list[tuple[tuple[int, Card], ...]] = []
    drawing = list(range(players))
    pack: list[Card] = []
    while len(drawing) > 1:
        if len(pack) < len(drawing):
            pack = draws.shuffled(full_deck())
        rounds.append(tuple((seat, pack.pop()) for seat in drawing))
        drawing = _highest(rounds[-1])
    return tuple(rounds)


def _highest(drawn: Iterable[tuple[int, Card]]) -> list[int]:
    ranks = {seat: _rank(card) for seat, card in drawn}
    best = max(ranks.values())
    return [seat for seat, rank in ranks.items() if rank == best]


def _rank(card: Card) -> int:
    """Wizard high, Jester low, whatever the suit."""
    if card == WIZARD:
        return 14
    return 0 if card == JESTER else card.value or 0
