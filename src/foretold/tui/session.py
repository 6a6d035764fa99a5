"""A game under way, independent of any screen: you, the bots, and the news so far."""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress
from typing import Final

from foretold.actions import Action
from foretold.bots import Decision, Player, SimpleBot
from foretold.errors import ForetoldError
from foretold.tui.setting import Setting
from foretold.tui.telling import YOU, Teller
from foretold.view import View, between_rounds

PATIENCE: Final = 60.0
"""How many seconds a bot may think before a simple one takes its seat."""


class Session:
    """One game. It takes decisions in the order they come."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.players = setting.players()
        self.game, self._keep = setting.new_game()
        self.teller = Teller(setting.names)
        self.news: list[str] = []
        """What happened, latest last."""
        self.resting = False
        """Whether a round is over and its result is on screen."""
        self._save()
        self._tell_deal()

    @property
    def names(self) -> tuple[str, ...]:
        return self.teller.names

    @property
    def view(self) -> View:
        """What you see on the table."""
        view = self.game.view(YOU)
        return between_rounds(view) if self.resting else view

    @property
    def is_your_turn(self) -> bool:
        return not self.resting and YOU in self.game.to_act

    @property
    def next_bot(self) -> int | None:
        """The seat of the bot to decide next."""
        if self.resting:
            return None
        return next((seat for seat in self.game.to_act if seat != YOU), None)

    def push(self, seat: int, action: Action) -> None:
        told = self.teller.push(self.game, seat, action)
        self.news.append(" ".join((f"{told.action.rstrip('.')}.", *told.after)))
        self._save()
        if told.round is not None:
            self.resting = True
            outcome = self.game.outcome()
            if outcome is not None:
                self.news.append(f"The game is over. {self.teller.outcome(outcome)}")

    def go_on(self) -> None:
        """Go from a round's result to the next round."""
        if self.resting and self.game.outcome() is None:
            self.resting = False
            self._tell_deal()

    def refusal(self, action: Action) -> str | None:
        """Why you may not do that, or None if you may."""
        if self.resting:
            return "The round is over."
        error = self.game.refusal(action, YOU)
        return None if error is None else self.teller.refusal(error)

    async def think(self, seat: int) -> Action:
        """A bot's decision. It thinks in its own thread, so nothing waits for it."""
        view = self.game.view(seat)
        try:
            decision = await decide(self.players[seat], view)
        except TimeoutError:
            self.players[seat] = Player(SimpleBot())
            self.news.append(f"{self.names[seat]} fell asleep: a simple bot plays on.")
            decision = self.players[seat].decide(view)
        return decision.action

    def _tell_deal(self) -> None:
        view = self.view
        self.news.append(f"{self.teller.round(view)}.")
        swap = self.teller.werewolf(view)
        if swap is not None:
            self.news.append(swap)

    def _save(self) -> None:
        try:
            self._keep()
        except ForetoldError as error:
            if not self.news:
                raise  # before the first card: better not to start
            self.news.append(f"Not saved: {error}.")


async def decide(player: Player, view: View) -> Decision:
    """Ask a player in a thread that nothing waits for, not even the end of the program.

    Raises `TimeoutError` when patience runs out.
    """
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[Decision] = loop.create_future()

    def give(decision: Decision) -> None:
        if not answer.done():
            answer.set_result(decision)

    def work() -> None:
        decision = player.decide(view)
        with suppress(RuntimeError):  # the program has ended meanwhile
            loop.call_soon_threadsafe(give, decision)

    threading.Thread(target=work, name="bot", daemon=True).start()
    return await asyncio.wait_for(answer, PATIENCE)
