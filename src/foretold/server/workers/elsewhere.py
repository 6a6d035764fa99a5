"""Questions that other machines may think about, and their answers, as bytes.

Nothing is pickled here: whoever reached the bus could otherwise run code on all machines.
"""

from __future__ import annotations

from typing import Any, Final, Protocol

import msgspec

from foretold.actions import Action
from foretold.cards import Card
from foretold.rules import Rules
from foretold.view import View

BOT: Final = "bot"
HINT: Final = "hint"
REVIEW: Final = "review"


class Question(msgspec.Struct, frozen=True, array_like=True):
    """Something to think about. As between nodes, fields are only ever added at the end."""

    kind: str
    """`BOT`, `HINT` or `REVIEW`."""
    of: bytes
    """A view, or for a review a record."""
    seconds: float
    """How long it may take."""
    source: str
    """The address or node that asks: they take turns."""
    level: str = ""
    """Which bot."""


class Thought(msgspec.Struct, frozen=True, array_like=True):
    """An answer."""

    told: bytes = b""
    """A bot's action in words; a hint or review as JSON."""
    seconds: float = 0.0
    """How long it took."""
    fault: str = ""
    """Why there is no answer, or that a simpler bot gave it."""


class Elsewhere(Protocol):
    """Workers on other machines, which may think instead of this process."""

    @property
    def rests(self) -> bool:
        """Whether nobody answered a moment ago, so that asking again is pointless for now."""

    async def ask(
        self, kind: str, of: bytes, seconds: float, *, source: str = "", level: str = ""
    ) -> Thought | None:
        """The answer; None if no worker gives one, for whatever reason."""


def encode_view(view: View) -> bytes:
    return msgspec.msgpack.encode(view, enc_hook=_encoded)


def decode_view(data: bytes) -> View:
    """Raises `msgspec.ValidationError` or `ForetoldError` for anything but a view."""
    return msgspec.msgpack.decode(data, type=View, dec_hook=_decoded)


def _encoded(value: Any) -> Any:
    if isinstance(value, Rules):
        return value.to_options()
    if isinstance(value, Card | Action):
        return int(value)
    raise NotImplementedError(type(value))


def _decoded(kind: type, value: Any) -> Any:
    return Rules.from_options(value) if kind is Rules else kind(value)
