"""Every hand, bid and card of a replay has room, on every screen."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from browser.conftest import Visit
from browser.robot import play_at_once

# Whatever of the replay lies over something else of it, or over the edge. The cards of one hand and
# of the trick may overlap.
COVERED = """async () => {
  for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
  const kinds = {
    seat: ".seats .seat",
    open: ".open .card",
    bid: ".middle .lies > span:not(.visually-hidden)",
    trick: ".trick li",
    slab: ".altar",
    tally: ".tally > *",
    told: ".told",
    own: ".own, .hand, .controls",
  };
  const boxes = Object.entries(kinds).flatMap(([kind, where]) =>
    [...document.querySelectorAll(where)].map((one) => {
      const of = kind === "open" ? one.closest("li").querySelector(".name").textContent.trim() : "";
      return { kind: `${kind} ${of}`, together: kind === "trick" || kind === "open",
        ...one.getBoundingClientRect().toJSON() };
    }),
  );
  const found = boxes
    .filter(({ left, right }) => left < 0 || right > innerWidth)
    .map(({ kind }) => `${kind} outside`);
  for (const [index, a] of boxes.entries())
    for (const b of boxes.slice(index + 1))
      if (
        !(a.together && a.kind === b.kind) &&
        Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
        Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1
      )
        found.push(`${a.kind} / ${b.kind}`);
  return [...new Set(found)];
}"""
LONGEST = """() => document.querySelectorAll(".mark span").forEach((words) => {
  words.textContent = "Previous good move";
})"""
SCREENS = [(360, 640), (390, 844), (820, 1180), (1024, 768), (1440, 900), (1920, 1080)]


@pytest.mark.parametrize(("players", "cards"), [(3, 20), (4, 14), (5, 11), (5, 12), (6, 9)])
def test_it_is_the_table_and_nothing_on_it_covers_anything(
    visit: Visit, site: str, players: int, cards: int
) -> None:
    rules = {"players": players, "rounds": str(cards)}
    code = play_at_once(site, rules, [None, *["novice"] * (players - 1)])
    visitor = visit(reduced_motion="reduce")
    page = visitor.page
    controls = page.get_by_role("group", name="Steps of the replay")
    steps = page.request.get(f"{visitor.url}/api/tables/{code}/replay").json()["steps"]
    events = list(enumerate((step["event"] for step in steps), start=1))
    bids = [n for n, event in events if event.get("action", "").startswith("bid")]
    # All bids but one; and a card before everyone, with nearly all of them still in open hands.
    bidding, trick = bids[-2], next(n for n, event in events if event.get("trick"))
    for step, held, lying in (
        (bidding, cards, page.locator(".middle .lies > span:not(.visually-hidden)")),
        (trick, cards - 1, page.locator(".trick li")),
    ):
        visitor.open(f"/r/{code}/{step}")
        for width, height in SCREENS:
            page.set_viewport_size({"width": width, "height": height})
            expect(lying).to_have_count(players if step == trick else players - 1)
            expect(page.locator(".seats .open .card")).to_have_count((players - 1) * held)
            expect(controls).to_be_in_viewport(ratio=1)
            assert page.evaluate(COVERED) == [], f"step {step}, {width} x {height}"
    # Whether a mistake or a good move comes before depends on the game.
    page.set_viewport_size({"width": 360, "height": 640})
    page.locator(".mark span").first.evaluate(LONGEST)
    expect(controls).to_be_in_viewport(ratio=1)
