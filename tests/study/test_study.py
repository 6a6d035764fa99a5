"""Hints and reviews: their figures add up, and they know nothing that the seat does not."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from foretold import Game, Rules, View
from foretold.bots.network import Sage
from foretold.claim import may_claim
from foretold.errors import BotError
from foretold.kernel import Phase
from foretold.kernel.after import points as points_for
from foretold.study import Choice, analyse, analyse_all, review
from foretold.study import analysis as analysing
from foretold.study.data import hint_data, review_data
from foretold.study.page import html_review
from foretold.study.wording import CODES, named, worded
from study.games import played
from variants import VARIANTS, look_alikes, some_game

# Analysis


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_figures_of_a_choice_agree_with_each_other(sage: Sage, variant: str) -> None:
    """The trick chances give the expected points, the chance of the bid and the range."""
    rules = Rules(**VARIANTS[variant])
    for seed in range(12):
        game = some_game(rules, random.Random(seed))
        for seat in game.to_act:
            view = game.view(seat)
            analysis = analyse(view, sage)
            assert {one.action for one in analysis.choices} == set(view.legal_actions)
            leads = [one.lead for one in analysis.choices]
            assert leads == sorted(leads, reverse=True)
            assert analysis.cost(analysis.best.action) == 0
            for one in analysis.choices:
                _check_choice(view, one)


def _check_choice(view: View, one: Choice) -> None:
    assert view.seat is not None
    assert sum(one.tricks) == pytest.approx(1)
    taken, left = view.taken[view.seat], view.size - len(view.tricks)
    assert sum(one.tricks[:taken]) == 0, "what has been taken stays taken"
    assert sum(one.tricks[taken + left + 1 :]) == 0, "and there are no more tricks than are left"
    if view.phase is Phase.TRUMP:
        assert one.low is one.high is one.exact is None
        return
    bid = view.bids[view.seat] if one.action.bid is None else one.action.bid
    assert bid is not None
    if view.phase is Phase.CLOUD:
        bid += int(one.action.object)
    assert one.low is not None
    assert one.high is not None
    assert one.exact == pytest.approx(one.tricks[bid] if bid < len(one.tricks) else 0)
    ends = [(points_for(bid, count), share) for count, share in enumerate(one.tricks) if share]
    within = sum(share for end, share in ends if one.low <= end <= one.high)
    assert within >= analysing.WITHIN - 1e-6
    mean = sum(end * share for end, share in ends)
    least, most = min(end for end, _ in ends), max(end for end, _ in ends)
    if least + 1 < one.points < most - 1:
        assert mean == pytest.approx(one.points, abs=0.5)


def test_many_views_are_analysed_as_each_alone(sage: Sage) -> None:
    views = []
    for seed, options in enumerate(VARIANTS.values()):
        game = some_game(Rules(**options), random.Random(seed))
        views.append(game.view(game.to_act[0]))
    for view, together in zip(views, analyse_all(views, sage), strict=True):
        alone = analyse(view, sage)
        assert [one.action for one in alone.choices] == [one.action for one in together.choices]
        assert alone.best.points == pytest.approx(together.best.points, abs=1e-3)
    assert analyse_all([], sage) == []


@pytest.mark.parametrize("variant", VARIANTS)
def test_no_hint_depends_on_what_is_hidden(sage: Sage, variant: str) -> None:
    for view, other in look_alikes(Rules(**VARIANTS[variant])):
        assert hint_data(other, analyse(other, sage)) == hint_data(view, analyse(view, sage))


def test_there_is_nothing_to_analyse_for_a_seat_that_is_not_to_act(sage: Sage) -> None:
    game = Game("amigo", seed=1)
    with pytest.raises(ValueError, match="not to act"):
        analyse(game.view((game.to_act[0] + 1) % game.rules.players), sage)
    action = game.legal_actions()[0]
    with pytest.raises(KeyError):
        analyse(game.view(game.to_act[0]), sage).choice("play R4" if action.bid == 0 else "bid 0")


def test_without_weights_it_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("foretold.bots.trained.WEIGHTS", tmp_path / "none.npz")
    game = Game("amigo", seed=1)
    with pytest.raises(BotError, match="trained player"):
        analyse(game.view(game.to_act[0]))


# Reviews


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_decision_is_reviewed_from_what_its_seat_knew(sage: Sage, variant: str) -> None:
    game = played(Rules(**VARIANTS[variant]))
    found = review(game, sage)
    log = [action for one in game.position.logs for action in one.actions]
    assert [(one.seat, one.action) for one in found.decisions] == log
    again = Game.from_record({**game.to_record(), "rounds": []})
    for one in found.decisions:
        if one.round > len(again.position.logs):
            again.deal(game.position.logs[one.round - 1].deal)
        assert one.view == again.view(one.seat)
        again.push(one.action, one.seat)
        assert one.cost >= 0
        assert one.analysis is None or len(one.view.legal_actions) > 1
        if one.advice is not None:
            assert worded(one.advice).endswith(".")
            assert "{" not in worded(one.advice)
        assert named(one.action)


@pytest.mark.parametrize("variant", VARIANTS)
def test_luck_gifts_and_what_was_given_away_are_the_lead(sage: Sage, variant: str) -> None:
    game = played(Rules(**VARIANTS[variant]))
    found = review(game, sage)
    players = game.rules.players
    for line, accounts in zip(game.sheet, found.rounds, strict=True):
        for seat, one in enumerate(accounts):
            others = (sum(line.points) - line.points[seat]) / (players - 1)
            assert one.lead == pytest.approx(line.points[seat] - others)
            assert one.deal + one.play + one.gifts - one.given == pytest.approx(one.lead)
        given = sum(one.given for one in accounts)
        assert sum(one.gifts for one in accounts) == pytest.approx(given)
        for luck in ([one.deal for one in accounts], [one.play for one in accounts]):
            assert sum(luck) == pytest.approx(0, abs=1e-6)
    for seat, account in enumerate(found.seats):
        others = (sum(game.totals) - game.totals[seat]) / (players - 1)
        assert account.lead == pytest.approx(game.totals[seat] - others)
        assert account.given == pytest.approx(sum(one.cost for one in found.of(seat)))


def test_moments_are_the_dearest_and_the_finest(sage: Sage) -> None:
    found = review(played(Rules(players=4, rounds="1-8")), sage)
    for seat in range(4):
        worst, finest = found.worst(seat, 5), found.finest(seat, 5)
        assert [one.cost for one in worst] == sorted((one.cost for one in worst), reverse=True)
        assert worst[0].cost == max(one.cost for one in found.of(seat))
        assert all(one.grade.is_good and one.gain > 0 for one in finest)
        assert all(one.seat == seat for one in (*worst, *finest))


def test_a_game_that_forgot_its_past_is_reviewed_alike(sage: Sage) -> None:
    game = played(Rules(players=3, rounds="1-4"))
    told = review_data(review(game, sage))
    game.forget()
    assert review_data(review(game, sage)) == told


def test_an_unfinished_game_is_reviewed_as_far_as_it_went(sage: Sage) -> None:
    game = played(Rules(players=3, rounds="1-4"))
    for _ in range(5):
        game.pop()
    found = review(game, sage)
    assert len(found.rounds) == 3
    assert found.decisions[-1].round == 4
    assert "An unfinished game" in html_review(found)
    assert len(review(Game("amigo", seed=1), sage).decisions) == 0


def test_all_that_can_be_said_is_said_somewhere(sage: Sage) -> None:
    """Every code is reached by some game, so none is dead."""
    reached: set[str] = set()
    for options in VARIANTS.values():
        for seed in range(6):
            found = review(played(Rules(**options), seed), sage)
            reached |= {one.advice.code for one in found.decisions if one.advice is not None}
    assert reached == CODES


def test_cards_of_a_claim_are_not_graded(sage: Sage) -> None:
    """Once the rest of a round is somebody's for certain, no card can be good or bad."""
    first, game = next(claimable())
    decisions = review(game, sage).decisions
    assert all(one.analysis is None and one.cost == 0 for one in decisions[first:])
    assert any(len(one.view.legal_actions) > 1 for one in decisions[first:])
    choices = [len(one.view.legal_actions) > 1 for one in decisions[:first]]
    assert [one.analysis is not None for one in decisions[:first]] == choices


def claimable() -> Iterator[tuple[int, Game]]:
    """Games of one round in which the rest is certain after so many decisions."""
    for seed in itertools.count():
        game = Game(Rules(rounds="5"), seed=seed, first_dealer=0)
        chance = random.Random(seed)
        for number in itertools.count():
            if game.outcome() is not None:
                break
            seat = game.to_act[0]
            if may_claim(game.position, seat):
                while game.outcome() is None:
                    game.push(game.legal_actions()[0], game.to_act[0])
                yield number, game
                break
            game.push(chance.choice(game.legal_actions()), seat)
