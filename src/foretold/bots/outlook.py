"""What is expected of a round."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

TRICK_COUNTS: Final = 21
"""Final numbers of tricks: 0 to 19, and 20 or more."""


class Outlook(NamedTuple):
    """What is expected of a round: one row per observation, one column per action of its frame."""

    values: NDArray[np.float32]
    """A seat's own points less the mean of the others'."""
    points: NDArray[np.float32]
    """Its own points."""
    tricks: NDArray[np.float32] | None
    """The probability of each number of its tricks, if asked for: as things stand, then for
    every bid (NaN unless the seat is to bid).
    """
    policy: NDArray[np.float32]
    """How likely the network is to take each action, as logits."""
