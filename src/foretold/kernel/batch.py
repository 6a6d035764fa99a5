"""Many games of the same rules, stepped side by side on all cores or on a GPU."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from foretold.actions import ACTION_COUNT
from foretold.kernel.chance import pick
from foretold.kernel.compile import compiled
from foretold.kernel.engine import NONE_WRONG
from foretold.kernel.games import GameArrays, Games, deal_if_due, fill_deck, one_of, set_up
from foretold.kernel.layout import OVER, PHASE, TOTALS, TURN
from foretold.kernel.plays import WORDS
from foretold.kernel.step import is_in, legal, step
from foretold.rules import Rules


class Batch(Games):
    """Games of the same rules, each with its own generator, dealt and stepped together.

    >>> batch = Batch(Rules(players=3), games=4, seed=1)
    >>> batch.play_out() > 4 * 20 * 3
    True
    >>> bool(batch.over.all())
    True

    A new round is dealt as soon as one ends. A finished game stays finished until `restart`.

    With ``device="cuda"`` the games are played on a GPU, decision for decision as on the CPU with
    the same seed. `states` and `masks` are then arrays on the device (they support DLPack), and
    actions may be too. Nothing waits for the device, so a later call may be the one that reports
    an illegal action. Everything else comes as NumPy arrays.
    """

    def __init__(
        self,
        rules: Rules,
        games: int,
        *,
        seed: int = 0,
        threads: int | None = None,
        device: str = "cpu",
    ) -> None:
        super().__init__([rules], games, seed=seed, threads=threads, device=device)
        self.rules = rules
        self.masks: Any = self._engine.zeros((games, WORDS), np.int64)
        """The legal actions of the seat to act, as `legal` fills them in."""
        self.restart()

    def restart(self) -> None:
        """Start all games over, with new deals."""
        self._engine.run(_begin_games, self.arrays)

    @property
    def seats(self) -> NDArray[np.int64]:
        """The seat to act in every game; the first one if several are."""
        return self._engine.host(self.states[:, TURN])

    @property
    def totals(self) -> NDArray[np.int64]:
        """The points, one row per game."""
        return self._engine.host(self.states[:, TOTALS : TOTALS + self.rules.players])

    def legal(self) -> Any:
        """Compute `masks`: three words per game, all 0 once it is over."""
        self._engine.run(_fill_masks, self.arrays, self.masks)
        return self.masks

    def legal_table(self) -> NDArray[np.bool_]:
        """The same as booleans, one column per action."""
        words = self._engine.host(self.legal())
        octets = np.ascontiguousarray(words, dtype="<i8").view(np.uint8)
        bits = np.unpackbits(octets, axis=1, bitorder="little", count=ACTION_COUNT)
        return bits.astype(np.bool_)

    def random_actions(self) -> Any:
        """A legal action for every game, each equally likely; -1 where the game is over."""
        actions = self._engine.zeros((self.games,), np.int64)
        self._engine.run(_pick_actions, self.arrays, actions)
        return actions

    def step(self, actions: Any) -> None:
        """Take one action in every game that is not over."""
        self._act(_step_games, actions, self.arrays)

    def play_out(self) -> int:
        """Play every game out at random; returns the number of decisions."""
        return self._engine.total(_play_games, self.arrays)


@compiled
def _begin_games(first: int, last: int, games: GameArrays) -> int:
    for game in range(first, last):
        fill_deck(games, game)
        set_up(games, game)
        deal_if_due(one_of(games, game))
    return 0


@compiled
def _fill_masks(first: int, last: int, games: GameArrays, masks: NDArray[np.int64]) -> int:
    for game in range(first, last):
        state = games.states[game]
        masks[game, 0], masks[game, 1], masks[game, 2] = legal(state, state[TURN])
    return 0


@compiled
def _pick_actions(first: int, last: int, games: GameArrays, actions: NDArray[np.int64]) -> int:
    for game in range(first, last):
        state = games.states[game]
        actions[game] = -1
        if state[PHASE] != OVER:
            actions[game] = pick(games.chances[game : game + 1], legal(state, state[TURN]))
    return 0


@compiled
def _step_games(first: int, last: int, games: GameArrays, actions: NDArray[np.int64]) -> int:
    """Returns the first game whose action is not legal, or NONE_WRONG."""
    for game in range(first, last):
        state = games.states[game]
        if state[PHASE] == OVER:
            continue
        seat = state[TURN]
        if not 0 <= actions[game] < ACTION_COUNT or not is_in(legal(state, seat), actions[game]):
            return game
        step(state, seat, actions[game])
        deal_if_due(one_of(games, game))
    return NONE_WRONG


@compiled
def _play_games(first: int, last: int, games: GameArrays) -> int:
    decisions = 0
    for game in range(first, last):
        one = one_of(games, game)
        state = one.state
        while state[PHASE] != OVER:
            seat = state[TURN]
            step(state, seat, pick(one.chance, legal(state, seat)))
            deal_if_due(one)
            decisions += 1
    return decisions
