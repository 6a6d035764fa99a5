"""Choosing one's face, which everyone at the table then sees."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from browser.axe import violations
from browser.conftest import Visit
from browser.robot import click_to_the_end

OWL = "rect[fill='#5f6f9e']"
"""The sky behind the owl."""
FOX = "rect[fill='#4a5c98']"


def choose(page: Page, face: str) -> None:
    group = page.get_by_role("group", name="Your face")
    with page.expect_response("**/api/me"):
        group.get_by_role("radio", name=face).check(force=True)


def test_a_face_is_chosen_once_and_seen_by_everyone(visit: Visit) -> None:
    host, guest = visit(bypass_csp=True).named("Ana"), visit("phone")
    page = host.open("/settings")
    # Whoever has chosen none sees which one they have.
    expect(page.get_by_role("radio", name="Witch")).to_be_checked()
    choose(page, "Owl")
    assert violations(page) == []
    page.reload()
    expect(page.get_by_role("radio", name="Owl")).to_be_checked()

    code = host.new_table(rules={"players": 3, "rounds": "3"}, bots=[None, None, "novice"])
    page, theirs = host.open(f"/t/{code}"), guest.open(host.invitation(code))
    theirs.get_by_role("button", name="Sit down").click()
    dialog = theirs.get_by_role("dialog")
    dialog.get_by_label("Your name").fill("Bo")
    dialog.get_by_role("radio", name="Fox").check(force=True)
    dialog.get_by_role("button", name="Sit down").click()
    for one in (page, theirs):
        expect(one.locator(f".seat:has-text('Ana') {OWL}")).to_have_count(1)
        expect(one.locator(f".seat:has-text('Bo') {FOX}")).to_have_count(1)

    page.get_by_role("button", name="Start the game").click()
    expect(page.locator(f".own {OWL}")).to_have_count(1)
    expect(theirs.locator(f".seats {OWL}")).to_have_count(1)

    # Who changes their mind is seen so at the table they come back to.
    choose(host.open("/settings"), "Fox")
    page = host.open(f"/t/{code}")
    expect(theirs.locator(f".seats {FOX}")).to_have_count(1)
    answer = host.context.request.put(f"{host.url}/api/me", data={"name": "Ana", "face": "ghost"})
    assert answer.status == 422


def test_the_replay_shows_the_faces_that_were_at_the_table(visit: Visit) -> None:
    visitor = visit(hurried=True).named("Ana")
    choose(visitor.open("/settings"), "Owl")
    rules = {"players": 3, "rounds": "1"}
    code = visitor.new_table(rules=rules, settings={"pace": 0}, bots=[None, "novice", "novice"])
    page = visitor.open(f"/t/{code}")
    page.get_by_role("button", name="Start the game").click()
    click_to_the_end(page)
    choose(visitor.open("/settings"), "Fox")
    page = visitor.open(f"/r/{code}")
    expect(page.locator(f".game {OWL}")).to_have_count(1)
    expect(page.locator(f".game {FOX}")).to_have_count(0)
