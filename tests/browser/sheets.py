"""Score sheets on phones: how people write on them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

from playwright.sync_api import Locator, Page, expect

from browser.robot import MINUS
from browser.visitor import KEYS, Visitor

TRIO = ("Ana", "Ben", "Cleo")

RULEBOOK = [
    ([0, 1, 1], [0, 0, 1], [20, -10, 30]),
    ([2, 0, 0], [1, 0, 1], [10, 10, 20]),
    ([2, 2, 0], [2, 1, 0], [50, 0, 40]),
]
"""The score table of the rulebooks: bids, tricks and totals of three rounds."""


def new_sheet(
    visitor: Visitor, names: tuple[str, ...] = TRIO, dealer: int = 2, **rules: Any
) -> str:
    """Creates a sheet without the form; returns its code."""
    body = {"names": list(names), "rules": rules, "first_dealer": dealer}
    answer = visitor.context.request.post(f"{visitor.url}/api/sheets", data=body)
    assert answer.ok, answer.text()
    opened = answer.json()
    KEYS[opened["code"]] = opened["key"]
    return str(opened["code"])


def open_sheet(visitor: Visitor, code: str) -> Page:
    page = visitor.open(f"/s/{code}")
    page.get_by_role("heading", name=re.compile("Round 1|has won|share")).first.wait_for()
    return page


def asked(page: Page, cell: str) -> Locator:
    """The numbers for a cell, once it is the one in question: "Bid of Ana"."""
    page.get_by_role("button", name=re.compile(f"^{cell}: "), pressed=True).wait_for()
    return page.locator(".question").get_by_role("group")


def number(page: Page, question: str, value: int) -> Locator:
    group = page.get_by_role("group", name=question, exact=True)
    return group.get_by_role("button", name=str(value), exact=True)


def foretell(page: Page, name: str, value: int) -> None:
    asked(page, f"Bid of {name}").get_by_role("button", name=str(value), exact=True).click()


def take(page: Page, name: str, value: int) -> None:
    asked(page, f"Tricks of {name}").get_by_role("button", name=str(value), exact=True).click()


def asked_for(order: list[int], taken: Any, size: int, *, bomb: bool = False) -> Iterator[int]:
    """The seats whose tricks are asked for: those of the others follow, and fill themselves in."""
    left = size
    for later, seat in zip(reversed(range(len(order))), order, strict=True):
        yield seat
        left -= taken[seat]
        if left == 0 or (later == 1 and not bomb):
            return


def in_turn(dealer: int, players: int) -> list[int]:
    return [(dealer + step) % players for step in range(1, players + 1)]


def shown(points: int) -> str:
    return str(points).replace("-", MINUS)


def expect_totals(page: Page, expected: list[int]) -> None:
    expect(page.locator(".pad tfoot td b")).to_have_text([shown(total) for total in expected])


def write_round(
    page: Page,
    names: tuple[str, ...],
    dealer: int,
    bids: Any,
    taken: Any,
    *,
    bomb: bool = False,
) -> None:
    for seat in in_turn(dealer, len(names)):
        foretell(page, names[seat], bids[seat])
    for seat in asked_for(in_turn(dealer, len(names)), taken, sum(taken), bomb=bomb):
        take(page, names[seat], taken[seat])


def finished(visitor: Visitor, names: tuple[str, ...] = TRIO) -> Page:
    page = open_sheet(visitor, new_sheet(visitor, names, rounds="1-3"))
    for index, (bids, taken, _) in enumerate(RULEBOOK):
        write_round(page, names, (2 + index) % 3, bids, taken)
    page.get_by_role("heading", level=1, name=re.compile("has won")).wait_for()
    return page


@dataclass
class Evening:
    """A random game, and its expected scores: a second opinion."""

    players: int
    sizes: list[int]
    dealer: int = 0
    bid_rule: str = "free"
    bomb: bool = False
    cloud: bool = False
    random: Random = field(init=False, default_factory=lambda: Random(7))

    def rounds(self) -> Iterator[dict[str, Any]]:
        score = [0] * self.players
        for index, size in enumerate(self.sizes):
            dealer = (self.dealer + index) % self.players
            bids = [self.random.randint(0, size) for _ in range(self.players)]
            left = size - sum(bids) + bids[dealer]
            forbidden = left if 0 <= left <= size and self._binds(dealer, score) else None
            if bids[dealer] == forbidden:
                bids[dealer] += 1 if bids[dealer] < size else -1
            bombed = self.bomb and index % 2 == 1
            taken = [0] * self.players
            for _ in range(size - bombed):
                taken[self.random.randrange(self.players)] += 1
            cloud = None
            scored = list(bids)
            if self.cloud and index % 2 == 0:
                seat = self.random.randrange(self.players)
                change = 1 if bids[seat] < size else -1
                cloud = seat, change
                scored[seat] += change
            for seat in range(self.players):
                missed = abs(scored[seat] - taken[seat])
                score[seat] += -10 * missed if missed else 20 + 10 * taken[seat]
            yield {
                "dealer": dealer,
                "size": size,
                "bids": bids,
                "forbidden": forbidden,
                "taken": taken,
                "bombed": bombed,
                "cloud": cloud,
                "totals": list(score),
            }

    def _binds(self, dealer: int, score: list[int]) -> bool:
        others = [points for seat, points in enumerate(score) if seat != dealer]
        leads = score[dealer] > max(others)
        return self.bid_rule == "plus_minus_one" or (self.bid_rule == "leader_uneven" and leads)


FOUR = (*TRIO, "Dora")
