"""Looking ahead with a network: its worlds replay the round, and it plays on as at a table."""

from __future__ import annotations

import random

import numpy as np
import pytest

from enumeration import other_world
from foretold import Action, Game, Phase, Rules, View
from foretold.actions import ACTIONS
from foretold.bots import Player, sage_plus
from foretold.bots.foresight import STRANGE, Foresight, Seer, Trial
from foretold.bots.network import Sage
from foretold.bots.outlook import Outlook
from foretold.bots.sage import SageBot
from foretold.bots.sage_plus import SagePlusBot
from foretold.env.reading import see
from foretold.env.writer import Observation
from foretold.kernel.layout import HAND, PASSED
from foretold.rules import Bidding
from foretold.sampling import Draw, Sampler
from play import start
from untrained import untrained
from variants import VARIANTS, look_alikes

TRY_ALL = Foresight(weighing="nothing", trust=0.0, least=0.0, most=30)
"""Every action is tried, and only what was found counts."""


@pytest.fixture(scope="module")
def sage() -> Sage:
    return untrained()


class TrueWorld(Sampler):
    """Draws the cards as they really lie."""

    def __init__(self, game: Game) -> None:
        position, players = game.position, game.rules.players
        row = np.array(position.row, dtype=np.int64)
        self.hands = row[HAND : HAND + players]
        self.passed = row[PASSED : PASSED + players]
        if position.passed_after is None:
            self.passed = np.full(players, -1)

    def _draw(self, count: int) -> Draw:
        return Draw(np.repeat([self.hands], count, axis=0), np.repeat([self.passed], count, axis=0))


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


@pytest.mark.parametrize("variant", VARIANTS)
def test_in_the_true_world_it_plays_on_as_at_a_table(sage: Sage, variant: str) -> None:
    """Also where it has to guess secret bids: here they are what the network would bid."""
    bot, seer = SageBot(sage=sage), Seer(sage, TRY_ALL)
    chance = random.Random(variant)
    compared = 0
    game = Game(Rules(**VARIANTS[variant]), seed=8)
    while game.outcome() is None:
        seat = game.to_act[0]
        view = game.view(seat)
        (trial,) = seer.begin([view])
        sealed = view.phase is Phase.BID and view.rules.bidding is not Bidding.OPEN
        all_at_once = sealed or view.phase is Phase.PASS
        # The first to decide is asked before the others, at a table as in a world.
        comparable = seat == 0 or not all_at_once
        if len(trial.actions) > 1 and comparable and chance.random() < 0.3:
            trial.sampler = TrueWorld(game)
            seer.try_in([trial], 1)
            for action, found in zip(trial.actions.tolist(), trial.results[0], strict=True):
                assert lead_after(game, ACTIONS[action], bot) == pytest.approx(found)
                compared += 1
        game.push(bot.choose(view), seat)
    assert compared > 3


@pytest.mark.parametrize("variant", VARIANTS)
def test_it_plays_every_mode_by_the_rules(sage: Sage, variant: str) -> None:
    player = Player(SagePlusBot(1, worlds=1, sage=sage))
    game = Game(Rules(**VARIANTS[variant]), seed=5)
    chance = random.Random(1)
    while game.outcome() is None:
        seat = chance.choice(game.to_act)
        bot = player if seat == 1 else Player(SageBot(sage=sage))
        decision = bot.decide(game.view(seat))
        assert decision.fault is None
        game.push(decision.action, seat)


@pytest.mark.parametrize("variant", VARIANTS)
def test_no_decision_depends_on_what_is_hidden(sage: Sage, variant: str) -> None:
    for view, other in look_alikes(Rules(**VARIANTS[variant]))[:6]:
        ours, theirs = (SagePlusBot(2, worlds=2, sage=sage) for _ in range(2))
        assert ours.choose(view) == theirs.choose(other)


def bids_to_make(count: int) -> list[View]:
    """Views of seats that bid for ten cards."""
    games = [Game(Rules(rounds="10"), seed=seed) for seed in range(20)]
    bidding = [game for game in games if game.phase is Phase.BID]
    return [game.view(game.to_act[0]) for game in bidding[:count]]


def test_it_decides_the_same_alone_and_with_others(sage: Sage) -> None:
    """The decisions of many games are worked on together; each draws its own worlds."""
    views = bids_to_make(3)
    together = Seer(sage, TRY_ALL, seed=4)
    trials = together.begin(views)
    together.try_in(trials, 2)
    for view, trial in zip(views, trials, strict=True):
        alone = Trial(view, trial.actions, trial.values, trial.shares, trial.seed)
        Seer(sage, TRY_ALL).try_in([alone], 2)
        assert np.array_equal(alone.results, trial.results)


def test_a_world_weighs_what_the_network_thinks_of_the_past_in_it(sage: Sage) -> None:
    game = start("B1 B2 R5", "B3 G2 W", "B4 G5 G6", "B9 Y1 Y3")
    for text in ("bid 1", "bid 0", "bid 2", "bid 1", "play B1", "play B3"):
        game.push(text)
    seat = game.to_act[0]
    seer = Seer(sage, Foresight(hopeless=np.inf), seed=1)
    (trial,) = seer.begin([game.view(seat)])
    _, logs = seer.weigh([trial], 5)
    for log, world in zip(logs[0], Sampler(trial.view, trial.seed).worlds(5), strict=True):
        other = other_world(game, seat, world.deal, world.passed)
        expected = 0.0
        for _ in range(6):
            mover, action = other.pop()
            seen = see(other.view(mover))
            policy = sage.judge(seen.observation[np.newaxis], tricks=False).policy[0]
            odds = np.exp(policy[seen.mask != 0])
            if mover != seat and len(odds) > 1:
                share = np.exp(policy[int(seen.frame.rename(action))]) / odds.sum()
                expected += np.log((1 - STRANGE) * share + STRANGE / len(odds))
        assert log == pytest.approx(expected)


class Clock:
    """Time passes only while the network works."""

    now = 0.0

    def perf_counter(self) -> float:
        return self.now


class SlowSage(Sage):
    """A network that takes a tenth of a millisecond per row."""

    clock: Clock

    def judge(self, observations: Observation, tricks: bool = True) -> Outlook:
        self.clock.now += 0.0001 * len(observations)
        return super().judge(observations, tricks)


def test_it_stops_in_time(sage: Sage, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = SlowSage.__new__(SlowSage)
    slow.__dict__.update(sage.__dict__)
    slow.clock = Clock()
    monkeypatch.setattr(sage_plus, "time", slow.clock)
    bot = SagePlusBot(ms=300, sage=slow)
    for view in bids_to_make(4):
        begun = slow.clock.now
        bot.choose(view)
        assert slow.clock.now - begun < 0.33


@pytest.mark.parametrize(("options", "word"), [({"ms": 0}, "ms"), ({"worlds": 0}, "worlds")])
def test_its_options_have_bounds(sage: Sage, options: dict[str, int], word: str) -> None:
    with pytest.raises(ValueError, match=word):
        SagePlusBot(sage=sage, **options)
