"""Nothing is lost at the table: reloads, cut connections, a killed server, absence, and guests."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from browser.arranged import arrange
from browser.conftest import Visit
from browser.robot import EDGE, click_to_the_end
from browser.robot import play as click
from browser.visitor import Visitor
from server.nursery import NurseryServer
from server.process import ServerProcess

CALM = {"reduced_motion": "reduce"}
NO_NETWORK = r"ERR_|WebSocket"
"""What the browser reports when the test cuts a connection."""


def in_mid_trick(visitor: Visitor, code: str) -> Page:
    """Two have played, and it is the third's turn."""
    page = visitor.open(f"/t/{code}")
    page.get_by_role("group", name="Your bid").get_by_role("button", name="Bid 1").click()
    expect(page.locator(".hand .playable").first).to_be_visible()
    expect(trick(page)).to_have_count(2)
    return page


def trick(page: Page) -> Any:
    return page.get_by_role("list", name="The trick").get_by_role("listitem")


def picture(page: Page) -> dict[str, list[str]]:
    """Everything that is on the table."""
    parts = {
        "trick": ".trick li",
        "hand": ".hand button",
        "seats": ".seats li",
        "own": ".own",
        "trump": ".trump",
        "round": "h1",
    }
    page.locator(".hand .playable").first.wait_for()
    expect(trick(page)).to_have_count(2)
    return {name: page.locator(where).all_inner_texts() for name, where in parts.items()}


def play(page: Page) -> str:
    """Plays the first playable card; returns its name."""
    card = page.locator(".hand button:has(.playable)").first
    name = card.locator(".visually-hidden").first.inner_text().removesuffix(", playable")
    click(card)
    return name


def done_once(visitor: Visitor, code: str, cards: int) -> None:
    """The player bid once, and played every card once."""
    answer = visitor.context.request.get(f"{visitor.url}/api/tables/{code}/replay")
    events = [step["event"] for step in answer.json()["steps"]]
    mine = [one["action"] for one in events if one["e"] == "act" and one["seat"] == 0]
    played = [one for one in mine if one.startswith("play ")]
    assert len(played) == len(set(played)) == cards, mine
    assert [one for one in mine if one.startswith("bid ")] == ["bid 1"]


RULES = {"players": 3, "rounds": "3"}


def test_a_reload_in_mid_trick_changes_nothing(visit: Visit, house: ServerProcess) -> None:
    visitor = visit("phone", **CALM)
    code = arrange(house.data, visitor, RULES, no_wizard)
    page = in_mid_trick(visitor, code)
    before = picture(page)
    assert len(before["hand"]) == 3
    page.reload()
    assert picture(page) == before
    # A card that a finger has only lifted is still in the hand.
    page.locator(".hand button:has(.playable)").first.tap(position=EDGE)
    page.get_by_role("group", name="What should a tap on a card do?").wait_for()
    page.reload()
    assert picture(page) == before
    click_to_the_end(page)
    done_once(visitor, code, cards=3)


def no_wizard(deal: Any) -> bool:
    """No two equal cards, so that playing one twice would show; and no trump to name."""
    plain = all(card.suit is not None for card in deal.hands[0])
    return plain and deal.turned.suit is not None


def test_a_cut_connection_in_mid_trick(visit: Visit, house: ServerProcess) -> None:
    visitor = visit("phone", **CALM)
    visitor.expected.append(NO_NETWORK)
    code = arrange(house.data, visitor, RULES, no_wizard)
    page = in_mid_trick(visitor, code)
    before = picture(page)

    visitor.context.set_offline(True)
    notice = page.get_by_text("You are offline. The table is waiting for you.")
    expect(notice).to_be_visible()
    assert picture(page) == before
    # It covers nothing.
    told, bar = notice.bounding_box(), page.locator(".bar").bounding_box()
    assert told is not None
    assert bar is not None
    assert told["y"] + told["height"] <= bar["y"] + 1
    visitor.context.set_offline(False)
    expect(page.get_by_text("You are offline. The table is waiting for you.")).to_have_count(0)
    assert picture(page) == before

    # A card played meanwhile lies on the table, and is sent once when the connection is back.
    visitor.context.set_offline(True)
    expect(page.get_by_text("You are offline. The table is waiting for you.")).to_be_visible()
    card = play(page)
    expect(trick(page)).to_have_count(3)
    expect(page.get_by_role("group", name="Your cards").get_by_role("button")).to_have_count(2)
    visitor.context.set_offline(False)
    expect(page.locator(".hand .playable").first).to_be_visible()
    expect(page.locator(".hand button")).to_have_count(2)
    page.get_by_role("button", name="Last trick").click()
    expect(trick(page)).to_have_count(3)
    expect(page.get_by_role("list", name="The trick")).to_contain_text(f"You: {card}")
    page.keyboard.press("Escape")
    click_to_the_end(page)
    done_once(visitor, code, cards=3)


def test_the_page_goes_on_when_the_server_was_killed_or_could_not_save(
    visit: Visit, tmp_path: Path
) -> None:
    with NurseryServer(tmp_path) as server:
        visitor = visit("phone", url=server.url, **CALM)
        visitor.expected.append(NO_NETWORK)
        code = arrange(server.data, visitor, RULES, no_wizard)
        page = in_mid_trick(visitor, code)
        before = picture(page)
        server.kill()
        expect(page.get_by_text("Connection lost. Reconnecting")).to_be_visible()
        server.start()
        expect(page.get_by_text("Connection lost. Reconnecting")).to_have_count(0)
        assert picture(page) == before

        server.kill()
        expect(page.get_by_text("Connection lost. Reconnecting")).to_be_visible()
        play(page)
        expect(trick(page)).to_have_count(3)
        server.start()
        expect(page.locator(".hand .playable").first).to_be_visible()
        expect(page.locator(".hand button")).to_have_count(2)

        # A server that cannot save says so, and keeps the card.
        other = sqlite3.connect(server.data / "foretold.db", isolation_level=None, timeout=20)
        other.execute("BEGIN IMMEDIATE")
        play(page)
        unsaved = page.get_by_text("save right now. Your move is kept.")
        expect(unsaved).to_be_visible()
        other.close()
        expect(unsaved).to_have_count(0)
        click_to_the_end(page)
        done_once(visitor, code, cards=3)


def test_whoever_watches_sees_no_hand_and_may_play_on_for_a_bot(
    visit: Visit, house: ServerProcess
) -> None:
    visitor, guest = (visit("phone", hurried=True, **CALM) for _ in range(2))
    code = arrange(house.data, visitor, {"players": 3, "rounds": "4,1"}, no_wizard)
    page, theirs = in_mid_trick(visitor, code), guest.open(visitor.invitation(code))
    expect(theirs.get_by_text("You are watching. Ask the host for a seat:")).to_be_visible()
    expect(theirs.locator(".trick li")).to_have_count(2)
    expect(theirs.locator(".hand")).to_have_count(0)
    expect(page.get_by_text("1 watching")).to_be_visible()
    names = page.locator(".hand button > .visually-hidden").all_inner_texts()
    cards = [re.split("[,.]", name)[0] for name in names]
    assert len(cards) == 4
    seen = theirs.content()
    assert not [card for card in cards if re.search(rf"\b{card}\b", seen)]

    theirs.get_by_role("button", name="Take Cleo’s seat").click()
    theirs.get_by_label("Your name").fill("Bo")
    theirs.get_by_role("dialog").get_by_role("button").last.click()
    page.get_by_role("button", name="Let in").click()
    expect(theirs.get_by_role("group", name="Your cards").get_by_role("button")).to_have_count(3)
    expect(page.get_by_role("list", name="Players")).to_contain_text("Bo")
    expect(page.get_by_text("1 watching")).to_have_count(0)
    click_to_the_end(page, theirs)
    for one, name in ((page, "Bo"), (theirs, "You")):
        expect(one.locator("ol").first).to_contain_text(name)


def test_the_others_let_a_bot_play_for_an_absent_friend(visit: Visit, tmp_path: Path) -> None:
    with NurseryServer(tmp_path, grace=12.0) as server:
        host = visit("phone", url=server.url, **CALM).named("Ana")
        guest = visit("phone", url=server.url, **CALM).named("Bo")
        rules = {"players": 3, "rounds": "3", "dealer_by": "seat"}
        code = host.new_table(rules=rules, settings={"pace": 0}, bots=[None, None, "novice"])
        page, theirs = host.open(f"/t/{code}"), guest.open(host.invitation(code))
        theirs.get_by_role("button", name="Sit down").click()
        page.get_by_role("button", name="Start the game").click()
        theirs.locator(".hand button").first.wait_for()
        theirs.close()
        # Bo is the first to bid, and everyone sees how long they will wait; before that, the
        # dealer may have to name trump.
        absent = page.get_by_role("group", name="Bo")
        trump = page.get_by_role("group", name=re.compile("name the trump"))
        absent.or_(trump).wait_for()
        if trump.is_visible():
            trump.get_by_role("button", name="Blue").click()
        expect(absent).to_contain_text(re.compile(r"Bo is away. A bot plays in \d+ seconds?"))
        absent.get_by_role("button", name="Let a bot play").click()
        expect(page.get_by_role("list", name="Players")).to_contain_text("a bot plays")
        click_to_the_end(page)


def test_when_time_is_up_a_bot_makes_that_one_decision(visit: Visit) -> None:
    host, guest = visit("phone", **CALM).named("Ana"), visit("phone", **CALM)
    rules = {"players": 3, "dealer_by": "seat"}
    settings = {"clock": 5, "pace": 400}
    code = host.new_table(rules=rules, settings=settings, bots=[None, "novice", "novice"])
    page, theirs = host.open(f"/t/{code}"), guest.open(host.invitation(code))
    page.get_by_role("button", name="Start the game").click()
    page.get_by_role("group", name=re.compile("Your bid|trump")).first.wait_for()

    # Seen and said: how long there is, and that it gets late.
    digits = page.locator(".own .left")
    expect(digits).to_have_text(re.compile("^[1-5]$"))
    expect(page.get_by_role("alert")).to_have_text(re.compile("[1-3] seconds? left"))
    expect(digits).to_have_class(re.compile("late"))
    asked = page.locator(".bid .numbers, .choices")
    expect(asked).to_have_count(0)
    expect(page.get_by_role("button", name="I’m back")).to_have_count(0)
    expect(theirs.get_by_text("a bot plays", exact=True)).to_have_count(0)
    # The next decision is theirs again.
    page.locator(".bid button, .choices button, .hand .playable").first.wait_for()
