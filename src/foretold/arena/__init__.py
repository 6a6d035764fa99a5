"""Matches between bots that mean something: same deals, seats rotated, confidence intervals."""

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
