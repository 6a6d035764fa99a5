"""Foretold: the card game Wizard, with every printed edition, variant and special card.

What is named here is the public interface. Each name is loaded when it is first used, so that
importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.2.0"

if TYPE_CHECKING:
    from foretold.actions import ACTIONS as ACTIONS
    from foretold.actions import Action as Action
    from foretold.actions import Verb as Verb
    from foretold.cards import CARDS as CARDS
    from foretold.cards import Card as Card
    from foretold.cards import Suit as Suit
    from foretold.cards import Trump as Trump
    from foretold.deal import Deal as Deal
    from foretold.editions import EDITIONS as EDITIONS
    from foretold.errors import BotError as BotError
    from foretold.errors import DealError as DealError
    from foretold.errors import ForetoldError as ForetoldError
    from foretold.errors import IllegalActionError as IllegalActionError
    from foretold.errors import MissingExtraError as MissingExtraError
    from foretold.errors import RecordError as RecordError
    from foretold.errors import RulesError as RulesError
    from foretold.errors import UnreadableError as UnreadableError
    from foretold.errors import WrongMomentError as WrongMomentError
    from foretold.fair import FairDeals as FairDeals
    from foretold.game import Game as Game
    from foretold.kernel import Phase as Phase
    from foretold.kernel.batch import Batch as Batch
    from foretold.record import open_records as open_records
    from foretold.record import read_records as read_records
    from foretold.record import write_records as write_records
    from foretold.results import Outcome as Outcome
    from foretold.results import Round as Round
    from foretold.results import Trick as Trick
    from foretold.rules import Rules as Rules
    from foretold.view import Pass as Pass
    from foretold.view import View as View

_MODULES = {
    "actions": ("ACTIONS", "Action", "Verb"),
    "cards": ("CARDS", "Card", "Suit", "Trump"),
    "deal": ("Deal",),
    "errors": (
        "BotError",
        "DealError",
        "ForetoldError",
        "IllegalActionError",
        "MissingExtraError",
        "RecordError",
        "RulesError",
        "UnreadableError",
        "WrongMomentError",
    ),
    "fair": ("FairDeals",),
    "game": ("Game",),
    "kernel.batch": ("Batch",),
    "kernel": ("Phase",),
    "record": ("open_records", "read_records", "write_records"),
    "editions": ("EDITIONS",),
    "rules": ("Rules",),
    "results": ("Outcome", "Round", "Trick"),
    "view": ("Pass", "View"),
}
_HOME = {name: module for module, names in _MODULES.items() for name in names}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'foretold' has no attribute {name!r}")
    return getattr(import_module(f"foretold.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return [*globals(), *__all__]
