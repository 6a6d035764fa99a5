"""A table before its game begins: invitations, free seats, and the host's choices."""

from __future__ import annotations

import re
from urllib.parse import urljoin

import pytest
from playwright.sync_api import expect

from browser.conftest import Visit
from browser.layout import edges
from browser.words import words


def test_friends_come_by_link_and_the_host_starts(visit: Visit) -> None:
    host = visit().named("Ana")
    page = host.open("/new")
    page.get_by_role("radio", name="3", exact=True).check()
    page.get_by_role("button", name="Open the table").click()
    link = page.get_by_label("Link to this table").input_value()
    expect(page.get_by_role("button", name="Start the game")).to_be_disabled()
    expect(page.get_by_text("2 seats are still free: invite friends")).to_be_visible()

    friend = visit("phone")
    theirs = friend.page
    theirs.goto(link)
    theirs.get_by_role("button", name="Sit down").first.click()
    theirs.get_by_label("Your name").fill("Bo")
    theirs.get_by_role("dialog").get_by_role("button", name="Sit down").click()
    expect(theirs.get_by_text("One seat is still free.")).to_be_visible()
    expect(page.get_by_text("One seat is still free: invite")).to_be_visible()
    assert page.locator(".round-table .name").all_inner_texts()[:2] == ["Ana", "Bo"]

    page.get_by_label("Seat 3").select_option("novice")
    expect(theirs.get_by_text("Waiting for Ana to start…")).to_be_visible()
    expect(theirs.get_by_text("Bot, Novice")).to_be_visible()
    page.get_by_role("button", name="Start the game").click()
    for one in (page, theirs):
        expect(one.get_by_role("group", name="Your cards")).to_be_visible()


@pytest.mark.parametrize("language", ["en", "de", "hu"])
def test_a_lobby_invites_and_shows_the_free_seat(visit: Visit, language: str) -> None:
    host = visit("phone", locale=language).named("Ana")
    page = host.open(f"/t/{host.new_table(bots=[None, None, 'adept', 'novice'])}")
    page.set_viewport_size({"width": 360, "height": 640})
    known = words(language)
    expect(page.get_by_role("heading", level=1)).to_have_text(known["lobby_title"])
    copy = page.get_by_role("button", name=known["link_copy_link"])
    code = page.get_by_role("button", name=known["invite_show_qr"])
    expect(page.locator("button.gold")).to_have_count(1)
    expect(copy).to_have_class(re.compile("gold"))
    # Beside each other, and the free seat is not below the bar at the lower edge.
    assert edges(copy)[1] == pytest.approx(edges(code)[1], abs=1)
    bar, free = edges(page.locator(".middle")), edges(page.locator(".seat.empty"))
    assert free[3] <= bar[1]
    page.get_by_role("button", name=known["lobby_fill"]).click()
    expect(page.locator("button.gold")).to_have_text(known["lobby_start"])


@pytest.mark.parametrize("free", [0, 1])
def test_on_a_phone_the_way_into_the_game_is_always_in_reach(visit: Visit, free: int) -> None:
    host = visit("phone").named("Ana")
    bots = [None, *[None] * free, *["novice"] * (5 - free)]
    page = host.open(f"/t/{host.new_table(rules={'players': 6}, bots=bots)}")
    start = page.get_by_role("button", name="Start the game")
    missing = page.get_by_text("One seat is still free: invite")
    for one in (start, missing if free else start):
        expect(one).to_be_in_viewport(ratio=1)
    if free:
        expect(start).to_be_disabled()
        page.get_by_role("button", name="Fill with bots").click()
    start.click()
    expect(page.get_by_role("group", name="Your cards")).to_be_visible()


def test_the_host_removes_people_and_changes_the_table(visit: Visit) -> None:
    host = visit().named("Ana")
    code = host.new_table(rules={"players": 3}, bots=[None, "adept", None])
    page = host.open(f"/t/{code}")
    friend = visit("phone").named("Bo")
    theirs = friend.open(f"/t/{code}")
    theirs.get_by_role("button", name="Sit down").click()

    page.get_by_role("button", name="Remove Bo").click()
    theirs.get_by_role("button", name="Sit down").click()
    expect(theirs.get_by_role("alert")).to_contain_text("The host has removed you")
    back = page.get_by_role("button", name="Let Bo back in")
    back.click()
    expect(back).to_have_count(0)
    theirs.get_by_role("button", name="Sit down").click()
    expect(theirs.get_by_text("You", exact=True)).to_be_visible()
    theirs.get_by_role("button", name="Leave the table").click()
    expect(theirs.get_by_role("button", name="Sit down")).to_be_visible()

    page.get_by_role("button", name="Change the table").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("30 s").click()
    dialog.get_by_role("radio", name="4", exact=True).check()
    dialog.get_by_role("button", name="Save").click()
    expect(theirs.get_by_text("30 seconds per turn")).to_be_visible()
    expect(theirs.get_by_text("4 players · 15 rounds")).to_be_visible()
    expect(page.locator(".round-table .name")).to_have_count(4)

    theirs.get_by_role("button", name="Sit down").last.click()
    expect(theirs.get_by_text("You", exact=True)).to_be_visible()
    page.get_by_role("button", name="Change the table").click()
    dialog.get_by_role("radio", name="3", exact=True).check()
    dialog.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_contain_text(
        "More people have sat down than the 3 that these rules allow."
    )
    dialog.get_by_role("button", name="Cancel").click()

    page.get_by_role("button", name="Close the table").click()
    expect(theirs.get_by_role("button", name="Sit down")).to_have_count(0)


def test_the_lobby_says_who_is_away(visit: Visit) -> None:
    host, guest = visit().named("Ana"), visit("phone").named("Bo")
    code = host.new_table(rules={"players": 3}, bots=[None, None, "novice"])
    page = host.open(f"/t/{code}")
    guest.open(f"/t/{code}").get_by_role("button", name="Sit down").click()
    expect(page.get_by_text("Everyone is here. Start when you like.")).to_be_visible()
    guest.page.goto("about:blank")
    expect(page.get_by_text("Bo is away. Wait, or start: a bot will play for now.")).to_be_visible()
    expect(page.get_by_role("button", name="Start the game")).to_be_enabled()


def told(page: str) -> dict[str, str]:
    """What a page tells messengers."""
    found = re.findall(r'<meta\s+property="og:(\w+)"\s+content="([^"]*)"', page)
    return dict(found)


def test_a_link_says_who_invites(visit: Visit) -> None:
    host, guest = visit().named('Tom "T" <b>'), visit("phone")
    code = host.new_table(rules={"players": 3, "rounds": "1"}, bots=[None, None, "novice"])
    page = guest.open(f"/t/{code}")
    expect(page.get_by_role("heading", level=1)).to_have_text('Tom "T" <b> invites you to play')
    expect(page.get_by_text("No account needed.")).to_be_visible()

    link = f"{host.url}/t/{code}"
    ask = guest.context.request.get
    shown = told(ask(link).text())
    assert shown["title"] == "Tom &quot;T&quot; &lt;b&gt; invites you to play"
    assert shown["description"].startswith("A game of Wizard: foretell exactly")
    assert ask(urljoin(link, shown["image"])).ok
    german = told(ask(link, headers={"accept-language": "de-AT"}).text())
    assert german["title"].endswith("lädt dich zum Spielen ein")
    # There are no invitations to a started or missing table.
    plain_page = told(ask(f"{host.url}/").text())
    assert plain_page["title"] == "Foretold"
    assert told(ask(f"{host.url}/t/BBBBBB").text()) == plain_page
    assert told(ask(f"{link}/rules").text()) == plain_page
    page.get_by_role("button", name="Sit down").click()
    page.get_by_label("Your name").fill("Bo")
    page.get_by_role("dialog").get_by_role("button", name="Sit down").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Table {code}")
    host.open(f"/t/{code}").get_by_role("button", name="Start the game").click()
    page.get_by_role("heading", name="Round 1 of 1").wait_for()
    assert told(ask(link).text()) == plain_page
