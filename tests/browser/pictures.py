"""Retakes the pictures of docs/images: `python -m browser.pictures` in tests/, after `make web`.

A game with three bots, in the middle of a trick of round 9, on a desktop and a phone.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Final

from playwright.sync_api import sync_playwright

from browser.robot import click_once, play_at_once
from browser.visitor import ARGUMENTS, Visitor
from server.client import ServerProcess
from system import find_browser

TARGET: Final = Path(__file__).parents[2] / "docs" / "images"
ROUND: Final = 9
EARLIER: Final = sum(1 + size for size in range(1, ROUND))
"""Decisions in all earlier rounds: a bid and each card."""
PATIENCE: Final = 120.0
WORTH_SHOWING: Final = """() =>
  document.querySelectorAll(".trick li").length > 1 && document.querySelector(".hand .playable")"""


def main() -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        ServerProcess(Path(folder), requests_per_second=1000) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=find_browser(), args=ARGUMENTS)
        context = browser.new_context(
            viewport={"width": 1280, "height": 800}, locale="en-GB", reduced_motion="reduce"
        )
        visitor = Visitor(context, context.new_page(), server.url).named("Ana")
        cookies = {one.get("name", ""): one.get("value", "") for one in context.cookies()}
        bots: list[str | None] = [None, "adept", "adept", "adept"]
        code = play_at_once(server.url, {"players": 4}, bots, EARLIER, cookies, timid=True)
        page = visitor.open(f"/t/{code}")
        now = page.locator(".bar h1", has_text=f"Round {ROUND} ")
        deadline = time.monotonic() + PATIENCE
        while not (now.count() and page.evaluate(WORTH_SHOWING)):
            assert time.monotonic() < deadline, page.locator("main").inner_text()
            click_once(page)
            page.wait_for_timeout(20)
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
