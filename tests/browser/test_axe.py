"""Every page before the game, looked at by axe in light and dark."""

from __future__ import annotations

import pytest

from browser.axe import violations
from browser.conftest import Visit


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_pages_before_the_game(visit: Visit, size: str, scheme: str) -> None:
    visitor = visit(size, color_scheme=scheme, bypass_csp=True, reduced_motion="reduce")
    visitor.named("Ana")
    code = visitor.new_table(settings={"public": True}, bots=[None, "adept"])
    found = {}
    for path, ready in {
        "/": "article",
        "/new": ".special",
        f"/t/{code}": ".round-table",
        "/games": "article",
        "/settings": "fieldset",
        "/rules": "article",
        "/device/nonsense": "button.primary",
        "/lost": "h1",
    }.items():
        page = visitor.open(path)
        page.locator(f"main {ready}").first.wait_for()
        for details in page.locator("details").all():
            details.locator("summary").first.click()
        found[path] = violations(page)
    assert found == {path: [] for path in found}


def test_axe_would_find_something(visit: Visit) -> None:
    visitor = visit(bypass_csp=True, reduced_motion="reduce")
    page = visitor.open("/settings")
    page.locator("main fieldset").first.wait_for()
    page.evaluate("document.body.append(document.createElement('button'))")
    assert any(one.startswith("button-name") for one in violations(page))
