"""Records with a deal or a round that is not possible."""

from __future__ import annotations

import copy
import random
from typing import Any

from oracle.breaking import ANYWHERE, NOT_HERE, Record, at, rules_of
from oracle.game import run_record
from oracle.records import random_deal
from oracle.rules import SPECIALS, SUIT_CARDS, SUITS


def break_duplicate(rng: random.Random, record: Record) -> str:
    """A card is dealt once more than it exists; of four, a fifth."""
    if not record["rounds"]:
        return NOT_HERE
    k = rng.randrange(len(record["rounds"]))
    hands = record["rounds"][k]["hands"]
    places = [(seat, i) for seat, hand in enumerate(hands) for i in range(len(hand))]
    mono = rules_of(record).mode == "monocolour"
    rng.shuffle(places)
    for seat, i in places:
        card = hands[seat][i]
        owners = [
            (s, j)
            for s, j in places
            if (s, j) != (seat, i) and hands[s][j] != card and (not mono or s == seat)
        ]
        if card in ("W", "J") and not mono:
            copies = 5 - sum(hand.count(card) for hand in hands)
            if len(owners) < copies or rng.random() < 0.5:
                continue
            for s, j in owners[:copies]:
                hands[s][j] = card
            return at(k)
        if owners:
            s, j = rng.choice(owners)
            hands[s][j] = card
            return at(k)
    return NOT_HERE


def break_hand_size(rng: random.Random, record: Record) -> str:
    if not record["rounds"]:
        return NOT_HERE
    k = rng.randrange(len(record["rounds"]))
    one = record["rounds"][k]
    hands = one["hands"]
    kind = rng.randrange(6)
    seat = rng.randrange(len(hands))
    if kind == 0:
        hands[seat].pop()
    elif kind == 1:
        used = [card for hand in hands for card in hand] + [one["turned"]]
        hands[seat].append(rng.choice([card for card in SUIT_CARDS if card not in used] or ["R4"]))
    elif kind == 2:
        hands[seat - 1].append(hands[seat].pop())
    elif kind == 3:
        hands.pop()
    elif kind == 4:
        hands.append(list(hands[0]) if rng.random() < 0.5 else [])
    else:
        hands[seat] = rng.choice([[], None, " ".join(hands[seat])])
    return at(k)


def break_foreign_card(rng: random.Random, record: Record) -> str:
    """A special card that is not in this game's deck, in a hand or turned up."""
    specials = rules_of(record).specials
    foreign = [card for card in SPECIALS if card not in specials]
    if not record["rounds"] or not foreign:
        return NOT_HERE
    k = rng.randrange(len(record["rounds"]))
    one = record["rounds"][k]
    if one["turned"] is not None and rng.random() < 0.3:
        one["turned"] = rng.choice(foreign)
    else:
        hand = rng.choice(one["hands"])
        hand[rng.randrange(len(hand))] = rng.choice(foreign)
    return at(k)


def break_unknown_card(rng: random.Random, record: Record) -> str:
    if not record["rounds"]:
        return NOT_HERE
    k = rng.randrange(len(record["rounds"]))
    one = record["rounds"][k]
    codes: list[Any] = ["R14", "R0", "r4", "X3", "", "R", "R04", " R4", "W1", "Z", "WI", "w"]
    codes += ["JU=R", "CL=G", "SH=W", "SH=J", None, 4, ["R4"], "R4 ", "R4\n", "R٤"]
    code = rng.choice(codes)
    if rng.random() < 0.2:
        one["turned"] = "none" if code is None else code
    else:
        hand = rng.choice(one["hands"])
        hand[rng.randrange(len(hand))] = code
    return at(k)


def break_turned(rng: random.Random, record: Record) -> str:
    """null where a card must be turned up, or a card where none is left."""
    if not record["rounds"]:
        return NOT_HERE
    k = rng.randrange(len(record["rounds"]))
    one = record["rounds"][k]
    if one["turned"] is None:
        one["turned"] = rng.choice([*SUIT_CARDS, "W", "J"])
    else:
        one["turned"] = None
    return at(k)


def break_turned_twin(rng: random.Random, record: Record) -> str:
    """The turned-up card also lies in a hand."""
    if not record["rounds"]:
        return NOT_HERE
    k = rng.randrange(len(record["rounds"]))
    one = record["rounds"][k]
    cards = [card for hand in one["hands"] for card in hand if card not in ("W", "J")]
    if one["turned"] is None or not cards:
        return NOT_HERE
    one["turned"] = rng.choice(cards)
    return at(k)


def break_mono_suit(rng: random.Random, record: Record) -> str:
    """Monocolour: a card of another suit, or two seats that swap suits."""
    if rules_of(record).mode != "monocolour" or not record["rounds"]:
        return NOT_HERE
    k = rng.randrange(len(record["rounds"]))
    hands = record["rounds"][k]["hands"]
    if k > 0 and rng.random() < 0.4:
        a, b = rng.sample(range(len(hands)), 2)
        hands[a], hands[b] = hands[b], hands[a]
        return ANYWHERE
    places = [(s, i) for s, hand in enumerate(hands) for i in range(len(hand))]
    s, i = rng.choice(places)
    hands[s][i] = rng.choice(SUIT_CARDS)
    return ANYWHERE


def break_already_out(rng: random.Random, record: Record) -> str:
    """Two players: a card that an earlier round used or turned up."""
    if rules_of(record).mode != "two_player" or len(record["rounds"]) < 2:
        return NOT_HERE
    k = rng.randrange(1, len(record["rounds"]))
    out: list[str] = []
    for one in record["rounds"][:k]:
        out += [card for hand in one["hands"] for card in hand] + [one["turned"]]
    out = [card for card in out if card not in ("W", "J")]
    if not out:
        return NOT_HERE
    if rng.random() < 0.2:
        record["rounds"][k]["turned"] = rng.choice(out)
    else:
        hand = rng.choice(record["rounds"][k]["hands"])
        hand[rng.randrange(len(hand))] = rng.choice(out)
    return at(k)


def break_extra_round(rng: random.Random, record: Record) -> str:
    """Another round after the end, or after an incomplete one."""
    game = run_record(record)
    rounds = record["rounds"]
    if not rounds:
        return NOT_HERE
    if game.finished():
        if rng.random() < 0.5:
            rounds.append(copy.deepcopy(rng.choice(rounds)))
        else:
            empty: list[list[str]] = [[] for _ in range(game.rules.players)]
            rounds.append({"hands": empty, "turned": None, "actions": []})
        return at(len(rounds) - 1)
    if not game.awaits_deal():
        rounds.append(copy.deepcopy(rounds[-1]))
        return at(len(rounds) - 2)
    return NOT_HERE


def break_cut_inside(rng: random.Random, record: Record) -> str:
    """A round that is not the last one ends too early."""
    if len(record["rounds"]) < 2:
        return NOT_HERE
    k = rng.randrange(len(record["rounds"]) - 1)
    actions = record["rounds"][k]["actions"]
    del actions[rng.randrange(len(actions)) :]
    return at(k)


def break_next_deal(rng: random.Random, record: Record) -> str:
    """The next deal comes, but with a card too few."""
    game = run_record(record)
    if not game.awaits_deal():
        return NOT_HERE
    suits = [suit for suit in SUITS if suit not in game.own_suits.values()]
    own = [game.own_suits.get(seat) or suits.pop() for seat in range(min(4, game.rules.players))]
    hands, turned = random_deal(rng, game, own, False)
    rng.choice(hands).pop()
    record["rounds"].append({"hands": hands, "turned": turned, "actions": []})
    return at(len(record["rounds"]) - 1)
