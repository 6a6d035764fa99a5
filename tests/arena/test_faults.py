"""A failing bot loses its own move, and costs nobody else anything."""

from __future__ import annotations

import pytest

from arena.odd import SHORT
from commands import Run


def test_every_fault_is_counted_and_costs_only_the_move(run: Run) -> None:
    bots = ["odd:Raiser", "odd:Rubbish", "odd:Illegal", "odd:Assigner", "odd:Leaver", "simple"]
    answer = run(*bots, *SHORT, "--games", "6", "--json")
    assert answer.code == 0
    *faulty, simple = answer.json["bots"]
    messages = [
        "RuntimeError: I am lost",
        "answered {'play'",
        "not legal",
        "FrozenInstanceError",
        "SystemExit: goodbye",
    ]
    for bot, message in zip(faulty, messages, strict=True):
        assert bot["faults"] == bot["decisions"] > 0
        assert message in bot["first_fault"]
    assert simple["faults"] == 0


def test_what_is_changed_by_force_is_as_it_was(run: Run) -> None:
    answer = run("odd:Forger", "odd:Spoiler", "simple", *SHORT, "--games", "3", "--json")
    assert answer.code == 0
    forger, spoiler, simple = answer.json["bots"]
    for bot in (forger, spoiler):
        assert bot["faults"] >= 3 * (3 + 6)
        assert bot["first_fault"] == "it changed the view that it was shown"
    assert simple["faults"] == 0
    # With the simple bot in every seat, all rotations are the same game.
    assert forger["points_per_game"] == spoiler["points_per_game"] == simple["points_per_game"]


def test_a_bot_that_hangs_is_stopped(run: Run) -> None:
    arguments = ["odd:Sleeper", "simple", "simple", "-o", "rounds=1", "--limit", "0.05"]
    sleeper, simple = run(*arguments, "--games", "3", "--json").json["bots"]
    assert sleeper["faults"] == sleeper["decisions"] >= 6
    assert "no answer within 0.05 s" in sleeper["first_fault"]
    assert simple["faults"] == 0


@pytest.mark.parametrize(
    ("bot", "message"),
    [
        ("odd:Quitter", "ended by itself (exit status 3)"),
        ("odd:Crasher", "ended by itself (signal SIGSEGV)"),
        ("odd:Deaf", "was ended: no answer within 0.1 s"),
        ("odd:Moody", "RuntimeError: not today"),
    ],
)
def test_a_bot_that_takes_its_process_along_loses_the_game_only(
    run: Run, bot: str, message: str
) -> None:
    arguments = [bot, "simple", "simple", "-o", "rounds=1-2", "--limit", "0.1"]
    answer = run(*arguments, "--games", "3", "--json", "--jobs", "1")
    assert answer.code == 0
    odd, simple = answer.json["bots"]
    assert answer.json["complete"]
    assert odd["faults"] >= 3 * (2 + 3)  # every decision of the games
    assert message in odd["first_fault"]
    assert simple["faults"] == 0
