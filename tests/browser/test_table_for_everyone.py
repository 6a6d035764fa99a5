"""The table for everyone: keys only, screen readers, little motion, and reasons for refusals."""

from __future__ import annotations

import re
import time

import pytest
from playwright.sync_api import Page, expect

from browser.arranged import arrange, holds, plain
from browser.axe import violations
from browser.conftest import Visit
from browser.robot import PATIENCE, decide, decide_until_play, play
from foretold.deal import Deal
from server.process import ServerProcess

CALM = {"reduced_motion": "reduce"}


# Keys


def press_to_the_end(page: Page) -> set[str]:
    """A game with keys only; returns the keys pressed."""
    pressed: set[str] = set()
    deadline = time.monotonic() + PATIENCE

    def press(key: str) -> None:
        pressed.add(key)
        page.keyboard.press(key)

    while not page.get_by_role("button", name="Rematch").is_visible():
        assert time.monotonic() < deadline, "the game does not come to its end"
        if page.get_by_role("button", name="See the result").is_visible():
            tab_to(page, ".decision button")
            press("Enter")
        elif page.locator(".bid .numbers").is_visible():
            press("1")
        elif page.locator(".choices").is_visible():
            tab_to(page, ".choices button")
            press("Enter")
        elif page.locator(".hand .playable").count():
            press("ArrowRight" if "ArrowLeft" in pressed else "ArrowLeft")
            if page.locator(".hand button:focus .playable").count():
                press("Enter")
        else:
            page.wait_for_timeout(40)
    return pressed


def close(page: Page) -> None:
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def tab_to(page: Page, where: str) -> None:
    for _ in range(60):
        if page.locator(f"{where}:focus").count() or not page.locator(where).count():
            return
        page.keyboard.press("Tab")
    pytest.fail(f"the tab key never comes to {where}")


def test_a_whole_game_by_the_keyboard_alone(visit: Visit, house: ServerProcess) -> None:
    visitor = visit("desktop", hurried=True, **CALM)
    rules = {"edition": "anniversary", "players": 3, "rounds": "2,3"}
    code = arrange(house.data, visitor, rules, holds(0, "WE"), holds(0, "SH"))
    page = visitor.open(f"/t/{code}")
    page.get_by_role("group", name="Your Werewolf lets you name the trump.").wait_for()
    dialogs = page.get_by_role("dialog")

    page.keyboard.press("?")
    expect(dialogs).to_contain_text("Keys")
    close(page)
    page.keyboard.press("l")
    expect(page.locator(".line .note")).to_have_text("No trick has been completed yet.")
    page.keyboard.press("t")
    expect(page.get_by_role("complementary", name="Tablet")).to_be_focused()
    page.keyboard.press("ArrowRight")  # scrolls the Tablet and lifts no card
    expect(page.locator(".hand .lifted")).to_have_count(0)

    pressed = press_to_the_end(page)
    assert {"ArrowLeft", "ArrowRight", "Enter", "1"} <= pressed
    answer = visitor.context.request.get(f"{visitor.url}/api/tables/{code}/replay")
    events = [step["event"] for step in answer.json()["steps"]]
    mine = [one["action"].split()[0] for one in events if one["e"] == "act" and one["seat"] == 0]
    assert mine.count("play") == 2 + 3
    assert mine.count("bid") == 2


def test_a_bid_of_two_digits(visit: Visit, house: ServerProcess) -> None:
    visitor = visit("desktop", **CALM)
    code = arrange(house.data, visitor, {"players": 3, "rounds": "12"}, plain)
    page = visitor.open(f"/t/{code}")
    expect(page.get_by_role("button", name="Bid 12")).to_be_visible()
    page.keyboard.type("12")
    expect(page.locator(".own")).to_contain_text("/12")


# Refusals


def one_to_follow(deal: Deal) -> bool:
    """Seat 1 leads its only suit, and seat 0 has one card of it and one of another."""
    own, first, _ = deal.hands
    suits = {card.suit for card in first}
    held = [card.suit for card in own]
    return (
        plain(deal)
        and len(suits) == 1
        and None not in suits | set(held)
        and sum(suit in suits for suit in held) == 1
    )


def test_a_card_that_may_not_be_played_says_why(visit: Visit, house: ServerProcess) -> None:
    visitor = visit("phone", **CALM)
    code = arrange(house.data, visitor, {"players": 3, "rounds": "2"}, one_to_follow)
    page = visitor.open(f"/t/{code}")
    page.get_by_role("button", name="Bid 1").click()
    barred = page.locator(".hand button:not(:has(.playable))")
    expect(page.locator(".hand .playable")).to_have_count(1)
    expect(barred).to_have_count(1)
    reason = re.compile(r"You must follow (blue|green|red|yellow)\.")
    expect(barred).to_have_accessible_name(reason)
    for _ in range(2):
        play(barred)
        expect(page.locator(".line")).to_contain_text(reason)
    expect(page.get_by_role("alert")).to_have_text(reason)
    expect(page.get_by_role("button", name=re.compile("^Play "))).to_have_count(0)
    expect(page.locator(".hand button")).to_have_count(2)
    expect(page.locator(".trick li")).to_have_count(2)


def others_are_poor(deal: Deal) -> bool:
    """Nobody but seat 0 would bid a trick."""
    return plain(deal) and all(
        card.suit not in (None, deal.turned and deal.turned.suit) and int(card.code[1:]) < 6
        for hand in deal.hands[1:]
        for card in hand
    )


def test_a_bid_that_may_not_be_made_is_struck_through(visit: Visit, house: ServerProcess) -> None:
    visitor = visit("phone", **CALM)
    rules = {"players": 3, "rounds": "2", "bid_rule": "plus_minus_one"}
    page = visitor.open(f"/t/{arrange(house.data, visitor, rules, others_are_poor)}")
    barred = page.locator(".bid .barred")
    expect(barred).to_have_count(1)
    expect(barred).to_have_attribute("aria-disabled", "true")
    expect(barred).to_have_css("text-decoration-line", "line-through")
    reason = "The bids may not add up to 2 here."
    expect(page.get_by_role("group", name="Your bid")).to_contain_text(reason)
    number = barred.inner_text()
    barred.click(force=True)  # it is not enabled, but says why
    expect(page.locator(".line")).to_contain_text(reason)
    page.keyboard.press(number)
    expect(page.get_by_role("alert")).to_have_text(re.compile(re.escape(reason)))
    expect(barred).to_be_visible()
    page.locator(".bid button:not(.barred)").first.click()
    expect(page.get_by_role("group", name="Your bid")).to_have_count(0)


# Eyes and ears


def test_ears_alone_follow_the_game(visit: Visit, house: ServerProcess) -> None:
    visitor = visit("phone", **CALM)
    code = arrange(house.data, visitor, {"players": 3, "rounds": "2,1"}, plain, plain)
    visitor.page.add_init_script(
        """addEventListener("DOMContentLoaded", () => {
          window.heard = [];
          new MutationObserver(() => {
            for (const { textContent: told } of document.querySelectorAll("[aria-live]"))
              if (told && window.heard.at(-1) !== told) window.heard.push(told);
          }).observe(document.body, { childList: true, characterData: true, subtree: true });
        })"""
    )
    page = visitor.open(f"/t/{code}")
    page.get_by_role("button", name="Bid 1").click()
    for left in (1, 0):
        page.locator(".hand .playable").first.wait_for()
        decide(page)
        expect(page.locator(".hand button")).to_have_count(left or 1)
    # By now something else may be announced.
    page.wait_for_function("heard.some((told) => told.includes('Round 2: 1 card.'))")
    heard = " ".join(page.evaluate("window.heard"))
    for sentence in (
        r"How many tricks will you take\?",
        r"Bram bids \d\.",
        r"You bid 1\.",
        r"Bram plays (the (blue|green|red|yellow) \d+|a (Wizard|Jester))\.",
        r"Your turn",
        r"You play (the (blue|green|red|yellow) \d+|a (Wizard|Jester))\.",
        r"(You take|Bram takes|Cleo takes) the trick\.",
        r"Round over\. You bid 1 and took \d: .\d+ points\.",
        r"Bram deals\.",
        r"Turned up: \w+ \d+\.",
    ):
        assert re.search(sentence, heard), (sentence, heard)


def test_the_title_tells_whose_turn_it_is(visit: Visit, house: ServerProcess) -> None:
    visitor, guest = visit("phone", **CALM), visit("phone", **CALM)
    code = arrange(house.data, visitor, {"players": 3, "rounds": "4"}, plain, pace=3000)
    page, theirs = visitor.open(f"/t/{code}"), guest.open(f"/t/{code}")
    expect(page).to_have_title(re.compile(f"Table {code}"))
    page.get_by_role("button", name="Bid 1").wait_for()
    expect(page).to_have_title(re.compile("Your turn"))
    expect(theirs).to_have_title(re.compile(f"Table {code}"))
    page.get_by_role("button", name="Bid 1").click()
    expect(page).to_have_title(re.compile(f"Table {code}"))


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_cards_hold_still_under_reduced_motion(
    visit: Visit, house: ServerProcess, motion: str
) -> None:
    visitor = visit("phone", reduced_motion=motion)
    code = arrange(house.data, visitor, {"players": 3, "rounds": "2"}, plain)
    visitor.page.add_init_script(
        """window.moved = new Set();
        const animate = Element.prototype.animate;
        Element.prototype.animate = function (frames, ...rest) {
          for (const frame of [frames].flat())
            for (const [name, value] of Object.entries(frame ?? {}))
              if (value !== "none") window.moved.add(name);
          return animate.call(this, frames, ...rest);
        };"""
    )
    page = visitor.open(f"/t/{code}")
    page.get_by_role("button", name="Bid 1").click()
    page.locator(".hand .playable").first.wait_for()
    decide(page)
    expect(page.locator(".hand button")).to_have_count(1)
    moved = set(page.evaluate("[...window.moved]"))
    assert "opacity" in moved
    assert ("translate" in moved) == (motion != "reduce")
    travel = page.evaluate("getComputedStyle(document.body).getPropertyValue('--travel')")
    assert (float(travel) == 0) == (motion == "reduce")


def test_axe_finds_nothing_on_a_desktop(visit: Visit, house: ServerProcess) -> None:
    visitor = visit("desktop", bypass_csp=True, **CALM)
    code = arrange(house.data, visitor, {"players": 6, "rounds": "3"}, plain)
    page = visitor.open(f"/t/{code}")
    page.get_by_role("button", name="Bid 1").click()
    page.locator(".hand .playable").first.wait_for()
    assert violations(page, "desktop") == []


def test_axe_finds_nothing_on_a_phone(visit: Visit, house: ServerProcess) -> None:
    visitor = visit("phone", hurried=True, bypass_csp=True, **CALM)
    code = arrange(house.data, visitor, {"players": 4, "rounds": "2,3"}, plain, holds(0, "W"))
    page = visitor.open(f"/t/{code}")
    found: dict[str, list[str]] = {}

    def look(at: str) -> None:
        found[at] = violations(page, "phone")

    page.get_by_role("button", name="Bid 1").wait_for()
    look("bidding")
    page.get_by_role("button", name="Bid 1").click()
    for _ in range(2):
        page.locator(".hand .playable").first.wait_for()
        decide(page)
    page.locator(".bid button, .choices button").first.wait_for()
    decide_until_play(page)
    look("play")
    page.keyboard.press("l")
    page.locator(".recalled").wait_for()
    look("Last trick")
    page.keyboard.press("Escape")
    for key, name in {"s": "Say something", "?": "Keys and help"}.items():
        page.keyboard.press(key)
        page.get_by_role("dialog", name=name).wait_for()
        look(name)
        close(page)
    page.get_by_role("button", name="Tablet").click()
    page.get_by_role("dialog").get_by_role("table").wait_for()
    look("Tablet")
    close(page)
    for name in ("Rules of this table", "Fair deals", "Leave the table"):
        page.get_by_role("button", name="Menu").click()
        page.get_by_role("dialog", name="Menu").wait_for()
        if name == "Rules of this table":
            look("Menu")
        page.get_by_role("button", name=name).click()
        page.get_by_role("dialog", name=name).wait_for()
        look(name)
        close(page)
    assert found == {at: [] for at in found}
