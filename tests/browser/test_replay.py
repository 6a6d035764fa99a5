"""The replay in the browser: steps, addresses, perspectives, and replays that cannot be shown."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from browser.axe import violations
from browser.conftest import Visit
from browser.robot import MINUS, play_at_once

RULES = {"edition": "anniversary", "players": 4, "rounds": "1-4", "bidding": "secret"}
BOTS = [None, "novice", "novice", "novice"]


@pytest.fixture(scope="module")
def code(site: str) -> str:
    """A finished game."""
    return play_at_once(site, RULES, BOTS)


def address(page: Page, path: str) -> None:
    page.wait_for_function("path => location.pathname + location.search === path", arg=path)


def told(page: Page) -> str:
    return page.locator(".told").inner_text()


def test_steps_by_action_trick_and_round_and_every_position_has_an_address(
    visit: Visit, code: str
) -> None:
    visitor = visit()
    steps = visitor.page.request.get(f"{visitor.url}/api/tables/{code}/replay").json()["steps"]
    events = [step["event"] for step in steps]
    tricks = [n for n, event in enumerate(events, start=1) if event.get("trick")]
    deals = [n for n, event in enumerate(events, start=1) if event["e"] == "deal"]
    assert len(deals) == 3
    # Round 1 ended one step before round 2 was dealt, with the trick or with a Cloud's change.
    ended = deals[0] - 1

    page = visit().open(f"/r/{code}")
    expect(page.locator(".told")).to_contain_text("Round 1")
    page.keyboard.press("ArrowRight")
    address(page, f"/r/{code}/1")
    page.keyboard.press("Shift+ArrowRight")
    address(page, f"/r/{code}/{tricks[0]}")
    page.get_by_role("button", name="Forward one round").click()
    address(page, f"/r/{code}/{deals[0]}")
    page.keyboard.press("PageDown")
    address(page, f"/r/{code}/{deals[1]}")
    page.keyboard.press("PageUp")
    page.get_by_role("button", name="Forward one trick").click()
    address(page, f"/r/{code}/{tricks[1]}")
    page.get_by_role("button", name="Back one step").click()
    address(page, f"/r/{code}/{tricks[1] - 1}")
    seen = told(page)
    page.keyboard.press("End")
    address(page, f"/r/{code}/{len(steps)}")
    expect(page.get_by_role("button", name="Forward one step")).to_be_disabled()
    page.keyboard.press("Home")
    address(page, f"/r/{code}")

    visitor = visit("phone")
    other = visitor.open(f"/r/{code}/{tricks[1] - 1}")
    expect(other.locator(".told")).to_have_text(seen)
    visitor.open(f"/r/{code}/{ended}")
    expect(other.locator(".told")).to_contain_text("Round 1 is over.")
    for seat, points in enumerate(events[ended - 1]["round"]["points"]):
        shown = f"{points:+}".replace("-", MINUS)
        expect(other.locator(f"[data-seat='{seat}'] .points")).to_have_text(shown)
    visitor.open(f"/r/{code}/99999")
    expect(other.get_by_role("button", name="Forward one step")).to_be_disabled()


def test_space_lets_it_run_and_stop(visit: Visit, code: str) -> None:
    page = visit().open(f"/r/{code}")
    page.locator(".told").wait_for()
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    address(page, f"/r/{code}/2")
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_one_seat_sees_what_it_saw(visit: Visit, code: str) -> None:
    # After three decisions somebody else has bid, even if trump was named first.
    page = visit().open(f"/r/{code}/3")
    expect(page.locator(".seats .open")).to_have_count(3)
    page.get_by_label("Viewpoint").select_option("2")
    expect(page.locator(".seats .open")).to_have_count(0)
    address(page, f"/r/{code}/3?as=2")
    own = page.locator(".hand").inner_text()
    # The others' bids stay sealed until the round is over.
    expect(page.locator(".seats .seal").first).to_be_visible()

    visitor = visit()
    other = visitor.open(f"/r/{code}/3?as=2")
    expect(other.locator(".own")).to_contain_text("Bran")
    expect(other.locator(".seats .open")).to_have_count(0)
    expect(other.locator(".hand")).to_have_text(own, use_inner_text=True)


def test_a_face_brings_its_player_to_the_bottom(visit: Visit, code: str) -> None:
    page = visit("phone").open(f"/r/{code}/3")
    expect(page.locator(".own")).to_contain_text("Ana")
    page.get_by_role("button", name="Show from Bran’s side").click()
    expect(page.locator(".own")).to_contain_text("Bran")
    # All hands stay open, and the keys go on from where the face was.
    expect(page.locator(".seats .open")).to_have_count(3)
    expect(page.get_by_role("button", name="Show from Ana’s side")).to_be_focused()
    page.keyboard.press("1")
    expect(page.locator(".own")).to_contain_text("Ana")

    # With one hand only, it is then that player's.
    page.get_by_label("Viewpoint").select_option("2")
    page.get_by_role("button", name="Show from Cleo’s side").click()
    address(page, f"/r/{code}/3?as=3")
    # Whoever it was stays there when the others lay down their cards.
    page.get_by_label("Viewpoint").select_option("open")
    expect(page.locator(".seats .open")).to_have_count(3)
    expect(page.locator(".own")).to_contain_text("Cleo")


def test_a_viewpoint_that_does_not_come_leaves_the_one_before(visit: Visit, code: str) -> None:
    page = visit().open(f"/r/{code}/3?as=1")
    cards = page.locator(".hand")
    own = cards.inner_text()
    page.evaluate(HOLD, "replay?as=2")

    def stays() -> None:
        expect(page.get_by_label("Viewpoint")).to_have_value("1")
        expect(page.locator(".own")).to_contain_text("Ada")
        expect(cards).to_have_text(own, use_inner_text=True)
        expect(page.locator(".seats .open")).to_have_count(0)

    for ask in (
        lambda: page.get_by_label("Viewpoint").select_option("2"),
        lambda: page.get_by_role("button", name="Show from Bran’s side").click(),
        lambda: page.keyboard.press("3"),
    ):
        ask()
        page.wait_for_function("() => window.lose !== undefined")
        stays()
        page.evaluate("lose()")
        note = page.locator(".toast")
        expect(note).to_contain_text("cannot be reached")
        stays()
        note.get_by_role("button").click()
        expect(note).to_have_count(0)
    address(page, f"/r/{code}/3?as=1")
    page.get_by_label("Viewpoint").select_option("3")
    expect(page.locator(".own")).to_contain_text("Cleo")
    expect(page.get_by_label("Viewpoint")).to_have_value("3")


def test_the_last_choice_counts_whatever_arrives_first(visit: Visit, code: str) -> None:
    page = visit().open(f"/r/{code}/3")
    expect(page.locator(".own")).to_contain_text("Ana")
    page.evaluate(HOLD, "replay?as=2")
    page.get_by_label("Viewpoint").select_option("2")
    page.wait_for_function("() => window.release !== undefined")
    # One hand only is what was wanted; now it is another's.
    page.get_by_role("button", name="Show from Cleo’s side").click()
    address(page, f"/r/{code}/3?as=3")
    page.evaluate("release()")
    expect(page.get_by_label("Viewpoint")).to_have_value("3")
    expect(page.locator(".own")).to_contain_text("Cleo")


def test_a_viewpoint_that_comes_too_late_leaves_the_next_page_its_address(
    visit: Visit, code: str
) -> None:
    page = visit().open(f"/r/{code}/3")
    expect(page.locator(".own")).to_contain_text("Ana")
    page.evaluate(HOLD, "replay?as=2")
    page.get_by_label("Viewpoint").select_option("2")
    page.wait_for_function("() => window.release !== undefined")
    page.get_by_role("link", name="Home").click()
    page.get_by_role("button", name="Play now").wait_for()
    with page.expect_response("**/replay?as=2"):
        page.evaluate("release()")
    # Longer than an address waits to be written.
    page.wait_for_timeout(500)
    address(page, "/")


# Holds the answers to some requests back: `release` lets one come, `lose` loses it.
HOLD = """(part) => {
  const really = fetch;
  fetch = (address, ...rest) => {
    if (!String(address).includes(part)) return really(address, ...rest);
    return new Promise((come, fail) => {
      const answer = (how, what) => () => {
        window.lose = window.release = undefined;
        how(what());
      };
      window.release = answer(come, () => really(address, ...rest));
      window.lose = answer(fail, () => new TypeError("lost"));
    });
  };
}"""


def test_the_keys_bring_players_to_the_bottom_and_keep_the_focus(visit: Visit, code: str) -> None:
    page = visit().open(f"/r/{code}/3")
    page.get_by_role("button", name="Show from Bran’s side").focus()
    # The face that has the focus goes to the bottom; whoever was there has it now.
    page.keyboard.press("3")
    expect(page.locator(".own")).to_contain_text("Bran")
    expect(page.get_by_role("button", name="Show from Ana’s side")).to_be_focused()
    # Another goes there.
    page.keyboard.press("4")
    expect(page.locator(".own")).to_contain_text("Cleo")
    expect(page.get_by_role("button", name="Show from Ana’s side")).to_be_focused()


def test_a_hand_is_one_tab_stop(visit: Visit, code: str) -> None:
    visitor = visit()
    steps = visitor.page.request.get(f"{visitor.url}/api/tables/{code}/replay").json()["steps"]
    last = max(n for n, step in enumerate(steps, start=1) if step["event"]["e"] == "deal")
    page = visitor.open(f"/r/{code}/{last}")
    cards = page.locator(".hand .lay")
    expect(cards).to_have_count(4)
    expect(page.locator(".hand [tabindex='0']")).to_have_count(1)
    cards.first.focus()
    page.keyboard.press("ArrowRight")
    expect(cards.nth(1)).to_be_focused()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(cards.nth(3)).to_be_focused()
    expect(page.locator(".hand [tabindex='0']")).to_have_count(1)
    # Through the hand, and not through the game; any other key is the game's.
    address(page, f"/r/{code}/{last}")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    expect(cards.nth(3)).to_be_focused()
    page.keyboard.press("PageUp")
    page.wait_for_function("path => location.pathname !== path", arg=f"/r/{code}/{last}")


def test_nothing_jumps_when_the_replay_arrives(visit: Visit, code: str) -> None:
    visitor = visit()
    page = visitor.page
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.add_init_script(f"({HOLD})('replay?as=open')")
    visitor.open(f"/r/{code}")
    letters = "getComputedStyle(document.documentElement).fontSize"
    expect(page.locator("main").get_by_text("Loading")).to_be_visible()
    expect(page.locator(".site-header")).to_be_hidden()
    before = page.evaluate(letters)
    page.evaluate("release()")
    page.locator(".told").wait_for()
    expect(page.locator(".site-header")).to_be_hidden()
    assert page.evaluate(letters) == before


def test_a_card_taken_back_from_a_trick_returns_to_its_player(visit: Visit, code: str) -> None:
    visitor = visit()
    steps = visitor.page.request.get(f"{visitor.url}/api/tables/{code}/replay").json()["steps"]
    # The last to play did not win it.
    step, last = next(
        (n, event["seat"])
        for n, event in enumerate((one["event"] for one in steps), start=1)
        if event.get("trick") and event["trick"]["winner"] not in (None, event["seat"])
    )
    page = visitor.open(f"/r/{code}/{step}")
    expect(page.locator(".trick li")).to_have_count(4)
    page.wait_for_function(LYING)
    assert page.evaluate(LEAVING, last) == pytest.approx(0, abs=2)


# Whether the cards of the trick have come to rest.
LYING = """() => document.querySelector(".trick").getAnimations({ subtree: true })
  .every((one) => one.playState !== "running")"""

# Goes a step back; how far the end of the leaving card's way is from a seat's middle, in pixels.
LEAVING = """(seat) => {
  const middle = (one) => {
    const { x, y, width, height } = one.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
  };
  const animate = Element.prototype.animate;
  return new Promise((seen, missed) => {
    // From its first motion on: the flight may be over before the next frame.
    Element.prototype.animate = function (keyframes, options) {
      const flight = animate.call(this, keyframes, options);
      if (this.matches(".trick li[inert]") && options.duration > 0) {
        Element.prototype.animate = animate;
        flight.pause();
        flight.currentTime = options.duration - 0.01;
        const [a, b] = [this, document.querySelector(`[data-seat="${seat}"]`)].map(middle);
        seen(Math.hypot(a[0] - b[0], a[1] - b[1]));
      }
      return flight;
    };
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft", bubbles: true }));
    setTimeout(() => missed(new Error("no card has left")), 10_000);
  });
}"""


def test_the_scrubber_is_a_slider_that_tells_where_it_is(visit: Visit, code: str) -> None:
    page = visit().open(f"/r/{code}")
    slider = page.get_by_role("slider", name="Position in the game")
    slider.fill("5")
    address(page, f"/r/{code}/5")
    expect(slider).to_have_attribute("aria-valuetext", re.compile(r"Step 5 of \d+\. \S"))


def test_the_tablet_grows_with_the_game(visit: Visit, code: str) -> None:
    page = visit().open(f"/r/{code}")
    filled = page.get_by_role("table").locator("tbody .total:not(:empty)")
    page.locator(".told").wait_for()
    expect(filled).to_have_count(0)
    page.keyboard.press("PageDown")
    expect(filled).to_have_count(4)
    page.keyboard.press("End")
    expect(filled).to_have_count(16)
    expect(page.get_by_text("Every deal is verified")).to_be_visible()


def test_only_finished_rounds_of_a_game_under_way(visit: Visit, site: str) -> None:
    rules = {"players": 3, "rounds": "1-3"}
    # A bid and a card in the first round, perhaps a trump as well, and a bid in the second.
    code = play_at_once(site, rules, BOTS[:3], decisions=4)
    visitor = visit()
    page = visitor.open(f"/r/{code}")
    expect(page.get_by_text("isn’t over yet")).to_be_visible()
    page.keyboard.press("End")
    expect(page.locator(".told")).to_contain_text("Round 1 is over.")

    early = play_at_once(site, {"players": 3, "rounds": "5"}, BOTS[:3], decisions=1)
    visitor.open(f"/r/{early}")
    expect(page.get_by_role("link", name="Go to the table")).to_be_visible()


@pytest.mark.parametrize(
    ("rules", "seats"),
    [
        ({"players": 4, "clairvoyance": "every_round", "rounds": "1-2"}, 4),
        ({"mode": "two_player", "rounds": "2-4"}, 2),
        ({"mode": "monocolour", "players": 3, "bidding": "hidden", "rounds": "4"}, 3),
        ({"edition": "anniversary", "players": 6, "rounds": "3"}, 6),
    ],
    ids=["clairvoyance", "two players", "monocolour", "anniversary"],
)
def test_every_step_of_every_mode_is_told(
    visit: Visit, site: str, rules: dict[str, object], seats: int
) -> None:
    code = play_at_once(site, rules, [None, *["novice"] * (seats - 1)])
    for eyes in ("open", "1"):
        page = visit("phone").open(f"/r/{code}?as={eyes}")
        page.locator(".told").wait_for()
        expect(page.locator("[data-seat]")).to_have_count(seats)
        onwards = page.get_by_role("button", name="Forward one step")
        tellings = [told(page)]
        while onwards.is_enabled():
            page.keyboard.press("ArrowRight")
            tellings.append(told(page))
        assert all(tellings)
        assert "The game is over" in tellings[-1]


def test_no_such_game(visit: Visit) -> None:
    visitor = visit("phone")
    visitor.expected.append("404")
    page = visitor.open("/r/QQQQQQ")
    expect(page.get_by_text("There is no game with this code")).to_be_visible()


def test_everyone_can_read_it(visit: Visit, code: str) -> None:
    visitor = visit(bypass_csp=True, reduced_motion="reduce")
    visitor.expected.append("404")
    for path in (f"/r/{code}/30", f"/r/{code}/8?as=1", "/r/QQQQQQ"):
        page = visitor.open(path)
        page.locator("main :is(.told, a.primary)").first.wait_for()
        for details in page.locator("details").all():
            details.locator("summary").first.click()
        assert violations(page) == [], path


def test_a_finished_trick_lies_there_for_one_step(visit: Visit, code: str) -> None:
    visitor = visit()
    steps = visitor.page.request.get(f"{visitor.url}/api/tables/{code}/replay").json()["steps"]
    first = next(n for n, step in enumerate(steps, start=1) if step["event"].get("trick"))
    page = visitor.open(f"/r/{code}/{first - 1}")
    expect(page.locator(".trick li")).to_have_count(3)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".trick li")).to_have_count(4)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".trick li")).to_have_count(0)
