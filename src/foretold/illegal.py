"""Why an action that is not legal is not."""

from __future__ import annotations

from typing import Final

from foretold.actions import ACTIONS, Action, Verb
from foretold.errors import IllegalActionError, WrongMomentError
from foretold.kernel import Phase
from foretold.position import Position

_DUE: Final = {
    Phase.TRUMP: (Verb.TRUMP, "name trump", "named trump"),
    Phase.BID: (Verb.BID, "bid", "bid"),
    Phase.PLAY: (Verb.PLAY, "play a card", "played a card"),
    Phase.PASS: (Verb.PASS, "pass a card", "passed a card"),
    Phase.CLOUD: (Verb.CLOUD, "change the bid by the Cloud", "changed the bid"),
}


def refusal_of(position: Position, seat: int, action: Action) -> IllegalActionError:
    """Why a seat may not take an action that is not legal now."""
    players, phase, verb, size = position.rules.players, position.phase, action.verb, position.size
    text = str(action)
    if not 0 <= seat < players:
        return WrongMomentError("no_seat", seat, text, last=players - 1)
    if phase is Phase.OVER:
        return WrongMomentError("game_over", seat, text)
    if phase is Phase.DEAL:
        return WrongMomentError("deal_awaited", seat, text)
    due, expected, done = _DUE[phase]
    if seat not in position.to_act:
        if position.is_decided_at_once:
            return WrongMomentError("already_decided", seat, text, done=done)
        return WrongMomentError("not_on_turn", seat, text, turn=position.turn)
    if verb is not due:
        return WrongMomentError("wrong_phase", seat, text, expected=expected)
    if verb is Verb.BID:
        assert action.bid is not None
        code = "bid_range" if action.bid > size else "bid_forbidden"
        return IllegalActionError(code, seat, text, size=size)
    if verb is Verb.TRUMP:
        return IllegalActionError("trump_required", seat, text)
    if verb is Verb.CLOUD:
        return IllegalActionError("cloud_range", seat, text, size=size)
    hand, card, follow = position.hand(seat), action.card, position.follow
    if card is None or card not in hand:
        return IllegalActionError("not_held", seat, text, card=card)
    assert follow is not None
    held = position.lowest_of(follow, seat)
    return IllegalActionError("must_follow", seat, text, held=held, suit=follow)


def barred_of(position: Position, seat: int) -> tuple[int, IllegalActionError | None]:
    """The cards held and bids in range that a seat may not choose now, a bit each, and why."""
    barred = position.barred(seat)
    if not barred:
        return 0, None
    # One rule bars them all: suit must be followed, or the bids may not add up.
    return barred, refusal_of(position, seat, ACTIONS[barred.bit_length() - 1])
