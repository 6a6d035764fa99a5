"""Players: each receives a `View` and returns one of its legal actions, nothing else.

- `registry`: every bot by name; `base`, `simple`, `search`, `sage`, `sage_plus`: the bots
- `player`: a bot at a table, with the simple bot in its place where it fails
- `heuristics`, `likelihood`: rules of thumb, and how likely a decision is by them
- `tree`, `lookahead`: the compiled parts of the search
- `network`, `trained`, `outlook`: the trained network, its weights, what it expects of a round
- `trump_choice`: naming trump by looking one step ahead
- `foresight`, `belief`, `playout`: looking ahead with the network, what the others may hold, and
  the compiled part
- `thinking_time`: what bots that think for a set time have in common

May import `env` (whose observations the trained player reads) and `sampling`, and what is below.
"""

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
