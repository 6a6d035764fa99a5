"""Takes a picture of every screen: `python -m browser.screens FOLDER [SCENE…]` in tests/.

Each at five sizes, by day and by night, in the languages with the longest words; names of scenes
after the folder take only those. `sheet-SCENE-touch-en-light.png` and the like show all sizes of a
kind side by side.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Final, Literal

from playwright.sync_api import Page, sync_playwright

from browser.scenes import SCENES, SIZES, Studio
from browser.visitor import ARGUMENTS
from server.process import ServerProcess
from system import find_browser

Theme = Literal["light", "dark"]

LOOKS: Final[tuple[tuple[str, Theme], ...]] = (
    ("en", "light"),
    ("en", "dark"),
    ("de", "light"),
    ("hu", "dark"),
)
SHEET_HEIGHT: Final = 760

SPEAK: Final = """(language) => {
  window.spoken = language;
  dispatchEvent(new Event("languagechange"));
}"""
STILL: Final = """async () => {
  const frame = () => new Promise(requestAnimationFrame);
  await frame();
  await frame();
  await document.fonts.ready;
  // Not what goes on all the time, nor a clock.
  const running = (one) =>
    one.playState === "running" && one.effect?.getComputedTiming().endTime < 10_000;
  while (document.getAnimations().some(running)) await frame();
}"""


def shoot(page: Page, scene: str, folder: Path, sizes: tuple[tuple[int, int], ...]) -> None:
    for language, theme in LOOKS:
        page.evaluate(SPEAK, language)
        page.locator(f"html[lang={language}]").wait_for(state="attached")
        page.emulate_media(color_scheme=theme)
        for width, height in sizes:
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate(STILL)
            page.screenshot(path=folder / f"{scene}-{language}-{theme}-{width}.png")


def sheet(page: Page, name: str, folder: Path, sizes: tuple[tuple[int, int], ...]) -> None:
    """The sizes of one kind of screen side by side, for each language and theme."""
    scene, _, _ = name.rpartition("-")
    for language, theme in LOOKS:
        images = "".join(
            f'<img src="{scene}-{language}-{theme}-{width}.png" height={SHEET_HEIGHT}>'
            for width, _ in sizes
        )
        source = folder / "sheet.html"
        row = "margin: 0; display: flex; gap: 8px; width: max-content"
        source.write_text(f"<body style='{row}'>{images}")
        page.goto(source.as_uri())
        page.locator("body").screenshot(path=folder / f"sheet-{name}-{language}-{theme}.png")
        source.unlink()


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    wanted = sys.argv[2:] or list(SCENES)
    with (
        tempfile.TemporaryDirectory() as data,
        ServerProcess(Path(data), requests_per_second=1000) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=find_browser(), args=ARGUMENTS)
        studio = Studio(browser, server)
        for scene in wanted:
            try:
                for kind, sizes in SIZES.items():
                    visitor = studio.visitor(kind)
                    shoot(SCENES[scene](studio, visitor), scene, folder, sizes)
                    visitor.context.close()
                    page = browser.new_page(viewport={"width": 4600, "height": SHEET_HEIGHT})
                    sheet(page, f"{scene}-{kind}", folder, sizes)
                    page.close()
                print(scene, flush=True)
            except Exception as error:
                print(scene, "FAILED", str(error)[:400], flush=True)
        browser.close()


if __name__ == "__main__":
    main()
