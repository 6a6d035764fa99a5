"""What can go wrong, by kind.

::

    ForetoldError                 something wrong with what a player, file or setting says
     ├── UnreadableError          text or data that is not a card, action or record at all
     ├── RulesError               options that do not exist, or do not go together
     ├── DealError                a deal that is impossible under the rules or with the deck
     ├── IllegalActionError       a decision the rules do not allow; `code` and `reason` say why
     │    └── WrongMomentError    ... because it is not this seat's turn, or not the time for it
     ├── BotError                 a bot that does not exist, or cannot be created
     ├── DeviceError              a device that is unknown or missing
     ├── ServerError              a server that cannot start: its settings, folder or database
     ├── MissingExtraError        packages that are not installed; says which extra brings them
     └── RecordError              a game record that breaks the rules; says in which round
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache, partial
from typing import Final


class ForetoldError(ValueError):
    """Something is wrong with what a player, file or setting says."""


class UnreadableError(ForetoldError):
    """Text or data that is not a card, action or record at all."""


class RulesError(ForetoldError):
    """Options that do not exist, or do not go together; `options` names the conflicting two."""

    def __init__(self, message: str, *options: str) -> None:
        super().__init__(message, *options)
        self.options = options

    def __str__(self) -> str:
        return str(self.args[0])


class DealError(ForetoldError):
    """A deal that is impossible under the rules or with the deck."""


class BotError(ForetoldError):
    """A bot that does not exist, or cannot be created."""


class DeviceError(ForetoldError):
    """A device, such as a GPU, that is unknown or missing."""


class ServerError(ForetoldError):
    """A server that cannot start with its settings, port, folder or database."""


class MissingExtraError(ForetoldError, ModuleNotFoundError):
    """Packages that are not installed; the message says which extra of Foretold brings them."""


class RecordError(ForetoldError):
    """A game record that breaks the rules; the message says in which round and action."""


_REASONS: Final = {
    "no_seat": "there are seats 0 to {last}",
    "game_over": "the game is over",
    "deal_awaited": "the next round has not been dealt yet",
    "not_on_turn": "it is seat {turn}'s turn",
    "already_decided": "[you have|it has] already {done}",
    "wrong_phase": "now is the time to {expected}",
    "not_held": "[you do|it does] not hold {card}",
    "must_follow": "[you hold|it holds] {held} and must follow {suit}",
    "bid_range": "a bid in this round is 0 to {size}",
    "bid_forbidden": "the bids of this round may not add up to {size}",
    "trump_required": "only the holder of the Werewolf may name no trump",
    "cloud_range": "a bid in this round stays within 0 to {size}",
}
"""Why an action is refused; brackets hold the wording for the player, then for a log."""


class IllegalActionError(ForetoldError):
    """A decision that the rules do not allow.

    `code` and `params` are for programs (and translators); `reason` is for the player. The
    message itself is for logs and replays: it may name cards of the hand (`must_follow`,
    `not_held`), so do not show it to the other players during a game.
    """

    def __init__(self, code: str, seat: int, action: str, **params: object) -> None:
        self.code = code
        self.seat = seat
        self.action = action
        self.params: Mapping[str, object] = params
        super().__init__(code, seat, action)

    def __str__(self) -> str:
        return f"seat {self.seat} may not {self.action}: {self._worded(1)}"

    @property
    def reason(self) -> str:
        """The reason, worded for the player: "you hold R4 and must follow red"."""
        return self._worded(0)

    def __reduce__(self) -> tuple[object, tuple[()]]:
        return partial(type(self), self.code, self.seat, self.action, **self.params), ()

    def _worded(self, side: int) -> str:
        return _worded(self.code, side, tuple(self.params.items()))


@lru_cache(maxsize=1024)  # a table says why for every card that the seat on turn may not play
def _worded(code: str, side: int, params: tuple[tuple[str, object], ...]) -> str:
    text = _REASONS[code].format_map(dict(params))
    return re.sub(r"\[(.*?)\]", lambda match: match[1].split("|")[side], text)


class WrongMomentError(IllegalActionError):
    """A decision at the wrong moment: not this seat's turn, or not the time for it."""
