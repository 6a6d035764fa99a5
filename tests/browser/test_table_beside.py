"""What is asked, explained, said or remembered at the table covers nothing that one needs."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from browser.arranged import arrange, holds, plain
from browser.conftest import Visit
from browser.layout import COLLISIONS, LIES_ON, PHONES, come_to_rest, edges
from browser.robot import EDGE, decide, decide_until_play, play_at_once
from foretold.deal import Deal
from server.process import ServerProcess


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
    page.set_viewport_size({"width": 1440, "height": 900})
    page.keyboard.press("l")
    come_to_rest(page)
    (left, _, right, _), (start, _, end, _) = (
        edges(page.locator(one)) for one in (".asking > p", ".board")
    )
    assert left + right == pytest.approx(start + end, abs=2)


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


def test_the_scroll_unrolls_as_it_is_written(visit: Visit, house: ServerProcess) -> None:
    visitor = visit("desktop", reduced_motion="reduce")
    code = arrange(house.data, visitor, {"players": 4, "rounds": "1,1,1"}, plain, plain)
    page = visitor.open(f"/t/{code}")
    rows, scroll = page.locator(".scroll tbody tr"), page.locator(".scroll")
    heights = []
    for number in (1, 2):
        decide_until_play(page)
        shown = rows.filter(visible=True)
        expect(shown).to_have_count(number)
        expect(page.locator(".scroll figure")).to_have_count(number - 1)
        come_to_rest(page)
        heights.append(edges(scroll)[3])
        for width, height in [(1280, 800), (1440, 900), (1920, 1080)]:
            page.set_viewport_size({"width": width, "height": height})
            come_to_rest(page)
            # The row under way is the highest, and nothing is empty below the last line.
            assert edges(shown.last)[3] - edges(shown.last)[1] >= 48
            last = page.locator(".scroll figure, .scroll .tablet").last
            assert 20 < edges(scroll)[3] - edges(last)[3] < 50
            assert 8 < edges(page.locator(".dock"))[1] - edges(scroll)[3] < 60
        page.set_viewport_size({"width": 1440, "height": 900})
        decide(page)
        page.get_by_role("button", name=f"Round {number + 1}").click()
    assert heights[0] < heights[1]


@pytest.mark.parametrize(("players", "number"), [(4, 15), (3, 20)])
def test_the_chart_lies_on_the_scroll_until_the_last_round(
    visit: Visit, house: ServerProcess, players: int, number: int
) -> None:
    visitor = visit("desktop", reduced_motion="reduce").named("Ana")
    cookies = {one["name"]: one["value"] for one in visitor.context.cookies()}
    bots: list[str | None] = [None, *["novice"] * (players - 1)]
    rules = {"players": players}
    code = play_at_once(house.url, rules, bots, cookies=cookies, until_round=number, timid=True)
    page = visitor.open(f"/t/{code}")
    page.locator(".hand button").first.wait_for()
    chart, scroll = page.locator(".scroll figure"), page.locator(".scroll")
    for width, height in [(1280, 800), (1440, 900)]:
        page.set_viewport_size({"width": width, "height": height})
        come_to_rest(page)
        expect(page.locator(".scroll tbody tr").filter(visible=True)).to_have_count(number)
        assert edges(chart)[3] < edges(scroll)[3] < edges(page.locator(".dock"))[1]


@pytest.mark.parametrize("size", PHONES)
def test_a_hint_leaves_everything_as_large_as_it_was(
    visit: Visit, house: ServerProcess, size: tuple[int, int]
) -> None:
    def sizes() -> list[float]:
        come_to_rest(page)
        boxes = (edges(page.locator(one).first) for one in (".awaited", ".altar .stock", ".trick"))
        return [right - left for left, _, right, _ in boxes]

    visitor = visit("phone", reduced_motion="reduce")
    code = arrange(house.data, visitor, {"players": 4, "rounds": "7"}, plain)
    page = visitor.open(f"/t/{code}")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    decide_until_play(page)
    before = sizes()
    page.keyboard.press("h")
    page.locator("section.told").wait_for()
    assert sizes() == pytest.approx(before, abs=0.5)
    assert page.evaluate(COLLISIONS) == []


def test_what_is_said_of_a_pass_lies_on_no_card(visit: Visit, house: ServerProcess) -> None:
    visitor = visit("phone", reduced_motion="reduce")
    # The trick stays where it is.
    visitor.context.add_init_script(
        "const wait = setTimeout; setTimeout = (then, delay, ...rest) =>"
        " wait(then, delay >= 1400 ? 1e6 : delay, ...rest);"
    )
    rules = {"edition": "anniversary", "players": 4, "rounds": "4"}
    code = arrange(house.data, visitor, rules, lambda deal: plain(deal) and holds(0, "JU")(deal))
    page = visitor.open(f"/t/{code}")
    card = page.get_by_role("button", name="Juggler, playable")
    for _ in range(4):
        decide_until_play(page)
        if card.count():
            break
        decide(page)
    card.focus()
    page.keyboard.press("Enter")
    page.locator(".choices button").first.click()
    expect(page.locator(".line")).to_contain_text("Choose a card to pass to Bram")
    expect(page.locator(".trick li")).to_have_count(4)
    for width, height in [*PHONES, (820, 1180), (1440, 900), (1920, 1080)]:
        page.set_viewport_size({"width": width, "height": height})
        come_to_rest(page)
        on = page.evaluate(LIES_ON, [".line p", ".trick li, .altar .stock, .tally > *", 0])
        assert on == [], f"{width} x {height}"


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
    menu = page.get_by_role("button", name="Menu")
    menu.click()
    page.get_by_role("dialog", name="Menu").get_by_role("button", name="Say something").click()
    expect(phrases.get_by_role("button").first).to_be_focused()
    page.keyboard.press("Escape")
    expect(phrases).to_have_count(0)
    expect(menu).to_be_focused()
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


def test_the_question_about_taps_covers_no_words(visit: Visit, house: ServerProcess) -> None:
    visitor = visit("phone", reduced_motion="reduce")
    # The bots take their time, so that what is noted can be read.
    code = arrange(house.data, visitor, {"players": 4, "rounds": "7"}, plain, pace=2000)
    page = visitor.open(f"/t/{code}")
    page.set_viewport_size({"width": 360, "height": 640})
    decide_until_play(page)
    page.locator(".hand button:has(.playable)").first.tap(position=EDGE)
    page.get_by_role("group", name="What should a tap on a card do?").wait_for()
    come_to_rest(page)
    assert page.evaluate(COLLISIONS) == []
    # Tapping again is no answer.
    page.locator(".hand .lifted").tap(position=EDGE)
    expect(page.get_by_role("group", name="What should a tap on a card do?")).to_be_visible()
    expect(page.locator(".hand button")).to_have_count(7)
    # It says where the answer can be changed; once answered, it is gone and leaves no note.
    expect(page.locator(".question")).to_contain_text("You can change this in the menu.")
    page.get_by_role("button", name="Play it: one tap is enough").tap()
    expect(page.locator(".question, .line .note, .toast")).to_have_count(0)
    expect(page.locator(".hand button")).to_have_count(6)


@pytest.mark.parametrize(("width", "height"), [(960, 720), (1280, 800), (1440, 900)])
def test_a_question_lies_beside_the_stock_of_a_wide_table(
    visit: Visit, house: ServerProcess, width: int, height: int
) -> None:
    """Whoever announces a suit wants to see which is trump."""
    visitor = visit("desktop", reduced_motion="reduce")
    visitor.page.set_viewport_size({"width": width, "height": height})
    rules = {"edition": "anniversary", "players": 4, "rounds": "6"}
    code = arrange(house.data, visitor, rules, lambda deal: plain(deal) and holds(0, "JU")(deal))
    page = visitor.open(f"/t/{code}")
    decide_until_play(page)
    page.get_by_role("button", name="Juggler, playable").focus()
    page.keyboard.press("Enter")
    page.locator(".choices button").first.wait_for()
    come_to_rest(page)
    assert edges(page.locator(".altar"))[2] <= edges(page.locator(".decision"))[0]


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

    # What is shown for a moment is shown for less.
    visitor = visit("phone", reduced_motion="reduce", hurried=True)
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
    # It is the only one that says so, and the trick stays until it has been answered.
    expect(page.locator(".line")).not_to_contain_text("Cloud is yours")
    page.wait_for_timeout(1800)
    expect(page.locator(".trick li")).to_have_count(3)
    come_to_rest(page)
    asked = question.bounding_box()
    assert asked is not None
    for card in page.locator(".trick li").all():
        box = card.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= asked["y"]


@pytest.mark.parametrize(("width", "height"), [(360, 640), (390, 844), (820, 1180)])
def test_phrases_leave_the_hand_and_the_names_in_view(
    visit: Visit, width: int, height: int
) -> None:
    host, guest = visit("phone", reduced_motion="reduce").named("Ana"), visit("phone").named("Bo")
    rules = {"players": 4, "rounds": "5"}
    code = host.new_table(rules=rules, bots=[None, None, "novice", "novice"])
    page, theirs = host.open(f"/t/{code}"), guest.open(f"/t/{code}")
    theirs.get_by_role("button", name="Sit down").click()
    page.set_viewport_size({"width": width, "height": height})
    page.get_by_role("button", name="Start the game").click()
    page.locator(".hand button").first.wait_for()
    come_to_rest(page)
    page.get_by_role("button", name="Say something").click()
    phrases = page.get_by_role("dialog", name="Say something")
    for phrase in phrases.get_by_role("button").all():
        expect(phrase).to_be_in_viewport(ratio=1)
    kept = ".hand button, .own, .seats .seat"
    assert page.evaluate(LIES_ON, [".popover", kept, 0]) == []
    page.keyboard.press("Escape")
    expect(phrases).to_have_count(0)
    expect(page.get_by_role("button", name="Say something")).to_be_focused()


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
