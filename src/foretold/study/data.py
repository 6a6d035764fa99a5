"""Hints and reviews as data: what ``--json`` prints, and what the site sends (docs/review.md)."""

from __future__ import annotations

from typing import Any

from foretold.study.advice import suggest
from foretold.study.analysis import Analysis, Choice
from foretold.study.review import Account, Decision, Review
from foretold.view import View


def hint_data(view: View, analysis: Analysis) -> dict[str, Any]:
    """All choices of a view, the best first, and what to say about the best."""
    said = suggest(view, analysis)
    return {
        "seat": view.seat,
        "round": view.round,
        "phase": view.phase.name.lower(),
        "choices": [
            {**_choice(one), "tricks": [round(share, 3) for share in one.tricks]}
            for one in analysis.choices
        ],
        "advice": {"code": said.code, "params": dict(said.params)},
    }


def review_data(review: Review) -> dict[str, Any]:
    """A game's decisions, the accounts of its rounds and seats, and its moments by seat."""
    seats = range(review.game.rules.players)
    return {
        "names": None if review.game.names is None else list(review.game.names),
        "seats": [_account(one) for one in review.seats],
        "rounds": [[_account(one) for one in line] for line in review.rounds],
        "worst": [[one.number for one in review.worst(seat)] for seat in seats],
        "finest": [[one.number for one in review.finest(seat)] for seat in seats],
        "decisions": [_decision(one) for one in review.decisions],
    }


def _decision(one: Decision) -> dict[str, Any]:
    said: dict[str, Any] = {
        "number": one.number,
        "round": one.round,
        "seat": one.seat,
        "action": str(one.action),
        "forced": one.analysis is None,
        "cost": round(one.cost, 1),
        "grade": one.grade,
    }
    if one.analysis is None or one.advice is None:
        return said
    said["advice"] = {"code": one.advice.code, "params": dict(one.advice.params)}
    said["choices"] = [_choice(choice) for choice in one.analysis.choices]
    if one.action.bid is not None:
        # The curve: the tricks of the hand if the best bid is made.
        said["tricks"] = [round(share, 3) for share in one.analysis.best.tricks]
    return said


def _choice(one: Choice) -> dict[str, Any]:
    return {
        "action": str(one.action),
        "points": round(one.points, 1),
        "lead": round(one.lead, 1),
        "low": one.low,
        "high": one.high,
        "exact": None if one.exact is None else round(one.exact, 3),
    }


def _account(one: Account) -> dict[str, float]:
    return {name: round(value, 1) for name, value in one._asdict().items()}
