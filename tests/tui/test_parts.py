"""Small parts of the full-screen game: colours, the chart, the canvas."""

from __future__ import annotations

import pytest
from rich.color import Color

from foretold.tui.background import light_in
from foretold.tui.canvas import Canvas
from foretold.tui.palette import DARK, LIGHT, MONO, Palette
from foretold.tui.scoresheet import chart


@pytest.mark.parametrize("palette", [DARK, LIGHT], ids=["dark", "light"])
def test_text_is_legible(palette: Palette) -> None:
    """Contrast of at least 4.5 to 1 (WCAG AA) on every background that text stands on."""
    for style in (*palette.suits, palette.magic, palette.special, palette.jester, palette.text):
        for ground in (palette.table, palette.panel, palette.face):
            assert contrast(style.split()[-1], ground) >= 4.5, (style, ground)
    for ground in (palette.table, palette.panel):
        for style in (palette.faint, palette.bad, *palette.seats):
            assert contrast(style.split()[-1], ground) >= 4.5, (style, ground)


def contrast(one: str, other: str) -> float:
    def light(colour: str) -> float:
        triplet = Color.parse(colour).triplet
        assert triplet is not None
        red, green, blue = (
            part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
            for part in triplet.normalized
        )
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize(
    ("answer", "light"),
    [
        (b"\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1b[?62;4c", True),
        (b"\x1b]11;rgb:1c/1c/1c\x07\x1b[?6c", False),
        (b"\x1b[?62;4c", None),
        (b"", None),
    ],
)
def test_the_background_of_the_terminal(answer: bytes, light: bool | None) -> None:
    assert light_in(answer) is light


def test_the_chart_names_every_line() -> None:
    names = ("You", "Ada", "Bran")
    text = chart([(20, 20, 20), (20, 20, 20)], names, MONO, 40, 6).plain
    assert text.count("\n") == 5
    for name in names:
        assert name in text
    assert chart([], names, MONO, 40, 6).plain.count("You") == 1


def test_a_canvas_leaves_out_what_does_not_fit() -> None:
    canvas = Canvas(4, 2)
    canvas.put(-1, 0, "abcdefgh", "bold")
    canvas.put(0, 5, "x")
    assert canvas.text().plain == "bcde\n    "
