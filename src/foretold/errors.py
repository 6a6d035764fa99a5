"""What can go wrong, by kind.

::

    ForetoldError                 something wrong with what a player, file or setting says
     ├── UnreadableError          text or data that is not a card, action or record at all
     ├── RulesError               options that do not exist, or do not go together
     │    └── TooManyRoundsError  ... or rounds without end
     ├── DealError                a deal that the rules or the deck make impossible
     ├── IllegalActionError       a decision the rules do not allow; `code` and `reason` say why
     │    └── WrongMomentError    ... because it is not this seat's turn, or not the time for it
     ├── BotError                 a bot that does not exist, or cannot be created
     ├── DeviceError              a device that is unknown or missing
     ├── ServerError              a server that cannot start: its settings, folder or database
     ├── MissingExtraError        packages that are not installed; says which extra brings them
     └── RecordError              a game record that breaks the rules; says in which round
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from foretold.refusals import to_log, to_player


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


class TooManyRoundsError(RulesError):
    """More rounds than are possible."""

    def __init__(self, rounds: int, most: int) -> None:
        super().__init__(f"rounds has {rounds} rounds: at most {most} are possible", "rounds")
        self.rounds = rounds


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
        return f"seat {self.seat} may not {self.action}: {to_log(self.code, self.params)}"

    @property
    def reason(self) -> str:
        """The reason, worded for the player: "you hold R4 and must follow red"."""
        return to_player(self.code, self.params)

    def __reduce__(self) -> tuple[object, tuple[()]]:
        return partial(type(self), self.code, self.seat, self.action, **self.params), ()


class WrongMomentError(IllegalActionError):
    """A decision at the wrong moment: not this seat's turn, or not the time for it."""
