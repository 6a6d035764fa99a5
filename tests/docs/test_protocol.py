"""What is generated from the protocol's types and the refusals is up to date, and complete."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from importlib import util
from pathlib import Path
from types import ModuleType

import pytest

import foretold
from foretold.refusals import FAMILIES, REASONS, to_log, to_player

ROOT = Path(__file__).parents[2]
SOURCE = Path(foretold.__file__).parent
LANGUAGES = sorted((ROOT / "web" / "messages").glob("*.json"))
RAISED = ("Refused", "SheetError", "IllegalActionError", "WrongMomentError")
PASSED_ON = {
    "server/api/personal.py": {"no_table", "no_sheet"},
    "server/api/visitors.py": {"no_table", "no_sheet"},
    "server/cluster/node.py": set(),
    "server/cluster/passing.py": set(),
    "server/workers/study.py": set(),
    "table/refusals.py": set(),
    "table/scoresheets.py": set(),
}
"""Files that pass on codes from elsewhere, and which, if there is no call of their own."""


def maker() -> ModuleType:
    spec = util.spec_from_file_location("make_protocol", ROOT / "docs" / "make_protocol.py")
    assert spec is not None
    assert spec.loader is not None
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_what_is_made_from_the_protocol_is_up_to_date() -> None:
    stale = [path.name for path, text in maker().files().items() if path.read_text() != text]
    assert not stale, f"run make protocol: {stale}"


# Every code that is raised is in the table, and every code in the table is used


class Raised:
    """A refusal in the source: its codes and parameters."""

    def __init__(self, path: Path, call: ast.Call) -> None:
        self.place = f"{path.relative_to(SOURCE)}:{call.lineno}"
        self.file = str(path.relative_to(SOURCE))
        first = call.args[0] if call.args else None
        options = [first.body, first.orelse] if isinstance(first, ast.IfExp) else [first]
        self.codes = [str(one.value) for one in options if isinstance(one, ast.Constant)]
        self.params = {one.arg for one in call.keywords}
        self.is_alone = len(call.args) == 1


def raised() -> Iterator[Raised]:
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
                name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
                if name in RAISED:
                    yield Raised(path, node)


def test_every_refusal_is_in_the_table_with_exactly_its_parameters() -> None:
    for one in raised():
        if not one.codes:
            assert one.file in PASSED_ON or one.file == "illegal.py", f"{one.place}: which code?"
        for code in one.codes:
            assert code in REASONS, f"{one.place}: {code} is no code"
            needed = set(REASONS[code].params)
            # The game fills in the English wording; what clients get is derived from it.
            known = needed | set(re.findall(r"\{(\w+)\}", REASONS[code].english)) | {None}
            if one.file != "illegal.py":
                assert one.params in (needed, {None}), f"{one.place}: {code} has {needed}"
            assert one.params <= known, f"{one.place}: {code} has no {one.params - known}"


def test_nothing_is_said_beside_a_code() -> None:
    assert [one.place for one in raised() if not one.is_alone and one.file != "illegal.py"] == []


def test_every_code_is_used() -> None:
    used = {code for one in raised() for code in one.codes} | set().union(*PASSED_ON.values())
    used |= {"bid_range", "bid_forbidden"}  # chosen by the game, by what the bid is
    assert used == set(REASONS)


def test_no_code_is_in_two_families() -> None:
    assert sum(map(len, FAMILIES.values())) == len(REASONS)


@pytest.mark.parametrize("code", REASONS)
def test_every_code_has_its_english(code: str) -> None:
    reason = REASONS[code]
    words = dict.fromkeys(re.findall(r"\{(\w+)\}", reason.english), "7")
    params = {**words, **dict.fromkeys(reason.params, 7)}
    for told in (to_player(code, params), to_log(code, params)):
        assert not set("{}[]|") & set(told)
        assert told == told.strip() != ""


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda path: path.stem)
def test_every_code_has_one_sentence_with_exactly_its_parameters(language: Path) -> None:
    messages = json.loads(language.read_text())
    for code, reason in REASONS.items():
        sentence = messages[f"refusal_{code}"]
        named = set(re.findall(r"\{(\w+)(?:\}|,)", sentence))
        # A choice may be between words that look like parameters: {red}.
        chosen = set(re.findall(r"\w+ \{(\w+)\}", sentence))
        assert set(reason.told) <= named, f"{code}: {sentence}"
        assert named - chosen <= set(reason.told), f"{code}: {sentence}"
    # The client's own, and words within sentences.
    more = {"unreachable", "somebody"}
    known = {f"refusal_{code}" for code in {*REASONS, *more}}
    assert {one for one in messages if one.startswith("refusal_")} == known
