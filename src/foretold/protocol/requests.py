"""What clients say to a table: a closed family of messages, read in one place."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta

from foretold.protocol.settings import TableSettingsChanges
from foretold.protocol.words import Asked, Hexadecimal, Level, Rules, Seat

Id: TypeAlias = Annotated[str, Meta(min_length=1, max_length=40)]


class Said(Asked, frozen=True, tag_field="t"):
    """What a client says."""

    id: Id


class Act(Said, frozen=True, tag="act"):
    """The seat on turn. An old `turn` is `stale`."""

    turn: int
    action: Annotated[str, Meta(max_length=20)]


class Sit(Said, frozen=True, tag="sit"):
    """Anyone without a seat: an empty seat or a bot's in the lobby. In a game, a bot's or that of
    one who has left where `settings.open`; whoever has had a seat may only return to that one.
    Else, and for those who come from the same address as one who was removed or, in a game, as
    one of its players: `not_let_in`."""

    seat: Seat
    commitment: Hexadecimal = ""


class Leave(Said, frozen=True, tag="leave"):
    """A seated player. In a game a bot stands in, and the seat is theirs (`back`) until somebody
    else sits down."""


class SeatBot(Said, frozen=True, tag="bot"):
    """The host, in the lobby: an empty seat or another bot."""

    seat: Seat
    level: Level


class Clear(Said, frozen=True, tag="clear"):
    """The host: removes a player, who cannot sit down again, and in the lobby a bot; in a game a
    bot plays on. With `may_return` the seat is only freed: in a game while a bot plays for its
    player (else `not_away`), who has it again by `back` unless somebody else was faster."""

    seat: Seat
    may_return: bool = False


class Readmit(Said, frozen=True, tag="readmit"):
    """The host: those removed under that name may sit down again."""

    name: Annotated[str, Meta(max_length=200)]


class Host(Said, frozen=True, tag="host"):
    """The host: makes another player the host."""

    seat: Seat


class Change(Said, frozen=True, tag="settings"):
    """The host; `rules`, as for a new table, in the lobby only."""

    settings: TableSettingsChanges | None = None
    """Those that change."""
    rules: Rules | None = None


class Commit(Said, frozen=True, tag="commit"):
    """A seated player who has given no commitment, in the lobby."""

    commitment: Hexadecimal


class Start(Said, frozen=True, tag="start"):
    """The host, when no seat is empty."""


class Reveal(Said, frozen=True, tag="reveal"):
    """A seat that gave a commitment, after `started`."""

    bytes: Hexadecimal


class Back(Said, frozen=True, tag="back"):
    """A player for whom a bot stands in; any `act` says so too."""


class Say(Said, frozen=True, tag="say"):
    """A seated player; five at once, then one in two seconds."""

    phrase: Annotated[str, Meta(max_length=40)]


class Knock(Said, frozen=True, tag="knock"):
    """Anyone without a seat: asks the host for one; at a score sheet, to write. It is answered
    when the host has decided: `done`, or `turned_down`. Leaving takes it back."""

    seat: Seat | None = None
    """Which is wanted at a table; null for any."""


class LetIn(Said, frozen=True, tag="let_in"):
    """The host: grants what was asked for, at a table that seat or another that is free; or not,
    with `yes` false."""

    knock: int
    yes: bool = True


class Rematch(Said, frozen=True, tag="rematch"):
    """A seated player, after the game."""


class Close(Said, frozen=True, tag="close"):
    """The host, in the lobby."""


class Sync(Said, frozen=True, tag="sync"):
    """Anyone: asks for a `welcome`."""

    since: int | None = None
    """The last number seen."""


class Ping(Said, frozen=True, tag="ping"):
    """Anyone."""


Request: TypeAlias = (
    Act
    | Sit
    | Leave
    | SeatBot
    | Clear
    | Readmit
    | Host
    | Change
    | Commit
    | Start
    | Reveal
    | Back
    | Rematch
    | Close
)
"""What changes the table, and is written down."""

TableMessage: TypeAlias = Annotated[
    Request | Knock | LetIn | Say | Sync | Ping, Meta(title="TableMessage")
]
