"""Every page in every language on a small phone: nothing sticks out, is cut off or untranslated.

All with letters 15 % wider than the site's, as a fallback font may have them.
"""

from __future__ import annotations

import os
import re
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Page, ViewportSize

from browser.arranged import arrange, holds
from browser.conftest import Visit
from browser.fonts import widen
from browser.robot import decide, decide_until_play, play, play_at_once
from browser.visitor import Visitor
from browser.words import LANGUAGES, words
from server.process import ServerProcess

SMALL_PHONE: Final[ViewportSize] = {"width": 360, "height": 640}
ENGLISH_LAST: Final = sorted(LANGUAGES, key=lambda name: name == "en")
"""English last, as tests find their way in it."""
PICTURES: Final = os.environ.get("FORETOLD_PICTURES")
"""A folder for pictures of everything, for anyone who wants to look."""

# The browser's language, changed while the page is open, as in its settings.
SPEAK: Final = """() => {
  window.spoken = "en";
  Object.defineProperty(Navigator.prototype, "languages", { get: () => [window.spoken] });
}"""
CHANGE: Final = """(language) => {
  window.spoken = language;
  dispatchEvent(new Event("languagechange"));
}"""

LOOK: Final = """async () => {
  await new Promise(requestAnimationFrame);
  document.body.getBoundingClientRect(); // asks for the fonts of letters that are new
  await document.fonts.ready;
  const root = document.documentElement;
  // What only screen readers are told is clipped away, by a class or by a rule for this width.
  const clipped = (element) =>
    element !== null &&
    (getComputedStyle(element).clipPath === "inset(50%)" || clipped(element.parentElement));
  const shown = (element) =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    !clipped(element);
  const scrolls = (element) =>
    element !== null &&
    (/auto|scroll/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
  const named = (element) =>
    `${element.tagName.toLowerCase()}.${element.classList[0] ?? ""} ` +
    `"${element.textContent.trim().replace(/\\s+/g, " ").slice(0, 60)}"`;

  const shipped = new Map();
  for (const { family, unicodeRange } of document.fonts) {
    const ranges = unicodeRange.split(",").map((one) => {
      const [first, last = first] = one.trim().slice(2).split("-");
      return [parseInt(first, 16), parseInt(last, 16)];
    });
    const name = family.replaceAll('"', "");
    shipped.set(name, [...(shipped.get(name) ?? []), ...ranges]);
  }
  // Whether a letter of an element would come from the machine, if it has it.
  const strange = (element) => {
    const family = getComputedStyle(element).fontFamily.split(",")[0].replaceAll('"', "");
    const ranges = shipped.get(family) ?? [];
    return (letter) => {
      const point = letter.codePointAt(0);
      return /\\S/.test(letter) && !ranges.some(([first, last]) => first <= point && point <= last);
    };
  };

  const range = document.createRange();
  const faults = [];
  if (root.scrollWidth > root.clientWidth) {
    const out = [...document.querySelectorAll("body *")].filter(
      (element) => shown(element) && element.getBoundingClientRect().right > root.clientWidth + 1,
    );
    faults.push(`${root.scrollWidth} wide: ${out.map(named).slice(-3).join(", ")}`);
  }
  for (const box of document.querySelectorAll("button, .button, summary, dialog, dialog > *")) {
    if (!shown(box) || box.scrollWidth <= box.clientWidth) continue;
    faults.push(`cut off, ${box.scrollWidth} in ${box.clientWidth}: ${named(box)}`);
  }
  const words = [document.title];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode;
    // What was announced before stays as it was said, and what is for other browsers unread.
    const elsewhere = "[aria-live], [role=status], noscript";
    if (!text.data.trim() || text.parentElement.closest(elsewhere)) continue;
    words.push(text.data.trim());
    if (!shown(text.parentElement)) continue;
    const foreign = [...text.data.trim()].filter(strange(text.parentElement)).join("");
    if (foreign) faults.push(`"${foreign}" is in no font: ${named(text.parentElement)}`);
    let box = text.parentElement.closest("svg") ?? text.parentElement;
    while (box.clientWidth === 0 && box.parentElement) box = box.parentElement;
    range.selectNodeContents(text);
    const inner = range.getBoundingClientRect();
    const outer = box.getBoundingClientRect();
    if (inner.left < outer.left - 1 || inner.right > outer.right + 1) {
      faults.push(`cut off, ${inner.width} in ${outer.width}: ${named(box)}`);
    } else if (inner.right > root.clientWidth + 1 && !scrolls(text.parentElement)) {
      faults.push(`out of sight, ${inner.right} of ${root.clientWidth}: ${named(box)}`);
    }
    const high = getComputedStyle(box).overflowY;
    if (/hidden|clip/.test(high) && box.scrollHeight > box.clientHeight + 1) {
      faults.push(`cut off, ${box.scrollHeight} in ${box.clientHeight} high: ${named(box)}`);
    }
  }
  for (const select of document.querySelectorAll("select")) {
    const alone = select.cloneNode();
    alone.append(select.selectedOptions[0]?.cloneNode(true) ?? "");
    alone.style.width = "max-content";
    select.after(alone);
    const wanted = alone.offsetWidth;
    alone.remove();
    if (!shown(select) || wanted <= select.offsetWidth) continue;
    const text = select.selectedOptions[0].textContent.trim();
    faults.push(`cut off, ${wanted} in ${select.offsetWidth}: "${text}"`);
  }
  for (const name of ["aria-label", "placeholder", "title", "alt"]) {
    for (const element of document.querySelectorAll(`[${name}]`)) {
      words.push(element.getAttribute(name).trim());
    }
  }
  return { faults, words };
}"""


@pytest.fixture
def stranger(visit: Visit) -> Visitor:
    visitor = visit("phone", reduced_motion="reduce")
    widen(visitor.page)
    visitor.page.set_viewport_size(SMALL_PHONE)
    visitor.page.add_init_script(f"({SPEAK})()")
    return visitor


@pytest.fixture
def reader(stranger: Visitor) -> Visitor:
    return stranger.named("Ana")


@cache
def sentences(language: str) -> re.Pattern[str]:
    """Every message with a placeholder and enough words to be recognised by."""
    found = []
    for text in words(language).values():
        parts = re.split(r"\{\w+(?:, \w+)?\}", text)
        simple = len(parts) > 1 and not re.search(r"[{}]", "".join(parts))
        if simple and len("".join(re.findall(r"\w", "".join(parts)))) >= 8:
            found.append(".+".join(map(re.escape, parts)))
    return re.compile("|".join(found))


def unsaid(seen: list[str], language: str) -> list[str]:
    """Message names, leftover placeholders, and English where another language is spoken."""
    english = set(words("en").values())
    own = set(words(language).values())
    keys = words("en").keys()
    return [
        word
        for word in seen
        if re.search(r"[{}]", word)
        or any(one in keys for one in re.findall(r"[a-z]+(?:_[a-z0-9]+)+", word))
        or (len(word) > 1 and word in english and word not in own)
        or (sentences("en").fullmatch(word) and not sentences(language).fullmatch(word))
    ]


def look(page: Page, name: str, *, translated: bool = True) -> list[str]:
    """What is wrong with the open page, in any of the languages."""
    wrong = []
    for language in ENGLISH_LAST:
        page.evaluate(CHANGE, language)
        page.locator(f"html[lang={language}]").wait_for(state="attached")
        seen: dict[str, Any] = page.evaluate(LOOK)
        wrong += [f"{name}, {language}: {one}" for one in seen["faults"]]
        if translated:
            wrong += [f"{name}, {language}: {one!r}" for one in unsaid(seen["words"], language)]
        if PICTURES:
            path = Path(PICTURES) / f"{name}-{language}.png"
            page.screenshot(path=path, full_page=page.locator("dialog[open]").count() == 0)
    return wrong


def test_pages_around_the_game(reader: Visitor) -> None:
    lobby = reader.new_table(settings={"public": True}, bots=[None, "adept"])
    names = {"names": ["Ana", "Ben", "Cleo"], "rules": {}, "first_dealer": 0}
    sheet = reader.context.request.post(f"{reader.url}/api/sheets", data=names).json()["code"]
    reader.expected.append("404.*/lost")
    wrong = []
    for name, path, ready, button in (
        ("home", "/", "article", None),
        ("device", "/", "article", "Continue on another device"),
        ("new", "/new", ".special", None),
        ("lobby", f"/t/{lobby}", ".round-table", None),
        ("change", f"/t/{lobby}", ".round-table", "Change the table"),
        ("games", "/games", "article", None),
        ("settings", "/settings", "fieldset", None),
        ("erase", "/settings", ".ways", "Erase me"),
        ("privacy", "/privacy", "section:nth-of-type(3) p", None),
        ("tablet", "/tablet", "input", None),
        ("sheet", f"/s/{sheet}", ".pad", None),
        ("correct", f"/s/{sheet}", ".pad", "Change a number"),
        ("sheet-menu", f"/s/{sheet}", ".pad", "This sheet"),
        ("learn", "/learn", "li", None),
        ("rules", "/rules", "article", None),
        ("edition", "/rules/anniversary", "h3", None),
        ("table-rules", f"/t/{lobby}/rules", "h3", None),
        ("sheet-rules", f"/s/{sheet}/rules", "h3", None),
        ("link", "/device/nonsense", "button.primary", None),
        ("lost", "/lost", "h1", None),
        ("gallery", "/gallery", "h1", None),
    ):
        page = reader.open(path)
        page.locator(f"main {ready}").first.wait_for(state="attached")
        if button is not None:
            page.get_by_role("button", name=button, exact=True).click()
            page.get_by_role("dialog").wait_for()
        page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
        wrong += look(page, name, translated=name != "gallery")
    assert not wrong, "\n".join(wrong)


def test_a_guest_sits_down(stranger: Visitor, visit: Visit) -> None:
    code = visit().named("Ben").new_table()
    page = stranger.open(f"/t/{code}")
    page.get_by_role("button", name="Sit down").first.click()
    page.get_by_role("dialog").get_by_label("Your name").wait_for()
    wrong = look(page, "name")
    assert not wrong, "\n".join(wrong)


def test_the_tablet(reader: Visitor) -> None:
    rules = {"rounds": "1", "bidding": "hidden"}
    opened = {"names": ["Ana", "Ben", "Cleo"], "rules": rules, "first_dealer": 0}
    code = reader.context.request.post(f"{reader.url}/api/sheets", data=opened).json()["code"]
    page = reader.open(f"/s/{code}")
    page.locator(".pad").first.wait_for()
    wrong = look(page, "who")
    page.get_by_role("button", name="Not now").click()
    for name in ("Ben", "Cleo", "Ana"):
        page.get_by_role("button", name=f"Bid of {name}").click()
        page.get_by_role("group", name=name).get_by_role("button", name="0", exact=True).click()
    group = page.get_by_role("group", name="Ben took…")
    group.get_by_role("button", name="1", exact=True).click()
    page.get_by_role("link", name="Another game").wait_for()
    wrong += look(page, "sheet-over")
    page = reader.open("/tablet")
    page.locator("main table").wait_for()
    wrong += look(page, "statistics")
    assert not wrong, "\n".join(wrong)


def test_a_game(reader: Visitor) -> None:
    rules = {"players": 6, "rounds": "10", "bid_rule": "plus_minus_one"}
    code = reader.new_table(rules=rules, bots=[None, *["novice"] * 5], settings={"pace": 0})
    page = reader.open(f"/t/{code}")
    page.get_by_role("button", name="Start the game").click()
    page.locator(".bid button").first.wait_for()
    wrong = look(page, "bid")
    for drawer in ("tablet", "menu"):
        page.locator(f".bar .{drawer}").click()
        page.get_by_role("dialog").wait_for()
        wrong += look(page, f"{drawer}-drawer")
        page.keyboard.press("Escape")
    for way in ("Say something", "Rules of this table", "Fair deals", "Help", "Leave the table"):
        page.locator(".bar .menu").click()
        page.get_by_role("dialog").get_by_role("button", name=way).click()
        page.get_by_role("dialog", name=way).wait_for()
        wrong += look(page, way)
        page.keyboard.press("Escape")
    page.get_by_role("dialog").wait_for(state="hidden")
    page.keyboard.press("h")  # of bids there are always several; of cards perhaps only one
    page.locator(".told summary").click()
    page.locator(".told table").wait_for()
    wrong += look(page, "hint")
    page.keyboard.press("h")
    page.locator(".told").wait_for(state="hidden")
    page.locator(".bid button:not(.barred)").first.click()
    page.locator(".hand button:has(.playable)").first.wait_for()
    wrong += look(page, "play")
    decide(page)
    decide_until_play(page)
    page.keyboard.press("l")
    page.locator(".recalled .trick li").first.wait_for()
    wrong += look(page, "last trick")
    assert not wrong, "\n".join(wrong)


def test_questions(reader: Visitor, house: ServerProcess) -> None:
    rules = {"players": 3, "rounds": "5", "specials": ["WE", "JU", "CL", "SH"]}
    code = arrange(house.data, reader, rules, holds(0, "WE", "JU", "SH"))
    page = reader.open(f"/t/{code}")
    page.locator(".choices button").first.wait_for()
    wrong = look(page, "trump")
    page.locator(".choices button").first.click()
    page.locator(".bid button:not(.barred)").first.click()
    for card in ("Juggler", "Shapeshifter"):
        play(page.get_by_role("button", name=f"{card}, playable"))
        page.locator(".choices button").first.wait_for()
        wrong += look(page, card.lower())
        page.get_by_role("button", name="Cancel").click()
    assert not wrong, "\n".join(wrong)


def test_a_lesson(reader: Visitor) -> None:
    page = reader.open("/learn/tricks")
    page.get_by_role("button", name="Next").wait_for()
    wrong = look(page, "lesson")
    assert not wrong, "\n".join(wrong)


def test_after_the_game(reader: Visitor) -> None:
    code = play_at_once(reader.url, {"players": 3, "rounds": "1-3"}, [None, "adept", "adept"])
    page = reader.open(f"/t/{code}")
    page.locator("ol").first.wait_for()
    wrong = look(page, "after")
    page = reader.open(f"/r/{code}")
    page.locator("input[type=range]").wait_for()
    page.locator("input[type=range]").fill("7")
    wrong += look(page, "replay")
    page = reader.open(f"/r/{code}/7?as=0")  # whose own part of the review is open
    page.get_by_role("region", name="Review").locator("details[open]").wait_for()
    page.locator(".controls .mark").last.click()
    wrong += look(page, "review")
    assert not wrong, "\n".join(wrong)


def test_it_would_find_something(reader: Visitor) -> None:
    page = reader.open("/settings")
    page.locator("main fieldset").first.wait_for()
    page.evaluate("""() => {
      const odd = ["Foretold".repeat(20), "nav_learn", "{name}", "Settings", "Waiting for Ben"];
      const clipped = "Foretold ".repeat(40);
      for (const text of [...odd, "→", clipped]) {
        const button = document.createElement("button");
        button.textContent = text;
        if (text === clipped) Object.assign(button.style, { height: "3rem", overflow: "hidden" });
        document.querySelector("main").append(button);
      }
    }""")
    found = "\n".join(look(page, "settings"))
    for word in (
        " wide: ",
        "cut off",
        " high: ",
        "de: 'nav_learn'",
        "hu: '{name}'",
        "pl: 'Settings'",
        "fr: 'Waiting for Ben'",
        '"→" is in no font',
    ):
        assert word in found, word
