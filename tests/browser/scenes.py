"""Every screen of the site, ready for a picture."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from playwright.sync_api import Browser, BrowserContext, Page

from browser.arranged import arrange, holds, plain, wins_the_rest
from browser.robot import click_once, decide, decide_until_play, play, play_at_once
from browser.sheets import FOUR, new_sheet, write_round
from browser.visitor import Visitor
from foretold.deal import Deal
from server.process import ServerProcess

SIZES: Final = {
    "touch": ((360, 640), (390, 844), (820, 1180)),
    "mouse": ((1440, 900), (1920, 1080)),
}
BOTS: Final[list[str | None]] = [None, "adept", "adept", "adept"]

# The language changes while the page is open, and what is shown for some seconds stays.
HOLD: Final = """
  window.spoken = "en";
  Object.defineProperty(Navigator.prototype, "languages", { get: () => [window.spoken] });
  const wait = setTimeout;
  setTimeout = (then, delay, ...rest) =>
    wait(then, delay >= 2000 ? delay * 1000 : delay, ...rest);
"""


@dataclass
class Studio:
    """A server, a browser, and a new visitor for each scene."""

    browser: Browser
    server: ServerProcess

    def visitor(self, kind: str) -> Visitor:
        width, height = SIZES[kind][0]
        touch = kind == "touch"
        context = self.browser.new_context(
            viewport={"width": width, "height": height},
            has_touch=touch,
            is_mobile=touch,
            locale="en-GB",
            reduced_motion="reduce",
        )
        context.add_init_script(HOLD)
        return Visitor(context, context.new_page(), self.server.url)

    def arranged(self, visitor: Visitor, rules: dict[str, Any], *wishes: Any) -> Page:
        code = arrange(self.server.data, visitor, rules, *wishes)
        return visitor.open(f"/t/{code}")

    def in_round(self, visitor: Visitor, number: int) -> Page:
        """The bidding of a round of an ordinary game."""
        visitor.named("Ana")
        cookies = {one["name"]: one["value"] for one in visitor.context.cookies()}
        site, rules = self.server.url, {"players": 4}
        code = play_at_once(site, rules, BOTS, cookies=cookies, until_round=number, timid=True)
        return visitor.open(f"/t/{code}")


def bidding_of(number: int) -> Callable[[Studio, Visitor], Page]:
    def scene(studio: Studio, visitor: Visitor) -> Page:
        page = studio.in_round(visitor, number)
        page.locator(".bid button, .choices button").first.wait_for()
        return page

    return scene


def trick_of(number: int) -> Callable[[Studio, Visitor], Page]:
    def scene(studio: Studio, visitor: Visitor) -> Page:
        page = studio.in_round(visitor, number)
        decide_until_play(page)
        for _ in range(8 if number > 5 else 0):
            if page.locator(".trick li").count() > 1:
                break
            decide(page)
            decide_until_play(page)
        return page

    return scene


def home_new(studio: Studio, visitor: Visitor) -> Page:
    page = visitor.open("/")
    page.wait_for_load_state("networkidle")
    return page


def home_returning(studio: Studio, visitor: Visitor) -> Page:
    studio.in_round(visitor, 3).locator(".hand button").first.wait_for()
    return home_new(studio, visitor)


def question(code: str, name: str) -> Callable[[Studio, Visitor], Page]:
    """What a special card asks for when it is played."""

    def scene(studio: Studio, visitor: Visitor) -> Page:
        rules = {"edition": "anniversary", "players": 4, "rounds": "6"}

        def wish(deal: Deal) -> bool:
            return plain(deal) and holds(0, code)(deal)

        page = studio.arranged(visitor, rules, wish)
        decide_until_play(page)
        card = page.get_by_role("button", name=f"{name}, playable")
        for _ in range(6):
            if card.count():
                break
            decide(page)
            decide_until_play(page)
        card.focus()
        page.keyboard.press("Enter")
        page.locator(".choices button").first.wait_for()
        return page

    return scene


def trump_choice(studio: Studio, visitor: Visitor) -> Page:
    def wish(deal: Deal) -> bool:
        return deal.turned is not None and deal.turned.code == "W"

    page = studio.arranged(visitor, {"players": 4, "rounds": "6"}, wish)
    page.locator(".choices button").first.wait_for()
    return page


def passing(studio: Studio, visitor: Visitor) -> Page:
    page = question("JU", "Juggler")(studio, visitor)
    page.locator(".choices button").first.click()
    page.wait_for_function("() => /pass/i.test(document.querySelector('.line')?.textContent ?? '')")
    return page


def cloud_taken(studio: Studio, visitor: Visitor) -> Page:
    def wish(deal: Deal) -> bool:
        (own,), *others = deal.hands
        return (
            own.code == "CL"
            and plain(deal)
            and all(hand[0].suit not in (None, deal.turned and deal.turned.suit) for hand in others)
        )

    page = studio.arranged(visitor, {"edition": "anniversary", "players": 3, "rounds": "1"}, wish)
    decide_until_play(page)
    trump = page.locator(".trump .emblem").inner_text().split()[0]
    play(page.locator(".hand button").first)
    page.locator(".choices").get_by_role("button", name=trump).click()
    page.locator(".choices, .bid").get_by_role("button").first.wait_for()
    return page


def hint_bid(studio: Studio, visitor: Visitor) -> Page:
    page = studio.in_round(visitor, 8)
    page.locator(".bid button, .choices button").first.wait_for()
    page.keyboard.press("h")
    page.locator(".told p").first.wait_for()
    return page


def hint_card(studio: Studio, visitor: Visitor) -> Page:
    rules = {"players": 4, "rounds": "8"}
    page = studio.arranged(visitor, rules, lambda deal: plain(deal) and holds(0, "W", "J")(deal))
    decide_until_play(page)
    page.keyboard.press("h")
    page.locator(".told p").first.wait_for()
    return page


def claim(studio: Studio, visitor: Visitor) -> Page:
    page = studio.arranged(visitor, {"players": 3, "rounds": "3"}, wins_the_rest)
    decide_until_play(page)
    decide(page)
    page.locator(".claim").wait_for()
    return page


def with_a_friend(studio: Studio, visitor: Visitor, **settings: Any) -> tuple[Page, Page]:
    """A game that has just begun, by the host and by a friend, who bids first."""
    friend = visitor.context.browser
    assert friend is not None
    guest = Visitor(*new_page(friend), studio.server.url).named("Bo")
    rules = {"players": 4, "rounds": "5", "dealer_by": "seat"}
    code = visitor.named("Ana").new_table(
        rules=rules, settings=settings, bots=[None, None, "adept", "adept"]
    )
    page, theirs = visitor.open(f"/t/{code}"), guest.open(visitor.invitation(code))
    theirs.get_by_role("button", name="Sit down").click()
    page.get_by_role("button", name="Start the game").click()
    theirs.locator(".hand button").first.wait_for()
    return page, theirs


def new_page(browser: Browser) -> tuple[BrowserContext, Page]:
    context = browser.new_context(locale="en-GB", reduced_motion="reduce")
    return context, context.new_page()


def absent(studio: Studio, visitor: Visitor) -> Page:
    page, theirs = with_a_friend(studio, visitor)
    theirs.context.close()
    away = page.get_by_role("group", name="Bo")
    question = page.locator(".choices button")
    away.or_(question.first).wait_for()
    if question.count():  # trump is named first
        question.first.click()
    away.wait_for()
    return page


def clock(studio: Studio, visitor: Visitor) -> Page:
    page, theirs = with_a_friend(studio, visitor, clock=120)
    while not page.locator(".bid button").count():
        for one in (theirs, page):
            if one is theirs or one.locator(".choices button").count():
                click_once(one, cards=False)
        page.wait_for_timeout(50)
    return page


def phrases(studio: Studio, visitor: Visitor) -> Page:
    page, _ = with_a_friend(studio, visitor)
    page.get_by_role("button", name="Say something").click()
    return page


def last_trick(studio: Studio, visitor: Visitor) -> Page:
    page = studio.arranged(visitor, {"players": 4, "rounds": "8"}, plain)
    decide_until_play(page)
    decide(page)
    decide_until_play(page)
    page.keyboard.press("l")
    return page


def round_end(studio: Studio, visitor: Visitor) -> Page:
    page = studio.in_round(visitor, 3)
    deadline = time.monotonic() + 60
    while not page.locator(".result").count():
        assert time.monotonic() < deadline
        if page.locator(".hand .playable, .bid button, .choices button").count():
            decide(page)
        page.wait_for_timeout(30)
    return page


def finished(studio: Studio, visitor: Visitor) -> str:
    visitor.named("Ana")
    cookies = {one["name"]: one["value"] for one in visitor.context.cookies()}
    return play_at_once(studio.server.url, {"players": 4, "rounds": "1-6"}, BOTS, None, cookies)


def game_end(studio: Studio, visitor: Visitor) -> Page:
    page = visitor.open(f"/t/{finished(studio, visitor)}")
    page.locator(".decisive a").wait_for()
    return page


def review(studio: Studio, visitor: Visitor) -> Page:
    page = visitor.open(f"/r/{finished(studio, visitor)}?as=0")
    page.get_by_role("region", name="Review").locator("summary").first.wait_for()
    page.locator(".controls .mark").last.click()
    return page


def games(studio: Studio, visitor: Visitor) -> Page:
    return played(studio, visitor, 8)


def games_few(studio: Studio, visitor: Visitor) -> Page:
    page = played(studio, visitor, 2)
    page.locator(".decisive a").wait_for()
    return page


def played(studio: Studio, visitor: Visitor, count: int) -> Page:
    for _ in range(count):
        finished(studio, visitor)
    return arrived(visitor, "/games", "article")


def arrived(visitor: Visitor, path: str, ready: str) -> Page:
    page = visitor.open(path)
    page.locator(f"main {ready}").first.wait_for()
    return page


def lesson(studio: Studio, visitor: Visitor) -> Page:
    page = visitor.open("/learn/trump")
    page.get_by_role("button", name="Next").wait_for()
    page.keyboard.press("n")
    return page


def first_game(studio: Studio, visitor: Visitor) -> Page:
    page = visitor.open("/")
    page.get_by_role("button", name="Play now").click()
    page.locator(".coach").wait_for()
    page.locator(".bid button, .choices button").first.wait_for()
    return page


def lobby(studio: Studio, visitor: Visitor) -> Page:
    code = visitor.named("Ana").new_table(bots=[None, None, "adept", "novice"])
    return arrived(visitor, f"/t/{code}", ".round-table")


def score_pad(studio: Studio, visitor: Visitor) -> Page:
    page = visitor.named("Ana").open(f"/s/{new_sheet(visitor, FOUR, rounds='1-8')}")
    later = page.get_by_role("button", name="Not now")
    page.locator(".pad").first.wait_for()
    if later.count():
        later.click()
    write_round(page, FOUR, 2, (0, 1, 0, 1), (0, 1, 0, 0))
    page.get_by_role("heading", name="Round 2").first.wait_for()
    return page


def opened(path: str, ready: str) -> Callable[[Studio, Visitor], Page]:
    return lambda studio, visitor: arrived(visitor, path, ready)


SCENES: Final[dict[str, Callable[[Studio, Visitor], Page]]] = {
    "home-new": home_new,
    "home-returning": home_returning,
    "bid-1": bidding_of(1),
    "bid-8": bidding_of(8),
    "trick-1": trick_of(1),
    "trick-8": trick_of(8),
    "trick-15": trick_of(15),
    "trump-choice": trump_choice,
    "juggler": question("JU", "Juggler"),
    "shapeshifter": question("SH", "Shapeshifter"),
    "passing": passing,
    "cloud": cloud_taken,
    "hint-bid": hint_bid,
    "hint-card": hint_card,
    "claim": claim,
    "absent": absent,
    "clock": clock,
    "phrases": phrases,
    "last-trick": last_trick,
    "round-end": round_end,
    "game-end": game_end,
    "review": review,
    "new": opened("/new", ".presets, form"),
    "lesson": lesson,
    "first-game": first_game,
    "games": games,
    "games-few": games_few,
    "lobby": lobby,
    "settings": opened("/settings", "fieldset"),
    "learn": opened("/learn", "li"),
    "tablet-new": opened("/tablet", "input"),
    "tablet": score_pad,
}
