"""What a round leaves behind: its tricks and its line on the score sheet."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import msgspec

from foretold.actions import Action
from foretold.cards import Card, Trump
from foretold.kernel.after import tricks_off


class Trick(msgspec.Struct, frozen=True):
    """A trick, finished or under way."""

    leader: int
    plays: tuple[Action, ...]
    """What was played, the leader's card first, with what was announced for it."""
    winner: int | None = None
    """Who took it; None while it is under way, or if the Bomb set it aside."""
    next_leader: int | None = None
    """Who leads next: the winner, or who would have won; None while it is under way."""

    @property
    def cards(self) -> tuple[Card, ...]:
        return tuple(play.card for play in self.plays if play.card is not None)

    @property
    def is_set_aside(self) -> bool:
        """Whether the Bomb was in it, so that it counts for no one."""
        return self.winner is None and self.next_leader is not None


@dataclass(frozen=True, slots=True)
class Round:
    """A finished round: one line of the score sheet, with its tricks."""

    size: int
    dealer: int
    turned: Card | None
    trump: Trump
    bids: tuple[int, ...]
    scored_bids: tuple[int, ...]
    """The bids after the Cloud."""
    taken: tuple[int, ...]
    tricks: tuple[Trick, ...]
    points: tuple[int, ...]
    totals: tuple[int, ...]

    @property
    def off(self) -> tuple[int, ...]:
        """By seat, how many tricks too many for the bid: below 0 too few, 0 if it was met."""
        pairs = zip(self.scored_bids, self.taken, strict=True)
        return tuple(off_by_tricks(bid, self.size)[taken] for bid, taken in pairs)


@lru_cache(maxsize=1024)
def off_by_tricks(bid: int, size: int) -> tuple[int, ...]:
    """For 0, 1, 2 and more tricks of a round of this size: how many too many that is for a bid."""
    return tuple(int(tricks_off(bid, taken)) for taken in range(size + 1))


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended."""

    totals: tuple[int, ...]

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats with the most points; equal totals share the win."""
        best = max(self.totals)
        return tuple(seat for seat, total in enumerate(self.totals) if total == best)

    @property
    def places(self) -> tuple[int, ...]:
        """The place of every seat, from 1; equal totals share a place."""
        return tuple(1 + sum(other > total for other in self.totals) for total in self.totals)
