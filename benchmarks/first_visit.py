"""The first visit with a slow network and a slow processor, in a real browser.

A newcomer opens the site with an empty cache, presses the gold button as soon as it can be seen, or
once everything is loaded, and is measured until the first decision can be made.

    python benchmarks/first_visit.py --visits 5

The server and the browser share the cores, so another busy program makes it slower.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from playwright.sync_api import Browser, Page, sync_playwright

from browser.visitor import ARGUMENTS
from server.process import ServerProcess
from system import find_browser

SIZES: Final = {"phone": (360, 740), "desktop": (1440, 900)}
PATIENCE_MS: Final = 60_000
BUTTON: Final = ".door .gold"
DECISION: Final = ".bid button:not([disabled]), .choices button, .hand .playable"

# Nothing is painted before the styles have arrived, though the button is there.
SEEN: Final = """(button) =>
  performance.getEntriesByName("first-contentful-paint").length > 0 &&
  document.querySelector(button)?.checkVisibility()"""

# All shifts of what is in view, from the first paint on.
SHIFTS: Final = """() => {
  window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries())
      window.shifted += hadRecentInput ? 0 : value;
  }).observe({ type: "layout-shift", buffered: true });
}"""


@dataclass(frozen=True)
class Visit:
    """What one visit took, in seconds, bytes and as a share of the screen."""

    seen: float
    """Until the button could be seen."""
    decision: float
    """From the click to the first decision."""
    shift: float
    page_bytes: int
    """Before the click."""
    table_bytes: int
    """From the click on."""


def visit(
    browser: Browser, site: str, size: str, options: argparse.Namespace, *, at_once: bool
) -> Visit:
    width, height = SIZES[size]
    context = browser.new_context(
        viewport={"width": width, "height": height}, has_touch=size == "phone", locale="en-GB"
    )
    page = context.new_page()
    devtools = context.new_cdp_session(page)
    received = 0

    def loaded(event: dict[str, Any]) -> None:
        nonlocal received
        received += int(event["encodedDataLength"])

    devtools.on("Network.loadingFinished", loaded)
    devtools.send("Network.enable")
    bytes_a_second = options.kbits * 1000 / 8
    network = {"offline": False, "latency": options.latency}
    rates = {"downloadThroughput": bytes_a_second, "uploadThroughput": bytes_a_second}
    devtools.send("Network.emulateNetworkConditions", {**network, **rates})
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": options.slowdown})
    page.add_init_script(f"({SHIFTS})()")
    try:
        begun = time.perf_counter()
        page.goto(site, wait_until="commit", timeout=PATIENCE_MS)
        page.wait_for_function(SEEN, arg=BUTTON, polling=20, timeout=PATIENCE_MS)
        seen = time.perf_counter() - begun
        if not at_once:
            page.wait_for_load_state("networkidle", timeout=PATIENCE_MS)
        before = received
        press(page)
        clicked = time.perf_counter()
        page.locator(DECISION).first.wait_for(timeout=PATIENCE_MS)
        decision = time.perf_counter() - clicked
        shift = float(page.evaluate("window.shifted"))
    finally:
        context.close()
    return Visit(seen, decision, shift, before, received - before)


def press(page: Page) -> None:
    """Without Playwright's checks, which would wait for the page to come to rest."""
    box = page.locator(BUTTON).bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def rows(browser: Browser, site: str, options: argparse.Namespace) -> Iterator[str]:
    for size in SIZES:
        for at_once in (True, False):
            visits = [
                visit(browser, site, size, options, at_once=at_once) for _ in range(options.visits)
            ]
            decisions = [one.decision for one in visits]
            yield (
                f"{size:8} {'at first sight' if at_once else 'once loaded':15}"
                f" {median(one.seen for one in visits):6.1f} s"
                f" {median(decisions):6.1f} s {max(decisions):6.1f} s"
                f" {max(one.shift for one in visits):8.3f}"
                f" {max(one.page_bytes for one in visits) / 1024:6.0f} KiB"
                f" {max(one.page_bytes + one.table_bytes for one in visits) / 1024:6.0f} KiB"
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--visits", type=int, default=5, help="of each kind")
    parser.add_argument("--kbits", type=float, default=400, help="a second, each way")
    parser.add_argument("--latency", type=float, default=400, help="milliseconds")
    parser.add_argument("--slowdown", type=float, default=4, help="of the processor")
    options = parser.parse_args()
    found = find_browser()
    if found is None:
        sys.exit("first_visit.py needs Chromium: make system installs it")
    with (
        tempfile.TemporaryDirectory() as folder,
        ServerProcess(Path(folder), requests_per_second=1000) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=found, args=ARGUMENTS)
        print(" " * 24, "button", "    decision", "at most", "    shift", "   page", "  + table")
        for row in rows(browser, server.url, options):
            print(row, flush=True)
        browser.close()


if __name__ == "__main__":
    main()
