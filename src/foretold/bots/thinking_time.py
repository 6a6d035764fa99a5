"""What bots that think for a set time have in common."""

from __future__ import annotations

import gc
from typing import Final

MOST_WORLDS: Final = 1_000_000


def require_time(ms: object, worlds: object, most: int = MOST_WORLDS) -> None:
    """Raise an error unless a bot can think for this long."""
    if not isinstance(ms, int | float) or not 1 <= ms <= 60_000:
        raise ValueError(f"ms is {ms}: expected 1 to 60000 milliseconds")
    if worlds is not None and not (isinstance(worlds, int) and 1 <= worlds <= most):
        raise ValueError(f"worlds is {worlds}: expected 1 to {most}")


def keep_compiled() -> None:
    """Call this when all has been compiled. Compiling leaves some 100,000 permanent objects behind;
    scanning them for garbage takes up to 50 ms, in the middle of a decision.
    """
    gc.collect()
    gc.freeze()
