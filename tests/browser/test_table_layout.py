"""Everybody and every card has room at the table, on every screen and with long names."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.arranged import arrange, holds, plain, wins_the_rest
from browser.conftest import Visit
from browser.layout import COLLISIONS, LIES_ON, PHONES, come_to_rest, edges
from browser.robot import decide, decide_until_play
from server.process import ServerProcess

SCREENS = [
    (360, 640),
    (360, 740),
    (768, 1024),
    (844, 390),
    (1024, 768),
    (1280, 800),
    (1366, 640),
    (1920, 1080),
]
LONG_NAMES = ("W" * 24, "Maximiliane Wwwwwwwwwww", "M" * 24, "Wilhelmina of the North", "Ö" * 24)

# The middle of the card that is played: in the hand, and where its flight to the trick begins.
FLIGHT = """() => {
  const middle = (one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    return [(left + right) / 2, (top + bottom) / 2];
  };
  const card = document.querySelector(".hand button:has(.playable)");
  const was = middle(card);
  const animate = Element.prototype.animate;
  return new Promise((seen) => {
    // Its first motion: the trick may be complete, and gathered, before the next frame.
    Element.prototype.animate = function (keyframes, options) {
      const motion = animate.call(this, keyframes, options);
      if (this.matches(".trick li.mine") && options.duration > 0) {
        Element.prototype.animate = animate;
        motion.pause();
        motion.currentTime = 0;
        seen([was, middle(this)]);
      }
      return motion;
    };
    card.click();
  });
}"""


@pytest.mark.parametrize(
    "rules",
    [
        {"players": 6, "rounds": "10"},
        {"players": 3, "rounds": "20"},
        {"players": 4, "rounds": "15"},
        {"players": 4, "rounds": "7"},
        {"players": 4, "rounds": "5", "clairvoyance": "every_round"},
        {"players": 6, "rounds": "10", "clairvoyance": "every_round"},
    ],
    ids=["six", "twenty cards", "last of four", "four", "clairvoyance", "clairvoyance of six"],
)
def test_nothing_covers_anything(visit: Visit, house: ServerProcess, rules: dict[str, Any]) -> None:
    visitor = visit("phone", reduced_motion="reduce")
    code = arrange(house.data, visitor, rules, plain, bots=LONG_NAMES)
    page = visitor.open(f"/t/{code}")
    page.get_by_role("group", name="Your bid").wait_for()
    look(page, "bidding")
    decide_until_play(page)
    expect(page.locator(".trick li")).to_have_count(int(rules["players"]) - 1)
    look(page, "playing")


def look(page: Page, moment: str) -> None:
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        come_to_rest(page)
        assert page.evaluate(COLLISIONS) == [], f"{moment} at {width} x {height}"


@pytest.mark.parametrize("players", [4, 6])
def test_the_lifted_card_covers_no_words_of_a_seat(
    visit: Visit, house: ServerProcess, players: int
) -> None:
    visitor = visit("phone")  # without motion nothing is lifted
    code = arrange(house.data, visitor, {"players": players, "rounds": "8"}, plain)
    page = visitor.open(f"/t/{code}")
    decide_until_play(page)
    expect(page.locator(".trick li")).to_have_count(players - 1)
    expect(page.locator(".trick .card.winning")).to_have_count(1)
    for width, height in PHONES:
        page.set_viewport_size({"width": width, "height": height})
        come_to_rest(page, ".trick, .trick *, .seats, .seats *")
        # The frame of the winning card is three pixels wide.
        covered = page.evaluate(LIES_ON, [".trick .card", ".seats .words > *", 3])
        assert covered == [], f"{width} x {height}"


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_no_card_touches_a_seat_of_a_wide_table(
    visit: Visit, house: ServerProcess, players: int
) -> None:
    visitor = visit("desktop")  # with motion, as the winning card is lifted
    code = arrange(house.data, visitor, {"players": players, "rounds": "9"}, plain)
    page = visitor.open(f"/t/{code}")
    decide_until_play(page)
    expect(page.locator(".trick li")).to_have_count(players - 1)
    for width, height in [(1024, 768), (1280, 800), (1440, 900), (1920, 1080)]:
        page.set_viewport_size({"width": width, "height": height})
        come_to_rest(page, ".trick, .trick *, .seats, .seats *")
        touching = page.evaluate(LIES_ON, [".trick .card", ".seats .seat", 4])
        assert touching == [], f"{width} x {height}"
    # On its way, a card is below them.
    seats, middle = (
        page.locator(one).evaluate("(one) => getComputedStyle(one).zIndex")
        for one in (".seats", ".middle")
    )
    assert int(seats) > int(middle)


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_the_cards_lie_apart_on_a_wide_table(
    visit: Visit, house: ServerProcess, players: int
) -> None:
    visitor = visit("desktop", reduced_motion="reduce")
    code = arrange(house.data, visitor, {"players": players, "rounds": "8"}, plain)
    page = visitor.open(f"/t/{code}")
    decide_until_play(page)
    expect(page.locator(".trick li")).to_have_count(players - 1)
    for width, height in [(1280, 720), (1280, 800), (1440, 900), (1920, 1080)]:
        page.set_viewport_size({"width": width, "height": height})
        come_to_rest(page)
        at = f"{width} x {height}"
        # The corners of a card that leans reach a little further than the card.
        assert page.evaluate(LIES_ON, [".trick li", ".trick li", -2]) == [], at
        # And clear of the slab in any case, also the card that is still to come.
        assert page.evaluate(LIES_ON, [".trick li, .awaited", ".altar .trump", 12]) == [], at
        trick, stock = (
            page.locator(one).evaluate("(one) => one.clientWidth")
            for one in (".awaited", ".altar .stock")
        )
        assert trick > stock > trick * 0.7, at


def test_bids_lie_clear_of_the_slab_and_of_the_seats(visit: Visit, house: ServerProcess) -> None:
    visitor = visit("desktop", reduced_motion="reduce")
    code = arrange(house.data, visitor, {"players": 3, "rounds": "3"}, plain)
    page = visitor.open(f"/t/{code}")
    page.get_by_role("group", name="Your bid").wait_for()
    bids = ".middle > ul:not(.trick) > li span"
    expect(page.locator(bids)).to_have_count(2)
    for width, height in [(1280, 720), (1440, 900), (1920, 1080)]:
        page.set_viewport_size({"width": width, "height": height})
        come_to_rest(page)
        touching = page.evaluate(LIES_ON, [bids, ".altar .trump, .seats .seat", 2])
        assert touching == [], f"{width} x {height}"


def test_the_trick_of_four_is_large_and_inside_the_stones(
    visit: Visit, house: ServerProcess
) -> None:
    visitor = visit("desktop", reduced_motion="reduce")
    code = arrange(house.data, visitor, {"players": 4, "rounds": "8"}, plain)
    page = visitor.open(f"/t/{code}")
    decide_until_play(page)
    expect(page.locator(".trick li")).to_have_count(3)
    page.set_viewport_size({"width": 1440, "height": 900})
    come_to_rest(page)
    left, top, right, bottom = edges(page.locator(".awaited"))
    assert right - left >= 120
    opposite = edges(page.locator(".trick li").nth(1))
    assert opposite[3] + 16 <= top
    # The stones of the far side.
    stones = edges(page.locator(".scene .round .shine"))
    assert stones[1] <= opposite[1] + 8
    assert bottom <= stones[3]


def test_the_trick_is_larger_than_the_stock_on_a_small_phone(
    visit: Visit, house: ServerProcess
) -> None:
    visitor = visit("phone", reduced_motion="reduce")
    code = arrange(house.data, visitor, {"players": 4, "rounds": "8"}, plain)
    page = visitor.open(f"/t/{code}")
    page.set_viewport_size({"width": 360, "height": 640})
    decide_until_play(page)
    come_to_rest(page)
    place, stock = (page.locator(one).bounding_box() for one in (".awaited", ".altar .stock"))
    assert place is not None
    assert stock is not None
    assert place["width"] > stock["width"] * 1.2


@pytest.mark.parametrize("code", ["JU", "SH"])
def test_a_question_on_a_small_phone_leaves_the_trick_large(
    visit: Visit, house: ServerProcess, code: str
) -> None:
    visitor = visit("phone", reduced_motion="reduce")
    rules = {"edition": "anniversary", "players": 4, "rounds": "6"}
    table = arrange(house.data, visitor, rules, lambda deal: plain(deal) and holds(0, code)(deal))
    page = visitor.open(f"/t/{table}")
    page.set_viewport_size({"width": 360, "height": 640})
    decide_until_play(page)
    name = {"JU": "Juggler", "SH": "Shapeshifter"}[code]
    while not page.get_by_role("button", name=f"{name}, playable").count():
        decide(page)
        decide_until_play(page)
    page.get_by_role("button", name=f"{name}, playable").focus()
    page.keyboard.press("Enter")
    page.locator(".choices button").first.wait_for()
    come_to_rest(page)
    cards = page.locator(".trick li")
    assert cards.count() > 0
    assert all(card.evaluate("(one) => one.clientWidth") >= 70 for card in cards.all())
    for one, other in ((".trick li", ".altar .trump"), (".altar .trump", ".decision")):
        assert page.evaluate(LIES_ON, [one, other, 0]) == []
    assert page.evaluate(LIES_ON, [".decision", ".hand .slot", 0]) == []


def test_a_tablet_has_plates_and_a_strip_no_wider_than_they_need(
    visit: Visit, house: ServerProcess
) -> None:
    visitor = visit("phone", reduced_motion="reduce")
    code = arrange(house.data, visitor, {"players": 4, "rounds": "8"}, plain)
    page = visitor.open(f"/t/{code}")
    page.set_viewport_size({"width": 820, "height": 1180})
    decide_until_play(page)
    come_to_rest(page)
    left, _, right, _ = edges(page.locator(".own"))
    assert right - left <= 560
    assert (left + right) / 2 == pytest.approx(410, abs=1)
    for plate in page.locator(".seats .words").all():
        left, _, right, _ = edges(plate)
        assert right - left <= 170


def test_a_card_lies_clear_of_the_words_below_it(visit: Visit, house: ServerProcess) -> None:
    visitor = visit("desktop", reduced_motion="reduce")
    code = arrange(house.data, visitor, {"players": 3, "rounds": "5"}, plain)
    page = visitor.open(f"/t/{code}")
    decide_until_play(page)
    come_to_rest(page)
    place, words = (page.locator(one).bounding_box() for one in (".awaited", ".line .prompt"))
    assert place is not None
    assert words is not None
    assert place["y"] + place["height"] <= words["y"]


@pytest.mark.parametrize(("width", "height"), [(360, 640), (1440, 900), (1920, 1080)])
def test_the_card_just_played_lies_clear_of_the_stock_and_of_the_claim(
    visit: Visit, house: ServerProcess, width: int, height: int
) -> None:
    visitor = visit("desktop", reduced_motion="reduce")
    # The trick stays where it is.
    visitor.context.add_init_script(
        "const wait = setTimeout; setTimeout = (then, delay, ...rest) =>"
        " wait(then, delay >= 1400 ? 1e6 : delay, ...rest);"
    )
    code = arrange(house.data, visitor, {"players": 3, "rounds": "3"}, wins_the_rest)
    page = visitor.open(f"/t/{code}")
    page.set_viewport_size({"width": width, "height": height})
    decide_until_play(page)
    decide(page)
    page.locator(".claim").wait_for()
    expect(page.locator(".trick .mine")).to_have_count(1)
    come_to_rest(page)
    # The frame of the winning card is three pixels wide.
    assert page.evaluate(LIES_ON, [".trick .mine .card", ".altar .trump, .claim", 4]) == []


def test_a_hint_on_a_small_phone_covers_no_empty_place(visit: Visit, house: ServerProcess) -> None:
    visitor = visit("phone", reduced_motion="reduce")
    code = arrange(house.data, visitor, {"players": 4, "rounds": "8"}, plain)
    page = visitor.open(f"/t/{code}")
    page.set_viewport_size({"width": 360, "height": 640})
    decide_until_play(page)
    expect(page.locator(".awaited")).to_be_visible()
    page.keyboard.press("h")
    page.locator("section.told").wait_for()
    expect(page.locator(".awaited")).to_be_hidden()


def test_a_card_flies_from_its_place_in_the_hand(visit: Visit, house: ServerProcess) -> None:
    visitor = visit("desktop")
    code = arrange(house.data, visitor, {"players": 3, "rounds": "5"}, plain)
    page = visitor.open(f"/t/{code}")
    decide_until_play(page)
    come_to_rest(page)
    was, begins = page.evaluate(FLIGHT)
    assert begins == pytest.approx(was, abs=3)


def test_a_whole_game_fits_on_a_small_phone(visit: Visit, house: ServerProcess) -> None:
    """With ordinary names, nothing has to be scrolled during play."""
    visitor = visit("phone", reduced_motion="reduce")
    code = arrange(house.data, visitor, {"players": 6, "rounds": "10"}, plain)
    page = visitor.open(f"/t/{code}")
    page.set_viewport_size({"width": 360, "height": 640})
    page.get_by_role("group", name="Your bid").wait_for()
    assert page.evaluate("document.documentElement.scrollHeight") <= 640
    decide_until_play(page)
    assert page.evaluate("document.documentElement.scrollHeight") <= 640


@pytest.mark.parametrize(
    ("screen", "cards"), [((360, 640), 2), ((360, 640), 10), ((360, 740), 2), ((1280, 800), 2)]
)
def test_the_table_stands_still_from_the_bids_to_the_next_round(
    visit: Visit, house: ServerProcess, screen: tuple[int, int], cards: int
) -> None:
    visitor = visit("phone", reduced_motion="reduce")
    rules = {"players": 4, "rounds": f"{cards},{cards}"}
    code = arrange(house.data, visitor, rules, plain, plain)
    page = visitor.open(f"/t/{code}")
    page.set_viewport_size({"width": screen[0], "height": screen[1]})
    page.get_by_role("group", name="Your bid").wait_for()
    stands = [place(page)]
    for _ in range(cards):
        decide_until_play(page)
        stands.append(place(page))
        decide(page)
    page.locator(".result").wait_for()
    stands.append(place(page))
    page.get_by_role("group", name="Your bid").wait_for()
    stands.append(place(page))
    assert stands == stands[:1] * len(stands)


def place(page: Page) -> list[list[int]]:
    """Where the table and everything below it are."""
    come_to_rest(page)
    where: list[list[int]] = page.evaluate(
        """() => [".board", ".own", ".hand"].map((one) => {
          const { top, height } = document.querySelector(one).getBoundingClientRect();
          return [Math.round(top), Math.round(height)];
        })"""
    )
    return where
