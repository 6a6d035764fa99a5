"""Players: each receives a `View` and returns one of its legal actions, nothing else."""

from foretold.bots.base import Bot, RandomBot
from foretold.bots.player import Decision, Player
from foretold.bots.registry import LEVELS, bot_names, make_bot
from foretold.bots.simple import SimpleBot

__all__ = [
    "LEVELS",
    "Bot",
    "Decision",
    "Player",
    "RandomBot",
    "SimpleBot",
    "bot_names",
    "make_bot",
]
