"""The command line, as users meet it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from cli.told import assert_refused, played
from commands import Run
from foretold import EDITIONS, Game
from foretold.cli.app import COMMANDS
from foretold.record import write_record

# Help


def test_help_names_the_commands_and_loads_nothing_heavy() -> None:
    script = (
        "import sys; sys.argv = ['foretold', '--help']\n"
        "from foretold.cli import main\n"
        "try: main()\n"
        "finally: print({'numba', 'numpy', 'rich'} & set(sys.modules), file=sys.stderr)"
    )
    shown = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True
    )
    for command in COMMANDS:
        assert f" {command.__name__} " in shown.stdout
    assert shown.stderr.strip() == "set()"


@pytest.mark.parametrize("command", [command.__name__ for command in COMMANDS])
def test_every_command_has_help_with_an_example(run: Run, command: str) -> None:
    answer = run(command, "--help")
    assert answer.code == 0
    assert f"Example: foretold {command}" in " ".join(answer.out.split())


def test_version(run: Run) -> None:
    assert run("--version").out.startswith("foretold 0.")


@pytest.mark.parametrize(
    "arguments",
    [["fly"], ["replay"], ["replay", "--fast", "x"], ["bench", "--threads", "many"]],
)
def test_a_wrong_call_is_answered_in_one_line(run: Run, arguments: list[str]) -> None:
    assert_refused(run(*arguments), "--help")


# Editions and bench


def test_editions_lists_presets_options_and_exclusions(run: Run) -> None:
    answer = run("editions")
    for word in (*EDITIONS, "bid_rule", "suit_after_wizard", "What cannot be combined"):
        assert word in answer.out
    data = run("editions", "--json").json
    assert [one["name"] for one in data["editions"]] == list(EDITIONS)
    assert set(data["options"]) == set(EDITIONS["amigo"].rules().to_options())


def test_bench_gives_its_figures(run: Run) -> None:
    answer = run("bench", "--json", "--seconds", "0.1", "--edition", "anniversary").json
    assert answer["decisions_per_second"] > 0
    assert answer["games_per_second"] > 0
    assert answer["threads"] == 1
    assert len(answer["rules"]["specials"]) == 7
    assert "decisions a second" in run("bench", "--seconds", "0.1").out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--edition", "chess"], ["chess", "anniversary"]),
        (["--players", "9"], ["players", "2 to 6"]),
        (["--option", "bidding"], ["RULE=VALUE"]),
        (["--option", "colour=red"], ["colour", "bidding"]),
        (["--option", "mode=monocolour", "--players", "6"], ["players 6", "mode monocolour"]),
        (["-e", "anniversary", "-o", "clairvoyance=every_round"], ["specials", "clairvoyance"]),
    ],
)
def test_rules_that_cannot_be_are_refused(run: Run, arguments: list[str], words: list[str]) -> None:
    assert_refused(run("play", *arguments), *words)


# Play


def test_play_to_the_end(run: Run, tmp_path: Path) -> None:
    """Every bid is 0, and every card is tried until one is allowed."""
    path = tmp_path / "mine.json"
    cards = "".join(f"{suit}{value}\n" for suit in "BGRY" for value in range(1, 14)) + "W\nJ\n"
    typed = ("0\n" + cards) * 8
    answer = run(
        "play", "--seed", "3", "-p", "3", "-o", "rounds=1-2", "--save", path, stdin=typed.encode()
    )
    assert answer.code == 0
    assert "Tablet of Truth" in answer.out
    assert Game.from_record(path.read_bytes()).outcome() is not None


def test_play_explains_refusals_and_helps(run: Run) -> None:
    answer = run("play", "--seed", "3", stdin=b"7\nX9\n?\ns\nl\n0\n")
    assert "a bid in this round is 0 to 1" in answer.out
    assert "score sheet" in answer.out
    assert "You have left the game." in answer.out


def test_play_names_no_card_that_is_not_there(run: Run) -> None:
    given = ("1", "XX", "JU", "SH=W", "q")
    answer = run(
        "play", "--plain", "-o", "rounds=3", "--seed", "5", stdin="\n".join(given).encode()
    )
    assert "'XX' is not a choice now (B13): ? for help." in answer.out
    assert "'JU' is not a choice now (B13): ? for help." in answer.out
    assert "you do not hold SH" in answer.out
    assert "DR" not in answer.out


def test_play_can_be_left_and_keeps_the_record(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "left.json"
    answer = run("play", "--seed", "3", "--save", path, stdin=b"0\nq\n")
    assert answer.code == 0
    assert len(Game.from_record(path.read_bytes()).position.logs) == 1


def test_play_does_not_overwrite_a_file(run: Run, file: Path) -> None:
    before = file.read_bytes()
    assert_refused(run("play", "--save", file), "is there already")
    assert file.read_bytes() == before


def test_play_refuses_a_place_it_cannot_write(run: Run, tmp_path: Path) -> None:
    assert_refused(run("play", "--save", tmp_path / "no" / "file"), "cannot write")


def test_first_compilation_is_announced_and_kept(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "foretold.cli", "replay", "-"]
    record = write_record(played(rounds="1").to_record())
    environment = {"XDG_CACHE_HOME": str(tmp_path), "PATH": "", "HOME": str(tmp_path)}
    shown = [
        subprocess.run(
            command, input=record, capture_output=True, env=environment, timeout=300, check=True
        )
        for _ in range(2)
    ]
    assert b"compiling the rules" in shown[0].stderr
    assert shown[1].stderr == b""
    assert shown[0].stdout == shown[1].stdout
    assert any((tmp_path / "foretold").rglob("*.nbi"))


def test_a_cache_that_cannot_be_written_does_no_harm(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    shown = subprocess.run(
        [sys.executable, "-m", "foretold.cli", "replay", "-"],
        input=write_record(played(rounds="1").to_record()),
        capture_output=True,
        env={"XDG_CACHE_HOME": str(blocked), "PATH": "", "HOME": str(blocked)},
        timeout=300,
        check=True,
    )
    assert b"finished" in shown.stdout
