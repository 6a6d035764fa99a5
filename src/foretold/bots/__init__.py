"""Players: each receives a `View` and returns one of its legal actions, nothing else."""

from foretold.bots.base import Bot, RandomBot
from foretold.bots.simple import SimpleBot

__all__ = ["Bot", "RandomBot", "SimpleBot"]
