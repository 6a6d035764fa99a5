"""What you can choose now, and the actions behind each choice; all of it from the game."""

from __future__ import annotations

from dataclasses import dataclass

from foretold.actions import Action, Verb
from foretold.cards import Card, Suit
from foretold.kernel import Phase
from foretold.tui.palette import PEOPLES, Palette, suit_mark
from foretold.view import View

IN_HAND = (Phase.PLAY, Phase.PASS)
"""The phases in which you choose a card from the hand."""


@dataclass(frozen=True)
class Choice:
    """A card, bid, trump or change of bid: what the arrows move between."""

    label: str
    actions: tuple[Action, ...]
    """The legal actions behind it; several if something is announced with it."""
    tried: Action | None
    """What to try if none is legal, to get the reason."""
    card: Card | None = None

    @property
    def is_legal(self) -> bool:
        return bool(self.actions)


def choices_of(view: View) -> tuple[Choice, ...]:
    """The choices of a view; while others decide, the cards in hand."""
    legal = view.legal_actions
    if legal and view.phase is Phase.BID:
        every = tuple(Action(f"bid {bid}") for bid in range(view.size + 1))
        return tuple(_single(action, legal) for action in every)
    if legal and view.phase is Phase.CLOUD:
        return tuple(_single(action, legal) for action in (Action("cloud -1"), Action("cloud +1")))
    if legal and view.phase is Phase.TRUMP:
        return tuple(_single(action, legal) for action in legal)
    return tuple(_of_card(card, view) for card in view.hand or ())


def _single(action: Action, legal: tuple[Action, ...]) -> Choice:
    return Choice(label_of(action), (action,) if action in legal else (), action)


def _of_card(card: Card, view: View) -> Choice:
    verb = Verb.PASS if view.phase is Phase.PASS else Verb.PLAY
    actions = tuple(action for action in view.legal_actions if action.card == card)
    return Choice(card.code, actions, _tried(verb, card), card)


def _tried(verb: Verb, card: Card) -> Action | None:
    for text in (f"{verb} {card}", f"{verb} {card}=W", f"{verb} {card}=B"):
        action = Action.find(text)
        if action is not None:
            return action
    return None


def label_of(action: Action) -> str:
    """The label of an action among the choices."""
    if action.trump is not None:
        suit = action.trump.suit
        return "no trump" if suit is None else f"{suit_mark(suit)} {suit}"
    _, _, announced = action.object.partition("=")
    if announced:
        return _announced(action, announced)
    return action.object


def _announced(action: Action, announced: str) -> str:
    if action.suit is None:
        return "a Wizard" if announced == "W" else "a Jester"
    return f"{suit_mark(action.suit)} {action.suit}"


def shortcut_of(action: Action) -> str:
    """The letter that announces: ``r`` for ``JU=R``."""
    return action.object.partition("=")[2].lower()


def style_of(action: Action, palette: Palette) -> str:
    suit = action.trump.suit if action.trump is not None else action.suit
    return palette.text if suit is None else palette.suits[suit]


def name_of(card: Card) -> str:
    """A card in words: ``red 13, of the Dwarves``."""
    suit: Suit | None = card.suit
    return card.name if suit is None else f"{card.name}, of the {PEOPLES[suit]}"
