"""The end of a game: who won, what to keep, and what comes next."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import expect

from browser.arranged import arrange, wins_the_rest
from browser.axe import violations
from browser.conftest import Visit
from browser.layout import edges
from browser.robot import MINUS, click_to_the_end, decide, play_at_once
from browser.visitor import Visitor
from server.process import ServerProcess

RULES = {"players": 4, "rounds": "1-3"}
BOTS = [None, "novice", "apprentice", "adept"]


def finished(visitor: Visitor) -> str:
    """A whole game by clicks; its code."""
    code = visitor.named("Ana").new_table(rules=RULES, settings={"pace": 0}, bots=BOTS)
    page = visitor.open(f"/t/{code}")
    page.get_by_role("button", name="Start the game").click()
    # A bid and r cards in every round; the player may also have to name trump.
    assert len(click_to_the_end(page)) >= 3 + 1 + 2 + 3
    return code


def foretold(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "foretold.cli", *arguments], capture_output=True, text=True
    )


def test_a_whole_game_by_clicks_and_all_that_it_leaves(visit: Visit, tmp_path: Path) -> None:
    visitor = visit("phone", hurried=True, accept_downloads=True)
    code = finished(visitor)
    page = visitor.page
    title = page.get_by_role("heading", level=1)
    expect(title).to_contain_text(re.compile("won|share|place"))

    replay = page.request.get(f"{visitor.url}/api/tables/{code}/replay").json()
    last = replay["steps"][-1]["event"]
    totals, places = last["round"]["totals"], last["outcome"]["places"]
    ranking = page.locator("ol").first.get_by_role("listitem")
    expect(ranking).to_have_count(4)
    # By place, and one's own first.
    order = sorted(range(4), key=lambda seat: (seat > 0, places[seat], seat))
    stones = page.locator(".podium .step")
    for stone, seat in zip(
        stones.all(), sorted(range(4), key=lambda seat: (places[seat], seat)), strict=True
    ):
        expect(stone).to_contain_text("You" if seat == 0 else replay["names"][seat])
        expect(stone).to_contain_text(str(totals[seat]).replace("-", MINUS))
    for row, seat in zip(ranking.all(), order, strict=True):
        expect(row).to_contain_text("You" if seat == 0 else replay["names"][seat])
        expect(row).to_contain_text(str(totals[seat]).replace("-", MINUS))
        met = sum(
            step["event"]["round"]["points"][seat] > 0
            for step in replay["steps"]
            if step["event"].get("round") and step["event"]["e"] == "act"
        )
        expect(row).to_contain_text(f"{met} of 3 bids met")

    if places[0] > 1:
        behind = max(totals) - totals[0]
        expect(page.get_by_text(re.compile(f"^{behind} points? behind"))).to_be_visible()
    expect(page.locator("p.moment")).to_contain_text(re.compile("cost|Won with a fine"))
    tablet = page.locator(".tablet")
    expect(tablet.get_by_role("row")).to_have_count(1 + 3 + 1)
    expect(tablet.get_by_role("columnheader", name="You")).to_be_visible()
    expect(page.get_by_text("Every deal is verified")).to_be_visible()

    with page.expect_download() as download:
        page.get_by_role("link", name="Download the record").click()
    path = tmp_path / download.value.suggested_filename
    assert path.name == f"foretold-{code}.json"
    download.value.save_as(path)
    assert json.loads(path.read_text())["names"] == replay["names"]
    told = foretold("replay", str(path), "--json")
    assert told.returncode == 0, told.stdout + told.stderr
    verified = foretold("verify", str(path))
    assert verified.returncode == 0, verified.stdout + verified.stderr
    # The browser added its own bytes to every shuffle.
    assert verified.stdout.count("verified") >= 3
    assert "seat 0" in verified.stdout

    page.get_by_role("button", name="Rematch").click()
    page.wait_for_url(lambda url: "/t/" in url and code not in url)
    # Against bots alone it starts at once.
    expect(page.get_by_role("heading", level=1)).to_contain_text("Round 1 of 3")
    expect(page.get_by_role("button", name="Rematch")).to_have_count(0)


def test_the_latest_games_add_up_to_a_few_figures(visit: Visit) -> None:
    visitor = visit().named("Ana")
    cookies = {one["name"]: one["value"] for one in visitor.context.cookies()}
    for _ in range(5):
        play_at_once(visitor.url, {"players": 4, "rounds": "1"}, BOTS, cookies=cookies)
    page = visitor.open("/games")
    record = page.get_by_role("region", name="Your last 5 games")
    mine = visitor.context.request.get(f"{visitor.url}/api/me/games").json()["games"]
    own = [(one["places"][0], one["totals"][0]) for one in mine]
    won = sum(place == 1 for place, _ in own)
    figures = record.locator("dl > div")
    expect(figures.nth(0)).to_have_text(re.compile(rf"Won\s*{won}\s*/ 5"))
    average = sum(place for place, _ in own) / 5
    expect(figures.nth(1)).to_have_text(re.compile(rf"Average place\s*{average:g}$"))
    best = str(max(points for _, points in own)).replace("-", MINUS)
    expect(figures.nth(2)).to_have_text(re.compile(rf"Best score\s*{best}$"))
    # Each is reviewed when it is first shown here.
    expect(figures.nth(3)).to_have_text(re.compile(r"Given away per game\s*\d+\s*in 5 games"))
    places = ", ".join(str(place) for place, _ in reversed(own))
    expect(record.get_by_role("img", name=f"oldest first: {places}")).to_be_visible()
    expect(record.locator("svg :is(circle, .won)")).to_have_count(5)

    # Of many games it tells the latest, and no mean of a few of them.
    many = [{**mine[0], "code": f"AAAA{number:02}"} for number in range(40)]
    page.route("**/api/me/games", lambda route: route.fulfill(json={"games": [*mine, *many]}))
    page.route("**/api/tables/AAAA*/review", lambda route: route.abort())
    visitor.expected.append("ERR_FAILED")
    page.reload()
    record = page.get_by_role("region", name="Your last 30 games")
    expect(record.locator("svg :is(circle, .won)")).to_have_count(30)
    names = ["Won", "Average place", "Best score", "Given away per game"]
    expect(record.locator("dt")).to_have_text(names)
    expect(record.locator("dd").nth(3)).to_have_text("\N{EN DASH}")
    expect(page.locator("main header p").first).to_contain_text("45 games")

    # A review that does not come can be asked for again.
    ask = page.get_by_role("button", name="Review it").first
    expect(ask).to_have_attribute("aria-busy", "false")
    ask.click()
    expect(page.get_by_text("cannot be reached").first).to_be_visible()
    expect(ask).to_be_focused()
    review = page.request.get(f"{visitor.url}/api/tables/{mine[0]['code']}/review").json()
    page.route("**/api/tables/AAAA*/review", lambda route: route.fulfill(json=review))
    ask.click()
    expect(page.locator("span.given:focus")).to_contain_text("given away")


def test_after_a_first_game_there_is_that_game_and_what_decided_it(visit: Visit) -> None:
    visitor = visit().named("Ana")
    cookies = {one["name"]: one["value"] for one in visitor.context.cookies()}
    code = play_at_once(visitor.url, {"players": 4, "rounds": "1-4"}, BOTS, cookies=cookies)
    page = visitor.open("/games")
    last = page.get_by_role("region", name="Your latest game")
    expect(last.get_by_role("link", name="See the moment")).to_be_visible()
    expect(page.locator(".sky svg[role=img]")).to_have_count(0)
    expect(page.locator(".list .facts").first).to_contain_text(re.compile(r"Today, \d+:\d\d"))

    # The hand as it was when that was decided.
    review = page.request.get(f"{visitor.url}/api/tables/{code}/review").json()
    replay = page.request.get(f"{visitor.url}/api/tables/{code}/replay").json()
    acts = [at for at, one in enumerate(replay["steps"]) if one["event"]["e"] == "act"]
    at = acts[(review["worst"][0] or review["finest"][0])[0]]
    hand = replay["first"]["hands"][0]
    for step in replay["steps"][:at]:
        hand = step["view"].get("hands", [hand])[0]
    expect(last.get_by_role("list", name="Your cards").get_by_role("listitem")).to_have_count(
        len(hand)
    )


def test_whoever_comes_later_sees_the_end_and_the_way_to_the_rematch(
    visit: Visit,
) -> None:
    player = visit(hurried=True)
    code = finished(player)
    watcher = visit().open(player.invitation(code))
    expect(watcher.get_by_role("heading", level=1)).to_contain_text(re.compile("won|share"))
    expect(watcher.get_by_role("button", name="Rematch")).to_have_count(0)
    player.page.get_by_role("button", name="Rematch").click()
    expect(watcher.get_by_role("link", name="Join the rematch")).to_be_visible()


def test_everyone_can_read_it(visit: Visit) -> None:
    visitor = visit(hurried=True, bypass_csp=True, reduced_motion="reduce")
    finished(visitor)
    page = visitor.page
    page.get_by_text("Every deal is verified").wait_for()
    page.get_by_text("Round by round").click()
    page.get_by_role("region", name="Points given away, added up").wait_for()
    assert violations(page) == []


def test_the_review_is_part_of_the_end(visit: Visit) -> None:
    visitor = visit()
    cookies = {one["name"]: one["value"] for one in visitor.named("Ana").context.cookies()}
    code = play_at_once(visitor.url, {"players": 4, "rounds": "1-6"}, BOTS, None, cookies)
    page = visitor.open(f"/t/{code}")
    review = page.request.get(f"{visitor.url}/api/tables/{code}/review").json()
    sums = page.get_by_role("region", name="Points given away, added up")
    expect(sums.get_by_role("img", name="Points given away over the game")).to_be_visible()
    expect(sums.get_by_role("table")).to_be_visible()
    own = page.get_by_role("region", name="Review")
    moments = own.get_by_role("listitem")
    expect(moments).to_have_count(len(review["worst"][0]) + len(review["finest"][0]))
    moments.first.get_by_role("button", name="See the moment").click()
    replay = page.request.get(f"{visitor.url}/api/tables/{code}/replay").json()
    acts = [at for at, one in enumerate(replay["steps"], start=1) if one["event"]["e"] == "act"]
    page.wait_for_url(f"**/r/{code}/{acts[review['worst'][0][0]]}*")


def test_a_win_is_said_to_the_winner_and_shown_whatever_they_press(
    visit: Visit, house: ServerProcess
) -> None:
    visitor = visit("phone", hurried=True)
    code = arrange(house.data, visitor, {"players": 4, "rounds": "3"}, wins_the_rest)
    page = visitor.open(f"/t/{code}")
    page.locator(".bid").get_by_text("3", exact=True).click()
    while not page.locator(".result").count():
        if page.locator(".hand .playable").count():
            decide(page)
        page.wait_for_timeout(30)
    # One heading, with what became of the bid below it.
    expect(page.locator(".result .head")).to_have_text("You have won")
    expect(page.locator(".result .apart")).to_have_text(re.compile(r"^\d+ points ahead of"))
    expect(page.locator(".result small")).to_contain_text("Just as you foretold! · took 3, bid 3")
    page.locator(".result .next").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("You have won")
    # A key ends what moves, and the points are all there.
    page.keyboard.press("Shift")
    moving = """(one) => one.getAnimations({ subtree: true })
      .filter(({ playState }) => playState !== "finished").length"""
    assert page.locator(".laurels").evaluate(moving) == 0
    expect(page.locator(".podium .own b")).to_have_text("50")


# Every line on the stones that does not fit on them.
CUT = """() => [...document.querySelectorAll(".stone > *")]
  .filter((one) => {
    const [line, stone] = [one, one.parentElement].map((it) => it.getBoundingClientRect());
    const over = one.matches(".name") && one.scrollWidth > one.clientWidth + 1;
    return over || line.left < stone.left - 1 || line.right > stone.right + 1 ||
      line.bottom > stone.bottom + 1;
  })
  .map((one) => one.textContent)"""


def test_six_on_a_small_phone_can_be_read_on_their_stones(visit: Visit) -> None:
    visitor = visit(reduced_motion="reduce").named("Ana")
    cookies = {one["name"]: one["value"] for one in visitor.context.cookies()}
    bots = [None, *["novice"] * 5]
    code = play_at_once(visitor.url, {"players": 6, "rounds": "1-3"}, bots, cookies=cookies)
    page = visitor.page
    page.set_viewport_size({"width": 360, "height": 640})
    visitor.open(f"/t/{code}")
    others = page.locator(".podium .step:not(.own) .face")
    expect(others).to_have_count(5)
    assert page.evaluate(CUT) == []
    # One's own face is the largest.
    (left, _, right, _), *rest = (
        edges(one) for one in (page.locator(".podium .own .face"), *others.all())
    )
    assert all(right - left > other[2] - other[0] for other in rest)
