"""What a seat, or a spectator, may know of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import UNSET, UnsetType

from foretold.protocol.words import (
    Action,
    CardCode,
    Message,
    Phase,
    Refusal,
    ReplayPhase,
    Seat,
    Suit,
    Trump,
    changes_of,
)


class Trick(Message, frozen=True):
    """The trick being played."""

    leader: Seat
    plays: list[CardCode]
    winning: Seat | None


class FinishedTrick(Message, frozen=True):
    """A trick that is over."""

    leader: Seat
    plays: list[CardCode]
    winner: Seat | None
    """Null if a Bomb set the trick aside."""
    next_leader: Seat | None


class SheetLine(Message, frozen=True):
    """One line of the Tablet of Truth: a finished round."""

    size: int
    dealer: Seat
    turned: CardCode | None
    trump: Trump
    bids: list[int]
    scored_bids: list[int]
    """The bids after the Cloud's change."""
    taken: list[int]
    off: list[int]
    """How many tricks too many were taken for that bid: below 0 too few, 0 if it was met."""
    points: list[int]
    totals: list[int]


class Outcome(Message, frozen=True):
    """How a game ended."""

    winners: list[Seat]
    places: list[int]
    """The place of every seat, from 1."""


class Passed(Message, frozen=True):
    """Your Juggler pass."""

    given: CardCode
    received: CardCode | None
    """Null until everyone has passed."""


class NextRound(Message, frozen=True):
    """A round just dealt."""

    round: int
    size: int
    dealer: Seat
    turned: CardCode | None
    werewolf: Seat | None
    """The seat that swapped the Werewolf for it."""


class _View(Message, frozen=True):
    turn: int
    """Goes up with every decision that others must wait for; actions must name it."""
    to_act: list[Seat]
    """The seats that must decide now; several if all decide at once."""
    round: int
    """From 1. Between two rounds the view is already that of the new one."""
    size: int
    """The number of cards in the round."""
    dealer: Seat
    order: list[Seat]
    """The seats in bidding order."""
    held: list[int]
    """The number of cards in every hand."""
    turned: CardCode | None
    """The turned-up card."""
    werewolf: Seat | None
    """The seat that swapped the Werewolf for it."""
    trump: Trump | None
    """Null until it is named."""
    taken: list[int]
    """Tricks by seat."""
    finished: int
    """The tricks of this round that are over, those set aside included."""
    trick: Trick | None
    follow: Suit | None
    """The suit that must be followed."""
    last_trick: FinishedTrick | None
    """Before the first trick of a round, the last of the previous round."""
    set_aside: list[CardCode]
    """Cards that the Bomb set aside."""
    out: list[CardCode]
    """Cards out of the two-player game."""
    sheet: list[SheetLine]
    """The finished rounds."""
    totals: list[int]
    """Points by seat."""
    places: list[int]
    """By points, from 1; equal points share a place."""
    outcome: Outcome | None
    legal: list[Action]
    """What you may do now."""
    why: dict[Action, Refusal]
    """Why you may not choose the other cards and bids now."""
    bid_after: dict[Action, int]
    """Your bid after each `cloud` action that you may choose now."""
    claim: bool
    """Whether all remaining tricks are certain to be yours, so that you may `claim_rest`."""
    hand: list[CardCode] | None
    """Your cards, sorted; null for spectators, and under clairvoyance until all have bid."""
    seen_hands: list[list[CardCode] | None]
    """Under clairvoyance the others' hands by seat; otherwise nulls."""
    bids: list[int | None]
    """By seat; null if not made or not shown."""
    sealed: list[bool]
    """By seat, whether a bid is made but not shown."""
    foretold: int | None
    """The sum of the bids so far; null while some are sealed."""
    over: int | None
    """How many more tricks are bid than there are, once all have bid; null if not shown."""
    off: list[list[int] | None]
    """By seat, for 0, 1, 2 and more tricks taken: how many too many that is for the bid. Below 0
    it is too few, 0 meets the bid. Null if the bid is not made or not shown."""
    passed: Passed | None
    """Your Juggler pass."""
    suits: list[Suit | None]
    """Each seat's own suit in the monocolour game."""


class View(_View, frozen=True):
    """What a seat, or a spectator, may know of the game now."""

    phase: Phase


if TYPE_CHECKING:
    ViewChanges: TypeAlias = Any
else:
    ViewChanges = changes_of(View)


class ReplayView(_View, frozen=True):
    """A view in a replay; `legal`, `why` and `bid_after` are empty."""

    phase: ReplayPhase
    hands: list[list[CardCode]] | UnsetType = UNSET
    """All hands by seat, in the open replay."""


if TYPE_CHECKING:
    ReplayViewChanges: TypeAlias = Any
else:
    ReplayViewChanges = changes_of(ReplayView)
