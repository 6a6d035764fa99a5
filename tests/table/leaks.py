"""A game played to some moment, and again with other cards in the hands a seat cannot see."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from unittest.mock import patch

from msgspec.structs import replace

import oracle
from foretold.actions import Action, Verb
from foretold.cards import Card
from foretold.deal import Deal
from foretold.fair import FairDeals
from foretold.kernel import Phase
from foretold.rules import Bidding, Rules
from foretold.sampling import Sampler, World
from foretold.table import Audience, Logged, Table
from foretold.table.entries import Acted
from tables import CODE, LiveTable, started
from tables import play_on as play_on_at

Sent = dict[int | None, list[bytes]]


def all_that_is_sent(log: list[Logged], deals: Mapping[int, Deal]) -> Sent:
    """What everyone is sent for a log, with these deals in place of the drawn ones."""
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
    here = all_that_is_sent(live.log, {})
    for seat in range(rules.players):
        for world in Sampler(game.view(seat), seed=seed).worlds(2):
            other = with_other_secrets(live, seat, world, chance)
            there = all_that_is_sent(other, {number: world.deal})
            assert there[seat] == here[seat]
            assert there[None] == here[None]
            differs |= there != here
    return differs


def any_rules(seed: int) -> Rules:
    """Rules of any kind, for short games."""
    options = oracle.random_record(Random(seed))["rules"]
    return Rules.from_options(options).replace(rounds="2-4")
