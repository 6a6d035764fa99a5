"""`foretold hint` and `foretold review`."""

from __future__ import annotations

from pathlib import Path

import pytest

from commands import Run
from foretold import Rules
from foretold.record import write_record
from foretold.study import Grade
from study.games import played


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "game.json"
    names = ("Ana", "Ben", "<b>Cleo", "Dora")
    path.write_bytes(write_record(played(Rules(rounds="1-5"), names=names).to_record()))
    return path


def test_a_hint_for_any_step(run: Run, file: Path, weights: Path) -> None:
    answer = run("hint", file, "--at", 0, "--weights", weights)
    assert answer.code == 0
    assert "Ben to bid" in answer.out
    for title in ("points", "8 of 10 rounds", "bid met", "gives away", "best"):
        assert title in answer.out
    data = run("hint", file, "--at", 8, "--json", "--weights", weights).json
    assert data["phase"] in ("bid", "trump")
    leads = [one["lead"] for one in data["choices"]]
    assert leads == sorted(leads, reverse=True)
    assert sum(data["choices"][0]["tricks"]) == pytest.approx(1, abs=0.01)


def test_a_hint_needs_a_decision(run: Run, file: Path, weights: Path) -> None:
    for arguments, words in (
        ((), "the game is over"),
        (("--at", 999), "there is no step 999"),
        (("--at", 0, "--seat", 0), "seat 0 is not to act then, but seat 1"),
    ):
        answer = run("hint", file, *arguments, "--weights", weights)
        assert answer.code == 2
        assert words in answer.err
        assert answer.err.count("\n") == 1


def test_a_review_in_the_terminal(run: Run, file: Path, weights: Path) -> None:
    answer = run("review", file, "--weights", weights)
    assert answer.code == 0
    for words in ("Where the points came from", "what cost most", "Every decision", "Ana"):
        assert words in answer.out
    assert "Ana: what cost most" not in run("review", file, "--seat", 1, "--weights", weights).out


def test_a_review_as_data_and_as_a_page(
    run: Run, file: Path, weights: Path, tmp_path: Path
) -> None:
    data = run("review", file, "--json", "--weights", weights).json
    assert data["names"][0] == "Ana"
    assert len(data["rounds"]) == 5
    assert [one["number"] for one in data["decisions"]] == list(range(len(data["decisions"])))
    assert {one["grade"] for one in data["decisions"]} <= set(Grade)
    page = tmp_path / "review.html"
    assert run("review", file, "--html", page, "--weights", weights).out == ""
    text = page.read_text()
    assert "&lt;b&gt;Cleo" in text
    assert "<b>Cleo" not in text
    assert "<script" not in text
    assert "http" not in text
    assert text.count("<svg") > 20


def test_rubbish_is_refused_in_one_line(
    run: Run, file: Path, weights: Path, tmp_path: Path
) -> None:
    rubbish = tmp_path / "rubbish"
    rubbish.write_bytes(b"\x00\xff{]")
    good = ("--weights", weights)
    for arguments, words in (
        (("review", rubbish, *good), "not JSON"),
        (("hint", rubbish, *good), "not JSON"),
        (("review", tmp_path / "none", *good), "cannot read"),
        (("review", file, "--seat", 4, *good), "there is no seat 4"),
        (("review", file, "--weights", rubbish), "no weights"),
        (("hint", file, "--weights", tmp_path), "no weights"),
        (("review", file, "--html", tmp_path, *good), "cannot write"),
    ):
        answer = run(*arguments)
        assert answer.code == 2
        assert answer.err.startswith("error: ")
        assert answer.err.count("\n") == 1
        assert words in answer.err


def test_without_weights_the_commands_say_so(
    run: Run, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("foretold.bots.trained.WEIGHTS", tmp_path / "none.npz")
    for command in ("hint", "review"):
        answer = run(command, file)
        assert answer.code == 2
        assert "trained player" in answer.err
        assert answer.err.count("\n") == 1
