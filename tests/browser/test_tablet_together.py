"""One score sheet on many phones: corrections, collisions, tunnels, a server that dies."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from browser.conftest import Visit
from browser.sheets import (
    RULEBOOK,
    TRIO,
    Evening,
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
from server.nursery import NurseryServer
from server.process import ServerProcess


@pytest.mark.parametrize("bidding", ["hidden", "secret"])
def test_sealed_bids_are_entered_on_your_own_phone_and_shown_in_time(
    visit: Visit, bidding: str
) -> None:
    people = [visit("phone").named(name) for name in TRIO]
    code = new_sheet(people[0], bidding=bidding, rounds="1-2")
    pages = [open_sheet(person, code) for person in people]
    for page, name in zip(pages, TRIO, strict=True):
        page.get_by_role("button", name=name, exact=True).click()
        page.get_by_role("heading", name="You bid…").wait_for()
    foretell(pages[2], "Cleo", 1)
    expect(pages[0].get_by_role("button", name="Bid of Cleo: sealed")).to_be_disabled()
    expect(pages[2].get_by_role("button", name="Bid of Cleo: 1")).to_be_visible()
    cell = pages[0].get_by_role("button", name="Bid of Cleo: sealed")
    place = cell.bounding_box()
    foretell(pages[0], "Ana", 0)
    expect(pages[0].get_by_text("Waiting for Ben")).to_be_visible()
    assert cell.bounding_box() == place, "the next cell moved under the finger"
    foretell(pages[1], "Ben", 0)
    told = "1" if bidding == "hidden" else "sealed"
    expect(pages[0].get_by_role("button", name=f"Bid of Cleo: {told}")).to_be_visible()
    take(pages[0], "Ana", 1)  # so the others have none
    for page in pages:
        expect_totals(page, [-10, 20, -10])
        expect(page.locator(".pad tbody tr").first).to_contain_text("1")


def test_the_game_for_two_goes_round_on_one_phone(visit: Visit) -> None:
    """Nobody has claimed a seat: the phone is passed around, and shows no bid too early."""
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
        for seat in asked_for(order, part["taken"], part["size"]):
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
    # What can be undone is known even after a reload.
    page.reload()
    page.get_by_role("button", name="Undo Cleo’s tricks").click()
    expect(page.get_by_role("heading", name="Cleo took…")).to_be_visible()
    expect_totals(page, [20, -10, 30])


def test_two_phones_that_write_the_same_cell_learn_who_was_first(visit: Visit) -> None:
    host, other = visit("phone").named("Ana"), visit("phone").named("Ben")
    code = new_sheet(host, rounds="1-2")
    page, late = open_sheet(host, code), open_sheet(other, code)
    late.get_by_role("button", name="Change a number", exact=True).click()
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
    page = visitor.page
    # However busy the machine is, the second tap comes at the same moment.
    page.add_init_script("window.moment = 0; performance.now = () => window.moment;")
    open_sheet(visitor, new_sheet(visitor, rounds="1-2"))
    box = number(page, "Ana bids…", 1).bounding_box()
    assert box is not None

    def tap() -> None:
        page.touchscreen.tap(box["x"] + 20, box["y"] + 20)

    page.evaluate("window.moment += 1000")
    tap()
    expect(page.get_by_role("heading", name="Ben bids…")).to_be_visible()
    tap()
    page.evaluate("window.moment += 1000")
    expect(page.get_by_role("button", name="Bid of Ben: nothing yet")).to_be_visible()
    tap()
    expect(page.get_by_role("button", name="Bid of Ben: 1")).to_be_visible()
    expect(page.get_by_role("button", name="Bid of Cleo: nothing yet")).to_be_visible()


def test_what_was_tapped_in_a_tunnel_does_not_overwrite_what_others_wrote(visit: Visit) -> None:
    host, other = visit("phone").named("Ana"), visit("phone").named("Ben")
    code = new_sheet(host, rounds="1-2")
    page, far = open_sheet(host, code), open_sheet(other, code)
    other.expected += ["ERR_INTERNET_DISCONNECTED", "WebSocket"]
    other.context.set_offline(True)
    expect(far.get_by_text("You are offline")).to_be_visible()
    foretell(far, "Ana", 0)
    foretell(page, "Ana", 1)
    expect(page.get_by_role("heading", name="Ben bids…")).to_be_visible()
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
    # Somebody without a name gets the seat's.
    guest.get_by_role("button", name="Ben", exact=True).click()
    take(guest, "Ana", 0)
    expect(page.get_by_role("button", name="Tricks of Ana: 0")).to_be_visible()
    assert stranger.context.request.get(f"{host.url}/api/me").json() == {
        "name": "Ben",
        "face": None,
    }
    expect(page.get_by_text("2 phones are here")).to_be_attached()
    guest.context.close()
    take(page, "Ben", 0)
    expect_totals(page, [20, -10, 30])
    page.goto(f"{host.url}/games")
    expect(page.get_by_role("link", name=re.compile("Cleo 30"))).to_have_attribute(
        "href", f"/s/{code}"
    )


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[ServerProcess]:
    """A server that a test may kill."""
    with NurseryServer(tmp_path / "data") as running:
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
    page.get_by_role("heading", name="Cleo bids…").wait_for()
    own_server.kill()
    expect(page.get_by_text("Connection lost")).to_be_visible()
    foretell(page, "Cleo", 0)  # saved as soon as the server is back
    expect(page.get_by_role("button", name="Bid of Cleo: 0")).to_be_visible()
    own_server.start()
    foretell(page, "Ana", 2)
    for name, tricks in (("Ben", 0), ("Cleo", 1)):
        take(page, name, tricks)
    expect_totals(page, RULEBOOK[1][2])
    page.reload()
    expect_totals(page, RULEBOOK[1][2])
