"""Views updated by what is sent equal those rebuilt from the log, at every step.

The client here is written from docs/protocol.md alone; the views it is compared with are built from
scratch, by a table that has replayed the whole log and has never sent anything.
"""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given

from foretold.actions import Action, Verb
from foretold.cards import SPECIALS
from foretold.protocol.requests import Change
from foretold.rules import Bidding, Clairvoyance, Mode, Rules
from foretold.table import Audience, Logged, Table
from foretold.table.answers import answer
from foretold.table.entries import Acted, CameBack, Changed, Entry, StoodIn
from strategies import chances, rules, thorough
from tables import CODE, LiveTable, random_action, started

EVERY_MODE = {
    "base, three": Rules(players=3, rounds="3,1"),
    "base, five": Rules(players=5, rounds="2,3"),
    "plus minus one": Rules(bid_rule="plus_minus_one", rounds="3,2"),
    "hidden bids": Rules(bidding=Bidding.HIDDEN, rounds="3,2"),
    "secret bids": Rules(players=6, bidding=Bidding.SECRET, rounds="2,2"),
    "special cards": Rules(specials=SPECIALS, rounds="12,4"),
    "special cards, hidden, six": Rules(
        players=6, specials=SPECIALS, bidding=Bidding.HIDDEN, rounds="8"
    ),
    "special cards, secret, three": Rules(
        players=3, specials=SPECIALS, bidding=Bidding.SECRET, rounds="18"
    ),
    "clairvoyance": Rules(clairvoyance=Clairvoyance.EVERY_ROUND, rounds="3,2"),
    "clairvoyance, hidden": Rules(
        clairvoyance=Clairvoyance.EVERY_ROUND, bidding=Bidding.HIDDEN, rounds="3"
    ),
    "first round clairvoyance": Rules(clairvoyance=Clairvoyance.FIRST_ROUND, rounds="1-2"),
    "monocolour": Rules(mode=Mode.MONOCOLOUR, players=3, rounds="4,5"),
    "monocolour, secret": Rules(mode=Mode.MONOCOLOUR, bidding=Bidding.SECRET, rounds="4"),
    "two players": Rules(mode=Mode.TWO_PLAYER, rounds="4,5"),
}


class Client:
    """What a client has: a welcome replaces everything, other messages are merged in."""

    def __init__(self) -> None:
        self.n = 0
        self.table: dict[str, Any] = {}
        self.view: dict[str, Any] | None = None

    def hear(self, frame: bytes) -> None:
        message = json.loads(frame)
        if message["t"] == "welcome":
            self.table, self.view = message["table"], message["view"]
        else:
            assert message["n"] == self.n + 1
            self.table.update(message.get("table", {}))
            if "view" in message:
                self.view = {**(self.view or {}), **message["view"]}
        self.n = message["n"]


class Watched:
    """A table with viewers who come and go."""

    def __init__(self, live: LiveTable, chance: Random) -> None:
        self._live = live
        self._chance = chance
        self.clients: dict[int | None, Client] = {}
        self.all_viewers = (None, *range(live.table.rules.players))
        for viewer in self.all_viewers:
            self._come(viewer)

    def write(self, entry: Entry) -> None:
        """Apply an entry, and compare what every viewer has with the log."""
        live = self._live
        live.log.append(Logged(live.table.n + 1, 1000 + live.table.n, entry))
        told = live.audience.advance(live.log[-1], self.clients)
        for viewer, client in self.clients.items():
            client.hear(told[viewer])
        if isinstance(entry, Changed) and None in self.clients:
            self._come(None)  # the server sends a new welcome: whether they may watch has changed
        audience = from_log(live)
        for viewer, client in self.clients.items():
            anew = Client()
            anew.hear(welcome(audience, viewer))
            assert client.n == anew.n
            assert client.table == anew.table
            assert client.view == anew.view
        if self._chance.random() < 0.2:
            self._come_or_go(self._chance.choice(self.all_viewers))

    def _come_or_go(self, viewer: int | None) -> None:
        if self.clients.pop(viewer, None) is None:
            self._come(viewer)

    def _come(self, viewer: int | None) -> None:
        self.clients[viewer] = Client()
        self.clients[viewer].hear(welcome(self._live.audience, viewer))


def welcome(audience: Audience, viewer: int | None) -> bytes:
    return audience.welcome(None if viewer is None else f"p{viewer}", None, None, {})


def from_log(live: LiveTable) -> Audience:
    """A table that has replayed the whole log."""
    return Audience(Table.replayed(CODE, live.log), live.log[-1:])


def play_and_compare(rules: Rules, chance: Random, decisions: int) -> None:
    live = started(rules, chance.randrange(2**32))
    watched = Watched(live, chance)
    for _ in range(decisions):
        if live.table.state != "playing":
            break
        if chance.random() < 0.05:
            seat = chance.randrange(rules.players)
            watched.write(StoodIn(seat=seat, reason="clock"))
            if chance.random() < 0.5:
                watched.write(CameBack(seat=seat))
        seat, action = random_action(live, chance)
        watched.write(Acted(seat=seat, action=action))


@pytest.mark.parametrize("rules", EVERY_MODE.values(), ids=EVERY_MODE.keys())
def test_what_is_sent_makes_the_views_of_the_log_in_every_mode(rules: Rules) -> None:
    for seed in range(2):
        play_and_compare(rules, Random(seed), 1000)


@thorough(30)
@given(rules=rules(), chance=chances())
def test_what_is_sent_makes_the_views_of_the_log_by_any_rules(rules: Rules, chance: Random) -> None:
    play_and_compare(rules, chance, 60)


def test_spectators_who_are_let_in_again_are_sent_all() -> None:
    live = started(Rules(rounds="3"))
    watched = Watched(live, Random(1))
    for spectators in (False, True, False, True):
        settings = {"spectators": spectators}
        change = answer(live.table, "p0", "Ana", Change(id=live.new_id(), settings=settings))
        assert change is not None
        watched.write(change)
        for _ in range(3):
            seat, action = random_action(live, Random(2))
            watched.write(Acted(seat=seat, action=action))


@thorough(40)
@given(rules=rules(), chance=chances())
def test_every_card_and_bid_is_legal_or_barred_with_its_reason(
    rules: Rules, chance: Random
) -> None:
    """And a view is consistent: a hand has as many cards as everyone is told."""
    live = started(rules, chance.randrange(2**32))
    while live.table.state == "playing":
        game = live.table.game
        assert game is not None
        for seat in live.table.to_act:
            view = live.welcome(seat)["view"]
            legal, why = set(view["legal"]), view["why"]
            assert not legal & why.keys()
            if view["phase"] == "bid":
                assert legal | why.keys() == {f"bid {bid}" for bid in range(view["size"] + 1)}
            if view["phase"] == "play":
                assert view["held"][seat] == len(view["hand"])
                played = {str(Action(one).card) for one in legal | why.keys()}
                assert played == set(view["hand"])
            for text, reason in why.items():
                refusal = game.refusal(Action(text), seat)
                assert refusal is not None
                assert refusal.code == reason["code"]
                assert refusal.reason == reason["reason"]
                assert Action(text).verb in (Verb.PLAY, Verb.BID)
        live.act(*random_action(live, chance))


def test_a_view_says_what_the_bid_becomes_by_the_cloud() -> None:
    """As it is scored in the end."""
    live = started(Rules(specials=("CL",), rounds="8,8,8,8,8,8"), 11)
    chance, changed = Random(11), set()
    while live.table.state == "playing":
        game = live.table.game
        assert game is not None
        seat, action = random_action(live, chance)
        view = live.welcome(seat)["view"]
        asked = view["phase"] == "cloud"
        assert list(view["bid_after"]) == (view["legal"] if asked else [])
        live.act(seat, action)
        if asked:
            assert view["bid_after"][action] == game.sheet[-1].scored_bids[seat]
            changed.add(action)
    assert changed == {"cloud +1", "cloud -1"}
