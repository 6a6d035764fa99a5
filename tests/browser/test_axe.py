"""Every page before the game, checked by axe in light and dark."""

from __future__ import annotations

from browser.axe import violations
from browser.conftest import Visit


def test_pages_before_the_game(visit: Visit) -> None:
    visitor = visit(bypass_csp=True, reduced_motion="reduce")
    visitor.named("Ana")
    visitor.expected.append("404.*/lost")
    code = visitor.new_table(settings={"public": True}, bots=[None, "adept"])
    found = {}
    for path, ready in {
        "/": "article",
        "/new": "fieldset",
        f"/t/{code}": ".round-table",
        "/games": "article",
        "/settings": "fieldset",
        "/privacy": "section",
        "/rules": "article",
        "/device/nonsense": "button.primary",
        "/lost": "h1",
    }.items():
        page = visitor.open(path)
        page.locator(f"main {ready}").first.wait_for()
        page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
        found[path] = violations(page)
    assert found == {path: [] for path in found}


def test_dialogs_before_the_game(visit: Visit) -> None:
    host = visit("phone", bypass_csp=True, reduced_motion="reduce")
    code = host.named("Ana").new_table()
    page = host.open("/")
    page.get_by_role("button", name="Continue on another device").click()
    page.get_by_role("img", name="QR code").wait_for()
    assert violations(page, "phone") == []

    page = host.open(f"/t/{code}")
    page.get_by_role("button", name="Change the table").click()
    page.get_by_role("dialog").locator(".special").first.wait_for()
    assert violations(page, "phone") == []

    guest = visit("phone", bypass_csp=True, reduced_motion="reduce")
    page = guest.open(f"/t/{code}")
    page.get_by_role("button", name="Sit down").first.click()
    page.get_by_role("dialog").get_by_label("Your name").wait_for()
    assert violations(page, "phone") == []


def test_axe_would_find_something(visit: Visit) -> None:
    visitor = visit(bypass_csp=True, reduced_motion="reduce")
    page = visitor.open("/settings")
    page.locator("main fieldset").first.wait_for()
    page.evaluate("document.body.append(document.createElement('button'))")
    assert any(one.startswith("phone: button-name") for one in violations(page, "phone"))
