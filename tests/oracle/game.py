"""A game, replayed from its record."""

from __future__ import annotations

from typing import Any

from oracle.cards import deal_fault, is_suit_card
from oracle.round import Round
from oracle.rules import RefusedError, Rules, read_rules


class Game:
    def __init__(self, rules: Rules, first_dealer: int) -> None:
        self.rules = rules
        self.first_dealer = first_dealer
        self.rounds: list[Round] = []
        self.out: list[str] = []  # two players: cards used or turned
        self.own_suits: dict[int, str] = {}  # monocolour: the suits shown so far

    def totals(self) -> list[int]:
        """After the last finished round."""
        for one in reversed(self.rounds):
            if one.over():
                return one.totals()
        return [0] * self.rules.players

    def awaits_deal(self) -> bool:
        under_way = bool(self.rounds) and not self.rounds[-1].over()
        return not under_way and len(self.rounds) < len(self.rules.sizes)

    def finished(self) -> bool:
        return len(self.rounds) == len(self.rules.sizes) and self.rounds[-1].over()

    def deal(self, hands: object, turned: object) -> None:
        """Starts the next round; raises RefusedError (without the place) if that is impossible."""
        if len(self.rounds) >= len(self.rules.sizes):
            raise RefusedError("the game has no further round")
        if not self.awaits_deal():
            raise RefusedError("the round before is not over")
        size = self.rules.sizes[len(self.rounds)]
        fault = deal_fault(self.rules, size, hands, turned, self.out, self.own_suits)
        if fault is not None:
            raise RefusedError(fault)
        if not isinstance(hands, list) or not (turned is None or isinstance(turned, str)):
            raise AssertionError("a deal without fault has hands")
        dealer = (self.first_dealer + len(self.rounds)) % self.rules.players
        totals = self.totals()
        self.rounds.append(Round(self.rules, size, dealer, totals, hands, turned))
        if self.rules.mode == "two_player":
            for hand in hands:
                self.out.extend(hand)
            if turned is not None:
                self.out.append(turned)
        if self.rules.mode == "monocolour":
            for seat, hand in enumerate(hands):
                for card in hand:
                    if is_suit_card(card):
                        self.own_suits[seat] = card[0]

    def legal(self) -> dict[int, list[str]]:
        return self.rounds[-1].legal() if self.rounds else {}

    def shown(self) -> dict[str, Any]:
        totals = self.totals()
        finished = self.finished()
        best = max(totals)
        return {
            "status": "finished" if finished else "unfinished",
            "rounds": [one.shown() for one in self.rounds],
            "totals": totals,
            "winners": [s for s, total in enumerate(totals) if finished and total == best],
            "to_act": sorted(self.legal()),
        }


def start_game(record: object) -> Game:
    """Reads what comes before the rounds."""
    if not isinstance(record, dict):
        raise RefusedError("not a record: no JSON object")
    if record.get("format") != "foretold/1":
        raise RefusedError(f"unknown format {record.get('format')!r}")
    rules = read_rules(record.get("rules", {}))
    names = record.get("names")
    if "names" in record and (
        not isinstance(names, list)
        or len(names) != rules.players
        or any(not isinstance(name, str) for name in names)
    ):
        raise RefusedError(f"names: {rules.players} names are needed")
    first_dealer = record.get("first_dealer")
    if not isinstance(first_dealer, int) or isinstance(first_dealer, bool):
        raise RefusedError("first_dealer: not a seat")
    if not 0 <= first_dealer < rules.players:
        raise RefusedError(f"first_dealer: there is no seat {first_dealer}")
    if not isinstance(record.get("rounds"), list):
        raise RefusedError("rounds: not a list")
    return Game(rules, first_dealer)


def run_record(record: dict[str, Any]) -> Game:
    """Replays a record; raises RefusedError with the place of the first fault."""
    game = start_game(record)
    rounds = record["rounds"]
    for k, given in enumerate(rounds, start=1):
        place = f"round {k}"
        try:
            if not isinstance(given, dict):
                raise RefusedError("not an object")
            for name in ("hands", "turned", "actions"):
                if name not in given:
                    raise RefusedError(f"{name} is missing")
            if not isinstance(given["actions"], list):
                raise RefusedError("actions: not a list")
            game.deal(given["hands"], given["turned"])
            for m, action in enumerate(given["actions"], start=1):
                place = f"round {k}, action {m}"
                if not isinstance(action, list) or len(action) != 2:
                    raise RefusedError("not a pair of seat and action")
                game.rounds[-1].act(action[0], action[1])
            place = f"round {k}"
            if k < len(rounds) and not game.rounds[-1].over():
                raise RefusedError("incomplete, but another round follows")
        except RefusedError as refusal:
            raise RefusedError(f"{place}: {refusal}") from None
    return game


def replay(record: dict[str, Any]) -> dict[str, Any]:
    """What `foretold replay --json` must print for this record; raises RefusedError."""
    return run_record(record).shown()


def legal_actions(record: dict[str, Any]) -> dict[int, list[str]]:
    """The texts of the legal actions of each seat to act; empty between rounds and at the end."""
    return run_record(record).legal()
