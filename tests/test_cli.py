"""The command line, as its users meet it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from commands import Answer, Run, runner
from foretold import EDITIONS, FairDeals, Game
from foretold.bots import SimpleBot
from foretold.record import write_record


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    return runner(capfd, monkeypatch)


def played(edition: str = "amigo", **options: Any) -> Game:
    game = Game(edition, seed=5, **options)
    while game.outcome() is None:
        game.push(SimpleBot().choose(game.view(game.to_act[0])))
    return game


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "game.json"
    path.write_bytes(write_record(played(rounds="1-3").to_record()))
    return path


def assert_refused(answer: Answer, *words: str) -> None:
    """One clear line on standard error and exit status 2."""
    assert answer.code == 2
    assert answer.err.startswith("error: ")
    assert answer.err.count("\n") == 1
    for word in words:
        assert word in answer.err


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
    for command in (
        "play",
        "replay",
        "verify",
        "hint",
        "review",
        "editions",
        "arena",
        "train",
        "bench",
    ):
        assert command in shown.stdout
    assert shown.stderr.strip() == "set()"


@pytest.mark.parametrize(
    "command", ["play", "replay", "verify", "editions", "arena", "train", "bench"]
)
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


# Replay


def test_replay_tells_the_game(run: Run, file: Path) -> None:
    answer = run("replay", file)
    assert answer.code == 0
    assert "round 3: 3 cards" in answer.out
    assert "finished:" in answer.out


def test_replay_as_json_has_every_field_of_the_format(run: Run, tmp_path: Path) -> None:
    """The example of RECORD.md, field by field."""
    record = {
        "format": "foretold/1",
        "rules": {"players": 4, "specials": ["DR", "FA", "JU"], "rounds": "1"},
        "names": ["Ana", "Ben", "Cleo", "Dov"],
        "first_dealer": 2,
        "rounds": [
            {
                "hands": [["B7"], ["W"], ["R3"], ["JU"]],
                "turned": "G5",
                "actions": [
                    [3, "bid 0"],
                    [0, "bid 1"],
                    [1, "bid 1"],
                    [2, "bid 0"],
                    [3, "play JU=R"],
                    [0, "play B7"],
                    [1, "play W"],
                    [2, "play R3"],
                ],
            }
        ],
    }
    path = tmp_path / "example.json"
    path.write_text(json.dumps(record, indent=2))
    assert run("replay", "--json", path).json == {
        "status": "finished",
        "rounds": [
            {
                "size": 1,
                "dealer": 2,
                "trump": "G",
                "bids": [1, 1, 0, 0],
                "scored_bids": [1, 1, 0, 0],
                "taken": [0, 1, 0, 0],
                "tricks": [
                    {
                        "leader": 3,
                        "cards": ["JU=R", "B7", "W", "R3"],
                        "winner": 1,
                        "next_leader": 1,
                    }
                ],
                "points": [-10, 30, 20, 20],
                "totals": [-10, 30, 20, 20],
            }
        ],
        "totals": [-10, 30, 20, 20],
        "winners": [1],
        "to_act": [],
    }


def test_replay_reads_standard_input_and_many_records(run: Run) -> None:
    records = b"".join(write_record(played(rounds=size).to_record()) for size in ("1", "2", "1-2"))
    answer = run("replay", "--json", "-", stdin=records)
    assert [len(json.loads(line)["rounds"]) for line in answer.out.splitlines()] == [1, 1, 2]


def test_a_broken_record_is_named_and_the_others_are_still_checked(run: Run) -> None:
    broken = played(rounds="1-3").to_record()
    broken["rounds"][1]["actions"][2][1] = "bid 3"
    good = played(rounds="1").to_record()
    answer = run("replay", "--json", "-", stdin=write_record(broken) + write_record(good))
    assert_refused(answer, "round 2, action 3: seat", "may not bid 3", "0 to 2")
    first, second = map(json.loads, answer.out.splitlines())
    assert answer.err == f"error: {first['error']}\n"
    assert second["status"] == "finished"


@pytest.mark.parametrize(
    ("content", "word"),
    [
        (b"", "empty"),
        (b"\n\n", "empty"),
        (b"{", "JSON"),
        (b"[]", "a list"),
        (b"{}", "format"),
        (b'{"format": "chess/1"}', "chess/1"),
        (b"\x00\xff" * 1000, "JSON"),
        (b"[" * 10_000 + b"]" * 10_000, "nested too deeply"),
        (b'{"format": "foretold/1", "x": ' + b"[" * 10_000 + b"]" * 10_000 + b"}", "nested"),
        (b'{"format": "foretold/1", "first_dealer": true}', "first_dealer"),
        (b'{"format": "foretold/1", "first_dealer": 1e999}', ""),
    ],
)
def test_what_is_no_record_gets_one_clear_line(run: Run, content: bytes, word: str) -> None:
    assert_refused(run("replay", "-", stdin=content), word)


def test_forty_megabytes_of_noise_are_refused_at_once(run: Run, tmp_path: Path) -> None:
    noise = tmp_path / "noise"
    noise.write_bytes(bytes(range(256)) * 160_000)
    assert_refused(run("replay", noise))
    line = tmp_path / "line"
    line.write_bytes(b'{"format":' + b" " * 40_000_000)
    assert_refused(run("replay", line), "16 MiB")


def test_a_file_that_is_not_there(run: Run, tmp_path: Path) -> None:
    assert_refused(run("replay", tmp_path / "none.json"), "none.json", "No such file")
    assert_refused(run("verify", tmp_path), "directory")


def test_output_may_be_cut_by_its_reader(tmp_path: Path) -> None:
    path = tmp_path / "many.jsonl"
    path.write_bytes(write_record(played(rounds="1-3").to_record()) * 300)
    command = f"{sys.executable} -m foretold.cli replay --json {path} | head -n 1"
    shown = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=120)
    assert json.loads(shown.stdout)["status"] == "finished"
    assert shown.stderr == ""


def test_many_broken_records_get_a_line_each(run: Run) -> None:
    line = write_record(played(rounds="1").to_record())
    answer = run("replay", "--json", "-", stdin=line[:90] + b"\n" + line[:70] + b"\n")
    assert answer.code == 2
    assert len(answer.out.splitlines()) == len(answer.err.splitlines()) == 2


def test_names_cannot_move_the_cursor(run: Run) -> None:
    record = played(rounds="1").to_record()
    record["names"] = ["A\x1b[2J", "B\nC", "D", "E"]
    answer = run("replay", "-", stdin=write_record(record))
    assert "\x1b" not in answer.out
    assert "B\nC" not in answer.out


# Verify


def test_verify_confirms_fair_deals(run: Run, file: Path) -> None:
    answer = run("verify", file)
    assert answer.code == 0
    assert answer.out.splitlines() == [
        f"{part}: verified: it follows from its secret; no player added bytes"
        for part in ("set-up", "round 1", "round 2", "round 3")
    ]


def test_verify_finds_a_deal_that_was_changed(run: Run) -> None:
    record = played(rounds="1-2", players=3).to_record()
    # Another card for the same play: a legal game, but not the one that was dealt.
    text = json.dumps(record["rounds"][0])
    held = record["rounds"][0]["hands"][0][0]
    other = next(
        card
        for card in ("J", "W", "B1", "G1", "R1", "Y1")
        if card != held and f'"{card}"' not in text and f" {card}" not in text
    )
    record["rounds"][0] = json.loads(text.replace(f'"{held}"', f'"{other}"'))
    for action in record["rounds"][0]["actions"]:
        if action[1] == f"play {held}":
            action[1] = f"play {other}"
    answer = run("verify", "-", stdin=write_record(record))
    assert answer.code == 1
    assert "round 1: false: other cards follow from its secret" in answer.out
    assert "round 2: verified" in answer.out


def test_verify_finds_a_secret_that_was_exchanged(run: Run) -> None:
    record = played(rounds="1-2").to_record()
    record["fair"]["secrets"][2] = "00" * 48
    answer = run("verify", "-", stdin=write_record(record))
    assert answer.code == 1
    assert "round 2: false: the secret is not the one that was committed to" in answer.out


def test_verify_says_when_nothing_can_be_said(run: Run) -> None:
    record = played(rounds="1-2").to_record()
    del record["fair"]
    answer = run("verify", "--json", "-", stdin=write_record(record))
    assert answer.code == 1
    assert answer.json["verified"] is False
    assert {one["answer"] for one in answer.json["rounds"]} == {"not verifiable"}


def test_verify_of_an_unfinished_game_waits_for_the_secret(run: Run) -> None:
    game = Game("amigo", seed=1)
    answer = run("verify", "-", stdin=write_record(game.to_record()))
    assert answer.code == 0
    assert "round 1: under way" in answer.out


def test_verify_says_who_added_bytes(run: Run) -> None:
    rules = EDITIONS["amigo"].rules(rounds="1")
    deals = FairDeals.random(rules).with_contributions([b"", b"x" * 16, b"y" * 16, b""])
    game = Game(rules, deals=deals)
    while game.outcome() is None:
        game.push(game.legal_actions()[0])
    record = game.to_record()
    assert "and the bytes of seats 1, 2" in run("verify", "-", stdin=write_record(record)).out
    record["fair"]["contributions"][1] = (b"z" * 16).hex()
    answer = run("verify", "-", stdin=write_record(record))
    assert answer.code == 1
    assert "round 1: false: the bytes of seat 1 are not those it committed to" in answer.out


def test_proofs_that_cannot_be_read_verify_nothing_but_do_no_harm(run: Run) -> None:
    proofs: list[Any] = [[], {"scheme": "dice"}, {"scheme": "foretold-shake256-1", "secrets": "x"}]
    for fair in proofs:
        record = write_record({**played(rounds="1").to_record(), "fair": fair})
        assert run("replay", "-", stdin=record).code == 0
        answer = run("verify", "-", stdin=record)
        assert answer.code == 1
        assert "round 1: not verifiable: fair" in answer.out


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
    assert "'XX' is no choice now (B13): ? helps." in answer.out
    assert "'JU' is no choice now (B13): ? helps." in answer.out
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
