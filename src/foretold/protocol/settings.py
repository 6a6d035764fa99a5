"""What the host of a table decides besides the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final, TypeAlias

from msgspec import Meta

from foretold.protocol.words import Message, changes_of

LIMITS: Final = {"clock": (5, 600), "pace": (0, 3000), "patience": (5, 3600)}
"""The range of each numeric setting."""


def _within(setting: str) -> Meta:
    """Documented here, checked where settings change, so that the refusal can name the setting."""
    low, high = LIMITS[setting]
    return Meta(extra_json_schema={"minimum": low, "maximum": high})


class TableSettings(Message, frozen=True):
    """What the host decides besides the rules."""

    clock: Annotated[int, _within("clock")] | None = None
    """Seconds per decision; null for no clock."""
    public: bool = False
    """Whether the table is listed for everyone."""
    spectators: bool = True
    """Whether those without a seat see the game before it is over."""
    pace: Annotated[int, _within("pace")] = 700
    """Milliseconds a bot waits before it decides."""
    open: bool = False
    """Whether any spectator may take a bot's seat during the game; if not, the host decides."""
    patience: Annotated[int, _within("patience")] | None = 180
    """Without a clock, seconds until a bot plays for somebody who keeps the others waiting; null
    for never."""


if TYPE_CHECKING:
    TableSettingsChanges: TypeAlias = Any
else:
    TableSettingsChanges = changes_of(TableSettings)
