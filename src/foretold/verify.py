"""Whether a game's deals follow from what was published about them (see `foretold.fair`)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from foretold.cards import Card, Suit
from foretold.deal import Deal, out_after
from foretold.errors import UnreadableError
from foretold.fair import SECRET_BYTES, FairDeals, SetUp, commitment
from foretold.game import Game
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
    """A verdict on the set-up, if chance played a part in it, and on every round dealt."""
    proof = _Proof(game)
    if game.rules.mode is Mode.MONOCOLOUR or game.rules.dealer_by is not DealerBy.SEAT:
        yield proof.on_set_up()
    out: tuple[Card, ...] = ()
    for number, log in enumerate(game.position.logs, start=1):
        yield proof.on_round(number, log.deal, out)
        out = out_after(game.rules, out, log.deal)


class _Proof:
    """What a game can show for its deals."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.fair: FairDeals | None = None
        self.fault: tuple[Answer, str] | None = None
        if game.fair is None:
            self.fault = Answer.NOT_VERIFIABLE, "the record has no commitments"
        else:
            try:
                self.fair = FairDeals.from_data(game.fair, game.rules.players)
            except UnreadableError as error:
                self.fault = Answer.NOT_VERIFIABLE, str(error)
        if self.fair is not None:
            self.fault = self._contribution_fault(self.fair)
        self.set_up: SetUp | None = None
        if self.fair is not None and self._secret_fault(0) is None:
            self.set_up = self.fair.set_up(game.rules)

    @staticmethod
    def _contribution_fault(fair: FairDeals) -> tuple[Answer, str] | None:
        pairs = zip(fair.contributions, fair.contribution_commitments, strict=True)
        for seat, (added, committed) in enumerate(pairs):
            if added and commitment(added) != committed:
                return Answer.FALSE, f"the bytes of seat {seat} are not those it committed to"
        return None

    def _secret_fault(self, index: int) -> tuple[Answer, str] | None:
        """Why a draw cannot be repeated, or is false; None if it can be repeated."""
        fair = self.fair
        if self.fault is not None or fair is None:
            return self.fault
        if index >= len(fair.commitments):
            return Answer.NOT_VERIFIABLE, "no commitment was published for it"
        if index >= len(fair.secrets):
            return Answer.NOT_VERIFIABLE, "its secret has not been revealed"
        if commitment(fair.secrets[index]) != fair.commitments[index]:
            return Answer.FALSE, "the secret is not the one that was committed to"
        if len(fair.secrets[index]) < SECRET_BYTES:
            return Answer.FALSE, f"the secret has fewer than {SECRET_BYTES} bytes"
        return None

    def on_set_up(self) -> Verdict:
        fault = self._secret_fault(0)
        if fault is not None:
            return Verdict(0, *fault)
        game, set_up = self.game, self.set_up
        assert set_up is not None
        if game.rules.dealer_by is not DealerBy.SEAT and set_up.first_dealer != game.first_dealer:
            return Verdict(0, Answer.FALSE, f"the first dealer drawn is seat {set_up.first_dealer}")
        for seat, suit in enumerate(game.position.suits):
            if set_up.suits is not None and suit not in (None, set_up.suits[seat]):
                return Verdict(0, Answer.FALSE, f"the suit drawn for seat {seat} is another")
        return Verdict(0, Answer.VERIFIED, self._grounds())

    def on_round(self, number: int, deal: Deal, out: tuple[Card, ...]) -> Verdict:
        game, fair = self.game, self.fair
        if fair is not None and number > len(game.sheet) and number >= len(fair.secrets):
            return Verdict(number, Answer.UNDER_WAY, "its secret is revealed when it is over")
        fault = self._secret_fault(number)
        if fault is not None:
            return Verdict(number, *fault)
        assert fair is not None
        suits: tuple[Suit | None, ...] = (None,) * game.rules.players
        if game.rules.mode is Mode.MONOCOLOUR:
            if self.set_up is None or self.set_up.suits is None:
                return Verdict(number, Answer.NOT_VERIFIABLE, "its set-up is not verifiable")
            suits = self.set_up.suits
        if not fair.deal(game.rules, number, out, suits).same_cards(deal):
            return Verdict(number, Answer.FALSE, "other cards follow from its secret")
        return Verdict(number, Answer.VERIFIED, self._grounds())

    def _grounds(self) -> str:
        fair = self.fair
        assert fair is not None
        pairs = zip(fair.contributions, fair.contribution_commitments, strict=True)
        withheld = [seat for seat, (added, promised) in enumerate(pairs) if promised and not added]
        added = [seat for seat, added in enumerate(fair.contributions) if added]
        told = "it follows from its secret"
        told += f" and the bytes of {_seats(added)}" if added else "; no player added bytes"
        return told + (f"; {_seats(withheld)} withheld the promised bytes" if withheld else "")


def _seats(seats: list[int]) -> str:
    return f"seat{'s' if len(seats) > 1 else ''} {', '.join(map(str, seats))}"
