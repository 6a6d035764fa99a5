"""What is certain: whether somebody on lead takes every trick that is left."""

from __future__ import annotations

from foretold.kernel.bits import lowest
from foretold.kernel.compile import compiled
from foretold.kernel.layout import LAST_BASE_CARD, STATE_SIZE, TURN
from foretold.kernel.rounds import begin_trick
from foretold.kernel.state import State
from foretold.kernel.tricks import apply_play, would_win


@compiled
def takes_the_rest(state: State, scratch: State, hand: int, unseen: int) -> bool:
    """Whether each card of a hand takes the trick it leads, whatever follows.

    `hand` and `unseen` have a bit for each kind of card. Whoever wins leads again, and the
    unseen cards only become fewer, so it does not matter how they are spread: any of them may
    follow any card. Special cards do more than win or lose: with one left, nothing is certain.
    `scratch` is a row to work on.
    """
    if (hand | unseen) >> (LAST_BASE_CARD + 1) != 0:
        return False
    leader = state[TURN]
    while hand != 0:
        for index in range(STATE_SIZE):
            scratch[index] = state[index]
        begin_trick(scratch, leader)
        apply_play(scratch, lowest(hand))
        hand &= hand - 1
        others = unseen
        while others != 0:
            if would_win(scratch, lowest(others)):
                return False
            others &= others - 1
    return True
