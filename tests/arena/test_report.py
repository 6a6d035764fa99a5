"""The report: one self-contained page."""

from __future__ import annotations

from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

from arena.odd import SHORT
from commands import Run
from foretold import Rules
from foretold.arena import Match, html_report, play_match, summarise


class Page(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        if tag != "meta":
            self.open.append(tag)
        for name, value in attrs:
            assert name not in ("src", "href"), f"{tag} fetches {value}"

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_report_stands_alone(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "match.html"
    bots = ["simple", "random", "odd:Raiser", "odd:Scribe,name=<b>"]
    assert run(*bots, *SHORT, "--games", "8", "--report", file).code == 0
    text = file.read_text()
    page = Page(text)
    assert page.open == []
    assert page.tags["script"] == page.tags["link"] == page.tags["b"] == 0
    assert "http" not in text
    assert "@import" not in text
    assert page.tags["svg"] >= 4
    assert page.tags["table"] == 3
    for words in ("prefers-color-scheme: dark", "name=&lt;b&gt;", "I am lost", "--seed 0"):
        assert words in text
    assert not list(tmp_path.glob("*.part"))


def test_report_of_one_deal_set_and_one_bot() -> None:
    match = Match(("simple",) * 3, Rules(players=3, rounds="1"), games=1)
    Page(html_report(summarise(play_match(match, jobs=1))))
