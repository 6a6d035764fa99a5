"""The fonts of the site, made wider than they are."""

from __future__ import annotations

import re
from typing import Final

from playwright.sync_api import Page, Route

WIDER: Final = 1.15
STYLES: Final = re.compile(r"/assets/[^/]+\.css$")


def widen(page: Page) -> None:
    """Whatever the page loads, its letters are so much wider."""
    wider = f"@font-face{{size-adjust:{WIDER:.0%};"

    def change(route: Route) -> None:
        answer = route.fetch()
        # Only what is shipped: the fallbacks have a size of their own.
        shipped = re.sub(r"@font-face\s*\{(?=[^}]*url\()", wider, answer.text())
        route.fulfill(response=answer, body=shipped)

    page.route(STYLES, change)
