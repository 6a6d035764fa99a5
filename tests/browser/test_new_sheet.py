"""A new score sheet: who sits where, who keeps the score, and what it asks before it begins."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from browser.conftest import Visit


def test_whoever_keeps_the_score_is_asked_for_a_name_too(visit: Visit) -> None:
    visitor = visit("phone")
    page = visitor.open("/tablet")
    page.get_by_placeholder("Your name").fill("Tom")
    page.keyboard.press("Enter")
    page.keyboard.type("Una")
    page.keyboard.press("Enter")
    page.keyboard.type("Vera")
    page.get_by_role("button", name="Start the sheet").click()

    # Nobody becomes "Player 4" by oversight.
    dialog = page.get_by_role("dialog", name="One player has no name yet")
    dialog.get_by_role("button", name="Enter names").click()
    expect(page.get_by_label("Name of player 4")).to_be_focused()
    page.get_by_role("button", name="Start the sheet").click()
    dialog.get_by_role("button", name="There are only 3 of us").click()
    page.wait_for_url("**/s/*")
    expect(page.locator(".pad thead th")).to_have_text(["Round", "You", "Una", "Vera"])
    expect(page.locator(".round header")).to_contain_text("you deal")
    assert visitor.context.request.get(f"{visitor.url}/api/me").json()["name"] == "Tom"


def test_a_new_visitor_keeps_their_own_name_wherever_they_sit(visit: Visit) -> None:
    visitor = visit("phone")
    page = visitor.open("/tablet")
    page.get_by_label("Name of player 1").fill("Tom")
    for seat, name in ((2, "Una"), (3, "Vera")):
        page.get_by_label(f"Name of player {seat}").fill(name)
    page.get_by_role("button", name="Move Una: drag").press("ArrowUp")
    page.get_by_role("button", name="Remove Player 4").click()
    page.get_by_role("button", name="Start the sheet").click()
    page.wait_for_url("**/s/*")
    expect(page.locator(".pad thead th")).to_have_text(["Round", "Una", "You", "Vera"])
    assert visitor.context.request.get(f"{visitor.url}/api/me").json()["name"] == "Tom"

    # Whoever only keeps the score has a friendly name, and not that of somebody who plays.
    visitor = visit("phone")
    page = visitor.open("/tablet")
    for seat, name in ((2, "Una"), (3, "Vera"), (4, "Wim")):
        page.get_by_label(f"Name of player {seat}").fill(name)
    page.get_by_role("button", name="Start the sheet").click()
    dialog = page.get_by_role("dialog", name="One player has no name yet")
    dialog.get_by_role("button", name="There are only 3 of us").click()
    page.wait_for_url("**/s/*")
    expect(page.locator(".pad thead th")).to_have_text(["Round", "Una", "Vera", "Wim"])
    name = visitor.context.request.get(f"{visitor.url}/api/me").json()["name"]
    assert name not in (None, "", "Una", "Vera", "Wim")


# Tells how often a sheet was asked for, and answers questions about rules only when told to.
SLOW_RULES = """() => {
  const really = fetch;
  window.sheets = 0;
  fetch = async (address, options) => {
    if (String(address).endsWith("/sheets") && options?.method === "POST") window.sheets += 1;
    if (String(address).endsWith("/rules") && window.slow)
      await new Promise((go) => (window.answer = go));
    return really(address, options);
  };
}"""


def test_a_sheet_is_begun_once_however_often_it_is_tapped(visit: Visit) -> None:
    visitor = visit("phone")
    page = visitor.page
    page.add_init_script(f"({SLOW_RULES})()")
    visitor.open("/tablet")
    for seat, name in ((1, "Tom"), (2, "Una"), (3, "Vera")):
        page.get_by_label(f"Name of player {seat}").fill(name)
    page.get_by_role("button", name="Start the sheet").click()
    fewer = page.get_by_role("button", name="There are only 3 of us")
    fewer.wait_for()
    # Twice, before the first has had any effect on the page.
    page.evaluate("window.slow = true")
    fewer.evaluate("(button) => { button.click(); button.click(); }")
    page.wait_for_function("() => window.answer !== undefined")
    page.evaluate("window.slow = false; answer()")
    page.wait_for_url("**/s/*")
    expect(page.locator(".pad thead th")).to_have_text(["Round", "You", "Una", "Vera"])
    expect(page.locator(".round header")).to_contain_text("you deal")
    assert page.evaluate("window.sheets") == 1


def test_fewer_players_than_the_rules_allow_are_told_why(visit: Visit) -> None:
    visitor = visit("phone")
    visitor.expected.append("422")
    page = visitor.open("/tablet")
    for seat, name in ((1, "Tom"), (2, "Una"), (3, "Vera")):
        page.get_by_label(f"Name of player {seat}").fill(name)
    page.get_by_role("button", name="Start the sheet").click()
    refused = {
        "code": "bad_rules",
        "params": {"option": "players", "other": "mode"},
        "reason": "no",
    }
    page.route("**/api/rules", lambda route: route.fulfill(status=422, json=refused))
    page.get_by_role("button", name="There are only 3 of us").click()
    expect(page.get_by_role("alert").first).not_to_be_empty()
    expect(page.get_by_label(re.compile("Name of player"))).to_have_count(4)
    expect(page).to_have_url(f"{visitor.url}/tablet")


def test_only_ones_own_name_is_a_seat_of_ones_own(visit: Visit) -> None:
    visitor = visit("phone").named("Ana")
    page = visitor.open("/tablet")
    # Whoever keeps the score for others has no seat, and is asked who they are elsewhere.
    for seat, name in enumerate(("Una", "Vera", "Wim", "Xeno")):
        page.get_by_label(f"Name of player {seat + 1}").fill(name)
    page.get_by_role("button", name="Start the sheet").click()
    page.wait_for_url("**/s/*")
    expect(page.locator(".pad thead th")).to_have_text(["Round", "Una", "Vera", "Wim", "Xeno"])

    # It is one's own wherever it stands, and stays so.
    page = visitor.open("/tablet")
    page.get_by_label("Name of player 2").fill("Una")
    page.get_by_role("button", name="Remove Player 4").click()
    page.get_by_label("Name of player 3").fill("ana ")
    page.get_by_label("Name of player 1").fill("Vera")
    page.get_by_role("button", name="Start the sheet").click()
    page.wait_for_url("**/s/*")
    expect(page.locator(".pad thead th")).to_have_text(["Round", "Vera", "Una", "You"])
    page.reload()
    expect(page.locator(".pad thead th")).to_have_text(["Round", "Vera", "Una", "You"])
