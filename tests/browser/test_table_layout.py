"""Everybody and every card has room at the table, on every screen and with long names."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from browser.arranged import arrange
from browser.conftest import Visit
from browser.robot import EDGE, decide, decide_until_play
from foretold.deal import Deal
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

# Pairs of things that overlap, and things that hang over the edge.
COLLISIONS = """() => {
  const parts = {
    seat: ".seats .seat",
    trick: ".trick li",
    stock: ".altar .stock, .altar .card, .altar .sign, .tally > *",
    near: ".line p, .own, .hand .slot, .decision > *",
    open: ".seen ul",
  };
  const boxes = Object.entries(parts).flatMap(([part, where]) =>
    [...document.querySelectorAll(where)]
      .filter((one) => one.checkVisibility())
      .map((one) => ({ part, words: one.textContent, ...one.getBoundingClientRect().toJSON() })),
  );
  const over = (a, b) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2;
  // Cards of one trick may overlap, as those of a hand do.
  const apart = (a, b) => a.part !== b.part || a.part === "seat" || a.part === "open";
  const found = boxes
    .filter(({ left, right }) => left < -1 || right > innerWidth + 1)
    .map(({ part, words }) => `${part} outside: ${words}`);
  for (const [index, a] of boxes.entries())
    for (const b of boxes.slice(index + 1))
      if (apart(a, b) && over(a, b))
        found.push(`${a.part} over ${b.part}: ${a.words} / ${b.words}`);
  return found;
}"""


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


# What one pair of selectors names that lies on what the other names, with a margin in pixels.
LIES_ON = """([upper, lower, margin]) => {
  const boxes = (where) =>
    [...document.querySelectorAll(where)].map((one) => one.getBoundingClientRect());
  return boxes(upper).flatMap((a, at) =>
    boxes(lower)
      .filter((_, other) => upper !== lower || other > at)
      .filter(
        (b) =>
          Math.min(a.right, b.right) - Math.max(a.left, b.left) > -margin &&
          Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > -margin,
      )
      .map((b) => [a, b]),
  );
}"""
PHONES = [(360, 640), (390, 844)]


def plain(deal: Deal) -> bool:
    return deal.turned is None or deal.turned.suit is not None


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


@pytest.mark.parametrize("players", [4, 6])
def test_the_last_trick_lies_where_it_was_and_covers_nothing(
    visit: Visit, house: ServerProcess, players: int
) -> None:
    visitor = visit("phone", reduced_motion="reduce")
    code = arrange(house.data, visitor, {"players": players, "rounds": "8"}, plain)
    page = visitor.open(f"/t/{code}")
    decide_until_play(page)
    decide(page)
    decide_until_play(page)
    expect(page.locator(".trick li")).not_to_have_count(players)
    for width, height in PHONES:
        page.set_viewport_size({"width": width, "height": height})
        page.get_by_role("button", name="Last trick").click()
        expect(page.locator(".recalled .trick li")).to_have_count(players)
        come_to_rest(page)
        assert page.evaluate(COLLISIONS) == [], f"{width} x {height}"
        page.keyboard.press("Escape")
        expect(page.locator(".recalled")).to_have_count(0)


def test_what_lies_beside_a_wide_table_keeps_to_its_corner(
    visit: Visit, house: ServerProcess
) -> None:
    visitor = visit("desktop", reduced_motion="reduce")
    code = arrange(house.data, visitor, {"players": 3, "rounds": "20,20"}, plain)
    page = visitor.open(f"/t/{code}")
    dock = page.locator(".dock")
    expect(dock).to_be_attached()
    expect(dock.locator("> *")).to_have_count(0)
    decide_until_play(page)
    page.keyboard.press("h")
    page.locator(".told").wait_for()
    hint = edges(dock.locator("> *"))
    decide(page)
    trick = dock.get_by_role("region", name="Last trick")
    expect(trick.get_by_role("listitem")).to_have_count(3)
    expect(trick).to_contain_text("You")
    come_to_rest(page)
    assert edges(trick) == pytest.approx(hint, abs=1)
    assert edges(trick)[::2] == pytest.approx(edges(page.locator(".scroll"))[::2], abs=1)


def edges(of: Locator) -> list[float]:
    """Left, top, right and bottom."""
    box: list[float] = of.evaluate(
        "(one) => { const { left, top, right, bottom } = one.getBoundingClientRect();"
        " return [left, top, right, bottom]; }"
    )
    return box


def test_phrases_lie_below_their_button_and_cover_no_scores(visit: Visit) -> None:
    visitor = visit("desktop", reduced_motion="reduce").named("Ana")
    code = visitor.new_table(rules={"players": 3}, bots=[None, "novice", "novice"])
    page = visitor.open(f"/t/{code}")
    page.get_by_role("button", name="Start the game").click()
    page.locator(".hand button").first.wait_for()
    button = page.get_by_role("button", name="Say something")
    phrases = page.get_by_role("dialog", name="Say something")
    button.click()
    assert page.evaluate(LIES_ON, [".popover", ".scroll", 0]) == []
    page.keyboard.press("Escape")
    expect(phrases).to_have_count(0)
    expect(button).to_be_focused()
    button.click()
    page.locator(".middle").click()
    expect(phrases).to_have_count(0)
    button.click()
    button.click()
    expect(phrases).to_have_count(0)
    button.click()
    phrases.get_by_role("button", name="Hello!").click()
    expect(phrases).to_have_count(0)
    expect(page.locator(".own .bubble")).to_contain_text("Hello!")


def test_the_cards_of_six_lie_apart_on_a_wide_table(visit: Visit, house: ServerProcess) -> None:
    visitor = visit("desktop", reduced_motion="reduce")
    code = arrange(house.data, visitor, {"players": 6, "rounds": "8"}, plain)
    page = visitor.open(f"/t/{code}")
    decide_until_play(page)
    expect(page.locator(".trick li")).to_have_count(5)
    for width, height in [(1280, 800), (1440, 900), (1920, 1080)]:
        page.set_viewport_size({"width": width, "height": height})
        come_to_rest(page)
        for other in (".trick li", ".altar .stock, .altar .card"):
            # The corners of a card that leans reach a little further than the card.
            assert page.evaluate(LIES_ON, [".trick li", other, -2]) == [], f"{width} x {height}"


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


def test_the_question_about_taps_covers_no_words(visit: Visit, house: ServerProcess) -> None:
    visitor = visit("phone", reduced_motion="reduce")
    code = arrange(house.data, visitor, {"players": 4, "rounds": "7"}, plain)
    page = visitor.open(f"/t/{code}")
    page.set_viewport_size({"width": 360, "height": 640})
    decide_until_play(page)
    page.locator(".hand button:has(.playable)").first.tap(position=EDGE)
    page.get_by_role("group", name="What should a tap on a card do?").wait_for()
    come_to_rest(page)
    assert page.evaluate(COLLISIONS) == []
    # The answer is noted above the hand, not on it.
    page.get_by_role("button", name="One tap plays").tap()
    expect(page.locator(".line .note")).to_contain_text("You can change this in the menu")
    expect(page.locator(".toast")).to_have_count(0)


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


def test_a_card_flies_from_its_place_in_the_hand(visit: Visit, house: ServerProcess) -> None:
    visitor = visit("desktop")
    code = arrange(house.data, visitor, {"players": 3, "rounds": "5"}, plain)
    page = visitor.open(f"/t/{code}")
    decide_until_play(page)
    come_to_rest(page)
    was, begins = page.evaluate(FLIGHT)
    assert begins == pytest.approx(was, abs=3)


def test_the_question_of_the_cloud_shows_it_and_covers_no_card(
    visit: Visit, house: ServerProcess
) -> None:
    def wish(deal: Deal) -> bool:
        (own,), *others = deal.hands
        trump = deal.turned and deal.turned.suit
        return (
            own.code == "CL"
            and bool(trump)
            and all(hand[0].suit not in (None, trump) for hand in others)
        )

    visitor = visit("phone", reduced_motion="reduce")
    # The trick stays where it is.
    visitor.context.add_init_script(
        "const wait = setTimeout; setTimeout = (then, delay, ...rest) =>"
        " wait(then, delay >= 1500 ? 1e6 : delay, ...rest);"
    )
    rules = {"edition": "anniversary", "players": 3, "rounds": "1"}
    code = arrange(house.data, visitor, rules, wish)
    page = visitor.open(f"/t/{code}")
    page.set_viewport_size({"width": 360, "height": 640})
    decide_until_play(page)
    trump = page.locator(".trump .emblem").inner_text().split()[0]
    page.locator(".hand button").focus()
    page.keyboard.press("Enter")
    page.locator(".choices").get_by_role("button", name=trump).click()
    question = page.get_by_role("group", name=re.compile("You took the Cloud"))
    expect(question.locator(".asker")).to_be_visible()
    expect(page.locator(".trick li")).to_have_count(3)
    come_to_rest(page)
    asked = question.bounding_box()
    assert asked is not None
    for card in page.locator(".trick li").all():
        box = card.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= asked["y"]


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_a_tip_leaves_the_own_bid_in_view(visit: Visit, house: ServerProcess, size: str) -> None:
    visitor = visit(size, reduced_motion="reduce")
    code = arrange(house.data, visitor, {"players": 4, "rounds": "5"}, plain)
    page = visitor.open(f"/t/{code}")
    decide_until_play(page)
    card = page.locator(".hand button").first
    if size == "phone":
        at = {"pointerType": "touch", "button": 0, "clientX": 30, "clientY": 600}
        card.dispatch_event("pointerdown", at)
    else:
        card.hover(position=EDGE)
    tip, own = page.get_by_role("tooltip"), page.locator(".own")
    tip.wait_for()
    come_to_rest(page)
    words, bid = tip.bounding_box(), own.bounding_box()
    assert words is not None
    assert bid is not None
    assert words["y"] + words["height"] <= bid["y"]
    held = card.bounding_box()
    assert held is not None
    middle = max(held["x"] + held["width"] / 2, words["width"] / 2 + 8)
    assert words["x"] + words["width"] / 2 == pytest.approx(middle, abs=6)


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


def look(page: Page, moment: str) -> None:
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        come_to_rest(page)
        assert page.evaluate(COLLISIONS) == [], f"{moment} at {width} x {height}"


def come_to_rest(page: Page, where: str = "*") -> None:
    # What a new size sets in motion begins with the next frame.
    page.evaluate("new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))")
    page.wait_for_function(
        """(where) => document.getAnimations().every(
          (one) => one.playState !== "running" || !one.effect.target.matches(where),
        )""",
        arg=where,
    )


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


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_words_at_the_table_cover_no_chips(visit: Visit, size: str) -> None:
    host, guest = visit(size).named("Ana"), visit("phone").named("Bo")
    rules = {"players": 4, "rounds": "3"}
    code = host.new_table(rules=rules, bots=[None, None, "novice", "novice"])
    page, theirs = host.open(f"/t/{code}"), guest.open(f"/t/{code}")
    theirs.get_by_role("button", name="Sit down").click()
    page.get_by_role("button", name="Start the game").click()
    theirs.locator(".hand button").first.wait_for()
    for one in (theirs, page):
        one.get_by_role("button", name="Say something").click()
        one.get_by_role("dialog").get_by_role("button", name="Well played!").click()
    expect(page.locator(".bubble")).to_have_count(2)
    covered = page.evaluate(
        """() => {
          const boxes = (where) =>
            [...document.querySelectorAll(where)].map((one) => one.getBoundingClientRect());
          return boxes(".bubble").filter(
            (a) =>
              a.left < 0 ||
              a.right > innerWidth ||
              boxes(".chips b, .chips .dots").some(
                (b) =>
                  Math.min(a.right, b.right) > Math.max(a.left, b.left) &&
                  Math.min(a.bottom, b.bottom) > Math.max(a.top, b.top),
              ),
          ).length;
        }"""
    )
    assert covered == 0
