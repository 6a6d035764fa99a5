"""The secrets behind the deals of a table."""

from __future__ import annotations

from collections.abc import Sequence

from foretold.fair import FairDeals
from foretold.rules import Rules


def deals_of(rules: Rules, secrets: Sequence[str]) -> FairDeals:
    """The deals of a game by these rules, from secrets in hexadecimal; the rest are ignored."""
    return FairDeals.of(rules, map(bytes.fromhex, secrets[: secrets_of(rules)]))


def secrets_of(rules: Rules) -> int:
    """How many secrets a game needs: one for the set-up and one for each round."""
    return len(rules.sizes) + 1
