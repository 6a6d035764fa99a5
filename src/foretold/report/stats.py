"""Means and rates with 95 % intervals, where the games of a deal set are not independent.

All games of a deal set use the same cards, so the sets, not the games, are the sample. A mean is a
ratio of sums over the sets, with the variance of the sets' residuals (Taylor linearisation, the
cluster-robust estimate); its interval is Student's with one degree of freedom fewer than there are
sets. A rate has Wilson's interval, with the number of independent observations that would give the
same variance: it stays within 0 and 1, and is meaningful even if every game was won.
"""

from __future__ import annotations

from functools import cache
from math import atan, cos, pi, sin, sqrt
from statistics import NormalDist
from typing import Final, NamedTuple

CONFIDENCE: Final = 0.95
_LARGE: Final = 100


class Estimate(NamedTuple):
    """A value with its 95 % limits; None if there is only one deal set."""

    value: float
    low: float | None
    high: float | None

    def rounded(self) -> tuple[float, float | None, float | None]:
        low = None if self.low is None else round(self.low, 6)
        high = None if self.high is None else round(self.high, 6)
        return round(self.value, 6), low, high


class Tally:
    """Observations by deal set."""

    def __init__(self) -> None:
        self._sums: dict[int, float] = {}
        self._counts: dict[int, int] = {}

    def add(self, deal_set: int, value: float) -> None:
        self._sums[deal_set] = self._sums.get(deal_set, 0.0) + value
        self._counts[deal_set] = self._counts.get(deal_set, 0) + 1

    @property
    def count(self) -> int:
        return sum(self._counts.values())

    @property
    def value(self) -> float:
        return sum(self._sums.values()) / self.count

    @property
    def variance(self) -> float:
        """The variance of the value, from the spread between sets; needs at least two."""
        sets, value = len(self._sums), self.value
        residuals = (total - value * self._counts[one] for one, total in self._sums.items())
        return sets / (sets - 1) * sum(one * one for one in residuals) / self.count**2

    def mean(self) -> Estimate:
        """The mean of numbers of any size."""
        sets, value = len(self._sums), self.value
        if sets == 1:
            return Estimate(value, None, None)
        half = student(sets - 1) * sqrt(self.variance)
        return Estimate(value, value - half, value + half)

    def rate(self) -> Estimate:
        """The mean of numbers from 0 to 1."""
        sets, value = len(self._sums), min(max(self.value, 0.0), 1.0)
        if sets == 1:
            return Estimate(value, 0.0, 1.0)
        spread, variance = value * (1 - value), self.variance
        # If all sets agree, their spread says nothing: count each as one observation.
        observations = spread / variance if variance > 1e-15 and spread > 0 else float(sets)
        return wilson(value, observations, student(sets - 1))


def wilson(rate: float, observations: float, quantile: float) -> Estimate:
    """Wilson's score interval."""
    weight = quantile**2 / observations
    centre = (rate + weight / 2) / (1 + weight)
    half = sqrt(weight * rate * (1 - rate) + weight**2 / 4) / (1 + weight)
    return Estimate(rate, min(rate, max(0.0, centre - half)), max(rate, min(1.0, centre + half)))


@cache
def student(freedom: int) -> float:
    """The two-sided 95 % quantile of Student's distribution."""
    if freedom > _LARGE:
        z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
        return z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
    low, high = 0.0, 13.0
    for _ in range(60):
        middle = (low + high) / 2
        if _within(middle, freedom) < CONFIDENCE:
            low = middle
        else:
            high = middle
    return low


def _within(reach: float, freedom: int) -> float:
    """The probability within ±`reach` (Abramowitz and Stegun 26.7.3 and 26.7.4)."""
    angle = atan(reach / sqrt(freedom))
    odd = freedom % 2
    term, total = (cos(angle), 0.0) if odd else (1.0, 0.0)
    for factor in range(1 + odd, freedom, 2):
        total += term
        term *= factor / (factor + 1) * cos(angle) ** 2
    share = sin(angle) * total
    return (angle + share) * 2 / pi if odd else share
