"""The review of a game: what every decision gave away, and what luck brought.

All figures are in points of *lead*: a player's points in a round less the mean of the others'. A
seat's lead in a round is exactly

    deal + play + gifts - given

``given`` is what its decisions gave away, each against the best one there was, and ``gifts`` its
share of what the others gave away: all leads add up to zero, so what one gives away goes to the
others, on average in equal parts. ``deal`` is what its hand was worth at its first decision, with
best play from there on, less the mean of the same at the table: above 0, the cards, the seat and
the earlier bids favoured it. ``play`` is the rest: how the unseen cards lay. Both add up to zero
over the seats of a round.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean
from typing import NamedTuple

from foretold.actions import Action
from foretold.bots.network import Sage
from foretold.bots.simple import SimpleBot
from foretold.claim import may_claim
from foretold.game import Game
from foretold.kernel import Phase
from foretold.results import Round
from foretold.study.advice import Advice, Grade, advise, grade_of
from foretold.study.analysis import Analysis, analyse_all
from foretold.view import View


@dataclass(frozen=True)
class Decision:
    """A decision of the game, with or without a choice."""

    number: int
    """Its index among the actions of the game."""
    view: View
    """What its seat knew."""
    action: Action
    analysis: Analysis | None
    """None if there was no choice."""
    usual: Action
    """What the rules of thumb would have done."""

    @property
    def seat(self) -> int:
        assert self.view.seat is not None
        return self.view.seat

    @property
    def round(self) -> int:
        return self.view.round

    @cached_property
    def cost(self) -> float:
        """The points it gave away."""
        return 0.0 if self.analysis is None else self.analysis.cost(self.action)

    @property
    def gain(self) -> float:
        """The points gained over the rules of thumb; 0 if it gave any away itself."""
        if self.analysis is None or not self.grade.is_good:
            return 0.0
        return max(self.analysis.cost(self.usual) - self.cost, 0.0)

    @property
    def grade(self) -> Grade:
        return grade_of(self.cost)

    @property
    def advice(self) -> Advice | None:
        """What to say about it; None if there was no choice."""
        if self.analysis is None:
            return None
        return advise(self.view, self.analysis, self.action, self.usual)


class Account(NamedTuple):
    """Where a seat's points came from, in a round or in all: deal + play + gifts - given = lead."""

    deal: float = 0.0
    play: float = 0.0
    gifts: float = 0.0
    given: float = 0.0
    lead: float = 0.0


def summed(accounts: Iterable[Account]) -> Account:
    return Account(*map(sum, zip(*accounts, strict=True)))


class Review:
    """Every decision of a game, and the accounts of its finished rounds."""

    def __init__(self, game: Game, decisions: Sequence[Decision]) -> None:
        self.game = game
        self.decisions = tuple(decisions)

    @cached_property
    def rounds(self) -> tuple[tuple[Account, ...], ...]:
        """The accounts of every finished round, by seat."""
        return tuple(
            _accounts(line, [one for one in self.decisions if one.round == number])
            for number, line in enumerate(self.game.sheet, start=1)
        )

    @cached_property
    def seats(self) -> tuple[Account, ...]:
        """The accounts of all finished rounds together, by seat."""
        return tuple(
            summed(accounts[seat] for accounts in self.rounds)
            for seat in range(self.game.rules.players)
        )

    def of(self, seat: int) -> tuple[Decision, ...]:
        """The decisions of a seat."""
        return tuple(one for one in self.decisions if one.seat == seat)

    def worst(self, seat: int, most: int = 3) -> tuple[Decision, ...]:
        """The decisions of a seat that gave away most, the worst first; never good ones."""
        bad = [one for one in self.of(seat) if not one.grade.is_good]
        return tuple(sorted(bad, key=lambda one: -one.cost)[:most])

    def finest(self, seat: int, most: int = 3) -> tuple[Decision, ...]:
        """The decisions of a seat that gained most over the rules of thumb, the best first."""
        good = [one for one in self.of(seat) if not grade_of(one.gain).is_good]
        return tuple(sorted(good, key=lambda one: -one.gain)[:most])


def _accounts(line: Round, decisions: Sequence[Decision]) -> tuple[Account, ...]:
    """The accounts of a finished round, by seat."""
    players = len(line.points)
    given = [0.0] * players
    deals: dict[int, float] = {}
    for one in decisions:
        if one.analysis is not None:
            given[one.seat] += one.cost
            deals.setdefault(one.seat, one.analysis.best.lead)
    mean = fmean(deals.values()) if deals else 0.0
    found = []
    for seat in range(players):
        lead = line.points[seat] - (sum(line.points) - line.points[seat]) / (players - 1)
        deal = deals.get(seat, mean) - mean
        gifts = (sum(given) - given[seat]) / (players - 1)
        play = lead - deal - gifts + given[seat]
        found.append(Account(deal, play, gifts, given[seat], lead))
    return tuple(found)


def review(game: Game, sage: Sage | None = None) -> Review:
    """Review a game, all its decisions in one pass of the network."""
    taken = _decisions(game)
    analyses = iter(analyse_all([view for view, _, matters in taken if matters], sage))
    thumb = SimpleBot()
    return Review(
        game,
        [
            Decision(number, view, action, next(analyses), thumb.choose(view))
            if matters
            else Decision(number, view, action, None, action)
            for number, (view, action, matters) in enumerate(taken)
        ],
    )


def _decisions(game: Game) -> list[tuple[View, Action, bool]]:
    """Every decision, what its seat knew before it, and whether it could change anything.

    It could not where only one action was legal, nor once somebody could claim the rest of the
    round: from then on every trick is theirs, whoever plays the cards.
    """
    again = Game.from_record(game.to_record())  # all positions, in case the game has dropped some
    taken: list[tuple[View, Action, bool]] = []
    for _ in range(sum(len(log.actions) for log in again.position.logs)):
        seat, action = again.pop()
        view = again.view(seat)
        taken.append((view, action, may_claim(again.position, seat)))
    decisions: list[tuple[View, Action, bool]] = []
    settled: int | None = None  # the round in which nothing is left to decide
    for view, action, claimable in reversed(taken):
        if claimable:
            settled = view.round
        is_settled = settled == view.round and view.phase is Phase.PLAY
        matters = not is_settled and len(view.legal_actions) > 1
        decisions.append((view, action, matters))
    return decisions
