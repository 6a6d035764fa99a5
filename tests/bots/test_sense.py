"""Common sense: what any good player does, both by rules of thumb and by search."""

from __future__ import annotations

import random
from typing import Any

import pytest

from foretold import Action, Game, Rules
from foretold.bots import Bot, Player, SimpleBot
from foretold.bots.sage import SageBot
from foretold.bots.sage_plus import SagePlusBot
from foretold.bots.search import SearchBot
from foretold.bots.trained import is_trained
from foretold.cards import SPECIALS
from play import start

WORLDS = 400
"""About as many as a search of 25 ms tries on an idle machine."""
BOTS: dict[str, Bot] = {"simple": SimpleBot(), "search": SearchBot(seed=1, worlds=WORLDS)}
if is_trained():
    BOTS["sage"] = SageBot()
    BOTS["sage+"] = SagePlusBot(seed=1, worlds=16)


@pytest.fixture(params=BOTS)
def bot(request: pytest.FixtureRequest) -> Bot:
    return BOTS[request.param]


def table(hands: list[str], turned: str | None, *actions: str, **options: Any) -> Game:
    """A round with these hands, the last seat dealing, after these actions."""
    game = start(*hands, turned=turned, **options)
    for action in actions:
        game.push(action)
    return game


def choice(bot: Bot, game: Game) -> str:
    """The bot's action for the seat to act."""
    return str(bot.choose(game.view(game.to_act[0])))


def test_a_sure_trick_is_bid(bot: Bot) -> None:
    assert choice(bot, table(["W", "B2", "G3"], "R5")) == "bid 1"


def test_no_trick_is_bid_with_a_jester(bot: Bot) -> None:
    assert choice(bot, table(["J", "B2", "G3"], "R5")) == "bid 0"


@pytest.mark.parametrize(
    ("hand", "bid"),
    [
        ("W W W J", "bid 3"),
        ("R13 R12 W J", "bid 3"),
        ("W W B1 G1", "bid 2"),
        ("B1 G2 Y1 J", "bid 0"),
    ],
)
def test_bids_count_sure_tricks(bot: Bot, hand: str, bid: str) -> None:
    others = ["B5 G6 Y7 Y8", "B9 G9 Y9 Y4"]
    assert choice(bot, table([hand, *others], "R5")) == bid


def test_with_the_bid_met_it_sheds_the_highest_card_that_loses(bot: Bot) -> None:
    game = table(["R13 B9", "R12 R2", "G4 G5"], "Y5", "bid 1", "bid 0", "bid 0", "play R13")
    assert choice(bot, game) == "play R12"


def test_with_the_bid_met_it_loses_where_it_can(bot: Bot) -> None:
    game = table(["R7 B9", "R12 R2", "G4 G5"], "Y5", "bid 1", "bid 0", "bid 0", "play R7")
    assert choice(bot, game) == "play R2"


def test_needing_every_trick_it_plays_to_win(bot: Bot) -> None:
    hands = ["B7 G2", "B8 G3", "B13 W"]
    game = table(hands, "Y5", "bid 0", "bid 0", "bid 2", "play B7", "play B8")
    assert choice(bot, game) in ("play B13", "play W")


def test_the_last_to_play_wins_with_the_cheapest_card(bot: Bot) -> None:
    hands = ["B7 G2 G4", "B8 G3 G5", "B9 W J"]
    game = table(hands, "Y5", "bid 0", "bid 0", "bid 2", "play B7", "play B8")
    assert choice(bot, game) == "play B9"


def test_a_wizard_is_not_wasted_on_a_trick_that_another_wizard_has_won(bot: Bot) -> None:
    hands = ["W G2", "W Y2", "B8 G3"]
    game = table(hands, "R5", "bid 1", "bid 1", "bid 0", "play W")
    assert choice(bot, game) == "play Y2"


def test_a_jester_is_kept_for_ducking(bot: Bot) -> None:
    hands = ["R13 G2 B4", "R2 J Y13", "B8 G3 B6"]
    game = table(hands, "Y5", "bid 1", "bid 0", "bid 0", "play R13")
    assert choice(bot, game) == "play R2"


def test_an_unwanted_wizard_goes_under_another(bot: Bot) -> None:
    hands = ["W G2", "W R2", "B8 G3"]
    game = table(hands, "Y5", "bid 1", "bid 0", "bid 0", "play W")
    assert choice(bot, game) == "play W"


def test_the_fairy_takes_the_dragons_trick(bot: Bot) -> None:
    hands = ["DR B2", "B5 B3", "FA B4"]
    game = table(hands, "G5", "bid 1", "bid 0", "bid 1", "play DR", "play B5")
    assert choice(bot, game) == "play FA"


def test_the_fairy_is_not_given_to_a_dragon_whose_trick_is_unwanted(bot: Bot) -> None:
    hands = ["DR B2", "B5 B3", "FA B4"]
    game = table(hands, "G5", "bid 1", "bid 0", "bid 0", "play DR", "play B5")
    assert choice(bot, game) == "play B4"


def test_the_bomb_kills_an_unwanted_trick(bot: Bot) -> None:
    hands = ["B2 G4", "B3 G5", "BO W"]
    game = table(hands, "R5", "bid 0", "bid 0", "bid 0", "play B2", "play B3")
    assert choice(bot, game) == "play BO"


@pytest.mark.parametrize(("bid", "side"), [("bid 1", "W"), ("bid 0", "J")])
def test_the_shapeshifter_is_what_is_needed(bot: Bot, bid: str, side: str) -> None:
    game = table(["B7", "B8", "SH"], "R5", "bid 0", "bid 0", bid, "play B7", "play B8")
    assert choice(bot, game) == f"play SH={side}"


@pytest.mark.parametrize(("bids", "change"), [("0 0 3", "cloud -1"), ("0 0 1", "cloud +1")])
def test_the_cloud_is_used_as_a_margin(bot: Bot, bids: str, change: str) -> None:
    """With 2 taken, a bid of 3 comes down and a bid of 1 goes up."""
    hands = ["B1 G1 R13", "B2 G2 R1", "CL W R2"]
    plays = ("B1", "B2", "CL=B", "W", "G1", "G2", "R2", "R13", "R1")
    actions = [f"bid {bid}" for bid in bids.split()] + [f"play {card}" for card in plays]
    game = table(hands, "Y5", *actions)
    assert game.view(2).taken == (1, 0, 2)
    assert choice(bot, game) == change


@pytest.mark.parametrize("hand", ["W W", "J J", "R13 W", "B2 G3"])
def test_the_last_bidder_knows_the_forbidden_number(bot: Bot, hand: str) -> None:
    game = table(["B5 B6", "G5 G6", hand], "R5", "bid 1", "bid 1", bid_rule="plus_minus_one")
    assert choice(bot, game) in ("bid 1", "bid 2")


def test_the_strongest_suit_is_named_trump(bot: Bot) -> None:
    game = table(["G1 B2 B3", "Y4 Y5 Y6", "R13 R12 R11"], "W")
    assert choice(bot, game) == "trump R"


@pytest.mark.parametrize("seed", range(6))
def test_nobody_ever_revokes_in_any_mode(seed: int) -> None:
    rules = [
        Rules(players=3, specials=SPECIALS, rounds="1-6"),
        Rules(players=5, specials=SPECIALS, bidding="secret", rounds="3-5"),
        Rules(players=4, clairvoyance="every_round", bid_rule="leader_uneven", rounds="1-5"),
        Rules(players=3, mode="monocolour", bidding="hidden", rounds="3-6"),
        Rules(mode="two_player"),
        Rules(players=6, dark_wizard=True, suit_after_wizard="binding", rounds="1-4"),
    ][seed]
    players = [
        Player(SearchBot(seed, ms=2) if seat % 2 else SimpleBot()) for seat in range(rules.players)
    ]
    game = Game(rules, seed=seed)
    chance = random.Random(seed)
    while game.outcome() is None:
        seat = chance.choice(game.to_act)
        decision = players[seat].decide(game.view(seat))
        assert decision.fault is None
        game.push(decision.action, seat)


def test_a_search_of_the_same_seed_weighs_the_same_worlds() -> None:
    """Only its time may change what it does, not chance."""

    def game(seed: int) -> list[str]:
        game, bot = Game(players=3, seed=8), SearchBot(seed, worlds=6)
        played: list[Action] = []
        while len(played) < 100:
            played.append(bot.choose(game.view(game.to_act[0])))
            game.push(played[-1])
        return [str(action) for action in played]

    first, again, other = game(3), game(3), game(4)
    assert first == again != other


def test_thinking_time_must_make_sense() -> None:
    for ms in (0, -5, 10**9):
        with pytest.raises(ValueError, match="milliseconds"):
            SearchBot(ms=ms)
    for worlds in (0, -5, 10**9):
        with pytest.raises(ValueError, match="worlds"):
            SearchBot(worlds=worlds)


def test_an_action_is_one_of_the_view(bot: Bot) -> None:
    game = Game("anniversary", seed=8)
    view = game.view(game.to_act[0])
    action = bot.choose(view)
    assert type(action) is Action
    assert action in view.legal_actions
