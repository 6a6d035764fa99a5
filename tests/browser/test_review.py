"""The review of a game, beside its replay."""

from __future__ import annotations

import re
from math import floor

import pytest
from playwright.sync_api import expect

from browser.axe import violations
from browser.conftest import Visit
from browser.layout import edges
from browser.robot import play_at_once

BOTS = [None, "novice", "novice", "novice"]


@pytest.fixture(scope="module")
def code(site: str) -> str:
    """A finished game."""
    return play_at_once(site, {"players": 4, "rounds": "1-6"}, BOTS)


def test_the_replay_shows_what_was_given_away(visit: Visit, code: str) -> None:
    visitor = visit(bypass_csp=True, reduced_motion="reduce")
    review = visitor.context.request.get(f"{visitor.url}/api/tables/{code}/review").json()
    steps = visitor.context.request.get(f"{visitor.url}/api/tables/{code}/replay").json()["steps"]
    acts = [step for step, one in enumerate(steps, start=1) if one["event"]["e"] == "act"]
    page = visitor.open(f"/r/{code}")
    panel = page.get_by_role("region", name="Review")
    for name in review["names"]:
        expect(panel.get_by_role("img", name="Points given away over the game")).to_be_visible()
        expect(panel.get_by_role("columnheader", name=name)).to_be_visible()

    # From one key moment of a player to the next; each says what would have been better.
    bad = [one for one in review["decisions"] if one["grade"] not in ("best", "good")]
    seat = bad[0]["seat"]
    marked = [
        review["decisions"][number]
        for number in sorted(review["worst"][seat] + review["finest"][seat])
    ]
    page.locator(".told").wait_for()
    page.keyboard.press(str(seat + 1))
    expect(page.locator(".scrubber s")).to_have_count(len(marked))
    back = page.get_by_role("button", name=re.compile("^Previous (mistake|good move)$"))
    onwards = page.get_by_role("button", name=re.compile("^Next (mistake|good move)$"))
    expect(back).to_be_disabled()
    for one in marked[:3]:
        expect(onwards).to_have_text("Next mistake" if one in bad else "Next good move")
        onwards.click()
        step = acts[one["number"]]
        page.wait_for_function("path => location.pathname === path", arg=f"/r/{code}/{step}")
        note = page.get_by_role("note", name="Review")
        expect(note).to_be_visible()
        if one in bad:
            cost = floor(one["cost"] + 0.5)  # as the browser rounds
            expect(note).to_contain_text(re.compile(rf"Gave away {cost} points?\."))
    assert violations(page) == []
    # Where nothing is to be said, the next one is announced; after the last there is none.
    page.set_viewport_size({"width": 390, "height": 844})
    ahead = page.get_by_role("button", name=re.compile("Next key moment"))
    page.keyboard.press("Home")
    ahead.focus()
    page.keyboard.press("Enter")
    first = acts[marked[0]["number"]]
    page.wait_for_function("path => location.pathname === path", arg=f"/r/{code}/{first}")
    # The button has gone: whoever pressed it is where it was, and hears what is there now.
    focused = page.locator(":focus")
    expect(focused.get_by_role("note", name="Review")).to_be_visible()
    page.keyboard.press("End")
    expect(onwards).to_be_disabled()
    expect(ahead).to_have_count(0)

    # The key moments of whoever is at the bottom are open, and link to their steps.
    worst = review["worst"][seat][0]
    panel.locator("details[open] .moment").first.click()
    page.wait_for_function("path => location.pathname === path", arg=f"/r/{code}/{acts[worst]}")
    assert violations(page) == []


def test_the_review_speaks_the_language_of_its_reader(visit: Visit, code: str) -> None:
    page = visit("phone", locale="de-DE").open(f"/r/{code}")
    panel = page.get_by_role("region", name="Rückblick")
    panel.wait_for()
    page.get_by_role("button", name=re.compile("^Nächster (Fehler|guter Zug)$")).click()
    expect(page.get_by_role("note", name="Rückblick")).to_be_visible()
    for details in panel.locator("summary").all():
        details.click()
    expect(panel).to_contain_text("Verschenkt")


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1440, 900)])
def test_what_the_review_says_has_its_own_place(
    visit: Visit, code: str, width: int, height: int
) -> None:
    """Whatever it says of a step, it covers nothing, and nothing moves."""
    visitor = visit(reduced_motion="reduce")
    page = visitor.page
    page.set_viewport_size({"width": width, "height": height})
    visitor.open(f"/r/{code}")
    page.get_by_role("region", name="Review").wait_for()
    sheet = page.locator(".tablet")
    top = edges(sheet)[1]
    onwards = page.get_by_role("button", name=re.compile("^Next (mistake|good move)$"))
    while onwards.is_enabled():
        onwards.click()
        note = page.get_by_role("note", name="Review")
        expect(note).to_be_in_viewport(ratio=1)
        assert edges(note)[3] < top
        assert edges(sheet)[1] == pytest.approx(top, abs=1)


def test_a_review_says_you_to_you_and_to_nobody_else(visit: Visit) -> None:
    visitor = visit().named("Ana")
    cookies = {one["name"]: one["value"] for one in visitor.context.cookies()}
    code = play_at_once(visitor.url, {"players": 4, "rounds": "1-3"}, BOTS, cookies=cookies)
    own = visitor.open(f"/r/{code}")
    names = [own.locator(".own .name"), own.locator(".tablet").get_by_role("columnheader").nth(1)]
    panel = own.get_by_role("region", name="Review")
    for name in (*names, panel.get_by_role("columnheader").first, panel.locator("summary").first):
        expect(name).to_contain_text("You")
    expect(own.get_by_label("Viewpoint").locator("option").nth(1)).to_have_text("As you saw it")
    expect(own.locator("main")).not_to_contain_text("Ana")
    # With somebody else at the bottom, one's own place says so too.
    own.get_by_role("button", name="Show from Ada’s side").click()
    expect(own.locator(".own .name")).to_have_text("Ada")
    expect(own.get_by_role("button", name="Show from your side")).to_be_visible()

    other = visit().open(f"{visitor.invitation(code)}".replace("/t/", "/r/").replace("#", "?as=0#"))
    other.get_by_role("region", name="Review").wait_for()
    expect(other.locator(".own .name")).to_have_text("Ana")
    expect(other.get_by_label("Viewpoint").locator("option").nth(1)).to_have_text("As Ana saw it")
    expect(other.locator("main")).not_to_contain_text(re.compile(r"\b[Yy]ou\b"))
