"""Score sheets exported, summed up, rearranged and read by everyone."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from browser.axe import violations
from browser.conftest import Visit
from browser.robot import MINUS
from browser.sheets import (
    FOUR,
    RULEBOOK,
    TRIO,
    finished,
    foretell,
    new_sheet,
    open_sheet,
    write_round,
)
from browser.visitor import Visitor
from browser.words import LANGUAGES, said


def test_spreadsheet_paper_and_picture_agree(visit: Visit, tmp_path: Path) -> None:
    visitor = visit("phone", accept_downloads=True).named("Ana")
    page = finished(visitor)

    with page.expect_download() as download:
        page.get_by_role("link", name="Spreadsheet").click()
    download.value.save_as(tmp_path / "sheet.csv")
    rows = list(csv.reader(io.StringIO((tmp_path / "sheet.csv").read_text("utf-8-sig"))))
    head = ["Round", "Cards", "Dealer"]
    parts = ("Bid", "Tricks", "Points", "Total")
    assert rows[0] == [*head, *(f"{name}: {part}" for name in TRIO for part in parts), "Note"]
    assert rows[3] == [
        "3",
        "3",
        "Ben",
        *["2", "2", "40", "50", "2", "1", "-10", "0", "0", "0", "20", "40"],
        "",
    ]

    with page.expect_download() as download:
        page.get_by_role("button", name="Save as a picture").click()
    download.value.save_as(tmp_path / "sheet.png")
    assert download.value.suggested_filename.endswith(".png")
    assert (tmp_path / "sheet.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"

    page.emulate_media(media="print")
    paper = page.locator(".paper")
    expect(paper).to_be_visible()
    expect(page.locator(".site-header")).to_be_hidden()
    expect(page.locator(".sheet-page")).to_be_hidden()
    printed = [
        [cell.strip() for cell in row.locator("th, td").all_inner_texts()]
        for row in paper.locator("tbody tr").all()
    ]
    assert printed == [
        ["1", "20", "0", f"{MINUS}10", "1", "30", "1"],
        ["2", "10", "2", "10", "0", "20", "0"],
        ["3", "50", "2", "0", "2", "40", "0"],
    ]
    assert paper.locator("tfoot td").all_inner_texts() == ["50", "0", "40"]

    # Other pages print as usual, even after this one.
    page.emulate_media(media="screen")
    page.get_by_role("link", name="Another game").click()
    page.emulate_media(media="print")
    expect(page.get_by_role("heading", level=1)).to_be_visible()


# What is painted on canvases, and what is copied.
LISTEN = """() => {
  window.painted = [];
  const paint = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
    window.painted.push(text);
    return paint.call(this, text, ...place);
  };
  navigator.share = undefined;
  navigator.clipboard.writeText = async (text) => void (window.copied = text);
}"""


@pytest.fixture(scope="module")
def evening(browsers: Callable[[], Browser], site: str) -> str:
    """The code of a finished sheet, for tests that only read it."""
    context = browsers().new_context(locale="en-GB")
    page = finished(Visitor(context, context.new_page(), site).named("Ana"))
    code = page.url.rsplit("/", 1)[-1][:6]
    context.close()
    return code


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_taken_away_in_the_words_of_the_reader(
    visit: Visit, evening: str, language: str
) -> None:
    visitor = visit("phone", locale=language, accept_downloads=True)
    visitor.page.add_init_script(f"({LISTEN})()")
    page = visitor.open(f"/s/{evening}")
    say = partial(said, language)

    with page.expect_download() as download:
        page.get_by_role("link", name=say("sheet_csv")).click()
    text = Path(download.value.path()).read_text("utf-8-sig")
    rows = list(csv.reader(io.StringIO(text), delimiter="," if language == "en" else ";"))
    heading = [say("tablet_round"), say("rules_score_bid"), say("rules_score_points")]
    assert [rows[0][0], rows[0][3], rows[0][5]] == [
        heading[0],
        *(f"Ana: {word}" for word in heading[1:]),
    ]
    assert rows[1][3:7] == ["0", "0", "20", "20"]

    page.get_by_role("button", name=say("sheet_share"), exact=True).click()
    page.wait_for_function("window.copied")
    told = page.evaluate("window.copied").splitlines()
    assert say("tablet_title") in told[0]
    assert told[1:] == ["1. Ana 50", "2. Cleo 40", "3. Ben 0", f"{visitor.url}/s/{evening}"]

    with page.expect_download() as download:
        page.get_by_role("button", name=say("sheet_picture"), exact=True).click()
    assert page.evaluate("window.painted")[:4] == [say("tablet_title"), *TRIO]

    page.emulate_media(media="print")
    paper = page.locator(".paper")
    expect(paper.get_by_role("heading")).to_have_text(say("tablet_title"))
    expect(paper.locator("thead th").first).to_have_text(say("tablet_round"))
    assert paper.locator("th").first.evaluate("(one) => one.scrollWidth <= one.clientWidth")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_twenty_rounds_of_six_fit_one_page(visit: Visit) -> None:
    visitor = visit().named("Ana")
    names = ("Ana", "Bartholomew", "Cleo", "Dora", "Emil", "Maximiliana Theodora")
    page = open_sheet(visitor, new_sheet(visitor, names, rounds="1-10,10-1"))
    paper = page.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", paper)) == 1


def test_many_evenings_are_summed_up_by_name(visit: Visit) -> None:
    visitor = visit().named("Statistician")
    for names in (TRIO, ("Dora", "Ben", "Ana")):
        finished(visitor, names)
    page = visitor.open("/tablet")
    table = page.get_by_role("table", name="All evenings")
    expect(table.locator("tbody").get_by_role("row")).to_have_count(4)
    lines = {
        row.get_by_role("rowheader").inner_text(): row.get_by_role("cell").all_inner_texts()
        for row in table.locator("tbody").get_by_role("row").all()
    }
    assert lines["Ana"] == ["2", "1", "45", "50", "67%"]
    assert lines["Ben"] == ["2", "0", "0", "0", "33%"]
    assert lines["Dora"] == ["1", "1", "50", "50", "67%"]
    page.get_by_role("button", name="Same as last time: Dora, Ben, Ana").click()
    expect(page.get_by_label("Name of player 3")).to_have_value("Ana")
    expect(page.get_by_label("Name of player 4")).to_have_count(0)


def seated(page: Page) -> list[str]:
    return [one.input_value() for one in page.get_by_label(re.compile("Name of player")).all()]


def test_seats_are_dragged_and_moved_by_keys(visit: Visit) -> None:
    page = visit("phone").named("Ana").open("/tablet")
    for seat, name in enumerate(FOUR):
        page.get_by_label(f"Name of player {seat + 1}").fill(name)
    page.get_by_role("radio", name="Dora deals first").check(force=True)
    grips = page.get_by_role("button", name=re.compile("^Move .*: drag"))
    boxes = [grip.bounding_box() for grip in grips.all()]
    first, last = boxes[0], boxes[3]
    assert first is not None
    assert last is not None

    page.mouse.move(last["x"] + 10, last["y"] + 10)
    page.mouse.down()
    page.mouse.move(first["x"] + 10, first["y"] + 8, steps=6)
    assert seated(page) == ["Dora", "Ana", "Ben", "Cleo"]
    page.mouse.up()
    # The dealer keeps the deal.
    expect(page.get_by_role("radio", name="Dora deals first")).to_be_checked()
    expect(page.get_by_role("button", name="Move Dora: drag")).to_be_focused()
    expect(page.get_by_role("status")).to_contain_text("Dora: seat 1")

    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert seated(page) == ["Ana", "Ben", "Dora", "Cleo"]
    expect(page.get_by_role("button", name="Move Dora: drag")).to_be_focused()
    # Without dragging: a tap on one, then on the other.
    page.get_by_role("button", name="Move Ben: drag").click()
    page.get_by_role("button", name="Move Ana: drag").click()
    assert seated(page) == ["Ben", "Ana", "Dora", "Cleo"]
    # Whoever was tapped and then removed, or moved in another way, swaps with nobody any more.
    page.get_by_role("button", name="Move Cleo: drag").click()
    page.get_by_role("button", name="Remove Cleo").click()
    page.get_by_role("button", name="Move Ben: drag").click()
    assert seated(page) == ["Ben", "Ana", "Dora"]
    page.keyboard.press("ArrowDown")
    page.get_by_role("button", name="Move Dora: drag").click()
    assert seated(page) == ["Ana", "Ben", "Dora"]
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowDown")
    page.get_by_role("button", name="Add a player").click()
    page.get_by_label("Name of player 4").fill("Cleo")
    page.get_by_role("button", name="Start the sheet").click()
    page.wait_for_url("**/s/*")
    expect(page.locator(".pad thead th")).to_contain_text(["", "You", "Ben", "Dora", "Cleo"])
    expect(page.get_by_text("Dora deals").first).to_be_visible()


def test_bad_input_is_answered_and_nothing_is_lost(visit: Visit) -> None:
    visitor = visit("phone").named("Ana")
    page = visitor.open("/tablet")
    for seat, typed in enumerate(("ענבל", "W" * 200, "Cleo")):
        page.get_by_label(f"Name of player {seat + 1}").fill(typed)
    page.get_by_role("button", name="Remove Player 4").click()
    page.get_by_role("radio", name="Cleo deals first").check(force=True)
    page.get_by_role("button", name="Start the sheet").click()
    page.wait_for_url("**/s/*")
    names = ("ענבל", "W" * 24, "Cleo")
    expect(page.locator(".pad thead th")).to_contain_text(["", *names])
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for name, bid in zip(names, (0, 1, 1), strict=True):
        foretell(page, name, bid)
    page.get_by_role("button", name="Change a number", exact=True).click()
    editor = page.get_by_role("dialog", name="Correct round 1")
    alert = editor.get_by_role("alert")
    for cell, value, answer in (
        ("Tricks of Cleo", "-1", "Enter from 0 to 1 tricks."),
        ("Tricks of Cleo", "7", "Enter from 0 to 1 tricks."),
        ("Bid of Cleo", "2", "Bid from 0 to 1."),
    ):
        field = editor.get_by_label(cell, exact=True)
        before = field.input_value()
        field.fill(value)
        editor.get_by_role("button", name="Save").click()
        expect(alert).to_have_text(answer)
        field.fill(before)
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Bid of Cleo: 1")).to_be_visible()
    page.get_by_role("button", name="This sheet").click()
    page.get_by_label("Name of player 3").fill(" ")
    page.get_by_label("Name of player 3").fill("Z" * 200)
    page.get_by_label("Name of player 3").press("Tab")
    expect(page.get_by_label("Name of player 3")).to_have_value("Z" * 24)
    expect(page.locator(".pad thead")).to_contain_text("Z" * 24)


def test_a_sheet_that_is_thrown_away_and_one_that_never_was(visit: Visit) -> None:
    host, other = visit("phone").named("Ana"), visit("phone").named("Ben")
    code = new_sheet(host, rounds="1-2")
    page, watching = open_sheet(host, code), open_sheet(other, code)
    watching.get_by_role("button", name="This sheet").click()
    expect(watching.get_by_role("button", name="Throw the sheet away")).to_have_count(0)
    page.get_by_role("button", name="This sheet").click()
    page.get_by_role("button", name="Throw the sheet away").click()
    page.get_by_role("button", name="Throw it away", exact=True).click()
    for one in (page, watching):
        expect(one.get_by_role("heading", name="This sheet was thrown away")).to_be_visible()
    other.expected += ["404", "410"]
    watching.reload()
    expect(watching.get_by_role("heading", name="This sheet was thrown away")).to_be_visible()
    for typed in (code, f"{other.url}/s/{code}"):
        other.open("/").get_by_label("Join a table").fill(typed)
        watching.get_by_role("button", name="Join", exact=True).click()
        expect(watching.get_by_role("heading", name="This sheet was thrown away")).to_be_visible()
    other.open("/s/QQQQQQ")
    expect(watching.get_by_role("heading", name="There is no such sheet")).to_be_visible()


def test_the_rules_of_the_game_are_a_link_away(visit: Visit) -> None:
    visitor = visit("phone").named("Ana")
    code = new_sheet(visitor, edition="gigamic", bid_rule="plus_minus_one", rounds="1-5")
    page = open_sheet(visitor, code)
    page.get_by_role("button", name="This sheet").click()
    page.get_by_role("link", name="Rules of this game").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Rules of this game")
    rules = page.locator("article")
    expect(rules).to_contain_text("The bids may not add up to the number of tricks.")
    expect(rules).to_contain_text("The numbers of cards, in order: 1, 2, 3, 4, 5.")
    # The players themselves have said who deals first.
    expect(rules).not_to_contain_text("The first seat deals")
    page.get_by_role("link", name="Go to the sheet").click()
    expect(page).to_have_url(re.compile(f"^{visitor.url}/s/{code}"))


def test_it_can_be_kept_by_keyboard_alone(visit: Visit) -> None:
    visitor = visit().named("Ana")
    page = open_sheet(visitor, new_sheet(visitor, rounds="1,12"))
    for name, digit in zip(TRIO, "011", strict=True):
        page.get_by_role("heading", name=f"{name} bids…").wait_for()
        page.keyboard.press(digit)
    for name, digit in zip(TRIO, "00", strict=False):  # the third follows
        page.get_by_role("heading", name=f"{name} took…").wait_for()
        page.keyboard.press(digit)
    page.get_by_role("heading", name="Ben bids…").wait_for()
    told = f"Cleo took 1. After round 1: Ana 20, Ben {MINUS}10, Cleo 30. Ben bids…"
    expect(page.locator("[aria-live=polite]", has_text="After round 1").first).to_contain_text(told)
    page.keyboard.type("12")
    expect(page.get_by_role("button", name="Bid of Ben: 12")).to_be_visible()
    page.get_by_role("heading", name="Cleo bids…").wait_for()
    page.keyboard.press("1")
    expect(page.get_by_role("button", name="Bid of Cleo: 1")).to_be_visible()
    first_round = page.locator(".pad tbody th button").first
    first_round.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="Correct round 1")).to_be_visible()
    page.keyboard.press("Escape")
    expect(first_round).to_be_focused()


def test_everyone_can_read_it(visit: Visit) -> None:
    visitor = visit(bypass_csp=True, reduced_motion="reduce").named("Ana")

    def check(page: Page, what: str) -> None:
        assert violations(page, "narrow", "desktop") == [], what

    page = finished(visitor)
    check(page, "the end")
    page = visitor.open("/tablet")
    page.get_by_role("table", name="All evenings").wait_for()
    page.get_by_role("button", name="Start the sheet").wait_for()
    check(page, "a new sheet")
    page = open_sheet(visitor, new_sheet(visitor, edition="anniversary"))
    write_round(page, TRIO, 2, *RULEBOOK[0][:2], bomb=True)
    check(page, "the Cloud")
    page.get_by_role("button", name="Nobody").click()
    page.get_by_role("heading", name="Ben bids…").wait_for()
    check(page, "a round")
    openers: dict[str, Callable[[], None]] = {
        "Correct round 1": lambda: page.locator(".pad tbody th button").first.click(),
        "More phones": lambda: page.get_by_role("button", name="Invite").click(),
        "This sheet": lambda: page.get_by_role("button", name="This sheet").click(),
    }
    for title, opened in openers.items():
        opened()
        page.get_by_role("dialog", name=title).wait_for()
        check(page, title)
        page.keyboard.press("Escape")
