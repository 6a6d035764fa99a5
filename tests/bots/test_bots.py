"""The simple bots: legal and sensible in every mode."""

from __future__ import annotations

import sys
import time
from importlib.metadata import EntryPoint
from typing import Any

import numpy as np
import pytest

from foretold import Action, BotError, Game, Rules, View
from foretold.bots import LEVELS, Bot, Player, RandomBot, SimpleBot, bot_names, make_bot
from foretold.bots.heuristics import CLASSES, WORTH_FILE
from foretold.bots.search import SearchBot
from foretold.cards import SPECIALS

TABLES = {
    "base": Rules(players=4),
    "three players": Rules(players=3, rounds="1-10"),
    "special cards": Rules(players=4, specials=SPECIALS),
    "hidden": Rules(players=6, bidding="hidden"),
    "plus/minus one": Rules(players=5, bid_rule="plus_minus_one"),
    "clairvoyance": Rules(players=4, clairvoyance="every_round", rounds="1-8"),
    "monocolour": Rules(players=4, mode="monocolour"),
    "two players": Rules(mode="two_player"),
}


def test_the_worth_of_every_card_is_fitted() -> None:
    assert np.load(WORTH_FILE).shape[-1] == CLASSES, "run benchmarks/fit_worth.py"


def play(rules: Rules, bots: list[Bot], seed: int) -> Game:
    game = Game(rules, seed=seed)
    while game.outcome() is None:
        seat = game.to_act[0]
        game.push(bots[seat].choose(game.view(seat)), seat)
    return game


@pytest.mark.parametrize("rules", TABLES.values(), ids=TABLES)
def test_simple_is_far_better_than_random(rules: Rules) -> None:
    """Seats alternate, so that neither has the better position."""
    simple = others = 0
    for seed in range(12):
        bots: list[Bot] = [
            SimpleBot(seed) if (seat + seed) % 2 else RandomBot(seed)
            for seat in range(rules.players)
        ]
        for bot, total in zip(bots, play(rules, bots, seed).totals, strict=True):
            if isinstance(bot, SimpleBot):
                simple += total
            else:
                others += total
    assert simple > others + 12 * 25 * rules.players


def test_simple_wins_nearly_always_against_three_random() -> None:
    """Same deals, rotated seats."""
    won = 0.0
    rules = TABLES["base"]
    for seed in range(10):
        for place in range(4):
            bots: list[Bot] = [
                SimpleBot() if seat == place else RandomBot(seed) for seat in range(4)
            ]
            outcome = play(rules, bots, seed).outcome()
            assert outcome is not None
            won += (place in outcome.winners) / len(outcome.winners)
    assert won >= 39


def test_slips_make_it_weaker() -> None:
    rules = TABLES["base"]
    careful = careless = 0
    for seed in range(10):
        bots: list[Bot] = [SimpleBot(seed, slips=0.5 * (seat % 2)) for seat in range(4)]
        totals = play(rules, bots, seed).totals
        careful += totals[0] + totals[2]
        careless += totals[1] + totals[3]
    assert careful > careless + 1000


class NoSeedBot:
    def choose(self, view: View) -> Action:
        return view.legal_actions[0]


class FailingBot:
    def __init__(self, seed: int, how: str = "raise") -> None:
        self.how = how

    def choose(self, view: View) -> Any:
        if self.how == "change":
            view.totals = (999,)  # type: ignore[misc]
        if self.how == "hang":
            time.sleep(30)
        if self.how == "illegal":
            return 163
        if self.how == "exit":
            sys.exit(3)
        if self.how == "rubbish":
            return "a card"
        raise RuntimeError("no\nidea")


@pytest.mark.parametrize("how", ["raise", "change", "hang", "illegal", "rubbish", "exit"])
def test_a_bot_that_fails_loses_its_move_to_the_simple_one(how: str) -> None:
    view = Game("amigo", seed=2).view(Game("amigo", seed=2).to_act[0])
    decision = Player(FailingBot(0, how), limit=0.2).decide(view)
    assert decision.action == SimpleBot().choose(view)
    assert decision.fault is not None
    assert "\n" not in decision.fault


def test_bots_by_name() -> None:
    for name in bot_names():
        assert callable(make_bot(name, seed=1).choose)
    bot = make_bot("search,ms=7")
    assert isinstance(bot, SearchBot)
    assert bot.seconds == pytest.approx(0.007)
    assert set(LEVELS) < set(bot_names())


def test_a_bot_by_module_and_class() -> None:
    module = NoSeedBot.__module__
    sys.modules.setdefault(module, sys.modules[__name__])
    assert type(make_bot(f"{module}:NoSeedBot", seed=4)).__name__ == "NoSeedBot"
    failing: Any = make_bot(f"{module}:FailingBot,how=hang", seed=4)
    assert failing.how == "hang"


def test_a_bot_by_entry_point(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = EntryPoint("theirs", "foretold.bots.base:RandomBot", "foretold.bots")
    monkeypatch.setattr("foretold.bots.registry.entry_points", lambda group: (entry,))
    assert isinstance(make_bot("theirs"), RandomBot)
    assert "theirs" in bot_names()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("deep-blue", ["deep-blue", "search", "module:Class"]),
        ("", ["random"]),
        ("no.such.module:Bot", ["cannot be loaded"]),
        ("json:nothing", ["cannot be loaded"]),
        ("json:JSONDecoder", ["no method choose"]),
        ("search,fast", ["NAME=VALUE"]),
        ("search,ms=-4", ["cannot be made", "milliseconds"]),
        ("search,ms=soon", ["cannot be made", "milliseconds"]),
        ("search,colour=red", ["cannot be made", "colour"]),
        ("simple,slips=7", ["cannot be made", "slips"]),
    ],
)
def test_bots_that_do_not_exist_are_named(text: str, words: list[str]) -> None:
    with pytest.raises(BotError) as refused:
        make_bot(text)
    for word in words:
        assert word in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_seed_repeats_a_game() -> None:
    rules = TABLES["special cards"]
    records = [
        play(rules, [SimpleBot(seat) for seat in range(4)], seed=3).to_record() for _ in range(2)
    ]
    assert records[0] == records[1]
