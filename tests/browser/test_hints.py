"""Hints at the table, in the browser."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from browser.arranged import arrange, holds
from browser.axe import violations
from browser.conftest import Visit
from browser.layout import come_to_rest, edges
from browser.robot import EDGE, decide_until_play
from foretold.deal import Deal
from server.process import ServerProcess

BOTS = [None, "novice", "novice", "novice"]


def begin(page: Page) -> None:
    page.get_by_role("button", name="Start").click()
    expect(page.locator(".bid button").first).to_be_visible()


def always_a_choice(deal: Deal) -> bool:
    """Whatever is led, there is more than one card to play; and trump need not be named."""
    return holds(0, "W", "J")(deal) and deal.turned is not None and deal.turned.suit is not None


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_a_hint_against_bots(visit: Visit, house: ServerProcess, size: str) -> None:
    visitor = visit(size, bypass_csp=True, reduced_motion="reduce")
    code = arrange(house.data, visitor, {"rounds": "6"}, always_a_choice)
    page = visitor.open(f"/t/{code}")
    expect(page.locator(".bid button").first).to_be_visible()
    page.get_by_role("button", name="Hint").click()
    hint = page.get_by_role("region", name="Hint")
    expect(hint).to_contain_text(re.compile(r"makes \d most often|pays most"))
    # The bid is marked where it is made, and what one needs stays in view.
    marked = page.get_by_role("button", name=re.compile(r"^Bid \d, suggested by the hint"))
    expect(marked).to_have_count(1)
    below = hint.bounding_box()
    assert below is not None
    for needed in (page.locator(".hand"), page.locator(".bid .numbers")):
        box = needed.bounding_box()
        assert box is not None
        beside = below["x"] >= box["x"] + box["width"]
        assert beside or below["y"] + below["height"] <= box["y"]
    hint.get_by_text("All the numbers").click()
    expect(hint.get_by_role("img", name="Chance of each number of tricks")).to_be_visible()
    rows = hint.locator("tbody tr")
    expect(rows).to_have_count(page.locator(".bid button:not(.barred)").count())
    expect(rows.first.get_by_role("rowheader")).to_contain_text("best")
    assert violations(page) == []
    page.keyboard.press("h")
    expect(hint).to_have_count(0)
    page.keyboard.press("h")
    # There is one button for it.
    expect(hint.get_by_role("button", name=re.compile("^Bid"))).to_have_count(0)
    marked.click()

    expect(page.locator(".hand button:has(.playable)").first).to_be_visible()
    expect(page.get_by_role("button", name="Hint")).not_to_have_attribute("aria-disabled", "true")
    page.keyboard.press("h")
    expect(hint).to_contain_text("Chance of meeting your bid")
    best = page.locator(".hand .advised")
    expect(best).to_have_count(1)
    expect(best).to_have_accessible_name(re.compile("playable, suggested by the hint"))
    assert violations(page) == []
    page.keyboard.press("Escape")
    expect(hint).to_have_count(0)
    page.keyboard.press("h")
    hint.get_by_role("button", name=re.compile("^Play ")).click()
    expect(page.locator(".hand button")).to_have_count(5)
    # What was done can be taken back, with what the bots did since; not while they are at it.
    expect(page.locator(".hand button:has(.playable)").first).to_be_visible()
    page.get_by_role("button", name="Take back").click()
    expect(page.locator(".hand button")).to_have_count(6)


def test_a_hint_makes_room_for_a_lifted_card(visit: Visit, house: ServerProcess) -> None:
    visitor = visit("phone", reduced_motion="reduce")
    visitor.context.add_init_script(
        "localStorage.setItem('foretold.settings', '{\"tap\": \"lift\"}')"
    )
    code = arrange(house.data, visitor, {"rounds": "8"}, always_a_choice)
    page = visitor.open(f"/t/{code}")
    decide_until_play(page)
    button = page.get_by_role("button", name="Hint", exact=True)
    button.tap()
    hint = page.get_by_role("region", name="Hint")
    # A small phone has the chance too, and it opens the numbers.
    expect(hint.get_by_text(re.compile(r"^Chance: \d+%$"))).to_be_visible()
    card = page.locator(".hand button:has(.playable):not(.advised)").first
    card.tap(position=EDGE)
    expect(hint).to_have_count(0)
    expect(page.locator("button.gold")).to_have_count(1)
    expect(page.locator("button.gold")).to_have_text(re.compile("^Play (the|a) "))
    button.tap()
    expect(hint).to_be_visible()
    expect(page.locator("button.gold")).to_have_count(1)


# What the hint lies over, of all that one looks at while deciding.
COVERED = """() => {
  const told = document.querySelector(".told").getBoundingClientRect();
  const needed = ".seats .seat, .trick li, .altar .card, .altar .stock, .own, .hand, .numbers";
  return [...document.querySelectorAll(needed)]
    .map((one) => [one.className, one.getBoundingClientRect()])
    .filter(([, box]) =>
      Math.min(told.right, box.right) - Math.max(told.left, box.left) > 2 &&
      Math.min(told.bottom, box.bottom) - Math.max(told.top, box.top) > 2)
    .map(([name]) => name);
}"""


@pytest.mark.parametrize("language", ["en", "de", "hu"])
def test_a_hint_covers_nobody_on_a_small_phone(
    visit: Visit, house: ServerProcess, language: str
) -> None:
    visitor = visit("phone", locale=language, reduced_motion="reduce")
    code = arrange(house.data, visitor, {"rounds": "8"}, always_a_choice)
    page = visitor.open(f"/t/{code}")
    page.set_viewport_size({"width": 360, "height": 640})
    page.locator(".bid button").first.wait_for()
    page.keyboard.press("h")
    page.locator(".told").wait_for()
    assert page.evaluate(COVERED) == []
    page.keyboard.press("Escape")
    decide_until_play(page)
    page.keyboard.press("h")
    page.locator(".told").wait_for()
    assert page.evaluate(COVERED) == []


WHERE = """(parts) => parts.map((part) => {
  const { x, y, width, height } = document.querySelector(part).getBoundingClientRect();
  return [part, x, y, width, height].join(" ");
})"""


def test_a_hint_takes_the_place_of_the_coach_and_moves_nothing(visit: Visit) -> None:
    visitor = visit("phone", reduced_motion="reduce")
    page = visitor.open("/")
    page.get_by_role("button", name="Play now").click()
    page.locator(".bid button").first.wait_for()
    come_to_rest(page)
    parts = [".bid .numbers", ".altar", ".coach .box", ".own", ".hand"]
    before = page.evaluate(WHERE, parts)
    page.keyboard.press("h")
    told = page.get_by_role("region", name="Hint")
    told.wait_for()
    expect(page.locator(".coach .box p")).not_to_be_visible()
    assert page.evaluate(WHERE, parts) == before
    # Its numbers scroll, and leave the faces alone.
    told.get_by_text("All the numbers").click()
    told.locator("table").wait_for()
    assert edges(told)[1] >= edges(page.locator(".seats"))[3]
    assert page.evaluate(WHERE, parts) == before
    page.keyboard.press("Escape")
    expect(page.locator(".coach .box p")).to_be_visible()


def test_there_is_no_hint_among_people(visit: Visit) -> None:
    ana, ben = visit().named("Ana"), visit().named("Ben")
    code = ana.new_table(rules={"rounds": "3"}, bots=[None, None, "novice", "novice"])
    guest = ben.open(f"/t/{code}")
    guest.get_by_role("button", name="Sit down").first.click()
    host = ana.open(f"/t/{code}")
    host.get_by_role("button", name="Start").click()
    for page in (host, guest):
        expect(page.locator(".hand button").first).to_be_visible()
        expect(page.get_by_role("button", name="Hint")).to_have_count(0)
    answer = ana.context.request.get(f"{ana.url}/api/tables/{code}/hint?turn=1")
    assert answer.status == 409
    assert answer.json()["code"] == "no_hints"
