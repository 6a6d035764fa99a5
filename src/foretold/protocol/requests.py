"""What clients send to a table: a closed family of messages, decoded in one place."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta

from foretold.protocol.settings import TableSettingsChanges
from foretold.protocol.words import Asked, Face, Hexadecimal, Level, Rules, Seat

Id: TypeAlias = Annotated[str, Meta(min_length=1, max_length=40)]


class Said(Asked, frozen=True, tag_field="t"):
    """A message from a client."""

    id: Id


class Act(Said, frozen=True, tag="act"):
    """The seat on turn. An outdated `turn` is refused as `stale`."""

    turn: int
    action: Annotated[str, Meta(max_length=20)]


class ClaimRest(Said, frozen=True, tag="claim_rest"):
    """The seat on turn whose view says `claim`: it takes all tricks that are left, so the cards of
    the round are played for everyone."""

    turn: int


class TakeBack(Said, frozen=True, tag="take_back"):
    """The one person at a table of bots: takes back their last decision of the round, and what the
    bots did since. The game is marked for good (`taken_back`)."""

    turn: int


class Sit(Said, frozen=True, tag="sit"):
    """Anyone without a seat. In the lobby: an empty seat or a bot's. During a game, if
    `settings.open`: a bot's seat, or that of a player who has left; somebody who has already had
    a seat may only return to it. Anything else is `not_let_in`, as is anyone with the same address
    as a removed player or, during a game, as one of its players."""

    seat: Seat
    commitment: Hexadecimal = ""


class Leave(Said, frozen=True, tag="leave"):
    """A seated player. During a game a bot stands in, and the player can return (`back`) until
    somebody else takes the seat."""


class SeatBot(Said, frozen=True, tag="bot"):
    """The host, in the lobby: an empty seat or another bot."""

    seat: Seat
    level: Level


class Clear(Said, frozen=True, tag="clear"):
    """The host: removes a player, who cannot sit down again, or in the lobby a bot; during a game a
    bot plays on. With `may_return` the seat is only freed: during a game, only while a bot plays
    for its player (otherwise `not_away`), who can retake it with `back` unless somebody else was
    faster."""

    seat: Seat
    may_return: bool = False


class Readmit(Said, frozen=True, tag="readmit"):
    """The host: the players removed under that name may sit down again."""

    name: Annotated[str, Meta(max_length=200)]


class Host(Said, frozen=True, tag="host"):
    """The host: makes another player the host."""

    seat: Seat


class Change(Said, frozen=True, tag="settings"):
    """The host; `rules`, as for a new table, in the lobby only."""

    settings: TableSettingsChanges | None = None
    """Only those that change."""
    rules: Rules | None = None


class Commit(Said, frozen=True, tag="commit"):
    """A seated player who has made no commitment yet, in the lobby."""

    commitment: Hexadecimal


class ChooseFace(Said, frozen=True, tag="face"):
    """A seated player, until the game is over: how everyone at the table sees them."""

    face: Face


class Start(Said, frozen=True, tag="start"):
    """The host, when no seat is empty."""


class Reveal(Said, frozen=True, tag="reveal"):
    """A seat that made a commitment, after `started`."""

    bytes: Hexadecimal


class Back(Said, frozen=True, tag="back"):
    """A player for whom a bot stands in; any `act` has the same effect."""


class LetBot(Said, frozen=True, tag="let_bot"):
    """A seated player: a bot plays for somebody who is away, until they are back."""

    seat: Seat


class Wait(Said, frozen=True, tag="wait"):
    """A seated player: no bot plays yet for somebody who is away, for some minutes."""

    seat: Seat


class Say(Said, frozen=True, tag="say"):
    """A seated player; five at once, then one every two seconds."""

    phrase: Annotated[str, Meta(max_length=40)]


class Knock(Said, frozen=True, tag="knock"):
    """Anyone without a seat: asks the host for one; at a score sheet, for permission to write. The
    answer comes when the host has decided: `done`, or `turned_down`. Leaving withdraws it."""

    seat: Seat | None = None
    """The seat wanted, at a table; null for any."""


class LetIn(Said, frozen=True, tag="let_in"):
    """The host: grants a request, at a table with that seat or another free one; with `yes` false,
    turns it down."""

    knock: int
    yes: bool = True


class Rematch(Said, frozen=True, tag="rematch"):
    """A seated player, after the game. With bots alone it starts at once."""

    commitment: Hexadecimal = ""


class Close(Said, frozen=True, tag="close"):
    """The host, in the lobby."""


class Sync(Said, frozen=True, tag="sync"):
    """Anyone: asks for a `welcome`."""

    since: int | None = None
    """The last event number seen."""


class Ping(Said, frozen=True, tag="ping"):
    """Anyone."""


Request: TypeAlias = (
    Act
    | ClaimRest
    | TakeBack
    | Sit
    | Leave
    | SeatBot
    | Clear
    | Readmit
    | Host
    | Change
    | Commit
    | ChooseFace
    | Start
    | Reveal
    | Back
    | LetBot
    | Rematch
    | Close
)
"""The messages that change the table, and are saved."""

TableMessage: TypeAlias = Annotated[
    Request | Knock | LetIn | Say | Wait | Sync | Ping, Meta(title="TableMessage")
]
