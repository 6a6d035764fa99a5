"""Records of random games."""

from __future__ import annotations

import copy
import random
from collections import Counter
from typing import Any

from oracle.cards import whole_deck
from oracle.game import Game
from oracle.rules import (
    BID_RULES,
    BIDDINGS,
    CLAIRVOYANCES,
    DEALERS_BY,
    EDITIONS,
    MODES,
    SPECIALS,
    SUITS,
    SUITS_AFTER_WIZARD,
    RefusedError,
    largest_size,
    read_rules,
    read_sizes,
    rule_defaults,
)


def random_size(rng: random.Random, most: int) -> int:
    kind = rng.random()
    if kind < 0.15:
        return most
    if kind < 0.75:
        return rng.randint(1, min(5, most))
    return rng.randint(1, most)


def random_rounds(rng: random.Random, mode: str, players: int) -> str:
    if rng.random() < 0.12:
        return "all"
    most = largest_size(mode, players)
    while True:
        parts: list[str] = []
        for _ in range(rng.choice([1, 1, 2, 2, 3, 4])):
            size = random_size(rng, most)
            kind = rng.random()
            if kind < 0.6:
                parts.append(str(size))
            else:
                other = size + rng.choice([-3, -2, -1, 0, 1, 2, 3])
                parts.append(f"{size}-{min(most, max(1, other))}")
        if rng.random() < 0.03:
            parts = [f"1-{most}", f"{most}-1"]
        if mode == "two_player" and rng.random() < 0.1:
            parts = rng.choice([["14", "14-15"], ["14-15"], ["9", "10-9"], ["29"], ["1-6", "1"]])
        expression = ",".join(parts)
        try:
            read_sizes(expression, mode, players)
        except RefusedError:
            continue
        return expression


def random_specials(rng: random.Random) -> list[str]:
    kind = rng.random()
    if kind < 0.35:
        chosen = list(SPECIALS)
    elif kind < 0.45:
        chosen = ["DR", "FA", "BO"]
    elif kind < 0.65:
        chosen = rng.choice([["SH"], ["BO"], ["WE"], ["JU"], ["CL"], ["DR", "FA"], ["JU", "BO"]])
    else:
        chosen = [card for card in ["BO", "WE", "JU", "CL", "SH"] if rng.random() < 0.5]
        if rng.random() < 0.5 or not chosen:
            chosen = [*chosen, "DR", "FA"]
    rng.shuffle(chosen)
    return chosen


def random_rules(rng: random.Random) -> dict[str, Any]:
    """Random compatible rules; defaults are often left out, editions sometimes named."""
    mode = rng.choices(MODES, [70, 15, 15])[0]
    values = rule_defaults(None, mode)
    values["mode"] = mode
    if mode == "standard":
        values["players"] = rng.randint(3, 6)
        if rng.random() < 0.55:
            values["specials"] = random_specials(rng)
        else:
            values["clairvoyance"] = rng.choice(CLAIRVOYANCES)
    elif mode == "monocolour":
        values["players"] = rng.randint(3, 4)
    if mode != "two_player":
        values["bidding"] = rng.choices(BIDDINGS, [2, 1, 1])[0]
        if values["bidding"] == "open":
            values["bid_rule"] = rng.choice(BID_RULES)
    values["dark_wizard"] = rng.random() < 0.4
    values["suit_after_wizard"] = rng.choice(SUITS_AFTER_WIZARD)
    values["dealer_by"] = rng.choice(DEALERS_BY)
    values["rounds"] = random_rounds(rng, mode, values["players"])

    edition = rng.choice(EDITIONS) if rng.random() < 0.35 else None
    defaults = rule_defaults(edition, mode)
    standard = mode == "standard" and values["clairvoyance"] == "off"
    if edition == "anniversary" and standard and rng.random() < 0.3:
        values["specials"] = list(SPECIALS)
    wordy = rng.choice([0.0, 0.5, 1.0])
    given = {
        name: value
        for name, value in values.items()
        if value != defaults[name] or rng.random() < wordy
    }
    if edition is not None:
        given["edition"] = edition
    names = list(given)
    rng.shuffle(names)
    given = {name: given[name] for name in names}
    read_rules(given)
    return given


FAVOURITES = [
    SPECIALS,
    SPECIALS,
    [*SPECIALS, "W", "J"],
    ["J", "FA", "BO", "SH"],
    ["J", "FA", "BO", "SH"],
    ["DR", "FA", "BO"],
    ["J"],
    ["W", "SH", "DR", "FA", "BO"],
    ["W", "J"],
    ["JU", "BO", "CL"],
    ["WE", "W", "J"],
]


def drawn(rng: random.Random, cards: list[str], favoured: list[str], pull: float) -> list[str]:
    """The cards in random order; those favoured tend to come first."""
    keyed = [(rng.random() * (pull if card in favoured else 1.0), card) for card in cards]
    return [card for _, card in sorted(keyed, key=lambda pair: pair[0])]


def random_deal(
    rng: random.Random, game: Game, own_suits: list[str], favour: bool
) -> tuple[list[list[str]], str | None]:
    """A possible deal for the next round. `own_suits` matters in monocolour only."""
    rules = game.rules
    size = rules.sizes[len(game.rounds)]
    favoured = rng.choice(FAVOURITES)
    pull = rng.choice([0.02, 0.1, 0.3, 0.6]) if favour else 1.0
    if rules.mode == "monocolour":
        hands: list[list[str]] = []
        for seat in range(rules.players):
            deck = [f"{own_suits[seat]}{rank}" for rank in range(1, 14)] + ["W", "J"]
            hand = drawn(rng, deck, favoured, pull)[:size]
            rng.shuffle(hand)
            hands.append(hand)
        return hands, None
    stock = Counter(whole_deck(rules))
    stock.subtract(game.out)
    cards = drawn(rng, list(stock.elements()), favoured, pull)
    needed = rules.players * size
    dealt, rest = cards[:needed], cards[needed:]
    if rest:
        # The favoured cards must also come up as the turned card: exchange it now and then.
        place = rng.randrange(needed + 1)
        if favour and place < needed and rng.random() < 0.5:
            dealt[place], rest[0] = rest[0], dealt[place]
    rng.shuffle(dealt)
    hands = [dealt[seat * size : (seat + 1) * size] for seat in range(rules.players)]
    return hands, rest[0] if rest else None


def random_action(
    rng: random.Random, legal_now: dict[int, list[str]], modest: bool
) -> tuple[int, str]:
    """Any seat to act, any legal action; modest players bid low, so that totals come close to r."""
    seat = rng.choice(sorted(legal_now))
    texts = legal_now[seat]
    if modest and texts[0].startswith("bid"):
        return seat, texts[min(rng.randrange(len(texts)) for _ in range(4))]
    return seat, rng.choice(texts)


def all_actions(record: dict[str, Any], verb: str = "") -> list[tuple[int, int]]:
    """Round and action, counted from 0, of all actions (of one kind)."""
    return [
        (k, m)
        for k, one in enumerate(record["rounds"])
        for m, action in enumerate(one["actions"])
        if action[1].startswith(verb)
    ]


def cut_record(rng: random.Random, record: dict[str, Any]) -> None:
    """Ends a finished record early: between two rounds, or before any action; now and then
    preferably one that is not a play."""
    rounds = record["rounds"]
    k = rng.randrange(len(rounds))
    kind = rng.random()
    if kind < 0.2:
        del rounds[k:]
        return
    m = rng.randrange(len(rounds[k]["actions"]))
    verbs = [verb for verb in ("trump", "bid", "pass", "cloud") if all_actions(record, verb)]
    if kind < 0.6:
        k, m = rng.choice(all_actions(record, rng.choice(verbs)))
    del rounds[k + 1 :]
    del rounds[k]["actions"][m:]


def random_record(
    rng: random.Random, rules: dict[str, Any] | None = None, stop_early: float = 0.3
) -> dict[str, Any]:
    """A random legal game, cut short with probability `stop_early`."""
    given = random_rules(rng) if rules is None else rules
    settled = read_rules(given)
    record: dict[str, Any] = {
        "format": "foretold/1",
        "rules": copy.deepcopy(given),
        "names": ["Ana", "Ben", "Cleo", "Dov", "Eva", "Fritz"][: settled.players],
        "first_dealer": rng.randrange(settled.players),
        "rounds": [],
    }
    if rng.random() < 0.1:
        record["played_at"] = "2024-05-01T20:15:00Z"
        record["ratings"] = {"Ana": 1500, "Ben": None}
    favour = rng.random() < (0.5 if settled.specials else 0.3)
    modest = rng.random() < 0.5
    own_suits = rng.sample(SUITS, 4)
    game = Game(settled, record["first_dealer"])
    while not game.finished():
        hands, turned = random_deal(rng, game, own_suits, favour)
        game.deal(hands, turned)
        actions: list[list[Any]] = []
        one: dict[str, Any] = {"hands": hands, "turned": turned, "actions": actions}
        if rng.random() < 0.03:
            one["seconds"] = 31.5
        record["rounds"].append(one)
        while not game.rounds[-1].over():
            seat, text = random_action(rng, game.legal(), modest)
            game.rounds[-1].act(seat, text)
            actions.append([seat, text])
    if rng.random() < stop_early:
        cut_record(rng, record)
    return record
