"""Hints and reviews: what they say adds up, is worded, and knows nothing that the seat does not."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from commands import Run, runner
from foretold import Action, Game, Rules, View
from foretold.bots.sight import Sage
from foretold.errors import BotError
from foretold.kernel import Phase
from foretold.kernel.after import points as points_for
from foretold.record import write_record
from foretold.study import Analysis, Choice, Grade, analyse, analyse_all, review
from foretold.study import analysis as analysing
from foretold.study.advice import advise
from foretold.study.data import hint_data, review_data
from foretold.study.page import html_review
from foretold.study.wording import CODES, named, points, worded
from foretold.train.network import Network
from foretold.train.weights import to_arrays
from test_env import VARIANTS, look_alikes, some_game
from untrained import untrained


@pytest.fixture(scope="module")
def sage() -> Sage:
    return untrained()


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("weights") / "weights.npz"
    np.savez(path, **to_arrays(Network(16, 1)))  # type: ignore[arg-type]
    return path


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    return runner(capfd, monkeypatch)


def played(rules: Rules, seed: int = 5, names: tuple[str, ...] | None = None) -> Game:
    game = Game(rules, seed=seed, names=names, first_dealer=0)
    chance = random.Random(seed)
    while game.outcome() is None:
        game.push(chance.choice(game.legal_actions()), game.to_act[0])
    return game


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
        assert (one.analysis is None) == (len(one.view.legal_actions) == 1)
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


# What is said


def said(view: View, done: str, better: str, **figures: dict[str, Any]) -> str:
    """The advice for a decision, where one other choice would have been better."""

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


def test_all_that_can_be_said_is_said_somewhere(sage: Sage) -> None:
    """Every code is reached by some game, so none has rotted."""
    reached: set[str] = set()
    for options in VARIANTS.values():
        for seed in range(6):
            found = review(played(Rules(**options), seed), sage)
            reached |= {one.advice.code for one in found.decisions if one.advice is not None}
    assert reached == CODES


# The command line


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "game.json"
    names = ("Ana", "Ben", "<b>Cleo", "Dora")
    path.write_bytes(write_record(played(Rules(rounds="1-5"), names=names).to_record()))
    return path


def test_a_hint_for_any_step(run: Run, file: Path, weights: Path) -> None:
    answer = run("hint", file, "--at", 0, "--weights", weights)
    assert answer.code == 0
    assert "Ben to bid" in answer.out
    for title in ("points", "8 of 10 rounds", "bid met", "gives away", "best"):
        assert title in answer.out
    data = run("hint", file, "--at", 8, "--json", "--weights", weights).json
    assert data["phase"] in ("bid", "trump")
    leads = [one["lead"] for one in data["choices"]]
    assert leads == sorted(leads, reverse=True)
    assert sum(data["choices"][0]["tricks"]) == pytest.approx(1, abs=0.01)


def test_a_hint_needs_a_decision(run: Run, file: Path, weights: Path) -> None:
    for arguments, words in (
        ((), "the game is over"),
        (("--at", 999), "there is no step 999"),
        (("--at", 0, "--seat", 0), "seat 0 is not to act then, but seat 1"),
    ):
        answer = run("hint", file, *arguments, "--weights", weights)
        assert answer.code == 2
        assert words in answer.err
        assert answer.err.count("\n") == 1


def test_a_review_in_the_terminal(run: Run, file: Path, weights: Path) -> None:
    answer = run("review", file, "--weights", weights)
    assert answer.code == 0
    for words in ("Where the points came from", "what cost most", "Every decision", "Ana"):
        assert words in answer.out
    assert "Ana: what cost most" not in run("review", file, "--seat", 1, "--weights", weights).out


def test_a_review_as_data_and_as_a_page(
    run: Run, file: Path, weights: Path, tmp_path: Path
) -> None:
    data = run("review", file, "--json", "--weights", weights).json
    assert data["names"][0] == "Ana"
    assert len(data["rounds"]) == 5
    assert [one["number"] for one in data["decisions"]] == list(range(len(data["decisions"])))
    assert {one["grade"] for one in data["decisions"]} <= set(Grade)
    page = tmp_path / "review.html"
    assert run("review", file, "--html", page, "--weights", weights).out == ""
    text = page.read_text()
    assert "&lt;b&gt;Cleo" in text
    assert "<b>Cleo" not in text
    assert "<script" not in text
    assert "http" not in text
    assert text.count("<svg") > 20


def test_rubbish_is_refused_in_one_line(
    run: Run, file: Path, weights: Path, tmp_path: Path
) -> None:
    rubbish = tmp_path / "rubbish"
    rubbish.write_bytes(b"\x00\xff{]")
    good = ("--weights", weights)
    for arguments, words in (
        (("review", rubbish, *good), "no JSON"),
        (("hint", rubbish, *good), "no JSON"),
        (("review", tmp_path / "none", *good), "cannot read"),
        (("review", file, "--seat", 4, *good), "there is no seat 4"),
        (("review", file, "--weights", rubbish), "no weights"),
        (("hint", file, "--weights", tmp_path), "no weights"),
        (("review", file, "--html", tmp_path, *good), "cannot write"),
    ):
        answer = run(*arguments)
        assert answer.code == 2
        assert answer.err.startswith("error: ")
        assert answer.err.count("\n") == 1
        assert words in answer.err


def test_without_weights_the_commands_say_so(
    run: Run, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("foretold.bots.trained.WEIGHTS", tmp_path / "none.npz")
    for command in ("hint", "review"):
        answer = run(command, file)
        assert answer.code == 2
        assert "trained player" in answer.err
        assert answer.err.count("\n") == 1
