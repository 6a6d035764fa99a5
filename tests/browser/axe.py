"""What axe-core has to say of a page."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

_SOURCE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


@cache
def _source() -> str:
    return _SOURCE.read_text(encoding="utf-8")


CONTRAST = ["color-contrast"]
"""All that a change of the colours can break."""


def violations(page: Page, rules: list[str] | None = None) -> list[str]:
    """Every rule that the page breaks, or those of these rules, and where."""
    # Half-faded things have half their contrast.
    page.wait_for_function("document.getAnimations().every((one) => one.playState !== 'running')")
    page.evaluate(_source())
    only = {"type": "tag", "values": _TAGS} if rules is None else {"type": "rule", "values": rules}
    found: dict[str, Any] = page.evaluate("(runOnly) => axe.run(document, { runOnly })", only)
    return [
        f"{rule['id']}: {node['target']} {node.get('failureSummary', '')}"
        for rule in found["violations"]
        for node in rule["nodes"]
    ]
