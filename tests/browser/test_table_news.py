"""What a table shows: the end of a round, who everyone waits for, who has left, and who invites."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from browser.arranged import arrange, holds, plain
from browser.conftest import Visit
from browser.layout import LIES_ON, come_to_rest, edges
from browser.robot import MINUS, decide
from browser.visitor import Visitor
from foretold.deal import Deal
from server.process import ServerProcess

CALM = {"reduced_motion": "reduce"}

# What is visible of a round, and when that changed.
WATCH = """() => {
  window.seen = [];
  let last = "";
  const look = () => {
    const lying = [...document.querySelectorAll(".trick li")];
    const now = {
      round: document.querySelector("h1")?.textContent.match(/Round (\\d+)/)?.[1],
      trick: lying.length,
      result: document.querySelector(".result") !== null,
      hand: document.querySelectorAll(".hand button").length,
    };
    if (JSON.stringify(now) === last) return;
    last = JSON.stringify(now);
    window.seen.push({ ...now, at: performance.now() });
  };
  look();
  new MutationObserver(look).observe(document.body, {
    childList: true,
    characterData: true,
    subtree: true,
  });
}"""


def linger(visitor: Visitor, least_ms: int = 2000) -> None:
    """What the table shows for at least so long, such as a result, stays until somebody goes on."""
    visitor.page.add_init_script(f"""
      const wait = setTimeout;
      setTimeout = (then, delay, ...rest) =>
        wait(then, delay >= {least_ms} && delay < 6500 ? 3_600_000 : delay, ...rest);
    """)


def play_a_round(page: Page) -> str:
    """Bids, and plays the only card; returns its name."""
    page.get_by_role("group", name="Your bid").get_by_role("button").first.wait_for()
    decide(page)
    page.locator(".hand .playable").first.wait_for()
    name = page.locator(".hand button .visually-hidden").first.inner_text()
    page.evaluate(WATCH)
    decide(page)
    return name.removesuffix(", playable")


def test_a_round_is_seen_out_before_the_next_is_shown(visit: Visit, house: ServerProcess) -> None:
    visitor = visit("phone", **CALM)
    code = arrange(house.data, visitor, {"players": 3, "rounds": "1,2"}, plain, plain)
    page = visitor.open(f"/t/{code}")
    play_a_round(page)
    page.locator(".hand button").nth(1).wait_for()
    seen: list[dict[str, Any]] = page.evaluate("window.seen")

    whole = next(one for one in seen if one["trick"] == 3)
    result = next(one for one in seen if one["result"])
    dealt = next(one for one in seen if one["hand"] == 2)
    assert whole["at"] < result["at"] < dealt["at"], seen
    assert [one["round"] for one in (whole, result, dealt)] == ["1", "1", "2"]
    # The trick is not covered, and there is time to see both.
    assert not [one for one in seen if one["result"] and one["trick"]], seen
    assert result["at"] - whole["at"] > 1000
    assert dealt["at"] - result["at"] > 1000


# What is seen of the start of a round, frame by frame, until the player is asked.
BEGINS = """(key) => {
  const count = (where) => document.querySelectorAll(where).length;
  const frames = [];
  return new Promise((seen) => {
    const look = () => {
      const frame = {
        result: count(".result"),
        hand: count(".hand button"),
        lit: count(".scene[data-trump]"),
        bids: count(".seats .chips b") + count(".middle .lies > span"),
        asked: count(".bid button") + count(".line .prompt"),
      };
      frames.push(frame);
      if (frame.asked > 0 && frame.result === 0 && frame.hand === 2) return seen(frames);
      if (key !== null && frame.hand === 2) {
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
        return seen(frames);
      }
      requestAnimationFrame(look);
    };
    document.querySelector(".result .next").click();
    look();
  });
}"""


def begin_second_round(visit: Visit, house: ServerProcess, key: str | None) -> tuple[Page, Any]:
    """With motion; returns what was seen from the click that leaves the result."""
    visitor = visit("phone")
    # Whoever deals bids last, so that the others' bids are known by then.
    wishes = (plain, lambda deal: plain(deal) and deal.turned is not None)
    code = arrange(
        house.data, visitor, {"players": 3, "rounds": "1,2", "dealer_by": "seat"}, *wishes
    )
    page = visitor.open(f"/t/{code}")
    play_a_round(page)
    page.locator(".result .next.lit").wait_for()
    return page, page.evaluate(BEGINS, key)


def test_a_round_begins_in_order(visit: Visit, house: ServerProcess) -> None:
    _, frames = begin_second_round(visit, house, None)
    last = frames[-1]
    assert last["lit"]
    assert last["asked"]
    for frame in frames:
        if frame["result"]:
            # It goes first; what is dealt does not show through it.
            assert frame["asked"] == 0, frames
        if frame["hand"] == 2 and not frame["lit"]:
            assert frame["bids"] == frame["asked"] == 0, frames
        if frame["asked"] == 0 and frame["hand"] == 2:
            assert frame["bids"] == 0, frames
    assert any(frame["hand"] == 2 and not frame["asked"] for frame in frames)


def test_nobody_has_to_wait_for_the_start_of_a_round(visit: Visit, house: ServerProcess) -> None:
    page, frames = begin_second_round(visit, house, "1")
    assert frames[-1]["asked"] == 0
    expect(page.locator(".own .chips b")).to_have_text("0/1")


def test_the_result_tells_everything_once_and_lies_within_reach(
    visit: Visit, house: ServerProcess
) -> None:
    visitor = visit("phone")
    linger(visitor)
    code = arrange(house.data, visitor, {"players": 4, "rounds": "1,2"}, plain, plain)
    page = visitor.open(f"/t/{code}")
    page.set_viewport_size({"width": 390, "height": 844})
    play_a_round(page)
    page.locator(".result").wait_for()
    # It shows in the faces of the others.
    expect(page.locator(".seats .face:is(.glad, .sad)")).to_have_count(3)
    # All rows are there from the beginning, and the button is lit when the points are counted.
    assert (
        page.locator(".result .row").evaluate_all(
            "(rows) => rows.map((one) => getComputedStyle(one).opacity)"
        )
        == ["1"] * 4
    )
    page.locator(".result .next.lit").wait_for()
    # The numbers say what they are, in the order of the words above them.
    expect(page.locator(".result .words small")).to_contain_text(re.compile(r"took \d, bid \d"))
    heads = page.locator(".result .columns > *")
    expect(heads).to_have_text(["took / bid", "Total"])
    columns = page.locator(".result .row").first.locator(".bid, .total")
    for head, column in zip(heads.all(), columns.all(), strict=True):
        assert abs(edges(head)[2] - edges(column)[2]) < 1
    counted = page.locator(".result .points").all_inner_texts()
    assert all(re.fullmatch(rf"[+{MINUS}]\d+", one) for one in counted), counted
    expect(page.locator(".seats .points, .own .points")).to_have_count(0)
    come_to_rest(page, ".result")
    stone, own = (edges(page.locator(one)) for one in (".result", ".result .me .points"))
    assert stone[3] > 844 * 0.95
    others = [edges(one) for one in page.locator(".result .row:not(.me) .points").all()]
    assert all(own[3] - own[1] > one[3] - one[1] for one in others)


# Stops the spell of a bid at its brightest, as soon as it is cast.
CAST = """() => addEventListener("animationstart", ({ target }) => {
  const spell = target.closest(".spell");
  for (const one of spell?.getAnimations({ subtree: true }) ?? []) {
    one.pause();
    one.currentTime = 480;
  }
}, true)"""
# Whether both its parts are held there.
HELD = """() => ["light", "seal"].every((part) => {
  const all = document.querySelector(`.spell.met.${part}`)?.getAnimations({ subtree: true }) ?? [];
  return all.length > 1 && all.every((one) => one.playState === "paused");
})"""
# What the light lies on, of all that must be seen: it counts as something that can be pressed.
COVERED_BY_LIGHT = """(needed) => {
  const light = document.querySelector(".spell.light > *");
  light.closest(".ground").style.pointerEvents = light.parentElement.style.pointerEvents = "auto";
  light.style.pointerEvents = "auto";
  return needed.filter((one) => {
    const { x, y, width, height } = document.querySelector(one).getBoundingClientRect();
    return document.elementFromPoint(x + width / 2, y + height / 2) === light;
  });
}"""


@pytest.mark.parametrize("size", [(390, 844), (1280, 800), (1920, 1080)])
def test_a_bid_just_met_enlarges_nothing_and_covers_nothing(
    visit: Visit, house: ServerProcess, size: tuple[int, int]
) -> None:
    def only_wizard(deal: Deal) -> bool:
        others = (card.code for hand in deal.hands[1:] for card in hand)
        return plain(deal) and holds(0, "W")(deal) and "W" not in others

    visitor = visit()
    # The trick isn't gathered while it is measured.
    linger(visitor, least_ms=1500)
    page = visitor.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    code = arrange(house.data, visitor, {"players": 3, "rounds": "2"}, only_wizard)
    page = visitor.open(f"/t/{code}")
    page.evaluate(CAST)
    page.get_by_role("group", name="Your bid").get_by_role("button", name="1").click()
    page.get_by_role("button", name="Wizard, playable").click()
    page.wait_for_function(HELD)
    assert page.evaluate("document.documentElement.scrollHeight === innerHeight")
    assert page.evaluate("document.documentElement.scrollWidth === innerWidth")
    needed = [".own .chips", ".own .name", ".hand .card", ".seats .name"]
    assert page.evaluate(COVERED_BY_LIGHT, needed) == []
    # It is pressed on the card that met the bid, below its number.
    come_to_rest(page, ".trick, .trick *")
    needed.append(".altar .stock")
    assert page.evaluate(LIES_ON, [".spell .wax", ", ".join(needed), 0]) == []
    seal, card = (page.locator(one).bounding_box() for one in (".spell .wax", ".trick .mine"))
    assert seal is not None
    assert card is not None
    assert seal["x"] > card["x"]
    assert seal["y"] > card["y"] + card["height"] * 0.3


def test_whoever_has_seen_the_result_goes_on_at_once(visit: Visit, house: ServerProcess) -> None:
    visitor = visit("phone", **CALM)
    linger(visitor)
    code = arrange(house.data, visitor, {"players": 3, "rounds": "1,2"}, plain, plain)
    page = visitor.open(f"/t/{code}")
    play_a_round(page)
    stone = page.get_by_role("region", name="Round 1")
    stone.wait_for()
    # The scores beside it can be read to their end.
    for key in ("ArrowDown", "ArrowUp", "PageDown", "PageUp", "End", "Home"):
        page.keyboard.press(key)
    # The first touch keeps it, and stops what shows when it would go; another goes on.
    expect(stone.locator(".next.timed")).to_have_text("Round 2")
    stone.get_by_text("bid").first.click()
    expect(stone.locator(".timed")).to_have_count(0)
    expect(stone).to_be_visible()
    stone.get_by_role("button", name="Round 2").click()
    expect(page.get_by_role("heading", name="Round 2 of 2")).to_be_visible()
    expect(page.locator(".result")).to_have_count(0)


def test_the_last_trick_of_a_round_can_be_looked_at_in_the_next(
    visit: Visit, house: ServerProcess
) -> None:
    visitor = visit("phone", **CALM)
    code = arrange(house.data, visitor, {"players": 3, "rounds": "1,2"}, plain, plain)
    page = visitor.open(f"/t/{code}")
    page.get_by_role("group", name="Your bid").wait_for()
    page.get_by_role("button", name="Last trick").click()
    expect(page.locator(".line .note")).to_have_text("No trick has been completed yet.")
    card = play_a_round(page)
    page.get_by_role("button", name="Round 2").click()
    expect(page.get_by_role("heading", name="Round 2 of 2")).to_be_visible()
    trick = page.get_by_role("list", name="The trick")
    for _ in range(2):
        page.get_by_role("group", name="Your bid").wait_for()
        page.get_by_role("button", name="Last trick").click()
        expect(trick).to_contain_text(f"You: {card}")
        expect(trick.get_by_role("listitem")).to_have_count(3)
        # What is asked makes room for it, and comes back.
        expect(page.get_by_role("group", name="Your bid")).to_have_count(0)
        page.get_by_role("button", name="Last trick").click()
        expect(trick.get_by_role("listitem")).to_have_count(0)
        page.reload()


def begin(visit: Visit, **settings: Any) -> tuple[Visitor, Visitor, str]:
    """Ana and Bo and a bot; Bo is the first to bid."""
    host, guest = visit("phone", **CALM).named("Ana"), visit("phone", **CALM).named("Bo")
    rules = {"players": 3, "rounds": "3", "dealer_by": "seat"}
    code = host.new_table(rules=rules, settings=settings, bots=[None, None, "novice"])
    host.open(f"/t/{code}")
    guest.open(f"/t/{code}")
    guest.page.get_by_role("button", name="Sit down").click()
    host.page.get_by_role("button", name="Start the game").click()
    guest.page.get_by_role("group", name=re.compile("Your (bid|cards)")).first.wait_for()
    return host, guest, code


def test_the_line_says_who_everyone_waits_for(visit: Visit) -> None:
    host, guest, _ = begin(visit)
    # If Ana has to name trump first, she does.
    if host.page.locator(".choices button").count():
        decide(host.page)
    line = host.page.locator("div.line")
    expect(line).to_have_text("Waiting for Bo")
    guest.page.goto("about:blank")
    expect(line).to_contain_text(re.compile(r"Bo is away. A bot plays in \d+ seconds?."))
    line.get_by_role("button", name="Wait").click()
    expect(line).to_contain_text("Bo is away. The table waits up to 5 minutes.")


def leave(page: Page) -> None:
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Leave the table").click()
    page.get_by_role("dialog", name="Leave the table").get_by_role(
        "button", name="Leave", exact=True
    ).click()


def test_whoever_leaves_keeps_the_seat_and_finds_it_again(visit: Visit) -> None:
    host, guest, code = begin(visit, pace=0)
    page = guest.page
    leave(page)

    mine = page.get_by_role("region", name="Your games").get_by_role("link", name=re.compile("Ana"))
    expect(mine).to_have_attribute("href", re.compile(f"^/t/{code}"))
    players = host.page.get_by_role("list", name="Players")
    expect(players).to_contain_text("Bo")
    expect(players).to_contain_text("a bot plays")

    mine.click()
    page.get_by_role("button", name="I’m back").click()
    expect(players).not_to_contain_text("a bot plays")
    expect(players).to_contain_text("Bo")


def test_a_seat_that_was_left_is_free_for_others(visit: Visit) -> None:
    host, guest, code = begin(visit, pace=0)
    page = guest.page
    leave(page)
    page.wait_for_url("**/")
    other = visit("phone", **CALM).named("Cy").open(host.invitation(code))
    other.get_by_role("button", name="Take Bo’s seat").click()
    host.page.get_by_role("button", name="Let in").click()
    expect(other.get_by_role("group", name="Your cards")).to_be_visible()
    expect(host.page.get_by_role("list", name="Players")).to_contain_text("Cy")


def test_nobody_is_asked_for_a_name_they_have_given(visit: Visit) -> None:
    host, guest = visit().named("Ana"), visit("phone").named("Bo")
    code = host.new_table(rules={"players": 3}, bots=[None, None, "novice"])
    held: list[Route] = []
    guest.page.route("**/api/me", lambda route: held.append(route))
    page = guest.open(f"/t/{code}")
    page.get_by_role("button", name="Sit down").click()
    page.wait_for_timeout(300)
    expect(page.get_by_role("dialog")).to_have_count(0)
    for one in held:
        one.continue_()
    expect(page.get_by_text("Waiting for Ana to start")).to_be_visible()
