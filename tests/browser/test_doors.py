"""Who gets in, as people see it: knocking, letting in, removing, links with keys, kept seats."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from browser.axe import violations
from browser.conftest import Visit
from browser.visitor import Visitor

CALM = {"reduced_motion": "reduce", "bypass_csp": True}


def play_now(visitor: Visitor) -> Page:
    """A started game against bots; its page has the key in its address."""
    answer = visitor.context.request.post(f"{visitor.url}/api/play", data={})
    page = visitor.open(f"/t/{answer.json()['code']}")
    expect(page.locator(".hand button").first).to_be_visible()
    expect(page).to_have_url(re.compile(r"/t/[A-Z]{6}#[\w-]{16}$"))
    return page


def test_a_stranger_knocks_the_host_lets_in_and_removes(visit: Visit) -> None:
    host, guest = visit("desktop", **CALM).named("Ana"), visit("phone", **CALM)
    page = play_now(host)
    link = page.url.removeprefix(host.url)

    # The short code alone opens nothing any more.
    there = guest.open(link.partition("#")[0])
    expect(there.get_by_role("heading", name="This game has begun")).to_be_visible()
    expect(there.get_by_text("Open this table with its invitation link")).to_be_visible()

    there.goto("about:blank")
    there = guest.open(link)
    expect(there.get_by_text("Ask the host for a seat")).to_be_visible()
    there.get_by_role("button", name=re.compile(r"^Take .+’s seat$")).first.click()
    there.get_by_label("Name").fill("Ben")
    there.get_by_role("button", name="Sit down").click()
    expect(there.get_by_text("You have asked for a seat. The host decides.")).to_be_visible()

    knock = page.locator(".knocks li")
    expect(knock).to_contain_text(re.compile("Ben would like .*’s seat"))
    expect(knock).to_contain_text("From the same connection as Ana")
    assert violations(page) == []
    knock.get_by_role("button", name="Let in").click()
    expect(knock).to_have_count(0)
    expect(there.locator(".hand button").first).to_be_visible()

    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Players and table").click()
    players = page.get_by_role("dialog", name="Players and table")
    expect(players.get_by_role("listitem")).to_have_count(4)
    assert violations(page) == []
    players.get_by_role("button", name="Remove Ben").click()
    players.get_by_role("button", name="Remove", exact=True).click()
    expect(players.get_by_role("button", name="Let Ben back in")).to_be_visible()
    expect(there.get_by_role("heading", name="You were removed from this table")).to_be_visible()


def test_the_host_sets_a_clock_and_opens_the_table_in_mid_game(visit: Visit) -> None:
    host = visit("phone", **CALM).named("Ana")
    page = play_now(host)
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Players and table").click()
    players = page.get_by_role("dialog", name="Players and table")
    players.get_by_text("60 s").click()
    players.get_by_role("switch", name="Open table").check()
    players.get_by_role("button", name="Save").click()
    expect(players.get_by_role("button", name="Save")).to_be_disabled()
    code = page.url.split("/t/")[1][:6]
    told = host.context.request.get(f"{host.url}/api/tables/{code}").json()["settings"]
    assert (told["clock"], told["open"]) == (60, True)


def test_a_seat_kept_by_a_link_is_found_again_in_another_browser(visit: Visit) -> None:
    host, fresh, late = (visit("phone", **CALM) for _ in range(3))
    code = host.named("Ana").new_table()
    page = host.open(f"/t/{code}")
    page.get_by_role("button", name="Keep your seat").click()
    dialog = page.get_by_role("dialog", name="Keep your seat")
    link = dialog.get_by_role("textbox").input_value()
    expect(dialog.get_by_role("img", name="QR code for your way back")).to_be_visible()
    expect(dialog.get_by_text("Works once, within 30 days.")).to_be_visible()
    assert violations(page) == []

    there = fresh.open(link.removeprefix(fresh.url))
    there.get_by_role("button", name="Take my seat").click()
    expect(there.locator(".seat.you")).to_contain_text("Ana")
    expect(page.locator(".seat.you")).to_have_count(0)

    late.expected.append("403")
    there = late.open(link.removeprefix(late.url))
    there.get_by_role("button", name="Take my seat").click()
    expect(there.get_by_text("This link has already been used, or has expired.")).to_be_visible()


def test_a_sheet_is_for_all_to_see_and_for_those_let_in_to_write(visit: Visit) -> None:
    host, guest = visit("desktop", **CALM).named("Ana"), visit("phone", **CALM).named("Ben")
    body = {"names": ["Ana", "Ben", "Cleo"], "rules": {"rounds": "1-3"}}
    answer = host.context.request.post(f"{host.url}/api/sheets", data=body)
    code = answer.json()["code"]
    page, there = host.open(f"/s/{code}"), guest.open(f"/s/{code}")
    expect(there.get_by_text("You are watching. Whoever has")).to_be_visible()
    there.get_by_role("button", name="Ask to write").click()
    expect(there.get_by_text("You have asked to write here.")).to_be_visible()
    page.get_by_role("button", name="Let in").click()
    expect(there.get_by_text("You are watching. Whoever has")).to_have_count(0)
    there.get_by_role("button", name="Ben").first.click()
    # Whoever copies the address gives away the right to look, not the right to write.
    for one in (page, there):
        expect(one).to_have_url(re.compile(rf"/s/{code}$"))


def test_a_shared_replay_opens_by_its_key_alone(visit: Visit) -> None:
    host, guest = visit("desktop", **CALM).named("Ana"), visit("phone", **CALM)
    page = play_now(host)
    code, key = page.url.split("/t/")[1].split("#")
    guest.expected.append("403")
    there = guest.open(f"/r/{code}")
    expect(there.get_by_text("This replay needs a link that carries its key.")).to_be_visible()
    there.goto("about:blank")
    there = guest.open(f"/r/{code}#{key}")
    expect(there.get_by_role("link", name="Go to the table")).to_be_visible()
