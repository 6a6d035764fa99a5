"""The rules of the game, once: pure functions over a flat state, compiled by Numba.

`new_state` makes a game, `begin_round` deals, `legal` says what a seat may do as a mask, `step`
does it; a copy of a row is a copy of the game.

- `layout`, `state`, `bits`, `plays`: the row, sets of cards, what each play is
- `step`: dispatches to `rounds`, `bidding`, `tricks` and `after`, which have the rules
- `games`, `batch`: many games side by side; `engine`, `device`, `dlpack`: on all cores or a GPU
- `compile`, `cache`: compiled once, kept in the user's cache folder

May import `deal`, and what is below it.
"""

from foretold.kernel.layout import STATE_SIZE, Phase
from foretold.kernel.rounds import begin_round
from foretold.kernel.state import State, cards_in, new_state, word_of
from foretold.kernel.step import ILLEGAL, acting, legal, step, try_step

__all__ = [
    "ILLEGAL",
    "STATE_SIZE",
    "Phase",
    "State",
    "acting",
    "begin_round",
    "cards_in",
    "legal",
    "new_state",
    "step",
    "try_step",
    "word_of",
]
