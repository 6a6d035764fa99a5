"""The Tablet of Truth: the score sheet of a game with real cards, kept as a log.

May import `kernel`, `results` and `legal_actions`, and what is below them.
"""

from foretold.scoresheet.entries import Opened, Undone, Wrote
from foretold.scoresheet.scoresheet import Line, Tablet

__all__ = ["Line", "Opened", "Tablet", "Undone", "Wrote"]
