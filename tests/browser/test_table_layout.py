"""Everybody and every card has room at the table, on every screen and however long the names."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.arranged import arrange
from browser.conftest import Visit
from browser.robot import click_once
from foretold.deal import Deal
from server.client import ServerProcess

SCREENS = [
    (360, 640),
    (360, 740),
    (768, 1024),
    (844, 390),
    (1024, 768),
    (1280, 800),
    (1366, 640),
    (1920, 1080),
]
LONG_NAMES = ("W" * 24, "Maximiliane Wwwwwwwwwww", "M" * 24, "Wilhelmina of the North", "Ö" * 24)

# Pairs of things that lie over each other, and things that hang over the edge.
COLLISIONS = """() => {
  const parts = {
    seat: ".seats .seat",
    trick: ".trick li",
    corner: ".corner > *",
    near: ".line p, .own, .hand .slot, .decision > *",
    open: ".seen ul",
  };
  const boxes = Object.entries(parts).flatMap(([part, where]) =>
    [...document.querySelectorAll(where)]
      .filter((one) => one.checkVisibility())
      .map((one) => ({ part, words: one.textContent, ...one.getBoundingClientRect().toJSON() })),
  );
  const over = (a, b) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2;
  // Cards of one trick may overlap, as those of a hand do.
  const apart = (a, b) => a.part !== b.part || a.part === "seat" || a.part === "open";
  const found = boxes
    .filter(({ left, right }) => left < -1 || right > innerWidth + 1)
    .map(({ part, words }) => `${part} outside: ${words}`);
  for (const [index, a] of boxes.entries())
    for (const b of boxes.slice(index + 1))
      if (apart(a, b) && over(a, b))
        found.push(`${a.part} over ${b.part}: ${a.words} / ${b.words}`);
  return found;
}"""


def plain(deal: Deal) -> bool:
    return deal.turned is None or deal.turned.suit is not None


@pytest.mark.parametrize(
    "rules",
    [
        {"players": 6, "rounds": "10"},
        {"players": 3, "rounds": "20"},
        {"players": 4, "rounds": "7"},
        {"players": 4, "rounds": "5", "clairvoyance": "every_round"},
        {"players": 6, "rounds": "10", "clairvoyance": "every_round"},
    ],
    ids=["six", "twenty cards", "four", "clairvoyance", "clairvoyance of six"],
)
def test_nothing_covers_anything(visit: Visit, house: ServerProcess, rules: dict[str, Any]) -> None:
    visitor = visit("phone", reduced_motion="reduce")
    code = arrange(house.data, visitor, rules, plain, bots=LONG_NAMES)
    page = visitor.open(f"/t/{code}")
    page.get_by_role("group", name="Your bid").wait_for()
    look(page, "bidding")
    while not page.locator(".hand .playable").count():
        click_once(page)
    expect(page.locator(".trick li")).to_have_count(int(rules["players"]) - 1)
    look(page, "playing")


def look(page: Page, moment: str) -> None:
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(
            "() => document.getAnimations().every((one) => one.playState !== 'running')"
        )
        assert page.evaluate(COLLISIONS) == [], f"{moment} at {width} x {height}"


def test_a_whole_game_fits_on_a_small_phone(visit: Visit, house: ServerProcess) -> None:
    """With names as people have them, nothing has to be scrolled while one plays."""
    visitor = visit("phone", reduced_motion="reduce")
    code = arrange(house.data, visitor, {"players": 6, "rounds": "10"}, plain)
    page = visitor.open(f"/t/{code}")
    page.set_viewport_size({"width": 360, "height": 640})
    page.get_by_role("group", name="Your bid").wait_for()
    assert page.evaluate("document.documentElement.scrollHeight") <= 640
    while not page.locator(".hand .playable").count():
        click_once(page)
    assert page.evaluate("document.documentElement.scrollHeight") <= 640
