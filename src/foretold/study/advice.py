"""What to say about a decision, without words: a code, and the parameters of its sentence.

`foretold.study.wording` says it in English; the site says it in the language of its reader.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from foretold.actions import Action, Verb
from foretold.figures import Effect
from foretold.kernel.after import tricks_off
from foretold.kernel.tricks import would_win
from foretold.rows import row_of
from foretold.study.analysis import Analysis, Choice
from foretold.view import View


class Grade(StrEnum):
    """How much a decision gave away."""

    BEST = "best"
    GOOD = "good"
    SLIP = "slip"
    MISTAKE = "mistake"
    COSTLY = "costly"

    @property
    def is_good(self) -> bool:
        """Whether too little was given away to mention."""
        return self in (Grade.BEST, Grade.GOOD)


SLIP: Final = 2.0
MISTAKE: Final = 5.0
COSTLY: Final = 10.0
"""The least points given away for each grade."""

CLEARLY: Final = 0.03
"""Probabilities that differ by less count as the same."""


def grade_of(cost: float) -> Grade:
    if cost >= COSTLY:
        return Grade.COSTLY
    if cost >= MISTAKE:
        return Grade.MISTAKE
    if cost >= SLIP:
        return Grade.SLIP
    return Grade.GOOD if cost > 0 else Grade.BEST


@dataclass(frozen=True, slots=True)
class Advice:
    """A sentence to come: what was done, what would have been better, and why."""

    code: str
    params: Mapping[str, Any]


def advise(view: View, analysis: Analysis, action: Action, usual: Action) -> Advice:
    """What to say about a decision: what was better, or what the `usual` one would have cost. The
    usual decision is that of the rules of thumb.
    """
    cost = analysis.cost(action)
    done, best = analysis.choice(action), analysis.best
    if grade_of(cost).is_good:
        gain = round(analysis.cost(usual) - cost, 1)
        found = {"usual": str(usual), "gain": gain} if gain >= SLIP else {}
        return Advice("found" if found else "fine", {"done": str(action), **found})
    said: dict[str, Any] = {
        "done": str(action),
        "better": str(best.action),
        "cost": round(cost, 1),
        **_why(done, best),
    }
    if action.verb is Verb.BID:
        likely = best.likeliest
        said |= {"likely": likely, "chance": round(best.tricks[likely], 3)}
        return Advice(_of_bid(view, best), said)
    if action.verb is Verb.PLAY:
        return Advice(_of_play(view, done, best), {**said, "need": _need(view)})
    return Advice(action.verb.value, said)


def suggest(view: View, analysis: Analysis) -> Advice:
    """What to say before a decision: the best choice, and why."""
    best = analysis.best
    said: dict[str, Any] = {"better": str(best.action)}
    match best.action.verb:
        case Verb.BID:
            likely = best.likeliest
            said |= {"likely": likely, "chance": round(best.tricks[likely], 3)}
            return Advice(_of_bid(view, best), said)
        case Verb.PLAY:
            if best.exact is not None:
                said["exact"] = round(best.exact, 3)
            return Advice(_to_play(view, best), {**said, "need": _need(view)})
        case verb:
            return Advice(verb.value, said)


def _to_play(view: View, best: Choice) -> str:
    if view.trick is None or not view.trick.plays:
        return "lead"
    played = (*view.trick.cards, best.action.card)
    if any(card is not None and card.has(Effect.SETS_ASIDE) for card in played):
        return "play"
    need = _need(view)
    if would_win(row_of(view), int(best.action)):
        return "take" if need > 0 else "play"
    if need == 0:
        return "stay_met"
    return "stay" if need > 0 else "play"


def _of_bid(view: View, best: Choice) -> str:
    if view.hand is None:
        return "bid_unseen"
    return "bid" if best.likeliest == best.action.bid else "bid_apart"


def _of_play(view: View, done: Choice, best: Choice) -> str:
    row, need = row_of(view), _need(view)
    if view.trick is None or not view.trick.plays:
        return "lead"
    played = (*view.trick.cards, done.action.card, best.action.card)
    if any(card is not None and card.has(Effect.SETS_ASIDE) for card in played):
        return "play"
    takes, should_take = (would_win(row, int(one.action)) for one in (done, best))
    if takes == should_take:
        return "play_spend" if takes else "play_shed"
    if should_take:
        return "play_take" if need > 0 else "play"
    if need == 0:
        return "play_duck"
    return "play_early" if need > 0 else "play"


def _need(view: View) -> int:
    """The tricks still needed to meet the bid; below 0 there are too many."""
    assert view.seat is not None
    bid = view.bids[view.seat]
    assert bid is not None
    return -int(tricks_off(bid, view.taken[view.seat]))


def _why(done: Choice, best: Choice) -> dict[str, float | None]:
    """What makes the difference: the player's bid is met more often, or the others get less."""
    exact = done.exact is not None and best.exact is not None
    apart = exact and (best.exact or 0.0) - (done.exact or 0.0) >= CLEARLY
    spared = done.others - best.others
    return {
        "exact": round(done.exact or 0.0, 3) if apart else None,
        "exact_better": round(best.exact or 0.0, 3) if apart else None,
        "others_less": round(spared, 1) if spared >= 1 else None,
    }
