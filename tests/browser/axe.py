"""What axe-core finds on a page."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Page

from browser.visitor import SIZES

_SOURCE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
_ALL = {"type": "tag", "values": _TAGS}
_COLOURS = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}


@cache
def _source() -> str:
    return _SOURCE.read_text(encoding="utf-8")


def violations(page: Page, *sizes: str) -> list[str]:
    """Every rule that the page breaks, and where; on a phone and a desktop unless sizes are given.
    Everything is checked in light mode, and at the last size in dark mode what colours can break.
    Nothing may be wider than the screen.
    """
    before = page.viewport_size
    assert before is not None
    found = []
    for size in sizes or ("phone", "desktop"):
        width, height = SIZES[size]
        page.set_viewport_size({"width": width, "height": height})
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            found.append(f"{size}: wider than the screen")
        found += [f"{size}: {one}" for one in _found(page, "light", _ALL)]
    # Foreground, background and colours are the same at every size.
    found += [f"{size}: {one}" for one in _found(page, "dark", _COLOURS)]
    page.set_viewport_size(before)
    return found


def _found(page: Page, scheme: Literal["light", "dark"], rules: dict[str, Any]) -> list[str]:
    page.emulate_media(color_scheme=scheme)
    # Half-faded things have half their contrast.
    page.wait_for_function("document.getAnimations().every((one) => one.playState !== 'running')")
    if not page.evaluate("'axe' in window"):
        page.evaluate(_source())
    found: dict[str, Any] = page.evaluate(
        "(runOnly) => axe.run(document, { runOnly, resultTypes: ['violations'] })", rules
    )
    return [
        f"{rule['id']} in the {scheme}: {node['target']} {node.get('failureSummary', '')}"
        for rule in found["violations"]
        for node in rule["nodes"]
    ]
