"""The course at its tables, by keyboard alone, and the rules of every edition and table."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.axe import violations
from browser.conftest import Visit
from browser.layout import LIES_ON, come_to_rest, edges
from browser.robot import hurry
from browser.visitor import Visitor

PATIENCE = 90.0
"""Seconds for a lesson: its bots take their time, so that one can follow."""

PACE = 30
"""Milliseconds for bots: at the site's pace, most of the time would be waiting."""

NUMBERS = ("players", "rounds")
"""Options whose values an edition's rules explain."""


# Everything the coach says, as a learner sees it: between two questions from here a line may come
# and go, such as that about the last trick of a round.
_LISTEN = """() => {
  window.heard = [];
  const hear = () => {
    const said = document.querySelector(".coach p")?.innerText ?? "";
    if (said && !window.heard.includes(said)) window.heard.push(said);
  };
  new MutationObserver(hear).observe(document.body, {
    childList: true, characterData: true, subtree: true,
  });
  hear();
}"""

# What the coach says (nothing if there is none, as after the last card) and asks, read
# at one moment; or that the lesson is done. Waited for in the page: asking it again and again would
# keep a core busy.
_MOMENT = """async (before) => {
  const end = performance.now() + 1000;
  for (;;) {
    await new Promise((done) => setTimeout(done, 20));
    const said = document.querySelector(".coach p")?.innerText ?? "";
    const asked = [
      ".coach .next", ".result .next", ".bid button", ".choices button", ".hand .playable",
    ].find((one) => document.querySelector(one)?.checkVisibility());
    const done = document.querySelector("h1")?.innerText.startsWith("Lesson done") ?? false;
    const news = done || (said && (asked || said !== before));
    if (news || performance.now() >= end) return { said, asked, done };
  }
}"""


def begin(page: Page) -> None:
    page.locator(".coach").wait_for()
    page.wait_for_url("**/t/*")
    page.evaluate(_LISTEN)
    hurry(page, PACE)


def keyboard_to_the_end(page: Page, bids: list[int]) -> list[str]:
    """Does whatever the coach asks, with keys alone; returns everything that was said."""
    wanted = list(bids)
    deadline = time.monotonic() + PATIENCE
    said = ""
    while True:
        assert time.monotonic() < deadline, f"the lesson does not end: {said}"
        moment = page.evaluate(_MOMENT, said)
        if moment["done"]:
            heard: list[str] = page.evaluate("window.heard")
            return heard
        said = moment["said"]
        asked = moment.get("asked") if said else None
        if asked == ".coach .next":
            page.keyboard.press("n")
        elif asked == ".result .next":
            page.keyboard.press("Enter")
        elif asked == ".bid button":
            page.keyboard.press(str(wanted.pop(0) if wanted else 1))
        elif asked == ".choices button":
            _tab_to(page, ".choices button")
            page.keyboard.press("Enter")
        elif asked == ".hand .playable":
            _play(page)


def _play(page: Page) -> None:
    """Plays the card that the coach points at, or the first playable one."""
    for _ in range(12):
        page.keyboard.press("ArrowRight")
        lifted = page.locator(".hand .lifted")
        pointed = page.locator(".hand .pointed:has(.playable)").count() > 0
        if not lifted.count():
            return
        if lifted.locator(".playable").count() and (
            not pointed or page.locator(".hand .lifted.pointed").count()
        ):
            page.keyboard.press("Enter")
            return


def _tab_to(page: Page, selector: str) -> None:
    for _ in range(60):
        if page.evaluate("(one) => document.activeElement?.matches(one)", selector):
            return
        page.keyboard.press("Tab")
    pytest.fail(f"the tab key never comes to {selector}")


def test_the_tour_by_keyboard_alone(visit: Visit) -> None:
    """From the first trick to the first game, each lesson leading to the next."""
    visitor = visit(hurried=True, bypass_csp=True, reduced_motion="reduce")  # axe needs that
    page = visitor.open("/learn")
    start = page.get_by_role("link", name="Start the first lesson")
    start.wait_for()
    _tab_to(page, "main a.gold")
    page.keyboard.press("Enter")
    for lesson, bids, words in (
        ("Tricks", [1], "must follow"),
        ("Trump", [1], "Green is trump"),
        ("Wizards and Jesters", [2], "A Jester takes nothing"),
        ("Foretelling", [2], "20 points, plus 10"),
        ("A first game", [1, 1, 1], "The deal moves to the left"),
    ):
        begin(page)
        expect(page.locator(".coach header")).to_contain_text(lesson)
        heard = " ".join(keyboard_to_the_end(page, bids))
        assert words in heard
        expect(page.get_by_role("heading", level=1)).to_have_text(f"Lesson done: {lesson}")
        expect(page.get_by_role("heading", level=1)).to_be_focused()
        assert "Exactly as foretold!" in page.locator("main").inner_text()
        assert lesson != "Tricks" or violations(page) == []
        onward = page.get_by_role("link", name="Next lesson")
        onward.wait_for()
        page.keyboard.press("Tab")
        expect(onward).to_be_focused()
        page.keyboard.press("Enter")
    begin(page)
    expect(page.locator(".coach header")).to_contain_text("Shapeshifter")
    page.goto(page.url.split("/t/")[0] + "/learn")
    expect(page.get_by_text("5 of 20 lessons done")).to_be_visible()
    expect(page.get_by_role("link", name="Continue: Shapeshifter")).to_be_visible()


def test_a_special_card_on_the_telephone(visit: Visit) -> None:
    page = visit("phone", hurried=True).open("/learn/bomb")
    begin(page)
    heard = keyboard_to_the_end(page, [0])
    assert any("drop the Bomb" in line for line in heard)
    assert any(line.startswith("Gone!") for line in heard)
    expect(page.get_by_text("counts for no one")).to_be_visible()


def test_a_variant_whose_rule_falls_on_the_pupil(visit: Visit) -> None:
    page = visit(hurried=True).open("/learn/leader_uneven")
    begin(page)
    heard = keyboard_to_the_end(page, [1, 3])
    assert any("So 2 is struck through" in line for line in heard)


def test_a_lesson_is_resumed_where_it_was_left(visit: Visit) -> None:
    page = visit("phone").open("/learn/trump")
    begin(page)
    table = page.url
    page.locator(".bid button").first.wait_for()
    page.keyboard.press("1")
    # It is her turn, so the coach speaks of the cards that lie there, and looks back if asked.
    page.get_by_text("played a Jester, which sets no suit").wait_for()
    page.keyboard.press("b")
    page.get_by_text("You foretold 1 trick").wait_for()
    page.reload()
    expect(page.locator(".coach p")).to_contain_text("played a Jester, which sets no suit")

    page.goto(table.split("/t/")[0] + "/learn")
    expect(page.get_by_text("In progress")).to_be_visible()
    page.get_by_role("link", name="Continue: Trump").click()
    page.wait_for_url(table)
    expect(page.locator(".coach p")).to_contain_text("played a Jester, which sets no suit")


def test_a_lesson_can_be_skipped_and_is_not_among_my_games(visit: Visit) -> None:
    page = visit("phone").open("/learn/tricks")
    begin(page)
    page.get_by_role("link", name="Skip lesson").click()
    expect(page.locator(".coach header")).to_contain_text("Trump")
    page.goto(page.url.split("/t/")[0] + "/games")
    expect(page.get_by_role("link", name="Play now")).to_be_visible()
    expect(page.locator("article")).to_have_count(0)


def test_an_unknown_lesson_is_explained(visit: Visit) -> None:
    visitor = visit("phone")
    visitor.expected.append("404")
    page = visitor.open("/learn/poker")
    expect(page.get_by_role("heading", level=1)).to_have_text("The lesson didn’t start")
    page.get_by_role("link", name="All lessons").click()
    expect(page.get_by_role("link", name="Start the first lesson")).to_be_visible()


# Whether there has been a hand without a coach, which would then push it away.
ALONE = """
  const one = (name) => document.querySelector(name) !== null;
  window.alone = false;
  new MutationObserver(() => (window.alone ||= one(".hand") && !one(".coach"))).observe(
    document, { childList: true, subtree: true },
  );
"""


def test_the_coach_is_there_with_the_table(visit: Visit) -> None:
    visitor = visit("phone")
    visitor.context.add_init_script(ALONE)
    page = visitor.open("/learn/trump")
    begin(page)
    page.reload()
    page.locator(".coach").wait_for()
    assert not page.evaluate("window.alone")


def test_the_coach_covers_nothing_on_a_small_screen(visit: Visit) -> None:
    page = visit("phone").open("/learn/werewolf")
    begin(page)
    page.locator(".choices button").first.wait_for()
    coach_box = page.locator(".coach").bounding_box()
    assert coach_box is not None
    for part in (".seats", ".hand", ".choices"):
        box = page.locator(part).first.bounding_box()
        assert box is not None
        above, below = sorted((box, coach_box), key=lambda one: one["y"])
        assert above["y"] + above["height"] <= below["y"], f"the coach covers {part}"
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.evaluate("document.documentElement.scrollHeight") <= 740


@pytest.mark.parametrize("language", ["en", "de", "hu"])
def test_on_a_large_screen_the_coach_sits_beside_the_table(visit: Visit, language: str) -> None:
    page = visit("desktop", locale=language, reduced_motion="reduce").open("/learn/foretelling")
    page.locator(".coach .next").wait_for()
    for size in ((1280, 800), (1440, 900)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        come_to_rest(page)
        words, header = page.locator(".coach p"), page.locator(".coach header")
        for part in (".scroll", ".near", ".board", ".bar"):
            assert page.evaluate(LIES_ON, [".coach", part, 0]) == [], part
        box = words.bounding_box()
        assert box is not None
        assert box["width"] >= 235
        assert edges(page.locator(".coach"))[2] <= edges(page.locator(".scroll"))[2]
        # The name and the way out share a line, and the buttons lie below the words.
        lines = header.evaluate(
            "(one) => one.offsetHeight / parseFloat(getComputedStyle(one).lineHeight)"
        )
        assert lines < 2
        button = page.locator(".coach .next").bounding_box()
        assert button is not None
        assert button["y"] >= box["y"] + box["height"]


# Whether the coach speaks as soon as there are cards.
HASTY = """
  const look = () => {
    const box = document.querySelector(".coach .box");
    if (box === null || document.querySelector(".hand .lay") === null) requestAnimationFrame(look);
    else window.hasty = box.checkVisibility({ visibilityProperty: true });
  };
  requestAnimationFrame(look);
"""


def test_the_coach_is_silent_until_trump_is_turned(visit: Visit) -> None:
    visitor = visit("phone")
    visitor.context.add_init_script(HASTY)
    page = visitor.open("/learn/trump")
    begin(page)
    expect(page.locator(".coach .box")).to_be_visible()
    expect(page.locator(".coach p")).to_contain_text("Green is trump")
    assert page.evaluate("hasty") is False


def test_one_button_at_a_time_is_gold(visit: Visit) -> None:
    page = visit("phone", reduced_motion="reduce").open("/learn/trump")
    begin(page)
    following = page.locator(".coach .next")
    page.locator(".bid button").first.wait_for()
    expect(following).to_be_visible()
    expect(following).not_to_have_class(re.compile("gold"))


def test_a_refusal_leads_to_its_rule(visit: Visit) -> None:
    page = visit("phone").open("/learn/tricks")
    begin(page)
    page.locator(".bid button").first.wait_for()
    page.keyboard.press("1")
    page.locator(".hand .dimmed").wait_for()
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Why?").click()
    drawer = page.get_by_role("dialog", name="Rules of this table")
    expect(drawer.locator(".now")).to_have_text("You must follow blue.")
    rule = drawer.locator("[data-rule=follow]")
    expect(rule).to_be_in_viewport()
    expect(rule).to_contain_text("The first card with a suit sets the suit to follow.")
    page.get_by_role("link", name="Open as a page").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Rules of table")
    expect(page.locator("main")).to_contain_text("3 people play at this table.")
    page.get_by_role("link", name="Go to the table").click()
    begin(page)


def test_the_rules_of_every_edition(visit: Visit) -> None:
    visitor = visit("phone")
    offer = visitor.context.request.get(f"{visitor.url}/api/options").json()
    assert offer["editions"]
    for edition in offer["editions"]:
        _look_at_rules(visitor, edition)


def _look_at_rules(visitor: Visitor, found: dict[str, Any]) -> None:
    edition = found["name"]
    page = visitor.open(f"/rules/{edition}#follow")
    page.locator("#variants").wait_for()
    expect(page.locator("#follow")).to_be_in_viewport()
    links = page.locator("nav ol a").all()
    assert len(links) >= 7
    for link in links:
        address = link.get_attribute("href")
        assert address is not None
        assert page.locator(address).count() == 1
    shown = page.locator("article").inner_text()
    assert ("Dragon is stronger" in shown) == bool(found["rules"]["specials"])
    assert ("draws one of the sixty cards" in shown) == (edition == "fisher")
    assert page.locator("#variants ~ div h3").count() == len(found["variants"])
    assert page.locator("[role=img]").count() >= 5
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_every_option_is_told(visit: Visit) -> None:
    visitor = visit()
    offer = visitor.context.request.get(f"{visitor.url}/api/options").json()["options"]
    page = visitor.open("/rules")
    page.locator("#options").wait_for()
    told = page.locator("[aria-labelledby=options] dd").all_inner_texts()
    values = [
        v for name, one in offer.items() if name not in ("players", "rounds") for v in one["values"]
    ]
    assert len(told) == len(values)
    assert all(len(text) > 20 for text in told)
    page.get_by_role("link", name="25-year edition").click()
    expect(page.get_by_role("heading", name="Dragon", exact=True)).to_be_visible()


def test_an_unknown_edition_is_explained(visit: Visit) -> None:
    visitor = visit("phone")
    visitor.expected.append("422")
    page = visitor.open("/rules/bridge")
    expect(page.get_by_role("link", name="All the rules").last).to_be_visible()


def test_learning_pages_are_clean(visit: Visit) -> None:
    visitor = visit(hurried=True, bypass_csp=True, reduced_motion="reduce")
    found = {}
    for path, ready in {
        "/learn": "progress",
        "/rules": "#options",
        "/rules/anniversary": "#variants",
        "/rules/fisher": "#variants",
    }.items():
        page = visitor.open(path)
        page.locator(f"main {ready}").first.wait_for()
        found[path] = violations(page)
    page = visitor.open("/learn/tricks")
    begin(page)
    page.locator(".bid button").first.wait_for()
    found["the coach"] = violations(page)
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Rules of this table").click()
    page.locator("[data-rule=follow]").wait_for()
    found["the rules of the table"] = violations(page)
    assert found == {name: [] for name in found}


def test_nothing_is_wider_than_a_small_screen(visit: Visit) -> None:
    visitor = visit("narrow")
    for path in ("/learn", "/learn/foretelling", "/rules", "/rules/anniversary"):
        page = visitor.open(path)
        page.locator("progress, .bid button, #options, #variants").first.wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, path
