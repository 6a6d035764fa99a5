"""Matches between bots that mean something: same deals, seats rotated, confidence intervals.

- `match`, `play`: what is played, and one deal set from all seats
- `pool`, `referee`, `worker`: deal sets in worker processes; `on_ray`: on many machines
- `results`, `journal`: what came of it, kept as it comes in
- `rating`, `summary`, `text`, `report`: what it means, as figures, text and a page

May import `workers`, and what is below it.
"""

from foretold.arena.match import ArenaError, Match
from foretold.arena.report import html_report
from foretold.arena.results import GameResult, SeatResult, SetResult
from foretold.arena.run import Played, play_match
from foretold.arena.summary import BotSummary, Pairing, Summary, summarise
from foretold.report.stats import Estimate

__all__ = [
    "ArenaError",
    "BotSummary",
    "Estimate",
    "GameResult",
    "Match",
    "Pairing",
    "Played",
    "SeatResult",
    "SetResult",
    "Summary",
    "html_report",
    "play_match",
    "summarise",
]
