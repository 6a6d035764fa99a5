"""From the home page to the first decision: play now, new tables, invitations, other devices."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from browser.conftest import Visit
from browser.robot import first_decision


def unfold(page: Page) -> None:
    """What most people leave alone is folded."""
    page.get_by_text("What are you playing?").wait_for()
    for summary in page.locator(".folds > details > summary").all():
        summary.click()


def seats(page: Page) -> list[str]:
    return page.locator(".round-table .name").all_inner_texts()


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_play_now_is_one_click(visit: Visit, size: str) -> None:
    page = visit(size).open()
    expect(page.get_by_text("three bots, about 35 minutes")).to_be_visible()
    page.get_by_role("button", name="Play now").click()
    first_decision(page)
    assert re.search(r"/t/[A-Z]{6}(#[\w-]{16})?$", page.url)

    # Whoever has a game under way is led back to it, before anything else.
    page.get_by_role("link", name="Home", exact=True).first.click()
    page.get_by_role("link", name=re.compile("Your turn against .*Play on")).click()
    first_decision(page)


def test_a_table_opened_from_home_is_connected_once(visit: Visit) -> None:
    """While its page is fetched; the page takes that connection over."""
    page = visit("phone").open()
    sockets: list[str] = []
    page.on("websocket", lambda socket: sockets.append(socket.url))
    page.get_by_role("button", name="Play now").click()
    first_decision(page)
    assert len([url for url in sockets if "/api/tables/" in url]) == 1


def test_what_is_done_before_the_script_arrives_is_not_lost(visit: Visit) -> None:
    guest = visit("phone")
    scripts: list[Route] = []
    guest.page.route("**/assets/first-*.js", lambda route: scripts.append(route))
    page = guest.page
    page.goto(guest.url, wait_until="commit")
    page.get_by_label("Three bots").select_option("adept")
    page.get_by_label("Join a table").fill("kqx")
    with page.expect_response("**/assets/table-*.js"):  # what comes next is fetched meanwhile
        page.get_by_role("button", name="Play now").click()
    assert "/t/" not in page.url
    while not scripts:
        page.wait_for_timeout(20)
    scripts[0].continue_()
    first_decision(page)
    code = page.url.split("/t/")[1][:6]
    table = guest.context.request.get(f"{guest.url}/api/tables/{code}").json()
    assert [one.get("level") for one in table["seats"]] == [None, "adept", "adept", "adept"]


def test_without_scripts_there_is_a_page_to_read(visit: Visit) -> None:
    page = visit("phone", java_script_enabled=False, locale="de-DE").open()
    expect(page.get_by_text("Das Kartenspiel Wizard")).to_be_in_viewport()
    expect(page.locator(".hero .card.winning")).to_be_in_viewport()
    expect(page.locator(".no-script")).to_be_in_viewport()
    expect(page.locator(".no-script img")).to_have_count(0)
    # Nothing is offered that needs a script; how the game goes can be read.
    expect(page.locator("button:visible, input:visible, select:visible")).to_have_count(0)
    links = page.locator("a:visible").evaluate_all("all => all.map((a) => a.hash || a.pathname)")
    assert links == ["#how", "#main", "/"]
    page.get_by_role("link", name="So wird gespielt").click()
    expect(page.get_by_role("heading", name="Der Stich")).to_be_in_viewport()
    page.goto(page.url.split("#")[0] + "games")
    expect(page.locator(".no-script a")).to_have_text(re.compile("Kartenspiel"))
    expect(page.locator(".no-script img")).to_be_in_viewport()


def test_a_link_can_play_now_and_asks_nothing(visit: Visit) -> None:
    guest = visit("phone")
    first_decision(guest.open("/?play"))
    name = guest.context.request.get(f"{guest.url}/api/me").json()["name"]
    assert re.fullmatch(r"\w+ \w+", name)
    guest.page.go_back()  # not back to the link, which would start another game
    assert "/t/" not in guest.page.url


def test_the_name_is_kept(visit: Visit) -> None:
    page = visit().open("/settings")
    page.get_by_label("Your name").fill("  Ana  ")
    page.get_by_label("Your name").press("Enter")
    expect(page.get_by_text("Nice to meet you.")).to_be_visible()
    page.reload()
    expect(page.get_by_label("Your name")).to_have_value("Ana")


def test_a_game_waits_among_mine_with_my_turn_marked(visit: Visit) -> None:
    page = visit("phone").open("/?play")
    first_decision(page)
    code = page.url.split("/t/")[1][:6]
    page.goto(page.url.replace(f"/t/{code}", "/games"))
    card = page.locator("article", has=page.locator(f"a[href^='/t/{code}']"))
    expect(card).to_contain_text("Your turn")
    expect(card).to_contain_text("Round 1 of 15")
    # The home page shows that table in the place of how it goes.
    page.get_by_role("link", name="Foretold").first.click()
    table = page.locator(".hero").get_by_role("region", name="Your turn against")
    expect(table).to_contain_text("Round 1 of 15")
    expect(table.get_by_role("listitem")).to_have_count(4)
    expect(page.locator(".hero .trick").first).to_be_hidden()
    page.get_by_role("link", name="Play on").click()
    first_decision(page)


def test_a_host_is_asked_for_a_name_in_passing(visit: Visit) -> None:
    page = visit("phone").open("/new")
    name = page.get_by_label("Your name")
    expect(name).not_to_have_value("")
    name.click()
    page.keyboard.type("Tom")
    page.get_by_role("button", name="Open the table").click()
    expect(page.get_by_label("Link to this table")).to_be_visible()
    assert seats(page)[0] == "Tom"
    page.goto(page.url.split("/t/")[0] + "/new")
    page.get_by_role("button", name="Open the table").wait_for()
    expect(name).to_have_count(0)

    page = visit("phone").open("/new")
    expect(page.get_by_label("Your name")).not_to_have_value("")
    friendly = page.get_by_label("Your name").input_value()
    page.get_by_role("button", name="Open the table").click()
    expect(page.get_by_label("Link to this table")).to_be_visible()
    assert seats(page)[0] == friendly


def test_what_does_not_fit_is_greyed_with_the_reason(visit: Visit) -> None:
    visitor = visit()
    visitor.expected.append("422")  # what fits is found by asking the server
    page = visitor.open("/new")
    unfold(page)
    # Nothing is refused before somebody wants it.
    two = page.get_by_role("radio", name="2", exact=True)
    expect(two).to_have_attribute("aria-disabled", "true")
    reason = page.get_by_text("Not 2: Standard is for 3 to 6 players")
    expect(reason).to_have_count(0)
    two.click(force=True)
    expect(reason).to_be_visible()
    expect(page.get_by_role("radio", name="4", exact=True)).to_be_checked()

    page.get_by_role("radio", name="Hidden", exact=True).check()
    barred = page.get_by_role("radio", name="Plus/minus one", exact=True)
    expect(barred).to_be_disabled()
    expect(barred).to_have_accessible_description(
        "This needs open bids: otherwise nobody bids last."
    )
    page.get_by_role("radio", name="Open", exact=True).check()
    expect(barred).to_be_enabled()

    page.get_by_text("More options").click()
    page.get_by_role("radio", name="Every round").check()
    dragon = page.get_by_role("button", name=re.compile("^Dragon"))
    expect(dragon).to_contain_text("Clairvoyance is played without special cards.")
    # Choosing it anyway works, and the page says what had to change.
    dragon.click()
    expect(dragon).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("button", name=re.compile("^Fairy"))).to_have_attribute(
        "aria-pressed", "true"
    )
    expect(page.get_by_role("radio", name="Every round")).not_to_be_checked()
    expect(page.locator(".toast")).to_contain_text("Clairvoyance")


def test_the_summary_follows_the_choices(visit: Visit) -> None:
    visitor = visit()
    visitor.expected.append("422")
    page = visitor.open("/new")
    summary = page.get_by_role("complementary", name="Your table")
    expect(summary).to_contain_text("The classic evening")
    expect(summary).to_contain_text("4 players, 15 rounds")
    quick = page.get_by_role("radio", name="Quick")
    expect(quick).to_have_accessible_description(re.compile("about 10 minutes"))
    quick.check(force=True)
    expect(summary).to_contain_text("4 players, 7 rounds")
    page.get_by_role("radio", name="6", exact=True).check()
    expect(quick).to_be_checked()
    unfold(page)
    page.get_by_role("radio", name="25-year edition").check()
    page.get_by_role("radio", name="Secret", exact=True).check()
    expect(summary).to_contain_text("6 players, 10 rounds, all special cards, secret bids")
    page.get_by_text("Custom", exact=True).click()
    page.get_by_label("Seconds per decision").fill("45")
    page.get_by_role("radio", name="Bots").check(force=True)
    page.get_by_role("radio", name="Adept").check(force=True)
    expect(summary).to_contain_text("You, 5 bots (Adept)")
    expect(summary).to_contain_text("45 seconds per turn, by invitation, open to spectators")
    page.get_by_role("radio", name="2", exact=True).click(force=True)
    page.get_by_role("button", name="Make it 2").click()
    expect(summary).to_contain_text("2 players, 6 rounds, the game for two, secret bids")
    expect(page.locator(".toast")).to_contain_text("Special cards")


LOBBY_SEEN = """() => {
  window.lobbySeen = false;
  new MutationObserver(
    () => (window.lobbySeen ||= document.querySelector(".lobby") !== null),
  ).observe(document.body, { childList: true, subtree: true });
}"""


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_a_quick_game_with_bots_starts_at_once(visit: Visit, size: str) -> None:
    page = visit(size).open("/new")
    page.get_by_role("radio", name="Quick").check(force=True)
    page.get_by_role("radio", name="Bots").press(" ")
    page.evaluate(LOBBY_SEEN)
    page.get_by_role("button", name="Play now").click()
    first_decision(page)
    assert not page.evaluate("window.lobbySeen")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Round 1 of 7")
    # The first game ever is a lesson, by whichever way one came to it.
    expect(page.locator(".coach")).to_contain_text("Your first game")


def test_rounds_can_be_written_and_the_server_answers(visit: Visit) -> None:
    visitor = visit("phone")
    visitor.expected.append("422")
    page = visitor.open("/new")
    # On a phone, what most people leave alone is folded.
    own = page.get_by_label("Or enter your own")
    expect(own).to_be_hidden()
    page.get_by_text("What are you playing?").click()
    own.fill("1 \u2013 3, 2-1")
    own.press("Enter")
    expect(page.get_by_text("5 rounds, cards dealt: 1, 2, 3, 2, 1")).to_be_visible()
    own.fill("1-x")
    own.press("Enter")
    expect(own).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_text("Write the rounds as 1-10")).to_be_visible()
    own.fill("1," * 60 + "1")
    own.press("Enter")
    expect(page.get_by_text("These are 61 rounds; a game here has at most 60.")).to_be_visible()


def test_no_option_is_shown_by_its_bare_name(visit: Visit) -> None:
    """Everything the server offers has its own words here."""
    visitor = visit()
    page = visitor.open("/new")
    unfold(page)
    page.get_by_text("More options").click()
    offer = visitor.context.request.get(f"{visitor.url}/api/options").json()
    shown = page.locator("main").inner_text()
    bare = {edition["name"] for edition in offer["editions"]} | set(offer["levels"])
    for name, option in offer["options"].items():
        bare |= {name, option["meaning"]} | {one for one in option["values"] if "_" in one}
    bare -= {"players", "mode", "bidding", "specials", "clairvoyance", "rounds"}  # plain words
    assert [one for one in bare if one in shown] == []
    assert len(page.locator("legend").all()) >= len(offer["options"])


@pytest.mark.parametrize("typed", ["{code}", " {lower} ", "{spaced}", "see {url}/t/{code}?x"])
def test_joining_by_code_is_tolerant(visit: Visit, typed: str) -> None:
    code = visit().named("Ana").new_table()
    guest = visit("phone")
    page = guest.open()
    spaced = f"{code[:3].lower()} {code[3:]}"
    text = typed.format(code=code, lower=code.lower(), spaced=spaced, url=guest.url)
    page.get_by_label("Join a table").fill(text)
    page.get_by_label("Join a table").press("Enter")
    page.wait_for_url(f"**/t/{code}")
    expect(page.get_by_text("Choose a seat and sit down.")).to_be_visible()


def test_joining_says_what_is_wrong(visit: Visit) -> None:
    guest = visit("phone")
    guest.expected.append("404")
    page = guest.open()
    field = page.get_by_label("Join a table")
    field.fill("hello")
    field.press("Enter")
    expect(page.get_by_text("A code has six letters")).to_be_visible()
    field.fill("zzzzzz")
    field.press("Enter")
    expect(page.get_by_text("There is no table with this code.")).to_be_visible()


def test_public_tables_are_listed(visit: Visit) -> None:
    code = (
        visit()
        .named("Ana")
        .new_table(rules={"bidding": "hidden"}, settings={"public": True}, bots=[None, "adept"])
    )
    page = visit("phone").open()
    card = page.locator("article", has=page.locator(f"a[href^='/t/{code}']"))
    expect(card).to_contain_text("4 players · 15 rounds · hidden bids")
    expect(card).to_contain_text("2 free seats")
