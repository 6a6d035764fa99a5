"""Worlds: ways the hidden cards may lie."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from foretold.cards import Card
from foretold.deal import Deal


@dataclass(frozen=True)
class World:
    """One way the hidden cards may lie."""

    hands: tuple[tuple[Card, ...], ...]
    """What every seat holds now."""
    deal: Deal
    """What every seat was dealt."""
    passed: tuple[Card, ...] | None
    """What every seat passed to the left, if cards were passed in this round."""


@dataclass(frozen=True)
class Draw:
    """Worlds as arrays, one row per world."""

    hands: NDArray[np.int64]
    """What every seat holds now, as sets (`foretold.kernel.layout`)."""
    passed: NDArray[np.int64]
    """The card every seat passed; -1 where none was."""
