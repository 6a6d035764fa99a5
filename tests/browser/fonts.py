"""The site's fonts, made wider than they are."""

from __future__ import annotations

import re
from typing import Final

from playwright.sync_api import Page, Route

WIDER: Final = 1.15
STYLES: Final = re.compile(r"/assets/[^/]+\.css$")


def widen(page: Page) -> None:
    """Make the letters that much wider, whatever the page loads."""
    wider = f"@font-face{{size-adjust:{WIDER:.0%};"

    def change(route: Route) -> None:
        answer = route.fetch()
        # Only the shipped fonts: the fallbacks have their own size.
        shipped = re.sub(r"@font-face\s*\{(?=[^}]*url\()", wider, answer.text())
        route.fulfill(response=answer, body=shipped)

    page.route(STYLES, change)
