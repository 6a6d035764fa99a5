"""A player who clicks like a person, and one who plays a whole game over the protocol at once."""

from __future__ import annotations

import itertools
import json
import re
import time
from typing import Any, Final

import httpx
from playwright.sync_api import Error, Locator, Page, Position
from websockets.sync.client import connect
from websockets.typing import Origin

from browser.visitor import KEYS

Data = dict[str, Any]

MINUS = "\N{MINUS SIGN}"
"""How the site writes negative points."""
PATIENCE = 90.0
"""Seconds for a whole short game."""
QUICK_MS = 1000
"""For a click on something already there."""


# The current question, in the table's words, and where to answer it; or the end of a round or the
# game. Waited for in the page: asking it again and again would keep a core busy.
_MOMENT = """async ({ cards, patience }) => {
  const groups = {
    ".bid": ".bid button:not(.barred)",
    ".choices": ".choices .answers button",
    ...(cards && { ".hand": ".hand button:has(.playable)" }),
  };
  const question = () => {
    for (const [group, answers] of Object.entries(groups)) {
      const count = document.querySelectorAll(answers).length;
      const label = document.querySelector(`${group}[role=group]`)?.ariaLabel;
      const prompt = document.querySelector(".line .prompt")?.textContent;
      const words = group === ".hand" ? (prompt ?? label) : label;
      if (count > 0) return { answers, count, words };
    }
    return null;
  };
  const button = (name) =>
    [...document.querySelectorAll("button")].some(
      (one) => one.textContent.includes(name) && one.checkVisibility(),
    );
  const end = performance.now() + patience;
  for (;;) {
    const last = button("See the result");
    const moment = {
      question: question(), last, over: button("Rematch"),
      round: !last && document.querySelector(".result .next") !== null,
    };
    if (Object.values(moment).some(Boolean) || performance.now() >= end) return moment;
    await new Promise((done) => setTimeout(done, 20));
  }
}"""


def _moment(page: Page, patience: int, *, cards: bool = True) -> Data:
    try:
        told: Data = page.evaluate(_MOMENT, {"cards": cards, "patience": patience})
    except Error as error:
        if "context was destroyed" not in str(error):
            raise
        told = dict.fromkeys(("question", "last", "over", "round"))  # it is loading itself again
    if told["round"]:
        _click(page.locator(".result .next"))
        return _moment(page, patience, cards=cards)
    return told


def click_to_the_end(*pages: Page) -> list[str]:
    """Answer every question by clicks alone until the game is over; returns all questions."""
    asked: list[str] = []
    deadline = time.monotonic() + PATIENCE
    going = list(pages)
    while going:
        assert time.monotonic() < deadline, f"the game does not come to its end: {asked}"
        for page in [*going]:
            moment = _moment(page, 1000 if len(going) == 1 else 40)
            if moment["last"]:  # no need to wait for the last cards
                _click(page.get_by_role("button", name="See the result"))
            elif moment["over"]:
                going.remove(page)
            elif (answered := _answer(page, moment["question"])) is not None:
                asked.append(answered)
    return asked


def click_once(page: Page, *, cards: bool = True) -> str | None:
    """Answer the current question, if there is one, and return it."""
    return _answer(page, _moment(page, 0, cards=cards)["question"])


def _answer(page: Page, question: Data | None) -> str | None:
    """Answer a question, if there is one; returns it if that worked."""
    if question is None:
        return None
    # Somewhere in the middle, so that bids and cards vary.
    done = _click(page.locator(question["answers"]).nth(question["count"] // 2))
    return str(question["words"]) if done else None


def decide(page: Page) -> None:
    """Answer the next question."""
    deadline = time.monotonic() + PATIENCE
    while True:
        assert time.monotonic() < deadline, "nothing is asked"
        if _answer(page, _moment(page, 1000)["question"]) is not None:
            return


def decide_until_play(page: Page) -> None:
    """Answer all questions that come before playing a card."""
    deadline = time.monotonic() + PATIENCE
    while not page.locator(".hand .playable").count():
        assert time.monotonic() < deadline, "no card is asked for"
        click_once(page, cards=False)
        page.wait_for_timeout(20)


EDGE: Final[Position] = {"x": 20, "y": 30}
"""Of a card that leans, and of which only the left edge may be visible."""


def play(card: Locator, timeout: float | None = None) -> None:
    """Click a card, which plays it if it may be played."""
    card.click(position=EDGE, timeout=timeout)


# Counts the clicks that have reached the page.
_CLICKS = """() => {
  if (window.clicksHeard === undefined) {
    window.clicksHeard = 0;
    addEventListener("click", () => (window.clicksHeard += 1), true);
  }
  // What was sent before has arrived two frames later.
  return new Promise((told) =>
    requestAnimationFrame(() => requestAnimationFrame(() => told(window.clicksHeard))),
  );
}"""


def _click(choice: Locator) -> bool:
    """Click; returns whether it worked."""
    before = choice.page.evaluate(_CLICKS)
    try:
        play(choice, timeout=QUICK_MS)
    except Exception as error:
        # It may be gone by now, which is fine: then ask again.
        if "Timeout" not in str(error) and "detached" not in str(error):
            raise
        # On a busy machine, a click may be reported too late although it was done in time.
        return bool(choice.page.evaluate(_CLICKS) > before)
    return True


def hurry(page: Page, pace: int) -> None:
    """Make the bots at the table on screen wait no longer than that, in milliseconds.

    The visitor must be its host.
    """
    site, code = page.url.partition("#")[0].split("/t/")
    cookie = "; ".join(f"{one['name']}={one['value']}" for one in page.context.cookies())
    address = f"{site.replace('http', 'ws', 1)}/api/tables/{code[:6]}/socket"
    asked = {"t": "settings", "id": f"hurry {pace}", "settings": {"pace": pace}}
    with connect(address, origin=Origin(site), additional_headers={"cookie": cookie}) as socket:
        socket.send(json.dumps(asked))
        while (heard := json.loads(socket.recv(timeout=30)))["t"] != "done":
            assert heard["t"] != "refused", heard


def play_at_once(
    url: str,
    rules: Data,
    bots: list[str | None],
    decisions: int | None = None,
    cookies: dict[str, str] | None = None,
    *,
    until_round: int | None = None,
    timid: bool = False,
) -> str:
    """Play a game over the protocol, to its end, to a round or for that many decisions of seat 0.

    Returns its code. Seat 0 is the owner of the cookies, or somebody new; a timid one bids and
    plays low.
    """
    with httpx.Client(base_url=url, cookies=cookies) as http:
        http.put("/api/me", json={"name": "Ana"}).raise_for_status()
        body = {"rules": rules, "settings": {"pace": 0}, "bots": bots}
        opened = http.post("/api/tables", json=body).raise_for_status().json()
        code = str(opened["code"])
        KEYS[code] = opened["key"]
        held = {one.name: one.value for one in http.cookies.jar}
        cookie = "; ".join(f"{name}={value}" for name, value in held.items())
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
            if view["round"] == until_round or len(decided) == decisions:
                break
            decided.add(view["turn"])
            action = view["legal"][0 if timid else len(view["legal"]) // 2]
            message = {"t": "act", "id": str(next(ids)), "turn": view["turn"], "action": action}
            socket.send(json.dumps(message))
    return code


def first_decision(page: Page) -> None:
    """Waits until the player has something to decide: a bid, or trump."""
    bid_or_trump = page.get_by_role("group", name=re.compile("Your bid|trump", re.IGNORECASE))
    bid_or_trump.get_by_role("button").first.wait_for()
