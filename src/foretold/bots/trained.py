"""Whether the trained player is available, without loading what it needs."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

WEIGHTS: Final = Path(
    os.environ.get("FORETOLD_WEIGHTS") or Path(__file__).with_name("weights") / "sage.npz"
)
"""Its weights: those shipped, or those named by the environment variable."""


def is_trained() -> bool:
    return WEIGHTS.exists()
