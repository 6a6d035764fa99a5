"""Nothing leaks: whatever lies in hands that a seat cannot see, it is sent the same bytes."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from unittest.mock import patch

import pytest
from msgspec.structs import replace

import oracle
from foretold.actions import Action, Verb
from foretold.cards import Card
from foretold.deal import Deal
from foretold.deals import Sampler, World
from foretold.fair import FairDeals
from foretold.kernel import Phase
from foretold.rules import Bidding, Clairvoyance, Mode, Rules
from foretold.table import Audience, Logged, Table
from foretold.table.entries import Acted
from tables import CODE, LiveTable, started
from tables import play_on as play_on_at

Sent = dict[int | None, list[bytes]]


def all_that_is_sent(log: list[Logged], deals: Mapping[int, Deal]) -> Sent:
    """What everyone gets if a log happens, with these deals in place of those drawn."""
    drawn = FairDeals.deal

    def dealt(self: FairDeals, rules: Rules, index: int, *rest: object) -> Deal:
        return deals.get(index) or drawn(self, rules, index, *rest)  # type: ignore[arg-type]

    with patch.object(FairDeals, "deal", dealt):
        table = Table(CODE, log[0])
        audience = Audience(table, log[:1])
        sent: Sent = {viewer: [] for viewer in (None, *range(table.rules.players))}
        for logged in log[1:]:
            for viewer, message in audience.advance(logged, sent).items():
                sent[viewer].append(message)
        for viewer, messages in sent.items():
            player = None if viewer is None else f"p{viewer}"
            messages.append(audience.welcome(player, None, 0, {}))
    return sent


def with_other_secrets(live: LiveTable, seat: int, world: World, chance: Random) -> list[Logged]:
    """The log of another world: the others passed and secretly bid something else."""
    game = live.table.game
    assert game is not None
    position = game.position
    assert position.log is not None
    bidding = game.rules.bidding
    bids_are_hidden = bidding is not Bidding.OPEN and (
        position.phase is Phase.BID
        or (bidding is Bidding.SECRET and len(position.tricks) < position.size)
    )
    log = list(live.log)
    present = len(position.log.actions)
    acts = [index for index, logged in enumerate(log) if isinstance(logged.entry, Acted)]
    for index in acts[len(acts) - present :]:
        entry = log[index].entry
        assert isinstance(entry, Acted)
        if entry.seat == seat:
            continue
        action = Action(entry.action)
        if action.verb is Verb.PASS:
            card = (
                _any_card(world, entry.seat) if world.passed is None else world.passed[entry.seat]
            )
            log[index] = replace(log[index], entry=replace(entry, action=f"pass {card}"))
        elif action.verb is Verb.BID and bids_are_hidden:
            bid = chance.randrange(position.size + 1)
            log[index] = replace(log[index], entry=replace(entry, action=f"bid {bid}"))
    return log


def _any_card(world: World, seat: int) -> Card:
    return world.hands[seat][0]


def assert_nothing_leaks(rules: Rules, seed: int) -> bool:
    """Play to some moment; True if another world was found to compare with."""
    chance = Random(seed)
    live = started(rules, seed)
    play_on_at(live, chance, chance.randrange(60))
    game = live.table.game
    assert game is not None
    if live.table.state != "playing":
        return False
    number = len(game.sheet) + 1
    differs = False
    for seat in range(rules.players):
        for world in Sampler(game.view(seat), seed=seed).worlds(2):
            other = with_other_secrets(live, seat, world, chance)
            here = all_that_is_sent(live.log, {})
            there = all_that_is_sent(other, {number: world.deal})
            assert there[seat] == here[seat]
            assert there[None] == here[None]
            differs |= there != here
    return differs


ALL = ("DR", "FA", "BO", "WE", "JU", "CL", "SH")
CASES = {
    "base": Rules(rounds="1-4"),
    "plus minus one": Rules(players=3, bid_rule="plus_minus_one", rounds="2-4"),
    "hidden": Rules(bidding=Bidding.HIDDEN, rounds="2-4"),
    "secret": Rules(bidding=Bidding.SECRET, rounds="2-4"),
    "special cards": Rules(specials=ALL, rounds="3-5"),
    "special cards, hidden": Rules(specials=ALL, bidding=Bidding.HIDDEN, rounds="4-5"),
    "special cards, secret, six": Rules(
        players=6, specials=ALL, bidding=Bidding.SECRET, rounds="3-5"
    ),
    "juggler": Rules(players=3, specials=("JU", "WE"), rounds="19,20"),
    "clairvoyance": Rules(clairvoyance=Clairvoyance.EVERY_ROUND, rounds="1-4"),
    "first round clairvoyance": Rules(clairvoyance=Clairvoyance.FIRST_ROUND, rounds="1,1,3"),
    "monocolour": Rules(mode=Mode.MONOCOLOUR, players=3, rounds="4-6"),
    "monocolour, secret": Rules(mode=Mode.MONOCOLOUR, bidding=Bidding.SECRET, rounds="4-6"),
    "two players": Rules(mode=Mode.TWO_PLAYER, rounds="2-5"),
}


@pytest.mark.parametrize("rules", CASES.values(), ids=CASES.keys())
def test_hidden_cards_leave_every_byte_to_others_as_it_is(rules: Rules) -> None:
    compared = sum(assert_nothing_leaks(rules, seed) for seed in range(12))
    assert compared >= 3


@pytest.mark.parametrize("chunk", range(2))
def test_nothing_leaks_in_games_of_any_rules(chunk: int) -> None:
    compared = 0
    for seed in range(chunk * 25, chunk * 25 + 25):
        rules = Rules.from_options(oracle.random_record(Random(seed))["rules"])
        compared += assert_nothing_leaks(rules.replace(rounds="2-4"), seed)
    assert compared >= 10
