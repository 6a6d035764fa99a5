"""A player who clicks like a person, and one who plays a whole game by the protocol at once."""

from __future__ import annotations

import itertools
import json
import time
from typing import Any

import httpx
from playwright.sync_api import Locator, Page
from websockets.sync.client import connect
from websockets.typing import Origin

Data = dict[str, Any]

MINUS = "\N{MINUS SIGN}"
"""How the site writes points below zero."""
PATIENCE = 90.0
"""Seconds for a whole short game."""


def click_to_the_end(page: Page) -> int:
    """Decide whatever is asked, by clicks alone, until the game is over; how often it was asked."""
    over = page.get_by_role("button", name="Rematch")
    decided = 0
    deadline = time.monotonic() + PATIENCE
    while not over.is_visible():
        assert time.monotonic() < deadline, "the game does not come to its end"
        choice = _open_choice(page)
        if choice is None:
            page.wait_for_timeout(40)
            continue
        _click(choice)
        decided += 1
    return decided


def _open_choice(page: Page) -> Locator | None:
    """A bid, an answer, or a card that may be played: whichever is asked for now."""
    for group in (".bid button:not(.barred)", ".choices button", ".hand button:has(.playable)"):
        found = page.locator(group)
        count = found.count()
        if count:
            return found.nth(count // 2)
    return None


def _click(choice: Locator) -> None:
    # A card shows only its left edge. It may be gone by now, which is no fault: then ask again.
    timeout = 1000
    try:
        choice.click(position={"x": 8, "y": 12}, timeout=timeout)
        if choice.get_attribute("aria-pressed", timeout=timeout) == "true":
            choice.click(position={"x": 8, "y": 12}, timeout=timeout)
    except Exception as error:
        if "Timeout" not in str(error) and "detached" not in str(error):
            raise


def play_at_once(
    url: str, rules: Data, bots: list[str | None], decisions: int | None = None
) -> str:
    """A game by the protocol, to its end or for so many decisions of seat 0; its code."""
    with httpx.Client(base_url=url) as http:
        http.put("/api/me", json={"name": "Ana"}).raise_for_status()
        body = {"rules": rules, "settings": {"pace": 0}, "bots": bots}
        code = str(http.post("/api/tables", json=body).raise_for_status().json()["code"])
        cookie = "; ".join(f"{name}={value}" for name, value in http.cookies.items())
    address = f"{url.replace('http', 'ws', 1)}/api/tables/{code}/socket"
    ids = itertools.count()
    view: Data = {}
    decided: set[int] = set()
    with connect(address, origin=Origin(url), additional_headers={"cookie": cookie}) as socket:
        socket.send(json.dumps({"t": "start", "id": "start"}))
        while view.get("outcome") is None:
            heard = json.loads(socket.recv(timeout=30))
            assert heard["t"] != "refused", heard
            view.update(heard.get("view") or {})
            if not view.get("legal") or view["turn"] in decided:
                continue
            if decisions is not None and len(decided) == decisions:
                break
            decided.add(view["turn"])
            action = view["legal"][len(view["legal"]) // 2]
            message = {"t": "act", "id": str(next(ids)), "turn": view["turn"], "action": action}
            socket.send(json.dumps(message))
    return code
