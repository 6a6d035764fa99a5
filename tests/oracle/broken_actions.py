"""Records with an action that is not allowed."""

from __future__ import annotations

import random
from typing import Any

from oracle.breaking import (
    ANYWHERE,
    NOT_HERE,
    Record,
    at,
    before,
    rules_of,
    some_actions,
    spoil_text,
)
from oracle.cards import announcements, base_card
from oracle.game import run_record
from oracle.records import all_actions
from oracle.round import Round
from oracle.rules import ALL_CODES


def break_revoke(rng: random.Random, record: Record) -> str:
    def wrong(one: Round, seat: int) -> list[str]:
        allowed = one.legal()[seat]
        every = [f"play {way}" for card in one.hands[seat] for way in announcements(card)]
        return [text for text in every if text not in allowed]

    return spoil_text(rng, record, "play", wrong)


def break_not_held(rng: random.Random, record: Record) -> str:
    def wrong(one: Round, seat: int) -> list[str]:
        missing = [card for card in ALL_CODES if card not in one.hands[seat]]
        return [f"play {way}" for card in missing for way in announcements(card)]

    return spoil_text(rng, record, "play", wrong)


def break_played_again(rng: random.Random, record: Record) -> str:
    """Plays one's own card a second time in the same round."""

    def wrong(one: Round, seat: int) -> list[str]:
        played = [card for trick in one.tricks for card in trick.cards]
        return [f"play {card}" for card in played if base_card(card) not in one.hands[seat]]

    return spoil_text(rng, record, "play", wrong)


def break_pass_not_held(rng: random.Random, record: Record) -> str:
    def wrong(one: Round, seat: int) -> list[str]:
        missing = [card for card in ALL_CODES if card not in one.hands[seat]]
        odd = [f"pass {way}" for card in one.hands[seat] for way in announcements(card)]
        odd = [text for text in odd if "=" in text]
        # A card received in this very pass cannot be passed on.
        incoming = [f"pass {card}" for card in one.passes.values() if card in missing]
        return odd or incoming or [f"pass {card}" for card in missing]

    return spoil_text(rng, record, "pass", wrong)


def break_wrong_seat(rng: random.Random, record: Record) -> str:
    for k, m in some_actions(rng, record):
        one = before(record, k, m).rounds[-1]
        others = [seat for seat in range(one.rules.players) if seat not in one.legal()]
        if others:
            record["rounds"][k]["actions"][m][0] = rng.choice(others)
            return at(k, m)
    return NOT_HERE


def break_no_seat(rng: random.Random, record: Record) -> str:
    for k, m in some_actions(rng, record):
        players = rules_of(record).players
        wrong: list[Any] = [players, -1, 99, None, "0", True, [0]]
        record["rounds"][k]["actions"][m][0] = rng.choice(wrong)
        return at(k, m)
    return NOT_HERE


def break_order(rng: random.Random, record: Record) -> str:
    """Two neighbouring actions swap places."""
    for k, m in some_actions(rng, record):
        actions = record["rounds"][k]["actions"]
        if m + 1 < len(actions) and actions[m] != actions[m + 1]:
            actions[m], actions[m + 1] = actions[m + 1], actions[m]
            return ANYWHERE
    return NOT_HERE


def break_dropped(rng: random.Random, record: Record) -> str:
    for k, m in some_actions(rng, record):
        del record["rounds"][k]["actions"][m]
        return ANYWHERE
    return NOT_HERE


def break_twice(rng: random.Random, record: Record) -> str:
    """The same action again, at once."""
    for k, m in some_actions(rng, record):
        actions = record["rounds"][k]["actions"]
        actions.insert(m, list(actions[m]))
        return ANYWHERE
    return NOT_HERE


def break_bid_range(rng: random.Random, record: Record) -> str:
    def wrong(one: Round, _seat: int) -> list[str]:
        return [f"bid {one.size + 1}", f"bid {one.size + 7}", "bid 100000000000000000000"]

    return spoil_text(rng, record, "bid", wrong)


def break_bid_total(rng: random.Random, record: Record) -> str:
    """Section 4: the total that plus_minus_one or leader_uneven forbids."""
    rules = rules_of(record)
    if rules.bid_rule == "free":
        return NOT_HERE
    places = all_actions(record, "bid")
    rng.shuffle(places)
    for k, m in places:
        seat = record["rounds"][k]["actions"][m][0]
        if seat != (record["first_dealer"] + k) % rules.players:
            continue  # the dealer is the last bidder
        one = before(record, k, m).rounds[-1]
        forbidden = one.forbidden_bid(seat)
        if forbidden is not None and forbidden >= 0:
            record["rounds"][k]["actions"][m][1] = f"bid {forbidden}"
            return at(k, m)
    return NOT_HERE


def break_double_bid(rng: random.Random, record: Record) -> str:
    """Hidden and secret bidding: a seat bids a second time while others still think."""
    if rules_of(record).bidding == "open":
        return NOT_HERE
    for k, m in some_actions(rng, record, "bid"):
        actions = record["rounds"][k]["actions"]
        later = [i for i in range(m + 1, len(actions)) if actions[i][1].startswith("bid")]
        if later:
            i = rng.choice(later)
            actions.insert(i, [actions[m][0], f"bid {rng.randint(0, 1)}"])
            return at(k, i)
    return NOT_HERE


def break_double_pass(rng: random.Random, record: Record) -> str:
    for k, m in some_actions(rng, record, "pass"):
        actions = record["rounds"][k]["actions"]
        if m + 1 < len(actions) and actions[m + 1][1].startswith("pass"):
            hand = before(record, k, m).rounds[-1].hands[actions[m][0]]
            actions.insert(m + 1, [actions[m][0], f"pass {rng.choice(hand)}"])
            return at(k, m + 1)
    return NOT_HERE


def break_no_announcement(rng: random.Random, record: Record) -> str:
    def wrong(one: Round, seat: int) -> list[str]:
        open_cards = [card for card in one.hands[seat] if card in ("SH", "JU", "CL")]
        texts = [f"play {card}" for card in open_cards] * 4
        for card in open_cards:
            bad = ["R", "B4", "DR", "none"] if card == "SH" else ["W", "J", "none", "r", "R4"]
            texts += [f"play {card}={value}" for value in ["", *bad]]
        return texts

    return spoil_text(rng, record, "play", wrong)


def break_announcement(rng: random.Random, record: Record) -> str:
    def wrong(one: Round, seat: int) -> list[str]:
        plain = [card for card in one.hands[seat] if card not in ("SH", "JU", "CL")]
        return [f"play {card}={value}" for card in plain for value in ["R", "W", "J", card]]

    return spoil_text(rng, record, "play", wrong)


def break_text(rng: random.Random, record: Record) -> str:
    for k, m in some_actions(rng, record):
        action = record["rounds"][k]["actions"][m]
        text = str(action[1])
        verb, what = text.split(" ")
        action[1] = rng.choice(
            [
                "",
                verb,
                what,
                f"{verb} ",
                f"{verb}  {what}",
                f" {text}",
                f"{text} ",
                f"{text}\n",
                f"{text} {what}",
                text.upper(),
                f"{verb} {what.lower()}x",
                f"{verb}:{what}",
                f"{verb} -1",
                f"{verb} 1.0",
                f"{verb} 01",
                f"{verb} ٣",
                f"{verb} X5",
                f"{verb} R14",
                f"{verb} R0",
                f"{verb} r4",
                f"{verb} null",
                "resign",
                None,
                7,
                ["play", "R4"],
                {"play": "R4"},
            ]
        )
        return at(k, m)
    return NOT_HERE


def break_pair(rng: random.Random, record: Record) -> str:
    """An action that is not a pair at all."""
    for k, m in some_actions(rng, record):
        seat, text = record["rounds"][k]["actions"][m]
        wrong: list[Any] = [[], [seat], [text, seat], text, None, 3, {"seat": seat, "action": text}]
        record["rounds"][k]["actions"][m] = rng.choice(wrong)
        return at(k, m)
    return NOT_HERE


def break_phase(rng: random.Random, record: Record) -> str:
    """The right seat does something that is not due now."""
    for k, m in some_actions(rng, record):
        one = before(record, k, m).rounds[-1]
        seat, text = record["rounds"][k]["actions"][m]
        card = rng.choice([*one.hands[seat], "W"])
        ways = announcements(card)
        texts = ["trump R", "trump none", "bid 0", "bid 1", f"pass {card}", "cloud +1", "cloud -1"]
        texts.append(f"play {rng.choice(ways)}")
        verb = text.split(" ")[0]
        wrong = rng.choice([other for other in texts if not other.startswith(verb)])
        if rng.random() < 0.5:
            record["rounds"][k]["actions"][m][1] = wrong
        else:
            record["rounds"][k]["actions"].insert(m, [seat, wrong])
        return at(k, m)
    return NOT_HERE


def break_trump(rng: random.Random, record: Record) -> str:
    def wrong(one: Round, _seat: int) -> list[str]:
        texts = ["trump W", "trump B5", "trump None", "trump r", "trump X"]
        if "none" not in one.trump_choices:
            texts += ["trump none"] * 10
        return texts

    return spoil_text(rng, record, "trump", wrong)


def break_trump_by_dealer(rng: random.Random, record: Record) -> str:
    """Section 3: whoever was dealt the Werewolf names trump, not the dealer."""
    for k, m in some_actions(rng, record, "trump"):
        one = before(record, k, m).rounds[-1]
        if one.trump_namer != one.dealer:
            record["rounds"][k]["actions"][m][0] = one.dealer
            return at(k, m)
    return NOT_HERE


def break_cloud(rng: random.Random, record: Record) -> str:
    def wrong(one: Round, seat: int) -> list[str]:
        allowed = one.legal()[seat]
        texts = [text for text in ("cloud +1", "cloud -1") if text not in allowed] * 10
        return [*texts, "cloud 0", "cloud 1", "cloud +2", "cloud", "cloud +0"]

    return spoil_text(rng, record, "cloud", wrong)


def break_play_werewolf(rng: random.Random, record: Record) -> str:
    def wrong(one: Round, _seat: int) -> list[str]:
        return ["play WE", "play WE=R"] if one.turned == "WE" else []

    return spoil_text(rng, record, "play", wrong)


def break_extra_action(rng: random.Random, record: Record) -> str:
    """One more action after the round is complete."""
    game = run_record(record)
    over = [k for k, one in enumerate(game.rounds) if one.over()]
    if not over:
        return NOT_HERE
    k = rng.choice(over)
    actions = record["rounds"][k]["actions"]
    texts = ["play W", "play R4", "pass R4", "bid 0", "bid 1", "trump R", "cloud +1", "cloud -1"]
    actions.append([rng.randrange(game.rules.players), rng.choice(texts)])
    return at(k, len(actions) - 1)
