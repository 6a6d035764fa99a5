"""The site around the games: other devices, small screens, themes, installing, the keyboard."""

from __future__ import annotations

import re
from typing import Final, Literal

import pytest
from playwright.sync_api import Page, Request, Route, WebSocket, expect

from browser.axe import violations
from browser.conftest import Visit
from browser.robot import first_decision, play_at_once
from browser.sheets import new_sheet

MOST_SHIFT: Final = 0.05
"""Of the layout, added up; browsers call 0.1 good."""


def test_a_personal_link_carries_the_player_to_another_device(visit: Visit) -> None:
    first = visit().named("Ana")
    code = first.new_table()
    page = first.open()
    page.get_by_role("button", name="Continue on another device").click()
    link = page.get_by_label("Your personal link", exact=True).input_value()
    expect(page.get_by_role("img", name="QR code of your personal link")).to_be_visible()

    second = visit("phone")
    theirs = second.page
    theirs.goto(link)
    theirs.get_by_role("button", name="Continue here").click()
    theirs.wait_for_url("**/games")
    expect(theirs.locator(f"a[href^='/t/{code}']")).to_be_visible()
    theirs.goto(f"{second.url}/t/{code}")
    expect(theirs.get_by_text("You, the host")).to_be_visible()


def test_a_bad_personal_link_is_explained(visit: Visit) -> None:
    guest = visit("phone")
    guest.expected.append(r"status of 4\d\d")
    page = guest.open("/device/nonsense")
    page.get_by_role("button", name="Continue here").click()
    expect(page.get_by_text("This link has already been used, or has expired.")).to_be_visible()


def test_the_seat_moves_to_another_device_from_the_middle_of_a_game(visit: Visit) -> None:
    page = visit("phone").open("/?play")
    first_decision(page)
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Continue on another device").click()
    link = page.get_by_label("Your personal link", exact=True).input_value()
    theirs = visit().page
    theirs.goto(link)
    theirs.get_by_role("button", name="Continue here").click()
    theirs.get_by_role("link", name=re.compile("Your turn")).click()
    first_decision(theirs)


@pytest.mark.parametrize("part", ["table", "socket"])
def test_a_game_whose_page_does_not_load_is_not_lost(visit: Visit, part: str) -> None:
    """Nor does a connection stay open meanwhile, as if somebody sat there."""
    guest = visit("phone")
    guest.expected.append(r"Failed to (load resource|fetch)")
    files = re.compile(rf"/assets/{part}-.*\.js")
    sockets: list[WebSocket] = []
    guest.page.on("websocket", lambda one: sockets.append(one))
    guest.page.route(files, lambda route: route.abort())
    page = guest.open("/?play")
    again = page.get_by_role("button", name="Reload")
    again.wait_for()
    page.wait_for_url("**/t/*")
    while not all(one.is_closed() for one in sockets):
        sockets[0].wait_for_event("close")
    page.unroute(files)
    again.click()
    first_decision(page)


@pytest.mark.parametrize("kind", ["js", "css"])
def test_what_comes_after_the_table_is_fetched_until_it_is_there(visit: Visit, kind: str) -> None:
    guest = visit("desktop")
    guest.expected.append(r"Failed to (load resource|fetch)")
    files = re.compile(rf"/assets/(Beside|Sheets)-.*\.{kind}")
    guest.page.route(files, lambda route: route.abort())
    lost: list[Request] = []
    guest.page.on("requestfailed", lambda one: lost.append(one))
    page = guest.open("/?play")
    first_decision(page)
    while len(lost) < 2:
        page.wait_for_event("requestfailed")
    page.unroute(files)
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("dialog", name="Menu").wait_for()
    expect(page.locator(".scroll .tablet")).to_be_visible()
    expect(page.locator(".dock")).to_have_css("position", "sticky")


def test_the_home_page_has_its_picture_or_the_game_under_way(visit: Visit) -> None:
    visitor = visit("phone").named("Ana")
    visitor.expected.append(r"Failed to (load resource|fetch)")
    visitor.new_table(bots=[None, "novice", "novice"])
    page = visitor.open("/")
    under_way = page.locator(".under-way")
    under_way.wait_for()
    lost = re.compile(r"/api/me/games|/assets/UnderWay-.*\.js")
    page.route(lost, lambda route: route.abort())
    page.reload()
    expect(page.locator(".hero div.trick[aria-hidden]")).to_be_visible()
    page.route("**/api/me/games", lambda route: route.continue_())
    page.get_by_role("button", name="Try again").click()
    page.get_by_role("link", name="Play on").wait_for()
    expect(under_way).to_have_count(0)
    page.unroute(lost)
    page.locator("h1").click()
    expect(under_way).to_be_visible()


def test_nothing_is_wider_than_a_small_screen(visit: Visit) -> None:
    """320 pixels are a small phone, or a laptop's window at twice the size."""
    visitor = visit("narrow").named("Wilhelmina of the North")
    code = visitor.new_table(settings={"public": True}, bots=[None, "archmage", "adept"])
    for path in ("/", "/new", "/games", "/settings", "/rules", "/device/x", f"/t/{code}"):
        page = visitor.open(path)
        page.get_by_role("heading", level=1).wait_for()
        page.wait_for_load_state("networkidle")
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, path


def test_on_a_phone_a_menu_leads_to_every_page(visit: Visit) -> None:
    visitor = visit("phone", bypass_csp=True, reduced_motion="reduce")
    page = visitor.open("/")
    links = page.get_by_role("navigation", name="Main")
    expect(links).to_be_hidden()
    expect(page.locator(".brand span")).to_be_visible()
    button = page.locator(".site-header").get_by_role("button", name="Menu")
    button.focus()
    page.keyboard.press("Enter")
    expect(links.get_by_role("link")).to_have_text(
        ["New table", "Learn", "Tablet", "Games", "Settings"]
    )
    assert violations(page) == []
    page.keyboard.press("Escape")
    expect(links).to_be_hidden()
    button.tap()
    links.get_by_role("link", name="Games").tap()
    page.wait_for_url("**/games")
    expect(links).to_be_hidden()
    button.tap()
    links.get_by_role("link", name="Games").tap()
    expect(links).to_be_hidden()


def test_the_bars_of_the_browser_are_as_dark_as_the_header_below_them(visit: Visit) -> None:
    page = visit("phone", color_scheme="light").open("/settings")
    colour = page.locator("meta[name=theme-color]").get_attribute("content")
    assert colour is not None
    red, green, blue = bytes.fromhex(colour.removeprefix("#"))
    expect(page.locator(".site-header")).to_have_css(
        "background-color", f"rgb({red}, {green}, {blue})"
    )


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_lists_come_to_the_home_page_without_a_jump(visit: Visit, size: str) -> None:
    page = visit(size).open()
    page.wait_for_load_state("networkidle")
    # A newcomer sees none of their own.
    expect(page.get_by_role("heading", name="The bid")).to_be_visible()
    expect(page.get_by_role("region", name="Your games")).to_have_count(0)
    assert page.evaluate(SHIFTS) < MOST_SHIFT
    page.get_by_role("button", name="Play now").click()
    first_decision(page)
    page.goto(page.url.split("/t/")[0])
    games = page.get_by_role("region", name="Your games").get_by_role("article")
    expect(games).to_have_count(1)
    page.wait_for_load_state("networkidle")
    assert page.evaluate(SHIFTS) < MOST_SHIFT


# All shifts of what is in view, as the browser counts them.
SHIFTS = """() => new Promise((told) => {
  let sum = 0;
  const observer = new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) sum += hadRecentInput ? 0 : value;
  });
  observer.observe({ type: "layout-shift", buffered: true });
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => told(sum), 0)));
})"""


@pytest.mark.parametrize("size", ["phone", "desktop"])
@pytest.mark.parametrize("path", ["/games", "/learn", "/new", "/tablet"])
def test_nothing_jumps_when_the_contents_arrive(
    visit: Visit, site: str, path: str, size: str
) -> None:
    visitor = visit(size).named("Ana")
    cookies = {one["name"]: one["value"] for one in visitor.context.cookies()}
    play_at_once(site, {"players": 3, "rounds": "1"}, [None, "novice", "novice"], cookies=cookies)
    new_sheet(visitor)
    held: list[Route] = []
    visitor.page.route("**/api/**", lambda route: held.append(route))
    page = visitor.open(path)
    page.locator(".skeleton").first.wait_for()
    page.evaluate(SHIFTS)
    # Each answer may lead to the next question.
    while page.locator(".skeleton").count():
        for route in held:
            route.continue_()
        held.clear()
        page.evaluate(SHIFTS)
    assert page.evaluate(SHIFTS) < MOST_SHIFT


def test_the_list_of_games_begins_below_its_title(visit: Visit) -> None:
    visitor = visit().named("Ana")
    cookies = {one["name"]: one["value"] for one in visitor.context.cookies()}
    play_at_once(
        visitor.url, {"players": 3, "rounds": "1"}, [None, "novice", "novice"], cookies=cookies
    )
    visitor.page.set_viewport_size({"width": 1440, "height": 900})
    page = visitor.open("/games")
    page.locator("main article, main .list li").first.wait_for()
    title, games = (page.locator(one).bounding_box() for one in ("main h1", "main .list"))
    assert title is not None
    assert games is not None
    assert games["x"] == pytest.approx(title["x"], abs=1)


def test_everything_for_an_installed_app_is_there(visit: Visit) -> None:
    visitor = visit()
    page = visitor.open()
    address = page.locator("link[rel=manifest]").get_attribute("href")
    manifest = visitor.context.request.get(f"{visitor.url}{address}")
    assert "manifest+json" in manifest.headers["content-type"]
    sizes = set()
    for icon in manifest.json()["icons"]:
        answer = visitor.context.request.get(visitor.url + icon["src"])
        assert answer.ok
        assert answer.headers["content-type"].startswith(icon["type"])
        sizes.add(icon["sizes"])
    assert {"192x192", "512x512"} <= sizes
    assert manifest.json()["display"] == "standalone"


def test_the_keyboard_alone_opens_a_table(visit: Visit) -> None:
    page = visit().named("Ana").open()
    page.locator("#app:not([data-waits])").wait_for()
    focus(page, "link", "With friends")
    page.keyboard.press("Enter")
    focus(page, "radio", "4")
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("radio", name="3", exact=True)).to_be_checked()
    focus(page, "button", "Open the table")
    page.keyboard.press("Enter")
    page.wait_for_url("**/t/*")
    focus(page, "combobox", "Seat 2")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(page.get_by_label("Seat 2")).to_have_value("apprentice")


def focus(page: Page, role: Literal["link", "radio", "button", "combobox"], name: str) -> None:
    """Goes there by the tab key."""
    wanted = page.get_by_role(role, name=name, exact=True).last
    wanted.wait_for()
    for _ in range(100):
        if wanted.evaluate("(one) => one === document.activeElement"):
            return
        page.keyboard.press("Tab")
    pytest.fail(f"the tab key never comes to the {role} {name}")
