"""The fonts come with the page, from this site only, and nothing moves when they arrive."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Page, Response, Route

from browser.conftest import Visit
from browser.fonts import STYLES, WIDER, widen
from browser.words import words

FIRST_PAGE_LIMIT: Final = 150 * 1024
TABLE_LIMIT: Final = 250 * 1024
AHEAD: Final = re.compile(r"/assets/(table|socket|coach)-[^/]+$")
SMALL_SHIFT: Final = 0.005
"""Fraction of the screen; with an unmatched fallback it is 0.03 and more."""
FILES: Final = re.compile(r"\.woff2$")
MODULES: Final = Path(__file__).parents[2] / "web" / "node_modules"
LIKE_ARIAL: Final = MODULES / "@fontsource-variable" / "arimo" / "files"

# The width of words in both families, light and bold.
WIDTHS: Final = """() => {
  const probe = document.createElement("span");
  probe.textContent = "Toutes les mains visibles, tükörfúrógép";
  Object.assign(probe.style, { position: "absolute", whiteSpace: "nowrap", fontSize: "40px" });
  document.body.append(probe);
  const widths = ["var(--font)", "var(--font-title)"].flatMap((family) =>
    ["500", "700"].map((weight) => {
      Object.assign(probe.style, { fontFamily: family, fontWeight: weight });
      return probe.getBoundingClientRect().width;
    }),
  );
  probe.remove();
  return widths;
}"""

# How much of the screen has moved, as browsers measure it.
SHIFTS: Final = """() => new Promise((tell) => {
  let moved = 0;
  const observer = new PerformanceObserver((list) => add(list.getEntries()));
  const add = (entries) => entries.forEach(({ value }) => (moved += value));
  observer.observe({ type: "layout-shift", buffered: true });
  requestAnimationFrame(() => requestAnimationFrame(() => {
    add(observer.takeRecords());
    tell(moved);
  }));
})"""


FALLBACKS: Final = """() => Promise.all(
  [...document.fonts].filter(({ family }) => /Arial/.test(family)).map((face) => face.load()),
)"""


@pytest.mark.parametrize("language", ["en", "pl"])
def test_the_first_page_is_small_with_its_fonts(visit: Visit, language: str) -> None:
    guest = visit("phone", locale=language)
    answers: list[Response] = []
    guest.page.on("response", lambda one: answers.append(one))
    page = guest.open()
    page.get_by_role("button", name=words(language)["home_play_now"]).wait_for()
    page.wait_for_load_state("networkidle")
    fonts = [one for one in answers if FILES.search(one.url)]
    early = page.locator("link[rel=preload][as=font]").evaluate_all("all => all.map((a) => a.href)")
    assert sorted(early) == sorted(one.url for one in fonts)
    for font in fonts:
        assert font.headers["content-type"] == "font/woff2"
        assert "immutable" in font.headers["cache-control"]
    sizes: dict[str, int] = page.evaluate(
        """() => Object.fromEntries(["navigation", "resource"]
          .flatMap((kind) => performance.getEntriesByType(kind))
          .map(({ name, encodedBodySize }) => [name, encodedBodySize]))"""
    )
    # Fetched once the page is there, so that a table opens at once.
    ahead = {name: size for name, size in sizes.items() if AHEAD.search(name)}
    assert ahead
    whole = sum(sizes.values())
    assert sum(int(font.headers["content-length"]) for font in fonts) < whole < TABLE_LIMIT
    assert whole - sum(ahead.values()) < FIRST_PAGE_LIMIT


def test_the_licences_come_with_the_fonts(visit: Visit) -> None:
    guest = visit()
    for family in ("Asap", "Texturina"):
        answer = guest.context.request.get(f"{guest.url}/fonts/{family}-OFL.txt")
        assert answer.ok
        assert f"The {family} Project Authors" in answer.text()
        assert "SIL OPEN FONT LICENSE" in answer.text()


def test_wider_letters_are_wider(visit: Visit, site: str) -> None:
    """The tests of every language rely on this."""
    widths = []
    for wider in (False, True):
        page = visit().page
        if wider:
            widen(page)
        page.goto(f"{site}/settings")
        page.locator("main fieldset").first.wait_for()
        page.evaluate(WIDTHS)
        page.evaluate("document.fonts.ready")
        widths.append(page.evaluate(WIDTHS))
    assert widths[1] == pytest.approx([WIDER * width for width in widths[0]], rel=0.005)


@pytest.mark.parametrize("language", ["en", "fr", "pl"])
def test_nothing_jumps_when_the_fonts_arrive(visit: Visit, site: str, language: str) -> None:
    page = visit("phone", locale=language).page
    held: list[Route] = []
    page.route(FILES, lambda route: held.append(route))
    fall_back_to_arial(page)
    page.goto(f"{site}/rules/anniversary", wait_until="commit")
    page.locator(f"html[lang={language}] main h3").first.wait_for()
    page.evaluate(FALLBACKS)
    before = page.evaluate(SHIFTS)
    wide = page.evaluate(WIDTHS)
    for route in held:
        route.continue_()
    page.unroute(FILES)
    page.evaluate("document.fonts.ready")
    assert page.evaluate(WIDTHS) != wide
    assert page.evaluate(SHIFTS) - before < SMALL_SHIFT


def test_fonts_that_were_lost_on_the_way_arrive_later(visit: Visit, site: str) -> None:
    """As when a phone changes networks: a browser itself never asks again."""
    guest = visit("phone")
    guest.expected.append("Failed to load resource")
    page = guest.page
    page.route(FILES, lambda route: route.abort())
    page.goto(f"{site}/settings")
    page.locator("main fieldset").first.wait_for()
    page.wait_for_function("() => [...document.fonts].some(({ status }) => status === 'error')")
    wide = page.evaluate(WIDTHS)
    page.unroute(FILES)
    page.wait_for_function(
        "() => [...document.fonts].filter(({ status }) => status === 'loaded').length >= 2"
    )
    assert page.evaluate(WIDTHS) != wide
    assert page.evaluate(SHIFTS) < 0.05


def fall_back_to_arial(page: Page) -> None:
    """Arial, or a font with the same widths, on any machine."""
    arial = re.compile(r'@font-face\s*\{([^}]*)src:\s*local\("?Arial[^;}]*([^}]*)\}')
    both = "".join(
        rf"@font-face{{\1src:url(/like-arial/{part})\2;unicode-range:{letters}}}"
        for part, letters in (("latin", "U+0-FF,U+2000-2FFF"), ("latin-ext", "U+100-17F"))
    )

    def change(route: Route) -> None:
        answer = route.fetch()
        text = arial.sub(both, answer.text())
        route.fulfill(response=answer, body=text.replace("font-weight:600 900", "font-weight:700"))

    def serve(route: Route) -> None:
        part = route.request.url.rsplit("/", 1)[-1]
        route.fulfill(path=LIKE_ARIAL / f"arimo-{part}-wght-normal.woff2")

    page.route(STYLES, change)
    page.route("**/like-arial/*", serve)
