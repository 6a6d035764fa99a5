"""Looking ahead with a network: what it believes of the others, and what it makes of it."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest
from numpy.typing import NDArray

from enumeration import CASES, enumerated, late_positions, other_world
from foretold import Action, Card, Deal, Game, Phase, Rules, View
from foretold.actions import ACTIONS
from foretold.bots import Player, belief, sage_plus
from foretold.bots.belief import STRANGE, Belief, Guesses
from foretold.bots.foresight import Foresight, Seer, Trial
from foretold.bots.network import Sage, shipped
from foretold.bots.outlook import Outlook
from foretold.bots.playout import Looks
from foretold.bots.sage import SageBot
from foretold.bots.sage_plus import HANDS_FOR_ONE, SagePlusBot
from foretold.bots.trained import is_trained
from foretold.env.reading import see
from foretold.env.writer import Observation
from foretold.kernel import cards_in
from foretold.kernel.layout import HAND
from play import bid, play, start
from untrained import untrained
from variants import VARIANTS, look_alikes

TRY_ALL = Foresight(first=30, trust=0.0, least=0.0, most=30)
"""Every action is tried, at any time, and only what was found counts."""

APART = ("base", "base, four", "six")
"""Cases in which hands can be weighed one by one."""

Hands = tuple[tuple[Card, ...], ...]


@pytest.fixture(scope="module")
def sage() -> Sage:
    return untrained()


def played_by(game: Game) -> list[list[Card]]:
    """The cards that each seat has played in the round."""
    cards: list[list[Card]] = [[] for _ in range(game.rules.players)]
    for trick in game.position.tricks:
        for index, card in enumerate(trick.cards):
            cards[(trick.leader + index) % game.rules.players].append(card)
    return cards


def in_world(game: Game, seat: int, hands: Hands) -> Game:
    """The same game, if everyone held these cards now."""
    dealt = [sorted([*hand, *gone]) for hand, gone in zip(hands, played_by(game), strict=True)]
    deal = Deal(tuple(map(tuple, dealt)), game.position.turned)
    return other_world(game, seat, deal, None)


def weight(sage: Sage, game: Game, seat: int) -> float:
    """How likely the others were to decide as they did in this round, one decision at a time."""
    game = game.copy()
    found = 1.0
    for _ in range(len(game.position.log.actions) if game.position.log else 0):
        mover, action = game.pop()
        seen = see(game.view(mover))
        policy = sage.judge(seen.observation[np.newaxis], tricks=False).policy[0]
        odds = np.exp(policy[seen.mask != 0])
        if mover != seat and len(odds) > 1:
            share = np.exp(policy[int(seen.frame.rename(action))]) / odds.sum()
            found *= (1 - STRANGE) * share + STRANGE / len(odds)
    return float(found)


@pytest.mark.parametrize("case", APART)
def test_worlds_are_as_likely_as_the_past_is_in_them(
    sage: Sage, case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Compared with all worlds there are, each weighed as a whole."""
    monkeypatch.setattr(belief, "HOPELESS", np.inf)
    rules, left, wanted = CASES[case]
    judge = Seer(sage, TRY_ALL).shares
    for game in list(late_positions(rules, left, range(3), wanted)):
        seat = game.to_act[0]
        worlds = enumerated(game, seat)
        odds = {
            hands: ways * weight(sage, in_world(game, seat, hands), seat)
            for (hands, _), ways in worlds.items()
        }
        ours = Belief.of(game.view(seat), seed=1)
        assert ours is not None
        ours.weigh(10_000, judge)
        assert ours.is_complete
        rounds, counts = ours.worlds(20_000, judge)
        found: Counter[Hands] = Counter()
        for row, count in zip(rounds.states, counts.tolist(), strict=True):
            found[tuple(cards_in(int(row[HAND + s])) for s in range(rules.players))] += count
        total = sum(odds.values())
        for hands, odd in odds.items():
            assert found[hands] / 20_000 == pytest.approx(odd / total, abs=0.001)


def test_however_many_hands_are_weighed_memory_is_bounded(
    sage: Sage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """None is given up, so that all that are weighed could be kept."""
    monkeypatch.setattr(belief, "HOPELESS", np.inf)
    monkeypatch.setattr(belief, "AT_A_TIME", 50)
    monkeypatch.setattr(belief, "GUESSES", 120)
    monkeypatch.setattr(belief, "PAIRS", 1000)
    seer = Seer(sage, TRY_ALL)
    rows = []

    def judge(looks: Looks) -> NDArray[np.float32]:
        rows.append(len(np.unique(looks.rows)))
        return seer.shares(looks)

    (game,) = late_positions(Rules(players=4, rounds="10"), 4, range(1))
    ours = Belief.of(game.view(game.to_act[0]), seed=1)
    assert ours is not None
    ours.weigh(100_000, judge)
    assert ours.is_complete
    assert max(rows) <= 3 * 50
    assert all(120 <= len(guesses.logs) < 170 for guesses in ours.guesses.values())
    _, counts = ours.worlds(100, judge)
    assert counts.sum() == 100


FULL = [(Rules(players=p, rounds=str(60 // p)), left) for p in (4, 5, 6) for left in (4, 3, 2)]


@pytest.mark.parametrize(("rules", "left"), FULL)
def test_worlds_are_found_where_the_whole_deck_is_dealt(
    sage: Sage, rules: Rules, left: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Most hands are given up, as they are with a trained network."""
    monkeypatch.setattr(belief, "HOPELESS", 0.5)
    judge = Seer(sage, TRY_ALL).shares
    for game in late_positions(rules, left, range(12)):
        ours = Belief.of(game.view(game.to_act[0]), seed=1)
        assert ours is not None
        ours.weigh(HANDS_FOR_ONE * 16, judge)
        _, counts = ours.worlds(16, judge)
        assert counts.sum() == 16


def test_worlds_of_drawn_rests_are_as_likely_as_the_past_is_in_them(
    sage: Sage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As above, but the hands of all seats are drawn from what the seats before them leave."""
    monkeypatch.setattr(belief, "HOPELESS", np.inf)
    rules, left, wanted = CASES["base, four"]
    judge = Seer(sage, TRY_ALL).shares
    for game in list(late_positions(rules, left, range(3), wanted)):
        seat = game.to_act[0]
        odds = {
            hands: ways * weight(sage, in_world(game, seat, hands), seat)
            for (hands, _), ways in enumerated(game, seat).items()
        }
        ours = Belief.of(game.view(seat), seed=1)
        assert ours is not None
        found: Counter[Hands] = Counter()
        for _ in range(3):
            rounds, counts = ours.worlds(20_000, judge)
            for row, count in zip(rounds.states, counts.tolist(), strict=True):
                found[tuple(cards_in(int(row[HAND + s])) for s in range(rules.players))] += count
        total = sum(odds.values())
        assert found.keys() <= odds.keys()
        for hands, odd in odds.items():
            assert found[hands] / 60_000 == pytest.approx(odd / total, abs=0.02)


@pytest.mark.parametrize("case", [case for case in CASES if case not in APART])
def test_where_more_ties_hands_together_they_are_not_weighed_apart(case: str) -> None:
    rules, left, wanted = CASES[case]
    told = [
        Belief.of(game.view(game.to_act[0]), seed=1)
        for game in late_positions(rules, left, range(40), wanted)
    ]
    assert None in told
    if case != "special cards":  # which are not always dealt
        assert not any(told)


def lead_after(game: Game, action: Action, sage: SageBot) -> float:
    """Play the round out and take it back; returns the points of the seat to act less the mean of
    the others'.
    """
    seat, rounds, before = game.to_act[0], len(game.sheet), game.totals
    game.push(action, seat)
    pushed = 1
    while len(game.sheet) == rounds:
        turn = game.to_act[0]
        game.push(sage.choose(game.view(turn)), turn)
        pushed += 1
    points = [now - then for now, then in zip(game.totals, before, strict=True)]
    for _ in range(pushed):
        game.pop()
    return points[seat] - (sum(points) - points[seat]) / (len(points) - 1)


def believe_the_truth(ours: Belief, game: Game) -> None:
    """Let it know what the others hold."""
    unseen = ours.holdings.unseen.tolist()
    for seat in ours.seats:
        holding = 0
        for card in cards_in(int(game.position.row[HAND + seat])):
            place = next(p for p, c in enumerate(unseen) if c == card and not holding >> p & 1)
            holding |= 1 << place
            unseen[place] = -1
        ours.guesses[seat] = Guesses(np.array([holding]), np.zeros(1))


@pytest.mark.parametrize(
    "rules",
    [
        Rules(players=4, rounds="1-4"),
        Rules(players=3, bid_rule="plus_minus_one", rounds="2,20"),
        Rules(players=6, bidding="hidden", dark_wizard=True, rounds="1,10"),
        Rules(players=4, specials=["DR", "FA", "BO", "CL", "SH"], rounds="5,15"),
    ],
)
def test_in_the_true_world_it_plays_on_as_at_a_table(sage: Sage, rules: Rules) -> None:
    bot, seer = SageBot(sage=sage), Seer(sage, TRY_ALL)
    chance = random.Random(1)
    compared = 0
    game = Game(rules, seed=8)
    while game.outcome() is None:
        seat = game.to_act[0]
        view = game.view(seat)
        trial = seer.begin(view) if view.trump is not None else None
        if trial is not None and trial.belief is not None and chance.random() < 0.3:
            believe_the_truth(trial.belief, game)
            assert seer.try_in(trial, 1) == 1
            for action, found in zip(trial.actions.tolist(), trial.results[0], strict=True):
                assert lead_after(game, ACTIONS[action], bot) == pytest.approx(found)
                compared += 1
        game.push(bot.choose(view), seat)
    assert compared > 3


@pytest.mark.skipif(not is_trained(), reason="needs the trained network")
def test_who_did_not_overtake_hardly_has_the_card() -> None:
    """The last to play bid two tricks and let this one go: it has no higher blue card."""
    game = bid(start("B5 G2 G3", "B3 Y2 Y3", "B4 Y13 W", turned="R1"), 0, 1, 2)
    ours = Belief.of(play(game, "B5 B3 B4").view(0), seed=1)
    assert ours is not None
    ours.weigh(2000, Seer(shipped(), Foresight()).shares)
    guesses = ours.guesses[2]
    unseen = ours.holdings.unseen.tolist()
    chances = np.exp(guesses.logs) / np.exp(guesses.logs).sum()

    def chance_of(card: str) -> float:
        held = guesses.holdings >> unseen.index(int(Card(card))) & 1
        return float(chances @ held)

    for card in ("B9", "B12"):
        assert chance_of(card) < 0.01
    assert chance_of("Y13") > 0.05


@pytest.fixture
def tried(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """In how many worlds choices were tried, each time a bot looked ahead."""
    found: list[int] = []
    try_in = Seer.try_in

    def count(seer: Seer, trial: Trial, worlds: int) -> int:
        found.append(try_in(seer, trial, worlds))
        return found[-1]

    monkeypatch.setattr(Seer, "try_in", count)
    return found


def can_look_ahead(view: View) -> bool:
    """Whether there is a choice of cards, and hands can be weighed one by one."""
    if view.phase is not Phase.PLAY or len(view.legal_actions) == 1:
        return False
    return Belief.of(view, seed=1) is not None


@pytest.mark.parametrize("variant", VARIANTS)
def test_it_plays_every_mode_by_the_rules(sage: Sage, variant: str, tried: list[int]) -> None:
    player = Player(SagePlusBot(1, worlds=2, first=30, sage=sage))
    game = Game(Rules(**VARIANTS[variant]), seed=5)
    chance = random.Random(1)
    tried.clear()  # those of warming up
    expected = 0
    while game.outcome() is None:
        seat = chance.choice(game.to_act)
        bot = player if seat == 1 else Player(SageBot(sage=sage))
        view = game.view(seat)
        expected += seat == 1 and can_look_ahead(view)
        decision = bot.decide(view)
        assert decision.fault is None
        game.push(decision.action, seat)
    assert len(tried) == expected
    assert all(tried)


@pytest.mark.parametrize("variant", VARIANTS)
def test_no_decision_depends_on_what_is_hidden(sage: Sage, variant: str, tried: list[int]) -> None:
    for view, other in look_alikes(Rules(**VARIANTS[variant]))[:6]:
        ours, theirs = (SagePlusBot(2, worlds=4, first=30, sage=sage) for _ in range(2))
        tried.clear()  # those of warming up
        assert ours.choose(view) == theirs.choose(other)
        assert len(tried) == 2 * can_look_ahead(view)
        assert all(tried)


def endings(count: int) -> list[Game]:
    """Games in which a seat has a choice with three tricks left of ten."""
    games = late_positions(Rules(rounds="10"), 3, range(200))
    return [game for game in games if len(game.legal_actions()) > 1][:count]


def test_with_a_number_of_worlds_it_always_decides_the_same(sage: Sage) -> None:
    views = [game.view(game.to_act[0]) for game in endings(6)]
    decided = [
        [bot.choose(view) for view in views]
        for bot in (SagePlusBot(3, worlds=5, sage=sage) for _ in range(2))
    ]
    assert decided[0] == decided[1]


def test_it_looks_ahead_only_late(sage: Sage) -> None:
    (game,) = endings(1)
    view = game.view(game.to_act[0])
    asked = [
        Seer(sage, Foresight(first=first, least=0.0)).begin(view).belief is not None
        for first in (2, 3)
    ]
    assert asked == [False, True]
    bot, plain = SagePlusBot(first=2, sage=sage), SageBot(sage=sage)
    assert bot.choose(view) == plain.choose(view)


class Clock:
    """Time passes only while the network works."""

    now = 0.0

    def perf_counter(self) -> float:
        return self.now


class SlowSage(Sage):
    """A network that takes a millisecond, and a tenth of one per row."""

    clock: Clock

    def judge(self, observations: Observation, tricks: bool = True) -> Outlook:
        self.clock.now += 0.001 + 0.0001 * len(observations)
        return super().judge(observations, tricks)


def test_it_keeps_to_its_time_once_it_knows_its_pace(
    sage: Sage, monkeypatch: pytest.MonkeyPatch, tried: list[int]
) -> None:
    slow = SlowSage.__new__(SlowSage)
    slow.__dict__.update(sage.__dict__)
    slow.clock = Clock()
    monkeypatch.setattr(sage_plus, "time", slow.clock)
    for seconds in (0.1, 0.4):
        bot = SagePlusBot(ms=1000 * seconds, sage=slow)
        took = []
        for game in endings(12):
            begun = slow.clock.now
            bot.choose(game.view(game.to_act[0]))
            took.append(slow.clock.now - begun)
        assert max(took[2:]) < 1.5 * seconds
        assert max(took) > 0.5 * seconds
    assert tried
    assert all(tried)


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"ms": 0}, "ms"),
        ({"worlds": 0}, "worlds"),
        ({"worlds": 1_000_000}, "worlds"),
        ({"first": 0}, "first"),
    ],
)
def test_its_options_have_bounds(sage: Sage, options: dict[str, int], word: str) -> None:
    with pytest.raises(ValueError, match=word):
        SagePlusBot(sage=sage, **options)
