"""The process that bots play in: it plays deal sets, one after another.

Bots may print, read, leave threads behind, crash or hang: a mark says at every moment whose turn it
is, so that the referee knows which bot crashed the process.
"""

from __future__ import annotations

import msgspec

from foretold.arena.match import Job, Settings
from foretold.arena.play import MAKING_LIMIT, play_set
from foretold.bots import LEVELS, Bot, SimpleBot, make_bot
from foretold.bots.registry import OWN_BOTS
from foretold.errors import BotError
from foretold.game import Game
from foretold.rules import Rules
from foretold.workers.answering import answer_all
from foretold.workers.marks import Marker


class Question(msgspec.Struct, frozen=True):
    """A question to a worker; a worker serves one match."""

    settings: Settings
    job: Job | None
    """None to create every bot once, as a check."""


class Checked(msgspec.Struct, frozen=True):
    """The answer where there is no deal set to play."""

    refusal: str | None = None


def main() -> None:
    marker = Marker()
    is_warm = False

    def answer(asked: bytes) -> bytes:
        nonlocal is_warm
        question = msgspec.json.decode(asked, type=Question)
        settings, job = question.settings, question.job
        checked = _checked(settings, marker) if job is None else Checked()
        if checked.refusal is None and not is_warm:
            _warm_up(settings)
            is_warm = True
        return msgspec.json.encode(checked if job is None else play_set(settings, job, marker))

    answer_all(lambda: None, answer)


def _checked(settings: Settings, marker: Marker) -> Checked:
    for text in dict.fromkeys(settings.bots):
        marker(0, settings.bots.index(text), MAKING_LIMIT)
        try:
            make_bot(text)
        except BotError as error:
            return Checked(str(error))
        finally:
            marker(0, None, 0)
    return Checked()


def _warm_up(settings: Settings) -> None:
    """Load compiled code, so that it does not count as thinking time. Other people's bots are not
    called; they can do this when they are created.
    """
    ours = {text for text in settings.bots if text.split(",")[0] in (*OWN_BOTS, *LEVELS)}
    rules = Rules.from_options({**settings.rules, "rounds": "2"})
    for text in sorted(ours):
        game = Game(rules, seed=0)
        bots: list[Bot] = [make_bot(text), *[SimpleBot()] * (rules.players - 1)]
        while game.to_act:
            seat = game.to_act[0]
            game.push(bots[seat].choose(game.view(seat)), seat)
