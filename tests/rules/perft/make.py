"""Regenerates the perft files: ``cd tests && python -m rules.perft.make``.

Every line is a position, as an unfinished record, with the number of sequences of exactly 1, 2, 3
... actions within the round, and its first legal actions in pinned order. The oracle counts
everything. Where all decide at once, seats act in ascending order.
"""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import oracle

HERE = Path(__file__).parent
LIMIT = 120_000
"""The most sequences to count one by one."""
DEEPEST = 40

SUIT_CARDS = [f"{suit}{value}" for suit in "BGRY" for value in range(1, 14)]
SUITS = ["B", "G", "R", "Y"]
CARDS = [*SUIT_CARDS, "W", "J", "DR", "FA", "BO", "SH", "JU", "CL"]
ORDER = {
    text: number
    for number, text in enumerate(
        [
            *(f"play {card}" for card in [*SUIT_CARDS, "W", "J", "DR", "FA", "BO"]),
            *(f"play SH={side}" for side in "WJ"),
            *(f"play {card}={suit}" for card in ("JU", "CL") for suit in SUITS),
            *(f"bid {number}" for number in range(30)),
            *(f"trump {trump}" for trump in [*SUITS, "none"]),
            *("cloud +1", "cloud -1"),
            *(f"pass {card}" for card in CARDS),
        ]
    )
}
"""The pinned order of all actions."""


def choices(one: oracle.Round) -> tuple[int, list[str]]:
    """The first of the seats to act, and its legal actions in order."""
    legal = one.legal()
    if not legal:
        return 0, []
    seat = min(legal)
    return seat, sorted(legal[seat], key=ORDER.__getitem__)


def after(one: oracle.Round, seat: int, text: str) -> oracle.Round:
    """The round after an action; the round itself does not change."""
    new = copy.copy(one)
    new.hands = [list(hand) for hand in one.hands]
    new.bids = list(one.bids)
    new.taken = list(one.taken)
    new.tricks = [copy.copy(trick) for trick in one.tricks]
    for trick in new.tricks:
        trick.cards = list(trick.cards)
    new.passes = dict(one.passes)
    new.act(seat, text)
    return new


def perft(one: oracle.Round, depth: int) -> int:
    seat, texts = choices(one)
    if depth == 1:
        return len(texts)
    return sum(perft(after(one, seat, text), depth - 1) for text in texts)


def counts(one: oracle.Round) -> list[int]:
    """As deep as the limit allows, or until the round is over."""
    found: list[int] = []
    while len(found) < DEEPEST:
        depth = len(found) + 1
        # Estimate how many the next depth would have.
        if len(found) > 1 and found[-1] * found[-1] // max(1, found[-2]) > LIMIT:
            break
        count = perft(one, depth)
        if count == 0:
            break
        found.append(count)
    return found


def position(
    name: str, hands: str, turned: str | None, actions: str = "", **rules: Any
) -> dict[str, Any]:
    """A position of a single round: hands are separated by slashes; the last seat deals.

    The actions, separated by commas, are taken by the first seat to act each time.
    """
    dealt = [hand.split() for hand in hands.split("/")]
    rules = {"players": len(dealt), "rounds": str(len(dealt[0])), **rules}
    record: dict[str, Any] = {
        "format": "foretold/1",
        "rules": rules,
        "first_dealer": len(dealt) - 1,
        "rounds": [{"hands": dealt, "turned": turned, "actions": []}],
    }
    for text in filter(None, actions.split(", ")):
        seat = min(oracle.legal_actions(record))
        record["rounds"][0]["actions"].append([seat, text])
    return line(name, record)


def line(name: str, record: dict[str, Any]) -> dict[str, Any]:
    one = oracle.run_record(record).rounds[-1]
    return {
        "name": name,
        "record": record,
        "counts": counts(one),
        "actions": choices(one)[1],
    }


ALL = oracle.SPECIALS
DRAGON_AND_FAIRY = ["DR", "FA"]
NO_BIDS = "bid 0, bid 0, bid 0"
MONO: dict[str, Any] = {"mode": "monocolour"}


def bids() -> Iterator[dict[str, Any]]:
    """Trump choice and bids."""
    three = "B1 B2 B3/G1 G2 G3/R1 R2 R3"
    yield position("trump by the dealer", "B1 B2/G1 G2/R1 R2", "W")
    yield position("trump by the Werewolf", "B1 B2/WE G2/R1 R2", "W", specials=["WE"])
    for card in ("DR", "SH", "JU", "CL", "WE"):
        yield position(f"{card} turned up", "B1/G1/R1", card, specials=ALL)
    yield position("no card left", last_round(6), None)
    yield position("open bids", three, "Y1")
    yield position("hidden bids", three, "Y1", bidding="hidden")
    yield position("secret bids", three, "J", bidding="secret")
    uneven: dict[str, Any] = {"bid_rule": "plus_minus_one"}
    yield position("plus/minus one", three, "Y1", **uneven)
    yield position("plus/minus one, rest 1", three, "Y1", "bid 1, bid 1", **uneven)
    yield position("plus/minus one, rest below 0", three, "Y1", "bid 3, bid 1", **uneven)
    yield position("plus/minus one, one card", "B1/G1/R1/Y1", "J", **uneven)
    yield position(
        "leader uneven, none leads", three, "Y1", "bid 1, bid 1", bid_rule="leader_uneven"
    )
    yield leader_uneven("leader uneven, the last bidder leads", "bid 1, bid 0, bid 0")
    yield leader_uneven("leader uneven, the last bidder does not lead", "bid 0, bid 0, bid 0")
    yield position("clairvoyance", three, "W", clairvoyance="every_round")
    yield position("monocolour bids", "B1 W/R1 R2/Y1 J", None, **MONO)
    yield position("two players bid", "B1 B2/G1 G2", "R1", mode="two_player")


def last_round(players: int) -> str:
    pack = [*SUIT_CARDS, *["W"] * 4, *["J"] * 4]
    return "/".join(" ".join(pack[seat::players]) for seat in range(players))


def leader_uneven(name: str, first_bids: str) -> dict[str, Any]:
    """Round two of two; seat 0 took the only trick of round one and bids last."""
    first = {"hands": [["W"], ["B1"], ["B2"]], "turned": "R1"}
    plays = ["play W", "play B1", "play B2"]
    actions = [[seat, text] for seat, text in enumerate(first_bids.split(", "))]
    actions += [[seat, text] for seat, text in enumerate(plays)]
    second = {"hands": [["B1", "B2"], ["G1", "G2"], ["R1", "R2"]], "turned": "Y1", "actions": []}
    rules = {"players": 3, "rounds": "1,2", "bid_rule": "leader_uneven"}
    rounds = [{**first, "actions": actions}, second]
    return line(name, {"format": "foretold/1", "rules": rules, "first_dealer": 2, "rounds": rounds})


def plays() -> Iterator[dict[str, Any]]:
    """Tricks: what may be played, in every state of the suit to follow."""
    hands = "B5 G3 W/B7 J R2/R9 B1 Y4"
    yield position("a whole round", hands, "R1", NO_BIDS)
    yield position("a suit to follow", hands, "R1", f"{NO_BIDS}, play B5")
    yield position("a Wizard led", hands, "R1", f"{NO_BIDS}, play W, play B7")
    binding: dict[str, Any] = {"suit_after_wizard": "binding"}
    yield position("a Wizard led, binding", hands, "R1", f"{NO_BIDS}, play W, play B7", **binding)
    yield position("a Jester led", "J G3 W/B7 J R2/R9 B1 Y4", "R1", f"{NO_BIDS}, play J")
    yield position("dark wizard", "W B1 G1/W B2 G2/W B3 G3", "R1", NO_BIDS, dark_wizard=True)
    four = "B1 B9 G2 W/B3 G4 R5 J/R6 R7 Y8 B10/Y9 G10 B11 J"
    yield position("four players, four cards", four, "R13", f"{NO_BIDS}, bid 0")
    six = "B1 W/G1 J/R1 B2/Y1 G2/B3 R3/G4 Y4"
    yield position("six players", six, "J", "bid 0, bid 0, bid 0, bid 0, bid 0, bid 0")
    yield position("Shapeshifter led", "SH B1/B2 G2/B3 G3", "R1", NO_BIDS, specials=["SH"])
    both = "DR B1 G1/FA B2 G2/W B3 G3"
    yield position("Dragon and Fairy", both, "R1", NO_BIDS, specials=DRAGON_AND_FAIRY)
    yield position("Dragon led, binding", both, "R1", NO_BIDS, specials=DRAGON_AND_FAIRY, **binding)
    yield position(
        "Fairy, B5, Dragon",
        "FA G1/B5 G2/DR G3/B1 R1",
        "Y1",
        f"{NO_BIDS}, bid 0, play FA, play B5, play DR",
        specials=DRAGON_AND_FAIRY,
    )
    yield position("Bomb", "BO B1/B2 G2/B3 G3", "R1", NO_BIDS, specials=["BO"])
    yield position("Juggler led", "JU B1/B2 R2/B3 G3", "R1", NO_BIDS, specials=["JU"])
    yield position("Cloud led", "CL B1/B2 R2/B3 G3", "R1", NO_BIDS, specials=["CL"])
    yield position(
        "every special card in three hands",
        "DR SH B1/FA JU G1/BO CL R1",
        "Y1",
        NO_BIDS,
        specials=ALL,
    )
    yield position(
        "special cards in mid-trick",
        "JU B1 B9/SH CL B2/DR G1 B3/FA BO B4",
        "W",
        f"trump B, {NO_BIDS}, bid 0, play JU=B",
        specials=ALL,
    )
    yield position("monocolour", "B1 B9 W/R1 R9 J/Y1 Y9 W", None, NO_BIDS, **MONO)
    yield position(
        "monocolour, four players",
        "B1 B9 W/R1 R9 J/Y1 Y9 W/G1 G9 J",
        None,
        f"{NO_BIDS}, bid 0",
        **MONO,
    )
    yield position("two players", "B1 B2 W G1/G2 G3 B4 J", "R1", "bid 0, bid 0", mode="two_player")


def afterwards() -> Iterator[dict[str, Any]]:
    """The Juggler's pass and the Cloud's change."""
    juggled = "bid 0, bid 0, bid 0, play JU=B, play G1, play Y1"
    hands = "JU R1 R2/G1 G2 G3/Y1 Y2 Y3"
    yield position("pass", hands, "W", f"trump R, {juggled}", specials=["JU"])
    yield position("pass, one chosen", hands, "R9", f"{juggled}, pass R1", specials=["JU"])
    yield position(
        "pass, all chosen", hands, "J", f"{juggled}, pass R1, pass G2, pass Y3", specials=ALL
    )
    equal = "JU W W/G1 W J/Y1 J J"
    yield position("pass of equal cards", equal, "R9", juggled, specials=["JU"])
    special = "JU SH CL/G1 DR FA/Y1 BO W"
    yield position("pass of special cards", special, "R9", juggled, specials=ALL)
    yield position(
        "pass with the Bomb",
        "JU R1/BO G2/Y1 Y2",
        "R9",
        f"{NO_BIDS}, play JU=B, play BO, play Y1",
        specials=["JU", "BO"],
    )
    yield position(
        "no pass after the last trick",
        "R1 JU/G1 G2/Y1 Y2",
        "R9",
        f"{NO_BIDS}, play R1",
        specials=["JU"],
    )
    for number, name in enumerate(("Cloud, bid 0", "Cloud, bid 1", "Cloud, bid r")):
        made = f"bid {number}, bid 0, bid 0, play CL=B, play G1, play Y1, play R1, play G2, play Y2"
        yield position(name, "CL R1/G1 G2/Y1 Y2", "R9", made, specials=["CL"])
    yield position(
        "Cloud and Bomb", "CL R1/BO G2/Y1 Y2", "R9", f"{NO_BIDS}, play CL=B", specials=["BO", "CL"]
    )
    yield position(
        "Juggler, Cloud and Bomb", "JU CL R1/BO G2 G3/Y1 Y2 Y3", "R9", NO_BIDS, specials=ALL
    )


def sampled() -> Iterator[dict[str, Any]]:
    """Positions from random games, some for every kind of decision."""
    rng = random.Random("perft")
    still = dict.fromkeys(("trump", "bid", "play", "pass", "cloud"), 8)
    still["play"] = 24
    while any(still.values()):
        record = oracle.random_record(rng, stop_early=1)
        if len(record["rounds"]) > 3:
            continue
        texts = oracle.legal_actions(record).values()
        verb = next(iter(texts))[0].split()[0] if texts else ""
        if still.get(verb):
            found = line(f"random {verb} {still[verb]}", record)
            if len(found["counts"]) > 1 or verb == "cloud":
                still[verb] -= 1
                yield found


def main() -> None:
    for positions in (bids, plays, afterwards, sampled):
        lines = [json.dumps(one, separators=(",", ":")) for one in positions()]
        path = HERE / f"{positions.__name__}.jsonl"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        print(f"{path.name}: {len(lines)} positions, {path.stat().st_size >> 10} KiB")


if __name__ == "__main__":
    main()
