"""A game gone through once more: what every decision gave away, and what luck brought.

All is counted in points of *lead*: a player's points of a round less the mean of the others'. What
a seat's round brought is, to the point,

    deal + play + gifts - given

``given`` is what its decisions gave away, each against the best one there was, and ``gifts`` its
share of what the others gave away: the leads of all add up to nought, so what one gives away falls
to the others, and in equal parts on average. ``deal`` is what its hand was worth at its first
decision, with best play from there on, less the mean of the same at the table: above 0 the cards,
the seat and the bids before were kinder to it than to the others. ``play`` is the rest: how the
unseen cards lay. Both add up to nought over the seats of a round.
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
from foretold.game import Game
from foretold.results import Round
from foretold.study.advice import Advice, Grade, advise, grade_of
from foretold.study.analysis import Analysis, analyse_all
from foretold.view import View


@dataclass(frozen=True)
class Decision:
    """A decision that was taken, with a choice or without."""

    number: int
    """Its place among the actions of the game, from 0."""
    view: View
    """What its seat knew."""
    action: Action
    analysis: Analysis | None
    """None where there was no other choice."""
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
        """The points that it gave away."""
        return 0.0 if self.analysis is None else self.analysis.cost(self.action)

    @property
    def gain(self) -> float:
        """The points that it kept against the rules of thumb; 0 where it gave any away itself."""
        if self.analysis is None or not self.grade.is_good:
            return 0.0
        return max(self.analysis.cost(self.usual) - self.cost, 0.0)

    @property
    def grade(self) -> Grade:
        return grade_of(self.cost)

    @property
    def advice(self) -> Advice | None:
        """What is to be said of it; None where there was no other choice."""
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
        """The decisions of a seat that gave away most, the worst first; none that are good."""
        bad = [one for one in self.of(seat) if not one.grade.is_good]
        return tuple(sorted(bad, key=lambda one: -one.cost)[:most])

    def finest(self, seat: int, most: int = 3) -> tuple[Decision, ...]:
        """The decisions of a seat that kept most against the rules of thumb, the finest first."""
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
    """Go through a game, all its decisions in one pass of the network."""
    taken = _decisions(game)
    analyses = iter(analyse_all([view for view, _ in taken if _has_choice(view)], sage))
    thumb = SimpleBot()
    return Review(
        game,
        [
            Decision(number, view, action, next(analyses), thumb.choose(view))
            if _has_choice(view)
            else Decision(number, view, action, None, action)
            for number, (view, action) in enumerate(taken)
        ],
    )


def _has_choice(view: View) -> bool:
    return len(view.legal_actions) > 1


def _decisions(game: Game) -> list[tuple[View, Action]]:
    """Every decision, and what its seat knew before it."""
    again = Game.from_record(game.to_record())  # all positions, should the game have forgotten them
    taken: list[tuple[View, Action]] = []
    for _ in range(sum(len(log.actions) for log in again.position.logs)):
        seat, action = again.pop()
        taken.append((again.view(seat), action))
    return taken[::-1]
