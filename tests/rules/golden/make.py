"""Regenerates `games.jsonl`: ``cd tests && python -m rules.golden.make``.

The oracle alone plays and replays the games. They depend only on their names, so adding or
changing one leaves the others as they are.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import oracle

GAMES = Path(__file__).with_name("games.jsonl")

UNEVEN = {"bid_rule": "plus_minus_one"}
HIDDEN = {"bidding": "hidden"}
SECRET = {"bidding": "secret"}
FIRST = {"clairvoyance": "first_round"}
EVERY = {"clairvoyance": "every_round"}
MONO = {"mode": "monocolour"}

VARIANTS: dict[str, list[dict[str, Any]]] = {
    "amigo": [UNEVEN, HIDDEN, SECRET, FIRST],
    "piatnik-hu": [UNEVEN, HIDDEN, SECRET, EVERY, MONO],
    "piatnik-pl": [UNEVEN, SECRET, EVERY, MONO],
    "piatnik-cs": [UNEVEN, HIDDEN, SECRET, FIRST, MONO],
    "piatnik-sk": [UNEVEN, HIDDEN, SECRET, FIRST, MONO],
    "gigamic": [UNEVEN],
    "fisher": [
        HIDDEN,
        SECRET,
        {"dark_wizard": True},
        {"mode": "two_player"},
        {"bid_rule": "leader_uneven"},
        EVERY,
        MONO,
    ],
    "anniversary": [
        {"specials": ["SH"]},
        {"specials": []},
        UNEVEN,
        HIDDEN,
        SECRET,
        {**FIRST, "specials": []},
        {**MONO, "specials": []},
    ],
}
"""RULES 9."""

SETS = [["SH"], ["BO"], ["WE"], ["JU"], ["CL"], ["DR", "FA"], ["BO", "CL", "JU"]]
ALL = {"specials": oracle.SPECIALS}


def wanted() -> dict[str, dict[str, Any]]:
    """The rules of every golden game by its name."""
    games: dict[str, dict[str, Any]] = {}
    for number, (edition, variants) in enumerate(VARIANTS.items()):
        games[edition] = {"edition": edition, "players": 3 + number % 4}
        for variant in variants:
            rules = {"edition": edition, **variant}
            if rules.get("mode") == "monocolour":
                rules |= {"players": 3 + number % 2, "rounds": "4-7"}
            elif rules.get("mode") != "two_player":
                rules |= {"players": 3 + (number + len(games)) % 4, "rounds": "1-5"}
            games[f"{edition}, {told(variant)}"] = rules
    for cards in SETS:
        games[told({"specials": cards})] = {"specials": cards, "players": 4, "rounds": "2-6"}
    for players in (3, 4, 5, 6):
        games[f"all special cards, {players} players"] = {**ALL, "players": players}
    games["all special cards, dark wizard"] = {**ALL, "dark_wizard": True, "rounds": "3-8"}
    games["all special cards, binding suit"] = {
        **ALL,
        "suit_after_wizard": "binding",
        "rounds": "3-8",
    }
    games["binding suit"] = {"suit_after_wizard": "binding", "players": 5, "rounds": "1-6"}
    games["leader uneven"] = {"bid_rule": "leader_uneven", "players": 3, "rounds": "1-4,3-1,1,2"}
    games["up and down"] = {"players": 6, "rounds": "1-10,9-1", "dealer_by": "seat"}
    games["last round only"] = {"players": 3, "rounds": "20", "dealer_by": "random"}
    for players in (3, 4):
        games[f"monocolour, {players} players"] = {**MONO, "players": players}
        games[f"monocolour, {players} players, dark wizard, hidden bids"] = {
            **(MONO | HIDDEN),
            "players": players,
            "dark_wizard": True,
            "rounds": "1,15,4",
        }
    games["two players"] = {"mode": "two_player"}
    games["two players, one round"] = {"mode": "two_player", "rounds": "29", "dark_wizard": True}
    return games


def told(options: dict[str, Any]) -> str:
    """Options as used in a name: "bidding hidden", "specials DR FA"."""
    return ", ".join(
        f"{name} {' '.join(value) or 'none' if isinstance(value, list) else value}"
        for name, value in options.items()
    )


def game(name: str, rules: dict[str, Any]) -> dict[str, Any]:
    """A complete game in which every special card of its deck is seen.

    If the deck has only a few of them, each is also turned up once.
    """
    rng = random.Random(f"golden {name}")
    while True:
        record = oracle.random_record(rng, rules, stop_early=0)
        few = rules.get("specials") in SETS
        if plays_everything(record) and (not few or turns_everything(record)):
            return {"name": name, "record": record, "replay": oracle.replay(record)}


def plays_everything(record: dict[str, Any]) -> bool:
    specials = set(oracle.read_rules(record["rules"]).specials)
    texts = [text for one in record["rounds"] for _, text in one["actions"]]
    played = {oracle.base_card(text.split()[1]) for text in texts if text.startswith("play")}
    dealt = {card for one in record["rounds"] for hand in one["hands"] for card in hand}
    verbs = {text.split()[0] for text in texts}
    return (
        specials - {"WE"} <= played
        and ("WE" not in specials or "WE" in dealt)
        and ("JU" not in specials or "pass" in verbs)
        and ("CL" not in specials or "cloud" in verbs)
    )


def turns_everything(record: dict[str, Any]) -> bool:
    specials = oracle.read_rules(record["rules"]).specials
    return set(specials) <= {one["turned"] for one in record["rounds"]}


def main() -> None:
    lines = [
        json.dumps(game(name, rules), ensure_ascii=False, separators=(",", ":"))
        for name, rules in wanted().items()
    ]
    GAMES.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(lines)} games, {GAMES.stat().st_size >> 10} KiB")


if __name__ == "__main__":
    main()
