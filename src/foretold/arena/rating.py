"""OpenSkill ratings (Plackett-Luce), game by game in the order of the match."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Rating:
    """A strength and its uncertainty; new players start at 25 and 8.33."""

    mu: float
    sigma: float

    @property
    def ordinal(self) -> float:
        """A lower bound of the strength, for ranking."""
        return self.mu - 3 * self.sigma


def rate(games: Iterable[tuple[Sequence[str], Sequence[int]]]) -> Mapping[str, Rating]:
    """Ratings from games, each given as the names by seat and their places."""
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    ratings: dict[str, list[float]] = {}
    for names, places in games:
        teams = [[model.create_rating(ratings.get(name, [25.0, 25.0 / 3]))] for name in names]
        after = model.rate(teams, ranks=[float(place) for place in places])
        for name, (rating,) in zip(names, after, strict=True):
            ratings[name] = [rating.mu, rating.sigma]
    return {name: Rating(mu, sigma) for name, (mu, sigma) in ratings.items()}
