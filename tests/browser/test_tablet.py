"""The Tablet of Truth: keeping score for a game with real cards, on phones."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import Visit
from browser.layout import edges
from browser.robot import MINUS
from browser.sheets import (
    FOUR,
    RULEBOOK,
    TRIO,
    Evening,
    asked,
    asked_for,
    expect_totals,
    foretell,
    in_turn,
    new_sheet,
    number,
    open_sheet,
    take,
    write_round,
)
from browser.words import said


def test_the_table_of_the_rulebooks_entered_as_a_person_would(visit: Visit) -> None:
    visitor = visit("phone")
    page = visitor.open("/tablet")
    for seat, name in enumerate(TRIO):
        page.get_by_label(f"Name of player {seat + 1}").fill(name)
    page.get_by_role("button", name="Remove Player 4").click()
    page.get_by_role("radio", name="Cleo deals first").check(force=True)
    page.get_by_text("What are you playing?").click()
    page.get_by_label("Or enter your own").fill("1-3")
    page.get_by_label("Or enter your own").press("Enter")
    expect(page.get_by_text("3 rounds, cards dealt: 1, 2, 3")).to_be_visible()
    page.get_by_role("button", name="Start the sheet").click()
    page.wait_for_url("**/s/*")
    for number_of, (bids, taken, after) in enumerate(RULEBOOK):
        write_round(page, TRIO, (2 + number_of) % 3, bids, taken)
        expect_totals(page, after)
    # Ana wrote her own name: she is "you" from the start.
    expect(page.get_by_role("heading", level=1, name="You have won")).to_be_visible()
    ranking = page.locator("ol").first.get_by_role("listitem")
    expect(ranking).to_contain_text(["You", "Cleo", "Ben"])
    expect(ranking.first).to_contain_text("2 of 3 bids met")
    expect(ranking.first).to_contain_text("best +40 in round 3")


def test_the_numbers_stay_where_they_are_from_round_to_round(visit: Visit) -> None:
    visitor = visit("phone").named("Ana")
    page = open_sheet(visitor, new_sheet(visitor, FOUR, rounds="1-2"))

    def top() -> float:
        box = page.get_by_role("group", name=re.compile("bids")).bounding_box()
        assert box is not None
        return box["y"]

    before = top()
    # Within reach of the thumb, and as wide as the screen.
    screen = page.viewport_size
    first, *_, last = page.locator(".numbers button").all()
    (left, _, _, _), (_, _, right, bottom) = edges(first), edges(last)
    assert screen is not None
    assert before > screen["height"] / 2
    assert bottom < screen["height"]
    assert right - left > 0.85 * screen["width"]
    write_round(page, FOUR, 2, (0, 0, 1, 0), (1, 0, 0, 0))
    page.get_by_role("heading", name="Round 2").wait_for()
    expect(page.locator(".round li", has_text="Ana").first).to_contain_text(f"{MINUS}10")
    assert top() == before


BOOKLETS = {
    "en": ("amigo", ("Thomas", "Ute", "Kevin")),
    "de": ("amigo", ("Thomas", "Ute", "Kevin")),
    "fr": ("gigamic", ("Arnaud", "Anna", "Émilie")),
    "it": ("fisher", ("Paolo", "Tommaso", "Maria")),
    "pt-BR": ("anniversary", ("João", "Maria", "Pedro")),
    "hu": ("piatnik-hu", ("Tamás", "Andi", "Bence")),
    "cs": ("piatnik-cs", ("Paul", "Thomas", "Marie")),
    "sk": ("piatnik-sk", ("Paul", "Thomas", "Mária")),
    "pl": ("piatnik-pl", ("Tomek", "Ania", "Bartek")),
}
"""Whose table it is in each language's booklet."""


@pytest.mark.parametrize("language", BOOKLETS)
def test_the_table_of_every_booklet_in_its_language(visit: Visit, language: str) -> None:
    edition, names = BOOKLETS[language]
    visitor = visit("phone", locale=language).named("Ana")
    # All of them print two rounds, the French one a third.
    played = RULEBOOK if language == "fr" else RULEBOOK[:2]
    code = new_sheet(visitor, names, 2, edition=edition, rounds=f"1-{len(played)}")
    page = visitor.open(f"/s/{code}")
    for index, (bids, taken, after) in enumerate(played):
        order = in_turn((2 + index) % 3, 3)
        has_bomb = edition == "anniversary"
        tricks = list(asked_for(order, taken, sum(taken), bomb=has_bomb))
        for key, seats, numbers in (
            ("sheet_foretells", order, bids),
            ("sheet_took", tricks, taken),
        ):
            for seat in seats:
                number(page, said(language, key, name=names[seat]), numbers[seat]).click()
        if edition == "anniversary":
            nobody = said(language, "sheet_cloud_nobody")
            page.get_by_role("button", name=nobody, exact=True).click()
        expect_totals(page, after)
    winner = names[after.index(max(after))]
    expect(page.get_by_role("heading", level=1)).to_have_text(
        said(language, "after_they_win", names=winner)
    )


EXAMPLES = [
    # "Bid 8, took 6 or 10: -20."
    (10, [8, 2, 2], [6, 2, 2], "Nobody", [-20, 40, 40]),
    (10, [8, 0, 0], [10, 0, 0], "Nobody", [-40, 60, 60]),
    # "Bid 3, took 3, one with the Cloud: -10 either way. Bid 5, took 4: 60."
    (5, [3, 1, 1], [3, 1, 1], "Ana: bid +1", [-50, 90, 90]),
    (5, [3, 1, 1], [3, 1, 1], f"Ana: bid {MINUS}1", [-60, 120, 120]),
    (5, [5, 1, 0], [4, 1, 0], f"Ana: bid {MINUS}1", [0, 150, 140]),
]
"""The worked examples of the booklets: cards, bids, tricks, who took the Cloud, totals."""


def test_the_worked_examples_of_the_booklets(visit: Visit) -> None:
    visitor = visit("phone").named("Ana")
    sizes = ",".join(str(size) for size, *_ in EXAMPLES)
    page = open_sheet(visitor, new_sheet(visitor, edition="anniversary", rounds=sizes))
    for index, (_, bids, taken, cloud, after) in enumerate(EXAMPLES):
        write_round(page, TRIO, (2 + index) % 3, bids, taken, bomb=True)
        page.get_by_role("button", name=cloud).click()
        expect_totals(page, after)


@dataclass
class Kept:
    """A game whose score is kept: its rules, and what the evening has to know about them."""

    names: tuple[str, ...] = TRIO
    rules: dict[str, Any] = field(default_factory=dict)
    sizes: list[int] = field(default_factory=lambda: [1, 2])
    evening: dict[str, Any] = field(default_factory=dict)

    @property
    def bidding(self) -> str:
        default = "secret" if self.rules.get("mode") == "two_player" else "open"
        return str(self.rules.get("bidding", default))


GAMES = {
    "the base game": Kept(FOUR, {"edition": "amigo", "rounds": "1-2"}),
    "plus/minus one, dark Wizards": Kept(
        FOUR,
        {
            "edition": "gigamic",
            "bid_rule": "plus_minus_one",
            "dark_wizard": True,
            "rounds": "1-2",
        },
        evening={"bid_rule": "plus_minus_one"},
    ),
    "the leader uneven, a suit after the Wizard": Kept(
        rules={
            "edition": "fisher",
            "bid_rule": "leader_uneven",
            "suit_after_wizard": "binding",
            "rounds": "2-4",
        },
        sizes=[2, 3, 4],
        evening={"bid_rule": "leader_uneven"},
    ),
    "hidden bids, clairvoyance": Kept(
        FOUR, {"bidding": "hidden", "clairvoyance": "every_round", "rounds": "1-2"}
    ),
    "secret bids": Kept(rules={"bidding": "secret", "rounds": "1-2"}),
    "one colour each": Kept(
        rules={"edition": "piatnik-hu", "mode": "monocolour", "rounds": "4-5"}, sizes=[4, 5]
    ),
    "special cards": Kept(
        rules={"edition": "anniversary", "rounds": "1-2"},
        evening={"bomb": True, "cloud": True},
    ),
    "special cards and secret bids": Kept(
        rules={"edition": "anniversary", "bidding": "secret", "rounds": "1-2"},
        evening={"bomb": True, "cloud": True},
    ),
    "two players": Kept(("Ana", "Ben"), {"mode": "two_player", "rounds": "2-3"}, [2, 3]),
}
"""Short, but long enough for each question: a forbidden bid, the Cloud, the Bomb. Options that a
sheet hardly notices go along with others."""


def bid_openly(page: Page, names: tuple[str, ...], part: dict[str, Any]) -> None:
    *first, last = in_turn(part["dealer"], len(names))
    for seat in first:
        foretell(page, names[seat], part["bids"][seat])
    if part["forbidden"] is not None:
        struck = asked(page, f"Bid of {names[last]}").get_by_role(
            "button", name=f"{part['forbidden']}, not possible"
        )
        struck.click(force=True)  # it is not disabled, but says why not
        expect(page.get_by_text(f"may not add up to {part['size']}").first).to_be_visible()
    foretell(page, names[last], part["bids"][last])


def bid_sealed(pages: list[Page], names: tuple[str, ...], bidding: str, bids: list[int]) -> None:
    """Ana and Ben use their own phones; anyone without one uses Ana's."""
    foretell(pages[0], names[0], bids[0])
    for seat, name in enumerate(names[2:], start=2):
        pages[0].get_by_role("button", name=f"Bid of {name}: nothing yet").click()
        foretell(pages[0], name, bids[seat])
    expect(pages[1].get_by_role("button", name=f"Bid of {names[0]}: sealed")).to_be_visible()
    foretell(pages[1], names[1], bids[1])
    told = bids[0] if bidding == "hidden" else "sealed"
    expect(pages[1].get_by_role("button", name=f"Bid of {names[0]}: {told}")).to_be_visible()


def take_tricks(page: Page, game: Kept, part: dict[str, Any]) -> None:
    names = game.names
    order, bomb = in_turn(part["dealer"], len(names)), bool(game.evening.get("bomb"))
    for seat in asked_for(order, part["taken"], part["size"], bomb=bomb):
        take(page, names[seat], part["taken"][seat])
    if game.evening.get("cloud"):
        answer = "Nobody"
        if part["cloud"] is not None:
            seat, change = part["cloud"]
            answer = f"{names[seat]}: bid {'+1' if change > 0 else f'{MINUS}1'}"
        page.get_by_role("button", name=answer).click()
    if part["bombed"]:
        page.get_by_role("button", name="Yes, the Bomb").click()


@pytest.mark.parametrize("name", GAMES)
def test_a_whole_game_on_two_phones(visit: Visit, name: str) -> None:
    game = GAMES[name]
    names, bidding = game.names, game.bidding
    one, other = visit("phone").named("Ana"), visit("phone").named("Ben")
    code = new_sheet(one, names, 0, **game.rules)
    phones = [open_sheet(one, code), open_sheet(other, code)]
    phones[1].get_by_role("button", name="Ben", exact=True).click()
    if bidding != "open":
        phones[0].get_by_role("button", name="Ana", exact=True).click()
    totals = [0] * len(names)
    for index, part in enumerate(Evening(len(names), game.sizes, **game.evening).rounds()):
        # They take turns writing.
        if bidding == "open":
            bid_openly(phones[index % 2], names, part)
        else:
            bid_sealed(phones, names, bidding, part["bids"])
        take_tricks(phones[1 - index % 2], game, part)
        totals = part["totals"]
        for phone in phones:
            expect_totals(phone, totals)
    winners = [name for name, total in zip(names, totals, strict=True) if total == max(totals)]
    owners = ["Ana" if bidding != "open" else None, "Ben"]
    for phone, owner in zip(phones, owners, strict=True):
        expect(phone.get_by_role("heading", level=1)).to_contain_text(
            "won" if len(winners) == 1 else "share the win"
        )
        first = phone.get_by_role("listitem").filter(has_text="Place 1:")
        expect(first).to_contain_text(["You" if name == owner else name for name in winners])
