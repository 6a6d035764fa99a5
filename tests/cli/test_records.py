"""`foretold replay` and `foretold verify`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cli.told import assert_refused, played
from commands import Run
from foretold import EDITIONS, FairDeals, Game
from foretold.record import write_record

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
    # Another card for the same play: a legal game, but not the one dealt.
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
