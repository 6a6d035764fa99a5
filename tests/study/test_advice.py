"""What is said about a decision."""

from __future__ import annotations

from typing import Any

import pytest

from foretold import Action, Game, Rules, View
from foretold.study import Analysis, Choice
from foretold.study.advice import advise
from foretold.study.wording import points, worded


def said(view: View, done: str, better: str, **figures: dict[str, Any]) -> str:
    """The advice for a decision if one other choice would have been better."""

    def choice(action: str, lead: float) -> Choice:
        plain: dict[str, Any] = {"points": lead, "exact": 0.4, "tricks": (0.1, 0.3, 0.6)}
        given = plain | figures.get(action, {})
        return Choice(Action(action), lead=lead, low=-10, high=40, **given)

    analysis = Analysis((choice(better, 12.0), choice(done, 5.0)))
    return worded(advise(view, analysis, Action(done), Action(done)))


def table(hands: str, *actions: str, turned: str = "R5") -> View:
    """A round of three with these hands, after these actions; seat 0 deals and decides last."""
    dealt = tuple(tuple(hand.split()) for hand in hands.split("/"))
    size = len(dealt[0])
    game = Game(Rules(players=3, rounds=str(size)), deals=())
    record = game.to_record()
    record["rounds"] = [{"hands": [list(hand) for hand in dealt], "turned": turned, "actions": []}]
    game = Game.from_record(record)
    for action in actions:
        game.push(action)
    return game.view(game.to_act[0])


HANDS = "B2 W/B7 G1/B9 G2"
TO_BID = table(HANDS, "bid 0", "bid 1")


def test_a_bid_is_told_against_the_curve() -> None:
    assert said(TO_BID, "bid 1", "bid 2") == (
        "This hand makes 2 most often (60%). 2 was worth 7 points more."
    )
    assert said(TO_BID, "bid 1", "bid 0").startswith("0 pays most on average")


@pytest.mark.parametrize(
    ("bid", "done", "better", "words"),
    [
        ("bid 1", "play B2", "play W", "W goes in front, with 1 trick still to take."),
        ("bid 0", "play W", "play B2", "The bid was met already, and B2 stays below."),
        ("bid 1", "play W", "play B2", "It was too early to take: B2 stays below."),
        ("bid 0", "play B2", "play W", "W was the better card."),
    ],
)
def test_a_card_is_told_by_what_the_bid_needs(bid: str, done: str, better: str, words: str) -> None:
    view = table(HANDS, "bid 0", "bid 1", bid, "play B7", "play B9")
    assert said(view, done, better).startswith(words)


def test_cards_that_do_the_same_are_told_apart_by_what_is_kept() -> None:
    both_take = table("W R3/B7 G1/B9 G2", "bid 0", "bid 1", "bid 1", "play B7", "play B9")
    assert said(both_take, "play W", "play R3").startswith(
        "R3 goes in front as well, and keeps W for later."
    )
    both_below = table("B2 B3/B7 G1/B9 G2", "bid 0", "bid 1", "bid 1", "play B7", "play B9")
    assert "B3 was the one to be rid of" in said(both_below, "play B2", "play B3")


def test_why_it_was_better_is_said_in_figures() -> None:
    view = table(HANDS, "bid 0", "bid 1", "bid 1", "play B7", "play B9")
    chances = {"play B2": {"exact": 0.2}, "play W": {"exact": 0.9}}
    told = said(view, "play B2", "play W", **chances)
    assert "The bid is met in 90% with W, in 20% with B2. W was worth 7 points more." in told
    others = {"play B2": {"points": 10.0}, "play W": {"points": 10.0}}
    assert "The others get 7 points less." in said(view, "play B2", "play W", **others)


def test_what_the_rules_of_thumb_miss_is_praised() -> None:
    choices = tuple(
        Choice(Action(f"bid {bid}"), 5.0, 9.0 - bid**3, -10, 20, 0.5, (0.5, 0.5, 0.0))
        for bid in range(3)
    )
    praised = advise(TO_BID, Analysis(choices), Action("bid 0"), Action("bid 2"))
    assert worded(praised) == "Well found: the rules of thumb say 2, which gives away 8 points."
    for action in ("bid 0", "bid 1"):
        fine = advise(TO_BID, Analysis(choices), Action(action), Action("bid 1"))
        assert worded(fine) == "Nothing was better."


def test_points_are_worded_by_number() -> None:
    assert [points(one) for one in (1.0, 1.2, 0.96, 9.97, 12.3)] == [
        "1 point",
        "1.2 points",
        "1 point",
        "10 points",
        "12 points",
    ]
