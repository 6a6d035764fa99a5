"""Every card explains itself where it is: under a mouse, a finger and the keys."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from browser.arranged import arrange, plain
from browser.conftest import Visit
from browser.layout import come_to_rest, edges
from browser.robot import EDGE, decide_until_play
from foretold.deal import Deal
from server.process import ServerProcess


def test_a_tip_leaves_the_own_bid_in_view(visit: Visit, house: ServerProcess) -> None:
    visitor = visit("phone", reduced_motion="reduce")
    code = arrange(house.data, visitor, {"players": 4, "rounds": "5"}, plain)
    page = visitor.open(f"/t/{code}")
    decide_until_play(page)
    card = page.locator(".hand button").first
    at = {"pointerType": "touch", "button": 0, "clientX": 30, "clientY": 600}
    card.dispatch_event("pointerdown", at)
    tip, own = page.get_by_role("tooltip"), page.locator(".own")
    tip.wait_for()
    come_to_rest(page)
    words, bid = tip.bounding_box(), own.bounding_box()
    assert words is not None
    assert bid is not None
    assert words["y"] >= 0
    assert words["y"] + words["height"] <= bid["y"]
    # A finger hides its card, so that it is shown above the words, and larger.
    shown = tip.locator(".large").bounding_box()
    held = card.bounding_box()
    assert held is not None
    assert shown is not None
    assert shown["width"] > 1.5 * held["width"]
    middle = max(held["x"] + held["width"] / 2, words["width"] / 2 + 8)
    assert words["x"] + words["width"] / 2 == pytest.approx(middle, abs=6)


def test_a_card_rises_to_the_mouse_and_one_lifted_by_the_keys_drops(
    visit: Visit, house: ServerProcess
) -> None:
    visitor = visit("desktop")
    code = arrange(house.data, visitor, {"players": 4, "rounds": "7"}, plain)
    page = visitor.open(f"/t/{code}")
    decide_until_play(page)
    come_to_rest(page)
    first, last = page.locator(".hand button").first, page.locator(".hand button").last
    rests = edges(last.locator(".lay"))[1]
    page.keyboard.press("ArrowRight")
    expect(first).to_have_attribute("aria-pressed", "true")
    last.hover(position=EDGE)
    expect(first).to_have_attribute("aria-pressed", "false")
    come_to_rest(page)
    assert 12 <= rests - edges(last.locator(".lay"))[1] <= 20


@pytest.mark.parametrize("language", ["en", "de", "hu"])
def test_a_tip_lies_above_its_card_where_a_mouse_points(
    visit: Visit, house: ServerProcess, language: str
) -> None:
    """It covers neither the card nor what is asked above one's own place."""

    def barred(deal: Deal) -> bool:
        own, leads, *_ = ([card.suit for card in hand] for hand in deal.hands)
        return plain(deal) and len({*own} - {None}) == 4 and None not in leads

    visitor = visit("desktop", locale=language, reduced_motion="reduce")
    code = arrange(house.data, visitor, {"players": 4, "rounds": "7"}, barred)
    page = visitor.open(f"/t/{code}")
    decide_until_play(page)
    tip = page.get_by_role("tooltip")
    for kind in (".playable", ".dimmed"):
        card = page.locator(f".hand button:has({kind})").first
        card.hover(position=EDGE)
        tip.wait_for()
        come_to_rest(page)
        words, held = edges(tip), edges(card.locator(".lay"))
        asked = edges(page.locator(".line .prompt"))
        assert asked[3] <= words[1]
        assert words[3] <= held[1]
        if kind == ".dimmed":
            _, reason = card.locator(".visually-hidden").inner_text().split(". ", 1)
            expect(tip).to_contain_text(reason)
        # Whoever goes on with the keys has read it.
        page.keyboard.press("Tab")
        expect(tip).to_have_count(0)


def test_a_card_dealt_below_a_resting_mouse_explains_nothing(
    visit: Visit, house: ServerProcess
) -> None:
    visitor = visit("desktop", reduced_motion="reduce")
    # The mouse need not rest.
    visitor.context.add_init_script(
        "const wait = setTimeout; setTimeout = (then, delay, ...rest) =>"
        " delay === 450 ? then() : wait(then, delay, ...rest);"
    )
    code = arrange(house.data, visitor, {"players": 3, "rounds": "1,1"}, plain, plain)
    page = visitor.open(f"/t/{code}")
    decide_until_play(page)
    card = page.locator(".hand button")
    card.hover(position=EDGE)
    page.get_by_role("tooltip").wait_for()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Round 2").focus()
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Round 2 of 2").wait_for()
    card.wait_for()
    come_to_rest(page)
    expect(page.get_by_role("tooltip")).to_have_count(0)
    card.hover(position={"x": EDGE["x"] + 9, "y": EDGE["y"] + 9})
    page.get_by_role("tooltip").wait_for()
