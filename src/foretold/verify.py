"""Whether the deals of a game follow from what was published of them (see `foretold.fair`)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from foretold.cards import Card, Suit
from foretold.deal import Deal
from foretold.fair import SECRET_BYTES, FairDeals, SetUp, commitment
from foretold.game import Game
from foretold.kernel import Phase
from foretold.rules import DealerBy, Mode


class Answer(StrEnum):
    VERIFIED = "verified"
    FALSE = "false"
    NOT_VERIFIABLE = "not verifiable"
    UNDER_WAY = "under way"


@dataclass(frozen=True)
class Verdict:
    """The answer for one round; round 0 is the set-up (first dealer, suits)."""

    round: int
    answer: Answer
    reason: str

    @property
    def is_negative(self) -> bool:
        return self.answer in (Answer.FALSE, Answer.NOT_VERIFIABLE)

    def __str__(self) -> str:
        name = f"round {self.round}" if self.round else "set-up"
        return f"{name}: {self.answer}: {self.reason}"


def verify(game: Game) -> Iterator[Verdict]:
    """A verdict on the set-up, where chance had a part in it, and on every round dealt."""
    fair = game.fair
    set_up = _trusted_set_up(game, fair)
    if game.rules.mode is Mode.MONOCOLOUR or game.rules.dealer_by is not DealerBy.SEAT:
        yield _set_up_verdict(game, fair, set_up)
    out: tuple[Card, ...] = ()
    for number, log in enumerate(game.position.logs, start=1):
        suits = game.position.suits if set_up is None or set_up.suits is None else set_up.suits
        yield _round_verdict(game, fair, number, log.deal, out, suits)
        if game.rules.mode is Mode.TWO_PLAYER:
            out = (*out, *log.deal.cards)


def _secret_fault(fair: FairDeals | None, index: int) -> tuple[Answer, str] | None:
    """Why nothing, or nothing good, can be said of a draw; None if it can be repeated."""
    if fair is None:
        return Answer.NOT_VERIFIABLE, "the record has no commitments"
    if index >= len(fair.commitments):
        return Answer.NOT_VERIFIABLE, "no commitment was published for it"
    if index >= len(fair.secrets):
        return Answer.NOT_VERIFIABLE, "its secret has not been revealed"
    if commitment(fair.secrets[index]) != fair.commitments[index]:
        return Answer.FALSE, "the secret is not the one that was committed to"
    if len(fair.secrets[index]) < SECRET_BYTES:
        return Answer.FALSE, f"the secret has fewer than {SECRET_BYTES} bytes"
    return None


def _trusted_set_up(game: Game, fair: FairDeals | None) -> SetUp | None:
    if fair is None or _secret_fault(fair, 0) is not None:
        return None
    return fair.set_up(game.rules)


def _set_up_verdict(game: Game, fair: FairDeals | None, set_up: SetUp | None) -> Verdict:
    fault = _secret_fault(fair, 0)
    if fault is not None or set_up is None:
        return Verdict(0, *(fault or (Answer.NOT_VERIFIABLE, "")))
    if game.rules.dealer_by is not DealerBy.SEAT and set_up.first_dealer != game.first_dealer:
        return Verdict(0, Answer.FALSE, f"the first dealer drawn is seat {set_up.first_dealer}")
    for seat, suit in enumerate(game.position.suits):
        if set_up.suits is not None and suit not in (None, set_up.suits[seat]):
            return Verdict(0, Answer.FALSE, f"the suit drawn for seat {seat} is another")
    return Verdict(0, Answer.VERIFIED, "it follows from its secret")


def _round_verdict(
    game: Game,
    fair: FairDeals | None,
    number: int,
    deal: Deal,
    out: tuple[Card, ...],
    suits: tuple[Suit | None, ...],
) -> Verdict:
    under_way = number > len(game.sheet) and game.phase is not Phase.DEAL
    if fair is not None and under_way and number >= len(fair.secrets):
        return Verdict(number, Answer.UNDER_WAY, "its secret is shown when it is over")
    fault = _secret_fault(fair, number)
    if fault is not None:
        return Verdict(number, *fault)
    assert fair is not None
    if game.rules.mode is Mode.MONOCOLOUR and None in suits:
        return Verdict(number, Answer.NOT_VERIFIABLE, "the suits of the players are not known")
    if _sorted(fair.deal(game.rules, number, out, suits)) != _sorted(deal):
        return Verdict(number, Answer.FALSE, "other cards follow from its secret")
    return Verdict(number, Answer.VERIFIED, "it follows from its secret")


def _sorted(deal: Deal) -> tuple[list[list[Card]], Card | None]:
    """A deal without the order of the cards in a hand, which nobody need keep."""
    return [sorted(hand) for hand in deal.hands], deal.turned
