"""What the host of a table decides besides the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final, TypeAlias

from msgspec import Meta

from foretold.protocol.words import Message, changes_of

LIMITS: Final = {"clock": (5, 600), "pace": (0, 3000), "patience": (5, 3600)}
"""The least and the most of each setting that is a number."""


def _within(setting: str) -> Meta:
    """Told, and checked where settings are changed: so that the refusal can name the setting."""
    low, high = LIMITS[setting]
    return Meta(extra_json_schema={"minimum": low, "maximum": high})


class TableSettings(Message, frozen=True):
    """What the host decides besides the rules."""

    clock: Annotated[int, _within("clock")] | None = None
    """Seconds for a decision; null for no clock."""
    public: bool = False
    """Whether the table is listed for everyone."""
    spectators: bool = True
    """Whether those without a seat see the game before it is over."""
    pace: Annotated[int, _within("pace")] = 700
    """Milliseconds that bots let pass before they decide."""
    open: bool = False
    """Whether anyone who may look may take a bot's seat during the game; else the host decides."""
    patience: Annotated[int, _within("patience")] | None = 180
    """Seconds after which, without a clock, a bot plays for whoever keeps others waiting; null
    for never."""


if TYPE_CHECKING:
    TableSettingsChanges: TypeAlias = Any
else:
    TableSettingsChanges = changes_of(TableSettings)
