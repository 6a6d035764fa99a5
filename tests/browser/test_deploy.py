"""A page that was open before a deploy goes on afterwards, and nothing is lost."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import STATIC, Visit
from browser.robot import click_once, click_to_the_end, decide
from browser.visitor import Visitor
from browser.words import words
from server.later import rebuild
from server.nursery import NurseryServer

GONE = r"Failed to load resource|Failed to fetch|Refused to apply style|preload|ERR_|WebSocket"
"""What the browser reports while the server is away, and about files that are gone."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[NurseryServer]:
    running = NurseryServer(tmp_path / "site", requests_per_second=1000)
    with running:
        yield running


def deploy(server: NurseryServer, tmp_path: Path) -> None:
    """Put the next release in a server's place."""
    server.leave()
    server.is_later, server.client = True, tmp_path / "client"
    rebuild(STATIC.parent, server.client)
    server.start()


def visitor_at(visit: Visit, server: NurseryServer) -> Visitor:
    visitor = visit(url=server.url, hurried=True)
    visitor.expected.append(GONE)
    return visitor


def mark(page: Page) -> None:
    page.evaluate("window.same = true")


def is_same(page: Page) -> bool:
    """Whether the page has not been loaded again since it was marked."""
    return bool(page.evaluate("window.same === true"))


def test_a_game_goes_on_in_the_old_page_and_ends_in_a_new_one(
    visit: Visit, server: NurseryServer, tmp_path: Path
) -> None:
    ana = visitor_at(visit, server).named("Ana")
    bots = [None, "novice", "novice"]
    code = ana.new_table(rules={"players": 3, "rounds": "3"}, bots=bots)
    page = ana.open(f"/t/{code}")
    page.get_by_role("button", name="Start the game").click()
    decide(page)  # the bid
    mark(page)
    hand = page.locator(".hand button")
    expect(hand).to_have_count(3)
    deploy(server, tmp_path)
    while hand.count() == 3:
        click_once(page)
        page.wait_for_timeout(20)
    assert is_same(page), "nothing was missing yet"
    click_to_the_end(page)
    assert not is_same(page), "the last part is a file of the new release"
    answer = ana.context.request.get(f"{ana.url}/api/tables/{code}/replay").json()
    mine = [
        one["event"]["action"]
        for one in answer["steps"]
        if one["event"]["e"] == "act" and one["event"]["seat"] == 0
    ]
    assert len([one for one in mine if one.startswith("play ")]) == 3, mine


def test_a_link_of_an_old_page_leads_to_the_new_release(
    visit: Visit, server: NurseryServer, tmp_path: Path
) -> None:
    page = visitor_at(visit, server).open("/")
    page.get_by_role("link", name="Learn").first.wait_for()
    mark(page)
    deploy(server, tmp_path)
    page.get_by_role("link", name="Learn").first.click()
    expect(page.locator("h1")).to_have_text(words("en")["learn_title"])
    assert page.url == f"{server.url}/learn"
    assert not is_same(page)


def test_a_language_chosen_in_an_old_page_is_spoken_by_the_new_release(
    visit: Visit, server: NurseryServer, tmp_path: Path
) -> None:
    page = visitor_at(visit, server).open("/settings")
    mark(page)
    deploy(server, tmp_path)
    page.locator("footer select").select_option("hu")
    expect(page.locator("html")).to_have_attribute("lang", "hu")
    assert not is_same(page)
