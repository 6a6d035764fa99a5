"""The building blocks of messages: seats, cards, actions, codes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta, UnsetType

from foretold.bots import LEVELS
from foretold.kernel import Phase as KernelPhase
from foretold.verify import Answer as VerdictAnswer

NAME_LENGTH: Final = 24
"""The most characters of a name."""


class Message(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Anything sent over the wire; its type defines everything that may be in it."""


class Asked(Message, frozen=True):
    """What a client sends: it may leave out fields that have a default."""


Seat: TypeAlias = Annotated[int, Meta(title="Seat")]
Suit: TypeAlias = Annotated[Literal["B", "G", "R", "Y"], Meta(title="Suit")]
Trump: TypeAlias = Annotated[Literal["B", "G", "R", "Y", "none"], Meta(title="Trump")]
CardCode: TypeAlias = Annotated[
    str,
    Meta(
        title="CardCode",
        description="A card as in the record: `R4`, `W`, `J`, `DR`; once played, with its "
        "announcement: `JU=R`.",
    ),
]
Action: TypeAlias = Annotated[
    str,
    Meta(
        title="Action",
        description="`bid 2`, `play SH=W`, `trump none`, `pass R4`, `cloud +1`.",
    ),
]
Moment: TypeAlias = Annotated[int, Meta(title="Moment", description="Milliseconds since 1970.")]
Code: TypeAlias = Annotated[
    str, Meta(title="Code", description="The code of a table or score sheet: six letters.")
]
Key: TypeAlias = Annotated[
    str,
    Meta(title="Key", description="The key of an invitation, for those who may pass it on."),
]
Hexadecimal: TypeAlias = Annotated[
    str, Meta(title="Hexadecimal", max_length=128, pattern="^([0-9a-f]{2})*$")
]
TableState: TypeAlias = Annotated[
    Literal["lobby", "dealing", "playing", "over", "closed"],
    Meta(
        title="TableState",
        description="While `dealing`, the players' contributions are being collected.",
    ),
]
StandIn: TypeAlias = Annotated[
    Literal["clock", "idle", "absent", "left"],
    Meta(
        title="StandIn",
        description="Why a bot plays for somebody: they ran out of time (for that one decision), "
        "kept others waiting, lost the connection, or left.",
    ),
]
By: TypeAlias = Annotated[
    Literal["player", "bot", "stand_in", "claim"],
    Meta(title="By", description="Who decided; a `claim` plays what is left of a round."),
]
RuleValue: TypeAlias = Annotated[str | int | bool | list[str] | None, Meta(title="RuleValue")]
Rules: TypeAlias = Annotated[
    dict[str, RuleValue],
    Meta(
        title="Rules",
        description="Options as in a record; for a new table also `edition`, a preset that the "
        "others override.",
    ),
]
GameRecord: TypeAlias = Annotated[
    dict[str, Any], Meta(title="GameRecord", description="As in docs/records.md.")
]

FACES: Final = (
    "owl",
    "fox",
    "cat",
    "hare",
    "wizard",
    "witch",
    "seer",
    "jester",
    "knight",
    "stone",
)

if TYPE_CHECKING:
    Level: TypeAlias = str
    Face: TypeAlias = str
    Phase: TypeAlias = str
    ReplayPhase: TypeAlias = str
    Answer: TypeAlias = str
else:
    _PHASES = tuple(one.name.lower() for one in KernelPhase)
    Level = Annotated[Literal[tuple(LEVELS)], Meta(title="Level")]
    Face = Annotated[
        Literal[FACES],
        Meta(title="Face", description="One of the drawn characters; bots have others."),
    ]
    Phase = Annotated[Literal[tuple(one for one in _PHASES if one != "deal")], Meta(title="Phase")]
    ReplayPhase = Annotated[
        Literal[_PHASES],
        Meta(title="ReplayPhase", description="In a replay, `deal` between two rounds."),
    ]
    Answer = Annotated[Literal[tuple(map(str, VerdictAnswer))], Meta(title="Answer")]


class Refusal(Message, frozen=True):
    """Why something was not done."""

    code: str
    """For programs and translations; each code has one meaning."""
    params: dict[str, Any]
    reason: str
    """English, for clients that have no sentence of their own for the code."""


def changes_of(kind: type[Message]) -> Any:
    """The type for a message's changed fields."""
    return msgspec.defstruct(
        f"{kind.__name__}Changes",
        [
            (field.name, field.type | UnsetType, msgspec.UNSET)
            for field in msgspec.structs.fields(kind)
        ],
        bases=(Message,),
        module=kind.__module__,
        frozen=True,
        kw_only=True,
    )
