"""Games at the table, played to the end in a real browser: every mode, every question."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.arranged import arrange, holds, wins_the_rest
from browser.conftest import Visit
from browser.robot import EDGE, MINUS, click_once, click_to_the_end, decide, decide_until_play
from browser.visitor import Visitor
from foretold.deal import Deal
from server.process import ServerProcess

CALM = {"reduced_motion": "reduce", "hurried": True}


def asked_for(page: Page, name: str | re.Pattern[str]) -> None:
    """Waits for a question."""
    page.get_by_role("group", name=name).get_by_role("button").first.wait_for()


def acts(visitor: Visitor, code: str, seat: int = 0) -> list[dict[str, Any]]:
    """What a seat did in a finished game, according to the server."""
    answer = visitor.context.request.get(f"{visitor.url}/api/tables/{code}/replay")
    events = [step["event"] for step in answer.json()["steps"]]
    return [one for one in events if one["e"] == "act" and one["seat"] == seat]


def deeds(visitor: Visitor, code: str, seat: int = 0) -> list[str]:
    return [one["action"] for one in acts(visitor, code, seat)]


def ranking(page: Page) -> list[str]:
    return page.locator("ol").first.get_by_role("listitem").all_inner_texts()


def test_two_people_and_a_bot_from_the_invitation_to_the_end(visit: Visit) -> None:
    host, guest = visit("phone", **CALM).named("Ana"), visit("phone", **CALM)
    rules = {"players": 3, "rounds": "1-3"}
    code = host.new_table(rules=rules, settings={"pace": 0}, bots=[None, None, "novice"])
    page, theirs = host.open(f"/t/{code}"), guest.page
    theirs.goto(page.get_by_label("Link to this table").input_value())
    theirs.get_by_role("button", name="Sit down").click()
    theirs.get_by_label("Your name").fill("Bo")
    theirs.get_by_role("dialog").get_by_role("button", name="Sit down").click()
    page.get_by_role("button", name="Start the game").click()

    asked = click_to_the_end(page, theirs)
    # Each has a bid per round and its cards to play; one may also have named trump.
    assert len(asked) >= 2 * (3 + 1 + 2 + 3)
    for one in (page, theirs):
        expect(one.get_by_role("heading", level=1)).to_contain_text(
            re.compile("won|share|win|place")
        )
    last = host.context.request.get(f"{host.url}/api/tables/{code}").json()
    totals = [str(total).replace("-", MINUS) for total in last["totals"]]
    for me, one in (("Ana", page), ("Bo", theirs)):
        shown = ranking(one)
        for seat, total in zip(last["seats"], totals, strict=True):
            name = "You" if seat["name"] == me else seat["name"]
            assert any(name in row and total in row for row in shown), (seat, total, shown)


def takes_the_cloud(deal: Deal) -> bool:
    """Seat 0 plays it last, as trump, over cards that cannot beat it."""
    (own,), *others = deal.hands
    return (
        own.code == "CL"
        and deal.turned is not None
        and deal.turned.suit is not None
        and all(hand[0].suit not in (None, deal.turned.suit) for hand in others)
    )


def test_the_rest_is_claimed_as_soon_as_it_is_certain(visit: Visit, house: ServerProcess) -> None:
    visitor = visit("phone", **CALM)
    code = arrange(house.data, visitor, {"players": 3, "rounds": "3"}, wins_the_rest)
    page = visitor.open(f"/t/{code}")
    decide_until_play(page)
    claim = page.get_by_role("button", name="The last 2 tricks are yours: claim them")
    expect(claim).to_have_count(0)
    decide(page)
    claim.click()
    page.locator("ol").first.wait_for()
    played = [one for one in acts(visitor, code) if one["action"].startswith("play ")]
    assert [one["action"] for one in played] == ["play W"] * 3
    assert [one["by"] for one in played] == ["player", "claim", "claim"]


def has_the_rest(deal: Deal) -> bool:
    dealt = {card.code for hand in deal.hands for card in hand}
    return holds(0, "WE")(deal) and {"DR", "FA", "BO"} <= dealt


def test_hidden_bids_with_all_seven_special_cards(visit: Visit, house: ServerProcess) -> None:
    visitor = visit("phone", **CALM)
    rules = {"edition": "anniversary", "players": 3, "bidding": "hidden", "rounds": "1,5,5"}
    code = arrange(house.data, visitor, rules, takes_the_cloud, holds(0, "SH", "JU"), has_the_rest)
    page = visitor.open(f"/t/{code}")

    asked_for(page, "Your bid")
    expect(page.get_by_text("Nobody sees it until all have bid.")).to_be_visible()
    expect(page.locator(".seats .seal")).to_have_count(2)
    decide(page)
    # The Cloud follows no suit, but needs one; trump takes the trick.
    cloud = page.get_by_role("button", name="Cloud, playable")
    cloud.tap(position=EDGE)
    asked_for(page, "Cloud: which suit?")
    expect(page.locator(".choices")).to_contain_text("whoever takes it must change their bid")
    page.get_by_role("button", name="Cancel").click()
    cloud.tap(position=EDGE)
    trump = re.match(r"(\w+) is trump", page.locator(".trump .emblem").inner_text().strip())
    assert trump is not None
    page.get_by_role("group", name="Cloud: which suit?").get_by_role(
        "button", name=trump[1]
    ).click()
    asked_for(page, re.compile(r"You took the Cloud\. Your bid must move by one: \d becomes \d"))

    asked = click_to_the_end(page)
    for question in (
        "You took the Cloud",
        "Shapeshifter: Wizard or Jester?",
        "Juggler: which suit?",
        "Choose a card to pass to Bram",
        "Your Werewolf lets you name the trump.",
        "Your bid",
    ):
        assert any(one.startswith(question) for one in asked), (question, asked)

    mine = deeds(visitor, code)
    kinds = {re.sub(r"\d+$|=.*", "", one) for one in mine}
    assert {"play CL", "play SH", "play JU"} <= kinds
    for kind, times in {"bid": 3, "cloud": 1, "trump": 1, "pass": 1, "play": 1 + 5 + 5}.items():
        assert sum(one.startswith(f"{kind} ") for one in mine) >= times, (kind, mine)
    played = {
        one.removeprefix("play ").split("=")[0]
        for seat in range(3)
        for one in deeds(visitor, code, seat)
    }
    assert {"DR", "FA", "BO", "SH", "JU", "CL"} <= played


def test_clairvoyance_covers_your_own_cards_until_all_have_bid(
    visit: Visit, house: ServerProcess
) -> None:
    visitor = visit("phone", **CALM)
    rules = {"players": 3, "clairvoyance": "every_round", "rounds": "3,2"}
    code = arrange(house.data, visitor, rules)
    page = visitor.open(f"/t/{code}")
    for size in (3, 2):
        asked_for(page, re.compile("Your bid|trump"))
        expect(page.get_by_role("group", name=f"Your {size} cards, face down")).to_be_visible()
        expect(page.locator(".hand button")).to_have_count(0)
        for name in ("Bram", "Cleo"):
            open_hand = page.get_by_role("list", name=f"{name}’s cards")
            expect(open_hand.get_by_role("listitem")).to_have_count(size)
            expect(open_hand).not_to_contain_text("face down")
        decide_until_play(page)
        expect(page.get_by_role("group", name="Your cards").get_by_role("button")).to_have_count(
            size
        )
        expect(page.get_by_role("list", name="Bram’s cards")).to_have_count(0)
        for _ in range(size):
            page.locator(".hand .playable").first.wait_for()
            decide(page)
    click_to_the_end(page)


@pytest.mark.parametrize(
    ("rules", "others"),
    [
        ({"mode": "two_player", "players": 2, "rounds": "3,2"}, 1),
        ({"mode": "monocolour", "players": 3, "rounds": "4,2"}, 2),
        ({"mode": "monocolour", "players": 4, "rounds": "3", "bidding": "secret"}, 3),
        ({"players": 6, "rounds": "2"}, 5),
    ],
    ids=["two players", "monocolour", "secret monocolour", "six"],
)
def test_every_mode_to_its_end(
    visit: Visit, house: ServerProcess, rules: dict[str, Any], others: int
) -> None:
    visitor = visit("phone", **CALM)
    code = arrange(house.data, visitor, rules)
    page = visitor.open(f"/t/{code}")
    asked_for(page, re.compile("Your bid|trump"))
    expect(page.get_by_role("list", name="Players").get_by_role("listitem")).to_have_count(others)
    # In monocolour every player has their own people.
    expect(page.locator(".seats .name svg")).to_have_count(
        others if rules.get("mode") == "monocolour" else 0
    )
    if rules.get("mode") == "two_player":
        while not page.get_by_role("heading", name="Round 2 of 2").is_visible():
            click_once(page)
        page.get_by_role("button", name="Menu").click()
        out = page.get_by_role("dialog", name="Menu")
        expect(out.get_by_role("heading", name="Out of the game")).to_be_visible()
        # Both hands, and what was turned up.
        expect(out.get_by_role("listitem")).to_have_count(2 * 3 + 1)
        page.keyboard.press("Escape")
    click_to_the_end(page)
    assert [one for one in deeds(visitor, code) if one.startswith("play ")]
    assert len(ranking(page)) == others + 1
