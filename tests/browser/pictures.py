"""Retakes our pictures: `python -m browser.pictures` in tests/, after `make web`.

In docs/images a game with three bots, in the middle of a trick of round 9, on desktop and phone;
and the picture that messengers show with a link, web/public/preview.png.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, sync_playwright

from browser.robot import click_once, play_at_once
from browser.visitor import ARGUMENTS, Visitor
from server.process import ServerProcess
from system import find_browser

ROOT: Final = Path(__file__).parents[2]
TARGET: Final = ROOT / "docs" / "images"
PREVIEW: Final = ROOT / "web" / "public" / "preview.png"
ROUND: Final = 9
PATIENCE: Final = 120.0
WORTH_SHOWING: Final = """() =>
  document.querySelectorAll(".trick li").length > 1 && document.querySelector(".hand .playable")"""


# The hero of the home page alone, as large as it goes.
HERO_ALONE: Final = """() => {
  const hero = document.querySelector(".hero");
  document.body.replaceChildren(hero);
  hero.querySelector(".door").remove();
  const { style } = hero;
  style.gridTemplate = '"words" auto "trick" 1fr "caption" auto / 1fr';
  style.height = "630px";
  style.setProperty("--trick-width", "600px");
  hero.querySelector("h1").style.fontSize = "84px";
  hero.querySelector(".what").style.fontSize = "34px";
  hero.querySelector(".words").style.paddingTop = "0";
  hero.querySelector(".tagline").style.cssText = "max-width: none; font-size: 24px; min-height: 0";
  hero.querySelector(".caption").style.cssText = "max-width: none; font-size: 24px; min-height: 0";
}"""


def take_preview(browser: Browser, site: str) -> None:
    page = browser.new_context(
        viewport={"width": 1200, "height": 630}, locale="en-GB", reduced_motion="reduce"
    ).new_page()
    page.goto(site)
    page.wait_for_load_state("networkidle")
    page.evaluate(HERO_ALONE)
    page.screenshot(path=PREVIEW)


def main() -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        ServerProcess(Path(folder), requests_per_second=1000) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=find_browser(), args=ARGUMENTS)
        take_preview(browser, server.url)
        context = browser.new_context(
            viewport={"width": 1280, "height": 800}, locale="en-GB", reduced_motion="reduce"
        )
        visitor = Visitor(context, context.new_page(), server.url).named("Ana")
        cookies = {one.get("name", ""): one.get("value", "") for one in context.cookies()}
        bots: list[str | None] = [None, "adept", "adept", "adept"]
        code = play_at_once(
            server.url, {"players": 4}, bots, cookies=cookies, until_round=ROUND, timid=True
        )
        page = visitor.open(f"/t/{code}")
        now = page.locator(".bar h1", has_text=f"Round {ROUND} ")
        deadline = time.monotonic() + PATIENCE
        while not (now.count() and page.evaluate(WORTH_SHOWING)):
            assert time.monotonic() < deadline, page.locator("main").inner_text()
            click_once(page)
            page.wait_for_timeout(20)
        page.wait_for_function(
            "() => document.getAnimations().every((one) => one.playState !== 'running')"
        )
        page.screenshot(path=TARGET / "table.png")
        phone = browser.new_context(
            viewport={"width": 360, "height": 740},
            device_scale_factor=1.5,
            locale="en-GB",
            reduced_motion="reduce",
            storage_state=context.storage_state(),
        ).new_page()
        phone.goto(page.url)
        phone.locator(".hand .playable").first.wait_for()
        phone.wait_for_load_state("networkidle")
        phone.screenshot(path=TARGET / "phone.png")
        browser.close()


if __name__ == "__main__":
    main()
