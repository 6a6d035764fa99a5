"""The statistics of a match: every figure of the tables, the report and the JSON."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from foretold.arena.match import Match
from foretold.arena.rating import Rating, rate
from foretold.arena.results import GameResult, SeatResult
from foretold.arena.run import Played
from foretold.report.stats import Estimate, Tally


@dataclass(frozen=True)
class SizeSummary:
    """A bot in the rounds of one size."""

    size: int
    exact_bid_rate: Estimate
    points_per_round: Estimate


@dataclass(frozen=True)
class BotSummary:
    """A bot in all its seats; figures are per seat."""

    name: str
    games: int
    """Games it took part in."""
    seats: int
    """The seats it had in them, several in a game if it was named more than once."""
    points_per_game: Estimate
    points_per_round: Estimate
    win_rate: Estimate
    """A win shared by k counts 1/k for each."""
    mean_place: Estimate
    places: tuple[Estimate, ...]
    """How often it came first, second and so on; ties share the better place."""
    exact_bid_rate: Estimate
    by_size: tuple[SizeSummary, ...]
    running_totals: tuple[float, ...]
    """The mean score after every round."""
    decisions: int
    faults: int
    first_fault: str | None
    ms_per_decision: float
    max_ms: float
    rating: Rating | None

    def to_data(self) -> dict[str, Any]:
        rating = self.rating
        return {
            "name": self.name,
            "games": self.games,
            "seats": self.seats,
            "points_per_game": self.points_per_game.rounded(),
            "points_per_round": self.points_per_round.rounded(),
            "win_rate": self.win_rate.rounded(),
            "mean_place": self.mean_place.rounded(),
            "places": [place.rounded() for place in self.places],
            "exact_bid_rate": self.exact_bid_rate.rounded(),
            "running_totals": [round(total, 6) for total in self.running_totals],
            "rating": None
            if rating is None
            else {
                "mu": round(rating.mu, 6),
                "sigma": round(rating.sigma, 6),
                "ordinal": round(rating.ordinal, 6),
            },
            "decisions": self.decisions,
            "faults": self.faults,
            "first_fault": self.first_fault,
            "ms_per_decision": round(self.ms_per_decision, 4),
            "max_ms": round(self.max_ms, 4),
        }


@dataclass(frozen=True)
class Pairing:
    """A bot against another, over all games that both were in."""

    bot: str
    other: str
    games: int
    above: Estimate
    """How often it finished above the other."""
    level: float
    """How often both had the same points."""
    difference: Estimate
    """Its points less the other's."""

    def to_data(self) -> dict[str, Any]:
        return {
            "bot": self.bot,
            "other": self.other,
            "games": self.games,
            "above": self.above.rounded(),
            "level": round(self.level, 6),
            "difference": self.difference.rounded(),
        }


@dataclass(frozen=True)
class Summary:
    """All figures of a match, or of as much of it as was played."""

    match: Match
    games: int
    deal_sets: int
    is_complete: bool
    bots: tuple[BotSummary, ...]
    pairings: Mapping[tuple[str, str], Pairing]

    @property
    def sizes(self) -> tuple[int, ...]:
        """The sizes of rounds played, in ascending order."""
        return tuple(sorted(set(self.match.rules.sizes)))

    def to_data(self) -> dict[str, Any]:
        """The data that `--json` prints."""
        return {
            "complete": self.is_complete,
            "games": self.games,
            "deal_sets": self.deal_sets,
            "seed": self.match.seed,
            "limit": self.match.limit,
            "rules": self.match.rules.to_options(),
            "bots": [bot.to_data() for bot in self.bots],
            "pairwise": [pairing.to_data() for pairing in self.pairings.values()],
            "by_round_size": [
                {
                    "size": size,
                    "bots": [
                        {
                            "name": bot.name,
                            "exact_bid_rate": bot.by_size[index].exact_bid_rate.rounded(),
                            "points_per_round": bot.by_size[index].points_per_round.rounded(),
                        }
                        for bot in self.bots
                    ],
                }
                for index, size in enumerate(self.sizes)
            ],
        }


def summarise(played: Played) -> Summary:
    """Summarise what was played; bots without a game are left out."""
    match = played.match
    names = match.names
    counts = {name: _Count(match) for name in names}
    pairs: dict[tuple[str, str], _Pair] = defaultdict(_Pair)
    for result in played.results:
        for game in result.games:
            _count_game(match, counts, pairs, result.index, game)
    ratings = _ratings(played)
    return Summary(
        match=match,
        games=played.games,
        deal_sets=len(played.results),
        is_complete=played.is_complete,
        bots=tuple(
            counts[name].summary(name, ratings.get(name)) for name in names if counts[name].games
        ),
        pairings={
            (one, other): pairs[one, other].summary(one, other)
            for one in names
            for other in names
            if (one, other) in pairs
        },
    )


def _count_game(
    match: Match,
    counts: Mapping[str, _Count],
    pairs: dict[tuple[str, str], _Pair],
    index: int,
    game: GameResult,
) -> None:
    outcome = game.outcome
    names = [match.bots[seat.bot] for seat in game.seats]
    for name in set(names):
        counts[name].games += 1
    winners = outcome.winners
    met: set[tuple[str, str]] = set()
    for number, (name, seat) in enumerate(zip(names, game.seats, strict=True)):
        win = 1 / len(winners) if number in winners else 0.0
        counts[name].add(index, seat, outcome.places[number], win)
        for other, total in zip(names, outcome.totals, strict=True):
            if other != name:
                met.add((name, other))
                pairs[name, other].add(index, seat.total - total)
    for pair in met:
        pairs[pair].games += 1


class _Count:
    """The running totals of a bot."""

    def __init__(self, match: Match) -> None:
        self.games = 0
        self._sizes = match.rules.sizes
        self._points = Tally()
        self._round_points = Tally()
        self._wins = Tally()
        self._mean_place = Tally()
        self._places = [Tally() for _ in range(match.rules.players)]
        self._exact = Tally()
        self._exact_by_size: dict[int, Tally] = defaultdict(Tally)
        self._points_by_size: dict[int, Tally] = defaultdict(Tally)
        self._running = [0] * len(self._sizes)
        self._decisions = 0
        self._seconds = 0.0
        self._slowest = 0.0
        self._faults = 0
        self._first_fault: str | None = None

    def add(self, index: int, seat: SeatResult, place: int, win: float) -> None:
        self._points.add(index, seat.total)
        self._wins.add(index, win)
        self._mean_place.add(index, place)
        for number, tally in enumerate(self._places, start=1):
            tally.add(index, place == number)
        total = 0
        rounds = zip(self._sizes, seat.points, seat.off, strict=True)
        for number, (size, points, off) in enumerate(rounds):
            total += points
            self._running[number] += total
            self._exact.add(index, off == 0)
            self._exact_by_size[size].add(index, off == 0)
            self._round_points.add(index, points)
            self._points_by_size[size].add(index, points)
        self._decisions += seat.decisions
        self._seconds += seat.seconds
        self._slowest = max(self._slowest, seat.slowest)
        self._faults += seat.faults
        self._first_fault = self._first_fault or seat.first_fault

    def summary(self, name: str, rating: Rating | None) -> BotSummary:
        seats = self._points.count
        return BotSummary(
            name=name,
            games=self.games,
            seats=seats,
            points_per_game=self._points.mean(),
            points_per_round=self._round_points.mean(),
            win_rate=self._wins.rate(),
            mean_place=self._mean_place.mean(),
            places=tuple(tally.rate() for tally in self._places),
            exact_bid_rate=self._exact.rate(),
            by_size=tuple(
                SizeSummary(
                    size, self._exact_by_size[size].rate(), self._points_by_size[size].mean()
                )
                for size in sorted(self._exact_by_size)
            ),
            running_totals=tuple(total / seats for total in self._running),
            decisions=self._decisions,
            faults=self._faults,
            first_fault=self._first_fault,
            ms_per_decision=1000 * self._seconds / self._decisions if self._decisions else 0.0,
            max_ms=1000 * self._slowest,
            rating=rating,
        )


class _Pair:
    """The running totals of a bot against another."""

    def __init__(self) -> None:
        self.games = 0
        self._above = Tally()
        self._level = Tally()
        self._difference = Tally()

    def add(self, index: int, difference: int) -> None:
        self._above.add(index, difference > 0)
        self._level.add(index, difference == 0)
        self._difference.add(index, difference)

    def summary(self, bot: str, other: str) -> Pairing:
        return Pairing(
            bot,
            other,
            self.games,
            self._above.rate(),
            self._level.value,
            self._difference.mean(),
        )


def _ratings(played: Played) -> Mapping[str, Rating]:
    """Ratings, if all bots are different: a bot cannot be rated against itself."""
    match = played.match
    if len(match.names) < len(match.bots):
        return {}
    return rate(
        ([match.bots[seat.bot] for seat in game.seats], game.outcome.places)
        for result in played.results
        for game in result.games
    )
