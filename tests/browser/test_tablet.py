"""The Tablet of Truth: the score of a game with real cards, kept on telephones."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from browser.axe import violations
from browser.conftest import Visit
from browser.robot import MINUS
from browser.visitor import Visitor
from browser.words import LANGUAGES, said
from server.client import ServerProcess

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
    """Makes a sheet without the form; its code."""
    body = {"names": list(names), "rules": rules, "first_dealer": dealer}
    answer = visitor.context.request.post(f"{visitor.url}/api/sheets", data=body)
    assert answer.ok, answer.text()
    return str(answer.json()["code"])


def open_sheet(visitor: Visitor, code: str) -> Page:
    page = visitor.open(f"/s/{code}")
    page.get_by_role("heading", name=re.compile("Round 1|has won|share")).first.wait_for()
    return page


def number(page: Page, question: str, value: int) -> Locator:
    group = page.get_by_role("group", name=question, exact=True)
    return group.get_by_role("button", name=str(value), exact=True)


def foretell(page: Page, name: str, value: int) -> None:
    number(page, f"{name} foretells…", value).click()


def take(page: Page, name: str, value: int) -> None:
    number(page, f"{name} took…", value).click()


def in_turn(dealer: int, players: int) -> list[int]:
    return [(dealer + step) % players for step in range(1, players + 1)]


def shown(points: int) -> str:
    return str(points).replace("-", MINUS)


def expect_totals(page: Page, expected: list[int]) -> None:
    expect(page.locator(".pad tfoot td b")).to_have_text([shown(total) for total in expected])


def write_round(page: Page, names: tuple[str, ...], dealer: int, bids: Any, taken: Any) -> None:
    for seat in in_turn(dealer, len(names)):
        foretell(page, names[seat], bids[seat])
    for seat in in_turn(dealer, len(names)):
        take(page, names[seat], taken[seat])


def test_the_table_of_the_rulebooks_entered_as_a_person_would(visit: Visit) -> None:
    visitor = visit("phone")
    page = visitor.open("/tablet")
    for seat, name in enumerate(TRIO):
        page.get_by_label(f"Name of player {seat + 1}").fill(name)
    page.get_by_role("button", name="Remove Player 4").click()
    page.get_by_role("radio", name="Cleo deals first").check(force=True)
    page.get_by_text("What do you play?").click()
    page.get_by_label("Or write your own").fill("1-3")
    page.get_by_label("Or write your own").press("Enter")
    expect(page.get_by_text("3 rounds, with cards: 1, 2, 3")).to_be_visible()
    page.get_by_role("button", name="Begin the sheet").click()
    page.wait_for_url("**/s/*")
    for number_of, (bids, taken, after) in enumerate(RULEBOOK):
        write_round(page, TRIO, (2 + number_of) % 3, bids, taken)
        expect_totals(page, after)
    expect(page.get_by_role("heading", level=1, name="Ana has won")).to_be_visible()
    ranking = page.locator("ol").first.get_by_role("listitem")
    expect(ranking).to_contain_text(["Ana", "Cleo", "Ben"])
    expect(ranking.first).to_contain_text("2 of 3 bids met")
    expect(ranking.first).to_contain_text("best +40 in round 3")


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
"""Whose table it is in the booklet of each language."""


@pytest.mark.parametrize("language", BOOKLETS)
def test_the_table_of_every_booklet_in_its_language(visit: Visit, language: str) -> None:
    edition, names = BOOKLETS[language]
    visitor = visit("phone", locale=language).named("Ana")
    # Two rounds are printed in all of them, a third in the French one.
    played = RULEBOOK if language == "fr" else RULEBOOK[:2]
    code = new_sheet(visitor, names, 2, edition=edition, rounds=f"1-{len(played)}")
    page = visitor.open(f"/s/{code}")
    for index, (bids, taken, after) in enumerate(played):
        order = in_turn((2 + index) % 3, 3)
        for key, numbers in (("sheet_foretells", bids), ("sheet_took", taken)):
            for seat in order:
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
        write_round(page, TRIO, (2 + index) % 3, bids, taken)
        page.get_by_role("button", name=cloud).click()
        expect_totals(page, after)


@dataclass
class Evening:
    """A game that chance plays, and what it must come to: a second opinion on the scores."""

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


@dataclass
class Kept:
    """A game whose score is kept: its rules, and what of them the evening has to know."""

    names: tuple[str, ...] = TRIO
    rules: dict[str, Any] = field(default_factory=dict)
    sizes: list[int] = field(default_factory=lambda: [1, 2, 3])
    evening: dict[str, Any] = field(default_factory=dict)

    @property
    def bidding(self) -> str:
        default = "secret" if self.rules.get("mode") == "two_player" else "open"
        return str(self.rules.get("bidding", default))


FOUR = (*TRIO, "Dora")
GAMES = {
    "the base game": Kept(FOUR, {"edition": "amigo", "rounds": "1-3"}),
    "plus/minus one": Kept(
        FOUR,
        {"edition": "gigamic", "bid_rule": "plus_minus_one", "rounds": "1-5"},
        [1, 2, 3, 4, 5],
        {"bid_rule": "plus_minus_one"},
    ),
    "the leader uneven": Kept(
        rules={"edition": "fisher", "bid_rule": "leader_uneven", "rounds": "1-6"},
        sizes=[1, 2, 3, 4, 5, 6],
        evening={"bid_rule": "leader_uneven"},
    ),
    "hidden bids": Kept(FOUR, {"bidding": "hidden", "rounds": "1-3"}),
    "secret bids": Kept(TRIO, {"bidding": "secret", "rounds": "1-3"}),
    "clairvoyance": Kept(rules={"clairvoyance": "every_round", "rounds": "1-2"}, sizes=[1, 2]),
    "dark Wizards": Kept(
        rules={"edition": "fisher", "dark_wizard": True, "rounds": "1-2"}, sizes=[1, 2]
    ),
    "a suit after the Wizard": Kept(
        rules={"suit_after_wizard": "binding", "rounds": "1-2"}, sizes=[1, 2]
    ),
    "one colour each": Kept(
        rules={"edition": "piatnik-hu", "mode": "monocolour", "rounds": "4-6"}, sizes=[4, 5, 6]
    ),
    "special cards": Kept(
        rules={"edition": "anniversary", "rounds": "1-4"},
        sizes=[1, 2, 3, 4],
        evening={"bomb": True, "cloud": True},
    ),
    "special cards and secret bids": Kept(
        rules={"edition": "anniversary", "bidding": "secret", "rounds": "1-3"},
        evening={"bomb": True, "cloud": True},
    ),
    "two players": Kept(("Ana", "Ben"), {"mode": "two_player"}, [2, 3, 4, 5, 6, 7]),
}


def bid_openly(page: Page, names: tuple[str, ...], part: dict[str, Any]) -> None:
    *first, last = in_turn(part["dealer"], len(names))
    for seat in first:
        foretell(page, names[seat], part["bids"][seat])
    if part["forbidden"] is not None:
        struck = page.get_by_role(
            "group", name=f"{names[last]} foretells…", exact=True
        ).get_by_role("button", name=f"{part['forbidden']}, not possible")
        struck.click(force=True)  # it is not disabled, but says why not
        expect(page.get_by_text(f"may not add up to {part['size']}").first).to_be_visible()
    foretell(page, names[last], part["bids"][last])


def bid_sealed(pages: list[Page], names: tuple[str, ...], bidding: str, bids: list[int]) -> None:
    """Ana and Ben on their own telephones; whoever has none is asked on Ana's."""
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
    for seat in in_turn(part["dealer"], len(names)):
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
        # Now one of them writes, now the other.
        if bidding == "open":
            bid_openly(phones[index % 2], names, part)
        else:
            bid_sealed(phones, names, bidding, part["bids"])
        take_tricks(phones[1 - index % 2], game, part)
        totals = part["totals"]
        for phone in phones:
            expect_totals(phone, totals)
    winners = [name for name, total in zip(names, totals, strict=True) if total == max(totals)]
    for phone in phones:
        expect(phone.get_by_role("heading", level=1)).to_contain_text(
            "won" if len(winners) == 1 else "share the win"
        )
        first = phone.get_by_role("listitem").filter(has_text="Place 1:")
        expect(first).to_contain_text(winners)


@pytest.mark.parametrize("bidding", ["hidden", "secret"])
def test_sealed_bids_are_entered_on_the_own_phone_and_shown_in_time(
    visit: Visit, bidding: str
) -> None:
    people = [visit("phone").named(name) for name in TRIO]
    code = new_sheet(people[0], bidding=bidding, rounds="1-2")
    pages = [open_sheet(person, code) for person in people]
    for page, name in zip(pages, TRIO, strict=True):
        page.get_by_role("button", name=name, exact=True).click()
        page.get_by_role("heading", name=f"{name} foretells…").wait_for()
    foretell(pages[2], "Cleo", 1)
    expect(pages[0].get_by_role("button", name="Bid of Cleo: sealed")).to_be_disabled()
    expect(pages[2].get_by_role("button", name="Bid of Cleo: 1")).to_be_visible()
    foretell(pages[0], "Ana", 0)
    expect(pages[0].get_by_text("Waiting for Ben")).to_be_visible()
    foretell(pages[1], "Ben", 0)
    told = "1" if bidding == "hidden" else "sealed"
    expect(pages[0].get_by_role("button", name=f"Bid of Cleo: {told}")).to_be_visible()
    for name, tricks in zip(TRIO, (1, 0, 0), strict=True):
        take(pages[0], name, tricks)
    for page in pages:
        expect_totals(page, [-10, 20, -10])
        expect(page.locator(".pad tbody tr").first).to_contain_text("1")


def test_the_game_for_two_goes_round_on_one_phone(visit: Visit) -> None:
    """Nobody has claimed a seat: the phone is handed on, and shows no bid before its time."""
    page = open_sheet(
        host := visit("phone").named("Ana"), new_sheet(host, ("Ana", "Ben"), 0, mode="two_player")
    )
    page.get_by_role("button", name="Not now").click()
    evening = Evening(2, [2, 3, 4, 5, 6, 7])
    for part in evening.rounds():
        order = in_turn(part["dealer"], 2)
        foretell(page, TRIO[order[0]], part["bids"][order[0]])
        sealed = page.get_by_role("button", name=f"Bid of {TRIO[order[0]]}: sealed")
        expect(sealed).to_be_visible()
        foretell(page, TRIO[order[1]], part["bids"][order[1]])
        expect(sealed).to_be_visible()
        for seat in order:
            take(page, TRIO[seat], part["taken"][seat])
        expect_totals(page, part["totals"])


def test_an_early_round_is_corrected_and_all_totals_follow(visit: Visit) -> None:
    host = visit("phone").named("Ana")
    other = visit("desktop").named("Ben")
    code = new_sheet(host, rounds="1-3")
    page, watching = open_sheet(host, code), open_sheet(other, code)
    for index, (bids, taken, after) in enumerate(RULEBOOK[:2]):
        write_round(page, TRIO, (2 + index) % 3, bids, taken)
        expect_totals(page, after)
    page.locator(".pad tbody tr").first.locator("td").first.click()
    editor = page.get_by_role("dialog", name="Correct round 1")
    editor.get_by_label("Tricks of Cleo", exact=True).fill("0")
    editor.get_by_role("button", name="Save").click()
    expect(editor.get_by_role("alert")).to_contain_text("add up to 0, but this round has 1")
    editor.get_by_label("Tricks of Ben", exact=True).fill("1")
    editor.get_by_label("Note").fill("Ben had the Wizard")
    editor.get_by_role("button", name="Save").click()
    expect(editor).to_have_count(0)
    for one in (page, watching):
        expect_totals(one, [10, 50, -20])
        expect(one.get_by_text("Ben had the Wizard").first).to_be_visible()
    undo = watching.get_by_role("button", name="Undo the change in round 1")
    undo.click()
    for one in (page, watching):
        expect_totals(one, [10, 10, 20])
    # What can be taken back is known after a reload, too.
    page.reload()
    page.get_by_role("button", name="Undo Ana's tricks (round 2)").click()
    expect(page.get_by_role("heading", name="Ana took…")).to_be_visible()
    expect_totals(page, [20, -10, 30])


def test_two_phones_that_write_the_same_cell_learn_who_was_first(visit: Visit) -> None:
    host, other = visit("phone").named("Ana"), visit("phone").named("Ben")
    code = new_sheet(host, rounds="1-2")
    page, late = open_sheet(host, code), open_sheet(other, code)
    late.get_by_role("button", name="Correct", exact=True).click()
    editor = late.get_by_role("dialog", name="Correct round 1")
    editor.get_by_label("Bid of Ana", exact=True).fill("0")
    foretell(page, "Ana", 1)
    expect(late.get_by_role("button", name="Bid of Ana: 1", include_hidden=True)).to_have_count(1)
    editor.get_by_role("button", name="Save").click()
    expect(editor.get_by_role("alert")).to_contain_text("Ana has just written 1 there.")
    expect(page.get_by_role("button", name="Bid of Ana: 1")).to_be_visible()
    editor.get_by_role("button", name="Save").click()
    for one in (page, late):
        expect(one.get_by_role("button", name="Bid of Ana: 0")).to_be_visible()


def test_a_double_tap_answers_one_question(visit: Visit) -> None:
    visitor = visit("phone").named("Ana")
    page = open_sheet(visitor, new_sheet(visitor, rounds="1-2"))
    box = number(page, "Ana foretells…", 1).bounding_box()
    assert box is not None
    page.wait_for_timeout(300)
    for _ in range(2):
        page.touchscreen.tap(box["x"] + 20, box["y"] + 20)
    expect(page.get_by_role("heading", name="Ben foretells…")).to_be_visible()
    page.wait_for_timeout(500)
    expect(page.get_by_role("button", name="Bid of Ben: nothing yet")).to_be_visible()
    page.touchscreen.tap(box["x"] + 20, box["y"] + 20)
    expect(page.get_by_role("button", name="Bid of Ben: 1")).to_be_visible()


def test_what_was_tapped_in_a_tunnel_does_not_overwrite_what_others_wrote(visit: Visit) -> None:
    host, other = visit("phone").named("Ana"), visit("phone").named("Ben")
    code = new_sheet(host, rounds="1-2")
    page, far = open_sheet(host, code), open_sheet(other, code)
    other.expected += ["ERR_INTERNET_DISCONNECTED", "WebSocket"]
    other.context.set_offline(True)
    expect(far.get_by_text("You are offline")).to_be_visible()
    foretell(far, "Ana", 0)
    foretell(page, "Ana", 1)
    expect(page.get_by_role("heading", name="Ben foretells…")).to_be_visible()
    other.context.set_offline(False)
    expect(far.get_by_text("Ana has just written 1 there.").first).to_be_visible()
    expect(far.get_by_role("button", name="Bid of Ana: 1")).to_be_visible()
    foretell(far, "Ben", 0)
    expect(page.get_by_role("button", name="Bid of Ben: 0")).to_be_visible()


def test_a_phone_that_reloads_and_one_that_comes_by_link_go_on(visit: Visit) -> None:
    host = visit("phone").named("Ana")
    code = new_sheet(host, rounds="1-2")
    page = open_sheet(host, code)
    foretell(page, "Ana", 0)
    foretell(page, "Ben", 1)
    page.reload()
    foretell(page, "Cleo", 1)
    stranger = visit("phone")
    guest = open_sheet(stranger, code)
    # Somebody without a name gets that of the seat.
    guest.get_by_role("button", name="Ben", exact=True).click()
    take(guest, "Ana", 0)
    expect(page.get_by_role("button", name="Tricks of Ana: 0")).to_be_visible()
    assert stranger.context.request.get(f"{host.url}/api/me").json() == {"name": "Ben"}
    expect(page.get_by_text("2 phones are here")).to_be_attached()
    guest.context.close()
    take(page, "Ben", 0)
    take(page, "Cleo", 1)
    expect_totals(page, [20, -10, 30])
    page.goto(f"{host.url}/games")
    expect(page.get_by_role("link", name=re.compile("Cleo 30"))).to_have_attribute(
        "href", f"/s/{code}"
    )


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[ServerProcess]:
    """A server that a test may kill."""
    with ServerProcess(tmp_path / "data") as running:
        yield running


def test_a_server_that_dies_in_the_middle_loses_nothing(
    visit: Visit, own_server: ServerProcess
) -> None:
    host = visit("phone")
    host.url = own_server.url
    host.expected += ["ERR_CONNECTION", "WebSocket", "Failed to load resource"]
    host.named("Ana")
    page = open_sheet(host, new_sheet(host, rounds="1-3"))
    write_round(page, TRIO, 2, *RULEBOOK[0][:2])
    foretell(page, "Ben", 0)
    page.get_by_role("heading", name="Cleo foretells…").wait_for()
    own_server.kill()
    expect(page.get_by_text("Connection lost")).to_be_visible()
    foretell(page, "Cleo", 0)  # written as soon as the server is back
    expect(page.get_by_role("button", name="Bid of Cleo: 0")).to_be_visible()
    own_server.start()
    foretell(page, "Ana", 2)
    for name, tricks in (("Ben", 0), ("Cleo", 1), ("Ana", 1)):
        take(page, name, tricks)
    expect_totals(page, RULEBOOK[1][2])
    page.reload()
    expect_totals(page, RULEBOOK[1][2])


def finished(visitor: Visitor, names: tuple[str, ...] = TRIO) -> Page:
    page = open_sheet(visitor, new_sheet(visitor, names, rounds="1-3"))
    for index, (bids, taken, _) in enumerate(RULEBOOK):
        write_round(page, names, (2 + index) % 3, bids, taken)
    page.get_by_role("heading", level=1, name=re.compile("has won")).wait_for()
    return page


def test_spreadsheet_paper_and_picture_agree(visit: Visit, tmp_path: Path) -> None:
    visitor = visit("phone", accept_downloads=True).named("Ana")
    page = finished(visitor)

    with page.expect_download() as download:
        page.get_by_role("link", name="Spreadsheet").click()
    download.value.save_as(tmp_path / "sheet.csv")
    rows = list(csv.reader(io.StringIO((tmp_path / "sheet.csv").read_text("utf-8-sig"))))
    head = ["Round", "Cards", "Dealer"]
    parts = ("Bid", "Tricks", "Points", "Total")
    assert rows[0] == [*head, *(f"{name}: {part}" for name in TRIO for part in parts), "Note"]
    assert rows[3] == [
        "3",
        "3",
        "Ben",
        *["2", "2", "40", "50", "2", "1", "-10", "0", "0", "0", "20", "40"],
        "",
    ]

    with page.expect_download() as download:
        page.get_by_role("button", name="Save as a picture").click()
    download.value.save_as(tmp_path / "sheet.png")
    assert download.value.suggested_filename.endswith(".png")
    assert (tmp_path / "sheet.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"

    page.emulate_media(media="print")
    paper = page.locator(".paper")
    expect(paper).to_be_visible()
    expect(page.locator(".site-header")).to_be_hidden()
    expect(page.locator(".sheet-page")).to_be_hidden()
    printed = [
        [cell.strip() for cell in row.locator("th, td").all_inner_texts()]
        for row in paper.locator("tbody tr").all()
    ]
    assert printed == [
        ["1", "20", "0", f"{MINUS}10", "1", "30", "1"],
        ["2", "10", "2", "10", "0", "20", "0"],
        ["3", "50", "2", "0", "2", "40", "0"],
    ]
    assert paper.locator("tfoot td").all_inner_texts() == ["50", "0", "40"]

    # Other pages print as they always do, also after this one.
    page.emulate_media(media="screen")
    page.get_by_role("link", name="Another game").click()
    page.emulate_media(media="print")
    expect(page.get_by_role("heading", level=1)).to_be_visible()


# What is painted on canvases, and what is copied.
LISTEN = """() => {
  window.painted = [];
  const paint = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
    window.painted.push(text);
    return paint.call(this, text, ...place);
  };
  navigator.share = undefined;
  navigator.clipboard.writeText = async (text) => void (window.copied = text);
}"""


@pytest.fixture(scope="module")
def evening(browsers: Callable[[], Browser], site: str) -> str:
    """The code of a finished sheet, for whoever reads it."""
    context = browsers().new_context(locale="en-GB")
    page = finished(Visitor(context, context.new_page(), site).named("Ana"))
    code = page.url.rsplit("/", 1)[-1]
    context.close()
    return code


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_taken_away_in_the_words_of_the_reader(
    visit: Visit, evening: str, language: str
) -> None:
    visitor = visit("phone", locale=language, accept_downloads=True)
    visitor.page.add_init_script(f"({LISTEN})()")
    page = visitor.open(f"/s/{evening}")
    say = partial(said, language)

    with page.expect_download() as download:
        page.get_by_role("link", name=say("sheet_csv")).click()
    text = Path(download.value.path()).read_text("utf-8-sig")
    rows = list(csv.reader(io.StringIO(text), delimiter="," if language == "en" else ";"))
    heading = [say("tablet_round"), say("rules_score_bid"), say("rules_score_points")]
    assert [rows[0][0], rows[0][3], rows[0][5]] == [
        heading[0],
        *(f"Ana: {word}" for word in heading[1:]),
    ]
    assert rows[1][3:7] == ["0", "0", "20", "20"]

    page.get_by_role("button", name=say("sheet_share"), exact=True).click()
    page.wait_for_function("window.copied")
    told = page.evaluate("window.copied").splitlines()
    assert say("tablet_title") in told[0]
    assert told[1:] == ["1. Ana 50", "2. Cleo 40", "3. Ben 0", f"{visitor.url}/s/{evening}"]

    with page.expect_download() as download:
        page.get_by_role("button", name=say("sheet_picture"), exact=True).click()
    assert page.evaluate("window.painted")[:4] == [say("tablet_title"), *TRIO]

    page.emulate_media(media="print")
    paper = page.locator(".paper")
    expect(paper.get_by_role("heading")).to_have_text(say("tablet_title"))
    expect(paper.locator("thead th").first).to_have_text(say("tablet_round"))
    assert paper.locator("th").first.evaluate("(one) => one.scrollWidth <= one.clientWidth")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_twenty_rounds_of_six_fit_one_page(visit: Visit) -> None:
    visitor = visit().named("Ana")
    names = ("Ana", "Bartholomew", "Cleo", "Dora", "Emil", "Maximiliana Theodora")
    page = open_sheet(visitor, new_sheet(visitor, names, rounds="1-10,10-1"))
    paper = page.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", paper)) == 1


def test_many_evenings_are_summed_up_by_name(visit: Visit) -> None:
    visitor = visit().named("Statistician")
    for names in (TRIO, ("Dora", "Ben", "Ana")):
        finished(visitor, names)
    page = visitor.open("/tablet")
    table = page.get_by_role("table", name="All evenings")
    expect(table.locator("tbody").get_by_role("row")).to_have_count(4)
    lines = {
        row.get_by_role("rowheader").inner_text(): row.get_by_role("cell").all_inner_texts()
        for row in table.locator("tbody").get_by_role("row").all()
    }
    assert lines["Ana"] == ["2", "1", "45", "50", "67%"]
    assert lines["Ben"] == ["2", "0", "0", "0", "33%"]
    assert lines["Dora"] == ["1", "1", "50", "50", "67%"]
    page.get_by_role("button", name="As last time: Dora, Ben, Ana").click()
    expect(page.get_by_label("Name of player 3")).to_have_value("Ana")
    expect(page.get_by_label("Name of player 4")).to_have_count(0)


def seated(page: Page) -> list[str]:
    return [one.input_value() for one in page.get_by_label(re.compile("Name of player")).all()]


def test_seats_are_dragged_and_moved_by_keys(visit: Visit) -> None:
    page = visit("phone").named("Ana").open("/tablet")
    for seat, name in enumerate(FOUR):
        page.get_by_label(f"Name of player {seat + 1}").fill(name)
    page.get_by_role("radio", name="Dora deals first").check(force=True)
    grips = page.get_by_role("button", name=re.compile("^Move .*: drag"))
    boxes = [grip.bounding_box() for grip in grips.all()]
    first, last = boxes[0], boxes[3]
    assert first is not None
    assert last is not None

    page.mouse.move(last["x"] + 10, last["y"] + 10)
    page.mouse.down()
    page.mouse.move(first["x"] + 10, first["y"] + 8, steps=6)
    assert seated(page) == ["Dora", "Ana", "Ben", "Cleo"]
    page.mouse.up()
    # Whoever deals takes the deal along.
    expect(page.get_by_role("radio", name="Dora deals first")).to_be_checked()
    expect(page.get_by_role("button", name="Move Dora: drag")).to_be_focused()
    expect(page.get_by_role("status")).to_contain_text("Dora: seat 1")

    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert seated(page) == ["Ana", "Ben", "Dora", "Cleo"]
    expect(page.get_by_role("button", name="Move Dora: drag")).to_be_focused()
    page.get_by_role("button", name="Move Ben up").click()
    assert seated(page) == ["Ben", "Ana", "Dora", "Cleo"]
    page.get_by_role("button", name="Begin the sheet").click()
    page.wait_for_url("**/s/*")
    expect(page.locator(".pad thead th")).to_contain_text(["", "Ben", "Ana", "Dora", "Cleo"])
    expect(page.get_by_text("Dora deals").first).to_be_visible()


def test_bad_input_is_answered_and_nothing_is_lost(visit: Visit) -> None:
    visitor = visit("phone").named("Ana")
    page = visitor.open("/tablet")
    for seat, typed in enumerate(("ענבל", "W" * 200, "Cleo")):
        page.get_by_label(f"Name of player {seat + 1}").fill(typed)
    page.get_by_role("button", name="Remove Player 4").click()
    page.get_by_role("radio", name="Cleo deals first").check(force=True)
    page.get_by_role("button", name="Begin the sheet").click()
    page.wait_for_url("**/s/*")
    names = ("ענבל", "W" * 24, "Cleo")
    expect(page.locator(".pad thead th")).to_contain_text(["", *names])
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for name, bid in zip(names, (0, 1, 1), strict=True):
        foretell(page, name, bid)
    page.get_by_role("button", name="Correct", exact=True).click()
    editor = page.get_by_role("dialog", name="Correct round 1")
    alert = editor.get_by_role("alert")
    for cell, value, answer in (
        ("Tricks of Cleo", "-1", "Tricks are from 0 to 1 here."),
        ("Tricks of Cleo", "7", "Tricks are from 0 to 1 here."),
        ("Bid of Cleo", "2", "Bid from 0 to 1."),
    ):
        field = editor.get_by_label(cell, exact=True)
        before = field.input_value()
        field.fill(value)
        editor.get_by_role("button", name="Save").click()
        expect(alert).to_have_text(answer)
        field.fill(before)
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Bid of Cleo: 1")).to_be_visible()
    page.get_by_role("button", name="This sheet").click()
    page.get_by_label("Name of player 3").fill(" ")
    page.get_by_label("Name of player 3").fill("Z" * 200)
    page.get_by_label("Name of player 3").press("Tab")
    expect(page.get_by_label("Name of player 3")).to_have_value("Z" * 24)
    expect(page.locator(".pad thead")).to_contain_text("Z" * 24)


def test_a_sheet_that_is_thrown_away_and_one_that_never_was(visit: Visit) -> None:
    host, other = visit("phone").named("Ana"), visit("phone").named("Ben")
    code = new_sheet(host, rounds="1-2")
    page, watching = open_sheet(host, code), open_sheet(other, code)
    watching.get_by_role("button", name="This sheet").click()
    expect(watching.get_by_role("button", name="Throw the sheet away")).to_have_count(0)
    page.get_by_role("button", name="This sheet").click()
    page.get_by_role("button", name="Throw the sheet away").click()
    page.get_by_role("button", name="Throw it away", exact=True).click()
    for one in (page, watching):
        expect(one.get_by_role("heading", name="This sheet was thrown away")).to_be_visible()
    other.expected += ["404", "410"]
    watching.reload()
    expect(watching.get_by_role("heading", name="This sheet was thrown away")).to_be_visible()
    for typed in (code, f"{other.url}/s/{code}"):
        other.open("/").get_by_label("Join a table").fill(typed)
        watching.get_by_role("button", name="Join", exact=True).click()
        expect(watching.get_by_role("heading", name="This sheet was thrown away")).to_be_visible()
    other.open("/s/QQQQQQ")
    expect(watching.get_by_role("heading", name="There is no such sheet")).to_be_visible()


def test_the_rules_of_the_game_are_a_link_away(visit: Visit) -> None:
    visitor = visit("phone").named("Ana")
    code = new_sheet(visitor, edition="gigamic", bid_rule="plus_minus_one", rounds="1-5")
    page = open_sheet(visitor, code)
    page.get_by_role("button", name="This sheet").click()
    page.get_by_role("link", name="Rules of this game").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Rules of this game")
    rules = page.locator("article")
    expect(rules).to_contain_text("The bids may not add up to the number of tricks.")
    expect(rules).to_contain_text("The numbers of cards are, in this order: 1, 2, 3, 4, 5.")
    # The people have said themselves who deals first.
    expect(rules).not_to_contain_text("The first seat deals")
    page.get_by_role("link", name="To the sheet").click()
    expect(page).to_have_url(f"{visitor.url}/s/{code}")


def test_it_can_be_kept_by_keyboard_alone(visit: Visit) -> None:
    visitor = visit().named("Ana")
    page = open_sheet(visitor, new_sheet(visitor, rounds="1,12"))
    for name, digit in zip(TRIO, "011", strict=True):
        page.get_by_role("heading", name=f"{name} foretells…").wait_for()
        page.keyboard.press(digit)
    for name, digit in zip(TRIO, "001", strict=True):
        page.get_by_role("heading", name=f"{name} took…").wait_for()
        page.keyboard.press(digit)
    page.get_by_role("heading", name="Ben foretells…").wait_for()
    told = f"Cleo took 1. After round 1: Ana 20, Ben {MINUS}10, Cleo 30. Ben foretells…"
    expect(page.locator("[aria-live=polite]", has_text="After round 1").first).to_contain_text(told)
    page.keyboard.type("12")
    expect(page.get_by_role("button", name="Bid of Ben: 12")).to_be_visible()
    page.get_by_role("heading", name="Cleo foretells…").wait_for()
    page.keyboard.press("1")
    expect(page.get_by_role("button", name="Bid of Cleo: 1")).to_be_visible()
    first_round = page.locator(".pad tbody th button").first
    first_round.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="Correct round 1")).to_be_visible()
    page.keyboard.press("Escape")
    expect(first_round).to_be_focused()


@pytest.mark.parametrize("size", ["narrow", "phone", "desktop"])
def test_everyone_can_read_it(visit: Visit, size: str) -> None:
    visitor = visit(size, bypass_csp=True, reduced_motion="reduce").named("Ana")

    def check(page: Page, what: str) -> None:
        assert violations(page) == [], what
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), what

    page = finished(visitor)
    check(page, "the end")
    page = visitor.open("/tablet")
    page.get_by_role("table", name="All evenings").wait_for()
    page.get_by_role("button", name="Begin the sheet").wait_for()
    check(page, "a new sheet")
    page = open_sheet(visitor, new_sheet(visitor, edition="anniversary"))
    write_round(page, TRIO, 2, *RULEBOOK[0][:2])
    check(page, "the Cloud")
    page.get_by_role("button", name="Nobody").click()
    page.get_by_role("heading", name="Ben foretells…").wait_for()
    check(page, "a round")
    openers: dict[str, Callable[[], None]] = {
        "Correct round 1": lambda: page.locator(".pad tbody th button").first.click(),
        "More phones": lambda: page.get_by_role("button", name="Invite").click(),
        "This sheet": lambda: page.get_by_role("button", name="This sheet").click(),
    }
    for title, opened in openers.items():
        opened()
        page.get_by_role("dialog", name=title).wait_for()
        check(page, title)
        page.keyboard.press("Escape")
