"""The examples in README and docs work as shown."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest

from foretold import Game

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples(page: Path) -> None:
    results = doctest.testfile(str(page), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert results.failed == 0


def test_readme_tour_can_be_pasted_into_a_shell() -> None:
    tour = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    assert tour is not None
    shell = subprocess.run(
        [sys.executable, "-i", "-q"],
        input=tour[1],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert "Error" not in shell.stderr
    game = Game("anniversary", players=4, seed=7)
    while not game.outcome():
        game.push(next(iter(game.legal_actions())))
    outcome = game.outcome()
    assert outcome is not None
    assert shell.stdout.strip() == f"{outcome.winners} {game.totals}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_every_rule_is_where_the_table_says() -> None:
    page = (ROOT / "docs" / "extending.md").read_text()
    table = page.partition("## Where a rule lives")[2].partition("\n## ")[0]
    rules, phases = table.split("Each phase has one function")
    found = re.findall(r"((?:`[\w.]+`,? ?)+)in \[[^]]+\]\(([^)]+)\)", rules)
    named = [(name, file) for names, file in found for name in re.findall(r"`([\w.]+)`", names)]
    assert len(named) > 40
    for name, file in named:
        text = (ROOT / "docs" / file).read_text()
        for part in name.split("."):
            said = rf"^ *(def|class) {part}\b|^ *{part}\b[^\n]*[:=]"
            assert re.search(said, text, re.MULTILINE), f"{name} is not in {file}"
    kernel = "".join(one.read_text() for one in (ROOT / "src/foretold/kernel").glob("*.py"))
    for name in re.findall(r"`(\w+)`", phases.partition("\n\n|")[2].partition("\n\n")[0]):
        assert f"\ndef {name}(" in kernel


def test_record_page_shows_a_valid_record() -> None:
    page = (ROOT / "docs" / "records.md").read_text()
    record = re.search(r"```json\n(\{.*?\n\})\n```", page, re.DOTALL)
    assert record is not None
    assert Game.from_record(record[1]).totals == (-10, 30, 20, 20)


def test_example_bot_plays() -> None:
    shown = subprocess.run(
        [sys.executable, str(ROOT / "examples" / "bot.py")],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert shown.stdout.startswith("totals: (")
