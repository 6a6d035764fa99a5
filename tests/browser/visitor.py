"""Somebody with their own browser, and everything the browser complained about."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Final, cast

from playwright.sync_api import BrowserContext, ConsoleMessage, Page

ARGUMENTS: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--force-color-profile=srgb",
    "--font-render-hinting=none",  # letters as wide as the font says, not rounded to pixels
)
SIZES: Final = {"narrow": (320, 640), "phone": (360, 740), "desktop": (1280, 800)}


KEYS: Final[dict[str, str]] = {}
"""Keys of invitations that everyone here has, by code."""


@dataclass
class Visitor:
    """A person at the site. Any error in the console fails the test."""

    context: BrowserContext
    page: Page
    url: str
    complaints: list[str] = field(default_factory=list)
    expected: list[str] = field(default_factory=list)
    """Patterns of errors that the test itself provokes."""

    def __post_init__(self) -> None:
        self.page.on("console", self._hear)
        self._show_keys()
        self.page.on("pageerror", lambda error: self.complaints.append(f"uncaught: {error}"))

    def _show_keys(self) -> None:
        shown = {"name": "foretold-key", "domain": "127.0.0.1"}
        for code, key in KEYS.items():
            for place in ("tables", "sheets"):
                cookie = {**shown, "value": key, "path": f"/api/{place}/{code}"}
                self.context.add_cookies([cast(Any, cookie)])

    def _hear(self, message: ConsoleMessage) -> None:
        # A violation of the content security policy is reported as an error too.
        if message.type == "error":
            self.complaints.append(f"{message.text} ({message.location.get('url')})")

    def open(self, path: str = "/") -> Page:
        self._show_keys()
        self.page.goto(self.url + path)
        return self.page

    def named(self, name: str) -> Visitor:
        """The same, known to the site by a name."""
        assert self.context.request.put(f"{self.url}/api/me", data={"name": name}).ok
        return self

    def new_table(self, **body: object) -> str:
        """Creates a table without a form; returns its code."""
        whole = {"rules": {}, "settings": {}, "bots": [], **body}
        answer = self.context.request.post(f"{self.url}/api/tables", data=whole)
        assert answer.ok, answer.text()
        return str(answer.json()["code"])

    def invitation(self, code: str) -> str:
        """The path of the invitation to a table where they sit."""
        answer = self.context.request.get(f"{self.url}/api/tables/{code}")
        assert answer.ok, answer.text()
        return f"/t/{code}#{answer.json()['key']}"

    def unexpected(self) -> list[str]:
        return [
            one
            for one in self.complaints
            if not any(re.search(pattern, one) for pattern in self.expected)
        ]
